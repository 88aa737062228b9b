"""Every example runs without a warning."""

import runpy
from contextlib import chdir
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.py"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_example(example, tmp_path, capsys):
    with chdir(tmp_path):
        runpy.run_path(str(example), run_name="__main__")
    assert "Accuracy" in capsys.readouterr().out
    assert not list(tmp_path.iterdir())
