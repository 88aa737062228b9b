"""Evidence for experts: agreement, expected accuracy, weights, and the confidence they justify."""

from operator import itemgetter

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from scipy.special import softmax
from sklearn.metrics import cohen_kappa_score
from sklearn.preprocessing import normalize

from honeybayes.semisupervised._evidence import (
    Evidence,
    agreement,
    expected_accuracy,
    gather_evidence,
    matching_sharpness,
    pooled,
    weight_of_evidence,
)
from honeybayes.semisupervised._experts import Dense, View, weigh_experts
from honeybayes.semisupervised._labels import LabelVotes
from honeybayes.semisupervised._teacher import Settings, unit
from tests.semisupervised.corpora import topics

ANSWERS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=30)


@given(pairs=ANSWERS)
def test_agreement_is_cohens_kappa(pairs):
    one, two = np.array(pairs).T
    if len({*one, *two}) == 1:
        assert agreement(one, two, 4) == 0  # not defined
    else:
        expected = max(0.0, cohen_kappa_score(one, two))
        assert_allclose(agreement(one, two, 4), expected, atol=1e-12)


def first(scores):
    return scores[0]


def one_expert(answers, truth, pairs=(), share=1.0, n_classes=2):
    """Evidence in which the only expert gives these answers."""
    as_scores = np.eye(n_classes)
    pairs = [tuple(as_scores[np.array(each)][None] for each in pair) for pair in pairs]
    held_out = as_scores[np.array(answers, dtype=int)][None]
    truth = np.array(truth, dtype=int)
    return Evidence(held_out, as_scores[truth], pairs, share, np.arange(len(truth)))


def test_expected_accuracy_by_hand():
    # 3 of 4 held-out labels are right
    alone = one_expert([0, 1, 0, 0], [0, 1, 0, 1], share=0.0)
    assert_allclose(expected_accuracy(alone, first, 0.3), (3 + 2) / (4 + 4))  # 4 labels of doubt
    # kappa 0.75: two models agree on 7 of 8 documents, by chance on half of them
    pair = ([0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 0, 0, 1, 1, 1, 0])
    # two of five models share 60 % of the labels, and errors
    for n_folds, known in ((2, 0.75), (5, 0.5)):
        both = one_expert([0, 1, 0, 0], [0, 1, 0, 1], [pair] * n_folds)
        agreed = known + (1 - known) / 2
        found = expected_accuracy(both, first, 0.3)
        assert_allclose(found, (3 + 2 + 100 * agreed) / (4 + 4 + 100))
        # only half of the labels could be held out, so the agreement counts half
        found = expected_accuracy(both._replace(share=0.5), first, 0.3)
        assert_allclose(found, (3 + 2 + 50 * agreed) / (4 + 4 + 50))


def test_expected_accuracy_at_the_edges():
    assert expected_accuracy(one_expert([], [], share=0.0), first, 0.3) == 0.3
    wrong = one_expert([0, 0], [1, 1], share=0.0)
    assert_allclose(expected_accuracy(wrong, first, 0.3), 0.52)
    right = one_expert([0, 1] * 200, [0, 1] * 200, share=0.0)
    assert_allclose(expected_accuracy(right, first, 0.3), 0.98)
    soft = one_expert([0, 1], [0, 1], share=0.0)._replace(truth=np.array([[0.7, 0.3], [0.1, 0.9]]))
    assert_allclose(expected_accuracy(soft, first, 0.3), (1.6 + 2) / (2 + 4))


def labels_of(position, n_classes):
    position = np.array(position)
    known = position >= 0
    return LabelVotes(np.eye(n_classes)[position] * known[:, None], known.astype(float))


def test_no_expert_sees_the_label_that_it_is_asked_for():
    labels = labels_of([0, 1, 0, 1, 0, 2, -1, -1, 1], 3)
    shown = []

    def experts(some):
        shown.append(some.known)
        known = some.known.astype(float)
        return np.stack([np.column_stack([known] * 3)] * 2)  # the score is whether it is shown

    evidence = gather_evidence(experts, labels, 2)
    assert evidence.held_out.shape == (2, 6, 3)
    assert (evidence.held_out == 0).all()
    assert sorted(evidence.truth.argmax(axis=1)) == [0, 0, 0, 1, 1, 1]  # never class 2
    assert [one.shape for one, _ in evidence.pairs] == [(2, 2, 3)] * 2  # of the pool
    assert_allclose(evidence.share, 6 / 7)
    one, two = shown
    assert_array_equal(one | two, labels.known)
    assert_array_equal(np.flatnonzero(one & two), [5])


def test_without_a_pool_or_labels_to_hold_out():
    def experts(some):
        return np.zeros((2, *some.targets.shape))

    assert not gather_evidence(experts, labels_of([0, 0, 1, 1], 2), 2).pairs
    one_each = gather_evidence(experts, labels_of([0, 1, -1], 2), 5, n_experts=2)
    assert one_each.held_out.shape == (2, 0, 2)
    assert one_each.share == 0 == len(one_each.truth)


def test_weights_fall_with_the_difference_in_standard_errors():
    weights = weight_of_evidence(np.array([0.8, 0.5, 0.8]), 50)
    z = 0.3 / np.sqrt((0.8 * 0.2 + 0.5 * 0.5) / 50)
    assert_allclose(weights, [1, np.exp(-(z**2) / 2), 1])
    assert_array_equal(weight_of_evidence(np.array([0.9, 0.1]), 0), [1, 1])  # nobody knows
    few, many = (weight_of_evidence(np.array([0.7, 0.6]), n)[1] for n in (10, 1000))
    assert few > 0.85
    assert many < 0.01


def test_pooled_probabilities():
    p, q = np.array([[0.9, 0.1], [0.3, 0.7]]), np.array([[0.5, 0.5], [0.2, 0.8]])
    scores = np.log([p, q])

    def mixed(w, sharp):
        product = p ** (w[0] * sharp[0]) * q ** (w[1] * sharp[1])
        return product / product.sum(axis=1, keepdims=True)

    for weights, sharpness in (((1, 0), (1, 1)), ((0.5, 0.5), (1, 1)), ((0.2, 0.8), (1, 1))):
        found = softmax(pooled(scores, 3 * np.array(weights), np.array(sharpness)), axis=1)
        assert_allclose(found, mixed(weights, sharpness))
    sharper = softmax(pooled(scores, np.array([1.0, 1.0]), np.array([2.0, 0.0])), axis=1)
    assert_allclose(sharper, mixed((0.5, 0.5), (2, 0)))


@pytest.mark.parametrize("confidence", [0.34, 0.6, 0.99])
def test_sharpness(confidence):
    scores = np.random.default_rng(0).normal(size=(50, 3))
    factor = matching_sharpness(scores, confidence)
    assert_allclose(softmax(factor * scores, axis=1).max(axis=1).mean(), confidence, atol=1e-5)


def test_confidence_out_of_reach():
    assert 0 < matching_sharpness(np.zeros((4, 2)), 0.9) < np.inf
    assert 0 < matching_sharpness(np.eye(3), 0.1) < 1e-3
    assert matching_sharpness(np.zeros((0, 3)), 0.9) == 1


@pytest.mark.parametrize("is_topical", [True, False])
def test_experts_are_weighed_by_the_evidence(is_topical):
    """By hand: less agreement in the comparison, and fewer errors than without all labels.

    If the topics of the pool are not the classes, the regression on the labels is better.
    """
    X, y, _ = topics(n_documents=200, n_labels=20)
    X = np.minimum(X, np.random.default_rng(0).integers(0, 2, X.shape))
    position = np.array(["abc".find(each) for each in y])
    if not is_topical:
        position[position >= 0] = np.arange((position >= 0).sum()) % 2
        X[position >= 0, 0] = 4 * position[position >= 0]
    view = View(sparse.csr_array(normalize(X + 0.01)), None, Settings())
    labels = labels_of(position, 3)
    opinion = weigh_experts(view, labels)
    evidence = gather_evidence(view.experts, labels, 5, None, 3)
    compared = evidence._replace(share=0.2 * evidence.share)
    accuracy = np.array([expected_accuracy(compared, itemgetter(e), 0.5) for e in range(3)])
    n_labels = len(evidence.rows) + 0.2 * 100 * evidence.share
    best, other = accuracy.max(), accuracy * (1 - accuracy)
    z2 = n_labels * (best - accuracy) ** 2 / (best * (1 - best) + other)
    assert_allclose(opinion.weights, [0.5, 0.5, 1] * np.exp(-z2 / 2))
    assert bool(opinion.say[0] == 0.5) is is_topical
    gap = max(0.0, accuracy[2] - accuracy[0]) ** 2 / (other[0] + other[2])
    assert_allclose(opinion.say, [np.exp(-n_labels * gap) / 2, 1])
    found = expected_accuracy(evidence, opinion.combine, 0.5)
    assert_allclose(opinion.accuracy, found + 0.15 * (0.98 - found))


def test_dense_features_have_less_say_if_words_are_better():
    """By hand: each dense expert counts halfway as the worse one, and the student as the better."""
    X, y, _ = topics(n_documents=200, n_labels=20)
    labels = labels_of(np.array(["abc".find(each) for each in y]), 3)
    noise = unit(np.random.default_rng(0).normal(size=(len(y), 8)))
    view = View(sparse.csr_array(normalize(X + 0.01)), Dense(noise, noise), Settings())
    opinion = weigh_experts(view, labels)
    evidence = gather_evidence(view.experts, labels, 5, None, 5)
    compared = evidence._replace(share=0.2 * evidence.share)
    accuracy = np.array([expected_accuracy(compared, itemgetter(e), 0.5) for e in range(5)])
    accuracy[3:] = (accuracy[3:] + accuracy[3:].min()) / 2
    accuracy = np.clip(accuracy, 1 / 3 + 1e-3, 1 - 1e-3)
    best, other = accuracy.max(), accuracy * (1 - accuracy)
    z2 = compared.n_labels * (best - accuracy) ** 2 / (best * (1 - best) + other)
    assert_allclose(opinion.weights, [0.5, 0.5, 1, 0.5, 0.5] * np.exp(-z2 / 2))
    assert_allclose(opinion.say[2], np.exp(-z2[3:] / 2).max())
    assert opinion.say[2] < 0.1
