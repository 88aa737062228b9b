"""Which words and documents carry the second-order paths that begin at one word.

A path from word i runs i - L - k - M - end: L is the first document, k the bridge, M the second
document. The end is another word of M, or the label of M. Let p_M be the ends that M leads to,
and e_k = 1 if the bridge k is one of the ends of its documents, where a path cannot go a second
time (0 for labels). With x the documents that hold i, l their lengths, a_k the documents that i and
k share (a_i = 0), df the document frequencies, and t = X'p - df e the ways on from each bridge:

    paths by bridge            a_k t_k - sum over L with i and k of (p_L - e_k)
    paths by first document    x_L (sum over k in L but i of (t_k - p_L + e_k))
    paths by second document   sum over k in M but i of (a_k - x_M) (p_M - e_k)

The subtrahend is the walks that stay in one document. All of it takes a few products of X with a
vector: no path is listed, and no term-by-term matrix is formed.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import sparse

from honeybayes.utils.labels import encode_labels
from honeybayes.utils.matrices import presence_matrix

BLOCK_CELLS = 2**22  # pairs of words around a word that are in work at one time


@dataclass(frozen=True, eq=False)
class BridgeCounts:
    """The second-order paths from a word, by what carries them.

    Parameters
    ----------
    per_bridge : ndarray of int64, shape (n_terms,)
        Paths whose middle word is this term.
    per_first_document : ndarray of int64, shape (n_documents,)
        Paths whose document beside the word is this one.
    per_second_document : ndarray of int64, shape (n_documents,)
        Paths whose document beside the end is this one.
    total : int
        Paths from the word: the sum of any of the three.
    middle : int
        Paths that run through the word as their middle, to be added to ``total`` for all the
        paths that hold it. Always 0 for paths to labels, whose word is at their beginning.
    routes : object
        What the counts are made of, for ``through``.
    """

    per_bridge: np.ndarray
    per_first_document: np.ndarray
    per_second_document: np.ndarray
    total: int
    middle: int
    routes: "Routes" = field(repr=False)

    def through(self, bridge: int) -> tuple[np.ndarray, np.ndarray]:
        """Paths over one bridge, by document.

        Parameters
        ----------
        bridge : int
            Column of the middle word.

        Returns
        -------
        first, second : ndarray of int64, shape (n_documents,)
            Paths over this bridge whose first, or second, document is this one. Each sums to
            ``per_bridge[bridge]``.
        """
        routes = self.routes
        bridge = check_term(bridge, len(routes.shared), "bridge")
        first, second = np.zeros_like(routes.holds), np.zeros_like(routes.holds)
        if bridge != routes.term:
            beside = _row(routes.holders, bridge)
            holds, onward = routes.holds[beside], routes.ends[beside] - routes.is_end[bridge]
            first[beside] = holds * (routes.ways_on[bridge] - onward)
            second[beside] = (routes.shared[bridge] - holds) * onward
        return first, second


@dataclass(frozen=True, eq=False)
class Routes:
    """What the counts are made of; the names in the module's formulas are x, a, p, e and t."""

    holders: sparse.csr_array
    term: int
    holds: np.ndarray
    shared: np.ndarray
    ends: np.ndarray
    is_end: np.ndarray
    ways_on: np.ndarray


def count_bridges(X: Any, term: int, pure: Any = False) -> BridgeCounts:
    """Count the second-order paths from a word to other words, by bridge and by document.

    Parameters
    ----------
    X : {sparse matrix or array, array-like, data frame} of shape (n_documents, n_terms)
        Counts of terms; a non-zero means that the document holds the term. For what
        `HigherOrderNB` has counted, the training documents of one class.
    term : int
        Column of the word.
    pure : bool or matrix of shape (any, n_terms), default=False
        Leave out paths whose end terms share a document: of X if True, of the given matrix
        otherwise.

    Returns
    -------
    BridgeCounts
        ``total + middle`` are the word's paths by `count_paths`.

    See Also
    --------
    count_label_bridges : The same for paths to a label.
    count_paths : Paths of all words at once.

    Examples
    --------
    Word 0 reaches word 2 through word 1, and documents 0 and 1.

    >>> from honeybayes.paths import count_bridges
    >>> counts = count_bridges([[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1]], term=0)
    >>> counts.per_bridge, counts.per_first_document, counts.per_second_document
    (array([0, 1, 0, 0]), array([1, 0, 0]), array([0, 1, 0]))
    """
    X = presence_matrix(X)
    term = check_term(term, X.shape[1])
    neighbors = None
    if not (pure is None or isinstance(pure, bool | np.bool_)):
        neighbors = presence_matrix(pure, name="pure")
        if neighbors.shape[1] != X.shape[1]:
            raise ValueError(
                f"pure must have the terms of X: X has {X.shape[1]} columns, pure has "
                f"{neighbors.shape[1]}."
            )
    elif pure:
        neighbors = X
    return bridges_to_words(X, X.T.tocsr(), term, neighbors)


def bridges_to_words(
    X: sparse.csr_array,
    holders: sparse.csr_array,
    term: int,
    neighbors: sparse.csr_array | None,
) -> BridgeCounts:
    """Count the bridges to other words, for those who have presence, and its transpose, already."""
    is_end = np.ones(X.shape[1], np.int64)
    if neighbors is not None:
        with_term = neighbors[neighbors[:, [term]].nonzero()[0]]
        met = np.bincount(with_term.indices, minlength=X.shape[1])
        is_end = (met == 0).astype(np.int64)
    is_end[term] = 0
    middle = _middle(X[_row(holders, term)], term, neighbors)
    return _count(X, holders, term, X @ is_end, is_end, middle)


def count_label_bridges(
    X: Any, y: Any, term: int, label: Any, unlabeled: Any = None
) -> BridgeCounts:
    """Count the paths from a word to a label, by bridge and by document.

    These are the paths word - document - word - document - label of `count_label_paths`, so the
    word itself may never have occurred in a document with that label.

    Parameters
    ----------
    X : {sparse matrix or array, array-like, data frame} of shape (n_documents, n_terms)
        Counts of terms; a non-zero means that the document holds the term.
    y : array-like of shape (n_documents,)
        Label of each document.
    term : int
        Column of the word.
    label : label
        One of y.
    unlabeled : label, default=None
        The value in y that marks a document without a label.

    Returns
    -------
    BridgeCounts
        ``total`` is the word's count by `count_label_paths`.

    See Also
    --------
    count_bridges : The same for paths to other words.
    count_label_paths : Paths of all words to all labels at once.

    Examples
    --------
    Word 0 never occurs in class "b", but word 1 leads there from it.

    >>> from honeybayes.paths import count_label_bridges
    >>> counts = count_label_bridges([[1, 1, 0], [0, 1, 1]], ["a", "b"], term=0, label="b")
    >>> counts.per_bridge, counts.per_first_document, counts.per_second_document
    (array([0, 1, 0]), array([1, 0]), array([0, 1]))
    """
    X, y = presence_matrix(X), np.asarray(y)
    term = check_term(term, X.shape[1])
    if y.shape != (X.shape[0],):
        raise ValueError(
            f"y must hold one label a document: X has {X.shape[0]} documents, y has shape "
            f"{y.shape}."
        )
    classes, position = encode_labels(y, unlabeled)
    wanted = np.flatnonzero(classes == label)
    if len(wanted) != 1:
        raise ValueError(f"No document has the label {label!r}; there are {classes.tolist()}.")
    return bridges_to_label(X, X.T.tocsr(), term, position == wanted[0])


def bridges_to_label(
    X: sparse.csr_array, holders: sparse.csr_array, term: int, has_label: np.ndarray
) -> BridgeCounts:
    """Count the bridges to a label, for those who know which documents carry it."""
    no_word = np.zeros(X.shape[1], np.int64)
    return _count(X, holders, term, has_label.astype(np.int64), no_word, 0)


def check_term(term: Any, n_terms: int, name: str = "term") -> int:
    """Refuse what is not the number of a column."""
    if isinstance(term, bool | np.bool_) or not isinstance(term, int | np.integer):
        raise ValueError(f"{name} must be the number of a column of X; got {term!r}.")
    if not 0 <= term < n_terms:
        raise ValueError(f"{name}={term} is no column of X, which has {n_terms}.")
    return int(term)


def _count(
    X: sparse.csr_array,
    holders: sparse.csr_array,
    term: int,
    ends: np.ndarray,
    is_end: np.ndarray,
    middle: int,
) -> BridgeCounts:
    # only the documents with the word, and those that lead to an end, are looked at
    firsts, seconds = _row(holders, term), np.flatnonzero(ends)
    holds = np.zeros_like(ends)
    holds[firsts] = 1
    around, onward = X[firsts], X[seconds]
    shared = np.bincount(around.indices, minlength=X.shape[1])
    shared[term] = 0
    ways_on = onward.T @ ends[seconds]
    if is_end.any():
        ways_on -= np.diff(holders.indptr) * is_end

    per_bridge = shared * ways_on - around.T @ ends[firsts] + shared * is_end
    per_bridge[term] = 0
    first, second = np.zeros_like(ends), np.zeros_like(ends)
    others = np.diff(around.indptr) - 1  # bridges that a document with the word offers
    first[firsts] = around @ ways_on - ways_on[term] - others * ends[firsts] + around @ is_end
    others = np.diff(onward.indptr) - 1
    back, ends_beside = holds[seconds], onward @ is_end
    second[seconds] = ends[seconds] * (onward @ shared - back * others)
    second[seconds] -= onward @ (shared * is_end) - back * ends_beside
    routes = Routes(holders, term, holds, shared, ends, is_end, ways_on)
    return BridgeCounts(per_bridge, first, second, int(per_bridge.sum()), middle, routes)


def _row(X: sparse.csr_array, row: int) -> np.ndarray:
    """Where a row has its entries."""
    return X.indices[X.indptr[row] : X.indptr[row + 1]]


def _middle(around: sparse.csr_array, term: int, neighbors: sparse.csr_array | None) -> int:
    """Paths j - L - term - M - k: pairs of words, and of documents, on the two sides of a word."""
    lengths = np.diff(around.indptr).astype(np.int64)
    shared = np.bincount(around.indices, minlength=around.shape[1])
    shared[term] = 0
    steps = int((lengths - 1).sum())
    twice = steps**2 - int((shared**2).sum()) - int(((lengths - 1) * (lengths - 2)).sum())
    if neighbors is not None:
        twice -= _between_neighbors(around, shared, neighbors)
    return twice // 2


def _between_neighbors(
    around: sparse.csr_array, shared: np.ndarray, neighbors: sparse.csr_array
) -> int:
    """Ordered pairs of ends that share a document of ``neighbors``, by their paths."""
    words = np.flatnonzero(shared)
    weight = shared[words]
    meetings, together = neighbors[:, words].T.tocsr(), around[:, words].T.tocsr()
    size, count = max(1, BLOCK_CELLS // max(1, len(words))), 0
    for start in range(0, len(words), size):
        block = slice(start, start + size)
        meet = ((meetings[block] @ meetings.T).toarray() > 0).astype(np.int64)
        np.fill_diagonal(meet[:, start:], 0)
        in_one_document = (together[block] @ together.T).toarray()
        count += int(weight[block] @ meet @ weight) - int((meet * in_one_document).sum())
    return count
