"""The papers' rule for C: the smallest of a grid with the best accuracy on the training set."""

import warnings
from collections.abc import Callable, Sequence
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from honeybayes.utils.validation import check_positive

TRAINING_ACCURACY = "training-accuracy"
CS_OF_THE_PAPERS = (1e-4, 1e-3, 1e-2, 1e-1, 1.0, 1e1, 1e2, 1e3, 1e4)
MOST_STEPS = 1_000_000  # of libsvm for a pair of classes, which has no end of its own


class Penalized(NamedTuple):
    """A fitted model, and the C that it was fitted with."""

    model: Any
    C: float


def check_penalty(C: Any, Cs: Any) -> None:
    """Refuse a C that is neither a number above zero nor the rule; and a grid that is none."""
    if isinstance(C, str | bool) or not isinstance(C, Real):
        if C != TRAINING_ACCURACY:
            raise ValueError(f"C must be a number above 0 or {TRAINING_ACCURACY!r}; got {C!r}.")
    else:
        check_positive("C", C)
    # an iterator has no dimension: it could be read only once
    if np.ndim(Cs) != 1 or not len(Cs) or any(isinstance(each, bool) for each in Cs):
        raise ValueError(f"Cs must be a list of numbers above 0, at least one; got {Cs!r}.")
    for each in Cs:
        check_positive("each of Cs", each)


def fit_with_penalty(
    fit: Callable[[float], Any], X: Any, y: np.ndarray, C: float | str, Cs: Sequence[float]
) -> Penalized:
    """Fit with the given C, or with the one that the papers would have chosen.

    Parameters
    ----------
    fit : callable
        Takes a C, returns a model fitted to the whole training set, one with ``predict``.
    X : array or sparse matrix
        The training set as the model's ``predict`` wants it: features, or a kernel.
    y : ndarray
        Labels of X.
    C : float or "training-accuracy"
        A number, or the rule: of ``Cs``, the smallest with the best accuracy on X.
    Cs : sequence of float
        The grid of the rule, in any order.

    Returns
    -------
    Penalized
        The model and its C.

    Warns
    -----
    ConvergenceWarning
        If the model is an SVC that stopped early, at its ``max_iter``.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # of models that are not chosen, too
        chosen = _choose(fit, X, y, C, Cs)
    if getattr(chosen.model, "fit_status_", 0) != 0:
        warnings.warn(
            f"The support vector machine stopped after {chosen.model.max_iter:,} steps, before it "
            f"had converged with C={chosen.C:g}: its answers are those of a rough solution. Take a "
            "smaller C, or bring the features to a common scale.",
            ConvergenceWarning,
            stacklevel=4,
        )
    return chosen


def _choose(
    fit: Callable[[float], Any], X: Any, y: np.ndarray, C: float | str, Cs: Sequence[float]
) -> Penalized:
    if C != TRAINING_ACCURACY:
        return Penalized(fit(float(C)), float(C))
    most_right = -1
    for candidate in sorted(float(each) for each in Cs):
        model = fit(candidate)
        n_right = int(np.count_nonzero(model.predict(X) == y))
        if n_right > most_right:
            best, most_right = Penalized(model, candidate), n_right
        if most_right == len(y):  # no larger C can do better
            break
    return best
