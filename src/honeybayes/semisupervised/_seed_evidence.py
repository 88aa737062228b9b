"""Class names and seed words as weak evidence, and a check of how far to trust them.

A seed document per class holds its words. Its weight, and its influence on the first guesses, fall
as labels come, and depend on how far labels and seeds agree.
"""

from typing import NamedTuple

import numpy as np
from scipy import sparse

from honeybayes.semisupervised._evidence import agreement
from honeybayes.semisupervised._labels import LabelVotes, no_votes
from honeybayes.semisupervised._regression import Documents
from honeybayes.semisupervised._teacher import Settings, teach
from honeybayes.utils.matrices import inverse_or_zero

SEED_WEIGHT = 10.0  # of a seed document without labels; a labeled document has weight 1
WORTH = 20.0  # the agreement of seeds and labels on the pool counts as much as this many labels
N_SPLITS = 4  # of pool and seed words into halves
POOR, GOOD = 0.15, 0.35  # chosen on nine corpora: see docs/few-labels.md
FREQUENT = 2.0  # terms with a lower idf, in more than one of seven documents, count less


class Seeds(NamedTuple):
    """Seed documents (terms, classes) scaled to their weight, and guesses made from seeds alone."""

    weighed: np.ndarray
    share_of_start: float
    guesses: np.ndarray
    trust: float
    verdict: str
    accuracy: float  # that the trust promises


def prepare_seeds(
    documents: Documents, labels: LabelVotes, weights: np.ndarray, idf: np.ndarray, how: Settings
) -> Seeds:
    """Turn the weights of seed words (terms, classes) into evidence for the teacher."""
    weights = weights * np.minimum(1, idf / FREQUENT)[:, np.newaxis]
    n_classes = weights.shape[1]
    length = np.linalg.norm(weights, axis=0)
    seeds, has_words = weights * inverse_or_zero(length), length > 0
    unlabeled = no_votes(*labels.targets.shape)
    by_names = teach(documents, unlabeled, how, SEED_WEIGHT * seeds)
    covered = float(has_words.mean())
    present = np.flatnonzero(labels.targets.any(axis=0))
    n_labels = int(labels.known.sum())
    if len(present) < 2:  # nothing to compare with
        trust = covered * stability(documents.x, weights, how)
        known = np.sqrt(trust)  # as in `expected_accuracy`
        weight, share = SEED_WEIGHT, covered * WORTH / (WORTH + n_labels)
    else:
        agreed = _agreement_with_labels(documents, labels, present, by_names.scores, how)
        trust = known = covered * max(0.0, (agreed - 1 / n_classes) / (1 - 1 / n_classes))
        weight, share = 2 * SEED_WEIGHT * trust**2, trust * WORTH / (WORTH + n_labels)
    verdict = "poor" if trust < POOR else "unsure"
    if trust >= GOOD and (has_words.all() or n_labels):
        verdict = "good"
    accuracy = float(known + (1 - known) / n_classes)
    return Seeds(weight * seeds, share, by_names.guesses, trust, verdict, accuracy)


def _agreement_with_labels(
    documents: Documents,
    labels: LabelVotes,
    present: np.ndarray,
    by_names: np.ndarray,
    how: Settings,
) -> float:
    """Return the share of labels that the seeds get right, and of answers on the pool that agree.

    Documents of the pool count only if the seeds give them a class that has labels.
    """
    answers = by_names.argmax(axis=1)
    known = labels.known
    right = labels.targets[np.flatnonzero(known), answers[known]].sum()
    only = LabelVotes(labels.targets[:, present], labels.weight)
    from_labels = present[teach(documents, only, how).scores.argmax(axis=1)]
    compared = ~known & np.isin(answers, present)
    agreed = (answers == from_labels)[compared].mean() if compared.any() else 0.0
    worth = 0.0 if known.all() else WORTH  # without a pool, the labels alone decide
    return float((right + worth * agreed) / (known.sum() + worth))


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
