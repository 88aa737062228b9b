"""How sure answers are as a whole, and how to make scores as sure as they should be."""

import numpy as np
from scipy.optimize import brentq
from scipy.special import softmax

LOG_RANGE = (-8.0, 8.0)  # a factor below or above does not change an answer any more


def mean_confidence(scores: np.ndarray) -> float:
    """Mean probability of the likeliest class, from scores (documents, classes)."""
    return float(softmax(scores, axis=1).max(axis=1).mean())


def matching_sharpness(scores: np.ndarray, confidence: float) -> float:
    """Find the factor of the scores that gives them a mean confidence.

    Parameters
    ----------
    scores : ndarray of shape (n_documents, n_classes)
        One document at least.
    confidence : float
        The mean to reach.

    Returns
    -------
    float
        The end of the range that is nearest where no factor reaches it.
    """

    def excess(log_factor: float) -> float:
        return mean_confidence(np.exp(log_factor) * scores) - confidence

    low, high = LOG_RANGE
    if excess(low) >= 0:
        return float(np.exp(low))
    if excess(high) <= 0:
        return float(np.exp(high))
    return float(np.exp(brentq(excess, low, high, xtol=1e-6)))
