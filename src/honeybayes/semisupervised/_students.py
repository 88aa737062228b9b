"""The students: logistic regressions on labels and guesses, one after the other."""

import numpy as np
from scipy.special import softmax

from honeybayes.semisupervised._evidence import matching_sharpness
from honeybayes.semisupervised._labels import Labels
from honeybayes.semisupervised._regression import Documents, Linear, balanced, regress

HELD_OUT = 5  # one in five unlabeled documents is held out to set the confidence
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
    shares = weights / weights.sum()
    students: list[Linear] = []
    before: list[Linear | None] = [None] * len(views) if start is None else list(start)
    for _ in range(n_students):
        targets[pool] = 0.0
        targets[pool, guesses.argmax(axis=1)] = 1.0
        weight[pool] = guess_weight * guesses.max(axis=1)
        even = balanced(weight, targets)
        students = [
            regress(view, targets, even, C, last, TOLERANCE)
            for view, last in zip(views, before, strict=True)
        ]
        before = list(students)
        scores = [s.scores(view.x[pool]) for s, view in zip(students, views, strict=True)]
        factors = shares.copy()
        if confidence is not None:
            factors *= [matching_sharpness(each, confidence) for each in scores]
        together = _added(factors, scores)
        sharpness = 1.0 if confidence is None else matching_sharpness(together, confidence)
        guesses = softmax(sharpness * together, axis=1)
    if confidence is None:
        return students, factors
    # Students are surer of documents that they have learned from. Ask them about a few others.
    new = pool[::HELD_OUT]
    seen = np.setdiff1d(np.arange(len(weight)), new)
    scores = [
        regress(view.take(seen), targets[seen], even[seen], C, last, TOLERANCE).scores(view.x[new])
        for view, last in zip(views, students, strict=True)
    ]
    return students, factors * matching_sharpness(_added(factors, scores), confidence)


def _added(factors: np.ndarray, scores: list[np.ndarray]) -> np.ndarray:
    return np.sum([f * each for f, each in zip(factors, scores, strict=True)], axis=0)
