"""Whether a loaded SVC holds together.

libsvm takes the arrays of a model as bare addresses. How far it reads in one follows from the
length of another, so that every length, type and index has to be right before it sees them.
"""

from functools import cache
from typing import Any

import numpy as np
from scipy import sparse

from honeybayes.files._fitted import Numbers, Sizes, check_sparse

LARGEST_INT = 2**31 - 1
KERNELS = ("linear", "poly", "rbf", "sigmoid", "precomputed")


def check_libsvm(svc: Any) -> None:
    """Refuse an SVC whose arrays do not tell the same story, in number, type and order."""
    if not isinstance(svc.kernel, str) or svc.kernel not in KERNELS:
        raise ValueError("kernel is a function, which a model file cannot vouch for")
    if svc.break_ties and svc.decision_function_shape == "ovo":
        raise ValueError("break_ties is set, which decision_function_shape='ovo' does not know")
    for name in ("C", "coef0", "tol", "cache_size", "nu", "epsilon"):
        _check_number(name, vars(svc).get(name))
    if svc.degree > LARGEST_INT:
        raise ValueError(f"degree is {svc.degree}")
    if "support_" in vars(svc):
        _check_fitted(svc)


def _check_number(name: str, value: Any) -> None:
    if not isinstance(value, int | float) or not np.isfinite(float(value)):
        raise ValueError(f"{name} is {value!r} instead of a finite number")


@cache
def _names_that_fit_leaves() -> frozenset[str]:
    """Tell what libsvm is given by the scikit-learn at hand; it differs between releases."""
    from sklearn.svm import SVC  # not before a file has one

    return frozenset(vars(SVC(kernel="linear").fit([[0.0], [1.0]], [0, 1])))


def _check_fitted(svc: Any) -> None:
    missing = _names_that_fit_leaves() - vars(svc).keys()
    if missing:
        raise ValueError(f"lacks {', '.join(sorted(missing))}, which this scikit-learn reads")
    if type(svc._sparse) is not bool:
        raise ValueError(f"_sparse is {svc._sparse!r}")
    _check_number("_gamma", svc._gamma)
    n_vectors, n_features = len(svc.support_), svc.n_features_in_
    if svc._n_support.sum(dtype=np.int64) != n_vectors:
        raise ValueError(f"_n_support counts other vectors than the {n_vectors} of support_")
    _check_shape_of_training(svc)
    is_kernel = svc.kernel == "precomputed"
    if is_kernel and (svc._sparse or svc.support_.max(initial=0) >= n_features):
        raise ValueError("support_ points outside the precomputed kernel")
    sizes = Sizes(vectors=n_vectors, features=n_features, others=len(svc.classes_) - 1)
    check_rows = _check_sparse_rows if svc._sparse else _check_dense_rows
    for name in ("dual_coef_", "_dual_coef_"):
        check_rows(name, getattr(svc, name), ("others", "vectors"), sizes)
    vectors = (0, 0) if is_kernel else ("vectors", "features")
    check_rows("support_vectors_", svc.support_vectors_, vectors, sizes)
    if svc._sparse:  # libsvm reads these as a full table, by rows
        for coefficients in (svc.dual_coef_, svc._dual_coef_):
            if coefficients.nnz != sizes["others"] * n_vectors:
                raise ValueError("dual_coef_ leaves coefficients out")
    _check_probability(svc)


def _check_shape_of_training(svc: Any) -> None:
    shape = svc.shape_fit_
    whole = type(shape) is tuple and len(shape) == 2 and all(type(size) is int for size in shape)
    if not whole or shape[1] != svc.n_features_in_:
        raise ValueError(f"shape_fit_ is {shape!r}")
    if svc.kernel == "precomputed" and shape[0] != shape[1]:
        raise ValueError(f"shape_fit_ is {shape!r}, but a precomputed kernel is square")


def _check_dense_rows(name: str, value: Any, shape: Any, sizes: Sizes) -> None:
    try:
        Numbers(shape).check(value, sizes)
    except ValueError as error:
        raise ValueError(f"{name} {error}") from error
    if not value.flags.c_contiguous:
        raise ValueError(f"{name} does not lie in rows")


def _check_sparse_rows(name: str, value: Any, shape: Any, sizes: Sizes) -> None:
    if type(value) not in (sparse.csr_array, sparse.csr_matrix):
        raise ValueError(f"{name} is {type(value).__name__} instead of a CSR matrix")
    try:
        check_sparse(value)
        sizes.match(value.shape, shape)
        Numbers((value.nnz,)).check(value.data, Sizes())
    except ValueError as error:
        raise ValueError(f"{name} {error}") from error
    if not value.has_canonical_format:
        raise ValueError(f"{name} has entries out of order, or twice")
    if name == "support_vectors_" and not value.indices.dtype == value.indptr.dtype == np.int32:
        raise ValueError(f"{name} has indices of {value.indices.dtype} instead of int32")


def _check_probability(svc: Any) -> None:
    # before scikit-learn 1.9, the parameter itself
    wanted = vars(svc).get("_effective_probability", svc.probability)
    if type(wanted) is not bool:
        raise ValueError(f"probability is {wanted!r}")
    n_pairs = len(svc.classes_) * (len(svc.classes_) - 1) // 2
    for name in ("_probA", "_probB"):
        _check_dense_rows(name, getattr(svc, name), (n_pairs if wanted else 0,), Sizes())
