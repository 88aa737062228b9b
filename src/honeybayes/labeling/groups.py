"""Groups of similar texts: a start for a person who does not know the classes yet."""

from dataclasses import dataclass
from itertools import islice

import numpy as np
from sklearn.cluster import KMeans

from honeybayes.labeling.pool import Pool

N_WORDS = 8
N_EXAMPLES = 3


@dataclass(frozen=True)
class Group:
    """Similar texts.

    Parameters
    ----------
    rows : tuple of int
        The first row of each text, the most typical first.
    words : tuple of str
        Words that are much more frequent here than elsewhere.
    """

    rows: tuple[int, ...]
    words: tuple[str, ...]

    @property
    def examples(self) -> tuple[int, ...]:
        """Rows of the most typical texts."""
        return self.rows[:N_EXAMPLES]


def find_groups(pool: Pool, n: int = 10) -> list[Group]:
    """Divide the texts into groups by their words."""
    positions = np.flatnonzero(pool.axes.any(axis=1))
    points = pool.axes[positions]
    n = min(n, len(np.unique(points.round(4), axis=0)))
    if not n:
        return []
    found = KMeans(n, n_init=3, random_state=pool.random_state).fit(points)
    spellings = pool.count()[0].spellings_
    average = np.asarray(pool.tfidf.mean(axis=0)).ravel()
    groups = []
    for each in range(n):
        members = positions[found.labels_ == each]
        likeness = pool.axes[members] @ found.cluster_centers_[each]
        members = members[np.argsort(-likeness, kind="stable")]
        difference = np.asarray(pool.tfidf[members].mean(axis=0)).ravel() - average
        best = (str(spellings[at]) for at in np.argsort(-difference) if difference[at] > 0)
        # "who is …", the beginning of a text, is not a word that a class could have
        words = tuple(islice((word for word in best if not word.endswith("…")), N_WORDS))
        groups.append(Group(tuple(pool.rows[members].tolist()), words))
    return sorted(groups, key=lambda group: -len(group.rows))
