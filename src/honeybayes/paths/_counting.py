"""Count paths of any order. For orders 1 and 2, time depends on the number of non-zeros.

Let l be the document lengths, df the document frequencies, A the co-occurrence counts with a zero
diagonal, s = A1, rho_i = sum over the documents of i of (l - 1)(l - 2), q_i = sum_k a_ik^2:

    order 1    phi = s
    order 2    end = As - q - rho           paths with i at an end
               mid = (s^2 - q - rho) / 2    paths with i in the middle
               phi = end + mid

``A s`` counts walks of two steps. q counts the walks that return to their first term, and rho
counts the walks that stay in one document. q follows from the number of butterflies b through each
term: q = 2b + s.

A document of weight w stands for w copies, which are different documents. A path counts with the
product of the weights of its two documents. Two copies of the same document can also be on one
path; this counts w^2 - w, or 0 if w < 1. The formulas stay the same with A = X'WX and

    rho_i = sum over the documents of i of min(w, w^2) (l - 1)(l - 2)
    q     = 2b + X'(w^2 (l - 1)), where a butterfly counts with the product of its two weights
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from honeybayes.paths._incidence import (
    Incidence,
    Pattern,
    check_order,
    documents_for_pure,
    pattern_of,
)
from honeybayes.utils.matrices import link_matrix, per_entry, presence_matrix

EXACT_LIMIT = 2**62  # the sum of two smaller counts fits in int64
LARGEST_WHOLE = 2**40  # integer weights with a larger sum are handled as float64


class PathCounts(NamedTuple):
    """Number of paths, per term and in total.

    Parameters
    ----------
    per_term : ndarray of shape (n_terms,)
        Number of paths that contain each term, at any position. Exact if the type is int64. The
        type is float64, and counts are rounded, if they may be too large for int64.
    total : int or float
        Number of all paths: the sum of ``per_term`` divided by order + 1.
    """

    per_term: np.ndarray
    total: int | float


def count_paths(
    X: Any,
    order: int = 2,
    pure: Any = False,
    *,
    sample_weight: Any = None,
    frequencies: bool = False,
) -> PathCounts:
    """Count the higher-order paths that contain each term.

    Parameters
    ----------
    X : {sparse matrix or array, array-like, data frame} of shape (n_documents, n_terms)
        Counts of terms; a non-zero means that the document contains the term.
    order : int, default=2
        Number of documents on a path. Paths of order 1 are pairs of terms of one document. Orders 1
        and 2 take only slightly more time than reading X. Order 3 takes time proportional to
        (non-zeros * documents), and higher orders take much more. A `ValueError` is raised if
        counting would take too long.
    pure : bool or matrix of shape (any, n_terms), default=False
        Exclude second-order paths whose end terms occur together in a document. With True, the
        documents of X are checked. If a matrix is given, its documents are checked (for example the
        whole training set, if X contains one class).
    sample_weight : array-like of shape (n_documents,), optional
        Weight of each document, 0 or more, for orders 1 and 2. A path counts with the product of
        the weights of its documents. An integer weight w gives the same counts as w copies of the
        document, which are different documents.
    frequencies : bool, default=False
        Count each link between a term and a document with its value in X, for orders 1 and 2. A
        path counts with the product of its links. If the values are counts, this is the number of
        paths in which each occurrence of a term is a link of its own. By default, each link
        counts 1.

    Returns
    -------
    PathCounts
        ``(per_term, total)``: int64 and int if the counts fit in int64. They are float64 and float
        if the counts are too large or if weights are not integers.

    References
    ----------
    .. [1] M. C. Ganiz, N. I. Lytkin and W. M. Pottenger, "Leveraging Higher Order Dependencies
       Between Features for Text Classification", DIMACS TR 2009-16, Algorithms 1 and 2.

    Examples
    --------
    Three documents, {A, B}, {B, C} and {C, D}: A reaches C through B, and B reaches D through C.

    >>> from honeybayes.paths import count_paths
    >>> X = [[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1]]
    >>> count_paths(X)
    PathCounts(per_term=array([1, 2, 2, 1]), total=2)
    >>> count_paths(X, order=3)  # A reaches D through B and C
    PathCounts(per_term=array([1, 1, 1, 1]), total=1)

    "A A B" and "B C C C" have 2 x 1 x 1 x 3 paths from an A through a B to a C.

    >>> count_paths([[2, 1, 0], [0, 1, 3]], frequencies=True)
    PathCounts(per_term=array([6, 6, 6]), total=6)
    """
    order = check_order(order)
    X, weights = link_matrix(X) if frequencies else presence_matrix(X), None
    if sample_weight is not None:
        from honeybayes.utils.validation import check_weights  # imports scikit-learn

        weights = check_weights(sample_weight, X)
        X, weights = X[weights > 0], weights[weights > 0]
        if order > 2:
            raise ValueError(
                f"sample_weight is available for orders 1 and 2; got order={order}. Repeat "
                "documents instead, or set order=2."
            )
    pure = documents_for_pure(pure, X)
    neighbors = None if pure is None else pattern_of(pure)
    del pure  # the values are not needed
    if neighbors is not None and order != 2:
        raise ValueError(
            f"pure paths are defined for order 2 only; got order={order}. "
            "Set order=2, or pure=False."
        )
    if frequencies:
        if order > 2 or neighbors is not None:
            raise ValueError(
                f"frequencies are available for orders 1 and 2, not for pure paths; got "
                f"order={order}, pure={neighbors is not None}. Set frequencies=False."
            )
        return _count_linked(X, order, weights)
    if weights is None:
        return _count_in_original_terms(Incidence(X), order, neighbors)
    if is_whole(weights):
        incidence = Incidence(X, weights.astype(np.int64))
        if incidence.bound(order) < EXACT_LIMIT:
            return _count_in_original_terms(incidence, order, neighbors)
    with np.errstate(over="ignore", invalid="ignore"):
        per_term, total = _count_in_original_terms(Incidence(X, weights), order, neighbors)
    check_finite(total)
    pattern = _count_in_original_terms(Incidence(X[pattern_rows(weights)]), order, neighbors)
    return PathCounts(
        np.where(pattern.per_term > 0, per_term, 0.0), total if pattern.total else 0.0
    )


def _count_linked(links: sparse.csr_array, order: int, weights: np.ndarray | None) -> PathCounts:
    """Count paths with the products of the values of their links."""
    from honeybayes.paths._linked import count_linked

    whole = is_whole(links.data) and (weights is None or is_whole(weights))
    if whole and _bound_of_linked(links, order, weights) < EXACT_LIMIT:
        return PathCounts(*count_linked(links, order, weights, np.int64))
    with np.errstate(over="ignore", invalid="ignore"):
        per_term, total = count_linked(links, order, weights, np.float64)
    check_finite(total, "sample_weight" if weights is not None else "X")
    rows = slice(None) if weights is None else pattern_rows(weights)
    pattern = _count_in_original_terms(Incidence(presence_matrix(links)[rows]), order, None)
    return PathCounts(
        np.where(pattern.per_term > 0, per_term, 0.0), total if pattern.total else 0.0
    )


def _bound_of_linked(values: sparse.csr_array, order: int, weights: np.ndarray | None) -> float:
    """Return an upper bound on the weighted number of walks, as `Incidence.bound`, in float64."""
    lengths = values.sum(axis=1, dtype=np.float64)
    steps = lengths if weights is None else weights * lengths
    widest = np.bincount(values.indices, values.data * per_entry(values, steps)).max(initial=0.0)
    return widest ** (order - 1) * (steps @ lengths)


def is_whole(weights: np.ndarray) -> bool:
    """Return True if weights are integers, and small enough to count in int64."""
    return bool((weights == np.floor(weights)).all() and weights.sum() < LARGEST_WHOLE)


def pattern_rows(weights: np.ndarray) -> np.ndarray:
    """Return the row of each document: twice if its weight is above 1, not if it is 0.

    These rows have a path wherever the weighted documents have one. Counting them shows which
    weighted counts are rounding errors.
    """
    return np.repeat(np.arange(len(weights)), (weights > 0) + (weights > 1).astype(np.int64))


def check_finite(counts: Any, name: str = "sample_weight") -> None:
    """Raise ValueError if weighted counts overflowed."""
    if not np.isfinite(counts).all():
        raise ValueError(f"{name} is too large for float64. Divide it by its largest value.")


def _count_in_original_terms(
    incidence: Incidence, order: int, neighbors: Pattern | None
) -> PathCounts:
    """Count paths, and move the counts to the original columns."""
    per_term, total = _count(incidence, order, neighbors)
    return PathCounts(incidence.to_original_terms(per_term), total)


def _count(incidence: Incidence, order: int, neighbors: Pattern | None) -> PathCounts:
    if order > 3:
        from honeybayes.paths._general import count_general

        return PathCounts(*count_general(incidence.documents, order))
    if order == 1:
        pairs = incidence.weights * (incidence.lengths * (incidence.lengths - 1) // 2)
        return PathCounts(incidence.co_occurrences, pairs.sum().item())
    if order == 3:
        from honeybayes.paths._third_order import count_third_order

        return _in_the_type_that_fits(
            lambda dtype: PathCounts(*count_third_order(incidence, dtype)), incidence.bound(3)
        )
    if incidence.weights.dtype == np.float64:
        return _count_second_order(incidence, neighbors, np.float64)
    return _in_the_type_that_fits(
        lambda dtype: _count_second_order(incidence, neighbors, dtype), incidence.bound(2)
    )


def _in_the_type_that_fits(count: Callable[[type], PathCounts], bound: int) -> PathCounts:
    """Count in int64 if the result fits, else in float64.

    Intermediate sums may overflow int64: the result is still correct modulo 2^64. If the upper
    bound does not fit in int64, a first count in float64 shows whether the result fits. Its error
    is far below bound * 2^-30.
    """
    if bound < EXACT_LIMIT:
        return count(np.int64)
    rounded = count(np.float64)
    return count(np.int64) if rounded.total + bound * 2.0**-30 < EXACT_LIMIT else rounded


def _count_second_order(incidence: Incidence, neighbors: Pattern | None, dtype: type) -> PathCounts:
    weights, lengths = incidence.weights, incidence.lengths
    butterflies = _butterflies(incidence, dtype)

    s: np.ndarray = incidence.co_occurrences.astype(dtype)
    same, squares = weights, s
    if incidence.is_weighted:
        same = np.minimum(weights, weights**2)
        squares = incidence.sum_over_documents(weights**2 * (lengths - 1))
    q = 2 * butterflies + squares
    rho = incidence.sum_over_documents(same * ((lengths - 1) * (lengths - 2)))
    end, twice_mid = incidence.times_co_occurrence(s) - q - rho, s * s - q - rho
    if neighbors is not None:
        impure_end, impure_twice_mid = _between_neighbors(incidence, neighbors, same, dtype)
        end, twice_mid = end - impure_end, twice_mid - impure_twice_mid
    # paths with the term in the middle were counted from both ends
    if end.dtype == np.int64:
        mid = twice_mid // 2
        return PathCounts(end + mid, int(mid.sum()))
    mid = np.maximum(twice_mid / 2, 0)
    return PathCounts(np.maximum(end, 0) + mid, float(mid.sum()))


def _butterflies(incidence: Incidence, dtype: type) -> np.ndarray:
    """Count the butterflies through each term."""
    from honeybayes.paths._kernels import butterflies_per_term, butterflies_with_frequent

    indptr, indices, t_indptr, t_indices = incidence.pattern
    n_rare = incidence.n_rare
    counts: np.ndarray = np.zeros(len(t_indptr) - 1, dtype)
    rare = (indptr, indices, t_indptr[: n_rare + 1], t_indices, incidence.rare_lengths)
    common = np.zeros(len(indptr) - 1, np.int32)
    butterflies_per_term(*rare, incidence.weights, None, None, common, counts)
    if n_rare < len(counts):
        shared, n_docs = incidence.counters(), len(indptr) - 1
        butterflies_with_frequent(t_indptr, t_indices, n_rare, shared, n_docs, counts)
    return counts


def _between_neighbors(
    incidence: Incidence, neighbors: Pattern, same: np.ndarray, dtype: type
) -> tuple[np.ndarray, np.ndarray]:
    """Count the paths whose end terms share a document of ``neighbors``, per end and middle term.

    Those with the term in the middle are counted from both ends.
    """
    from honeybayes.paths._kernels import paths_between_neighbors, renumbered

    wide = np.result_type(incidence.weights, np.int64)
    weights, same = incidence.weights.astype(wide), same.astype(wide)
    new, n_terms = incidence.new_numbers(), len(incidence.kept_terms)
    patterns = (*incidence.pattern, *renumbered(*neighbors, new, n_terms))
    frequency = incidence.sum_over_documents(weights)
    # a product of two lengths must fit
    narrow = not incidence.is_weighted and incidence.lengths.max(initial=0) < 2**15
    counts: np.ndarray = np.zeros((2, n_terms), dtype)
    for first, common in incidence.blocks_of_common_terms():
        G = common if narrow else common * weights[:, np.newaxis]
        paths_between_neighbors(*patterns, weights, same, frequency, G, first, *counts)
    return counts[0], counts[1]
