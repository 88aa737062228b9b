"""How often a model is right, where some documents have no label to compare with."""

from typing import Any

import numpy as np
from sklearn.metrics import accuracy_score

from honeybayes._targets import is_unlabeled


def accuracy_of_labeled(
    y: Any, answers: np.ndarray, unlabeled: Any, sample_weight: Any = None
) -> float:
    """Share of right answers among the documents with a label.

    Parameters
    ----------
    y : array-like of shape (n_documents,)
        Labels.
    answers : ndarray of shape (n_documents,)
        What the model says.
    unlabeled : label or None
        The value of y that marks a document without a label.
    sample_weight : array-like of shape (n_documents,), optional
        Weight of each document.

    Returns
    -------
    float
    """
    if unlabeled is None:
        return accuracy_score(y, answers, sample_weight=sample_weight)
    y = np.asarray(y)
    labeled = ~is_unlabeled(y, unlabeled)
    if not labeled.any():
        raise ValueError(
            f"No document has a label to compare with: all are marked with {unlabeled!r}. Score "
            "the model on labeled documents; in cross-validation take fewer folds."
        )
    if sample_weight is not None:
        sample_weight = np.asarray(sample_weight)[labeled]
    return accuracy_score(y[labeled], answers[labeled], sample_weight=sample_weight)
