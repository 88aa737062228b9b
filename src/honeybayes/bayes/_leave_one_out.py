"""Leave-one-out accuracy of the linear count models in closed form, for nested sets of terms.

To leave out a document with counts f of class y, subtract one document from n and n_y, f_i from
N_iy, and the length of the document from the sum of N_iy over i. The other classes do not change.
The document is also subtracted from the complements of all classes except y. So every document is
scored with counts that were computed once. A set of terms only decides which terms are summed. The
sets are nested, so the sums for all sets are one cumulative sum over the terms that each set adds.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from honeybayes.bayes._count_base import CLASS, CountModel, log_priors, weighted_counts
from honeybayes.bayes.base import FitData
from honeybayes.utils.matrices import blocks_of_rows, of_complement, per_entry

BLOCK_CELLS = 2**22  # numbers for the documents in one block


def leave_one_out_accuracy(
    data: FitData, first_set: np.ndarray, n_sets: int, rule: str, alpha: float
) -> np.ndarray:
    """Compute the leave-one-out accuracy for each set of terms.

    ``first_set`` is the first set that contains each term (all later sets also contain it), or
    ``n_sets`` if no set contains it. ``alpha`` is added to the count of every term, in the set or
    not.
    """
    X, position, classes, _ = data
    feature_count, class_count = weighted_counts(data)
    sides = tuple(
        (by_class, _sum_by_set(by_class, first_set, n_sets))
        for by_class in (feature_count, of_complement(feature_count))
    )
    right = np.zeros(n_sets)
    cells = (np.diff(X.indptr).astype(np.int64) + n_sets) * len(classes)
    for first, last in blocks_of_rows(cells, BLOCK_CELLS):
        own = position[first:last]
        model = LeftOut(own, class_count, sides, first_set, alpha)
        scores = model._decide(X[first:last], rule)
        right += (scores.argmax(axis=-1) == own[:, np.newaxis]).sum(axis=0)
    return right / len(position)


@dataclass
class LeftOut(CountModel):
    """For each document of a block, a model without this document, for the decision rules.

    Arrays have the shape (documents, sets, classes).
    """

    own: np.ndarray  # classes of the documents
    class_count: np.ndarray
    # by class and by complement: counts of all documents (terms, classes), and their totals over
    # the terms of each set (sets, classes)
    sides: tuple[tuple[np.ndarray, np.ndarray], ...]
    first_set: np.ndarray
    alpha: float

    def __post_init__(self) -> None:
        n_classes = len(self.class_count)
        self.is_own = (self.own[:, np.newaxis] == np.arange(n_classes))[:, np.newaxis, :]
        documents = self.class_count - self.is_own
        self.class_log_prior_, self.complement_log_prior_ = log_priors(documents)

    def _log_likelihood(self, X: sparse.csr_array, side: int) -> np.ndarray:
        """Sum the logs over the entries of each document that are in each set.

        A document is subtracted from its own class, and from all complements except that of its own
        class. ``of_own`` is the log of each entry for the document's own class. ``of_others`` are
        the logs for the other classes, in row ``line`` for each entry. ``loses`` says from which
        totals the document is subtracted.
        """
        counts, totals = self.sides[side]
        own_count = counts[X.indices, per_entry(X, self.own)]
        if side == CLASS:
            of_own, loses = np.log(_less(own_count, X.data) + self.alpha), self.is_own
            of_others, line = np.log(counts + self.alpha), X.indices
        else:
            of_own, loses = np.log(own_count + self.alpha), ~self.is_own
            terms, given, line = _distinct_pairs(X)  # far fewer than entries
            of_others = np.log(_less(counts[terms], given[:, np.newaxis]) + self.alpha)
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


def _sum_by_set(counts: np.ndarray, first_set: np.ndarray, n_sets: int) -> np.ndarray:
    """Sum the counts over the terms of each set."""
    added = np.zeros((n_sets + 1, counts.shape[1]))
    np.add.at(added, first_set, counts)
    return added[:-1].cumsum(axis=0)


def _distinct_pairs(X: sparse.csr_array) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the distinct pairs (term, count), and the pair of each entry."""
    values, code = np.unique(X.data, return_inverse=True)
    key = X.indices.astype(np.int64) * len(values) + code
    distinct, pair = np.unique(key, return_inverse=True)
    return distinct // len(values), values[distinct % len(values)], pair
