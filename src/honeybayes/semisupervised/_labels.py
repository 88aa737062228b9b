"""Labels as votes: classes, soft targets with weights, and folds that hardly change."""

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.multiclass import check_classification_targets

from honeybayes.utils.labels import encode_labels
from honeybayes.utils.validation import check_term_weights


class LabelVotes(NamedTuple):
    """Targets (documents, classes) with rows that add up to 1, and the weight of each document.

    A document without a label has weight 0 and a row of zeros. ``is_random`` says which documents
    are a random sample; None means all.
    """

    targets: np.ndarray
    weight: np.ndarray
    is_random: np.ndarray | None = None

    @property
    def known(self) -> np.ndarray:
        return self.weight > 0

    @property
    def votes(self) -> np.ndarray:
        """The weight of each document in each class."""
        return self.targets * self.weight[:, np.newaxis]

    @property
    def position(self) -> np.ndarray:
        """The class with the most votes, or -1."""
        return np.where(self.known, self.targets.argmax(axis=1), -1)

    def without(self, hidden: np.ndarray) -> "LabelVotes":
        """Return the labels as if some documents had none."""
        shown = ~hidden
        return LabelVotes(self.targets * shown[:, np.newaxis], self.weight * shown, self.is_random)

    def take(self, rows: np.ndarray) -> "LabelVotes":
        is_random = None if self.is_random is None else self.is_random[rows]
        return LabelVotes(self.targets[rows], self.weight[rows], is_random)


def no_votes(n_documents: int, n_classes: int) -> LabelVotes:
    """Return the labels of documents that have none."""
    return LabelVotes(np.zeros((n_documents, n_classes)), np.zeros(n_documents))


def collect_votes(
    position: np.ndarray, weight: np.ndarray, group: np.ndarray, n_groups: int, n_classes: int
) -> LabelVotes:
    """Return the labels of groups of identical documents.

    The rows of a group are votes. The weight of a group is the sum of its weights, but not more
    than 1 or its largest weight, because copies are not new evidence.
    """
    known = np.flatnonzero((position >= 0) & (weight > 0))
    votes = np.zeros((n_groups, n_classes))
    np.add.at(votes, (group[known], position[known]), weight[known])
    largest = np.ones(n_groups)
    np.maximum.at(largest, group[known], weight[known])
    total = votes.sum(axis=1)
    targets = np.divide(votes, total[:, np.newaxis], out=votes, where=total[:, np.newaxis] > 0)
    return LabelVotes(targets, np.minimum(total, largest))


def encode_classes(
    y: np.ndarray,
    mark: Any,
    weight: np.ndarray,
    seeds: Any,
    n_terms: int,
    n_dense: int,
    others: Collection[Any] = (),
) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Return the classes, the position of each label, and the seeds (features, classes).

    ``others`` are classes that neither labels nor seeds may name.
    """
    position, counted = np.full(len(y), -1), weight > 0
    classes, position[counted] = encode_labels(y[counted], mark)
    known = position >= 0
    if known.any():
        check_classification_targets(y[known])
    if seeds is not None and not isinstance(seeds, Mapping):
        raise ValueError(
            f"seeds must be a dict from classes to weights of terms; got {type(seeds).__name__}. "
            "TextClassifier takes words instead of weights."
        )
    if not seeds and not others:
        return classes, position, None
    try:
        every = np.array(sorted({*classes.tolist(), *(seeds or ()), *others}))
    except TypeError as error:
        raise ValueError(
            f"The classes of y, seeds and sources have no order ({error}). Use classes of the same "
            "type in all."
        ) from error
    position[known] = np.searchsorted(every, classes)[position[known]]
    if not seeds:
        return every, position, None
    weights = np.zeros((n_terms + n_dense, len(every)))
    for label, words in seeds.items():
        of_class, what = np.asarray(words), f"The seeds of class {label!r}"
        column = weights[:, np.searchsorted(every, label)]
        if n_dense and of_class.shape == column.shape:
            vector = of_class[n_terms:].astype(np.float64)
            if not np.isfinite(vector).all():
                raise ValueError(f"{what} have a vector with numbers that are not finite.")
            column[n_terms:] = vector
            words = of_class[:n_terms]
        column[:n_terms] = check_term_weights(what, words, n_terms)
    return every, position, weights


def stack_names(names: Any, classes: np.ndarray, n_dense: int) -> np.ndarray | None:
    """Return the dense features of the names of the classes (classes, dense), if all have one."""
    if names is None or not n_dense:
        return None
    is_dict = isinstance(names, Mapping)
    listed = [each for each in classes.tolist() if each in names] if is_dict else []
    known = [np.asarray(names[each], dtype=np.float64) for each in listed]
    if not is_dict or any(one.shape != (n_dense,) or not np.isfinite(one).all() for one in known):
        raise ValueError(
            f"names must be a dict from classes to arrays of n_dense={n_dense} finite numbers. "
            "TextClassifier makes them from the classes."
        )
    return np.stack(known) if len(known) == len(classes) else None


def steady_folds(
    position: np.ndarray, n_folds: int, seed: int = 0, numbers: np.ndarray | None = None
) -> np.ndarray:
    """Return a fold for each labeled document, or -1 for the only document of a class.

    Each document of the pool draws a fold, whether it has a label or not. Within each class, a few
    documents then move until the folds are even. One more label moves few documents of its class
    and none of the others, so what is measured with the folds changes little, too.

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
            drawn = (n_folds * draws[rows, 0]).astype(int)
            size = np.bincount(drawn, minlength=n_folds)
            # the last documents of the largest folds move to the smallest ones
            while size.max() > size.min() + 1:
                largest, smallest = size.argmax(), size.argmin()
                drawn[np.flatnonzero(drawn == largest)[-1]] = smallest
                size[largest] -= 1
                size[smallest] += 1
            fold[rows] = drawn
    return fold
