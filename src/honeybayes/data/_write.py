"""Write a corpus to a file."""

import csv
import io
import json
from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from honeybayes.data._corpus import Corpus
from honeybayes.utils.writing import atomic_write


def write_corpus(corpus: Corpus, path: str | PathLike[str]) -> None:
    """Write texts as CSV or JSON lines, or counts as ``.npz``.

    Parameters
    ----------
    corpus : Corpus
        The documents and labels.
    path : str or path-like
        ``.csv``, ``.tsv`` or ``.jsonl`` for texts, with the columns ``text`` and ``label``;
        ``.npz`` for counts. An existing file is replaced when the new one is complete.

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
    form = "texts" if isinstance(corpus.documents, list) else "counts"
    writers = WRITERS[form]
    if path.suffix.lower() not in writers:
        raise ValueError(
            f"{path}: the corpus {corpus.name!r} contains {form}, so the name of the file must "
            f"end in {' or '.join(writers)}."
        )
    with atomic_write(path) as file:
        writers[path.suffix.lower()](corpus, file)


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


def _write_npz(corpus: Corpus, file: BinaryIO) -> None:
    counts: Any = corpus.documents
    arrays = {name: getattr(counts, name) for name in ("data", "indices", "indptr", "shape")}
    if corpus.vocabulary is not None:
        arrays["vocabulary"] = corpus.vocabulary
    np.savez_compressed(file, labels=corpus.labels, **arrays)


WRITERS: dict[str, dict[str, Callable[[Corpus, BinaryIO], None]]] = {
    "texts": {".csv": _write_csv, ".tsv": _write_tsv, ".jsonl": _write_json_lines},
    "counts": {".npz": _write_npz},
}
