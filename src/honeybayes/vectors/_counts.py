"""Counts of terms, checked in scikit-learn's way."""

from numbers import Integral
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_non_negative, validate_data

from honeybayes.bayes._base import SPARSE_FORMATS


def validate_counts(
    estimator: Any, X: Any, y: Any = "no_validation", *, reset: bool
) -> tuple[sparse.csr_array, Any]:
    """Check documents, and labels if there are any; return the counts as CSR of float64, and y."""
    first = next(iter(X), None) if isinstance(X, list | tuple | np.ndarray) else None
    if isinstance(first, str):
        raise ValueError(
            f"X holds texts, but {type(estimator).__name__} takes counts of terms: put a "
            "CountVectorizer in front."
        )
    checked = validate_data(
        estimator, X, y, accept_sparse=SPARSE_FORMATS, dtype=np.float64, reset=reset
    )
    X, y = checked if isinstance(checked, tuple) else (checked, None)
    check_non_negative(X, f"{type(estimator).__name__} (counts of terms)")
    counts = sparse.csr_array(X)
    counts.sum_duplicates()
    return counts, y


def check_whole(name: str, value: Any) -> None:
    """Refuse a parameter that is not a whole number, one or more."""
    if not isinstance(value, Integral) or isinstance(value, bool) or value < 1:
        raise ValueError(f"{name} must be a whole number, 1 or more; got {value!r}.")
