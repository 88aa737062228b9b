"""Compare count_label_paths with the definition, and with Algorithm 1 of hos-2012."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from honeybayes.paths import count_label_paths
from honeybayes.paths import label_paths as fast_counting
from tests.paths.path_oracle import boolean_matrices, label_paths


def labels_for(X, data, lowest=0):
    return np.array(
        data.draw(st.lists(st.integers(lowest, 2), min_size=len(X), max_size=len(X))), int
    )


@settings(max_examples=60)
@given(boolean_matrices(), st.data())
def test_equal_to_enumeration(X, data):
    y = labels_for(X, data)
    counts = count_label_paths(X, y)
    assert counts.dtype == np.int64
    assert_array_equal(counts, label_paths(X, y, np.unique(y)))


@settings(max_examples=60)
@given(boolean_matrices(), st.data())
def test_unlabeled_documents_are_first_documents_only(X, data):
    y = labels_for(X, data, lowest=-1)
    expected = label_paths(X, y, np.unique(y[y >= 0]))
    assert_array_equal(count_label_paths(X, y, unlabeled=-1), expected)


def test_marks_of_other_types():
    X = [[1, 1, 0], [0, 1, 1], [1, 0, 1]]
    expected = count_label_paths(X, ["a", "b", "?"], unlabeled="?")
    mixed = np.array(["a", "b", -1], dtype=object)
    assert_array_equal(count_label_paths(X, mixed, unlabeled=-1), expected)
    assert_array_equal(count_label_paths(X, [0.0, 1.0, np.nan], unlabeled=np.nan), expected)
    with pytest.raises(ValueError, match="unlabeled=-1 cannot occur among labels of type <U"):
        count_label_paths(X, ["a", "b", -1], unlabeled=-1)
    with pytest.raises(ValueError, match=r"unlabeled='\?' cannot occur among labels of type int"):
        count_label_paths(X, [0, 1, -1], unlabeled="?")


def test_rows_are_sorted_classes():
    X = [[1, 1, 0], [0, 1, 1], [1, 0, 1]]
    by_name = count_label_paths(X, ["z", "b", "m"])
    assert_array_equal(by_name, count_label_paths(X, [2, 0, 1]))


def test_every_value_is_a_class_by_default():
    assert count_label_paths([[1, 1], [1, 1]], [-1, 1]).shape == (2, 2)


@settings(max_examples=60)
@given(boolean_matrices(max_documents=6, max_terms=7), st.data())
def test_integers_where_float64_would_round(X, data):
    y = labels_for(X, data)
    expected = count_label_paths(X, y)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fast_counting, "EXACT_FLOAT_LIMIT", 0)
        assert_array_equal(count_label_paths(X, y), expected)


def algorithm_1(X, Y):
    """hos-2012 Algorithm 1 up to step 8b: O1, O2 and s, for terms against labels."""
    n_terms = X.shape[1]
    extended = np.hstack([X, Y])  # step 5
    O1 = extended.T @ extended  # step 6
    O2 = O1 @ O1  # step 7
    frequency = np.diag(O1)
    s = O2 - O1 * (frequency[:, np.newaxis] + frequency)  # step 8b
    return O2[:n_terms, n_terms:].T, s[:n_terms, n_terms:].T


@settings(max_examples=60)
@given(boolean_matrices(), st.data())
def test_erratum_of_hos_2012_algorithm_1(X, data):
    """Step 8b subtracts walks that repeat a word, not walks that repeat a document.

    Read as O2 := s, it counts the paths and the walks with one document twice. Read as printed,
    O2 := O2 + s, it counts all of these twice, and the walks that repeat a word or a label once.
    """
    y = labels_for(X, data)
    classes = np.unique(y)
    Y = (y[:, np.newaxis] == classes).astype(np.int64)
    O2, s = algorithm_1(X, Y)

    paths = label_paths(X, y, classes)
    same_document = np.zeros_like(paths)
    same_word_or_label = np.zeros_like(paths)
    for c in range(len(classes)):
        for document in np.flatnonzero(Y[:, c]):
            for word in np.flatnonzero(X[document]):
                same_document[c, word] += X[document].sum() - 1
                same_word_or_label[c, word] += X[:, word].sum() + Y[:, c].sum()

    assert_array_equal(s, paths + same_document)
    assert_array_equal(O2 + s, 2 * (paths + same_document) + same_word_or_label)
    assert_array_equal(count_label_paths(X, y), paths)


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        ([[1, 1], [1, 1]], [0], r"X has 2 documents, y has shape \(1,\)"),
        ([[1, 1]], [[0]], r"X has 1 documents, y has shape \(1, 1\)"),
        ([[1, -1]], [0], "Negative values in X"),
        ([[1, np.nan]], [0], "NaN or infinity"),
    ],
)
def test_bad_input(X, y, message):
    with pytest.raises(ValueError, match=message):
        count_label_paths(X, y)
