"""Learn the weights of the parents of `HiddenNB` with EM.

Let p_dit be P(term i given parent t, class of d), estimated from the other training documents: one
copy of d is left out. Otherwise, a parent that occurs in one document only would explain that
document best. With f_di the count of i in d, the log-likelihood of the weights W is

    sum over d and i of f_di (log sum_t W_t p_dit - log sum_t W_t)

where t runs over the parents in d other than i. EM applies because the parent is hidden. Its
posterior is r_dit = W_t p_dit / sum_s W_s p_dis. The weights are divided by the sum over the
parents of one document, so the M-step has no closed form. Its last logarithm is bounded by
its tangent at the present weights, as in MM algorithms, which gives

    W_t <- sum over d and i of f_di r_dit / sum over d and i of (f_di / sum_s W_s)

Each step increases the likelihood, unless it is at a stationary point. Only ratios of weights
matter; a weight of 0 stays 0.
"""

import numpy as np

from honeybayes.bayes._count_base import weigh_documents
from honeybayes.bayes._pair_base import postings
from honeybayes.bayes.base import FitData
from honeybayes.utils.matrices import per_entry, sum_by_class

SMALLEST = 1e-50  # of a weight, relative to the largest


def learn_parents(data: FitData, start: np.ndarray, alpha: float, n_steps: int) -> np.ndarray:
    """Return the weights of the parents after some steps of EM."""
    from honeybayes.bayes._kernels import parent_ratios

    X, position, classes, weights = data = data.used()
    w = np.ones(X.shape[0]) if weights is None else weights
    weighted, lengths, n_classes = weigh_documents(data), X.sum(axis=1), len(classes)
    total = sum_by_class(X, position, n_classes, per_entry(X, w * lengths)) + X.shape[1] * alpha
    arguments = (
        *(postings(matrix) for matrix in (X, weighted, weighted.tocsc())),
        *(position, w, lengths, total, alpha),
    )
    for _ in range(n_steps if start.any() else 0):
        start = start / start.max()
        learned = start * parent_ratios(*arguments, start)
        start = np.where(start > 0, np.maximum(learned, SMALLEST * learned.max()), 0.0)
    return start
