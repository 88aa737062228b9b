"""Weights of terms for `FeatureWeightedNB`: from counts and classes to one number a term.

A weighting is a function of the training counts (CSR) and of the class of each document as a
number. Every score of `honeybayes.term_scores` is one, over its average. To add another, write it
here and name it in `WEIGHTINGS`.
"""

from collections.abc import Callable

import numpy as np
from scipy import sparse

from honeybayes.term_scores import SCORES, symmetrical_uncertainty, uncertainty_of_table
from honeybayes.utils.matrices import presence_matrix

Weighting = Callable[[sparse.csr_array, np.ndarray], np.ndarray]


def over_average(score: Weighting) -> Weighting:
    """Make a weighting of a score: over its average; 1 for all if no term tells anything."""

    def weigh(X: sparse.csr_array, position: np.ndarray) -> np.ndarray:
        scores = score(X, position)
        average = scores.mean()
        return scores / average if average > 0 else np.ones_like(scores)

    return weigh


def twice_if_in_subset(X: sparse.csr_array, position: np.ndarray) -> np.ndarray:
    """DFW: 2 for the terms that correlation-based feature selection keeps, else 1."""
    return 1.0 + correlation_subset(X, position)


def by_depth_in_tree(X: sparse.csr_array, position: np.ndarray) -> np.ndarray:
    """DTW: 1 + 1 / sqrt(depth at which a decision tree first tests the term), the root's is 1.

    The tree splits on presence by information gain and is grown in full. Of terms that gain the
    same, scikit-learn takes one at random, here always with the same seed.
    """
    from sklearn.tree import DecisionTreeClassifier

    by_term = presence_matrix(X).tocsc()
    starts, indices = by_term.indptr.astype(np.intc), by_term.indices.astype(np.intc)
    presence = sparse.csc_array((by_term.data, indices, starts), shape=X.shape)  # as trees take it
    tree = DecisionTreeClassifier(criterion="entropy", random_state=0).fit(presence, position).tree_
    depth = np.ones(tree.node_count)
    inner = np.flatnonzero(tree.feature >= 0)
    for node in inner:  # parents come before their children
        children = [tree.children_left[node], tree.children_right[node]]
        depth[children] = depth[node] + 1
    first_tested = np.full(X.shape[1], np.inf)
    np.minimum.at(first_tested, tree.feature[inner], depth[inner])
    return 1 + 1 / np.sqrt(first_tested)


WEIGHTINGS: dict[str, Weighting] = {
    **{name: over_average(score) for name, score in SCORES.items()},  # gain ratio is GRW
    "cfs": twice_if_in_subset,
    "tree": by_depth_in_tree,
}


def correlation_subset(X: sparse.csr_array, position: np.ndarray) -> np.ndarray:
    """Choose terms that go with the classes but not with each other (CFS), greedily.

    With u the symmetrical uncertainty, a set S of k terms has the merit

        sum over i in S of u(i, class) / sqrt(k + 2 sum over pairs i, j in S of u(i, j))

    The term that lifts the merit most is added until none does. Only the terms that enter are
    ever compared with all others: the documents of each are read once.

    Returns
    -------
    ndarray of bool, shape (n_terms,)
    """
    presence = presence_matrix(X)
    n_documents, n_terms = presence.shape
    by_term = presence.tocsc()
    frequency = np.diff(by_term.indptr)
    with_class = symmetrical_uncertainty(presence, position)
    with_chosen = np.zeros(n_terms)  # sum of u(term, j) over the chosen terms j
    chosen = np.zeros(n_terms, bool)
    merit = class_sum = pair_sum = 0.0
    while not chosen.all():
        size = chosen.sum() + 1
        merits = (class_sum + with_class) / np.sqrt(size + 2 * (pair_sum + with_chosen))
        merits[chosen] = -np.inf
        best = np.argmax(merits)
        if merits[best] <= merit * (1 + 1e-12):  # what rounding adds is no gain
            break
        merit = merits[best]
        class_sum += with_class[best]
        pair_sum += with_chosen[best]
        chosen[best] = True
        documents = by_term.indices[by_term.indptr[best] : by_term.indptr[best + 1]]
        together = np.bincount(presence[documents].indices, minlength=n_terms)
        sizes = np.array([[n_documents - frequency[best]], [frequency[best]]])
        with_chosen += uncertainty_of_table(np.stack([frequency - together, together]), sizes)
    return chosen
