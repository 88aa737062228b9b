"""Labeled texts in data frames of pandas, polars, pyarrow and others, which are not imported."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from honeybayes.data._collector import (
    DocumentCollector,
    column_position,
    exact_integer,
    join_columns,
    split_columns,
)
from honeybayes.data._corpus import Corpus
from honeybayes.data._text_tables import own_label, warn_about_model
from honeybayes.data.sources import source_column
from honeybayes.utils.labels import is_missing
from honeybayes.utils.optional import import_optional

NAME = "frame"


def is_frame(value: Any) -> bool:
    """Return True for a table in memory: it has names of columns, or offers itself as Arrow.

    A single column offers itself as Arrow, too, but it has a length and no names.
    """
    if isinstance(value, str | bytes | Path | Corpus):
        return False
    if hasattr(value, "columns") or hasattr(value, "column_names"):
        return hasattr(value, "__getitem__") or hasattr(value, "__arrow_c_stream__")
    return hasattr(value, "__arrow_c_stream__") and not hasattr(value, "__len__")


def read_frame(
    frame: Any,
    text: str | Sequence[str] = "text",
    label: str = "label",
    *,
    name: str = NAME,
    keep_unlabeled: bool = True,
    keep_model_labels: bool = True,
    id: str | None = None,
) -> Corpus:
    """Read labeled texts from a data frame.

    Parameters
    ----------
    frame : data frame
        A frame of pandas or polars, a table of pyarrow, or any object with Arrow's
        ``__arrow_c_stream__`` (this needs pyarrow: ``pip install 'honeybayes[parquet]'``).
    text : str or list of str, default="text"
        The column with the text; several as in :func:`read_csv`.
    label : str, default="label"
        The column with the label. Integers become strings.
    name : str, default="frame"
        Name of the corpus. Random draws depend on it.
    keep_unlabeled : bool, default=True
        Whether to keep documents without a label: None, NaN or an empty string. Their label is
        then an empty string. With False, a missing label raises an error.
    keep_model_labels : bool, default=True
        Whether labels count that a model gave, according to the column "source", which
        ``honeybayes predict`` writes. With False, these documents have an empty label.
    id : str, optional
        The column that names the documents, for ``ids`` of the corpus.

    Returns
    -------
    Corpus

    Raises
    ------
    ValueError
        If a column is missing or a cell cannot be used; the message names the row, from 0.

    Examples
    --------
    >>> import pandas as pd
    >>> from honeybayes.data import read_frame
    >>> frame = pd.DataFrame({"body": ["Late again", "Charged twice"], "queue": ["post", None]})
    >>> corpus = read_frame(frame, text="body", label="queue")
    >>> corpus.labels.tolist()
    ['post', '']
    """
    columns = _columns(frame)
    names = list(columns)
    parts = split_columns(text, names)
    ids = [] if id is None else [id]
    wanted = (
        *((each, "text") for each in parts),
        (label, "label"),
        *((each, "id") for each in ids),
    )
    for column, argument in wanted:
        column_position(f"The {type(frame).__name__}", column, names, argument)
    source = source_column(label, names)
    texts = [_cells(columns[each]) for each in parts]
    labels = _cells(columns[label])
    names_of_rows = [_cells(columns[each]) for each in ids]
    has_source = not keep_model_labels and source in columns
    sources = _cells(columns[source]) if has_source else [None] * len(labels)
    documents = DocumentCollector(Path(name), text, label, "row", keep_unlabeled)
    n_set_aside = 0
    for row, (*words, given, by) in enumerate(zip(*texts, labels, sources, strict=True)):
        own = own_label(given, by)
        n_set_aside += own is not given
        joined = join_columns(words, f"{name}, row {row}")
        own = exact_integer(own) if isinstance(own, float) else own
        documents.add(row, joined, own, *(named[row] for named in names_of_rows))
    warn_about_model(n_set_aside)
    return replace(documents.corpus(), name=name)


def _columns(frame: Any) -> dict[str, Any]:
    """Return the columns by name, however the library calls them."""
    if hasattr(frame, "collect"):  # a query of polars, or a relation that is not run yet
        frame = frame.collect()
    if not hasattr(frame, "__getitem__"):
        frame = import_optional("pyarrow", "parquet").table(frame)
    names = getattr(frame, "column_names", None)
    names = list(frame.columns if names is None else names)
    twins = [each for each in names if names.count(each) > 1]
    if twins:
        raise ValueError(f"Two columns are called {twins[0]!r}. Rename one of them.")
    return {str(each): frame[each] for each in names}


def _cells(column: Any) -> list[Any]:
    """Return the cells as Python objects; every kind of missing value becomes None."""
    for method in ("to_pylist", "to_list", "tolist"):
        if hasattr(column, method):
            return [None if is_missing(cell) else cell for cell in getattr(column, method)()]
    return [None if is_missing(cell) else cell for cell in column]
