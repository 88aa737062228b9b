"""Rows of spreadsheets: Excel workbooks, read with openpyxl, and OpenDocument, with pandas."""

import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from datetime import datetime, time
from pathlib import Path
from typing import IO, Any
from xml.etree.ElementTree import ParseError
from zipfile import BadZipFile, ZipFile

from honeybayes.tables._files import check_format, open_seekable
from honeybayes.tables._frames import Columns, Table, check_columns, exact_integer, make_frames
from honeybayes.utils.messages import did_you_mean
from honeybayes.utils.optional import import_optional

ZIP = b"PK\x03\x04"
SHEET = re.compile(r"xl/worksheets/[^/]*\.xml")
LARGEST_PART = 2**29  # bytes when unpacked; a million strings of 500 characters
BROKEN = (BadZipFile, ParseError, EOFError, KeyError, OSError, TypeError, ValueError)
LEADING_ZEROS = re.compile("0{2,30}")  # the number format of ids


def open_sheet(
    path: Path, format: str, required: Mapping[str, Columns], sheet: str | None = None
) -> Table:
    """Open a sheet.

    The first row that is not empty names the columns. Cells right of the last name are ignored,
    and so are empty rows.
    """
    rows = _rows(path, sheet, is_ods=format == "ods")
    number, first = next(rows, (1, []))
    header = [name.strip() for name in first]
    while header and not header[-1]:
        header.pop()
    check_columns(f"{path}, row {number}", header, required)
    n = len(header)
    padded = ((at, (row + [""] * n)[:n]) for at, row in rows)
    return Table(path, format, header, make_frames(padded, header), has_mark=True)


def _rows(path: Path, sheet: str | None, is_ods: bool) -> Iterator[tuple[int, list[str]]]:
    """Yield the number of each row that is not empty, and its cells."""
    with open_seekable(path) as file:
        head = file.read(64)
        if not head.startswith(ZIP):
            check_format(path, head, ".ods" if is_ods else ".xlsx")
        with _errors_explained(path), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about styles, which do not matter here
            book = _open_ods(file) if is_ods else _open_book(file)
        with closing(book):
            names = book.sheet_names if is_ods else [each.title for each in book.worksheets]
            chosen = next(iter(names), None) if sheet is None else sheet
            if chosen not in names:
                which = "with cells" if sheet is None else repr(sheet)
                raise ValueError(
                    f"{path}: there is no sheet {which}. The sheets are: "
                    f"{', '.join(map(repr, names)) or 'none'}.{did_you_mean(sheet, names)}"
                )
            with _errors_explained(path):
                rows = _rows_of_ods(book, chosen) if is_ods else book[chosen].iter_rows()
                for number, row in enumerate(rows, start=1):
                    texts = [_as_text(cell) for cell in (row if is_ods else map(_value, row))]
                    if any(map(str.strip, texts)):
                        yield number, texts


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


def _rows_of_ods(book: Any, sheet: Any) -> list[Any]:
    import pandas

    options: Any = {"header": None, "dtype": object, "na_filter": False}
    return pandas.read_excel(book, sheet_name=sheet, **options).to_numpy(dtype=object).tolist()


@contextmanager
def _errors_explained(path: Path) -> Iterator[None]:
    try:
        yield
    except BROKEN as error:
        raise ValueError(
            f"{path} cannot be read as an Excel workbook: {error}. Open it in Excel, and save the "
            "sheet as CSV UTF-8."
        ) from error


def _value(cell: Any) -> Any:
    """Return the value of a cell of Excel, with the zeros that the number format of ids shows."""
    value = exact_integer(cell.value) if isinstance(cell.value, float) else cell.value
    if type(value) is int and value >= 0:
        with suppress(IndexError):  # the file may lack the style
            if LEADING_ZEROS.fullmatch(cell.number_format):
                return str(value).zfill(len(cell.number_format))
    return value


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
