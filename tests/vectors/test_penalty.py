"""The rule for C of honb-2009, section 5, note 3."""

import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import linear_kernel
from sklearn.svm import SVC

from honeybayes import TunedSVC
from honeybayes.vectors._base import CS_OF_THE_PAPERS

RNG = np.random.default_rng(0)
X = RNG.poisson(0.7, (40, 6)).astype(float)
Y = RNG.choice(["a", "b", "c"], 40)


def check_penalty(C, Cs):
    TunedSVC(C=C, Cs=Cs)._check_parameters()


def fit_with_penalty(svc, X, y, C, Cs):
    model = TunedSVC(Cs=Cs)
    model._fit_svc(svc, X, y, C)
    return model.model_


def literally(X, y, Cs):
    """All of the grid, then the smallest among the best."""
    accuracy = {C: SVC(kernel="linear", C=C).fit(X, y).score(X, y) for C in Cs}
    return min(C for C in Cs if accuracy[C] == max(accuracy.values()))


def test_the_grid_of_the_papers():
    assert tuple(float(f"1e{power}") for power in range(-4, 5)) == CS_OF_THE_PAPERS


@pytest.mark.parametrize("terms", [2, 4, 6])
@pytest.mark.parametrize("Cs", [(0.01, 0.1, 1.0, 10.0), (10.0, 0.001, 1.0)], ids=str)
def test_the_smallest_of_the_best(terms, Cs):
    part = X[:, :terms]
    model = fit_with_penalty(SVC(kernel="linear"), part, Y, "training-accuracy", Cs)
    assert literally(part, Y, Cs) == model.C


def test_a_kernel_is_as_good_as_features():
    K = linear_kernel(X)
    svc = SVC(kernel="precomputed")
    model = fit_with_penalty(svc, K, Y, "training-accuracy", (0.01, 1, 10))
    assert literally(X, Y, (0.01, 1, 10)) == model.C
    assert model.kernel == "precomputed"


def test_nothing_larger_is_tried_once_all_is_right():
    tried = []

    class Recorder(SVC):
        def fit(self, X, y):
            tried.append(self.C)
            return super().fit(X, y)

    svc = Recorder(kernel="linear")
    fit_with_penalty(svc, np.eye(2), np.array(["a", "b"]), "training-accuracy", (1, 100, 0.1))
    assert tried == [0.1]


def test_a_number_is_taken_as_it_is():
    assert fit_with_penalty(SVC(), X, Y, 3, ()).C == 3.0


@pytest.mark.parametrize("C", [0, -1, np.inf, np.nan, "best", None, [1], True], ids=repr)
def test_no_penalty(C):
    with pytest.raises(ValueError, match="C must be a"):
        check_penalty(C, CS_OF_THE_PAPERS)


@pytest.mark.parametrize(
    "Cs", [(), "1", None, 3, (1, 0), (1, "a"), (1, True), [[1]], np.array(2.0)], ids=repr
)
def test_no_grid(Cs):
    with pytest.raises(ValueError, match=r"of Cs|Cs must be"):
        check_penalty(1, Cs)


def test_an_iterator_is_no_grid():
    """It could be read once, and a second fit would find nothing."""
    with pytest.raises(ValueError, match="Cs must be a non-empty list of numbers above 0"):
        check_penalty(1, (C for C in CS_OF_THE_PAPERS))
    check_penalty(1, np.array(CS_OF_THE_PAPERS))


def test_only_the_chosen_model_is_warned_of():
    class Hasty(SVC):
        def fit(self, X, y):
            return super(Hasty, self.set_params(max_iter=2 if self.C > 1 else -1)).fit(X, y)

    for Cs, stops_early in [((1.0, 0.1), False), ((1e3, 0.1), False), ((1e3,), True)]:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            chosen = fit_with_penalty(Hasty(kernel="linear"), X, Y, "training-accuracy", Cs)
        assert (chosen.C == 1e3) == stops_early
        assert [each.category for each in caught] == [ConvergenceWarning] * stops_early
