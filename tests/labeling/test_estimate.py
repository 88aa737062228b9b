"""Numbers about quality, compared with SciPy, scikit-learn and brute force."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from honeybayes.labeling.quality import (
    Point,
    estimate_quality,
    give_advice,
    is_rising,
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
    assert project_curve(curve)[-1].n_labels == 140
    assert project_curve(curve[:4])[-1].n_labels == 80
    assert project_curve(curve[:3]) == ()
    assert project_curve([Point(0, 0.2), *curve[:3]]) == ()


def test_a_flat_curve_stays_flat():
    flat = project_curve([Point(n, 0.8) for n in range(5, 60, 5)])
    assert [round(value, 2) for _, value in flat] == [0.8] * len(flat)


def make_estimate(rounds, audit=((), ()), confidence=None, n=40):
    positions, truth = (np.array(each, dtype=int) for each in audit)
    labels = np.zeros(n, dtype=int)
    labels[:30] = 1
    return estimate_quality(rounds, (positions, truth), confidence, labels)


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


def test_intervals_of_classes_contain_the_truth():
    """Three classes that are found in 90, 60 and 20 % of the texts, and right accordingly."""
    rng, found_share = np.random.default_rng(0), np.array([0.9, 0.6, 0.2])
    n_inside, n_shown = np.zeros(2), np.zeros(2)

    def draw(n):
        truth = rng.choice(3, size=n, p=[0.5, 0.3, 0.2])
        return truth, np.where(rng.random(n) < found_share[truth], truth, rng.integers(3, size=n))

    truth, given = draw(200_000)
    exact = [[np.mean((truth == given)[side == id]) for id in range(3)] for side in (truth, given)]
    for _ in range(300):
        truth, given = draw(80)
        labels, held_out = truth + 1, dict(enumerate((given + 1).tolist()))
        audit = np.arange(80), labels
        estimate = estimate_quality([(80, given + 1)], audit, None, labels, held_out=held_out)
        assert estimate.audit.accuracy == np.mean(truth == given)
        assert sum(each.n_found for each in estimate.classes) == (truth == given).sum()
        for each in estimate.classes:
            for side, interval in enumerate((each.found, each.right)):
                if interval is not None:
                    n_shown[side] += 1
                    n_inside[side] += (
                        interval.low <= exact[side][each.class_id - 1] <= interval.high
                    )
    assert (n_shown > 800).all()
    assert (n_inside >= 0.9 * n_shown).all()


def test_classes_that_are_not_found_are_told():
    labels = np.repeat([1, 2], 20)
    held_out = dict.fromkeys(range(40), 1)
    answers = np.ones(40, dtype=int)
    random = np.arange(0, 40, 4)
    estimate = estimate_quality(
        [(40, answers)],
        (random, labels[random]),
        None,
        labels,
        held_out=held_out,
        answers=answers,
        names={1: "delivery", 2: "billing"},
    )
    one, two = estimate.classes
    assert (one.n_found, one.n_given, two.n_found, two.n_checked) == (20, 40, 0, 20)
    assert (one.is_rare, two.is_rare) == (False, True)
    assert two.found.accuracy == 0
    assert two.right is None
    assert "Rarely found: billing." in str(give_advice(estimate))
    assert estimate.to_dict()["classes"][1]["is_rare"] is True
    assert estimate.n_audit_differs == 5


def test_few_checks_say_the_interval_only():
    first = np.ones(40, dtype=int)
    few = make_estimate([(5, first)], (range(12), [1] * 7 + [2] * 5))
    assert "Between 32 % and 81 % of the answers are right, from 12 random texts." in str(
        give_advice(few)
    )


def test_a_forecast_needs_a_curve_that_rises():
    rng, n_labels = np.random.default_rng(0), np.arange(10, 110, 10)
    flat = [is_rising(n_labels, rng.random((10, 40)) < 0.7) for _ in range(200)]
    assert np.mean(flat) < 0.06
    chance = 1 - 1.5 / np.sqrt(n_labels)[:, np.newaxis]
    assert np.mean([is_rising(n_labels, rng.random((10, 40)) < chance) for _ in range(50)]) > 0.9
    assert not is_rising(n_labels[:1], np.ones((1, 40), dtype=bool))
