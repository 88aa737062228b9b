"""Rows of Excel workbooks."""

import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, time
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import ParseError
from zipfile import BadZipFile, ZipFile

from honeybayes.data._collector import Columns, column_position, exact_integer, split_columns
from honeybayes.data._files import check_format, open_seekable
from honeybayes.utils.optional import import_optional
from honeybayes.utils.suggestions import did_you_mean

ZIP = b"PK\x03\x04"
SHEET = re.compile(r"xl/worksheets/[^/]*\.xml")
LARGEST_PART = 2**29  # bytes when unpacked; a million strings of 500 characters
BROKEN = (BadZipFile, ParseError, EOFError, KeyError, OSError, TypeError, ValueError)
Rows = Iterator[tuple[int, list[str]]]  # the number of a row in the sheet, and its cells


def open_sheet(
    path: Path, required: Mapping[str, Columns], sheet: str | None
) -> tuple[list[str], list[list[int]], Rows]:
    """Return the columns, the positions of the required ones, and the rows.

    The first row that is not empty names the columns. Cells right of the last name are ignored,
    and so are empty rows.
    """
    rows = _rows(path, sheet)
    number, first = next(rows, (1, []))
    where = f"{path}, row {number}"
    header = [name.strip() for name in first]
    while header and not header[-1]:
        header.pop()
    positions = [
        [column_position(where, each, header, argument) for each in split_columns(name, header)]
        for argument, name in required.items()
    ]
    n = len(header)
    return header, positions, ((line, (row + [""] * n)[:n]) for line, row in rows)


def _rows(path: Path, sheet: str | None) -> Rows:
    with open_seekable(path) as file:
        head = file.read(64)
        if not head.startswith(ZIP):
            check_format(path, head, ".xlsx")
        with _errors_explained(path), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about styles, which do not matter here
            book = _open_book(file)
        yield from _cells(path, book, sheet)


def _cells(path: Path, book: Any, sheet: str | None) -> Rows:
    try:
        names = [each.title for each in book.worksheets]
        if sheet is not None and sheet not in names:
            raise ValueError(
                f"{path}: there is no sheet {sheet!r}. The sheets are: "
                f"{', '.join(map(repr, names))}.{did_you_mean(sheet, names)}"
            )
        if not names:
            raise ValueError(f"{path} has no sheet with cells.")
        with _errors_explained(path):
            cells = book[names[0] if sheet is None else sheet].iter_rows(values_only=True)
        number = 0
        while True:
            with _errors_explained(path):
                row = next(cells, None)
            if row is None:
                return
            number += 1
            texts = [_as_text(value) for value in row]
            if any(map(str.strip, texts)):
                yield number, texts
    finally:
        book.close()


def _open_book(file: Any) -> Any:
    """Open a workbook, and unpack only the parts that its tables need."""
    excel = import_optional("openpyxl.reader.excel", "excel")

    class Archive(ZipFile):
        """An archive whose parts, except sheets, which are read row by row, have a limit."""

        def open(self, name: Any, *arguments: Any, **options: Any) -> Any:
            part = self.getinfo(name) if isinstance(name, str) else name
            if part.file_size > LARGEST_PART and not SHEET.fullmatch(part.filename):
                raise OSError(
                    f"its part {part.filename} has {part.file_size} bytes, more than {LARGEST_PART}"
                )
            return super().open(name, *arguments, **options)

    class Reader(excel.ExcelReader):  # type: ignore[name-defined]
        """Reads strings, styles (which tell dates from numbers) and sheets of cells."""

        def nothing(self, *arguments: Any) -> None: ...

        read_properties = read_custom = read_theme = read_chartsheet = nothing

    reader = Reader(file, read_only=True, data_only=True, keep_links=False)
    reader.archive = Archive(file)
    reader.read()
    return reader.wb


@contextmanager
def _errors_explained(path: Path) -> Iterator[None]:
    try:
        yield
    except BROKEN as error:
        raise ValueError(
            f"{path} cannot be read as an Excel workbook: {error}. Open it in Excel, and save the "
            f"sheet as CSV UTF-8."
        ) from error


def _as_text(value: Any) -> str:
    """Return a cell as Excel writes it to CSV, with dates in ISO format."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float):
        return str(exact_integer(value))
    if isinstance(value, datetime):
        return str(value.date() if value.time() == time() else value)
    return str(value)
