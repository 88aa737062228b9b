"""Naive Bayes on counts in which terms have weights."""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

from honeybayes.bayes._count_base import BaseWeightedTermsNB
from honeybayes.bayes.base import FitData
from honeybayes.text.term_scores import SCORES, symmetrical_uncertainty, uncertainty_of_table
from honeybayes.utils.matrices import presence_matrix
from honeybayes.utils.parameters import estimator
from honeybayes.utils.state import Array, State
from honeybayes.utils.validation import check_option, check_term_weights

WEIGHTINGS = (*SCORES, "cfs", "tree")
LARGEST_WEIGHT = 1e100  # sums of products with it fit in float64


@estimator
class FeatureWeightedNB(BaseWeightedTermsNB):
    """Naive Bayes on weighted counts: GRW, DFW and DTW.

    The weight W of a term multiplies its counts in the estimates and in the exponent ("deep"
    weighting)::

        P(i given c) = (W_i N_ic + alpha) / (sum over i of W_i N_ic + m alpha)
        log P(d given c) = sum over i of W_i f_i log P(i given c)

    This is `CountNB` on columns multiplied by W.

    Parameters
    ----------
    weighting : {"gain-ratio", "information-gain", "symmetrical-uncertainty", "chi-square", \
            "weka-gain", "cfs", "tree"}, array-like or callable, default="gain-ratio"
        Weight of each term.

        - ``"gain-ratio"`` (GRW): gain ratio of its presence, divided by the average over all terms.
        - ``"information-gain"``, ``"symmetrical-uncertainty"``, ``"chi-square"``,
          ``"weka-gain"``: the same with the other functions of `honeybayes.text.term_scores`.
        - ``"cfs"`` (DFW): 2 if greedy correlation-based feature selection keeps the term, else 1.
        - ``"tree"`` (DTW): 1 + 1 / sqrt(d), where d is the lowest depth at which a decision tree
          tests the presence of the term (the root has depth 1). The weight is 1 if the term is not
          tested.
        - array of shape (n_features,): the weights. They must be finite and 0 or more.
        - callable: gets copies of the counts (CSR of float64, sorted, no duplicates or zeros) and
          of the class indices of the documents, and returns the weights; not with
          ``sample_weight``. It should divide raw scores by their average, because alpha is added.

    Attributes
    ----------
    feature_weights_ : ndarray of shape (n_features,)
        Weight of each term.
    feature_count_ : ndarray of shape (n_classes, n_features)
        Occurrences of each term per class, multiplied by its weight. The log-probabilities follow
        from these.

    References
    ----------
    .. [1] "Hidden multinomial naive Bayes" (HMNB, HCNB, HOVA), section 2.1.
    .. [2] M. A. Hall, "Correlation-based feature selection for machine learning", PhD thesis,
       University of Waikato, 1999.

    Examples
    --------
    >>> from honeybayes.bayes import FeatureWeightedNB
    >>> X = [[2, 1, 0], [1, 0, 0], [0, 1, 3]]
    >>> model = FeatureWeightedNB(rule="one-vs-rest").fit(X, ["sea", "sea", "land"])
    >>> model.feature_weights_.round(2)
    array([1.32, 0.36, 1.32])
    >>> model.predict([[1, 1, 0], [0, 1, 1]])
    array(['sea', 'land'], dtype='<U4')
    """

    weighting: Any = "gain-ratio"

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if isinstance(self.weighting, str):
            check_option("weighting", self.weighting, WEIGHTINGS)

    fitted_attributes = State(feature_weights_=Array(("features",), low=0))

    def _learn(self, data: FitData) -> None:
        term_weights = self._weigh_terms(data)
        self._keep_weighted_terms(data, term_weights)
        self.feature_weights_ = term_weights

    def _weigh_terms(self, data: FitData) -> np.ndarray:
        """Compute the weights of the terms, or check the given weights."""
        given = self.weighting
        if isinstance(given, str):
            if given == "cfs":  # DFW
                return 1.0 + correlation_subset(data)
            if given == "tree":  # DTW
                return by_depth_in_tree(data)
            score: Callable[..., np.ndarray] = SCORES[given]  # the gain ratio is GRW
            scores = score(data.X, data.position, sample_weight=data.weights)
            average = scores.mean()
            return scores / average if average > 0 else np.ones_like(scores)
        if callable(given):
            if data.weights is not None:
                raise ValueError(
                    "weighting is a callable, which cannot use sample_weight. Pass an array of "
                    f"term weights, or one of {', '.join(map(repr, WEIGHTINGS))}."
                )
            # copies, because X may share memory with the caller, and the callable may write
            given = given(data.X.copy(), data.position.copy())
        term_weights = check_term_weights("weighting", given, data.X.shape[1])
        if term_weights.max() > LARGEST_WEIGHT:
            raise ValueError(
                f"weighting contains {term_weights.max()}, but weights must be at most "
                f"{LARGEST_WEIGHT}. Divide them by their average."
            )
        return term_weights


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
    w: Any = np.ones(len(position), np.int64) if weights is None else weights
    n_documents, frequency = w.sum(), w @ presence
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
        together = w[rows] @ presence[rows]
        sizes = np.array([[n_documents - frequency[best]], [frequency[best]]])
        with_chosen += uncertainty_of_table(np.stack([frequency - together, together]), sizes)
    return chosen
