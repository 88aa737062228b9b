"""Document-term matrices: conversion to binary values or counts, and sums per class."""

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

MOST_BYTES = 2**33  # of the tables whose size grows with the classes
NUMBER_KINDS = "buif"  # bool, unsigned, signed, float


def check_size(n_bytes: int, what: str, advice: str) -> None:
    """Raise ValueError before more memory is used than a model may need."""
    if n_bytes > MOST_BYTES:
        raise ValueError(
            f"{what} would need about {n_bytes / 2**30:,.0f} GiB, but at most "
            f"{MOST_BYTES / 2**30:.0f} GiB are used. {advice}"
        )


def check_format(X: Any, name: str = "X") -> None:
    """Raise ValueError for a masked array, and for a sparse matrix whose index arrays are wrong.

    Compiled loops trust the indices: one outside of the matrix reads or writes foreign memory.
    Reads the indices once. Anything that is not a matrix is left to other checks.
    """
    if isinstance(X, np.ma.MaskedArray):
        raise ValueError(
            f"{name} is a masked array. Fill it first, for example with {name}.filled(0)."
        )
    if not sparse.issparse(X) or X.ndim != 2:
        return
    if X.format in ("lil", "dok"):
        X = X.tocoo()
    if X.format == "dia":
        return
    if isinstance(X.data, np.ma.MaskedArray):
        raise ValueError(f"The data of {name} are masked. Fill them first, as X.data.filled(0).")
    wrong = _wrong_coordinates(X) if X.format == "coo" else _wrong_compression(X)
    if wrong:
        raise ValueError(
            f"{name} is not a valid sparse matrix: {wrong}. Correct its index arrays; "
            "X.check_format() of SciPy finds the same fault."
        )


def _wrong_coordinates(X: Any) -> str:
    """Say what is wrong with the index arrays of a COO matrix; empty if nothing is."""
    if not len(X.row) == len(X.col) == len(X.data):
        return f"it has {len(X.row)} rows, {len(X.col)} columns and {len(X.data)} values of entries"
    return _outside(X.row, X.shape[0], "row") or _outside(X.col, X.shape[1], "column")


def _wrong_compression(X: Any) -> str:
    """Say what is wrong with the index arrays of a CSR, CSC or BSR matrix."""
    blocks = X.blocksize if X.format == "bsr" else (1, 1)
    n_rows, n_columns = X.shape[0] // blocks[0], X.shape[1] // blocks[1]
    lines, across, what = (n_rows, n_columns, "column")
    if X.format == "csc":
        lines, across, what = (n_columns, n_rows, "row")
    indptr, indices = X.indptr, X.indices
    if indptr.shape != (lines + 1,) or indptr.dtype.kind not in "iu":
        return f"indptr must be {lines + 1} integers, but is {indptr.dtype} of shape {indptr.shape}"
    if indptr[0] != 0 or (indptr[1:] < indptr[:-1]).any():
        return "indptr must begin with 0 and never decrease"
    if not indptr[-1] == len(indices) == len(X.data):
        return (
            f"indptr ends with {indptr[-1]}, but there are {len(indices)} indices and "
            f"{len(X.data)} values"
        )
    return _outside(indices, across, what)


def _outside(indices: np.ndarray, n: int, what: str) -> str:
    """Say which index is not from 0 to n - 1; empty if there is none."""
    if indices.dtype.kind not in "iu":
        return f"the {what} indices are not integers but {indices.dtype}"
    # negative numbers are large as unsigned ones, so that one pass finds both
    largest = indices.view(f"u{indices.itemsize}").max(initial=0)
    if not len(indices) or largest < n:
        return ""
    index = indices.min() if indices.min() < 0 else indices.max()
    return f"it has {n} {what}s, but an entry has the {what} index {index}"


def presence_matrix(X: Any, *, name: str = "X") -> sparse.csr_array:
    """Turn counts of any format into presence: canonical CSR with an int64 one for each term.

    Duplicates are summed first. The result may share its index arrays with X: do not write to them.
    ``name`` is the name of the matrix in error messages.
    """
    X = _as_numbers(X, name)

    def is_present(counts: np.ndarray) -> np.ndarray:
        _check_counts(counts, name)
        return counts != 0

    return _present(X, is_present)


def _check_counts(counts: np.ndarray, name: str) -> None:
    """Raise ValueError if a count is negative or not finite."""
    if counts.dtype.kind == "f" and not np.isfinite(counts).all():
        raise ValueError(
            f"{name} contains NaN or infinity. Remove those documents or set the counts to 0."
        )
    if len(counts) and counts.min() < 0:
        raise ValueError(
            f"Negative values in {name}: counts of terms must be 0 or more, but the smallest "
            f"is {counts.min()}."
        )


def link_matrix(X: Any, *, name: str = "X") -> sparse.csr_array:
    """Turn counts of any format into CSR of float64 without duplicates and zeros.

    The terms of a document may be in any order. The result may share its index arrays with X.
    """
    links = sparse.csr_array(without_duplicates(_as_numbers(X, name)))
    _check_counts(links.data, name)
    data = links.data.astype(np.float64)  # links.astype would sort the terms
    return sparse.csr_array((data, links.indices, links.indptr), links.shape)


def above_threshold(X: Any, threshold: float) -> sparse.csr_array:
    """Turn finite numbers into presence, as `presence_matrix` does, wherever X > threshold."""
    if not sparse.issparse(X):
        return _present(threshold < X, np.asarray)
    if threshold < 0:
        raise ValueError(
            f"binarize={threshold} is below 0: with sparse X, every absent term would count as "
            "present. Use a threshold of 0 or more, or dense X."
        )
    return _present(X, lambda values: values > threshold)


def presence_above(X: Any, threshold: float | None) -> sparse.csr_array:
    """Binarize X with `above_threshold`, or with `presence_matrix` if the threshold is None."""
    return presence_matrix(X) if threshold is None else above_threshold(X, threshold)


def sum_by_class(
    X: sparse.csr_array, position: np.ndarray, n_classes: int, each_entry: np.ndarray | None = None
) -> np.ndarray:
    """Sum the entries of each term over the documents of each class (n_terms, n_classes).

    Only the pattern of X is used; ``each_entry`` is what to add per stored entry, by default 1,
    which counts documents in int64. ``position`` is -1 for a document without a label.
    """
    check_size(
        8 * X.shape[1] * n_classes,
        f"A table of {X.shape[1]:,} terms by {n_classes:,} classes",
        "Merge classes, or select fewer terms, for example with TermSelector.",
    )
    cells = X.indices * np.int64(n_classes + 1) + per_entry(X, position + 1)
    sums = np.bincount(cells, each_entry, minlength=X.shape[1] * (n_classes + 1))
    if each_entry is not None:
        sums = sums.astype(np.float64, copy=False)  # int64 if there is no entry
    return np.ascontiguousarray(sums.reshape(X.shape[1], n_classes + 1)[:, 1:])


def per_entry(X: sparse.csr_array, of_document: np.ndarray) -> np.ndarray:
    """Repeat the value of each document for each of its stored entries."""
    return np.repeat(of_document, np.diff(X.indptr))


def inverse_or_zero(sums: np.ndarray) -> np.ndarray:
    """Return the reciprocal of each number, and 0 for 0 and where it would be infinite."""
    # of their own type: NumPy 1.26 rounds the smallest float64 to 0 to compare it with float32
    smallest = np.finfo(np.result_type(sums, np.float32)).tiny
    return np.divide(1.0, sums, out=np.zeros(len(sums)), where=sums >= smallest)


def of_complement(by_class: np.ndarray) -> np.ndarray:
    """Turn sums per class (last axis) into sums over all other classes.

    The classes before and after each class are added. Subtracting the class from the total would
    lose digits, and fractional counts could become negative.
    """
    others = np.zeros_like(by_class)
    others[..., 1:] = np.cumsum(by_class[..., :-1], axis=-1)
    others[..., :-1] += np.cumsum(by_class[..., :0:-1], axis=-1)[..., ::-1]
    return others


def smoothed_log_prob(counts: np.ndarray, alpha: float) -> np.ndarray:
    """Take the log of P(term given class) from counts (terms, classes), Equations 6 and 7."""
    smoothed = counts + alpha
    return np.log(smoothed) - np.log(smoothed.sum(axis=0))


def blocks_of_rows(cells: np.ndarray, limit: int) -> list[tuple[int, int]]:
    """Cut rows into blocks of about ``limit`` cells, at least one row each, to limit memory.

    ``cells`` is the working memory per row. Returns the first row of each block, and the row after
    its last.
    """
    block_of = (np.cumsum(cells) - cells) // limit
    cuts = (np.flatnonzero(np.diff(block_of)) + 1).tolist()
    return list(zip([0, *cuts], [*cuts, len(cells)], strict=True))


def in_storable_type(X: Any) -> Any:
    """Convert half and extended floats, which sparse arrays do not support, to float64."""
    return X.astype(np.float64, copy=False) if X.dtype in (np.float16, np.longdouble) else X


def canonical_counts(X: Any) -> sparse.csr_array:
    """Return counts as CSR of float64: sorted indices, no duplicates, no explicit zeros."""
    counts = sparse.csr_array(X, dtype=np.float64)
    if not counts.has_canonical_format or not counts.data.all():
        counts = counts.copy()  # it may share its arrays with the caller
        counts.sum_duplicates()
        counts.eliminate_zeros()
    return counts


def group_repeats(
    counts: sparse.csr_array, vectors: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return the first document of each group of identical documents, and the group of each.

    ``counts`` is canonical. ``vectors`` are the dense features, if there are any.
    """
    first: list[int] = []
    known: dict[bytes, int] = {}
    group = np.empty(counts.shape[0], dtype=np.int64)
    bounds = counts.indptr.tolist()
    for row, (start, end) in enumerate(itertools.pairwise(bounds)):
        key = counts.indices[start:end].tobytes() + counts.data[start:end].tobytes()
        if vectors is not None:
            key += vectors[row].tobytes()
        group[row] = known.setdefault(key, len(first))
        if group[row] == len(first):
            first.append(row)
    return np.array(first, dtype=np.int64), group


def without_duplicates(X: Any) -> Any:
    """Return a sparse matrix as CSR of its own type, for estimators of other libraries.

    Duplicates are summed and zeros are left out; the order within a document is kept if there are
    none. The indices have 32 bits where that is enough. A dense matrix is returned as it is.
    """
    if not sparse.issparse(X):
        return X
    if X.format == "coo":
        X = X.astype(_wide_type(X.dtype))  # the conversion sums duplicates
    X = X.tocsr()
    if not (X.has_canonical_format or _transposed_pattern(X).has_canonical_format):
        X = X.astype(_wide_type(X.dtype), copy=True)
        X.sum_duplicates()
    if not X.data.all():
        X = X.copy()  # it may share its arrays with the caller
        X.eliminate_zeros()
    if X.indices.itemsize > 4 and max(X.nnz, *X.shape) <= np.iinfo(np.int32).max:
        arrays = (X.data, X.indices.astype(np.int32), X.indptr.astype(np.int32))
        X = type(X)(arrays, shape=X.shape)
    return X


def _transposed_pattern(X: Any) -> sparse.csc_array:
    """Transpose the pattern of CSR. This sorts and merges nothing: duplicates are not canonical."""
    return sparse.csr_array((np.ones(X.nnz, np.int8), X.indices, X.indptr), X.shape).tocsc()


def _wide_type(dtype: np.dtype) -> type:
    """Return the type to sum duplicates in: OR for bool, and uint8 overflows."""
    return np.float64 if dtype.kind == "f" or dtype == np.uint64 else np.int64


def _as_numbers(X: Any, name: str) -> Any:
    """Return a sparse or dense matrix of numbers; raise ValueError if X is not numeric."""
    if hasattr(X, "sparse") and hasattr(X, "dtypes") and hasattr(X.sparse, "to_coo"):
        X = X.sparse.to_coo()  # a pandas frame of sparse columns
    check_format(X, name)
    if not sparse.issparse(X):
        X = np.asarray(X)
    if X.ndim != 2:
        raise ValueError(
            f"{name} must be a two-dimensional matrix, documents by terms; "
            f"got {X.ndim} dimension(s) with shape {X.shape}."
        )
    advice = (
        "Turn text into counts first, for example with "
        "sklearn.feature_extraction.text.CountVectorizer."
    )
    if X.dtype.kind == "O":
        try:
            X = X.astype(np.float64)
        except (TypeError, ValueError) as error:
            raise ValueError(f"{name} must contain numbers ({error}). {advice}") from error
    if X.dtype.kind not in NUMBER_KINDS:
        raise ValueError(f"{name} must contain numbers, got {X.dtype!r}. {advice}")
    return in_storable_type(X)


def _present(X: Any, is_present: Callable[[np.ndarray], np.ndarray]) -> sparse.csr_array:
    """Return canonical int64 ones where ``is_present`` is true, after summing duplicates."""
    wide = _wide_type(X.dtype)
    if sparse.issparse(X) and X.format == "coo":
        X = X.astype(wide)  # the conversion sums duplicates
    X = sparse.csr_array(X)
    if not X.has_canonical_format:
        columns = _transposed_pattern(X)
        if not columns.has_canonical_format:
            X = X.astype(wide, copy=True)
            X.sum_duplicates()
        elif is_present(X.data).all():
            return columns.tocsr().astype(np.int64)
        else:
            X = X.sorted_indices()
    keep = is_present(X.data)
    indices, indptr = X.indices, X.indptr
    if not keep.all():
        kept_before = np.concatenate(([0], np.cumsum(keep)))
        indices, indptr = indices[keep], kept_before[indptr].astype(indptr.dtype)
    return sparse.csr_array((np.ones(len(indices), np.int64), indices, indptr), shape=X.shape)
