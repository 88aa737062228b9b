"""The choice of C as in the papers: the smallest of a grid with the best training accuracy."""

import warnings
from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC

from honeybayes.utils.validation import check_positive

TRAINING_ACCURACY = "training-accuracy"
CS_OF_THE_PAPERS = (1e-4, 1e-3, 1e-2, 1e-1, 1.0, 1e1, 1e2, 1e3, 1e4)
MOST_STEPS = 1_000_000  # of libsvm per pair of classes; it has no limit by default


def check_penalty(C: Any, Cs: Any, rules: Sequence[str] = (TRAINING_ACCURACY,)) -> None:
    """Raise ValueError if C is neither a positive number nor a rule, or if Cs is invalid."""
    if isinstance(C, Real) and not isinstance(C, bool):
        check_positive("C", C)
    elif not isinstance(C, str) or C not in rules:
        allowed = " or ".join(map(repr, rules))
        raise ValueError(f"C must be a number above 0 or {allowed}; got {C!r}.")
    # np.ndim of an iterator is 0: it could be read only once
    if np.ndim(Cs) != 1 or not len(Cs) or any(isinstance(each, bool) for each in Cs):
        raise ValueError(f"Cs must be a non-empty list of numbers above 0; got {Cs!r}.")
    for each in Cs:
        check_positive("each of Cs", each)


def fit_with_penalty(svc: SVC, X: Any, y: np.ndarray, C: float | str, Cs: Sequence[float]) -> SVC:
    """Fit with the given C, or with the smallest of ``Cs`` that is most accurate on X."""
    is_given, most_right = C != TRAINING_ACCURACY, -1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # also of models that are not chosen
        for candidate in [float(C)] if is_given else sorted(map(float, Cs)):
            model = clone(svc).set_params(C=candidate).fit(X, y)
            n_right = 0 if is_given else int(np.count_nonzero(model.predict(X) == y))
            if n_right > most_right:
                best, most_right = model, n_right
            if most_right == len(y):  # a larger C cannot do better
                break
    if best.fit_status_ != 0:
        warnings.warn(
            f"The support vector machine did not converge with C={best.C:g} within "
            f"{best.max_iter:,} steps: its predictions are approximate. Use a smaller C, or scale "
            "the features.",
            ConvergenceWarning,
            stacklevel=4,
        )
    return best
