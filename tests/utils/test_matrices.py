"""Helpers on matrices that have no other tests."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy import sparse

from honeybayes.utils.matrices import (
    append_dense,
    blocks_of_rows,
    canonical_counts,
    inverse_or_zero,
    split_dense,
)


@given(st.lists(st.integers(0, 50), min_size=1, max_size=40), st.integers(1, 60))
def test_blocks_hold_every_row_once_and_little_more_than_the_limit(cells, limit):
    blocks = blocks_of_rows(np.array(cells), limit)
    assert_array_equal(
        np.concatenate([np.arange(*block) for block in blocks]), np.arange(len(cells))
    )
    for first, last in blocks:
        assert first < last
        assert sum(cells[first : last - 1]) < limit or last == first + 1


def test_blocks_of_one_row_are_not_cut():
    assert blocks_of_rows(np.array([10, 10, 10]), 1) == [(0, 1), (1, 2), (2, 3)]
    assert blocks_of_rows(np.array([10, 10, 10]), 100) == [(0, 3)]


@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
def test_canonical_counts_leave_the_given_matrix_alone(form):
    given = sparse.csr_array(
        (np.array([1, 2, 0, 4]), np.array([1, 1, 0, 0]), np.array([0, 2, 4])), shape=(2, 2)
    ).asformat(form)
    before = given.toarray()
    counts = canonical_counts(given)
    assert counts.has_canonical_format
    assert counts.dtype == np.float64
    assert counts.nnz == 2
    assert_array_equal(counts.toarray(), before)
    assert_array_equal(given.toarray(), before)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64])
def test_the_reciprocal_of_nothing_is_zero(dtype):
    assert_array_equal(inverse_or_zero(np.array([0, 4, 0, 2], dtype=dtype)), [0, 0.25, 0, 0.5])
    if dtype != np.int64:
        assert_array_equal(inverse_or_zero(np.array([np.nextafter(dtype(0), dtype(1))])), [0])


@given(st.integers(0, 6), st.integers(0, 5), st.integers(0, 4), st.integers(0, 99))
def test_dense_columns_come_after_sparse_ones(n_rows, n_columns, width, seed):
    rng = np.random.default_rng(seed)
    x = sparse.csr_array(rng.poisson(0.7, (n_rows, n_columns)))
    dense = rng.integers(0, 2, (n_rows, width)).astype(np.float32)  # zeros are stored, too
    both = append_dense(x, dense)
    assert_array_equal(both.toarray(), np.hstack([x.toarray(), dense]))
    assert both.nnz == x.nnz + dense.size
    assert both.has_sorted_indices
    for matrix in (both, both.tocsc(), both.toarray()):
        first, last = split_dense(matrix, n_columns)
        assert_array_equal(first.toarray() if sparse.issparse(first) else first, x.toarray())
        assert_array_equal(last, dense)
    both.eliminate_zeros()
    assert_array_equal(split_dense(both, n_columns)[1], dense)
