"""What every naive Bayes estimator of this room shares: from joint log-likelihood to answers."""

from abc import ABCMeta, abstractmethod
from numbers import Integral, Real
from typing import Any

import numpy as np
from scipy.special import logsumexp
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

# COO too: converted by scikit-learn, its duplicates would be summed in a type that may wrap around
SPARSE_FORMATS = ("csr", "csc", "coo")


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


def validate_counts(model: Any, X: Any, y: Any = "no_validation", *, reset: bool) -> Any:
    """Check X, and y if it is given, in scikit-learn's way."""
    first = next(iter(X), None) if isinstance(X, list | tuple | np.ndarray) else None
    if isinstance(first, str):
        raise ValueError(
            "X holds texts, but this model takes counts of terms: use "
            f"TextClassifier({type(model).__name__}()), or put a CountVectorizer in front."
        )
    return validate_data(model, X, y, accept_sparse=SPARSE_FORMATS, reset=reset)


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


def check_option(name: str, value: Any, options: tuple) -> None:
    """Refuse a parameter that is none of the options."""
    known = isinstance(value, str) if value is not None else True
    if not known or value not in options:
        allowed = ", ".join(map(repr, options))
        raise ValueError(f"{name} must be one of {allowed}; got {value!r}.")


def check_positive(name: str, value: Any) -> None:
    """Refuse a parameter that is not a finite number above zero."""
    if not isinstance(value, Real) or not 0 < float(value) < np.inf:
        raise ValueError(f"{name} must be a finite number above 0; got {value!r}.")
    _check_magnitude(name, value)


def check_fraction(name: str, value: Any) -> None:
    """Refuse a parameter that is not a number from 0 to 1."""
    if not isinstance(value, Real) or not 0 <= float(value) <= 1:
        raise ValueError(f"{name} must be a number from 0 to 1; got {value!r}.")


def check_not_negative(name: str, value: Any) -> None:
    """Refuse a parameter that is not a finite number, 0 or more."""
    if not isinstance(value, Real) or not 0 <= float(value) < np.inf:
        raise ValueError(f"{name} must be a finite number, 0 or more; got {value!r}.")
    if value:
        _check_magnitude(name, value)


def check_whole(name: str, value: Any, least: int = 0) -> None:
    """Refuse a parameter that is not a whole number of at least so much."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise ValueError(f"{name} must be a whole number, {least} or more; got {value!r}.")


def check_flag(name: str, value: Any) -> None:
    """Refuse a parameter that is neither true nor false."""
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"{name} must be True or False; got {value!r}.")


def _check_magnitude(name: str, value: Any) -> None:
    if not 1e-100 <= value <= 1e100:
        raise ValueError(
            f"{name}={value!r} leads out of what float64 can hold: take it from 1e-100 to 1e100."
        )


def check_weights(sample_weight: Any, X: Any) -> np.ndarray:
    """Weights of the documents of X as float64: not negative, not all zero."""
    weights = _check_sample_weight(sample_weight, X, dtype=np.float64)
    if weights.min() < 0:
        raise ValueError("Negative values in sample_weight: a document counts 0 or more.")
    with np.errstate(over="ignore"):
        if not np.isfinite(weights.sum()):
            raise ValueError("The sum of sample_weight is too large for float64.")
    if not weights.any():
        raise ValueError("sample_weight gives every document the weight 0: nothing to learn.")
    return weights


def check_term_weights(name: str, weights: Any, n_terms: int) -> np.ndarray:
    """Weights of the terms as float64: one each, finite and not negative."""
    weights = np.array(weights, dtype=np.float64)
    if weights.shape != (n_terms,):
        raise ValueError(
            f"{name} must hold one weight for each of the {n_terms} terms; "
            f"got shape {weights.shape}."
        )
    wrong = ~np.isfinite(weights) | (weights < 0)
    if wrong.any():
        raise ValueError(f"{name} must be finite and not negative; got {weights[wrong][0]}.")
    return weights
