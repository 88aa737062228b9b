"""Coverage curves and thresholds, compared with SciPy and brute force."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from honeybayes import TextClassifier
from honeybayes.calibration.coverage import (
    TargetThreshold,
    coverage_curve,
    find_threshold,
    held_out_answers,
    wilson_interval,
)


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
    enough = [
        each
        for each in np.arange(100) / 100
        if (audited >= each).sum() >= 10
        and binomtest(
            int(is_right[audited >= each].sum()),
            int((audited >= each).sum()),
            target,
            alternative="greater",
        ).pvalue
        <= 0.2
        and (confidence >= each).any()
        and confidence[confidence >= each].mean() >= target + 0.02
    ]
    if enough:
        assert found.threshold is not None
        assert found.threshold <= min(enough)
    assert found.n_answered + found.n_left == 200
    if found.threshold is not None:
        assert found.n_answered == (confidence >= found.threshold).sum()
        # 200 texts may be less sure than the 4,000 that prove a threshold, by chance
        assert confidence[confidence >= found.threshold].mean() >= target - 0.05
        assert is_right[audited >= found.threshold].mean() >= target


@given(st.integers(10, 400), st.floats(0.5, 0.97), st.booleans(), st.data())
def test_held_out_answers_pass_a_binomial_test(n, target, is_sure, data):
    """At 20 % if the model is sure enough itself, at 5 % otherwise."""
    n_wrong = data.draw(st.integers(0, n // 4))
    asked = np.full(50, 1 - 1e-6 if is_sure else 1e-6)
    found = find_threshold(target, np.full(n, 0.5), np.arange(n) >= n_wrong, asked)
    by_chance = binomtest(n - n_wrong, n, target, alternative="greater").pvalue
    assert (found.threshold is not None) == (by_chance <= (0.2 if is_sure else 0.05))


@pytest.mark.parametrize("asked", [None, np.full(50, 1 - 1e-6), np.full(50, 0.6)])
@given(st.integers(10, 99), st.floats(0.6, 0.99), st.data())
def test_few_held_out_texts_say_how_many_it_takes(asked, n, target, data):
    """So many, if no more are wrong; and 0 if even chance hardly makes so many wrong ones."""
    n_wrong = data.draw(st.integers(0, n // 2))

    def find(n_texts):
        is_right = np.arange(n_texts) >= n_wrong
        return find_threshold(target, np.full(n_texts, 0.5), is_right, asked)

    found = find(n)
    by_chance = binomtest(n - n_wrong, n, target, alternative="less").pvalue
    assert bool(found.n_needed) == (found.threshold is None and by_chance > 0.2)
    if found.n_needed:
        assert found.n_needed > n
        assert find(found.n_needed).threshold is not None
        assert find(found.n_needed - 1).threshold is None
    if asked is None:
        assert (
            found.n_needed
            == find_threshold(target, np.full(n, 0.85), np.arange(n) >= n_wrong).n_needed
        )


@pytest.mark.parametrize(
    ("target", "n", "n_wrong", "n_needed"),
    [(0.99, 100, 0, 161), (0.99, 120, 0, 161), (0.9, 300, 33, 385), (0.9, 300, 70, 0)],
)
def test_many_held_out_texts_say_it_only_if_a_few_more_may_tell(target, n, n_wrong, n_needed):
    found = find_threshold(target, np.full(n, 0.85), np.arange(n) >= n_wrong)
    assert (found.threshold, found.n_needed) == (None, n_needed)
    if n_needed:  # the binomial test of that many texts
        p = [
            binomtest(m - n_wrong, m, target, alternative="greater").pvalue
            for m in (n_needed - 1, n_needed)
        ]
        assert p[0] > 0.2 >= p[1]


@pytest.mark.parametrize("target", [0.0, 1.0, 90, float("nan")])
def test_a_target_that_is_no_share_is_refused(target):
    with pytest.raises(ValueError, match="target must be between 0 and 1"):
        find_threshold(target, [0.9] * 20, [True] * 20)


def test_thresholds_hold_with_their_probability_for_a_model_that_says_what_it_knows():
    """Random held-out texts of a calibrated model: few of all samples give a wrong promise."""
    rng = np.random.default_rng(0)
    claimed = np.sort(rng.beta(6, 1.5, 20_000))
    true = []
    for _ in range(300):
        drawn = rng.choice(claimed, 100)
        found = find_threshold(0.9, drawn, rng.uniform(size=100) < drawn)
        if found.threshold is not None:
            true.append(claimed[claimed >= found.threshold].mean())
    assert len(true) > 150
    assert np.mean(true) >= 0.9
    assert (np.array(true) < 0.9).sum() < 0.2 * 300


def test_enough_of_the_held_out_answers_above_the_threshold_were_right():
    """Finding: a model that claims too much only at the top promised 90 %, and 81 % were right."""
    claimed = np.repeat([0.95, 0.85, 0.5], 100)
    is_right = np.concatenate([np.arange(100) < 82, np.arange(100) < 80, np.arange(100) < 68])
    assert claimed.mean() == pytest.approx(is_right.mean(), abs=0.01)
    assert find_threshold(0.9, claimed, is_right).threshold is None
    found = find_threshold(0.75, claimed, is_right)
    assert (found.threshold, found.n_answered, found.n_left) == (0.51, 200, 100)


def test_many_right_answers_prove_a_threshold_that_a_modest_model_would_not_claim():
    """Finding: a model that is right in 98 % where it claims 0.7 had no threshold for 90 %."""
    claimed = np.repeat([0.72, 0.3], [200, 100])
    is_right = np.concatenate([np.arange(200) < 196, np.arange(100) < 5])
    found = find_threshold(0.9, claimed, is_right)
    assert (found.threshold, found.n_answered) == (0.31, 200)
    few = np.concatenate([claimed[:12], claimed[-6:]])
    assert find_threshold(0.9, few, np.repeat([True, False], [12, 6])).threshold is None


def test_a_threshold_needs_ten_held_out_texts_above_it():
    confidence = np.repeat([0.95, 0.4], [12, 100])
    is_right = (confidence > 0.5) | (np.arange(112) % 5 < 2)
    documents = np.arange(112)
    assert find_threshold(0.8, confidence, is_right, documents=documents).threshold == 0.41
    # four texts, each answered three times
    documents[:12] //= 3
    found = find_threshold(0.8, confidence, is_right, documents=documents)
    assert (found.threshold, found.n_held_out) == (None, 104)


def test_no_text_to_answer_has_no_threshold():
    found = find_threshold(0.5, [0.9] * 20, [True] * 20, [])
    assert (found.threshold, found.n_answered, found.n_left) == (None, 0, 0)


def test_an_overconfident_model_answers_less():
    confidence = np.linspace(0.5, 1, 101)
    audited = np.repeat([0.55, 0.65, 0.75, 0.85, 0.95], 100)
    place = np.tile(np.arange(100) / 100, 5)
    honest, worse = place < audited - 1e-9, place < audited - 0.1 - 1e-9
    n_honest, n_worse = (
        find_threshold(0.8, audited, each, confidence).n_answered for each in (honest, worse)
    )
    assert 0 < n_worse < n_honest


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


def test_a_tie_with_the_label_is_right_only_if_the_label_was_the_answer():
    proba = np.array([[0.5, 0.5], [0.5, 0.5], [0.7, 0.3], [0.3, 0.7]])
    confidence, of_label = held_out_answers(proba, np.array([0, 1, 1, 1])).T
    np.testing.assert_array_equal(of_label >= confidence, [True, False, False, True])
    np.testing.assert_allclose(of_label, [0.5, 0.5, 0.3, 0.7], rtol=1e-6)


def test_the_only_text_of_a_class_counts_as_a_wrong_answer():
    proba = np.array([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]])
    found = held_out_answers(proba, np.array([0, 1, 1]), n_alone=3)
    np.testing.assert_array_equal(found[:3], held_out_answers(proba, np.array([0, 1, 1])))
    np.testing.assert_allclose(sorted(found[3:, 0]), [0.6, 0.8, 0.9], rtol=1e-6)
    np.testing.assert_array_equal(found[3:, 1], 0)
    assert held_out_answers(proba, np.array([0, 1, 1]), n_alone=0.4).shape == (3, 2)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (
            TargetThreshold(0.9, 0.93, 41, 59, True, 40),
            "To be 90 % right (80 % sure): threshold 0.93, which answers 41 % of the rows "
            "(from 40 held-out texts: rough)",
        ),
        (
            TargetThreshold(0.9, 0.0, 12, 0, True, 12, wilson_interval(12, 12)),
            "To be 90 % right (80 % sure): threshold 0.00, which answers 100 % of the rows "
            "(from 12 held-out texts: rough, 76 % to 100 % may be right)",
        ),
        (
            TargetThreshold(0.975, None, 0, 100, False, 190),
            "To be 97.5 % right (80 % sure): no threshold is high enough (from 190 held-out texts)",
        ),
        (
            TargetThreshold(0.9, None, 0, 100, True, 14, n_needed=16),
            "To be 90 % right (80 % sure): too few labels to tell (14 held-out texts; it takes "
            "about 16)",
        ),
    ],
)
def test_a_threshold_in_words(found, expected):
    assert found.describe() == expected


def test_texts_without_a_known_word_are_not_held_out_as_right():
    """Finding: naive Bayes gives all classes of such a text the same probability."""
    texts = ["late parcel", "parcel late", "wrong charge", "charge wrong"] * 10
    texts += [f"unknown{number}" for number in "abcdefghijklmnopqrst"]
    labels = ["x", "x", "y", "y"] * 10 + ["x", "y"] * 10
    found = TextClassifier("MNB", stop_words=False).fit(texts, labels).held_out_
    assert (found[:, 1] >= found[:, 0]).sum() < 60
