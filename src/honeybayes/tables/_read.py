"""One reader for all tables: whole, or in frames of some rows."""

from collections.abc import Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any

from honeybayes.tables._columns import Columns
from honeybayes.tables._delimited import open_delimited, open_lines
from honeybayes.tables._excel import open_sheet
from honeybayes.tables._files import FORMAT_OF_ENDING, existing_file, format_of
from honeybayes.tables._frames import Table, join_frames
from honeybayes.tables._json import open_json
from honeybayes.tables._parquet import open_parquet

if TYPE_CHECKING:
    from pandas import DataFrame

OF_OBJECTS = ("json-lines", "json")
# how to open each format, and with which options
READERS: dict[str, tuple[Any, tuple[str, ...]]] = {
    "csv": (open_delimited, ("delimiter", "quotes", "encoding", "keep_blank")),
    "json-lines": (open_json, ()),
    "json": (open_json, ()),
    "lines": (open_lines, ("encoding",)),
    "excel": (open_sheet, ("sheet",)),
    "ods": (open_sheet, ("sheet",)),
    "parquet": (open_parquet, ("only_required",)),
}


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
    return join_frames(open_table(path, **options))


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
    path = existing_file(path)
    format = format or format_of(path, FORMAT_OF_ENDING, nameless="lines")
    if format not in READERS:
        raise ValueError(f"Unknown format {format!r}. The formats are: {', '.join(READERS)}.")
    open_format, names = READERS[format]
    if sheet is not None and "sheet" not in names:
        raise ValueError(f"{path} is read as {format!r}, where `sheet` has no meaning.")
    options = {
        "delimiter": delimiter,
        "quotes": quotes,
        "encoding": encoding,
        "keep_blank": keep_blank,
        "sheet": sheet,
        "only_required": only_required,
    }
    given = {name: options[name] for name in names}
    return open_format(path, format, required or {}, **given)
