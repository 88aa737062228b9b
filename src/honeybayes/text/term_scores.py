"""Scores of terms: how informative a term is about the class.

A term t and the classes c form a table with two rows: documents with the term, and documents
without it. With n documents, n_c of them in class c and d_t with the term::

    expected           n_c d_t / n in the first row, n_c (n - d_t) / n in the second
    information gain   sum over cells of observed / n * log2(observed / expected)
    gain ratio         information gain / entropy of the row totals
    sym. uncertainty   2 information gain / (entropy of the row totals + that of the classes)
    chi-square         sum over cells of (observed - expected)^2 / expected

Only the first row is counted from the data. This takes one pass over the non-zero values and one
pass over all pairs of a term and a class. Ratios and differences use exact integers: a term that is
independent of the classes scores exactly zero.

These scores look at presence. :func:`weka_gain` looks at values, which it cuts into intervals.
"""

from collections.abc import Callable
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import xlog1py, xlogy

from honeybayes.utils.matrices import link_matrix, per_entry, presence_matrix, sum_by_class
from honeybayes.utils.parameters import described_like
from honeybayes.utils.validation import check_option, check_weights

__all__ = ["chi_square", "gain_ratio", "information_gain", "symmetrical_uncertainty", "weka_gain"]
SMALLEST_GAIN = 1e-12  # with weights, a smaller gain is a rounding error


def information_gain(X: Any, y: Any, *, sample_weight: Any = None) -> NDArray[np.float64]:
    """Compute the information gain of each term: the information in bits about the class.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_documents, n_terms)
        Counts of terms; a count above zero means that the term is present.
    y : array-like of shape (n_documents,)
        The class of each document.
    sample_weight : array-like of shape (n_documents,), optional
        Weight of each document, 0 or more. By default, every weight is 1.

    Returns
    -------
    ndarray of shape (n_terms,)
        0 or more, and for a term that occurs in all documents, or in none, 0. Information gains are
        at most the entropy of the classes; ratios and uncertainties are at most 1.

    Examples
    --------
    >>> from honeybayes.text.term_scores import chi_square, gain_ratio, information_gain
    >>> from honeybayes.text.term_scores import symmetrical_uncertainty
    >>> X, y = [[1, 1, 0], [2, 1, 1], [0, 1, 0], [0, 3, 1]], ["ham", "ham", "spam", "spam"]
    >>> information_gain(X, y), gain_ratio(X, y), chi_square(X, y)
    (array([1., 0., 0.]), array([1., 0., 0.]), array([4., 0., 0.]))
    >>> symmetrical_uncertainty(X, y)
    array([1., 0., 0.])
    """
    return _information_gain(*_count_table(X, y, sample_weight))


@described_like(information_gain)
def weka_gain(X: Any, y: Any, *, sample_weight: Any = None) -> NDArray[np.float64]:
    """Compute the information gain of the values of each term, as WEKA's InfoGainAttributeEval.

    WEKA cuts the values of a term into intervals by the minimum description length (Fayyad and
    Irani, 1993), and computes the gain of the intervals. A term for which no cut pays scores 0.
    With few documents, these are most terms, while nearly every term has a gain of presence.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_documents, n_terms)
        Counts of terms, or other numbers of 0 or more.

    Examples
    --------
    The first term separates the classes by its number of occurrences, not by its presence.

    >>> from honeybayes.text.term_scores import information_gain, weka_gain
    >>> X = [[1, 0], [1, 1], [1, 0], [1, 0], [4, 0], [5, 1], [4, 0], [4, 0]]
    >>> y = ["ham"] * 4 + ["spam"] * 4
    >>> information_gain(X, y), weka_gain(X, y)
    (array([0., 0.]), array([1., 0.]))
    """
    from honeybayes.text._kernels import discretized_gains

    counts, position, weights = _with_classes(link_matrix(X), y, sample_weight)
    present, class_size = _count_classes(counts, position, weights)
    by_term, x = counts.tocsc(), np.arange(len(position) + 1.0)
    return discretized_gains(
        by_term.indptr,
        by_term.data,
        position[by_term.indices],
        np.ones(by_term.nnz) if weights is None else weights[by_term.indices],
        np.ascontiguousarray(np.maximum(class_size - present, 0).T, dtype=np.float64),
        xlogy(x, x) / np.log(2) if weights is None else np.empty(0),
    )


@described_like(information_gain)
def gain_ratio(X: Any, y: Any, *, sample_weight: Any = None) -> NDArray[np.float64]:
    """Compute the information gain divided by the entropy of the term's presence.

    Information gain favors terms that occur in about half of the documents. The division corrects
    this.
    """
    present, class_size = _count_table(X, y, sample_weight)
    gain, split = _information_gain(present, class_size), _presence_entropy(present, class_size)
    return np.divide(gain, split, out=np.zeros_like(gain), where=split > 0)


@described_like(information_gain)
def symmetrical_uncertainty(X: Any, y: Any, *, sample_weight: Any = None) -> NDArray[np.float64]:
    """Compute 2 information gain / (entropy of the term's presence + entropy of the classes).

    Unlike the gain ratio it is symmetric: presence and class can be exchanged. So it can also
    measure the dependence between two terms: pass the presence of one term as ``y``.
    """
    return uncertainty_of_table(*_count_table(X, y, sample_weight))


def uncertainty_of_table(present: NDArray[Any], class_size: NDArray[Any]) -> NDArray[np.float64]:
    """Compute the symmetrical uncertainty from numbers of documents."""
    gain, split = _information_gain(present, class_size), _presence_entropy(present, class_size)
    share = class_size / class_size.sum()
    both = split - xlogy(share, share).sum() / np.log(2)
    return np.divide(2 * gain, both, out=np.zeros_like(gain), where=split > 0)


@described_like(information_gain)
def chi_square(X: Any, y: Any, *, sample_weight: Any = None) -> NDArray[np.float64]:
    """Compute the chi-square statistic of each term's presence and the classes.

    Unlike :func:`sklearn.feature_selection.chi2`, which adds up counts, this is the classical
    statistic of the table of documents with and without the term, without continuity correction.
    """
    present, class_size = _count_table(X, y, sample_weight)
    n_documents, with_term = class_size.sum(), present.sum(axis=0)
    # Both rows deviate from their expectation by the same amount, so one sum is enough.
    deviation = (n_documents * present - class_size * with_term).astype(np.float64)
    total = (deviation**2 / class_size).sum(axis=0)
    scale = with_term.astype(np.float64) * (n_documents - with_term)
    return np.divide(total, scale, out=np.zeros_like(total), where=scale > 0)


SCORES: dict[str, Callable[[Any, Any], NDArray[np.float64]]] = {
    "chi-square": chi_square,
    "gain-ratio": gain_ratio,
    "information-gain": information_gain,
    "symmetrical-uncertainty": symmetrical_uncertainty,
    "weka-gain": weka_gain,
}


def check_score_function(name: str, value: Any) -> None:
    """Raise ValueError if a parameter is neither a function nor the name of a score."""
    if not callable(value):
        check_option(f"{name}, if it is not callable,", value, tuple(SCORES))


ScoreFunction = Annotated[Any, check_score_function]


def _count_table(X: Any, y: Any, sample_weight: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    """Count the documents per class and term (classes, terms), and per class (classes, 1)."""
    return _count_classes(*_with_classes(presence_matrix(X), y, sample_weight))


def _with_classes(
    X: sparse.csr_array, y: Any, sample_weight: Any
) -> tuple[sparse.csr_array, NDArray[np.intp], NDArray[np.float64] | None]:
    """Return the documents with a weight above 0, the position of their classes, and weights."""
    labels, n_documents = np.asarray(y), X.shape[0]
    if labels.shape != (n_documents,):
        each = f"one label for each of the {n_documents} document(s)"
        raise ValueError(f"y must be one-dimensional, with {each}; got shape {labels.shape}.")
    if n_documents == 0:
        raise ValueError("X has no documents. Scoring terms needs at least one document.")
    # NaN is the only value that differs from itself; it would become a class of its own.
    if labels.dtype.kind in "fO" and (labels != labels).any():
        raise ValueError("y contains NaN. Remove documents without a label.")
    weights = None
    if sample_weight is not None:
        weights = check_weights(sample_weight, X)
        used = weights > 0
        X, labels, weights = X[used], labels[used], weights[used]
    return X, np.unique(labels, return_inverse=True)[1], weights


def _count_classes(
    X: sparse.csr_array, position: NDArray[np.intp], weights: NDArray[np.float64] | None
) -> tuple[NDArray[Any], NDArray[Any]]:
    class_size = np.bincount(position, weights)
    each_entry = None if weights is None else per_entry(X, weights)
    return sum_by_class(X, position, len(class_size), each_entry).T, class_size[:, np.newaxis]


def _information_gain(present: NDArray[Any], class_size: NDArray[Any]) -> NDArray[np.float64]:
    n_documents = class_size.sum()
    nats = np.zeros(present.shape[1])
    for observed in (present, np.maximum(class_size - present, 0)):
        row_total = observed.sum(axis=0)
        row_total = np.where(row_total > 0, row_total, 1)  # an empty row adds 0 log 0 = 0
        ratio = (n_documents * observed) / (class_size * row_total)
        nats += xlogy(observed, ratio).sum(axis=0)
    gain = np.maximum(nats / (n_documents * np.log(2)), 0.0)
    if present.dtype.kind == "f":
        gain[gain < SMALLEST_GAIN] = 0
    return gain


def _presence_entropy(present: NDArray[Any], class_size: NDArray[Any]) -> NDArray[np.float64]:
    share = np.minimum(present.sum(axis=0) / class_size.sum(), 1.0)
    return -(xlogy(share, share) + xlog1py(1 - share, -share)) / np.log(2)
