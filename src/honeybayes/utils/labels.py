"""Labels as positions among the sorted classes, with or without a mark for unlabeled documents."""

import re
from collections.abc import Iterable
from numbers import Real
from typing import Any

import numpy as np

MARK_ADVICE = (
    'write a mark such as "?" (-1 among numbers) where a label is missing, and pass unlabeled="?".'
)
AUTO = "auto"  # of a parameter ``unlabeled``: every usual mark
UNLABELED = ""  # the label of a document without one, wherever labels are strings
MINUS_ONE = "-1"
# what other programs write for a missing value, and what may be either that or a class
MARKS = {"nan", "NaN", "None", "null", "NULL", "<NA>"}
DOUBTFUL_MARKS = {"nan", "n/a", "na", "none", "null", "?"}  # in any case
INTEGER = re.compile(r"-?\d+")


def with_one_mark(y: Any, unlabeled: Any, classes: Any = ()) -> tuple[Any, Any]:
    """Return labels without missing values, and the mark of unlabeled documents or None.

    With "auto", None, NaN, missing values of pandas and blank strings mean "no label", and so does
    -1 among integers if there are at least two other values. They become one mark. ``classes`` are
    classes that are known already: labels to score a model with may show fewer.
    """
    if not is_auto(unlabeled):
        check_no_missing_labels(y)
        return y, unlabeled
    if isinstance(y, list | tuple):
        values: Any = list(y)
    else:  # a Series keeps missing values that an array would convert
        values = (y if hasattr(y, "tolist") else np.asarray(y)).tolist()
    if not isinstance(values, list) or any(isinstance(label, list | tuple) for label in values):
        return y, None  # not one dimension: scikit-learn says what is wrong
    values = [label.item() if isinstance(label, np.generic) else label for label in values]
    missing = [has_no_label(label) for label in values]
    given = {label for label, none in zip(values, missing, strict=True) if not none}
    known = given.union(np.asarray(classes).tolist())
    are_integers = all(isinstance(label, int) and not isinstance(label, bool) for label in known)
    if are_integers and _is_mark(-1, given, set(np.asarray(classes).tolist())):
        missing = [none or label == -1 for label, none in zip(values, missing, strict=True)]
    if not any(missing):
        return y, None
    is_number = bool(known) and all(isinstance(label, Real) for label in known)
    mark: Any = min((-1, *(label - 1 for label in known))) if is_number else ""
    filled = [mark if none else label for label, none in zip(values, missing, strict=True)]
    # an array of objects keeps labels of other types as they are
    is_uniform = is_number or all(isinstance(label, str) for label in known)
    return np.array(filled, dtype=None if is_uniform else object), mark


def is_auto(parameter: Any) -> bool:
    """Return True if a parameter is "auto"; as a mark, every usual one then means "no label"."""
    return isinstance(parameter, str) and parameter == AUTO


def has_no_label(label: Any) -> bool:
    """Return True if a label is None, NaN, a missing value of pandas, or a blank string."""
    return is_missing(label) or (isinstance(label, str) and not label.strip())


def find_missing(labels: Any, classes: Iterable[str] = ()) -> list[str]:
    """Return the labels that other programs write where there is no label.

    Parameters
    ----------
    labels : array-like of str
        The labels of a table.
    classes : iterable of str, default=()
        Classes that are known already. They are no missing labels.

    Returns
    -------
    list of str
        Those of "nan", "NaN", "None", "null", "NULL" and "<NA>" that occur, and "-1" if there are
        at least two other labels and all are whole numbers. "none" and "NA" may be classes.

    Examples
    --------
    >>> from honeybayes.tables import find_missing
    >>> find_missing(["delivery", "None", "billing"]), find_missing(["0", "-1", "3"])
    (['None'], ['-1'])
    >>> find_missing(["-1", "1"])
    []
    """
    found = set(np.asarray(labels, dtype=str).tolist()) - {UNLABELED}
    known = set(classes)
    missing = found & MARKS - known
    others = (found | known) - missing
    if all(map(INTEGER.fullmatch, others)) and _is_mark(MINUS_ONE, found - missing, known):
        missing.add(MINUS_ONE)
    return sorted(missing)


def _is_mark(minus_one: Any, found: set, classes: set) -> bool:
    """Return True if -1 means "no label": it is no known class, and two other labels are there."""
    others = (found | classes) - {minus_one}
    return minus_one in found - classes and len(others) > 1


def encode_labels(y: Any, unlabeled: Any = None) -> tuple[np.ndarray, np.ndarray]:
    """Return the sorted classes without the mark, and the index of each label among them.

    The index is -1 for a document whose label is ``unlabeled``, the mark; None means no mark, and
    "auto" every usual mark.
    """
    if is_auto(unlabeled):
        y, unlabeled = with_one_mark(y, unlabeled)
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
    if is_auto(unlabeled):
        filled, mark = with_one_mark(y, unlabeled)
        return is_unlabeled(np.asarray(filled), mark)
    if unlabeled is not None and is_missing(unlabeled):
        return np.array([is_missing(label) for label in y.tolist()], bool)
    check_no_missing_labels(y)
    if unlabeled is None:
        return np.zeros(len(y), bool)
    if y.dtype.kind in "USbiuf" and isinstance(unlabeled, str) != (y.dtype.kind in "US"):
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


def are_booleans(y: Any) -> bool:
    """Return whether all labels are True or False, apart from missing ones."""
    values = [label for label in np.ravel(np.array(y, dtype=object)) if not has_no_label(label)]
    return bool(values) and all(isinstance(label, bool | np.bool_) for label in values)


def unused_label(y: np.ndarray) -> Any:
    """Return a mark for unlabeled documents that is not a label, and has the type of the labels."""
    if y.dtype.kind == "U":
        return ""  # never a label: blank labels are missing
    return int(y.min()) - 1 if y.dtype.kind == "b" else y.min().item() - 1
