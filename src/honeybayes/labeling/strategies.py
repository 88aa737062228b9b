"""Strategies: which texts to label next.

A strategy is a function ``strategy(situation, n, rng)``: from a `Situation`, the number of texts to
choose and a `numpy.random.Generator` to up to ``n`` positions of texts in the pool, the most useful
first. Write your own in the same way, and pass it to `honeybayes.labeling.LabelingSession` or
`honeybayes.labeling.simulate`.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

import numpy as np
from sklearn.cluster import KMeans

from honeybayes.utils.messages import did_you_mean

MOST_CLUSTERED = 4000  # texts; the typical ones of a sample are typical of all
MOST_CLUSTERS = 300
N_NEIGHBORS = 20
TYPICAL_UNTIL = 16  # labels; with the audit, 20
UNSURE_PART = 3


@dataclass(frozen=True)
class Situation:
    """What a strategy can use.

    Parameters
    ----------
    candidates : ndarray of int
        Positions of the texts to choose from, in ascending order.
    labeled : ndarray of int
        Positions of the texts that have a label, without those of the audit.
    axes : ndarray of shape (n_texts, n_axes)
        The texts in a latent semantic space, as unit vectors; zeros for texts without words.
    probabilities : ndarray of shape (n_texts, n_classes) or None
        Probabilities of the classes, from a model that has not seen the labels of the audit. None
        if there is no model yet.
    batch : int
        How many texts are usually labeled before the strategy is asked again.
    """

    candidates: np.ndarray
    labeled: np.ndarray
    axes: np.ndarray
    probabilities: np.ndarray | None = None
    batch: int = 5


Strategy = Callable[[Situation, int, np.random.Generator], np.ndarray]


def random(situation: Situation, n: int, rng: np.random.Generator) -> np.ndarray:
    """Choose texts at random."""
    return rng.permutation(situation.candidates)[:n]


def typical(situation: Situation, n: int, rng: np.random.Generator) -> np.ndarray:
    """Choose typical texts of groups that have no label yet (TypiClust [1]_).

    The texts are divided into as many groups as there will be labels. Groups with the fewest labels
    come first, then large groups. Of each group, the text with the nearest neighbors is chosen.

    References
    ----------
    .. [1] G. Hacohen, A. Dekel and D. Weinshall, "Active Learning on a Budget: Opposite Strategies
       Suit High and Low Budgets", ICML 2022.
    """
    candidates = situation.candidates[situation.axes[situation.candidates].any(axis=1)]
    if len(candidates) > MOST_CLUSTERED:
        candidates = np.sort(rng.choice(candidates, MOST_CLUSTERED, replace=False))
    if not len(candidates):
        return random(situation, n, rng)
    positions = np.concatenate([situation.labeled, candidates])
    points = situation.axes[positions]
    n_distinct = len(np.unique(points.round(4), axis=0))
    n_clusters = min(len(situation.labeled) + situation.batch, MOST_CLUSTERS, n_distinct)
    seed = int(rng.integers(2**31))
    cluster = KMeans(n_clusters, n_init=1, max_iter=50, random_state=seed).fit_predict(points)
    n_labels = np.bincount(cluster[: len(situation.labeled)], minlength=n_clusters)
    size = np.bincount(cluster, minlength=n_clusters)
    order: list[tuple[int, ...]] = []
    for each in range(n_clusters):
        members = np.flatnonzero(cluster == each)
        likeness = points[members] @ points[members].T
        np.fill_diagonal(likeness, -np.inf)
        if n_neighbors := min(N_NEIGHBORS, len(members) - 1):
            nearest = -np.partition(-likeness, n_neighbors - 1, axis=1)[:, :n_neighbors]
            members = members[np.argsort(nearest.mean(axis=1), kind="stable")]
        # the most typical is the last; each text that is chosen is one more label
        left = members[members >= len(situation.labeled)][::-1].tolist()
        order += [(n_labels[each] + n_new, -size[each], each, at) for n_new, at in enumerate(left)]
    return positions[[at for *_, at in sorted(order)[:n]]]


def margin(situation: Situation, n: int, rng: np.random.Generator) -> np.ndarray:
    """Choose texts whose two most likely classes are almost equally likely.

    Without a model, typical texts are chosen.
    """
    if situation.probabilities is None:
        return typical(situation, n, rng)
    best = np.sort(situation.probabilities[situation.candidates], axis=1)
    lead = best[:, -1] - best[:, -2]
    return situation.candidates[np.argsort(lead, kind="stable")[:n]]


def unsure(situation: Situation, n: int, rng: np.random.Generator) -> np.ndarray:
    """Choose typical texts among the third with the smallest margins.

    These texts are divided into as many groups as there are texts to choose, and the most typical
    text of each group is chosen. So they differ, and none of them is an odd one. Without a model,
    typical texts are chosen.
    """
    n_unsure = max(len(situation.candidates) // UNSURE_PART, UNSURE_PART * n)
    some = np.sort(margin(situation, n_unsure, rng))
    nothing = np.zeros(0, dtype=int)
    return typical(replace(situation, candidates=some, labeled=nothing, batch=n), n, rng)


def typical_then_unsure(situation: Situation, n: int, rng: np.random.Generator) -> np.ndarray:
    """Choose typical texts; from 16 labels on, typical texts and unsure ones in turn."""
    first = typical(situation, n, rng)
    if len(situation.labeled) < TYPICAL_UNTIL or situation.probabilities is None:
        return first
    # small groups: usually a batch is labeled before the strategy is asked again
    second = unsure(situation, situation.batch, rng)
    in_turn = [each for pair in zip_longest(second, first) for each in pair if each is not None]
    return np.array(list(dict.fromkeys(in_turn))[:n], dtype=int)


STRATEGIES: dict[str, Strategy] = {
    "random": random,
    "typical": typical,
    "margin": margin,
    "unsure": unsure,
    "typical-then-unsure": typical_then_unsure,
}
DEFAULT = "typical-then-unsure"


def find_strategy(strategy: Any) -> Strategy:
    """Return the strategy with a name, or the function itself."""
    if callable(strategy):
        return strategy
    if strategy not in STRATEGIES:
        known, hint = ", ".join(STRATEGIES), did_you_mean(str(strategy), STRATEGIES)
        raise ValueError(f"There is no strategy {strategy!r}. The strategies are: {known}.{hint}")
    return STRATEGIES[strategy]
