"""Labels in one spelling: numbers, and names that differ in upper and lower case."""

import re
import warnings
from collections.abc import Sequence

import numpy as np

from honeybayes.utils.labels import UNLABELED, find_missing

N_SHOWN = 5  # names in a message
NUMBER, WHOLE = re.compile(r"[+-]?\d+(\.\d+)?"), re.compile(r"^([+-]?\d+)\.0+\Z")


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
