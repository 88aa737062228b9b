"""Count paths of orders 1 to 3. For orders 1 and 2, time depends on the number of non-zeros.

A link joins a term and a document. F holds its weight, f_di > 0 where document d contains term i:
1, or with ``frequencies`` its value. A path counts with the product of the weights of its links,
and with the product of the weights w of its documents. Let L, S2 and S3 be the sums of f, f^2 and
f^3 of each document, A = F'WF without its diagonal, s = A1 and q_i = sum over k of a_ik^2:

    order 1  phi = s
    order 2  end = As - q - sum over d of w f ((L - f)(S2 - f^2) - (S3 - f^3))    i at an end
             mid = (s^2 - q - sum over d of w f^2 ((L - f)^2 - (S2 - f^2))) / 2   i in the middle
             phi = end + mid

``A s`` counts walks of two steps. q counts the walks that return to their first term, and the last
sums count the walks that stay in one document. They are (l - 1)(l - 2) per document if all weights
are 1. Between rare terms, q follows from the number of butterflies through each term.

A document of weight w stands for w copies, which are different documents. Two copies can be on one
path; this counts w^2 - w, or 0 if w < 1. So min(w, w^2) takes the place of w in the last sums.

Other weights multiply all links. With ``frequencies="either"``, a path i - d - j - e - k counts
f_di (f_dj + f_ej) / 2 f_ek. Let P be presence, and U, V be F, P or P, F. Walks that begin with i
and whose bridge counts with U in the first document are

    sum over j of A_ij b_j  -  q_i  -  those that stay in one document

with A = F'U and b = V'F1, both without the term itself, and q the walks that return to i, from the
documents that share terms: q_i = sum over d, e of f_di (UV')_de f_ei without j = i.
"""

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

import numpy as np
from scipy import sparse

from honeybayes.paths._incidence import Incidence, pattern_of
from honeybayes.utils.matrices import link_matrix, presence_matrix
from honeybayes.utils.parameters import described_like
from honeybayes.utils.validation import check_integer, check_weights

EXACT_LIMIT = 2**62  # the sum of two smaller counts fits in int64
MAX_ORDER = 3
Path = tuple[tuple[int, ...], tuple[int, ...]]  # of `iter_paths`
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
    frequencies: bool | Literal["either"] = False,
) -> PathCounts:
    """Count the higher-order paths that contain each term.

    Parameters
    ----------
    X : {sparse matrix or array, array-like, data frame} of shape (n_documents, n_terms)
        Counts of terms; a non-zero means that the document contains the term.
    order : int, default=2
        Number of documents on a path, 1 to 3. Paths of order 1 are pairs of terms of one document.
        Orders 1 and 2 take only slightly more time than reading X. Order 3 takes time proportional
        to (non-zeros * documents).
    pure : bool or matrix of shape (any, n_terms), default=False
        Exclude second-order paths whose end terms occur together in a document. With True, the
        documents of X are checked. If a matrix is given, its documents are checked (for example the
        whole training set, if X contains one class).
    sample_weight : array-like of shape (n_documents,), optional
        Weight of each document, 0 or more, for orders 1 and 2. A path counts with the product of
        the weights of its documents. An integer weight w gives the same counts as w copies of the
        document, which are different documents.
    frequencies : bool or "either", default=False
        Count each link between a term and a document with its value in X, for orders 1 and 2. A
        path counts with the product of its links. If the values are counts, this is the number of
        paths in which each occurrence of a term is a link of its own. By default, each link
        counts 1. The middle term of a second-order path has two links: with "either", it counts
        with their mean instead of their product. This takes time proportional to (non-zeros *
        documents), and no ``sample_weight``.

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
    check_integer("order", order, 1)
    if order > MAX_ORDER:
        raise ValueError(
            f"Paths of orders 1 to {MAX_ORDER} can be counted; got order={order}. Choose a lower "
            "order, or list the paths of small data with iter_paths."
        )
    X, weights = link_matrix(X) if frequencies else presence_matrix(X), None
    if sample_weight is not None:
        weights = check_weights(sample_weight, X)
        X, weights = X[weights > 0], weights[weights > 0]
    if order > 2 and (frequencies or weights is not None):
        raise ValueError(
            f"Weights and frequencies are available for orders 1 and 2; got order={order}. Leave "
            "them out, or set order=2."
        )
    if pure is None or isinstance(pure, bool | np.bool_):
        neighbors = X if pure else None
    else:
        neighbors = presence_matrix(pure, name="pure")
        if neighbors.shape[1] != X.shape[1]:
            raise ValueError(
                f"X has {X.shape[1]} columns, pure has {neighbors.shape[1]}. Both must have the "
                "same terms as columns."
            )
    if neighbors is not None and (frequencies or order != 2):
        raise ValueError(
            "pure paths are defined for order 2 only, and have no frequencies; got "
            f"order={order}, frequencies={frequencies}. Leave out one of them."
        )
    if frequencies == "either" and order == 2:
        if weights is not None:
            raise ValueError(
                'frequencies="either" takes no sample_weight. Leave out one of them, or multiply '
                'both frequencies: True in count_paths, "counts" in HigherOrderNB.'
            )
        F = X.astype(np.float64)
        P = sparse.csr_array((np.ones(F.nnz), F.indices, F.indptr), F.shape)
        begin, mid = zip(*(_count_walks(F, U, V) for U, V in ((F, P), (P, F))), strict=True)
        # each path is a walk from both ends, once with each frequency
        middle = (mid[0] + mid[1]) / 4
        counts = PathCounts((begin[0] + begin[1]) / 2 + middle, float(middle.sum()))
    else:
        counts = _count(Incidence(X, weights), order, neighbors)
    if counts.per_term.dtype == np.int64 or (weights is None and not frequencies):
        return counts
    check_finite(counts.total, "X" if weights is None else "sample_weight")
    rows = slice(None) if weights is None else pattern_rows(weights)
    pattern = _count(Incidence(presence_matrix(X)[rows]), order, neighbors)
    per_term = np.where(pattern.per_term > 0, counts.per_term, 0.0)
    return PathCounts(per_term, counts.total if pattern.total else 0.0)


def _count(incidence: Incidence, order: int, neighbors: sparse.csr_array | None) -> PathCounts:
    """Count in int64 if the result fits, else in float64.

    Intermediate sums may overflow int64: the result is still correct modulo 2^64. If the upper
    bound does not fit in int64, a first count in float64 shows whether the result fits. Its error
    is far below bound * 2^-30.
    """

    def count(dtype: type) -> PathCounts:
        if order == 3:
            per_term, total = _count_third_order(incidence, dtype)
        else:
            per_term, total = _count_links(incidence, order, neighbors, dtype)
        return PathCounts(incidence.to_original_terms(per_term), total)

    with np.errstate(over="ignore", invalid="ignore"):
        if not (is_whole(incidence.weights) and is_whole(incidence.f)):
            return count(np.float64)
        bound = incidence.bound(order)
        if bound < EXACT_LIMIT or (order == 1 and incidence.is_unit):  # pairs of terms always fit
            return count(np.int64)
        rounded = count(np.float64)
        return count(np.int64) if rounded.total + bound * 2.0**-30 < EXACT_LIMIT else rounded


def _count_links(
    incidence: Incidence, order: int, neighbors: sparse.csr_array | None, dtype: Any
) -> tuple[np.ndarray, int | float]:
    """Count paths of order 1 or 2 by the formulas of this module."""
    from honeybayes.paths._kernels import butterflies_per_term, link_sums

    weights, f = incidence.weights.astype(dtype), None
    if incidence.is_linked:
        f = incidence.f.astype(dtype)
    n_terms, n_rare = len(incidence.kept_terms), incidence.n_rare
    s, walks, inside_end, inside_mid, once = link_sums(
        *incidence.pattern[:2], f, weights, n_terms, n_rare
    )
    if order == 1:
        return s, int(s.sum()) // 2 if dtype is np.int64 else float(s.sum()) / 2
    links = None if f is None else incidence.t_f.astype(dtype)
    indptr, indices, t_indptr, t_indices = incidence.pattern
    rare = (indptr, indices, t_indptr[: n_rare + 1], t_indices, incidence.rare_lengths)
    w: Any = weights.astype(np.int32) if incidence.is_unit else weights  # small ones are faster
    butterflies = np.zeros(n_terms, dtype)
    butterflies_per_term(*rare, w, f, links, np.zeros_like(w), butterflies)
    q = once + 2 * butterflies
    if n_rare < n_terms:
        _add_squares_with_frequent(incidence, weights, links, q)
    end, twice_mid = walks - q - inside_end, s * s - q - inside_mid
    if neighbors is not None:
        impure_end, impure_twice_mid = _between_neighbors(incidence, neighbors, weights)
        end, twice_mid = end - impure_end, twice_mid - impure_twice_mid
    # paths with the term in the middle were counted from both ends
    if dtype is np.int64:
        mid = twice_mid // 2
        return end + mid, int(mid.sum())
    mid = np.maximum(twice_mid / 2, 0)
    return np.maximum(end, 0) + mid, float(mid.sum())


def _add_squares_with_frequent(
    incidence: Incidence, weights: np.ndarray, links: np.ndarray | None, q: np.ndarray
) -> None:
    """Add to q the squares of the co-occurrences with frequent terms."""
    from honeybayes.paths._kernels import fill_columns, squares_with_frequent

    t_indptr, t_indices = incidence.pattern[2:]
    dtype: Any = q.dtype
    if q.dtype == np.int64:  # no co-occurrence is larger than this
        largest_link = 1.0 if links is None else float(links.max())
        largest = largest_link**2 * float(weights.max()) * incidence.document_frequency[-1]
        dtype = np.uint16 if largest < 2**16 else np.uint32 if largest < 2**32 else dtype
    shared, weighted = np.zeros(len(q) - incidence.n_rare, dtype), None
    if not incidence.is_unit:
        weighted = (weights[t_indices] * (1 if links is None else links)).astype(dtype)
    shape = (len(incidence.lengths), len(shared))  # of the links of the frequent terms
    dense = np.zeros(shape, np.uint8 if incidence.is_unit else dtype)
    values = incidence.t_f if incidence.is_linked else None
    fill_columns(t_indptr, t_indices, values, incidence.n_rare, dense)
    squares_with_frequent(t_indptr, t_indices, weighted, dense, shared, q)


def _count_third_order(incidence: Incidence, dtype: Any) -> tuple[np.ndarray, int | float]:
    """Count paths of order 3 by inclusion and exclusion, without a term-by-term matrix.

    In the notation of this module, with G = XX' and, for a term i of a document L,

        sigma_L  = sum of s over the terms of L
        alpha_Li = sum over the documents M of i of G_LM, minus df_i
        beta_L   = sum of alpha_Li over the terms i of L
        u_i = sum_k a_ik^3,   v_i = sum_k a_ik^2 s_k,   t_i = (A^3)_ii

    Count the walks of three steps, minus the walks that repeat a term, minus the walks that repeat
    a document (first and second, second and third, first and third, all three). E is the number
    with i as the first term, M the number with i as the second term:

        E = [A^2 s - q s - A q - t + u] - T2 - sum (l-3)(beta - 2 alpha) - [A rho - 2R] + T5
        M = [s As - v - s q - t + u]    - T2 - sum (l-2)(l-3) alpha      - [s rho - 2R] + T5
        T2 = sum [(l-2)(sigma - s_i) - (l-4) alpha - beta],  R = sum (l-2) alpha,
        T5 = 2 sum (l-1)(l-2)(l-3)

    Every sum runs over the documents of i. By symmetry phi = E + M, and the total is half of the
    sum of E.
    """
    from honeybayes.paths._kernels import co_occurrence_moments, walks_through_block

    indptr, indices, t_indptr, t_indices = incidence.pattern
    ones, shape = np.ones(len(indices), dtype), (len(incidence.kept_terms), len(incidence.lengths))
    terms = sparse.csr_array((ones, t_indices, t_indptr), shape)
    X = sparse.csr_array((ones, indices, indptr), shape[::-1])
    df = incidence.document_frequency.astype(dtype)
    l = incidence.lengths.astype(dtype)  # noqa: E741 (the letter of the formulas)

    def times_a(values: np.ndarray) -> np.ndarray:
        return terms @ (X @ values) - df * values

    s = terms @ (l - 1)
    # count every pair once, then let the kernel add the rest for pairs that occur together often
    u, v, squares_df = s.copy(), times_a(s), times_a(df)
    co_occurrence_moments(*incidence.pattern, s, df, u, v, squares_df)
    values = np.zeros_like(ones)
    square_sums = np.zeros(shape[0], dtype)
    most = int(incidence.lengths.max(initial=0)) * incidence.document_frequency.max(initial=0)
    for first_doc, block in incidence.blocks_of_common_terms():
        p = np.zeros(block.shape[1], np.int32 if most < 2**31 else np.int64)
        walks_through_block(t_indptr, t_indices, block, first_doc, p, square_sums, values)
    alpha = sparse.csr_array((values, t_indices, t_indptr), shape)
    t = square_sums - squares_df
    q = alpha.sum(axis=1)
    beta = alpha.sum(axis=0)
    sigma = X @ s
    rho = terms @ ((l - 1) * (l - 2))

    T2 = terms @ ((l - 2) * sigma - beta) - s * (terms @ (l - 2)) - alpha @ (l - 4)
    R = alpha @ (l - 2)
    T5 = 2 * (terms @ ((l - 1) * (l - 2) * (l - 3)))
    same_first_and_third = terms @ ((l - 3) * beta) - 2 * (alpha @ (l - 3))

    As = times_a(s)
    first = times_a(As) - q * s - times_a(q) - t + u
    first += -T2 - same_first_and_third - (times_a(rho) - 2 * R) + T5
    second = s * As - v - s * q - t + u
    second += -T2 - alpha @ ((l - 2) * (l - 3)) - (s * rho - 2 * R) + T5
    if dtype is np.int64:
        return first + second, int(first.sum()) // 2
    first, second = np.maximum(first, 0), np.maximum(second, 0)
    return first + second, float(first.sum()) / 2


def _between_neighbors(
    incidence: Incidence, neighbors: sparse.csr_array, weights: np.ndarray
) -> np.ndarray:
    """Count the paths whose end terms share a document of ``neighbors``, per end and middle term.

    Those with the term in the middle are counted from both ends.
    """
    from honeybayes.paths._kernels import paths_between_neighbors

    same = np.minimum(weights, weights**2)
    ones = np.ones(neighbors.nnz, np.int8)
    M = sparse.csr_array((ones, neighbors.indices, neighbors.indptr), neighbors.shape)
    M = M[:, incidence.kept_terms]
    shared = (*pattern_of(M), *pattern_of(M.T.tocsr()))
    frequency = np.add.reduceat(weights[incidence.pattern[3]], incidence.pattern[2][:-1])
    # a product of two lengths must fit
    narrow = not incidence.is_weighted and incidence.lengths.max(initial=0) < 2**15
    counts: np.ndarray = np.zeros((2, len(incidence.kept_terms)), weights.dtype)
    for first, common in incidence.blocks_of_common_terms():
        G = common if narrow else common * weights[:, np.newaxis]
        paths_between_neighbors(
            incidence.pattern, shared, weights, same, frequency, G, first, *counts
        )
    return counts


def is_whole(weights: np.ndarray) -> bool:
    """Return True if weights are integers, and small enough to count in int64."""
    if weights.dtype.kind == "i":
        return True
    return bool((weights == np.floor(weights)).all() and weights.sum() < LARGEST_WHOLE)


def pattern_rows(weights: np.ndarray) -> np.ndarray:
    """Return the row of each document: twice if its weight is above 1, not if it is 0.

    These rows have a path wherever the weighted documents have one. Counting them shows which
    weighted counts are rounding errors.
    """
    return np.repeat(np.arange(len(weights)), (weights > 0) + (weights > 1).astype(np.int64))


def check_finite(counts: Any, name: str) -> None:
    """Raise ValueError if weighted counts overflowed."""
    if not np.isfinite(counts).all():
        raise ValueError(f"{name} is too large for float64. Divide it by its largest value.")


def _count_walks(
    F: sparse.csr_array, U: sparse.csr_array, V: sparse.csr_array
) -> tuple[np.ndarray, np.ndarray]:
    """Count the walks that begin with each term, and those with each term in the middle."""
    length, squares = F.sum(axis=1), F.multiply(F).tocsr()
    both = U.multiply(V).tocsr()
    with_end, with_ends = both.multiply(F).tocsr(), both.multiply(squares).sum(axis=0)
    own_u, own_v = F.multiply(U).sum(axis=0), F.multiply(V).sum(axis=0)
    first, second = U.T @ length - own_u, V.T @ length - own_v  # to and from a bridge
    returning = F.multiply((U @ V.T) @ F).sum(axis=0) - own_u * own_v
    same_ends = U.multiply((F @ F.T) @ V).sum(axis=0) - own_u * own_v
    # in one document: an end i, a bridge j and another end k
    bridges = both.sum(axis=1)
    from_end = F.T @ (bridges * length - with_end.sum(axis=1)) - with_end.T @ length
    from_end += 2 * with_ends - squares.T @ bridges
    from_bridge = both.T @ (length**2 - squares.sum(axis=1)) - 2 * (with_end.T @ length)
    from_bridge += 2 * with_ends
    begin = F.T @ (U @ second) - own_u * second - returning - from_end
    return np.maximum(begin, 0), np.maximum(first * second - same_ends - from_bridge, 0)


@described_like(count_paths)
def iter_paths(X: Any, order: int = 2) -> Iterator[Path]:
    """List every path once, one at a time.

    This follows the definition step by step. To count paths use `count_paths`, which is faster.

    Parameters
    ----------
    order : int, default=2
        Number of documents on a path.

    Yields
    ------
    words : tuple of int
        The ``order + 1`` columns on the path; the first is smaller than the last.
    documents : tuple of int
        The ``order`` rows between these columns.

    Examples
    --------
    >>> from honeybayes.paths import iter_paths
    >>> for words, documents in iter_paths([[1, 1, 0], [0, 1, 1]]):
    ...     print(words, documents)
    (0, 1, 2) (0, 1)
    """
    check_integer("order", order, 1)
    return _list_paths(presence_matrix(X), order)


def _list_paths(X: Any, order: int) -> Iterator[Path]:
    terms_of, documents_of = (
        [row.tolist() for row in np.split(matrix.indices, matrix.indptr[1:-1])]
        for matrix in (X, X.T.tocsr())
    )

    def extend(words: tuple[int, ...], documents: tuple[int, ...]) -> Iterator[Path]:
        if len(documents) == order:
            if words[0] < words[-1]:  # a path and its reversal are the same path
                yield words, documents
            return
        for document in documents_of[words[-1]]:
            if document not in documents:
                for word in terms_of[document]:
                    if word not in words:
                        yield from extend((*words, word), (*documents, document))

    for word in range(X.shape[1]):
        yield from extend((word,), ())
