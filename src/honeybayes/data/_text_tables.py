"""Labeled texts in CSV, TSV, JSON lines, Excel and Parquet."""

import warnings
from collections.abc import Sequence
from os import PathLike
from typing import Any

from honeybayes.data._collector import (
    Columns,
    DocumentCollector,
)
from honeybayes.data._corpus import Corpus
from honeybayes.data.parquet import open_parquet
from honeybayes.data.sources import MODEL, source_column
from honeybayes.data.tables import Table, open_table


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
    id: str | None = None,
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
    id : str, optional
        The column that names the documents, for ``ids`` of the corpus.

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
        _required(text, label, id),
        format="csv",
        delimiter=delimiter,
        quotes=quotes,
        encoding=encoding,
    )
    return collect_corpus(table, keep_unlabeled, keep_model_labels)


def read_json_lines(
    path: str | PathLike[str],
    text: str | Sequence[str] = "text",
    label: str = "label",
    *,
    keep_unlabeled: bool = False,
    keep_model_labels: bool = True,
    id: str | None = None,
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
    id : str, optional
        The column that names the documents, for ``ids`` of the corpus.

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
    table = open_table(path, _required(text, label, id), format="json-lines")
    return collect_corpus(table, keep_unlabeled, keep_model_labels)


def read_excel(
    path: str | PathLike[str],
    text: str | Sequence[str] = "text",
    label: str = "label",
    *,
    sheet: str | None = None,
    keep_unlabeled: bool = False,
    keep_model_labels: bool = True,
    id: str | None = None,
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
    id : str, optional
        The column that names the documents, for ``ids`` of the corpus.

    Returns
    -------
    Corpus
        Named after the file.

    Raises
    ------
    ValueError
        If the file cannot be read; the message names the file, the row and the column.
    """
    table = open_table(path, _required(text, label, id), format="excel", sheet=sheet)
    return collect_corpus(table, keep_unlabeled, keep_model_labels)


def read_parquet(
    path: str | PathLike[str],
    text: str | Sequence[str] = "text",
    label: str = "label",
    *,
    keep_unlabeled: bool = False,
    keep_model_labels: bool = True,
    id: str | None = None,
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
    id : str, optional
        The column that names the documents, for ``ids`` of the corpus.

    Returns
    -------
    Corpus
        Named after the file.

    Raises
    ------
    ValueError
        If the file cannot be read; the message names the file, the row and the column.
    """
    return collect_corpus(
        open_parquet(path, _required(text, label, id)), keep_unlabeled, keep_model_labels
    )


def _required(text: Columns, label: str, id: str | None) -> dict[str, Columns]:
    """Return the columns that a table must have, by the arguments that name them."""
    return {"text": text, "label": label} | ({} if id is None else {"id": id})


def collect_corpus(table: Table, keep_unlabeled: bool, keep_model_labels: bool) -> Corpus:
    """Read an open table, whose required columns are text and label, and perhaps the id."""
    text, label, *_ = table.required
    unit = "line" if table.format in ("csv", "json-lines") else "row"
    documents = DocumentCollector(table.path, text, label, unit, keep_unlabeled)
    n_set_aside = 0
    for row in table.rows:
        words, given, *ids = row.values
        own = given
        if not keep_model_labels:
            cells: Any = row.cells
            if table.columns:
                cells = dict(zip(table.columns, cells, strict=True))
            own = own_label(given, cells.get(source_column(label, cells)))
        documents.add(row.line, words, own, *ids)
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
