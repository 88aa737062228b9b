"""The similarities of chi-Sim, computed between documents; no term-by-term matrix is built.

D contains the counts, documents by terms. R and C are the diagonal matrices of the reciprocals of
the row sums and of the column sums of D (0 if the sum is 0). chi-Sim starts from SR_0 = I and
SC_0 = I and repeats

    SR_t = R D SC_(t-1) D' R         similarity of documents, Equation 4
    SC_t = C D' SR_(t-1) D C         similarity of terms, Equation 5 with corrected shapes

With G = D C the second is G' SR_(t-1) G. Inserted into the first, only documents remain:

    SR_t = (R D G') SR_(t-2) (R D G')'

If the diagonals are set to one after each step, SC_t is G' SR_(t-1) G + diag(e), where e is one
minus the diagonal, and R D diag(e) D' R is added to SR_(t+1).
"""

import numpy as np
from scipy import sparse
from scipy.linalg import lapack
from scipy.special import xlogy

from honeybayes.utils.matrices import inverse_or_zero, per_entry

TERMS_IN_A_BLOCK = 256
ROUNDING = 1e-10  # of similarities that are equal


def scale_rows(X: sparse.csr_array, factors: np.ndarray) -> sparse.csr_array:
    """Multiply each row by its factor."""
    return sparse.csr_array((X.data * per_entry(X, factors), X.indices, X.indptr), X.shape)


def scale_columns(X: sparse.csr_array, factors: np.ndarray) -> sparse.csr_array:
    """Multiply each column by its factor."""
    return sparse.csr_array((X.data * factors[X.indices], X.indices, X.indptr), X.shape)


def document_similarity(
    D: sparse.csr_array, G: sparse.csc_array, t: int, unit_diagonal: bool
) -> np.ndarray:
    """Return SR_t of the documents D; G is D with each column divided by its sum."""
    shares = scale_rows(D, inverse_or_zero(D.sum(axis=1)))
    if t % 2 == 0:
        similarity = np.eye(D.shape[0])
    else:
        similarity = (shares @ shares.T).toarray()
        if unit_diagonal:
            np.fill_diagonal(similarity, 1)
    if t < 2:
        return similarity
    step = (shares @ G.T).toarray()
    for _ in range(t // 2):
        lacking = lacking_to_one(G, similarity) if unit_diagonal else None
        similarity = step @ similarity @ step.T
        if lacking is not None:
            similarity += (scale_columns(shares, lacking) @ shares.T).toarray()
            np.fill_diagonal(similarity, 1)
    return similarity


def lacking_to_one(G: sparse.csc_array, similarity: np.ndarray) -> np.ndarray:
    """Return one minus the diagonal of G' SR G."""
    by_term = G.T
    blocks = []
    for start in range(0, by_term.shape[0], TERMS_IN_A_BLOCK):
        block = by_term[start : start + TERMS_IN_A_BLOCK]
        blocks.append(np.ravel(block.multiply(block @ similarity).sum(axis=1)))
    return 1 - np.concatenate(blocks)


def factor(Q: np.ndarray) -> np.ndarray:
    """Return L with L L' = Q, for a positive semidefinite Q; as many columns as its rank.

    If Q is zero, L is one column of zeros, because learners need at least one column.
    """
    triangle, order, rank, _ = lapack.dpstrf(Q, lower=1)
    L = np.empty((len(Q), max(rank, 1)))
    L[order - 1] = np.tril(triangle)[:, : max(rank, 1)]
    return L


def term_weights(counts: sparse.csr_array, weighting: str | None) -> np.ndarray | None:
    """Return log(N / n), or one plus the sum of p log p / log N, or None; see the kernel.

    A term that no document has, and the only document, give 1: there is nothing to compare.
    """
    if weighting is None:
        return None
    n_documents, n_terms = counts.shape
    if weighting == "tf-idf":
        frequency = np.bincount(counts.indices, minlength=n_terms)
        return np.where(frequency > 0, np.log(n_documents / np.maximum(frequency, 1)), 1.0)
    if n_documents == 1:
        return np.ones(n_terms)
    share = counts.data * inverse_or_zero(counts.sum(axis=0))[counts.indices]
    entropy = np.bincount(counts.indices, xlogy(share, share), minlength=n_terms)
    weights = 1 + entropy / np.log(n_documents)
    rounding = 8 * n_documents * np.finfo(np.float64).eps
    return np.where(weights > rounding, weights, 0.0)


def normalize_similarity(
    G: sparse.csc_array, similarity: np.ndarray, lacking: np.ndarray | None, normalize: str | None
) -> tuple[np.ndarray | None, np.ndarray | None, np.ndarray | None]:
    """Return ``rows``, ``shift`` and ``columns`` of S = (diag(rows) SC - 1 shift') diag(columns).

    None has no effect. SC is G' SR G, plus the diagonal ``lacking``; it is symmetric, so the values
    of a row are those of a column. A row or column that cannot be divided becomes 0.
    """
    if normalize in (None, "length"):
        return None, None, None
    by_term = G.T.tocsr()
    found = np.empty((4, by_term.shape[0]))  # of each row of SC
    for start in range(0, by_term.shape[0], TERMS_IN_A_BLOCK):
        rows = (by_term[start : start + TERMS_IN_A_BLOCK] @ similarity) @ G
        own = slice(start, start + len(rows))
        if lacking is not None:
            at = np.arange(len(rows))
            rows[at, start + at] += lacking[own]
        found[:, own] = [getattr(rows, what)(axis=1) for what in ("min", "max", "mean", "std")]
    low, high, mean, deviation = found
    total = mean * G.shape[1]
    varies = high - low > ROUNDING * high
    if normalize == "row":
        return inverse_or_zero(high), None, None
    if normalize == "weight":
        return inverse_or_zero(total), None, None
    if normalize == "column":
        return None, None, inverse_or_zero(high)
    if normalize == "complement":
        return None, total, np.full(len(total), -1.0)
    if normalize == "min-max":
        return None, low, inverse_or_zero(np.where(varies, high - low, 0))
    return None, mean, inverse_or_zero(np.where(varies, deviation, 0))
