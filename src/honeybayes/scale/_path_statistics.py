"""Statistics of paths, in two or more passes (the notation is that of `honeybayes.paths`).

The first pass sums df, s and rho of each class, the second X'(Xs). q_i = sum_k a_ik^2 is no sum
over documents, but A is. A pass sums the rows of A of a range of terms, and keeps their q: as many
passes as there are ranges, so that memory does not grow with the square of the terms.
"""

from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import clone

from honeybayes.paths import PathCounts
from honeybayes.scale._sums import Statistics, Sums, SumsByClass

EXACT_LIMIT = 2**62  # the same limit as in honeybayes.paths
MAX_PAIRS = 2**25  # pairs of terms in a range, in all classes: about 400 MB, and twice in a merge

Range = tuple[int, int]


class PathStatistics(SumsByClass):
    """Statistics of `HigherOrderNB` with order 1 or 2.

    ``ranges`` are the terms whose q this pass and later ones find, and ``found`` has the sums of
    earlier passes.
    """

    def __init__(
        self,
        model: Any,
        before: Any = None,
        ranges: tuple[Range, ...] = (),
        found: dict[Any, Sums] | None = None,
    ) -> None:
        super().__init__(model, before)
        if model.order > 2 or model.pure is not None:
            raise ValueError(
                f"{model!r} cannot be learned in parts: paths of order 3 and more, and pure paths, "
                "are no sums over documents. Use order=2 and pure=None, or fit on a sample."
            )
        self.ranges, self.found = ranges, found
        self.n_passes_left = len(ranges) - 1 if before is not None else int(model.order > 1)

    def empty_copy(self) -> Self:
        """Return an object of the same pass without documents; see `Statistics`."""
        return type(self)(self.model, self.before, self.ranges, self.found)

    def _next(self) -> "Statistics":
        if self.before is None:
            return PathStatistics(self.model, self, self._split_terms())
        return PathStatistics(self.model, self.before, self.ranges[1:], self._all_found())

    def _split_terms(self) -> tuple[Range, ...]:
        """Return ranges of terms whose rows of A have about `MAX_PAIRS` entries, or fewer."""
        assert self.n_features is not None
        rows = [np.minimum(sums["s"] + 1, self.n_features) for sums in self.by_class.values()]
        number = np.cumsum(np.sum(rows, axis=0)) // MAX_PAIRS
        starts = np.flatnonzero(np.diff(number, prepend=-1)).tolist()
        return tuple(zip(starts, [*starts[1:], self.n_features], strict=True))

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
        first, sums = self.before.by_class[label], {}
        if self.found is None:
            sums["walks"] = X.T @ (X @ first["s"])
            if _bound(first) >= EXACT_LIMIT:  # int64 is right modulo 2^64; see honeybayes.paths
                rounded = X.astype(np.float64)
                sums["rounded_walks"] = rounded.T @ (rounded @ first["s"])
        return sums | {"gram": X[:, slice(*self.ranges[0])].T.tocsr() @ X}

    def _all_found(self) -> dict[Any, Sums]:
        """Return walks and q of each class, with those of the earlier passes."""
        earlier = self.found or {}
        return {
            label: self._add_squares(earlier.get(label, {}), self.before.by_class[label], sums)
            for label, sums in self.by_class.items()
        }

    def _add_squares(self, found: Sums, first: Sums, sums: Sums) -> Sums:
        """Return the sums of a class with q of the terms of this pass."""
        df = first["df"][slice(*self.ranges[0])]
        kept = found | {name: each for name, each in sums.items() if name.endswith("walks")}
        gram = sums["gram"]
        squares = {"q": gram.multiply(gram).sum(axis=1) - df**2}
        if "rounded_walks" in kept:
            gram = gram.astype(np.float64)
            squares["rounded_q"] = gram.multiply(gram).sum(axis=1) - df.astype(np.float64) ** 2
        more = {name: [*found.get(name, []), each] for name, each in squares.items()}
        return kept | more

    def _finish(self) -> Any:
        firsts = (self if self.before is None else self.before).by_class
        classes = self._all_classes()
        first = [firsts[label] for label in classes.tolist()]
        documents = np.array([sums["documents"] for sums in first])
        candidates: list[tuple[int, list[PathCounts]]] = [
            (1, [PathCounts(sums["s"], sums["pairs"]) for sums in first]),
            (0, [PathCounts(sums["df"], sums["documents"]) for sums in first]),
        ]
        if self.model.order == 2:
            found = self._all_found()
            second = [self._second_order(firsts[each], found[each]) for each in classes.tolist()]
            candidates = [(2, second), *candidates]
        return clone(self.model).fit_from_counts(classes, documents, candidates)

    def _second_order(self, first: Sums, found: Sums) -> PathCounts:
        """Count the paths in int64 if they fit, else in float64, as `honeybayes.paths` does."""
        if "rounded_walks" in found:
            rounded = _combine(first, found["rounded_walks"], np.concatenate(found["rounded_q"]))
            if rounded.total + _bound(first) * 2.0**-30 >= EXACT_LIMIT:
                return rounded
        return _combine(first, found["walks"], np.concatenate(found["q"]))


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
        classes = self.before._all_classes()
        if not len(classes):
            raise ValueError("No document has a label. Label at least one document of each class.")
        first = [self.before.by_class[label] for label in classes.tolist()]
        documents = np.array([sums["documents"] for sums in first])
        with_term, same = (np.array([sums[name] for sums in first]) for name in ("df", "same"))
        paths = self.overall["walks"].T - same - self.before.overall["frequency"] * with_term
        return clone(self.model).fit_from_counts(classes, documents, with_term, paths)


def _bound(first: Sums) -> int:
    """Return an upper bound on the paths of a class, as `Incidence.bound`."""
    return int(first["s"].max(initial=0)) * first["pairs"]


def _combine(first: Sums, walks: np.ndarray, q: np.ndarray) -> PathCounts:
    """Return the paths of order 2; see `honeybayes.paths`."""
    df, s, rho = (first[name].astype(walks.dtype) for name in ("df", "s", "rho"))
    end, twice_mid = walks - df * s - q - rho, s * s - q - rho
    if walks.dtype == np.int64:
        mid = twice_mid // 2
        return PathCounts(end + mid, int(mid.sum()))
    mid = np.maximum(twice_mid / 2, 0)
    return PathCounts(np.maximum(end, 0) + mid, float(mid.sum()))
