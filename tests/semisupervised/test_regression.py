"""The logistic regression of the students, against that of scikit-learn."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from honeybayes.semisupervised._regression import (
    Beside,
    Documents,
    Linear,
    balanced,
    regress,
    regress_on_labels,
)


def problem(n_classes, seed=0, n_documents=80, n_features=12):
    random = np.random.default_rng(seed)
    x = random.uniform(size=(n_documents, n_features)) * random.integers(
        0, 2, (n_documents, n_features)
    )
    true = random.normal(size=(n_features, n_classes))
    labels = (x @ true + random.gumbel(size=(n_documents, n_classes))).argmax(axis=1)
    labels[:n_classes] = np.arange(n_classes)
    return x, labels, random.uniform(0.1, 3, n_documents)


def by_scikit_learn(x, labels, weight, C):
    return LogisticRegression(C=C, tol=1e-10, max_iter=100_000).fit(x, labels, weight)


def close(found: Linear, expected, x, atol=2e-4):
    """Compare probabilities, and coefficients as far as they are defined: up to a constant."""
    scores = found.scores(x)
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    proba = powers / powers.sum(axis=1, keepdims=True)
    assert_allclose(proba, expected.predict_proba(x), atol=atol)
    coef = found.coef.T - found.coef.T.mean(axis=0)
    if len(coef) == 2:
        assert_allclose(coef[1] - coef[0], expected.coef_[0], atol=20 * atol)
    else:
        assert_allclose(coef, expected.coef_ - expected.coef_.mean(axis=0), atol=20 * atol)


def beside(x):
    return Beside(sparse.csr_array(x[:, :7]), x[:, 7:])


@pytest.mark.parametrize("as_matrix", [np.asarray, sparse.csr_array, beside])
@pytest.mark.parametrize("C", [0.01, 1.0, 10.0])
@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_minimum_is_that_of_scikit_learn(n_classes, C, as_matrix):
    x, labels, weight = problem(n_classes)
    found = regress(Documents(as_matrix(x)), np.eye(n_classes)[labels], weight, C, None, 1e-6)
    close(found, by_scikit_learn(x, labels, weight, C), x)


@pytest.mark.parametrize("n_classes", [2, 4])
def test_a_soft_target_is_a_repeated_document_with_weights(n_classes):
    x, _, weight = problem(n_classes)
    targets = np.random.default_rng(1).dirichlet(np.ones(n_classes), len(x))
    repeated = np.repeat(x, n_classes, axis=0)
    labels = np.tile(np.arange(n_classes), len(x))
    expected = by_scikit_learn(repeated, labels, (targets * weight[:, None]).ravel(), 10.0)
    close(regress(Documents(x), targets, weight, 10.0, None, 1e-6), expected, x)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_warm_start_ends_at_the_same_minimum(n_classes):
    x, labels, weight = problem(n_classes)
    targets, documents = np.eye(n_classes)[labels], Documents(sparse.csr_array(x))
    random = np.random.default_rng(2)
    start = Linear(random.normal(size=(x.shape[1], n_classes)), random.normal(size=n_classes))
    before = start.coef.copy(), start.intercept.copy()
    warm = regress(documents, targets, weight, 10.0, start, 1e-7)
    cold = regress(documents, targets, weight, 10.0, None, 1e-7)
    assert_allclose(warm.coef, cold.coef, atol=1e-4)
    assert_allclose(warm.intercept, cold.intercept, atol=1e-4)
    assert_allclose(start.coef, before[0], rtol=0)  # the start itself is not changed
    again = regress(documents, targets, weight, 10.0, cold, 1e-6)
    assert_allclose(again.coef, cold.coef, rtol=0, atol=0)  # there is no step to take


@pytest.mark.parametrize("scale", [1e-6, 1e4])
def test_any_scale_of_weights(scale):
    x, labels, weight = problem(3)
    found = regress(Documents(x), np.eye(3)[labels], scale * weight, 1 / scale, None, 1e-6)
    close(found, by_scikit_learn(x, labels, weight, 1.0), x, atol=1e-3)


def test_features_of_no_document_have_no_weight():
    x, labels, weight = problem(3)
    x[:, [2, 7]] = 0
    targets = np.eye(3)[labels]
    found = regress_on_labels(sparse.csr_array(x), targets, weight, 10.0)
    assert (found.coef[[2, 7]] == 0).all()
    expected = regress_on_labels(x, targets, weight, 10.0)
    assert_allclose(found.scores(x), expected.scores(x), atol=1e-3)


def test_balanced_weights():
    weight, targets = np.array([1.0, 0.5, 0.5, 2.0]), np.eye(2)[[0, 0, 1, 1]]
    assert_allclose(balanced(weight, targets), [4 / 3, 2 / 3, 0.4, 1.6])
    three = np.column_stack([targets, np.zeros(4)])  # a class that does not occur
    assert_allclose(balanced(weight, three), [4 / 3, 2 / 3, 0.4, 1.6])
