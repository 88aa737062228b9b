"""The share of the second opinion (a model of the labels only) in the guesses."""

from collections.abc import Callable

import numpy as np
from scipy import sparse
from scipy.special import softmax

from honeybayes.utils.folds import folds_in_order

Answers = Callable[[np.ndarray, sparse.csr_array], np.ndarray]


def earned_share(
    x: sparse.csr_array, position: np.ndarray, n_folds: int, teacher: Answers, rival: Answers
) -> float:
    """Compare two models by cross-validation on the labeled documents.

    Parameters
    ----------
    x : csr_array
        Documents by terms, sorted by content (see `order_by_content`).
    position : ndarray of shape (n_documents,)
        The class of each document as a number; -1 for none.
    n_folds : int
        At least 2.
    teacher, rival : callable
        Takes the remaining positions and new documents; returns scores (documents, classes).

    Returns
    -------
    float
        (a + 1) / (a + b + 8), where a is the number of labels that only the rival predicts
        correctly, and b is the number that only the teacher predicts correctly. The 8 keeps the
        share small if there are few labels.
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
