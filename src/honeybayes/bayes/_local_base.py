"""Naive Bayes on counts with a model of its own for each document."""

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import sparse

from honeybayes._matrices import canonical_counts
from honeybayes.bayes._count_base import BaseCountNB, of_complement
from honeybayes.bayes._count_rules import DECISION_RULES
from honeybayes.bayes._pair_base import document_blocks


@dataclass
class LocalModels:
    """Some documents, and for each of them what its own part of the training set holds.

    Words that a document does not have cannot change its score, so only those that it has are
    counted. This is a model as the decision rules know it, of just these documents, with priors by
    Equations 4 and 5 for each.

    Parameters
    ----------
    documents : csr_array of shape (n_documents, n_terms)
        Canonical counts.
    row : ndarray of shape (documents.nnz,)
        Row of ``count`` for the word of each stored entry of ``documents``.
    count : ndarray of shape (n_rows, n_classes)
        Occurrences of a word in each class.
    length : ndarray of shape (n_documents, n_classes)
        Occurrences of all words.
    class_count : ndarray of shape (n_documents, n_classes)
        Training documents.
    alpha : float
        Smoothing.
    """

    documents: sparse.csr_array
    row: np.ndarray
    count: np.ndarray
    length: np.ndarray
    class_count: np.ndarray
    alpha: float

    class_log_prior_: np.ndarray = field(init=False)
    complement_log_prior_: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        n_classes = self.class_count.shape[1]
        log_total = np.log(self.class_count.sum(axis=1, keepdims=True) + n_classes)
        self.class_log_prior_ = np.log(self.class_count + 1) - log_total
        self.complement_log_prior_ = np.log(of_complement(self.class_count) + 1) - log_total

    def _class_log_likelihood(self, X: Any) -> np.ndarray:
        return self._log_likelihood(self.count, self.length)

    def _complement_log_likelihood(self, X: Any) -> np.ndarray:
        return self._log_likelihood(of_complement(self.count), of_complement(self.length))

    def _log_likelihood_ratio(self, X: Any) -> np.ndarray:
        return self._class_log_likelihood(X) - self._complement_log_likelihood(X)

    def _log_likelihood(self, count: np.ndarray, length: np.ndarray) -> np.ndarray:
        """Add f_i log P(i given class) by Equations 6 and 7 over the words i of each document."""
        X, n_terms = self.documents, self.documents.shape[1]
        by_row = sparse.csr_array((X.data, self.row, X.indptr), shape=(X.shape[0], len(count)))
        log_total = np.log(length + n_terms * self.alpha)
        return by_row @ np.log(count + self.alpha) - X.sum(axis=1)[:, np.newaxis] * log_total


class BaseLocalNB(BaseCountNB):
    """Abstract base of the count models that judge each document by a part of the training set.

    A variant must write ``fit`` and

    ``_local_models(X)``
        The `LocalModels` of a block of new documents, canonical counts.

    The priors that ``fit`` leaves are those of the whole training set.
    """

    @abstractmethod
    def _local_models(self, X: sparse.csr_array) -> LocalModels: ...

    def _check_new(self, X: Any) -> sparse.csr_array:
        return canonical_counts(super()._check_new(X))

    def _joint_log_likelihood(self, X: sparse.csr_array) -> np.ndarray:
        decide = DECISION_RULES[self._rule]
        return np.concatenate([decide(models, X) for models in self._in_blocks(X)])

    def _class_log_likelihood(self, X: sparse.csr_array) -> np.ndarray:
        return np.concatenate([models._class_log_likelihood(X) for models in self._in_blocks(X)])

    def _complement_log_likelihood(self, X: sparse.csr_array) -> np.ndarray:
        return np.concatenate(
            [models._complement_log_likelihood(X) for models in self._in_blocks(X)]
        )

    def _in_blocks(self, X: sparse.csr_array) -> Iterator[LocalModels]:
        return map(self._local_models, document_blocks(X, len(self.classes_)))
