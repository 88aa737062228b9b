"""Rows of tables in CSV and TSV.

Python's csv module reads them, because pandas accepts what is not CSV: it joins ``"a"b``, fills
rows that are too short, and reads on to the end of the file after a quote that is not closed.
"""

import csv
import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import accumulate, chain, islice
from operator import itemgetter
from pathlib import Path
from typing import Any

from honeybayes.tables import _files
from honeybayes.tables._columns import Columns, check_columns, has_columns
from honeybayes.tables._files import TextFile
from honeybayes.tables._frames import N_ROWS, make_frame

NO_QUOTES = "If quotes have no special meaning in this file, use quotes=False"
DELIMITERS = ",;\t|"
N_SAMPLE = 20  # lines that show the delimiter
Row = list[str]


def open_delimited(
    file: TextFile,
    required: Mapping[str, Columns],
    delimiter: str | None,
    usual: str,
    quotes: bool,
    keep_blank: bool,
) -> tuple[str, list[str], Iterator[Any]]:
    """Return the delimiter, the columns, and the rows in frames.

    Without a delimiter, it is the usual one if that separates the required columns.
    """
    path, lines = file.path, file.lines
    if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n'):
        raise ValueError(
            f"{path}: the delimiter must be one character, not a quote and not a line break; "
            f"got {delimiter!r}."
        )
    # a quote that is not closed makes one long cell; the limit is global, and stays
    csv.field_size_limit(_files.LONGEST_ROW)
    quoting: Any = csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE
    if delimiter is None:
        delimiter, lines = _detect_delimiter(lines, required, usual, quoting)
    reader = csv.reader(lines, delimiter=delimiter, quoting=quoting, strict=True)
    header: Row = []
    line = 1
    while not any(header):
        before = reader.line_num
        rows = _read(reader, 1, path)
        header, line = [name.strip() for row in rows for name in row], before + 1
        if not rows:
            line = 1
            break
    where = f"{path}, line {line}"
    _check_delimiter(where, header, delimiter, required)
    check_columns(where, header, required)
    return delimiter, header, _frames(reader, path, header, delimiter, keep_blank)


def _read(reader: Any, n: int, path: Path) -> list[Row]:
    """Return the next rows."""
    rows: list[Row] = []
    before = reader.line_num
    try:
        rows.extend(islice(reader, n))
    except csv.Error as error:
        line, what = before + 1 + sum(map(_n_lines, rows)), str(error)
        hint = f"Close every quote, and double the quotes inside a cell. {NO_QUOTES}."
        if "new-line" in what:
            hint = "Save the file with Unix line endings (LF)."
        elif "field limit" in what:
            what = f"the row has more than {_files.LONGEST_ROW} characters"
            hint = f"Shorten the text, or close the quote before it. {NO_QUOTES}."
        raise ValueError(f"{path}, line {line}: {what}. {hint}") from error
    return rows


def _n_lines(row: Row) -> int:
    return 1 + sum(cell.count("\n") for cell in row)


def _frames(
    reader: Any, path: Path, header: Row, delimiter: str, keep_blank: bool
) -> Iterator[Any]:
    while True:
        with _without_collection():
            first = reader.line_num + 1
            if not (rows := _read(reader, N_ROWS, path)):
                return
            lines: Sequence[int] = range(first, first + len(rows))
            if reader.line_num >= first + len(rows):  # cells have line breaks
                lines = list(accumulate(map(_n_lines, rows), initial=first))[:-1]
                if delimiter == "\t":
                    _check_breaks(rows, lines, path)
            is_even = {*map(len, rows)} == {len(header)}
            if not is_even or not all(map(str.strip, map(itemgetter(0), rows))):
                kept = [
                    (line, row)
                    for line, row in zip(lines, rows, strict=True)
                    if row and (keep_blank or any(map(str.strip, row)))
                ]
                lines, rows = [line for line, _ in kept], [row for _, row in kept]
                _check_lengths(rows, lines, header, delimiter, path)
            frame = make_frame(rows, header, lines, "line")
        if len(frame):
            yield frame


@contextmanager
def _without_collection() -> Iterator[None]:
    """Do not look for cycles, which takes a tenth more time: lists of strings hold none."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def _check_lengths(
    rows: list[Row], lines: Sequence[int], header: Row, delimiter: str, path: Path
) -> None:
    for line, row in zip(lines, rows, strict=True):
        if len(row) != len(header):
            raise ValueError(
                f"{path}, line {line}: found {len(row)} cell(s), but the header names "
                f"{len(header)} columns. Put a cell that contains {delimiter!r} or a line break in "
                "double quotes."
            )


def _check_breaks(rows: list[Row], lines: Sequence[int], path: Path) -> None:
    """Raise ValueError if several lines of TSV, joined by quotes, look like one row each."""
    for row, line in zip(rows, lines, strict=True):
        of_row = "\t".join(row).split("\n")
        filled = [each for each in of_row if each.strip()]
        if len(filled) > 1 and all(each.count("\t") == len(row) - 1 for each in filled):
            raise ValueError(
                f"{path}, line {line}: a quoted cell contains tabs and line breaks, so that "
                f"{len(of_row)} lines are one row. {NO_QUOTES}; otherwise remove the tabs from "
                f"the cell."
            )


def _detect_delimiter(
    lines: Iterator[str], required: Mapping[str, Columns], usual: str, quoting: Any
) -> tuple[str, Iterator[str]]:
    """Return the delimiter and all lines; read as few lines as it takes, and not many long ones.

    The usual delimiter comes first. Others must separate the required columns; of several, the
    one whose rows are as long as the header. If none does, the header is split where possible, so
    that a message can name its columns.
    """
    head: list[str] = []
    length = 0
    for line in lines:
        head.append(line)
        length += len(line)
        if line.strip() or length > _files.N_HEAD:
            break
    if required and has_columns(_sample(head, usual, quoting)[0], required):
        return usual, chain(head, lines)
    for line in islice(lines, N_SAMPLE if length <= _files.N_HEAD else 0):
        head.append(line)
        length += len(line)
        if length > _files.N_HEAD:
            break
    samples = {each: _sample(head, each, quoting) for each in (usual, *DELIMITERS)}
    fitting = [
        each for each, (header, *_) in samples.items() if required and has_columns(header, required)
    ]
    if usual not in fitting and (fitting or len(samples[usual][0]) < 2):
        usual = max(fitting or samples, key=lambda each: _regularity(samples[each]))
    return usual, chain(head, lines)


def _sample(lines: list[str], delimiter: str, quoting: Any) -> list[Row]:
    """Return the header and the rows of the first lines, as far as they can be read."""
    rows: list[Row] = []
    try:
        reader = csv.reader(lines, delimiter=delimiter, quoting=quoting)
        rows.extend([*map(str.strip, row)] for row in reader if any(map(str.strip, row)))
    except csv.Error:  # the rows before it are enough
        pass
    return rows or [[]]


def _regularity(rows: list[Row]) -> tuple[int, int]:
    """Return how many rows are as long as a header of at least two cells, and its length."""
    header, *others = rows
    n_alike = sum(len(row) == len(header) for row in others)
    return (n_alike if len(header) > 1 else -1), len(header)


def _check_delimiter(
    where: str, header: Row, delimiter: str, required: Mapping[str, Columns]
) -> None:
    """Raise ValueError if the header has the required columns with another delimiter."""
    if has_columns(header, required):
        return
    whole = delimiter.join(header)
    for other in DELIMITERS:
        names = [name.strip() for name in whole.split(other)]
        if other != delimiter and has_columns(names, required):
            raise ValueError(
                f"{where}: the columns are separated by {other!r}, not by {delimiter!r}. "
                f"Use delimiter={other!r}."
            )
