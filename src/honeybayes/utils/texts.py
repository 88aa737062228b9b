"""Checks of raw texts."""

from collections.abc import Mapping, Set
from typing import Any


def check_texts(X: Any, name: str = "X", *, allow_empty: bool = False) -> list[str]:
    """Return texts as a list; raise ValueError unless there is at least one and all are strings."""
    if isinstance(X, str | bytes):
        raise ValueError(
            f"{name} must be a list of texts, got a single text: put it in a list, [text]."
        )
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
