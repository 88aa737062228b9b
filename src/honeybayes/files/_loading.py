"""Load a model file. Nothing in it is trusted before it is checked."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import sklearn
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from honeybayes.exceptions import ModelFileError
from honeybayes.files._archive import open_archive, read_about, read_arrays, read_schema
from honeybayes.files._nodes import build, full_name
from honeybayes.files._objects import attach_encoder, check_objects, needs_encoder
from honeybayes.files._schema import audit
from honeybayes.files._trial import try_out
from honeybayes.utils.suggestions import check_file_exists

LONGEST_MESSAGE = 1000  # a message may quote the file


def load_model(
    path: str | os.PathLike[str], trusted: Iterable[str | type] = (), *, encoder: Any = None
) -> Any:
    """Load a model that `save_model` has written.

    No code from the file is run. An error is raised if the file contains types that are not
    allowed, or if the parts of the model do not match.

    Parameters
    ----------
    path : str or path-like
        The file.
    trusted : iterable of str or type, default=()
        More classes and functions that the file may hold, or their full names. They are imported
        and used, so add only what you know. A class that declares ``fitted_attributes`` is
        checked, other classes are not. The ``token_pattern`` of a vectorizer, if it is not a usual
        one, is also listed here. If anything is missing here, the error names it.
    encoder : str, function or object with a method encode, optional
        The encoder that the model was fitted with, or its name; see `honeybayes.text.TextEncoder`.
        Required if the model has one: a file holds its name, and its vectors of a few fixed texts,
        by which another encoder is refused. Nothing is loaded by the name in the file, because that
        would let the file choose what your libraries download and open.

    Returns
    -------
    estimator
        The model. Its predictions are exactly equal to the predictions of the saved model.

    Raises
    ------
    FileNotFoundError
        If there is no such file. The message suggests a file with a similar name.
    ModelFileError
        If the file is damaged, has another format, is not a model file, or contains types that are
        neither allowed nor trusted, or if the encoder is missing or another one.

    See Also
    --------
    save_model : Write model files, with an example.
    """
    if isinstance(trusted, str):
        raise TypeError(f"trusted must be a list of names, got the string {trusted!r}.")
    trusted_names = {each if isinstance(each, str) else full_name(each) for each in trusted}
    path = Path(path)
    check_file_exists(path)
    if not path.is_file():  # opening a named pipe would wait forever
        raise ModelFileError(f"Cannot load {path}: it is not a file.")
    with path.open("rb") as file:
        try:
            model, is_known = read_model(file, trusted_names)
        except Exception as error:  # zipfile, json and numpy raise many kinds
            known = isinstance(error, ModelFileError)
            reason = str(error) if known else f"it is damaged ({type(error).__name__}: {error})."
            raise ModelFileError(f"Cannot load {path}: {reason[:LONGEST_MESSAGE]}") from error
    try:
        attach_encoder(model, encoder)
        if encoder is not None and is_known:
            try_out(model)
    except (ModelFileError, ImportError, ValueError) as error:  # others are the encoder's own
        raise ModelFileError(f"Cannot load {path}: {str(error)[:LONGEST_MESSAGE]}") from error
    return model


def read_model(file: Any, trusted: set[str]) -> tuple[Any, bool]:
    """Load a model from an open file, and say whether all its types are allowed.

    After any error the model must not be used.
    """
    with open_archive(file) as archive:
        about = read_about(archive)
        schema = read_schema(archive)
        has_foreign, forms = audit(schema, trusted)
        arrays = read_arrays(archive, forms)
    model = build(schema, arrays)
    if not isinstance(model, BaseEstimator):
        raise ModelFileError(f"it contains a {type(model).__name__}, not an estimator.")
    try:
        check_objects(model, trusted)
        check_is_fitted(model)
        # An encoder comes later. Types of the user are not tried: their code runs only when asked.
        if not has_foreign and not needs_encoder(model):
            try_out(model)
    except ValueError as error:
        if (writer := about.get("scikit-learn")) == sklearn.__version__:
            raise
        raise ModelFileError(
            f"{error} The file was saved with scikit-learn {writer}, this is {sklearn.__version__}."
        ) from error
    return model, not has_foreign
