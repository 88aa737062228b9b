"""Texts to be classified, row by row, and the same rows with more columns."""

import csv
import gzip
import io
import json
import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from honeybayes._writing import replacing
from honeybayes.data._collector import column_position
from honeybayes.data._delimited import open_table
from honeybayes.data._files import existing_file, text_lines
from honeybayes.data._json_lines import json_objects

FORM_OF_ENDING = {
    ".csv": "csv",
    ".tsv": "csv",
    ".tab": "csv",
    ".jsonl": "json-lines",
    ".ndjson": "json-lines",
    ".txt": "lines",
}
FORMS = ("csv", "json-lines", "lines")


@dataclass(frozen=True)
class Rows:
    """A table that is being read.

    ``columns`` are the names of the cells in each row. ``texts_and_rows`` yields the text of each
    row, and all of its cells: under their names, for an object of JSON lines has those that it
    has, else in the order of the columns.
    """

    form: str
    columns: Sequence[str]
    texts_and_rows: Iterator[tuple[str, Any]]


def form_of(path: str, form: str | None) -> str:
    """Tell the form of a table by its ending; standard input is taken as lines of text."""
    if form is None:
        plain = Path(path.lower().removesuffix(".gz"))
        form = "lines" if path == "-" else FORM_OF_ENDING.get(plain.suffix.lower())
    if form not in FORMS:
        raise ValueError(
            f"{path}: texts are read from {', '.join(FORM_OF_ENDING)} (.gz too). Say format= "
            f"({', '.join(FORMS)}), or turn the table into CSV."
        )
    return form


def read_rows(
    path: str,
    text: str,
    form: str | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
) -> Rows:
    """Begin to read the rows of a table; ``text`` names the column with the texts."""
    form, encoding = form_of(path, form), encoding or "utf-8"
    if form == "csv":
        header, (text_at,), rows = open_table(
            path, {"text": text}, delimiter, encoding=encoding, keep_blank=True
        )
        return Rows(form, header, ((row[text_at], row) for _, row in rows))
    if form == "json-lines":
        return Rows(form, (), _objects(path, text))
    lines = text_lines(existing_file(path, or_standard_input=True), "text", encoding)
    stripped = (line.rstrip("\r\n") for line in lines)
    return Rows(form, ("text",), ((line, [line]) for line in stripped))


def _objects(path: str, text: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for number, fields in json_objects(path):
        where = f"{path}, line {number}"
        column_position(where, text, list(fields), "text")
        value = fields[text]
        if not isinstance(value, str):
            raise ValueError(
                f"{where}: the field {text!r} must hold the text, got {value!r}. Name the field "
                "with text=."
            )
        yield value, fields


class RowWriter:
    """Rows as they came, with new cells behind the old ones."""

    def __init__(self, file: Any, rows: Rows, new: Sequence[str], as_json: bool, delimiter: str):
        self._refuse_taken(rows.columns, new)
        self.file, self.rows, self.new = file, rows, new
        self.as_json = as_json or rows.form == "json-lines"
        if self.as_json:
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
def open_output(path: str | None) -> Iterator[Any]:
    """Open a text file that is there whole or not at all; or standard output."""
    if path is None or path == "-":
        sys.stdout.reconfigure(newline="")  # type: ignore[union-attr]
        yield sys.stdout
        sys.stdout.flush()
        return
    with replacing(path) as file:
        packed = (
            gzip.GzipFile(fileobj=file, mode="wb")
            if path.lower().endswith(".gz")
            else nullcontext(file)
        )
        with packed as target:
            # half a character, which JSON can hold, must not lose all the others
            text = io.TextIOWrapper(target, encoding="utf-8", errors="backslashreplace", newline="")
            yield text
            text.flush()
            text.detach()
