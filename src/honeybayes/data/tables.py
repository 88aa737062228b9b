"""Tables of texts, read row by row: CSV, TSV, JSON lines, Excel, and one text per line.

`read_corpus` loads a whole table with its labels. This module is for programs that process a
table of any length, or need all of its columns.
"""

import codecs
import json
import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from honeybayes.data._collector import (
    Columns,
    check_text,
    column_position,
    column_title,
    join_columns,
    split_columns,
)
from honeybayes.data._delimited import open_delimited
from honeybayes.data._excel import open_sheet
from honeybayes.data._files import (
    UTF_16,
    check_unknown_file,
    detect_encoding,
    existing_file,
    has_no_ending,
    open_unpacked,
    text_lines,
)
from honeybayes.data._files import file_ending as file_ending
from honeybayes.data._files import is_stream as is_stream

__all__ = ["Row", "Table", "open_table"]

log = logging.getLogger("honeybayes.data")  # says what was detected, as information
FORMAT_OF_ENDING = {
    ".csv": "csv",
    ".tsv": "csv",
    ".tab": "csv",
    ".jsonl": "json-lines",
    ".ndjson": "json-lines",
    ".txt": "lines",
    ".xlsx": "excel",
    ".xlsm": "excel",
}
FORMATS = tuple(dict.fromkeys(FORMAT_OF_ENDING.values()))


class Row(NamedTuple):
    """One row of a table.

    Parameters
    ----------
    line : int
        The number of its first line in the file, or of its row in an Excel sheet.
    values : list
        The values of the required columns.
    cells : list of str or dict
        All cells; for JSON lines, the object of this line.
    """

    line: int
    values: list[Any]
    cells: list[str] | dict[str, Any]


@dataclass(frozen=True)
class Table:
    """An open table.

    Parameters
    ----------
    path : Path
        The file.
    format : {"csv", "json-lines", "lines", "excel"}
        Its format.
    columns : list of str
        The names of the columns; empty for JSON lines, where each object has its own names.
    required : list of str
        The names of the required columns; of several columns that are joined, with commas.
    rows : iterator of Row
        The rows, read while iterating.
    delimiter : str or None
        The character between two cells; None if the table is not CSV.
    encoding : str
        The encoding.

    See Also
    --------
    open_table : Opens a table.
    """

    path: Path
    format: str
    columns: list[str]
    required: list[str]
    rows: Iterator[Row]
    delimiter: str | None = None
    encoding: str = "utf-8"

    def texts(self) -> Iterator[tuple[str, list[str] | dict[str, Any]]]:
        """Read the first required column, which must contain texts.

        Yields
        ------
        text : str
            The text of a row.
        cells : list of str or dict
            All cells of the row.
        """
        unit = "row" if self.format == "excel" else "line"
        for row in self.rows:
            where = f"{self.path}, {unit} {row.line}, column {self.required[0]!r}"
            yield check_text(row.values[0], where), row.cells


def open_table(
    path: str | PathLike[str],
    required: Mapping[str, Columns],
    *,
    format: str | None = None,
    delimiter: str | None = None,
    quotes: bool = True,
    encoding: str | None = None,
    keep_blank: bool = False,
    sheet: str | None = None,
) -> Table:
    r"""Open a table for reading and check that it has the required columns.

    Parameters
    ----------
    path : str or path-like
        The file; ``-`` is the standard input. A name that ends in ``.gz`` means a gzipped file.
        It may be a pipe, which is read once.
    required : mapping of str to str or list of str
        Maps the name of an argument, for error messages, to the name of a column. The texts of
        several columns are joined with a blank line: ``["subject", "body"]``, or
        ``"subject,body"`` if no column has this name.
    format : {"csv", "json-lines", "lines", "excel"}, optional
        By default, the format is detected from the ending of the file name. A file of the format
        "lines" has one column, "text", and `required` is not checked.
    delimiter : str, optional
        As in :func:`honeybayes.data.read_csv`.
    quotes : bool, default=True
        As in :func:`honeybayes.data.read_csv`.
    encoding : str, optional
        By default it is detected, as in :func:`honeybayes.data.read_csv`. JSON lines are always
        UTF-8.
    keep_blank : bool, default=False
        Whether to keep rows of a CSV file in which all cells are blank. Blank lines are skipped
        in any case, and so are empty rows of Excel.
    sheet : str, optional
        Name of the sheet of an Excel workbook; by default, the first one.

    Returns
    -------
    Table
        The columns, and an iterator of the rows.

    Raises
    ------
    ValueError
        If the file cannot be read; the message names the file, the line and the column.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from honeybayes.data.tables import open_table
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "mail.csv")
    ...     _ = path.write_text("id,body\n7,Late again\n")
    ...     table = open_table(path, {"text": "body"})
    ...     table.columns, list(table.texts())
    (['id', 'body'], [('Late again', ['7', 'Late again'])])
    """
    path = existing_file(path, or_standard_input=True)
    format = format or _format_of(path)
    if format not in FORMATS:
        raise ValueError(f"Unknown format {format!r}. The formats are: {', '.join(FORMATS)}.")
    if sheet is not None and format != "excel":
        raise ValueError(f"{path} is read as {format!r}, where sheet= has no meaning.")
    rows: Iterator[Row]
    found, used = None, "utf-8"
    if format in ("csv", "lines"):
        used = encoding or detect_encoding(path)
    if format == "csv":
        usual = delimiter_of(path)
        found, columns, positions, cells = open_delimited(
            path, required, delimiter, usual, quotes, used, keep_blank
        )
        rows = (_row(path, line, row, positions) for line, row in cells)
        _tell(path, None if delimiter or found == usual else found, None if encoding else used)
    elif format == "json-lines":
        columns, rows = [], _json_rows(path, required)
    elif format == "excel":
        columns, positions, cells = open_sheet(path, required, sheet)
        rows = (_row(path, line, row, positions) for line, row in cells)
    else:
        columns, rows = ["text"], _lines(path, used)
        _tell(path, None, None if encoding else used)
    names = [column_title(name) for name in required.values()]
    return Table(path, format, columns, names, rows, found, used)


def _tell(path: Path, delimiter: str | None, encoding: str | None) -> None:
    """Log what was detected, unless it is what everybody expects."""
    found = [] if delimiter is None else [f"delimiter {delimiter!r}"]
    found += [] if encoding in (None, "utf-8") else [f"encoding {encoding}"]
    if found:
        log.info("Read %s with %s", path, " and ".join(found))


def _row(path: Path, line: int, row: list[str], positions: list[list[int]]) -> Row:
    where = f"{path}, line {line}"
    return Row(line, [join_columns([row[at] for at in each], where) for each in positions], row)


def _json_rows(path: Path, required: Mapping[str, Columns]) -> Iterator[Row]:
    for number, line in enumerate(text_lines(path, "JSON lines"), start=1):
        if line.strip():
            where = f"{path}, line {number}"
            fields = _parse_object(line, where)
            values = []
            for argument, name in required.items():
                names = split_columns(name, list(fields))
                for each in names:
                    column_position(where, each, list(fields), argument)
                values.append(join_columns([fields[each] for each in names], where))
            yield Row(number, values, fields)


def _parse_object(line: str, where: str) -> dict[str, Any]:
    try:
        document = json.loads(line, object_pairs_hook=_distinct_keys)
    except json.JSONDecodeError as error:
        raise ValueError(
            f"{where}, character {error.colno}: not valid JSON ({error.msg}). "
            f"Every line must contain one complete object."
        ) from error
    except ValueError as error:  # a repeated key, or a number with thousands of digits
        raise ValueError(f"{where}: {error}.") from error
    except RecursionError as error:
        raise ValueError(f"{where}: the brackets are nested too deeply.") from error
    if not isinstance(document, dict):
        raise ValueError(
            f'{where}: every line must contain one object, such as {{"text": "...", "label": '
            f'"..."}}; got {type(document).__name__}.'
        )
    return document


def _distinct_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, value in pairs:
        if name in fields:
            raise ValueError(f"the key {name!r} occurs twice")
        fields[name] = value
    return fields


def _lines(path: Path, encoding: str) -> Iterator[Row]:
    for number, line in enumerate(text_lines(path, "text", encoding), start=1):
        text = line.rstrip("\r\n")
        yield Row(number, [text], [text])


def _format_of(path: Path) -> str:
    """Return the format that the ending of a name stands for; a pipe without one means lines."""
    ending = file_ending(path)
    if has_no_ending(path):
        return "lines"
    if ending not in FORMAT_OF_ENDING:
        if ending not in (".parquet", ".arff"):  # known, but not as tables of texts
            check_unknown_file(path)
        raise ValueError(
            f"{path}: the ending must be one of {', '.join(FORMAT_OF_ENDING)}, also with .gz. "
            f"Set format= to one of {', '.join(FORMATS)}, or convert the table to CSV."
        )
    return FORMAT_OF_ENDING[ending]


def delimiter_of(path: str | PathLike[str]) -> str:
    """Return the default delimiter of a table: a tab for ``.tsv`` and ``.tab``, else a comma."""
    return "\t" if file_ending(Path(path)) in (".tsv", ".tab") else ","


def has_byte_order_mark(path: str | PathLike[str]) -> bool:
    """Return True if a file starts with a byte order mark; False for standard input and pipes."""
    if is_stream(Path(path)):
        return False
    with open_unpacked(Path(path)) as file:
        return file.read(len(codecs.BOM_UTF8)).startswith((codecs.BOM_UTF8, *UTF_16))
