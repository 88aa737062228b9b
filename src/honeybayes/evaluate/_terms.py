"""Count the terms of a corpus, and choose the terms that the models use."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer

from honeybayes.data import Corpus
from honeybayes.text import TermSelector
from honeybayes.utils.matrices import presence_matrix
from honeybayes.utils.validation import check_option

Analyzer = Callable[[str], list[str]]
Documents = Any  # csr_array of counts, or list of texts


@dataclass(frozen=True)
class TermChoice:
    """Which terms are kept; see the parameters of `compare`."""

    min_df: int = 1
    n_terms: int | None = None
    unseen: str = "drop"

    def __post_init__(self) -> None:
        check_option("unseen_terms", self.unseen, ("drop", "keep"))

    def choose(self, X: sparse.csr_array, labeled: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return the columns to keep, from X and the labels of its ``labeled`` rows."""
        frequency = _document_frequency(X)
        columns = np.flatnonzero((frequency >= self.min_df) & (frequency > 0))
        if self.n_terms is not None:
            selector = TermSelector(n_terms=self.n_terms).fit(X[labeled][:, columns], y[labeled])
            columns = columns[selector.get_support()]
        if self.unseen == "keep":
            columns = np.union1d(columns, np.flatnonzero(frequency == 0))
        return columns

    def drop_unseen(self, X_train: sparse.csr_array) -> np.ndarray:
        """Return the columns to keep if the terms were chosen before the split."""
        if self.unseen == "keep":
            return np.arange(X_train.shape[1])
        return np.flatnonzero(_document_frequency(X_train))


def count_terms(corpus: Corpus, analyzer: Analyzer | None) -> Documents:
    """Count the terms of texts once for all splits; return counts unchanged.

    The result is the same as counting in each training part, because counting needs no labels, and
    terms that occur only in test documents are removed later.
    """
    if not isinstance(corpus.documents, list):
        return sparse.csr_array(corpus.documents)
    if analyzer is None:
        return corpus.documents
    return sparse.csr_array(CountVectorizer(analyzer=analyzer).fit_transform(corpus.documents))


def _document_frequency(X: sparse.csr_array) -> np.ndarray:
    return np.bincount(presence_matrix(X).indices, minlength=X.shape[1])
