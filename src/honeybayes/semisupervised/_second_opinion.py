"""The second opinion, a model of the labels alone: its confidence, and its share in the guesses."""

from collections.abc import Callable

import numpy as np
from scipy import sparse
from scipy.optimize import brentq
from scipy.special import softmax

from honeybayes.utils.folds import folds_in_order

LOG_RANGE = (-8.0, 8.0)  # a factor outside changes no probability any more
Answers = Callable[[np.ndarray, sparse.csr_array], np.ndarray]


def earned_share(
    x: sparse.csr_array, position: np.ndarray, n_folds: int, teacher: Answers, rival: Answers
) -> float:
    """Compare two models on labels that are held out in turn; return the share of the rival.

    A model takes the remaining positions and new documents, and returns scores (documents,
    classes). The order of the documents must carry no information. The share is (a + 1) / (a + b +
    8), where a is the number of labels that only the rival predicts correctly, and b is the number
    that only the teacher predicts correctly. The 8 keeps the share small if there are few labels.
    """
    fold = folds_in_order(position, n_folds)
    teacher_alone = rival_alone = 0
    for part in np.unique(fold[fold >= 0]):
        held_out = fold == part
        rest = np.where(held_out, -1, position)
        documents, truth = x[held_out], position[held_out]
        by_teacher = teacher(rest, documents).argmax(axis=1) == truth
        by_rival = rival(rest, documents).argmax(axis=1) == truth
        teacher_alone += int((by_teacher & ~by_rival).sum())
        rival_alone += int((by_rival & ~by_teacher).sum())
    return (rival_alone + 1) / (rival_alone + teacher_alone + 8)


def blend(guesses: np.ndarray, others: np.ndarray, share: float) -> np.ndarray:
    """Mix probabilities (documents, classes) in their logarithms."""
    smallest = np.finfo(np.float64).tiny
    logs = [np.log(np.maximum(each, smallest)) for each in (guesses, others)]
    return softmax((1 - share) * logs[0] + share * logs[1], axis=1)


def mean_confidence(scores: np.ndarray) -> float:
    """Return the mean probability of the most likely class, from scores (documents, classes)."""
    return float(softmax(scores, axis=1).max(axis=1).mean())


def matching_sharpness(scores: np.ndarray, confidence: float) -> float:
    """Return the factor of the scores that gives a mean confidence, or the nearest in range."""

    def excess(log_factor: float) -> float:
        return mean_confidence(np.exp(log_factor) * scores) - confidence

    low, high = LOG_RANGE
    if excess(low) >= 0:
        return float(np.exp(low))
    if excess(high) <= 0:
        return float(np.exp(high))
    return float(np.exp(brentq(excess, low, high, xtol=1e-6)))
