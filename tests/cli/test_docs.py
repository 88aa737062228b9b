"""The commands that the documentation shows, run in their order."""

import re
import shlex
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RUN = re.compile(r"<!-- run -->\n```console\n(.*?)```", re.DOTALL)
PAGES = ["docs/command-line.md", "docs/labeling-exchange.md"]


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_a_page_run(run, page):
    pytest.importorskip("matplotlib", reason="needs matplotlib (extra: report)")
    blocks = RUN.findall((ROOT / page).read_text(encoding="utf-8"))
    lines = [line for block in blocks for line in block.splitlines() if line.startswith("$ ")]
    assert lines
    for line in lines:
        *piped, command = line.removeprefix("$ ").split(" | ")
        [stdin] = [shlex.split(echo)[1] + "\n" for echo in piped] or [""]
        assert command.startswith("honeybayes ")
        done = run(command.removeprefix("honeybayes "), stdin)
        assert done.returncode == 0, f"{line}\n{done.stderr}"
        assert done.stdout or "-o" in line
