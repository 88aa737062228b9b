"""A boolean document-term matrix with its transpose, and products with its co-occurrences."""

from collections.abc import Iterator
from functools import cached_property
from numbers import Integral
from typing import Any

import numpy as np
from scipy import sparse

from honeybayes.utils.matrices import presence_matrix

BLOCK_ELEMENTS = 2**22  # elements of G in memory at one time: 16 MB
FREQUENT = 16  # a term in one of so many documents is frequent: dense columns are faster

Pattern = tuple[np.ndarray, np.ndarray]  # indptr and indices


def check_order(order: Any) -> int:
    """Return the order as int; raise ValueError if it is not an integer greater than 0."""
    if isinstance(order, bool) or not isinstance(order, Integral) or order < 1:
        raise ValueError(f"order must be an integer, 1 or more; got {order!r}.")
    return int(order)


def documents_for_pure(pure: Any, X: sparse.csr_array) -> sparse.csr_array | None:
    """Return the documents in which both ends of a pure path must not occur; None if not pure."""
    if pure is None or isinstance(pure, bool | np.bool_):
        return X if pure else None
    documents = presence_matrix(pure, name="pure")
    if documents.shape[1] != X.shape[1]:
        raise ValueError(
            f"X has {X.shape[1]} columns, pure has {documents.shape[1]}. Both must have the same "
            "terms as columns."
        )
    return documents


class Incidence:
    """Presence of terms in documents and its transpose, both sorted by frequency.

    Terms are renumbered by increasing document frequency. Documents are renumbered by increasing
    number of rare terms; without weights, terms in a large share of the documents are not rare, and
    the compiled loops handle them as dense columns. Documents with fewer than two terms are
    dropped, because no path can use them, and so are terms that occur in no other document. The
    order allows the compiled loops to stop early and to use the CPU cache well.

    The matrix of co-occurrence counts, A = X'X with a zero diagonal, is never formed: only
    products of A with vectors are computed.

    X is canonical, as returned by ``presence_matrix``. With positive ``weights`` of the documents,
    A = X'WX, without its diagonal.
    """

    def __init__(self, X: sparse.csr_array, weights: np.ndarray | None = None) -> None:
        from honeybayes.paths._kernels import arrange

        lengths = np.diff(X.indptr)
        if lengths.min(initial=2) < 2:
            weights = None if weights is None else weights[lengths >= 2]
            X = X[lengths >= 2]
        n_docs, self.n_terms = X.shape  # columns of X, of which some are kept
        self.is_weighted = weights is not None
        least = n_docs / FREQUENT if weights is None else np.inf
        # the terms of each document (indptr and sorted indices), and the documents of each term
        self.pattern: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
        rows, self.kept_terms, self.rare_lengths, self.pattern = arrange(
            *pattern_of(X), self.n_terms, least
        )
        self.weights = np.ones(n_docs, np.int32) if weights is None else weights[rows]
        self.lengths, self.document_frequency = map(np.diff, self.pattern[::2])
        self.n_rare = int(np.searchsorted(self.document_frequency, least))

    @cached_property
    def documents(self) -> sparse.csr_array:
        """One row per document, terms sorted."""
        return self._as_matrix(self.pattern[:2], len(self.kept_terms))

    @cached_property
    def terms(self) -> sparse.csr_array:
        """The transpose: one row per term, documents sorted."""
        return self._as_matrix(self.pattern[2:], len(self.lengths))

    def _as_matrix(self, half: Pattern, n_columns: int) -> sparse.csr_array:
        indptr, indices = half
        ones = np.ones(len(indices), np.int64)
        return sparse.csr_array((ones, indices, indptr), shape=(len(indptr) - 1, n_columns))

    def new_numbers(self) -> np.ndarray:
        """Return the new number of each column of X, -1 where it was dropped."""
        new = np.full(self.n_terms, -1, np.int32)
        new[self.kept_terms] = np.arange(len(self.kept_terms))
        return new

    def to_original_terms(self, values: np.ndarray) -> np.ndarray:
        """Move values of the kept terms to their original columns; zero elsewhere."""
        everywhere = np.zeros(self.n_terms, values.dtype)
        everywhere[self.kept_terms] = values
        return everywhere

    @cached_property
    def co_occurrences(self) -> np.ndarray:
        """Row sums of A: the number of pairs (document, other term) for each term."""
        return self.sum_over_documents(self.weights * (self.lengths - 1))

    def counters(self) -> np.ndarray:
        """Return one number per frequent term, in a type that can hold the number of documents."""
        dtype = np.uint16 if len(self.lengths) < 2**16 else np.uint32
        return np.zeros(len(self.kept_terms) - self.n_rare, dtype)

    def blocks_of_common_terms(self) -> Iterator[tuple[int, np.ndarray]]:
        """Yield blocks of columns of G = XX', the terms that documents share, in int32.

        With each block comes the number of its first column.
        """
        from honeybayes.paths._kernels import common_terms

        n_docs = len(self.lengths)
        width = max(1, BLOCK_ELEMENTS // max(1, n_docs))
        for first in range(0, n_docs, width):
            yield first, common_terms(*self.pattern, first, min(first + width, n_docs))

    def sum_over_documents(self, values: np.ndarray) -> np.ndarray:
        """Sum the values of the documents of each term (X'g)."""
        return _sum_of_rows(self.pattern[2:], values)

    def sum_over_terms(self, values: np.ndarray) -> np.ndarray:
        """Sum the values of the terms of each document (Xv)."""
        return _sum_of_rows(self.pattern[:2], values)

    def times_co_occurrence(self, values: np.ndarray) -> np.ndarray:
        """Return A @ values, computed with two products with X."""
        through_documents = self.sum_over_documents(self.weights * self.sum_over_terms(values))
        frequency = self.document_frequency
        if self.is_weighted:
            frequency = self.sum_over_documents(self.weights)
        return through_documents - frequency * values

    def bound(self, order: int) -> int:
        """Return an upper bound on the number of walks of this order, and so of paths.

        At each step a walk has at most s_max ways to continue, the largest row sum of A. So there
        are at most 1/2 s_max^(order - 1) sum w l(l - 1) walks. Python integers do not overflow.
        Weights must be integers.
        """
        widest = int(self.co_occurrences.max(initial=0))
        steps = self.lengths * (self.lengths - 1)
        if self.is_weighted:
            documents = zip(self.weights.tolist(), steps.tolist(), strict=True)
            first_steps = sum(weight * each for weight, each in documents)
        else:
            first_steps = int(steps.sum())
        return widest ** (order - 1) * first_steps // 2


def _sum_of_rows(half: Pattern, values: np.ndarray) -> np.ndarray:
    """Multiply one half of a pattern by a vector."""
    from honeybayes.paths._kernels import sum_of_rows

    sums = np.zeros(len(half[0]) - 1, np.result_type(values, np.int64))
    sum_of_rows(*half, values, sums)
    return sums


def pattern_of(X: sparse.csr_array) -> Pattern:
    """Return the index arrays in the types that the loops are compiled for.

    Unsigned indices are faster, because compiled code does not check whether they are negative.
    They share the memory of X if they have the same size.
    """
    indices = X.indices.view(np.uint32) if X.indices.itemsize == 4 else X.indices.astype(np.uint32)
    return X.indptr.astype(np.int64), indices
