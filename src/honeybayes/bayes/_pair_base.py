"""Common code of the models in which the terms of a document depend on each other."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from honeybayes.bayes import _count_base
from honeybayes.bayes._count_base import CLASS, COMPLEMENT
from honeybayes.bayes.base import FitData
from honeybayes.utils import matrices
from honeybayes.utils.parameters import documented
from honeybayes.utils.scores import ParentParts, ScoreParts
from honeybayes.utils.state import Array, Indices, SparseCounts, State

RATIO, INVERSE_RATIO = 2, 3  # what a kernel can compute, beside the sides CLASS and COMPLEMENT


class Postings(NamedTuple):
    """Arrays of a sparse matrix for the kernels: the entries of each row, or of each column."""

    starts: np.ndarray
    indices: np.ndarray
    counts: np.ndarray


class Block(NamedTuple):
    """New documents for the kernels; everything is restricted to their terms."""

    postings: tuple[Postings, ...]  # new documents by row, by column; training by column, by row
    label: np.ndarray  # class of each training document
    parent_weight: np.ndarray  # W_t; 0 for a term that is not a parent
    total: np.ndarray  # T_tc + m alpha, for classes and complements (2, n_terms, n_classes)
    log_prob: np.ndarray  # log of what is averaged, of a term without a parent (n_terms, n_classes)
    alpha: float


class PairProbabilities(NamedTuple):
    """P(term given parent) for the terms of one document. Classes are the last axis."""

    counts: np.ndarray  # of the terms in the document
    positions: np.ndarray  # which of the terms are parents
    weights: np.ndarray  # of the parents
    probability: np.ndarray  # P(term given parent) (2, n_parents, n_terms, n_columns)
    log_prob: np.ndarray  # log P(term) without a parent (2, n_terms, n_columns)


@documented
class BasePairNB(_count_base.BaseGlobalNB):
    """Abstract base of the models that need P(term i given term t, class).

    By Equations 14 and 18 it is (N_itc + alpha) / (T_tc + m alpha). N_itc is the count of i in the
    training documents of class c that contain t, and T_tc its sum over all m terms i. For the
    complement, the documents of the other classes are used. There are too many pairs to count them
    in advance. So the training documents are kept, and the pairs of a new document are counted
    during prediction. ``fit`` takes time linear in the non-zeros.

    ``_training`` has the counts times document weights by column; for class and complement,
    ``_total`` is T_tc + m alpha, and ``_log_prob`` is log P(term) without a parent.

    Attributes
    ----------
    parent_weights_ : ndarray of shape (n_features,)
        Weight of each term as a parent, 0 if it is not a parent.
    """

    _kernel: str  # the name of the compiled loop

    # return the weight of each term as a parent, or 0 if it is not a parent
    _weigh_parents: Callable[[FitData], np.ndarray]
    # return the parts of the terms and of the parents
    _split: Callable[[PairProbabilities], tuple[np.ndarray, ParentParts | None]]

    fitted_attributes = State(
        parent_weights_=Array(("features",), low=0),
        _training=SparseCounts(("documents", "features")),
        _label=Indices(("documents",), below="classes"),
        _total=Array((2, "features", "classes"), above=0),
        _log_prob=Array((2, "features", "classes")),
    )

    def _learn(self, data: FitData) -> None:
        matrices.check_kept_documents(self, data.X.nnz)
        parent_weights = self._weigh_parents(data)
        data = data.used()
        X, position, n_classes = _count_base.weigh_documents(data), data.position, len(data.classes)
        self.parent_weights_ = parent_weights
        self.classes_ = data.classes
        self._set_priors(data.class_sizes())
        self._training, self._label = X.tocsc(), position
        count = matrices.sum_by_class(X, position, n_classes, X.data)
        total = matrices.sum_by_class(X, position, n_classes, matrices.per_entry(X, X.sum(axis=1)))
        sides = (count, matrices.of_complement(count))
        self._log_prob = np.stack([matrices.smoothed_log_prob(side, self.alpha) for side in sides])
        self._total = np.stack([total, matrices.of_complement(total)]) + X.shape[1] * self.alpha

    def _check_new(self, X: Any) -> sparse.csr_array:
        return matrices.canonical_counts(super()._check_new(X))

    def _log_likelihood(self, X: sparse.csr_array, side: int) -> np.ndarray:
        from honeybayes.bayes import _kernels

        kernel, scores = getattr(_kernels, self._kernel), []
        largest_weight = self.parent_weights_.max(initial=0) or 1
        log_prob = [*self._log_prob, self._log_prob[CLASS] - self._log_prob[COMPLEMENT]]
        of_side = -log_prob[RATIO] if side == INVERSE_RATIO else log_prob[side]
        for block in _count_base.document_blocks(X, len(self.classes_)):
            terms, documents = own_terms(block)
            training = self._training[:, terms]
            pairs = Block(
                tuple(map(postings, (documents, documents.tocsc(), training, training.tocsr()))),
                self._label,
                self.parent_weights_[terms] / largest_weight,  # only their ratios matter
                np.take(self._total, terms, axis=1),
                np.take(of_side, terms, axis=0),
                self._alpha,
            )
            scores.append(kernel(pairs, side))
        return np.concatenate(scores)

    def decompose_scores(self, X: Any, columns: list[int]) -> ScoreParts:
        """Split the scores of one document by term; see ``honeybayes.utils.scores``."""
        document = self._check_new(X)
        terms = document.indices
        by_term = self._training[:, terms]
        by_document, n_classes = by_term.tocsr(), len(self.classes_)
        weights = self.parent_weights_[terms] / (self.parent_weights_.max(initial=0) or 1)
        positions = np.flatnonzero(weights)
        probability = np.empty((2, len(positions), len(terms), len(columns)))
        for row, t in enumerate(positions):
            documents = by_term.indices[by_term.indptr[t] : by_term.indptr[t + 1]]
            with_t = by_document[documents]
            of_class = matrices.sum_by_class(with_t, self._label[documents], n_classes, with_t.data)
            for side, count in ((CLASS, of_class), (COMPLEMENT, matrices.of_complement(of_class))):
                total = self._total[side, terms[t]]
                probability[side, row] = ((count + self._alpha) / total)[:, columns]
        log_prob = self._log_prob[:, terms][:, :, columns]
        weights = weights[positions]
        pairs = PairProbabilities(document.data, positions, weights, probability, log_prob)
        return ScoreParts(terms, *self._split(pairs))


def own_terms(X: sparse.csr_array) -> tuple[np.ndarray, sparse.csr_array]:
    """Return the terms that occur, sorted, and X with only their columns."""
    terms, index = np.unique(X.indices, return_inverse=True)
    return terms, sparse.csr_array((X.data, index, X.indptr), shape=(X.shape[0], len(terms)))


def postings(X: Any) -> Postings:
    """Return the arrays of a CSR or CSC matrix in the types that the kernels are compiled for."""
    return Postings(X.indptr.astype(np.int64), X.indices.astype(np.int32), X.data)


def above_average(weights: np.ndarray) -> np.ndarray:
    """Set weights below their mean to zero, Equation 13."""
    # rounding can make the mean of equal weights larger than all of them
    enough = weights.mean() * (1 - 1e-9)
    return np.where(weights >= enough, weights, 0.0)


def lead(by_column: np.ndarray) -> np.ndarray:
    """Return the first column minus the second, or the only column."""
    return by_column[..., 0] - by_column[..., 1] if by_column.shape[-1] > 1 else by_column[..., 0]
