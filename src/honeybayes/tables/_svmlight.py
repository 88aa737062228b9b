"""Matrices of counts in the format of svmlight and libsvm, read with scikit-learn."""

from io import BytesIO
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from honeybayes.tables._corpus import Corpus
from honeybayes.tables._excel import exact_integer
from honeybayes.tables._files import check_format, file_title, open_seekable
from honeybayes.tables._labels import ONE_LABEL, check_labels


def read_svmlight(path: Path) -> Corpus:
    """Read lines such as ``2 1:3 7:1``: the class, then the numbers of terms with their counts."""
    with open_seekable(path) as file:
        check_format(path, file.read(64), "svmlight")
        file.seek(0)
        try:
            counts, targets = _load(file)
        except (ValueError, OverflowError) as error:
            file.seek(0)
            raise ValueError(_explain(path, file, error)) from error
    labels = [
        str(target) if isfinite(target) and not target.is_integer() else exact_integer(target)
        for target in targets.tolist()
    ]
    checked = check_labels(labels, range(1, len(labels) + 1), path, "document")
    return Corpus(file_title(path), check_counts(sparse.csr_array(counts), path), checked)


def check_counts(counts: sparse.csr_array, where: object) -> sparse.csr_array:
    """Raise ValueError if a count is negative or not finite; make the matrix canonical."""
    if not (np.isfinite(counts.data).all() and (counts.data >= 0).all()):
        raise ValueError(f"{where} must contain counts, but some are negative or not finite.")
    counts.sum_duplicates()
    return counts


def _load(file: Any) -> tuple[Any, NDArray[np.float64]]:
    from sklearn.datasets import load_svmlight_file  # slow to import

    counts, targets = load_svmlight_file(file)
    return counts, targets


def _explain(path: Path, file: Any, error: Exception) -> str:
    """Return a message with the first wrong line, which scikit-learn does not report."""
    for number, line in enumerate(file, start=1):
        try:
            _load(BytesIO(line))
        except (ValueError, OverflowError) as line_error:
            if b"," in line.partition(b" ")[0]:
                return f"{path}, line {number}: {line[:40]!r} has several labels. {ONE_LABEL}"
            return (
                f"{path}, line {number}: {str(line_error).rstrip('.')}. "
                f"A line must look like 2 1:3 7:1, a class and then term:count pairs."
            )
    return f"{path} is not an svmlight file: {error}"
