"""FeatureSelectedNB: leave-one-out by subtraction against leave-one-out by refitting."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from honeybayes.bayes import feature_selected
from honeybayes.bayes.count import CountNB
from honeybayes.bayes.feature_selected import TENTHS, FeatureSelectedNB
from honeybayes.text.term_scores import chi_square, gain_ratio
from tests.bayes.count_oracle import RULES, Oracle, as_documents, problems, random_counts


def only(X, terms):
    kept = np.zeros_like(X)
    kept[:, terms] = X[:, terms]
    return kept


def best_terms(scores, share):
    """The best-ranked terms; of equal scores the earlier column comes first."""
    order = sorted(range(len(scores)), key=lambda i: (-scores[i], i))
    return order[: max(1, round(share * len(scores)))]


class WithoutOne(Oracle):
    """All documents but one, with the classes of all: a class may be left without documents."""

    def __init__(self, X, y, alpha, out):
        others = [j for j in range(len(y)) if j != out]
        super().__init__(X, y, alpha)
        self.training = [self.training[j] for j in others]
        self.length = [self.length[j] for j in others]
        self.labels = [self.labels[j] for j in others]


def left_out_scores(model, X, y):
    """Fit, and return what the decision rule said of each document and each set of terms."""
    seen, decide = [], feature_selected.LeftOut._decide
    with pytest.MonkeyPatch.context() as patch:
        spy = lambda *given: seen.append(decide(*given)) or seen[-1]  # noqa: E731
        patch.setattr(feature_selected.LeftOut, "_decide", spy)
        model.fit(X, y)
    return np.concatenate(seen)


@settings(max_examples=50)
@given(problems(), st.sampled_from(RULES), st.sampled_from([(0.3, 0.6, 1.0), (0.2, 0.5)]))
def test_leave_one_out_scores_are_those_of_n_models(problem, rule, shares):
    """Every score, not only which one wins: a tie may be broken by a rounding."""
    X, y, _, alpha = problem
    model = FeatureSelectedNB(rule=rule, alpha=alpha, shares=shares)
    scores = left_out_scores(model, X, y)
    for number, share in enumerate(shares):
        kept = only(X, best_terms(model.scores_, share))
        for j, document in enumerate(as_documents(kept)):
            expected = WithoutOne(kept, y, alpha, out=j).count_scores(document, rule)
            assert_allclose(scores[j, number], expected, rtol=1e-9, atol=1e-9)
    answers = model.classes_[scores.argmax(axis=2)]
    assert_allclose(model.leave_one_out_accuracy_, (answers == y[:, np.newaxis]).mean(axis=0))


@pytest.mark.parametrize("rule", RULES)
def test_fractions_that_cancel_leave_nothing(rule):
    """0.1 + 0.2 - 0.2 is not 0.1: beside a tiny alpha, what is left of a zero would show."""
    X, y = np.array([[0.1, 1], [0.2, 0.7], [0.3, 0], [0, 0.1]]), np.array([0, 0, 1, 2])
    scores = left_out_scores(FeatureSelectedNB(rule=rule, alpha=1e-50, shares=[1]), X, y)
    for j, document in enumerate(as_documents(X)):
        expected = WithoutOne(X, y, 1e-50, out=j).count_scores(document, rule)
        assert_allclose(scores[j, 0], expected, rtol=1e-9)


@pytest.mark.parametrize("rule", RULES)
def test_leave_one_out_accuracy_equals_refitting_n_times(rule):
    X, y = random_counts(n_documents=30, n_terms=20)
    model = FeatureSelectedNB(rule=rule).fit(X, y)
    expected = []
    for share in TENTHS:
        kept, right = only(X, best_terms(gain_ratio(X, y), share)), 0
        for j in range(len(y)):
            rest = np.arange(len(y)) != j
            refitted = CountNB(rule=rule).partial_fit(kept[rest], y[rest], classes=np.unique(y))
            right += refitted.predict(kept[[j]])[0] == y[j]
        expected.append(right / len(y))
    assert_allclose(model.leave_one_out_accuracy_, expected)
    assert len(set(expected)) > 2
    assert model.share_ == TENTHS[int(np.argmax(expected))]


@pytest.mark.parametrize("rule", RULES)
def test_is_count_nb_without_the_other_terms_smoothed_over_all_columns(rule):
    X, y = random_counts()
    model = FeatureSelectedNB(rule=rule, shares=[0.25], score_func="chi-square").fit(X, y)
    terms = best_terms(chi_square(X, y), 0.25)
    assert_array_equal(np.flatnonzero(model.support_), sorted(terms))
    assert_allclose(
        model.predict_joint_log_proba(X),
        CountNB(rule=rule).fit(only(X, terms), y).predict_joint_log_proba(only(X, terms)),
    )


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("unit", [1, 0.3])
def test_small_blocks_change_nothing(rule, unit, monkeypatch):
    X, y = random_counts()
    expected = FeatureSelectedNB(rule=rule).fit(unit * X, y).leave_one_out_accuracy_
    monkeypatch.setattr(feature_selected, "BLOCK_CELLS", 300)
    assert_array_equal(
        FeatureSelectedNB(rule=rule).fit(unit * X, y).leave_one_out_accuracy_, expected
    )


def test_of_equally_good_shares_the_smallest_wins():
    X, y = [[2, 0, 0, 1], [3, 0, 1, 0], [0, 1, 0, 0], [0, 2, 1, 0]], [0, 0, 1, 1]
    model = FeatureSelectedNB(shares=[1, 0.5, 0.75, 0.5]).fit(X, y)
    assert_array_equal(model.shares_, [0.5, 0.75, 1])
    assert_array_equal(model.leave_one_out_accuracy_, [1, 1, 1])
    assert model.share_ == 0.5
    assert_array_equal(model.support_, [True, True, False, False])


def test_own_score_function():
    X, y = random_counts()
    by_column = FeatureSelectedNB(score_func=lambda X, y: -np.arange(X.shape[1]), shares=[0.1])
    assert_array_equal(np.flatnonzero(by_column.fit(X, y).support_), [0, 1, 2, 3])


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (
            {"score_func": "gain"},
            "score_func, if it is not callable, must be one of .chi-square., .gain",
        ),
        ({"score_func": lambda X, y: [1.0]}, r"each of the 2 terms; it returned .* shape \(1,\)"),
        ({"score_func": lambda X, y: [1.0, np.nan]}, "2 terms; it returned nan for term 1"),
        ({"shares": []}, "shares must be a list of numbers above 0 and at most 1"),
        ({"shares": 0.5}, "shares must be a list of numbers above 0 and at most 1"),
        ({"shares": [0, 1]}, "shares must be a list of numbers above 0 and at most 1"),
        ({"shares": [0.5, 1.5]}, "shares must be a list of numbers above 0 and at most 1"),
        ({"shares": [np.nan]}, "shares must be a list of numbers above 0 and at most 1"),
        ({"shares": "all"}, "shares must be a list of numbers above 0 and at most 1"),
    ],
)
def test_unusable_parameters(parameters, message):
    with pytest.raises(ValueError, match=message):
        FeatureSelectedNB(**parameters).fit([[1, 0], [0, 1]], [0, 1])
