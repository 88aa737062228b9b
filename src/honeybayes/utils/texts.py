"""Raw texts: checks, and digests by which a model knows its training texts without holding them.

Texts that differ only in upper and lower case or in white space have the same digest. The salt
makes the digests of two models different, so that one table of digests does not serve for all.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.multiclass import check_classification_targets

from honeybayes.utils.labels import has_no_label

MAX_DIGESTS = 100_000
N_BYTES = 8


def check_texts(X: Any, name: str = "X", *, allow_empty: bool = False) -> list[str]:
    """Return texts as a list; raise ValueError unless there is at least one and all are strings."""
    if isinstance(X, str | bytes):
        raise ValueError(
            f"{name} must be a list of texts, got a single text: put it in a list, [text]."
        )
    if len(getattr(X, "shape", ())) == 2 and X.shape[1] == 1:
        if hasattr(X, "column"):  # of pyarrow
            X = X.column(0)
        else:
            X = X[X.columns[0]] if hasattr(X, "columns") else X[:, 0]
    if isinstance(X, Mapping | Set) or getattr(X, "ndim", 1) != 1:
        raise ValueError(
            f"{name} must be a list of texts or one column of them, got {type(X).__name__}: of a "
            'data frame pass the column with the texts, such as df["text"].'
        )
    # a column of pyarrow has Python objects only in its list
    texts = X.to_pylist() if hasattr(X, "to_pylist") else list(X)
    if not texts and not allow_empty:
        raise ValueError(f"{name} has no texts.")
    for index, text in enumerate(texts):
        if not isinstance(text, str):
            raise ValueError(
                f"{name}[{index}] is not a text but {text!r} ({type(text).__name__}). Leave out "
                "rows without text, or convert them to strings."
            )
    return texts


def check_labels_of_texts(y: Any, mark: Any = None) -> np.ndarray:
    """Return the labels of texts as an array; raise ValueError if one is missing or blank."""
    if y is None:
        raise ValueError("fit requires y to be passed, but the target y is None. Label each text.")
    if isinstance(y, str) or getattr(y, "ndim", 1) != 1:
        raise ValueError(
            f"y must contain one label per text; got {type(y).__name__} of shape {np.shape(y)}."
        )
    labels = y.to_pylist() if hasattr(y, "to_pylist") else list(y)
    # not of the array, because NumPy converts all of them to strings
    for index, label in enumerate(labels):
        if isinstance(label, list | tuple | np.ndarray):
            raise ValueError(
                f"y must contain one label per text; got {type(label).__name__} as y[{index}]."
            )
        if has_no_label(label) and not (isinstance(label, str) and label == mark):
            raise ValueError(
                f"y has missing labels (the first is y[{index}]). Leave those texts out, or pass "
                "them as pool to a model that learns from unlabeled texts."
            )
    if len({isinstance(label, str) for label in labels}) > 1:
        raise ValueError("y mixes strings with other labels. Convert all labels to strings.")
    array = np.asarray(labels)
    check_classification_targets(array)
    return array


def make_digests(texts: Sequence[str]) -> tuple[int, NDArray[np.uint64]]:
    """Return a salt and the digests; the same texts give the same salt, so fits are repeatable."""
    together = blake2b(b"\0".join(map(_encode, texts)), digest_size=N_BYTES)
    salt = int.from_bytes(together.digest(), "little") >> 1  # fits in int64
    return salt, np.unique(digest_texts(texts, salt))[:MAX_DIGESTS]


def digest_texts(texts: Iterable[str], salt: int) -> NDArray[np.uint64]:
    """Return a digest of 64 bits for each text."""
    key = (salt % 2 ** (8 * N_BYTES)).to_bytes(N_BYTES, "little")
    digests = [blake2b(_encode(text), digest_size=N_BYTES, key=key).digest() for text in texts]
    return np.frombuffer(b"".join(digests), dtype="<u8").astype(np.uint64)


def add_digests(known: NDArray[np.uint64], new: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return sorted digests without repetitions; new ones only as long as there is room."""
    new = np.setdiff1d(new, known)
    return np.union1d(known, new[: MAX_DIGESTS - len(known)])


def _encode(text: str) -> bytes:
    return " ".join(text.casefold().split()).encode("utf-8", "surrogatepass")
