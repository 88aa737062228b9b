"""Paths from a word to a class label: word - document - word - document - label.

With Y the one-hot labels, B = X'Y and l the document lengths, the number of paths is

    X'(XB - diag(l - 1) Y) - diag(df) B

Walks, less those whose two documents are the same, less those whose two words are the same. The
paper's Algorithm 1 takes off the second kind only; see docs/paths.md.
"""

from typing import Any

import numpy as np
from scipy import sparse

from honeybayes.utils.labels import encode_labels
from honeybayes.utils.matrices import presence_matrix, sum_by_class

EXACT_FLOAT_LIMIT = 2**53


def count_label_paths(X: Any, y: Any, unlabeled: Any = None) -> np.ndarray:
    """Count the paths word - document - word - document - label, all vertices distinct.

    Only the second document has to carry the label: the first may belong to any class, or to
    none. So a word gets paths to a class in whose documents it never occurs.

    Parameters
    ----------
    X : {sparse matrix or array, array-like, data frame} of shape (n_documents, n_terms)
        Counts of terms; a non-zero means that the document holds the term.
    y : array-like of shape (n_documents,)
        Label of each document.
    unlabeled : label, default=None
        The value in y that marks a document without a label, such as -1. By default every value
        is a class.

    Returns
    -------
    ndarray of int64, shape (n_classes, n_terms)
        One row a class, in sorted order.

    References
    ----------
    .. [1] M. Poyraz, Z. H. Kilimci and M. C. Ganiz, "A Novel Semantic Smoothing Method based on
       Higher Order Paths for Text Classification", ICDM 2012, section IV.

    Examples
    --------
    Term 0 never occurs in class "b", but term 1 leads there from it.

    >>> from honeybayes.paths import count_label_paths
    >>> count_label_paths([[1, 1, 0], [0, 1, 1]], ["a", "b"])
    array([[0, 0, 1],
           [1, 0, 0]])
    """
    X, y = presence_matrix(X), np.asarray(y)
    if y.shape != (X.shape[0],):
        raise ValueError(
            f"y must hold one label a document: X has {X.shape[0]} documents, y has shape "
            f"{y.shape}."
        )
    classes, position = encode_labels(y, unlabeled)
    return label_paths(X, position, sum_by_class(X, position, len(classes)))


def label_paths(X: sparse.csr_array, position: np.ndarray, B: np.ndarray) -> np.ndarray:
    """Count the label paths, for those who know the documents with each term in each class.

    Parameters
    ----------
    X : csr_array
        Presence, as from `presence_matrix`.
    position : ndarray of shape (n_documents,)
        The class of each document as a number, -1 for none.
    B : ndarray of int64, shape (n_terms, n_classes)
        ``sum_by_class(X, position, n_classes)``.

    Returns
    -------
    ndarray of int64, shape (n_classes, n_terms)
    """
    lengths = np.diff(X.indptr).astype(np.int64)
    frequency = np.bincount(X.indices, minlength=X.shape[1])
    # the same loops are faster in float64, and as exact while the sums stay below 2^53
    largest_walk_count = int(lengths.max(initial=0)) * int(frequency.max(initial=0)) ** 2
    dtype = np.float64 if largest_walk_count < EXACT_FLOAT_LIMIT else np.int64

    X = X.astype(dtype)
    last_steps = X @ B.astype(dtype)
    labeled = np.flatnonzero(position >= 0)
    last_steps[labeled, position[labeled]] -= lengths[labeled] - 1  # back in the same document
    return ((X.T @ last_steps).astype(np.int64) - frequency[:, np.newaxis] * B).T
