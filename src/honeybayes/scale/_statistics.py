"""Statistics of documents in parts, and the models that learn from them.

Those of paths need two or more passes (the notation is that of `honeybayes.paths`).

The first pass sums df, s and rho of each class, the second X'(Xs). q_i = sum_k a_ik^2 is no sum
over documents, but A is. A pass sums the rows of A of a range of terms, and keeps their q: as many
passes as there are ranges, so that memory does not grow with the square of the terms.
"""

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import clone

from honeybayes.bayes import HigherOrderNB, HigherOrderSmoothingNB
from honeybayes.bayes.base import AdditiveBayes
from honeybayes.paths import PathCounts
from honeybayes.utils import digests, labels, matrices, validation
from honeybayes.utils.parameters import documented

SAME = "Add the same documents in every pass."
Sums = dict[str, Any]  # by name: arrays, sparse arrays and numbers, which can be added


@documented
class Statistics(ABC):
    """What a model needs to know of documents, as sums that can be added up.

    An object is made by `start_statistics`. Documents are added in batches, here or in other
    processes, whose objects are merged. If ``n_passes_left`` is above 0, ``next_pass`` returns an
    object to which the same documents must be added once more.

    Parameters
    ----------
    model : estimator
        The model to learn. It is not changed.
    before : Statistics or None, default=None
        The object of the first pass, in a later one.
    n_passes_left : int, default=0
        As in the attribute.

    Attributes
    ----------
    n_passes_left : int
        How often all documents must be added again after this pass. In the first pass of
        `HigherOrderNB`, at least so often: its sums decide.
    n_documents : int
        Documents that were added in this pass.
    """

    def __init__(self, model: Any, before: Any = None, n_passes_left: int = 0) -> None:
        self.model, self.before, self.n_passes_left = clone(model), before, n_passes_left
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
        """
        n_documents = X.shape[0] if hasattr(X, "shape") else len(X)
        if n_documents:
            counts, y = validation.validate_counts(clone(self.model), X, y, reset=True)
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
        """
        same = type(other) is type(self) and other.n_passes_left == self.n_passes_left
        if not same or digests.settings_text(other.model) != digests.settings_text(self.model):
            both = f"Statistics of {other.model!r} cannot be merged with those of {self.model!r}."
            raise ValueError(f"{both} Merge objects of one model, in the same pass.")
        if other.n_documents:
            assert other.n_features is not None
            self._take_width(other.n_features)
            self._merge(other)
            self.n_documents += other.n_documents
        return self

    def next_pass(self) -> "Statistics":
        """Return an empty object for the next pass.

        All documents must be added to it, or to copies of it that are merged.
        """
        if not self.n_passes_left:
            raise ValueError(f"{type(self.model).__name__} needs no further pass. Call finish().")
        self._check_complete()
        return type(self)(self.model, self.before or self, self.n_passes_left - 1)

    def finish(self) -> Any:
        """Return a fitted copy of the model, equal to ``fit`` on all documents."""
        if self.n_passes_left:
            raise ValueError(
                f"{type(self.model).__name__} must see the documents again: call next_pass(), and "
                "add all of them to the object that it returns."
            )
        self._check_complete()
        return self._finish()

    def empty_copy(self) -> Self:
        """Return an object of the same pass without documents."""
        return type(self)(self.model, self.before, self.n_passes_left)

    def _check_complete(self) -> None:
        if not self.n_documents:
            raise ValueError("No document was added. Add documents with their labels first.")
        if self.before is not None and self.before.n_documents != self.n_documents:
            both = f"{self.n_documents} documents, but the first one had {self.before.n_documents}"
            raise ValueError(f"This pass has {both}. {SAME}")

    def _take_width(self, n_features: int) -> None:
        if self.n_features not in (None, n_features):
            both = f"A part has {n_features} terms, but others have {self.n_features}."
            raise ValueError(f"{both} All parts must have the same terms as columns.")
        self.n_features = n_features

    @abstractmethod
    def _add(self, X: Any, y: np.ndarray) -> None: ...

    @abstractmethod
    def _merge(self, other: Any) -> None: ...

    @abstractmethod
    def _finish(self) -> Any: ...


class SumsByClass(Statistics):
    """Statistics in several passes: sums for each class, and sums over all documents."""

    def __init__(self, model: Any, before: Any = None, n_passes_left: int = 0) -> None:
        super().__init__(model, before, n_passes_left)
        self.classes: list[np.ndarray] = []  # to keep their type
        self.by_class: dict[Any, Sums] = {}
        self.overall: Sums = {}

    def _add(self, X: Any, y: np.ndarray) -> None:
        classes, position = labels.encode_labels(y, getattr(self.model, "unlabeled", None))
        known = classes.tolist() if self.before is None else self.before.by_class
        if unknown := sorted({*classes.tolist()}.difference(known)):
            raise ValueError(
                f"This pass has the class(es) {unknown}, which the first one had not. {SAME}"
            )
        presence = matrices.presence_above(X, self.model.binarize)
        add_sums(self.overall, self._count_all(presence))
        self.classes.append(classes)
        for at, label in enumerate(classes.tolist()):
            of_class = self._count(presence[position == at], label)
            add_sums(self.by_class.setdefault(label, {}), of_class)

    def _merge(self, other: Any) -> None:
        add_sums(self.overall, other.overall)
        for label, sums in other.by_class.items():
            add_sums(self.by_class.setdefault(label, {}), sums)
        self.classes += other.classes

    @abstractmethod
    def _count(self, X: sparse.csr_array, label: Any) -> Sums:
        """Return sums of this pass over documents of one class."""

    def _count_all(self, X: sparse.csr_array) -> Sums:
        """Return sums of this pass over all documents."""
        return {}


def add_sums(sums: Sums, more: Sums) -> None:
    for name, value in more.items():
        sums[name] = sums[name] + value if name in sums else value


EXACT_LIMIT = 2**62  # the same limit as in honeybayes.paths
MAX_PAIRS = 2**25  # pairs of terms in a range, in all classes: about 400 MB, and twice in a merge


class CountStatistics(Statistics):
    """Statistics of the models with ``partial_fit``: their own counts."""

    def _add(self, X: Any, y: np.ndarray) -> None:
        self.model.merge(clone(self.model).fit(X, y))

    def _merge(self, other: Any) -> None:
        self.model.merge(other.model)

    def _finish(self) -> Any:
        return self.model


class PathStatistics(SumsByClass):
    """Statistics of `HigherOrderNB` with order 1 or 2.

    The first pass has ``ranges`` of terms: each later pass finds the q of one. What it finds is
    kept with the sums of the first pass.
    """

    def next_pass(self) -> "Statistics":
        """Return an empty object for the next pass."""
        following = super().next_pass()
        if self.before is not None:
            self._keep()
            return following
        # ranges of terms whose rows of A have about `MAX_PAIRS` entries, or fewer
        assert self.n_features is not None
        rows = [np.minimum(sums["s"] + 1, self.n_features) for sums in self.by_class.values()]
        self.ranges = matrices.blocks_of_rows(np.sum(rows, axis=0), MAX_PAIRS)
        following.n_passes_left = len(self.ranges) - 1
        return following

    def _range(self) -> tuple[int, int]:
        """Return the start and end of the terms whose q this pass finds."""
        ranges = self.before.ranges
        number = len(ranges) - 1 - self.n_passes_left  # of this pass; the one after the first has 0
        return ranges[number]

    def _count(self, X: sparse.csr_array, label: Any) -> Sums:
        if self.before is None:
            lengths = np.diff(X.indptr).astype(np.int64)
            return {
                "documents": X.shape[0],
                "df": X.sum(axis=0),
                "s": X.T @ (lengths - 1),
                "rho": X.T @ ((lengths - 1) * (lengths - 2)),
                "pairs": int((lengths * (lengths - 1) // 2).sum()),
            }
        first, (start, end) = self.before.by_class[label], self._range()
        sums = {"gram": X[:, start:end].T.tocsr() @ X}
        if start == 0:
            bound = int(first["s"].max(initial=0)) * first["pairs"]  # on the paths of the class
            counts = X.astype(np.float64 if bound >= EXACT_LIMIT else np.int64)
            sums["walks"] = counts.T @ (counts @ first["s"])
        return sums

    def _keep(self) -> None:
        """Add the walks and q of this pass to the sums of the first pass."""
        terms = slice(*self._range())
        for label, sums in self.by_class.items():
            first, gram = self.before.by_class[label], sums["gram"]
            if "walks" in sums:
                first |= {"walks": sums["walks"], "q": np.zeros_like(sums["walks"])}
            q = first["q"]
            counts = gram.astype(q.dtype, copy=False)
            q[terms] = counts.multiply(counts).sum(axis=1) - first["df"][terms].astype(q.dtype) ** 2

    def _finish(self) -> Any:
        classes = np.unique(np.concatenate(self.classes))
        if self.before is not None:
            self._keep()
        of_class = (self.before or self).by_class
        first = [of_class[label] for label in classes.tolist()]
        documents = np.array([sums["documents"] for sums in first])
        candidates: list[tuple[int, None, list[PathCounts]]] = [
            (1, None, [PathCounts(sums["s"], sums["pairs"]) for sums in first]),
            (0, None, [PathCounts(sums["df"], sums["documents"]) for sums in first]),
        ]
        if self.before is not None:
            candidates = [(2, None, [_second_order(sums) for sums in first]), *candidates]
        return clone(self.model).fit_from_counts(classes, documents, candidates)


class LabelPathStatistics(SumsByClass):
    """Statistics of `HigherOrderSmoothingNB`."""

    def _count(self, X: sparse.csr_array, label: Any) -> Sums:
        if self.before is not None:
            return {}
        lengths = np.diff(X.indptr).astype(np.int64)
        return {"documents": X.shape[0], "df": X.sum(axis=0), "same": X.T @ (lengths - 1)}

    def _count_all(self, X: sparse.csr_array) -> Sums:
        if self.before is None:
            return {"frequency": X.sum(axis=0)}
        first = self.before.by_class
        with_term = np.array([first[each]["df"] for each in sorted(first)]).T
        return {"walks": X.T @ (X @ with_term)}

    def _finish(self) -> Any:
        classes = np.unique(np.concatenate(self.before.classes))
        if not len(classes):
            raise ValueError("No document has a label. Label at least one document of each class.")
        first = [self.before.by_class[label] for label in classes.tolist()]
        documents = np.array([sums["documents"] for sums in first])
        with_term, same = (np.array([sums[name] for sums in first]) for name in ("df", "same"))
        paths = self.overall["walks"].T - same - self.before.overall["frequency"] * with_term
        return clone(self.model).fit_from_counts(classes, documents, with_term, paths)


def _second_order(sums: Sums) -> PathCounts:
    """Return the paths of order 2; see `honeybayes.paths`."""
    walks, q = sums["walks"], sums["q"]
    df, s, rho = (sums[each].astype(walks.dtype) for each in ("df", "s", "rho"))
    end, twice_mid = walks - df * s - q - rho, s * s - q - rho
    if walks.dtype == np.int64:
        mid = twice_mid // 2
        return PathCounts(end + mid, int(mid.sum()))
    mid = np.maximum(twice_mid / 2, 0)
    return PathCounts(np.maximum(end, 0) + mid, float(mid.sum()))


def start_statistics(model: Any) -> Statistics:
    """Return an empty object that collects what a model needs to know of documents.

    Parameters
    ----------
    model : estimator
        `CountNB`, `SmoothedBernoulliNB`, `HigherOrderSmoothingNB`, or `HigherOrderNB` with order 1
        or 2. It is not changed.

    Raises
    ------
    ValueError
        If the model is not learned from sums over documents.

    Notes
    -----
    The counts are the same integers as those of ``fit``. Sums of counts that are not integers, such
    as tf-idf, may differ in the last digit, and so may paths if a class may have more than 2^62.
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
    if isinstance(model, AdditiveBayes):
        return CountStatistics(model)
    if isinstance(model, HigherOrderSmoothingNB):
        return LabelPathStatistics(model, n_passes_left=1)
    if isinstance(model, HigherOrderNB):
        if model.order > 2 or model.pure is not None:
            raise ValueError(
                f"{model!r} cannot be learned in parts: paths of order 3 and more, and pure paths, "
                "are no sums over documents. Use order=2 and pure=None, or fit on a sample."
            )
        return PathStatistics(model, n_passes_left=int(model.order > 1))
    raise ValueError(
        f"{type(model).__name__} cannot be learned in parts, because it needs all training "
        "documents at once. Use CountNB, SmoothedBernoulliNB, HigherOrderNB or "
        "HigherOrderSmoothingNB, or fit it to a sample of the documents."
    )
