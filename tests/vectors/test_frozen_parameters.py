"""Prediction reads what ``fit`` kept; ``set_params`` affects the next ``fit`` only."""

import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone

from honeybayes import (
    HigherOrderSVC,
    HigherOrderTransformer,
    IterativeHigherOrderKernel,
    LSIKNeighborsClassifier,
    TunedSVC,
)


@pytest.mark.parametrize(
    ("model", "later"),
    [
        (HigherOrderTransformer(), {"binarize": 1.5, "absent": "shifted"}),
        (IterativeHigherOrderKernel(), {"normalize": None, "weighting": "tf-idf"}),
        (HigherOrderSVC(C=1.0), {"binarize": 1.5}),
        (TunedSVC(C=1.0, binarize=0), {"binarize": 1.5}),
        (LSIKNeighborsClassifier(), {"n_neighbors": 1}),
    ],
)
def test_parameters_are_frozen_at_fit(model, later):
    X, y = [[2, 1, 0, 0], [1, 1, 1, 0], [0, 0, 1, 1], [0, 2, 2, 1]], [0, 0, 1, 1]
    model = clone(model).fit(X, y)
    method = model.transform if hasattr(model, "transform") else model.decision_function
    before = method(X)
    model.set_params(**later)
    assert_array_equal(method(X), before)
