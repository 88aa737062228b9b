"""Rows of tables in CSV and TSV.

Python's csv module reads them, because pandas accepts what is not CSV: it joins ``"a"b``, fills
rows that are too short, and reads on to the end of the file after a quote that is not closed.
"""

import csv
import gc
import io
from collections.abc import Iterator, Mapping, Sequence
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


class _Rows(list[Row]):
    """The rows of a frame while they are read, and the number of all rows before them."""

    n_before = 0
    is_sampling = True  # lines show the delimiter, and are no rows yet

    def clear(self) -> None:
        self.n_before += len(self)
        super().clear()


class _LongRowError(ValueError):
    """A row goes on and on, probably because a quote is not closed."""

    def __str__(self) -> str:
        return f"the row has more than {_files.LONGEST_ROW} characters"


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
    path = file.path
    if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n'):
        raise ValueError(
            f"{path}: the delimiter must be one character, not a quote and not a line break; "
            f"got {delimiter!r}."
        )
    # the limit is global and stays raised, because another thread may be reading
    csv.field_size_limit(max(csv.field_size_limit(), _files.LONGEST_ROW))
    rows = _Rows()
    lines: Iterator[str] = chain.from_iterable(_limited(file.blocks, rows))
    if delimiter is None:
        delimiter, lines = _detect_delimiter(lines, required, usual, quotes)
    rows.is_sampling = False
    reader = csv.reader(lines, delimiter=delimiter, quoting=_quoting(quotes), strict=True)
    header: Row = []
    line = 1
    while not any(header):
        line = reader.line_num + 1
        if not _read(reader, rows, 1, path):
            line = 1
            break
        header = [name.strip() for name in rows[0]]
    header = header if any(header) else []
    where = f"{path}, line {line}"
    _check_delimiter(where, header, delimiter, required)
    check_columns(where, header, required)
    return delimiter, header, _frames(reader, rows, path, header, delimiter, keep_blank)


def _limited(blocks: Iterator[io.StringIO], rows: _Rows) -> Iterator[io.StringIO]:
    """Yield the blocks; raise _LongRowError if no row is completed for too long."""
    n_rows = length = 0
    for block in blocks:
        n_now = rows.n_before + len(rows)
        same_row = n_now == n_rows and not rows.is_sampling
        length = length + block.seek(0, io.SEEK_END) if same_row else 0
        n_rows = n_now
        if length > _files.LONGEST_ROW + _files.N_HEAD:
            raise _LongRowError
        block.seek(0)
        yield block


def _read(reader: Any, rows: _Rows, n: int, path: Path) -> int:
    """Read the next rows; return their number."""
    rows.clear()
    before, collects = reader.line_num, gc.isenabled()
    gc.disable()  # lists of strings hold no cycles, and searching for them takes a tenth more time
    try:
        rows.extend(islice(reader, n))
    except (csv.Error, _LongRowError) as error:
        line = before + 1 + sum(map(_n_lines, rows))
        what = str(error)
        hint = f"Close every quote, and double the quotes inside a cell. {NO_QUOTES}."
        if "\r" in what or "new-line" in what:
            hint = "Save the file with Unix line endings (LF)."
        elif isinstance(error, _LongRowError) or "field limit" in what:
            what = str(_LongRowError())
            hint = f"Shorten the text, or close the quote before it. {NO_QUOTES}."
        raise ValueError(f"{path}, line {line}: {what}. {hint}") from error
    finally:
        if collects:
            gc.enable()
    return len(rows)


def _n_lines(row: Row) -> int:
    return 1 + sum(cell.count("\n") for cell in row)


def _frames(
    reader: Any, rows: _Rows, path: Path, header: Row, delimiter: str, keep_blank: bool
) -> Iterator[Any]:
    n, first = len(header), reader.line_num + 1
    while n_read := _read(reader, rows, N_ROWS, path):
        lines: Sequence[int] = range(first, first + n_read)
        if reader.line_num >= first + n_read:  # cells have line breaks
            lines = list(accumulate(map(_n_lines, rows), initial=first))[:-1]
            if delimiter == "\t":
                _check_breaks(rows, lines, path)
        first = reader.line_num + 1
        has_blank = not all(map(str.strip, map(itemgetter(0), filter(None, rows))))
        if {*map(len, rows)} != {n} or has_blank:
            kept = [
                (line, row)
                for line, row in zip(lines, rows, strict=True)
                if row and (keep_blank or any(map(str.strip, row)))
            ]
            for line, row in kept:
                if len(row) != n:
                    raise ValueError(
                        f"{path}, line {line}: found {len(row)} cell(s), but the header names {n} "
                        f"columns. Put a cell that contains {delimiter!r} or a line break in "
                        "double quotes."
                    )
            if kept:
                lines, filled = zip(*kept, strict=True)
                yield make_frame(filled, header, lines, "line")
        else:
            yield make_frame(rows, header, lines, "line")


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
    lines: Iterator[str], required: Mapping[str, Columns], usual: str, quotes: bool
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
        if line.strip() or length > _files.LONGEST_ROW:
            break
    if required and has_columns(_sample(head, usual, quotes)[0], required):
        return usual, chain(head, lines)
    for _ in range(N_SAMPLE):
        if length > _files.N_HEAD or (line := next(lines, "")) == "":
            break
        head.append(line)
        length += len(line)
    samples = {each: _sample(head, each, quotes) for each in (usual, *DELIMITERS)}
    fitting = [
        each for each, (header, *_) in samples.items() if required and has_columns(header, required)
    ]
    if usual not in fitting and (fitting or len(samples[usual][0]) < 2):
        usual = max(fitting or samples, key=lambda each: _regularity(samples[each]))
    return usual, chain(head, lines)


def _sample(lines: list[str], delimiter: str, quotes: bool) -> list[Row]:
    """Return the header and the rows of the first lines, as far as they can be read."""
    rows: list[Row] = []
    try:
        reader = csv.reader(lines, delimiter=delimiter, quoting=_quoting(quotes))
        rows.extend([*map(str.strip, row)] for row in reader if any(map(str.strip, row)))
    except csv.Error:  # the rows before it are enough
        pass
    return rows or [[]]


def _quoting(quotes: bool) -> Any:
    return csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE


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
