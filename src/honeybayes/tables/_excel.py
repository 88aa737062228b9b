"""Rows of spreadsheets: Excel workbooks, read with openpyxl, and OpenDocument."""

import re
import warnings
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime, time
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any
from xml.etree.ElementTree import ParseError, iterparse
from zipfile import BadZipFile, ZipFile

from honeybayes.tables._files import MOST_COLUMNS, Growth, check_format, open_seekable
from honeybayes.tables._frames import Table, check_columns, exact_integer, find_header, make_frames
from honeybayes.utils.messages import did_you_mean
from honeybayes.utils.optional import import_optional

ZIP = b"PK\x03\x04"
MOST_ROWS = 2**20
N_SAMPLE = 20  # rows that show where the header is
MOST_SPACES = 100  # in a row, which OpenDocument only counts
# what openpyxl, zipfile and the parser of XML raise for damaged files
BROKEN: tuple[type[Exception], ...] = (BadZipFile, ParseError, zlib.error, AttributeError, EOFError)
BROKEN = (*BROKEN, LookupError, OSError, RuntimeError, TypeError, ValueError)
LEADING_ZEROS = re.compile("0{2,30}")  # the number format of ids
CONTENT, SPACE = "content.xml", "{urn:oasis:names:tc:opendocument:xmlns:%s:1.0}"
OFFICE, OF_TABLE, OF_TEXT = (SPACE % each for each in ("office", "table", "text"))
WHITE_SPACE = {f"{OF_TEXT}s": " ", f"{OF_TEXT}tab": "\t", f"{OF_TEXT}line-break": "\n"}
Rows = Callable[[], Iterator[tuple[int, list[str]]]]


def open_sheet(
    path: Path, format: str, required: Mapping[str, str | Sequence[str]], sheet: str | None = None
) -> Table:
    """Open a sheet.

    The first row that is not empty names the columns, or one below titles (see `find_header`).
    Cells right of the last name are ignored, and so are empty rows.
    """
    rows = _rows(path, sheet, is_ods=format == "ods")
    first = list(islice(rows, N_SAMPLE)) or [(1, [])]
    numbers = [number for number, _ in first]
    sample = [[*map(str.strip, row)] for _, row in first]
    for row in sample:
        while row and not row[-1]:
            row.pop()
    below_blank = [at for at in range(1, len(first)) if numbers[at] - numbers[at - 1] > 1]
    at = find_header(sample, required, below_blank)
    number, header = numbers[at], sample[at]
    rows = chain(first[at + 1 :], rows)
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
            archive = Archive(file)
            archive.growth = Growth(path)
            found = _sheets_of_ods(archive) if is_ods else _sheets_of_excel(file, archive)
            if len(sheets := dict(found)) < len(found):
                raise ValueError("several sheets have the same name")
        with archive:
            chosen = next(iter(sheets), None) if sheet is None else sheet
            if chosen not in sheets:
                which = "with cells" if sheet is None else repr(sheet)
                raise ValueError(
                    f"{path}: there is no sheet {which}. The sheets are: "
                    f"{', '.join(map(repr, sheets)) or 'none'}.{did_you_mean(sheet, sheets)}"
                )
            growth = Growth(path)
            with _errors_explained(path):
                for number, row in sheets[chosen]():
                    growth.add(n_cells=len(row))
                    if any(map(str.strip, row)):
                        yield number, row


class Archive(ZipFile):
    """An archive whose opened parts together have a limit."""

    growth: Growth

    def open(self, name: Any, *arguments: Any, **options: Any) -> Any:
        """Open a part."""
        part = self.getinfo(name) if isinstance(name, str) else name
        self.growth.add(part.file_size)
        return super().open(name, *arguments, **options)


def _sheets_of_excel(file: IO[bytes], archive: Archive) -> list[tuple[str, Rows]]:
    """Return the name and a reader of each sheet, and unpack only the parts that tables need."""
    excel = import_optional("openpyxl.reader.excel", "excel")

    class Reader(excel.ExcelReader):  # type: ignore[name-defined]
        """Reads strings, styles (which tell dates from numbers) and sheets of cells."""

        def nothing(self, *arguments: Any) -> None: ...

        read_properties = read_custom = read_theme = read_chartsheet = nothing

    reader = Reader(file, read_only=True, data_only=True, keep_links=False)
    reader.archive = archive
    reader.read()

    def rows(sheet: Any) -> Iterator[tuple[int, list[str]]]:
        sheet.reset_dimensions()  # which may be wrong, and pad each row
        for number, row in enumerate(sheet.iter_rows(max_row=MOST_ROWS), start=1):
            yield number, [_as_text(cell.value, cell) for cell in row]

    return [(each.title, partial(rows, each)) for each in reader.wb.worksheets]


def _sheets_of_ods(archive: Archive) -> list[tuple[str, Rows]]:
    """Return the name and a reader of each sheet."""
    with archive.open(CONTENT) as file:
        found = [each for _, each in iterparse(file) if each.tag == f"{OF_TABLE}table"]
    return [(str(each.get(f"{OF_TABLE}name")), partial(_rows_of_ods, each)) for each in found]


def _rows_of_ods(table: Any) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows. Rows and cells may say that they are repeated: empty ones to the end."""
    number = 1
    for row in table.iter(f"{OF_TABLE}table-row"):
        cells: list[str] = []
        n_empty = 0
        for cell in row:
            n_cells, text = _repeated(cell, "number-columns-repeated"), _text(cell)
            if not text:
                n_empty += n_cells
                continue
            if len(cells) + n_empty + n_cells > MOST_COLUMNS:
                raise ValueError(f"row {number} has more than {MOST_COLUMNS} cells")
            cells += [""] * n_empty + [text] * n_cells
            n_empty = 0
        n_rows = _repeated(row, "number-rows-repeated")
        if cells and number + n_rows - 1 > MOST_ROWS:
            raise ValueError(f"it has more than {MOST_ROWS} rows")
        yield from ((at, cells) for at in range(number, number + n_rows) if cells)
        number += n_rows


def _repeated(element: Any, name: str) -> int:
    if (n := int(element.get(f"{OF_TABLE}{name}", 1))) < 1:
        raise ValueError(f"{name} is {n}")
    return n


def _text(cell: Any) -> str:
    """Return a cell of OpenDocument as text: by its value, or by what it shows."""
    kind = cell.get(f"{OFFICE}value-type")
    if kind in ("float", "percentage", "currency"):
        return _as_text(float(cell.get(f"{OFFICE}value")))
    if kind == "boolean":
        return str(cell.get(f"{OFFICE}boolean-value")).upper()
    if kind == "date":
        return _as_text(datetime.fromisoformat(cell.get(f"{OFFICE}date-value")))
    if (text := cell.get(f"{OFFICE}string-value")) is not None:
        return str(text)
    return "\n".join(map(_shown, cell.findall(f"{OF_TEXT}p")))


def _shown(element: Any) -> str:
    shown = element.text or ""
    for part in element:
        if part.tag in WHITE_SPACE:
            n = min(int(part.get(f"{OF_TEXT}c", 1)), MOST_SPACES)
            shown += WHITE_SPACE[part.tag] * n
        elif part.tag != f"{OFFICE}annotation":
            shown += _shown(part)
        shown += part.tail or ""
    return shown


@contextmanager
def _errors_explained(path: Path) -> Iterator[None]:
    try:
        yield
    except BROKEN as error:
        if str(error.__cause__ or error).startswith(str(path)):
            raise error.__cause__ or error  # noqa: B904 (openpyxl wraps errors)
        raise ValueError(
            f"{path} cannot be read as a workbook: {error}. Open it in Excel, and save the sheet "
            "as CSV UTF-8."
        ) from error


def _as_text(value: Any, cell: Any = None) -> str:
    """Return a value as Excel writes it to CSV, with dates in ISO format.

    A whole number has the zeros that the number format of its cell shows, as of ids.
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    value = exact_integer(value)
    if cell is not None and isinstance(value, int) and value >= 0:
        with suppress(IndexError):  # the file may lack the style
            if LEADING_ZEROS.fullmatch(cell.number_format):
                return str(value).zfill(len(cell.number_format))
    if isinstance(value, datetime):
        return str(value.date() if value.time() == time() else value)
    return str(value)
