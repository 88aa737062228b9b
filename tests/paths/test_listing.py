"""Compare iter_paths with plain enumeration."""

from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings

from honeybayes.paths import iter_paths
from tests.paths.path_oracle import all_paths, boolean_matrices


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
