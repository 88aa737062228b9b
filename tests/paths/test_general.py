"""Compare Möbius inversion, for orders 1 to 4, with plain enumeration and closed forms."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import linalg, sparse

from honeybayes.paths import _general, count_paths
from honeybayes.paths._general import count_general, rooted_quotients
from honeybayes.utils.matrices import presence_matrix


def enumerate_paths(X, order):
    """Follow every path word by word; count only the direction that ends at the higher word."""
    X = np.asarray(X).tolist()
    n_terms = len(X[0])
    per_term = [0] * n_terms
    total = 0

    def extend(words, documents):
        nonlocal total
        if len(documents) == order:
            if words[0] < words[-1]:
                total += 1
                for word in words:
                    per_term[word] += 1
            return
        for document, row in enumerate(X):
            if row[words[-1]] and document not in documents:
                for word in range(n_terms):
                    if row[word] and word not in words:
                        extend([*words, word], [*documents, document])

    for word in range(n_terms):
        extend([word], [])
    return per_term, total


def count(X, order):
    return count_general(presence_matrix(X), order)


def assert_exact(X, order):
    per_term, total = count(X, order)
    assert per_term.dtype == np.int64
    assert type(total) is int
    assert (per_term.tolist(), total) == enumerate_paths(X, order)


def complete_counts(n_documents, n_terms, order):
    """Count the paths when every document contains every term."""
    total = math.perm(n_terms, order + 1) * math.perm(n_documents, order) // 2
    return total * (order + 1) // n_terms, total


def two_complete_blocks(shape, other_shape, order):
    """Return the matrix of two unconnected complete blocks, and its counts."""
    X = linalg.block_diag(np.ones(shape, dtype=int), np.ones(other_shape, dtype=int))
    one, total = complete_counts(*shape, order)
    other, other_total = complete_counts(*other_shape, order)
    return presence_matrix(X), [one] * shape[1] + [other] * other_shape[1], total + other_total


@pytest.mark.parametrize(("order", "n_quotients"), [(1, 2), (2, 9), (3, 38), (4, 192)])
def test_quotients_merge(order, n_quotients):
    assert len(rooted_quotients(order)) == n_quotients


def test_first_order_quotients():
    """Pairs of words of a document: all walks w-d-w' minus those that return to w."""
    path, edge = ((0, 1), (0, 2)), ((0, 1),)
    coefficients = {graph.edges: value for graph, value in rooted_quotients(1).items()}
    assert coefficients == {path: 2, edge: -2}


@settings(max_examples=60)
@given(data=st.data())
@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_any_matrix(order, data):
    shape = data.draw(st.tuples(st.integers(order, 6), st.integers(order + 1, 6)))
    assert_exact(data.draw(arrays(bool, shape)), order)


@pytest.mark.parametrize("order", [1, 2, 3, 4])
@pytest.mark.parametrize("seed", range(30))
def test_random_matrix(order, seed):
    rng = np.random.default_rng(seed)
    shape = order + rng.integers(0, 3), order + 1 + rng.integers(0, 3)
    assert_exact(rng.random(shape) < rng.uniform(0.3, 0.8), order)


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_complete_matrix(order):
    per_term, total = count(np.ones((7, 8)), order)
    each, expected_total = complete_counts(7, 8, order)
    assert per_term.tolist() == [each] * 8
    assert total == expected_total


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_every_path_has_order_plus_one_terms(order):
    X = np.random.default_rng(order).random((20, 30)) < 0.3
    per_term, total = count(X, order)
    assert total > 0
    assert sum(per_term.tolist()) == (order + 1) * total


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (3, 0), (1, 6), (6, 1), (4, 5)])
@pytest.mark.parametrize("order", [2, 4])
def test_no_path(shape, order):
    """Too few documents or terms, or no term at all."""
    X = np.zeros(shape, dtype=bool) if shape == (4, 5) else np.ones(shape, dtype=bool)
    per_term, total = count(X, order)
    assert per_term.tolist() == [0] * shape[1]
    assert total == 0


def test_single_terms_empty_rows_and_columns_change_nothing():
    core = np.random.default_rng(3).random((5, 6)) < 0.7
    X = np.zeros((9, 10), dtype=bool)
    X[np.ix_([1, 2, 4, 7, 8], [0, 2, 3, 5, 6, 9])] = core
    X[3, 1] = X[5, 2] = True
    per_term, total = count(X, 4)
    core_per_term, core_total = enumerate_paths(core, 4)
    assert per_term[[0, 2, 3, 5, 6, 9]].tolist() == core_per_term
    assert per_term[[1, 4, 7, 8]].tolist() == [0] * 4
    assert total == core_total > 0


def test_duplicate_documents_make_paths():
    assert_exact([[1, 1, 1, 1, 1]] * 4, 4)
    assert_exact([[1, 1, 1, 0, 0]] * 2 + [[0, 0, 1, 1, 1]] * 3, 4)


def test_counts_beyond_float_precision_are_exact():
    X, per_term, total = two_complete_blocks((95, 100), (30, 40), 4)
    assert max(per_term) > 2**53
    found, found_total = count_general(X, 4)
    assert found.dtype == np.int64
    assert found.tolist() == per_term
    assert type(found_total) is int
    assert found_total == total


def test_counts_beyond_int64_are_floats():
    X, per_term, total = two_complete_blocks((250, 260), (50, 60), 4)
    assert max(per_term) > 2**63
    found, found_total = count_general(X, 4)
    assert found.dtype == np.float64
    assert type(found_total) is float
    np.testing.assert_allclose(found, np.array(per_term, dtype=float), rtol=1e-10)
    assert found_total == pytest.approx(float(total), rel=1e-10)


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_tiers_agree(monkeypatch, order):
    X = np.random.default_rng(order).random((6, 7)) < 0.55
    per_term, total = enumerate_paths(X, order)

    monkeypatch.setattr(_general, "MAX_EXACT_FLOAT", 0)
    assert_exact(X, order)

    monkeypatch.setattr(_general, "MAX_EXACT_INT", 0)
    found, found_total = count(X, order)
    assert found.dtype == np.float64
    assert type(found_total) is float
    assert (found.tolist(), found_total) == (per_term, total)


def test_order_out_of_reach():
    with pytest.raises(ValueError, match=r"orders 1 to 4 .* got order=5\. .*iter_paths"):
        count_paths(np.ones((7, 8)), 5)


def test_integers_that_take_too_long_are_rounded(monkeypatch):
    monkeypatch.setattr(_general, "MAX_MULTIPLICATIONS_OF_INTEGERS", 0)
    X, per_term, total = two_complete_blocks((95, 100), (30, 40), 4)
    found, found_total = count_general(X, 4)
    assert found.dtype == np.float64
    np.testing.assert_allclose(found, np.array(per_term, dtype=float), rtol=1e-10)
    assert found_total == pytest.approx(float(total), rel=1e-10)


def test_too_many_multiplications(monkeypatch):
    monkeypatch.setattr(_general, "MAX_STORED_ELEMENTS", math.inf)
    long_documents = sparse.random(3000, 2000, density=0.2, random_state=0)
    with pytest.raises(ValueError, match=r"3,000 documents with 2,000 terms.*multiplications"):
        count_general(presence_matrix(long_documents), 4)


def test_too_much_memory(monkeypatch):
    monkeypatch.setattr(_general, "MAX_MULTIPLICATIONS", math.inf)
    one_term = sparse.eye(12000, format="csr")
    two_terms = one_term + one_term[np.arange(12000) - 1]
    with pytest.raises(ValueError, match=r"12,000 documents with 12,000 terms.*numbers in memory"):
        count_general(presence_matrix(two_terms), 4)
