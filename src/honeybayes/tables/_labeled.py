"""Labeled documents of files, folders and data frames, and texts with labels written to a table."""

import warnings
from collections.abc import Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from honeybayes.tables._columns import MODEL, Columns, check_columns, column_title, source_column
from honeybayes.tables._corpus import Corpus
from honeybayes.tables._files import (
    check_unknown_file,
    existing_file,
    file_ending,
    file_title,
    has_no_ending,
)
from honeybayes.tables._frames import convert_frame, is_frame, make_frame, read_texts
from honeybayes.tables._labels import check_labels
from honeybayes.tables._read import FORMAT_OF_ENDING as TABLE_OF_ENDING
from honeybayes.tables._read import read_table
from honeybayes.tables._write import write_table
from honeybayes.utils.labels import is_missing
from honeybayes.utils.suggestions import did_you_mean

if TYPE_CHECKING:
    from pandas import DataFrame

FORMAT_OF_ENDING = {
    **{ending: form for ending, form in TABLE_OF_ENDING.items() if form != "lines"},
    ".arff": "arff",
    ".svmlight": "svmlight",
    ".libsvm": "svmlight",
}
OF_TABLES = ("text", "label", "id", "keep_unlabeled", "keep_model_labels")
# the options that have a meaning, by format; a data frame has no format
OPTIONS: dict[str | None, tuple[str, ...]] = {
    "csv": (*OF_TABLES, "delimiter", "quotes", "encoding"),
    "json-lines": OF_TABLES,
    "json": OF_TABLES,
    "excel": (*OF_TABLES, "sheet"),
    "ods": (*OF_TABLES, "sheet"),
    "folders": ("fallback_encoding",),
    "parquet": OF_TABLES,
    "arff": ("text", "label"),
    "svmlight": (),
    None: (*OF_TABLES, "name"),
}
FORMATS = tuple(format for format in OPTIONS if format)


def read_corpus(
    path: Any,
    text: str | Sequence[str] | None = None,
    label: str | None = None,
    format: str | None = None,
    **options: Any,
) -> Corpus:
    r"""Read labeled documents from a file, a folder or a data frame.

    Parameters
    ----------
    path : str, path-like or data frame
        A file: ``.csv``, ``.tsv``, ``.jsonl``, ``.json``, ``.xlsx`` (requires openpyxl: ``pip
        install 'honeybayes[excel]'``), ``.ods`` (extra ``ods``), ``.parquet`` (``parquet``),
        ``.arff`` (``arff``) or ``.svmlight``. Text files may be gzipped, ``.csv.gz``; ``-`` is the
        standard input. A file whose content does not match its ending raises an error.
        Or a folder with one sub-folder per class, whose name is the class, with one text file per
        document. Hidden files, and files outside the sub-folders, are ignored.
        Or a frame of pandas or polars, a table of pyarrow, or any object with Arrow's
        ``__arrow_c_stream__``.
    text : str or list of str, default="text"
        The column with the text. The texts of several columns are joined with a blank line:
        ``["subject", "body"]``, or ``"subject,body"`` if no column has this name. In ARFF, by
        default the only string attribute; without any, the numeric attributes are counts of terms.
    label : str, default="label"
        The column with the label. In ARFF, by default the only nominal attribute, or the last
        attribute, as in WEKA.
    format : str, optional
        "csv", "json-lines", "json", "excel", "ods", "folders", "parquet", "arff" or "svmlight"; by
        default, the format of the file's ending.
    **options : dict
        Of tables: `id`, the column that names the documents; `keep_unlabeled`, whether documents
        with an empty label are kept, with an empty string as label (by default an error, but kept
        in data frames); `keep_model_labels`, whether labels count that a model gave, according to
        the column "source", which ``honeybayes predict`` writes (by default they do). Of CSV:
        `delimiter`, `quotes` and `encoding`, of workbooks: `sheet`, all as in `open_table`. Of
        folders: `fallback_encoding`, of files that are not UTF-8, by default "latin-1". Of a data
        frame: `name` of the corpus, by default "frame"; random draws depend on it.

    Returns
    -------
    Corpus
        Texts, or a matrix of counts. It is named after the file.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If the file cannot be read. The message names the file, the line and the column, and says
        what to do.

    See Also
    --------
    load_corpus : Load a corpus by its name.
    read_table : Read all columns of a table.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from honeybayes.tables import read_corpus
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "mail.tsv")
    ...     _ = path.write_text("queue\tbody\ndelivery\tLate again\nbilling\tCharged twice\n")
    ...     read_corpus(path, text="body", label="queue")
    Corpus('mail', 2 texts, 2 classes)
    """
    of_frame = is_frame(path)
    where = f"The {type(path).__name__}" if of_frame else str(path)
    format = None if of_frame else format or detect_format(path)
    if format not in OPTIONS:
        raise ValueError(f"Unknown format {format!r}. The formats are: {', '.join(FORMATS)}.")
    given = {"text": text, "label": label, **options}
    given = {name: value for name, value in given.items() if value is not None}
    for name in given:
        if name not in OPTIONS[format]:
            raise ValueError(
                f"{where} is read as {format or 'data frame'!r}, where `{name}` has no meaning."
                f"{did_you_mean(name, OPTIONS[format])}"
            )
    if format == "folders":
        from honeybayes.tables._folders import read_folders

        return read_folders(Path(path), **given)
    if format == "arff":
        from honeybayes.tables._arff import read_arff

        return read_arff(existing_file(path), **given)
    if format == "svmlight":
        from honeybayes.tables._svmlight import read_svmlight

        return read_svmlight(existing_file(path))
    columns = {"text": given.pop("text", "text"), "label": given.pop("label", "label")}
    columns |= {"id": given.pop("id")} if "id" in given else {}
    keep: dict[str, Any] = {
        name: given.pop(name) for name in ("keep_unlabeled", "keep_model_labels") if name in given
    }
    if not of_frame:
        frame = read_table(path, required=columns, format=format, only_required=True, **given)
        return corpus_of(frame, path, **columns, **keep)
    frame, name = convert_frame(path), given.get("name", "frame")
    check_columns(where, list(frame.columns), columns)
    keep = {"keep_unlabeled": True, "whole_floats": True, **keep}
    return replace(corpus_of(frame, name, **columns, **keep), name=name)


def corpus_of(
    frame: "DataFrame",
    path: str | PathLike[str],
    text: Columns,
    label: str,
    id: str | None = None,
    *,
    keep_unlabeled: bool | None = False,
    keep_model_labels: bool = True,
    whole_floats: bool = False,
) -> Corpus:
    """Return the texts and labels of a frame; the corpus is named after the file."""
    if column_title(text) == label:
        raise ValueError(
            f"{path}: the column {label!r} cannot be both the text and the label. Name two "
            "columns with text= and label= (--text and --label on the command line)."
        )
    if not len(frame):
        raise ValueError(f"{path} contains no documents.")
    texts, labels = read_texts(frame, text, path), frame[label].tolist()
    source = source_column(label, list(frame.columns))
    if not keep_model_labels and source in frame:
        labels = _own_labels(labels, frame[source].tolist())
    ids = None
    if id is not None:
        found = frame[id].tolist()
        ids = np.array(["" if is_missing(each) else str(each).strip() for each in found])
    unit = str(frame.index.name)
    checked = check_labels(
        *(labels, frame.index, path, unit, label),
        keep_empty=keep_unlabeled,
        whole_floats=whole_floats,
    )
    return Corpus(file_title(Path(path)), texts, checked, ids=ids)


def _own_labels(labels: list[Any], sources: list[Any]) -> list[Any]:
    """Return the labels that a person gave, and empty strings for the others."""
    own = [
        "" if isinstance(source, str) and source.strip().casefold() == MODEL else label
        for label, source in zip(labels, sources, strict=True)
    ]
    n_set_aside = sum(new is not old for new, old in zip(own, labels, strict=True))
    if n_set_aside:
        are = "1 label is" if n_set_aside == 1 else f"{n_set_aside} labels are"
        warnings.warn(
            f"{are} set aside, because the column that says who gave them says {MODEL!r}. Their "
            "texts count as texts without a label. keep_model_labels=True (on the command line, "
            "--read keep-model-labels) uses them as labels.",
            UserWarning,
            stacklevel=4,
        )
    return own


def detect_format(path: str | PathLike[str]) -> str:
    """Return the format of a file or a folder, according to its ending.

    Parameters
    ----------
    path : str or path-like
        The file or folder; the standard input, ``-``, and pipes without an ending are CSV.

    Returns
    -------
    str
        A value of the parameter `format` of `read_corpus`.

    Raises
    ------
    ValueError
        If the ending is unknown.
    """
    path = Path(path)
    if path.is_dir():
        return "folders"
    if has_no_ending(path):
        return "csv"
    ending = file_ending(path)
    if ending not in FORMAT_OF_ENDING:
        check_unknown_file(path)
        raise ValueError(
            f"{path}: the ending {ending!r} is unknown. The known endings are: "
            f"{', '.join(FORMAT_OF_ENDING)}. Rename the file, or set `format` to one of "
            f"{', '.join(FORMATS)}."
        )
    return FORMAT_OF_ENDING[ending]


def write_corpus(corpus: Corpus, path: str | PathLike[str], *, plain_cells: bool = False) -> None:
    """Write texts and their labels as a table.

    Parameters
    ----------
    corpus : Corpus
        The documents and labels.
    path : str or path-like
        As in :func:`write_table`, with the columns ``text`` and ``label``.
    plain_cells : bool, default=False
        As in :func:`write_table`.

    See Also
    --------
    read_corpus : Read the file again.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from honeybayes.tables import load_corpus, read_corpus, write_corpus
    >>> with TemporaryDirectory() as folder:
    ...     write_corpus(load_corpus("messages"), Path(folder, "mail.csv"))
    ...     read_corpus(Path(folder, "mail.csv"))
    Corpus('mail', 600 texts, 8 classes)
    """
    if not isinstance(corpus.documents, list):
        raise ValueError(
            f"The corpus {corpus.name!r} contains counts, but only texts can be written."
        )
    rows = list(zip(corpus.documents, corpus.labels.tolist(), strict=True))
    write_table(make_frame(rows, ["text", "label"]), path, plain_cells=plain_cells)
