"""Two file formats that only the papers' corpora have: npz and LINQS ``.content``."""

import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from honeybayes.tables import Corpus

ARRAY_TYPES = {"iu": "integers", "iuf": "numbers", "U": "strings", "Uiu": "strings or integers"}
DAMAGED = (ValueError, EOFError, OSError, RuntimeError, zipfile.BadZipFile, zlib.error)


def read_npz(path: Path) -> Corpus:
    """Read counts that were written with `numpy.savez_compressed`.

    The file holds the arrays ``data``, ``indices``, ``indptr`` and ``shape`` of a CSR matrix,
    ``labels``, and ``vocabulary`` if the terms are known. Nothing is unpickled, and the indices
    are checked, so a damaged file cannot make later code read outside of an array.
    """
    arrays = _load_arrays(path)

    def array(name: str, kinds: str, length: int | None = None, of: str = "") -> NDArray[Any]:
        if name not in arrays:
            raise ValueError(f"{path}: the array {name!r} is missing; found {', '.join(arrays)}.")
        found = arrays[name]
        if found.ndim != 1 or found.dtype.kind not in kinds:
            raise ValueError(
                f"{path}: {name!r} must be one row of {ARRAY_TYPES[kinds]}, "
                f"got {found.dtype} of shape {found.shape}."
            )
        if length is not None and len(found) != length:
            raise ValueError(f"{path}: {name!r} has length {len(found)}, expected {length} {of}.")
        return found

    if str(arrays.get("format", np.str_("csr")).astype(str)) != "csr":
        raise ValueError(f"{path}: the matrix is not in CSR format. Save it after tocsr().")
    data, shape = array("data", "iuf"), tuple(array("shape", "iu").tolist())
    if len(shape) != 2 or min(shape) < 0:
        raise ValueError(f"{path}: 'shape' must hold two sizes, got {list(shape)}.")
    # Duplicates are summed in the type of the data: 200 + 100 is 44 in uint8.
    data = data.astype(np.float64 if data.dtype.kind == "f" else np.int64)
    if not (np.isfinite(data).all() and (data >= 0).all()):
        raise ValueError(f"{path}: 'data' must hold counts; some are negative or not finite.")
    parts = (data, array("indices", "iu"), array("indptr", "iu"))
    try:
        counts = sparse.csr_array(parts, shape=shape)
        counts.check_format(full_check=True)
    except ValueError as error:
        raise ValueError(f"{path}: the arrays do not form a CSR matrix: {error}.") from error
    counts.sum_duplicates()
    labels = np.char.strip(array("labels", "Uiu", shape[0], "documents").astype(np.str_))
    if (labels == "").any():
        number = np.flatnonzero(labels == "")[0] + 1
        raise ValueError(f"{path}: the label of document {number} is empty.")
    words = array("vocabulary", "U", shape[1], "terms") if "vocabulary" in arrays else None
    return Corpus(path.name.split(".")[0], counts, labels, words)


def _load_arrays(path: Path) -> dict[str, NDArray[Any]]:
    with path.open("rb") as file:
        if not zipfile.is_zipfile(file):
            raise ValueError(f"{path} is not a complete npz file. Copy or download it again.")
        file.seek(0)
        try:
            with np.load(file, allow_pickle=False) as archive:
                return {name: np.asarray(archive[name]) for name in archive.files}
        except DAMAGED as error:
            raise ValueError(f"{path} cannot be read as an npz file: {error}") from error


def read_linqs(path: Path) -> Corpus:
    """Read a ``.content`` file: per line a name, a 0 or 1 for each term, and the class."""
    rows: list[np.ndarray] = []
    labels = []
    n_cells = 0
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
        if not line.strip():
            continue
        cells = line.rstrip("\r").split("\t")
        n_cells = n_cells or len(cells)
        words, label = np.array(cells[1:-1]), cells[-1].strip()
        if (
            n_cells < 3
            or len(cells) != n_cells
            or not np.isin(words, ["0", "1"]).all()
            or not label
        ):
            raise ValueError(
                f"{path}, line {number}: expected a name, a 0 or 1 for each term and the class, "
                "separated by tabs, and the same number of cells in each line."
            )
        rows.append(np.flatnonzero(words == "1"))
        labels.append(label)
    if not rows:
        raise ValueError(f"{path} holds no documents.")
    indptr = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    indices = np.concatenate(rows)
    data = np.ones(len(indices), dtype=np.int32)
    counts = sparse.csr_array((data, indices, indptr), shape=(len(rows), n_cells - 2))
    return Corpus(path.name.split(".")[0], counts, np.array(labels))
