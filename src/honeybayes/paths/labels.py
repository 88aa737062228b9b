"""Paths from a term to a class label: term - document - term - document - label.

With Y the one-hot labels, B = X'Y and l the document lengths, the number of paths is

    X'(XB - diag(l - 1) Y) - diag(df) B

These are all walks, minus those that use the same document twice, minus those that use the same
term twice. The paper's Algorithm 1 subtracts only the second kind; see docs/paths.md.
"""

from typing import Any

import numpy as np
from scipy import sparse

from honeybayes.utils.labels import encode_labels
from honeybayes.utils.matrices import presence_matrix, sum_by_class

EXACT_FLOAT_LIMIT = 2**53


def count_label_paths(X: Any, y: Any, unlabeled: Any = None) -> np.ndarray:
    """Count the paths term - document - term - document - label, per class and term.

    The two terms are different, and so are the two documents. Only the second document needs the
    label: the first may have any label, or none. So a term can have paths to a class in which it
    never occurs.

    Parameters
    ----------
    X : {sparse matrix or array, array-like, data frame} of shape (n_documents, n_terms)
        Counts of terms; a non-zero means that the document contains the term.
    y : array-like of shape (n_documents,)
        Label of each document.
    unlabeled : label, default=None
        The value in y that marks a document without a label, such as -1. By default every value
        is a class.

    Returns
    -------
    ndarray of int64, shape (n_classes, n_terms)
        Number of paths. The classes are sorted.

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
    X = presence_matrix(X)
    classes, position = encode_labels_of(X, y, unlabeled)
    return label_paths(X, position, sum_by_class(X, position, len(classes)))


def encode_labels_of(
    X: sparse.csr_array, y: Any, unlabeled: Any = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return the classes and the class index of each document (-1: unlabeled)."""
    y = np.asarray(y)
    if y.shape != (X.shape[0],):
        raise ValueError(
            f"X has {X.shape[0]} documents, y has shape {y.shape}. Pass one label per document."
        )
    return encode_labels(y, unlabeled)


def label_paths(X: sparse.csr_array, position: np.ndarray, B: np.ndarray) -> np.ndarray:
    """Count the label paths, given the documents with each term in each class.

    Parameters
    ----------
    X : csr_array
        Presence, as returned by `presence_matrix`.
    position : ndarray of shape (n_documents,)
        The class index of each document, -1 for an unlabeled document.
    B : ndarray of int64, shape (n_terms, n_classes)
        ``sum_by_class(X, position, n_classes)``.

    Returns
    -------
    ndarray of int64, shape (n_classes, n_terms)
        As returned by `count_label_paths`.
    """
    lengths = np.diff(X.indptr).astype(np.int64)
    frequency = np.bincount(X.indices, minlength=X.shape[1])
    # float64 is faster than int64, and exact while the sums stay below 2^53
    largest_walk_count = int(lengths.max(initial=0)) * int(frequency.max(initial=0)) ** 2
    dtype = np.float64 if largest_walk_count < EXACT_FLOAT_LIMIT else np.int64

    X = X.astype(dtype)
    last_steps = X @ B.astype(dtype)
    labeled = np.flatnonzero(position >= 0)
    last_steps[labeled, position[labeled]] -= lengths[labeled] - 1  # back in the same document
    return ((X.T @ last_steps).astype(np.int64) - frequency[:, np.newaxis] * B).T
