"""Weights of terms for `FeatureWeightedNB`: one number per term from counts and classes.

A weighting is a function of the training documents. Every score of
`honeybayes.text.term_scores`, divided by its average, is a weighting. To add a weighting, define
it here and add it to `WEIGHTINGS`.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

from honeybayes.bayes.base import FitData
from honeybayes.text.term_scores import SCORES, symmetrical_uncertainty, uncertainty_of_table
from honeybayes.utils.matrices import per_entry, presence_matrix

Weighting = Callable[[FitData], np.ndarray]


def over_average(score: Callable[..., np.ndarray]) -> Weighting:
    """Turn a score into a weighting: divide by its average; 1 for all if every score is 0."""

    def weigh(data: FitData) -> np.ndarray:
        scores = score(data.X, data.position, sample_weight=data.weights)
        average = scores.mean()
        return scores / average if average > 0 else np.ones_like(scores)

    return weigh


def by_depth_in_tree(data: FitData) -> np.ndarray:
    """DTW: 1 + 1 / sqrt(depth at which a decision tree first tests the term); the root has 1.

    The tree splits on presence by information gain and is fully grown. If several terms have the
    same gain, scikit-learn chooses one at random, here always with the same seed.
    """
    from sklearn.tree import DecisionTreeClassifier

    X, position, _, weights = data.used()
    by_term = presence_matrix(X).tocsc()
    starts, indices = by_term.indptr.astype(np.intc), by_term.indices.astype(np.intc)
    presence = sparse.csc_array((by_term.data, indices, starts), shape=X.shape)  # as trees take it
    model = DecisionTreeClassifier(criterion="entropy", random_state=0)
    tree = model.fit(presence, position, sample_weight=weights).tree_
    depth = np.ones(tree.node_count)
    inner = np.flatnonzero(tree.feature >= 0)
    for node in inner:  # parents come before their children
        children = [tree.children_left[node], tree.children_right[node]]
        depth[children] = depth[node] + 1
    first_tested = np.full(X.shape[1], np.inf)
    np.minimum.at(first_tested, tree.feature[inner], depth[inner])
    return 1 + 1 / np.sqrt(first_tested)


def correlation_subset(data: FitData) -> np.ndarray:
    """Choose terms that correlate with the classes but not with each other (CFS), greedily.

    Let u be the symmetrical uncertainty. The merit of a set S of k terms is

        sum over i in S of u(i, class) / sqrt(k + 2 sum over pairs i, j in S of u(i, j))

    Terms are added one by one. Each step adds the term that increases the merit most, until no term
    increases it. Only selected terms are compared with all others: the documents of each selected
    term are read once.
    """
    X, position, _, weights = data.used()
    presence = presence_matrix(X)
    n_terms, by_term = presence.shape[1], presence.tocsc()

    def count(documents: sparse.csr_array, weights: np.ndarray | None) -> np.ndarray:
        each_entry = None if weights is None else per_entry(documents, weights)
        return np.bincount(documents.indices, each_entry, minlength=n_terms)

    n_documents: Any = len(position) if weights is None else weights.sum()
    frequency = count(presence, weights)
    with_class = symmetrical_uncertainty(presence, position, sample_weight=weights)
    with_chosen = np.zeros(n_terms)  # sum of u(term, j) over the chosen terms j
    chosen = np.zeros(n_terms, bool)
    merit = class_sum = pair_sum = 0.0
    while not chosen.all():
        size = chosen.sum() + 1
        merits = (class_sum + with_class) / np.sqrt(size + 2 * (pair_sum + with_chosen))
        merits[chosen] = -np.inf
        best = np.argmax(merits)
        if merits[best] <= merit * (1 + 1e-12):  # ignores rounding errors
            break
        merit = merits[best]
        class_sum += with_class[best]
        pair_sum += with_chosen[best]
        chosen[best] = True
        rows = by_term.indices[by_term.indptr[best] : by_term.indptr[best + 1]]
        together = count(presence[rows], None if weights is None else weights[rows])
        sizes = np.array([[n_documents - frequency[best]], [frequency[best]]])
        with_chosen += uncertainty_of_table(np.stack([frequency - together, together]), sizes)
    return chosen


WEIGHTINGS: dict[str, Weighting] = {
    **{name: over_average(score) for name, score in SCORES.items()},  # gain ratio is GRW
    "cfs": lambda data: 1.0 + correlation_subset(data),  # DFW
    "tree": by_depth_in_tree,
}
