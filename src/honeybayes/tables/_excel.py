"""Rows of spreadsheets: Excel workbooks, read with openpyxl, and OpenDocument, with pandas."""

import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, time
from itertools import islice
from pathlib import Path
from typing import IO, Any
from xml.etree.ElementTree import ParseError
from zipfile import BadZipFile, ZipFile

from honeybayes.tables._columns import Columns, check_columns
from honeybayes.tables._files import check_format, open_seekable
from honeybayes.tables._frames import N_ROWS, make_frame
from honeybayes.utils.optional import import_optional
from honeybayes.utils.suggestions import did_you_mean

ZIP = b"PK\x03\x04"
SHEET = re.compile(r"xl/worksheets/[^/]*\.xml")
LARGEST_PART = 2**29  # bytes when unpacked; a million strings of 500 characters
BROKEN = (BadZipFile, ParseError, EOFError, KeyError, OSError, TypeError, ValueError)
EXACT_BELOW = 2**53  # a larger float may stand for several integers


def open_sheet(
    path: Path, required: Mapping[str, Columns], sheet: str | None, is_ods: bool
) -> tuple[list[str], Iterator[Any]]:
    """Return the columns, and the rows in frames.

    The first row that is not empty names the columns. Cells right of the last name are ignored,
    and so are empty rows.
    """
    rows = _rows(path, sheet, is_ods)
    number, first = next(rows, (1, []))
    header = [name.strip() for name in first]
    while header and not header[-1]:
        header.pop()
    check_columns(f"{path}, row {number}", header, required)
    return header, _frames(rows, header)


def _frames(rows: Iterator[tuple[int, list[str]]], header: list[str]) -> Iterator[Any]:
    n = len(header)
    while batch := list(islice(rows, N_ROWS)):
        numbers, found = zip(*batch, strict=True)
        yield make_frame([(row + [""] * n)[:n] for row in found], header, numbers)


def _rows(path: Path, sheet: str | None, is_ods: bool) -> Iterator[tuple[int, list[str]]]:
    """Yield the number of each row that is not empty, and its cells."""
    with open_seekable(path) as file:
        head = file.read(64)
        if not head.startswith(ZIP):
            check_format(path, head, ".ods" if is_ods else ".xlsx")
        with _errors_explained(path), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about styles, which do not matter here
            book = _open_ods(file) if is_ods else _open_book(file)
        try:
            names = book.sheet_names if is_ods else [each.title for each in book.worksheets]
            if sheet is not None and sheet not in names:
                raise ValueError(
                    f"{path}: there is no sheet {sheet!r}. The sheets are: "
                    f"{', '.join(map(repr, names))}.{did_you_mean(sheet, names)}"
                )
            if not names:
                raise ValueError(f"{path} has no sheet with cells.")
            with _errors_explained(path):
                name = names[0] if sheet is None else sheet
                cells = (
                    _cells_of_ods(book, name) if is_ods else book[name].iter_rows(values_only=True)
                )
            number = 0
            while True:
                with _errors_explained(path):
                    row = next(cells, None)
                if row is None:
                    return
                number += 1
                texts = [_as_text(cell) for cell in row]
                if any(map(str.strip, texts)):
                    yield number, texts
        finally:
            book.close()


class Archive(ZipFile):
    """An archive whose parts, except sheets, which are read row by row, have a limit."""

    def open(self, name: Any, *arguments: Any, **options: Any) -> Any:
        """Open a part."""
        part = self.getinfo(name) if isinstance(name, str) else name
        if part.file_size > LARGEST_PART and not SHEET.fullmatch(part.filename):
            raise OSError(
                f"its part {part.filename} has {part.file_size} bytes, more than {LARGEST_PART}"
            )
        return super().open(name, *arguments, **options)


def _open_book(file: IO[bytes]) -> Any:
    """Open a workbook, and unpack only the parts that its tables need."""
    excel = import_optional("openpyxl.reader.excel", "excel")

    class Reader(excel.ExcelReader):  # type: ignore[name-defined]
        """Reads strings, styles (which tell dates from numbers) and sheets of cells."""

        def nothing(self, *arguments: Any) -> None: ...

        read_properties = read_custom = read_theme = read_chartsheet = nothing

    reader = Reader(file, read_only=True, data_only=True, keep_links=False)
    reader.archive = Archive(file)
    reader.read()
    return reader.wb


def _open_ods(file: IO[bytes]) -> Any:
    import_optional("odf", "ods")
    import pandas

    with Archive(file) as archive:
        for part in archive.infolist():
            archive.open(part).close()  # raises OSError if it is too large
    return pandas.ExcelFile(file, engine="odf")


def _cells_of_ods(book: Any, sheet: str) -> Iterator[Any]:
    import pandas

    options: Any = {"header": None, "dtype": object, "na_filter": False}
    frame = pandas.read_excel(book, sheet_name=sheet, **options)
    return iter(frame.to_numpy(dtype=object).tolist())


@contextmanager
def _errors_explained(path: Path) -> Iterator[None]:
    try:
        yield
    except BROKEN as error:
        raise ValueError(
            f"{path} cannot be read as an Excel workbook: {error}. Open it in Excel, and save the "
            f"sheet as CSV UTF-8."
        ) from error


def exact_integer(value: float) -> int | float:
    """Return a float as an integer if that is exact, and unchanged otherwise."""
    value = float(value)
    return int(value) if value.is_integer() and abs(value) < EXACT_BELOW else value


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
