"""Metrics of a fitted model on test documents."""

from collections.abc import Callable, Collection
from functools import partial
from typing import Any

import numpy as np
from scipy.special import logsumexp
from sklearn.metrics import accuracy_score, f1_score, roc_auc_score

from honeybayes.calibration import expected_calibration_error
from honeybayes.utils.scores import decision_by_class

UNEVEN = 3  # times the smallest class; then the accuracy hides how the small classes do


def main_metric(labels: np.ndarray) -> str:
    """Return the metric to rank models by: macro-F1 if the classes are uneven, else accuracy.

    They are uneven if the largest has at least three times the labels of the smallest. A label that
    is an empty string is none.
    """
    sizes = np.unique(labels[labels != ""], return_counts=True)[1]
    return "macro_f1" if sizes.max() >= UNEVEN * sizes.min() else "accuracy"


def auc(truth: np.ndarray, scores: np.ndarray, classes: np.ndarray) -> float:
    """Mean over the tested classes of the area under the ROC curve, one class against the rest.

    A class that the model does not know has the same score everywhere, so its area is 0.5.
    """
    tested = np.unique(truth)
    if len(tested) < 2:
        return np.nan
    columns, same = dict(zip(classes.tolist(), scores.T, strict=True)), np.zeros(len(truth))
    areas = [roc_auc_score(truth == own, columns.get(own, same)) for own in tested.tolist()]
    return float(np.mean(areas))


def log_loss(truth: np.ndarray, probabilities: np.ndarray, classes: np.ndarray) -> float:
    """Mean of minus the log of the probability of the true class, clipped to 2.2e-16."""
    given = (probabilities * _one_hot(truth, classes)).sum(axis=1)
    return float(-np.log(np.clip(given, np.finfo(np.float64).eps, 1)).mean())


def brier(truth: np.ndarray, probabilities: np.ndarray, classes: np.ndarray) -> float:
    """Mean squared distance between the probabilities and the truth, summed over the classes."""
    expected = _one_hot(truth, classes)
    unknown = 1 - expected.sum(axis=1)  # a class that the model never saw got probability 0
    return float((((probabilities - expected) ** 2).sum(axis=1) + unknown).mean())


def calibration_error(truth: np.ndarray, probabilities: np.ndarray, classes: np.ndarray) -> float:
    """Mean distance between confidence and accuracy, in 15 bins of equal width."""
    right = classes[probabilities.argmax(axis=1)] == truth
    return expected_calibration_error(probabilities.max(axis=1), right)


FROM_LABELS: dict[str, Callable[[np.ndarray, np.ndarray], float]] = {
    "accuracy": accuracy_score,
    "macro_f1": partial(f1_score, average="macro", zero_division=0),
    "micro_f1": partial(f1_score, average="micro", zero_division=0),
}
FROM_PROBABILITIES = {"log_loss": log_loss, "brier": brier, "calibration_error": calibration_error}
TIMES = ("fit_seconds", "predict_seconds")
METRICS = (*FROM_LABELS, "auc", *FROM_PROBABILITIES)
LOWER_IS_BETTER = {*FROM_PROBABILITIES, *TIMES}


def measure(
    model: Any, X: Any, truth: np.ndarray, answers: np.ndarray, metrics: Collection[str] = METRICS
) -> dict[str, float]:
    """Compute metrics of a fitted model from test documents, in the form that the model takes.

    A metric is NaN if the model does not return the scores that it needs.
    """
    probabilities = None
    if FROM_PROBABILITIES.keys() & metrics and hasattr(model, "predict_proba"):
        probabilities = model.predict_proba(X)
    measured = {}
    for name in metrics:
        if name in FROM_LABELS:
            measured[name] = float(FROM_LABELS[name](truth, answers))
            continue
        numbers = _scores(model, X) if name == "auc" else probabilities
        metric = FROM_PROBABILITIES.get(name, auc)
        measured[name] = np.nan if numbers is None else metric(truth, numbers, model.classes_)
    return measured


def _scores(model: Any, X: Any) -> np.ndarray | None:
    """Return one score per class, comparable between documents, or None if there are none."""
    scores = decision_by_class(model, X)
    if scores is None and hasattr(model, "predict_log_proba"):
        # log-odds order documents as probabilities do, but are never rounded to 0 or 1
        return _log_odds(model.predict_log_proba(X))
    if scores is None and hasattr(model, "predict_proba"):
        return model.predict_proba(X)
    return scores


def _log_odds(log_probabilities: np.ndarray) -> np.ndarray:
    odds = log_probabilities.copy()
    if odds.shape[1] > 1:
        for column in range(odds.shape[1]):
            odds[:, column] -= logsumexp(np.delete(log_probabilities, column, axis=1), axis=1)
    # a probability of zero becomes the lowest possible score
    return np.nan_to_num(odds, nan=0.0, posinf=np.finfo(float).max, neginf=np.finfo(float).min)


def _one_hot(truth: np.ndarray, classes: np.ndarray) -> np.ndarray:
    return (truth[:, np.newaxis] == classes).astype(np.float64)


class _OnFeatures:
    """The steps of a fitted classifier of texts after its first one; classes are strings."""

    def __init__(self, classifier: Any, later_steps: Any) -> None:
        self.classifier, self.later_steps = classifier, later_steps
        self.classes_ = classifier.classes_.astype(str)

    def __getattr__(self, name: str) -> Any:
        getattr(self.classifier, name)  # it has no method that the whole classifier does not have
        return getattr(self.later_steps, name)


def count_words_once(classifier: Any, texts: list[str]) -> tuple[Any, Any]:
    """Turn texts into features, so that a fitted classifier can be asked about them several times.

    Return a model with the methods of the classifier that takes the features, and the features. Its
    ``classes_`` are strings, as the labels in a table are. If the first step of the classifier is
    not a transformer, it gets the texts.
    """
    pipeline = getattr(classifier, "pipeline_", classifier)
    if len(pipeline) > 1 and hasattr(pipeline[0], "transform"):
        return _OnFeatures(classifier, pipeline[1:]), pipeline[0].transform(texts)
    return _OnFeatures(classifier, classifier), texts
