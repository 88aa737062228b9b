"""A trial prediction at the end of loading: a model that loads can predict."""

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import sparse

from honeybayes.exceptions import ModelFileError
from honeybayes.files._checks import objects_of

METHODS = ("predict", "predict_proba", "decision_function", "transform")
TEXT = "From: a\nSubject: b\n\nA plain text of 12 words, and not only one line."
N_TERMS, LONGEST_TERM = 20, 40  # of the model, in the trial
MAX_DENSE_COLUMNS = 2**20


def try_out(model: Any, texts: list[str] | None = None) -> None:
    """Raise ModelFileError if a model cannot predict.

    Unless ``texts`` are given, the documents are made here: nothing, a fixed text, and a few terms
    of the model.
    """
    first = _first_step(model)
    if hasattr(first, "n_features_in_"):
        documents = list(_matrices(int(first.n_features_in_)))
    else:
        documents = [texts or _texts(model)]
    error: Exception | None = None
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for each in documents:  # some models take no sparse matrix
            try:
                return _predict(model, each)
            except Exception as wrong:  # the model may raise any kind
                error = error or wrong
    raise ModelFileError(f"the model cannot predict ({type(error).__name__}: {error}).") from error


def _predict(model: Any, documents: Any) -> None:
    n_documents = len(documents) if isinstance(documents, list) else documents.shape[0]
    for method in METHODS:
        if hasattr(model, method):
            answers = getattr(model, method)(documents)
            n_answers = len(answers) if isinstance(answers, list) else answers.shape[0]
            if n_answers != n_documents:
                raise ValueError(f"{method} gives {n_answers} answers for {n_documents} documents")


def _first_step(model: Any) -> Any:
    for steps in ("steps", "transformer_list"):  # of a pipeline, of a union
        for _, step in getattr(model, steps, ()):
            if step is not None and step not in ("drop", "passthrough"):
                return _first_step(step)
    return model


def _texts(model: Any) -> list[str]:
    terms: list[str] = []
    for _, part in objects_of(model):
        known = vars(part).get("terms_", vars(part).get("vocabulary_", ()))
        terms += list(known)[:: max(1, len(known) // N_TERMS)]
    return ["", TEXT, " ".join(term[:LONGEST_TERM] for term in terms[: 2 * N_TERMS])]


def _matrices(width: int) -> Iterator[Any]:
    """Yield documents as a sparse matrix, and as a dense one unless it would be large."""
    columns = np.unique(np.linspace(0, max(width - 1, 0), min(N_TERMS, width)).astype(np.int64))
    rows = np.ones(len(columns), dtype=np.int64)  # the first document has no terms
    matrix = sparse.csr_matrix((rows.astype(np.float64), (rows, columns)), shape=(2, width))
    yield matrix
    if width <= MAX_DENSE_COLUMNS:
        yield matrix.toarray()
