"""One door to all readers."""

from collections.abc import Callable
from inspect import signature
from os import PathLike
from pathlib import Path
from typing import Any

from honeybayes.data._arff import read_arff
from honeybayes.data._corpus import Corpus
from honeybayes.data._delimited import read_csv
from honeybayes.data._files import near_match, refuse_known_content
from honeybayes.data._json_lines import read_json_lines
from honeybayes.data._parquet import read_parquet
from honeybayes.data._svmlight import read_svmlight
from honeybayes.data._text_folders import read_text_folders

READERS: dict[str, Callable[..., Corpus]] = {
    "csv": read_csv,
    "json-lines": read_json_lines,
    "folders": read_text_folders,
    "parquet": read_parquet,
    "arff": read_arff,
    "svmlight": read_svmlight,
}

FORMAT_OF_ENDING = {
    ".csv": "csv",
    ".tsv": "csv",
    ".tab": "csv",
    ".jsonl": "json-lines",
    ".ndjson": "json-lines",
    ".parquet": "parquet",
    ".arff": "arff",
    ".svmlight": "svmlight",
    ".libsvm": "svmlight",
}


def read_corpus(
    path: str | PathLike[str],
    text: str | None = None,
    label: str | None = None,
    format: str | None = None,
    **options: Any,
) -> Corpus:
    r"""Read labeled documents from a file or a folder, in the form that its ending tells.

    Parameters
    ----------
    path : str or path-like
        ``.csv``, ``.tsv``, ``.jsonl``, ``.parquet``, ``.arff``, ``.svmlight``, or a folder with
        one sub-folder per class. Text formats may be gzipped, ``.csv.gz``. A file whose content is
        not what its ending says is refused.
    text, label : str, optional
        The columns that hold the text and the class of a document, by default ``"text"`` and
        ``"label"``. See :func:`read_arff` for its own defaults.
    format : {"csv", "json-lines", "folders", "parquet", "arff", "svmlight"}, optional
        The form, where the ending does not tell it.
    **options : dict
        Passed on to the reader of that form, such as ``delimiter=";"`` to :func:`read_csv`.

    Returns
    -------
    Corpus
        Texts, or a matrix of counts.

    Raises
    ------
    FileNotFoundError
        There is no such file.
    ValueError
        Says what is wrong, with the file, the line and the column, and what to do about it.

    See Also
    --------
    load_corpus : Corpora by name.

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
    path = Path(path)
    format = format_of(path) if format is None else format
    if format not in READERS:
        raise ValueError(f"Unknown format {format!r}. The formats are: {', '.join(READERS)}.")
    reader = READERS[format]
    given = {"text": text, "label": label, **options}
    given = {name: value for name, value in given.items() if value is not None}
    for name in given:
        if name not in signature(reader).parameters:
            raise ValueError(
                f"{path} is read as {format!r}, where {name}= has no meaning."
                f"{near_match(name, signature(reader).parameters)}"
            )
    return reader(path, **given)


def format_of(path: Path) -> str:
    """Tell the form of a file by its ending."""
    if path.is_dir():
        return "folders"
    unpacked = path.with_suffix("") if path.suffix.lower() == ".gz" else path
    ending = unpacked.suffix.lower()
    if ending not in FORMAT_OF_ENDING:
        refuse_known_content(path)
        raise ValueError(
            f"{path}: the ending {ending!r} does not tell the form. The endings are: "
            f"{', '.join(FORMAT_OF_ENDING)}. Rename the file, or say format= "
            f"({', '.join(READERS)})."
        )
    return FORMAT_OF_ENDING[ending]
