"""Statistics of documents in parts, and the models that learn from them."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from sklearn.base import clone

from honeybayes.bayes import HigherOrderNB, HigherOrderSmoothingNB
from honeybayes.bayes.base import AdditiveMixin
from honeybayes.scale._path_statistics import LabelPathStatistics, PathStatistics
from honeybayes.scale._sums import Statistics
from honeybayes.utils.validation import check_option

__all__ = ["Statistics", "fit_in_parts", "start_statistics"]


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


def start_statistics(model: Any, *, q: str = "exact") -> Statistics:
    """Return an empty object that collects what a model needs to know of documents.

    Parameters
    ----------
    model : estimator
        `CountNB`, `SmoothedBernoulliNB`, `HigherOrderSmoothingNB`, or `HigherOrderNB` with order 1
        or 2. It is not changed.
    q : {"exact", "sketch"}, default="exact"
        How `HigherOrderNB` finds the sum of squared co-occurrences of each term, a small part of
        its paths. Exact sums the co-occurrences of one range of terms after another, about
        34 million pairs at a time, and reads the documents once for each range. A sketch needs 16
        numbers per term and class, and two passes. Its method ``relative_error`` says how far the
        counts may be off.

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
    check_option("q", q, ("exact", "sketch"))
    if getattr(model, "frequencies", None) is not None:
        raise ValueError(
            f"{model!r} cannot be learned in parts. Set frequencies=None, which counts documents."
        )
    if isinstance(model, AdditiveMixin):
        return CountStatistics(model)
    if isinstance(model, HigherOrderNB):
        return PathStatistics(model, q=q)
    if isinstance(model, HigherOrderSmoothingNB):
        return LabelPathStatistics(model)
    raise ValueError(
        f"{type(model).__name__} cannot be learned in parts, because it needs all training "
        "documents at once. Use CountNB, SmoothedBernoulliNB, HigherOrderNB or "
        "HigherOrderSmoothingNB, or fit it to a sample of the documents."
    )


def fit_in_parts(
    model: Any, parts: Callable[[], Iterable[tuple[Any, Any]]], *, q: str = "exact"
) -> Any:
    """Learn from documents that are read part by part, on one machine.

    Parameters
    ----------
    model : estimator
        As in `start_statistics`.
    parts : callable
        Returns an iterable of (X, y). It is called once per pass: twice for models of paths,
        and more often if ``q="exact"`` splits the terms into ranges.
    q : {"exact", "sketch"}, default="exact"
        As in `start_statistics`.

    Returns
    -------
    estimator
        A fitted copy of the model.

    Examples
    --------
    >>> from honeybayes.bayes import CountNB
    >>> from honeybayes.scale import fit_in_parts
    >>> parts = [([[2, 1, 0]], ["sea"]), ([[1, 0, 0], [0, 1, 3]], ["sea", "land"])]
    >>> fit_in_parts(CountNB(), lambda: parts).feature_count_
    array([[0., 1., 3.],
           [3., 1., 0.]])
    """
    statistics = start_statistics(model, q=q)
    while True:
        for X, y in parts():
            statistics.add(X, y)
        if not statistics.n_passes_left:
            return statistics.finish()
        statistics = statistics.next_pass()
