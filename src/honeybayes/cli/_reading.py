"""Texts, for the commands that learn or score."""

from pathlib import Path
from typing import Any

from honeybayes.cli._rows import read_rows
from honeybayes.data import Corpus, read_corpus
from honeybayes.data._read import format_of

MAY_LACK_LABELS = ("csv", "json-lines", "parquet")


def read_labeled(
    table: str,
    text: str,
    label: str,
    form: str | None,
    delimiter: str | None,
    encoding: str | None,
    keep_unlabeled: bool = False,
) -> Corpus:
    """Read texts with their labels; of the options, only those that were given are passed on."""
    if form is None:
        form = "csv" if table == "-" else format_of(Path(table))
    given: dict[str, Any] = {"delimiter": delimiter, "encoding": encoding}
    options = {name: value for name, value in given.items() if value is not None}
    if keep_unlabeled and form in MAY_LACK_LABELS:
        options["keep_unlabeled"] = True
    if form != "folders":
        options |= {"text": text, "label": label}
    corpus = read_corpus(table, format=form, **options)
    if not isinstance(corpus.documents, list):
        raise ValueError(f"{table} holds counts of terms; the command line wants texts.")
    return corpus


def read_texts(table: str, text: str, delimiter: str | None, encoding: str | None) -> list[str]:
    """Read texts that need no labels."""
    rows = read_rows(table, text, None, delimiter, encoding)
    return [words for words, _ in rows.texts_and_rows]
