"""Checks of raw texts and their labels."""

from collections.abc import Mapping, Set
from typing import Any

import numpy as np
from sklearn.utils.multiclass import check_classification_targets

from honeybayes.utils.labels import has_no_label


def check_texts(X: Any, name: str = "X", *, allow_empty: bool = False) -> list[str]:
    """Return texts as a list; raise ValueError unless there is at least one and all are strings."""
    if isinstance(X, str | bytes):
        raise ValueError(
            f"{name} must be a list of texts, got a single text: put it in a list, [text]."
        )
    if isinstance(X, Mapping | Set) or getattr(X, "ndim", 1) != 1:
        raise ValueError(
            f"{name} must be a list of texts or one column of them, got {type(X).__name__}: of a "
            'data frame pass the column with the texts, such as df["text"].'
        )
    # a column of pyarrow has Python objects only in its list
    texts = X.to_pylist() if hasattr(X, "to_pylist") else list(X)
    if not texts and not allow_empty:
        raise ValueError(f"{name} has no texts.")
    for index, text in enumerate(texts):
        if not isinstance(text, str):
            raise ValueError(
                f"{name}[{index}] is not a text but {text!r} ({type(text).__name__}). Leave out "
                "rows without text, or convert them to strings."
            )
    return texts


def check_labels_of_texts(y: Any, mark: Any = None) -> np.ndarray:
    """Return the labels of texts as an array; raise ValueError if one is missing or blank."""
    if y is None:
        raise ValueError("fit requires y to be passed, but the target y is None. Label each text.")
    if isinstance(y, str) or getattr(y, "ndim", 1) != 1:
        raise ValueError(
            f"y must contain one label per text; got {type(y).__name__} of shape {np.shape(y)}."
        )
    labels = y.to_pylist() if hasattr(y, "to_pylist") else list(y)
    # not of the array, because NumPy converts all of them to strings
    for index, label in enumerate(labels):
        if isinstance(label, list | tuple | np.ndarray):
            raise ValueError(
                f"y must contain one label per text; got {type(label).__name__} as y[{index}]."
            )
        if has_no_label(label) and not (isinstance(label, str) and label == mark):
            raise ValueError(
                f"y has missing labels (the first is y[{index}]). Leave those texts out, or pass "
                "them as pool to a model that learns from unlabeled texts."
            )
    if len({isinstance(label, str) for label in labels}) > 1:
        raise ValueError("y mixes strings with other labels. Convert all labels to strings.")
    array = np.asarray(labels)
    check_classification_targets(array)
    return array
