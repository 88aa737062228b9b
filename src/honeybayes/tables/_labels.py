"""Checks of the labels of a table."""

import re
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honeybayes.tables._excel import EXACT_BELOW, exact_integer
from honeybayes.tables._frames import integer_as_text
from honeybayes.utils.labels import UNLABELED, has_no_label

LONGEST_LABEL = 500
LIST_OF_LABELS = re.compile(r"[\[({].*[,;|].*[\])}]", re.DOTALL)
SEPARATORS = re.compile(r"[,;|]")
ONE_LABEL = (
    "A document must have exactly one label, because multi-label classification is not supported. "
    "Keep one label, or make one file per label."
)


def check_labels(
    cells: Iterable[Any],
    numbers: Iterable[int],
    where: object,
    unit: str,
    column: str = "label",
    keep_empty: bool | None = None,
    whole_floats: bool = False,
) -> NDArray[np.str_]:
    """Return the labels of documents as strings, or raise ValueError with the place of a wrong one.

    `unit` is the unit of the numbers in error messages: "line", "row" or "document". `keep_empty`
    is None if the reader has no parameter ``keep_unlabeled``. With `whole_floats`, a whole float is
    read as an integer, because missing values make floats of integers.
    """

    def at(number: int) -> str:
        return f"{where}, {unit} {number}, column {column!r}"

    labels, empty = [], []
    known: dict[Any, str] = {}
    first: dict[str, int] = {}
    for number, cell in zip(numbers, cells, strict=True):
        key = type(cell), id(cell) if isinstance(cell, list | dict | np.ndarray) else cell
        label = known.get(key)
        if label is None:
            label = known[key] = _check_label(cell, at(number), keep_empty, whole_floats)
        if label == UNLABELED:
            empty.append(number)
        else:
            first.setdefault(label, number)
        labels.append(label)
    if empty and not keep_empty:
        more = f" (and {len(empty) - 1} more, the next in {unit} {empty[1]})" if empty[1:] else ""
        or_keep = ", or use keep_unlabeled=True, and split_unlabeled() of the corpus"
        raise ValueError(
            f"{at(empty[0])}: the label is empty{more}. "
            f"Fill it in, or remove the {unit}{'' if keep_empty is None else or_keep}."
        )
    if not labels:
        raise ValueError(f"{where} contains no documents.")
    for label, number in first.items():
        # "Arts, Crafts" may be one class, unless "Arts" and "Crafts" are classes as well.
        parts = [part.strip() for part in SEPARATORS.split(label)]
        if len(parts) > 1 and all(part in first for part in parts):
            raise ValueError(f"{at(number)}: {label!r} is not one label. {ONE_LABEL}")
    return np.array(labels)


def _check_label(cell: Any, where: str, keep_empty: bool | None, whole_floats: bool) -> str:
    if isinstance(cell, float) and (keep_empty or whole_floats):
        cell = exact_integer(cell)
    if isinstance(cell, list | tuple | dict | np.ndarray):
        raise ValueError(f"{where}: {cell!r} is not one label. {ONE_LABEL}")
    if has_no_label(cell) and (keep_empty is not None or not isinstance(cell, float)):
        return UNLABELED
    label = integer_as_text(cell)
    if not isinstance(label, str):
        too_large = isinstance(cell, float) and abs(cell) >= EXACT_BELOW
        raise ValueError(
            f"{where}: a label must be a string or an integer"
            f"{' below 2**53' if too_large else ''}, got {cell!r}."
        )
    label = label.strip()
    if "\0" in label:  # NumPy drops it at the end of a string
        raise ValueError(f"{where}: the label {label!r} contains a NUL character. Remove it.")
    if len(label) > LONGEST_LABEL:
        raise ValueError(
            f"{where}: the label has {len(label)} characters, but at most {LONGEST_LABEL} are "
            f"allowed. Is this the column with the text?"
        )
    if LIST_OF_LABELS.fullmatch(label):
        raise ValueError(f"{where}: {label!r} is not one label. {ONE_LABEL}")
    return label
