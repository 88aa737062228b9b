"""Numbers about quality, compared with SciPy, scikit-learn and brute force."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from honeybayes.labeling.estimate import (
    Point,
    estimate_quality,
    give_advice,
    kappa,
    project_curve,
    spaced,
)


@given(st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4)), min_size=2, max_size=50))
def test_kappa_is_that_of_scikit_learn(pairs):
    one, two = np.array(pairs).T
    if len(np.union1d(one, two)) < 2:
        assert kappa(one, two) == 1
    else:
        assert kappa(one, two) == pytest.approx(cohen_kappa_score(one, two))


def test_rounds_are_five_labels_apart_and_undone_ones_are_dropped():
    rounds = [(n, np.array([n])) for n in (0, 3, 5, 7, 12, 20, 10, 16)]
    assert [n for n, _ in spaced(rounds)] == [0, 5, 10, 16]


def test_many_labels_need_more_labels_between_two_rounds():
    rounds = [(n, np.array([n])) for n in range(0, 10_001, 5)]
    kept = [n for n, _ in spaced(rounds)]
    assert kept[:21] == list(range(0, 101, 5))
    assert len(kept) < 120
    assert all(now - before < 0.05 * now + 5 for before, now in pairwise(kept[21:]))


def test_the_projected_curve_continues_a_power_law():
    curve = [Point(n, 0.9 - 1.2 * n**-0.6) for n in range(10, 100, 10)]
    for n, value in project_curve(curve):
        assert value == pytest.approx(0.9 - 1.2 * n**-0.6, abs=0.01)
    assert project_curve(curve)[-1].n_labels == 180
    assert project_curve(curve[:3]) == ()
    assert project_curve([Point(0, 0.2), *curve[:3]]) == ()


def test_a_flat_curve_stays_flat():
    flat = project_curve([Point(n, 0.8) for n in range(5, 60, 5)])
    assert [round(value, 2) for _, value in flat] == [0.8] * len(flat)


def make_estimate(rounds, audit=((), ()), confidence=None, n=40):
    positions, truth = (np.array(each, dtype=int) for each in audit)
    is_labeled = np.zeros(n, dtype=bool)
    is_labeled[:30] = True
    return estimate_quality(rounds, (positions, truth), confidence, is_labeled)


def test_the_audit_is_compared_with_the_last_answers():
    first, second = np.ones(40, dtype=int), np.arange(40) % 2 + 1
    estimate = make_estimate([(5, first), (10, second)], ([0, 1, 2, 3], [1, 1, 1, 2]))
    assert estimate.audit.accuracy == 0.75
    assert estimate.curve == (Point(5, 0.75), Point(10, 0.75))
    assert estimate.stability == (Point(10, 0.0),)
    assert estimate.to_dict()["audit"]["n"] == 4


def test_without_an_audit_the_accuracy_is_unknown():
    estimate = make_estimate([(5, np.ones(40, dtype=int))])
    assert estimate.audit is None
    assert "unknown" in str(give_advice(estimate))


def test_the_advice_is_to_stop_after_three_stable_rounds():
    same = np.arange(40) % 2
    changed = 1 - same
    steady = [(n, same) for n in (15, 20, 25, 30)]
    assert give_advice(make_estimate(steady)).stop
    assert not give_advice(make_estimate(steady[:3])).stop
    assert not give_advice(make_estimate([*steady[:3], (30, changed)])).stop
    assert "billing" in str(give_advice(make_estimate(steady), ["billing"]))
    assert not give_advice(make_estimate(steady), ["billing"]).stop
