"""Sums over documents that merge: what they give does not depend on how documents are split.

Second-order paths need two passes (the notation is that of `honeybayes.paths`): the first sums df,
s and rho, the second sums X'(Xs), and what q needs. q_i = sum_k a_ik^2 is no sum over documents,
but A is: it is kept as a sparse matrix (``q="exact"``), or multiplied by vectors r of random signs,
because the mean of (Ar)^2 is q (``q="sketch"``).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import clone

from honeybayes.bayes import HigherOrderNB, HigherOrderSmoothingNB
from honeybayes.bayes.base import AdditiveMixin
from honeybayes.paths import PathCounts
from honeybayes.utils.labels import encode_labels
from honeybayes.utils.matrices import presence_above
from honeybayes.utils.validation import check_option, validate_counts

EXACT_LIMIT = 2**62  # the same limit as in honeybayes.paths
N_SIGNS = 16  # vectors of the sketch
SEED = 2012  # of their signs, the same in all parts

Sums = dict[str, Any]  # by name: arrays, sparse arrays and numbers, which can be added


class Statistics(ABC):
    """What a model needs to know of documents, as sums that can be added up.

    An object is made by `start_statistics`. Documents are added in batches, here or in other
    processes, whose objects are merged. If ``n_passes_left`` is above 0, ``next_pass`` returns an
    object to which the same documents must be added once more.

    Parameters
    ----------
    model : estimator
        The model to learn. It is not changed.

    Attributes
    ----------
    n_passes_left : int
        How often all documents must be added again after this pass.
    n_documents : int
        Documents that were added in this pass.
    """

    n_passes_left = 0

    def __init__(self, model: Any) -> None:
        self.model = clone(model)
        self.n_documents = 0
        self.n_features: int | None = None

    def add(self, X: Any, y: Any) -> Self:
        """Add documents.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents by terms. All batches have the same terms. There may be no document.
        y : array-like of shape (n_samples,)
            Label of each document. A batch may lack classes.

        Returns
        -------
        self : object
        """
        n_documents = X.shape[0] if hasattr(X, "shape") else len(X)
        if n_documents:
            checked = clone(self.model)
            counts, y = validate_counts(checked, X, y, reset=True)
            self._take_width(counts.shape[1])
            self._add(counts, np.asarray(y))
            self.n_documents += n_documents
        return self

    def merge(self, other: "Statistics") -> Self:
        """Add the documents of another object, of the same model and the same pass.

        Parameters
        ----------
        other : Statistics
            It is not changed.

        Returns
        -------
        self : object
        """
        same = type(other) is type(self) and other.n_passes_left == self.n_passes_left
        if not same or repr(other.model) != repr(self.model):
            raise ValueError(
                f"Statistics of {other.model!r} cannot be merged with those of {self.model!r}. "
                "Merge objects of one model, in the same pass."
            )
        if other.n_documents:
            assert other.n_features is not None
            self._take_width(other.n_features)
            self._merge(other)
            self.n_documents += other.n_documents
        return self

    def next_pass(self) -> "Statistics":
        """Return an empty object for the next pass.

        Returns
        -------
        Statistics
            All documents must be added to it, or to copies of it that are merged.
        """
        raise ValueError(f"{type(self.model).__name__} needs no further pass. Call finish().")

    def finish(self) -> Any:
        """Return the model.

        Returns
        -------
        estimator
            A fitted copy of the model, equal to ``fit`` on all documents.
        """
        if self.n_passes_left:
            raise ValueError(
                f"{type(self.model).__name__} must see the documents again: call next_pass(), and "
                "add all of them to the object that it returns."
            )
        if not self.n_documents:
            raise ValueError("No document was added. Add documents with their labels first.")
        return self._finish()

    def empty_copy(self) -> Self:
        """Return an object of the same pass without documents.

        Returns
        -------
        Statistics
            To collect the documents of another part.
        """
        return type(self)(self.model)

    def _take_width(self, n_features: int) -> None:
        if self.n_features not in (None, n_features):
            raise ValueError(
                f"A part has {n_features} terms, but others have {self.n_features}. All parts must "
                "have the same terms as columns."
            )
        self.n_features = n_features

    @abstractmethod
    def _add(self, X: Any, y: np.ndarray) -> None: ...

    @abstractmethod
    def _merge(self, other: Any) -> None: ...

    @abstractmethod
    def _finish(self) -> Any: ...


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


class _SumsByClass(Statistics):
    """Statistics in two passes: sums for each class, and sums over all documents."""

    def __init__(self, model: Any, before: Any = None) -> None:
        super().__init__(model)
        self.before = before
        self.n_passes_left = 1 if before is None else 0
        self.classes: list[np.ndarray] = []  # to keep their type
        self.by_class: dict[Any, Sums] = {}
        self.overall: Sums = {}

    def _add(self, X: Any, y: np.ndarray) -> None:
        classes, position = encode_labels(y, getattr(self.model, "unlabeled", None))
        presence = presence_above(X, self.model.binarize)
        count = self._count_first if self.before is None else self._count_second
        _add_sums(self.overall, count(presence, None))
        self.classes.append(classes)
        for at, label in enumerate(classes.tolist()):
            of_class = presence[position == at]
            _add_sums(self.by_class.setdefault(label, {}), count(of_class, label))

    def _merge(self, other: Any) -> None:
        _add_sums(self.overall, other.overall)
        for label, sums in other.by_class.items():
            _add_sums(self.by_class.setdefault(label, {}), sums)
        self.classes += other.classes

    def _all_classes(self) -> np.ndarray:
        return np.unique(np.concatenate(self.classes))

    def next_pass(self) -> "Statistics":
        """Return an empty object for the second pass; see `Statistics`."""
        if self.before is not None:
            return super().next_pass()
        if not self.n_documents:
            raise ValueError("No document was added. Add documents with their labels first.")
        return self._second()

    def empty_copy(self) -> Self:
        """Return an object of the same pass without documents; see `Statistics`."""
        return type(self)(self.model, self.before)

    def _second(self) -> "Statistics":
        return type(self)(self.model, self)

    @abstractmethod
    def _count_first(self, X: sparse.csr_array, label: Any) -> Sums:
        """Return sums over documents of one class; over all documents if ``label`` is None."""

    @abstractmethod
    def _count_second(self, X: sparse.csr_array, label: Any) -> Sums: ...


class PathStatistics(_SumsByClass):
    """Statistics of `HigherOrderNB` with order 1 or 2."""

    def __init__(self, model: Any, before: Any = None, q: str = "exact") -> None:
        super().__init__(model, before)
        check_option("q", q, ("exact", "sketch"))
        if model.order > 2 or model.pure is not None:
            raise ValueError(
                f"{model!r} cannot be learned in parts: paths of order 3 and more, and pure paths, "
                "are no sums over documents. Use order=2 and pure=None, or fit on a sample."
            )
        self.q = q

    def empty_copy(self) -> Self:
        """Return an object of the same pass without documents; see `Statistics`."""
        return type(self)(self.model, self.before, self.q)

    def _second(self) -> "Statistics":
        return PathStatistics(self.model, self, self.q)

    def _count_first(self, X: sparse.csr_array, label: Any) -> Sums:
        if label is None:
            return {}
        lengths = np.diff(X.indptr).astype(np.int64)
        return {
            "documents": X.shape[0],
            "df": X.sum(axis=0),
            "s": X.T @ (lengths - 1),
            "rho": X.T @ ((lengths - 1) * (lengths - 2)),
            "pairs": int((lengths * (lengths - 1) // 2).sum()),
        }

    def _count_second(self, X: sparse.csr_array, label: Any) -> Sums:
        if label is None:
            return {}
        first = self.before.by_class[label]
        s = first["s"]
        if int(s.max(initial=0)) * first["pairs"] >= EXACT_LIMIT:
            X, s = X.astype(np.float64), s.astype(np.float64)
        sums = {"walks": X.T @ (X @ s)}
        if self.q == "exact":
            return sums | {"gram": X.T.tocsr() @ X}
        return sums | {"sketch": X.T @ (X @ self._signs())}

    def _signs(self) -> np.ndarray:
        shape = self.before.n_features, N_SIGNS
        signs = np.random.default_rng(SEED).integers(0, 2, shape)
        return 2 * signs - 1

    def _finish(self) -> Any:
        classes = self._all_classes()
        first = [self.before.by_class[label] for label in classes.tolist()]
        second = [self.by_class[label] for label in classes.tolist()]
        documents = np.array([sums["documents"] for sums in first])
        candidates: list[tuple[int, list[PathCounts]]] = [
            (2, [self._second_order(*sums) for sums in zip(first, second, strict=True)]),
            (1, [PathCounts(sums["s"], sums["pairs"]) for sums in first]),
            (0, [PathCounts(sums["df"], sums["documents"]) for sums in first]),
        ]
        usable = [each for each in candidates if each[0] <= self.model.order]
        return clone(self.model).fit_from_counts(classes, documents, usable)

    def _second_order(self, first: Sums, second: Sums) -> PathCounts:
        walks = second["walks"]
        df, s, rho = (first[name].astype(walks.dtype) for name in ("df", "s", "rho"))
        q = self._squares(first, second).astype(walks.dtype)
        end, twice_mid = walks - df * s - q - rho, s * s - q - rho
        if walks.dtype == np.int64 and self.q == "exact":
            mid = twice_mid // 2
            return PathCounts(end + mid, int(mid.sum()))
        mid = np.maximum(twice_mid / 2, 0)
        return PathCounts(np.maximum(end, 0) + mid, float(mid.sum()))

    def _squares(self, first: Sums, second: Sums) -> np.ndarray:
        """Return q of each term, exact or estimated."""
        if self.q == "exact":
            gram = second["gram"]
            return gram.multiply(gram).sum(axis=1) - first["df"] ** 2
        walks = second["sketch"] - first["df"][:, np.newaxis] * self._signs()
        return (walks.astype(np.float64) ** 2).mean(axis=1)

    def relative_error(self) -> float:
        """Return the largest standard error of the counts that the sketch of q causes.

        Returns
        -------
        float
            As a share of the paths with the term, so that it is also the error of the log; 0 if q
            is exact. The standard error of the estimate of q is at most q times the square
            root of 2 / 16.
        """
        if self.before is None:
            raise ValueError("The error is known after the second pass: call next_pass() first.")
        if self.q == "exact":
            return 0.0
        worst = 0.0
        for label, second in self.by_class.items():
            first = self.before.by_class[label]
            q, phi = self._squares(first, second), self._second_order(first, second).per_term
            error = (
                1.5 * np.sqrt(2 / N_SIGNS) * q / np.maximum(phi, 1)
            )  # q is in end and in mid / 2
            worst = max(worst, float(error.max(initial=0)))
        return worst


class LabelPathStatistics(_SumsByClass):
    """Statistics of `HigherOrderSmoothingNB`."""

    def _count_first(self, X: sparse.csr_array, label: Any) -> Sums:
        frequency = X.sum(axis=0)
        if label is None:
            return {"frequency": frequency}
        lengths = np.diff(X.indptr).astype(np.int64)
        return {"documents": X.shape[0], "df": frequency, "same": X.T @ (lengths - 1)}

    def _count_second(self, X: sparse.csr_array, label: Any) -> Sums:
        if label is not None:
            return {}
        first = self.before.by_class
        with_term = np.array([first[each]["df"] for each in sorted(first)]).T
        return {"walks": X.T @ (X @ with_term)}

    def _finish(self) -> Any:
        classes = self.before._all_classes()
        if not len(classes):
            raise ValueError("No document has a label. Label at least one document of each class.")
        first = [self.before.by_class[label] for label in classes.tolist()]
        documents = np.array([sums["documents"] for sums in first])
        with_term, same = (np.array([sums[name] for sums in first]) for name in ("df", "same"))
        paths = self.overall["walks"].T - same - self.before.overall["frequency"] * with_term
        return clone(self.model).fit_from_counts(classes, documents, with_term, paths)


def _add_sums(sums: Sums, more: Sums) -> None:
    for name, value in more.items():
        sums[name] = sums[name] + value if name in sums else value


def start_statistics(model: Any, *, q: str = "exact") -> Statistics:
    """Return an empty object that collects what a model needs to know of documents.

    Parameters
    ----------
    model : estimator
        `CountNB`, `SmoothedBernoulliNB`, `HigherOrderSmoothingNB`, or `HigherOrderNB` with order 1
        or 2. It is not changed.
    q : {"exact", "sketch"}, default="exact"
        How `HigherOrderNB` finds the sum of squared co-occurrences of each term, a small part of
        its paths. Exact needs the co-occurrences of each class as a sparse matrix; a sketch needs
        16 numbers per term and class. Its method ``relative_error`` says how far the counts may be
        off.

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
        Returns an iterable of (X, y). It is called once per pass: twice for models of paths.
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
