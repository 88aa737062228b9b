"""Corpora that scikit-learn can fetch. It keeps what it fetched in its own folder."""

from collections.abc import Callable

import numpy as np
from scipy import sparse

from honeybayes.data._corpus import Corpus

Fetcher = Callable[[], Corpus]


def newsgroups_by_date() -> Corpus:
    """Fetch 20 Newsgroups, both parts, with all headers."""
    from sklearn.datasets import fetch_20newsgroups  # takes a while, and few need it

    bunch = fetch_20newsgroups(subset="all", shuffle=False, n_retries=1)
    labels = np.array(bunch.target_names)[bunch.target]
    return Corpus("20news-bydate", list(bunch.data), labels)


def openml(name: str) -> Fetcher:
    """Return a function that fetches a matrix of counts from OpenML."""

    def fetch() -> Corpus:
        from sklearn.datasets import fetch_openml  # takes a while, and few need it

        bunch = fetch_openml(name=name, version=1, as_frame=False, parser="liac-arff", n_retries=1)
        counts = sparse.csr_array(bunch.data)
        counts.sum_duplicates()
        vocabulary = np.array(bunch.feature_names, dtype=np.str_)
        return Corpus(name, counts, np.asarray(bunch.target, dtype=np.str_), vocabulary)

    return fetch
