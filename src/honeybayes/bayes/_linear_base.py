"""Count models that are linear in the counts: one log-probability per term and class."""

from typing import Any

import numpy as np
from scipy import sparse

from honeybayes.bayes._count_base import (
    BaseGlobalNB,
    check_total,
    count_documents,
    weigh_documents,
)
from honeybayes.utils.explaining import ScoreParts, decompose_linear
from honeybayes.utils.matrices import of_complement, smoothed_log_prob, sum_by_class
from honeybayes.utils.parameters import documented
from honeybayes.utils.state import NUMBERS, Array, State


@documented
class BaseLinearCountNB(BaseGlobalNB):
    """Abstract base of the count models with one log-probability per term and class.

    Both log-likelihoods are sums over the terms of a document, so each is a product with a table. A
    subclass counts with `weighted_counts` when it learns, and ends with ``_keep``. In memory the
    tables are (terms, classes), and the public attributes are transposed views: a short document
    reads only a few short rows, even if the vocabulary is large.

    Attributes
    ----------
    feature_count_ : ndarray of shape (n_classes, n_features)
        Occurrences of each term per class, by weight.
    feature_log_prob_ : ndarray of shape (n_classes, n_features) or None
        log P(term given class). None if ``rule="complement"``.
    complement_feature_log_prob_ : ndarray of shape (n_classes, n_features) or None
        log P(term given the complement of the class). None if ``rule="multinomial"``.
    """

    fitted_attributes = State(
        feature_count_=Array(("classes", "features"), NUMBERS, low=0),
        feature_log_prob_=Array(("classes", "features"), optional=True),
        complement_feature_log_prob_=Array(("classes", "features"), optional=True),
    )

    feature_log_prob_: Any
    complement_feature_log_prob_: Any

    def _keep(
        self, feature_count: np.ndarray, class_count: np.ndarray, classes: np.ndarray
    ) -> None:
        """Compute the tables that the rule needs from counts (terms, classes)."""
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

    def _check_state(self) -> None:
        self._check_tables("feature_log_prob_", "complement_feature_log_prob_")

    def _check_tables(self, of_class: str, of_complement: str) -> None:
        """Raise ValueError if a table that the rule needs is missing."""
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

    def decompose_scores(self, X: Any, columns: list[int]) -> ScoreParts:
        """Split the scores of one document by term; see `honeybayes.utils.explaining`."""
        return decompose_linear(self, X, columns)


class BaseWeightedTermsNB(BaseLinearCountNB):
    """Abstract base of the linear count models in which a term adds more than its log P.

    The contribution of one occurrence of a term is kept in separate tables of shape (terms,
    classes), so that prediction is as fast as with `CountNB`. A subclass sets ``_class_table`` and
    ``_complement_table``. A table that the rule does not need is None.
    """

    fitted_attributes = State(
        _class_table=Array(("features", "classes"), optional=True),
        _complement_table=Array(("features", "classes"), optional=True),
    )

    _class_table: Any
    _complement_table: Any

    def _keep_weighted_terms(
        self,
        X: sparse.csr_array,
        position: np.ndarray,
        classes: np.ndarray,
        term_weights: np.ndarray,
        weights: np.ndarray | None = None,
    ) -> None:
        """Learn as if the counts of each term were multiplied by its weight, in all documents.

        The term weights multiply the counts, and then the logs, so new documents stay unchanged.
        """
        feature_count, class_count = weighted_counts(X, position, len(classes), weights)
        of_term = term_weights[:, np.newaxis]
        with np.errstate(over="ignore"):  # _keep checks the total
            feature_count *= of_term
        self._keep(feature_count, class_count, classes)
        self._class_table, self._complement_table = (
            None if logs is None else logs.T * of_term
            for logs in (self.feature_log_prob_, self.complement_feature_log_prob_)
        )

    def _check_state(self) -> None:
        super()._check_state()
        self._check_tables("_class_table", "_complement_table")

    def _class_log_likelihood(self, X: Any) -> np.ndarray:
        return X @ self._class_table

    def _complement_log_likelihood(self, X: Any) -> np.ndarray:
        return X @ self._complement_table


def weighted_counts(
    X: sparse.csr_array, position: np.ndarray, n_classes: int, weights: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Count terms (terms, classes) and documents (classes,), multiplied by document weights."""
    weighted = X if weights is None else weigh_documents(X, weights)
    feature_count = sum_by_class(X, position, n_classes, weighted.data)
    return feature_count, count_documents(position, n_classes, weights)
