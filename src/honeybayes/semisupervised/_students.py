"""The students: logistic regressions on labels and guesses, one after the other."""

from collections.abc import Sequence

import numpy as np
from scipy.special import softmax

from honeybayes.semisupervised._evidence import matching_sharpness
from honeybayes.semisupervised._labels import Labels
from honeybayes.semisupervised._regression import Documents, Linear, balanced, regress

TOLERANCE = 1e-2  # of the gradient; 1e-4 changes less than one prediction in a thousand


def teach_students(
    views: list[Documents],
    weights: np.ndarray,
    labels: Labels,
    guesses: np.ndarray,
    *,
    confidence: float | None,
    n_students: int,
    guess_weight: float,
    C: float,
    start: list[Linear] | None = None,
) -> tuple[list[Linear], np.ndarray]:
    """Return the last student of each view, and the factors with which their scores add up.

    ``guesses`` (unlabeled documents, classes) are the lesson of the first students; each later one
    learns from the guesses of those before. ``weights`` are those of the views. ``confidence`` is
    the mean confidence to reach on the unlabeled documents; None leaves the scores as they are.
    """
    pool = np.flatnonzero(~labels.known)
    targets, weight = labels.targets.copy(), labels.weight.copy()
    before: Sequence[Linear | None] = start if start else [None for _ in views]
    shares = weights / weights.sum()
    for _ in range(n_students):
        answers = guesses.argmax(axis=1)
        targets[pool] = 0.0
        targets[pool, answers] = 1.0
        weight[pool] = guess_weight * guesses.max(axis=1)
        even = balanced(weight, targets)
        students = [
            regress(view, targets, even, C, last, TOLERANCE)
            for view, last in zip(views, before, strict=True)
        ]
        scores = [s.scores(view.x[pool]) for s, view in zip(students, views, strict=True)]
        factors = shares.copy()
        if confidence is not None:
            factors *= [matching_sharpness(each, confidence) for each in scores]
        together = sum(f * each for f, each in zip(factors, scores, strict=True))
        sharpness = 1.0
        if confidence is not None and len(views) > 1:
            sharpness = matching_sharpness(together, confidence)
        guesses, before = softmax(sharpness * together, axis=1), students
    factors *= sharpness
    return students, factors
