"""Save a model to a file, and load it. Nothing in a file is trusted before it is checked."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar, overload

import sklearn
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from honeybayes import tables
from honeybayes.exceptions import ModelFileError
from honeybayes.files import _archive, _checks, _tree
from honeybayes.files._allowed import full_name
from honeybayes.text import MULTILINGUAL, encoder_name
from honeybayes.utils import labels, messages, writing

if TYPE_CHECKING:
    from honeybayes.classifier import TextClassifier

Model = TypeVar("Model")
Names = Iterable[str | type]
LONGEST_MESSAGE = 1000  # a message may quote the file


def check_model_path(path: writing.Location) -> None:
    """Raise ValueError if the name of a file is that of a table."""
    if tables.file_ending(path) in tables.FORMAT_OF_ENDING:
        raise ValueError(
            f"{path} is the name of a table, but a model is to be written. Name a file that ends "
            "in .hb. `honeybayes predict` writes the answers."
        )


def save_model(model: Any, path: writing.Location) -> None:
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
    `load_model`, unless it is "multilingual", whose version and weights the file also names.

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
    check_model_path(path)
    writer = _tree.Writer()
    with writing.atomic_write(path) as file:
        try:
            _archive.write_archive(file, writer.describe(model), writer.arrays)
            read_model(file, writer.to_trust)
        except OSError:  # the disk failed, not the model
            raise
        except Exception as error:  # a class of the user may raise any kind
            raise ModelFileError(f"Cannot save this {type(model).__name__}: {error}") from error


@overload
def load_model(
    path: writing.Location, trusted: Names = ..., *, encoder: Any = ...
) -> "TextClassifier": ...


@overload
def load_model(
    path: writing.Location, trusted: Names = ..., *, encoder: Any = ..., kind: type[Model]
) -> Model: ...


def load_model(
    path: writing.Location, trusted: Names = (), *, encoder: Any = None, kind: type | None = None
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
        Required if the model has one other than "multilingual": a file holds its name, and its
        vectors of a few fixed texts, by which another encoder is refused. No other is loaded by the
        name in the file, because that would let the file choose what your libraries download and
        open.
    kind : type, optional
        The class that the model must have, such as `honeybayes.HigherOrderNB`; other models are
        refused. By default every class is allowed, and type checkers expect a `TextClassifier`.

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
    messages.check_file_exists(path)
    if not path.is_file():  # opening a named pipe would wait forever
        raise ModelFileError(f"Cannot load {path}: it is not a file.")
    with path.open("rb") as file:
        try:
            model, needy, is_known = read_model(file, trusted_names)
        except Exception as error:  # zipfile, json and numpy raise many kinds
            known = isinstance(error, ModelFileError)
            reason = str(error) if known else f"it is damaged ({type(error).__name__}: {error})."
            raise ModelFileError(f"Cannot load {path}: {reason[:LONGEST_MESSAGE]}") from error
    encoder = None if labels.is_auto(encoder) else encoder
    try:
        if kind is not None and not isinstance(model, kind):
            raise ModelFileError(f"it contains a {type(model).__name__}, not a {kind.__name__}.")
        if encoder is None and needy:
            encoder = _encoder_of(needy)
        if encoder is not None and not needy:
            raise ModelFileError("the model uses no encoder. Leave out `encoder`.")
        for part in needy:
            part.attach_encoder(encoder)
        if encoder is not None and is_known:
            _checks.try_out(model, [""])  # which is not sent to the encoder
    except (ModelFileError, ImportError, ValueError) as error:  # others are the encoder's own
        raise ModelFileError(f"Cannot load {path}: {str(error)[:LONGEST_MESSAGE]}") from error
    return model


def _encoder_of(needy: list[Any]) -> str:
    """Return the only encoder that is loaded by its name in a file: its weights are checked."""
    name = next((part.encoder for part in needy if isinstance(part.encoder, str)), "")
    if name == (own := encoder_name(MULTILINGUAL)):
        return MULTILINGUAL
    needs = f"the model needs the encoder {name!r}"
    if name.startswith(f"{MULTILINGUAL}:"):
        raise ModelFileError(f"{needs}, and this honeybayes has {own!r}. Fit the model again.")
    raise ModelFileError(
        f"{needs}, and a file holds no more than its name. Pass the encoder, or its name if you "
        "trust it, with `encoder`."
    )


def read_model(file: BinaryIO, trusted: set[str]) -> tuple[Any, list[Any], bool]:
    """Load a model, its parts that need an encoder, and whether all its types are allowed."""
    archive, about = _archive.open_archive(file)
    with archive:
        tree = _archive.read_json(archive, _archive.TREE)
        members, has_foreign = _tree.audit(tree, trusted)
        arrays = _archive.read_arrays(archive, members)
    model = _tree.build(tree, arrays)
    if not isinstance(model, BaseEstimator):
        raise ModelFileError(f"it contains a {type(model).__name__}, not an estimator.")
    try:
        _checks.check_objects(model, trusted)
        check_is_fitted(model)
        needy = [
            part
            for _, part in _checks.objects_of(model)
            if hasattr(type(part), "attach_encoder") and part.encoder not in (None, "auto")
        ]
        # An encoder comes later. Types of the user are not tried: their code runs only when asked.
        if not has_foreign and not needy:
            _checks.try_out(model)
    except ValueError as error:
        if (writer := about.get("scikit-learn")) == sklearn.__version__:
            raise
        raise ModelFileError(
            f"{error} The file was saved with scikit-learn {writer}, this is {sklearn.__version__}."
        ) from error
    return model, needy, not has_foreign
