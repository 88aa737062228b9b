"""Names of classes: what they mean, as far as an encoder knows it and the labels confirm it."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from honeybayes.semisupervised._evidence import above_chance
from honeybayes.semisupervised._labels import LabelVotes

NAME_WORTH = 5.0  # labels per class, if the nearest name is always the label


class Names(NamedTuple):
    """Directions of the names (classes, features), as those of documents: plain and whitened."""

    plain: np.ndarray
    whitened: np.ndarray

    def weight(self, plain: np.ndarray, labels: LabelVotes) -> float:
        """Return how many labels of its class a name is worth, given all documents.

        Nobody looked at the labels to choose the names, so they are a fair test of them.
        """
        known = np.flatnonzero(labels.known)
        answers = (plain[known] @ self.plain.T).argmax(axis=1)
        return NAME_WORTH * above_chance(answers, labels.targets[known])


def add_names(
    parts: Sequence[Any], targets: np.ndarray, weight: np.ndarray, names: np.ndarray, worth: float
) -> tuple[list[Any], np.ndarray, np.ndarray]:
    """Return labeled documents, targets and weights, and one more document per class: its name.

    ``parts`` are the words, if they are used, and the dense features of documents. A name has no
    words, and the dense features ``names`` (classes, features).
    """
    *words, dense = parts
    no_words = [sparse.csr_array((len(names), x.shape[1]), dtype=x.dtype) for x in words]
    return (
        [
            *(sparse.vstack(each, format="csr") for each in zip(words, no_words, strict=True)),
            np.vstack([dense, names.astype(dense.dtype)]),
        ],
        np.vstack([targets, np.eye(len(names))]),
        np.append(weight, np.full(len(names), worth)),
    )
