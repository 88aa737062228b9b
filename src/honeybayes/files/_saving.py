"""Write a model file, all of it or nothing."""

import copy
import io
import json
import os
import sys
from typing import Any, BinaryIO
from zipfile import ZIP_STORED, ZipFile

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from honeybayes.files._allowed import ALLOWED
from honeybayes.files._archive import SCHEMA, without_compression, write_about
from honeybayes.files._error import ModelFileError
from honeybayes.files._loading import read_model
from honeybayes.files._schema import NAMED_BY_USER, Node, array_form, type_name, walk
from honeybayes.utils.writing import atomic_write


def save_model(model: Any, path: str | os.PathLike[str]) -> None:
    """Save a fitted model to a file that is safe to open.

    The file is complete or it is not there: it is written beside its place and renamed, so that
    whatever interrupts the saving leaves an older file of that name as it was.

    Parameters
    ----------
    model : estimator
        A fitted estimator of honeybayes or scikit-learn, or a pipeline of them. It may hold
        functions and classes of your own, if they stand at the top level of a module; whoever
        loads the file then has to name them as trusted.
    path : str or path
        The file; ``.honey`` is a good ending. An existing file is replaced.

    Raises
    ------
    ModelFileError
        If the model holds what cannot be kept in a file, such as a lambda.

    See Also
    --------
    load_model : The way back.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from honeybayes import HigherOrderNB
    >>> from honeybayes.files import load_model, save_model
    >>> model = HigherOrderNB().fit([[1, 1, 0], [0, 1, 1], [1, 0, 1], [1, 1, 1]], [0, 0, 1, 1])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_model(model, Path(folder, "small.honey"))
    ...     load_model(Path(folder, "small.honey"))
    HigherOrderNB()
    """
    if not isinstance(model, BaseEstimator):
        raise TypeError(f"Only an estimator can be saved as a model; got {type(model).__name__}.")
    check_is_fitted(model)
    with atomic_write(path) as file:
        try:
            types = _pack(model, file)
            read_model(file, trusted=types)
        except OSError:  # of the disk, not of the model
            raise
        except Exception as error:  # whatever a foreign object in the model makes skops raise
            raise ModelFileError(f"Cannot save this {type(model).__name__}: {error}") from error


def _pack(model: Any, file: BinaryIO) -> set[str]:
    """Write what skops makes of a model, each array on its own and nothing compressed.

    Returns
    -------
    set of str
        Names of the types in the model.
    """
    import skops.io  # takes long, for it imports all of scikit-learn

    types = set()
    made_by_skops = io.BytesIO(skops.io.dumps(_with_plain_integers(model)))
    with ZipFile(made_by_skops) as source, ZipFile(file, "w", ZIP_STORED) as target:
        schema = json.loads(source.read(SCHEMA))
        for number, (place, node) in enumerate(walk(schema)):
            _check_importable(place, node)
            types.add(type_name(node))
            node.pop("__id__", None)
            form = array_form(node)
            if form:
                content = source.read(node["file"])
                node["file"] = f"{number}.{'npz' if form == 'sparse' else 'npy'}"
                target.writestr(
                    node["file"], without_compression(content) if form == "sparse" else content
                )
        target.writestr(SCHEMA, json.dumps(schema))
        write_about(target)
    return types


def _with_plain_integers(value: Any) -> Any:
    """Copy what holds a vocabulary of numpy's integers, with Python's in their place.

    ``CountVectorizer(max_features=...)`` leaves such a one, and skops would write each number to a
    member of its own, in quadratic time. Nothing else is copied.
    """
    if type(value) is dict and any(isinstance(number, np.integer) for number in value.values()):
        return {
            word: int(number) if isinstance(number, np.integer) else number
            for word, number in value.items()
        }
    if type(value) in (list, tuple):
        parts = [_with_plain_integers(part) for part in value]
        changed = any(part is not old for part, old in zip(parts, value, strict=True))
        return type(value)(parts) if changed else value
    if isinstance(value, BaseEstimator):
        attributes = {name: _with_plain_integers(part) for name, part in vars(value).items()}
        if any(part is not vars(value)[name] for name, part in attributes.items()):
            value = copy.copy(value)
            vars(value).update(attributes)
    return value


def _check_importable(place: str, node: Node) -> None:
    loader, name = node["__loader__"], type_name(node)
    if name in ALLOWED.get(loader, ()):
        return
    if loader not in NAMED_BY_USER or node["__module__"] == "builtins":
        raise ModelFileError(f"{place} is a {name}, which a model file cannot hold.")
    if not hasattr(sys.modules.get(node["__module__"]), node["__class__"]):
        raise ModelFileError(
            f"{place} is {name}, which cannot be imported. Use a function or a class that stands "
            "at the top level of a module."
        )
