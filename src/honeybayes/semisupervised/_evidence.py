"""How far a model can be trusted: labels that are held out, and agreement on the pool.

A model is a function from labels to scores of all documents. Two models, of which each learns
without another fold of the labels, agree more often, the more often they are right. This needs no
further label, and predicts better than a few held-out labels which of two models is more accurate.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq
from scipy.special import log_softmax

from honeybayes.semisupervised._labels import LabelVotes, steady_folds
from honeybayes.semisupervised._regression import quiet_products

LOG_RANGE = (-8.0, 8.0)  # a factor outside changes no probability any more
WORTH = 100.0  # the agreement counts as much as this number of labels
# Models that share labels share errors, too. With five folds, two models share 60 % of the labels,
# and for each document on which they disagree, two are not known.
SHARED_ERRORS = 5 / 3
AVOIDED = 0.15  # of the errors: by one more fold of labels, and by the students
DOUBT = 4.0  # labels that are right by chance only: few labels and agreement promise too much
MARGIN = 0.02  # of the accuracy above chance and below 1
SAY_OF_CLASS = 0.7  # how far the sharpness follows what is known about the answers of one class
DOUBT_OF_CLASS = 4.0  # held-out labels that are right as often as all
Experts = Callable[[LabelVotes], np.ndarray]  # -> scores (experts, documents, classes)


class Evidence(NamedTuple):
    """Scores of several experts on labels that they did not see.

    ``held_out`` has shape (experts, documents, classes); ``truth`` (documents, classes) are the
    targets of these documents. ``pairs`` are pairs of scores for the pool, each learned without
    another fold. ``share`` is the share of the labels that could be held out. ``rows`` are the
    held-out documents.
    """

    held_out: np.ndarray
    truth: np.ndarray
    pairs: list[tuple[np.ndarray, np.ndarray]]
    share: float
    rows: np.ndarray

    @property
    def n_labels(self) -> float:
        """How many held-out labels the evidence is worth."""
        return len(self.rows) + WORTH * self.share


def gather_evidence(
    experts: Experts,
    labels: LabelVotes,
    n_folds: int,
    numbers: np.ndarray | None = None,
    n_experts: int = 1,
) -> Evidence:
    """Fit the experts without each fold of the labels, and compare them on the pool.

    ``numbers`` are the numbers of the documents in the pool, if these are only some of them.
    """
    position, pool = labels.position, ~labels.known
    fold = steady_folds(position, n_folds, 0, numbers) if n_folds else np.full(len(pool), -1)
    if not (fold >= 0).any():
        no_scores = np.zeros((n_experts, 0, labels.targets.shape[1]))
        no_rows = np.zeros(0, dtype=np.intp)
        return Evidence(no_scores, labels.targets[no_rows], [], 0.0, no_rows)
    held_out, rows, of_pool = [], [], []
    for part in np.unique(fold[fold >= 0]):
        hidden = fold == part
        scores = experts(labels.without(hidden))
        held_out.append(scores[:, hidden])
        of_pool.append(scores[:, pool])
        rows.append(np.flatnonzero(hidden))
    pairs = list(pairwise([*of_pool, of_pool[0]])) if pool.any() and len(of_pool) > 1 else []
    share = float((fold[labels.known] >= 0).mean()) if pairs else 0.0
    found = np.concatenate(rows)
    return Evidence(np.concatenate(held_out, axis=1), labels.targets[found], pairs, share, found)


def expected_accuracy(
    evidence: Evidence, combine: Callable[[np.ndarray], np.ndarray], otherwise: float
) -> float:
    """Estimate the accuracy of a combination of the experts.

    ``combine`` turns scores of all experts into scores (documents, classes). ``otherwise`` is the
    answer if there is no evidence.
    """
    n_classes = evidence.truth.shape[1]
    answers = combine(evidence.held_out).argmax(axis=1)
    right = evidence.truth[np.arange(len(answers)), answers].sum()
    if evidence.n_labels == 0:
        return otherwise
    kappas = [
        agreement(combine(one).argmax(axis=1), combine(two).argmax(axis=1), n_classes)
        for one, two in evidence.pairs
    ]
    if kappas:
        # each knows the class with probability `known`, and otherwise chooses at random
        shared = 1 - 2 / len(kappas)  # of the labels: there is one pair per fold
        differ = 1 - float(np.mean(kappas))
        known = max(0.0, 1 - (1 + SHARED_ERRORS * shared) * differ)
        right += WORTH * evidence.share * (known + (1 - known) / n_classes)
    found = (right + DOUBT / n_classes) / (evidence.n_labels + DOUBT)
    return float(np.clip(found, least_accuracy(n_classes), 1 - MARGIN))


def least_accuracy(n_classes: int) -> float:
    """Return the lowest accuracy that a model is expected to have: a little above chance."""
    return 1 / n_classes + MARGIN


def sharpness_by_class(
    evidence: Evidence, combine: Callable[[np.ndarray], np.ndarray], accuracy: float
) -> np.ndarray:
    """Return a factor for the scores of documents, by their predicted class.

    It is below 1 for a class that two models find in different documents, or whose held-out answers
    are wrong more often than others. ``accuracy`` is that of all answers.
    """
    n_classes = evidence.truth.shape[1]
    answers = combine(evidence.held_out).argmax(axis=1)
    is_right = evidence.truth[np.arange(len(answers)), answers]
    n_answers = np.bincount(answers, minlength=n_classes)
    right = np.bincount(answers, is_right, n_classes) + DOUBT_OF_CLASS * accuracy
    known = right / (n_answers + DOUBT_OF_CLASS)
    if not evidence.pairs:
        return np.exp(SAY_OF_CLASS * (known - accuracy))
    both = np.zeros((n_classes, n_classes))
    for pair in evidence.pairs:
        np.add.at(both, tuple(combine(each).argmax(axis=1) for each in pair), 1.0)
    found = both.sum(axis=0) + both.sum(axis=1)
    mean = 2 * np.trace(both) / found.sum()
    agreed = (2 * np.diag(both) + DOUBT_OF_CLASS * mean) / (found + DOUBT_OF_CLASS)
    differences = agreed - mean + known - np.average(known, weights=found)
    return np.exp(SAY_OF_CLASS * differences)


def agreement(one: np.ndarray, two: np.ndarray, n_classes: int) -> float:
    """Return Cohen's kappa of two lists of answers, or 0 if it is negative or not defined."""
    shares = [np.bincount(each, minlength=n_classes) / len(each) for each in (one, two)]
    by_chance = float(shares[0] @ shares[1])
    return max(0.0, ((one == two).mean() - by_chance) / (1 - by_chance)) if by_chance < 1 else 0.0


def above_chance(answers: np.ndarray, truth: np.ndarray) -> float:
    """Return how far labels confirm answers that did not learn from them, from 0 to 1.

    It is the accuracy above chance; ``truth`` (documents, classes) are the labels. Answers that
    always name the most frequent class are right no more often than by chance.
    """
    n, n_classes = truth.shape
    if not n:
        return 0.0
    chance = float(truth.mean(axis=0) @ np.bincount(answers, minlength=n_classes)) / n
    right = float(truth[np.arange(n), answers].sum())
    accuracy = (right + DOUBT * chance) / (n + DOUBT)
    return max(0.0, accuracy - chance) / (1 - chance) if chance < 1 else 0.0


def weight_of_evidence(accuracies: np.ndarray, n_labels: float) -> np.ndarray:
    """Return weights up to 1 for models with these accuracies, measured on so many labels.

    Few labels do not tell which model is better, so all have a say; with many, the best decides.
    The weight falls with the difference to the best, in units of its standard error.
    """
    best = accuracies.max()
    variance = best * (1 - best) + accuracies * (1 - accuracies)
    return np.exp(-n_labels * (best - accuracies) ** 2 / (2 * variance))


def pooled(scores: np.ndarray, weights: np.ndarray, sharpness: np.ndarray) -> np.ndarray:
    """Multiply the probabilities of several experts: weighted means of their logs."""
    logs = log_softmax(sharpness[:, np.newaxis, np.newaxis] * scores, axis=2)
    return np.tensordot(weights / weights.sum(), logs, axes=1)


@quiet_products
def matching_sharpness(scores: np.ndarray, confidence: float) -> float:
    """Return the factor of the scores that gives a mean confidence, or the nearest in range."""
    if not len(scores):
        return 1.0
    below = scores - scores.max(axis=1, keepdims=True)

    def excess(log_factor: float) -> float:
        of_all = np.exp(below.dtype.type(np.exp(log_factor)) * below) @ ones  # best class: 1
        return float(np.mean(1 / of_all, dtype=np.float64)) - confidence

    ones = np.ones(scores.shape[1], dtype=below.dtype)
    low, high = LOG_RANGE
    if excess(low) >= 0:
        return float(np.exp(low))
    if excess(high) <= 0:
        return float(np.exp(high))
    return float(np.exp(brentq(excess, low, high, xtol=1e-5)))
