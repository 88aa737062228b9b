"""Statistics of documents in parts, and the models that learn from them."""

from typing import Any

import numpy as np
from sklearn.base import clone

from honeybayes.bayes import HigherOrderNB, HigherOrderSmoothingNB
from honeybayes.bayes.base import AdditiveMixin
from honeybayes.scale._path_statistics import LabelPathStatistics, PathStatistics
from honeybayes.scale._sums import Statistics

__all__ = ["Statistics", "start_statistics"]


class CountStatistics(Statistics):
    """Statistics of the models with ``partial_fit``: their own counts."""

    fitted: Any = None

    def _add(self, X: Any, y: np.ndarray) -> None:
        self._take(clone(self.model).fit(X, y))

    def _merge(self, other: Any) -> None:
        self._take(other.fitted)

    def _take(self, fitted: Any) -> None:
        self.fitted = (
            clone(self.model).merge(fitted) if self.fitted is None else self.fitted.merge(fitted)
        )

    def _finish(self) -> Any:
        return self.fitted


def start_statistics(model: Any) -> Statistics:
    """Return an empty object that collects what a model needs to know of documents.

    Parameters
    ----------
    model : estimator
        `CountNB`, `SmoothedBernoulliNB`, `HigherOrderSmoothingNB`, or `HigherOrderNB` with order 1
        or 2. It is not changed.

    Returns
    -------
    Statistics

    Raises
    ------
    ValueError
        If the model is not learned from sums over documents.

    Notes
    -----
    The counts are the same integers as those of ``fit``. Sums of counts that are not integers, such
    as tf-idf, may differ in the last digit, and so may paths if a class has more than 2^62.
    Documents have no weights.

    `HigherOrderNB` sums the co-occurrences of one range of terms after another, about 34 million
    pairs at a time, so that memory is bounded. It reads the documents once for each range.

    Examples
    --------
    >>> from honeybayes import HigherOrderNB
    >>> from honeybayes.scale import start_statistics
    >>> one, other = [[1, 1, 0, 0], [0, 0, 1, 1]], [[0, 1, 1, 0], [1, 0, 0, 1]]
    >>> first = start_statistics(HigherOrderNB()).add(one, ["a", "b"])
    >>> second = first.merge(start_statistics(HigherOrderNB()).add(other, ["a", "b"])).next_pass()
    >>> second.add(one, ["a", "b"]).add(other, ["a", "b"]).finish().path_count_
    array([[1, 1, 1, 0],
           [1, 0, 1, 1]])
    """
    if getattr(model, "frequencies", None) is not None:
        raise ValueError(
            f"{model!r} cannot be learned in parts. Set frequencies=None, which counts documents."
        )
    if isinstance(model, AdditiveMixin):
        return CountStatistics(model)
    if isinstance(model, HigherOrderNB):
        return PathStatistics(model)
    if isinstance(model, HigherOrderSmoothingNB):
        return LabelPathStatistics(model)
    raise ValueError(
        f"{type(model).__name__} cannot be learned in parts, because it needs all training "
        "documents at once. Use CountNB, SmoothedBernoulliNB, HigherOrderNB or "
        "HigherOrderSmoothingNB, or fit it to a sample of the documents."
    )
