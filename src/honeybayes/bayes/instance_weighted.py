"""Naive Bayes on counts in which documents that are hard to classify have more weight."""

import numpy as np
from scipy.special import softmax

from honeybayes.bayes._count_base import BaseLinearCountNB, weighted_counts
from honeybayes.bayes.base import FitData, check_total
from honeybayes.utils.parameters import estimator
from honeybayes.utils.state import Array, Integer, State
from honeybayes.utils.validation import FromZero


@estimator
class InstanceWeightedNB(BaseLinearCountNB):
    """Naive Bayes with discriminatively weighted documents: DWMNB, DWCNB and DWOVA.

    Every document starts with weight 1, or its ``sample_weight``. In each round the model is fitted
    to the weighted documents, and the weight of each document grows by its loss, 1 - P(its class
    given the document), times its first weight, in counts and in priors ([1]_, section 2.3).

    Parameters
    ----------
    max_iter : int, default=20
        Number of rounds; 0 gives `CountNB`.

    Attributes
    ----------
    n_iter_ : int
        Number of rounds.
    loss_curve_ : ndarray of shape (n_iter_ + 1,)
        Mean loss on the training documents before the first round and after each round.
    instance_weights_ : ndarray of shape (n_samples,)
        Final weight of each training document.

    Examples
    --------
    >>> from honeybayes.bayes import InstanceWeightedNB
    >>> X = [[2, 1, 0], [1, 0, 0], [0, 1, 3], [1, 1, 0]]
    >>> model = InstanceWeightedNB(max_iter=5).fit(X, ["sea", "sea", "land", "land"])
    >>> model.instance_weights_.round(1)
    array([2.1, 2.6, 1.1, 4. ])
    >>> model.predict([[2, 0, 0], [0, 1, 1]])
    array(['sea', 'land'], dtype='<U4')
    """

    max_iter: FromZero = 20

    fitted_attributes = State(
        n_iter_=Integer(),
        loss_curve_=Array(("rounds",)),
        instance_weights_=Array(("documents",), low=0),
    )

    def _learn(self, data: FitData) -> None:
        X, position, classes, start = data
        start = np.ones(len(position)) if start is None else start
        with np.errstate(over="ignore"):  # refuse before any round changes the model
            largest = start * (self.max_iter + 1.0)  # a loss is at most one
            check_total(largest)
            check_total(X.sum(axis=1) * largest)
        weights, loss, curve = start, np.zeros_like(start), []
        for _ in range(self.max_iter + 1):
            weights = weights + start * loss
            self._keep(*weighted_counts(data._replace(weights=weights)), classes)
            probability = softmax(self._joint_log_likelihood(X), axis=1)
            loss = 1 - probability[np.arange(len(position)), position]
            curve.append(np.average(loss, weights=start))
        self.n_iter_, self.loss_curve_ = self.max_iter, np.array(curve)
        self.instance_weights_ = weights
