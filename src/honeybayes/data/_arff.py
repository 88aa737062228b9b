"""ARFF files of WEKA, sparse or dense, read with liac-arff.

SciPy's reader supports neither sparse rows nor strings; scikit-learn's reader is private.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from honeybayes.data._collector import (
    DocumentCollector,
    LabelCollector,
    checked_counts,
    column_position,
    exact_integer,
)
from honeybayes.data._corpus import Corpus
from honeybayes.data._files import (
    allow_long_cells,
    corpus_name,
    existing_file,
    text_lines,
)
from honeybayes.utils.optional import import_optional

NUMERIC = ("NUMERIC", "REAL", "INTEGER")
QUOTED = re.compile(r"(['\"])(?:\\.|(?!\1).)*\1")
SPARSE_KEY = re.compile(r"[{,]\s*(\d+)\s")
Values = dict[int, Any]  # from the position of an attribute to its value, if not omitted
Attributes = list[tuple[str, Any]]  # the name, and the type or the list of nominal values


def read_arff(
    path: str | PathLike[str], text: str | None = None, label: str | None = None
) -> Corpus:
    """Read an ARFF file, sparse or dense.

    Requires liac-arff: ``pip install 'honeybayes[arff]'``.

    Parameters
    ----------
    path : str or path-like
        The file. A name that ends in ``.gz`` means a gzipped file.
    text : str, optional
        The string attribute with the text. By default, the only string attribute. A file without
        string attributes is a matrix of counts with one numeric attribute per term.
    label : str, optional
        The attribute with the label: nominal, a string, or an integer. By default, the only
        nominal attribute; if there is none or more than one, the last attribute, as in WEKA.

    Returns
    -------
    Corpus
        Texts, or counts. The vocabulary of counts is the names of the attributes.

    Raises
    ------
    ValueError
        If the file cannot be read; the message names the file and the line, or the data row and
        the attribute.

    Notes
    -----
    A sparse row omits zeros, and the zero of a nominal attribute is its first value. So the label
    is usually omitted for documents of the first class.
    """
    path = existing_file(path)
    attributes, rows = _decode(path)
    names = [name for name, _ in attributes]
    if label is None:
        nominal = [name for name, kind in attributes if isinstance(kind, list)]
        label = nominal[0] if len(nominal) == 1 else names[-1]
    label_at = column_position(str(path), label, names, "label")
    strings = [name for name, kind in attributes if kind == "STRING" and name != label]
    if text is None and len(strings) > 1:
        raise ValueError(
            f"{path}: several attributes are strings: {', '.join(map(repr, strings))}. "
            f"Set text= to the name of the attribute with the text."
        )
    if text is None and strings:
        text = strings[0]
    if text is None:
        return _counts(path, attributes, rows, label_at)
    text_at = column_position(str(path), text, names, "text")
    documents = DocumentCollector(path, text, label, unit="row")
    for number, values in enumerate(rows, start=1):
        documents.add(number, values.get(text_at), _label_of(values, attributes, label_at))
    return documents.corpus()


def decode_arff(path: Path) -> tuple[list[str], Iterator[list[Any]]]:
    """Return the names of the attributes, and all values of each row."""
    attributes, rows = _decode(path)
    omitted = [kind[0] if isinstance(kind, list) else 0 for _, kind in attributes]
    cells = ([row.get(at, each) for at, each in enumerate(omitted)] for row in rows)
    return [name for name, _ in attributes], cells


def _decode(path: Path) -> tuple[Attributes, Iterable[Values]]:
    """Return the attributes, and the rows without omitted values."""
    arff = import_optional("arff", "arff")
    allow_long_cells()
    lines = text_lines(path, "ARFF")
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
    labels = LabelCollector(path, "row", attributes[label_at][0])
    data: list[float] = []
    indices: list[int] = []
    indptr = [0]
    for number, values in enumerate(rows, start=1):
        labels.add(number, _label_of(values, attributes, label_at))
        for position, value in values.items():
            if position == label_at or value == 0:
                continue
            if value is None:
                raise ValueError(
                    f"{labels.cell(number, attributes[position][0])}: the count is missing."
                )
            data.append(value)
            indices.append(position)
        indptr.append(len(data))
    kept = np.delete(np.arange(len(attributes)), label_at)
    counts = sparse.csr_array(
        (np.array(data, dtype=np.float64), indices, indptr),
        shape=(len(indptr) - 1, len(attributes)),
    )[:, kept]
    vocabulary = np.array([attributes[position][0] for position in kept])
    return Corpus(corpus_name(path), checked_counts(counts, str(path)), labels.array(), vocabulary)
