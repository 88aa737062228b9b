"""The count models that are linear in the counts: one table of logs a side."""

from typing import Any, Self

import numpy as np
from scipy import sparse

from honeybayes._matrices import per_entry, sum_by_class
from honeybayes.bayes._base import check_weights
from honeybayes.bayes._count_base import BaseCountNB, of_complement, smoothed_log_prob


class BaseLinearCountNB(BaseCountNB):
    """Abstract base of the count models with one log-probability for each term and class.

    Both log-likelihoods are sums over the words of a document, so each is a product with a table.
    A variant writes ``fit``: it counts with `weighted_counts` and ends with ``_keep``, or leaves
    both to ``_keep_weighted_terms``. The tables lie in memory as (terms, classes), and their
    public names are transposed views, so that a short document touches a few short rows, however
    large the vocabulary is.
    """

    feature_log_prob_: Any
    complement_feature_log_prob_: Any

    def _keep(
        self, feature_count: np.ndarray, class_count: np.ndarray, classes: np.ndarray
    ) -> Self:
        """Learn the tables that the rule looks at from counts (terms, classes)."""
        self.classes_ = classes
        self._set_priors(class_count)
        self.feature_count_ = feature_count.T
        self.feature_log_prob_ = self.complement_feature_log_prob_ = None
        if self.rule != "complement":
            self.feature_log_prob_ = smoothed_log_prob(feature_count, self.alpha).T
        if self.rule != "multinomial":
            rest_count = of_complement(feature_count)
            self.complement_feature_log_prob_ = smoothed_log_prob(rest_count, self.alpha).T
        return self

    def _keep_weighted_terms(
        self, X: sparse.csr_array, position: np.ndarray, classes: np.ndarray, weights: np.ndarray
    ) -> Self:
        """Learn as if each term's counts, in these and in all new documents, were so many times.

        The weights multiply the counts that are learned from, and then the logs: a new document
        need not be touched.
        """
        feature_count, class_count = weighted_counts(X, position, len(classes))
        self._keep(feature_count * weights[:, np.newaxis], class_count, classes)
        for table in (self.feature_log_prob_, self.complement_feature_log_prob_):
            if table is not None:
                table *= weights
        return self

    def _class_log_likelihood(self, X: Any) -> np.ndarray:
        return X @ self.feature_log_prob_.T

    def _complement_log_likelihood(self, X: Any) -> np.ndarray:
        return X @ self.complement_feature_log_prob_.T


def weighted_counts(
    X: sparse.csr_array, position: np.ndarray, n_classes: int, sample_weight: Any = None
) -> tuple[np.ndarray, np.ndarray]:
    """Count terms (terms, classes) and documents (classes,), each document by its weight."""
    each_entry = X.data
    if sample_weight is not None:
        sample_weight = check_weights(sample_weight, X)
        each_entry = X.data * per_entry(X, sample_weight)
    feature_count = sum_by_class(X, position, n_classes, each_entry)
    class_count = np.bincount(position, sample_weight, minlength=n_classes)
    return feature_count, class_count.astype(np.float64)
