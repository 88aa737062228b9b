"""A document-term matrix and its transpose, arranged for the compiled loops."""

from collections.abc import Iterator

import numpy as np
from scipy import sparse

BLOCK_ELEMENTS = 2**22  # elements of G in memory at one time: 16 MB
SMALL_BOUND = 2.0**62  # counts fit in int64
FREQUENT = 16  # a term in one of so many documents is frequent: dense columns are faster

Pattern = tuple[np.ndarray, np.ndarray]  # indptr and indices


class Incidence:
    """Links of terms and documents, and their transpose, both sorted by frequency.

    Terms are renumbered by increasing document frequency, documents by increasing number of rare
    terms, so that the compiled loops stop early and use the CPU cache well. Terms in a large share
    of the documents are not rare; the loops handle them as dense columns. Documents with fewer than
    two terms are dropped, because no path can use them, and so are terms that occur in no other.

    X is the int64 ones of ``presence_matrix``, or the float64 weights of ``link_matrix``.
    """

    def __init__(self, X: sparse.csr_array, weights: np.ndarray | None = None) -> None:
        from honeybayes.paths._kernels import arrange

        lengths = np.diff(X.indptr)
        if lengths.min(initial=2) < 2:
            weights = None if weights is None else weights[lengths >= 2]
            X = X[lengths >= 2]
        self.n_terms = X.shape[1]  # columns of X, of which some are kept
        self.is_weighted, self.is_linked = weights is not None, X.dtype == np.float64
        self.is_unit = not (self.is_weighted or self.is_linked)
        least, values = X.shape[0] / FREQUENT, X.data if self.is_linked else np.empty(0)
        # the terms of each document (indptr and sorted indices), and the documents of each term
        self.pattern: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
        rows, self.kept_terms, self.rare_lengths, self.pattern, self.f, self.t_f = arrange(
            *pattern_of(X), values, self.n_terms, least
        )
        self.weights = np.ones(X.shape[0], np.int64) if weights is None else weights[rows]
        self.lengths, self.document_frequency = map(np.diff, self.pattern[::2])
        self.n_rare = int(np.searchsorted(self.document_frequency, least))

    def to_original_terms(self, values: np.ndarray) -> np.ndarray:
        """Move values of the kept terms to their original columns; zero elsewhere."""
        everywhere = np.zeros(self.n_terms, values.dtype)
        everywhere[self.kept_terms] = values
        return everywhere

    def blocks_of_common_terms(self) -> Iterator[tuple[int, np.ndarray]]:
        """Yield blocks of columns of G = XX', the terms that documents share, in int32.

        With each block comes the number of its first column.
        """
        from honeybayes.paths._kernels import common_terms

        n_docs = len(self.lengths)
        width = max(1, BLOCK_ELEMENTS // max(1, n_docs))
        for first in range(0, n_docs, width):
            yield first, common_terms(*self.pattern, first, min(first + width, n_docs))

    def bound(self, order: int) -> float:
        """Return an upper bound on the number of walks of this order, and so of paths.

        With s the row sums of the co-occurrences, a walk begins in one of sum s / 2 ways, and has
        at most max s ways to continue at each step. A quick bound is enough if it is small.
        """
        widest = (self.lengths.max(initial=1) - 1.0) * self.document_frequency.max(initial=0)
        quick = widest ** (order - 1) * float(self.lengths @ (self.lengths - 1)) / 2
        if self.is_unit and quick < SMALL_BOUND:
            return quick
        indptr, indices, *_ = self.pattern
        f = self.f if self.is_linked else np.ones(len(indices))
        rest = np.repeat(np.add.reduceat(f, indptr[:-1]), self.lengths) - f
        s = np.bincount(indices, np.repeat(self.weights, self.lengths) * f * rest)
        return float(s.max(initial=0) ** (order - 1) * s.sum() / 2)


def pattern_of(X: sparse.csr_array) -> Pattern:
    """Return the index arrays in the types that the loops are compiled for.

    Unsigned indices are faster, because compiled code does not check whether they are negative.
    They share the memory of X if they have the same size.
    """
    indices = X.indices.view(np.uint32) if X.indices.itemsize == 4 else X.indices.astype(np.uint32)
    return X.indptr.astype(np.int64), indices
