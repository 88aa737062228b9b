"""Naive Bayes on the number of terms that gives the best leave-one-out accuracy.

To leave out a document, its counts are subtracted from those of its class, and from the complements
of all others, so every document is scored with counts that were computed once. A set of terms only
decides which terms are summed. The sets are nested, so the sums for all sets are one cumulative sum
over the terms that each set adds.
"""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from scipy import sparse

from honeybayes.bayes import _count_base
from honeybayes.bayes.base import FitData
from honeybayes.text.term_scores import SCORES, ScoreFunction
from honeybayes.utils.matrices import blocks_of_rows, of_complement, per_entry
from honeybayes.utils.parameters import estimator
from honeybayes.utils.state import Array, Number, State

TENTHS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
BLOCK_CELLS = 2**22  # numbers for the documents in one block


@estimator
class FeatureSelectedNB(_count_base.BaseWeightedTermsNB):
    """Naive Bayes on the best-ranked terms; leave-one-out chooses their number: GRS.

    Terms are ranked once, by a score on the training documents. Of the best tenth of the terms, the
    best two tenths and so on, the share with the highest leave-one-out accuracy is used ([1]_,
    section 2.2). No model is refitted for this: the counts of the document are subtracted.

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
    The ranking uses all documents, so ``leave_one_out_accuracy_`` is too high as an estimate of
    accuracy. Terms that are not selected seem never to occur; alpha is added for every column.

    There is no ``sample_weight``, because leaving out a document with a weight is not defined: an
    integer weight would have to leave out one of several copies.

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

    score_func: ScoreFunction = "gain-ratio"
    shares: Any = TENTHS

    def _check_parameters(self) -> None:
        super()._check_parameters()
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


def leave_one_out_accuracy(
    data: FitData, first_set: np.ndarray, n_sets: int, rule: str, alpha: float
) -> np.ndarray:
    """Compute the leave-one-out accuracy for each set of terms.

    ``first_set`` is the first set that contains each term (all later sets also contain it), or
    ``n_sets`` if no set contains it. ``alpha`` is added to the count of every term, in the set or
    not.
    """
    X, position, classes, _ = data
    feature_count, class_count = _count_base.weighted_counts(data)
    sides = []
    for by_class in (feature_count, of_complement(feature_count)):
        added = np.zeros((n_sets + 1, len(classes)))
        np.add.at(added, first_set, by_class)
        sides.append((by_class, added[:-1].cumsum(axis=0)))
    right = np.zeros(n_sets)
    cells = (np.diff(X.indptr).astype(np.int64) + n_sets) * len(classes)
    for first, last in blocks_of_rows(cells, BLOCK_CELLS):
        own = position[first:last]
        scores = LeftOut(own, class_count, sides, first_set, alpha)._decide(X[first:last], rule)
        right += (scores.argmax(axis=-1) == own[:, np.newaxis]).sum(axis=0)
    return right / len(position)


@dataclass
class LeftOut(_count_base.CountModel):
    """For each document of a block, a model without this document, for the decision rules.

    Arrays have the shape (documents, sets, classes).
    """

    own: np.ndarray  # classes of the documents
    class_count: np.ndarray
    # by class and by complement: counts of all documents (terms, classes), and their totals over
    # the terms of each set (sets, classes)
    sides: list[tuple[np.ndarray, np.ndarray]]
    first_set: np.ndarray
    alpha: float

    def __post_init__(self) -> None:
        n_classes = len(self.class_count)
        self.is_own = (self.own[:, np.newaxis] == np.arange(n_classes))[:, np.newaxis, :]
        documents = self.class_count - self.is_own
        self.class_log_prior_, self.complement_log_prior_ = _count_base.log_priors(documents)

    def _log_likelihood(self, X: sparse.csr_array, side: int) -> np.ndarray:
        """Sum the logs over the entries of each document that are in each set.

        A document is subtracted from its own class, and from all complements except that of its own
        class. ``of_own`` is the log of each entry for the document's own class. ``of_others`` are
        the logs for the other classes, in row ``line`` for each entry. ``loses`` says from which
        totals the document is subtracted.
        """
        counts, totals = self.sides[side]
        own_count = counts[X.indices, per_entry(X, self.own)]
        if side == _count_base.CLASS:
            of_own, loses = np.log(_less(own_count, X.data) + self.alpha), self.is_own
            of_others, line = np.log(counts + self.alpha), X.indices
        else:
            of_own, loses = np.log(own_count + self.alpha), ~self.is_own
            of_others = np.log(_less(counts[X.indices], X.data[:, np.newaxis]) + self.alpha)
            line = np.arange(X.nnz)
        n_sets, n_classes = totals.shape
        first_set = self.first_set[X.indices]
        used = first_set < n_sets
        row = (per_entry(X, np.arange(X.shape[0])) * n_sets + first_set)[used]
        weight, n_rows = X.data[used], X.shape[0] * n_sets
        entries = sparse.csr_array((weight, (row, line[used])), shape=(n_rows, len(of_others)))
        logs = (entries @ of_others).reshape(-1, n_sets, n_classes)
        own_logs = np.bincount(row, weight * of_own[used], n_rows).reshape(-1, n_sets)
        logs[np.arange(X.shape[0]), :, self.own] = own_logs
        length = np.bincount(row, weight, n_rows).reshape(-1, n_sets, 1).cumsum(axis=1)
        smoothed = _less(totals, loses * length) + X.shape[1] * self.alpha
        return logs.cumsum(axis=1) - length * np.log(smoothed)


def _less(counts: np.ndarray, of_document: np.ndarray) -> np.ndarray:
    """Subtract without going below zero; differences that are rounding errors become zero."""
    rest = counts - of_document
    rest[rest < 1e-12 * counts] = 0
    return rest
