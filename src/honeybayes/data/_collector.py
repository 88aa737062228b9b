"""Checks of texts and labels that all readers share."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from honeybayes.data._corpus import Corpus
from honeybayes.data._files import LONGEST_CELL, corpus_name
from honeybayes.utils.labels import is_missing
from honeybayes.utils.suggestions import did_you_mean

Columns = str | Sequence[str]  # the name of a column, or names of several
LONGEST_LABEL = 500
EXACT_BELOW = 2**53  # a larger float may stand for several integers
LIST_OF_LABELS = re.compile(r"[\[({].*[,;|].*[\])}]", re.DOTALL)
SEPARATORS = re.compile(r"[,;|]")
ONE_LABEL = (
    "A document must have exactly one label, because multi-label classification is not supported. "
    "Keep one label, or make one file per label."
)


class LabelCollector:
    """Collect the labels of a file and check each of them.

    `unit` is the unit of the numbers in error messages: "line", "row" or "document". `keep_empty`
    is None if the reader has no parameter ``keep_unlabeled``.
    """

    def __init__(
        self, path: Path, unit: str = "line", column: str = "label", keep_empty: bool | None = None
    ) -> None:
        self.path, self.unit, self.column, self.keep_empty = path, unit, column, keep_empty
        self.labels: list[str] = []
        self.first_number: dict[str, int] = {}
        self.empty: list[int] = []  # reported together, not one by one

    def cell(self, number: int, column: str) -> str:
        """Return the position of a cell, for the start of a message."""
        return f"{self.path}, {self.unit} {number}, column {column!r}"

    def add(self, number: int, value: object) -> None:
        """Add the label of one document: a string or an integer.

        Where labels may be missing, a whole float is read as an integer, because missing values
        make floats of integers.
        """
        where = self.cell(number, self.column)
        if self.keep_empty and isinstance(value, float):
            value = exact_integer(value)
        value = as_text(value)
        if isinstance(value, list | tuple | dict | np.ndarray):
            raise ValueError(f"{where}: {value!r} is not one label. {ONE_LABEL}")
        is_empty = value is None or (self.keep_empty is not None and is_missing(value))
        if is_empty or (isinstance(value, str) and not value.strip()):
            self.empty.append(number)
            self.labels.append("")
            return
        if not isinstance(value, str):
            too_large = isinstance(value, float) and abs(value) >= EXACT_BELOW
            raise ValueError(
                f"{where}: a label must be a string or an integer"
                f"{' below 2**53' if too_large else ''}, got {value!r}."
            )
        label = value.strip()
        if "\0" in label:  # NumPy drops it at the end of a string
            raise ValueError(f"{where}: the label {label!r} contains a NUL character. Remove it.")
        if len(label) > LONGEST_LABEL:
            raise ValueError(
                f"{where}: the label has {len(label)} characters, but at most {LONGEST_LABEL} are "
                f"allowed. Is this the column with the text?"
            )
        if LIST_OF_LABELS.fullmatch(label):
            raise ValueError(f"{where}: {label!r} is not one label. {ONE_LABEL}")
        self.first_number.setdefault(label, number)
        self.labels.append(label)

    def array(self) -> NDArray[np.str_]:
        """Return the labels; raise ValueError if some are empty or joined, or if there are none."""
        if self.empty and not self.keep_empty:
            first, *others = self.empty
            more = (
                f" (and {len(others)} more, the next in {self.unit} {others[0]})" if others else ""
            )
            or_keep = ""
            if self.keep_empty is not None:
                or_keep = ", or use keep_unlabeled=True, and split_unlabeled() of the corpus"
            raise ValueError(
                f"{self.cell(first, self.column)}: the label is empty{more}. "
                f"Fill it in, or remove the {self.unit}{or_keep}."
            )
        if not self.labels:
            raise ValueError(f"{self.path} contains no documents.")
        for label, number in self.first_number.items():
            # "Arts, Crafts" may be one class, unless "Arts" and "Crafts" are classes as well.
            parts = [part.strip() for part in SEPARATORS.split(label)]
            if len(parts) > 1 and all(part in self.first_number for part in parts):
                where = self.cell(number, self.column)
                raise ValueError(f"{where}: {label!r} is not one label. {ONE_LABEL}")
        return np.array(self.labels)


class DocumentCollector:
    """Collect texts with their labels; same parameters as `LabelCollector`."""

    def __init__(
        self, path: Path, text: Columns, label: str, unit: str = "line", keep_empty: bool = False
    ) -> None:
        text = column_title(text)
        if text == label:
            raise ValueError(
                f"{path}: the column {text!r} cannot be both the text and the label. Name two "
                f"columns with text= and label=."
            )
        self.path, self.text_column = path, text
        self.texts: list[str] = []
        self.ids: list[str] = []
        self.labels = LabelCollector(path, unit, label, keep_empty)

    def add(self, number: int, text: object, label: object, *ids: object) -> None:
        """Add one document, with its id if there is one. Its text may be empty, not missing."""
        text = check_text(text, self.labels.cell(number, self.text_column))
        self.labels.add(number, label)
        self.texts.append(text)
        self.ids += ["" if is_missing(each) else str(each).strip() for each in ids]

    def corpus(self) -> Corpus:
        """Return the collected documents; the corpus is named after the file."""
        ids = np.array(self.ids) if self.ids else None
        return Corpus(corpus_name(self.path), self.texts, self.labels.array(), ids=ids)


def as_text(value: object) -> object:
    """Return an integer as a string, and other values unchanged."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def check_text(value: object, where: str) -> str:
    """Return a text; raise ValueError if the cell contains something else."""
    text = as_text(value)
    if not isinstance(text, str):
        raise ValueError(
            f"{where}: a text must be a string, got {value!r}. "
            f"Name the column with the texts with text=."
        )
    if len(text) > LONGEST_CELL:
        raise ValueError(
            f"{where}: the text has {len(text)} characters, but at most {LONGEST_CELL} are "
            "allowed. Shorten it, or split it into several texts."
        )
    return text


def checked_counts(counts: sparse.csr_array, where: str) -> sparse.csr_array:
    """Raise ValueError if a count is negative or not finite; make the matrix canonical."""
    if not (np.isfinite(counts.data).all() and (counts.data >= 0).all()):
        raise ValueError(f"{where} must contain counts, but some are negative or not finite.")
    counts.sum_duplicates()
    return counts


def exact_integer(value: float) -> int | float:
    """Return a float as an integer if that is exact, and unchanged otherwise."""
    value = float(value)
    return int(value) if value.is_integer() and abs(value) < EXACT_BELOW else value


def split_columns(name: Columns, columns: Sequence[str]) -> list[str]:
    """Return the names of one column or several; "a,b" is two columns if there is no such one."""
    if not isinstance(name, str):
        return list(name)
    parts = [part.strip() for part in name.split(",")]
    return parts if name not in columns and set(parts) <= set(columns) else [name]


def join_columns(cells: Sequence[Any], where: str) -> Any:
    """Return the text of one cell, or of several with a blank line between those not empty."""
    if len(cells) == 1:
        return cells[0]
    parts = [check_text(cell, where) for cell in cells]
    return "\n\n".join(part for part in parts if part.strip())


def column_title(name: Columns) -> str:
    """Return the name of a column, or of several, for messages."""
    return name if isinstance(name, str) else ",".join(name)


def column_position(where: str, name: str, columns: Sequence[str], argument: str) -> int:
    """Return the position of a column; raise ValueError if it is missing or ambiguous."""
    if name not in columns:
        there = ", ".join(map(repr, columns)) or "none"
        raise ValueError(
            f"{where}: there is no column {name!r}. The columns are: {there}."
            f"{did_you_mean(name, columns)} Name the column with {argument}=."
        )
    if columns.count(name) > 1:
        raise ValueError(f"{where}: two columns are called {name!r}. Rename one of them.")
    return columns.index(name)
