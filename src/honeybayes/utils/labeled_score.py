"""Accuracy on the documents that have a label."""

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.metrics import accuracy_score

from honeybayes.utils.labels import is_unlabeled, with_one_mark
from honeybayes.utils.parameters import documented
from honeybayes.utils.tags import mark_of_unlabeled
from honeybayes.utils.validation import MatrixInputMixin


@documented
class LabeledScoreMixin(MatrixInputMixin):
    """The ``score`` of an estimator that also learns from unlabeled documents."""

    classes_: np.ndarray
    predict: Callable[[Any], np.ndarray]

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the accuracy on the documents with a label.

        Unlabeled documents are ignored. ``cross_val_score`` and searches of scikit-learn also
        ignore them, unless you set another ``scoring``.

        Parameters
        ----------
        y : array-like of shape (n_samples,)
            Label of each document, or the mark of unlabeled documents.
        """
        predicted = self.predict(X)
        mark = mark_of_unlabeled(self)
        return accuracy_of_labeled(y, predicted, mark, sample_weight, self.classes_)


def accuracy_of_labeled(
    y: Any, predicted: np.ndarray, unlabeled: Any, sample_weight: Any = None, classes: Any = ()
) -> float:
    """Return the share of correct predictions among the documents without the mark as label."""
    y, unlabeled = with_one_mark(y, unlabeled, classes)
    if unlabeled is None:
        return accuracy_score(y, predicted, sample_weight=sample_weight)
    y = np.asarray(y)
    labeled = ~is_unlabeled(y, unlabeled)
    if not labeled.any():
        raise ValueError(
            f"No document has a label to compare with: all are marked with {unlabeled!r}. Score "
            "the model on labeled documents; in cross-validation use fewer folds."
        )
    if sample_weight is not None:
        sample_weight = np.asarray(sample_weight)[labeled]
    return accuracy_score(y[labeled], predicted[labeled], sample_weight=sample_weight)
