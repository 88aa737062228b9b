"""Links that count with their value: the products over the links of each path, in plain loops."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from honeybayes.paths import count_label_paths, count_paths
from tests.paths.path_oracle import all_paths, entries_from

orders = pytest.mark.parametrize("order", [1, 2])
WEIGHTS = [0.0, 0.3, 0.7, 1.0, 1.9, 2.6]


@st.composite
def documents_of(draw, values, most_documents=5):
    shape = draw(st.tuples(st.integers(1, most_documents), st.integers(1, 5)))
    return np.array(values)[draw(entries_from(range(len(values)), shape))]


def enumerate_products(X, order, weights=None):
    """Add up, for all paths, the values of the links and the weights of the documents.

    A document of weight w above 1 has w^2 - w pairs of copies of itself.
    """
    w = np.ones(len(X)) if weights is None else weights
    per_term, total = np.zeros(X.shape[1]), 0
    copies = np.vstack([X, X])  # a document and its copy
    for words, documents in all_paths(copies, order):
        rows = [d % len(X) for d in documents]
        if any(d >= len(X) for d in documents) and not (
            len({*rows}) < len(rows) and documents[0] < len(X)
        ):
            continue
        if len({*rows}) < len(rows):
            product = max(w[rows[0]] ** 2 - w[rows[0]], 0)
        else:
            product = np.prod(w[rows])
        for d, left, right in zip(rows, words[:-1], words[1:], strict=True):
            product = product * X[d, left] * X[d, right]
        per_term[list(words)] += product
        total += product
    return per_term, total


def enumerate_either(X):
    """Add up, for all paths of order 2, the links; the bridge counts with the mean of its two."""
    per_term, total = np.zeros(X.shape[1]), 0.0
    for (first, bridge, last), (d, e) in all_paths(X, 2):
        product = X[d, first] * (X[d, bridge] + X[e, bridge]) / 2 * X[e, last]
        per_term[[first, bridge, last]] += product
        total += product
    return per_term, total


@given(documents_of([0, 0, 1, 2, 3, 5]))
def test_the_bridge_may_count_with_either_frequency(X):
    per_term, total = enumerate_either(X)
    found = count_paths(X, frequencies="either")
    assert_array_equal(found.per_term, per_term)
    assert found.total == total


@given(documents_of([0.0, 0.0, 0.25, 1.0, 1.7, 9.3]))
def test_either_frequency_of_any_values(X):
    per_term, total = enumerate_either(X)
    found = count_paths(X, frequencies="either")
    assert_allclose(found.per_term, per_term, rtol=1e-9)
    assert_array_equal(found.per_term > 0, per_term > 0)
    assert found.total == pytest.approx(total)


def test_either_frequency_takes_no_weights_and_is_the_product_in_pairs():
    X = [[2, 1, 0], [0, 1, 3]]
    with pytest.raises(ValueError, match='"either" takes no sample_weight'):
        count_paths(X, frequencies="either", sample_weight=[1, 2])
    both = (count_paths(X, 1, frequencies=kind).per_term for kind in ("either", True))
    assert_array_equal(*both)


def enumerate_to_labels(X, y, weights=None):
    w = np.ones(len(X)) if weights is None else weights
    counts = np.zeros((2, X.shape[1]))
    for first, last in np.ndindex(len(X), len(X)):
        product = w[first] * w[last] if first != last else max(w[first] ** 2 - w[first], 0)
        for start, bridge in permutations(range(X.shape[1]), 2):
            if y[last] >= 0:
                links = X[first, start] * X[first, bridge] * X[last, bridge]
                counts[y[last], start] += product * links
    return counts


@orders
@given(documents_of([0, 0, 1, 2, 3, 5]))
def test_counts_are_exact(order, X):
    per_term, total = enumerate_products(X, order)
    found = count_paths(X, order, frequencies=True)
    assert found.per_term.dtype == np.int64
    assert_array_equal(found.per_term, per_term)
    assert found.total == total


@orders
@given(documents_of([0.0, 0.0, 0.25, 1.0, 1.7, 9.3]), st.data())
def test_any_values_and_weights(order, X, data):
    weights = np.array(WEIGHTS)[data.draw(entries_from(range(6), (len(X),)))]
    if not weights.any():
        return
    per_term, total = enumerate_products(X, order, weights)
    found = count_paths(X, order, frequencies=True, sample_weight=weights)
    assert_allclose(found.per_term, per_term, rtol=1e-9)
    assert_allclose(found.total, total, rtol=1e-9)
    assert_array_equal(found.per_term == 0, per_term == 0)  # no rounding errors in place of zeros


@orders
@given(documents_of([0, 0, 0, 1, 2], most_documents=40), st.data())
def test_weights_repeat_documents(order, X, data):
    """Larger data, so that there are frequent terms."""
    times = data.draw(entries_from([0, 1, 2, 3], (len(X),)))
    if not times.any():
        return
    found = count_paths(X, order, frequencies=True, sample_weight=times)
    expected = count_paths(np.repeat(X, times, axis=0), order, frequencies=True)
    assert_array_equal(found.per_term, expected.per_term)
    assert found.total == expected.total


@pytest.mark.parametrize("shape", [(12, 5), (40, 90), (90, 40), (3, 200)])
def test_ones_give_the_binary_counts(shape):
    X = (np.random.default_rng(0).random(shape) < 0.15).astype(int)
    for weights in (None, np.arange(len(X)) % 4):
        for order in (1, 2):
            found = count_paths(X, order, frequencies=True, sample_weight=weights)
            expected = count_paths(X, order, sample_weight=weights)
            assert_array_equal(found.per_term, expected.per_term)
            assert found.total == expected.total


@pytest.mark.parametrize("shape", [(40, 90), (90, 40), (200, 30)])
def test_dense_formula_on_larger_data(shape):
    """The walks of a dense co-occurrence matrix, minus those that repeat something."""
    X = np.random.default_rng(1).poisson(0.3, shape)
    A = X.T @ X
    np.fill_diagonal(A, 0)
    per_pair = A @ A
    for d in range(len(X)):
        one = np.outer(X[d], X[d])
        np.fill_diagonal(one, 0)
        per_pair -= one @ one
    np.fill_diagonal(per_pair, 0)
    assert count_paths(X, frequencies=True).total == per_pair.sum() // 2


@given(documents_of([0, 0, 1, 2, 3]), st.data())
def test_label_paths(X, data):
    y = data.draw(entries_from([-1, 0, 1], (len(X),)))
    weights = np.array(WEIGHTS)[data.draw(entries_from(range(6), (len(X),)))]
    if not {0, 1} <= {*y} or not weights.any():
        return
    found = count_label_paths(X, y, -1, frequencies=True)
    assert found.dtype == np.int64
    assert_array_equal(found, enumerate_to_labels(X, y))
    expected = enumerate_to_labels(X / 3, y, weights)
    found = count_label_paths(X / 3, y, -1, frequencies=True, sample_weight=weights)
    assert_allclose(found, expected, rtol=1e-9)
    assert_array_equal(found == 0, expected == 0)


def test_formats_and_large_values():
    rows, columns, values = [0, 0, 0, 1, 1], [1, 0, 0, 2, 1], [1, 1, 1, 3, 1]
    X = sparse.coo_array((values, (rows, columns)), shape=(2, 3))
    assert count_paths(X, frequencies=True).total == 6  # duplicates are summed
    huge = count_paths([[2**40, 1, 0], [0, 1, 2**40]], frequencies=True)
    assert huge.total == 2.0**80
    with pytest.raises(ValueError, match="X is too large for float64"):
        count_paths([[1e200, 1, 0], [0, 1e200, 1e200]], frequencies=True)
    with pytest.raises(ValueError, match="orders 1 and 2; got order=3"):
        count_paths(X, 3, frequencies=True)
    with pytest.raises(ValueError, match=r"pure paths .* have no frequencies"):
        count_paths(X, pure=True, frequencies=True)
    with pytest.raises(ValueError, match="Negative values in X"):
        count_label_paths([[1, -1]], [0], frequencies=True)
