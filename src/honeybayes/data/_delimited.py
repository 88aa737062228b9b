"""Rows of tables in CSV and TSV."""

import csv
from collections.abc import Iterable, Iterator, Mapping, Set
from pathlib import Path
from typing import Any

from honeybayes.data._collector import column_position
from honeybayes.data._files import allow_long_cells, text_lines

NO_QUOTES = "If quotes have no special meaning in this file, use quotes=False"
Rows = Iterator[tuple[int, list[str]]]  # the first line of a row, and its cells


def open_delimited(
    path: Path,
    required: Mapping[str, str],
    delimiter: str,
    quotes: bool,
    encoding: str,
    keep_blank: bool,
) -> tuple[list[str], list[int], Rows]:
    """Return the names of the columns, the positions of the required ones, and the rows."""
    names = set(required.values())
    if len(delimiter) != 1 or delimiter in '"\r\n':
        raise ValueError(
            f"{path}: the delimiter must be one character, not a quote and not a line break; "
            f"got {delimiter!r}."
        )

    def is_header(line: bytes) -> bool:
        cells = line.decode(encoding, errors="replace").split(delimiter)
        return names <= {cell.strip().strip('"') for cell in cells}

    lines = text_lines(path, "TSV" if delimiter == "\t" else "CSV", encoding, is_header)
    rows = _rows(lines, path, delimiter, quotes, keep_blank)
    line, first = next(rows, (1, []))
    header = [name.strip() for name in first]
    where = f"{path}, line {line}"
    _check_delimiter(where, header, delimiter, names)
    positions = [
        column_position(where, name, header, argument) for argument, name in required.items()
    ]
    return header, positions, _check_lengths(rows, path, len(header), delimiter)


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

    def noted() -> Iterator[str]:
        for line in lines:
            taken.append(line)
            yield line

    reader = csv.reader(noted(), delimiter=delimiter, strict=True, **dialect)
    while True:
        taken.clear()
        line = reader.line_num + 1
        try:
            row = next(reader)
        except StopIteration:
            return
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
            yield line, row


def _could_be_rows(lines: list[str], n_cells: int) -> bool:
    """Return True if several lines, joined by quotes, look like one row each."""
    filled = [line for line in lines if line.strip()]
    return len(filled) > 1 and all(line.count("\t") == n_cells - 1 for line in filled)


def _check_delimiter(where: str, header: list[str], delimiter: str, required: Set[str]) -> None:
    """Raise ValueError if the header has the required columns with another delimiter."""
    if required <= set(header):
        return
    whole = delimiter.join(header)
    for other in ",;\t|":
        if other != delimiter and required <= {name.strip() for name in whole.split(other)}:
            raise ValueError(
                f"{where}: the columns are separated by {other!r}, not by {delimiter!r}. "
                f"Use delimiter={other!r}."
            )
