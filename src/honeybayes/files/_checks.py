"""Check the objects of a loaded model, and give it its encoder."""

from collections.abc import Collection, Iterator
from typing import Any

import numpy as np

from honeybayes.exceptions import ModelFileError
from honeybayes.files._allowed import SKLEARN_CLASSES, full_name
from honeybayes.files._tree import Place, path_of
from honeybayes.utils.state import (
    EVERY_ESTIMATOR,
    Integer,
    Sizes,
    check_attributes,
    check_state,
)

# The number of terms of a document grows with these parameters, and their length too.
MAX_NGRAM = 50
# Regular expressions that need time in proportion to the text.
_WORDS = (r"\w\w+", r"\w+", r"[a-z]+", r"[a-zA-Z]+", r"[^\W\d]+", r"[^\W\d_]+")
KNOWN_PATTERNS = {
    flag + pattern
    for flag in ("", "(?u)")
    for pattern in (r"\S+", r"[^\s]+", *_WORDS, *(rf"\b{word}\b" for word in _WORDS))
}


def objects_of(value: Any, place: Place | None = None) -> Iterator[tuple[Place | None, Any]]:
    """Yield the objects in a model with their places, inner ones first."""
    parts: Any = ()
    if isinstance(value, dict):
        parts = value.items()
    elif isinstance(value, list | tuple):
        parts = enumerate(value)
    elif isinstance(value, np.ndarray):
        parts = enumerate(value.flat) if value.dtype == object else ()
    elif not isinstance(value, type) and hasattr(value, "__dict__"):
        parts = vars(value).items()
    for key, part in parts:
        if not isinstance(part, str | int | float | None):  # a vocabulary has many
            yield from objects_of(part, (place, key if isinstance(key, int) else str(key)))
    if hasattr(value, "__dict__"):
        yield place, value


def check_objects(model: Any, trusted: Collection[str] = ()) -> None:
    """Raise ModelFileError if an object of a model is not valid.

    Classes that do not declare their state and are not in the table of scikit-learn's classes were
    trusted by the user, and are not checked.
    """
    for place, value in objects_of(model):
        try:
            if hasattr(type(value), "fitted_attributes"):
                check_state(value)
            elif full_name(type(value)) in SKLEARN_CLASSES:
                _check_sklearn_object(value, trusted)
            else:
                continue
            _check_limits(value)
        except ModelFileError:
            raise
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            raise ModelFileError(f"{path_of(place)} is invalid: {error}.") from error


def _check_sklearn_object(estimator: Any, trusted: Collection[str]) -> None:
    """Raise ValueError if an estimator of scikit-learn does not pass the check of its class."""
    attributes, check = vars(estimator), SKLEARN_CLASSES[full_name(type(estimator))]
    pattern = attributes.get("token_pattern")
    if pattern is not None and pattern not in KNOWN_PATTERNS and pattern not in trusted:
        raise ModelFileError(
            f"its token_pattern {pattern!r} is not one of the usual ones, and a regular expression "
            "can take forever. If you know and trust it, pass it as trusted."
        )
    names = {*check.declared, *EVERY_ESTIMATOR}
    for name in attributes.keys() - names - estimator.get_params(deep=False).keys():
        if hasattr(type(estimator), name):
            raise ValueError(f"{name} is not a declared attribute: it would hide a method")
    if hasattr(estimator, "_parameter_constraints"):
        estimator._validate_params()
    if names & attributes.keys():
        check_attributes(attributes, check.declared)
    if check.further is not None:
        check.further(estimator)


def _check_limits(value: Any) -> None:
    """Raise ValueError if a prediction would start processes or make very many terms."""
    attributes = vars(value)
    if attributes.get("n_jobs") is not None:
        raise ValueError(f"n_jobs is {value.n_jobs!r}: a loaded model must not start processes")
    for length in attributes.get("ngram_range", ()):
        Integer(high=MAX_NGRAM).check("the length of its terms", length, Sizes())


def encoded_parts(model: Any) -> list[Any]:
    """Return the parts of a loaded model that need an encoder, which a file does not hold."""
    return [
        part
        for _, part in objects_of(model)
        if hasattr(type(part), "attach_encoder") and part.encoder is not None
    ]


def attach_encoder(needy: list[Any], encoder: Any) -> None:
    """Give an encoder to the parts of a loaded model that need one; refuse another one."""
    if encoder is None and needy:
        raise ModelFileError(
            f"the model needs the encoder {needy[0].encoder!r}, and a file holds no more than its "
            "name. Pass the encoder, or its name if you trust it, with `encoder`."
        )
    if encoder is not None and not needy:
        raise ModelFileError("the model uses no encoder. Leave out `encoder`.")
    for part in needy:
        part.attach_encoder(encoder)
