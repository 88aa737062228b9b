"""Compiled loop that merges terms, one pair after another.

Importing numba takes a second, so this module is imported only when needed. The kernel takes and
returns arrays, is serial and releases the GIL.

With h(v) = v log v, x_c the weight of cluster x in class c and |x| its sum, merging x and y loses

    h(|x| + |y|) - h(|x|) - h(|y|) - sum over c of (h(x_c + y_c) - h(x_c) - h(y_c))

of the mutual information, after division by the total weight. Only classes that contain both
clusters have to be summed.
"""

from typing import NamedTuple

import numpy as np

from honeybayes.utils.compiling import compiled

NOTHING = 1e-12  # a smaller loss, relative to the merged weight, is a rounding error
UNKNOWN = -1


class Clusters(NamedTuple):
    """Weight of each cluster per class and in total, and h of both."""

    by_class: np.ndarray
    weight: np.ndarray
    h_by_class: np.ndarray
    h_weight: np.ndarray


@compiled
def merge_terms(count: np.ndarray, n_clusters: int) -> np.ndarray:
    """Repeatedly merge the two clusters with the smallest loss of information about the class.

    For each cluster, only the nearest later cluster is stored, so no table of terms by terms is
    needed. If the nearest cluster is merged, the old loss is still a lower bound. The nearest
    cluster is searched again only if this bound is the lowest of all.

    ``count`` is the number of occurrences (n_terms, n_classes); every term must occur. Returns, for
    each term, the first term of its cluster.
    """
    n_terms, total = len(count), count.sum()
    clusters = Clusters(count.copy(), count.sum(axis=1), np.zeros(count.shape), np.zeros(n_terms))
    for term in range(n_terms):
        _update(term, clusters)
    first_term = np.arange(n_terms)
    active = np.arange(n_terms)  # in ascending order
    nearest, loss = np.full(n_terms, UNKNOWN), np.full(n_terms, np.inf, np.float32)
    for k in range(n_terms):
        _look_for_nearest(k, active, clusters, total, nearest, loss)
    while len(active) > max(n_clusters, 1):
        i = np.argmin(loss)  # the first if several are equal
        if nearest[i] == UNKNOWN:
            _look_for_nearest(np.searchsorted(active, i), active, clusters, total, nearest, loss)
            continue
        j = nearest[i]
        first_term[j], loss[j] = i, np.inf
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
    for term in range(n_terms):  # the first term of a cluster comes before the others
        first_term[term] = first_term[first_term[term]]
    return first_term


@compiled
def _update(i: int, clusters: Clusters) -> None:
    """Update the values that depend on the count of a cluster."""
    clusters.weight[i] = clusters.by_class[i].sum()
    clusters.h_weight[i] = clusters.weight[i] * np.log(clusters.weight[i])
    for c in range(clusters.by_class.shape[1]):
        if clusters.by_class[i, c] > 0:
            clusters.h_by_class[i, c] = clusters.by_class[i, c] * np.log(clusters.by_class[i, c])


@compiled
def _look_for_nearest(
    k: int,
    active: np.ndarray,
    clusters: Clusters,
    total: float,
    nearest: np.ndarray,
    loss: np.ndarray,
) -> None:
    """Find the nearest cluster after this one; the first if several are equal."""
    i = active[k]
    nearest[i], loss[i] = UNKNOWN, np.inf
    for j in active[k + 1 :]:
        new = _loss(i, j, clusters, total)
        if new < loss[i] or nearest[i] == UNKNOWN:
            nearest[i], loss[i] = j, new


@compiled
def _loss(i: int, j: int, clusters: Clusters, total: float) -> np.float32:
    """Compute the mutual information that is lost if two clusters are merged.

    It is rounded to single precision, so that rounding errors do not decide between equal pairs.
    """
    merged = clusters.weight[i] + clusters.weight[j]
    loss = merged * np.log(merged) - clusters.h_weight[i] - clusters.h_weight[j]
    for c in range(clusters.by_class.shape[1]):
        if clusters.by_class[i, c] > 0 and clusters.by_class[j, c] > 0:
            both = clusters.by_class[i, c] + clusters.by_class[j, c]
            loss -= both * np.log(both) - clusters.h_by_class[i, c] - clusters.h_by_class[j, c]
    return np.float32(loss / total if loss > NOTHING * merged else 0.0)
