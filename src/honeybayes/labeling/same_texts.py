"""Texts that are the same apart from case and white space, which are labeled once."""

from collections.abc import Sequence

import numpy as np


def find_representatives(texts: Sequence[str]) -> np.ndarray:
    """Return for each text the position of the first text that is the same.

    Case and white space do not count.

    Parameters
    ----------
    texts : sequence of str
        The texts.

    Returns
    -------
    ndarray of shape (n_texts,)
    """
    first: dict[str, int] = {}
    return np.array([first.setdefault(folded(text), row) for row, text in enumerate(texts)])


def folded(text: str) -> str:
    """Return a text without differences of case and white space."""
    return " ".join(text.casefold().split())
