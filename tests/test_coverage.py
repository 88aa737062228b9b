"""Coverage curves and thresholds, compared with SciPy and brute force."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from honeybayes.coverage import Automatic, coverage_curve, find_threshold, wilson_interval


@given(st.integers(1, 300), st.data())
def test_wilson_interval_is_that_of_scipy(n, data):
    n_right = data.draw(st.integers(0, n))
    expected = binomtest(n_right, n).proportion_ci(method="wilson")
    found = wilson_interval(n_right, n)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-12)
    assert found.accuracy == n_right / n


def test_the_threshold_is_found_for_a_model_that_is_always_sure_and_wrong():
    sure = np.full(3000, 1.0)
    assert find_threshold(0.9, sure, np.zeros(3000, dtype=bool), sure).threshold is None


@given(st.floats(0.5, 0.99), st.integers(0, 1000))
def test_the_threshold_is_the_lowest_that_reaches_the_target(target, seed):
    rng = np.random.default_rng(seed)
    confidence = rng.uniform(0.3, 1, 200)
    audited = rng.uniform(0.3, 1, 4000)
    # the audit is right exactly as often as claimed, so the confidence stays nearly as it is
    is_right = rng.uniform(size=4000) < audited
    found = find_threshold(target, audited, is_right, confidence)
    means = {
        each: confidence[confidence >= each].mean()
        for each in confidence
        if confidence[confidence >= each].mean() >= target + 0.02
    }
    if means:
        assert found.threshold is not None
        assert found.threshold <= min(means)
    assert found.n_answered + found.n_left == 200
    if found.threshold is not None:
        assert found.n_answered == (confidence >= found.threshold).sum()
        assert confidence[confidence >= found.threshold].mean() >= target - 0.02


def test_an_overconfident_model_answers_less():
    confidence = np.linspace(0.5, 1, 101)
    honest = np.arange(40) % 4 > 0  # 75 % right, as claimed
    worse = np.arange(40) % 2 > 0
    audited = np.full(40, 0.75)
    assert (
        find_threshold(0.9, audited, worse, confidence).n_answered
        < find_threshold(0.9, audited, honest, confidence).n_answered
    )


@given(
    st.lists(
        st.tuples(st.sampled_from([0.2, 0.5, 0.7, 0.9, 1.0]), st.booleans()),
        min_size=1,
        max_size=40,
    )
)
def test_the_curve_counts_the_texts_from_each_threshold_on(texts):
    confidence, right = map(np.array, zip(*texts, strict=True))
    curve = coverage_curve(confidence, right)
    assert [point.threshold for point in curve] == sorted(set(confidence), reverse=True)
    for threshold, answered, accuracy in curve:
        above = confidence >= threshold
        assert answered == pytest.approx(above.mean())
        assert accuracy == wilson_interval(int(right[above].sum()), int(above.sum()))


def test_a_long_curve_is_thinned_out_and_keeps_its_ends():
    confidence = np.linspace(0, 1, 5000)
    curve = coverage_curve(confidence, confidence > 0.5, n_points=50)
    assert len(curve) == 50
    assert (curve[0].threshold, curve[-1].answered) == (1.0, 1.0)
    assert coverage_curve([], []) == []


def test_texts_of_equal_confidence_are_answered_together():
    found = find_threshold(0.5, [0.4] * 50 + [0.6] * 50, np.arange(100) >= 50)
    assert found.n_answered in (50, 100)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (
            Automatic(0.9, 0.9349, 41, 59, True, 40),
            "To be 90 % right: threshold 0.93, which answers 41 % of the rows "
            "(from 40 held-out texts: rough)",
        ),
        (
            Automatic(0.975, None, 0, 100, False, 190),
            "To be 97.5 % right: no threshold is high enough (from 190 held-out texts)",
        ),
    ],
)
def test_a_threshold_in_words(found, expected):
    assert found.describe() == expected
