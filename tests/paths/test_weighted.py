"""Weighted documents: repeated documents for integer weights, products of weights otherwise."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from honeybayes.paths import count_label_paths, count_paths
from tests.paths.path_oracle import all_paths, entries_from, linked_matrices, pure_paths

SETTINGS = [(1, False), (2, False), (2, True)]
every_kind = pytest.mark.parametrize(("order", "pure"), SETTINGS)


@st.composite
def weighted_documents(draw, values):
    X = draw(linked_matrices(2, max_documents=5, max_terms=5))
    weights = draw(entries_from(range(len(values)), (len(X),)))
    return X, np.array(values)[weights]


def enumerate_weighted(X, weights, order, pure):
    """Add up the products of the weights of the documents; two copies count w^2 - w, or 0."""
    X, weights = X[weights > 0], weights[weights > 0]
    copies = np.flatnonzero(weights > 1)
    doubled = np.vstack([X, X[copies]])
    row = np.concatenate([np.arange(len(X)), copies])
    per_term, total = np.zeros(X.shape[1]), 0.0
    for words, documents in pure_paths(doubled, X) if pure else all_paths(doubled, order):
        if max(documents, default=0) >= len(X) and len({*row[list(documents)]}) == order:
            continue  # a copy beside another document: the document itself is enumerated too
        first, last = row[documents[0]], row[documents[-1]]
        product = np.prod(weights[row[list(documents)]])
        if order == 2 and first == last:
            product = weights[first] * (weights[first] - 1) / 2  # seen in both orders
        per_term[list(words)] += product
        total += product
    return per_term, total


@every_kind
@given(weighted_documents([0, 1, 1, 2, 3]))
def test_integer_weights_repeat_documents(order, pure, data):
    X, times = data
    if not times.any():
        return
    found = count_paths(X, order, pure, sample_weight=times)
    expected = count_paths(np.repeat(X, times, axis=0), order, pure)
    assert found.per_term.dtype == expected.per_term.dtype == np.int64
    assert_array_equal(found.per_term, expected.per_term)
    assert found.total == expected.total


@every_kind
@given(weighted_documents([0.0, 0.3, 0.7, 1.0, 1.9, 2.6]))
def test_any_weights_against_enumeration(order, pure, data):
    X, weights = data
    if not weights.any():
        return
    per_term, total = enumerate_weighted(X, weights, order, pure)
    found = count_paths(X, order, pure, sample_weight=weights)
    assert_allclose(found.per_term, per_term, rtol=1e-10, atol=1e-12)
    assert_allclose(found.total, total, rtol=1e-10, atol=1e-12)
    assert_array_equal(found.per_term == 0, per_term == 0)  # no rounding errors in place of zeros


@given(weighted_documents([0, 1, 2, 3]), st.data())
def test_label_paths_repeat_documents(documents, data):
    X, times = documents
    y = data.draw(entries_from([-1, 0, 1], (len(X),)))
    repeated = np.repeat(y, times)
    if not {0, 1} <= {*repeated}:
        return
    found = count_label_paths(X, y, -1, sample_weight=times)
    assert found.dtype == np.int64
    assert_array_equal(found, count_label_paths(np.repeat(X, times, axis=0), repeated, -1))


@given(weighted_documents([0.0, 0.3, 0.7, 1.0, 1.9, 2.6]), st.data())
def test_label_paths_against_loops(documents, data):
    X, weights = documents
    y = data.draw(entries_from([-1, 0, 1], (len(X),)))
    if not weights.any() or not {0, 1} <= {*y}:
        return
    expected = np.zeros((2, X.shape[1]))
    for first, last in np.ndindex(len(X), len(X)):
        w, v = weights[first], weights[last]
        product = w * v if first != last else max(w * w - w, 0)
        for start, bridge in np.ndindex(X.shape[1], X.shape[1]):
            if (
                y[last] >= 0
                and start != bridge
                and X[first, start] * X[first, bridge] * X[last, bridge]
            ):
                expected[y[last], start] += product
    found = count_label_paths(X, y, -1, sample_weight=weights)
    assert_allclose(found, expected, rtol=1e-10, atol=1e-12)
    assert_array_equal(found == 0, expected == 0)


def test_weights_of_one_change_nothing():
    X = (np.random.default_rng(0).random((30, 40)) < 0.2).astype(int)
    for order, pure in SETTINGS:
        found, expected = (
            count_paths(X, order, pure, sample_weight=[1.0] * 30),
            count_paths(X, order, pure),
        )
        assert_array_equal(found.per_term, expected.per_term)
        assert found.total == expected.total


def test_large_and_wrong_weights():
    X = np.ones((3, 4), int)
    huge = count_paths(X, sample_weight=[1e30, 1e30, 1e30])
    assert_allclose(huge.total, 108e60)  # 9 e60 pairs of copies, 12 paths each
    with pytest.raises(ValueError, match="too large for float64"):
        count_paths(X, sample_weight=[1e200] * 3)
    with pytest.raises(ValueError, match="too large for float64"):
        count_label_paths(X, [0, 1, 1], sample_weight=[1e200] * 3)
    with pytest.raises(ValueError, match="orders 1 and 2; got order=3"):
        count_paths(X, 3, sample_weight=[1, 1, 1])
    with pytest.raises(ValueError, match="Negative values in sample_weight"):
        count_paths(X, sample_weight=[1, -1, 1])
