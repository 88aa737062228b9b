"""The critical-difference diagram."""

import sys

import pytest

from honeybayes.charts.pictures import group_ranks
from honeybayes.evaluate import plot_critical_difference

RANKS = {"A": 1.0, "B": 1.8, "C": 2.5, "D": 4.7, "E": 5.0}


def test_groups_are_the_longest_stretches():
    assert group_ranks(RANKS, 1.0) == [(1.0, 1.8), (1.8, 2.5), (4.7, 5.0)]
    assert group_ranks(RANKS, 1.5) == [(1.0, 2.5), (4.7, 5.0)]
    assert group_ranks(RANKS, 0.1) == []
    assert group_ranks(RANKS, 9) == [(1.0, 5.0)]


def test_the_drawing_names_every_model(tmp_path):
    pytest.importorskip("matplotlib", reason="the extra report is not installed")
    figure = plot_critical_difference(RANKS, 1.0)
    texts = {text.get_text().strip() for text in figure.axes[0].texts}
    assert {"A 1.00", "B 1.80", "C 2.50", "4.70 D", "5.00 E", "CD = 1.00"} <= texts
    figure.savefig(tmp_path / "ranks.svg")


def test_without_matplotlib(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ImportError, match=r"honeybayes\[report\]"):
        plot_critical_difference(RANKS, 1.0)
