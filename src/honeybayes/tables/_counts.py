"""Files that may hold counts of terms: ARFF of WEKA, sparse or dense, and svmlight.

ARFF is read with liac-arff: SciPy's reader supports neither sparse rows nor strings, and
scikit-learn's reader is private.
"""

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from io import BytesIO
from itertools import chain
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from honeybayes.tables._corpus import Corpus, check_labels, corpus_of
from honeybayes.tables._files import LONGEST_ROW, check_format, file_title, open_seekable, open_text
from honeybayes.tables._frames import (
    Columns,
    Table,
    check_columns,
    exact_integer,
    make_frame,
    make_frames,
)
from honeybayes.utils.optional import import_optional

MAX_COLUMNS = 2**26  # of counts, as in model files
NUMERIC = ("NUMERIC", "REAL", "INTEGER")
QUOTED = re.compile(r"(['\"])(?:\\.|(?!\1).)*\1")
SPARSE_KEY = re.compile(r"[{,]\s*(\d+)\s")
Values = dict[int, Any]  # from the position of an attribute to its value, if not omitted
Attributes = list[tuple[str, Any]]  # the name, and the type or the list of nominal values


def read_arff(path: Path, text: str | None = None, label: str | None = None) -> Corpus:
    """Read texts, or counts if no attribute is a string; see `read_corpus`.

    A sparse row omits zeros, and the zero of a nominal attribute is its first value. So the label
    is usually omitted for documents of the first class.
    """
    attributes, rows = _decode(path)
    names = [name for name, _ in attributes]
    if label is None:
        nominal = [name for name, kind in attributes if isinstance(kind, list)]
        label = nominal[0] if len(nominal) == 1 else names[-1]
    check_columns(str(path), names, {"label": label})
    strings = [name for name, kind in attributes if kind == "STRING" and name != label]
    if text is None and len(strings) > 1:
        raise ValueError(
            f"{path}: several attributes are strings: {', '.join(map(repr, strings))}. "
            f"Set `text` to the name of the attribute with the text."
        )
    label_at = names.index(label)
    kind = attributes[label_at][1]
    omitted = kind[0] if isinstance(kind, list) else 0 if kind in NUMERIC else None

    def label_of(row: Values) -> Any:
        value = row.get(label_at, omitted)
        return value if value is None or kind not in NUMERIC else exact_integer(value)

    if text is None and not strings:
        return _counts(path, attributes, rows, label_at, label_of)
    text = text or strings[0]
    check_columns(str(path), names, {"text": text})
    text_at = names.index(text)
    pairs = [[row.get(text_at), label_of(row)] for row in rows]
    return corpus_of(make_frame(pairs, [text, label]), path, text, label, keep_unlabeled=None)


def open_arff(path: Path, format: str, required: Mapping[str, Columns]) -> Table:
    """Open ARFF as a table with all values of each row."""
    attributes, rows = _decode(path)
    names = [name for name, _ in attributes]
    check_columns(str(path), names, required)
    omitted = [kind[0] if isinstance(kind, list) else 0 for _, kind in attributes]
    whole = ([row.get(at, each) for at, each in enumerate(omitted)] for row in rows)
    cells = ([exact_integer(v) if isinstance(v, float) else v for v in row] for row in whole)
    return Table(path, format, names, make_frames(enumerate(cells, start=1), names))


def _decode(path: Path) -> tuple[Attributes, Iterable[Values]]:
    """Return the attributes, and the rows without omitted values, to be read once."""
    arff = import_optional("arff", "arff")
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST_ROW))  # which liac-arff uses
    file = open_text(path, "ARFF", "utf-8")
    check_format(path, file.head, "ARFF")
    lines = file.lines
    head = list(_up_to_first_row(lines))
    is_sparse = bool(head) and head[-1].lstrip().startswith("{")
    whole = chain(head, lines)
    try:
        content = arff.ArffDecoder().decode(
            _check_distinct(whole, path) if is_sparse else whole,
            return_type=arff.LOD if is_sparse else arff.DENSE,
        )
    except arff.ArffException as error:
        raise ValueError(
            f"{path}, line {error.line}: not valid ARFF ({error}) An ARFF file has a line "
            f"@relation, one line @attribute per attribute, a line @data, and then the data."
        ) from error
    except IndexError as error:  # of the library
        raise ValueError(
            f"{path} has a nominal attribute without values. Write its values in braces: {{a, b}}."
        ) from error
    rows = content["data"]
    return content["attributes"], rows if is_sparse else (dict(enumerate(row)) for row in rows)


def _up_to_first_row(lines: Iterator[str]) -> Iterator[str]:
    in_data = False
    for line in lines:
        yield line
        row = line.strip()
        if in_data and row and not row.startswith("%"):
            return
        in_data = in_data or row.lower().startswith("@data")


def _check_distinct(lines: Iterable[str], path: Path) -> Iterator[str]:
    """Raise ValueError if a sparse row repeats an attribute; liac-arff keeps the last value."""
    row = 0
    for line in lines:
        if line.lstrip().startswith("{"):
            row += 1
            positions = [int(key) for key in SPARSE_KEY.findall(QUOTED.sub("", line))]
            if len(set(positions)) < len(positions):
                twice = next(key for key in positions if positions.count(key) > 1)
                raise ValueError(f"{path}, row {row}: attribute {twice} occurs twice.")
        yield line


def _counts(
    path: Path,
    attributes: Attributes,
    rows: Iterable[Values],
    label_at: int,
    label_of: Callable[[Values], Any],
) -> Corpus:
    for position, (name, kind) in enumerate(attributes):
        if position != label_at and kind not in NUMERIC:
            raise ValueError(
                f"{path}: the attribute {name!r} is not numeric, so it cannot be the count of a "
                f"term. If it is the label, use label={name!r}."
            )
    labels, data, indices, indptr = [], [], [], [0]
    for number, values in enumerate(rows, start=1):
        labels.append([label_of(values)])
        for position, value in values.items():
            if position == label_at or value == 0:
                continue
            if value is None:
                name = attributes[position][0]
                raise ValueError(f"{path}, row {number}, column {name!r}: the count is missing.")
            data.append(value)
            indices.append(position)
        indptr.append(len(data))
    shape = len(labels), len(attributes)
    counts = sparse.csr_array((np.array(data, dtype=float), indices, indptr), shape=shape)
    kept = np.delete(np.arange(len(attributes)), label_at)
    vocabulary = np.array([attributes[position][0] for position in kept])
    label = attributes[label_at][0]
    return _corpus(path, counts[:, kept], make_frame(labels, [label])[label], vocabulary)


def read_svmlight(path: Path) -> Corpus:
    """Read lines such as ``2 1:3 7:1``: the class, then the numbers of terms with their counts."""
    with open_seekable(path) as file:
        check_format(path, file.read(64), "svmlight")
        file.seek(0)
        try:
            counts, targets = _load(file)
        except (ValueError, OverflowError) as error:
            file.seek(0)
            raise ValueError(
                f"{path}{_wrong_line(file)}: {str(error).rstrip('.')}. A line must look like "
                "2 1:3 7:1, one class and then term:count pairs."
            ) from error
    if counts.shape[1] > MAX_COLUMNS:
        raise ValueError(f"{path}: terms must be numbered up to {MAX_COLUMNS}.")
    labels = [
        str(target) if isfinite(target) and not target.is_integer() else exact_integer(target)
        for target in targets.tolist()
    ]
    cells = make_frame([[each] for each in labels], ["label"], unit="document")["label"]
    return _corpus(path, sparse.csr_array(counts), cells)


def _corpus(
    path: Path, counts: sparse.csr_array, labels: Any, vocabulary: np.ndarray | None = None
) -> Corpus:
    """Return counts that are checked, in a canonical matrix, and their labels."""
    checked = check_labels(labels, path)
    if not (np.isfinite(counts.data).all() and (counts.data >= 0).all()):
        raise ValueError(f"{path} must contain counts, but some are negative or not finite.")
    counts.sum_duplicates()
    return Corpus(file_title(path), counts, checked, vocabulary)


def _load(file: Any) -> tuple[Any, NDArray[np.float64]]:
    from sklearn.datasets import load_svmlight_file  # slow to import

    counts, targets = load_svmlight_file(file)
    return counts, targets


def _wrong_line(file: Any) -> str:
    """Return the number of the first wrong line, which scikit-learn does not report."""
    lines, first = file.readlines(), 0
    last = len(lines)
    while last - first > 1:
        half = (first + last) // 2
        try:
            _load(BytesIO(b"".join(lines[first:half])))
            first = half
        except (ValueError, OverflowError):
            last = half
    return f", line {last}"
