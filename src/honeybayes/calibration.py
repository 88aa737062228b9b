"""Confidence that can be trusted: a temperature between a model's scores and its probabilities.

p(class) = softmax(score / (T d)), d = 1 or the square root of the document's length. Naive Bayes
takes the words of a document for independent, so its scores grow with their number and its
posteriors saturate at 0 and 1; linear models with few labels err on the other side. One number T
mends both and leaves the order of the classes, hence the predicted label, as it is.

scikit-learn (1.8 and later) has ``CalibratedClassifierCV(method="temperature")``. It is not used:
it reads probabilities, and the logarithm of a saturated 0 tells nothing any more; it knows neither
documents without labels nor classes with fewer labels than folds; and it would keep terms that the
training part of a fold does not have (see `_held_out`).
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq
from scipy.special import softmax

from honeybayes.utils.folds import LabeledCounts, fit_per_fold, held_out_folds
from honeybayes.utils.tags import model_tags

# Chosen on the 20 Newsgroups subsets, oh0, oh5, re0 and Cora: see docs/calibration.md.
LENGTH_EXPONENT = 0.5
FEWEST_HELD_OUT = 10
N_BINS = 15  # of the expected calibration error
# More documents make one number no better: with many labels, one fold in place of five.
MOST_HELD_OUT = 1000
# log of the highest temperature, in units of the mean score: next to uniform; minus that of the
# lowest
HOTTEST = 7.0
FLOOR = -1e6  # of a score below the best, so that log 0 stays a number
UNSEEN = 0.01  # probability of a class that none of a model's few voters is for


def class_scores(model: Any, X: Any) -> np.ndarray:
    """Tell how well each class goes with each document, on a scale without bounds.

    Parameters
    ----------
    model : estimator
        Fitted classifier.
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Documents by terms.

    Returns
    -------
    ndarray of shape (n_samples, n_classes)
        Joint log-probabilities if the model gives them, else the decision function, else
        log-probabilities. The best class of a document has 0, the others less.

    Notes
    -----
    Joint log-probabilities are divided by the square root of the document's length, for they add
    up over its words. A model for which that is not so, since it divides each document by its
    length itself, says so with its ``model_tags``.

    A probability of 0 counts as `UNSEEN`, or as the smallest other one of the document if that is
    less: of a forest, a tree or neighbors it only tells that none of a few voted for the class.

    A decision function of more than two classes may count votes that tie, and ``predict`` break
    the tie in another way, as that of scikit-learn's SVC does. The class that ``predict`` names
    then changes places with the best one.
    """
    if hasattr(model, "predict_joint_log_proba"):
        scores = np.asarray(model.predict_joint_log_proba(X), dtype=np.float64)
        scores = _below_best(scores)
        if model_tags(model).scores_grow_with_length:
            length = np.asarray(X.sum(axis=1), dtype=np.float64).reshape(-1, 1)
            scores /= np.maximum(length, 1) ** LENGTH_EXPONENT
        return scores
    decision = decision_by_class(model, X)
    if decision is not None:
        scores = _below_best(decision)
        return _predicted_first(model, X, scores) if scores.shape[1] > 2 else scores
    return _below_best(_log_proba(model, X))


def decision_by_class(model: Any, X: Any) -> np.ndarray | None:
    """Decision function with a column for each class.

    Parameters
    ----------
    model : estimator
        Fitted classifier.
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Documents by terms.

    Returns
    -------
    ndarray of shape (n_samples, n_classes), or None
        Of two classes, half of the margin and minus the half. None if the model has no decision
        function, or one with a column for each pair of classes.
    """
    if not hasattr(model, "decision_function"):
        return None
    scores = np.asarray(model.decision_function(X), dtype=np.float64)
    if scores.ndim == 1:
        return np.column_stack([-scores / 2, scores / 2])
    # three classes have as many pairs
    if _compares_pairs(model) or scores.shape[1] != len(model.classes_):
        return None
    return scores


def can_score(model: Any) -> bool:
    """Tell whether `class_scores` can make something of a model.

    Parameters
    ----------
    model : estimator
        Fitted or not.

    Returns
    -------
    bool
    """
    methods = ("predict_joint_log_proba", "predict_log_proba", "predict_proba")
    by_class = hasattr(model, "decision_function") and not _compares_pairs(model)
    return by_class or any(hasattr(model, method) for method in methods)


def _compares_pairs(model: Any) -> bool:
    """Tell whether the decision function was asked for pairs of classes, as SVC's can be."""
    while hasattr(model, "steps"):
        model = model.steps[-1][1]
    return getattr(model, "decision_function_shape", None) == "ovo"


def _log_proba(model: Any, X: Any) -> np.ndarray:
    if not hasattr(model, "predict_log_proba") and not hasattr(model, "predict_proba"):
        raise ValueError(
            f"{model!r} scores pairs of classes, and has no probabilities: there is no score of a "
            "class to calibrate. Take calibrate=None, or a decision function of a column a class."
        )
    with np.errstate(divide="ignore"):
        if hasattr(model, "predict_log_proba"):  # finite where a probability has become 0
            scores = np.asarray(model.predict_log_proba(X), dtype=np.float64)
        else:
            scores = np.log(np.asarray(model.predict_proba(X), dtype=np.float64))
    none = np.isneginf(scores)
    smallest = np.where(none, 0.0, scores).min(axis=1, keepdims=True)
    return np.where(none, np.minimum(smallest, np.log(UNSEEN)), scores)


def _below_best(scores: np.ndarray) -> np.ndarray:
    return np.maximum(scores - scores.max(axis=1, keepdims=True), FLOOR)


def _predicted_first(model: Any, X: Any, scores: np.ndarray) -> np.ndarray:
    """Let the predicted class and the best one change places where they are two."""
    predicted = (model.predict(X)[:, np.newaxis] == model.classes_).argmax(axis=1)
    rows, best = np.arange(len(scores)), scores.argmax(axis=1)
    scores[rows, best] = scores[rows, predicted]
    scores[rows, predicted] = 0.0
    return scores


def calibrated_proba(model: Any, X: Any, temperature: float) -> np.ndarray:
    """Turn a model's scores into probabilities.

    Parameters
    ----------
    model : estimator
        Fitted classifier.
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Documents by terms.
    temperature : float
        Above 0; the higher, the less sure.

    Returns
    -------
    ndarray of shape (n_samples, n_classes)
        Columns in the order of the model's ``classes_``.
    """
    return softmax(class_scores(model, X) / temperature, axis=1)


def fit_temperature(scores: np.ndarray, position: np.ndarray) -> float:
    """Find the temperature at which held-out documents are least surprising.

    Minimizes the log-loss, to which one document adds of which nothing is known: all classes
    alike. It keeps a model that was right about its few documents from being called infallible.

    Parameters
    ----------
    scores : ndarray of shape (n_documents, n_classes)
        From `class_scores`, by models that had not seen the documents.
    position : ndarray of int, shape (n_documents,)
        The column of each document's class.

    Returns
    -------
    float

    Examples
    --------
    Sure of itself, and wrong every fourth time:

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
    wanted = known * of_label.mean() + (1 - known) * scores.mean()

    def slope(log_temperature: float) -> float:
        """Derivative of the log-loss by 1 / T: the mean score expected, less the one observed.

        It falls as the temperature rises, for the log-loss is convex in 1 / T: one root at most.
        """
        proba = softmax(scores / np.exp(log_temperature), axis=1)
        return float((proba * scores).sum(axis=1).mean() - wanted)

    if slope(HOTTEST) > 0:  # even at chance level too sure
        log_temperature = HOTTEST
    elif slope(-HOTTEST) < 0:  # never sure enough
        log_temperature = -HOTTEST
    else:
        log_temperature = brentq(slope, -HOTTEST, HOTTEST)
    return spread * float(np.exp(log_temperature))


def find_temperature(model: Any, documents: LabeledCounts) -> tuple[float, int]:
    """Find the temperature of a model from the labeled documents that it is fitted to.

    Parameters
    ----------
    model : estimator
        Not fitted.
    documents : LabeledCounts
        Those that it will be fitted to.

    Returns
    -------
    temperature : float
        1 if there are not enough labels to measure it.
    n_held_out : int
        Number of documents that it was measured on, each by a model that had not seen it; 0 if
        fewer than ten are of a class with another document.

    Notes
    -----
    Which documents are held out together follows from a permutation of their places with a fixed
    seed. The same documents in the same order give the same temperature; in another order, one
    that differs as between samples of this size.
    """
    folds = held_out_folds(documents.position)
    if (folds.test_fold >= 0).sum() < FEWEST_HELD_OUT:
        return 1.0, 0
    scores, labels, n_held_out = [], [], 0
    for fitted, held_out, rows in fit_per_fold(model, documents, folds):
        scores.append(class_scores(fitted, held_out))
        labels.append(documents.position[rows])
        n_held_out += len(rows)
        if n_held_out >= MOST_HELD_OUT:
            break
    return fit_temperature(np.concatenate(scores), np.concatenate(labels)), n_held_out


def reliability_bins(
    proba: ArrayLike, correct: ArrayLike, n_bins: int = N_BINS
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sort answers by their confidence into equal intervals from 0 to 1, and compare.

    Parameters
    ----------
    proba : array-like of shape (n_samples,)
        Probability of the predicted class of each document.
    correct : array-like of bool, shape (n_samples,)
        Whether the prediction was right.
    n_bins : int, default=15
        Number of intervals. Each holds its upper end, and the first holds 0 as well.

    Returns
    -------
    size, confidence, accuracy : ndarray
        Documents of each interval that has any, their mean confidence, the share that is right.
    """
    confidence, right = np.asarray(proba, dtype=np.float64), np.asarray(correct, dtype=np.float64)
    interval = np.clip(np.ceil(confidence * n_bins).astype(np.intp) - 1, 0, n_bins - 1)
    size = np.bincount(interval, minlength=n_bins)
    filled = size > 0
    sums = (np.bincount(interval, each, minlength=n_bins)[filled] for each in (confidence, right))
    means = [total / size[filled] for total in sums]
    return size[filled], means[0], means[1]


def expected_calibration_error(proba: ArrayLike, correct: ArrayLike, n_bins: int = N_BINS) -> float:
    """Measure how far confidence is from accuracy, on average.

    Parameters
    ----------
    proba : array-like of shape (n_samples,)
        Probability of the predicted class of each document.
    correct : array-like of bool, shape (n_samples,)
        Whether the prediction was right.
    n_bins : int, default=15
        Intervals of `reliability_bins`, whose differences are averaged over the documents.

    Returns
    -------
    float
        0 at best.

    Examples
    --------
    >>> from honeybayes.calibration import expected_calibration_error
    >>> round(expected_calibration_error([0.9, 0.9, 0.6, 0.6], [True, True, True, False]), 3)
    0.1
    """
    size, confidence, accuracy = reliability_bins(proba, correct, n_bins)
    return float(np.average(np.abs(confidence - accuracy), weights=size))
