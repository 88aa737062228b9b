"""Check a loaded SVC.

libsvm gets the memory addresses of the arrays of a model, and uses the length of one array to read
another. So all lengths, types and indices must be correct before libsvm gets the arrays.
"""

from typing import Any

import numpy as np

from honeybayes.utils.state import Array, Bool, Integer, Number, Sizes, SparseCounts, State

LARGEST_PRODUCT, MOST_DIGITS = 10**6, 300  # of two documents, and of a kernel that is a number
KERNELS = ("linear", "poly", "rbf", "sigmoid", "precomputed")
LIBSVM = State(
    support_=Array(("vectors",), ("int32",), low=0),
    _n_support=Array(("classes",), ("int32",), low=0),
    class_weight_=Array(("classes",)),
    intercept_=Array(("pairs",)),
    _intercept_=Array(("pairs",)),
    _num_iter=Array(("pairs",), ("int32",)),
    n_iter_=Array(("pairs",), ("int32",)),
    fit_status_=Integer(),
    _sparse=Bool(),
    _gamma=Number(low=0),
)


def check_libsvm(svc: Any) -> None:
    """Raise ValueError if the arrays of an SVC disagree in length, type or order."""
    if not isinstance(svc.kernel, str) or svc.kernel not in KERNELS:
        raise ValueError("kernel is a function, which a model file cannot hold")
    for name in ("C", "coef0", "tol", "cache_size", "nu", "epsilon"):
        Number().check(name, vars(svc).get(name), Sizes())
    if "support_" not in vars(svc):
        return
    base = 1 + abs(svc.coef0) + svc._gamma * LARGEST_PRODUCT
    if svc.kernel == "poly" and svc.degree * np.log10(base) > MOST_DIGITS:
        raise ValueError(f"degree is {svc.degree}, with which the kernel is infinite")
    n_vectors, n_features = len(svc.support_), svc.n_features_in_
    if svc._n_support.sum(dtype=np.int64) != n_vectors:
        raise ValueError(f"_n_support does not add up to the {n_vectors} vectors of support_")
    shape, is_kernel = svc.shape_fit_, svc.kernel == "precomputed"
    pair = type(shape) is tuple and len(shape) == 2 and all(type(size) is int for size in shape)
    if not pair or shape[1] != n_features or (is_kernel and shape[0] != n_features):
        raise ValueError(f"shape_fit_ is {shape!r}")
    if is_kernel and (svc._sparse or svc.support_.max(initial=0) >= n_features):
        raise ValueError("support_ points outside the precomputed kernel")
    sizes = Sizes(vectors=n_vectors, features=n_features, others=len(svc.classes_) - 1)
    for name in ("dual_coef_", "_dual_coef_"):
        _check_rows(svc, name, ("others", "vectors"), sizes)
        # libsvm reads a sparse matrix of coefficients as a full table
        if svc._sparse and getattr(svc, name).nnz != sizes["others"] * n_vectors:
            raise ValueError(f"{name} does not contain all coefficients")
    _check_rows(svc, "support_vectors_", (0, 0) if is_kernel else ("vectors", "features"), sizes)
    if svc._sparse:
        indices, starts = svc.support_vectors_.indices, svc.support_vectors_.indptr
        if not indices.dtype == starts.dtype == np.int32:
            raise ValueError(f"support_vectors_ has indices of {indices.dtype}, expected int32")
    # before scikit-learn 1.9, the parameter itself
    probability = vars(svc).get("_effective_probability", svc.probability)
    if type(probability) is not bool:
        raise ValueError(f"probability is {probability!r}")
    n_pairs = len(svc.intercept_) if probability else 0
    for name in ("_probA", "_probB"):
        _check_rows(svc, name, (n_pairs,), sizes)


def _check_rows(svc: Any, name: str, shape: Any, sizes: Sizes) -> None:
    """Raise ValueError if an array or a sparse matrix is not as libsvm needs it."""
    value = getattr(svc, name)
    if svc._sparse and len(shape) > 1:
        return SparseCounts(shape, "csr", above=-np.inf).check(name, value, sizes)
    Array(shape).check(name, value, sizes)
    if not value.flags.c_contiguous:
        raise ValueError(f"{name} is not stored row by row")
    return None
