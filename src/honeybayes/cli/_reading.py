"""How a table is read: the options that all commands with a table have in common."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from glob import glob, has_magic
from itertools import chain
from pathlib import Path
from typing import Any

from honeybayes.cli._settings import (
    TAB,
    Parsers,
    join_settings,
    parse_settings,
    switch,
    whole_number,
)
from honeybayes.tables import FORMAT_OF_ENDING, Table, file_ending, open_table
from honeybayes.utils.labels import AUTO

ENDINGS = tuple(FORMAT_OF_ENDING)


FORMAT_ALIASES = {"jsonl": "json-lines", "ndjson": "json-lines"}
OF_FILES: Parsers = {
    "format": lambda name: FORMAT_ALIASES.get(name.lower(), name),
    "delimiter": lambda name: "\t" if name in ("\\t", TAB) else name,
    "encoding": str,
    "sheet": str,
    "quotes": switch,
}
OF_LABELS: Parsers = {"keep-model-labels": switch, "fold-case": switch, "unlabeled": str}
OF_TRAINING: Parsers = {"many-classes": switch, "n-bins": whole_number(2)}


@dataclass(frozen=True)
class Reading:
    """How to read a table and its labels, as ``--read`` says; None means that it is detected."""

    format: str | None = None
    delimiter: str | None = None
    encoding: str | None = None
    sheet: str | None = None
    quotes: bool = True
    keep_model_labels: bool = False
    fold_case: bool = False
    unlabeled: str = AUTO
    many_classes: bool = False
    n_bins: int | None = None

    @classmethod
    def parse(cls, typed: str, *more: Parsers) -> "Reading":
        """Return the settings of ``--read``; ``more`` are those of this command."""
        parsers = dict(chain(OF_FILES.items(), *(each.items() for each in more)))
        return cls(**parse_settings("--read", typed, parsers))

    def of_pool(self) -> "Reading":
        """Return how to read the pool, whose format and sheet are its own."""
        return replace(self, format=None, sheet=None)

    def as_typed(self) -> str | None:
        """Return the settings as the user types them; None if there are none."""
        usual = Reading()
        given = {
            name.replace("_", "-"): value
            for name, value in vars(self).items()
            if value != getattr(usual, name)
        }
        return join_settings(given) or None

    def of_new_table(self) -> "Reading":
        """Return how to read another table of the same kind that has no labels."""
        return Reading(delimiter=self.delimiter, encoding=self.encoding, quotes=self.quotes)

    def open(self, table: str, required: Mapping[str, Any], keep_blank: bool = False) -> Table:
        """Open a table to read it in frames."""
        return open_table(
            table,
            required,
            format=self.format,
            delimiter=self.delimiter,
            encoding=self.encoding,
            sheet=self.sheet,
            quotes=self.quotes,
            keep_blank=keep_blank,
        )

    def options(self) -> dict[str, Any]:
        """Return the options of `read_corpus`, some of whose formats have no quotes."""
        options: dict[str, Any] = {"delimiter": self.delimiter, "encoding": self.encoding}
        options["sheet"] = self.sheet
        return options if self.quotes else {**options, "quotes": False}


def check_table(table: str, model: str | None = None) -> None:
    """Raise ValueError if the table is a model file, for example because the two are swapped."""
    from honeybayes.files import is_model_file

    if is_model_file(table):
        is_swapped = model is not None and not is_model_file(model)
        swapped = f": {model} and {table} seem to be swapped" if is_swapped else ""
        raise ValueError(f"{table} is a model file, not a table{swapped}.")
    check_one(table)


def check_one(table: str) -> None:
    """Raise ValueError for a pattern or a folder of tables, which most commands cannot read."""
    if not is_many(table):
        return
    folder = Path(table)
    if not find_class_folders(folder) and any(
        file_ending(each) != ".txt" for each in find_files(table)
    ):
        what = "folder of files" if folder.is_dir() else "pattern"
        raise ValueError(
            f"{table} is a {what}, but this command reads one table. Join the files into one."
        )


def is_many(table: str) -> bool:
    """Return True for a folder or a pattern, False for one file and for standard input."""
    path = Path(table)
    return table != "-" and not path.is_file() and (path.is_dir() or has_magic(table))


def find_files(table: str) -> list[Path]:
    """Return the files of a folder or a pattern, sorted; links to nothing are files, too."""
    folder = Path(table)
    if not folder.is_dir():
        return sorted(filter(_is_file, map(Path, glob(table, recursive=True))))
    return [
        each
        for each in sorted(folder.iterdir())
        # other programs write files such as _SUCCESS beside the parts
        if file_ending(each) in ENDINGS and each.name[0] not in "._" and _is_file(each)
    ]


def _is_file(path: Path) -> bool:
    return path.is_file() or (path.is_symlink() and not path.exists())


def find_class_folders(folder: Path) -> list[Path]:
    """Return the sub-folders of a folder, which may have the texts of one class each."""
    if not folder.is_dir():
        return []
    return sorted(each for each in folder.iterdir() if each.is_dir() and each.name[0] not in "._")


def warn(message: str) -> None:
    """Tell the user what was done with the table."""
    warnings.warn(message, UserWarning, stacklevel=3)


def warn_about_empty(n_rows: int, table: str) -> None:
    """Say how many rows have no text."""
    if n_rows:
        warn(f"{table}: {say_rows(n_rows, 'has no text and is', 'have no text and are')} left out.")


def say_rows(n: int, one: str, many: str) -> str:
    """Return a number of rows with the right form of the verb."""
    return f"1 row {one}" if n == 1 else f"{n} rows {many}"
