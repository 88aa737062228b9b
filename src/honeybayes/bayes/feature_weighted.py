"""Naive Bayes on counts in which some terms weigh more than others."""

from typing import Any, Self

import numpy as np
from scipy import sparse

from honeybayes.bayes._linear_base import BaseWeightedTermsNB
from honeybayes.bayes._weightings import WEIGHTINGS
from honeybayes.utils.state import Array, State
from honeybayes.utils.validation import check_option, check_term_weights

LARGEST_WEIGHT = 1e100  # sums of what it multiplies stay within float64


class FeatureWeightedNB(BaseWeightedTermsNB):
    """Naive Bayes on weighted counts: GRW, DFW and DTW.

    The weight W of a term multiplies its counts wherever they stand, in the estimates and in the
    exponent ("deep" weighting)::

        P(i given c) = (W_i N_ic + alpha) / (sum over i of W_i N_ic + m alpha)
        log P(d given c) = sum over i of W_i f_i log P(i given c)

    It is `CountNB` on columns multiplied by W, and costs as much once the weights are known.

    Parameters
    ----------
    rule : {"multinomial", "complement", "one-vs-rest"}, default="multinomial"
        How the log joint a under the class and b under its complement decide: by a, by -b, or by
        a - b.
    alpha : float, default=1.0
        Added to every weighted count, above 0.
    weighting : {"gain-ratio", "information-gain", "symmetrical-uncertainty", "chi-square", "cfs", \
            "tree"}, array-like or callable, default="gain-ratio"
        Weight of each term.

        - ``"gain-ratio"`` (GRW): gain ratio of its presence, divided by the average over all terms.
        - ``"information-gain"``, ``"symmetrical-uncertainty"``, ``"chi-square"``: likewise, by the
          other functions of `honeybayes.term_scores`.
        - ``"cfs"`` (DFW): 2 if greedy correlation-based feature selection keeps it, else 1.
        - ``"tree"`` (DTW): 1 + 1 / sqrt(d), where d is the least depth at which a decision tree
          tests its presence, 1 at the root; 1 for a term that is not tested.
        - array of shape (n_features,): taken as it is, finite and not negative.
        - callable: called with copies of the counts (CSR of float64, sorted, no duplicates or
          zeros) and of the classes of the documents as numbers from 0; returns such an array.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    class_count_ : ndarray of shape (n_classes,)
        Documents of each class.
    class_log_prior_ : ndarray of shape (n_classes,)
        log P(class), smoothed by one document.
    complement_log_prior_ : ndarray of shape (n_classes,)
        log P(complement of the class), smoothed by one document.
    feature_weights_ : ndarray of shape (n_features,)
        Weight of each term.
    feature_count_ : ndarray of shape (n_classes, n_features)
        Occurrences of each term in each class, times its weight.
    feature_log_prob_ : ndarray of shape (n_classes, n_features) or None
        log P(term given class), from weighted counts. None if ``rule="complement"``. To score a
        document it is multiplied by the weight of the term.
    complement_feature_log_prob_ : ndarray of shape (n_classes, n_features) or None
        log P(term given the complement of the class), likewise. None if ``rule="multinomial"``.
    n_features_in_ : int
        Number of terms.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the terms, if ``X`` was a data frame.

    See Also
    --------
    AssociationWeightedNB : A weight for each term and class.
    FeatureSelectedNB : Weights that are one or zero.
    InstanceWeightedNB : Weights of documents.

    Notes
    -----
    Not only the ratios of the weights count, but their size too: alpha is added to weighted
    counts. A callable that returns raw scores should divide them by their average, as
    ``"gain-ratio"`` does.

    The tree of ``"tree"`` is scikit-learn's, grown with a fixed seed. Of terms that part a node
    equally well it takes one that depends on the order of the columns, so shuffling them can
    change the weights.

    References
    ----------
    .. [1] "Hidden multinomial naive Bayes" (HMNB, HCNB, HOVA), section 2.1, where GRW, DFW and
       DTW are described.
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

    fitted_attributes = State(
        feature_weights_=Array(("features",), low=0),
    )

    def __init__(
        self, rule: str = "multinomial", alpha: float = 1.0, weighting: Any = "gain-ratio"
    ) -> None:
        self.rule = rule
        self.alpha = alpha
        self.weighting = weighting

    def fit(self, X: Any, y: Any) -> Self:
        """Weigh the terms, and learn from labeled documents.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents by terms: counts, or other weights that are not negative, as tf-idf.
        y : array-like of shape (n_samples,)
            Label of each document.

        Returns
        -------
        self : object
        """
        X, position, classes = self._start_fit(X, y)
        weights = self._weigh(X, position)
        self._keep_weighted_terms(X, position, classes, weights)
        self.feature_weights_ = weights
        return self

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if isinstance(self.weighting, str):
            check_option("weighting", self.weighting, tuple(WEIGHTINGS))

    def _weigh(self, X: sparse.csr_array, position: np.ndarray) -> np.ndarray:
        weighting = self.weighting
        if isinstance(weighting, str):
            return WEIGHTINGS[weighting](X, position)
        # X may share its arrays with those of the caller, and a function may write to them
        given = weighting(X.copy(), position.copy()) if callable(weighting) else weighting
        weights = check_term_weights("weighting", given, X.shape[1])
        if weights.max() > LARGEST_WEIGHT:
            raise ValueError(
                f"weighting holds {weights.max()}, which leads out of what float64 can hold: take "
                f"weights up to {LARGEST_WEIGHT}."
            )
        return weights
