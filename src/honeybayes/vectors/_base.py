"""Base of the support vector machines: fit, choice of C, prediction and scores."""

import warnings
from abc import ABCMeta, abstractmethod
from collections.abc import Sequence
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.multiclass import OneVsOneClassifier
from sklearn.svm import SVC
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from honeybayes.utils.matrices import check_size
from honeybayes.utils.parameters import documented
from honeybayes.utils.state import Array, Fitted, State, check_inner
from honeybayes.utils.validation import MatrixInputMixin, check_positive, validate_counts

TRAINING_ACCURACY = "training-accuracy"
CS_OF_THE_PAPERS = (1e-4, 1e-3, 1e-2, 1e-1, 1.0, 1e1, 1e2, 1e3, 1e4)
MOST_STEPS = 1_000_000  # of libsvm per pair of classes; it has no limit by default


@documented
class BaseVectorSVC(MatrixInputMixin, ClassifierMixin, BaseEstimator, metaclass=ABCMeta):
    """Abstract base of the classifiers that turn documents into vectors for an SVC.

    A subclass has the parameters ``C`` and ``Cs`` and must define

    ``_features(X)``
        Return the vectors of documents.
    ``_fit_model(features, y)``
        Set ``model_``, which classifies these vectors, and ``C_``.

    and may extend ``_fit_features(X, y)``, which learns what ``_features`` needs and returns the
    vectors of the training documents.

    Parameters
    ----------
    Cs : sequence of float, default=(1e-4, 1e-3, ..., 1e4)
        Values that ``C="training-accuracy"`` selects from.

    References
    ----------
    .. [1] M. C. Ganiz, N. I. Lytkin and W. M. Pottenger, "Leveraging Higher Order Dependencies
       Between Features for Text Classification", DIMACS TR 2009-16.
    """

    fitted_attributes = State(
        model_=Fitted("decision_function"), C_=Array(("pairs",), above=0, or_number=True)
    )

    C: float | str
    Cs: Sequence[float]
    binarize: float | None
    rules_for_C: ClassVar[tuple[str, ...]] = (TRAINING_ACCURACY,)
    C_: float | np.ndarray
    model_: Any

    @abstractmethod
    def _features(self, X: Any) -> Any: ...

    @abstractmethod
    def _fit_model(self, features: Any, y: np.ndarray) -> None: ...

    def _fit_features(self, X: Any, y: np.ndarray) -> Any:
        self._binarize = self.binarize
        return self._features(X)

    def _check_state(self) -> None:
        check_inner(self, "model_", self.n_features_in_)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if isinstance(self.C, Real) and not isinstance(self.C, bool):
            check_positive("C", self.C)
        elif not isinstance(self.C, str) or self.C not in self.rules_for_C:
            allowed = " or ".join(map(repr, self.rules_for_C))
            raise ValueError(f"C must be a number above 0 or {allowed}; got {self.C!r}.")
        # np.ndim of an iterator is 0: it could be read only once
        if np.ndim(self.Cs) != 1 or not len(self.Cs) or any(isinstance(c, bool) for c in self.Cs):
            raise ValueError(f"Cs must be a non-empty list of numbers above 0; got {self.Cs!r}.")
        for each in self.Cs:
            check_positive("each of Cs", each)

    def fit(self, X: Any, y: Any) -> Self:
        """Learn from labeled documents.

        Parameters
        ----------
        y : array-like of shape (n_samples,)
            Label of each document; at least two classes.
        """
        self._check_parameters()
        X, y = validate_counts(self, X, y, reset=True)
        check_classification_targets(y)
        classes = np.unique(y)
        if len(classes) < 2:
            raise ValueError(
                f"y has only one class: {classes.tolist()[0]!r}. At least two classes are required."
            )
        if any(isinstance(label, str) and label.endswith("\0") for label in classes.tolist()):
            raise ValueError(
                "A label ends with the null character, which NumPy ignores. Remove it."
            )
        n_planes, n_bytes = self._size_of_planes(len(classes), X.shape[1])
        check_size(
            n_planes * n_bytes + len(classes) * X.shape[0] * 8,
            f"{len(classes):,} classes and {n_planes:,} planes that separate them",
            "Merge classes, or use a model without pairs, such as CountNB or FewLabelsClassifier.",
        )
        self._fit_model(self._fit_features(X, y), y)
        self.classes_ = classes
        return self

    def _fit_svc(self, svc: SVC, X: Any, y: np.ndarray, C: float | str) -> None:
        """Set ``model_`` and ``C_``: with the given C, or the smallest of the best on X."""
        is_given, most_right = C != TRAINING_ACCURACY, -1
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # also of models not chosen
            for candidate in [float(C)] if is_given else sorted(map(float, self.Cs)):
                model = clone(svc).set_params(C=candidate, max_iter=MOST_STEPS).fit(X, y)
                n_right = 0 if is_given else int(np.count_nonzero(model.predict(X) == y))
                if n_right > most_right:
                    self.model_, self.C_, most_right = model, candidate, n_right
                if most_right == len(y):  # a larger C cannot do better
                    break
        if self.model_.fit_status_ != 0:
            warnings.warn(
                f"The support vector machine did not converge with C={self.C_:g} within "
                f"{MOST_STEPS:,} steps: its predictions are approximate. Use a smaller C, or scale "
                "the features.",
                ConvergenceWarning,
                stacklevel=4,
            )

    def _size_of_planes(self, n_classes: int, n_terms: int) -> tuple[int, int]:
        """Return the number of separating planes, one per pair of classes, and the bytes of each.

        These are about those of its results for 100 documents.
        """
        return n_classes * (n_classes - 1) // 2, 800

    def predict(self, X: Any) -> np.ndarray:
        """Predict the class of each document."""
        features, pair = self._check_new(X), self._only_pair()
        if pair is None:
            return self.model_.predict(features)
        return self.classes_[(pair.decision_function(features) > 0).astype(np.intp)]

    def decision_function(self, X: Any) -> np.ndarray:
        """Return the margin for two classes, or the votes per class for more.

        For two classes, it is the signed distance to the separating plane, in units of the margin.
        For more classes, it is the number of votes of each class over all pairs of classes, plus a
        number between -1/3 and 1/3 that depends on the margins and breaks ties.
        """
        features, pair = self._check_new(X), self._only_pair()
        return (self.model_ if pair is None else pair).decision_function(features)

    def _only_pair(self) -> Any:
        """Return the SVC of two classes; the decision of OneVsOneClassifier would add a vote."""
        if len(self.classes_) > 2 or not isinstance(self.model_, OneVsOneClassifier):
            return None
        return self.model_.estimators_[0]

    def _check_new(self, X: Any) -> Any:
        check_is_fitted(self)
        return self._features(validate_counts(self, X, reset=False))
