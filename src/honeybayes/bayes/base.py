"""Base classes of all naive Bayes estimators."""

from abc import ABCMeta, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Self

import numpy as np
from scipy import sparse
from scipy.special import logsumexp
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from honeybayes.utils.labels import encode_labels
from honeybayes.utils.matrices import per_entry, sum_by_class
from honeybayes.utils.parameters import documented
from honeybayes.utils.validation import MatrixInputMixin, check_weights, validate_counts

Names = Sequence[str] | np.ndarray | None  # of terms; None: those of the model
LARGEST_TOTAL = 1e300  # of counts; multiplied by logs, it still fits in float64


class FitData(NamedTuple):
    """Checked training documents, not to be written to, and their labels."""

    X: sparse.csr_array
    position: np.ndarray  # class index of each document
    classes: np.ndarray
    weights: np.ndarray | None  # of the documents

    def used(self) -> "FitData":
        """Leave out the documents of weight 0."""
        return self if self.weights is None else self.rows(self.weights > 0)

    def rows(self, which: np.ndarray) -> "FitData":
        """Select documents by a mask or by their rows."""
        weights = None if self.weights is None else self.weights[which]
        return FitData(self.X[which], self.position[which], self.classes, weights)

    def class_sizes(self) -> np.ndarray:
        """Count documents per class, by weight."""
        n_classes = len(self.classes)
        return np.bincount(self.position, self.weights, minlength=n_classes).astype(np.float64)

    def with_term(self) -> np.ndarray:
        """Count the documents that contain each term (terms, classes), by weight."""
        each_entry = None if self.weights is None else per_entry(self.X, self.weights)
        return sum_by_class(self.X, self.position, len(self.classes), each_entry)


@documented
class BaseBayes(MatrixInputMixin, ClassifierMixin, BaseEstimator, metaclass=ABCMeta):
    """Abstract base of the naive Bayes estimators.

    A subclass defines ``_prepare(X, weights)``, which returns documents as ``_learn(data)`` needs
    them, or its own ``fit``.
    """

    _prepare: Callable[..., sparse.csr_array]
    _learn: Callable[[FitData], None]

    @abstractmethod
    def _joint_log_likelihood(self, X: Any) -> np.ndarray:
        """Return log P(class, document) of what ``_check_new`` returned, by document and class."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from labeled documents; forget earlier ones.

        Parameters
        ----------
        y : array-like of shape (n_samples,)
            Label of each document. If there is only one class, it is predicted for every document.
        """
        self._check_parameters()
        X, y = self._validate(X, y, reset=True)
        classes, position = self._encode_labels(y)
        weights = None if sample_weight is None else check_weights(sample_weight, X)
        self._learn(FitData(self._prepare(X, weights), position, classes, weights))
        return self

    def _encode_labels(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the classes, and the class index of each document."""
        check_classification_targets(y)
        return encode_labels(y)

    def _check_new(self, X: Any) -> Any:
        """Validate documents to classify."""
        check_is_fitted(self)
        return self._validate(X, reset=False)

    def _validate(self, X: Any, y: Any = "no_validation", *, reset: bool) -> Any:
        """Validate documents, and labels if given."""
        return validate_counts(self, X, y, reset=reset)

    def predict_joint_log_proba(self, X: Any) -> np.ndarray:
        """Compute the joint log-probability of each document and each class, not normalized.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns in the order of ``classes_``.
        """
        return self._joint_log_likelihood(self._check_new(X))

    def predict(self, X: Any) -> np.ndarray:
        """Predict the most probable class of each document."""
        joint = self.predict_joint_log_proba(X)
        return self.classes_[np.argmax(joint, axis=1)]

    def predict_log_proba(self, X: Any) -> np.ndarray:
        """Compute the log-probability of each class given the document."""
        joint = self.predict_joint_log_proba(X)
        joint -= joint.max(axis=1, keepdims=True)  # avoids rounding errors of very large scores
        return joint - logsumexp(joint, axis=1, keepdims=True)

    def predict_proba(self, X: Any) -> np.ndarray:
        """Compute the probability of each class given the document."""
        return np.exp(self.predict_log_proba(X))


@documented
class AdditiveBayes(BaseBayes):
    """Abstract base of models that learn by adding counts to ``feature_count_``.

    The shape of ``feature_count_`` is (n_classes, n_features).
    """

    feature_count_: np.ndarray
    class_count_: np.ndarray
    n_features_in_: int
    # count terms in the shape of ``feature_count_``, and documents per class
    _count: Callable[[FitData], tuple[np.ndarray, np.ndarray]]
    _estimate_again: Callable[[], None]  # the probabilities, from the counts

    def _learn(self, data: FitData) -> None:
        self._take(data.classes, *self._count(data))

    def _take(
        self, classes: np.ndarray, feature_count: np.ndarray, class_count: np.ndarray
    ) -> None:
        check_total(feature_count)  # before anything is changed
        check_total(class_count)
        self.classes_, self.feature_count_, self.class_count_ = classes, feature_count, class_count
        self._estimate_again()

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn from more labeled documents.

        The order and the size of the batches do not change the result.
        """
        self._check_parameters()
        X, y = self._validate(X, y, reset=not hasattr(self, "feature_count_"))
        known = getattr(self, "classes_", None)
        if known is None and classes is None:
            raise ValueError("classes must be passed on the first call to partial_fit.")
        given: Any = known if classes is None else np.unique(classes)
        if known is not None and not np.array_equal(known, given):
            raise ValueError(
                f"classes={given!r} differ from the classes of the first call to partial_fit, "
                f"{known!r}. Pass the same classes, or none."
            )
        check_classification_targets(y)
        unknown = np.setdiff1d(y, given)
        if len(unknown):
            raise ValueError(
                f"y has labels that are not in classes: {unknown.tolist()}. "
                f"The classes are {given.tolist()}."
            )
        weights = None if sample_weight is None else check_weights(sample_weight, X)
        data = FitData(self._prepare(X, weights), np.searchsorted(given, y), given, weights)
        feature_count, class_count = self._count(data)
        if hasattr(self, "feature_count_"):
            feature_count += self.feature_count_
            class_count += self.class_count_
        self._take(given, feature_count, class_count)
        return self

    def merge(self, other: Self) -> Self:
        """Add the counts of another model that was fitted with the same parameters.

        The result is the model of the documents of both. Each may lack classes of the other.

        Parameters
        ----------
        other : estimator
            A fitted model of the same class, with the same features. It is not changed.
        """
        parts = [self, other] if hasattr(self, "feature_count_") else [other]
        if parts[0].n_features_in_ != other.n_features_in_:
            raise ValueError(
                f"The other model has {other.n_features_in_} features, but this one has "
                f"{self.n_features_in_}. Both must have the same features."
            )
        self._check_parameters()
        classes = np.unique(np.concatenate([part.classes_ for part in parts]))
        # in the order of `fit`, so that rounding is the same
        feature_count = np.zeros((len(classes), other.n_features_in_), order="F")
        class_count = np.zeros(len(classes))
        for part in parts:
            rows = np.searchsorted(classes, part.classes_)
            feature_count[rows] += part.feature_count_
            class_count[rows] += part.class_count_
        self.n_features_in_ = other.n_features_in_
        self._take(classes, feature_count, class_count)
        return self

    def widen(self, n_features: int) -> None:
        """Add features that do not occur in any previous document.

        The probabilities are estimated again with the current parameters, as ``partial_fit`` does.

        Parameters
        ----------
        n_features : int
            New number of features. The new features are appended after the old features.
        """
        new = n_features - self.n_features_in_
        if new < 0:
            raise ValueError(
                f"n_features must be at least {self.n_features_in_}, the number of features of the "
                f"model; got {n_features}."
            )
        self.feature_count_ = np.pad(self.feature_count_, ((0, 0), (0, new)))
        self.n_features_in_ = n_features
        if hasattr(self, "feature_names_in_"):
            del self.feature_names_in_  # the new features have no names
        self._estimate_again()


def check_total(counts: np.ndarray) -> None:
    """Raise ValueError if the sum of counts, weighted or not, is too large for float64."""
    with np.errstate(over="ignore"):
        total = counts.sum()
    if not total <= LARGEST_TOTAL:
        raise ValueError(
            f"The sum of the counts (multiplied by the weights, if any) is {total}, but their sum "
            f"must be at most {LARGEST_TOTAL}. Divide X, or the weights, by their largest value."
        )


def term_names(model: Any, feature_names: Names) -> Sequence[Any]:
    """Return the given names, else ``feature_names_in_``, else column numbers."""
    if feature_names is None:
        return getattr(model, "feature_names_in_", range(model.n_features_in_))
    if len(feature_names) != model.n_features_in_:
        raise ValueError(
            f"feature_names has {len(feature_names)} names, but the model was fitted to "
            f"{model.n_features_in_} terms. Pass one name per term."
        )
    return [str(name) for name in feature_names]
