"""Structure-extended naive Bayes on counts: each word in turn is the parent of all words."""

import numpy as np
from scipy import sparse

from honeybayes.bayes._pair_base import CLASS, COMPLEMENT, RATIO, BasePairNB, above_average
from honeybayes.term_scores import gain_ratio


class StructureExtendedNB(BasePairNB):
    """Average of one-dependence naive Bayes models: SEMNB, SECNB and SEOVA.

    Every word t of a document makes one model, in which all its words, t included, are drawn
    given the class and the presence of t. Their likelihoods are averaged, weighted by the gain
    ratio of t. A document none of whose words has a weight is judged as by `CountNB`.

    Parameters
    ----------
    rule : {"multinomial", "complement", "one-vs-rest"}, default="multinomial"
        What is averaged: the likelihood under the class (SEMNB), that under its complement
        (SECNB; the lowest wins), or the ratio of the first to the second (SEOVA). The ratio is
        averaged over the words with a gain ratio at or above the average of the vocabulary, which
        is what the published numbers come from.
    alpha : float, default=1.0
        Added to every count, above 0.

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
    parent_weights_ : ndarray of shape (n_features,)
        Weight of each term as a parent, zero if it is none.
    n_features_in_ : int
        Number of terms.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the terms, if ``X`` was a data frame.

    See Also
    --------
    CountNB : The same rules for independent words.
    HiddenNB : Averages over the parents word by word, at a lower cost.

    Notes
    -----
    The training documents are kept. When documents are classified, the words beside each word
    are counted once for all of them, so one call with many documents is cheaper than many calls
    with one.

    References
    ----------
    .. [1] "Hidden multinomial naive Bayes" (HMNB, HCNB, HOVA), section 2, where SEMNB, SECNB and
       SEOVA are described.

    Examples
    --------
    >>> from honeybayes.bayes import StructureExtendedNB
    >>> X = [[2, 1, 0], [1, 0, 0], [0, 1, 3]]
    >>> model = StructureExtendedNB().fit(X, ["sea", "sea", "land"])
    >>> model.predict([[1, 1, 0], [0, 1, 1]])
    array(['sea', 'land'], dtype='<U4')
    """

    def __init__(self, rule: str = "multinomial", alpha: float = 1.0) -> None:
        self.rule = rule
        self.alpha = alpha

    def _weigh_parents(self, X: sparse.csr_array, position: np.ndarray) -> np.ndarray:
        weights = gain_ratio(X, position)
        return above_average(weights) if self.rule == "one-vs-rest" else weights

    def _class_log_likelihood(self, X: sparse.csr_array) -> np.ndarray:
        return self._log_average(X, CLASS)

    def _complement_log_likelihood(self, X: sparse.csr_array) -> np.ndarray:
        return self._log_average(X, COMPLEMENT)

    def _log_likelihood_ratio(self, X: sparse.csr_array) -> np.ndarray:
        return self._log_average(X, RATIO)

    def _log_average(self, X: sparse.csr_array, quantity: int) -> np.ndarray:
        from honeybayes.bayes._pair_kernels import super_parent_log

        blocks = self._pairs_in_blocks(X)
        return np.concatenate([super_parent_log(*block, quantity) for block in blocks])
