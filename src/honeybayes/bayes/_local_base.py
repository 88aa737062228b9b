"""Naive Bayes on counts with a separate model for each document."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from honeybayes.bayes._count_base import COMPLEMENT, BaseCountNB, CountModel, log_priors
from honeybayes.bayes._pair_base import document_blocks
from honeybayes.utils.matrices import canonical_counts, of_complement


@dataclass
class LocalModels(CountModel):
    """One model per document, with the methods that the decision rules call.

    Terms that a document does not contain cannot change its score, so only its own terms are
    counted. The priors follow Equations 4 and 5 for each document.
    """

    row: np.ndarray  # row of ``count`` for each stored entry of the documents
    count: np.ndarray  # occurrences of a term per class
    length: np.ndarray  # occurrences of all terms (n_documents, n_classes)
    class_count: np.ndarray  # training documents (n_documents, n_classes)
    alpha: float

    def __post_init__(self) -> None:
        self.class_log_prior_, self.complement_log_prior_ = log_priors(self.class_count)

    def _log_likelihood(self, X: sparse.csr_array, side: int) -> np.ndarray:
        """Sum f_i log P(i given class), Equations 6 and 7, over the terms i of each document."""
        count, length, n_terms = self.count, self.length, X.shape[1]
        if side == COMPLEMENT:
            count, length = of_complement(count), of_complement(length)
        by_row = sparse.csr_array((X.data, self.row, X.indptr), shape=(X.shape[0], len(count)))
        log_total = np.log(length + n_terms * self.alpha)
        return by_row @ np.log(count + self.alpha) - X.sum(axis=1)[:, np.newaxis] * log_total


class BaseLocalNB(BaseCountNB):
    """Abstract base of the count models that use a part of the training set for each document.

    The priors that ``fit`` sets are computed from the whole training set.
    """

    @abstractmethod
    def _local_models(self, X: sparse.csr_array) -> LocalModels:
        """Return the models of a block of new documents, given as canonical counts."""

    def _check_new(self, X: Any) -> sparse.csr_array:
        return canonical_counts(super()._check_new(X))

    def _joint_log_likelihood(self, X: sparse.csr_array) -> np.ndarray:
        blocks = document_blocks(X, len(self.classes_))
        return np.concatenate([self._local_models(b)._decide(b, self._rule) for b in blocks])
