"""The classes: those of the labels, and those that have seed words."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.utils.multiclass import check_classification_targets

from honeybayes.utils.labels import encode_labels


def encode_classes(
    y: np.ndarray, mark: Any, weight: np.ndarray, seeds: Any, n_terms: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Return the classes, the position of each label, and the seeds (terms, classes)."""
    position, counted = np.full(len(y), -1), weight > 0
    classes, position[counted] = encode_labels(y[counted], mark)
    if len(classes):
        check_classification_targets(y[position >= 0])
    weights = None
    named = {} if seeds is None else _check_seeds(seeds, n_terms)
    if named:
        every = _union(classes, list(named))
        known = position >= 0
        position[known] = np.searchsorted(every, classes)[position[known]]
        classes, weights = every, np.zeros((n_terms, len(every)))
        for label, words in named.items():
            weights[:, np.searchsorted(classes, label)] = words
    return classes, position, weights


def _check_seeds(seeds: Any, n_terms: int) -> dict[Any, np.ndarray]:
    if not isinstance(seeds, Mapping):
        raise ValueError(
            f"seeds must be a dict from classes to weights of terms; got {type(seeds).__name__}. "
            "TextClassifier takes words instead of weights."
        )
    checked = {}
    for label, words in seeds.items():
        words = np.asarray(words, dtype=np.float64)
        if words.shape != (n_terms,) or not np.isfinite(words).all() or (words < 0).any():
            raise ValueError(
                f"The seeds of class {label!r} must be {n_terms} finite weights, one per term, 0 "
                f"or more; got an array of shape {words.shape}."
            )
        checked[label] = words
    return checked


def _union(classes: np.ndarray, others: list) -> np.ndarray:
    """Return sorted classes of labels and seeds."""
    try:
        return np.array(sorted({*classes.tolist(), *others}))
    except TypeError as error:
        raise ValueError(
            f"The classes of y and of seeds have no order ({error}). Use classes of the same type "
            "in both."
        ) from error
