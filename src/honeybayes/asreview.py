"""Models for ASReview, version 2 or later, which finds them through its entry points.

ASReview calls ``fit(X, y, sample_weight=...)`` with the labeled records alone, and then
``predict_proba`` with all records that have no label. The names below are those of
``asreview simulate --classifier`` and ``--feature-extractor``.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from honeybayes import bayes, semisupervised
from honeybayes.text import TextVectorizer
from honeybayes.utils.parameters import estimator

UNLABELED = -1


@estimator
class Terms(TextVectorizer):
    """Count the terms of titles and abstracts: the feature extractor ``honeybayes_terms``.

    Parameters
    ----------
    columns : sequence of str, default=("title", "abstract")
        The columns of the data frame with texts, which are joined.

    Examples
    --------
    >>> import pandas as pd
    >>> from honeybayes.asreview import Terms
    >>> records = pd.DataFrame({"title": ["Late parcels", None], "abstract": ["", "A parcel"]})
    >>> Terms().fit_transform(records).toarray()
    array([[1, 1],
           [0, 1]])
    """

    name = "honeybayes_terms"
    label = "Term counts (honeybayes)"

    columns: Sequence[str] = ("title", "abstract")

    def fit_transform(self, X: Any, y: Any = None) -> sparse.csr_matrix:
        """Learn the terms, and count them in the records of a data frame."""
        return super().fit_transform(self._texts(X), y)

    def transform(self, X: Any) -> sparse.csr_matrix:
        """Count the terms in the records of a data frame."""
        return super().transform(self._texts(X))

    def _texts(self, X: Any) -> list[str]:
        columns = [X[name].fillna("").astype(str) for name in self.columns]
        return [" ".join(cells) for cells in zip(*columns, strict=True)]


class CountNB(bayes.CountNB):
    """`honeybayes.CountNB` as the classifier ``honeybayes_nb``."""

    name = "honeybayes_nb"
    label = "Naive Bayes (honeybayes)"


class HigherOrderNB(bayes.HigherOrderNB):
    """`honeybayes.HigherOrderNB` as the classifier ``honeybayes_honb``."""

    name = "honeybayes_honb"
    label = "Higher Order Naive Bayes (honeybayes)"


class HigherOrderSmoothingNB(bayes.HigherOrderSmoothingNB):
    """`honeybayes.HigherOrderSmoothingNB` as the classifier ``honeybayes_hos``.

    It learns from the labeled records alone, because ASReview passes no others to ``fit``.
    """

    name = "honeybayes_hos"
    label = "Higher Order Smoothing (honeybayes)"


class FewLabels(semisupervised.FewLabelsClassifier):
    """`honeybayes.FewLabelsClassifier` as the classifier ``honeybayes_fewlabels``.

    It learns from unlabeled records, which ASReview passes to ``predict_proba`` only. Therefore
    ``fit`` keeps the labeled records, and ``predict_proba`` learns from these and from the records
    that it is asked about. The probability of a record depends on the others in the same call, and
    slightly on earlier calls: the model always starts where it stopped.
    """

    name = "honeybayes_fewlabels"
    label = "FewLabels (honeybayes)"

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:  # type: ignore[override]
        """Keep the labeled records; the labels are integers from 0."""
        y = np.asarray(y, dtype=int)
        weight = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight)
        self._labeled = sparse.csr_matrix(X), y, weight
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        """Learn from the labeled records and from these, and return their probabilities."""
        check_is_fitted(self, "_labeled")
        labeled, y, weight = self._labeled
        pool = sparse.csr_matrix(X)
        records = sparse.vstack([labeled, pool], format="csr")
        y = np.concatenate([y, np.full(pool.shape[0], UNLABELED)])
        weight = np.concatenate([weight, np.ones(pool.shape[0])])
        # All records in an order that the labels do not change: then a warm start is possible.
        order = _order_of_rows(records)
        if not hasattr(self, "_model"):
            parameters = self.get_params() | {"warm_start": True}
            self._model = semisupervised.FewLabelsClassifier(**parameters)
        self._model.fit(records[order], y[order], weight[order])
        return self._model.predict_proba(pool)


def _order_of_rows(records: sparse.csr_matrix) -> np.ndarray:
    """Return an order of the rows that depends on their content only."""
    records.sort_indices()
    rows = [
        (records.indices[start:end].tobytes(), records.data[start:end].tobytes())
        for start, end in pairwise(records.indptr)
    ]
    return np.array(sorted(range(len(rows)), key=rows.__getitem__), dtype=int)
