"""Structure-extended naive Bayes on counts: each term is once the parent of all terms."""

import numpy as np
from scipy import sparse
from scipy.special import logsumexp

from honeybayes.bayes._pair_base import RATIO, BasePairNB, PairProbabilities, above_average, lead
from honeybayes.bayes.base import FitData
from honeybayes.text.term_scores import gain_ratio
from honeybayes.utils.parameters import estimator
from honeybayes.utils.scores import ParentParts


@estimator
class StructureExtendedNB(BasePairNB):
    """Average of one-dependence naive Bayes models: SEMNB, SECNB and SEOVA.

    Every term t of a document defines one model, in which the probabilities of all terms of the
    document, including t, depend on the class and on the presence of t. The likelihoods of these
    models are averaged with the gain ratio of t as weight ([1]_, section 2). If all terms of a
    document have weight 0, it is classified as by `CountNB`.

    Parameters
    ----------
    rule : {"multinomial", "complement", "one-vs-rest"}, default="multinomial"
        The quantity to average. ``"multinomial"`` (SEMNB) averages the likelihood of the class.
        ``"complement"`` (SECNB) averages the likelihood of the complement and predicts the class
        with the lowest average. ``"one-vs-rest"`` (SEOVA) averages the ratio of the likelihood of
        the class to that of its complement. As in the published results, it uses only the terms
        whose gain ratio is at least the average of the vocabulary.

    Examples
    --------
    >>> from honeybayes.bayes import StructureExtendedNB
    >>> X = [[2, 1, 0], [1, 0, 0], [0, 1, 3]]
    >>> model = StructureExtendedNB().fit(X, ["sea", "sea", "land"])
    >>> model.predict([[1, 1, 0], [0, 1, 1]])
    array(['sea', 'land'], dtype='<U4')
    """

    _kernel = "super_parent_log"

    def _weigh_parents(self, data: FitData) -> np.ndarray:
        ratio = gain_ratio(data.X, data.position, sample_weight=data.weights)
        return above_average(ratio) if self.rule == "one-vs-rest" else ratio

    def _log_likelihood_ratio(self, X: sparse.csr_array) -> np.ndarray:
        return self._log_likelihood(X, RATIO)

    def _split(self, pairs: PairProbabilities) -> tuple[np.ndarray, ParentParts | None]:
        """Split the score, which is the log of an average over parents of products over terms.

        With L_t = sum_i f_i log Q_it, w_t the weights of the parents, and
        r_t = w_t exp(L_t) / sum_t w_t exp(L_t) their shares,

            log sum_t w_t exp(L_t) = sum_t r_t (L_t + log(w_t / r_t))

        So a term i adds f_i sum_t r_t log Q_it, and as a parent r_i log(w_i / r_i).
        """
        of_class, of_rest = np.log(pairs.probability)
        log_class, log_rest = pairs.log_prob
        sign = -1.0 if self._rule == "complement" else 1.0
        logs, alone = {
            "multinomial": (of_class, log_class),
            "complement": (of_rest, log_rest),
            "one-vs-rest": (of_class - of_rest, log_class - log_rest),
        }[self._rule]
        without_parent = pairs.counts[:, np.newaxis] * alone
        if not len(pairs.positions):
            return sign * without_parent, None
        log_weight = np.log(pairs.weights / pairs.weights.sum())[:, np.newaxis]
        joint = log_weight + np.einsum("i,tic->tc", pairs.counts, logs)
        whole = logsumexp(joint, axis=0)
        log_share = joint - whole
        share = np.exp(log_share)
        contributions = np.einsum("i,tc,tic->ic", pairs.counts, share, logs)
        contributions[pairs.positions] += share * (log_weight - log_share)

        lost = np.empty_like(joint)
        for t in range(len(joint)):
            others = np.arange(len(joint)) != t
            if others.any():
                less = logsumexp(joint[others], axis=0) - logsumexp(log_weight[others])
            else:
                less = without_parent.sum(axis=0)
            lost[t] = sign * (whole - less)
        return sign * contributions, ParentParts(pairs.positions, share[:, 0], lead(lost))
