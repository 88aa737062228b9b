"""One writer for all tables: whole, or frame by frame."""

import csv
import gzip
import io
import json
import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from datetime import date, datetime
from decimal import Decimal
from functools import partial
from math import isfinite
from os import PathLike
from typing import TYPE_CHECKING, Any, TextIO

import numpy as np

from honeybayes.tables._delimited import delimiter_of
from honeybayes.tables._files import FORMAT_OF_ENDING, file_ending
from honeybayes.tables._frames import Table, frame_rows
from honeybayes.utils.labels import is_missing
from honeybayes.utils.optional import import_optional
from honeybayes.utils.writing import atomic_write

if TYPE_CHECKING:
    from pandas import DataFrame

FORMULA = re.compile(r"[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")  # also their wide forms
NUMBER = re.compile(r"[+-]?[0-9]+([.,][0-9]+)*([eE][+-]?[0-9]+)?%?")
# .xlsm is for workbooks with programs, which are not written
ENDINGS = (".csv", ".tsv", ".tab", ".jsonl", ".ndjson", ".xlsx", ".parquet")
LONGEST_IN_EXCEL = 32_767  # characters of a cell
NOT_IN_EXCEL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")  # nor in XML
MOST_ROWS, MOST_COLUMNS = 2**20, 2**14  # of a sheet, with the names of the columns
MOST_DIGITS = 15  # of a number in Excel
FIRST_DATE = "1900-03-01"  # before it, Excel counts days wrongly or not at all
RED, YELLOW, GREEN = "F4B6A6", "FBE7A1", "B5DDB0"  # of a confidence of 0, 0.5 and 1


def write_table(
    frame: "DataFrame", path: str | PathLike[str], *, plain_cells: bool = False, **options: Any
) -> None:
    r"""Write a table. An existing file is replaced when the new file is complete.

    Parameters
    ----------
    frame : DataFrame
        The cells. Missing values become empty cells, and null in JSON lines, which leave out
        those that are ``pandas.NA``.
    path : str or path-like
        ``.csv``, ``.tsv``, ``.tab``, ``.jsonl``, ``.ndjson`` (also with ``.gz``), ``.parquet`` or
        ``.xlsx``.
    plain_cells : bool, default=False
        Whether to write an apostrophe before cells of CSV that a spreadsheet would run as a
        formula, such as ``=1+1``. They are then no longer the same.
    **options : dict
        As in :func:`open_writer`.

    See Also
    --------
    read_table : Read the file again.

    Notes
    -----
    In Excel, a column has numbers or dates if all its cells are exactly such. Ids with zeros in
    front, and "1.50", stay texts, so that every cell is as it was.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> import pandas
    >>> from honeybayes.tables import read_table, write_table
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "mail.csv")
    ...     write_table(pandas.DataFrame({"id": ["007"], "body": ["Late, again"]}), path)
    ...     path.read_text(), read_table(path).to_dict()
    ('id,body\n007,"Late, again"\n', {'id': {2: '007'}, 'body': {2: 'Late, again'}})
    """
    with open_writer(path, plain_cells=plain_cells, **options) as write:
        write(frame)


@contextmanager
def open_writer(
    path: Any,
    *,
    format: str | None = None,
    like: Table | None = None,
    delimiter: str | None = None,
    has_mark: bool = False,
    plain_cells: bool = False,
    numbers: Collection[str] | None = None,
    mtime: int | None = None,
) -> Iterator[Any]:
    """Open a table to write frame by frame; it gets its name when it is complete.

    Parameters
    ----------
    path : str, path-like or text file
        The file; see :func:`write_table`. Or an open one, with its format, and its delimiter or
        ``like``.
    format : {"csv", "json-lines", "parquet", "excel"}, optional
        By default, the format of the file's ending.
    like : Table, optional
        A table for the same program: CSV has its delimiter and its byte order mark, and columns of
        Parquet have its types.
    delimiter : str, optional
        Of CSV; by default, as in ``like``, or a comma, or a tab for ``.tsv`` and ``.tab``.
    has_mark : bool, default=False
        Whether CSV begins with a byte order mark, without which Excel shows other letters than
        ASCII wrongly.
    plain_cells : bool, default=False
        As in :func:`write_table`.
    numbers : collection of str, optional
        Columns with numbers from 0 to 1, which get colors from red to green in Excel; by default,
        "confidence", or none with ``like``, because it may have texts in a column of this name.
    mtime : int, optional
        The date of the file, in nanoseconds; by default, now.

    Yields
    ------
    function
        Writes a frame. Unless they are JSON lines, later frames need the columns of the first, in
        any order.
    """
    if format is None and file_ending(path) not in ENDINGS:
        raise ValueError(
            f"{path}: the ending of a table to write must be one of {', '.join(ENDINGS)}; of text "
            "files also with .gz."
        )
    format = format or FORMAT_OF_ENDING[file_ending(path)]
    if numbers is None:
        numbers = ("confidence",) if like is None else ()
    if like is not None:
        has_mark = has_mark or like.has_mark
    if like is not None and delimiter is None:  # but tabs in a .tsv file, and none in a .csv file
        own = like.delimiter or delimiter_of(like.path)
        usual = own if hasattr(path, "write") else delimiter_of(path)
        delimiter = usual if "\t" in (own, usual) else own
    columns: list[str] | None = None  # of the first frame

    def write_csv(frame: "DataFrame") -> None:
        nonlocal columns
        if columns is not None and columns != list(frame.columns):
            frame = _in_order(frame, columns)
        rows = np.where(frame.isna(), "", frame.to_numpy(dtype=object)).tolist()
        if columns is None:
            columns = list(frame.columns)
            rows.insert(0, columns)
        # the csv module of Python before 3.13 does not put a carriage return in quotes
        has_cr = any("\r" in cell for row in rows for cell in row if isinstance(cell, str))
        quoting: Any = csv.QUOTE_ALL if has_cr else csv.QUOTE_MINIMAL
        between = delimiter or delimiter_of(path)
        writer = csv.writer(text, delimiter=between, lineterminator="\n", quoting=quoting)
        writer.writerows([map(plain_cell, row) for row in rows] if plain_cells else rows)

    if format in ("csv", "json-lines"):
        opened: Any = nullcontext(path)
        if not hasattr(path, "write"):
            opened = open_text_output(path, has_mark and format == "csv", mtime)
        with opened as text:
            yield write_csv if format == "csv" else partial(_write_json_lines, text)
        return
    with atomic_write(path, date=mtime) as file:
        opened = _open_excel(file, numbers)
        if format == "parquet":
            opened = _open_parquet(file, None if like is None else like.schema, numbers)
        with opened as write:
            yield write


@contextmanager
def open_text_output(
    path: str | PathLike[str], has_mark: bool = False, mtime: int | None = None
) -> Iterator[TextIO]:
    """Open a text file in UTF-8 that is written atomically; pack it if its name ends in ``.gz``."""
    packed = str(path).lower().endswith(".gz")
    with (
        atomic_write(path, date=mtime) as file,
        gzip.GzipFile(fileobj=file, mode="wb") if packed else nullcontext(file) as target,
    ):
        encoding = "utf-8-sig" if has_mark else "utf-8"
        # JSON may hold half of a surrogate pair, which UTF-8 cannot encode
        text = io.TextIOWrapper(target, encoding=encoding, errors="backslashreplace", newline="")
        yield text
        text.flush()
        text.detach()


def _write_json_lines(file: TextIO, frame: "DataFrame") -> None:
    if len(set(frame.columns)) < len(frame.columns):
        raise ValueError("Two columns have the same name, which is impossible in JSON.")
    for row in frame_rows(frame):
        file.write(json.dumps(_finite(row), ensure_ascii=False, default=str) + "\n")


def _finite(value: Any) -> Any:
    """Return a value in which missing values, and numbers that JSON cannot hold, are None."""
    if isinstance(value, dict):
        return {name: _finite(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    if isinstance(value, Decimal | np.generic) and value != value:  # NaN, or a date that is none
        return None
    is_number = isinstance(value, float)
    return None if is_missing(value) or (is_number and not isfinite(value)) else value


def _in_order(frame: "DataFrame", columns: list[str]) -> "DataFrame":
    """Return a frame with its columns in the order of the first one; it must have the same."""
    found = list(frame.columns)
    if not len(found) == len(columns) == len({*found, *columns}):
        raise ValueError(
            f"All rows of a table need the columns {columns}: missing are "
            f"{[name for name in columns if name not in found]}, too many are "
            f"{[name for name in found if name not in columns]}."
        )
    return frame[columns]


@contextmanager
def _open_parquet(file: Any, old: Any, numbers: Collection[str]) -> Iterator[Any]:
    """Write Parquet: columns have the types of the old schema; new ones are numbers or texts."""
    arrow, parquet = (import_optional(each, "parquet") for each in ("pyarrow", "pyarrow.parquet"))
    writer: Any = None
    columns: list[str] | None = None  # of the first frame

    def field(name: str) -> Any:
        if name in old.names and name not in numbers:
            return old.field(name)
        return arrow.field(name, arrow.float64() if name in numbers else arrow.string())

    def write(frame: "DataFrame") -> None:
        nonlocal writer, columns
        if columns is None:
            columns = list(frame.columns)
            if old is None:
                table = arrow.Table.from_pandas(frame, preserve_index=False)
                schema = table.schema.remove_metadata()
            else:
                schema = arrow.schema(map(field, columns))
            writer = parquet.ParquetWriter(file, schema)
        elif columns != list(frame.columns):
            frame = _in_order(frame, columns)
        arrays = []
        for at, each in enumerate(writer.schema):
            column = frame.iloc[:, at]
            cells = column.to_numpy(dtype=object, copy=True)
            cells[column.isna()] = None
            if each.type == arrow.float64():
                cells[cells == ""] = None  # an empty cell is no number
            arrays.append(arrow.array(cells.tolist(), each.type))
        writer.write_batch(arrow.record_batch(arrays, schema=writer.schema))

    try:
        yield write
        writer = writer or parquet.ParquetWriter(file, arrow.schema([]))
    finally:
        if writer is not None:
            writer.close()


@contextmanager
def _open_excel(file: Any, numbers: Collection[str]) -> Iterator[Any]:
    """Write a workbook: numbers and ISO dates as such if a column has only these, else texts."""
    openpyxl, cells = (import_optional(each, "excel") for each in ("openpyxl", "openpyxl.cell"))
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("table")
    sheet.freeze_panes = "A2"
    readers: list[Any] = []  # of the columns
    letters: list[str] = []  # of colored columns
    columns: list[str] | None = None  # of the first frame
    n_rows = 0

    def cell_of(value: Any, read: Any = None) -> Any:
        value = value if value == "" or read is None else _read_or_keep(read, value)
        is_number = isinstance(value, int | float) and abs(value) < 10**MOST_DIGITS
        if isinstance(value, datetime):
            cell = cells.WriteOnlyCell(sheet, value)
            cell.number_format = "yyyy-mm-dd hh:mm:ss"  # as it was written, whatever the country
            return cell
        if is_number or isinstance(value, date):
            return value
        text = str(value)
        if len(text) > LONGEST_IN_EXCEL or NOT_IN_EXCEL.search(text):
            raise ValueError(
                f"Excel cannot hold control characters, nor more than {LONGEST_IN_EXCEL} in a "
                f"cell, as in {text[:40]!r}. Write a .csv file."
            )
        cell = cells.WriteOnlyCell(sheet, text)
        cell.data_type = "s"  # a text that starts with = is no formula
        return cell

    def write(frame: "DataFrame") -> None:
        nonlocal n_rows, columns
        if columns is not None and columns != list(frame.columns):
            frame = _in_order(frame, columns)
        filled = np.where(frame.isna(), "", frame.to_numpy(dtype=object))
        rows = [[str(c) if isinstance(c, date) else c for c in row] for row in filled]
        n_rows += len(rows)
        if n_rows >= MOST_ROWS or len(frame.columns) > MOST_COLUMNS:
            raise ValueError(
                f"Excel holds at most {MOST_ROWS - 1:,} rows and {MOST_COLUMNS:,} columns. Write a "
                ".csv file."
            )
        if columns is None:
            columns = list(frame.columns)
            readers.extend(map(_reader_of_column, zip(*rows, strict=True)))
            readers.extend([None] * (len(columns) - len(readers)))
            for at, name in enumerate(columns, start=1):
                longest = max((len(str(row[at - 1])) for row in rows), default=0)
                letter = openpyxl.utils.get_column_letter(at)
                sheet.column_dimensions[letter].width = min(60, max(10, len(str(name)), longest))
                letters.extend([letter] if name in numbers else [])
            names = [cell_of(str(name)) for name in columns]
            for each in names:
                each.font = openpyxl.styles.Font(bold=True)
            sheet.append(names)
        for row in rows:
            sheet.append([cell_of(*pair) for pair in zip(row, readers, strict=True)])

    try:
        yield write
    except BaseException:
        book.save(io.BytesIO())  # deletes its temporary files
        raise
    for letter in letters if n_rows else ():
        colors = ("num", 0, RED, "num", 0.5, YELLOW, "num", 1, GREEN)
        scale = openpyxl.formatting.rule.ColorScaleRule(*colors)
        sheet.conditional_formatting.add(f"{letter}2:{letter}{n_rows + 1}", scale)
    book.save(file)


def _reader_of_column(cells: Collection[Any]) -> Any:
    """Return what turns the texts of a column into numbers or dates; None if they stay texts."""
    given = [cell for cell in cells if cell != ""]
    if not all(isinstance(cell, str) for cell in given):
        return None
    for read in (int, float, date.fromisoformat, datetime.fromisoformat):
        if given and all(_read_or_keep(read, cell) is not cell for cell in given):
            return read
    return None


def _read_or_keep(read: Any, cell: Any) -> Any:
    """Return a text as a number or date; the text itself if anything of it would be lost."""
    try:
        value = read(cell)
    except (TypeError, ValueError):
        return cell
    if isinstance(value, date):
        is_shown = cell >= FIRST_DATE
    else:  # not inf, nor 1e9, nor 1.0, which would be shown as 1
        is_shown = cell.lstrip("-").replace(".", "").isdecimal() and not cell.endswith(".0")
    is_exact = str(value) == cell and sum(map(str.isdigit, cell)) <= MOST_DIGITS
    return value if is_exact and is_shown else cell


def plain_cell(cell: Any) -> Any:
    """Return a cell that no spreadsheet takes for a formula: if needed, after an apostrophe."""
    if isinstance(cell, str) and FORMULA.match(cell) and not NUMBER.fullmatch(cell):
        return f"'{cell}"
    return cell


def check_new_columns(
    columns: Collection[str], new: Collection[str], advice: Mapping[str, str]
) -> None:
    """Raise ValueError if a table has a new column already; `advice` is by the new names."""
    for name in new:
        if name in columns:
            raise ValueError(
                f"The table has a column {name!r} already. {advice.get(name, 'Rename it.')}"
            )
