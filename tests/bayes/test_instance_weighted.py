"""InstanceWeightedNB against the rounds of discriminative weighting written out."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from honeybayes.bayes.count import CountNB
from honeybayes.bayes.instance_weighted import InstanceWeightedNB
from tests.bayes.count_oracle import RULES, Oracle, problems, random_counts, scores_of


class RoundsOracle(Oracle):
    """Counts and priors by weight; a weight grows by 1 - P(true class given the document)."""

    def __init__(self, X, y, alpha):
        super().__init__(X, y, alpha)
        self.weights = [1.0] * len(self.labels)

    def log_prior(self, c):
        n, s = sum(self.weights), len(self.classes)
        n_c = sum(w for w, label in zip(self.weights, self.labels, strict=True) if label == c)
        return math.log((n_c + 1) / (n + s)), math.log((n - n_c + 1) / (n + s))

    def log_prob(self, i, labels):
        count, total = 0.0, 0.0
        for w, document, label in zip(self.weights, self.training, self.labels, strict=True):
            if label in labels:
                count += w * document.get(i, 0.0)
                total += w * sum(document.values())
        return math.log(self._estimate(count, total))

    def scores(self, document, rule):
        answer = []
        for c in self.classes:
            sides = ({c}, set(self.classes) - {c})
            logs = [sum(f * self.log_prob(i, side) for i, f in document.items()) for side in sides]
            answer.append(self.decide(rule, c, logs))
        return answer

    def losses(self, rule):
        losses = []
        for document, label in zip(self.training, self.labels, strict=True):
            scores = self.scores(document, rule)
            odds = [math.exp(score - max(scores)) for score in scores]
            losses.append(1 - odds[self.classes.index(label)] / math.fsum(odds))
        return losses


@settings(max_examples=40)
@given(problems(), st.sampled_from(RULES), st.integers(0, 3))
def test_equals_definition(problem, rule, rounds):
    X, y, new, alpha = problem
    oracle, curve = RoundsOracle(X, y, alpha), []
    for _ in range(rounds):
        losses = oracle.losses(rule)
        curve.append(np.mean(losses))
        oracle.weights = [w + loss for w, loss in zip(oracle.weights, losses, strict=True)]
    curve.append(np.mean(oracle.losses(rule)))
    model = InstanceWeightedNB(rule=rule, alpha=alpha, max_iter=rounds).fit(X, y)
    expected = scores_of(new, lambda document: oracle.scores(document, rule))
    assert_allclose(model.predict_joint_log_proba(new), expected, rtol=1e-6, atol=1e-6)
    assert_allclose(model.instance_weights_, oracle.weights, rtol=1e-6)
    assert_allclose(model.loss_curve_, curve, rtol=1e-6, atol=1e-6)
    assert model.n_iter_ == rounds


@pytest.mark.parametrize("rule", RULES)
def test_is_count_nb_of_the_weights_it_found(rule):
    X, y = random_counts()
    model = InstanceWeightedNB(rule=rule).fit(X, y)
    expected = CountNB(rule=rule).fit(X, y, sample_weight=model.instance_weights_)
    assert_allclose(model.predict_joint_log_proba(X), expected.predict_joint_log_proba(X))
    assert (model.instance_weights_ >= 1).all()


@pytest.mark.parametrize("rule", RULES)
def test_weight_is_repetition(rule):
    X, y = random_counts()
    times = np.random.default_rng(3).integers(0, 4, len(y))
    weighted = InstanceWeightedNB(rule=rule).fit(X, y, sample_weight=times)
    repeated = InstanceWeightedNB(rule=rule).fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    assert_allclose(weighted.predict_log_proba(X), repeated.predict_log_proba(X), rtol=1e-8)
    assert_allclose(weighted.loss_curve_, repeated.loss_curve_)


def test_a_mislabeled_document_gains_most():
    X, y = random_counts()
    y = y.copy()
    y[7] = (y[7] + 1) % 4
    assert np.argmax(InstanceWeightedNB().fit(X, y).instance_weights_) == 7


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"max_iter": -1}, "max_iter must be an integer, 0 or more; got -1"),
        ({"max_iter": 2.5}, "max_iter must be an integer"),
        ({"max_iter": True}, "max_iter must be an integer"),
    ],
)
def test_unusable_parameters(parameters, message):
    with pytest.raises(ValueError, match=message):
        InstanceWeightedNB(**parameters).fit([[1, 0], [0, 1]], [0, 1])


def test_unusable_weights():
    X, y = [[1, 0], [0, 1]], [0, 1]
    with pytest.raises(ValueError, match="Negative values in sample_weight"):
        InstanceWeightedNB().fit(X, y, sample_weight=[1, -1])
    with pytest.raises(ValueError, match=r"non-zero|All values of sample_weight are 0"):
        InstanceWeightedNB().fit(X, y, sample_weight=[0, 0])
