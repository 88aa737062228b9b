"""Readers of labeled documents. Every error names the file and the place in it."""

import gzip
import json
import zipfile
import zlib
from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from honeybayes.data._corpus import Corpus


def read_json_lines(path: str | PathLike[str], text: str = "text", label: str = "label") -> Corpus:
    """Read texts from a file with one JSON object a line, in UTF-8, plain or gzipped.

    Parameters
    ----------
    path : str or path-like
        A name that ends in ``.gz`` is taken as gzipped.
    text, label : str
        The fields that hold the text and the class of a document. Other fields are ignored, and
        so are blank lines.

    Returns
    -------
    Corpus
        Named after the file.

    Raises
    ------
    ValueError
        Names the file, the line and the field.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from honeybayes.data import read_json_lines
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "mail.jsonl")
    ...     _ = path.write_text('{"text": "Where is my parcel?", "label": "delivery"}')
    ...     read_json_lines(path)
    Corpus('mail', 1 texts, 1 classes)
    """
    path = Path(path)
    texts, labels = [], []
    for number, line in enumerate(_lines(path), start=1):
        if not line.strip():
            continue
        where = f"{path}, line {number}"
        document = _parse_object(line, where)
        texts.append(_field(document, text, where))
        labels.append(_field(document, label, where))
        if not labels[-1].strip():
            raise ValueError(
                f"{where}: the field {label!r} is empty; every document needs a class."
            )
    if not texts:
        raise ValueError(f"{path} holds no documents.")
    return Corpus(_corpus_name(path), texts, np.array(labels))


def read_npz(path: str | PathLike[str]) -> Corpus:
    """Read a matrix of counts from a file written with :func:`numpy.savez_compressed`.

    Parameters
    ----------
    path : str or path-like
        The file holds the arrays ``data``, ``indices``, ``indptr`` and ``shape`` of a CSR matrix,
        documents by terms, ``labels`` (str, a class for each document) and, where the words are
        known, ``vocabulary`` (str, a word for each term). Nothing is unpickled.

    Returns
    -------
    Corpus
        Named after the file.

    Raises
    ------
    ValueError
        Names the file and the array. The indices are checked in full, so that a damaged file
        cannot make later code read outside of an array.

    Examples
    --------
    >>> import numpy as np
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from honeybayes.data import read_npz
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "tiny.npz")
    ...     np.savez_compressed(
    ...         path, data=[2, 1], indices=[0, 2], indptr=[0, 1, 2], shape=[2, 3], labels=["a", "b"]
    ...     )
    ...     read_npz(path)
    Corpus('tiny', 2 documents with 3 terms, 2 classes)
    """
    path = Path(path)
    arrays = _load_arrays(path)
    counts = _csr_from(arrays, path)
    labels = _words_of(arrays, "labels", counts.shape[0], "documents", path)
    vocabulary = None
    if "vocabulary" in arrays:
        vocabulary = _words_of(arrays, "vocabulary", counts.shape[1], "terms", path)
    return Corpus(_corpus_name(path), counts, labels, vocabulary)


def _corpus_name(path: Path) -> str:
    return path.name.split(".")[0]


def _lines(path: Path) -> Iterator[bytes]:
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as lines:
        try:
            yield from lines
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise ValueError(f"{path} is not a whole gzip file: {error}.") from error


def _parse_object(line: bytes, where: str) -> dict[str, Any]:
    try:
        document = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ValueError(f"{where}: not UTF-8 ({error}). Save the file as UTF-8.") from error
    except json.JSONDecodeError as error:
        raise ValueError(f"{where}: not JSON ({error.msg} at column {error.colno}).") from error
    if not isinstance(document, dict):
        raise ValueError(
            f"{where}: a document must be a JSON object, such as "
            f'{{"text": "...", "label": "..."}}; got {type(document).__name__}.'
        )
    return document


def _field(document: dict[str, Any], name: str, where: str) -> str:
    if name not in document:
        raise ValueError(
            f"{where}: the field {name!r} is missing. The fields are: "
            f"{', '.join(map(repr, document)) or 'none'}."
        )
    value = document[name]
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise ValueError(f"{where}: the field {name!r} must be a string, got {json.dumps(value)}.")
    return value


def _load_arrays(path: Path) -> dict[str, NDArray[Any]]:
    with path.open("rb") as file:
        if not zipfile.is_zipfile(file):
            raise ValueError(f"{path} is not an npz file.")
        file.seek(0)
        try:
            with np.load(file, allow_pickle=False) as archive:
                # A member that is no array is handed over as bytes.
                return {name: np.asarray(archive[name]) for name in archive.files}
        except (
            ValueError,
            EOFError,
            OSError,
            RuntimeError,
            zipfile.BadZipFile,
            zlib.error,
        ) as error:
            raise ValueError(f"{path} cannot be read as an npz file: {error}") from error


def _csr_from(arrays: dict[str, NDArray[Any]], path: Path) -> sparse.csr_array:
    parts = {name: _array(arrays, name, "iu", path) for name in ("indices", "indptr", "shape")}
    data = _array(arrays, "data", "iuf", path)
    shape = tuple(parts["shape"].tolist())
    if len(shape) != 2 or min(shape) < 0:
        raise ValueError(f"{path}: 'shape' must hold two sizes, got {list(shape)}.")
    try:
        counts = sparse.csr_array((data, parts["indices"], parts["indptr"]), shape=shape)
        counts.check_format(full_check=True)
    except ValueError as error:
        raise ValueError(f"{path}: the arrays do not make a CSR matrix: {error}.") from error
    if not (np.isfinite(counts.data).all() and (counts.data >= 0).all()):
        raise ValueError(f"{path}: 'data' must hold counts, but some are negative or not finite.")
    counts.sum_duplicates()
    return counts


def _words_of(
    arrays: dict[str, NDArray[Any]], name: str, length: int, of: str, path: Path
) -> NDArray[np.str_]:
    words = _array(arrays, name, "U", path)
    if len(words) != length:
        raise ValueError(f"{path}: {name!r} holds {len(words)} for {length} {of}.")
    return words


def _array(arrays: dict[str, NDArray[Any]], name: str, kinds: str, path: Path) -> NDArray[Any]:
    if name not in arrays:
        raise ValueError(
            f"{path}: the array {name!r} is missing. The arrays are: "
            f"{', '.join(map(repr, arrays)) or 'none'}."
        )
    array = arrays[name]
    if array.ndim != 1 or array.dtype.kind not in kinds:
        wanted = {"iu": "integers", "iuf": "numbers", "U": "strings"}[kinds]
        raise ValueError(
            f"{path}: {name!r} must be one row of {wanted}, "
            f"got {array.dtype} of shape {array.shape}."
        )
    return array
