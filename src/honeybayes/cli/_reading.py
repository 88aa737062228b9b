"""Labeled texts, for the commands that learn or score."""

from typing import Any

from honeybayes.data import Corpus, read_corpus


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
    if table == "-":
        form = form or "csv"
    given = {"delimiter": delimiter, "encoding": encoding, "keep_unlabeled": keep_unlabeled or None}
    options: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    corpus = read_corpus(table, text=text, label=label, format=form, **options)
    if not isinstance(corpus.documents, list):
        raise ValueError(f"{table} holds counts of terms; the command line wants texts.")
    return corpus
