"""The critical-difference diagram."""

import pytest

pytest.importorskip("matplotlib", reason="the extra report is not installed")

from benchmarks.pictures import group_ranks, plot_critical_difference

RANKS = {"A": 1.0, "B": 1.8, "C": 2.5, "D": 4.7, "E": 5.0}


def test_groups_are_the_longest_stretches():
    assert group_ranks(RANKS, 1.0) == [(1.0, 1.8), (1.8, 2.5), (4.7, 5.0)]
    assert group_ranks(RANKS, 1.5) == [(1.0, 2.5), (4.7, 5.0)]
    assert group_ranks(RANKS, 0.1) == []
    assert group_ranks(RANKS, 9) == [(1.0, 5.0)]


def test_the_drawing_names_every_model(tmp_path):
    figure = plot_critical_difference(RANKS, 1.0)
    texts = {text.get_text().strip() for text in figure.axes[0].texts}
    assert {"A 1.00", "B 1.80", "C 2.50", "4.70 D", "5.00 E", "CD = 1.00"} <= texts
    figure.savefig(tmp_path / "ranks.svg")
