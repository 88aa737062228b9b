"""How well a fitted model did on documents that it had not seen."""

from collections.abc import Callable, Collection
from typing import Any

import numpy as np
from scipy.special import logsumexp
from sklearn.metrics import accuracy_score, f1_score, roc_auc_score

from honeybayes.calibration import expected_calibration_error
from honeybayes.utils.scores import decision_by_class

Labels = np.ndarray


def _macro_f1(truth: Labels, answers: Labels) -> float:
    return float(f1_score(truth, answers, average="macro", zero_division=0))


def _micro_f1(truth: Labels, answers: Labels) -> float:
    return float(f1_score(truth, answers, average="micro", zero_division=0))


def _accuracy(truth: Labels, answers: Labels) -> float:
    return float(accuracy_score(truth, answers))


def auc(truth: Labels, scores: np.ndarray, classes: Labels) -> float:
    """Mean over the classes of the area under the ROC curve, one class against the rest.

    Classes that are not in the test part, or that the model does not know, are left out.
    """
    areas = []
    for column, label in enumerate(classes):
        own = truth == label
        if 0 < own.sum() < len(own):
            areas.append(roc_auc_score(own, scores[:, column]))
    return float(np.mean(areas)) if areas else np.nan


def log_loss(truth: Labels, probabilities: np.ndarray, classes: Labels) -> float:
    """Mean of minus the log of the probability of the true class, which is at least 2.2e-16."""
    given = (probabilities * _one_hot(truth, classes)).sum(axis=1)
    return float(-np.log(np.clip(given, np.finfo(np.float64).eps, 1)).mean())


def brier(truth: Labels, probabilities: np.ndarray, classes: Labels) -> float:
    """Mean squared distance between the probabilities and the truth, summed over the classes."""
    expected = _one_hot(truth, classes)
    unknown = 1 - expected.sum(axis=1)  # a class that the model never saw got probability 0
    return float((((probabilities - expected) ** 2).sum(axis=1) + unknown).mean())


def calibration_error(truth: Labels, probabilities: np.ndarray, classes: Labels) -> float:
    """Distance between confidence and accuracy of the top label, in 15 equal bins."""
    right = classes[probabilities.argmax(axis=1)] == truth
    return expected_calibration_error(probabilities.max(axis=1), right)


FROM_ANSWERS: dict[str, Callable[[Labels, Labels], float]] = {
    "accuracy": _accuracy,
    "macro_f1": _macro_f1,
    "micro_f1": _micro_f1,
}
FROM_SCORES = {"auc": auc}
FROM_PROBABILITIES = {"log_loss": log_loss, "brier": brier, "calibration_error": calibration_error}
FROM_NUMBERS = FROM_SCORES | FROM_PROBABILITIES
TIMES = ("fit_seconds", "predict_seconds")
METRICS = (*FROM_ANSWERS, *FROM_NUMBERS)
LOWER_IS_BETTER = {"log_loss", "brier", "calibration_error", *TIMES}


def measure(
    model: Any, X: Any, truth: Labels, answers: Labels, metrics: Collection[str] = METRICS
) -> dict[str, float]:
    """Compute the metrics of a fitted model.

    Parameters
    ----------
    model : estimator
        The model.
    X : documents
        As the model takes them; it has not been fitted to them.
    truth, answers : ndarray of shape (n_documents,)
        True and predicted labels.
    metrics : collection of str, default=all
        Of "accuracy", "macro_f1", "micro_f1", "auc", "log_loss", "brier", "calibration_error".

    Returns
    -------
    dict of str to float
        NaN for those that the model gives no numbers for.
    """
    measured = {}
    scores = _scores(model, X) if FROM_SCORES.keys() & metrics else None
    probabilities = None
    if FROM_PROBABILITIES.keys() & metrics and hasattr(model, "predict_proba"):
        probabilities = model.predict_proba(X)
    for name in metrics:
        if name in FROM_ANSWERS:
            measured[name] = FROM_ANSWERS[name](truth, answers)
            continue
        function = FROM_NUMBERS[name]
        numbers = scores if name in FROM_SCORES else probabilities
        measured[name] = np.nan if numbers is None else function(truth, numbers, model.classes_)
    return measured


def _scores(model: Any, X: Any) -> np.ndarray | None:
    """One score a class, comparable between documents; None if the model has none."""
    scores = decision_by_class(model, X)
    if scores is not None:
        return scores
    if hasattr(model, "predict_log_proba"):
        # log-odds order documents as probabilities do, but never run into 0 or 1
        return _log_odds(model.predict_log_proba(X))
    if hasattr(model, "predict_proba"):
        return model.predict_proba(X)
    return None


def _log_odds(log_probabilities: np.ndarray) -> np.ndarray:
    odds = np.empty_like(log_probabilities)
    for column in range(odds.shape[1]):
        others = np.delete(log_probabilities, column, axis=1)
        rest = logsumexp(others, axis=1) if others.size else np.zeros(len(odds))
        odds[:, column] = log_probabilities[:, column] - rest
    # 0 - 0 and such leave what was there: a probability of zero is the lowest score there is
    return np.nan_to_num(odds, nan=0.0, posinf=np.finfo(float).max, neginf=np.finfo(float).min)


def _one_hot(truth: Labels, classes: Labels) -> np.ndarray:
    return (truth[:, np.newaxis] == classes).astype(np.float64)
