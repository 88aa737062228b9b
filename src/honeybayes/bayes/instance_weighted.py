"""Naive Bayes on counts in which hard documents weigh more than easy ones."""

from collections.abc import Iterator
from typing import Any, Self

import numpy as np
from scipy import sparse
from scipy.special import softmax
from sklearn.utils import check_random_state

from honeybayes.bayes._count_base import check_total
from honeybayes.bayes._linear_base import BaseLinearCountNB, weighted_counts
from honeybayes.utils.state import Array, Integer, State
from honeybayes.utils.validation import check_bool, check_fraction, check_integer, check_weights


class InstanceWeightedNB(BaseLinearCountNB):
    """Naive Bayes with discriminatively weighted documents: DWMNB, DWCNB and DWOVA.

    Every document begins with the weight 1. In each round the model is learned from the weighted
    documents, and each document's weight grows by its loss, 1 - P(its class given the document).
    Documents that the model cannot place come to count more, in the counts and in the priors.

    Parameters
    ----------
    rule : {"multinomial", "complement", "one-vs-rest"}, default="multinomial"
        How the log joint a under the class and b under its complement decide: by a, by -b, or by
        a - b.
    alpha : float, default=1.0
        Added to every count, above 0.
    max_iter : int, default=20
        Number of rounds; 0 gives `CountNB`.
    early_stopping : bool, default=False
        Whether to find the number of rounds, up to ``max_iter``, on documents that are set aside.
        So many rounds are then made with all documents.
    validation_fraction : float, default=0.1
        Share of the documents to set aside, spread over the classes. Only for
        ``early_stopping=True``.
    n_iter_no_change : int, default=5
        Stop looking when so many rounds in a row have not placed more of the documents set aside.
        Only for ``early_stopping=True``.
    random_state : int, RandomState instance or None, default=None
        Which documents are set aside. Only for ``early_stopping=True``.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    class_count_ : ndarray of shape (n_classes,)
        Documents of each class, by weight.
    class_log_prior_ : ndarray of shape (n_classes,)
        log P(class), smoothed by one document.
    complement_log_prior_ : ndarray of shape (n_classes,)
        log P(complement of the class), smoothed by one document.
    n_iter_ : int
        Number of rounds.
    loss_curve_ : ndarray of shape (n_iter_ + 1,)
        Mean loss on the training documents before the first round and after each round.
    validation_scores_ : ndarray or None
        Accuracy on the documents set aside, before the first round and after each round that was
        tried. None without ``early_stopping``.
    instance_weights_ : ndarray of shape (n_samples,)
        Weight of each training document.
    feature_count_ : ndarray of shape (n_classes, n_features)
        Occurrences of each term in each class, by weight.
    feature_log_prob_ : ndarray of shape (n_classes, n_features) or None
        log P(term given class). None if ``rule="complement"``.
    complement_feature_log_prob_ : ndarray of shape (n_classes, n_features) or None
        log P(term given the complement of the class). None if ``rule="multinomial"``.
    n_features_in_ : int
        Number of terms.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the terms, if ``X`` was a data frame.

    See Also
    --------
    CountNB : The model with equal weights.
    FeatureWeightedNB : Weights of terms.

    Notes
    -----
    With ``sample_weight``, a document begins with its weight and gains its loss times that weight,
    so that a weight of two is the same as the document twice. That does not hold with
    ``early_stopping``, which sets a document aside as a whole, with all its weight.

    References
    ----------
    .. [1] "Hidden multinomial naive Bayes" (HMNB, HCNB, HOVA), section 2.3, where DW is
       described.

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

    fitted_attributes = State(
        n_iter_=Integer(),
        loss_curve_=Array(("rounds",)),
        validation_scores_=Array(("tried",), optional=True),
        instance_weights_=Array(("documents",), low=0),
    )

    def __init__(
        self,
        rule: str = "multinomial",
        alpha: float = 1.0,
        max_iter: int = 20,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        random_state: Any = None,
    ) -> None:
        self.rule = rule
        self.alpha = alpha
        self.max_iter = max_iter
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from labeled documents, in rounds.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Documents by terms: counts, or other weights that are not negative, as tf-idf.
        y : array-like of shape (n_samples,)
            Label of each document.
        sample_weight : array-like of shape (n_samples,), optional
            Weight with which each document begins, not negative. By default, one each.

        Returns
        -------
        self : object
        """
        X, position, classes = self._start_fit(X, y)
        start = check_weights(sample_weight, X)
        self._check_final_totals(X, start)
        n_rounds, scores = self.max_iter, None
        if self.early_stopping:
            scores = self._validate_rounds(X, position, classes, start)
            n_rounds = int(np.argmax(scores))
        curve = []
        for weights, loss in self._rounds(X, position, classes, start, n_rounds):
            self.instance_weights_ = weights
            curve.append(np.average(loss, weights=start))
        self.n_iter_, self.loss_curve_, self.validation_scores_ = n_rounds, np.array(curve), scores
        return self

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_integer("max_iter", self.max_iter)
        check_bool("early_stopping", self.early_stopping)
        check_integer("n_iter_no_change", self.n_iter_no_change, least=1)
        check_fraction("validation_fraction", self.validation_fraction)
        if self.validation_fraction in (0, 1):
            raise ValueError("validation_fraction must leave some documents on either side.")

    def _check_final_totals(self, X: sparse.csr_array, start: np.ndarray) -> None:
        """Refuse weights that could grow too large, before any round has changed the model."""
        with np.errstate(over="ignore"):
            largest = start * (self.max_iter + 1.0)  # a loss is at most one
            check_total(largest)
            check_total(X.sum(axis=1) * largest)

    def _rounds(
        self,
        X: sparse.csr_array,
        position: np.ndarray,
        classes: np.ndarray,
        start: np.ndarray,
        n_rounds: int,
    ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Be the model of no round, of one round and so on; yield its weights and losses."""
        weights, loss = start, np.zeros_like(start)
        for _ in range(n_rounds + 1):
            weights = weights + start * loss
            self._keep(*weighted_counts(X, position, len(classes), weights), classes)
            probability = softmax(self._joint_log_likelihood(X), axis=1)
            loss = 1 - probability[np.arange(len(position)), position]
            yield weights, loss

    def _validate_rounds(
        self, X: sparse.csr_array, position: np.ndarray, classes: np.ndarray, start: np.ndarray
    ) -> np.ndarray:
        """Accuracy after each round on documents set aside, until it has ceased to rise."""
        aside = self._set_aside(position, start)
        rest = ~aside
        scores: list[float] = []
        for _ in self._rounds(X[rest], position[rest], classes, start[rest], self.max_iter):
            answer = self._joint_log_likelihood(X[aside]).argmax(axis=1)
            scores.append(np.average(answer == position[aside], weights=start[aside]))
            if len(scores) - int(np.argmax(scores)) > self.n_iter_no_change:
                break
        return np.array(scores)

    def _set_aside(self, position: np.ndarray, start: np.ndarray) -> np.ndarray:
        """Choose documents at random, evenly from class to class."""
        weighty = np.flatnonzero(start)
        if len(weighty) < 2:
            raise ValueError(
                f"early_stopping must set documents aside, but there is only {len(weighty)} sample "
                "with a weight. Use more documents, or early_stopping=False."
            )
        n_aside = np.clip(np.rint(self.validation_fraction * len(weighty)), 1, len(weighty) - 1)
        at_random = check_random_state(self.random_state).random_sample(len(weighty))
        by_class = weighty[np.lexsort((at_random, position[weighty]))]
        evenly = ((np.arange(n_aside) + 0.5) * (len(weighty) / n_aside)).astype(np.int64)
        aside = np.zeros(len(position), bool)
        aside[by_class[evenly]] = True
        return aside
