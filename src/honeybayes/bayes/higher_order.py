"""Higher Order Naive Bayes: counts of paths instead of counts of documents."""

import warnings
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal

import numpy as np
from joblib import cpu_count, effective_n_jobs
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from honeybayes.bayes._binary_events import BaseLinkedNB, BinaryEventEstimate, even_alpha, laplace
from honeybayes.bayes.base import FitData
from honeybayes.exceptions import NoPathWarning
from honeybayes.paths import PathCounts, count_paths
from honeybayes.utils.parameters import estimator
from honeybayes.utils.scores import PathSettings
from honeybayes.utils.state import NUMBERS, Array, Bool, Integer, OneOf, State
from honeybayes.utils.validation import FromOne, Jobs, Positive

SHARED_LINKS = 100_000  # numbers in X that are not zero; with fewer, threads take more time


# order, kind of pure paths, and paths of each class; order 0 means documents
Counted = tuple[int, str | None, list[PathCounts]]


@estimator
class HigherOrderNB(BaseLinkedNB):
    """Higher Order Naive Bayes (HONB).

    Bernoulli naive Bayes whose probabilities are estimated from the higher-order paths in the
    documents of a class: P(w|c) = (alpha + paths of c with w) / (2 alpha + paths of c), and P(c) is
    the share of c in all paths ([1]_ Eq. 8-9). Paths connect terms across documents, which helps if
    there are few documents.

    A class may have no path of the requested order, for example if it has only one document. Then
    the order is reduced for all classes until every class has a path, and alpha is in proportion to
    the number of paths of the class. Order 1 means pairs of terms in one document. If no order is
    possible, all classes use document counts. If a class has no pure path, all paths are tried
    before the order is reduced. A `NoPathWarning` names the classes.

    Parameters
    ----------
    order : int, default=2
        Number of documents on a path, 1 to 3. Order 3 takes a few times as long as order 2.
    pure : {None, "class", "corpus"}, default=None
        Exclude second-order paths whose end terms occur together in a document of the class
        (``"class"``) or of the whole training set (``"corpus"``).
    alpha : float, default=1.0
        Smoothing parameter: added to the number of paths with the term and to the number of paths
        without the term.
    event_model : {"bernoulli", "multinomial"}, default="bernoulli"
        ``"bernoulli"`` is the model of the paper: each term is present or absent.
        ``"multinomial"``, its future work, draws each occurrence of a term: P(w|c) = (alpha + paths
        of c with w) / sum over all terms of the same.
    prior : {"paths", "documents", "uniform"}, default="paths"
        P(c) is proportional to the number of paths of the class, which grows with the square of the
        number of documents or faster; proportional to its documents; or equal for all classes.
    n_jobs : int or None, default=None
        Number of threads that count paths, each those of one class, if at least 100,000 numbers
        in X are not zero; -1 means all cores. The result is the same.

    Attributes
    ----------
    path_count_ : ndarray of shape (n_classes, n_features)
        Paths per class that contain each term; int64 if exact, else float64.
    total_paths_ : ndarray of shape (n_classes,)
        Paths per class.
    order_ : int
        The order that was used; 0 means document counts.
    pure_ : {None, "class", "corpus"}
        The kind of pure path that was used; None after a fallback to all paths.

    Notes
    -----
    The probabilities are far too extreme: a term that does not occur in a class changes the score
    by about log(paths), which is 16 to 28. Use the ranking of the classes, not the probabilities.

    With ``sample_weight``, a path counts with the product of the weights of its documents. Two of
    the w copies that a document stands for can be on one path; there are w^2 - w such pairs, or 0
    if w < 1. Orders above 2 do not accept weights.

    Examples
    --------
    >>> from honeybayes import HigherOrderNB
    >>> X = [[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1], [1, 0, 0, 1]]
    >>> model = HigherOrderNB().fit(X, ["a", "a", "b", "b"])
    >>> model.path_count_
    array([[1, 1, 1, 0],
           [1, 0, 1, 1]])
    >>> model.predict([[0, 1, 0, 0], [0, 0, 0, 1]])
    array(['a', 'b'], dtype='<U1')
    """

    order: FromOne = 2
    pure: Literal[None, "class", "corpus"] = None
    alpha: Positive = 1.0
    frequencies: Literal[None, "counts", "either", "log", "length"] = None  # type: ignore[assignment]
    event_model: Literal["bernoulli", "multinomial"] = "bernoulli"
    prior: Literal["paths", "documents", "uniform"] = "paths"
    n_jobs: Jobs = None

    fitted_attributes = State(
        path_count_=Array(("classes", "features"), NUMBERS),
        total_paths_=Array(("classes",), NUMBERS),
        order_=Integer(),
        pure_=OneOf(("class", "corpus"), optional=True),
        _multinomial=Bool(),
    )

    def _estimate(self, data: FitData) -> BinaryEventEstimate:
        data = data.used()
        documents = np.bincount(data.position, data.weights, minlength=len(data.classes))
        self._weighted = data.weights is not None or self.frequencies is not None
        counts = self._from_the_highest_order(data, documents)
        return self._estimate_from(data.classes, documents, counts)

    def _estimate_from(
        self, classes: np.ndarray, documents: np.ndarray, *counts: Iterable[Counted]
    ) -> BinaryEventEstimate:
        """Estimate from the first kind of path that every class has."""
        without_path: list[int] = []
        for order, pure, of_classes in counts[0]:
            self.order_, self.pure_ = order, pure
            missing = [c for c, n in enumerate(of_classes) if n.total == 0 and documents[c] > 0]
            if not missing or order == 0:
                break
            without_path = without_path or missing
        if without_path:
            instead = f"paths of order {order}" if order else "document counts"
            warnings.warn(
                f"No {'pure ' if self.pure else ''}path of order {self.order} in the classes "
                f"{classes[without_path].tolist()}; all classes use {instead}.",
                NoPathWarning,
                stacklevel=5,
            )
        self.path_count_ = np.array([count.per_term for count in of_classes])
        totals = [count.total for count in of_classes]
        fits = all(isinstance(total, int) and total < 2**63 for total in totals)
        self.total_paths_ = np.array(totals, dtype=np.int64 if fits else np.float64)

        sizes = {
            "paths": self.total_paths_,
            "documents": documents,
            "uniform": (documents > 0).astype(np.float64),
        }[self.prior]
        # the sum over many classes may not fit in 64 bits
        prior = sizes / sizes.sum(dtype=np.float64)
        is_lower = without_path and order > 0
        alpha = even_alpha(self.total_paths_, self.alpha) if is_lower else self.alpha
        self._multinomial = self.event_model == "multinomial"
        if self._multinomial:
            smoothed = alpha + self.path_count_.astype(np.float64)
            present = np.log(smoothed) - np.log(smoothed.sum(axis=1, keepdims=True))
            return BinaryEventEstimate(present, np.zeros_like(present), prior)
        return laplace(self.path_count_, self.total_paths_, prior, alpha)

    def _events(self, X: Any) -> sparse.csr_array:
        presence = super()._events(X)
        return sparse.csr_array(presence.multiply(X)) if self._multinomial else presence

    def _from_the_highest_order(self, data: FitData, documents: np.ndarray) -> Iterator[Counted]:
        """Yield the counts of pure paths, then of all paths by decreasing order, then documents."""
        X, n_classes, n_threads = data.X, len(data.classes), 1
        if X.nnz >= SHARED_LINKS:
            most = cpu_count() if self.n_jobs is None else n_classes  # not those of a cluster
            n_threads = min(effective_n_jobs(self.n_jobs), n_classes, most)

        def count(order: int, pure: Any = False) -> list[PathCounts]:
            def count_class(c: int) -> PathCounts:
                inside, own, _, w = data.rows(data.position == c)
                w, kind = w if len(own) else None, self.frequencies
                weighed = kind if kind == "either" else kind is not None
                return count_paths(inside, order, pure, sample_weight=w, frequencies=weighed)

            if n_threads == 1:
                return list(map(count_class, range(n_classes)))
            with ThreadPoolExecutor(n_threads) as threads:  # the compiled loops release the GIL
                return list(threads.map(count_class, range(n_classes)))

        if self.pure is not None:
            yield self.order, self.pure, count(self.order, self.pure == "class" or X)
        for order in range(self.order, 0, -1):
            yield order, None, count(order)
        yield 0, None, list(map(PathCounts, data.with_term().T, documents.tolist()))

    def path_settings(self) -> PathSettings:
        """Return which paths were counted; see ``honeybayes.utils.scores``."""
        check_is_fitted(self)
        return PathSettings(False, self.order_, self.pure_, self.path_count_, self._weighted)
