"""The experts, who guess the classes of unlabeled documents from words or from dense features."""

from functools import cached_property
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.special import softmax

from honeybayes.semisupervised._evidence import (
    POWER,
    POWER_OF_VIEWS,
    expected_accuracy,
    gather_evidence,
    matching_sharpness,
    pooled,
    weight_of_evidence,
)
from honeybayes.semisupervised._labels import Labels
from honeybayes.semisupervised._regression import Documents, balanced, regress_on_labels
from honeybayes.semisupervised._seeds import Seeds
from honeybayes.semisupervised._teacher import (
    Rounds,
    Teacher,
    latent_directions,
    teach,
    teach_directions,
)

LATENT_ROUNDS = 2  # from the guesses of the teacher
DENSE_ROUNDS = 3  # from the labels


class Dense(NamedTuple):
    """Vectors of documents: of unit length, and whitened halfway with unit length."""

    plain: np.ndarray
    whitened: np.ndarray


class Settings(NamedTuple):
    """The parameters of `FewLabelsClassifier` that concern the experts."""

    rounds: Rounds
    n_axes: int
    n_folds: int
    C: float


class View:
    """Documents prepared for the experts."""

    def __init__(self, x: sparse.csr_array, dense: Dense | None, settings: Settings) -> None:
        self.documents, self.dense, self.settings = Documents(x), dense, settings
        self.axes = latent_directions(self.documents, settings.n_axes) if settings.n_axes else None
        self.seeds: Seeds | None = None

    def experts(self, labels: Labels, first: Teacher | None = None) -> np.ndarray:
        """Return the scores of each expert for all documents (experts, documents, classes).

        ``first`` is the first teacher, if it is known.
        """
        how = self.settings.rounds
        if first is None:
            first = teach(self.documents, labels, how, *self.hints)
        scores = [first.scores]
        if self.axes is not None:
            args = (first.guesses, LATENT_ROUNDS)
            scores.append(teach_directions(self.axes, labels, how, *args))
        scores.append(self._regress(self.documents.x, labels))
        if self.dense is not None:
            whitened = self.dense.whitened
            scores.append(teach_directions(whitened, labels, how, None, DENSE_ROUNDS))
            scores.append(self._regress(self.dense.plain, labels))
        return np.stack(scores)

    @cached_property
    def for_students(self) -> list[Documents]:
        """Words and dense features; half the digits suffice, and take half the time."""
        views = (
            [self.documents.x] if self.dense is None else [self.documents.x, self.dense.whitened]
        )
        return [Documents(each.astype(np.float32)) for each in views]

    @property
    def hints(self) -> tuple:
        """What the seeds add to the teacher."""
        if self.seeds is None:
            return ()
        return self.seeds.weighed, (self.seeds.share_of_start, self.seeds.guesses)

    def _regress(self, x: sparse.csr_array | np.ndarray, labels: Labels) -> np.ndarray:
        known = labels.known
        if not known.any():
            return np.zeros(labels.targets.shape)
        targets, weight = labels.targets[known], labels.weight[known]
        fitted = regress_on_labels(x[known], targets, balanced(weight, targets), self.settings.C)
        return fitted.scores(x)

    @property
    def shares(self) -> np.ndarray:
        """Shares before any evidence: experts that learn from each other count half."""
        words = [0.5, 0.5, 1.0] if self.axes is not None else [1.0, 1.0]
        return np.array(words + ([0.5, 0.5] if self.dense is not None else []))


class Opinion(NamedTuple):
    """How to combine the experts: weights, sharpness of each, and the accuracy to expect."""

    weights: np.ndarray
    sharpness: np.ndarray
    accuracy: float

    def combine(self, scores: np.ndarray) -> np.ndarray:
        return pooled(scores, self.weights, self.sharpness)


def weigh_experts(view: View, labels: Labels) -> Opinion:
    """Fit the experts without some of the labels, and weigh them by what they get right."""
    n_classes, n_folds = labels.targets.shape[1], view.settings.n_folds
    scores, pool = view.experts(labels), ~labels.known
    confidence = float(softmax(scores[0][pool], axis=1).max(axis=1).mean())  # of the teacher
    if view.seeds is not None and not labels.known.any():
        confidence = min(confidence, view.seeds.accuracy)
    n_experts = len(scores)
    if n_folds and labels.known.any():
        evidence = gather_evidence(view.experts, labels, n_folds)
        accuracy = np.array(
            [expected_accuracy(evidence, itemgetter(e), confidence) for e in range(n_experts)]
        )
    else:
        evidence, accuracy = None, np.full(n_experts, confidence)
    if view.dense is not None:  # stable clusters that are not the classes agree too often
        accuracy[-2:] = accuracy[-2:].min()
    accuracy = np.clip(accuracy, 1 / n_classes + 1e-3, 1 - 1e-3)
    weights = view.shares * _weights(accuracy, n_classes, 0 if view.dense is None else 2)
    if evidence is None or not len(evidence.truth):
        weights[_regressions(view)] = 0.0  # has not earned a say
    sharpness = np.array(
        [matching_sharpness(s[pool], a) for s, a in zip(scores, accuracy, strict=True)]
    )
    opinion = Opinion(weights, sharpness, float(accuracy[0]))
    if evidence is None:
        return opinion
    return opinion._replace(
        accuracy=expected_accuracy(evidence, opinion.combine, float(accuracy[0]))
    )


def _weights(accuracy: np.ndarray, n_classes: int, n_dense: int) -> np.ndarray:
    """Weigh the experts within each view, and the views by their best expert."""
    views = np.split(accuracy, [len(accuracy) - n_dense] if n_dense else [])
    best = np.array([each.max() for each in views])
    of_views = weight_of_evidence(best, n_classes, POWER_OF_VIEWS)
    within = [weight_of_evidence(each, n_classes, POWER) for each in views]
    return np.concatenate([share * each for share, each in zip(of_views, within, strict=True)])


def _regressions(view: View) -> list[int]:
    words = 1 if view.axes is None else 2
    return [words] if view.dense is None else [words, words + 2]
