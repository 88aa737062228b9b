"""What every naive Bayes estimator of this room shares: from joint log-likelihood to answers."""

from abc import ABCMeta, abstractmethod
from typing import Any

import numpy as np
from scipy.special import logsumexp
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from honeybayes.utils.validation import validate_counts


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
        return self._validate(X, reset=False)

    def _validate(self, X: Any, y: Any = "no_validation", *, reset: bool) -> Any:
        return validate_counts(self, X, y, reset=reset)

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
        joint -= joint.max(axis=1, keepdims=True)  # very large scores would swallow the sum
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

    def _announced_classes(self, classes: Any) -> np.ndarray:
        """All classes that ``partial_fit`` will ever meet, settled by its first call."""
        if not hasattr(self, "feature_count_"):
            if classes is None:
                raise ValueError("classes must be passed on the first call to partial_fit.")
            return np.unique(classes)
        if classes is not None and not np.array_equal(self.classes_, np.unique(classes)):
            raise ValueError(
                f"classes={np.unique(classes)!r} are not those of the first call to partial_fit, "
                f"{self.classes_!r}."
            )
        return self.classes_


def encode_announced(y: Any, classes: np.ndarray) -> np.ndarray:
    """Positions of the labels among the classes; a label that was not announced is an error."""
    check_classification_targets(y)
    unknown = np.setdiff1d(y, classes)
    if len(unknown):
        raise ValueError(
            f"y has label(s) that were not announced in classes: {unknown.tolist()}; "
            f"announced were {classes.tolist()}."
        )
    return np.searchsorted(classes, y)


class AdditiveMixin(metaclass=ABCMeta):
    """For models that learn by adding counts to ``feature_count_`` (classes, features)."""

    feature_count_: np.ndarray
    n_features_in_: int

    @abstractmethod
    def _estimate_anew(self) -> None:
        """Recompute what is estimated from the counts."""

    def widen(self, n_features: int) -> None:
        """Make room for features that were not known before, as if they had been absent.

        Parameters
        ----------
        n_features : int
            New number of features; the new ones come after the old.
        """
        new = n_features - self.n_features_in_
        if new < 0:
            raise ValueError(
                f"The model has {self.n_features_in_} features and cannot go back to {n_features}."
            )
        self.feature_count_ = np.pad(self.feature_count_, ((0, 0), (0, new)))
        self.n_features_in_ = n_features
        if hasattr(self, "feature_names_in_"):
            del self.feature_names_in_  # the new ones have no names
        self._estimate_anew()
