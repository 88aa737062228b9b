"""Read a model file, with trust in nothing that it says."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import sklearn
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from honeybayes.files._archive import check_archive, check_members, read_schema
from honeybayes.files._checking import check_model
from honeybayes.files._error import ModelFileError
from honeybayes.files._schema import audit
from honeybayes.utils.reading import check_file_exists

LONGEST_MESSAGE = 1000  # what is wrong may be quoted from the file


def load_model(path: str | os.PathLike[str], trusted: Iterable[str | type] = ()) -> Any:
    """Load a model that `save_model` has written.

    No code of the file runs. Types that are not on the allow-list of honeybayes are refused, and so
    is a model whose parts do not fit together: what comes back can be used to predict.

    Parameters
    ----------
    path : str or path
        The file.
    trusted : iterable of str or type, default=()
        Further types and functions that the file may hold, by their full names. They are not
        checked, so add only what you know. An error names those that are missing.

    Returns
    -------
    estimator
        The model, which gives the same predictions as the one that was saved, to the last bit.

    Raises
    ------
    FileNotFoundError
        If there is no such file; names one that is spelled alike.
    ModelFileError
        If the file is damaged, of a newer format, no model file at all, or holds what is neither
        allowed nor trusted.

    See Also
    --------
    save_model : Writes such files, with an example.
    """
    if isinstance(trusted, str):
        raise TypeError(f"trusted must be a list of names; got the string {trusted!r}.")
    trusted_names = {_name(each) for each in trusted}
    path = Path(path)
    check_file_exists(path)
    if not path.is_file():  # opening a named pipe would wait for ever
        raise ModelFileError(f"Cannot load {path}: it is not a file.")
    with path.open("rb") as file:
        try:
            return read_model(file, trusted_names)
        except Exception as error:  # whatever zipfile, json, numpy or skops make of broken bytes
            known = isinstance(error, ModelFileError)
            reason = str(error) if known else f"it is damaged ({type(error).__name__}: {error})."
            raise ModelFileError(f"Cannot load {path}: {reason[:LONGEST_MESSAGE]}") from error


def read_model(file: Any, trusted: set[str]) -> Any:
    """Do the work of `load_model` on an open file; any error means that it must not be used."""
    import skops.io  # takes long, for it imports all of scikit-learn

    about = check_archive(file)
    with ZipFile(file) as archive:
        types, arrays = audit(read_schema(archive), trusted)
        check_members(archive, arrays)
    file.seek(0)
    model = skops.io.load(file, trusted=sorted(types))
    if not isinstance(model, BaseEstimator):
        raise ModelFileError(f"it holds no estimator, but a {type(model).__name__}.")
    try:
        check_model(model)
        check_is_fitted(model)
    except ValueError as error:
        if (writer := about.get("scikit-learn")) == sklearn.__version__:
            raise
        versions = f"scikit-learn was {writer} when it was saved and is {sklearn.__version__} now"
        raise ModelFileError(f"{error} Note that {versions}.") from error
    return model


def _name(kind: str | type) -> str:
    return kind if isinstance(kind, str) else f"{kind.__module__}.{kind.__name__}"
