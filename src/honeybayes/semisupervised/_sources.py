"""Sources: answers from outside, such as those of rules or of a language model, as experts.

A source tends to give certain answers for each class, right or wrong. The labels tell this table,
with a strong prior that a source is right about as often as it is for all labels. An answer is then
evidence for each class: the logarithm of its probability. Evidence of sources that agree more often
than their tables explain is divided among them, so that a repetition adds nothing.
"""

from collections.abc import Mapping
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from scipy.special import softmax
from scipy.stats import chi2

from honeybayes.semisupervised._evidence import matching_sharpness
from honeybayes.semisupervised._labels import LabelVotes
from honeybayes.semisupervised._regression import Documents
from honeybayes.semisupervised._teacher import Settings, learn_from_votes

USUAL, WORTH = 0.8, 15.0  # accuracy of a source without labels, and the labels that this is worth
WORTH_OF_CLASS = 15.0  # labels; what one class shows counts little against what all show
# Texts that are hard for a source are hard for words and vectors, too. So these say less than their
# confidence promises, unless they are much more accurate than the sources.
LEAST_SAY, MUCH_BETTER = 0.6, 0.1
# Students have learned from all sources, and are better than their confidence says.
SAY_OF_STUDENTS = 2.0
FEWEST_TO_DOUBT = 100  # answers, to find that a source answers at random
SMALLEST = 1e-9  # probability of a class
MOST_SURE = 0.99  # on average
CHANCE = 0.003  # how often a source that answers at random is believed


class SourceOpinion(NamedTuple):
    """What the answers of sources are worth.

    ``evidence`` (sources, answers, classes) is added to the logarithms of probabilities for each
    answer; all zero for a source that is not believed. ``alike`` (sources, sources) is how far two
    sources repeat each other, from 0 to 1. ``say`` multiplies the logarithms of the probabilities
    of words and vectors, where a source answers; there ``sharpness`` multiplies the sum.
    """

    evidence: np.ndarray
    alike: np.ndarray
    say: float
    sharpness: float = 1.0

    @property
    def weights(self) -> np.ndarray:
        """From 0 to 1: sources that repeat each other share their weight."""
        believed = self.evidence.any(axis=(1, 2))
        return believed / (self.alike * believed + np.diag(~believed)).sum(axis=1)

    def combine(self, proba: np.ndarray, votes: np.ndarray) -> np.ndarray:
        """Return probabilities (documents, classes), given those without the sources."""
        parts = self._parts(proba, votes)
        is_told = np.asarray(parts[1:].any(axis=(0, 2)))
        sharpness = np.where(is_told, self.sharpness, 1.0)[:, np.newaxis]
        return softmax(sharpness * parts.sum(axis=0), axis=1)

    def with_students(
        self, proba: np.ndarray, votes: np.ndarray, guesses: np.ndarray
    ) -> "SourceOpinion":
        """Return the same for probabilities of students, who have learned from ``guesses``.

        Students repeat what the sources say, so the sum is too sure. It gets the mean confidence of
        the guesses.
        """
        found = self._replace(say=SAY_OF_STUDENTS)
        parts = found._parts(proba, votes)
        is_told = parts[1:].any(axis=(0, 2))
        sure = float(guesses[is_told].max(axis=1).mean()) if is_told.any() else 0.0
        scores = parts.sum(axis=0)[is_told]
        return found._replace(sharpness=matching_sharpness(scores, min(sure, MOST_SURE)))

    def without(self, source: int) -> "SourceOpinion":
        """Return the same without one source."""
        evidence = self.evidence.copy()
        evidence[source] = 0.0
        return self._replace(evidence=evidence)

    def shares(self, proba: np.ndarray, votes: np.ndarray) -> np.ndarray:
        """Return the part of each source in what speaks for the answers; their sum is at most 1."""
        parts = self._parts(proba, votes)
        best = parts.sum(axis=0).argmax(axis=1)
        for_best = parts[:, np.arange(len(best)), best] - parts.mean(axis=2)
        total = np.maximum(for_best, 0).sum(axis=1)
        return total[1:] / max(total.sum(), 1e-9)

    def _parts(self, proba: np.ndarray, votes: np.ndarray) -> np.ndarray:
        """Return what words and vectors, and each source, add to the scores of each document."""
        parts = np.matmul(votes, self.weights[:, np.newaxis, np.newaxis] * self.evidence)
        is_told = parts.any(axis=(0, 2))[:, np.newaxis]
        logs = np.where(is_told, self.say, 1.0) * np.log(np.maximum(proba, SMALLEST))
        return np.concatenate([logs[np.newaxis], parts])


def classes_of_sources(sources: Any) -> set[Any]:
    """Return the classes that sources name; raise ValueError if ``sources`` is not as described."""
    if sources is None:
        return set()
    if not isinstance(sources, Mapping) or not all(
        isinstance(each, Mapping) and each for each in sources.values()
    ):
        raise ValueError(
            "sources must be a dict from names to dicts from classes to probabilities; got "
            f"{type(sources).__name__}. TextClassifier takes answers instead."
        )
    return {label for each in sources.values() for label in each}


def source_votes(
    sources: Mapping[str, Mapping[Any, Any]], classes: np.ndarray, group: np.ndarray, n: int
) -> np.ndarray:
    """Return the mean answer of each source to each group of identical documents.

    The shape is (sources, groups, classes). Rows add up to 1, or are 0 without an answer.
    """
    votes = np.zeros((len(sources), n, len(classes)), dtype=np.float32)
    for of_source, (name, by_class) in zip(votes, sources.items(), strict=True):
        for label, given in by_class.items():
            place = np.searchsorted(classes, label)
            if place == len(classes) or classes[place] != label:
                raise ValueError(f"The source {name!r} names {label!r}, which is no class.")
            given = np.asarray(given, dtype=np.float32)
            if given.shape != group.shape or not (np.isfinite(given) & (given >= 0)).all():
                raise ValueError(
                    f"The source {name!r} must have a probability from 0 to 1 for each of the "
                    f"{len(group)} documents; got shape {given.shape} for class {label!r}."
                )
            np.add.at(of_source[:, place], group, given)
    total = votes.sum(axis=2, keepdims=True)
    return np.divide(votes, total, out=votes, where=total > 0)


def weigh_sources(
    votes: np.ndarray,
    labels: LabelVotes,
    guesses: np.ndarray,
    accuracy: float,
    words: Documents,
    how: Settings,
) -> SourceOpinion:
    """Say what the answers of sources are worth, by labels, by texts and by each other.

    ``guesses`` (documents, classes) are those of words and vectors, which are right with the
    probability ``accuracy``.
    """
    believed = np.array([_is_believed(each, labels, guesses, words, how) for each in votes])
    usual = [_usual_accuracy(each, labels, guesses, accuracy) for each in votes]
    found = [_table(each, labels, mean) for each, mean in zip(votes, usual, strict=True)]
    tables, right = zip(*found, strict=True)
    logs = np.log(np.array(tables))  # (sources, classes, answers)
    evidence = (logs - logs.mean(axis=1, keepdims=True)).transpose(0, 2, 1)
    evidence *= believed[:, np.newaxis, np.newaxis]
    best = max((each for each, is_good in zip(right, believed, strict=True) if is_good), default=0)
    say = LEAST_SAY + (1 - LEAST_SAY) * np.clip((accuracy - best) / MUCH_BETTER, 0, 1)
    # as if all sources were one, to see which of them repeat each other
    n_sources = len(votes)
    weighed = SourceOpinion(evidence, np.ones((n_sources, n_sources)), float(say))
    guessed = weighed.combine(guesses, votes)
    guessed[labels.known] = labels.targets[labels.known]
    alike = np.eye(n_sources)
    for one, two in combinations(np.flatnonzero(believed), 2):
        repeated = _dependence(votes[[one, two]], guessed, labels)
        alike[one, two] = alike[two, one] = repeated
    return weighed._replace(alike=alike)


def _usual_accuracy(
    votes: np.ndarray, labels: LabelVotes, guesses: np.ndarray, accuracy: float
) -> float:
    """Return the accuracy to expect of a source before any label.

    A source that is right with probability b agrees with guesses that are right with probability a
    in a share a b + (1 - a) (1 - b) / (classes - 1), if their errors have nothing in common. So the
    agreement tells b, the better the more the guesses are above chance.
    """
    rows, others = votes.any(axis=1) & ~labels.known, votes.shape[1] - 1
    by_chance = (1 - accuracy) / others
    if not rows.any() or accuracy <= by_chance:
        return USUAL
    agreed = float((votes[rows].argmax(axis=1) == guesses[rows].argmax(axis=1)).mean())
    found = np.clip((agreed - by_chance) / (accuracy - by_chance), 0, 1)
    trust = (accuracy - by_chance) ** 2
    return float(trust * found + (1 - trust) * USUAL)


def _table(votes: np.ndarray, labels: LabelVotes, mean: float = USUAL) -> tuple[np.ndarray, float]:
    """Return the probability of each answer (classes, answers), and the accuracy of the source."""
    n_classes = votes.shape[1]
    usual = votes.sum(axis=0) + 1
    counts = labels.votes.T @ votes
    right = (np.trace(counts) + mean * WORTH) / (counts.sum() + WORTH)
    counts += WORTH_OF_CLASS * (1 - right) * usual / usual.sum()
    counts[np.arange(n_classes), np.arange(n_classes)] += WORTH_OF_CLASS * right
    return counts / counts.sum(axis=1, keepdims=True), float(right)


def _dependence(pair: np.ndarray, guessed: np.ndarray, labels: LabelVotes) -> float:
    """Return how far two sources repeat each other, from 0 to 1.

    0 means that they agree as often as their tables say if each answers on its own.
    """
    both = pair.any(axis=2).all(axis=0)
    if not both.any():
        return 0.0
    one, two = pair[:, both]
    weight = np.where(labels.known, 1.0, 0.1)  # guesses tell the tables less than labels
    soft = LabelVotes(guessed, weight)
    by_chance = guessed[both] @ (_table(pair[0], soft)[0] * _table(pair[1], soft)[0]).sum(axis=1)
    expected, found = float(by_chance.mean()), float((one * two).sum(axis=1).mean())
    return float(np.clip((found - expected) / max(1 - expected, 1e-9), 0, 1))


def _is_believed(
    votes: np.ndarray, labels: LabelVotes, guesses: np.ndarray, words: Documents, how: Settings
) -> bool:
    """Return False if the answers seem to be random: texts, guesses and labels tell none of them.

    Each comparison has a z-score, whose squares add up to chi squared if answers are random.
    """
    rows = np.flatnonzero(votes.any(axis=1))
    answers, n_classes = votes[rows].argmax(axis=1), votes.shape[1]
    if len(rows) < FEWEST_TO_DOUBT or len(np.unique(answers)) < 2:
        return bool(len(rows))
    half = np.zeros(len(votes), dtype=bool)
    half[rows[::2]] = True
    learned = np.zeros_like(votes, dtype=np.float64)
    for shown in (half, ~half):
        scores = learn_from_votes(words, votes * shown[:, np.newaxis], how).scores(words.x)
        learned[~shown] = scores[~shown]
    pairs = [(learned[rows].argmax(axis=1), answers)]
    is_known = labels.known[rows]
    pairs.append((guesses[rows][~is_known].argmax(axis=1), answers[~is_known]))
    pairs.append((labels.position[rows][is_known], answers[is_known]))
    found = [_z_score(*pair, n_classes) for pair in pairs if len(pair[0])]
    return bool(chi2.sf(np.square(found).sum(), len(found)) < CHANCE)


def _z_score(one: np.ndarray, two: np.ndarray, n_classes: int) -> float:
    """Return the difference of an agreement to that of random answers, in standard errors."""
    shares = [np.bincount(each, minlength=n_classes) / len(each) for each in (one, two)]
    chance = float(np.clip(shares[0] @ shares[1], 1e-9, 1 - 1e-9))
    return float(((one == two).mean() - chance) * np.sqrt(len(one) / (chance * (1 - chance))))
