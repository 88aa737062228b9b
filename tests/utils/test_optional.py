"""New figures, and the message when matplotlib is missing."""

import sys

import pytest

from honeybayes.utils.optional import import_optional, new_axes, new_figure


def test_new_axes_returns_the_axes_given():
    given = object()
    assert new_axes(given, width=1, height=1) is given


def test_sizes_are_in_inches_and_only_new_axes_are_kept_by_pyplot():
    pyplot = pytest.importorskip("matplotlib.pyplot", reason="needs matplotlib (extra: report)")
    pyplot.close("all")
    assert new_figure(3, 2).get_size_inches().tolist() == [3, 2]
    assert pyplot.get_fignums() == []
    ax = new_axes(width=4, height=1)
    assert ax.figure.get_size_inches().tolist() == [4, 1]
    assert pyplot.get_fignums() == [1]
    pyplot.close("all")


@pytest.mark.parametrize("draw", [lambda: new_axes(width=1, height=1), lambda: new_figure(1, 1)])
def test_a_missing_package_is_named_with_its_extra(monkeypatch, draw):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"needs matplotlib.*pip install 'honeybayes\[report\]'"):
        draw()


def test_any_module_of_an_extra():
    assert import_optional("json", "report").dumps(1) == "1"
    with pytest.raises(ImportError, match=r"needs no_such_package.*honeybayes\[parquet\]"):
        import_optional("no_such_package.part", "parquet")
