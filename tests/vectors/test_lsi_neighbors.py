"""Latent neighbors: the decomposition, the criterion, the noisy OR."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given
from hypothesis.extra import numpy as st_numpy
from numpy.testing import assert_allclose
from scipy import sparse

from honeybayes import LSIKNeighborsClassifier
from honeybayes.vectors import lsi_neighbors

RNG = np.random.default_rng(0)
X = (RNG.random((20, 30)) < 0.25).astype(float)
X[4] = 0
LABELS = np.array(["a", "b", "c"])[RNG.integers(0, 3, 20)]
NEW = (RNG.random((9, 30)) < 0.25).astype(float)
NEW[3] = 0
ROTATION = np.linalg.qr(RNG.standard_normal((14, 14)))[0]  # singular values stay


def literal_probabilities(X, labels, document, n_neighbors):
    """Section V of honb-tkde, one step after the other, with a full decomposition."""
    _, values, terms = np.linalg.svd(X, full_matrices=False)
    terms = terms[values > 1]
    latent, training = terms @ document, X @ terms.T
    cosines = []
    for row in training:
        length = np.linalg.norm(latent) * np.linalg.norm(row)
        cosines.append(latent @ row / length if length > 1e-12 else 0.0)
    nearest = sorted(range(len(X)), key=lambda i: -cosines[i])[:n_neighbors]
    probability = {}
    for label in np.unique(labels):
        none_is_right = 1.0
        for i in nearest:
            if labels[i] == label:
                none_is_right *= 1 - max(cosines[i], 0)
        probability[label] = 1 - none_is_right
    return probability


@pytest.mark.parametrize("n_neighbors", [1, 6, 25])
def test_noisy_or_over_the_neighbors(n_neighbors):
    model = LSIKNeighborsClassifier(n_neighbors=n_neighbors).fit(sparse.csr_array(X), LABELS)
    odds = np.exp(model.decision_function(NEW))
    for row, document in enumerate(NEW):
        expected = literal_probabilities(X, LABELS, document, n_neighbors)
        assert_allclose(odds[row] / (1 + odds[row]), list(expected.values()), atol=1e-7)
        if document.any():
            assert model.predict(NEW)[row] == max(expected, key=expected.get)


def test_probabilities_are_those_of_exactly_one_class():
    model = LSIKNeighborsClassifier(n_neighbors=6).fit(X, LABELS)
    odds = np.exp(model.decision_function(NEW))
    P = odds / (1 + odds)
    only = np.array(
        [[np.prod(np.where(np.arange(3) == c, row, 1 - row)) for c in range(3)] for row in P]
    )
    assert_allclose(model.predict_proba(NEW), only / only.sum(axis=1, keepdims=True), atol=1e-9)


def test_a_document_without_terms_gets_the_shares_of_the_classes():
    model = LSIKNeighborsClassifier().fit(X, LABELS)
    shares = np.unique(LABELS, return_counts=True)[1] / 20
    assert_allclose(model.predict_proba(NEW)[3], shares, rtol=1e-6)


def test_kaisers_criterion():
    values = np.linalg.svd(X, compute_uv=False)
    model = LSIKNeighborsClassifier().fit(X, LABELS)
    assert_allclose(model.singular_values_, values[values > 1])
    assert model.n_components_ == len(model.components_) == np.count_nonzero(values > 1)
    assert_allclose(model.components_ @ model.components_.T, np.eye(model.n_components_), atol=1e-9)
    single = LSIKNeighborsClassifier().fit([[0.5, 0], [0, 0.4]], [0, 1])
    assert_allclose(single.singular_values_, [0.5])  # none is above one


@pytest.mark.parametrize("seed", range(5))
def test_a_singular_value_of_one_does_not_hang_on_the_order_of_the_documents(seed):
    """Documents with one term, their own, have exactly one; rounding makes it more or less."""
    documents = np.zeros((12, 14))
    documents[np.arange(8), np.arange(8)] = 1
    documents[8:, 8:] = RNG.random((4, 6)) < 0.6
    documents[8:, 8] = 1
    order = np.random.default_rng(seed).permutation(12)
    model = LSIKNeighborsClassifier().fit(documents[order] @ ROTATION, np.arange(12) % 2)
    values = np.linalg.svd(documents, compute_uv=False)
    assert model.n_components_ == np.count_nonzero(values > 1 + 1e-6) > 0


def test_of_equally_near_documents_the_earlier_are_neighbors():
    documents = [[1, 0], [1, 0], [1, 0], [0, 3]]
    model = LSIKNeighborsClassifier(n_neighbors=1).fit(documents, ["b", "a", "a", "c"])
    assert model.predict([[1, 0]]) == "b"


def test_evidence_beyond_the_precision_of_probabilities():
    """25 copies against 24: both noisy ORs are one in floating point, the first still wins."""
    document = np.array([[1.0, 2.0, 3.0]])
    X = np.repeat(document, 49, axis=0)
    model = LSIKNeighborsClassifier(n_neighbors=49).fit(X, [1] * 25 + [0] * 24)
    assert model.predict(document) == 1
    assert model.predict_proba(document)[0, 1] > 0.99


def test_blocks_of_documents(monkeypatch):
    model = LSIKNeighborsClassifier(n_neighbors=6).fit(X, LABELS)
    whole = model.decision_function(NEW)
    monkeypatch.setattr(lsi_neighbors, "DOCUMENTS_IN_A_BLOCK", 2)
    assert_allclose(model.decision_function(NEW), whole, rtol=1e-9)


@given(
    X=st_numpy.arrays(np.int64, (6, 4), elements=st.integers(0, 3)),
    y=st_numpy.arrays(np.int64, 6, elements=st.integers(0, 2)),
)
def test_any_counts_give_probabilities(X, y):
    model = LSIKNeighborsClassifier(n_neighbors=3).fit(X, y)
    probabilities = model.predict_proba(X)
    assert_allclose(probabilities.sum(axis=1), 1)
    np.testing.assert_array_equal(model.classes_[probabilities.argmax(axis=1)], model.predict(X))


def test_parameters_without_sense():
    with pytest.raises(ValueError, match="n_neighbors must be an integer, 1 or more; got 0"):
        LSIKNeighborsClassifier(n_neighbors=0).fit(X, LABELS)
