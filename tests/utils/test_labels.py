"""Labels and the marks of unlabeled documents."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from honeybayes.utils.labels import encode_labels, is_unlabeled, with_one_mark
from honeybayes.utils.scores import accuracy_of_labeled

MISSING = [None, np.nan, float("nan"), np.float32("nan"), pd.NA, pd.NaT]


def as_array(y):
    return np.array([*y, None], dtype=object)[:-1]


@pytest.mark.parametrize("missing", [*MISSING, "", "  "], ids=repr)
@pytest.mark.parametrize("kind", [list, tuple, as_array, pd.Series])
def test_usual_marks_among_strings(missing, kind):
    classes, position = encode_labels(kind(["b", missing, "a", missing, "b"]), "auto")
    assert classes.tolist() == ["a", "b"]
    assert classes.dtype.kind == "U"
    assert position.tolist() == [1, -1, 0, -1, 1]


@pytest.mark.parametrize("missing", [*MISSING, -1, np.int64(-1)], ids=repr)
@pytest.mark.parametrize("kind", [list, tuple, as_array, pd.Series])
@pytest.mark.parametrize("integer", [int, np.int64])
def test_usual_marks_among_integers(missing, kind, integer):
    y = [integer(3), missing, integer(0), missing, integer(7)]
    classes, position = encode_labels(kind(y), "auto")
    assert classes.tolist() == [0, 3, 7]
    assert position.tolist() == [1, -1, 0, -1, 2]


@pytest.mark.parametrize("dtype", ["Int64", "Float64", "string", "category"])
def test_missing_values_of_pandas(dtype):
    y = pd.Series(["1", None, "2"] if dtype in ("string", "category") else [1, None, 2])
    classes, position = encode_labels(y.astype(dtype), "auto")
    assert [int(label) for label in classes] == [1, 2]
    assert position.tolist() == [0, -1, 1]


def test_arrays_of_numpy():
    assert encode_labels(np.array([0, 1, -1, 1]), "auto")[1].tolist() == [0, 1, -1, 1]
    assert encode_labels(np.array([0, 1, -1, 1], dtype=np.int8), "auto")[1][2] == -1
    assert encode_labels(np.array([0.0, 1.0, np.nan]), "auto")[1].tolist() == [0, 1, -1]


@pytest.mark.parametrize(
    ("y", "classes"),
    [
        ([-1, 1, 1, -1], [-1, 1]),
        ([-1.0, 1.0, 2.0], [-1, 1, 2]),  # not integers
        ([-1.0, 1.0, np.nan], [-1, 1]),
        ([-2, -3, None], [-3, -2]),
        ([True, False, True], [False, True]),
        (["-1", "a", "b"], ["-1", "a", "b"]),
    ],
)
def test_what_is_a_class(y, classes):
    assert encode_labels(y, "auto")[0].tolist() == classes


@pytest.mark.parametrize("missing", MISSING, ids=repr)
def test_two_marks_together(missing):
    classes, position = encode_labels([0, -1, missing, 1], "auto")
    assert classes.tolist() == [0, 1]
    assert position.tolist() == [0, -1, -1, 1]
    # with -1 and 1 alone, -1 is a class, whatever else is missing
    assert encode_labels([-1, 1, missing], "auto")[0].tolist() == [-1, 1]


@pytest.mark.parametrize("unlabeled", [None, "?", -1])
def test_other_marks_allow_no_missing_value(unlabeled):
    with pytest.raises(ValueError, match=r"first is y\[1\]"):
        with_one_mark(["a", None], unlabeled)
    y = ["a", "?"]
    assert with_one_mark(y, "?") == (y, "?")


def test_no_mark_leaves_the_labels_as_they_are():
    y = np.array(["a", "b"])
    found, mark = with_one_mark(y, "auto")
    assert found is y
    assert mark is None
    for wrong in (None, 3, [["a"], ["b"]], np.zeros((2, 1))):
        assert with_one_mark(wrong, "auto")[1] is None  # validation says what is wrong


def test_labels_of_several_types():
    with pytest.raises(ValueError, match="Convert all labels to strings"):
        encode_labels(np.array(["a", 1, None], dtype=object), "auto")
    classes, position = encode_labels(pd.to_datetime(["2020-01-01", None, "2019-01-01"]), "auto")
    assert len(classes) == 2
    assert position.tolist() == [1, -1, 0]


def test_all_documents_without_a_label():
    for missing in (None, np.nan, ""):
        classes, position = encode_labels([missing] * 3, "auto")
        assert len(classes) == 0
        assert position.tolist() == [-1] * 3


def test_is_unlabeled():
    y = np.array(["a", None, "", "b"], dtype=object)
    assert is_unlabeled(y, "auto").tolist() == [False, True, True, False]
    assert is_unlabeled(np.array([1, 2, 1]), 2).tolist() == [False, True, False]
    with pytest.raises(ValueError, match="cannot occur among labels"):
        is_unlabeled(np.array([1, 2]), "?")


@pytest.mark.parametrize(
    "y", [[0, -1, 0, -1], [0, None, 0, None], [0, np.nan, 0, np.nan], pd.Series([0, pd.NA] * 2)]
)
def test_accuracy_of_labels_that_show_only_one_class(y):
    predicted = np.array([0, 1, 1, 0])
    assert accuracy_of_labeled(y, predicted, "auto", classes=np.array([0, 1])) == 0.5


def test_accuracy_with_strings_and_missing_values():
    predicted = np.array(["a", "b", "b"])
    for missing in (None, np.nan, ""):
        assert accuracy_of_labeled(["a", missing, "a"], predicted, "auto", None, ["a", "b"]) == 0.5
    assert_array_equal(accuracy_of_labeled([-1, 1, 1], [-1, 1, -1], "auto", None, [-1, 1]), 2 / 3)
