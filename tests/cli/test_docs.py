"""The commands that the documentation shows, run in their order."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RUN = re.compile(r"<!-- run -->\n```console\n(.*?)```", re.DOTALL)
PAGES = ["docs/command-line.md"]


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_a_page_run(tmp_path, page):
    pytest.importorskip("matplotlib", reason="wants matplotlib (extra: report)")
    blocks = RUN.findall((ROOT / page).read_text(encoding="utf-8"))
    lines = [line for block in blocks for line in block.splitlines() if line.startswith("$ ")]
    assert lines
    here = f"{sys.executable} -m honeybayes.cli "
    for line in lines:
        command = line.removeprefix("$ ").replace("honeybayes ", here, 1)
        done = subprocess.run(
            command,
            shell=True,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, f"{line}\n{done.stderr}"
        assert done.stdout or "-o" in line
