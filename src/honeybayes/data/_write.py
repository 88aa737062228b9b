"""Write a corpus to a file."""

import io
import json
from collections.abc import Callable
from functools import partial
from os import PathLike
from pathlib import Path
from typing import BinaryIO

from honeybayes.data._corpus import Corpus
from honeybayes.data.row_writer import RowWriter
from honeybayes.utils.writing import atomic_write


def write_corpus(corpus: Corpus, path: str | PathLike[str], *, plain_cells: bool = False) -> None:
    """Write texts as CSV or JSON lines.

    Parameters
    ----------
    corpus : Corpus
        The documents and labels.
    path : str or path-like
        ``.csv``, ``.tsv`` or ``.jsonl``, with the columns ``text`` and ``label``. An existing file
        is replaced when the new file is complete.
    plain_cells : bool, default=False
        Whether to write an apostrophe before cells of CSV that a spreadsheet would run as a
        formula, such as ``=1+1``. They are then no longer the same.

    See Also
    --------
    read_corpus : Read the file again.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from honeybayes.data import load_corpus, read_corpus, write_corpus
    >>> with TemporaryDirectory() as folder:
    ...     write_corpus(load_corpus("messages"), Path(folder, "mail.csv"))
    ...     read_corpus(Path(folder, "mail.csv"))
    Corpus('mail', 600 texts, 8 classes)
    """
    path = Path(path)
    if not isinstance(corpus.documents, list):
        raise ValueError(
            f"The corpus {corpus.name!r} contains counts, but only texts can be written."
        )
    if path.suffix.lower() not in WRITERS:
        raise ValueError(
            f"{path}: the corpus {corpus.name!r} contains texts, so the name of the file must end "
            f"in {' or '.join(WRITERS)}."
        )
    with atomic_write(path) as file:
        WRITERS[path.suffix.lower()](corpus, file, plain_cells)


def _write_csv(corpus: Corpus, file: BinaryIO, plain_cells: bool, delimiter: str = ",") -> None:
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    columns = "text", "label"
    rows = RowWriter(text, columns, (), False, delimiter, plain_cells=plain_cells)
    for row in zip(corpus.documents, corpus.labels.tolist(), strict=True):
        rows.write(list(row), ())
    text.detach()


def _write_json_lines(corpus: Corpus, file: BinaryIO, plain_cells: bool) -> None:
    for document, label in zip(corpus.documents, corpus.labels.tolist(), strict=True):
        line = json.dumps({"text": document, "label": label}, ensure_ascii=False)
        file.write(line.encode() + b"\n")


WRITERS: dict[str, Callable[[Corpus, BinaryIO, bool], None]] = {
    ".csv": _write_csv,
    ".tsv": partial(_write_csv, delimiter="\t"),
    ".jsonl": _write_json_lines,
}
