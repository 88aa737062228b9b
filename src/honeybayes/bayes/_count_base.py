"""Naive Bayes on counts: a document is how often each of its words occurs."""

from abc import abstractmethod
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_non_negative

from honeybayes._targets import encode_labels
from honeybayes.bayes._base import BaseBayes, check_option, check_positive
from honeybayes.bayes._count_rules import DECISION_RULES


class BaseCountNB(BaseBayes):
    """Abstract base of the naive Bayes estimators that count words.

    A variant has the parameters ``rule`` and ``alpha`` and must write

    ``fit(X, y)``
        Learn, with ``_start_fit`` for the checks and ``_set_priors`` for the priors.
    ``_class_log_likelihood(X)``
        log P(document given class), as an array (documents, classes).
    ``_complement_log_likelihood(X)``
        The same given each class's complement: the documents of all other classes.

    and may override

    ``_log_likelihood_ratio(X)``
        What the one-vs-rest rule looks at: by default the first less the second.
    ``_check_parameters()``
        Refuse parameters that make no sense.

    A rule calls only the hooks that it needs: the first, the second, or the ratio.
    """

    rule: str
    alpha: float

    @abstractmethod
    def _class_log_likelihood(self, X: Any) -> np.ndarray: ...

    @abstractmethod
    def _complement_log_likelihood(self, X: Any) -> np.ndarray: ...

    def _log_likelihood_ratio(self, X: Any) -> np.ndarray:
        return self._class_log_likelihood(X) - self._complement_log_likelihood(X)

    def _check_parameters(self) -> None:
        check_option("rule", self.rule, tuple(DECISION_RULES))
        check_positive("alpha", self.alpha)

    def _start_fit(self, X: Any, y: Any) -> tuple[sparse.csr_array, np.ndarray, np.ndarray]:
        """Check everything; return counts, positions of the labels, and classes."""
        self._check_parameters()
        X, y = self._check_labeled(X, y)
        check_classification_targets(y)
        classes, position = encode_labels(y)
        return X, position, classes

    def _check_labeled(self, X: Any, y: Any, reset: bool = True) -> tuple[Any, Any]:
        X, y = self._validate(X, y, reset=reset)
        return sparse.csr_array(self._as_counts(X)), y

    def _check_new(self, X: Any) -> Any:
        return self._as_counts(super()._check_new(X))

    def _as_counts(self, X: Any) -> Any:
        self._check_counts(X)
        if not sparse.issparse(X):
            return X
        if X.format == "coo":
            X = X.astype(np.float64)  # before its duplicates are summed
        return sparse.csr_array(X)

    def _check_counts(self, X: Any) -> None:
        check_non_negative(X, f"{type(self).__name__} (counts of terms)")

    def _set_priors(self, class_count: np.ndarray) -> None:
        """Estimate P(class) and P(complement) by Equations 4 and 5; keep how it was learned.

        The rule and alpha of a fitted model are those of its fit: what was learned with one does
        not go with another that is set later.
        """
        self._rule, self._alpha = self.rule, np.array([self.alpha], dtype=np.float64)
        n_documents, n_classes = class_count.sum(), len(class_count)
        self.class_count_ = class_count
        self.class_log_prior_ = np.log((class_count + 1) / (n_documents + n_classes))
        self.complement_log_prior_ = np.log(
            (n_documents - class_count + 1) / (n_documents + n_classes)
        )

    def _joint_log_likelihood(self, X: Any) -> np.ndarray:
        return DECISION_RULES[self._rule](self, X)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        # scikit-learn's checks classify Gaussian blobs, which are no counts
        tags.classifier_tags.poor_score = True
        return tags


def of_complement(by_class: np.ndarray) -> np.ndarray:
    """Turn sums by class, classes last, into sums over all other classes.

    The classes before and those after are added up: the total less the class itself would cancel,
    and fractional counts could come out below zero.
    """
    others = np.zeros_like(by_class)
    others[..., 1:] = np.cumsum(by_class[..., :-1], axis=-1)
    others[..., :-1] += np.cumsum(by_class[..., :0:-1], axis=-1)[..., ::-1]
    return others


def smoothed_log_prob(counts: np.ndarray, alpha: float) -> np.ndarray:
    """Take the log of P(term given class) from counts (terms, classes), Equations 6 and 7."""
    smoothed = counts + alpha
    return np.log(smoothed) - np.log(smoothed.sum(axis=0))
