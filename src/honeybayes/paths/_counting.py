"""Counts of paths of any order, at the cost of the non-zeros for orders 1 and 2.

With l the document lengths, df the document frequencies, A the co-occurrence counts with a zero
diagonal, s = A1, rho_i = sum over the documents of i of (l - 1)(l - 2), q_i = sum_k a_ik^2:

    order 1    phi = s
    order 2    end = As - q - rho           paths with i at an end
               mid = (s^2 - q - rho) / 2    paths with i in the middle
               phi = end + mid

``A s`` counts walks of two steps, q those that come back to where they began, rho those that stay
in one document. q is had from the butterflies b through each term: q = 2b + s.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from honeybayes.paths._incidence import Incidence, both_sides, check_order, pattern_of
from honeybayes.utils.matrices import presence_matrix

EXACT_LIMIT = 2**62  # int64 with a bit to spare, for sums of two counts


class PathCounts(NamedTuple):
    """Number of paths, by term and altogether.

    Parameters
    ----------
    per_term : ndarray of shape (n_terms,)
        Paths that hold each term, at any place. Exact where the type is int64; float64 means that
        the counts may not fit there, and are rounded.
    total : int or float
        Paths altogether: the sum of ``per_term`` divided by order + 1.
    """

    per_term: np.ndarray
    total: int | float


def count_paths(X: Any, order: int = 2, pure: Any = False) -> PathCounts:
    """Count the higher-order paths that hold each term.

    Parameters
    ----------
    X : {sparse matrix or array, array-like, data frame} of shape (n_documents, n_terms)
        Counts of terms; a non-zero means that the document holds the term.
    order : int, default=2
        Number of documents on a path. Order 1 are the pairs of terms of one document. Orders 1
        and 2 take little more than reading X, order 3 on the order of (non-zeros * documents),
        higher ones much more; a `ValueError` says so where it is out of reach.
    pure : bool or matrix of shape (any, n_terms), default=False
        Leave out the second-order paths whose end terms share a document: of X if True, of the
        given matrix (say, the whole training set when X is one class of it) otherwise.

    Returns
    -------
    PathCounts
        ``(per_term, total)``, int64 and int while the counts surely fit, else float64 and float.

    See Also
    --------
    iter_paths : List the paths themselves, for small data.
    count_label_paths : Paths that end at a class label.

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
    """
    order = check_order(order)
    X = presence_matrix(X)
    if pure is None or isinstance(pure, bool | np.bool_):
        pure = X if pure else None
    if pure is not None:
        pure = presence_matrix(pure, name="pure")
        if order != 2:
            raise ValueError(f"pure paths are defined for order 2 only; got order={order}.")
        if pure.shape[1] != X.shape[1]:
            raise ValueError(
                f"pure must have the terms of X: X has {X.shape[1]} columns, pure has "
                f"{pure.shape[1]}."
            )
    incidence = Incidence(X)
    per_term, total = _count(incidence, order, pure)
    return PathCounts(incidence.to_original_terms(per_term), total)


def _count(incidence: Incidence, order: int, pure: sparse.csr_array | None) -> PathCounts:
    if order > 3:
        from honeybayes.paths._general import count_general

        return PathCounts(*count_general(incidence.documents, order))
    if order == 1:
        return _count_first_order(incidence)
    if order == 3:
        from honeybayes.paths._third_order import count_third_order

        return _in_the_type_that_fits(
            lambda dtype: PathCounts(*count_third_order(incidence, dtype)), incidence.bound(3)
        )
    if pure is not None:
        return _in_the_type_that_fits(
            lambda dtype: _count_pure(incidence, pure, dtype), incidence.bound(2)
        )
    return _in_the_type_that_fits(
        lambda dtype: _add_up(*_ends_and_twice_middles(incidence, dtype)), incidence.bound(2)
    )


def _in_the_type_that_fits(count: Callable[[type], PathCounts], bound: int) -> PathCounts:
    """Count in int64 if that holds the result, else in float64.

    Sums that wrap around on the way do no harm: what they cancel to is right modulo 2^64. So where
    the bound does not settle it, a count in float64 does; its errors are far below the 2^-30th
    part of the walks, which the bound is on.
    """
    if bound < EXACT_LIMIT:
        return count(np.int64)
    rounded = count(np.float64)
    return count(np.int64) if rounded.total + bound * 2.0**-30 < EXACT_LIMIT else rounded


def _count_first_order(incidence: Incidence) -> PathCounts:
    lengths = incidence.lengths
    return PathCounts(incidence.co_occurrences, int((lengths * (lengths - 1) // 2).sum()))


def _ends_and_twice_middles(incidence: Incidence, dtype: type) -> tuple[np.ndarray, np.ndarray]:
    from honeybayes.paths._kernels import butterflies_per_term

    butterflies = np.zeros(incidence.documents.shape[1], dtype)
    butterflies_per_term(*incidence.pattern, butterflies)

    s: np.ndarray = incidence.co_occurrences.astype(dtype)
    q = 2 * butterflies + s
    lengths = incidence.lengths
    rho = incidence.sum_over_documents((lengths - 1) * (lengths - 2))
    end = incidence.times_co_occurrence(s) - q - rho
    return end, s * s - q - rho


def _count_pure(incidence: Incidence, pure: sparse.csr_array, dtype: type) -> PathCounts:
    """Take from all second-order paths those whose end terms share a document of ``pure``."""
    from honeybayes.paths._kernels import paths_between_neighbors

    by_term, by_document = both_sides(incidence.renumber(pure))
    neighbors = (*pattern_of(by_document), *pattern_of(by_term))
    end, twice_mid = _ends_and_twice_middles(incidence, dtype)
    impure_end, impure_twice_mid = np.zeros_like(end), np.zeros_like(end)
    paths_between_neighbors(*incidence.pattern, *neighbors, impure_end, impure_twice_mid)
    return _add_up(end - impure_end, twice_mid - impure_twice_mid)


def _add_up(end: np.ndarray, twice_mid: np.ndarray) -> PathCounts:
    """Every path has one middle; seen from both its ends, each middle was counted twice."""
    if end.dtype == np.int64:
        mid = twice_mid // 2
        return PathCounts(end + mid, int(mid.sum()))
    mid = np.maximum(twice_mid / 2, 0)
    return PathCounts(np.maximum(end, 0) + mid, float(mid.sum()))
