"""Class names and seed words as weak evidence, and a check of how far to trust them.

A seed document per class holds its words. Its weight, and its influence on the first guesses, fall
as labels come, and depend on how far labels and seeds agree. With dense features, a class also has
a seed vector, from which the rounds of EM on the dense features start. Without seeds, the name of a
class means what an encoder knows, as far as the labels confirm it.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from honeybayes.semisupervised._evidence import above_chance, agreement, weight_of_evidence
from honeybayes.semisupervised._labels import LabelVotes, no_votes
from honeybayes.semisupervised._regression import Documents
from honeybayes.semisupervised._teacher import Settings, teach, teach_by_names, teach_directions
from honeybayes.utils.matrices import inverse_or_zero

SEED_WEIGHT = 10.0  # of a seed document without labels; a labeled document has weight 1
WORTH = 20.0  # the agreement of seeds and labels on the pool counts as much as this many labels
WORTH_OF_STABILITY = 100.0  # labels, where experts are compared without labels
# With few labels, a model of them is poor, and its agreement tells little about the seeds: half of
# what there is to know with one label per class. How far seeds agree with themselves tells the
# rest, which is not worth its time if it is less than a fifth.
ENOUGH, MOSTLY = 1.0, 0.8
SHARED_START = 0.92  # halves with the same seed vectors agree more often than they know
N_SPLITS = 4  # of pool and seed words into halves
POOR, GOOD = 0.15, 0.35  # chosen on nine corpora: see docs/few-labels.md
NAME_WORTH = 5.0  # labels per class, if the nearest name is always the label
FREQUENT = 2.0  # terms with a lower idf, in more than one of seven documents, count less


class Names(NamedTuple):
    """Directions of the names (classes, features), as those of documents: plain and whitened."""

    plain: np.ndarray
    whitened: np.ndarray

    def weight(self, plain: np.ndarray, labels: LabelVotes) -> float:
        """Return how many labels of its class a name is worth, given all documents.

        Nobody looked at the labels to choose the names, so they are a fair test of them.
        """
        known = np.flatnonzero(labels.known)
        answers = (plain[known] @ self.plain.T).argmax(axis=1)
        return NAME_WORTH * above_chance(answers, labels.targets[known])


def add_names(
    parts: Sequence[Any], targets: np.ndarray, weight: np.ndarray, names: np.ndarray, worth: float
) -> tuple[list[Any], np.ndarray, np.ndarray]:
    """Return labeled documents, targets and weights, and one more document per class: its name.

    ``parts`` are the words, if they are used, and the dense features of documents. A name has no
    words, and the dense features ``names`` (classes, features).
    """
    *words, dense = parts
    no_words = [sparse.csr_array((len(names), x.shape[1]), dtype=x.dtype) for x in words]
    named = [sparse.vstack(pair, format="csr") for pair in zip(words, no_words, strict=True)]
    named.append(np.vstack([dense, names.astype(dense.dtype)]))
    targets = np.vstack([targets, np.eye(len(names))])
    return named, targets, np.append(weight, np.full(len(names), worth))


class SeedView(NamedTuple):
    """What seeds tell about one view of the documents, words or dense features.

    ``guesses`` are made from seeds alone; ``share`` is what they count in the first guesses.
    ``trust`` is from 0 to 1, and ``accuracy`` is what it promises.
    """

    guesses: np.ndarray
    trust: float
    share: float
    accuracy: float


class Seeds(NamedTuple):
    """Seed documents (terms, classes) scaled to their weight, and what seeds tell."""

    weighed: np.ndarray
    words: SeedView
    dense: SeedView | None
    trust: float
    verdict: str
    accuracy: float

    def promise(self, n_experts: int, has_axes: bool) -> np.ndarray:
        """Return the accuracy of each expert that seeds promise: of a regression, that of chance.

        Seeds without vectors promise experts of dense features nothing.
        """
        chance = 1 / self.weighed.shape[1]
        of_words = [self.words.accuracy] * (1 + has_axes) + [chance]
        of_dense = [chance if self.dense is None else self.dense.accuracy, chance]
        return np.array((of_words + of_dense)[:n_experts])


def prepare_seeds(
    documents: Documents,
    whitened: np.ndarray | None,
    labels: LabelVotes,
    weights: np.ndarray,
    directions: np.ndarray | None,
    idf: np.ndarray,
    how: Settings,
) -> Seeds:
    """Turn the weights of seed words (terms, classes) into evidence for the teacher.

    ``directions`` (classes, dense features) are seed vectors, if ``whitened`` is given.
    """
    weights = weights * np.minimum(1, idf / FREQUENT)[:, np.newaxis]
    length = np.linalg.norm(weights, axis=0)
    seeds, has_words = weights * inverse_or_zero(length), length > 0
    unlabeled, n_labels = no_votes(*labels.targets.shape), int(labels.known.sum())
    by_names = teach(documents, unlabeled, how, SEED_WEIGHT * seeds).guesses

    def from_labels(some: LabelVotes) -> np.ndarray:
        return teach(documents, some, how).scores

    words = _view_of_seeds(
        by_names, has_words, lambda: stability(documents.x, weights, how), from_labels, labels
    )
    compared = len(np.flatnonzero(labels.targets.any(axis=0))) > 1
    weight = 2 * SEED_WEIGHT * words.trust**2 if compared else SEED_WEIGHT
    dense = None
    if whitened is not None and directions is not None:
        has_vector = np.asarray(directions.any(axis=1))
        dense = _view_of_seeds(
            teach_by_names(whitened, directions, how).guesses,
            has_vector,
            lambda: (SHARED_START * _stability_of_directions(whitened, directions, how)) ** 2,
            lambda some: teach_directions(whitened, some, how).scores,
            labels,
        )
        has_words = has_words | has_vector
    views = [words] if dense is None else [words, dense]
    promised = np.minimum([each.accuracy for each in views], 1 - 1e-3)  # 1 has no variance
    say = weight_of_evidence(promised, WORTH_OF_STABILITY)
    trust = float(np.average([each.trust for each in views], weights=say))
    accuracy = float(np.average([each.accuracy for each in views], weights=say))
    verdict = "poor" if trust < POOR else "unsure"
    if trust >= GOOD and (has_words.all() or n_labels):
        verdict = "good"
    return Seeds(weight * seeds, words, dense, trust, verdict, accuracy)


def _view_of_seeds(
    guesses: np.ndarray,
    has_seed: np.ndarray,
    stable: Callable[[], float],
    from_labels: Callable[[LabelVotes], np.ndarray],
    labels: LabelVotes,
) -> SeedView:
    """Say how far to trust the guesses from seeds, by labels if two classes have some.

    Labels tell the share of them that the seeds get right, and the share of answers on the pool
    that agree with ``from_labels``. With few labels or none, ``stable`` tells how far guesses from
    halves agree. That says nothing about a class without a seed, which may get all documents that
    are like no seed.
    """
    n_classes, known, answers = guesses.shape[1], labels.known, guesses.argmax(axis=1)
    n_labels, covered = int(known.sum()), float(has_seed.mean())
    present = np.flatnonzero(labels.targets.any(axis=0))
    if len(present) < 2:  # nothing to compare with
        trust = min(covered, float(has_seed[answers].mean())) * stable()
        right, share = np.sqrt(trust), covered  # as in `expected_accuracy`
    else:
        of_labels = labels.targets[np.flatnonzero(known), answers[known]].sum()
        only = LabelVotes(labels.targets[:, present], labels.weight)
        learned = present[from_labels(only).argmax(axis=1)]
        compared = ~known & np.isin(answers, present)  # with a class that has labels
        of_pool = (answers == learned)[compared].mean() if compared.any() else 0.0
        worth = 0.0 if known.all() else WORTH  # without a pool, the labels alone decide
        tells = n_labels / (n_labels + ENOUGH * n_classes)
        if worth and tells < MOSTLY:
            right = np.sqrt(covered * stable())
            of_pool = tells * of_pool + (1 - tells) * (right + (1 - right) / n_classes)
        agreed = float((of_labels + worth * of_pool) / (n_labels + worth))
        trust = right = share = covered * max(0.0, (agreed - 1 / n_classes) / (1 - 1 / n_classes))
    accuracy = float(right + (1 - right) / n_classes)
    return SeedView(guesses, trust, share * WORTH / (WORTH + n_labels), accuracy)


def _stability_of_directions(whitened: np.ndarray, directions: np.ndarray, how: Settings) -> float:
    """Return the mean kappa of models that learn from the seeds and disjoint halves of the pool."""
    random, n = np.random.default_rng(0), len(whitened)
    found = []
    for _ in range(N_SPLITS if n > 1 else 0):
        side = random.permutation(n) % 2
        halves = (whitened[side == half] for half in (0, 1))
        learned = [teach_by_names(half, directions, how).linear for half in halves]
        one, two = (each.scores(whitened).argmax(axis=1) for each in learned)
        found.append(agreement(one, two, len(directions)))
    return float(np.mean(found)) if found else 0.0


def stability(x: sparse.csr_array, weights: np.ndarray, how: Settings) -> float:
    """Compare two teachers that learn from disjoint halves of the pool and of the seed words.

    Returns the mean of Cohen's kappa over all documents. A class with one word gives it to both.
    """
    random, n_classes = np.random.default_rng(0), weights.shape[1]
    found, n = [], x.shape[0]
    for _ in range(N_SPLITS if n > 1 else 0):
        side = random.permutation(n) % 2
        of_half = np.zeros(weights.shape, dtype=bool)
        single = (weights > 0).sum(axis=0) < 2
        for label in np.flatnonzero(~single):
            terms = random.permutation(np.flatnonzero(weights[:, label]))
            of_half[terms[: len(terms) // 2], label] = True
        answers = []
        for half, kept in ((0, single | ~of_half), (1, single | of_half)):
            words = weights * kept
            seeds = SEED_WEIGHT * words * inverse_or_zero(np.linalg.norm(words, axis=0))
            part = x[side == half]
            teacher = teach(Documents(part), no_votes(part.shape[0], n_classes), how, seeds)
            answers.append(teacher.linear.scores(x).argmax(axis=1))
        found.append(agreement(answers[0], answers[1], n_classes))
    return float(np.mean(found)) if found else 0.0
