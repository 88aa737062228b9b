"""Digests of models and documents, to recognize finished cells and the same settings."""

import functools
import hashlib
import types
import uuid
from collections.abc import Mapping, Set
from numbers import Number
from typing import Any

import joblib
import numpy as np
from scipy import sparse
from sklearn import config_context

MOST_SHOWN = 30  # elements of a list in scikit-learn's repr


def digest(*parts: bytes) -> str:
    """Return the first 12 hexadecimal digits of a SHA-256 hash."""
    return hashlib.sha256(b"|".join(parts)).hexdigest()[:12]


def digest_of_documents(documents: Any, y: np.ndarray, *, unseen_terms: str) -> str:
    """Hash documents and labels, and the number of columns if unseen terms are kept."""
    labels = repr(y.tolist()).encode()
    if not sparse.issparse(documents):
        return digest(labels, repr(documents).encode())
    arrays = (documents.indptr, documents.indices, documents.data)
    parts = [labels, *(array.astype(np.float64).tobytes() for array in arrays)]
    n_columns = documents.shape[1]
    if unseen_terms == "keep" and n_columns > documents.indices.max(initial=-1) + 1:
        parts.append(str(n_columns).encode())  # the arrays do not contain the last, empty columns
    return digest(*parts)


def settings_text(model: Any) -> str:
    """Describe the class of a model and its non-default parameters, the same in every process.

    This is the repr of the model. If the repr is incomplete, because of a long list or a
    function, it is a digest of all parameters. The code of classes is not part of it.
    """
    if _repr_is_complete(model):
        with config_context(print_changed_only=True):
            return model.__repr__(N_CHAR_MAX=10**9)
    try:
        content = _content(model)
    except Exception:  # pickling runs code of the parameter, which may raise anything
        content = uuid.uuid4().hex  # equal to no other model, so the cell is run again
    return f"{type(model).__name__} {digest(content.encode())}"


def _repr_is_complete(value: Any) -> bool:
    if hasattr(value, "get_params") and not isinstance(value, type):
        return all(_repr_is_complete(own) for own in value.get_params(deep=False).values())
    if isinstance(value, Mapping):
        value = list(value.items())
    if isinstance(value, list | tuple):
        return len(value) <= MOST_SHOWN and all(_repr_is_complete(own) for own in value)
    return value is None or isinstance(value, str | Number | type | np.ufunc)


def _content(value: Any) -> str:
    """Write a value in full, the same in every process: joblib knows functions only by name."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_content, value))}]"
    if isinstance(value, Set):
        return f"{{{', '.join(sorted(map(_content, value)))}}}"
    if isinstance(value, Mapping):
        return _content({(name, _content(own)) for name, own in value.items()})
    if hasattr(value, "get_params") and not isinstance(value, type):
        return f"{joblib.hash(type(value))}({_content(value.get_params(deep=False))})"
    if isinstance(value, functools.partial):
        return f"partial({_content((value.func, value.args, value.keywords))})"
    if isinstance(value, types.FunctionType):
        cells = [cell.cell_contents for cell in value.__closure__ or ()]
        parts = (value.__defaults__, value.__kwdefaults__, cells)
        return f"{value.__module__}.{value.__qualname__}({_content((value.__code__, *parts))})"
    if isinstance(value, types.CodeType):
        return _content((value.co_code.hex(), value.co_names, value.co_consts))
    return joblib.hash(value)
