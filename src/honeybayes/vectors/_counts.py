"""Counts of terms, checked in scikit-learn's way."""

from numbers import Integral
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_non_negative, validate_data

from honeybayes.bayes._base import SPARSE_FORMATS


def validate_documents(
    estimator: Any, X: Any, y: Any = "no_validation", *, reset: bool
) -> tuple[sparse.csr_array, Any]:
    """Check documents, and labels if there are any; return X as CSR of float64, and y."""
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
    X = sparse.csr_array(X)
    if not X.has_canonical_format:
        X = X.copy()  # the arrays are the caller's
        X.sum_duplicates()
    return X, y


def validate_counts(
    estimator: Any, X: Any, y: Any = "no_validation", *, reset: bool
) -> tuple[sparse.csr_array, Any]:
    """Do the same, and refuse negative numbers."""
    counts, y = validate_documents(estimator, X, y, reset=reset)
    check_non_negative(counts, f"{type(estimator).__name__} (counts of terms)")
    return counts, y


def check_whole(name: str, value: Any) -> None:
    """Refuse a parameter that is not a whole number, one or more."""
    if not isinstance(value, Integral) or isinstance(value, bool) or value < 1:
        raise ValueError(f"{name} must be a whole number, 1 or more; got {value!r}.")
