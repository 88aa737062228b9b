"""Rows of tables in CSV and TSV, and of files with one text per line.

Python's csv module reads them, because pandas accepts what is not CSV: it joins ``"a"b``, fills
rows that are too short, and reads on to the end of the file after a quote that is not closed.
"""

import csv
import gc
import logging
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, chain, compress, islice
from operator import itemgetter
from pathlib import Path
from typing import Any

from honeybayes.tables import _files, _frames
from honeybayes.tables._frames import N_ROWS, Columns, Table, split_columns

log = logging.getLogger("honeybayes.tables")  # says what was detected, as information
NO_QUOTES = "If quotes have no special meaning in this file, use quotes=False"
DELIMITERS = ",;\t|"
N_SAMPLE = 20  # rows that show the delimiter, after the header
MOST_LINES = 1000  # in which they are looked for
Row = list[str]


def delimiter_of(path: Any) -> str:
    """Return the default delimiter of a table: a tab for ``.tsv`` and ``.tab``, else a comma."""
    return "\t" if _files.file_ending(path) in (".tsv", ".tab") else ","


def open_lines(
    path: Path, format: str, required: Mapping[str, Columns], encoding: str | None = None
) -> Table:
    """Open a file with one text per line, which has no columns to check."""
    file = _files.open_text(path, "text", encoding)
    _files.check_format(path, file.head, "text")
    if encoding is None and file.encoding != "utf-8":
        log.info("Read %s with %s", path, _files.TOLD[file.encoding])
    lines = chain.from_iterable(file.blocks)
    rows = enumerate(([line.rstrip("\r\n")] for line in lines), start=1)
    frames = _frames.make_frames(rows, ["text"], "line")
    return Table(path, format, ["text"], frames, has_mark=file.head.startswith(_files.MARKS))


def open_delimited(
    path: Path,
    format: str,
    required: Mapping[str, Columns],
    delimiter: str | None = None,
    quotes: bool = True,
    encoding: str | None = None,
    keep_blank: bool = False,
) -> Table:
    """Open CSV or TSV. Without a delimiter, it is the usual one if that separates the columns."""
    if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n'):
        raise ValueError(
            f"{path}: the delimiter must be one character, not a quote and not a line break; "
            f"got {delimiter!r}."
        )
    usual = delimiter_of(path)
    form = "TSV" if (delimiter or usual) == "\t" else "CSV"
    file = _files.open_text(path, form, encoding)
    quoting: Any = csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE
    try:
        head: list[str] = []  # lines that show the delimiter
        while len(head) <= N_SAMPLE and sum(map(len, head)) <= _files.N_HEAD:
            if (block := next(file.blocks, None)) is None:
                break
            head += block
        others = DELIMITERS if delimiter is None or required else ""
        found, n_titles = _detect_delimiter(head, required, delimiter or usual, others, quoting)
        if delimiter is not None and found != delimiter:
            raise ValueError(
                f"{path}, line 1: the columns are separated by {found!r}, not by {delimiter!r}. "
                f"Use delimiter={found!r}."
            )
        rows: list[Row] = [[]]  # of a frame while they are read, and the row before
        lines = chain.from_iterable(_limited(chain([head], file.blocks), rows))
        reader = csv.reader(lines, delimiter=found, quoting=quoting, strict=True)
        header, line = _read_header(reader, rows, n_titles, path)
        if len(header) > _files.MOST_COLUMNS:
            raise ValueError(f"{path}, line {line}: more than {_files.MOST_COLUMNS} columns.")
        _frames.check_columns(f"{path}, line {line}", header, required)
    except ValueError:
        if file.encoding != "utf-16":
            _files.check_format(path, file.head, form)  # which may explain better what is wrong
        raise
    detected = [] if delimiter or found == usual else [f"delimiter {found!r}"]
    detected += [] if encoding or file.encoding == "utf-8" else [_files.TOLD[file.encoding]]
    if detected:
        log.info("Read %s with %s", path, " and ".join(detected))
    frames = _read_frames(reader, rows, header, path, found, keep_blank)
    has_mark = file.head.startswith(_files.MARKS) or found == ";" or file.encoding != "utf-8"
    return Table(path, format, header, frames, found, has_mark)


def _limited(blocks: Iterator[list[str]], rows: list[Row]) -> Iterator[list[str]]:
    """Yield the blocks; raise an error if no row is completed for too long."""
    last: Any = ...
    length = 0
    for block in blocks:
        length = length + sum(map(len, block)) if rows[-1] is last else 0
        last = rows[-1]
        if length > _files.LONGEST_ROW + _files.N_HEAD:
            raise csv.Error("field limit")
        yield block


def _n_lines(row: Row) -> int:
    return 1 + sum(cell.count("\n") for cell in row)


def _read_rows(reader: Any, read: list[Row], n_rows: int, path: Path) -> tuple[list[Row], int]:
    """Return the next rows and the line of the first; say in which line a row cannot be read."""
    del read[:-1]
    first, collects = reader.line_num + 1, gc.isenabled()
    # the limit is global and stays raised, because another thread may be reading
    csv.field_size_limit(max(csv.field_size_limit(), _files.LONGEST_ROW))
    gc.disable()  # lists of strings hold no cycles, and searching for them takes a fifth
    try:
        read.extend(islice(reader, n_rows))
    except csv.Error as error:
        line, what = first + sum(map(_n_lines, read[1:])), str(error)
        hint = f"Close every quote, and double the quotes inside a cell. {NO_QUOTES}."
        if "new-line" in what:
            hint = "Save the file with Unix line endings (LF)."
        elif "field limit" in what:
            what = f"the row has more than {_files.LONGEST_ROW} characters"
            hint = f"Shorten the text, or close the quote before it. {NO_QUOTES}."
        raise ValueError(f"{path}, line {line}: {what}. {hint}") from error
    finally:
        if collects:
            gc.enable()
    return read[1:], first


def _read_header(reader: Any, read: list[Row], n_titles: int, path: Path) -> tuple[Row, int]:
    """Return the header and its line, below blank lines and titles."""
    while reader.line_num < MOST_LINES:
        rows, line = _read_rows(reader, read, 1, path)
        if not rows:
            return [], 1
        cells = [*map(str.strip, rows[0])]
        if any(cells) and not n_titles:
            return cells, line
        n_titles -= any(cells)
    raise ValueError(f"{path}: the first {MOST_LINES} lines are blank. Remove them.")


def _read_frames(
    reader: Any, read: list[Row], header: Row, path: Path, delimiter: str, keep_blank: bool
) -> Iterator[Any]:
    """Yield the rows below the header in frames, without blank lines."""
    while True:
        rows, first = _read_rows(reader, read, N_ROWS, path)
        if not rows:
            return
        if not any(rows):  # blank lines, perhaps millions of them
            continue
        kept = rows
        lines: Sequence[int] = range(first, first + len(rows))
        if reader.line_num >= first + len(rows):  # cells have line breaks
            lines = list(accumulate(map(_n_lines, rows), initial=first))[:-1]
            if delimiter == "\t":
                _check_breaks(rows, lines, path)
        is_even = {*map(len, rows)} == {len(header)}
        if not is_even or not all(map(str.strip, map(itemgetter(0), rows))):
            filled = [row if keep_blank else any(map(str.strip, row)) for row in rows]
            kept, lines = [*compress(rows, filled)], [*compress(lines, filled)]
            for line, row in zip(lines, kept, strict=True):
                if len(row) != len(header):
                    raise ValueError(
                        f"{path}, line {line}: found {len(row)} cell(s), but the header names "
                        f"{len(header)} columns. Put a cell that contains {delimiter!r} or a line "
                        "break in double quotes."
                    )
        if kept:
            yield _frames.make_frame(kept, header, lines, "line")


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
    head: list[str], required: Mapping[str, Columns], usual: str, others: str, quoting: Any
) -> tuple[str, int]:
    """Return the delimiter that the first lines show, and the number of titles above the header.

    The usual delimiter comes first. The others must separate the required columns; of several, the
    one whose rows are as long as the header. If none does, the header is split where possible, so
    that a message can name its columns.
    """
    regularity: dict[str, tuple[int, int, int]] = {}
    titles: dict[str, int] = {}
    fitting = []
    # no more of a long line, which may have millions of cells
    limit, starts = _files.N_HEAD, accumulate(map(len, head[:MOST_LINES]), initial=0)
    pairs = zip(head, starts, strict=False)
    sample = [line[: limit - start] for line, start in pairs if start < limit]
    for delimiter in (usual, *others):
        rows: list[Row] = []
        below_blank: set[int] = set()
        try:
            for row in csv.reader(sample, delimiter=delimiter, quoting=quoting):
                if any(map(str.strip, row)):
                    rows.append([*map(str.strip, row)])
                else:
                    below_blank.add(len(rows))
                if len(rows) > N_SAMPLE:
                    break
        except csv.Error:  # the rows before it are enough
            pass
        titles[delimiter] = at = _frames.find_header(rows, required, below_blank)
        header, *below = rows[at:] or [[]]
        wanted = [name for each in required.values() for name in split_columns(each, header)]
        if wanted and {*wanted} <= {*header}:
            if delimiter == usual:
                return usual, at
            fitting.append(delimiter)
        n_alike = sum(len(row) == len(header) for row in below)
        # a first row with several cells comes before a title
        n_first = len(rows[0]) if rows else 0
        order = (n_alike if min(n_first, len(header)) > 1 else -1, n_alike if at else -1)
        regularity[delimiter] = (*order, n_first)
    found = usual
    if fitting or regularity[usual][2] < 2:
        found = max(fitting or regularity, key=lambda each: regularity[each])
    return found, titles[found]
