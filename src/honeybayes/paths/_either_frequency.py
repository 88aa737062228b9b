"""Count second-order paths whose bridge counts with the mean of its two frequencies.

A path i - d - j - e - k has two links of its bridge j. Other weights multiply all links; here the
path counts f_di (f_dj + f_ej) / 2 f_ek. Let F hold the frequencies, P presence, and U, V be F, P or
P, F. Walks that begin with i and whose bridge counts with U in the first document are

    sum over j of A_ij b_j  -  q_i  -  those that stay in one document

with A = F'U and b = V'F1, both without the term itself, and q the walks that return to i, from the
documents that share terms: q_i = sum over d, e of f_di (UV')_de f_ei without j = i. The time is
proportional to documents times non-zeros, as for third-order paths.
"""

import numpy as np
from scipy import sparse


def count_either(F: sparse.csr_array) -> tuple[np.ndarray, float]:
    """Return the paths of order 2 with each term, and their number; F is canonical."""
    F = F.astype(np.float64)
    P = sparse.csr_array((np.ones(F.nnz), F.indices, F.indptr), F.shape)
    begin, mid = zip(*(_count_walks(F, U, V) for U, V in ((F, P), (P, F))), strict=True)
    # each path is a walk from both ends, once with each frequency
    middle = (mid[0] + mid[1]) / 4
    return (begin[0] + begin[1]) / 2 + middle, float(middle.sum())


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
