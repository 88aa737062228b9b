"""Splits: sizes as announced, nothing in both parts, the same for the same seed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeybayes.evaluate import FixedSplit, RandomSplits, RepeatedFolds

class_sizes = st.lists(st.integers(2, 40), min_size=2, max_size=5)


def labels(sizes):
    return np.repeat([f"class {c}" for c in range(len(sizes))], sizes)


@given(class_sizes, st.sampled_from([1, 5, 10, 30, 50, 90]), st.integers(0, 5))
def test_percent_draws_the_floor_from_each_class(sizes, percent, seed):
    y = labels(sizes)
    for split in RandomSplits(percent=percent, repetitions=2).split(y, "toy", seed):
        np.testing.assert_array_equal(
            np.sort(np.concatenate([split.train, split.test])), np.arange(len(y))
        )
        for label, n in zip(np.unique(y), sizes, strict=True):
            assert (y[split.train] == label).sum() == max(1, n * percent // 100)


def test_percent_is_not_fooled_by_rounding():
    """0.29 * 100 is 28.999999999999996 in floating point."""
    split = next(RandomSplits(percent=29).split(labels([100, 100]), "toy", 0))
    assert len(split.train) == 58


@given(class_sizes, st.integers(1, 30))
def test_labels_per_class_leave_half_of_a_small_class(sizes, per_class):
    y = labels(sizes)
    split = next(RandomSplits(per_class=per_class).split(y, "toy", 0))
    for label, n in zip(np.unique(y), sizes, strict=True):
        assert (y[split.train] == label).sum() == min(per_class, n // 2)


def test_a_smaller_test_part_leaves_training_as_it_is():
    y = labels([30, 40])
    whole = next(RandomSplits(per_class=5).split(y, "toy", 0))
    part = next(RandomSplits(per_class=5, max_test=12).split(y, "toy", 0))
    np.testing.assert_array_equal(whole.train, part.train)
    assert len(part.test) == 12
    assert set(part.test) <= set(whole.test)


def test_folds_test_every_document_once_a_repetition():
    y = labels([13, 7, 30])
    splits = list(RepeatedFolds(folds=5, repetitions=2).split(y, "toy", 0))
    assert [(s.repetition, s.fold) for s in splits] == [(r, f) for r in (0, 1) for f in range(5)]
    for repetition in (0, 1):
        tests = [s.test for s in splits if s.repetition == repetition]
        np.testing.assert_array_equal(np.sort(np.concatenate(tests)), np.arange(50))
    assert not np.array_equal(splits[0].test, splits[5].test)


def test_a_class_smaller_than_the_folds_is_no_warning():
    assert len(list(RepeatedFolds(folds=5).split(labels([3, 20]), "toy", 0))) == 5


@pytest.mark.parametrize("splitter", [RandomSplits(percent=30), RepeatedFolds(folds=3)])
def test_the_seed_decides(splitter):
    y = labels([20, 20])
    first, again, other = (next(splitter.split(y, "toy", seed)).train for seed in (0, 0, 1))
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)


def test_whole_percents_may_be_floats():
    y = labels([30, 30])
    a, b = (next(RandomSplits(percent=p).split(y, "toy", 0)) for p in (10, 10.0))
    np.testing.assert_array_equal(a.train, b.train)


def test_more_repetitions_keep_the_first_ones():
    y = labels([30, 30])
    few = list(RandomSplits(percent=10, repetitions=2).split(y, "toy", 0))
    many = list(RandomSplits(percent=10, repetitions=4).split(y, "toy", 0))
    for a, b in zip(few, many, strict=False):
        np.testing.assert_array_equal(a.train, b.train)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: RandomSplits(), "either percent or per_class"),
        (lambda: RandomSplits(percent=5, per_class=3), "either percent or per_class"),
        (lambda: RandomSplits(percent=100), "below 100; got 100"),
        (lambda: RandomSplits(per_class=0), "per_class must be an integer, 1 or more"),
        (lambda: RandomSplits(percent=5, repetitions=0), "repetitions must be"),
        (lambda: RepeatedFolds(folds=1), "folds must be an integer, 2 or more"),
        (lambda: FixedSplit([0, 1], [1, 2]), "Row 1 is in both train and test"),
        (lambda: FixedSplit([], [1]), "at least one row"),
    ],
)
def test_refusals(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_fixed_split_beyond_the_corpus():
    with pytest.raises(ValueError, match="Row 9 does not exist: 'toy' has 4"):
        next(FixedSplit([0, 1], [9]).split(labels([2, 2]), "toy", 0))


def test_what_splits_depend_on():
    """As docs/evaluate.md has it: name and size, then max_test; only the seed for folds."""
    y = np.repeat(["a", "b"], 50)

    def first(splitter, name="toy", seed=0):
        return next(splitter.split(y, name, seed))

    usual = RandomSplits(percent=20)
    train = first(usual).train
    few = first(RandomSplits(percent=20, max_test=10))
    np.testing.assert_array_equal(few.train, train)
    assert len(few.test) == 10
    for other in (
        first(usual, name="other"),
        first(usual, seed=1),
        first(RandomSplits(per_class=10)),
    ):
        assert len(other.train) == len(train)
        assert (other.train != train).any()
    nested = first(RandomSplits(percent=40)).train
    assert not set(train) <= set(nested)
    folds = RepeatedFolds(5)
    np.testing.assert_array_equal(first(folds).test, first(folds, name="other").test)
    assert (first(folds).test != first(folds, seed=1).test).any()
    np.testing.assert_array_equal(first(folds, seed=np.int64(1)).test, first(folds, seed=1).test)


def test_splits_stay_the_same_in_every_version():
    """Results in files were measured on these rows."""
    y = np.repeat(["a", "b"], 50)
    split = next(RandomSplits(per_class=3).split(y, "toy", 0))
    assert split.train.tolist() == [31, 37, 38, 58, 75, 83]
    split = next(RandomSplits(percent=6.5).split(y, "toy", 0))
    assert split.train.tolist() == [11, 18, 35, 57, 70, 85]
