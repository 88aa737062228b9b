"""Constructors and docstrings that `estimator` writes."""

import inspect

import pytest
from sklearn.base import clone

from honeybayes import CountNB, HigherOrderNB


def test_constructors_take_keywords_and_clones_keep_them():
    model = HigherOrderNB(order=3, alpha=0.5)
    assert clone(model).get_params() == model.get_params()
    with pytest.raises(TypeError):
        HigherOrderNB(3)


def test_help_describes_every_parameter():
    told = inspect.getdoc(HigherOrderNB)
    for name in inspect.signature(HigherOrderNB).parameters:
        assert f"\n{name} : " in told


def test_a_subclass_may_have_a_constructor_of_its_own():
    class Own(CountNB):
        def __init__(self, *, alpha=2.0):
            super().__init__(alpha=alpha)

    assert clone(Own(alpha=3.0)).alpha == 3.0


def test_dask_tells_two_fitted_models_apart():
    tokenize = pytest.importorskip("dask.base").tokenize
    X, y = [[1, 0], [0, 1]], ["x", "y"]
    model = CountNB().fit(X, y)
    assert tokenize(model) == tokenize(CountNB().fit(X, y))
    assert tokenize(model) != tokenize(CountNB().fit(X[::-1], y))
