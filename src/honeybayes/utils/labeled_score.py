"""How often a model is right, where some documents have no label to compare with."""

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.metrics import accuracy_score

from honeybayes.utils.labels import is_unlabeled


class LabeledScoreMixin:
    """The score of an estimator that learns from unlabeled documents, too."""

    unlabeled: Any
    predict: Callable[[Any], np.ndarray]

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Share of right answers among the documents with a label.

        Those marked with ``unlabeled`` are left out. ``cross_val_score`` and searches of
        scikit-learn do so too, unless they are told to use another ``scoring``.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents by terms.
        y : array-like of shape (n_samples,)
            Label of each document, or ``unlabeled``.
        sample_weight : array-like of shape (n_samples,), optional
            Weight of each document.

        Returns
        -------
        float
        """
        return accuracy_of_labeled(y, self.predict(X), self.unlabeled, sample_weight)


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
