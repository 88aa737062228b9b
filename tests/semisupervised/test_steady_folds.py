"""Folds and halves of the labels, and how little they change with more labels."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_array_equal

from honeybayes.semisupervised._labels import steady_folds


def test_halves_are_even_and_keep_the_only_label_of_a_class():
    position = np.array([0, 1, 0, -1, 0, 2, 0, 0, 2, -1])
    splits = [steady_folds(position, 2, seed) for seed in range(3)]
    for half in splits:
        assert half[1] == -1
        assert (half[position == -1] == -1).all()
        assert sorted(half[position == 0]) in ([0, 0, 0, 1, 1], [0, 0, 1, 1, 1])
        assert sorted(half[position == 2]) == [0, 1]
    assert any((splits[0] != other).any() for other in splits[1:])
    assert_array_equal(splits[0], steady_folds(position, 2, 0))


def test_folds_are_even_and_leave_a_label_of_each_class():
    position = np.array([0, 1, 0, -1, 0, 2, 0, 0, 2, 0, 0, -1, 0, 0])
    fold = steady_folds(position, 4)
    assert fold[1] == -1  # the only label of class 1
    assert (fold[position == -1] == -1).all()
    assert sorted(np.bincount(fold[position == 0])) == [2, 2, 2, 3]
    assert len(set(fold[position == 2])) == 2


@given(
    position=st.lists(st.integers(-1, 3), min_size=1, max_size=60),
    n_folds=st.integers(2, 6),
    seed=st.integers(0, 5),
)
def test_folds_of_any_labels(position, n_folds, seed):
    position = np.array(position)
    fold = steady_folds(position, n_folds, seed)
    for label in range(4):
        of_class = fold[position == label]
        if len(of_class) > 1:
            size = np.bincount(of_class, minlength=n_folds)
            assert size.max() - size.min() <= 1
            assert len(size) == n_folds
        else:
            assert (of_class == -1).all()
    assert (fold[position == -1] == -1).all()


@given(
    position=st.lists(st.integers(-1, 2), min_size=2, max_size=60),
    new=st.integers(0, 59),
    n_folds=st.integers(2, 5),
    seed=st.integers(0, 5),
)
def test_a_label_leaves_the_folds_of_other_classes(position, new, n_folds, seed):
    before = np.array(position)
    after = before.copy()
    after[new % len(after)] = 2
    rest = (before == after) & (before != before[new % len(after)]) & (before < 2)
    found = [steady_folds(each, n_folds, seed)[rest] for each in (before, after)]
    assert_array_equal(*found)


@pytest.mark.parametrize(("n_folds", "most"), [(5, 12), (2, 4)])
def test_five_labels_move_few_documents(n_folds, most):
    """20 classes with 20 labels each; on average over draws of five more labels."""
    random, moved = np.random.default_rng(0), []
    for seed in range(50):
        truth = random.permutation(np.repeat(np.arange(20), 100))
        labeled = np.concatenate([np.flatnonzero(truth == c)[:20] for c in range(20)])
        position = np.full(len(truth), -1)
        position[labeled] = truth[labeled]
        fold = steady_folds(position, n_folds, seed)
        new = random.choice(np.flatnonzero(position < 0), 5, replace=False)
        position[new] = truth[new]
        moved.append((fold != steady_folds(position, n_folds, seed))[labeled].sum())
    assert np.mean(moved) < most  # of 400


def test_numbers_of_documents_decide_their_folds():
    position = np.array([0, 0, 1, -1, 1, 0, 1, 1])
    numbers = np.array([3, 4, 9, 10, 11, 20, 25, 31])
    everything = np.full(40, -1)
    everything[numbers] = position
    expected = steady_folds(everything, 3, 1)[numbers]
    assert_array_equal(steady_folds(position, 3, 1, numbers), expected)


def test_without_labels():
    assert_array_equal(steady_folds(np.array([-1, -1]), 2), [-1, -1])
    assert len(steady_folds(np.array([], dtype=int), 2)) == 0
