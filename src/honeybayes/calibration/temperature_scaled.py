"""TemperatureScaledClassifier: calibrated confidence for any classifier."""

from collections.abc import Callable
from dataclasses import field
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.linear_model import LogisticRegression
from sklearn.utils import Tags, get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from honeybayes.calibration.coverage import prediction_sets, warn_of_unknown_classes
from honeybayes.calibration.temperature import Calibration, calibrated_proba, find_temperature
from honeybayes.utils import meta_estimators, scores, validation
from honeybayes.utils.parameters import estimator
from honeybayes.utils.state import Array, Fitted, Integer, Number, State, check_inner

NOT_MEASURED = Calibration(temperature=1.0, n_held_out=0, doubt=0.0, held_out=None)


def _estimator_has(method: str) -> Callable[[Any], bool]:
    return lambda scaled: hasattr(getattr(scaled, "estimator_", scaled._template), method)


def held_out_of(model: Any) -> np.ndarray:
    """Return the ``held_out_`` of a fitted model, or raise ValueError if it has none."""
    found = getattr(model, "held_out_", None)
    if found is None or not len(found):
        raise ValueError(
            "The model has no held-out texts: they need a fit with calibration and at least ten "
            "labels, of random texts if is_random was given. Label more texts, or fit again."
        )
    return found


def scale_fitted(
    model: Any, calibration: Calibration = NOT_MEASURED, *, min_df: int = 1
) -> "TemperatureScaledClassifier":
    """Wrap a fitted classifier with a temperature that is known, by default 1."""
    return TemperatureScaledClassifier(clone(model), min_df=min_df)._wrap(model, calibration)


@estimator
class TemperatureScaledClassifier(
    scores.LabeledScoreMixin, MetaEstimatorMixin, ClassifierMixin, BaseEstimator
):
    """Calibrate a classifier with a temperature that is measured on held-out documents.

    The scores of the classifier are divided by the temperature, and a share of the probability, the
    doubt, is divided evenly among the classes. After this, about 80 % of the documents whose
    predicted class has probability 0.8 are predicted correctly. The predictions do not change. This
    works for every classifier that returns scores or probabilities per class. Classifiers without
    probabilities, such as LinearSVC, also get probabilities.

    Parameters
    ----------
    estimator : estimator or None, default=None
        The classifier, which takes counts of terms. None uses ``LogisticRegression()``.
    min_df : int, default=1
        A term that occurs in fewer training documents of a fold is dropped in that fold.
    selector : transformer or None, default=None
        Selects terms before the model. It is fitted with the labels, so each fold fits its own.
    n_dense : int, default=0
        Number of last columns that hold dense features: these are not dropped in any fold.

    Attributes
    ----------
    estimator_ : estimator
        The classifier, fitted to all documents.
    selector_ : transformer or None
        The selector, fitted to all documents.
    temperature_ : float
        The number that scores are divided by; 1 if it was not measured.
    doubt_ : float
        The share of the probability that is divided evenly among the classes: large after few
        labels, 0.01 after many, 0 after ``partial_fit`` without ``fit``.
    n_held_out_ : int
        Number of held-out documents on which the temperature was measured; 0 if fewer than ten can
        be held out.
    held_out_ : ndarray of float32, shape (n, 2), or None
        For up to 1,000 of these, the confidence and the probability of the label. The only document
        of a class, which cannot be held out, has the probability 0.

    Notes
    -----
    The folds depend on the order of the documents and on a fixed seed. The same documents in the
    same order give the same temperature.

    Examples
    --------
    >>> from sklearn.svm import LinearSVC
    >>> from honeybayes import TemperatureScaledClassifier, TextVectorizer
    >>> from honeybayes.tables import load_corpus
    >>> corpus = load_corpus("messages")
    >>> X = TextVectorizer().fit_transform(corpus.documents)
    >>> classifier = TemperatureScaledClassifier(LinearSVC()).fit(X, corpus.labels)
    >>> classifier.predict_proba(X).shape, classifier.n_held_out_
    ((600, 8), 600)
    """

    estimator: Any = field(default=None, kw_only=False)
    min_df: validation.FromOne = 1
    selector: Any = None
    n_dense: validation.FromZero = 0

    inner_model = "estimator"
    fitted_attributes = State(
        estimator_=Fitted("predict"),
        selector_=Fitted("transform", optional=True),
        temperature_=Number(above=0),
        n_held_out_=Integer(),
        doubt_=Number(low=0),
        held_out_=Array(("held out", 2), dtype=("float32",), low=0, optional=True),
    )

    def fit(self, X: Any, y: Any, sample_weight: Any = None, is_random: Any = None) -> Self:
        """Measure the temperature on held-out documents, and fit the estimator to all.

        Parameters
        ----------
        y : array-like of shape (n_samples,)
            Label of each document, or the mark of unlabeled documents if the estimator has one.
        sample_weight : array-like of shape (n_samples,), optional
            Weight of each document in the fits of the estimator. The temperature counts every
            held-out document once.
        """
        self._check_parameters()
        model = clone(self._template)
        if not scores.can_score(model):
            raise ValueError(
                f"{model!r} returns neither scores nor probabilities per class, so it cannot be "
                "calibrated. Use another classifier, or use this one without calibration."
            )
        X, y = validation.validate_plain(self, X, y)
        check_classification_targets(y)
        validation.check_n_dense(self.n_dense, X.shape[1])
        if sample_weight is not None:
            meta_estimators.check_takes_weights(model)
            sample_weight = validation.check_weights(sample_weight, X)
        if is_random is not None:
            is_random = validation.check_is_random(is_random, X.shape[0])
        options: dict[str, Any] = {"min_df": self.min_df, "n_dense": self.n_dense}
        options |= {"selector": self.selector, "sample_weight": sample_weight}
        found = find_temperature(model, X, y, is_random=is_random, **options)
        self.temperature_, self.n_held_out_, self.doubt_, self.held_out_ = found
        self.selector_ = None
        if self.selector is not None:
            self.selector_ = clone(self.selector).fit(X, y)
            X = self.selector_.transform(X)
        self.estimator_ = meta_estimators.fit_weighted(model, X, y, sample_weight)
        self.classes_ = self.estimator_.classes_
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Predict the class of each document."""
        X = self._prepare(X)
        return self.estimator_.predict(X)

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the calibrated probability of each class."""
        X = self._prepare(X)
        return calibrated_proba(self.estimator_, X, self.temperature_, self.doubt_)

    def predict_set(
        self, X: Any, coverage: float = 0.9, *, allow_empty: bool = False
    ) -> np.ndarray:
        """Return the classes that contain the label of a document with a given probability.

        This is conformal prediction with the documents that ``fit`` held out; see
        `honeybayes.calibration.prediction_sets`. It holds only if the labeled documents are a
        random sample.

        Parameters
        ----------
        coverage : float, default=0.9
            Share of the documents whose label must be in the set.
        allow_empty : bool, default=False
            Whether a set may be empty; otherwise it contains at least the predicted class.

        Returns
        -------
        ndarray of bool, shape (n_samples, n_classes)
            Columns in the order of ``classes_``.
        """
        check_is_fitted(self)
        of_label = held_out_of(self)[:, 1]
        warn_of_unknown_classes(of_label, coverage)
        return prediction_sets(self.predict_proba(X), of_label, coverage, allow_empty=allow_empty)

    @available_if(lambda self: self.selector is None and _estimator_has("partial_fit")(self))
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Fit the estimator to more documents.

        Available with ``selector=None``. The temperature of ``fit`` is kept; without ``fit`` it is
        1.
        """
        if getattr(self, "selector_", None) is not None:
            raise ValueError("partial_fit cannot select terms: call fit with selector=None first.")
        weights = {} if sample_weight is None else {"sample_weight": sample_weight}
        if hasattr(self, "estimator_"):
            self.estimator_.partial_fit(X, y, classes, **weights)
            return self
        return self._wrap(clone(self.estimator).partial_fit(X, y, classes, **weights))

    @available_if(_estimator_has("widen"))
    def widen(self, n_features: int) -> Self:
        """Add columns for terms that do not occur in any previous document.

        Parameters
        ----------
        n_features : int
            New number of columns, at least as many as before.
        """
        check_is_fitted(self)
        self.estimator_.widen(n_features)
        self.n_features_in_ = self.estimator_.n_features_in_
        return self

    def _wrap(self, fitted: Any, calibration: Calibration = NOT_MEASURED) -> Self:
        """Wrap a fitted classifier, without measuring the temperature."""
        self.estimator_, self.selector_, self.classes_ = fitted, None, fitted.classes_
        self.temperature_, self.n_held_out_, self.doubt_, self.held_out_ = calibration
        self.n_features_in_ = fitted.n_features_in_
        if hasattr(fitted, "feature_names_in_"):
            self.feature_names_in_ = fitted.feature_names_in_
        return self

    @available_if(_estimator_has("decision_function"))
    def decision_function(self, X: Any) -> np.ndarray:
        """Return the decision function of the estimator, which is not calibrated."""
        X = self._prepare(X)
        return self.estimator_.decision_function(X)

    def _prepare(self, X: Any) -> Any:
        """Return the columns of X that the estimator takes."""
        check_is_fitted(self)
        X = validation.validate_plain(self, X, reset=False)
        return X if self.selector_ is None else self.selector_.transform(X)

    @property
    def _template(self) -> Any:
        return LogisticRegression() if self.estimator is None else self.estimator

    def _check_state(self) -> None:
        width = self.n_features_in_
        if self.selector_ is not None:
            if self.selector_.n_features_in_ != width:
                raise ValueError(f"selector_ does not take {width} columns")
            width = int(self.selector_.get_support().sum())
        check_inner(self, "estimator_", width)
        if not scores.can_score(self.estimator_):
            raise ValueError("estimator_ has neither scores nor probabilities per class")

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        inner = get_tags(self._template)
        tags.input_tags.sparse = inner.input_tags.sparse
        tags.input_tags.positive_only = inner.input_tags.positive_only or (
            self.selector is not None and get_tags(self.selector).input_tags.positive_only
        )
        if inner.classifier_tags is not None:
            tags.classifier_tags.poor_score = inner.classifier_tags.poor_score
        return tags
