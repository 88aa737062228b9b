"""Every example runs without a warning, prints something and draws a plot."""

import runpy
from contextlib import chdir
from pathlib import Path

import pytest

pytestmark = pytest.mark.docs
EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.py"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_example(example, tmp_path, capsys):
    plt = pytest.importorskip("matplotlib.pyplot")
    with chdir(tmp_path):
        runpy.run_path(str(example), run_name="__main__")
    assert capsys.readouterr().out
    assert plt.get_fignums()
    plt.close("all")
    assert not list(tmp_path.iterdir())
