"""Hidden naive Bayes on counts: every term depends on the other terms of its document."""

from collections.abc import Callable
from functools import partial
from typing import Any, Literal

import numpy as np
from scipy import sparse

from honeybayes.bayes import _pair_base
from honeybayes.bayes._count_base import CLASS, COMPLEMENT, weigh_documents
from honeybayes.bayes.base import FitData
from honeybayes.text.term_scores import gain_ratio
from honeybayes.utils.matrices import of_complement, per_entry, sum_by_class
from honeybayes.utils.parameters import estimator
from honeybayes.utils.scores import ParentParts
from honeybayes.utils.state import OneOf, State
from honeybayes.utils.validation import FromZero, check_term_weights

SMALLEST = 1e-50  # of a learned weight, relative to the largest


@estimator
class HiddenNB(_pair_base.BasePairNB):
    """Naive Bayes in which each word has a hidden parent: HMNB, HCNB and HOVA.

    P(term given class) is replaced by an average of P(term given parent, class) over the other
    terms of the document, weighted by the gain ratio of the parent ([1]_, Equations 10 to 18). Only
    terms whose gain ratio is at least the average of the vocabulary are parents. If a document
    contains no parent of a term, P(term given class) is used, as in `CountNB`.

    Parameters
    ----------
    parents : "gain-ratio" or array-like of shape (n_features,), default="gain-ratio"
        Weight of each term as a parent. ``"gain-ratio"`` uses the gain ratio of the presence of the
        term, or 0 if it is below the average. An array contains the weights: finite numbers, 0 or
        more. 0 means that the term is not a parent.
    em_steps : int, default=0
        Number of steps of EM that change the weights of the parents, beginning with ``parents``.
        Each step increases the likelihood of the training documents, where each document is
        predicted from the others. A term that is not a parent stays so.
    ovr_score : {"difference", "paper"}, default="difference"
        The score of ``rule="one-vs-rest"``. ``"difference"`` is a - b. ``"paper"`` averages the
        ratio P(term given parent, complement) / P(term given parent, class) over the parents. The
        published results of HOVA use ``"paper"``, although it is less accurate.

    Examples
    --------
    >>> from honeybayes.bayes import HiddenNB
    >>> X = [[2, 1, 0], [1, 0, 0], [0, 1, 3]]
    >>> model = HiddenNB(rule="complement").fit(X, ["sea", "sea", "land"])
    >>> model.predict([[1, 1, 0], [0, 1, 1]])
    array(['sea', 'land'], dtype='<U4')
    """

    parents: Literal["gain-ratio"] | Any = "gain-ratio"
    em_steps: FromZero = 0
    ovr_score: Literal["difference", "paper"] = "difference"

    fitted_attributes = State(_ovr_score=OneOf(("difference", "paper")))
    _kernel = "hidden_parent_log"

    def _set_priors(self, class_count: np.ndarray) -> None:
        super()._set_priors(class_count)
        self._ovr_score = self.ovr_score

    def _weigh_parents(self, data: FitData) -> np.ndarray:
        if isinstance(self.parents, str):
            ratio = gain_ratio(data.X, data.position, sample_weight=data.weights)
            start = _pair_base.above_average(ratio)
        else:
            start = check_term_weights("parents", self.parents, data.X.shape[1])
        largest, smallest = start.max(initial=0), start[start > 0].min(initial=np.inf)
        if smallest < 1e-100 * largest:
            raise ValueError(
                f"The largest value of parents, {largest}, is more than 1e100 times the smallest, "
                f"{smallest}. Set very small values to 0."
            )
        return learn_parents(data, start, self.alpha, self.em_steps) if self.em_steps else start

    def _log_likelihood_ratio(self, X: sparse.csr_array) -> np.ndarray:
        if self._ovr_score == "paper":
            return -self._log_likelihood(X, _pair_base.INVERSE_RATIO)
        return super()._log_likelihood_ratio(X)

    def _split(self, pairs: _pair_base.PairProbabilities) -> tuple[np.ndarray, ParentParts]:
        """Split the score: term i adds f_i log (average over its parents t of P(i given t))."""
        # no term is a parent of itself
        is_itself = pairs.positions[:, np.newaxis] == np.arange(len(pairs.counts))
        weights = np.where(is_itself, 0.0, pairs.weights[:, np.newaxis])[..., np.newaxis]
        counts = pairs.counts[:, np.newaxis]

        def value(add: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
            of_class, of_rest = pairs.probability
            log_class, log_rest = pairs.log_prob

            def average_log(quantity: np.ndarray, without_parent: np.ndarray) -> np.ndarray:
                weighted, total = add(weights * quantity), add(weights)
                some = np.broadcast_to(total > 0, weighted.shape)
                average = np.divide(weighted, total, out=np.ones_like(weighted), where=some)
                return np.where(some, np.log(average), without_parent)

            if self._rule == "multinomial":
                return average_log(of_class, log_class)
            if self._rule == "complement":
                return -average_log(of_rest, log_rest)
            if self._ovr_score == "paper":
                return -average_log(of_rest / of_class, log_rest - log_class)
            return average_log(of_class, log_class) - average_log(of_rest, log_rest)

        contributions = counts * value(partial(np.sum, axis=0))
        lost = contributions - counts * value(_all_but_one)
        side = COMPLEMENT if self._rule == "complement" else CLASS
        part = (weights * pairs.probability[side])[..., 0]
        total = part.sum(axis=0)
        share = np.divide(part, total, out=np.zeros_like(part), where=total > 0)
        return contributions, ParentParts(pairs.positions, share.T, _pair_base.lead(lost).T)


def learn_parents(data: FitData, start: np.ndarray, alpha: float, n_steps: int) -> np.ndarray:
    """Return the weights of the parents after some steps of EM.

    Let p_dit be P(term i given parent t, class of d), estimated from the other training documents:
    one copy of d is left out. Otherwise, a parent that occurs in one document only would explain
    that document best. With f_di the count of i in d, the log-likelihood of the weights W is

        sum over d and i of f_di (log sum_t W_t p_dit - log sum_t W_t)

    where t runs over the parents in d other than i. The parent is hidden, so EM is used. The
    posterior of a parent is r_dit = W_t p_dit / sum_s W_s p_dis. The weights are divided by the sum
    over the parents of one document, so the M-step has no closed form. Its last logarithm is
    bounded by its tangent at the present weights, as in MM algorithms, which gives

        W_t <- sum over d and i of f_di r_dit / sum over d and i of (f_di / sum_s W_s)

    Each step increases the likelihood, unless it is at a stationary point. Only ratios of weights
    matter; a weight of 0 stays 0.
    """
    from honeybayes.bayes._kernels import parent_ratios

    X, position, classes, weights = data = data.used()
    w = np.ones(X.shape[0]) if weights is None else weights
    weighted, lengths, n_classes = weigh_documents(data), X.sum(axis=1), len(classes)
    total = sum_by_class(X, position, n_classes, per_entry(X, w * lengths)) + X.shape[1] * alpha
    matrices = map(_pair_base.postings, (X, weighted, weighted.tocsc()))
    arguments = (*matrices, position, w, lengths, total, alpha)
    for _ in range(n_steps if start.any() else 0):
        start = start / start.max()
        learned = start * parent_ratios(*arguments, start)
        start = np.where(start > 0, np.maximum(learned, SMALLEST * learned.max()), 0.0)
    return start


def _all_but_one(values: np.ndarray) -> np.ndarray:
    """For each index of the first axis, sum over all other indices, without subtraction."""
    return np.moveaxis(of_complement(np.moveaxis(values, 0, -1)), -1, 0)
