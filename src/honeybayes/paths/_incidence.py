"""A boolean document-term matrix seen from both sides, and products with its co-occurrences."""

from functools import cached_property
from numbers import Integral
from typing import Any

import numpy as np
from scipy import sparse


def check_order(order: Any) -> int:
    """Refuse an order that is not a whole number, 1 or more."""
    if isinstance(order, bool) or not isinstance(order, Integral) or order < 1:
        raise ValueError(f"order must be a whole number, 1 or more; got {order!r}.")
    return int(order)


class Incidence:
    """Which document holds which term, from both sides, the rare before the frequent.

    Documents are renumbered by rising length and terms by rising document frequency; documents
    with fewer than two terms, which no path can pass, and terms of no other document are left
    out. The compiled loops rely on that order to stop early and to stay in the cache.

    The matrix of co-occurrence counts, A = X'X with a zero diagonal, is never formed: whatever is
    needed of it comes from products with vectors.

    Parameters
    ----------
    X : csr_array of int64
        Canonical, every stored value one, as ``presence_matrix`` gives it.

    Attributes
    ----------
    documents : csr_array of int64
        One row a document, terms sorted.
    terms : csr_array of int64
        The transpose: one row a term, documents sorted.
    lengths, document_frequency : ndarray of int64
        Row sums of the two.
    n_terms : int
        Number of columns of X.
    kept_terms : ndarray of int
        The columns of X that were kept, in their new order.
    """

    def __init__(self, X: sparse.csr_array) -> None:
        lengths = np.diff(X.indptr)
        rows = np.argsort(lengths, kind="stable")
        rows = rows[lengths[rows] >= 2]
        X = X[rows]
        self.n_terms = X.shape[1]
        frequency = np.bincount(X.indices, minlength=X.shape[1])
        self.kept_terms = np.argsort(frequency, kind="stable")[np.count_nonzero(frequency == 0) :]
        self.document_frequency = frequency[self.kept_terms]
        self.lengths = lengths[rows].astype(np.int64)
        self.terms, self.documents = both_sides(self.renumber(X))

    def renumber(self, X: sparse.csr_array) -> sparse.csr_array:
        """Give another matrix over the original columns the new ones, not sorted."""
        new = np.full(self.n_terms, -1, X.indices.dtype)
        new[self.kept_terms] = np.arange(len(self.kept_terms))
        columns = new[X.indices]
        known = columns >= 0
        kept_before = np.concatenate(([0], np.cumsum(known)))
        indptr = kept_before[X.indptr].astype(X.indptr.dtype)
        ones = np.ones(indptr[-1], np.int8)
        shape = (X.shape[0], len(self.kept_terms))
        return sparse.csr_array((ones, columns[known], indptr), shape=shape)

    def to_original_terms(self, values: np.ndarray) -> np.ndarray:
        """Put values of the kept terms back in their columns, zero elsewhere."""
        everywhere = np.zeros(self.n_terms, values.dtype)
        everywhere[self.kept_terms] = values
        return everywhere

    @cached_property
    def co_occurrences(self) -> np.ndarray:
        """Row sums of A: the pairs (document, other term) around each term."""
        return self.sum_over_documents(self.lengths - 1)

    @cached_property
    def pattern(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """The four index arrays that the compiled loops take."""
        return (*pattern_of(self.documents), *pattern_of(self.terms))

    def sum_over_documents(self, values: np.ndarray) -> np.ndarray:
        """For each term, the sum of a value of the documents that hold it (X'g)."""
        return self.terms @ values

    def sum_over_terms(self, values: np.ndarray) -> np.ndarray:
        """For each document, the sum of a value of the terms that it holds (Xv)."""
        return self.documents @ values

    def times_co_occurrence(self, values: np.ndarray) -> np.ndarray:
        """A @ values, in the time of two products with X."""
        through_documents = self.sum_over_documents(self.sum_over_terms(values))
        return through_documents - self.document_frequency * values

    def bound(self, order: int) -> int:
        """A number that the walks of this order, and so the paths, do not exceed.

        None has more than the largest row sum of A ways to go on at each step, so there are at
        most 1/2 s_max^(order - 1) sum l(l - 1) of them. In Python's integers, which do not wrap.
        """
        widest = int(self.co_occurrences.max(initial=0))
        first_steps = sum(length * (length - 1) for length in self.lengths.tolist())
        return widest ** (order - 1) * first_steps // 2


def both_sides(X: sparse.csr_array) -> tuple[sparse.csr_array, sparse.csr_array]:
    """The transpose and the matrix itself, int64 and with sorted rows: a transposition sorts."""
    by_term = X.T.tocsr()
    return by_term.astype(np.int64), by_term.T.tocsr().astype(np.int64)


def pattern_of(X: sparse.csr_array) -> tuple[np.ndarray, np.ndarray]:
    """Index arrays in the one pair of types that the loops are compiled for.

    Unsigned indices, which compiled code need not check for being negative, are faster.
    """
    return X.indptr.astype(np.int64), X.indices.astype(np.uint32)
