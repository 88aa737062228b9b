"""Documents for the benchmarks: corpora as counts, and random documents."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer

from honeybayes.tables import Corpus, find_data_file, read_corpus
from honeybayes.tables import load_corpus as load_bundled
from honeybayes.text import TextAnalyzer
from reproduction.corpora import load_corpus

SHORT_TEXTS = ("agnews-test", "trec-questions", "sms-spam")  # of none of the papers


@contextmanager
def skip_if_missing(corpus: str) -> Iterator[None]:
    """Print a message instead of failing if the file of a corpus is missing."""
    try:
        yield
    except FileNotFoundError as error:
        print(f"\n{corpus} left out: {error}")


def analyzer_for(name: str, stop_words: Any = True) -> TextAnalyzer:
    """Return the analyzer for the language of a corpus; webkb4 is published stemmed."""
    language = "turkish" if name == "1150haber" else "english"
    return TextAnalyzer(language=language, stop_words=stop_words, stem=name != "webkb4")


def read_texts_or_counts(name: str) -> Corpus:
    """Return a corpus of the papers, one with short texts, or the bundled one."""
    if name in SHORT_TEXTS:
        return read_corpus(find_data_file(f"{name}.jsonl.gz"))
    return load_bundled(name) if name == "messages" else load_corpus(name)


def counts_of(
    name: str, min_df: int = 1, *, stop_words: bool = True
) -> tuple[sparse.csr_array, np.ndarray]:
    """Return counts and labels of a corpus.

    Only texts are filtered by ``min_df``; ``stop_words=False`` keeps the stop words of texts.
    """
    return counts_and_terms(name, min_df, stop_words=stop_words)[:2]


def counts_and_terms(
    name: str, min_df: int = 1, *, stop_words: Any = True
) -> tuple[sparse.csr_array, np.ndarray, np.ndarray | None]:
    """Return counts, labels, and the term of each column if it is known."""
    corpus = read_texts_or_counts(name)
    X, terms = corpus.documents, corpus.vocabulary
    if isinstance(X, list):
        vectorizer = CountVectorizer(analyzer=analyzer_for(name, stop_words), min_df=min_df)
        X = vectorizer.fit_transform(X)
        terms = vectorizer.get_feature_names_out()
    return sparse.csr_array(X), corpus.labels, terms


def newsgroup_counts() -> tuple[sparse.csr_matrix, np.ndarray, np.ndarray]:
    """Return counts, labels and terms of all of 20 Newsgroups."""
    corpus = load_corpus("20news-18828")
    vectorizer = CountVectorizer(token_pattern="[a-z]{2,}", min_df=3)
    X = vectorizer.fit_transform(corpus.documents)
    return X, np.asarray(corpus.labels), vectorizer.get_feature_names_out()


def random_documents(
    n_documents: int, n_terms: int, length: int, seed: int = 0
) -> sparse.csr_array:
    """Return documents of equal length whose terms follow Zipf's law."""
    rng = np.random.default_rng(seed)
    chance = 1 / np.arange(10, n_terms + 10)
    rows = [
        rng.choice(n_terms, length, replace=False, p=chance / chance.sum())
        for _ in range(n_documents)
    ]
    indptr = np.arange(n_documents + 1) * length
    ones = np.ones(n_documents * length, np.int64)
    X = sparse.csr_array((ones, np.concatenate(rows), indptr), shape=(n_documents, n_terms))
    X.sort_indices()
    return X
