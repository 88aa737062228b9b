"""Compiled loops work without a cache that can be written."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src"
KERNEL = """
from honeybayes.utils.compiling import compiled

@compiled
def triple(x):
    return 3 * x
"""
LIMIT = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)); "
CALL = "from kernel import triple; print(triple(14), sum(triple.stats.cache_hits.values()))"


def call(folder, before=""):
    paths = os.pathsep.join([str(SOURCE), str(folder)])
    cache = {"NUMBA_CACHE_DIR": str(folder / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", before + CALL],
        env={**os.environ, **cache, "PYTHONPATH": paths},
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.process
@pytest.mark.skipif(os.name != "posix", reason="limits of Unix")
def test_a_cache_that_is_full_or_damaged(tmp_path):
    (tmp_path / "kernel.py").write_text(KERNEL, encoding="utf-8")
    assert call(tmp_path, LIMIT) == ["42", "0"]  # as on a full disk: every write fails
    assert call(tmp_path) == ["42", "0"]
    assert call(tmp_path) == ["42", "1"]  # the cache still works
    cached = list((tmp_path / "cache").rglob("*.nb?"))
    assert {path.suffix for path in cached} == {".nbi", ".nbc"}
    for path in cached:
        path.write_bytes(path.read_bytes()[:-20])
        assert call(tmp_path) == ["42", "0"]
