"""Paths from a term to a class label: term - document - term - document - label.

With Y the one-hot labels, B = X'Y and l the document lengths, the number of paths is

    X'(XB - diag(l - 1) Y) - diag(df) B

This is the number of all walks, minus the walks that use the same document twice, minus the walks
that use the same term twice. Algorithm 1 of the paper subtracts only the walks that use a term
twice; see docs/paths.md. With document weights w, and links that count with their values, as in
`honeybayes.paths._counting`, let F, F2 and F3 be the values, their squares and their cubes, S2 the
sums of the squares of each document, W = diag(w) and V = diag(min(w, w^2)). Then the number is

    F'(WFB - V diag(S2) Y) + F3'VY - diag(F2'w) B,    where B = F'WY
"""

from typing import Any

import numpy as np
from scipy import sparse

from honeybayes.paths._counting import check_finite, count_paths, is_whole, pattern_rows
from honeybayes.utils.labels import encode_labels
from honeybayes.utils.matrices import link_matrix, per_entry, presence_matrix, sum_by_class
from honeybayes.utils.parameters import described_like
from honeybayes.utils.validation import check_weights

EXACT_FLOAT_LIMIT = 2**53


@described_like(count_paths)
def count_label_paths(
    X: Any, y: Any, unlabeled: Any = None, *, sample_weight: Any = None, frequencies: bool = False
) -> np.ndarray:
    """Count the paths term - document - term - document - label, per class and term.

    The two terms are different, and the two documents are different. Only the second document must
    have the label. The first document may have any label, or no label. So a term can have paths to
    a class in which it never occurs.

    Parameters
    ----------
    y : array-like of shape (n_documents,)
        Label of each document.
    unlabeled : label, default=None
        The value in y that marks a document without a label, such as -1. By default every value
        is a class.

    Returns
    -------
    ndarray of int64, shape (n_classes, n_terms)
        Number of paths. The classes are sorted. float64 if weights are not integers, or large.

    References
    ----------
    .. [1] M. Poyraz, Z. H. Kilimci and M. C. Ganiz, "A Novel Semantic Smoothing Method based on
       Higher Order Paths for Text Classification", ICDM 2012, section IV.

    Examples
    --------
    Term 0 never occurs in class "b", but reaches it through term 1.

    >>> from honeybayes.paths import count_label_paths
    >>> count_label_paths([[1, 1, 0], [0, 1, 1]], ["a", "b"])
    array([[0, 0, 1],
           [1, 0, 0]])
    """
    X = link_matrix(X) if frequencies else presence_matrix(X)
    y, weights = np.asarray(y), None
    if y.shape != (X.shape[0],):
        raise ValueError(
            f"X has {X.shape[0]} documents, y has shape {y.shape}. Pass one label per document."
        )
    classes, position = encode_labels(y, unlabeled)
    if sample_weight is not None:
        weights = check_weights(sample_weight, X)
    return label_paths(X, position, len(classes), weights)[1]


def label_paths(
    X: sparse.csr_array, position: np.ndarray, n_classes: int, weights: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Count the links of each term with each class, and the paths, both (n_classes, n_terms).

    X is the int64 ones of ``presence_matrix``, or the float64 weights of ``link_matrix``.
    """
    if X.dtype == np.float64 or weights is not None:
        X = X.astype(np.float64)
        values = X.data if weights is None else X.data * per_entry(X, weights)
        B = sum_by_class(X, position, n_classes, values)
        return B.T, _linked(X, position, B, weights)
    B = sum_by_class(X, position, n_classes)
    lengths = np.diff(X.indptr).astype(np.int64)
    frequency = np.bincount(X.indices, minlength=X.shape[1])
    # float64 is faster than int64, and exact while the sums stay below 2^53
    largest_walk_count = int(lengths.max(initial=0)) * int(frequency.max(initial=0)) ** 2
    dtype = np.float64 if largest_walk_count < EXACT_FLOAT_LIMIT else np.int64

    X = X.astype(dtype)
    last_steps = X @ B.astype(dtype)
    labeled = np.flatnonzero(position >= 0)
    last_steps[labeled, position[labeled]] -= lengths[labeled] - 1  # back in the same document
    return B.T, ((X.T @ last_steps).astype(np.int64) - frequency[:, np.newaxis] * B).T


def _linked(
    X: sparse.csr_array, position: np.ndarray, B: np.ndarray, weights: np.ndarray | None
) -> np.ndarray:
    """Count label paths with the products of the values of X."""
    n_classes, labeled = B.shape[1], np.flatnonzero(position >= 0)
    w = np.ones(X.shape[0]) if weights is None else weights
    with np.errstate(over="ignore", invalid="ignore"):
        same = np.minimum(w, w**2)
        squares = sparse.csr_array((X.data**2, X.indices, X.indptr), X.shape)
        last_steps = w[:, np.newaxis] * (X @ B)
        last_steps[labeled, position[labeled]] -= (same * squares.sum(axis=1))[labeled]
        inside = sum_by_class(X, position, n_classes, X.data**3 * per_entry(X, same))
        counts = (X.T @ last_steps + inside - (squares.T @ w)[:, np.newaxis] * B).T
        largest = (X.T @ (w * (X @ B.sum(axis=1)))).max(initial=0.0)  # walks
        largest += (X.T @ (same * squares.sum(axis=1))).max(initial=0.0)
    check_finite(counts, "X" if weights is None else "sample_weight")
    if largest < EXACT_FLOAT_LIMIT and is_whole(X.data) and is_whole(w):
        return counts.astype(np.int64)
    rows = slice(None) if weights is None else pattern_rows(weights)
    _, pattern = label_paths(presence_matrix(X)[rows], position[rows], n_classes)
    return np.where(pattern > 0, np.maximum(counts, 0.0), 0.0)
