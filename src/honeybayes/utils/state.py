"""Declarations of the attributes that ``fit`` sets on an estimator.

An estimator class declares its fitted attributes in a class attribute, next to ``fit``:

    fitted_attributes = State(
        feature_count_=Array(("classes", "features"), low=0),
        order_=Integer(),
    )

A subclass declares only its additional attributes. The attributes that scikit-learn knows,
``classes_``, ``n_features_in_`` and ``feature_names_in_``, need no declaration. Conditions between
several attributes are checked in a method ``_check_state(self)``, and parameters in
``_check_parameters(self)``. A dataclass that an estimator uses as a parameter declares
``fitted_attributes = State()``, and is checked by building it again.

A shape is a tuple of names of sizes. A name has the same size everywhere in an estimator:
"features" is ``n_features_in_``, "classes" is ``len(classes_)``, "margins" is 1 for two classes and
otherwise the number of classes, "pairs" is the number of pairs of classes. The size of any other
name is taken from the first array that uses it.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, fields, replace
from itertools import pairwise
from numbers import Integral, Real
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

INTEGERS, FLOATS, NUMBERS = ("int64", "int32"), ("float64", "float32"), ("float64", "int64")
Shape = tuple[str | int, ...]
OF_THE_ESTIMATOR = ("features", "classes", "margins", "pairs")  # sizes that no array decides
MAX_COLUMNS = 2**26  # a file could claim more, and a prediction would allocate them


class Sizes(dict[str, int]):
    """Sizes found so far, by name."""

    def match(self, shape: tuple[int, ...], declared: Shape) -> None:
        """Raise ValueError if a shape is not as declared; store the sizes of new names."""
        for size, name in zip(shape, declared, strict=False):
            if isinstance(name, str) and name not in OF_THE_ESTIMATOR:
                self.setdefault(name, size)
        expected = tuple(self.get(str(each), each) for each in declared)
        if shape != expected:
            raise ValueError(f"has shape {shape}, expected {expected} {declared}")


@dataclass(frozen=True)
class Kind(ABC):
    """Base of all declared kinds. ``optional`` allows None, or an attribute that is not set."""

    optional: bool = field(default=False, kw_only=True)

    def check(self, name: str, value: Any, sizes: Sizes) -> None:
        """Raise ValueError, with the name of the attribute, if its value is not as declared."""
        try:
            self._check(value, sizes)
        except ValueError as error:
            raise ValueError(f"{name} {error}") from error

    @abstractmethod
    def _check(self, value: Any, sizes: Sizes) -> None:
        """Raise ValueError if the value is wrong; the message follows the attribute's name."""


@dataclass(frozen=True)
class Array(Kind):
    """A dense array of one of the types ``dtype``, or one number if ``or_number``.

    Every number is at least ``low`` and greater than ``above``. ``allow`` is "finite", "-inf" (also
    minus infinity) or "nan" (every number). The product of three finite numbers must be finite.
    """

    shape: Shape
    dtype: tuple[str, ...] = ("float64",)
    low: float = -np.inf
    above: float = -np.inf
    allow: str = "finite"
    or_number: bool = False

    def _check(self, value: Any, sizes: Sizes) -> None:
        if self.or_number and isinstance(value, Real):
            Number(self.low, self.above)._check(value, sizes)
            return
        if type(value) is not np.ndarray or value.dtype.name not in self.dtype:
            found = value.dtype if isinstance(value, np.ndarray) else type(value).__name__
            raise ValueError(f"is {found}, expected an array of {' or '.join(self.dtype)}")
        sizes.match(value.shape, self.shape)
        if self.allow == "nan" or not value.size:
            return
        smallest, largest = value.min(), value.max()
        if np.isnan(smallest) or np.isposinf(largest):
            raise ValueError("contains NaN or infinity")
        if np.isneginf(smallest):
            if self.allow == "finite":
                raise ValueError("contains minus infinity")
            finite = value[value > -np.inf]
            smallest, largest = finite.min(initial=0), finite.max(initial=0)
        verb = "contains" if value.ndim else "is"
        for is_wrong, bound in (
            (smallest < self.low, f"at least {self.low:g}"),
            (smallest <= self.above, f"more than {self.above:g}"),
        ):
            if is_wrong:
                raise ValueError(f"{verb} {smallest}, which is too small: {bound} is required")
        if smallest.dtype.kind == "f":
            extreme, most = max(smallest, largest, key=abs), np.cbrt(np.finfo(smallest.dtype).max)
            if abs(extreme) > most:
                large = f"{extreme}, which is too large: at most {most:.3g} is allowed"
                raise ValueError(f"{verb} {large}")


@dataclass(frozen=True)
class Indices(Kind):
    """An array of integers from ``low`` to s - 1, where s is the size with the name ``below``."""

    shape: Shape
    below: str
    low: int = 0

    def _check(self, value: Any, sizes: Sizes) -> None:
        Array(self.shape, dtype=INTEGERS, low=self.low)._check(value, sizes)
        if self.below not in sizes:
            raise ValueError(
                f"must be declared after an array whose shape contains the name {self.below!r}"
            )
        if value.max(initial=0) >= sizes[self.below]:
            raise ValueError(f"contains {value.max()}, but must be below {sizes[self.below]}")


@dataclass(frozen=True)
class SparseCounts(Kind):
    """A sparse matrix of float64 greater than ``above``, sorted, without duplicates.

    ``format`` is "csc" or "csr".
    """

    shape: Shape
    format: str = "csc"
    above: float = 0

    def _check(self, value: Any, sizes: Sizes) -> None:
        if not sparse.issparse(value) or value.format != self.format:
            raise ValueError(f"is {type(value).__name__}, expected a {self.format} matrix")
        check_sparse_format(value)
        sizes.match(value.shape, self.shape)
        Array(("entries",), above=self.above)._check(value.data, Sizes())
        if not value.has_canonical_format:
            raise ValueError("has unsorted or duplicate entries")


@dataclass(frozen=True)
class Integer(Kind):
    """One integer from ``low`` to ``high``."""

    low: int = 0
    high: int = 2**63 - 1

    def _check(self, value: Any, sizes: Sizes) -> None:
        if not isinstance(value, Integral) or isinstance(value, bool) or value < self.low:
            raise ValueError(f"is {value!r}, expected an integer of at least {self.low}")
        if self.high < int(value):
            raise ValueError(f"is {value!r}, which is too large: at most {self.high} is allowed")


@dataclass(frozen=True)
class Number(Kind):
    """One finite number greater than ``above`` and at least ``low``."""

    low: float = -np.inf
    above: float = -np.inf

    def _check(self, value: Any, sizes: Sizes) -> None:
        if isinstance(value, np.ndarray) and value.ndim == 0:
            value = value.item()
        if isinstance(value, bool) or not isinstance(value, Real) or not np.isfinite(float(value)):
            raise ValueError(f"is {value!r}, expected a finite number")
        Array((), low=self.low, above=self.above)._check(np.asarray(float(value)), sizes)


@dataclass(frozen=True)
class OneOf(Kind):
    """One of some strings, or True or False if nothing else is named."""

    options: tuple[str, ...] | tuple[bool, bool] = (True, False)

    def _check(self, value: Any, sizes: Sizes) -> None:
        if not isinstance(value, str | bool | np.bool_) or value not in self.options:
            raise ValueError(f"is {value!r}, expected one of {self.options}")


Bool = OneOf


@dataclass(frozen=True)
class Strings(Kind):
    """A one-dimensional object array of strings, one per element of the size ``per``."""

    per: str = "features"

    def _check(self, value: Any, sizes: Sizes) -> None:
        if type(value) is not np.ndarray or value.dtype != object or value.ndim != 1:
            raise ValueError(f"is {type(value).__name__}, expected an object array of strings")
        sizes.match(value.shape, (self.per,))
        if not set(map(type, value)) <= {str}:
            raise ValueError("contains a value that is not a string")


@dataclass(frozen=True)
class Record(Kind):
    """A dict from strings to strings, finite numbers, None, or dicts of the same."""

    def _check(self, value: Any, sizes: Sizes) -> None:
        if type(value) is not dict or not all(type(name) is str for name in value):
            raise ValueError(f"is {type(value).__name__}, expected a dict with strings as keys")
        for part in value.values():
            if type(part) is dict:
                self._check(part, sizes)
            elif part is not None and type(part) not in (str, int, float, bool):
                raise ValueError(f"contains {type(part).__name__}, which is not allowed")


@dataclass(frozen=True)
class Fitted(Kind):
    """Another fitted estimator that has the method ``method``. Its own state is also checked."""

    method: str = "predict"

    def _check(self, value: Any, sizes: Sizes) -> None:
        if not isinstance(value, BaseEstimator) or not hasattr(value, self.method):
            raise ValueError(f"is {type(value).__name__}, which has no method {self.method}")
        check_is_fitted(value)


@dataclass(frozen=True)
class Instance(Kind):
    """An object of one dataclass, whose constructor checks the fields."""

    cls: type

    def _check(self, value: Any, sizes: Sizes) -> None:
        if type(value) is not self.cls:
            raise ValueError(f"is {type(value).__name__}, expected {self.cls.__name__}")
        checked: Any = value
        replace(checked)


@dataclass(frozen=True)
class Labels(Kind):
    """A sorted array of distinct labels, such as ``classes_``."""

    def _check(self, value: Any, sizes: Sizes) -> None:
        if type(value) is not np.ndarray or value.ndim != 1 or len(value) == 0:
            raise ValueError("is not an array of labels")
        labels = value.tolist()
        if not all(isinstance(label, str | int | float) for label in labels):
            raise ValueError("contains a value that is not a label")
        if not all(low < high for low, high in pairwise(labels)):
            raise ValueError("is not sorted, or contains a label twice")


class State(dict[str, Kind]):
    """The fitted attributes that a class declares, by name."""


EVERY_ESTIMATOR = State(
    classes_=Labels(optional=True),
    n_features_in_=Integer(high=MAX_COLUMNS, optional=True),
    feature_names_in_=Strings(optional=True),
)
# set by set_output, not by fit
CONFIGURATION = State(_sklearn_output_config=Record(optional=True))


def declared_attributes(cls: type) -> State:
    """Merge the ``fitted_attributes`` of a class and its bases; the class itself comes last."""
    merged = State()
    for base in reversed(cls.__mro__):
        merged.update(vars(base).get("fitted_attributes", {}))
    return merged


def check_state(estimator: Any) -> None:
    """Raise ValueError if an estimator or dataclass is not as its class declares."""
    attributes, cls = vars(estimator), type(estimator)
    is_record = not isinstance(estimator, BaseEstimator)
    names = (each.name for each in fields(cls)) if is_record else estimator.get_params(deep=False)
    parameters = set(names)
    declared = declared_attributes(cls)
    fitted = {*declared, *EVERY_ESTIMATOR}
    unknown = attributes.keys() - parameters - fitted - CONFIGURATION.keys()
    if unknown:
        what = f"is not a declared attribute of {cls.__name__}"
        raise ValueError(f"{min(unknown)} {what}: add it to fitted_attributes")
    if missing := parameters - attributes.keys():
        raise ValueError(f"the parameter {min(missing)} is missing")
    if is_record:
        cls(**attributes)
    if hasattr(estimator, "_check_parameters"):
        estimator._check_parameters()
    if fitted & attributes.keys():  # not so for a template inside a model
        check_attributes(attributes, declared)
        if hasattr(estimator, "_check_state"):
            estimator._check_state()


def check_attributes(attributes: dict[str, Any], declared: State) -> None:
    """Raise ValueError if attributes, by name, are not of the declared kinds."""
    sizes = Sizes()
    for name, kind in {**EVERY_ESTIMATOR, **CONFIGURATION, **declared}.items():
        value: Any = attributes.get(name)
        if value is None and kind.optional:
            continue
        kind.check(name, value, sizes)
        if name == "n_features_in_":
            sizes["features"] = int(value)
        elif name == "classes_":
            n = len(value)
            sizes.update(classes=n, pairs=n * (n - 1) // 2, margins=1 if n == 2 else n)


def check_inner(estimator: Any, name: str, width: int) -> None:
    """Raise ValueError if an inner model has other classes or another number of columns."""
    inner = getattr(estimator, name)
    if not np.array_equal(estimator.classes_, inner.classes_):
        raise ValueError(f"classes_ and the classes of {name} are different")
    if inner.n_features_in_ != width:
        raise ValueError(f"{name} expects a different number of features: not {width}")


def check_sparse_format(matrix: Any) -> None:
    """Raise ValueError if indices point outside the matrix, which compiled code would follow."""
    if matrix.format not in ("csr", "csc") or matrix.ndim != 2:
        raise ValueError(f"is a sparse matrix of format {matrix.format}, expected csr or csc")
    matrix.check_format(full_check=True)
