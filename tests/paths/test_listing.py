"""Compare iter_paths and count_distinct_representatives with plain enumeration."""

from itertools import islice, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeybayes.paths import count_distinct_representatives, iter_paths
from tests.paths.enumeration import all_paths, boolean_matrices


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_lists_every_path_once(order):
    @settings(max_examples=60)
    @given(boolean_matrices(max_terms=5))
    def check(X):
        listed = list(iter_paths(X, order))
        assert len(set(listed)) == len(listed)
        assert set(listed) == set(all_paths(X, order))

    check()


def test_order_five():
    X = np.ones((5, 6))
    assert sum(1 for _ in iter_paths(X, 5)) == 720 * 120 // 2


def test_is_lazy():
    words, documents = next(iter_paths(np.ones((200, 200)), 8))
    assert (len(words), len(documents)) == (9, 8)
    assert len(list(islice(iter_paths(np.ones((200, 200)), 8), 1000))) == 1000


@pytest.mark.parametrize("order", [0, -1, 1.5, "2", True])
def test_bad_order(order):
    with pytest.raises(ValueError, match="order must be an integer"):
        iter_paths([[1, 1]], order)


@settings(max_examples=60)
@given(st.lists(st.sets(st.integers(0, 5)), max_size=6))
def test_distinct_representatives(sets):
    chosen = sum(len(set(choice)) == len(sets) for choice in product(*sets))
    assert count_distinct_representatives(sets) == chosen


def test_accepts_lists_with_repetitions():
    assert count_distinct_representatives([[1, 1, 2], ["a"]]) == 2
