"""The choice of C as in the papers: the smallest of a grid with the best training accuracy."""

import warnings
from collections.abc import Callable, Sequence
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from honeybayes.utils.validation import check_positive

TRAINING_ACCURACY = "training-accuracy"
CS_OF_THE_PAPERS = (1e-4, 1e-3, 1e-2, 1e-1, 1.0, 1e1, 1e2, 1e3, 1e4)
MOST_STEPS = 1_000_000  # of libsvm per pair of classes; it has no limit by default


class Penalized(NamedTuple):
    """A fitted model, and the C that it was fitted with."""

    model: Any
    C: float


def check_penalty(C: Any, Cs: Any) -> None:
    """Raise ValueError if C is neither a positive number nor the rule, or if Cs is invalid."""
    if isinstance(C, str | bool) or not isinstance(C, Real):
        if C != TRAINING_ACCURACY:
            raise ValueError(f"C must be a number above 0 or {TRAINING_ACCURACY!r}; got {C!r}.")
    else:
        check_positive("C", C)
    # np.ndim of an iterator is 0: it could be read only once
    if np.ndim(Cs) != 1 or not len(Cs) or any(isinstance(each, bool) for each in Cs):
        raise ValueError(f"Cs must be a non-empty list of numbers above 0; got {Cs!r}.")
    for each in Cs:
        check_positive("each of Cs", each)


def fit_with_penalty(
    fit: Callable[[float], Any], X: Any, y: np.ndarray, C: float | str, Cs: Sequence[float]
) -> Penalized:
    """Fit with the given C, or with the smallest of ``Cs`` that is most accurate on X."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # also of models that are not chosen
        chosen = _choose(fit, X, y, C, Cs)
    if getattr(chosen.model, "fit_status_", 0) != 0:
        warnings.warn(
            f"The support vector machine did not converge with C={chosen.C:g} within "
            f"{chosen.model.max_iter:,} steps: its predictions are approximate. Use a smaller C, "
            "or scale the features.",
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
        if most_right == len(y):  # a larger C cannot do better
            break
    return best
