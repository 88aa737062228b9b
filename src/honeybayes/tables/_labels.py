"""Labels of a table: checked, and in one spelling."""

import re
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honeybayes.tables._frames import EXACT_BELOW, exact_integer, integer_as_text
from honeybayes.utils.labels import UNLABELED, find_missing, has_no_label

LONGEST_LABEL = 500
N_SHOWN = 5  # names in a message
NUMBER, WHOLE = re.compile(r"[+-]?\d+(\.\d+)?"), re.compile(r"^([+-]?\d+)\.0+\Z")
LIST_OF_LABELS = re.compile(r"[\[({].*[,;|].*[\])}]", re.DOTALL)
SEPARATORS = re.compile(r"[,;|]")
ONE_LABEL = (
    "A document must have exactly one label, because multi-label classification is not supported. "
    "Keep one label, or make one file per label."
)


def check_labels(
    cells: Any, where: object, keep_empty: bool | None = None, whole_floats: bool = False
) -> NDArray[np.str_]:
    """Return a column of labels as strings, or raise ValueError with the place of a wrong one.

    `keep_empty` is None if the reader has no parameter ``keep_unlabeled``. With `whole_floats`, a
    whole float is read as an integer, because missing values make floats of integers.
    """
    unit = cells.index.name

    def at(number: int) -> str:
        return f"{where}, {unit} {number}, column {cells.name!r}"

    labels, empty = [], []
    known: dict[Any, str] = {}
    first: dict[str, int] = {}
    for number, cell in zip(cells.index, cells.tolist(), strict=True):
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


def spell_numbers(labels: np.ndarray, known: Sequence[str], always: bool = False) -> np.ndarray:
    """Write whole numbers in one way, if all labels are numbers: as known, or as integers.

    Programs write 1.0 for 1 if cells of the column are empty. Unless ``always``, labels change only
    if there are two spellings of the same number, in the table or in the table and ``known``.
    """
    names = set(labels.tolist()) - {UNLABELED, *find_missing(labels, known)}
    if not names or not all(map(NUMBER.fullmatch, names)):
        return labels
    integers = {name: WHOLE.sub(r"\1", name) for name in {*names, *known}}
    spellings = {integers[name]: name for name in known}
    new = {name: spellings.get(integers[name], integers[name]) for name in names - {*known}}
    has_twins = any(integers[name] != name and integers[name] in names for name in names)
    changed = {old: name for old, name in new.items() if old != name}
    if not changed or not (always or has_twins or set(changed.values()) & {*known}):
        return labels
    pairs = ", ".join(f"{old} as {name}" for old, name in sorted(changed.items())[:N_SHOWN])
    warnings.warn(
        f"Some labels are the same number in two spellings, and are read as one: {pairs}.",
        UserWarning,
        stacklevel=3,
    )
    return np.array([changed.get(name, name) for name in labels.tolist()])


def fold_labels(labels: np.ndarray, spellings: Sequence[str]) -> np.ndarray:
    """Write labels that differ only in case in one way: a known spelling, or the most frequent."""
    names, counts = np.unique(labels, return_counts=True)
    by_folded: dict[str, str] = {}
    for name in [*spellings, *names[np.argsort(-counts, kind="stable")].tolist()]:
        by_folded.setdefault(name.casefold(), name)
    known = set(spellings)
    return np.array(
        [name if name in known else by_folded[name.casefold()] for name in labels.tolist()]
    )
