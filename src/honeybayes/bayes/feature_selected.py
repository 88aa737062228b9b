"""Naive Bayes on the number of terms that gives the best leave-one-out accuracy."""

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from scipy import sparse

from honeybayes.bayes._count_base import BaseWeightedTermsNB
from honeybayes.bayes._leave_one_out import leave_one_out_accuracy
from honeybayes.bayes.base import FitData
from honeybayes.text.term_scores import SCORES
from honeybayes.utils.parameters import estimator
from honeybayes.utils.state import Array, Number, State
from honeybayes.utils.validation import check_option

TENTHS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


@estimator
class FeatureSelectedNB(BaseWeightedTermsNB):
    """Naive Bayes on the best-ranked terms; leave-one-out chooses their number: GRS.

    Terms are ranked once, by a score on the training documents. Then the model is evaluated with
    the best tenth of the terms, the best two tenths and so on. The share with the highest
    leave-one-out accuracy is used. No model is refitted for this: the counts of the document that
    is left out are subtracted.

    Parameters
    ----------
    score_func : {"gain-ratio", "information-gain", "symmetrical-uncertainty", "chi-square", \
            "weka-gain"} or callable, default="gain-ratio"
        Score to rank terms by. A callable takes copies of the counts (CSR of float64, sorted, no
        duplicates or zeros) and of the class indices of the documents, and returns one finite
        number per term; higher is better. If scores are equal, the earlier column comes first.
    shares : array-like of float, default=(0.1, 0.2, ..., 1.0)
        Shares of the terms to try, above 0 and at most 1, each rounded to at least one term. If
        several shares are equally accurate, the smallest is chosen.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Score of each term.
    shares_ : ndarray of shape (n_shares,)
        Shares that were tried, in ascending order.
    leave_one_out_accuracy_ : ndarray of shape (n_shares,)
        Leave-one-out accuracy with each share.
    share_ : float
        The share that was chosen.
    support_ : ndarray of bool, shape (n_features,)
        Whether each term was selected.
    feature_count_ : ndarray of shape (n_classes, n_features)
        Occurrences of each selected term per class, 0 for the other terms.

    Notes
    -----
    The ranking uses all documents, including the one that is left out. So
    ``leave_one_out_accuracy_`` can be used to choose a share, but is too high as an estimate of
    accuracy. The model behaves as if terms that are not selected never occurred. The smoothing
    still adds alpha for every column.

    There is no ``sample_weight``, because leaving out a document with a weight is not defined: an
    integer weight would have to leave out one of several copies.

    References
    ----------
    .. [1] "Hidden multinomial naive Bayes" (HMNB, HCNB, HOVA), section 2.2, where GRS is
       described.

    Examples
    --------
    >>> from honeybayes.bayes import FeatureSelectedNB
    >>> X = [[2, 1, 0], [1, 0, 0], [0, 1, 3], [0, 0, 1]]
    >>> model = FeatureSelectedNB(shares=[0.7, 1]).fit(X, ["sea", "sea", "land", "land"])
    >>> model.leave_one_out_accuracy_, model.share_, model.support_
    (array([1., 1.]), 0.7, array([ True, False,  True]))
    >>> model.predict([[1, 1, 0], [0, 1, 1]])
    array(['sea', 'land'], dtype='<U4')
    """

    score_func: str | Callable[[Any, Any], Any] = "gain-ratio"
    shares: Any = TENTHS

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if not callable(self.score_func):
            check_option("score_func", self.score_func, tuple(SCORES))
        shares = np.asarray(self.shares)
        usable = shares.ndim == 1 and shares.size and shares.dtype.kind in "fiu"
        if not usable or not ((shares > 0) & (shares <= 1)).all():
            raise ValueError(
                f"shares must be a list of numbers above 0 and at most 1; got {self.shares!r}."
            )

    fitted_attributes = State(
        scores_=Array(("features",)),
        shares_=Array(("shares",)),
        leave_one_out_accuracy_=Array(("shares",)),
        share_=Number(),
        support_=Array(("features",), ("bool",)),
    )

    def fit(self, X: Any, y: Any) -> Self:  # type: ignore[override]
        """Rank the terms, choose their number, and learn from labeled documents."""
        return super().fit(X, y)

    def _learn(self, data: FitData) -> None:
        X, scores = data.X, self._score(data.X, data.position)
        n_terms, shares = X.shape[1], np.unique(np.asarray(self.shares, dtype=np.float64))
        n_selected = np.maximum(1, np.rint(shares * n_terms))
        rank = np.empty(n_terms, np.int64)
        rank[np.argsort(-scores, kind="stable")] = np.arange(n_terms)
        first_set = np.searchsorted(n_selected, rank, side="right")
        accuracy = leave_one_out_accuracy(data, first_set, len(shares), self.rule, self.alpha)
        best = int(np.argmax(accuracy))
        support = first_set <= best
        self._keep_weighted_terms(data, support.astype(np.float64))
        self.scores_, self.shares_, self.leave_one_out_accuracy_ = scores, shares, accuracy
        self.share_ = float(shares[best])
        self.support_ = support

    def _score(self, X: sparse.csr_array, position: np.ndarray) -> np.ndarray:
        """Return the score of each term."""
        if not callable(self.score_func):
            return SCORES[self.score_func](X, position)
        # copies, because X may share memory with the caller, and the callable may write
        scores = np.array(self.score_func(X.copy(), position.copy()), dtype=np.float64)
        required = f"score_func must return one finite number for each of the {X.shape[1]} terms"
        if scores.shape != (X.shape[1],):
            raise ValueError(f"{required}; it returned an array of shape {scores.shape}.")
        wrong = np.flatnonzero(~np.isfinite(scores))
        if len(wrong):
            raise ValueError(f"{required}; it returned {scores[wrong[0]]} for term {wrong[0]}.")
        return scores
