"""What a fitted estimator must hold, as plain data.

A shape is written in names of sizes, as ``("classes", "features")``. The same name stands for the
same size throughout one estimator: ``features`` is its ``n_features_in_``, ``classes`` the length
of ``classes_``, and any other is as large as the first array says that has it.
"""

from dataclasses import dataclass
from itertools import pairwise
from numbers import Integral
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

Shape = tuple[str | int, ...]


class Sizes(dict[str, int]):
    """Sizes known so far, by name."""

    def match(self, shape: tuple[int, ...], wanted: Shape) -> None:
        """Refuse a shape other than the wanted one; learn the sizes that were not known."""
        if len(shape) == len(wanted):
            for size, name in zip(shape, wanted, strict=True):
                if isinstance(name, str):
                    self.setdefault(name, size)
        expected = tuple(self.get(name, name) if isinstance(name, str) else name for name in wanted)
        if shape != expected:
            raise ValueError(f"has shape {shape} instead of {expected} {wanted}")


@dataclass(frozen=True)
class Numbers:
    """An array of numbers.

    Parameters
    ----------
    shape : tuple
    types : tuple of str
    above : float or None
        Every number must be greater, and finite; None lets -inf through, but not NaN.
    optional : bool
        It may be None, or not be there.
    or_number : bool
        It may be one number in place of an array.
    or_nan : bool
        Any number will do, NaN and infinity included.
    """

    shape: Shape
    types: tuple[str, ...] = ("float64",)
    above: float | None = -np.inf
    optional: bool = False
    or_number: bool = False
    or_nan: bool = False

    def check(self, value: Any, sizes: Sizes) -> None:
        """Raise ValueError if the value is not such an array."""
        if self.or_number and type(value) is float and np.isfinite(value):
            return
        if type(value) is not np.ndarray or value.dtype.name not in self.types:
            found = value.dtype if isinstance(value, np.ndarray) else type(value).__name__
            raise ValueError(f"is {found} instead of an array of {' or '.join(self.types)}")
        sizes.match(value.shape, self.shape)
        if self.or_nan:
            return
        enough = ~np.isnan(value) if self.above is None else value > self.above
        if not (enough & (value < np.inf)).all():
            raise ValueError("holds NaN, infinity or a number that is too small")


@dataclass(frozen=True)
class Positions:
    """An array of numbers from ``lowest`` up to, but without, the size that ``below`` names."""

    shape: Shape
    below: str
    lowest: int = 0
    optional: bool = False

    def check(self, value: Any, sizes: Sizes) -> None:
        """Raise ValueError if the value is not such an array."""
        Numbers(self.shape, ("int64", "int32"), above=self.lowest - 1).check(value, sizes)
        if value.max(initial=0) >= sizes[self.below]:
            raise ValueError(f"holds {value.max()}, but there are only {sizes[self.below]}")


@dataclass(frozen=True)
class SparseColumns:
    """Counts by column (CSC), sorted, without duplicates, not negative."""

    shape: Shape
    optional: bool = False

    def check(self, value: Any, sizes: Sizes) -> None:
        """Raise ValueError if the value is not such a matrix."""
        if type(value) not in (sparse.csc_array, sparse.csc_matrix):  # scipy 1.11 knows no arrays
            raise ValueError(f"is {type(value).__name__} instead of csc_array")
        check_sparse(value)
        sizes.match(value.shape, self.shape)
        Numbers(("entries",), above=0).check(value.data, Sizes())
        if not value.has_canonical_format:
            raise ValueError("has entries out of order, or twice")


@dataclass(frozen=True)
class Whole:
    """One whole number, zero or more."""

    optional: bool = False

    def check(self, value: Any, sizes: Sizes) -> None:
        """Raise ValueError if the value is not such a number."""
        if not isinstance(value, Integral) or isinstance(value, bool) or value < 0:
            raise ValueError(f"is {value!r} instead of a whole number")


@dataclass(frozen=True)
class Positive:
    """One finite number above zero."""

    optional: bool = False

    def check(self, value: Any, sizes: Sizes) -> None:
        """Raise ValueError if the value is not such a number."""
        if type(value) is not float or not 0 < value < np.inf:
            raise ValueError(f"is {value!r} instead of a number above zero")


@dataclass(frozen=True)
class Told:
    """Strings and numbers by name, for people to read."""

    optional: bool = False

    def check(self, value: Any, sizes: Sizes) -> None:
        """Raise ValueError if there is anything else in it."""
        if type(value) is not dict or not all(isinstance(name, str) for name in value):
            raise ValueError(f"is {type(value).__name__} instead of a dict of names")
        for inner in value.values():
            if type(inner) is dict:
                self.check(inner, sizes)
            elif type(inner) not in (str, float):
                raise ValueError(f"holds {type(inner).__name__}")


@dataclass(frozen=True)
class Words:
    """Words with blanks between them, in one string."""

    optional: bool = False

    def check(self, value: Any, sizes: Sizes) -> None:
        """Raise ValueError if the value is no string."""
        if type(value) is not str:
            raise ValueError(f"is {type(value).__name__} instead of words")


@dataclass(frozen=True)
class OneOf:
    """One of some words."""

    words: tuple[str, ...]
    optional: bool = False

    def check(self, value: Any, sizes: Sizes) -> None:
        """Raise ValueError if the value is none of them."""
        if value not in self.words:
            raise ValueError(f"is {value!r} instead of one of {self.words}")


@dataclass(frozen=True)
class Part:
    """Another estimator, fitted, that can do what ``method`` says. It has a check of its own."""

    method: str
    optional: bool = False

    def check(self, value: Any, sizes: Sizes) -> None:
        """Raise ValueError if the value is no such estimator."""
        if not isinstance(value, BaseEstimator) or not hasattr(value, self.method):
            raise ValueError(f"is {type(value).__name__}, which cannot {self.method}")
        check_is_fitted(value)


Fitted = Numbers | Positions | SparseColumns | Whole | Positive | Told | Words | OneOf | Part


def check_bits(array: np.ndarray) -> None:
    """Refuse bit patterns that numpy takes on trust: neither true nor false, or no characters."""
    if array.dtype.kind == "b" and array.view(np.uint8).max(initial=0) > 1:
        raise ValueError("holds what is neither true nor false")
    if array.dtype.kind == "U":
        array.tolist()  # raises if a code is no character


def check_sparse(matrix: Any) -> None:
    """Refuse indices that point outside, which compiled code would follow."""
    if matrix.format not in ("csr", "csc") or matrix.ndim != 2:
        raise ValueError(f"is a sparse matrix of format {matrix.format}")
    matrix.check_format(full_check=True)


def check_labels(labels: Any) -> None:
    """Refuse classes that are not sorted, distinct and of one kind."""
    if type(labels) is not np.ndarray or labels.ndim != 1 or len(labels) == 0:
        raise ValueError("classes_ is no list of labels")
    values = labels.tolist()
    if not all(isinstance(value, str | int | float) for value in values):
        raise ValueError("classes_ holds what is no label")
    if not all(low < high for low, high in pairwise(values)):
        raise ValueError("classes_ is not sorted, or holds a label twice")
