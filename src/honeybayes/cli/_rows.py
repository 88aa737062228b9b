"""The rows of a table, written with more columns."""

import csv
import gzip
import io
import json
import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

from honeybayes.data.tables import FORMAT_OF_ENDING, Table, file_ending
from honeybayes.utils.writing import atomic_write


def is_written_as_json(path: str | None, form: str) -> bool:
    """Tell by its ending whether the output is JSON lines; refuse one that cannot be written.

    Rows go to standard output, and to a file without an ending, in the form in which they came.
    """
    ending = "" if path is None else file_ending(Path(path))
    if not ending:
        return form == "json-lines"
    if ending not in FORMAT_OF_ENDING:
        raise ValueError(
            f"{path}: {ending} cannot be written. Name a file that ends in "
            f"{', '.join(FORMAT_OF_ENDING)} (.gz too)."
        )
    if form == "json-lines" and FORMAT_OF_ENDING[ending] != form:
        raise ValueError(
            f"{path}: JSON lines, whose fields may differ from line to line, are written as such. "
            "Name a file that ends in .jsonl."
        )
    return FORMAT_OF_ENDING[ending] == "json-lines"


class RowWriter:
    """Rows as they came, with new cells behind the old ones."""

    def __init__(self, file: Any, rows: Table, new: Sequence[str], as_json: bool, delimiter: str):
        self._refuse_taken(rows.columns, new)
        self.file, self.rows, self.new = file, rows, new
        self.as_json = as_json
        if as_json:
            if len(set(rows.columns)) < len(rows.columns):
                raise ValueError("Two columns have the same name, which JSON cannot keep.")
            return
        self.csv = csv.writer(file, delimiter=delimiter, lineterminator="\n")
        self.csv.writerow([*rows.columns, *new])

    @staticmethod
    def _refuse_taken(columns: Collection[str], new: Sequence[str]) -> None:
        taken = [name for name in new if name in columns]
        if taken:
            raise ValueError(
                f"The table has a column {taken[0]!r} already: name the new one otherwise "
                f"(--label-column, --confidence-column)."
            )

    def write(self, row: Any, cells: Sequence[Any]) -> None:
        """Write one row."""
        if not self.as_json:
            self.csv.writerow([*row, *cells])
            return
        fields = row if isinstance(row, dict) else dict(zip(self.rows.columns, row, strict=True))
        self._refuse_taken(fields, self.new)
        more = dict(zip(self.new, cells, strict=True))
        self.file.write(json.dumps({**fields, **more}, ensure_ascii=False) + "\n")


@contextmanager
def open_output(path: str | None, encoding: str = "utf-8") -> Iterator[Any]:
    """Open a text file that is there whole or not at all; or standard output."""
    if path is None or path == "-":
        sys.stdout.reconfigure(newline="")  # type: ignore[union-attr]
        yield sys.stdout
        sys.stdout.flush()
        return
    with atomic_write(path) as file:
        packed = (
            gzip.GzipFile(fileobj=file, mode="wb")
            if path.lower().endswith(".gz")
            else nullcontext(file)
        )
        with packed as target:
            # half a character, which JSON can hold, must not lose all the others
            text = io.TextIOWrapper(
                target, encoding=encoding, errors="backslashreplace", newline=""
            )
            yield text
            text.flush()
            text.detach()
