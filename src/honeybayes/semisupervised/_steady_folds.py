"""Folds and halves of the labels that hardly change when labels are added.

Each document of the pool draws a fold, whether it has a label or not. Within each class, a few
documents then move until the folds are even. One more label moves few documents of its class and
none of the others, so what is measured with the folds changes little, too.
"""

import numpy as np


def steady_folds(
    position: np.ndarray, n_folds: int, seed: int = 0, numbers: np.ndarray | None = None
) -> np.ndarray:
    """Return a fold for each labeled document, or -1 for the only document of a class.

    ``position`` is the class of each document, -1 for an unlabeled one. ``numbers`` are the numbers
    of the documents in the pool; only they and the seed decide which fold a document draws.
    """
    numbers = np.arange(len(position)) if numbers is None else numbers
    # the first numbers of a generator do not depend on how many are drawn
    draws = np.random.default_rng(seed).random((numbers.max(initial=-1) + 1, 2))[numbers]
    fold = np.full(len(position), -1)
    for label in np.unique(position[position >= 0]):
        rows = np.flatnonzero(position == label)
        if len(rows) > 1:
            rows = rows[np.argsort(draws[rows, 1])]
            fold[rows] = _even((n_folds * draws[rows, 0]).astype(int), n_folds)
    return fold


def _even(fold: np.ndarray, n_folds: int) -> np.ndarray:
    """Move the last documents of the largest folds to the smallest ones."""
    size = np.bincount(fold, minlength=n_folds)
    while size.max() > size.min() + 1:
        largest, smallest = size.argmax(), size.argmin()
        fold[np.flatnonzero(fold == largest)[-1]] = smallest
        size[largest] -= 1
        size[smallest] += 1
    return fold
