"""Mean confidence of scores, and the factor of the scores for a given mean confidence."""

import numpy as np
from scipy.optimize import brentq
from scipy.special import softmax

LOG_RANGE = (-8.0, 8.0)  # a factor outside changes no probability any more


def mean_confidence(scores: np.ndarray) -> float:
    """Return the mean probability of the most likely class, from scores (documents, classes)."""
    return float(softmax(scores, axis=1).max(axis=1).mean())


def matching_sharpness(scores: np.ndarray, confidence: float) -> float:
    """Return the factor that gives the scores a mean confidence, or the nearest allowed factor."""

    def excess(log_factor: float) -> float:
        return mean_confidence(np.exp(log_factor) * scores) - confidence

    low, high = LOG_RANGE
    if excess(low) >= 0:
        return float(np.exp(low))
    if excess(high) <= 0:
        return float(np.exp(high))
    return float(np.exp(brentq(excess, low, high, xtol=1e-6)))
