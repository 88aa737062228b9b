"""Scores of a classifier, with one column per class.

The only module that knows how different classifiers give their scores.
"""

from typing import Any

import numpy as np

from honeybayes.utils.tags import last_step


def scores_by_class(model: Any, X: Any, *, margin: float = 1.0) -> np.ndarray | None:
    """Return the scores that a fitted classifier compares, one column per class; the highest wins.

    Joint log-probabilities if the model has them, else `decision_by_class`.
    """
    if hasattr(model, "predict_joint_log_proba"):
        return np.asarray(model.predict_joint_log_proba(X), dtype=np.float64)
    return decision_by_class(model, X, margin=margin)


def decision_by_class(model: Any, X: Any, *, margin: float = 0.5) -> np.ndarray | None:
    """Return the decision function with one column per class.

    Of two classes, a decision function d gives the columns -margin * d and margin * d. None if the
    model has no decision function, or one with a column per pair of classes.
    """
    if not hasattr(model, "decision_function"):
        return None
    scores = np.asarray(model.decision_function(X), dtype=np.float64)
    if scores.ndim == 1:
        return np.column_stack([-margin * scores, margin * scores])
    # three classes have as many pairs
    if _compares_pairs(model) or scores.shape[1] != len(model.classes_):
        return None
    return scores


def can_score(model: Any) -> bool:
    """Return True if a classifier, fitted or not, has scores or probabilities by class."""
    methods = ("predict_joint_log_proba", "predict_log_proba", "predict_proba")
    by_class = hasattr(model, "decision_function") and not _compares_pairs(model)
    return by_class or any(hasattr(model, method) for method in methods)


def _compares_pairs(model: Any) -> bool:
    """Return True if the decision function has a column per pair of classes, as SVC's can."""
    return getattr(last_step(model)[1], "decision_function_shape", None) == "ovo"
