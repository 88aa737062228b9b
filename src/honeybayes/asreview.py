"""The feature extractor for ASReview, version 2 or later, which finds it by its entry point."""

from collections.abc import Sequence
from typing import Any

from scipy import sparse
from sklearn.base import BaseEstimator

from honeybayes.labeling.screening import ranking_features
from honeybayes.utils.parameters import estimator


@estimator
class Texts(BaseEstimator):
    """Stems, pairs of stems and vectors of titles and abstracts, as ``honeybayes_texts``.

    The terms are weighted by tf-idf. The vectors of the encoder "multilingual" follow, if the extra
    ``vectors`` is installed: records with the same meaning are near each other, also if they share
    no word. Both have length 1.

    Parameters
    ----------
    columns : sequence of str, default=("title", "abstract")
        The columns of the data frame with texts, which are joined.
    language : str, default="english"
        Language of the stems; see `honeybayes.TextVectorizer`.

    Examples
    --------
    >>> import pandas as pd
    >>> from honeybayes.asreview import Texts
    >>> records = pd.DataFrame({"title": ["Late parcels", None], "abstract": ["", "A parcel"]})
    >>> features = Texts(columns=["title"]).fit_transform(records)
    >>> features.shape[0], features[:, :3].toarray().round(2).tolist()[0]
    (2, [0.58, 0.58, 0.58])
    """

    name = "honeybayes_texts"
    label = "Words and meaning (honeybayes)"

    columns: Sequence[str] = ("title", "abstract")
    language: str = "english"

    def fit_transform(self, X: Any, y: Any = None) -> sparse.csr_matrix:
        """Return the features of the records of a data frame."""
        columns = [X[name].fillna("").astype(str) for name in self.columns]
        texts = [" ".join(cells) for cells in zip(*columns, strict=True)]
        return sparse.csr_matrix(ranking_features(texts, self.language))
