"""ARFF files of WEKA, sparse or dense, read with liac-arff.

SciPy's reader supports neither sparse rows nor strings; scikit-learn's reader is private.
"""

import csv
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from honeybayes.tables._columns import check_columns
from honeybayes.tables._corpus import Corpus
from honeybayes.tables._excel import exact_integer
from honeybayes.tables._files import LONGEST_ROW, check_format, file_title, open_text
from honeybayes.tables._frames import make_frame
from honeybayes.tables._labeled import corpus_of
from honeybayes.tables._labels import check_labels
from honeybayes.tables._svmlight import check_counts
from honeybayes.utils.optional import import_optional

if TYPE_CHECKING:
    from pandas import DataFrame

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
    if text is None and strings:
        text = strings[0]
    label_at = names.index(label)
    if text is None:
        return _counts(path, attributes, rows, label_at)
    check_columns(str(path), names, {"text": text})
    text_at = names.index(text)
    pairs = [[row.get(text_at), _label_of(row, attributes, label_at)] for row in rows]
    return corpus_of(make_frame(pairs, [text, label]), path, text, label, keep_unlabeled=None)


def read_arff_table(path: Path) -> "DataFrame":
    """Return all values of each row."""
    attributes, rows = _decode(path)
    omitted = [kind[0] if isinstance(kind, list) else 0 for _, kind in attributes]
    cells = [[row.get(at, each) for at, each in enumerate(omitted)] for row in rows]
    return make_frame(cells, [name for name, _ in attributes])


def _decode(path: Path) -> tuple[Attributes, Iterable[Values]]:
    """Return the attributes, and the rows without omitted values."""
    arff = import_optional("arff", "arff")
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST_ROW))  # which liac-arff uses
    file = open_text(path, "ARFF", "utf-8")
    check_format(path, file.head, "ARFF")
    lines = file.lines
    head = list(_up_to_first_row(lines))
    is_sparse = head[-1].lstrip().startswith("{")
    try:
        content = arff.ArffDecoder().decode(
            _check_distinct(chain(head, lines), path) if is_sparse else chain(head, lines),
            return_type=arff.LOD if is_sparse else arff.DENSE,
        )
    except arff.ArffException as error:
        raise ValueError(
            f"{path}, line {error.line}: not valid ARFF ({error}) An ARFF file has a line "
            f"@relation, one line @attribute per attribute, a line @data, and then the data."
        ) from error
    rows = content["data"] if is_sparse else (dict(enumerate(row)) for row in content["data"])
    return content["attributes"], rows


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


def _label_of(values: Values, attributes: Attributes, label_at: int) -> Any:
    kind = attributes[label_at][1]
    if kind in NUMERIC:
        value = values.get(label_at, 0)
        return None if value is None else exact_integer(value)
    return values.get(label_at, kind[0] if isinstance(kind, list) else None)


def _counts(path: Path, attributes: Attributes, rows: Iterable[Values], label_at: int) -> Corpus:
    for position, (name, kind) in enumerate(attributes):
        if position != label_at and kind not in NUMERIC:
            raise ValueError(
                f"{path}: the attribute {name!r} is not numeric, so it cannot be the count of a "
                f"term. If it is the label, use label={name!r}."
            )
    labels: list[Any] = []
    data: list[float] = []
    indices: list[int] = []
    indptr = [0]
    for number, values in enumerate(rows, start=1):
        labels.append(_label_of(values, attributes, label_at))
        for position, value in values.items():
            if position == label_at or value == 0:
                continue
            if value is None:
                name = attributes[position][0]
                raise ValueError(f"{path}, row {number}, column {name!r}: the count is missing.")
            data.append(value)
            indices.append(position)
        indptr.append(len(data))
    kept = np.delete(np.arange(len(attributes)), label_at)
    counts = sparse.csr_array(
        (np.array(data, dtype=np.float64), indices, indptr),
        shape=(len(labels), len(attributes)),
    )[:, kept]
    numbers = range(1, len(labels) + 1)
    checked = check_labels(labels, numbers, path, "row", attributes[label_at][0])
    vocabulary = np.array([attributes[position][0] for position in kept])
    return Corpus(file_title(path), check_counts(counts, path), checked, vocabulary)
