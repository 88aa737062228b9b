"""Compare count_paths with the definition, and with the algorithms of the papers."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy import sparse

from honeybayes.paths import PathCounts, _kernels, count_paths, iter_paths
from honeybayes.paths import _counting as counting
from honeybayes.paths import _incidence as incidence
from honeybayes.paths._incidence import Incidence
from honeybayes.utils.matrices import presence_matrix
from tests.paths.path_oracle import (
    all_paths,
    boolean_matrices,
    entries_from,
    linked_matrices,
    pure_paths,
    tally,
)

many = settings(max_examples=60)


def assert_counts(counts, expected):
    per_term, total = expected
    assert counts.per_term.dtype == np.int64
    assert isinstance(counts.total, int)
    assert_array_equal(counts.per_term, per_term)
    assert counts.total == total


def largest_terms(order):
    return {1: 6, 2: 6, 3: 5}[order]  # enumeration grows fast


@pytest.mark.parametrize("order", [1, 2, 3])
def test_counts_equal_enumeration(order):
    with_paths = []

    @many
    @given(linked_matrices(order, max_terms=largest_terms(order)))
    def check(X):
        counts = count_paths(X, order)
        assert_counts(counts, tally(all_paths(X, order), X.shape[1]))
        with_paths.append(counts.total > 0)

    check()
    assert sum(with_paths) > 30  # otherwise the test checks little


@pytest.mark.parametrize("which", ["itself", "another"])
def test_pure_paths_equal_enumeration(which):
    impure, pure = [], []

    @settings(max_examples=200)  # few of them have pure paths
    @given(thin_matrices(), st.data())
    def check(X, data):
        M = X
        if which == "another":
            shape = (data.draw(st.integers(0, 6)), X.shape[1])
            M = data.draw(entries_from([0, 1], shape))
        counts = count_paths(X, pure=True if which == "itself" else M)
        assert_counts(counts, tally(pure_paths(X, M), X.shape[1]))
        pure.append(counts.total > 0)
        impure.append(counts.total < count_paths(X).total)

    check()
    assert min(sum(pure), sum(impure)) > 30  # otherwise the test checks little


def thin_matrices():
    """Draw documents with few words, so that the ends of paths often share no document."""
    shapes = st.tuples(st.integers(2, 6), st.integers(3, 7))
    thin = shapes.flatmap(lambda shape: entries_from([0, 0, 1], shape))
    return st.one_of(thin, thin, boolean_matrices())


@pytest.mark.parametrize("order", [1, 2, 3])
def test_each_path_holds_order_plus_one_terms(order):
    @many
    @given(linked_matrices(order, 8, 9))
    def check(X):
        counts = count_paths(X, order)
        assert counts.per_term.sum() == (order + 1) * counts.total

    check()


@pytest.mark.parametrize("order", [1, 2, 3])
def test_order_of_rows_and_columns_does_not_matter(order):
    @many
    @given(linked_matrices(order, 7, 8), st.randoms(use_true_random=False))
    def check(X, random):
        rows, columns = list(range(X.shape[0])), list(range(X.shape[1]))
        random.shuffle(rows)
        random.shuffle(columns)
        counts, shuffled = count_paths(X, order), count_paths(X[rows][:, columns], order)
        assert shuffled.total == counts.total
        assert_array_equal(shuffled.per_term, counts.per_term[columns])

    check()


def sample(n_documents, n_terms, density, seed=0):
    """Skewed document lengths and document frequencies, as in text."""
    rng = np.random.default_rng(seed)
    chance = rng.pareto(1.5, (n_documents, 1)) * rng.pareto(1.2, (1, n_terms))
    return (rng.random((n_documents, n_terms)) < density * chance).astype(np.int64)


def algorithm_1(X):
    """honb-2009 Algorithm 1, step by step."""
    m, n = X.shape
    p, t = np.zeros(n, np.int64), 0
    for i in range(n):
        for k in set(range(n)) - {i}:
            for j in set(range(n)) - {i, k}:
                for L in range(m - 1):
                    for M in range(L + 1, m):
                        a = X[L, i] * X[L, k] * X[M, k] * X[M, j]
                        p[i] += a
                        p[k] += a
                        p[j] += a
                        t += a
    return p, t


def algorithm_2(X):
    """honb-2009 Algorithm 2, step by step."""
    _, n = X.shape
    p, t = np.zeros(n, np.int64), 0  # steps 1-2
    lengths = X.sum(axis=1)  # step 3
    r = (lengths - 1) * (lengths - 2) // 2  # step 4
    A = X.T @ X  # step 5
    np.fill_diagonal(A, 0)  # step 6
    c = A.sum(axis=0) ** 2  # step 7
    A2 = A @ A  # step 8
    for i in range(n):  # step 9
        for j in range(i + 1, n):  # steps 10-11
            s = (X[:, i] * X[:, j] * (lengths - 2)).sum()  # step 12
            p[i] += A2[i, j] - s  # step 13
            p[j] += A2[i, j] - s  # step 14
            t += A2[i, j] - s  # step 15
        b = np.cumsum(A[:, i])
        p[i] += c[i] - A[:, i] @ b - r @ X[:, i]  # step 16
    return p, t


@pytest.mark.parametrize("seed", range(5))
def test_agrees_with_algorithm_1_of_honb_2009(seed):
    X = sample(7, 8, 0.25, seed)
    assert_counts(count_paths(X), algorithm_1(X))


@pytest.mark.parametrize("seed", range(5))
def test_agrees_with_algorithm_2_of_honb_2009(seed):
    X = sample(60, 80, 0.05, seed)
    assert_counts(count_paths(X), algorithm_2(X))


@pytest.mark.parametrize("order", [1, 2, 3])
def test_counts_of_larger_data_equal_listing(order):
    X = sample(16, 30, 0.05)
    assert_counts(count_paths(X, order), tally(iter_paths(X, order), 30))


def test_order_out_of_reach():
    with pytest.raises(ValueError, match=r"orders 1 to 3 .* got order=4\. .*iter_paths"):
        count_paths(np.ones((7, 8)), 4)


@pytest.mark.parametrize("order", [2, 3])
def test_duplicate_documents_count_as_documents(order):
    once = np.ones((1, 5), np.int64)
    assert count_paths(once, order).total == 0
    twice = np.ones((order, 5), np.int64)
    assert_counts(count_paths(twice, order), tally(all_paths(twice, order), 5))
    assert count_paths(twice, order).total > 0


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("shape", [(0, 0), (0, 4), (4, 0), (3, 3)])
def test_nothing_to_count(shape, order):
    assert_counts(count_paths(np.zeros(shape), order), (np.zeros(shape[1]), 0))


@pytest.mark.parametrize("order", [1, 2, 3])
def test_complete_documents_in_closed_form(order):
    """m documents with all n terms: half the number of ordered choices of terms and documents."""
    m, n = 30, 40
    total = 1
    for step in range(order + 1):
        total *= n - step
    for step in range(order):
        total *= m - step
    counts = count_paths(np.ones((m, n)), order)
    assert counts.total == total // 2
    assert_array_equal(counts.per_term, total // 2 * (order + 1) // n)


@pytest.mark.parametrize("order", [2, 3])
def test_float64_where_the_counts_do_not_fit(order, monkeypatch):
    """Counts above the limit are float64, and right to 12 digits."""
    X = sample(30, 40, 0.1)
    exact = count_paths(X, order)
    monkeypatch.setattr(counting, "EXACT_LIMIT", 1)
    rounded = count_paths(X, order)
    assert rounded.per_term.dtype == np.float64
    assert isinstance(rounded.total, float)
    assert rounded.total == pytest.approx(exact.total, rel=1e-12)
    np.testing.assert_allclose(rounded.per_term, exact.per_term, rtol=1e-12, atol=1e-6)


def test_complete_documents_beyond_int64():
    """900 documents with the same 1000 terms: 4e20 paths of order 3."""
    m, n = 900, 1000
    total = n * (n - 1) * (n - 2) * (n - 3) * m * (m - 1) * (m - 2) // 2
    counts = count_paths(np.ones((m, n), np.int8), 3)
    assert counts.per_term.dtype == np.float64
    assert counts.total == pytest.approx(total, rel=1e-12)


def test_exact_where_the_bound_is_too_high(monkeypatch):
    """If the bound is too high to decide, a rounded count decides."""
    X = sample(30, 40, 0.1)
    exact = count_paths(X, 3)
    monkeypatch.setattr(Incidence, "bound", lambda self, order: 2**65)
    assert_counts(count_paths(X, 3), exact)
    assert_counts(count_paths(X, 2), algorithm_2(X))


def test_bound():
    """The bound counts walks, which may repeat terms and documents."""
    for seed in range(5):
        X = sample(12, 15, 0.2, seed)
        for order in (1, 2, 3):
            bound = Incidence(sparse.csr_array(X)).bound(order)
            assert count_paths(X, order).total <= bound


def test_third_order_in_small_blocks(monkeypatch):
    X = sample(40, 60, 0.06)
    whole = count_paths(X, 3)
    monkeypatch.setattr(incidence, "BLOCK_ELEMENTS", 41)
    assert_counts(count_paths(X, 3), whole)


@pytest.mark.parametrize("weights", [None, np.arange(40) % 3, np.arange(40) % 5 / 2])
def test_pure_paths_in_blocks_of_documents_and_of_terms(monkeypatch, weights):
    """150 terms are three blocks of terms; the definition is a sum over the pairs of end terms."""
    X, M = sample(40, 150, 0.05), sample(30, 150, 0.02, seed=1)
    expected = pure_by_definition(X, M, np.ones(40) if weights is None else weights)
    for elements in (2**22, 280, 1):  # all documents, seven, and one at a time
        monkeypatch.setattr(incidence, "BLOCK_ELEMENTS", elements)
        counts = count_paths(X, pure=M, sample_weight=weights)
        np.testing.assert_allclose(counts.per_term, expected, rtol=1e-9, atol=1e-9)


def pure_by_definition(X, M, weights):
    """Count walks i-L-k-N-j by dense matrices: L and N differ, or are copies of one document."""
    X = np.asarray(X, float)
    apart = (np.asarray(M).T @ np.asarray(M)) == 0
    np.fill_diagonal(apart, False)
    copies = np.maximum(weights**2 - weights, 0)
    per_term = np.zeros(X.shape[1])
    for k in range(X.shape[1]):
        with_k = X * X[:, [k]]
        with_k[:, k] = 0
        met = with_k.T @ weights
        pairs = np.outer(met, met) - (with_k.T * (weights**2 - copies)) @ with_k
        pairs *= apart
        per_term += pairs.sum(axis=1)
        per_term[k] += pairs.sum() / 2
    return per_term


def test_frequent_and_rare_terms_count_alike(monkeypatch):
    """Frequent terms are counted as dense columns; the share that makes a term frequent is free."""
    X = sample(60, 80, 0.1) | (np.arange(80) < 10) & sample(60, 80, 0.6, seed=1)
    counts, third = count_paths(X), count_paths(X, 3)
    for share in (1, 2, 8, 1e9):
        monkeypatch.setattr(incidence, "FREQUENT", share)
        assert_counts(count_paths(X), counts)
        assert_counts(count_paths(X, 3), third)


X_PLAIN = sample(12, 15, 0.2)


@pytest.mark.parametrize(
    "convert",
    [
        sparse.csr_matrix,
        sparse.csr_array,
        sparse.csc_matrix,
        sparse.coo_array,
        sparse.lil_array,
        sparse.dok_array,
        pd.DataFrame,
        lambda X: pd.DataFrame.sparse.from_spmatrix(sparse.csr_matrix(X)),
        lambda X: X.tolist(),
        lambda X: X.astype(bool),
        lambda X: X.astype(np.int8) * 127,
        lambda X: X.astype(np.uint8) * 255,
        lambda X: X.astype(np.uint64),
        lambda X: X.astype(np.float16) * 0.25,
        lambda X: X.astype(np.float32) * 0.1,
        lambda X: X.astype(np.longdouble),
        lambda X: X.astype(object),
        lambda X: sparse.csr_array(X.astype(bool)),
        lambda X: np.asfortranarray(X),
    ],
)
@pytest.mark.parametrize("order", [2, 3])
def test_every_kind_of_matrix(convert, order):
    assert_counts(count_paths(convert(X_PLAIN), order), count_paths(X_PLAIN, order))


@pytest.mark.parametrize("dtype", [bool, np.uint8, np.int64, np.float32])
def test_duplicates_are_summed_and_zeros_ignored(dtype):
    """Row 0 stores term 1 twice (128 + 128 overflows uint8); row 1 stores an explicit zero."""
    value = np.array(128).astype(dtype)
    data = np.array([value, value, value, 0, value, value], dtype)
    matrix = sparse.csr_array((data, [1, 0, 1, 0, 2, 1], [0, 3, 6]), shape=(2, 3))
    rows = np.array([0, 0, 0, 1, 1, 1])
    as_coo = sparse.coo_array((data, (rows, np.array([1, 0, 1, 0, 2, 1]))), shape=(2, 3))
    assert_counts(count_paths(as_coo), ([1, 1, 1], 1))
    before = (matrix.data.copy(), matrix.indices.copy(), matrix.indptr.copy())
    assert_counts(count_paths(matrix), ([1, 1, 1], 1))
    for old, new in zip(before, (matrix.data, matrix.indices, matrix.indptr), strict=True):
        assert_array_equal(old, new)  # the caller's matrix is unchanged


def test_unsorted_rows():
    matrix = sparse.csr_array(X_PLAIN)
    backwards = sparse.csr_array(
        (
            matrix.data,
            np.concatenate([np.flatnonzero(row)[::-1] for row in X_PLAIN]),
            matrix.indptr,
        ),
        shape=matrix.shape,
    )
    assert not backwards.has_sorted_indices
    assert_counts(count_paths(backwards), count_paths(X_PLAIN))


@pytest.mark.parametrize("pure", [None, False, np.False_])
def test_values_of_pure_that_mean_no(pure):
    assert_counts(count_paths(X_PLAIN, pure=pure), count_paths(X_PLAIN))
    assert_counts(count_paths(X_PLAIN, pure=np.True_), count_paths(X_PLAIN, pure=X_PLAIN))


def test_result_is_a_named_pair():
    counts = count_paths([[1, 1, 0], [0, 1, 1]])
    assert isinstance(counts, PathCounts)
    per_term, total = counts
    assert per_term.tolist() == [1, 1, 1]
    assert total == 1


@pytest.mark.parametrize(
    ("X", "arguments", "message"),
    [
        ([[1, np.nan]], {}, "X contains NaN or infinity"),
        ([[1, np.inf]], {}, "X contains NaN or infinity"),
        ([[1, -1]], {}, "Negative values in X: counts of terms must be 0 or more"),
        ([["a", "b"]], {}, "X must contain numbers, got dtype.*CountVectorizer"),
        (np.array([["a", 1]], object), {}, "X must contain numbers, got .*CountVectorizer"),
        (np.ma.masked_array([[1, 1]]), {}, "X is a masked array"),
        ([1, 0, 1], {}, r"X must be a two-dimensional matrix.* got 1 dimension\(s\)"),
        ([[1, 1]], {"order": 0}, "order must be an integer, 1 or more; got 0"),
        ([[1, 1]], {"order": 2.0}, "order must be an integer, 1 or more; got 2.0"),
        ([[1, 1]], {"order": True}, "order must be an integer, 1 or more; got True"),
        ([[1, 1]], {"order": "2"}, "order must be an integer, 1 or more; got '2'"),
        ([[1, 1]], {"order": 3, "pure": True}, "pure paths are defined for order 2 only"),
        ([[1, 1]], {"pure": [[1, 1, 0]]}, "X has 2 columns, pure has 3"),
        ([[1, 1]], {"pure": [[1, np.nan]]}, "pure contains NaN"),
    ],
)
def test_bad_input(X, arguments, message):
    with pytest.raises(ValueError, match=message):
        count_paths(X, **arguments)


class CountedArray(np.ndarray):
    """Counts how many elements are set."""

    writes = 0

    def __setitem__(self, key, value):
        CountedArray.writes += np.size(self[key])
        super().__setitem__(key, value)


@pytest.mark.parametrize("n_documents", [50, 2000])
def test_the_butterfly_loop_sets_a_number_of_counters_that_follows_the_non_zeros(
    n_documents, monkeypatch
):
    """Setting all counters to zero for each document or term was quadratic in documents."""
    rng = np.random.default_rng(0)
    lengths = 4 + np.arange(n_documents) % 9
    columns = rng.integers(0, n_documents, lengths.sum())
    rows = np.repeat(np.arange(n_documents), lengths)
    X = presence_matrix(sparse.coo_array((np.ones(len(rows)), (rows, columns))))
    pattern = Incidence(X, np.ones(n_documents, np.int64))

    def counted_zeros(*arguments):
        return np.zeros(*arguments).view(CountedArray)

    monkeypatch.setattr(_kernels, "np", SimpleNamespace(zeros=counted_zeros, int32=np.int32))
    monkeypatch.setattr(CountedArray, "writes", 0)
    counts = np.zeros(len(pattern.kept_terms), np.int64)
    common = counted_zeros(len(pattern.lengths), np.int32)
    documents = (*pattern.pattern, pattern.rare_lengths, pattern.weights)
    arguments = (*documents, None, None, common, counts)
    _kernels.butterflies_per_term.py_func(*arguments)
    assert 0 < CountedArray.writes < 60 * X.sum()
    A = (X.T @ X).toarray()
    np.fill_diagonal(A, 0)
    butterflies = (A * (A - 1) // 2).sum(axis=0)
    assert_array_equal(pattern.to_original_terms(counts), butterflies)
