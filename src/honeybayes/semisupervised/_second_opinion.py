"""How much of a say the labels alone should have beside the teacher."""

from collections.abc import Callable

import numpy as np
from scipy import sparse
from scipy.special import softmax

from honeybayes.utils.folds import folds_in_order

Answers = Callable[[np.ndarray, sparse.csr_array], np.ndarray]


def earned_share(
    x: sparse.csr_array, position: np.ndarray, n_folds: int, teacher: Answers, rival: Answers
) -> float:
    """Compare two models on labels that are held out in turn.

    Parameters
    ----------
    x : csr_array
        Documents by terms, in an order that means nothing.
    position : ndarray of shape (n_documents,)
        The class of each document as a number; -1 for none.
    n_folds : int
        Two at least.
    teacher, rival : callable
        Takes the positions that are left and new documents; gives scores (documents, classes).

    Returns
    -------
    float
        (a + 1) / (a + b + 8), where a labels are right by the rival alone and b by the teacher
        alone. So the rival needs some evidence before it is heard.
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
