"""Declarations of state: what each kind accepts, and how declarations are merged and checked."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.naive_bayes import MultinomialNB

from honeybayes.utils.state import (
    NUMBERS,
    Array,
    Bool,
    Fitted,
    Indices,
    Integer,
    Labels,
    Number,
    OneOf,
    Record,
    Sizes,
    SparseCounts,
    State,
    Strings,
    check_state,
    declared_attributes,
)

FITTED = MultinomialNB().fit([[1, 0], [0, 1]], [0, 1])
UNSORTED = sparse.csc_array(([1.0, 1.0], [1, 0], [0, 2]), shape=(2, 1))
OUTSIDE = sparse.csc_array((2, 1))
OUTSIDE.indices, OUTSIDE.data, OUTSIDE.indptr = np.array([5]), np.array([1.0]), np.array([0, 1])


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (Array(("a", 2)), np.zeros((3, 2))),
        (Array(("a",), NUMBERS, low=0), np.array([0, 1])),
        (Array(("a",), allow="-inf"), np.array([-np.inf])),
        (Array(("a",), allow="nan"), np.array([np.nan, np.inf])),
        (Array(("a",), above=0), np.zeros(0)),
        (Array(("a",), or_number=True), 0.5),
        (Array(("a",), ("int64",)), np.array([-(2**63)])),
        (Indices(("a",), below="classes", low=-1), np.array([-1, 1])),
        (SparseCounts(("a", "b")), sparse.csc_array([[1.0, 0.0]])),
        (Integer(), np.int64(3)),
        (Number(above=0), 1e-9),
        (Number(), np.array(2.0)),
        (Bool(), np.True_),
        (OneOf(("a", "b")), "b"),
        (Strings("a"), np.array(["x", ""], dtype=object)),
        (Record(), {"a": {"b": 1, "c": None}, "d": "e", "f": True}),
        (Fitted("predict"), FITTED),
        (Labels(), np.array(["a", "b"])),
        (Labels(), np.array([1, 2])),
    ],
    ids=repr,
)
def test_accepted(kind, value):
    kind.check("part_", value, Sizes(classes=2))


@pytest.mark.parametrize(
    ("kind", "value", "message"),
    [
        (Array(("a",)), [1.0], "is list, expected an array of float64"),
        (Array(("a",)), np.array([1]), "is int64, expected an array of float64"),
        (Array(("a",)), np.ma.array([1.0]), "is float64, expected an array"),
        (Array(("classes",)), np.zeros(3), r"has shape \(3,\), expected \(2,\) \('classes',\)"),
        (Array(("a", "a")), np.zeros((2, 3)), r"has shape \(2, 3\), expected \(2, 2\)"),
        (Array(("a",)), np.zeros((2, 3)), "has shape"),
        (Array(("a",)), np.array([np.nan]), "contains NaN or infinity"),
        (Array(("a",)), np.array([-np.inf]), "contains minus infinity"),
        (Array(("a",), allow="-inf"), np.array([np.inf]), "contains NaN or infinity"),
        (Array(("a",), low=0), np.array([-1.0]), "contains -1.0, which is too small: at least 0"),
        (Array(("a",), above=0), np.array([0.0]), "contains 0.0, which is too small: more than 0"),
        (Array(("a",), above=0, or_number=True), 0.0, "is 0.0, which is too small"),
        (Array(("a",), or_number=True), np.inf, "expected a finite number"),
        (Indices(("a",), below="classes"), np.array([2]), "contains 2, but must be below 2"),
        (Indices(("a",), below="classes"), np.array([-1]), "too small"),
        (Indices(("a",), below="classes"), np.array([0.0]), "is float64"),
        (Indices(("a",), below="nodes"), np.array([0]), "must be declared after an array"),
        (SparseCounts(("a", "b")), sparse.csr_array([[1.0]]), "expected a csc matrix"),
        (SparseCounts(("a", "b")), np.ones((1, 1)), "is ndarray, expected a csc matrix"),
        (SparseCounts(("a", "b")), -sparse.csc_array([[1.0]]), "too small"),
        (SparseCounts(("a", "b")), UNSORTED, "unsorted or duplicate"),
        (SparseCounts(("a", "b")), OUTSIDE, "must be < 2"),
        (Integer(1), 0, "is 0, expected an integer of at least 1"),
        (Integer(), True, "is True, expected an integer"),
        (Integer(), 1.0, "is 1.0, expected an integer"),
        (Number(), True, "is True, expected a finite number"),
        (Number(), "1", "is '1', expected a finite number"),
        (Number(), np.nan, "expected a finite number"),
        (Bool(), 1, r"is 1, expected one of \(True, False\)"),
        (OneOf(("a", "b")), "c", "is 'c', expected one of"),
        (OneOf(("a", "b")), ["a"], "expected one of"),
        (Strings("a"), np.array(["x"]), "expected an object array of strings"),
        (Strings("a"), np.array(["x", 1], dtype=object), "a value that is not a string"),
        (Strings("classes"), np.array(["x"], dtype=object), "has shape"),
        (Record(), [], "is list, expected a dict"),
        (Record(), {1: 2}, "expected a dict with strings as keys"),
        (Record(), {"a": [1]}, "contains list"),
        (Fitted("predict"), MultinomialNB(), "not fitted"),
        (Fitted("transform"), FITTED, "is MultinomialNB, which has no method transform"),
        (Fitted(), None, "is NoneType"),
        (Labels(), np.array([2, 1]), "is not sorted"),
        (Labels(), np.array([1, 1]), "contains a label twice"),
        (Labels(), np.zeros(0), "is not an array of labels"),
        (Labels(), np.array([None, "a"]), "a value that is not a label"),
    ],
    ids=repr,
)
def test_refused(kind, value, message):
    with pytest.raises(ValueError, match=f"part_ .*{message}"):
        kind.check("part_", value, Sizes(classes=2))


class Base(BaseEstimator):
    fitted_attributes = State(count_=Array(("classes", "features")), names_=Strings(optional=True))

    def __init__(self, power=1):
        self.power = power

    def _check_parameters(self):
        if self.power == 0:
            raise ValueError("power is 0")

    def fit(self, X, y):
        self.classes_, self.n_features_in_ = np.unique(y), 2
        self.count_ = np.zeros((2, 2))
        return self


class Child(Base):
    fitted_attributes = State(count_=Array(("classes", "margins")), order_=Integer())

    def fit(self, X, y):
        super().fit(X, y)
        self.count_, self.order_ = np.zeros((2, 1)), 1
        return self

    def _check_state(self):
        if self.order_ > 2:
            raise ValueError("order_ is too large")


def test_a_subclass_adds_to_the_declaration_of_its_base():
    assert list(declared_attributes(Child)) == ["count_", "names_", "order_"]
    assert declared_attributes(Child)["count_"].shape == ("classes", "margins")


def test_a_template_is_not_fitted():
    check_state(Child())
    with pytest.raises(ValueError, match="power is 0"):
        check_state(Child(power=0))


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("order_", 3, "order_ is too large"),
        ("order_", None, "order_ is None, expected an integer"),
        ("more_", 3, "more_ is not a declared attribute of Child: add it to fitted_attributes"),
        ("predict", 3, "predict is not a declared attribute"),
        ("classes_", None, r"count_ has shape \(2, 1\), expected \('classes', 'margins'\)"),
        ("classes_", np.arange(3), r"count_ has shape \(2, 1\), expected \(3, 3\)"),
        ("n_features_in_", 3.0, "n_features_in_ is 3.0, expected an integer"),
        ("feature_names_in_", np.array(["a"], dtype=object), "feature_names_in_ has shape"),
        ("names_", np.array(["a"], dtype=object), "names_ has shape"),
        ("_sklearn_output_config", {"transform": []}, "_sklearn_output_config contains list"),
    ],
)
def test_states(name, value, message):
    model = Child().fit(None, [0, 1])
    check_state(model)
    setattr(model, name, value)
    with pytest.raises(ValueError, match=message):
        check_state(model)


@dataclass(frozen=True)
class Settings:
    fitted_attributes: ClassVar[State] = State()

    size: int = 1

    def __post_init__(self):
        if self.size < 1:
            raise ValueError("size is too small")


def test_a_dataclass_is_checked_by_building_it_again():
    check_state(Settings(3))
    for changes, message in [
        ({"size": 0}, "size is too small"),
        ({"more": 0}, "more is not a declared attribute of Settings"),
    ]:
        settings = Settings()
        vars(settings).update(changes)
        with pytest.raises(ValueError, match=message):
            check_state(settings)
    settings = Settings()
    del vars(settings)["size"]
    with pytest.raises(ValueError, match="the parameter size is missing"):
        check_state(settings)
