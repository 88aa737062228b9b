"""The students: logistic regressions on labels and guesses, one after the other."""

from typing import NamedTuple

import numpy as np
from scipy.special import softmax

from honeybayes.semisupervised._evidence import matching_sharpness
from honeybayes.semisupervised._labels import Labels
from honeybayes.semisupervised._regression import Documents, Linear, balanced, regress

HELD_OUT = 5  # one in five documents is held out to set the confidence
TOLERANCE = 1e-2  # of the gradient; 1e-4 changes less than one prediction in a thousand
ROUGH_TOLERANCE = 3e-2  # of students who only prepare the next one, or set the confidence
Students = list[Linear]  # one per view


class Lessons(NamedTuple):
    """The students of each round, and the factors with which the last ones add up.

    ``tested`` learned without some documents, and were asked about these.
    """

    rounds: list[Students]
    tested: Students | None
    factors: np.ndarray


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
    last: Lessons | None = None,
) -> Lessons:
    """Teach one student of each view after the other.

    ``guesses`` (unlabeled documents, classes) are the lesson of the first students; each later one
    learns from the guesses of those before. ``weights`` are those of the views. ``confidence`` is
    the mean confidence to reach on the unlabeled documents; None leaves the scores as they are.
    The first student starts from the first one of the ``last`` lessons, each later one from the
    student before it, moved as much as it moved in the ``last`` lessons.
    """
    pool = np.flatnonzero(~labels.known)
    targets, weight = labels.targets.copy(), labels.weight.copy()
    shares = weights / weights.sum()
    rounds: list[Students] = []

    def learn(weight: np.ndarray, starts: Students | None, tolerance: float) -> Students:
        each_start = [None] * len(views) if starts is None else starts
        return [
            regress(view, targets, weight, C, start, tolerance)
            for view, start in zip(views, each_start, strict=True)
        ]

    def scores_of(students: Students, rows: np.ndarray) -> list[np.ndarray]:
        return [s.scores(view.x)[rows] for s, view in zip(students, views, strict=True)]

    for number in range(n_students):
        targets[pool] = 0.0
        targets[pool, guesses.argmax(axis=1)] = 1.0
        weight[pool] = guess_weight * guesses.max(axis=1)
        even = balanced(weight, targets)
        if rounds:
            starts = _moved(rounds[-1], last and last.rounds[number - 1 : number + 1])
        else:
            starts = last and last.rounds[0]
        is_last = number == n_students - 1
        rounds.append(learn(even, starts, TOLERANCE if is_last else ROUGH_TOLERANCE))
        scores = scores_of(rounds[-1], pool)
        factors = shares.copy()
        if confidence is not None:
            factors *= [matching_sharpness(each, confidence) for each in scores]
        together = _added(factors, scores)
        sharpness = 1.0 if confidence is None else matching_sharpness(together, confidence)
        guesses = softmax(sharpness * together, axis=1)
    if confidence is None:
        return Lessons(rounds, None, factors)
    # Students are surer of documents that they have learned from. Ask them about a few others.
    new = pool[pool % HELD_OUT == 0]  # a label changes at most one of them
    new = new if len(new) else pool[:1]
    even[new] = 0.0
    starts = _moved(rounds[-1], last and last.tested and [last.rounds[-1], last.tested])
    tested = learn(even, starts, ROUGH_TOLERANCE)
    sharpness = matching_sharpness(_added(factors, scores_of(tested, new)), confidence)
    return Lessons(rounds, tested, factors * sharpness)


def _moved(students: Students, way: list[Students] | None) -> Students:
    """Move students in the way from some students to others, if it is known."""
    if not way:
        return students
    return [
        Linear(now.coef + (to.coef - since.coef), now.intercept + (to.intercept - since.intercept))
        for now, since, to in zip(students, *way, strict=True)
    ]


def _added(factors: np.ndarray, scores: list[np.ndarray]) -> np.ndarray:
    return np.sum([float(f) * each for f, each in zip(factors, scores, strict=True)], axis=0)
