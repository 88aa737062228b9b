"""Documents as validated CSR of float64."""

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_non_negative

from honeybayes.utils.matrices import canonical_counts
from honeybayes.utils.validation import validate_counts


def documents_as_csr(
    estimator: Any, X: Any, y: Any = "no_validation", *, reset: bool
) -> tuple[sparse.csr_array, Any]:
    """Validate documents, and labels if given; return X as canonical CSR, and y."""
    checked = validate_counts(estimator, X, y, reset=reset)
    X, y = checked if isinstance(checked, tuple) else (checked, None)
    return canonical_counts(X.astype(np.float64, copy=False)), y  # before duplicates are summed


def counts_as_csr(estimator: Any, X: Any, *, reset: bool) -> sparse.csr_array:
    """Validate documents without labels; raise ValueError if a number is negative."""
    counts, _ = documents_as_csr(estimator, X, reset=reset)
    check_non_negative(counts, f"{type(estimator).__name__} (counts of terms)")
    return counts
