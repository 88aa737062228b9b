"""What the models of dependence between two words of one document share."""

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any, NamedTuple, Self

import numpy as np
from scipy import sparse

from honeybayes.bayes._count_base import BaseGlobalNB
from honeybayes.utils.matrices import (
    blocks_of_rows,
    canonical_counts,
    of_complement,
    per_entry,
    smoothed_log_prob,
    sum_by_class,
)
from honeybayes.utils.state import Array, Indices, SparseCounts, State

# What a kernel may be asked for. The first two are also the places of the sides in an array.
CLASS, COMPLEMENT, RATIO, INVERSE_RATIO = range(4)
BLOCK_CELLS = 2**22  # entries times classes of the new documents that are in work at one time


class Postings(NamedTuple):
    """A sparse matrix as the kernels take it: the entries of each row, or of each column."""

    starts: np.ndarray
    indices: np.ndarray
    counts: np.ndarray


class BasePairNB(BaseGlobalNB):
    """Abstract base of the models that need P(word i given word t, class).

    By Equations 14 and 18 it is (N_itc + alpha) / (T_tc + m alpha), where N_itc is the count of i
    in the training documents of class c that contain t, T_tc its sum over all m words i, and for
    the complement the documents of the other classes are taken instead. The pairs are too many to
    be counted in advance, so the training documents are kept, and those of a new document are
    counted when it comes. What is learned here is linear in the non-zeros.

    A variant must write

    ``_weigh_parents(X, position)``
        The weight of each term as a parent: not negative, and zero for a term that is none.

    and the likelihoods that `CountModel` asks for, from what ``fit`` leaves:

    ``parent_weights_``
        Shape (terms,).
    ``_training``, ``_label``
        Training counts by column (CSC), and the class of each training document.
    ``_total``, ``_log_prob``
        Shape (2 sides, terms, classes): T_tc + m alpha, and log P(term) for words without parent.
    """

    fitted_attributes = State(
        parent_weights_=Array(("features",), low=0),
        _training=SparseCounts(("documents", "features")),
        _label=Indices(("documents",), below="classes"),
        _total=Array((2, "features", "classes"), above=0),
        _log_prob=Array((2, "features", "classes")),
    )

    @abstractmethod
    def _weigh_parents(self, X: sparse.csr_array, position: np.ndarray) -> np.ndarray: ...

    def fit(self, X: Any, y: Any) -> Self:
        """Learn from labeled documents, which are kept.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents by terms: counts, or other weights that are not negative, as tf-idf.
        y : array-like of shape (n_samples,)
            Label of each document.

        Returns
        -------
        self : object
        """
        X, position, classes = self._start_fit(X, y)
        n_terms, n_classes = X.shape[1], len(classes)
        self.parent_weights_ = self._weigh_parents(X, position)
        self.classes_ = classes
        self._set_priors(np.bincount(position).astype(np.float64))
        self._training, self._label = X.tocsc(), position
        count = sum_by_class(X, position, n_classes, X.data)
        total = sum_by_class(X, position, n_classes, per_entry(X, X.sum(axis=1)))
        self._log_prob = np.stack(
            [smoothed_log_prob(side, self.alpha) for side in (count, of_complement(count))]
        )
        self._total = np.stack([total, of_complement(total)]) + n_terms * self.alpha
        return self

    def _check_new(self, X: Any) -> sparse.csr_array:
        return canonical_counts(super()._check_new(X))

    def _pairs_in_blocks(self, X: sparse.csr_array) -> Iterator[tuple[Any, ...]]:
        """Common arguments of the kernels, for one block of new documents after the other.

        All of them are cut down to the terms of the block.
        """
        largest_weight = self.parent_weights_.max(initial=0) or 1
        for block in document_blocks(X, len(self.classes_)):
            terms, documents = own_terms(block)
            training = self._training[:, terms]
            yield (
                postings(documents),
                postings(documents.tocsc()),
                postings(training),
                postings(training.tocsr()),
                self._label,
                self.parent_weights_[terms] / largest_weight,  # only their ratios count
                np.take(self._total, terms, axis=1),
                np.take(self._log_prob, terms, axis=1),
                self._alpha,
            )


def document_blocks(X: sparse.csr_array, n_classes: int) -> Iterator[sparse.csr_array]:
    """Cut new documents into blocks, so that the memory in work is bounded.

    A block ends where its entries times the classes would pass `BLOCK_CELLS`, but holds one
    document at least.
    """
    for first, last in blocks_of_rows(n_classes * np.diff(X.indptr), BLOCK_CELLS):
        yield X[first:last]


def own_terms(X: sparse.csr_array) -> tuple[np.ndarray, sparse.csr_array]:
    """Find the terms that occur, sorted, and keep no other columns."""
    terms, index = np.unique(X.indices, return_inverse=True)
    return terms, sparse.csr_array((X.data, index, X.indptr), shape=(X.shape[0], len(terms)))


def postings(X: Any) -> Postings:
    """Arrays of a CSR or CSC matrix in the one set of types that the kernels are compiled for."""
    return Postings(X.indptr.astype(np.int64), X.indices.astype(np.int32), X.data)


def above_average(weights: np.ndarray) -> np.ndarray:
    """Set weights below their mean to zero, Equation 13."""
    # Equal weights can have a mean that is one rounding above all of them.
    enough = weights.mean() * (1 - 1e-9)
    return np.where(weights >= enough, weights, 0.0)
