"""The students: logistic regressions on labels and guesses, one after the other."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from scipy.special import softmax

from honeybayes.calibration.doubt import confidence_before_doubt
from honeybayes.semisupervised._evidence import matching_sharpness
from honeybayes.semisupervised._regression import Documents, Linear, balanced, regress
from honeybayes.semisupervised._votes import LabelVotes

HELD_OUT = 5  # one in five documents is held out to set the confidence
TOLERANCE = 7e-3  # of the gradient; less changes about one prediction in a thousand
ROUGH_TOLERANCE = 2e-2  # of students who only prepare the next one, or set the confidence
MOST_MATCHED = 5000  # documents of the pool whose mean confidence is set
Students = list[Linear]  # one per view


class Certainty(NamedTuple):
    """How sure the students may be.

    ``accuracy`` is the mean confidence to reach on the unlabeled documents. ``by_class`` are
    factors of the scores, by predicted class. ``doubt`` will be divided among the classes.
    """

    accuracy: float
    by_class: np.ndarray
    doubt: float

    def factor(self, scores: np.ndarray) -> float:
        """Return the factor that gives these scores the accuracy as mean confidence."""
        accuracy = confidence_before_doubt(self.accuracy, self.doubt, scores.shape[1])
        return matching_sharpness(sharpened(scores, self.by_class), accuracy)


def sharpened(scores: np.ndarray, by_class: np.ndarray) -> np.ndarray:
    """Multiply the scores of each document by the factor of its best class."""
    return scores * by_class[scores.argmax(axis=1)][:, np.newaxis].astype(scores.dtype)


class Lessons(NamedTuple):
    """The last students, the factors with which they add up, and the students of all stages.

    Stages are the rounds and, if the confidence is set, the students who are tested for that. The
    scores of documents of the pool are to be multiplied by ``of_pool``.
    """

    students: Students
    factors: np.ndarray
    stages: list[Students] | None
    of_pool: float = 1.0


def teach_students(
    views: list[Documents],
    weights: np.ndarray,
    labels: LabelVotes,
    guesses: np.ndarray,
    *,
    certainty: Certainty | None,
    n_students: int,
    guess_weight: float,
    C: float,
    last: list[Students] | None = None,
) -> Lessons:
    """Teach one student of each view after the other.

    ``guesses`` (unlabeled documents, classes) are the lesson of the first students; each later one
    learns from the guesses of those before. ``weights`` are those of the views. With
    ``certainty=None`` the scores stay as they are. ``last`` are the stages of earlier lessons, from
    which the students start.
    """
    pool = np.flatnonzero(~labels.known)
    targets, weight = labels.targets.copy(), labels.weight.copy()
    shares = weights / weights.sum()
    confidence = None if certainty is None else certainty.accuracy
    stages: list[Students] = []

    def learn(weight: np.ndarray, tolerance: float) -> Students:
        stages.append(
            [
                regress(view, targets, weight, C, start, tolerance)
                for view, start in zip(views, _starts(stages, last, len(views)), strict=True)
            ]
        )
        return stages[-1]

    def scores_of(students: Students, rows: np.ndarray) -> list[np.ndarray]:
        return [s.scores(view.x)[rows] for s, view in zip(students, views, strict=True)]

    for left in reversed(range(n_students)):
        targets[pool] = 0.0
        targets[pool, guesses.argmax(axis=1)] = 1.0
        weight[pool] = guess_weight * guesses.max(axis=1)
        even = balanced(weight, targets)
        students = learn(even, ROUGH_TOLERANCE if left else TOLERANCE)
        scores = scores_of(students, pool)
        factors = shares.copy()
        if confidence is not None:
            factors *= [matching_sharpness(each, confidence) for each in scores]
        together = _added(factors, scores)
        sharpness = 1.0 if confidence is None else matching_sharpness(together, confidence)
        guesses = softmax(sharpness * together, axis=1)
    if certainty is None:
        return Lessons(students, factors, stages)
    # Students are surer of documents that they have learned from. Ask them about a few others.
    is_new = pool % HELD_OUT == 0  # a label changes at most one of them
    is_new = is_new if is_new.any() else np.arange(len(pool)) == 0
    new, old = pool[is_new], pool[~is_new]
    even[new] = 0.0
    tested = learn(even, TOLERANCE)
    unseen = [_without_new_terms(view.x, new) for view in views]
    scores = [s.scores(x) for s, x in zip(tested, unseen, strict=True)]
    factors = factors * certainty.factor(_added(factors, scores))
    if len(old):  # they are surer the more they have learned, so those tested were less sure
        before, now = (_added(factors, scores_of(each, old)) for each in (tested, students))
        confidence = float(softmax(before, axis=1).max(axis=1).mean())
        factors = factors * matching_sharpness(now, confidence)
    some = pool[:: -(-len(pool) // MOST_MATCHED)]
    of_pool = certainty.factor(_added(factors, scores_of(students, some)))
    return Lessons(students, factors, stages, min(1.0, of_pool))


def _without_new_terms(x: Any, new: np.ndarray) -> Any:
    """Return new documents as if no term was known that only they contain."""
    if not sparse.issparse(x):
        return x[new]
    is_old = np.ones(x.shape[0], dtype=bool)
    is_old[new] = False
    known = np.bincount(x[is_old].indices, minlength=x.shape[1]) > 0
    rows = x[new]
    rows.data = rows.data * known[rows.indices]
    length = np.sqrt(rows.multiply(rows).sum(axis=1))
    rows.data /= np.repeat(np.where(length > 0, length, 1), np.diff(rows.indptr)).astype(x.dtype)
    return rows


def _starts(
    stages: list[Students], last: list[Students] | None, n_views: int
) -> Sequence[Linear | None]:
    """Return where the next students start.

    It is the last stage, moved as much as from this to the next stage in the ``last`` lessons.
    """
    number = len(stages)
    if number == 0:
        return last[0] if last else [None] * n_views
    if last is None or number >= len(last):
        return stages[-1]
    return [
        Linear(now.coef + (to.coef - since.coef), now.intercept + (to.intercept - since.intercept))
        for now, since, to in zip(stages[-1], last[number - 1], last[number], strict=True)
    ]


def _added(factors: np.ndarray, scores: list[np.ndarray]) -> np.ndarray:
    return np.sum([float(f) * each for f, each in zip(factors, scores, strict=True)], axis=0)
