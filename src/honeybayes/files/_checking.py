"""Go through a model, object by object, and check each by the allow-list."""

from typing import Any

import numpy as np
from scipy import sparse

from honeybayes.files._allowed import OBJECTS
from honeybayes.files._error import ModelFileError
from honeybayes.files._fitted import check_bits, check_sparse


def check_model(model: Any) -> None:
    """Refuse a model that does not hold together.

    Parameters
    ----------
    model : estimator
        Just loaded. Parts of types that are not on the allow-list are taken on trust, but for the
        arrays in them.
    """
    _check(model, "model")


def _check(value: Any, place: str) -> None:
    for inner, part in _parts(value, place):
        _check(part, inner)
    kind = type(value)
    try:
        if isinstance(value, np.ndarray):
            check_bits(value)
        elif sparse.issparse(value):
            check_sparse(value)
        elif check := OBJECTS.get(f"{kind.__module__}.{kind.__name__}"):
            check(value)
    except (AttributeError, TypeError, ValueError) as error:
        raise ModelFileError(f"{place} does not hold together: {error}.") from error


def _parts(value: Any, place: str) -> Any:
    """List what an object holds, each with its place."""
    if isinstance(value, dict):
        return [(f"{place}.{key}", part) for key, part in value.items()]
    if isinstance(value, list | tuple | set):
        return [(f"{place}[{position}]", part) for position, part in enumerate(value)]
    if isinstance(value, np.ndarray):
        return [] if value.dtype != object else _parts(list(value.flat), place)
    if sparse.issparse(value) or isinstance(value, type):
        return []
    return _parts(getattr(value, "__dict__", {}), place)
