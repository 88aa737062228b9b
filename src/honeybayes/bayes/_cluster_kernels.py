"""Compiled loop that merges words, pair after pair.

Numba takes a second to import, so import this module only when the kernel is needed. Arrays in,
arrays out; the kernel is serial and releases the GIL.

With h(v) = v log v, x_c the weight of cluster x in class c and |x| its sum, merging x and y loses

    h(|x| + |y|) - h(|x|) - h(|y|) - sum over c of (h(x_c + y_c) - h(x_c) - h(y_c))

of the total weight times the mutual information. A class adds nothing unless both occur in it.
"""

from typing import NamedTuple

import numpy as np

from honeybayes.utils.compiling import compiled

NOTHING = 1e-12  # a loss of less, in parts of the merged weight, is left by rounding: it is none
UNKNOWN = -1


class Clusters(NamedTuple):
    """Weight of each cluster in each class and in all, and h of both."""

    by_class: np.ndarray
    weight: np.ndarray
    h_by_class: np.ndarray
    h_weight: np.ndarray


@compiled
def merge_words(count: np.ndarray, n_clusters: int) -> np.ndarray:
    """Merge the two clusters that lose least information about the class, time after time.

    Each cluster remembers the nearest of those after it, so no table of words by words is kept.
    When its nearest is merged away, what it would lose is still a lower bound, and the search is
    put off until the bound is the least of all.

    Parameters
    ----------
    count : ndarray of shape (n_words, n_classes)
        Occurrences of each word in each class; none without any.
    n_clusters : int
        Where to stop, 1 or more.

    Returns
    -------
    ndarray of shape (n_words,)
        The first word of the cluster of each word.
    """
    n_words, total = len(count), count.sum()
    clusters = Clusters(count.copy(), count.sum(axis=1), np.zeros(count.shape), np.zeros(n_words))
    for word in range(n_words):
        _update(word, clusters)
    first_word = np.arange(n_words)
    active = np.arange(n_words)  # in ascending order
    nearest, loss = np.full(n_words, UNKNOWN), np.full(n_words, np.inf, np.float32)
    for place in range(n_words):
        _look_for_nearest(place, active, clusters, total, nearest, loss)
    while len(active) > max(n_clusters, 1):
        i = np.argmin(loss)  # the first of those that are tied
        if nearest[i] == UNKNOWN:
            _look_for_nearest(np.searchsorted(active, i), active, clusters, total, nearest, loss)
            continue
        j = nearest[i]
        first_word[j], loss[j] = i, np.inf
        clusters.by_class[i] += clusters.by_class[j]
        _update(i, clusters)
        active = active[active != j]
        for k in active:
            if nearest[k] == i or nearest[k] == j:
                nearest[k] = UNKNOWN
            if k < i:
                new = _loss(k, i, clusters, total)
                if new < loss[k] or (new == loss[k] and i < nearest[k]):
                    nearest[k], loss[k] = i, new
        _look_for_nearest(np.searchsorted(active, i), active, clusters, total, nearest, loss)
    for word in range(n_words):  # the first word of a cluster comes before those that joined it
        first_word[word] = first_word[first_word[word]]
    return first_word


@compiled
def _update(i: int, clusters: Clusters) -> None:
    """Compute anew what follows from the count of a cluster."""
    clusters.weight[i] = clusters.by_class[i].sum()
    clusters.h_weight[i] = clusters.weight[i] * np.log(clusters.weight[i])
    for c in range(clusters.by_class.shape[1]):
        if clusters.by_class[i, c] > 0:
            clusters.h_by_class[i, c] = clusters.by_class[i, c] * np.log(clusters.by_class[i, c])


@compiled
def _look_for_nearest(
    place: int,
    active: np.ndarray,
    clusters: Clusters,
    total: float,
    nearest: np.ndarray,
    loss: np.ndarray,
) -> None:
    """Find the nearest of the clusters after this one; the first of those that are tied."""
    i = active[place]
    nearest[i], loss[i] = UNKNOWN, np.inf
    for j in active[place + 1 :]:
        new = _loss(i, j, clusters, total)
        if new < loss[i] or nearest[i] == UNKNOWN:
            nearest[i], loss[i] = j, new


@compiled
def _loss(i: int, j: int, clusters: Clusters, total: float) -> np.float32:
    """Mutual information that is lost when two clusters are merged.

    Rounded to single precision, so that the last bits of the sum do not decide between pairs that
    are tied.
    """
    merged = clusters.weight[i] + clusters.weight[j]
    loss = merged * np.log(merged) - clusters.h_weight[i] - clusters.h_weight[j]
    for c in range(clusters.by_class.shape[1]):
        if clusters.by_class[i, c] > 0 and clusters.by_class[j, c] > 0:
            both = clusters.by_class[i, c] + clusters.by_class[j, c]
            loss -= both * np.log(both) - clusters.h_by_class[i, c] - clusters.h_by_class[j, c]
    return np.float32(loss / total if loss > NOTHING * merged else 0.0)
