"""Every estimator takes odd but valid matrices as their plain form, and refuses invalid ones.

Invalid index arrays are tried in a process of their own, because compiled loops that trust them
may read and write foreign memory.
"""

import subprocess
import sys
import tracemalloc
import warnings
from functools import partial
from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from sklearn.base import clone
from sklearn.utils import get_tags

from honeybayes import (
    CountNB,
    FewLabelsClassifier,
    HigherOrderSVC,
    SemanticSVC,
    SmoothedBernoulliNB,
    TunedSVC,
)
from honeybayes.paths import count_paths
from tests.estimators import COUNTS, instances, small_data

ON_COUNTS = [each for each in instances() if get_tags(each).input_tags.two_d_array]
every_estimator = pytest.mark.parametrize("estimator", ON_COUNTS, ids=str)
PLAIN = COUNTS.astype(np.float64)


def split_entries(X):
    """Store each count as two halves, in reverse order of the columns."""
    rows = [slice(*ends) for ends in zip(X.indptr[:-1], X.indptr[1:], strict=True)]
    indices = np.concatenate([np.repeat(X.indices[row][::-1], 2) for row in rows])
    data = np.concatenate([np.repeat(X.data[row][::-1] / 2, 2) for row in rows])
    return sparse.csr_array((data, indices, X.indptr * 2), shape=X.shape)


def unsorted(X):
    rows = [slice(*ends) for ends in zip(X.indptr[:-1], X.indptr[1:], strict=True)]
    arrays = (np.concatenate([array[row][::-1] for row in rows]) for array in (X.data, X.indices))
    return sparse.csr_array((*arrays, X.indptr), shape=X.shape)


def split_columns(X):
    halves = split_entries(sparse.csr_array(X.T))
    return sparse.csc_array((halves.data, halves.indices, halves.indptr), shape=X.shape)


def split_coordinates(X):
    halves = split_entries(X)
    rows = np.repeat(np.arange(X.shape[0]), np.diff(halves.indptr))
    return sparse.coo_array((halves.data, (rows, halves.indices)), shape=X.shape)


def with_zeros(X):
    """Store every zero."""
    n_rows, n_columns = X.shape
    columns, ends = np.tile(np.arange(n_columns), n_rows), np.arange(n_rows + 1) * n_columns
    return sparse.csr_array((X.toarray().ravel(), columns, ends), shape=X.shape)


def wide_indices(X):
    arrays = (X.data, X.indices.astype(np.int64), X.indptr.astype(np.int64))
    return sparse.csr_array(arrays, shape=X.shape)


def read_only(X):
    X = X.copy()
    for array in (X.data, X.indices, X.indptr) if sparse.issparse(X) else (X,):
        array.flags.writeable = False
    return X


def with_false_flags(X):
    """Say of split and unsorted entries that they are neither."""
    X = split_entries(X)
    X.has_sorted_indices = X.has_canonical_format = True
    return X


ODD = {
    "false flags": with_false_flags(PLAIN),
    "split entries": split_entries(PLAIN),
    "split entries by column": split_columns(PLAIN),
    "split entries by coordinate": split_coordinates(PLAIN),
    "unsorted": unsorted(PLAIN),
    "stored zeros": with_zeros(PLAIN),
    "wide indices": wide_indices(PLAIN),
    "blocks": sparse.bsr_array(PLAIN, blocksize=(1, 5)),
    "a list of lists": sparse.lil_array(PLAIN),
    "read-only": read_only(PLAIN),
    "read-only unsorted": read_only(unsorted(PLAIN)),
    "read-only split entries": read_only(split_entries(PLAIN)),
    "read-only stored zeros": read_only(with_zeros(PLAIN)),
    "read-only columns": read_only(sparse.csc_array(PLAIN)),
    "read-only dense": read_only(PLAIN.toarray()),
}


def scores(model, X):
    for method in ("decision_function", "predict_joint_log_proba", "predict_proba", "transform"):
        if hasattr(model, method):
            found = getattr(model, method)(X)
            return found.toarray() if sparse.issparse(found) else np.asarray(found)
    raise AssertionError(f"{model} scores nothing")


@every_estimator
@pytest.mark.filterwarnings("ignore")
def test_odd_matrices_give_the_answers_of_the_plain_one(estimator):
    _, y = small_data(estimator)
    model = clone(estimator).fit(PLAIN, y)
    expected = scores(model, PLAIN)
    for name, odd in ODD.items():
        fitted = clone(estimator).fit(odd, y)
        for found in (scores(fitted, odd), scores(model, odd)):
            assert_allclose(found, expected, rtol=1e-9, atol=1e-9, err_msg=name)


@every_estimator
@pytest.mark.filterwarnings("ignore")
def test_counts_too_small_for_a_reciprocal_give_finite_scores(estimator):
    _, y = small_data(estimator)
    for smallest in (5e-324, 1e-310):
        tiny = PLAIN * smallest
        assert np.isfinite(scores(clone(estimator).fit(tiny, y), tiny)).all()


@every_estimator
@pytest.mark.filterwarnings("ignore")
def test_masked_arrays_are_refused(estimator):
    _, y = small_data(estimator)
    dense = PLAIN.toarray()
    masked = np.ma.masked_array(dense, mask=dense > 2)
    with pytest.raises(ValueError, match="X is a masked array"):
        clone(estimator).fit(masked, y)
    if get_tags(estimator).target_tags.required:
        with pytest.raises(ValueError, match="y is a masked array"):
            clone(estimator).fit(PLAIN, np.ma.masked_array(y, mask=False))
    model = clone(estimator).fit(PLAIN, y)
    with pytest.raises(ValueError, match="X is a masked array"):
        scores(model, masked)
    hidden = PLAIN.copy()
    hidden.data = np.ma.masked_array(hidden.data, mask=hidden.data > 2)
    with pytest.raises(ValueError, match="data of X are masked"):
        scores(model, hidden)


def invalid_matrices():
    """Return matrices with wrong index arrays, by fault."""
    made = {}

    def changed(name, X, **arrays):
        X = X.copy()
        for attribute, array in arrays.items():
            setattr(X, attribute, array)
        made[name] = X

    def with_last(array, value):
        array = array.copy()
        array[len(array) // 2] = value
        return array

    columns = sparse.csc_array(PLAIN)
    for X in (PLAIN, sparse.csr_matrix(COUNTS), columns):
        kind = f"{type(X).__name__} of {X.dtype}"
        for index in (5, 10**6, 2**31 - 1, -1, -(2**31)):
            changed(f"{kind}, index {index}", X, indices=with_last(X.indices, index))
        changed(f"{kind}, falling", X, indptr=with_last(X.indptr, X.nnz))
        changed(f"{kind}, beyond the end", X, indptr=with_last(X.indptr, 10**6))
        changed(f"{kind}, negative", X, indptr=with_last(X.indptr, -(10**6)))
        changed(f"{kind}, late", X, indptr=np.maximum(X.indptr, 1))
        changed(f"{kind}, last too large", X, indptr=np.append(X.indptr[:-1], 10**6))
        changed(f"{kind}, too few rows", X, indptr=X.indptr[:-1])
        changed(f"{kind}, short indices", X, indices=X.indices[:-1])
        changed(f"{kind}, short data", X, data=X.data[:-1])
        changed(f"{kind}, fractions", X, indices=X.indices + 0.5)
    coordinates = sparse.coo_array(PLAIN)
    for index in (5, -1, 10**6):
        changed(f"coo, row {index}", coordinates, row=with_last(coordinates.row, index))
        changed(f"coo, column {index}", coordinates, col=with_last(coordinates.col, index))
    return made


def refuses(call):
    try:
        call()
    except ValueError as error:
        return "is not a valid sparse matrix" in str(error)
    return False


def take_what_must_be_refused():
    """Print what is not refused; run in a process of its own. The last line says where it ended."""
    warnings.simplefilter("ignore")
    wrong = invalid_matrices()
    calls = {"count_paths": count_paths}
    for estimator in ON_COUNTS:
        _, y = small_data(estimator)
        calls[f"{estimator}.fit"] = partial(fit, estimator, y)
        calls[f"{estimator}, scores"] = partial(scores, clone(estimator).fit(PLAIN, y))
    for (what, call), (fault, X) in product(calls.items(), wrong.items()):
        print(f"{what}: {fault}", file=sys.stderr, flush=True)
        if not refuses(partial(call, X)):
            print(f"{what}: {fault}", flush=True)


def fit(estimator, y, X):
    clone(estimator).fit(X, y)


def test_wrong_index_arrays_are_refused():
    code = "from tests.test_odd_matrices import take_what_must_be_refused as take; take()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    last = done.stderr.strip().splitlines()[-1]
    assert (done.returncode, done.stdout) == (0, ""), last


@pytest.mark.parametrize(
    ("estimator", "n_classes", "size"),
    [
        (HigherOrderSVC(), 10_000, "49,995,000 planes.* GiB"),
        (TunedSVC(), 10_000, "49,995,000 planes.* GiB"),
        (TunedSVC(per_pair=True), 10_000, "49,995,000 planes.* GiB"),
        (SemanticSVC(), 10_000, "49,995,000 planes.* GiB"),
        (FewLabelsClassifier(), 11_000, "22,000 documents and 11,000 classes.* GiB"),
        (CountNB(), 10_000, "200,000 terms by 10,000 classes.* GiB"),
        (SmoothedBernoulliNB(), 10_000, "200,000 terms by 10,000 classes.* GiB"),
    ],
    ids=str,
)
def test_too_many_classes_are_refused_before_memory_is_used(estimator, n_classes, size):
    n_documents = 2 * n_classes
    terms, ends = np.zeros(n_documents, np.int32), np.arange(n_documents + 1)
    X = sparse.csr_array((np.ones(n_documents), terms, ends), shape=(n_documents, 200_000))
    tracemalloc.start()
    with pytest.raises(ValueError, match=size):
        estimator.fit(X, np.arange(n_documents) % n_classes)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2**26


def test_labels_that_end_with_a_null_character_are_refused_by_pairs_of_classes():
    y = np.array(["a", "a\0", "b", "b", "a"], dtype=object)
    for estimator in (HigherOrderSVC(), TunedSVC(), SemanticSVC()):
        with pytest.raises(ValueError, match="ends with the null character"):
            estimator.fit(PLAIN, y)
    assert CountNB().fit(PLAIN, y).classes_.tolist() == ["a", "a\0", "b"]
