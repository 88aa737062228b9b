"""Check the objects of a loaded model, and end with a trial: a model that loads can predict."""

import warnings
from collections.abc import Collection, Iterator
from typing import Any

import numpy as np
from scipy import sparse

from honeybayes.exceptions import ModelFileError
from honeybayes.files._allowed import SKLEARN_CLASSES, full_name
from honeybayes.files._tree import Place, path_of
from honeybayes.utils.state import EVERY_ESTIMATOR, Integer, Sizes, check_attributes, check_state

# The number of terms of a document grows with these parameters, and their length too.
MAX_NGRAM = 50
# The trial: what it calls, and with which documents.
METHODS = ("predict", "predict_proba", "decision_function", "transform")
TEXT = "From: a\nSubject: b\n\nA plain text of 12 words, and not only one line."
N_TERMS, LONGEST_TERM = 20, 40  # of the model
MAX_DENSE_COLUMNS = 2**20
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
        attributes = vars(value)
        try:
            if hasattr(type(value), "fitted_attributes"):
                check_state(value)
            elif full_name(type(value)) in SKLEARN_CLASSES:
                _check_sklearn_object(value, trusted)
            else:
                continue
            if (n_jobs := attributes.get("n_jobs")) is not None:
                raise ValueError(f"n_jobs is {n_jobs!r}: a loaded model must not start processes")
            for length in attributes.get("ngram_range", ()):
                Integer(high=MAX_NGRAM).check("the length of its terms", length, Sizes())
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


def try_out(model: Any, texts: list[str] | None = None) -> None:
    """Raise ModelFileError if a model cannot predict.

    Unless ``texts`` are given, the documents are made here.
    """
    first = model  # of the steps of a pipeline or a union, also of nested ones
    while steps := getattr(first, "steps", getattr(first, "transformer_list", ())):
        used = (step for _, step in steps if step not in (None, "drop", "passthrough"))
        if (inner := next(used, None)) is None:
            break
        first = inner
    width = getattr(first, "n_features_in_", None)
    trials: list[Any] = [texts]
    if width is not None:
        columns = np.unique(np.linspace(0, max(width - 1, 0), min(N_TERMS, width)).astype(np.int64))
        rows = np.ones(len(columns), dtype=np.int64)  # the first document has no terms
        matrix = sparse.csr_matrix((rows.astype(np.float64), (rows, columns)), (2, int(width)))
        trials = [matrix, matrix.toarray()] if width <= MAX_DENSE_COLUMNS else [matrix]
    elif not texts:
        terms: list[str] = []  # a few of the model
        for _, part in objects_of(model):
            known = vars(part).get("terms_", vars(part).get("vocabulary_", ()))
            terms += list(known)[:: max(1, len(known) // N_TERMS)]
        trials = [["", TEXT, " ".join(term[:LONGEST_TERM] for term in terms[: 2 * N_TERMS])]]
    error: Exception | None = None
    with warnings.catch_warnings(action="ignore"), np.errstate(all="ignore"):
        for documents in trials:  # some models take no sparse matrix
            try:
                for method in (each for each in METHODS if hasattr(model, each)):
                    n_answers = np.shape(getattr(model, method)(documents))[0]
                    if n_answers != (n := np.shape(documents)[0]):
                        raise ValueError(f"{method} gives {n_answers} answers for {n} documents")
                return
            except Exception as wrong:  # the model may raise any kind
                error = error or wrong
    raise ModelFileError(f"the model cannot predict ({type(error).__name__}: {error}).") from error
