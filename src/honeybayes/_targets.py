"""Labels as positions among the sorted classes, with or without a mark for unlabeled documents."""

from typing import Any

import numpy as np


def encode_labels(y: Any, unlabeled: Any = None) -> tuple[np.ndarray, np.ndarray]:
    """Find the classes, and the place of each label among them.

    Parameters
    ----------
    y : array-like of shape (n_documents,)
        Labels.
    unlabeled : label, default=None
        The value that marks a document without a label; None if there is no such mark.

    Returns
    -------
    classes : ndarray
        Sorted, without the mark.
    position : ndarray of int, shape (n_documents,)
        Place of each label in ``classes``; -1 for an unlabeled document.
    """
    y = np.asarray(y)
    labeled = ~_is_unlabeled(y, unlabeled)
    classes, encoded = np.unique(y[labeled], return_inverse=True)
    position = np.full(len(y), -1)
    position[labeled] = encoded
    return classes, position


def _is_unlabeled(y: np.ndarray, unlabeled: Any) -> np.ndarray:
    if unlabeled is None:
        return np.zeros(len(y), bool)
    if unlabeled != unlabeled:  # NaN equals nothing, itself included
        return np.array([label != label for label in y.tolist()], bool)
    text, number = y.dtype.kind in "US", y.dtype.kind in "biuf"
    if (text and not isinstance(unlabeled, str)) or (number and isinstance(unlabeled, str)):
        raise ValueError(
            f"unlabeled={unlabeled!r} cannot occur among labels of type {y.dtype}. NumPy turns "
            'numbers in a list of strings into strings: mark documents with a string such as "?".'
        )
    return np.asarray(y == unlabeled)
