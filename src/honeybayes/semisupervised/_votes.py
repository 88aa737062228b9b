"""Labels as votes: soft targets with weights, and documents that occur more than once."""

from typing import NamedTuple

import numpy as np


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
        return self._replace(
            targets=self.targets * shown[:, np.newaxis], weight=self.weight * shown
        )

    def take(self, rows: np.ndarray) -> "LabelVotes":
        is_random = None if self.is_random is None else self.is_random[rows]
        return LabelVotes(self.targets[rows], self.weight[rows], is_random)


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
