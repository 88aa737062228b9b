"""Check the objects of a loaded model, and give it its encoder."""

from collections.abc import Collection, Iterator
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator

from honeybayes.exceptions import ModelFileError
from honeybayes.files._nodes import full_name
from honeybayes.files._sklearn_classes import SKLEARN_CLASSES, check_pattern, check_sklearn_object
from honeybayes.utils.state import check_sparse_format, check_state, declares_state

# The number of terms of a document grows with these parameters, and their length too.
MAX_NGRAM = 50


def check_objects(value: Any, trusted: Collection[str] = (), path: str = "model") -> None:
    """Raise ModelFileError if an object of a model is not valid.

    Classes that do not declare their state and are not in the table of scikit-learn's classes were
    trusted by the user. Only the arrays in their objects are checked.
    """
    try:
        for inner, part in parts_of(value, path):
            check_objects(part, trusted, inner)
        if isinstance(value, np.ndarray):
            _check_bits(value)
        elif sparse.issparse(value):
            check_sparse_format(value)
        elif declares_state(type(value)):
            check_state(value)
            _check_ngrams(value)
        elif check := SKLEARN_CLASSES.get(full_name(type(value))):
            check_pattern(value, trusted)
            check_sklearn_object(value, check)
            _check_ngrams(value)
    except ModelFileError:
        raise
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise ModelFileError(f"{path} is invalid: {error}.") from error


def estimators_of(value: Any) -> Iterator[Any]:
    """Yield the estimators in a model, inner ones first."""
    if isinstance(value, BaseEstimator | list | tuple | dict):
        for _, part in parts_of(value, ""):
            yield from estimators_of(part)
    if isinstance(value, BaseEstimator):
        yield value


def needs_encoder(model: Any) -> list[Any]:
    """Return the parts of a model that have an encoder, which a file does not hold."""
    return [
        part
        for part in estimators_of(model)
        if hasattr(type(part), "attach_encoder") and part.encoder is not None
    ]


def attach_encoder(model: Any, encoder: Any) -> None:
    """Give an encoder to the parts of a loaded model that need one; refuse another one."""
    needy = needs_encoder(model)
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


def parts_of(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Yield the parts of an object, each with its name in the model."""
    if isinstance(value, np.ndarray) and value.dtype == object:
        value = [each for each in value.flat if type(each) is not str]
    if isinstance(value, list | tuple | set):
        for position, part in enumerate(value):
            yield f"{path}[{position}]", part
    elif not (isinstance(value, np.ndarray | type) or sparse.issparse(value)):
        parts = value if isinstance(value, dict) else getattr(value, "__dict__", {})
        for key, part in parts.items():
            if type(part) not in (str, int):  # a vocabulary has many
                yield f"{path}.{key}", part


def _check_ngrams(value: Any) -> None:
    lengths = [vars(value).get("opening", 0), *vars(value).get("ngram_range", ())]
    for length in lengths:
        if not isinstance(length, str) and length > MAX_NGRAM:
            raise ValueError(
                f"its terms have up to {length} words, at most {MAX_NGRAM} are allowed"
            )


def _check_bits(array: np.ndarray) -> None:
    """Raise ValueError for bits that numpy does not check: invalid booleans and characters."""
    if array.dtype.kind == "b" and array.view(np.uint8).max(initial=0) > 1:
        raise ValueError("a boolean array contains bytes that are not 0 or 1")
    if array.dtype.kind == "U":
        array.tolist()  # raises if a code is not a character
