"""A corpus back to a file that the readers know."""

import csv
import io
import json
from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import BinaryIO

from honeybayes.data._corpus import Corpus
from honeybayes.utils.writing import atomic_write


def write_corpus(corpus: Corpus, path: str | PathLike[str]) -> None:
    """Write texts as CSV or JSON lines: whole, or not at all.

    Parameters
    ----------
    corpus : Corpus
        What a reader returned, or `load_corpus`.
    path : str or path-like
        ``.csv``, ``.tsv`` or ``.jsonl``, with the columns ``text`` and ``label``. An existing file
        is replaced.

    See Also
    --------
    read_corpus : The way back.

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
        raise ValueError(f"{corpus.name!r} holds counts, but only texts can be written.")
    if path.suffix.lower() not in WRITERS:
        raise ValueError(
            f"{path}: {corpus.name!r} holds texts, which are written to files that end in "
            f"{' or '.join(WRITERS)}."
        )
    with atomic_write(path) as file:
        WRITERS[path.suffix.lower()](corpus, file)


def _write_csv(corpus: Corpus, file: BinaryIO, delimiter: str = ",") -> None:
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    rows = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    rows.writerow(["text", "label"])
    rows.writerows(zip(corpus.documents, corpus.labels.tolist(), strict=True))
    text.detach()


def _write_tsv(corpus: Corpus, file: BinaryIO) -> None:
    _write_csv(corpus, file, "\t")


def _write_json_lines(corpus: Corpus, file: BinaryIO) -> None:
    for document, label in zip(corpus.documents, corpus.labels.tolist(), strict=True):
        line = json.dumps({"text": document, "label": label}, ensure_ascii=False)
        file.write(line.encode() + b"\n")


WRITERS: dict[str, Callable[[Corpus, BinaryIO], None]] = {
    ".csv": _write_csv,
    ".tsv": _write_tsv,
    ".jsonl": _write_json_lines,
}
