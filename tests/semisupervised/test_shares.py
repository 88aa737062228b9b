"""Shares of the classes: from labels, or from the answers for the pool."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from honeybayes.semisupervised._labels import LabelVotes
from honeybayes.semisupervised._shares import offset_of_shares, shares_of_pool

SHARES = np.array([0.6, 0.2, 0.2])


def answer(truth, random, accuracy=0.7):
    """Right answers, or a class at random."""
    return np.where(random.random(len(truth)) < accuracy, truth, random.integers(0, 3, len(truth)))


def estimate(n_labels, shares=SHARES, seed=0, n_pool=5000):
    random = np.random.default_rng(seed)
    labeled = np.repeat(np.arange(3), n_labels)
    pool = random.choice(3, n_pool, p=shares)
    return shares_of_pool(answer(pool, random), answer(labeled, random), np.eye(3)[labeled])


def test_many_labels_tell_how_answers_differ_from_classes():
    """The answers are 0.52, 0.24, 0.24. The shares are those that EM finds, by its fixed point."""
    logs = estimate(5000)
    assert_allclose(logs.sum(), 0, atol=1e-12)
    found = np.exp(logs) / np.exp(logs).sum()
    errors = 0.7 * np.eye(3) + 0.1
    answers = errors @ SHARES
    expected = (found * (errors.T @ (answers / (errors @ found))) + 0.1 / 3) / 1.1
    assert_allclose(found, expected, atol=0.01)
    assert SHARES[0] > found[0] > answers[0]  # the rest of the way is left to equal shares
    assert_allclose(estimate(5000, np.full(3, 1 / 3)), 0, atol=0.02)  # as the pool is drawn


@pytest.mark.parametrize("seed", range(5))
def test_few_labels_tell_nothing(seed):
    assert_array_equal(estimate(2, seed=seed), 0)


def test_the_estimate_grows_with_the_labels():
    few, many = (np.mean([estimate(n, seed=seed)[0] for seed in range(5)]) for n in (20, 1000))
    assert 0 <= few < many
    assert many > 0.3


def test_a_small_pool_tells_little():
    """However well the errors are known: thirty documents of equal shares are uneven by chance."""
    equal = np.full(3, 1 / 3)
    small, large = (
        [np.abs(estimate(1000, equal, seed, n_pool)).max() for seed in range(20)]
        for n_pool in (30, 5000)
    )
    assert np.mean(small) < 0.2
    assert np.mean(large) < 0.05
    assert estimate(1000, n_pool=30)[0] < estimate(1000)[0]


def labels_of(counts):
    targets = np.repeat(np.eye(len(counts)), counts, axis=0)
    return LabelVotes(targets, np.ones(len(targets)))


def test_uneven_labels_tell_the_shares_of_classes():
    """The trust in the labels is the estimate of James and Stein, and a share at most doubles."""
    trust = 1 - 1 / ((9**2 + 9**2) / 15)
    shares = trust * np.array([25, 7]) / 32 + (1 - trust) * np.array([0.6, 0.4])
    expected = np.log(shares / [0.6, 0.4])
    nothing, labels = np.zeros(2), labels_of([24, 6])
    assert_allclose(offset_of_shares(np.array([0.6, 0.4]), labels, nothing), expected)
    limited = offset_of_shares(np.array([0.05, 0.95]), labels, nothing)
    assert_allclose(limited, np.log([2, 0.5]))
    # the answers for the pool tell the rest
    more = offset_of_shares(np.array([0.6, 0.4]), labels, np.array([0.5, -0.5]))
    assert_allclose(more, expected + (1 - trust) * np.array([0.5, -0.5]))


def test_labels_chosen_per_class_leave_the_shares_to_the_pool():
    guessed = np.array([0.7, 0.2, 0.1])
    of_pool = np.array([3.0, 0.1, -0.2])
    for counts in ([5, 5, 5], [25, 25, 25, 2]):
        n_classes = len(counts)
        found = offset_of_shares(np.full(n_classes, 0.3), labels_of(counts), np.zeros(n_classes))
        assert_array_equal(found, 0)
    found = offset_of_shares(guessed, labels_of([5, 5, 5]), of_pool)
    assert_allclose(found, [np.log(4), 0.1, -0.2])
    assert offset_of_shares(np.full(4, 0.25), labels_of([25, 25, 24, 2]), np.zeros(4))[3] < -0.5
