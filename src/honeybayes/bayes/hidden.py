"""Hidden naive Bayes on counts: every word leans on the other words of its document."""

from typing import Any

import numpy as np
from scipy import sparse

from honeybayes.bayes._pair_base import (
    CLASS,
    COMPLEMENT,
    INVERSE_RATIO,
    BasePairNB,
    above_average,
)
from honeybayes.term_scores import gain_ratio
from honeybayes.utils.validation import check_option, check_term_weights


class HiddenNB(BasePairNB):
    """Naive Bayes in which each word has a hidden parent: HMNB, HCNB and HOVA.

    P(word given class) gives way to an average of P(word given parent, class) over the other
    words of the document, weighted by how much each of them says about the class. Only words that
    say at least as much as the average word of the vocabulary are parents. A word without any
    parent in its document keeps P(word given class), as in `CountNB`.

    Parameters
    ----------
    rule : {"multinomial", "complement", "one-vs-rest"}, default="multinomial"
        How the log joint a under the class and b under its complement decide: by a (HMNB), by -b
        (HCNB), or by a - b.
    alpha : float, default=1.0
        Added to every count, above 0.
    parents : "gain-ratio" or array-like of shape (n_features,), default="gain-ratio"
        Weight of each term as a parent. ``"gain-ratio"`` takes the gain ratio of its presence,
        and zero where that is below the average. An array is taken as it is: finite, not
        negative, and zero for a term that must not be a parent.
    ovr_score : {"difference", "paper"}, default="difference"
        What ``rule="one-vs-rest"`` compares. ``"difference"`` is a - b. ``"paper"`` averages over
        the parents the odds of complement to class, rather than each probability apart: the
        published numbers of HOVA come from it, though they are lower.

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
    StructureExtendedNB : Averages whole likelihoods, one for each word as the parent of all.

    Notes
    -----
    The training documents are kept. When documents are classified, the words beside each parent
    are counted once for all of them, so one call with many documents is cheaper than many calls
    with one.

    References
    ----------
    .. [1] "Hidden multinomial naive Bayes" (HMNB, HCNB, HOVA), Equations 10 to 18, Algorithms 1
       to 6.

    Examples
    --------
    >>> from honeybayes.bayes import HiddenNB
    >>> X = [[2, 1, 0], [1, 0, 0], [0, 1, 3]]
    >>> model = HiddenNB(rule="complement").fit(X, ["sea", "sea", "land"])
    >>> model.predict([[1, 1, 0], [0, 1, 1]])
    array(['sea', 'land'], dtype='<U4')
    """

    def __init__(
        self,
        rule: str = "multinomial",
        alpha: float = 1.0,
        parents: Any = "gain-ratio",
        ovr_score: str = "difference",
    ) -> None:
        self.rule = rule
        self.alpha = alpha
        self.parents = parents
        self.ovr_score = ovr_score

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_option("ovr_score", self.ovr_score, ("difference", "paper"))
        if isinstance(self.parents, str):
            check_option("parents", self.parents, ("gain-ratio",))

    def _weigh_parents(self, X: sparse.csr_array, position: np.ndarray) -> np.ndarray:
        if isinstance(self.parents, str):
            return above_average(gain_ratio(X, position))
        weights = check_term_weights("parents", self.parents, X.shape[1])
        largest, smallest = weights.max(initial=0), weights[weights > 0].min(initial=np.inf)
        if smallest < 1e-100 * largest:
            raise ValueError(
                f"parents range from {smallest} to {largest}: the small ones would be lost beside "
                "the large. Set them to 0, or bring them within 100 powers of ten."
            )
        return weights

    def _class_log_likelihood(self, X: sparse.csr_array) -> np.ndarray:
        return self._logs(X, CLASS)[0]

    def _complement_log_likelihood(self, X: sparse.csr_array) -> np.ndarray:
        return self._logs(X, COMPLEMENT)[0]

    def _log_likelihood_ratio(self, X: sparse.csr_array) -> np.ndarray:
        if self.ovr_score == "paper":
            return -self._logs(X, INVERSE_RATIO)[0]
        of_class, of_complement = self._logs(X, CLASS, COMPLEMENT)
        return of_class - of_complement

    def _logs(self, X: sparse.csr_array, *quantities: int) -> np.ndarray:
        from honeybayes.bayes._pair_kernels import hidden_parent_logs

        blocks = self._pairs_in_blocks(X)
        logs = [hidden_parent_logs(*block, np.array(quantities)) for block in blocks]
        return np.concatenate(logs, axis=1)
