"""Shares of the classes: those of random labels, or those that answers for the pool reveal."""

import numpy as np

from honeybayes.semisupervised._labels import LabelVotes

SMALLEST_SHARE = 1e-6  # of a class; it may be 0 after rounding
N_DRAWS = 40  # from what is known about the answers and their errors
N_STEPS = 60  # of EM for the shares; more change little
# Equal shares count as much as a tenth of the answers: answers for the pool are right less often
# than held-out labels promise. This, the caution and the limit were chosen on draws 3 to 8 of some
# corpora of benchmarks/defaults.py, and checked on draws 0 to 2 of all, with and without vectors.
EQUAL_SHARES = 0.1
CAUTION = 2.0  # how many times the variance of an estimate counts against it
TIED = 3  # classes with the most labels; of random labels, hardly ever so many
# No share changes by more than a factor of two if the labels tell it, which may be uneven for other
# reasons, and of four if the answers for the pool do.
MOST_BY_LABELS, MOST_BY_ANSWERS = np.log(2.0), np.log(4.0)


def shares_of_pool(answers: np.ndarray, held_out: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """Estimate the shares of the classes in the pool, as logs relative to equal shares.

    ``answers`` are the classes that were answered for the pool, and ``held_out`` those for
    documents with the targets ``truth`` (documents, classes). Labels that somebody chose per class
    do not tell the shares, but how often each class is taken for which other one. The shares are
    those that make the answers for the pool most likely. Few labels leave the errors uncertain,
    and a small pool the answers: each of several draws from their posterior gives other shares. The
    mean shrinks to equal shares as the estimate of James and Stein does, completely if the draws
    differ by chance only.
    """
    n_classes = truth.shape[1]
    counts = np.zeros((n_classes, n_classes))  # of answers (rows) to each class (columns)
    np.add.at(counts, held_out, truth)
    accuracy = (np.trace(counts) + 2) / (len(held_out) + 4)
    expected = np.full((n_classes, n_classes), (1 - accuracy) / (n_classes - 1))
    np.fill_diagonal(expected, accuracy)
    rng = np.random.default_rng(0)
    drawn = rng.standard_gamma(counts + expected, (N_DRAWS, *counts.shape))
    errors = drawn / np.maximum(drawn.sum(axis=1, keepdims=True), SMALLEST_SHARE)
    answered = np.bincount(answers, minlength=n_classes) + 1
    found = rng.dirichlet(answered, N_DRAWS)[:, :, np.newaxis]
    shares = np.full((N_DRAWS, n_classes, 1), 1 / n_classes)
    for _ in range(N_STEPS):
        explained = np.maximum(errors @ shares, SMALLEST_SHARE)
        shares *= errors.swapaxes(1, 2) @ (found / explained)
        shares = (shares + EQUAL_SHARES / n_classes) / (1 + EQUAL_SHARES)
    logs = np.log(shares[:, :, 0])
    logs -= logs.mean(axis=1, keepdims=True)
    mean, noise = logs.mean(axis=0), CAUTION * logs.var(axis=0).sum()
    return mean * max(0.0, 1 - noise / max((mean**2).sum(), SMALLEST_SHARE))


def offset_of_shares(guessed: np.ndarray, labels: LabelVotes, of_pool: np.ndarray) -> np.ndarray:
    """Return what to add to scores, given the guessed shares, and those of the pool as logs.

    If some classes have many more labels than others, the labels tell the shares. How far to follow
    them is the estimate of James and Stein: not at all if labels drawn from classes of the same
    size would be as uneven. Neither if three classes have equally many labels and none has more:
    then somebody chose so many per class. The answers for the pool tell the rest.
    """
    counts = labels.targets[labels.known].sum(axis=0)
    n_classes, mean = len(counts), counts.mean()
    uneven = float(((counts - mean) ** 2).sum() / mean) if mean > 0 else 0.0  # chi squared
    are_chosen = np.count_nonzero(counts == counts.max()) >= TIED
    trust = 0.0 if are_chosen else max(0.0, 1 - (n_classes - 1) / max(uneven, SMALLEST_SHARE))
    known = (counts + 1) / (counts + 1).sum()
    ratio = np.maximum(trust * known / np.maximum(guessed, SMALLEST_SHARE) + 1 - trust, 1e-9)
    by_labels = np.clip(np.log(ratio), -MOST_BY_LABELS, MOST_BY_LABELS)
    return by_labels + np.clip((1 - trust) * of_pool, -MOST_BY_ANSWERS, MOST_BY_ANSWERS)
