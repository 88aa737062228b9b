"""One reader for all tables: whole, or in frames of some rows."""

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from honeybayes.tables._columns import Columns
from honeybayes.tables._delimited import open_delimited
from honeybayes.tables._excel import open_sheet
from honeybayes.tables._files import (
    TextFile,
    check_format,
    check_unknown_file,
    existing_file,
    file_ending,
    has_no_ending,
    open_text,
)
from honeybayes.tables._frames import N_ROWS, make_frame
from honeybayes.tables._json import read_json_lines, read_json_list
from honeybayes.tables._parquet import open_parquet

if TYPE_CHECKING:
    from pandas import DataFrame

log = logging.getLogger("honeybayes.tables")  # says what was detected, as information
FORMAT_OF_ENDING = {
    ".csv": "csv",
    ".tsv": "csv",
    ".tab": "csv",
    ".jsonl": "json-lines",
    ".ndjson": "json-lines",
    ".json": "json",
    ".txt": "lines",
    ".xlsx": "excel",
    ".xlsm": "excel",
    ".ods": "ods",
    ".parquet": "parquet",
}
FORMATS = tuple(dict.fromkeys(FORMAT_OF_ENDING.values()))
WITH_SHEETS, OF_OBJECTS = ("excel", "ods"), ("json-lines", "json")


@dataclass(frozen=True)
class Table:
    """An open table.

    Parameters
    ----------
    path : Path
        The file.
    format : {"csv", "json-lines", "json", "lines", "excel", "ods", "parquet"}
        Its format.
    columns : list of str
        The names of the columns; empty for JSON, where each object has its own names.
    frames : iterator of DataFrame
        The rows, some thousand at a time, read while iterating. The index numbers their lines in
        the file, or their rows, and is called "line" or "row".
    delimiter : str or None
        The character between two cells; None if the table is not CSV.
    has_mark : bool
        Whether the file starts with a byte order mark.
    schema : pyarrow.Schema or None
        The types of the columns of Parquet.

    See Also
    --------
    open_table : Opens a table.
    """

    path: Path
    format: str
    columns: list[str]
    frames: Iterator["DataFrame"]
    delimiter: str | None = None
    has_mark: bool = False
    schema: Any = None


def read_table(path: str | PathLike[str], **options: Any) -> "DataFrame":
    r"""Read a table into a data frame, without guessing what its cells mean.

    Parameters
    ----------
    path : str or path-like
        CSV, TSV, JSON lines, JSON, Excel, OpenDocument, Parquet, or one text per line (``.txt``).
    **options : dict
        As in :func:`open_table`.

    Returns
    -------
    DataFrame
        All cells are strings: ids keep their zeros, and "NA" stays "NA". Only cells of JSON and
        Parquet keep their values; ``pandas.NA`` stands where an object of JSON has no such field.
        The index numbers the lines of the file, or the rows.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from honeybayes.tables import read_table
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "mail.csv")
    ...     _ = path.write_text("id;body\n007;Late again\n")
    ...     read_table(path).to_dict()
    {'id': {2: '007'}, 'body': {2: 'Late again'}}
    """
    import pandas

    table = open_table(path, **options)
    frames = list(table.frames)
    if not frames:
        return make_frame([], table.columns)
    names = dict.fromkeys(name for frame in frames for name in frame.columns)
    if not table.columns:
        frames = [each.reindex(columns=list(names), fill_value=pandas.NA) for each in frames]
    return pandas.concat(frames)


def open_table(
    path: str | PathLike[str],
    required: Mapping[str, Columns] | None = None,
    *,
    format: str | None = None,
    delimiter: str | None = None,
    quotes: bool = True,
    encoding: str | None = None,
    sheet: str | None = None,
    keep_blank: bool = False,
    only_required: bool = False,
) -> Table:
    r"""Open a table for reading in frames, and check that it has the required columns.

    Parameters
    ----------
    path : str or path-like
        The file; ``-`` is the standard input. A name that ends in ``.gz`` means a gzipped file.
        It may be a pipe, which is read once.
    required : mapping of str to str or list of str, optional
        Maps the name of an argument, for error messages, to the name of a column, or to names of
        several: ``["subject", "body"]``, or ``"subject,body"`` if no column has this name.
    format : {"csv", "json-lines", "json", "lines", "excel", "ods", "parquet"}, optional
        By default, the format is detected from the ending of the file name. A file of the format
        "lines" has one column, "text", and `required` is not checked.
    delimiter : str, optional
        The character between two cells of CSV. By default, a tab in files that end in ``.tsv`` or
        ``.tab``, and a comma in others. If it does not separate the required columns, but a comma,
        a semicolon, a tab or ``|`` does, that one is used.
    quotes : bool, default=True
        Whether double quotes enclose cells of CSV that contain delimiters, line breaks or
        (doubled) quotes. With False, a quote is an ordinary character. In TSV files, a quoted cell
        whose lines could each be a row raises an error.
    encoding : str, optional
        Of CSV and lines, for example ``"cp1254"`` for files that Excel writes in Turkey. By
        default, UTF-16 if the file starts with its byte order mark, UTF-8 if its first MiB is
        valid, and otherwise cp1252, which Excel writes in Western Europe. JSON is always UTF-8. A
        byte order mark is skipped.
    sheet : str, optional
        Name of the sheet of a workbook; by default, the first one.
    keep_blank : bool, default=False
        Whether to keep rows of a CSV file in which all cells are blank. Blank lines are skipped
        in any case, and so are empty rows of a sheet.
    only_required : bool, default=False
        Whether to read only the required columns of Parquet, and those that say who gave labels.

    Returns
    -------
    Table
        The columns, and an iterator of frames.

    Raises
    ------
    ValueError
        If the file cannot be read; the message names the file, the line and the column.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from honeybayes.tables import open_table
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "mail.csv")
    ...     _ = path.write_text("id,body\n7,Late again\n")
    ...     table = open_table(path, {"text": "body"})
    ...     table.columns, [len(frame) for frame in table.frames]
    (['id', 'body'], [1])
    """
    path, required = existing_file(path), required or {}
    format = format or _format_of(path)
    if format not in FORMATS:
        raise ValueError(f"Unknown format {format!r}. The formats are: {', '.join(FORMATS)}.")
    if sheet is not None and format not in WITH_SHEETS:
        raise ValueError(f"{path} is read as {format!r}, where `sheet` has no meaning.")
    if format in WITH_SHEETS:
        return Table(path, format, *open_sheet(path, required, sheet, format == "ods"))
    if format == "parquet":
        columns, schema, frames = open_parquet(path, required, only_required)
        return Table(path, format, columns, frames, schema=schema)
    if format == "json":
        return Table(path, format, [], read_json_list(path, required))
    if format == "json-lines":
        frames = read_json_lines(open_text(path, "JSON lines", "utf-8"), required)
        return Table(path, format, [], frames)
    usual = delimiter_of(path)
    form = "text" if format == "lines" else "TSV" if (delimiter or usual) == "\t" else "CSV"
    file = open_text(path, form, encoding)
    if format == "lines":
        check_format(path, file.head, form)
        _tell(file, None, encoding)
        return Table(path, format, ["text"], _lines(file), has_mark=file.has_mark)
    try:
        found, columns, frames = open_delimited(
            file, required, delimiter, usual, quotes, keep_blank
        )
    except ValueError:
        if file.encoding != "utf-16":
            check_format(path, file.head, form)  # which may explain better what is wrong
        raise
    _tell(file, None if delimiter or found == usual else found, encoding)
    return Table(path, format, columns, frames, found, file.has_mark)


def _tell(file: TextFile, delimiter: str | None, encoding: str | None) -> None:
    """Log what was detected, unless it is what everybody expects."""
    found = [] if delimiter is None else [f"delimiter {delimiter!r}"]
    found += [] if encoding or file.encoding == "utf-8" else [f"encoding {file.encoding}"]
    if found:
        log.info("Read %s with %s", file.path, " and ".join(found))


def _lines(file: TextFile) -> Iterator["DataFrame"]:
    lines, first = file.lines, 1
    while rows := [[line.rstrip("\r\n")] for line in islice(lines, N_ROWS)]:
        yield make_frame(rows, ["text"], range(first, first + len(rows)), "line")
        first += len(rows)


def _format_of(path: Path) -> str:
    """Return the format that the ending of a name stands for; a pipe without one means lines."""
    ending = file_ending(path)
    if has_no_ending(path):
        return "lines"
    if ending not in FORMAT_OF_ENDING:
        if ending != ".arff":  # known, but not as a table of texts
            check_unknown_file(path)
        raise ValueError(
            f"{path}: the ending must be one of {', '.join(FORMAT_OF_ENDING)}, also with .gz. "
            f"Set `format` to one of {', '.join(FORMATS)}, or convert the table to CSV."
        )
    return FORMAT_OF_ENDING[ending]


def delimiter_of(path: str | PathLike[str]) -> str:
    """Return the default delimiter of a table: a tab for ``.tsv`` and ``.tab``, else a comma."""
    return "\t" if file_ending(path) in (".tsv", ".tab") else ","
