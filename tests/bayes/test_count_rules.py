"""The three decision rules, on a model whose likelihoods are given."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from honeybayes.bayes._count_base import CLASS, RULES, BaseGlobalNB
from honeybayes.utils.matrices import of_complement


class GivenLikelihoods(BaseGlobalNB):
    """log P(document) is the first count under class 0, the second under class 1, and so on."""

    def __init__(self, rule="multinomial", alpha=1.0):
        self.rule = rule
        self.alpha = alpha

    def _learn(self, data):
        self.classes_ = data.classes
        self._set_priors(np.bincount(data.position).astype(float))

    def _log_likelihood(self, X, side):
        return -np.asarray(X) if side == CLASS else -np.asarray(X)[:, ::-1]


class OwnRatio(GivenLikelihoods):
    def _log_likelihood_ratio(self, X):
        return np.full(X.shape, 7.0)


X, Y = np.array([[1.0, 5.0], [2.0, 3.0], [0.0, 4.0]]), ["a", "a", "b"]


def test_priors_by_equations_4_and_5():
    model = GivenLikelihoods().fit(X, Y)
    assert_allclose(np.exp(model.class_log_prior_), [3 / 5, 2 / 5])
    assert_allclose(np.exp(model.complement_log_prior_), [2 / 5, 3 / 5])


def test_scores_by_equations_1_to_3_in_logs():
    prior, complement_prior = np.log([3 / 5, 2 / 5]), np.log([2 / 5, 3 / 5])
    a, b = prior - X, complement_prior - X[:, ::-1]
    for rule, expected in [("multinomial", a), ("complement", -b), ("one-vs-rest", a - b)]:
        scores = GivenLikelihoods(rule).fit(X, Y).predict_joint_log_proba(X)
        assert_allclose(scores, expected)


def test_only_one_vs_rest_asks_for_the_ratio():
    for rule in ("multinomial", "complement"):
        assert_array_equal(
            OwnRatio(rule).fit(X, Y).predict_joint_log_proba(X),
            GivenLikelihoods(rule).fit(X, Y).predict_joint_log_proba(X),
        )
    scores = OwnRatio("one-vs-rest").fit(X, Y).predict_joint_log_proba(X)
    assert_allclose(scores, np.tile(7 + np.log([3 / 2, 2 / 3]), (3, 1)))


def test_printed_difference_of_products_and_difference_of_logs_part():
    """Equation 3 as printed follows the larger product; in logs the larger ratio wins."""
    a, b = np.array([0.3, 0.02]), np.array([0.2, 0.001])  # P(c) P(d given c), and of complements
    assert np.argmax(a - b) == 0
    assert np.argmax(np.log(a) - np.log(b)) == 1


@pytest.mark.parametrize("rule", RULES)
def test_probabilities_sum_to_one(rule):
    model = GivenLikelihoods(rule).fit(X, Y)
    far = X * 1e6
    assert_allclose(model.predict_proba(far).sum(axis=1), 1)
    assert_array_equal(model.predict(far), model.classes_[model.predict_proba(far).argmax(axis=1)])


@pytest.mark.parametrize("rule", ["Multinomial", "ova", None, ("multinomial",)])
def test_unknown_rule(rule):
    with pytest.raises(ValueError, match=r"rule must be one of 'multinomial', 'complement', 'one-"):
        GivenLikelihoods(rule).fit(X, Y)


@pytest.mark.parametrize("alpha", [0, -1.0, np.inf, np.nan, "1"])
def test_alpha_must_be_above_zero(alpha):
    with pytest.raises(ValueError, match="alpha must be a finite number above 0"):
        GivenLikelihoods(alpha=alpha).fit(X, Y)


def test_of_complement_is_exactly_zero_when_all_is_in_one_class():
    by_class = np.array([[0.0, 0.1 + 0.2, 0.0], [0.1, 0.0, 0.7]])
    assert_array_equal(of_complement(by_class)[0], [0.1 + 0.2, 0.0, 0.1 + 0.2])
    assert_allclose(of_complement(by_class)[1], [0.7, 0.8, 0.1])


def test_of_complement_of_a_single_class_is_zero():
    assert_array_equal(of_complement(np.array([[3.0], [0.0]])), [[0.0], [0.0]])
