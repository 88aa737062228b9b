"""Compare the counts of bridges, which explain_word shows, with listed paths."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from honeybayes.paths import count_label_paths, count_paths, iter_paths
from honeybayes.paths.bridges import bridges_to_label, bridges_to_words
from honeybayes.utils.matrices import presence_matrix
from tests.paths.path_oracle import entries_from, linked_matrices

many = settings(max_examples=60)


def from_the_word(X, term, is_included=lambda ends: True):
    """List the paths from the word, word first, and count those with the word in the middle."""
    starting, middle = [], 0
    for words, documents in iter_paths(X):
        if not is_included((words[0], words[-1])):
            continue
        if words[0] == term:
            starting.append((words, documents))
        elif words[-1] == term:
            starting.append((words[::-1], documents[::-1]))
        middle += words[1] == term
    return starting, middle


def to_the_label(X, y, term, label):
    """Yield the paths word - first - bridge - second - label."""
    for first in np.flatnonzero(X[:, term]):
        for bridge in np.flatnonzero(X[first]):
            for second in np.flatnonzero(X[:, bridge]):
                if bridge != term and second != first and y[second] == label:
                    yield (term, bridge), (first, second)


def assert_carried(counts, X, paths):
    """Check all numbers of ``counts`` against the listed paths."""
    bridges = Counter(words[1] for words, _ in paths)
    firsts = Counter(documents[0] for _, documents in paths)
    seconds = Counter(documents[1] for _, documents in paths)
    assert counts.total == len(paths)
    assert_array_equal(counts.per_bridge, [bridges[k] for k in range(X.shape[1])])
    assert_array_equal(counts.per_first_document, [firsts[d] for d in range(len(X))])
    assert_array_equal(counts.per_second_document, [seconds[d] for d in range(len(X))])
    for bridge in range(X.shape[1]):
        over = [documents for words, documents in paths if words[1] == bridge]
        first, second = counts.through(bridge)
        assert_array_equal(first, np.bincount([d[0] for d in over], minlength=len(X)))
        assert_array_equal(second, np.bincount([d[1] for d in over], minlength=len(X)))


@pytest.mark.parametrize("pure", ["no", "itself", "another"])
def test_bridges_equal_the_listed_paths(pure):
    with_paths = []

    @many
    @given(linked_matrices(2) if pure == "no" else loosely_linked(), st.data())
    def check(X, data):
        if not X.shape[1]:
            return
        term = data.draw(st.integers(0, X.shape[1] - 1))
        M = X
        if pure == "another":
            M = data.draw(entries_from([0, 0, 1], (3, X.shape[1])))

        def is_included(ends):
            return pure == "no" or not (M[:, ends[0]] & M[:, ends[1]]).any()

        paths, middle = from_the_word(X, term, is_included)
        presence, neighbors = presence_matrix(X), None if pure == "no" else presence_matrix(M)
        n_paths = count_paths(X, pure=neighbors).per_term[term]
        counts = bridges_to_words(presence, presence.T.tocsr(), term, neighbors, n_paths)
        assert_carried(counts, X, paths)
        assert counts.middle == middle
        with_paths.append(len(paths) > 0)

    check()
    assert sum(with_paths) > 1  # otherwise the test checks little


def loosely_linked():
    """Draw documents with few words, so that the ends of paths often share no document."""
    shapes = st.tuples(st.integers(2, 6), st.integers(3, 6))
    return shapes.flatmap(lambda shape: entries_from([0, 0, 1], shape))


def test_label_bridges_equal_the_listed_paths():
    unseen_in_class = []

    @many
    @given(st.one_of(linked_matrices(2), loosely_linked()), st.data())
    def check(X, data):
        if 0 in X.shape:
            return
        y = np.array(data.draw(st.lists(st.sampled_from("ab?"), min_size=len(X), max_size=len(X))))
        labels = sorted(set(y) - {"?"})
        if not labels:
            return
        label = data.draw(st.sampled_from(labels))
        per_term = count_label_paths(X, y, "?")[labels.index(label)]
        presence = presence_matrix(X)
        holders = presence.T.tocsr()
        for term in range(X.shape[1]):  # all terms, because few are unseen in a class
            paths = list(to_the_label(X, y, term, label))
            counts = bridges_to_label(presence, holders, term, y == label)
            assert_carried(counts, X, paths)
            assert counts.middle == 0
            assert counts.total == per_term[term]
            unseen_in_class.append(bool(paths) and not X[y == label, term].any())

    check()
    assert sum(unseen_in_class) > 2  # otherwise the test checks little
