"""One function for all formats."""

from collections.abc import Callable, Sequence
from inspect import signature
from os import PathLike
from pathlib import Path
from typing import Any

from honeybayes.data import tables
from honeybayes.data._arff import read_arff
from honeybayes.data._corpus import Corpus
from honeybayes.data._files import check_unknown_file, file_ending, has_no_ending
from honeybayes.data._frames import is_frame, read_frame
from honeybayes.data._svmlight import read_svmlight
from honeybayes.data._text_folders import read_text_folders
from honeybayes.data._text_tables import read_csv, read_excel, read_json_lines, read_parquet
from honeybayes.utils.suggestions import did_you_mean

READERS: dict[str, Callable[..., Corpus]] = {
    "csv": read_csv,
    "json-lines": read_json_lines,
    "excel": read_excel,
    "folders": read_text_folders,
    "parquet": read_parquet,
    "arff": read_arff,
    "svmlight": read_svmlight,
}

FORMAT_OF_ENDING = {
    **{ending: form for ending, form in tables.FORMAT_OF_ENDING.items() if form in READERS},
    ".parquet": "parquet",
    ".arff": "arff",
    ".svmlight": "svmlight",
    ".libsvm": "svmlight",
}


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
        A frame of pandas, polars or pyarrow is read by :func:`read_frame`. Otherwise
        ``.csv``, ``.tsv``, ``.jsonl``, ``.xlsx``, ``.parquet``, ``.arff``, ``.svmlight``, or a
        folder with one sub-folder per class. Text files may be gzipped, ``.csv.gz``. A file whose
        content does not match its ending raises an error.
    text : str or list of str, optional
        The column with the text, by default ``"text"``; of a table, also several columns:
        ``["subject", "body"]``. :func:`read_arff` has other defaults.
    label : str, optional
        The column with the label, by default ``"label"``.
    format : {"csv", "json-lines", "excel", "folders", "parquet", "arff", "svmlight"}, optional
        By default, the format of the file's ending.
    **options : dict
        More arguments for the reader of the format, such as ``delimiter=";"`` for
        :func:`read_csv`.

    Returns
    -------
    Corpus
        Texts, or a matrix of counts.

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

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from honeybayes.data import read_corpus
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "mail.tsv")
    ...     _ = path.write_text("queue\tbody\ndelivery\tLate again\nbilling\tCharged twice\n")
    ...     read_corpus(path, text="body", label="queue")
    Corpus('mail', 2 texts, 2 classes)
    """
    if is_frame(path):
        reader: Callable[..., Corpus] = read_frame
        where, format = f"The {type(path).__name__}", format or "data frame"
    else:
        path = Path(path)
        where = str(path)
        format = detect_format(path) if format is None else format
        if format not in READERS:
            raise ValueError(f"Unknown format {format!r}. The formats are: {', '.join(READERS)}.")
        reader = READERS[format]
    given = {"text": text, "label": label, **options}
    given = {name: value for name, value in given.items() if value is not None}
    for name in given:
        if name not in signature(reader).parameters:
            raise ValueError(
                f"{where} is read as {format!r}, where {name}= has no meaning."
                f"{did_you_mean(name, signature(reader).parameters)}"
            )
    return reader(path, **given)


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
            f"{', '.join(FORMAT_OF_ENDING)}. Rename the file, or set format= to one of "
            f"{', '.join(READERS)}."
        )
    return FORMAT_OF_ENDING[ending]
