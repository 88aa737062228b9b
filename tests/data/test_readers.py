"""Readers against files written by other means, whole and broken."""

import gzip
import json
import zipfile

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse

from honeybayes.data import read_json_lines, read_npz

ROWS = [
    {"text": "Türk\u2028Telekom", "label": "ekonomi", "id": 7},
    {"label": "spor", "text": ""},
    {"text": 'say "hi"\n', "label": "ekonomi"},
]


def as_lines(rows, ascii_only=False):
    return "".join(json.dumps(row, ensure_ascii=ascii_only) + "\n" for row in rows).encode()


@pytest.mark.parametrize("ascii_only", [False, True])
@pytest.mark.parametrize("ending", [".jsonl", ".jsonl.gz"])
def test_json_lines_come_back(tmp_path, ending, ascii_only):
    path = tmp_path / f"news{ending}"
    content = as_lines(ROWS, ascii_only)
    path.write_bytes(gzip.compress(content) if ending.endswith(".gz") else content)
    corpus = read_json_lines(path)
    assert corpus.name == "news"
    assert corpus.documents == [row["text"] for row in ROWS]
    assert_array_equal(corpus.labels, ["ekonomi", "spor", "ekonomi"])
    assert corpus.labels.dtype.kind == "U"
    assert corpus.vocabulary is None


def test_json_lines_take_other_fields_whole_numbers_and_blank_lines(tmp_path):
    path = tmp_path / "mail.jsonl"
    path.write_bytes(
        b'\xef\xbb\xbf{"body": "one", "queue": 3}\r\n\r\n{"queue": "x", "body": "two"}'
    )
    corpus = read_json_lines(str(path), text="body", label="queue")
    assert corpus.documents == ["one", "two"]
    assert_array_equal(corpus.labels, ["3", "x"])


GOOD = as_lines([{"text": "t", "label": "l"}])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "broken.jsonl holds no documents"),
        (b"\n  \n", "broken.jsonl holds no documents"),
        (GOOD + b'{"text": "t"', "broken.jsonl, line 2: not JSON .* at column 13"),
        (b"text,label\na,b\n", "broken.jsonl, line 1: not JSON"),
        (GOOD + b"\n[1, 2]", "broken.jsonl, line 3: a document must be a JSON object.*got list"),
        (b'{"text": "t\xfc", "label": "l"}', "broken.jsonl, line 1: not UTF-8 .*Save the file as"),
        (b'{"text": "t"}', "line 1: the field 'label' is missing. The fields are: 'text'"),
        (b"{}", "line 1: the field 'text' is missing. The fields are: none"),
        (b'{"text": null, "label": "l"}', "line 1: the field 'text' must be a string, got null"),
        (b'{"text": "t", "label": true}', "line 1: the field 'label' must be a string, got true"),
        (
            GOOD + b'{"text": "t", "label": ["a", "b"]}',
            r"line 2: the field 'label' must be a string, got \[\"a\", \"b\"\]",
        ),
        (b'{"text": "t", "label": " "}', "line 1: the field 'label' is empty"),
    ],
)
def test_broken_json_lines_are_refused_with_the_place(tmp_path, content, message):
    path = tmp_path / "broken.jsonl"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=message):
        read_json_lines(path)


@pytest.mark.parametrize(
    "damage",
    [lambda packed: GOOD, lambda packed: packed[:-9], lambda packed: packed[:30] + b"\0" * 30],
    ids=["not gzip", "cut", "overwritten"],
)
def test_broken_gzip_is_refused(tmp_path, damage):
    path = tmp_path / "broken.jsonl.gz"
    path.write_bytes(damage(gzip.compress(GOOD * 1000)))
    with pytest.raises(ValueError, match=r"broken.jsonl.gz is not a whole gzip file"):
        read_json_lines(path)


def test_missing_files_are_missing(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_json_lines(tmp_path / "none.jsonl")
    with pytest.raises(FileNotFoundError):
        read_npz(tmp_path / "none.npz")


ARRAYS = {
    "data": np.array([2, 1, 4], dtype=np.int32),
    "indices": np.array([0, 3, 1], dtype=np.int32),
    "indptr": np.array([0, 2, 2, 3], dtype=np.int32),
    "shape": np.array([3, 4]),
    "labels": np.array(["a", "b", "a"]),
}
DENSE = [[2, 0, 0, 1], [0, 0, 0, 0], [0, 4, 0, 0]]


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_matrices_come_back(tmp_path, save):
    path = tmp_path / "oh0.npz"
    save(path, **ARRAYS, vocabulary=np.array(["uno", "dos", "tres", "四"]))
    corpus = read_npz(path)
    assert corpus.name == "oh0"
    assert isinstance(corpus.documents, sparse.csr_array)
    assert_array_equal(corpus.documents.toarray(), DENSE)
    assert_array_equal(corpus.labels, ["a", "b", "a"])
    assert_array_equal(corpus.vocabulary, ["uno", "dos", "tres", "四"])


def test_matrices_without_words_or_order_come_back_canonical(tmp_path):
    path = tmp_path / "plain.npz"
    changed = {"indices": [3, 0, 1, 1], "data": [1, 2, 1, 3], "indptr": [0, 2, 2, 4]}
    np.savez(path, **{**ARRAYS, **changed})
    corpus = read_npz(str(path))
    assert corpus.vocabulary is None
    assert corpus.documents.has_canonical_format
    assert_array_equal(corpus.documents.toarray(), DENSE)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"labels": None}, "broken.npz: the array 'labels' is missing. The arrays are: 'data'"),
        ({"indptr": None}, "broken.npz: the array 'indptr' is missing"),
        ({"labels": ["a", "b"]}, "broken.npz: 'labels' holds 2 for 3 documents"),
        ({"labels": [1, 2, 1]}, "'labels' must be one row of strings, got int64"),
        ({"labels": np.array(["a", "b", None], dtype=object)}, "broken.npz cannot be read"),
        ({"vocabulary": ["uno"]}, "'vocabulary' holds 1 for 4 terms"),
        ({"data": ["x", "y", "z"]}, "'data' must be one row of numbers, got <U1"),
        ({"data": [2, -1, 4]}, "'data' must hold counts, but some are negative"),
        ({"data": [2, np.nan, 4]}, "'data' must hold counts, but some are negative or not finite"),
        ({"data": [2, 1]}, "do not make a CSR matrix"),
        ({"indices": [0.0, 3.0, 1.0]}, "'indices' must be one row of integers, got float64"),
        ({"indices": [[0, 3, 1]]}, r"'indices' must be one row of integers.*shape \(1, 3\)"),
        ({"indices": [0, 4, 1]}, "do not make a CSR matrix"),
        ({"indices": [0, -1, 1]}, "do not make a CSR matrix"),
        ({"indices": np.array([0, 2**63, 1], dtype=np.uint64)}, "do not make a CSR matrix"),
        ({"indptr": [0, 2, 1, 3]}, "do not make a CSR matrix"),
        ({"indptr": [1, 2, 2, 3]}, "do not make a CSR matrix"),
        ({"indptr": [0, 2, 2, 9]}, "do not make a CSR matrix"),
        ({"indptr": [0, 3]}, "do not make a CSR matrix"),
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


def test_files_that_are_no_npz_are_refused(tmp_path):
    path = tmp_path / "broken.npz"
    path.write_bytes(GOOD)
    with pytest.raises(ValueError, match=r"broken.npz is not an npz file"):
        read_npz(path)
    with path.open("wb") as file:
        np.save(file, np.arange(3))
    with pytest.raises(ValueError, match=r"broken.npz is not an npz file"):
        read_npz(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("data", "no array")
    with pytest.raises(ValueError, match=r"broken.npz: the array 'indices' is missing"):
        read_npz(path)


def test_damaged_bytes_in_an_npz_are_refused(tmp_path):
    path = tmp_path / "broken.npz"
    np.savez(path, **ARRAYS)
    content = bytearray(path.read_bytes())
    content[content.index(b"NUMPY") + 130] ^= 1  # the first count: the checksum is now wrong
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"broken.npz cannot be read as an npz file.*CRC"):
        read_npz(path)
