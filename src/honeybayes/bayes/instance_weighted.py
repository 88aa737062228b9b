"""Naive Bayes on counts in which documents that are hard to classify have more weight."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.special import softmax
from sklearn.utils import check_random_state

from honeybayes.bayes._count_base import BaseLinearCountNB, weighted_counts
from honeybayes.bayes.base import FitData, check_total
from honeybayes.utils.parameters import estimator
from honeybayes.utils.state import Array, Integer, State
from honeybayes.utils.validation import Flag, Fraction, FromOne, FromZero


@estimator
class InstanceWeightedNB(BaseLinearCountNB):
    """Naive Bayes with discriminatively weighted documents: DWMNB, DWCNB and DWOVA.

    Every document starts with weight 1. In each round the model is fitted to the weighted
    documents, and the weight of each document grows by its loss, 1 - P(its class given the
    document), in counts and in priors ([1]_, section 2.3).

    Parameters
    ----------
    max_iter : int, default=20
        Number of rounds; 0 gives `CountNB`.
    early_stopping : bool, default=False
        Whether to choose the number of rounds, up to ``max_iter``, on validation documents. The
        model is then fitted to all documents with this number of rounds.
    validation_fraction : float, default=0.1
        Share of the documents, from all classes, that ``early_stopping`` uses for validation.
    n_iter_no_change : int, default=5
        ``early_stopping`` after this number of rounds without a better validation accuracy.
    random_state : int, RandomState instance or None, default=None
        Selects the validation documents.

    Attributes
    ----------
    n_iter_ : int
        Number of rounds.
    loss_curve_ : ndarray of shape (n_iter_ + 1,)
        Mean loss on the training documents before the first round and after each round.
    validation_scores_ : ndarray or None
        Accuracy on the validation documents, before the first round and after each round that was
        tried. None without ``early_stopping``.
    instance_weights_ : ndarray of shape (n_samples,)
        Final weight of each training document.

    Notes
    -----
    With ``sample_weight``, a document starts with its weight, which multiplies its loss. With
    ``early_stopping``, its whole weight is either in the training or in the validation part.

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
    early_stopping: Flag = False
    validation_fraction: Fraction = 0.1
    n_iter_no_change: FromOne = 5
    random_state: Any = None

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.validation_fraction in (0, 1):
            raise ValueError(
                "validation_fraction must be above 0 and below 1; got "
                f"{self.validation_fraction!r}."
            )

    fitted_attributes = State(
        n_iter_=Integer(),
        loss_curve_=Array(("rounds",)),
        validation_scores_=Array(("tried",), optional=True),
        instance_weights_=Array(("documents",), low=0),
    )

    def _learn(self, data: FitData) -> None:
        start = np.ones(len(data.position)) if data.weights is None else data.weights
        data = data._replace(weights=start)
        with np.errstate(over="ignore"):  # refuse before any round changes the model
            largest = start * (self.max_iter + 1.0)  # a loss is at most one
            check_total(largest)
            check_total(data.X.sum(axis=1) * largest)
        n_rounds, scores = self.max_iter, None
        if self.early_stopping:
            scores = self._validate_rounds(data)
            n_rounds = int(np.argmax(scores))
        curve = []
        for weights, loss in self._rounds(data, n_rounds):
            self.instance_weights_ = weights
            curve.append(np.average(loss, weights=start))
        self.n_iter_, self.loss_curve_, self.validation_scores_ = n_rounds, np.array(curve), scores

    def _rounds(self, data: FitData, n_rounds: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Run the rounds in place, and yield weights and losses before the first and after each."""
        X, position, classes, start = data
        assert start is not None
        weights, loss = start, np.zeros_like(start)
        for _ in range(n_rounds + 1):
            weights = weights + start * loss
            self._keep(*weighted_counts(data._replace(weights=weights)), classes)
            probability = softmax(self._joint_log_likelihood(X), axis=1)
            loss = 1 - probability[np.arange(len(position)), position]
            yield weights, loss

    def _validate_rounds(self, data: FitData) -> np.ndarray:
        """Compute the validation accuracy after each round until it stops rising."""
        assert data.weights is not None
        chosen = self._choose_validation(data.position, data.weights)
        validation, scores = data.rows(chosen), []
        for _ in self._rounds(data.rows(~chosen), self.max_iter):
            right = self._joint_log_likelihood(validation.X).argmax(axis=1) == validation.position
            scores.append(np.average(right, weights=validation.weights))
            if len(scores) - int(np.argmax(scores)) > self.n_iter_no_change:
                break
        return np.array(scores)

    def _choose_validation(self, position: np.ndarray, start: np.ndarray) -> np.ndarray:
        """Choose documents at random, in proportion from all classes."""
        candidates = np.flatnonzero(start)
        n = len(candidates)
        if n < 2:
            raise ValueError(
                f"early_stopping needs documents for validation, but there is only {n} sample with "
                "a weight above 0. Use more documents, or early_stopping=False."
            )
        n_chosen = np.clip(np.rint(self.validation_fraction * n), 1, n - 1)
        at_random = check_random_state(self.random_state).random_sample(n)
        by_class = candidates[np.lexsort((at_random, position[candidates]))]
        evenly = ((np.arange(n_chosen) + 0.5) * (n / n_chosen)).astype(np.int64)
        chosen = np.zeros(len(position), bool)
        chosen[by_class[evenly]] = True
        return chosen
