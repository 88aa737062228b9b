"""Rows of tables in CSV and TSV."""

import csv
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from pathlib import Path
from typing import Any

from honeybayes.data._collector import Columns, column_position, split_columns
from honeybayes.data._files import LONGEST_ROW, LongRowError, allow_long_cells, text_lines

NO_QUOTES = "If quotes have no special meaning in this file, use quotes=False"
DELIMITERS = ",;\t|"
N_SAMPLE = 20  # lines that show the delimiter
Rows = Iterator[tuple[int, list[str]]]  # the first line of a row, and its cells


def open_delimited(
    path: Path,
    required: Mapping[str, Columns],
    delimiter: str | None,
    usual: str,
    quotes: bool,
    encoding: str,
    keep_blank: bool,
) -> tuple[str, list[str], list[list[int]], Rows]:
    """Return the delimiter, the columns, the positions of the required ones, and the rows.

    Without a delimiter, it is the usual one if that separates the required columns.
    """
    if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n'):
        raise ValueError(
            f"{path}: the delimiter must be one character, not a quote and not a line break; "
            f"got {delimiter!r}."
        )

    def is_header(line: str) -> bool:
        return any(
            _has_columns([cell.strip().strip('"') for cell in line.split(each)], required)
            for each in (DELIMITERS if delimiter is None else delimiter)
        )

    lines = text_lines(path, "TSV" if (delimiter or usual) == "\t" else "CSV", encoding, is_header)
    if delimiter is None:
        delimiter, lines = _detect_delimiter(lines, required, usual, quotes)
    rows = _rows(lines, path, delimiter, quotes, keep_blank)
    line, first = next(rows, (1, []))
    header = [name.strip() for name in first]
    where = f"{path}, line {line}"
    _check_delimiter(where, header, delimiter, required)
    positions = [
        [column_position(where, each, header, argument) for each in split_columns(name, header)]
        for argument, name in required.items()
    ]
    return delimiter, header, positions, _check_lengths(rows, path, len(header), delimiter)


def _has_columns(header: list[str], required: Mapping[str, Columns]) -> bool:
    return all(set(split_columns(name, header)) <= set(header) for name in required.values())


def _detect_delimiter(
    lines: Iterator[str], required: Mapping[str, Columns], usual: str, quotes: bool
) -> tuple[str, Iterator[str]]:
    """Return the delimiter and all lines; read as few lines as it takes.

    The usual delimiter comes first. Others must separate the required columns; of several, the
    one whose rows are as long as the header. If none does, the header is split where possible, so
    that a message can name its columns.
    """
    head: list[str] = []
    for line in lines:
        head.append(line)
        if line.strip():
            break
    if required and _has_columns(_sample(head, usual, quotes)[0], required):
        return usual, chain(head, lines)
    head += islice(lines, N_SAMPLE)
    samples = {each: _sample(head, each, quotes) for each in (usual, *DELIMITERS)}
    fitting = [
        each
        for each, (header, *_) in samples.items()
        if required and _has_columns(header, required)
    ]
    if usual not in fitting and (fitting or len(samples[usual][0]) < 2):
        usual = max(fitting or samples, key=lambda each: _regularity(samples[each]))
    return usual, chain(head, lines)


def _sample(lines: list[str], delimiter: str, quotes: bool) -> list[list[str]]:
    """Return the header and the rows of the first lines, as far as they can be read."""
    allow_long_cells()
    quoting: Any = csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE
    rows: list[list[str]] = []
    try:
        reader = csv.reader(lines, delimiter=delimiter, quoting=quoting)
        rows.extend([*map(str.strip, row)] for row in reader if any(map(str.strip, row)))
    except csv.Error:  # the rows before it are enough
        pass
    return rows or [[]]


def _regularity(rows: list[list[str]]) -> tuple[int, int]:
    """Return how many rows are as long as a header of at least two cells, and its length."""
    header, *others = rows
    n_alike = sum(len(row) == len(header) for row in others)
    return (n_alike if len(header) > 1 else -1), len(header)


def _check_lengths(rows: Rows, path: Path, n_columns: int, delimiter: str) -> Rows:
    for line, row in rows:
        if len(row) != n_columns:
            raise ValueError(
                f"{path}, line {line}: found {len(row)} cell(s), but the header names {n_columns} "
                f"columns. Put a cell that contains {delimiter!r} or a line break in double quotes."
            )
        yield line, row


def _rows(lines: Iterable[str], path: Path, delimiter: str, quotes: bool, keep_blank: bool) -> Rows:
    allow_long_cells()
    dialect: dict[str, Any] = {"quoting": csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE}
    taken: list[str] = []  # the lines of the current row
    header: list[str] = []
    length = 0

    def noted() -> Iterator[str]:
        nonlocal length
        for line in lines:
            taken.append(line)
            length += len(line)
            if length > LONGEST_ROW:
                raise LongRowError("", "")
            yield line

    reader = csv.reader(noted(), delimiter=delimiter, strict=True, **dialect)
    while True:
        taken.clear()
        length = 0
        line = reader.line_num + 1
        try:
            row = next(reader)
        except StopIteration:
            return
        except LongRowError as error:
            start = "".join([*taken, error.start])
            cells = _sample([start], delimiter, quotes)[0]  # none if a quote is not closed
            column = f", column {header[len(cells) - 1]!r}" if 0 < len(cells) <= len(header) else ""
            raise ValueError(
                f"{path}, line {line}{column}: with this cell, the row has more than {LONGEST_ROW} "
                f"characters. Shorten the text, or close the quote before it. {NO_QUOTES}."
            ) from error
        except csv.Error as error:
            if "\r" in str(error) or "new-line" in str(error):
                hint = "Save the file with Unix line endings (LF)."
            else:
                hint = f"Close every quote, and double the quotes inside a cell. {NO_QUOTES}."
            raise ValueError(f"{path}, line {line}: {error}. {hint}") from error
        if delimiter == "\t" and _could_be_rows(taken, len(row)):
            raise ValueError(
                f"{path}, line {line}: a quoted cell contains tabs and line breaks, so that "
                f"{len(taken)} lines are one row. {NO_QUOTES}; otherwise remove the tabs from "
                f"the cell."
            )
        if any(cell.strip() for cell in row) or (keep_blank and row):
            header = header or row
            yield line, row


def _could_be_rows(lines: list[str], n_cells: int) -> bool:
    """Return True if several lines, joined by quotes, look like one row each."""
    filled = [line for line in lines if line.strip()]
    return len(filled) > 1 and all(line.count("\t") == n_cells - 1 for line in filled)


def _check_delimiter(
    where: str, header: list[str], delimiter: str, required: Mapping[str, Columns]
) -> None:
    """Raise ValueError if the header has the required columns with another delimiter."""
    if _has_columns(header, required):
        return
    whole = delimiter.join(header)
    for other in DELIMITERS:
        names = [name.strip() for name in whole.split(other)]
        if other != delimiter and _has_columns(names, required):
            raise ValueError(
                f"{where}: the columns are separated by {other!r}, not by {delimiter!r}. "
                f"Use delimiter={other!r}."
            )
