"""Calibrated confidence: scores are divided by a temperature before the softmax.

p(class) = softmax(score / (T d)), where d is 1 or the square root of the document's length. Naive
Bayes treats the words of a document as independent, so its scores grow with their number and its
posteriors saturate at 0 and 1; the confidence of linear models with few labels is too low. One
number T corrects both. It does not change the order of the classes, so the prediction stays the
same.

scikit-learn (1.8 and later) has ``CalibratedClassifierCV(method="temperature")``. It is not used
for three reasons. It uses probabilities instead of scores, and probabilities of exactly 0 or 1
contain no information. It does not support unlabeled documents, or classes with fewer labels than
folds. And it would keep terms that do not occur in the training part of a fold (see
`honeybayes.utils.folds.fit_on_folds`).
"""

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq
from scipy.special import softmax
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.linear_model import LogisticRegression
from sklearn.utils import Tags, get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from honeybayes.utils.folds import fit_on_folds, shuffled_folds
from honeybayes.utils.labeled_score import accuracy_of_labeled
from honeybayes.utils.labels import encode_labels
from honeybayes.utils.meta import InnerModelMixin, check_takes_weights
from honeybayes.utils.scores import can_score, scores_by_class
from honeybayes.utils.state import Integer, Number, State
from honeybayes.utils.tags import mark_of_unlabeled, model_tags
from honeybayes.utils.validation import check_n_dense, check_weights, validate_plain

# Chosen on the 20 Newsgroups subsets, oh0, oh5, re0 and Cora: see docs/calibration.md.
LENGTH_EXPONENT = 0.5
FEWEST_HELD_OUT = 10
N_BINS = 15  # of the expected calibration error
# More documents do not improve one number: with many labels, fewer folds are used.
MOST_HELD_OUT = 1000
# log of the highest temperature, in units of the mean score, where probabilities are almost
# uniform; minus the log of the lowest
HOTTEST = 7.0
FLOOR = -1e6  # of a score below the best, so that log 0 stays finite
UNSEEN = 0.01  # probability of a class that none of a model's few voters chose


def _estimator_has(method: str) -> Callable[[Any], bool]:
    return lambda scaled: hasattr(getattr(scaled, "estimator_", scaled._template), method)


def scale_fitted(model: Any) -> "TemperatureScaledClassifier":
    """Wrap a fitted classifier with a temperature of 1, without holding out documents.

    Parameters
    ----------
    model : estimator
        Fitted classifier.

    Returns
    -------
    TemperatureScaledClassifier
        Fitted.
    """
    return TemperatureScaledClassifier(clone(model))._wrap(model)


class TemperatureScaledClassifier(
    InnerModelMixin, MetaEstimatorMixin, ClassifierMixin, BaseEstimator
):
    """Calibrate a classifier with a temperature that is measured on held-out documents.

    The scores of the classifier are divided by the temperature. After this, about 80 % of the
    documents whose predicted class has probability 0.8 are predicted correctly. The predictions do
    not change. This works for every classifier that returns scores or probabilities per class.
    Classifiers without probabilities, such as LinearSVC, also get probabilities.

    Parameters
    ----------
    estimator : estimator or None, default=None
        The classifier, which takes counts of terms. None uses ``LogisticRegression()``.
    min_df : int, default=1
        A term that occurs in fewer training documents of a fold is dropped in that fold.
    selector : transformer or None, default=None
        Selects terms before ``estimator``. It is fitted with the labels, so each fold fits its own.
    n_dense : int, default=0
        Number of last columns that hold dense features: these are not dropped in any fold. The
        estimator, and a selector such as `honeybayes.text.OnTerms`, must expect them.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Sorted labels.
    estimator_ : estimator
        The classifier, fitted to all documents.
    selector_ : transformer or None
        The selector, fitted to all documents.
    temperature_ : float
        The number that scores are divided by; 1 if it was not measured.
    n_held_out_ : int
        Number of held-out documents on which the temperature was measured; 0 if fewer than ten can
        be held out.
    n_features_in_ : int
        Number of terms.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the columns, if ``X`` has names that are all strings.

    See Also
    --------
    honeybayes.TextClassifier : Uses this unless ``calibrate=None``.

    Notes
    -----
    The folds depend on the order of the documents and on a fixed seed. The same documents in the
    same order give the same temperature.

    Examples
    --------
    >>> from sklearn.svm import LinearSVC
    >>> from honeybayes import TemperatureScaledClassifier, TextVectorizer
    >>> from honeybayes.data import load_corpus
    >>> corpus = load_corpus("messages")
    >>> X = TextVectorizer().fit_transform(corpus.documents)
    >>> classifier = TemperatureScaledClassifier(LinearSVC()).fit(X, corpus.labels)
    >>> classifier.predict_proba(X).shape, classifier.n_held_out_
    ((600, 8), 600)
    """

    inner_model = "estimator"
    fitted_attributes = State(temperature_=Number(above=0), n_held_out_=Integer())

    def __init__(
        self, estimator: Any = None, *, min_df: int = 1, selector: Any = None, n_dense: int = 0
    ) -> None:
        self.estimator = estimator
        self.min_df = min_df
        self.selector = selector
        self.n_dense = n_dense

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Measure the temperature on held-out documents, and fit the estimator to all.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents by terms.
        y : array-like of shape (n_samples,)
            Label of each document, or the mark of unlabeled documents if the estimator has one.
        sample_weight : array-like of shape (n_samples,), optional
            Weight of each document in the fits of the estimator. The temperature counts every
            held-out document once.

        Returns
        -------
        self : object
        """
        self._check_parameters()
        model = clone(self._template)
        if not can_score(model):
            raise ValueError(
                f"{model!r} returns neither scores nor probabilities per class, so it cannot be "
                "calibrated. Use another classifier, or use this one without calibration."
            )
        X, y = validate_plain(self, X, y)
        check_classification_targets(y)
        check_n_dense(self.n_dense, X.shape[1])
        if sample_weight is not None:
            check_takes_weights(model)
            sample_weight = check_weights(sample_weight, X)
        self.temperature_, self.n_held_out_ = find_temperature(
            *(model, X, y),
            min_df=self.min_df,
            n_dense=self.n_dense,
            selector=self.selector,
            sample_weight=sample_weight,
        )
        self._fit_inner(model, X, y, sample_weight)
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the calibrated probability of each class.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents by terms.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns in the order of ``classes_``.
        """
        X = self._prepare(X)
        return calibrated_proba(self.estimator_, X, self.temperature_)

    @available_if(lambda self: self.selector is None and _estimator_has("partial_fit")(self))
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Fit the estimator to more documents.

        Available with ``selector=None``. The temperature of ``fit`` is kept; without ``fit`` it is
        1.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents by terms.
        y : array-like of shape (n_samples,)
            Label of each document.
        classes : array-like of shape (n_classes,), optional
            All labels that will ever occur; required on the first call.
        sample_weight : array-like of shape (n_samples,), optional
            Weight of each document.

        Returns
        -------
        self : object
        """
        if getattr(self, "selector_", None) is not None:
            raise ValueError("partial_fit cannot select terms: call fit with selector=None first.")
        first = not hasattr(self, "estimator_")
        model = clone(self.estimator) if first else self.estimator_
        weights = {} if sample_weight is None else {"sample_weight": sample_weight}
        model.partial_fit(X, y, classes, **weights)
        return self._wrap(model) if first else self

    @available_if(_estimator_has("widen"))
    def widen(self, n_features: int) -> Self:
        """Add columns for terms that do not occur in any previous document.

        Parameters
        ----------
        n_features : int
            New number of columns, at least as many as before.

        Returns
        -------
        self : object
        """
        check_is_fitted(self)
        self.estimator_.widen(n_features)
        self.n_features_in_ = self.estimator_.n_features_in_
        return self

    def _wrap(self, fitted: Any) -> Self:
        """Wrap a fitted classifier, without measuring the temperature."""
        self.estimator_, self.selector_, self.classes_ = fitted, None, fitted.classes_
        self.temperature_, self.n_held_out_ = 1.0, 0
        self.n_features_in_ = fitted.n_features_in_
        if hasattr(fitted, "feature_names_in_"):
            self.feature_names_in_ = fitted.feature_names_in_
        return self

    @available_if(_estimator_has("decision_function"))
    def decision_function(self, X: Any) -> np.ndarray:
        """Return the decision function of the estimator, which is not calibrated.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents by terms.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
        """
        X = self._prepare(X)
        return self.estimator_.decision_function(X)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the accuracy on the documents with a label.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents by terms.
        y : array-like of shape (n_samples,)
            Label of each document, or the mark of unlabeled documents if the estimator has one.
        sample_weight : array-like of shape (n_samples,), optional
            Weight of each document.

        Returns
        -------
        float
        """
        predicted = self.predict(X)
        mark = mark_of_unlabeled(self.estimator_)
        return accuracy_of_labeled(y, predicted, mark, sample_weight, self.classes_)

    @property
    def _template(self) -> Any:
        return LogisticRegression() if self.estimator is None else self.estimator

    def _check_state(self) -> None:
        super()._check_state()
        if not can_score(self.estimator_):
            raise ValueError(
                "estimator_ cannot be calibrated: it returns neither scores nor class probabilities"
            )

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


def class_scores(model: Any, X: Any) -> np.ndarray:
    """Return the score of each class for each document.

    Parameters
    ----------
    model : estimator
        Fitted classifier.
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Documents by terms.

    Returns
    -------
    ndarray of shape (n_samples, n_classes)
        Joint log-probabilities if the model has them, else the decision function, else
        log-probabilities. The best class of a document has score 0, the other classes have negative
        scores.

    Notes
    -----
    Joint log-probabilities are divided by the square root of the document's length, because they
    are sums over its words. A model that already divides each document by its length declares this
    in its ``model_tags``.

    A probability of 0 is replaced by `UNSEEN`, or by the smallest other probability of the document
    if that is smaller. In a forest, a tree or nearest neighbors, 0 only means that none of a few
    voters chose the class.

    With more than two classes, a decision function can count votes, and two classes can have the
    same number of votes. ``predict`` can then choose another class than the decision function, for
    example in scikit-learn's SVC. In this case, the score of the predicted class is swapped with
    the best score.
    """
    scores = scores_by_class(model, X, margin=0.5)
    if scores is None:
        return _below_best(_log_proba(model, X))
    scores = _below_best(scores)
    if hasattr(model, "predict_joint_log_proba"):
        if model_tags(model).scores_grow_with_length:
            length = np.asarray(X.sum(axis=1), dtype=np.float64).reshape(-1, 1)
            scores /= np.maximum(length, 1) ** LENGTH_EXPONENT
        return scores
    return _predicted_first(model, X, scores) if scores.shape[1] > 2 else scores


def _log_proba(model: Any, X: Any) -> np.ndarray:
    if not hasattr(model, "predict_log_proba") and not hasattr(model, "predict_proba"):
        raise ValueError(
            f"{model!r} scores pairs of classes and has no probabilities, so there is no score by "
            "class to calibrate. Use calibrate=None, or a decision function with one column per "
            "class."
        )
    with np.errstate(divide="ignore"):
        if hasattr(model, "predict_log_proba"):  # finite even if a probability rounds to 0
            scores = np.asarray(model.predict_log_proba(X), dtype=np.float64)
        else:
            scores = np.log(np.asarray(model.predict_proba(X), dtype=np.float64))
    none = np.isneginf(scores)
    smallest = np.where(none, 0.0, scores).min(axis=1, keepdims=True)
    return np.where(none, np.minimum(smallest, np.log(UNSEEN)), scores)


def _below_best(scores: np.ndarray) -> np.ndarray:
    return np.maximum(scores - scores.max(axis=1, keepdims=True), FLOOR)


def _predicted_first(model: Any, X: Any, scores: np.ndarray) -> np.ndarray:
    """Swap the score of the predicted class with the best score, if they differ."""
    predicted = (model.predict(X)[:, np.newaxis] == model.classes_).argmax(axis=1)
    rows, best = np.arange(len(scores)), scores.argmax(axis=1)
    scores[rows, best] = scores[rows, predicted]
    scores[rows, predicted] = 0.0
    return scores


def calibrated_proba(model: Any, X: Any, temperature: float) -> np.ndarray:
    """Convert a model's scores to probabilities.

    Parameters
    ----------
    model : estimator
        Fitted classifier.
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Documents by terms.
    temperature : float
        Above 0. A higher temperature gives a lower confidence.

    Returns
    -------
    ndarray of shape (n_samples, n_classes)
        Columns in the order of the model's ``classes_``.
    """
    return softmax(class_scores(model, X) / temperature, axis=1)


def fit_temperature(scores: np.ndarray, position: np.ndarray) -> float:
    """Find the temperature with the lowest log-loss on held-out documents.

    One document that belongs to all classes equally is added. Without it, a model that predicts a
    few held-out documents correctly would get a confidence of 100 %.

    Parameters
    ----------
    scores : ndarray of shape (n_documents, n_classes)
        From `class_scores`, by models that were not fitted to these documents.
    position : ndarray of int, shape (n_documents,)
        Column of the true class of each document.

    Returns
    -------
    float

    Examples
    --------
    A model that is always sure, and wrong every fourth time:

    >>> import numpy as np
    >>> from honeybayes.calibration import fit_temperature
    >>> scores = np.tile([0.0, -20.0], (4000, 1))
    >>> temperature = fit_temperature(scores, np.arange(4000) % 4 == 0)
    >>> print(round(1 / (1 + np.exp(-20 / temperature)), 3))
    0.75
    """
    spread = float(np.mean(-scores))
    if spread == 0:
        return 1.0
    scores = scores / spread
    known = len(scores) / (len(scores) + 1)
    of_label = scores[np.arange(len(scores)), np.asarray(position, dtype=np.intp)]
    observed = known * of_label.mean() + (1 - known) * scores.mean()

    def slope(log_temperature: float) -> float:
        """Return the derivative of the log-loss by 1 / T: expected mean score minus observed.

        It decreases with the temperature, because the log-loss is convex in 1 / T.
        """
        proba = softmax(scores / np.exp(log_temperature), axis=1)
        return float((proba * scores).sum(axis=1).mean() - observed)

    if slope(HOTTEST) > 0:  # too sure even at chance level
        log_temperature = HOTTEST
    elif slope(-HOTTEST) < 0:  # never sure enough
        log_temperature = -HOTTEST
    else:
        log_temperature = brentq(slope, -HOTTEST, HOTTEST)
    return spread * float(np.exp(log_temperature))


def find_temperature(
    model: Any,
    X: Any,
    y: ArrayLike,
    *,
    min_df: int = 1,
    n_dense: int = 0,
    selector: Any = None,
    sample_weight: np.ndarray | None = None,
) -> tuple[float, int]:
    """Find the temperature of a model from the labeled documents that it will be fitted to.

    Parameters
    ----------
    model : estimator
        Not fitted.
    X : {ndarray, csr_matrix} of shape (n_documents, n_terms)
        Counts of terms.
    y : array-like of shape (n_documents,)
        Labels, with the mark of unlabeled documents if the model has one.
    min_df : int, default=1
        A term that occurs in fewer training documents of a fold is dropped in that fold.
    n_dense : int, default=0
        Number of last columns that hold dense features, which are never dropped.
    selector : transformer or None, default=None
        Selects terms in each fold.
    sample_weight : ndarray of shape (n_documents,), optional
        Weights for the fits of the model.

    Returns
    -------
    temperature : float
        1 if there are not enough labels to measure it.
    n_held_out : int
        Number of held-out documents on which it was measured. 0 if fewer than ten documents can be
        held out; the only document of a class cannot be held out.
    """
    y = np.asarray(y)
    position = encode_labels(y, mark_of_unlabeled(model))[1]
    folds = shuffled_folds(position)
    if (folds.test_fold >= 0).sum() < FEWEST_HELD_OUT:
        return 1.0, 0
    scores, labels, n_held_out = [], [], 0
    options: dict[str, Any] = {"min_df": min_df, "n_dense": n_dense, "selector": selector}
    for fitted, held_out, rows in fit_on_folds(
        model, X, y, folds, sample_weight=sample_weight, **options
    ):
        scores.append(class_scores(fitted, held_out))
        labels.append(position[rows])
        n_held_out += len(rows)
        if n_held_out >= MOST_HELD_OUT:
            break
    return fit_temperature(np.concatenate(scores), np.concatenate(labels)), n_held_out


def reliability_bins(
    proba: ArrayLike, correct: ArrayLike, n_bins: int = N_BINS
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Compare confidence and accuracy in equal intervals of confidence from 0 to 1.

    Parameters
    ----------
    proba : array-like of shape (n_samples,)
        Probability of the predicted class of each document.
    correct : array-like of bool, shape (n_samples,)
        Whether the prediction was correct.
    n_bins : int, default=15
        Number of intervals. Each includes its upper end, and the first includes 0.

    Returns
    -------
    size, confidence, accuracy : ndarray
        Number of documents, mean confidence and accuracy of each interval. Empty intervals are left
        out.
    """
    confidence, right = np.asarray(proba, dtype=np.float64), np.asarray(correct, dtype=np.float64)
    interval = np.clip(np.ceil(confidence * n_bins).astype(np.intp) - 1, 0, n_bins - 1)
    size = np.bincount(interval, minlength=n_bins)
    filled = size > 0
    sums = (np.bincount(interval, each, minlength=n_bins)[filled] for each in (confidence, right))
    means = [total / size[filled] for total in sums]
    return size[filled], means[0], means[1]


def expected_calibration_error(proba: ArrayLike, correct: ArrayLike, n_bins: int = N_BINS) -> float:
    """Return the mean distance between confidence and accuracy.

    Parameters
    ----------
    proba : array-like of shape (n_samples,)
        Probability of the predicted class of each document.
    correct : array-like of bool, shape (n_samples,)
        Whether the prediction was correct.
    n_bins : int, default=15
        Number of intervals of `reliability_bins`.

    Returns
    -------
    float
        0 is best.

    Examples
    --------
    >>> from honeybayes.calibration import expected_calibration_error
    >>> round(expected_calibration_error([0.9, 0.9, 0.6, 0.6], [True, True, True, False]), 3)
    0.1
    """
    size, confidence, accuracy = reliability_bins(proba, correct, n_bins)
    return float(np.average(np.abs(confidence - accuracy), weights=size))
