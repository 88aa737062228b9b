"""Labels as positions among the sorted classes, with or without a mark for unlabeled documents."""

from typing import Any

import numpy as np

MARK_ADVICE = (
    'write a mark such as "?" (-1 among numbers) where a label is missing, and pass unlabeled="?".'
)


AUTO = "auto"  # of a parameter ``unlabeled``: every usual mark


def with_one_mark(y: Any, unlabeled: Any) -> tuple[Any, Any]:
    """Return labels without missing values, and the mark of unlabeled documents or None.

    With "auto", None, NaN, missing values of pandas and blank strings mean "no label", and so does
    -1 among integers if there are at least two other values. They become one mark.
    """
    if not (isinstance(unlabeled, str) and unlabeled == AUTO):
        check_no_missing_labels(y)
        return y, unlabeled
    values = y.tolist() if hasattr(y, "tolist") else list(y)
    if any(isinstance(label, list | tuple) for label in values):
        return y, None  # two dimensions: scikit-learn says what is wrong
    missing = [
        is_missing(label) or (isinstance(label, str) and not label.strip()) for label in values
    ]
    numbers = [label for label, none in zip(values, missing, strict=True) if not none]
    if any(isinstance(label, str) for label in numbers) or not numbers:
        if not any(missing):
            return y, None
        mark: Any = ""
    elif any(missing):
        mark = min(-1, min(numbers) - 1)
    else:
        others = {label for label in numbers if label != -1}
        is_integer = all(
            isinstance(label, int) and not isinstance(label, bool) for label in numbers
        )
        return y, -1 if is_integer and len(others) > 1 and len(others) < len(set(numbers)) else None
    filled = [mark if none else label for label, none in zip(values, missing, strict=True)]
    return np.array(filled), mark


def encode_labels(y: Any, unlabeled: Any = None) -> tuple[np.ndarray, np.ndarray]:
    """Return the sorted classes without the mark, and the index of each label among them.

    The index is -1 for a document whose label is ``unlabeled``, the mark; None means no mark.
    """
    y = np.asarray(y)
    labeled = ~is_unlabeled(y, unlabeled)
    try:
        classes, encoded = np.unique(y[labeled], return_inverse=True)
    except TypeError as error:
        raise ValueError(
            f"y mixes labels of types that have no order ({error}). Convert all labels to strings."
        ) from error
    position = np.full(len(y), -1)
    position[labeled] = encoded
    return classes, position


def is_unlabeled(y: np.ndarray, unlabeled: Any) -> np.ndarray:
    """Return which documents have the mark as label; NaN marks every missing value."""
    if isinstance(unlabeled, str) and unlabeled == AUTO:
        filled, mark = with_one_mark(y, unlabeled)
        return is_unlabeled(np.asarray(filled), mark)
    if unlabeled is not None and is_missing(unlabeled):
        return np.array([is_missing(label) for label in y.tolist()], bool)
    check_no_missing_labels(y)
    if unlabeled is None:
        return np.zeros(len(y), bool)
    text, number = y.dtype.kind in "US", y.dtype.kind in "biuf"
    if (text and not isinstance(unlabeled, str)) or (number and isinstance(unlabeled, str)):
        raise ValueError(
            f"unlabeled={unlabeled!r} cannot occur among labels of type {y.dtype}. NumPy converts "
            'numbers in a list of strings to strings: mark documents with a string such as "?".'
        )
    return np.asarray(y == unlabeled)


def is_missing(label: Any) -> bool:
    """Return True if a label is None, NaN, or a missing value of pandas."""
    if label is None or type(label).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(label, float | np.floating) and bool(label != label)


def check_no_missing_labels(y: Any) -> None:
    """Raise ValueError if a label is missing.

    A list is checked before it is converted to an array, because NumPy converts NaN among strings
    to a string.
    """
    if not isinstance(y, list | tuple):
        array = np.asarray(y)
        y = array.ravel().tolist() if array.ndim and array.dtype.kind in "Of" else []
    for index, label in enumerate(y):
        if is_missing(label):
            raise ValueError(
                f"y has missing labels (the first is y[{index}], {label!r}). Leave those documents "
                f"out; or, with a model that learns from them too, {MARK_ADVICE}"
            )


def check_mark(unlabeled: Any) -> None:
    """Raise ValueError if the mark of unlabeled documents is NaN; scikit-learn rejects NaN."""
    if unlabeled is not None and is_missing(unlabeled):
        raise ValueError(f"unlabeled must be a label or None, not {unlabeled!r}: {MARK_ADVICE}")


def unused_label(y: np.ndarray) -> Any:
    """Return a mark for unlabeled documents that is not a label, and has the type of the labels."""
    if y.dtype.kind == "U":
        return ""  # never a label: blank labels are missing
    if y.dtype.kind == "b":
        raise ValueError("With a pool, labels cannot be True and False. Convert them to strings.")
    return y.min().item() - 1
