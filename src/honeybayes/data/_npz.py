"""Matrices of counts in NumPy's own files."""

import zipfile
import zlib
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from honeybayes.data._collector import LabelCollector
from honeybayes.data._corpus import Corpus
from honeybayes.data._files import corpus_name, existing_file, refuse_other_form

WANTED = {"iu": "integers", "iuf": "numbers", "U": "strings", "Uiu": "strings or integers"}


def read_npz(path: str | PathLike[str]) -> Corpus:
    """Read a matrix of counts from a file written with :func:`numpy.savez_compressed`.

    Parameters
    ----------
    path : str or path-like
        The file holds the arrays ``data``, ``indices``, ``indptr`` and ``shape`` of a CSR matrix,
        documents by terms, ``labels`` (str, a class for each document) and, where the words are
        known, ``vocabulary`` (str, a word for each term). Nothing is unpickled. What
        :func:`scipy.sparse.save_npz` writes will do once ``labels`` is added.

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
    path = existing_file(path)
    arrays = _load_arrays(path)
    counts = _csr_from(arrays, path)
    labels = LabelCollector(path, "document", "labels")
    values = _row_of(arrays, "labels", "Uiu", counts.shape[0], "documents", path)
    for number, label in enumerate(values.tolist(), start=1):
        labels.add(number, label)
    vocabulary = None
    if "vocabulary" in arrays:
        vocabulary = _row_of(arrays, "vocabulary", "U", counts.shape[1], "terms", path)
    return Corpus(corpus_name(path), counts, labels.array(), vocabulary)


def checked_counts(counts: sparse.csr_array, where: str) -> sparse.csr_array:
    """Refuse what cannot be counts; add duplicates up and sort the columns of each document."""
    if not (np.isfinite(counts.data).all() and (counts.data >= 0).all()):
        raise ValueError(f"{where} must hold counts, but some are negative or not finite.")
    counts.sum_duplicates()
    return counts


def _load_arrays(path: Path) -> dict[str, NDArray[Any]]:
    with path.open("rb") as file:
        if not zipfile.is_zipfile(file):
            file.seek(0)
            head = file.read(64)
            if head.startswith(b"PK"):  # of any zip archive, and npz is one
                raise ValueError(f"{path} is not a whole npz file. Copy or download it again.")
            refuse_other_form(path, head, "npz")
            raise ValueError(f"{path} is not npz.")
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
    if str(arrays.get("format", np.str_("csr")).astype(str)) != "csr":
        raise ValueError(
            f"{path}: a matrix of the format {arrays['format'].astype(str)}. "
            f"Save it after tocsr(), one row a document."
        )
    parts = {name: _array(arrays, name, "iu", path) for name in ("indices", "indptr", "shape")}
    data = _array(arrays, "data", "iuf", path)
    # Duplicates are added up in the type of the data: 200 + 100 is 44 in uint8.
    data = data.astype(np.float64 if data.dtype.kind == "f" else np.int64)
    shape = tuple(parts["shape"].tolist())
    if len(shape) != 2 or min(shape) < 0:
        raise ValueError(f"{path}: 'shape' must hold two sizes, got {list(shape)}.")
    try:
        counts = sparse.csr_array((data, parts["indices"], parts["indptr"]), shape=shape)
        counts.check_format(full_check=True)
    except ValueError as error:
        raise ValueError(f"{path}: the arrays do not make a CSR matrix: {error}.") from error
    return checked_counts(counts, f"{path}: 'data'")


def _row_of(
    arrays: dict[str, NDArray[Any]], name: str, kinds: str, length: int, of: str, path: Path
) -> NDArray[Any]:
    row = _array(arrays, name, kinds, path)
    if len(row) != length:
        raise ValueError(f"{path}: {name!r} holds {len(row)} for {length} {of}.")
    return row


def _array(arrays: dict[str, NDArray[Any]], name: str, kinds: str, path: Path) -> NDArray[Any]:
    if name not in arrays:
        raise ValueError(
            f"{path}: the array {name!r} is missing. The arrays are: "
            f"{', '.join(map(repr, arrays)) or 'none'}."
        )
    array = arrays[name]
    if array.ndim != 1 or array.dtype.kind not in kinds:
        raise ValueError(
            f"{path}: {name!r} must be one row of {WANTED[kinds]}, "
            f"got {array.dtype} of shape {array.shape}."
        )
    return array
