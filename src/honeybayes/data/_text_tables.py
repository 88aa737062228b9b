"""Labeled texts in CSV, TSV, JSON lines and Parquet."""

import warnings
from os import PathLike
from typing import Any

from honeybayes.data._collector import DocumentCollector, column_position
from honeybayes.data._corpus import Corpus
from honeybayes.data._files import check_format, existing_file
from honeybayes.data.sources import MODEL, source_column
from honeybayes.data.tables import Table, open_table
from honeybayes.utils.optional import import_optional


def read_csv(
    path: str | PathLike[str],
    text: str = "text",
    label: str = "label",
    *,
    delimiter: str | None = None,
    quotes: bool = True,
    encoding: str = "utf-8",
    keep_unlabeled: bool = False,
    keep_model_labels: bool = True,
) -> Corpus:
    r"""Read labeled texts from a CSV or TSV file whose first line names the columns.

    Parameters
    ----------
    path : str or path-like
        The file; ``-`` is the standard input. A name that ends in ``.gz`` means a gzipped file.
    text, label : str
        The columns with the text and the label of a document. Other columns, blank lines, and
        white space around a label are ignored.
    delimiter : str, optional
        The character between two cells. By default, a tab in files that end in ``.tsv`` or
        ``.tab``, and a comma in others.
    quotes : bool, default=True
        Whether double quotes enclose cells that contain delimiters, line breaks or (doubled)
        quotes. With False, a quote is an ordinary character. In TSV files, a quoted cell whose
        lines could each be a row raises an error.
    encoding : str, default="utf-8"
        For example ``"cp1252"`` or ``"cp1254"`` for files that Excel writes in Western Europe or
        in Turkey. A byte order mark is skipped.
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
    text: str = "text",
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
    text, label : str
        The fields with the text and the label of a document. Other fields, blank lines, and white
        space around a label are ignored.
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


def read_parquet(
    path: str | PathLike[str],
    text: str = "text",
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
    text, label : str
        The columns with the text and the label of a document. Other columns are not read.
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
    with path.open("rb") as file:
        head = file.read(64)
    if not head.startswith(b"PAR1"):
        check_format(path, head, "Parquet")
        raise ValueError(f"{path} is not Parquet.")
    parquet = import_optional("pyarrow.parquet", "parquet")
    documents = DocumentCollector(path, text, label, "row", keep_unlabeled)
    n_set_aside = 0
    try:
        with parquet.ParquetFile(path) as table:
            for name, argument in ((text, "text"), (label, "label")):
                column_position(str(path), name, table.schema_arrow.names, argument)
            source = source_column(label, table.schema_arrow.names)
            has_source = not keep_model_labels and source in table.schema_arrow.names
            for batch in table.iter_batches(columns=[text, label, *[source] * has_source]):
                for row in batch.to_pylist():
                    own = _own_label(row[label], row.get(source) if has_source else None)
                    documents.add(len(documents.texts) + 1, row[text], own)
                    n_set_aside += own is not row[label]
    except (import_optional("pyarrow", "parquet").ArrowException, OSError) as error:
        raise ValueError(f"{path} cannot be read as Parquet: {error}") from error
    _warn_about_model(n_set_aside)
    return documents.corpus()


def _corpus(table: Table, keep_unlabeled: bool, keep_model_labels: bool) -> Corpus:
    text, label = table.required
    documents = DocumentCollector(table.path, text, label, keep_empty=keep_unlabeled)
    n_set_aside = 0
    for row in table.rows:
        words, given = row.values
        own = given
        if not keep_model_labels:
            cells: Any = row.cells
            if table.columns:
                cells = dict(zip(table.columns, cells, strict=True))
            own = _own_label(given, cells.get(source_column(label, cells)))
        documents.add(row.line, words, own)
        n_set_aside += own is not given
    _warn_about_model(n_set_aside)
    return documents.corpus()


def _own_label(label: Any, source: Any) -> Any:
    """Return the label that a person gave, or an empty string."""
    return "" if isinstance(source, str) and source.strip().casefold() == MODEL else label


def _warn_about_model(n_set_aside: int) -> None:
    if n_set_aside:
        labels = "1 label is" if n_set_aside == 1 else f"{n_set_aside} labels are"
        warnings.warn(
            f"{labels} set aside, because the column that says who gave them says {MODEL!r}. Their "
            "texts count as texts without a label. keep_model_labels=True uses them as labels.",
            UserWarning,
            stacklevel=4,
        )
