"""Count the second-order paths that begin at one term, per bridge and per document.

A path from term i has the form i - L - k - M - end: L is the first document, k is the bridge, and
M is the second document. The end is another term of M, or the label of M. Notation:

    p_M   number of possible ends in document M
    e_k   1 if term k is a possible end, else 0. A path cannot use k both as bridge and as end.
          Always 0 for paths to labels.
    x_L   1 if document L contains i, else 0
    a_k   number of documents that contain both i and k
    df    document frequencies
    t     X'p - df e, the number of ways to continue from each bridge

    paths over document L and then bridge k    x_L (t_k - p_L + e_k)
    paths over bridge k and then document M    (a_k - x_M) (p_M - e_k)

where L and M contain k, and k is not i. The subtracted terms are walks that use the same document
twice. No path is listed, and no term-by-term matrix is formed. `honeybayes.explain_word` shows
these counts.
"""

from typing import NamedTuple

import numpy as np
from scipy import sparse

from honeybayes.utils.matrices import per_entry


class BridgeCounts(NamedTuple):
    """Second-order paths from one term."""

    per_bridge: np.ndarray  # (n_terms,)
    per_first_document: np.ndarray  # next to the term (n_documents,)
    per_second_document: np.ndarray  # next to the end (n_documents,)
    total: int  # the sum of any of the three arrays
    middle: int  # paths with the term in the middle; 0 for paths to labels
    # over each pair of a document, as the first and as the second one, and a bridge
    routes: tuple[sparse.csr_array, sparse.csr_array]

    def through(self, bridge: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the paths over one bridge for each first document, and for each second one."""
        first, second = (route[:, [bridge]].toarray().ravel() for route in self.routes)
        return first, second


def bridges_to_words(
    X: sparse.csr_array,
    holders: sparse.csr_array,
    term: int,
    neighbors: sparse.csr_array | None,
    n_paths: int,
) -> BridgeCounts:
    """Count the paths from a term to other terms, given a presence matrix and its transpose.

    ``neighbors`` has the documents in which both ends of a pure path must not occur, or is None.
    ``n_paths`` is the term's count in `count_paths`.
    """
    is_end = np.ones(X.shape[1], np.int64)
    if neighbors is not None:
        with_term = neighbors[neighbors[:, [term]].nonzero()[0]]
        met = np.bincount(with_term.indices, minlength=X.shape[1])
        is_end = (met == 0).astype(np.int64)
    is_end[term] = 0
    counts = _count(X, holders, term, X @ is_end, is_end)
    return counts._replace(middle=int(n_paths) - counts.total)


def bridges_to_label(
    X: sparse.csr_array, holders: sparse.csr_array, term: int, has_label: np.ndarray
) -> BridgeCounts:
    """Count the paths term - document - term - document - label of `count_label_paths`."""
    no_term = np.zeros(X.shape[1], np.int64)
    return _count(X, holders, term, has_label.astype(np.int64), no_term)


def _count(
    X: sparse.csr_array, holders: sparse.csr_array, term: int, ends: np.ndarray, is_end: np.ndarray
) -> BridgeCounts:
    # only documents that contain the term, or that lead to an end, are needed
    firsts = holders.indices[holders.indptr[term] : holders.indptr[term + 1]]
    seconds = np.flatnonzero(ends)
    around, onward = X[firsts], X[seconds]
    holds = np.zeros_like(ends)
    holds[firsts] = 1
    shared = np.bincount(around.indices, minlength=X.shape[1])
    ways_on = onward.T @ ends[seconds] - np.diff(holders.indptr) * is_end

    L, k = per_entry(around, firsts), around.indices
    first_paths = np.where(k == term, 0, ways_on[k] - ends[L] + is_end[k])
    first = sparse.csr_array((first_paths, (L, k)), X.shape)
    M, k = per_entry(onward, seconds), onward.indices
    second_paths = np.where(k == term, 0, (shared[k] - holds[M]) * (ends[M] - is_end[k]))
    second = sparse.csr_array((second_paths, (M, k)), X.shape)
    sums = first.sum(axis=0), first.sum(axis=1), second.sum(axis=1)
    return BridgeCounts(*sums, int(sums[0].sum()), 0, (first, second))
