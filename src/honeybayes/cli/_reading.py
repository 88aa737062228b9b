"""Texts, for the commands that learn or score."""

import warnings
from pathlib import Path
from typing import Any

from honeybayes.cli._odd_labels import warn_of_odd_labels
from honeybayes.cli._rows import read_rows
from honeybayes.data import Corpus, read_corpus
from honeybayes.data._read import format_of
from honeybayes.text import STOP_WORDS, TextAnalyzer
from honeybayes.utils.tags import mark_of_unlabeled

MAY_LACK_LABELS = ("csv", "json-lines", "parquet")


def text_settings(
    language: str, stem: bool, stop_words: bool, min_df: int, n_terms: int | None
) -> dict[str, Any]:
    """Return how texts become terms, as parameters of `TextClassifier`.

    Of a language that has no list of stop words every word is kept, and that is told; an unknown
    one is refused.
    """
    TextAnalyzer(language, stop_words=False)
    if stop_words and language not in STOP_WORDS:
        warnings.warn(
            f"Every word is kept, for there is no list of stop words for {language}.",
            UserWarning,
            stacklevel=2,
        )
        stop_words = False
    return {
        "language": language,
        "stop_words": stop_words,
        "stem": stem,
        "min_df": min_df,
        "n_terms": n_terms,
    }


def read_labeled(
    table: str,
    text: str,
    label: str,
    form: str | None,
    delimiter: str | None,
    encoding: str | None,
    quotes: bool,
    keep_unlabeled: bool = False,
) -> Corpus:
    """Read texts with their labels; of the options, only those that were given are passed on."""
    if form is None:
        form = "csv" if table == "-" else format_of(Path(table))
    given: dict[str, Any] = {"delimiter": delimiter, "encoding": encoding}
    options = {name: value for name, value in given.items() if value is not None}
    if not quotes:
        options["quotes"] = False
    if keep_unlabeled and form in MAY_LACK_LABELS:
        options["keep_unlabeled"] = True
    if form != "folders":
        options |= {"text": text, "label": label}
    corpus = read_corpus(table, format=form, **options)
    if not isinstance(corpus.documents, list):
        raise ValueError(f"{table} holds counts of terms; the command line wants texts.")
    warn_of_odd_labels(corpus.labels, label)
    return corpus


def read_labeled_rows(
    table: str,
    text: str,
    label: str,
    form: str | None,
    delimiter: str | None,
    encoding: str | None,
    quotes: bool,
) -> Corpus:
    """Read texts with their labels; rows without a label are left out, and told of."""
    corpus = read_labeled(
        table, text, label, form, delimiter, encoding, quotes, keep_unlabeled=True
    )
    documents, labels, others = corpus.split_unlabeled()
    if others:
        warnings.warn(
            f"{len(others)} rows without a label are left out.", UserWarning, stacklevel=2
        )
    if not documents:
        raise ValueError(f"{table}: all labels are empty.")
    return Corpus(corpus.name, documents, labels)


def read_texts(
    table: str, text: str, delimiter: str | None, encoding: str | None, quotes: bool
) -> list[str]:
    """Read texts that need no labels."""
    rows = read_rows(table, text, None, delimiter, encoding, quotes)
    return [words for words, _ in rows.texts_and_rows]


def as_fitted(classifier: Any, corpus: Corpus) -> tuple[list[str], Any]:
    """Return texts and labels as a `TextClassifier` gave them to its model.

    Labeled texts come first, then the pool, with the mark that the model was told; a model that
    learns from labeled texts alone has seen no others.
    """
    texts, names, pool = corpus.split_unlabeled()
    by_name = {str(label): label for label in classifier.classes_.tolist()}
    labels = [by_name.get(name, name) for name in names.tolist()]
    mark = mark_of_unlabeled(getattr(classifier, "model_", classifier))
    if mark is not None:
        texts, labels = [*texts, *pool], [*labels, *[mark] * len(pool)]
    return texts, labels
