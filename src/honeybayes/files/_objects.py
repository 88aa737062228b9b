"""Prepare the objects of a model for saving, and check them after loading.

An attribute that its class declares as `Strings` is an array of Python objects, which skops would
write as one node per string. In a file it is one string with a JSON list.
"""

import copy
import json
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator

from honeybayes.exceptions import ModelFileError
from honeybayes.files._sklearn_classes import SKLEARN_CLASSES, check_sklearn_object
from honeybayes.utils.state import (
    Sizes,
    Strings,
    check_sparse_format,
    check_state,
    declares_state,
    string_attributes,
)

METADATA_REQUEST = "_metadata_request"  # left by set_fit_request and the like


def full_name(kind: Any) -> str:
    """Return module and name of a class or function."""
    return f"{kind.__module__}.{kind.__name__}"


def compact(value: Any) -> Any:
    """Return a model with strings and vocabularies in the form that is saved.

    Only the estimators that change are copied. Numpy integers in a vocabulary, which
    ``CountVectorizer(max_features=...)`` creates, become Python integers, because skops would write
    each numpy integer to a separate member. Metadata requests are left out, because they are used
    only by ``fit``. Of an encoder, only the name is saved.
    """
    if type(value) is dict and any(isinstance(each, np.integer) for each in value.values()):
        return {
            key: int(each) if isinstance(each, np.integer) else each for key, each in value.items()
        }
    if type(value) in (list, tuple):
        parts = [compact(part) for part in value]
        changed = any(part is not old for part, old in zip(parts, value, strict=True))
        return type(value)(parts) if changed else value
    if isinstance(value, BaseEstimator):
        kept = value.attributes_to_save() if _may_need_encoder(value) else vars(value)
        kept = {name: part for name, part in kept.items() if name != METADATA_REQUEST}
        attributes = {name: compact(part) for name, part in kept.items()}
        for name in string_attributes(type(value)):
            if attributes.get(name) is not None:
                attributes[name] = _encode(name, attributes[name])
        old = vars(value)
        if any(part is not attributes.get(name, old) for name, part in old.items()):
            value = copy.copy(value)
            vars(value).clear()
            vars(value).update(attributes)
    return value


def restore_and_check(value: Any, path: str = "model") -> None:
    """Decode strings in place, and raise ModelFileError if an object is not valid.

    Classes that do not declare their state and are not in the table of scikit-learn's classes were
    trusted by the user. Only the arrays in their objects are checked.
    """
    try:
        for name in string_attributes(type(value)):
            if isinstance(vars(value).get(name), str):
                vars(value)[name] = _decode(name, vars(value)[name])
        for inner, part in _parts(value, path):
            restore_and_check(part, inner)
        if isinstance(value, np.ndarray):
            _check_bits(value)
        elif sparse.issparse(value):
            check_sparse_format(value)
        elif declares_state(type(value)):
            check_state(value)
        elif check := SKLEARN_CLASSES.get(full_name(type(value))):
            check_sklearn_object(value, check)
    except ModelFileError:
        raise
    except (AttributeError, TypeError, ValueError) as error:
        raise ModelFileError(f"{path} is invalid: {error}.") from error


def attach_encoder(model: Any, encoder: Any) -> None:
    """Give an encoder to the parts of a loaded model that need one; refuse another one."""
    needy = list(_find_needy(model))
    if encoder is None and needy:
        name = needy[0].encoder
        raise ModelFileError(
            f"the model needs the encoder {name!r}, and a file holds no more than its name. Pass "
            "the encoder, or its name if you trust it, with encoder=."
        )
    if encoder is not None and not needy:
        raise ModelFileError("the model uses no encoder. Leave out encoder=.")
    for part in needy:
        part.attach_encoder(encoder)


def _may_need_encoder(value: Any) -> bool:
    return hasattr(type(value), "attach_encoder")


def _find_needy(value: Any) -> Iterator[Any]:
    if isinstance(value, BaseEstimator | list | tuple | dict):
        for _, part in _parts(value, ""):
            yield from _find_needy(part)
    if _may_need_encoder(value) and value.encoder is not None:
        yield value


def _parts(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Yield the parts of an object, each with its name in the model."""
    if isinstance(value, np.ndarray) and value.dtype == object:
        value = [each for each in value.flat if type(each) is not str]
    if isinstance(value, list | tuple | set):
        for position, part in enumerate(value):
            yield f"{path}[{position}]", part
    elif not (isinstance(value, np.ndarray | type) or sparse.issparse(value)):
        parts = value if isinstance(value, dict) else getattr(value, "__dict__", {})
        for key, part in parts.items():
            yield f"{path}.{key}", part


def _encode(name: str, strings: Any) -> str:
    try:
        Strings().check(strings, Sizes())
    except ValueError as error:
        raise ModelFileError(f"{name} {error}.") from error
    return json.dumps(strings.tolist(), ensure_ascii=False)


def _decode(name: str, text: str) -> np.ndarray:
    strings = json.loads(text)
    if type(strings) is not list or not set(map(type, strings)) <= {str}:
        raise ValueError(f"{name} is not a list of strings")
    array = np.empty(len(strings), dtype=object)
    array[:] = strings
    return array


def _check_bits(array: np.ndarray) -> None:
    """Raise ValueError for bits that numpy does not check: invalid booleans and characters."""
    if array.dtype.kind == "b" and array.view(np.uint8).max(initial=0) > 1:
        raise ValueError("a boolean array contains bytes that are not 0 or 1")
    if array.dtype.kind == "U":
        array.tolist()  # raises if a code is not a character
