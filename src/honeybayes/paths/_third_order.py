"""Paths of order 3 by inclusion and exclusion, without a term-by-term matrix.

Notation as in ``_counting``, with G = XX' and, for a term i of a document L,

    sigma_L  = sum of s over the terms of L
    alpha_Li = sum over the documents M of i of G_LM, minus df_i
    beta_L   = sum of alpha_Li over the terms i of L
    u_i = sum_k a_ik^3,   v_i = sum_k a_ik^2 s_k,   t_i = (A^3)_ii

Count the walks of three steps, minus the walks that repeat a term, minus the walks that repeat a
document (first and second, second and third, first and third, all three). E is the number with i as
the first term, M the number with i as the second term:

    E = [A^2 s - q s - A q - t + u] - T2 - sum (l-3)(beta - 2 alpha) - [A rho - 2R] + T5
    M = [s As - v - s q - t + u]    - T2 - sum (l-2)(l-3) alpha      - [s rho - 2R] + T5
    T2 = sum [(l-2)(sigma - s_i) - (l-4) alpha - beta],  R = sum (l-2) alpha,
    T5 = 2 sum (l-1)(l-2)(l-3)

Every sum runs over the documents of i. By symmetry phi = E + M, and the total is half of the sum
of E.
"""

from typing import Any

import numpy as np
from scipy import sparse

from honeybayes.paths._incidence import Incidence


def count_third_order(incidence: Incidence, dtype: Any) -> tuple[np.ndarray, int | float]:
    """Count the third-order paths, per term and in total."""
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
