"""Save a model file."""

import json
import os
from typing import Any, BinaryIO
from zipfile import ZIP_STORED, ZipFile

from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from honeybayes.exceptions import ModelFileError
from honeybayes.files._archive import SCHEMA, write_about, write_member
from honeybayes.files._loading import read_model
from honeybayes.files._nodes import Writer
from honeybayes.files._objects import estimators_of
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
            read_model(file, trusted=_pack(model, file))
        except OSError:  # the disk failed, not the model
            raise
        except Exception as error:  # a class of the user may raise any kind
            raise ModelFileError(f"Cannot save this {type(model).__name__}: {error}") from error


def _pack(model: Any, file: BinaryIO) -> set[str]:
    """Write the model, one member per array; return what must be trusted to load it."""
    writer = Writer()
    schema = writer.describe(model)
    with ZipFile(file, "w", ZIP_STORED) as archive:
        for name, content in writer.arrays.items():
            write_member(archive, name, content)
        write_member(archive, SCHEMA, json.dumps(schema, separators=(",", ":")))
        write_about(archive)
    patterns = {getattr(part, "token_pattern", None) for part in estimators_of(model)}
    return writer.foreign | {pattern for pattern in patterns if isinstance(pattern, str)}
