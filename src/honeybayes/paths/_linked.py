"""Count paths of order 1 and 2 in which each link counts with a weight, such as a frequency.

A link joins a term and a document. F holds its weight, f_di > 0 where document d contains term i. A
path counts with the product of the weights of its links, w0 - d0, d0 - w1, w1 - d1, and so on, and
with the product of the weights w of its documents. With whole weights this is the number of paths
if each occurrence of a term is a link of its own. Let L, S2 and S3 be the sums of f, f^2 and f^3 of
each document, and A = F'WF without its diagonal:

    s_i   = sum over d of w f_di (L - f_di)                                     = A1
    q_i   = sum over k of a_ik^2
    end_i = As - q - sum over d of min(w, w^2) f_di ((L - f_di)(S2 - f_di^2) - (S3 - f_di^3))
    mid_i = (s^2 - q - sum over d of min(w, w^2) f_di^2 ((L - f_di)^2 - (S2 - f_di^2))) / 2

The last sums are the walks that stay in one document, where f of its middle term counts twice. With
f = 1 these are the formulas of `honeybayes.paths._counting`.
"""

import numpy as np
from scipy import sparse

from honeybayes.paths._incidence import FREQUENT, pattern_of

LARGEST_INT32 = 2**31


def count_linked(
    F: sparse.csr_array, order: int, weights: np.ndarray | None, dtype: type
) -> tuple[np.ndarray, float | int]:
    """Count weighted paths per term and in total; ``F`` has no duplicates and no zeros."""
    from honeybayes.paths._kernels import arrange
    from honeybayes.paths._linked_kernels import carry_values, link_sums

    n_terms, lengths = F.shape[1], np.diff(F.indptr)
    w = np.ones(F.shape[0], dtype) if weights is None else weights.astype(dtype)
    if lengths.min(initial=2) < 2:
        F, w = F[lengths >= 2], w[lengths >= 2]
    indptr, indices = pattern_of(F)
    least = F.shape[0] / FREQUENT
    rows, terms, rare_lengths, pattern = arrange(indptr, indices, n_terms, least)
    values = F.data.astype(dtype)
    links = (*carry_values(indptr, indices, values, n_terms, rows, terms, pattern), w[rows])
    n_rare = int(np.searchsorted(np.diff(pattern[2]), least))
    s, walks, inside_end, inside_mid, once, squares = link_sums(*pattern, *links, n_rare)

    per_term: np.ndarray = np.zeros(n_terms, dtype)
    if order == 1:
        per_term[terms] = s
        return per_term, int(s.sum()) // 2 if dtype is np.int64 else float(s.sum()) / 2
    q = once + 2 * _butterflies(pattern, rare_lengths, links, n_rare)
    # by Cauchy's inequality no a_ik is larger than the largest sum of squares
    _add_squares_with_frequent(pattern, links, n_rare, squares.max(initial=0), q)
    end, twice_mid = walks - q - inside_end, s * s - q - inside_mid
    if dtype is np.int64:
        mid = twice_mid // 2
        per_term[terms] = end + mid
        return per_term, int(mid.sum())
    mid = np.maximum(twice_mid / 2, 0)
    per_term[terms] = np.maximum(end, 0) + mid
    return per_term, float(mid.sum())


def _butterflies(
    pattern: tuple[np.ndarray, ...],
    rare_lengths: np.ndarray,
    links: tuple[np.ndarray, ...],
    n_rare: int,
) -> np.ndarray:
    """Sum the products of the weights of the butterflies of rare terms."""
    from honeybayes.paths._kernels import butterflies_per_term

    indptr, indices, t_indptr, t_indices = pattern
    sums = np.zeros(len(t_indptr) - 1, links[0].dtype)
    rare = (indptr, indices, t_indptr[: n_rare + 1], t_indices, rare_lengths)
    f, t_f, weights = links
    butterflies_per_term(*rare, weights, f, t_f, np.zeros_like(weights), sums)
    return sums


def _add_squares_with_frequent(
    pattern: tuple[np.ndarray, ...],
    links: tuple[np.ndarray, ...],
    n_rare: int,
    largest: float,
    q: np.ndarray,
) -> None:
    """Add to q the squares of co-occurrences, at most ``largest``, with frequent terms."""
    from honeybayes.paths._linked_kernels import squares_with_frequent

    n_frequent = len(q) - n_rare
    if n_frequent:
        (_, _, t_indptr, t_indices), (_, t_f, w) = pattern, links
        narrow = q.dtype == np.int64 and largest < LARGEST_INT32
        shared = np.zeros(n_frequent, np.int32 if narrow else q.dtype)
        weighted = (w[t_indices] * t_f).astype(shared.dtype)
        squares_with_frequent(t_indptr, t_indices, t_f, weighted, n_rare, shared, len(w), q)
