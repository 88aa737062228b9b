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
twice. No path is listed, and no term-by-term matrix is formed.
"""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from scipy import sparse

from honeybayes.paths._counting import count_paths
from honeybayes.paths._incidence import documents_for_pure
from honeybayes.paths.label_paths import count_label_paths, encode_labels_of
from honeybayes.utils.matrices import per_entry, presence_matrix
from honeybayes.utils.parameters import described_like


@dataclass(frozen=True, eq=False)
class BridgeCounts:
    """Second-order paths from one term, counted per bridge and per document.

    Parameters
    ----------
    per_bridge : ndarray of int64, shape (n_terms,)
        Number of paths with each term as the bridge (the middle term).
    per_first_document : ndarray of int64, shape (n_documents,)
        Number of paths with each document as the first document (next to the term).
    per_second_document : ndarray of int64, shape (n_documents,)
        Number of paths with each document as the second document (next to the end).
    total : int
        All paths from the term: the sum of any of the three arrays.
    middle : int
        Paths with the term in the middle. ``total + middle`` is the number of paths that contain
        the term. Always 0 for paths to labels.
    routes : tuple of csr_array
        Number of paths over each pair of a document and a bridge, with the document as the first
        and as the second document; shape (n_documents, n_terms).
    """

    per_bridge: np.ndarray
    per_first_document: np.ndarray
    per_second_document: np.ndarray
    total: int
    middle: int
    routes: tuple[sparse.csr_array, sparse.csr_array] = field(repr=False)

    def through(self, bridge: int) -> tuple[np.ndarray, np.ndarray]:
        """Count the paths over one bridge, per document.

        Parameters
        ----------
        bridge : int
            Column of the bridge.

        Returns
        -------
        first, second : ndarray of int64, shape (n_documents,)
            Number of paths over this bridge with each document as the first (or second) document.
            The sum of each array is ``per_bridge[bridge]``.
        """
        bridge = check_term(bridge, len(self.per_bridge), "bridge")
        first, second = (route[:, [bridge]].toarray().ravel() for route in self.routes)
        return first, second


@described_like(count_paths)
def count_bridges(X: Any, term: int, pure: Any = False) -> BridgeCounts:
    """Count the second-order paths from one term to other terms, per bridge and per document.

    To reproduce the counts of `HigherOrderNB`, pass the training documents of one class as X.

    Parameters
    ----------
    term : int
        Column of the term.

    Returns
    -------
    BridgeCounts
        ``total + middle`` equals the term's count in `count_paths`.

    Examples
    --------
    Term 0 reaches term 2 through term 1 and documents 0 and 1.

    >>> from honeybayes.paths import count_bridges
    >>> counts = count_bridges([[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1]], term=0)
    >>> counts.per_bridge, counts.per_first_document, counts.per_second_document
    (array([0, 1, 0, 0]), array([1, 0, 0]), array([0, 1, 0]))
    """
    X = presence_matrix(X)
    term = check_term(term, X.shape[1])
    neighbors = documents_for_pure(pure, X)
    n_paths = count_paths(X, pure=neighbors).per_term[term]
    return bridges_to_words(X, X.T.tocsr(), term, neighbors, n_paths)


def bridges_to_words(
    X: sparse.csr_array,
    holders: sparse.csr_array,
    term: int,
    neighbors: sparse.csr_array | None,
    n_paths: float,
) -> BridgeCounts:
    """Do the same as `count_bridges`, given a presence matrix, its transpose, and all paths."""
    is_end = np.ones(X.shape[1], np.int64)
    if neighbors is not None:
        with_term = neighbors[neighbors[:, [term]].nonzero()[0]]
        met = np.bincount(with_term.indices, minlength=X.shape[1])
        is_end = (met == 0).astype(np.int64)
    is_end[term] = 0
    counts = _count(X, holders, term, X @ is_end, is_end)
    return replace(counts, middle=int(n_paths) - counts.total)


@described_like(count_bridges)
@described_like(count_label_paths)
def count_label_bridges(
    X: Any, y: Any, term: int, label: Any, unlabeled: Any = None
) -> BridgeCounts:
    """Count the paths from one term to a label, per bridge and per document.

    These are the paths term - document - term - document - label of `count_label_paths`. The term
    does not have to occur in a document with this label.

    Parameters
    ----------
    label : label
        The label at the end of the paths; must occur in y.

    Returns
    -------
    BridgeCounts
        ``total`` equals the term's count in `count_label_paths`.

    Examples
    --------
    Term 0 never occurs in class "b", but reaches it through term 1.

    >>> from honeybayes.paths import count_label_bridges
    >>> counts = count_label_bridges([[1, 1, 0], [0, 1, 1]], ["a", "b"], term=0, label="b")
    >>> counts.per_bridge, counts.per_first_document, counts.per_second_document
    (array([0, 1, 0]), array([1, 0]), array([0, 1]))
    """
    X = presence_matrix(X)
    term = check_term(term, X.shape[1])
    classes, position = encode_labels_of(X, y, unlabeled)
    found = np.flatnonzero(classes == label)
    if len(found) != 1:
        raise ValueError(
            f"No document has the label {label!r}. The labels in y are {classes.tolist()}."
        )
    return bridges_to_label(X, X.T.tocsr(), term, position == found[0])


def bridges_to_label(
    X: sparse.csr_array, holders: sparse.csr_array, term: int, has_label: np.ndarray
) -> BridgeCounts:
    """Do the same as `count_label_bridges`, given a presence matrix and its transpose."""
    no_term = np.zeros(X.shape[1], np.int64)
    return _count(X, holders, term, has_label.astype(np.int64), no_term)


def check_term(term: Any, n_terms: int, name: str = "term") -> int:
    """Raise ValueError if ``term`` is not the index of a column."""
    if isinstance(term, bool | np.bool_) or not isinstance(term, int | np.integer):
        raise ValueError(f"{name} must be the index of a column of X; got {term!r}.")
    if not 0 <= term < n_terms:
        raise ValueError(
            f"{name}={term} is not a column of X. X has {n_terms} columns, counted from 0."
        )
    return int(term)


def _count(
    X: sparse.csr_array,
    holders: sparse.csr_array,
    term: int,
    ends: np.ndarray,
    is_end: np.ndarray,
) -> BridgeCounts:
    # only documents that contain the term, or that lead to an end, are needed
    firsts, seconds = _row(holders, term), np.flatnonzero(ends)
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


def _row(X: sparse.csr_array, row: int) -> np.ndarray:
    """Return the columns of the entries in one row."""
    return X.indices[X.indptr[row] : X.indptr[row + 1]]
