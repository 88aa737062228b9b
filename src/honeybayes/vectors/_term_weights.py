"""Weights and scales of terms for the semantic kernel, from the training documents."""

from typing import Literal

import numpy as np
from scipy import sparse
from scipy.special import xlogy

from honeybayes.utils.matrices import inverse_or_zero

Normalization = Literal["length", "row", "column", "min-max", "z-score", None]
Weighting = Literal["tf-idf", "log-entropy", None]


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


def scale_and_shift(
    counts: sparse.csr_array, normalize: str | None
) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Return the factor of each term, and what is subtracted after it."""
    if normalize not in ("column", "min-max", "z-score"):
        return None, None
    low, high = (np.ravel(each(axis=0).toarray()) for each in (counts.min, counts.max))
    if normalize == "column":
        return inverse_or_zero(high), None
    if normalize == "min-max":
        scale = inverse_or_zero(high - low)
        return scale, low * scale
    mean = counts.mean(axis=0)
    # the zeros are not stored: their deviation is the mean
    stored = np.bincount(counts.indices, minlength=counts.shape[1])
    apart = np.bincount(
        counts.indices, (counts.data - mean[counts.indices]) ** 2, minlength=counts.shape[1]
    )
    variance = (apart + (counts.shape[0] - stored) * mean**2) / counts.shape[0]
    scale = np.where(high > low, inverse_or_zero(np.sqrt(variance)), 0.0)
    return scale, mean * scale
