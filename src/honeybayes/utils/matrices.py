"""Document-term matrices: presence or counts, sums per class, limits of memory and threads."""

import itertools
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from math import inf
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from scipy import sparse
from threadpoolctl import threadpool_limits

# COO too: scikit-learn would sum its duplicates in their own type, which may overflow.
SPARSE_FORMATS = ("csr", "csc", "coo")
MOST_BYTES = 2**33  # of the tables whose size grows with the classes
ENTRY_BYTES = 64  # of a kept count: the copy of `fit`, and by rows and by columns in a prediction
PAIR_BYTES = 48  # of a pair of documents: six tables of float64 at one time, as measured
CONTAINER = Path("/sys/fs/cgroup/memory.max")  # of control groups, on Linux
SAMPLE = (
    "Fit it to a sample of the documents, or use a model that keeps only sums, such as CountNB."
)
LOCK, LIMITS = Lock(), list[Any]()  # of threads, the same limit for each fit at work


def check_size(n_bytes: int, what: str, advice: str, most: float | None = None) -> None:
    """Raise ValueError before more memory is used than a model may need, by default 8 GiB."""
    most = MOST_BYTES if most is None else most
    if n_bytes > most:
        raise ValueError(
            f"{what} would need about {n_bytes / 2**30:,.1f} GiB, but at most "
            f"{most / 2**30:,.1f} GiB can be used. {advice}"
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
    if not sparse.issparse(X) or X.ndim != 2 or X.format == "dia":
        return
    if X.format in ("lil", "dok"):
        X = X.tocoo()
    if isinstance(X.data, np.ma.MaskedArray):
        raise ValueError(f"The data of {name} are masked. Fill them first, as X.data.filled(0).")
    fault = _find_fault(X)
    if fault:
        raise ValueError(
            f"{name} is not a valid sparse matrix: {fault}. Correct its index arrays; "
            "X.check_format() of SciPy finds the same fault."
        )


def _find_fault(X: Any) -> str:
    """Say what is wrong with the index arrays of a COO, CSR, CSC or BSR matrix, or nothing."""
    if X.format == "coo":
        indices = [(X.row, X.shape[0]), (X.col, X.shape[1])]
    else:
        blocks = X.blocksize if X.format == "bsr" else (1, 1)
        lines, across = X.shape[0] // blocks[0], X.shape[1] // blocks[1]
        if X.format == "csc":
            lines, across = across, lines
        ends = X.indptr
        if ends.shape != (lines + 1,) or ends.dtype.kind not in "iu":
            return f"indptr must be {lines + 1} integers, but is {ends.dtype} of shape {ends.shape}"
        if ends[0] != 0 or ends[-1] != len(X.indices) or (ends[1:] < ends[:-1]).any():
            return f"indptr must not decrease from 0 to the number of indices, {len(X.indices)}"
        indices = [(X.indices, across)]
    for array, n in indices:
        if array.dtype.kind not in "iu" or len(array) != len(X.data):
            return f"{len(array)} indices of {array.dtype} are not one integer per value"
        # negative numbers are large as unsigned ones, so that one pass finds both
        if len(array) and array.view(f"u{array.itemsize}").max() >= n:
            return f"indices must be from 0 to {n - 1}, but are {array.min()} to {array.max()}"
    return ""


def presence_matrix(X: Any, *, name: str = "X") -> sparse.csr_array:
    """Turn counts of any format into presence: canonical CSR with an int64 one for each term.

    The result may share its index arrays with X: do not write to them. ``name`` is the name of the
    matrix in error messages.
    """
    return presence_above(_checked_counts(X, name), 0)


def presence_above(X: Any, threshold: float | None) -> sparse.csr_array:
    """Turn finite numbers into presence wherever X > threshold; None is for `presence_matrix`."""
    if threshold is None:
        return presence_matrix(X)
    if sparse.issparse(X):
        if threshold < 0:
            raise ValueError(
                f"binarize={threshold} is below 0: with sparse X, every absent term would count as "
                "present. Use a threshold of 0 or more, or dense X."
            )
        X = without_duplicates(X)
        is_present = X.data > threshold
        if not is_present.all():
            X = canonical_counts(sparse.csr_array((is_present, X.indices, X.indptr), shape=X.shape))
    else:
        X = sparse.csr_array(threshold < X)
    return sparse.csr_array((np.ones(X.nnz, np.int64), X.indices, X.indptr), shape=X.shape)


def link_matrix(X: Any) -> sparse.csr_array:
    """Turn counts of any format into `canonical_counts`; raise ValueError if they are none."""
    return canonical_counts(_checked_counts(X, "X"))


def _checked_counts(X: Any, name: str) -> Any:
    """Return CSR `without_duplicates`; raise ValueError if X does not contain finite counts."""
    if hasattr(X, "sparse") and hasattr(X, "dtypes") and hasattr(X.sparse, "to_coo"):
        X = X.sparse.to_coo()  # a pandas frame of sparse columns
    check_format(X, name)
    X = X if sparse.issparse(X) else np.asarray(X)
    if X.ndim != 2:
        raise ValueError(
            f"{name} must be a two-dimensional matrix, documents by terms; "
            f"got {X.ndim} dimension(s) with shape {X.shape}."
        )
    found = repr(X.dtype)
    if X.dtype.kind == "O":
        try:
            X = X.astype(np.float64)
        except (TypeError, ValueError) as error:
            found = str(error)
    if X.dtype.kind not in "buif":
        raise ValueError(
            f"{name} must contain numbers, got {found}. Turn text into counts first, for example "
            "with sklearn.feature_extraction.text.CountVectorizer."
        )
    X = in_storable_type(X)
    checked = without_duplicates(X if sparse.issparse(X) else sparse.csr_array(X))
    if checked.nnz and not 0 <= checked.data.min() <= checked.data.max() < np.inf:
        if not np.isfinite(checked.data).all():
            raise ValueError(
                f"{name} contains NaN or infinity. Remove those documents or set the counts to 0."
            )
        least = checked.data.min()
        raise ValueError(
            f"Negative values in {name}: counts of terms must be 0 or more; got {least}."
        )
    return checked


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
    counts = X.astype(np.float64, copy=False)  # before the conversion, which sums duplicates
    return without_duplicates(sparse.csr_array(counts))


def group_repeats(
    counts: sparse.csr_array, vectors: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return the first document of each group of identical documents, and the group of each.

    ``counts`` is canonical. ``vectors`` are the dense features, if there are any.
    """
    known: dict[bytes, int] = {}
    rows = itertools.pairwise(counts.indptr.tolist())
    keys = (
        counts.indices[start:end].tobytes() + counts.data[start:end].tobytes()
        for start, end in rows
    )
    if vectors is not None:
        keys = (key + vector.tobytes() for key, vector in zip(keys, vectors, strict=True))
    group = np.array([known.setdefault(key, len(known)) for key in keys], dtype=np.int64)
    return np.unique(group, return_index=True)[1], group


def without_duplicates(X: Any) -> Any:
    """Return a sparse matrix as sorted CSR of floats or int64, for estimators of other libraries.

    Duplicates are summed and zeros are left out. The indices have 32 bits where that is enough. A
    dense matrix is returned as it is.
    """
    if not sparse.issparse(X):
        return X
    if X.dtype.kind != "f":  # as bool or uint8, sums would overflow
        X = X.astype(np.float64 if X.dtype == np.uint64 else np.int64, copy=False)
    X = X.tocsr()
    X = type(X)((X.data, X.indices, X.indptr), shape=X.shape)  # its flags may be wrong
    if not X.has_canonical_format or not X.data.all():
        X = X.copy()  # it may share its arrays with the caller
        X.sum_duplicates()
        X.eliminate_zeros()
    if X.indices.itemsize > 4 and max(X.nnz, *X.shape) <= np.iinfo(np.int32).max:
        arrays = (X.data, X.indices.astype(np.int32), X.indptr.astype(np.int32))
        X = type(X)(arrays, shape=X.shape)
    return X


@cache
def available_bytes() -> float:
    """Return the memory of the machine or of its container; infinity if the system does not say."""
    try:
        machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):  # Windows
        return inf
    try:
        return min(machine, int(CONTAINER.read_text()))
    except (OSError, ValueError):  # no container, or "max"
        return machine


def check_kept_documents(model: Any, n_entries: int) -> None:
    """Raise ValueError if a model keeps training documents that do not fit in memory."""
    what = f"{type(model).__name__} keeps its training documents: {n_entries:,} counts"
    check_size(ENTRY_BYTES * n_entries, what, SAMPLE, available_bytes())


def check_pairs_of_documents(model: Any, n_documents: int) -> None:
    """Raise ValueError if a table of documents by documents does not fit in memory."""
    name = type(model).__name__
    what = f"{name} compares all pairs of training documents: {n_documents:,} documents"
    check_size(PAIR_BYTES * n_documents**2, what, SAMPLE, available_bytes())


@contextmanager
def one_thread() -> Iterator[None]:
    """Limit BLAS to one thread, as a context or a decorator.

    Matrices of documents gain little from more threads. These wait for each other, and are many
    times slower if another program uses a core. The limit holds for the whole process, so it ends
    when the last of several fits at the same time has ended.
    """
    with LOCK:
        LIMITS.append(LIMITS[0] if LIMITS else threadpool_limits(1, user_api="blas"))
    try:
        yield
    finally:
        with LOCK:
            limit = LIMITS.pop()
            if not LIMITS:
                limit.restore_original_limits()


def append_dense(x: sparse.csr_array, dense: np.ndarray) -> sparse.csr_array:
    """Return a sparse matrix with dense columns at the end, all of which are stored."""
    (n_rows, width), n_columns = dense.shape, x.shape[1]
    largest = max(x.nnz + dense.size, n_columns + width)
    index = np.int32 if largest <= np.iinfo(np.int32).max else np.int64
    ends = (x.indptr + width * np.arange(n_rows + 1, dtype=np.int64)).astype(index)
    is_dense = np.ones(ends[-1], dtype=bool)
    is_dense[np.arange(x.nnz) + width * np.repeat(np.arange(n_rows), np.diff(x.indptr))] = False
    data = np.empty(ends[-1], dtype=np.result_type(x.dtype, dense.dtype))
    indices = np.empty(ends[-1], dtype=index)
    data[is_dense], data[~is_dense] = dense.ravel(), x.data
    indices[is_dense] = np.tile(np.arange(n_columns, n_columns + width, dtype=index), n_rows)
    indices[~is_dense] = x.indices
    return sparse.csr_array((data, indices, ends), shape=(n_rows, n_columns + width))


def split_dense(X: Any, n_columns: int) -> tuple[Any, np.ndarray]:
    """Return the first columns, and the others as an array; undo `append_dense` in little time."""
    if not sparse.issparse(X):
        return X[:, :n_columns], np.asarray(X[:, n_columns:])
    X, (n_rows, width) = X.tocsr(), (X.shape[0], X.shape[1] - n_columns)
    is_dense = X.indices >= n_columns
    others = np.flatnonzero(~is_dense)
    sizes = np.bincount(np.searchsorted(X.indptr, others, "right") - 1, minlength=n_rows)
    if (sizes + width == np.diff(X.indptr)).all():
        columns = X.indices[is_dense].reshape(n_rows, width)
        if (columns == np.arange(n_columns, X.shape[1])).all():  # each once, and in order
            ends = np.append(0, np.cumsum(sizes)).astype(X.indptr.dtype)
            first = X.data[others], X.indices[others], ends
            dense = X.data[is_dense].reshape(n_rows, width)
            return sparse.csr_array(first, shape=(n_rows, n_columns)), dense
    return X[:, :n_columns], X[:, n_columns:].toarray()
