"""What every naive Bayes estimator of this room shares: from joint log-likelihood to answers."""

from abc import ABCMeta, abstractmethod
from numbers import Real
from typing import Any

import numpy as np
from scipy.special import logsumexp
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data


class BaseBayes(ClassifierMixin, BaseEstimator, metaclass=ABCMeta):
    """Abstract base of the naive Bayes estimators.

    A variant must write

    ``_joint_log_likelihood(X)``
        log P(class) + log P(document given class), as an array (documents, classes), for ``X``
        as it came back from ``_check_new``.

    and may extend ``_check_new(X)``, which validates documents that are to be classified.
    """

    @abstractmethod
    def _joint_log_likelihood(self, X: Any) -> np.ndarray: ...

    def _check_new(self, X: Any) -> Any:
        return validate_data(self, X, accept_sparse="csr", reset=False)

    def predict_joint_log_proba(self, X: Any) -> np.ndarray:
        """Joint log-probability of each document and each class, not normalized.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents by terms.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns in the order of ``classes_``.
        """
        check_is_fitted(self)
        return self._joint_log_likelihood(self._check_new(X))

    def predict(self, X: Any) -> np.ndarray:
        """Most probable class of each document.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents by terms.

        Returns
        -------
        ndarray of shape (n_samples,)
            Values of ``classes_``.
        """
        joint = self.predict_joint_log_proba(X)
        return self.classes_[np.argmax(joint, axis=1)]

    def predict_log_proba(self, X: Any) -> np.ndarray:
        """Log-probability of each class given the document.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents by terms.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns in the order of ``classes_``.
        """
        joint = self.predict_joint_log_proba(X)
        return joint - logsumexp(joint, axis=1, keepdims=True)

    def predict_proba(self, X: Any) -> np.ndarray:
        """Probability of each class given the document.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents by terms.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns in the order of ``classes_``; each row sums to one.
        """
        return np.exp(self.predict_log_proba(X))

    def _start_partial_fit(self, classes: Any) -> bool:
        """Settle the classes at the first call of ``partial_fit``; say whether it is the first."""
        first = not hasattr(self, "classes_")
        if first:
            if classes is None:
                raise ValueError("classes must be passed on the first call to partial_fit.")
            self.classes_ = np.unique(classes)
        elif classes is not None and not np.array_equal(self.classes_, np.unique(classes)):
            raise ValueError(
                f"classes={np.unique(classes)!r} are not those of the first call to partial_fit, "
                f"{self.classes_!r}."
            )
        return first

    def _encode_announced(self, y: Any) -> np.ndarray:
        """Positions of the labels in ``classes_``; a label that was not announced is an error."""
        check_classification_targets(y)
        unknown = np.setdiff1d(y, self.classes_)
        if len(unknown):
            raise ValueError(
                f"y has label(s) that were not announced in classes: {unknown.tolist()}; "
                f"announced were {self.classes_.tolist()}."
            )
        return np.searchsorted(self.classes_, y)


def encode_labels(y: Any) -> tuple[np.ndarray, np.ndarray]:
    """Sorted classes, and for each label its position among them."""
    check_classification_targets(y)
    return np.unique(y, return_inverse=True)


def check_option(name: str, value: Any, options: tuple) -> None:
    """Refuse a parameter that is none of the options."""
    if not any(value is option or (type(value) is str and value == option) for option in options):
        allowed = ", ".join(map(repr, options))
        raise ValueError(f"{name} must be one of {allowed}; got {value!r}.")


def check_positive(name: str, value: Any) -> None:
    """Refuse a parameter that is not a finite number above zero."""
    if not isinstance(value, Real) or not 0 < float(value) < np.inf:
        raise ValueError(f"{name} must be a finite number above 0; got {value!r}.")


def check_fraction(name: str, value: Any) -> None:
    """Refuse a parameter that is not a number from 0 to 1."""
    if not isinstance(value, Real) or not 0 <= float(value) <= 1:
        raise ValueError(f"{name} must be a number from 0 to 1; got {value!r}.")


def check_not_negative(name: str, value: Any) -> None:
    """Refuse a parameter that is not a finite number, 0 or more."""
    if not isinstance(value, Real) or not 0 <= float(value) < np.inf:
        raise ValueError(f"{name} must be a finite number, 0 or more; got {value!r}.")


def check_weights(sample_weight: Any, X: Any) -> np.ndarray:
    """Weights of the documents of X as float64: not negative, not all zero."""
    weights = _check_sample_weight(sample_weight, X, dtype=np.float64)
    if weights.min() < 0:
        raise ValueError("Negative values in sample_weight: a document counts 0 or more.")
    if not weights.any():
        raise ValueError("sample_weight gives every document the weight 0: nothing to learn.")
    return weights
