"""Texts and labels as a reader meets them, checked in one place for all readers."""

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from honeybayes.data._corpus import Corpus
from honeybayes.data._files import corpus_name, near_match

LONGEST_LABEL = 500
EXACT_BELOW = 2**53  # a float from here on may stand for several whole numbers
LIST_OF_LABELS = re.compile(r"[\[({].*[,;|].*[\])}]", re.DOTALL)
SEPARATORS = re.compile(r"[,;|]")
ONE_LABEL = (
    "Several labels for one document (multi-label classification) are not supported: "
    "keep one, or repeat the document in a file of its own for each label."
)


class LabelCollector:
    """The labels of a file, each checked when it is added.

    Parameters
    ----------
    path : Path
        Named in every message.
    unit : str
        What is counted in the file: "line", "row".
    column : str
        Where the labels stand.
    keep_empty : bool, optional
        Whether an empty label is kept, as an empty string. None: the form has no such option.
    """

    def __init__(
        self,
        path: Path,
        unit: str = "line",
        column: str = "label",
        keep_empty: bool | None = None,
    ) -> None:
        self.path, self.unit, self.column, self.keep_empty = path, unit, column, keep_empty
        self.labels: list[str] = []
        self.first_place: dict[str, int] = {}
        self.empty: list[int] = []  # all of them are told at once, not one at a time

    def place(self, number: int, column: str) -> str:
        """Name a cell, to begin a message with."""
        return f"{self.path}, {self.unit} {number}, column {column!r}"

    def add(self, number: int, value: object) -> None:
        """Add the label of one document: a string or a whole number."""
        if isinstance(value, int) and not isinstance(value, bool):
            value = str(value)
        where = self.place(number, self.column)
        if isinstance(value, list | tuple | dict | np.ndarray):
            raise ValueError(f"{where}: {value!r} is not one label. {ONE_LABEL}")
        if value is None or (isinstance(value, str) and not value.strip()):
            self.empty.append(number)
            self.labels.append("")
            return
        if not isinstance(value, str):
            too_large = isinstance(value, float) and abs(value) >= EXACT_BELOW
            raise ValueError(
                f"{where}: a label must be a string or a whole number"
                f"{', below 2**53 to be exact' if too_large else ''}, got {value!r}."
            )
        label = value.strip()
        if "\0" in label:  # NumPy drops them at the end of a string
            raise ValueError(f"{where}: the label {label!r} holds a NUL character. Take it out.")
        if len(label) > LONGEST_LABEL:
            raise ValueError(
                f"{where}: a label of {len(label)} characters. Does this column hold the text?"
            )
        if LIST_OF_LABELS.fullmatch(label):
            raise ValueError(f"{where}: {label!r} is not one label. {ONE_LABEL}")
        self.first_place.setdefault(label, number)
        self.labels.append(label)

    def array(self) -> NDArray[np.str_]:
        """Return the labels, or refuse a file without any, with empty or with joined ones."""
        if self.empty and not self.keep_empty:
            first, *others = self.empty
            more = (
                f" (and {len(others)} more, the next in {self.unit} {others[0]})" if others else ""
            )
            or_keep = "" if self.keep_empty is None else ", or say keep_unlabeled=True"
            raise ValueError(
                f"{self.place(first, self.column)}: the label is empty{more}. Every document needs "
                f"a class: fill it in, or leave the {self.unit} out{or_keep}."
            )
        if not self.labels:
            raise ValueError(f"{self.path} holds no documents.")
        for label, number in self.first_place.items():
            # "Arts, Crafts" may be one class; not if "Arts" and "Crafts" are classes as well.
            parts = [part.strip() for part in SEPARATORS.split(label)]
            if len(parts) > 1 and all(part in self.first_place for part in parts):
                where = self.place(number, self.column)
                raise ValueError(f"{where}: {label!r} is not one label. {ONE_LABEL}")
        return np.array(self.labels)


class DocumentCollector:
    """Texts with their labels; see :class:`LabelCollector` for the parameters."""

    def __init__(
        self, path: Path, text: str, label: str, unit: str = "line", keep_empty: bool = False
    ) -> None:
        if text == label:
            raise ValueError(
                f"{path}: the column {text!r} cannot hold both the text and the label. Name two "
                f"columns with text= and label=."
            )
        self.path, self.text_column = path, text
        self.texts: list[str] = []
        self.labels = LabelCollector(path, unit, label, keep_empty)

    def add(self, number: int, text: object, label: object) -> None:
        """Add one document. Its text may be empty, but must be there."""
        if isinstance(text, int) and not isinstance(text, bool):
            text = str(text)
        if not isinstance(text, str):
            where = self.labels.place(number, self.text_column)
            raise ValueError(f"{where}: a text must be a string, got {text!r}.")
        self.labels.add(number, label)
        self.texts.append(text)

    def corpus(self) -> Corpus:
        """Return what was collected, named after the file."""
        return Corpus(corpus_name(self.path), self.texts, self.labels.array())


def checked_counts(counts: sparse.csr_array, where: str) -> sparse.csr_array:
    """Raise ValueError if a count is negative or not finite; make the matrix canonical."""
    if not (np.isfinite(counts.data).all() and (counts.data >= 0).all()):
        raise ValueError(f"{where} must hold counts, but some are negative or not finite.")
    counts.sum_duplicates()
    return counts


def exact_integer(value: float) -> int | float:
    """Return a float as a whole number if it is one for sure; else as it is, to be refused."""
    value = float(value)
    return int(value) if value.is_integer() and abs(value) < EXACT_BELOW else value


def column_position(where: str, name: str, columns: Sequence[str], argument: str) -> int:
    """Return where a column stands, or say which ones there are."""
    if name not in columns:
        there = ", ".join(map(repr, columns)) or "none"
        raise ValueError(
            f"{where}: there is no column {name!r}. The columns are: {there}."
            f"{near_match(name, columns)} Name the column with {argument}=."
        )
    if columns.count(name) > 1:
        raise ValueError(f"{where}: two columns are called {name!r}. Rename one of them.")
    return columns.index(name)
