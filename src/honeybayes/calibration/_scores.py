"""Scores of classifiers in one form: one column per class, and 0 for the best class."""

from typing import Any

import numpy as np

from honeybayes.utils.scores import scores_by_class
from honeybayes.utils.tags import model_tags

# Chosen on the 20 Newsgroups subsets, oh0, oh5, re0 and Cora: see docs/calibration.md.
LENGTH_EXPONENT = 0.5
FLOOR = -1e6  # of a score below the best, so that log 0 stays finite
UNSEEN = 0.01  # probability of a class that none of a model's few voters chose


def class_scores(model: Any, X: Any) -> np.ndarray:
    """Return the scores of the classes: 0 for the best class of a document, negative for others.

    Joint log-probabilities if the model has them, else the decision function, else
    log-probabilities. Joint log-probabilities are divided by the square root of the document's
    length, because they are sums over its words, unless the ``model_tags`` say that the model
    divides by the length.
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
    """Return log-probabilities; 0 means that none of a few voters, such as trees, chose a class."""
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
    """Swap the score of the predicted class with the best one: SVC counts votes, which may tie."""
    predicted = (model.predict(X)[:, np.newaxis] == model.classes_).argmax(axis=1)
    rows, best = np.arange(len(scores)), scores.argmax(axis=1)
    scores[rows, best] = scores[rows, predicted]
    scores[rows, predicted] = 0.0
    return scores
