"""Labeled texts in CSV, TSV, JSON lines, Excel and Parquet."""

import warnings
from collections.abc import Sequence
from os import PathLike
from typing import Any

from honeybayes.data._collector import (
    DocumentCollector,
    column_position,
    join_columns,
    split_columns,
)
from honeybayes.data._corpus import Corpus
from honeybayes.data._files import check_format, existing_file, open_seekable
from honeybayes.data.sources import MODEL, source_column
from honeybayes.data.tables import Table, open_table
from honeybayes.utils.optional import import_optional


def read_csv(
    path: str | PathLike[str],
    text: str | Sequence[str] = "text",
    label: str = "label",
    *,
    delimiter: str | None = None,
    quotes: bool = True,
    encoding: str | None = None,
    keep_unlabeled: bool = False,
    keep_model_labels: bool = True,
) -> Corpus:
    r"""Read labeled texts from a CSV or TSV file whose first line names the columns.

    Parameters
    ----------
    path : str or path-like
        The file; ``-`` is the standard input. A name that ends in ``.gz`` means a gzipped file.
    text : str or list of str, default="text"
        The column with the text. The texts of several columns are joined with a blank line:
        ``["subject", "body"]``, or ``"subject,body"`` if no column has this name.
    label : str, default="label"
        The column with the label. Other columns, blank lines, and white space around a label are
        ignored.
    delimiter : str, optional
        The character between two cells. By default, a tab in files that end in ``.tsv`` or
        ``.tab``, and a comma in others. If it does not separate the columns `text` and `label`,
        but a comma, a semicolon, a tab or ``|`` does, that one is used.
    quotes : bool, default=True
        Whether double quotes enclose cells that contain delimiters, line breaks or (doubled)
        quotes. With False, a quote is an ordinary character. In TSV files, a quoted cell whose
        lines could each be a row raises an error.
    encoding : str, optional
        For example ``"cp1254"`` for files that Excel writes in Turkey. By default, UTF-16 if the
        file starts with its byte order mark, UTF-8 if the file is valid, and otherwise cp1252,
        which Excel writes in Western Europe. A byte order mark is skipped.
    keep_unlabeled : bool, default=False
        Whether to keep documents with an empty label; their label is then an empty string. By
        default, an empty label raises an error.
    keep_model_labels : bool, default=True
        Whether labels count that a model gave, according to the column "source", which
        ``honeybayes predict`` writes. With False, these documents have an empty label.

    Returns
    -------
    Corpus
        Named after the file.

    Raises
    ------
    ValueError
        If the file cannot be read; the message names the file, the line and the column.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from honeybayes.data import read_csv
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "mail.csv")
    ...     _ = path.write_text('queue,body\ndelivery,"Late, again"\nbilling,Charged twice\n')
    ...     corpus = read_csv(path, text="body", label="queue")
    >>> corpus.documents
    ['Late, again', 'Charged twice']
    """
    table = open_table(
        path,
        {"text": text, "label": label},
        format="csv",
        delimiter=delimiter,
        quotes=quotes,
        encoding=encoding,
    )
    return _corpus(table, keep_unlabeled, keep_model_labels)


def read_json_lines(
    path: str | PathLike[str],
    text: str | Sequence[str] = "text",
    label: str = "label",
    *,
    keep_unlabeled: bool = False,
    keep_model_labels: bool = True,
) -> Corpus:
    """Read labeled texts from a UTF-8 file with one JSON object per line.

    Parameters
    ----------
    path : str or path-like
        The file; ``-`` is the standard input. A name that ends in ``.gz`` means a gzipped file.
    text : str or list of str, default="text"
        The field with the text; several as in :func:`read_csv`.
    label : str, default="label"
        The field with the label. Other fields, blank lines, and white space around a label are
        ignored.
    keep_unlabeled : bool, default=False
        Whether to keep documents with an empty label; their label is then an empty string. By
        default, an empty label raises an error.
    keep_model_labels : bool, default=True
        Whether labels count that a model gave, according to the column "source", which
        ``honeybayes predict`` writes. With False, these documents have an empty label.

    Returns
    -------
    Corpus
        Named after the file.

    Raises
    ------
    ValueError
        If the file cannot be read; the message names the file, the line and the field.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from honeybayes.data import read_json_lines
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "mail.jsonl")
    ...     _ = path.write_text('{"text": "Where is my parcel?", "label": "delivery"}')
    ...     read_json_lines(path)
    Corpus('mail', 1 texts, 1 classes)
    """
    table = open_table(path, {"text": text, "label": label}, format="json-lines")
    return _corpus(table, keep_unlabeled, keep_model_labels)


def read_excel(
    path: str | PathLike[str],
    text: str | Sequence[str] = "text",
    label: str = "label",
    *,
    sheet: str | None = None,
    keep_unlabeled: bool = False,
    keep_model_labels: bool = True,
) -> Corpus:
    """Read labeled texts from a sheet of an Excel workbook, ``.xlsx``.

    Requires openpyxl: ``pip install 'honeybayes[excel]'``.

    Parameters
    ----------
    path : str or path-like
        The file.
    text : str or list of str, default="text"
        The column with the text; several as in :func:`read_csv`. The first row that is not empty
        names the columns.
    label : str, default="label"
        The column with the label. Other columns, empty rows, and white space around a label are
        ignored.
    sheet : str, optional
        Name of the sheet; by default, the first one.
    keep_unlabeled : bool, default=False
        Whether to keep documents with an empty label; their label is then an empty string. By
        default, an empty label raises an error.
    keep_model_labels : bool, default=True
        Whether labels count that a model gave, according to the column "source", which
        ``honeybayes predict`` writes. With False, these documents have an empty label.

    Returns
    -------
    Corpus
        Named after the file.

    Raises
    ------
    ValueError
        If the file cannot be read; the message names the file, the row and the column.
    """
    table = open_table(path, {"text": text, "label": label}, format="excel", sheet=sheet)
    return _corpus(table, keep_unlabeled, keep_model_labels)


def read_parquet(
    path: str | PathLike[str],
    text: str | Sequence[str] = "text",
    label: str = "label",
    *,
    keep_unlabeled: bool = False,
    keep_model_labels: bool = True,
) -> Corpus:
    """Read labeled texts from a Parquet file.

    Requires pyarrow: ``pip install 'honeybayes[parquet]'``.

    Parameters
    ----------
    path : str or path-like
        The file.
    text : str or list of str, default="text"
        The column with the text. The texts of several columns are joined with a blank line:
        ``["subject", "body"]``, or ``"subject,body"`` if no column has this name.
    label : str, default="label"
        The column with the label. Other columns are not read.
    keep_unlabeled : bool, default=False
        Whether to keep documents with an empty label; their label is then an empty string. By
        default, an empty label raises an error.
    keep_model_labels : bool, default=True
        Whether labels count that a model gave, according to the column "source", which
        ``honeybayes predict`` writes. With False, these documents have an empty label.

    Returns
    -------
    Corpus
        Named after the file.

    Raises
    ------
    ValueError
        If the file cannot be read; the message names the file, the row and the column.
    """
    path = existing_file(path)
    documents = DocumentCollector(path, text, label, "row", keep_unlabeled)
    n_set_aside = 0
    try:
        with open_seekable(path) as file:
            head = file.read(64)
            if not head.startswith(b"PAR1"):
                check_format(path, head, "Parquet")
                raise ValueError(f"{path} is not Parquet.")
            table = import_optional("pyarrow.parquet", "parquet").ParquetFile(file)
            names = table.schema_arrow.names
            columns = split_columns(text, names)
            for name, argument in (*((each, "text") for each in columns), (label, "label")):
                column_position(str(path), name, names, argument)
            source = source_column(label, names)
            has_source = not keep_model_labels and source in names
            for batch in table.iter_batches(columns=[*columns, label, *[source] * has_source]):
                for row in batch.to_pylist():
                    number = len(documents.texts) + 1
                    words = join_columns([row[each] for each in columns], f"{path}, row {number}")
                    own = own_label(row[label], row.get(source) if has_source else None)
                    documents.add(number, words, own)
                    n_set_aside += own is not row[label]
    except (import_optional("pyarrow", "parquet").ArrowException, OSError) as error:
        raise ValueError(f"{path} cannot be read as Parquet: {error}") from error
    warn_about_model(n_set_aside)
    return documents.corpus()


def _corpus(table: Table, keep_unlabeled: bool, keep_model_labels: bool) -> Corpus:
    text, label = table.required
    unit = "row" if table.format == "excel" else "line"
    documents = DocumentCollector(table.path, text, label, unit, keep_unlabeled)
    n_set_aside = 0
    for row in table.rows:
        words, given = row.values
        own = given
        if not keep_model_labels:
            cells: Any = row.cells
            if table.columns:
                cells = dict(zip(table.columns, cells, strict=True))
            own = own_label(given, cells.get(source_column(label, cells)))
        documents.add(row.line, words, own)
        n_set_aside += own is not given
    warn_about_model(n_set_aside)
    return documents.corpus()


def own_label(label: Any, source: Any) -> Any:
    """Return the label that a person gave, or an empty string."""
    return "" if isinstance(source, str) and source.strip().casefold() == MODEL else label


def warn_about_model(n_set_aside: int) -> None:
    if n_set_aside:
        labels = "1 label is" if n_set_aside == 1 else f"{n_set_aside} labels are"
        warnings.warn(
            f"{labels} set aside, because the column that says who gave them says {MODEL!r}. Their "
            "texts count as texts without a label. keep_model_labels=True uses them as labels.",
            UserWarning,
            stacklevel=4,
        )
