"""The readers of npz and LINQS files: complete files are read, broken ones are refused."""

import zipfile

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse

from reproduction.readers import read_linqs, read_npz

COUNTS = np.random.default_rng(0).poisson(0.6, size=(12, 7))
CLASSES = np.array(["a", "b", "c"] * 4)
LINQS = "p1\t0\t1\tA\np2\t1\t0\tB\n"


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_matrices_come_back(tmp_path, save):
    path = tmp_path / "oh0.npz"
    counts = sparse.csr_array(COUNTS)
    words = np.array(["uno", "dos", "tres", "四", "5", "6", "7"])
    save(
        path,
        data=counts.data,
        indices=counts.indices,
        indptr=counts.indptr,
        shape=counts.shape,
        labels=CLASSES,
        vocabulary=words,
    )
    corpus = read_npz(path)
    assert corpus.name == "oh0"
    assert isinstance(corpus.documents, sparse.csr_array)
    assert_array_equal(corpus.documents.toarray(), COUNTS)
    assert_array_equal(corpus.labels, CLASSES)
    assert_array_equal(corpus.vocabulary, words)


@pytest.mark.parametrize("labels", [np.array([2, 10] * 6), np.array(["2", "10"] * 6)])
def test_matrices_written_by_scipy_come_back_once_labels_are_added(tmp_path, labels):
    path = tmp_path / "scipy.npz"
    sparse.save_npz(path, sparse.csr_array(COUNTS))
    with zipfile.ZipFile(path, "a") as archive, archive.open("labels.npy", "w") as file:
        np.save(file, labels)
    corpus = read_npz(path)
    assert_array_equal(corpus.documents.toarray(), COUNTS)
    assert corpus.labels.tolist() == ["2", "10"] * 6
    assert corpus.vocabulary is None


def test_matrices_without_order_come_back_canonical(tmp_path):
    path = tmp_path / "plain.npz"
    np.savez(
        path,
        indices=[3, 0, 1, 1],
        data=[1, 2, 1, 3],
        indptr=[0, 2, 2, 4],
        shape=[3, 4],
        labels=["a", "b", "a"],
    )
    corpus = read_npz(path)
    assert corpus.documents.has_canonical_format
    assert corpus.documents.toarray().tolist() == [[2, 0, 0, 1], [0, 0, 0, 0], [0, 4, 0, 0]]


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.float16, np.float32, np.uint64])
def test_duplicates_are_added_up_without_overflow(tmp_path, dtype):
    path = tmp_path / "narrow.npz"
    data = np.array([100, 120, 110], dtype=dtype)
    np.savez(path, data=data, indices=[1, 1, 1], indptr=[0, 3], shape=[1, 2], labels=["a"])
    assert read_npz(path).documents.toarray().tolist() == [[0, 330]]


def test_linqs_content_comes_back(tmp_path):
    path = tmp_path / "cora.content"
    present = (COUNTS > 0).astype(int)
    lines = ["\t".join([f"paper{i}", *map(str, row), CLASSES[i]]) for i, row in enumerate(present)]
    path.write_text("\n".join(lines) + "\n")
    corpus = read_linqs(path)
    assert_array_equal(corpus.documents.toarray(), present)
    assert_array_equal(corpus.labels, CLASSES)
    assert corpus.name == "cora"


@pytest.mark.parametrize(
    ("content", "number"),
    [
        (LINQS + "p3\t0\tA\n", 3),
        (LINQS + "p3\t0\t2\tA\n", 3),
        (LINQS + "p3\t0\t1\t\n", 3),
        ("one two\n", 1),
    ],
)
def test_a_broken_line_of_linqs_is_named(tmp_path, content, number):
    path = tmp_path / "broken.content"
    path.write_text(content)
    with pytest.raises(ValueError, match=f"broken.content, line {number}: expected a name, a 0 or"):
        read_linqs(path)


def test_an_empty_linqs_file_is_refused(tmp_path):
    path = tmp_path / "empty.content"
    path.write_text("\n")
    with pytest.raises(ValueError, match=r"empty.content holds no documents"):
        read_linqs(path)


@pytest.mark.parametrize(
    "content", [b'{"text": "t"}', b"\x93NUMPY\x01", b"PK\x03\x04" + bytes(60), b""]
)
def test_a_file_that_is_not_npz_is_refused(tmp_path, content):
    path = tmp_path / "broken.npz"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"broken.npz is not a complete npz file. Copy"):
        read_npz(path)


ARRAYS = {
    "data": np.array([2, 1, 4], dtype=np.int32),
    "indices": np.array([0, 3, 1], dtype=np.int32),
    "indptr": np.array([0, 2, 2, 3], dtype=np.int32),
    "shape": np.array([3, 4]),
    "labels": np.array(["a", "b", "a"]),
}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"labels": None}, "broken.npz: the array 'labels' is missing; found data"),
        ({"indptr": None}, "broken.npz: the array 'indptr' is missing"),
        ({"labels": ["a", "b"]}, "broken.npz: 'labels' has length 2, expected 3 documents"),
        ({"labels": [0.5, 2, 1]}, "'labels' must be one row of strings or integers, got float64"),
        ({"labels": ["a", "b", ""]}, "the label of document 3 is empty"),
        ({"labels": np.array(["a", "b", None], dtype=object)}, "broken.npz cannot be read"),
        ({"vocabulary": ["uno"]}, "'vocabulary' has length 1, expected 4 terms"),
        ({"data": ["x", "y", "z"]}, "'data' must be one row of numbers, got <U1"),
        ({"data": [2, -1, 4]}, "'data' must hold counts; some are negative"),
        ({"data": [2, np.nan, 4]}, "'data' must hold counts; some are negative or not finite"),
        ({"data": np.array([2, 2**63, 4], dtype=np.uint64)}, "broken.npz: 'data' must hold counts"),
        ({"data": [2, 1]}, "do not form a CSR matrix"),
        ({"format": b"csc"}, r"is not in CSR format. Save it after tocsr\(\)"),
        ({"indices": [0.0, 3.0, 1.0]}, "'indices' must be one row of integers, got float64"),
        ({"indices": [[0, 3, 1]]}, r"'indices' must be one row of integers.*shape \(1, 3\)"),
        ({"indices": [0, 4, 1]}, "do not form a CSR matrix"),
        ({"indices": [0, -1, 1]}, "do not form a CSR matrix"),
        ({"indices": np.array([0, 2**63, 1], dtype=np.uint64)}, "do not form a CSR matrix"),
        ({"indptr": [0, 2, 1, 3]}, "do not form a CSR matrix"),
        ({"indptr": [1, 2, 2, 3]}, "do not form a CSR matrix"),
        ({"indptr": [0, 2, 2, 9]}, "do not form a CSR matrix"),
        ({"indptr": [0, 3]}, "do not form a CSR matrix"),
        ({"shape": [3]}, r"'shape' must hold two sizes, got \[3\]"),
        ({"shape": [3, -4]}, r"'shape' must hold two sizes, got \[3, -4\]"),
        ({"shape": 3}, r"'shape' must be one row of integers"),
    ],
)
def test_broken_matrices_are_refused_with_the_array(tmp_path, changed, message):
    path = tmp_path / "broken.npz"
    arrays = {**ARRAYS, **changed}
    np.savez(path, **{name: array for name, array in arrays.items() if array is not None})
    with pytest.raises(ValueError, match=message):
        read_npz(path)


def test_damaged_bytes_in_an_npz_are_refused(tmp_path):
    path = tmp_path / "broken.npz"
    np.savez(path, **ARRAYS)
    content = bytearray(path.read_bytes())
    content[content.index(b"NUMPY") + 130] ^= 1  # the first count: the checksum is now wrong
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"broken.npz cannot be read as an npz file.*CRC"):
        read_npz(path)
