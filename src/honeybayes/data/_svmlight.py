"""Matrices of counts in the format of svmlight and libsvm, read with scikit-learn."""

from io import BytesIO
from math import isfinite
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from honeybayes.data._collector import ONE_LABEL, LabelCollector, checked_counts, exact_integer
from honeybayes.data._corpus import Corpus
from honeybayes.data._files import check_format, corpus_name, existing_file, open_seekable


def read_svmlight(path: str | PathLike[str]) -> Corpus:
    r"""Read a matrix of counts in the svmlight format, one document per line.

    Parameters
    ----------
    path : str or path-like
        A file with lines such as ``2 1:3 7:1``: the class, then the numbers of terms with their
        counts. A name that ends in ``.gz`` means a gzipped file.

    Returns
    -------
    Corpus
        Named after the file. The labels are the numbers, as strings.

    Raises
    ------
    ValueError
        If the file cannot be read; the message names the file and the line or the document.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from honeybayes.data import read_svmlight
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "tiny.svmlight")
    ...     _ = path.write_text("1 1:2 3:1\n-1 2:4\n")
    ...     read_svmlight(path)
    Corpus('tiny', 2 documents with 3 terms, 2 classes)
    """
    path = existing_file(path)
    with open_seekable(path) as file:
        check_format(path, file.read(64), "svmlight")
        file.seek(0)
        try:
            counts, targets = _load(file)
        except (ValueError, OverflowError) as error:
            file.seek(0)
            raise ValueError(_explain(path, file, error)) from error
    labels = LabelCollector(path, "document")
    for number, target in enumerate(targets.tolist(), start=1):
        is_fraction = isfinite(target) and not target.is_integer()
        labels.add(number, str(target) if is_fraction else exact_integer(target))
    counts = checked_counts(sparse.csr_array(counts), str(path))
    return Corpus(corpus_name(path), counts, labels.array())


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
