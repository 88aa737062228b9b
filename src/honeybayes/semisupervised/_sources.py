"""Sources: answers from outside, such as those of rules or of a language model, as experts.

A source tends to give certain answers for each class, right or wrong: its table. The labels and the
texts tell the tables. What words and vectors say about a text gives each class a probability, and
the tables turn it into the probability of each answer. Tables, and factors of words and vectors,
are those that make the answers most likely. So thousands of answers tell how far the texts can be
believed, and where texts are clear, they tell how often a source is right. Evidence of sources that
agree more often than their tables explain is divided among them, so that a repetition adds nothing.
"""

from collections.abc import Mapping
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize, minimize_scalar
from scipy.special import log_softmax, logsumexp, softmax
from scipy.stats import chi2

from honeybayes.semisupervised._evidence import matching_sharpness
from honeybayes.semisupervised._labels import LabelVotes
from honeybayes.semisupervised._regression import Documents
from honeybayes.semisupervised._students import lesson_of
from honeybayes.semisupervised._teacher import Settings

USUAL, WORTH = 0.8, 15.0  # accuracy of a source without labels, and the labels that this is worth
WORTH_OF_CLASS = 15.0  # labels; what one class shows counts little against what all show
FEWEST_TO_DOUBT = 100  # answers, to find that a source answers at random, or to learn from them
SMALLEST = 1e-6  # probability of a class
CHANCE = 0.003  # how often a source that answers at random is believed
SPREAD = 1.3  # standard deviation of the z-scores of students, whose parts share their answers
# The factor of the experts begins at 1, those of students who learn from the answers at 0. The
# squares of the differences are multiplied by PULL, those of the offsets of classes by 1.
PULL = 5.0
# Each part of the answers is guessed by students who learn from the others. There are up to 8
# parts, and fewer if there are more answers than these.
FULL_PARTS, MOST_PARTS = 8000, 8
MOST_EXPLAINED, MOST_STEPS = 5000, 200  # documents whose answers are made likely, and steps to it
SAY_RANGE = (-4.0, 2.0)  # logarithms of how far students are believed where a source answers


class SourceOpinion(NamedTuple):
    """What the answers of sources are worth.

    ``evidence`` (sources, answers, classes) is added to the logarithms of probabilities for each
    answer; all zero for a source that is not believed. ``alike`` (sources, sources) is how far two
    sources repeat each other, from 0 to 1. ``sharpness`` multiplies the sum where a source answers.
    """

    evidence: np.ndarray
    alike: np.ndarray
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

        Students repeat what the sources say, so the sum would be too sure. Their logarithms are
        multiplied by what brings the combination closest to the guesses.
        """
        parts = self._parts(proba, votes)
        is_told = parts[1:].any(axis=(0, 2))
        if not is_told.any():
            return self
        of_students, evidence = parts[0, is_told], parts[1:, is_told].sum(axis=0)

        def distance(log_say: float) -> float:
            logs = log_softmax(np.exp(log_say) * of_students + evidence, axis=1)
            return -float((guesses[is_told] * logs).sum())

        say = float(np.exp(minimize_scalar(distance, bounds=SAY_RANGE, method="bounded").x))
        return self._replace(evidence=self.evidence / say, sharpness=say)

    def compare(self, proba: np.ndarray, votes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the part of each source in what speaks for the answers, and what it adds.

        The sum of the parts is at most 1. A source adds to the mean confidence of the others.
        """
        parts = self._parts(proba, votes)
        best = parts.sum(axis=0).argmax(axis=1)
        for_best = parts[:, np.arange(len(best)), best] - parts.mean(axis=2)
        total = np.maximum(for_best, 0).sum(axis=1)
        confidence = []
        for source in range(len(votes)):
            others = self.evidence.copy()
            others[source] = 0.0
            without = self._replace(evidence=others).combine(proba, votes)
            confidence.append(without.max(axis=1).mean())
        added = self.combine(proba, votes).max(axis=1).mean() - np.array(confidence)
        return total[1:] / max(total.sum(), 1e-9), added

    def _parts(self, proba: np.ndarray, votes: np.ndarray) -> np.ndarray:
        """Return what words and vectors, and each source, add to the scores of each document."""
        parts = np.matmul(votes, self.weights[:, np.newaxis, np.newaxis] * self.evidence)
        return np.concatenate([_logs(proba)[np.newaxis], parts])


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
    views: list[Documents],
    how: Settings,
) -> tuple[SourceOpinion, np.ndarray]:
    """Say what the answers of sources are worth, by labels, by texts and by each other.

    ``guesses`` (documents, classes) are those of words and vectors; also return those with the
    sources.
    """
    believed = np.array([_is_believed(each, labels, guesses, views, how) for each in votes])
    believed |= not believed.any() and bool((guesses == guesses[0]).all())  # nothing else is known
    counts = np.array([_counts(each, labels) for each in votes])
    # as if all sources were one, to see which of them repeat each other
    n_sources = len(votes)
    opinion = SourceOpinion(_evidence(counts, believed), np.ones((n_sources, n_sources)))
    guessed = opinion.combine(guesses, votes)
    guessed[labels.known] = labels.targets[labels.known]
    alike = np.eye(n_sources)
    for one, two in combinations(np.flatnonzero(believed), 2):
        repeated = _dependence(votes[[one, two]], guessed, labels)
        alike[one, two] = alike[two, one] = repeated
    opinion = opinion._replace(alike=alike)
    weights = opinion.weights[:, np.newaxis, np.newaxis]
    weighed = votes * weights
    told = np.flatnonzero(weighed.any(axis=(0, 2)) & ~labels.known)
    if not len(told):
        return opinion, guesses
    texts = [_logs(guesses)]
    if len(told) >= FEWEST_TO_DOUBT:
        by_sources = opinion.combine(np.ones_like(guesses), votes)[told]
        apart = _learn_apart(views, labels, told, by_sources, how)
        texts += [matching_sharpness(each[told], USUAL) * each for each in apart]
    some = told[:: -(-len(told) // MOST_EXPLAINED)]
    scores, tables = _explain(np.array(texts), weighed[:, some], some, counts, weights)
    opinion = opinion._replace(evidence=_evidence(tables, believed))
    return opinion, opinion.combine(softmax(scores, axis=1), votes)


def _learn_apart(
    views: list[Documents], labels: LabelVotes, told: np.ndarray, guesses: np.ndarray, how: Settings
) -> list[np.ndarray]:
    """Return scores of students who learn from labels and from guesses for the told documents.

    They are naive Bayes of the words, then one regression per view. No student has learned from the
    guess for a document that it scores.
    """
    learn = lesson_of(views, labels, told, guesses, how)
    n_parts = np.clip(FULL_PARTS // len(told), 2, MOST_PARTS)
    scores = [np.zeros(labels.targets.shape) for _ in range(1 + len(views))]
    for part in range(n_parts):
        hidden = (np.arange(len(labels.weight)) % n_parts == part) & ~labels.known
        for found, student, view in zip(scores, learn(hidden), [views[0], *views], strict=True):
            found[hidden] = student.scores(view.x[hidden])
    return scores


def _explain(
    texts: np.ndarray, votes: np.ndarray, told: np.ndarray, counts: np.ndarray, weights: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Make the answers of the told documents as likely as possible.

    ``texts`` (views, documents, classes) are logarithms of probabilities, whose weighted sum gives
    each class its probability. ``counts`` (sources, classes, answers) are what is known of the
    tables before. Return the sum, and the tables.
    """
    n_views, n_classes = len(texts), texts.shape[2]
    shown, before = texts[:, told], np.zeros(n_views + n_classes)
    before[0] = 1.0
    pull = np.append(np.full(n_views, PULL), np.ones(n_classes))

    def loss(point: np.ndarray) -> tuple[float, np.ndarray]:
        """Return minus the logarithm of the probability, and its derivative."""
        factors, offsets, logits = np.split(point, [n_views, n_views + n_classes])
        logs = log_softmax(logits.reshape(counts.shape), axis=2)
        prior = log_softmax(np.tensordot(factors, shown, axes=1) + offsets, axis=1)
        joint = prior + np.matmul(votes, logs.transpose(0, 2, 1)).sum(axis=0)
        of_answers = logsumexp(joint, axis=1)
        guessed = np.exp(joint - of_answers[:, np.newaxis])
        expected = counts + np.matmul(guessed.T, votes)
        moved, errors = point[: len(before)] - before, guessed - np.exp(prior)
        slopes = np.append((shown * errors).sum(axis=(1, 2)), errors.sum(axis=0))
        of_tables = expected - np.exp(logs) * expected.sum(axis=2, keepdims=True)
        value = pull @ moved**2 - of_answers.sum() - (counts * logs).sum()
        return value, np.append(2 * pull * moved - slopes, -of_tables)

    logits, counts = np.log(counts), counts * weights  # so that repetitions count once
    bounds = [(0.0, None)] * n_views + [(None, None)] * (n_classes + logits.size)
    start = np.append(before, logits)
    at_most = {"maxiter": MOST_STEPS}
    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options=at_most).x
    factors, offsets, logits = np.split(found, [n_views, n_views + n_classes])
    scores = np.tensordot(factors, texts, axes=1) + offsets
    return scores, softmax(logits.reshape(counts.shape), axis=2)


def _logs(proba: np.ndarray) -> np.ndarray:
    return np.log(np.maximum(proba, SMALLEST))


def _evidence(tables: np.ndarray, believed: np.ndarray) -> np.ndarray:
    """Return what each answer adds to the logarithms of the classes (sources, answers, classes)."""
    logs = np.log(tables / tables.sum(axis=2, keepdims=True))
    centered = (logs - logs.mean(axis=1, keepdims=True)).transpose(0, 2, 1)
    return centered * believed[:, np.newaxis, np.newaxis]


def _counts(votes: np.ndarray, labels: LabelVotes) -> np.ndarray:
    """Return how often a source gave each answer (classes, answers), with a prior."""
    n_classes = votes.shape[1]
    usual = votes.sum(axis=0) + 1
    counts = labels.votes.T @ votes
    right = (np.trace(counts) + USUAL * WORTH) / (counts.sum() + WORTH)
    counts += WORTH_OF_CLASS * (1 - right) * usual / usual.sum()
    counts[np.arange(n_classes), np.arange(n_classes)] += WORTH_OF_CLASS * right
    return np.asarray(counts)


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
    counts = np.array([_counts(each, soft) for each in pair])
    tables = counts / counts.sum(axis=2, keepdims=True)
    by_chance = guessed[both] @ tables.prod(axis=0).sum(axis=1)
    expected, found = float(by_chance.mean()), float((one * two).sum(axis=1).mean())
    return float(np.clip((found - expected) / max(1 - expected, 1e-9), 0, 1))


def _is_believed(
    votes: np.ndarray,
    labels: LabelVotes,
    guesses: np.ndarray,
    views: list[Documents],
    how: Settings,
) -> bool:
    """Return False if the answers seem to be random: texts, guesses and labels tell none of them.

    Each comparison has a z-score, whose squares add up to chi squared if answers are random.
    """
    answers, gives, is_known = votes.argmax(axis=1), votes.any(axis=1), labels.known
    told, checked = (np.flatnonzero(gives & each) for each in (~is_known, is_known))
    if len(told) < FEWEST_TO_DOUBT or len(np.unique(answers[told])) < 2:
        return bool(gives.any())
    learned = np.sum(_learn_apart(views, labels, told, votes[told], how)[1:], axis=0)
    opinions = [(softmax(learned, axis=1), told), (guesses, told), (labels.targets, checked)]
    opinions = [each for each in opinions if len(each[1])]
    found = np.array([_z_score(proba[rows], answers[rows]) for proba, rows in opinions])
    found[0] = max(found[0], 0.0) / SPREAD  # students never learn to contradict
    is_told = np.isfinite(found)
    return bool(chi2.sf(np.square(found)[is_told].sum(), is_told.sum()) < CHANCE)


def _z_score(proba: np.ndarray, answers: np.ndarray) -> float:
    """Return how much more likely than random answers the given ones are, in standard errors.

    It is NaN if all documents have the same probabilities.
    """
    shares = np.bincount(answers, minlength=proba.shape[1]) / len(answers)
    centered = proba - proba.mean(axis=0)
    by_chance = centered @ shares
    variance = (centered**2 @ shares - by_chance**2).sum()
    given = centered[np.arange(len(answers)), answers]
    return float((given - by_chance).sum() / np.sqrt(variance)) if variance > 1e-9 else np.nan
