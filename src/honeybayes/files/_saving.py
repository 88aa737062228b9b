"""Save a model file."""

import io
import json
import os
import sys
from typing import Any, BinaryIO
from zipfile import ZIP_STORED, ZipFile

from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from honeybayes.exceptions import ModelFileError
from honeybayes.files._archive import SCHEMA, without_compression, write_about
from honeybayes.files._loading import read_model
from honeybayes.files._objects import compact
from honeybayes.files._schema import (
    CAN_BE_TRUSTED,
    Node,
    array_form,
    is_allowed,
    type_name,
    walk,
)
from honeybayes.utils.writing import atomic_write


def save_model(model: Any, path: str | os.PathLike[str]) -> None:
    """Save a fitted model to a file that is safe to open.

    The write is atomic: if saving is interrupted, an existing file with the same name is not
    changed.

    Parameters
    ----------
    model : estimator
        A fitted estimator of honeybayes or scikit-learn, or a pipeline of them. It may contain your
        own functions and classes if they are defined at the top level of a module. To load the
        file, pass their names as ``trusted``.
    path : str or path-like
        The file, usually with the extension ``.hb``. An existing file is replaced.

    Raises
    ------
    ModelFileError
        If the model contains an object that cannot be saved, such as a lambda.

    See Also
    --------
    load_model : Load a saved model.

    Notes
    -----
    An encoder is not saved, only its name and its vectors of a few fixed texts: pass the encoder to
    `load_model`.

    Metadata requests, such as ``set_fit_request(sample_weight=True)``, are not saved: set them
    again before a loaded model is fitted again.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from honeybayes import HigherOrderNB
    >>> from honeybayes.files import load_model, save_model
    >>> model = HigherOrderNB().fit([[1, 1, 0], [0, 1, 1], [1, 0, 1], [1, 1, 1]], [0, 0, 1, 1])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_model(model, Path(folder, "small.hb"))
    ...     load_model(Path(folder, "small.hb"))
    HigherOrderNB()
    """
    if not isinstance(model, BaseEstimator):
        raise TypeError(f"model must be an estimator, got {type(model).__name__}.")
    check_is_fitted(model)
    with atomic_write(path) as file:
        try:
            types = _pack(model, file)
            read_model(file, trusted=types)
        except OSError:  # the disk failed, not the model
            raise
        except Exception as error:  # skops raises many kinds
            raise ModelFileError(f"Cannot save this {type(model).__name__}: {error}") from error


def _pack(model: Any, file: BinaryIO) -> set[str]:
    """Write the model without compression, one member per array; return its types."""
    import skops.io  # slow, because it imports all of scikit-learn

    types = set()
    made_by_skops = io.BytesIO(skops.io.dumps(compact(model)))
    with ZipFile(made_by_skops) as source, ZipFile(file, "w", ZIP_STORED) as target:
        schema = json.loads(source.read(SCHEMA))
        for number, (path, node) in enumerate(walk(schema)):
            _check_importable(path, node)
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


def _check_importable(path: str, node: Node) -> None:
    name = type_name(node)
    if is_allowed(node):
        return
    if node["__loader__"] not in CAN_BE_TRUSTED or node["__module__"] == "builtins":
        raise ModelFileError(f"{path} is a {name}, which a model file cannot hold.")
    if not hasattr(sys.modules.get(node["__module__"]), node["__class__"]):
        raise ModelFileError(
            f"{path} is {name}, which cannot be imported. Define the function or class at the "
            "top level of a module."
        )
