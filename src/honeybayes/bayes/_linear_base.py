"""The count models that are linear in the counts: one table of logs a side."""

from typing import Any, Self

import numpy as np
from scipy import sparse

from honeybayes.bayes._count_base import BaseGlobalNB, check_total
from honeybayes.utils.matrices import of_complement, per_entry, smoothed_log_prob, sum_by_class
from honeybayes.utils.state import NUMBERS, Array, State
from honeybayes.utils.validation import check_weights


class BaseLinearCountNB(BaseGlobalNB):
    """Abstract base of the count models with one log-probability for each term and class.

    Both log-likelihoods are sums over the words of a document, so each is a product with a table.
    A variant writes ``fit``: it counts with `weighted_counts` and ends with ``_keep``. The tables
    lie in memory as (terms, classes), and their public names are transposed views, so that a short
    document touches a few short rows, however large the vocabulary is.
    """

    fitted_attributes = State(
        feature_count_=Array(("classes", "features"), NUMBERS),
        feature_log_prob_=Array(("classes", "features"), optional=True),
        complement_feature_log_prob_=Array(("classes", "features"), optional=True),
    )

    feature_log_prob_: Any
    complement_feature_log_prob_: Any

    def _keep(
        self, feature_count: np.ndarray, class_count: np.ndarray, classes: np.ndarray
    ) -> Self:
        """Learn the tables that the rule looks at from counts (terms, classes)."""
        check_total(feature_count)
        check_total(class_count)
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

    def _check_state(self) -> None:
        self._check_tables("feature_log_prob_", "complement_feature_log_prob_")

    def _check_tables(self, of_class: str, of_complement: str) -> None:
        needed = {
            of_class: self._rule != "complement",
            of_complement: self._rule != "multinomial",
        }
        for name, is_needed in needed.items():
            if is_needed and getattr(self, name, None) is None:
                raise ValueError(f"{name} is missing, but rule={self._rule!r} reads it")

    def _class_log_likelihood(self, X: Any) -> np.ndarray:
        return X @ self.feature_log_prob_.T

    def _complement_log_likelihood(self, X: Any) -> np.ndarray:
        return X @ self.complement_feature_log_prob_.T


class BaseWeightedTermsNB(BaseLinearCountNB):
    """Abstract base of the linear count models in which log P is not all that a word adds.

    What one occurrence of a term adds is kept beside the public log-probabilities, in tables of
    the shape (terms, classes), so that a new document costs what it costs with `CountNB`. A
    variant sets ``_class_table`` and ``_complement_table``, None if the rule has no use for it.
    """

    fitted_attributes = State(
        _class_table=Array(("features", "classes"), optional=True),
        _complement_table=Array(("features", "classes"), optional=True),
    )

    _class_table: Any
    _complement_table: Any

    def _keep_weighted_terms(
        self, X: sparse.csr_array, position: np.ndarray, classes: np.ndarray, weights: np.ndarray
    ) -> Self:
        """Learn as if each term's counts, in these and in all new documents, were so many times.

        The weights multiply the counts that are learned from, and then the logs: a new document
        need not be touched.
        """
        feature_count, class_count = weighted_counts(X, position, len(classes))
        of_term = weights[:, np.newaxis]
        with np.errstate(over="ignore"):  # which _keep refuses
            feature_count *= of_term
        self._keep(feature_count, class_count, classes)
        self._class_table, self._complement_table = (
            None if logs is None else logs.T * of_term
            for logs in (self.feature_log_prob_, self.complement_feature_log_prob_)
        )
        return self

    def _check_state(self) -> None:
        super()._check_state()
        self._check_tables("_class_table", "_complement_table")

    def _class_log_likelihood(self, X: Any) -> np.ndarray:
        return X @ self._class_table

    def _complement_log_likelihood(self, X: Any) -> np.ndarray:
        return X @ self._complement_table


def weighted_counts(
    X: sparse.csr_array, position: np.ndarray, n_classes: int, sample_weight: Any = None
) -> tuple[np.ndarray, np.ndarray]:
    """Count terms (terms, classes) and documents (classes,), each document by its weight."""
    each_entry = X.data
    if sample_weight is not None:
        sample_weight = check_weights(sample_weight, X)
        with np.errstate(over="ignore"):
            each_entry = X.data * per_entry(X, sample_weight)
        check_total(each_entry)
    feature_count = sum_by_class(X, position, n_classes, each_entry)
    class_count = np.bincount(position, sample_weight, minlength=n_classes)
    return feature_count, class_count.astype(np.float64)
