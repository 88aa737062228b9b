"""Check a loaded SVC.

libsvm gets the memory addresses of the arrays of a model, and uses the length of one array to read
another. So all lengths, types and indices must be correct before libsvm gets the arrays.
"""

from typing import Any

import numpy as np

from honeybayes.utils.state import Array, Integer, Number, Sizes, State, check_sparse_format

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
)


def check_libsvm(svc: Any) -> None:
    """Raise ValueError if the arrays of an SVC disagree in length, type or order."""
    if not isinstance(svc.kernel, str) or svc.kernel not in KERNELS:
        raise ValueError("kernel is a function, which a model file cannot hold")
    for name in ("C", "coef0", "tol", "cache_size", "nu", "epsilon"):
        Number().check(name, vars(svc).get(name), Sizes())
    if "support_" in vars(svc):
        _check_fitted(svc)


def _check_fitted(svc: Any) -> None:
    if type(svc._sparse) is not bool:
        raise ValueError(f"_sparse is {svc._sparse!r}")
    Number().check("_gamma", svc._gamma, Sizes())
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
    check_rows = _check_sparse_rows if svc._sparse else _check_dense_rows
    for name in ("dual_coef_", "_dual_coef_"):
        check_rows(name, getattr(svc, name), ("others", "vectors"), sizes)
        # libsvm reads a sparse matrix of coefficients as a full table
        if svc._sparse and getattr(svc, name).nnz != sizes["others"] * n_vectors:
            raise ValueError(f"{name} does not contain all coefficients")
    vectors = (0, 0) if is_kernel else ("vectors", "features")
    check_rows("support_vectors_", svc.support_vectors_, vectors, sizes)
    # before scikit-learn 1.9, the parameter itself
    probability = vars(svc).get("_effective_probability", svc.probability)
    if type(probability) is not bool:
        raise ValueError(f"probability is {probability!r}")
    n_pairs = len(svc.intercept_) if probability else 0
    for name in ("_probA", "_probB"):
        _check_dense_rows(name, getattr(svc, name), (n_pairs,), sizes)


def _check_dense_rows(name: str, value: Any, shape: Any, sizes: Sizes) -> None:
    Array(shape).check(name, value, sizes)
    if not value.flags.c_contiguous:
        raise ValueError(f"{name} is not stored row by row")


def _check_sparse_rows(name: str, value: Any, shape: Any, sizes: Sizes) -> None:
    if getattr(value, "format", None) != "csr":
        raise ValueError(f"{name} is {type(value).__name__}, expected a csr matrix")
    check_sparse_format(value)
    if value.shape != (expected := tuple(sizes.get(each, each) for each in shape)):
        raise ValueError(f"{name} has shape {value.shape}, expected {expected}")
    Array(("entries",)).check(name, value.data, Sizes())
    if not value.has_canonical_format:
        raise ValueError(f"{name} has unsorted or duplicate entries")
    if name == "support_vectors_" and not value.indices.dtype == value.indptr.dtype == np.int32:
        raise ValueError(f"{name} has indices of {value.indices.dtype}, expected int32")
