"""Files that may hold counts of terms: ARFF of WEKA, sparse or dense, and svmlight.

ARFF is read with liac-arff: SciPy's reader supports neither sparse rows nor strings, and
scikit-learn's reader is private.
"""

import csv
import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain, count
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from honeybayes.tables._corpus import Corpus, corpus_of, labeled_corpus
from honeybayes.tables._files import LONGEST_ROW, Growth, check_format, open_seekable, open_text
from honeybayes.tables._frames import Table, check_columns, exact_integer, make_frame, make_frames
from honeybayes.utils.optional import import_optional

MAX_COLUMNS = 2**26  # of counts, as in model files
MOST = 2**20  # lines of ARFF, and characters of a line
NUMERIC = ("NUMERIC", "REAL", "INTEGER")
QUOTED = re.compile(r"'(?:[^'\\]++|\\.)*+'|\"(?:[^\"\\]++|\\.)*+\"")  # in linear time
UNQUOTED = re.compile(r"[\s'\"\0]")  # in a value without quotes around it
QUOTE_AND_COMMA = re.compile(r"['\"]\s*,")
ATTRIBUTE = re.compile(r"(?:\".*\"|'.*'|[^{}%,\s]*)\s+(.+)")  # its name, as in liac-arff, and type
SPARSE_KEY = re.compile(r"[{,]\s*(\d+)\s")
Values = dict[int, Any]  # from the position of an attribute to its value, if not omitted
Attributes = list[tuple[str, Any]]  # the name, and the type or the list of nominal values


class Arff(NamedTuple):
    """An open ARFF file: its attributes, what sparse rows omit of each, and the rows without that.

    Rows omit zeros, and the first value of a nominal attribute. So the label is usually omitted
    for documents of the first class.
    """

    attributes: Attributes
    names: list[str]
    omitted: list[Any]
    rows: Iterator[Values]


def read_arff(path: Path, text: str | None = None, label: str | None = None) -> Corpus:
    """Read texts, or counts if no attribute is a string; see `read_corpus`."""
    attributes, names, omitted, rows = _decode(path)
    if label is None:
        nominal = [name for name, kind in attributes if isinstance(kind, list)]
        label = nominal[0] if len(nominal) == 1 else names[-1]
    strings = [name for name, kind in attributes if kind == "STRING" and name != label]
    if text is None and len(strings) > 1:
        raise ValueError(
            f"{path}: several attributes are strings: {', '.join(map(repr, strings))}. "
            f"Set `text` to the name of the attribute with the text."
        )
    text = text or next(iter(strings), None)
    check_columns(str(path), names, {"label": label} | ({"text": text} if text else {}))
    label_at = names.index(label)
    if text is None:
        return _counts(path, attributes, rows, label_at, omitted[label_at])
    at = names.index(text), label_at
    pairs = [[_as_cell(row.get(each, omitted[each])) for each in at] for row in rows]
    return corpus_of(make_frame(pairs, [text, label]), path, text, label, keep_unlabeled=None)


def open_arff(path: Path, format: str, required: Mapping[str, str | Sequence[str]]) -> Table:
    """Open ARFF as a table with all values of each row."""
    _, names, omitted, rows = _decode(path)
    growth = Growth(path)
    check_columns(str(path), names, required)

    def cells(row: Values) -> list[Any]:
        growth.add(n_cells=len(omitted))
        return [_as_cell(row.get(at, each)) for at, each in enumerate(omitted)]

    return Table(path, format, names, make_frames(enumerate(map(cells, rows), start=1), names))


def _as_cell(value: Any) -> Any:
    # liac-arff reads an integer as a float first
    return exact_integer(float(value)) if isinstance(value, int | float) else value


def _decode(path: Path) -> Arff:
    """Read ARFF up to its data; the rows are read later."""
    arff = import_optional("arff", "arff")
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST_ROW))  # which liac-arff uses
    file = open_text(path, "ARFF", "utf-8")
    check_format(path, file.head, "ARFF")
    lines = _check_lines(chain.from_iterable(file.blocks), path)
    head = list(_up_to_first_row(lines, path))
    is_sparse = bool(head) and head[-1].lstrip().startswith("{")
    decoder, form = arff.ArffDecoder(), arff.LOD_GEN if is_sparse else arff.DENSE_GEN
    numbers = count()  # the next one is how many lines were read
    whole = (line for line, _ in zip(chain(head, lines), numbers, strict=False))
    with _errors_explained(path, numbers):
        content = decoder.decode(_check_rows(whole, path) if is_sparse else whole, return_type=form)
        attributes: Attributes = content["attributes"]
        omitted = [
            kind[0] if isinstance(kind, list) else 0 if kind in NUMERIC else None
            for _, kind in attributes
        ]
    rows = _rows(content["data"], is_sparse, path, numbers)
    return Arff(attributes, [name for name, _ in attributes], omitted, rows)


def _rows(
    data: Iterable[Any], is_sparse: bool, path: Path, numbers: Iterator[int]
) -> Iterator[Values]:
    growth = Growth(path)
    with _errors_explained(path, numbers):
        for row in data:
            growth.add(n_cells=0 if is_sparse else 8 * len(row))  # a row in braces is filled up
            yield row if is_sparse else dict(enumerate(row))


@contextmanager
def _errors_explained(path: Path, numbers: Iterator[int]) -> Iterator[None]:
    """Say in which line liac-arff found an error, and what to do."""
    arff = import_optional("arff", "arff")
    try:
        yield
    except arff.ArffException as error:
        error.line = next(numbers)
        raise ValueError(
            f"{path}, line {error.line}: not valid ARFF ({error}) An ARFF file has a line "
            f"@relation, one line @attribute per attribute, a line @data, and then the data."
        ) from error
    except IndexError as error:  # of the library
        raise ValueError(
            f"{path} has a nominal attribute without values. Write its values in braces: {{a, b}}."
        ) from error


def _check_lines(lines: Iterable[str], path: Path) -> Iterator[str]:
    """Yield lines that are not too many or too long; comments become blank.

    For a line, liac-arff takes microseconds, and for a character in quotes 160 bytes. It joins
    comments one by one.
    """
    for number, line in enumerate(lines):
        if number == MOST or len(line) > MOST:
            raise ValueError(
                f"{path} has more than {MOST} lines, or characters in a line. Save it as CSV."
            )
        yield "" if line.lstrip().startswith("%") else line


def _up_to_first_row(lines: Iterator[str], path: Path) -> Iterator[str]:
    in_data = False
    for number, line in enumerate(lines, start=1):
        row = line.strip()
        if row.upper().startswith(("@RELATION", "@ATTRIBUTE")) and not in_data:
            keyword, *rest = row.split(maxsplit=1)
            if not rest:
                raise ValueError(f"{path}, line {number}: not valid ARFF. {keyword} needs a name.")
            line = row = f"{keyword} {rest[0]}"  # liac-arff requires a space, and no tab
        yield line
        is_attribute = row.upper().startswith("@ATTRIBUTE") and not in_data
        if is_attribute and not _has_plain_values(row.partition(" ")[2].strip()):
            raise ValueError(
                f"{path}, line {number}: not valid ARFF. The values of a nominal attribute are "
                "separated by commas, and in quotes if they contain spaces: {a, 'b c'}."
            )
        if in_data and row:
            return
        in_data = in_data or row.upper().startswith("@DATA")


def _has_plain_values(attribute: str) -> bool:
    """Return False for values in which liac-arff may search for commas without end."""
    kind = ATTRIBUTE.match(attribute)
    if kind is None or not kind[1].startswith("{"):
        return True
    *parts, last = QUOTED.sub("\0", kind[1][1:]).split(",")
    values = [part.strip() for part in (*parts, last.removesuffix("}"))]
    is_plain = all(value == "\0" or not UNQUOTED.search(value) for value in values)
    has_commas = any(QUOTE_AND_COMMA.search(each[:-1]) for each in QUOTED.findall(kind[1]))
    return is_plain and last.endswith("}") and not has_commas


def _check_rows(lines: Iterable[str], path: Path) -> Iterator[str]:
    """Raise ValueError if a sparse row repeats an attribute; liac-arff keeps the last value."""
    row = 0
    for line in lines:
        if line.lstrip().startswith("{"):
            row += 1
            positions = Counter(map(int, SPARSE_KEY.findall(QUOTED.sub("", line))))
            for twice, n in positions.most_common(1):
                if n > 1:
                    raise ValueError(f"{path}, row {row}: attribute {twice} occurs twice.")
        yield line


def _counts(
    path: Path, attributes: Attributes, rows: Iterable[Values], label_at: int, omitted: Any
) -> Corpus:
    for position, (name, kind) in enumerate(attributes):
        if position != label_at and kind not in NUMERIC:
            raise ValueError(
                f"{path}: the attribute {name!r} is not numeric, so it cannot be the count of a "
                f"term. If it is the label, use label={name!r}."
            )
    labels, data, indices, indptr = [], array("d"), array("q"), array("q", [0])
    for number, values in enumerate(rows, start=1):
        labels.append(_as_cell(values.get(label_at, omitted)))
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
    counts = sparse.csr_array(tuple(map(np.array, (data, indices, indptr))), shape=shape)
    kept = np.delete(np.arange(len(attributes)), label_at)
    vocabulary = np.array([attributes[position][0] for position in kept])
    return _corpus(path, counts[:, kept], labels, attributes[label_at][0], vocabulary)


def read_svmlight(path: Path) -> Corpus:
    """Read lines such as ``2 1:3 7:1``: the class, then the numbers of terms with their counts."""
    from sklearn.datasets import load_svmlight_file  # slow to import

    with open_seekable(path) as file:
        check_format(path, file.read(64), "svmlight")
        file.seek(0)
        try:
            counts, targets = load_svmlight_file(file)
        except (ValueError, OverflowError) as error:
            end = file.tell()  # scikit-learn has read up to here, but does not report the line
            file.seek(0)
            line = file.read(end).rstrip(b"\n").count(b"\n") + 1
            raise ValueError(
                f"{path}, line {line}: {str(error).rstrip('.')}. A line must look like "
                "2 1:3 7:1, one class and then term:count pairs."
            ) from error
    if counts.shape[1] > MAX_COLUMNS:
        raise ValueError(f"{path}: terms must be numbered up to {MAX_COLUMNS}.")
    known: dict[float, Any] = {}  # a label of many documents is one object
    labels = [
        known.setdefault(target, exact_integer(target))
        if target.is_integer() or not isfinite(target)
        else str(target)
        for target in targets.tolist()
    ]
    return _corpus(path, sparse.csr_array(counts), labels)


def _corpus(
    path: Path,
    counts: sparse.csr_array,
    labels: list[Any],
    label: str = "label",
    vocabulary: np.ndarray | None = None,
) -> Corpus:
    """Return counts that are checked, in a canonical matrix, and their labels."""
    import pandas

    unit = "document" if vocabulary is None else "row"
    index = pandas.RangeIndex(1, len(labels) + 1, name=unit)
    column = pandas.Series(labels, index, object, label)
    corpus = labeled_corpus(counts, column, path, None, False, vocabulary=vocabulary)
    if not (np.isfinite(counts.data).all() and (counts.data >= 0).all()):
        raise ValueError(f"{path} must contain counts, but some are negative or not finite.")
    counts.sum_duplicates()
    return corpus
