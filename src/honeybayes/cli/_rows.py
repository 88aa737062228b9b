"""Texts to be classified, row by row, and the same rows with more columns."""

import codecs
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

from honeybayes.data._collector import column_position
from honeybayes.data._delimited import open_table
from honeybayes.data._files import (
    STANDARD_INPUT,
    existing_file,
    open_unpacked,
    refuse_known_content,
    text_lines,
)
from honeybayes.data._json_lines import json_objects
from honeybayes.data._read import FORMAT_OF_ENDING
from honeybayes.utils.writing import atomic_write

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
    if form is not None:
        if form not in FORMS:
            raise ValueError(f"Unknown format {form!r}. The formats are: {', '.join(FORMS)}.")
        return form
    if path == "-":
        return "lines"
    ending = _ending(path)
    if ending not in FORM_OF_ENDING:
        if ending not in FORMAT_OF_ENDING:
            refuse_known_content(Path(path))
        raise ValueError(
            f"{path}: texts are read from {', '.join(FORM_OF_ENDING)} (.gz too). Say format= "
            f"({', '.join(FORMS)}), or turn the table into CSV."
        )
    return FORM_OF_ENDING[ending]


def _ending(path: str) -> str:
    return Path(path.lower().removesuffix(".gz")).suffix


def is_written_as_json(path: str | None, form: str) -> bool:
    """Tell by its ending whether the output is JSON lines; refuse one that cannot be written.

    Rows go to standard output, and to a file without an ending, in the form in which they came.
    """
    ending = "" if path is None else _ending(path)
    if not ending:
        return form == "json-lines"
    if ending not in FORM_OF_ENDING:
        raise ValueError(
            f"{path}: {ending} cannot be written. Name a file that ends in "
            f"{', '.join(FORM_OF_ENDING)} (.gz too)."
        )
    if form == "json-lines" and FORM_OF_ENDING[ending] != form:
        raise ValueError(
            f"{path}: JSON lines, whose fields may differ from line to line, are written as such. "
            "Name a file that ends in .jsonl."
        )
    return FORM_OF_ENDING[ending] == "json-lines"


def encoding_for(table: str) -> str:
    """Return UTF-8, with a byte order mark if the table begins with one: so Excel wants it."""
    if Path(table) == STANDARD_INPUT:
        return "utf-8"
    with open_unpacked(Path(table)) as file:
        return "utf-8-sig" if file.read(len(codecs.BOM_UTF8)) == codecs.BOM_UTF8 else "utf-8"


def read_rows(
    path: str,
    text: str,
    form: str | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    quotes: bool = True,
) -> Rows:
    """Begin to read the rows of a table; ``text`` names the column with the texts."""
    existing_file(path, or_standard_input=True)
    form, encoding = form_of(path, form), encoding or "utf-8"
    if form == "csv":
        header, (text_at,), rows = open_table(
            path, {"text": text}, delimiter, quotes, encoding, keep_blank=True
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
