"""The ``.content`` files in which the LINQS group publishes Cora, Citeseer and WebKB."""

from os import PathLike

import numpy as np
from scipy import sparse

from honeybayes.data._collector import LabelCollector
from honeybayes.data._corpus import Corpus
from honeybayes.data._files import corpus_name, existing_file, text_lines


def read_linqs(path: str | PathLike[str]) -> Corpus:
    r"""Read a ``.content`` file of LINQS: a name, zeros and ones, and the class, tab-separated.

    Parameters
    ----------
    path : str or path-like
        One document a line. Its name, the first cell, is left out.

    Returns
    -------
    Corpus
        Named after the file; a binary matrix.

    Raises
    ------
    ValueError
        Names the file, the line and the cell.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from honeybayes.data import read_linqs
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "tiny.content")
    ...     _ = path.write_text("p7\t0\t1\t1\tTheory\np9\t1\t0\t0\tAgents\n")
    ...     read_linqs(path)
    Corpus('tiny', 2 documents with 3 terms, 2 classes)
    """
    path = existing_file(path)
    labels = LabelCollector(path)
    rows: list[np.ndarray] = []
    n_terms = -1
    for number, line in enumerate(text_lines(path, "LINQS .content"), start=1):
        if not line.strip():
            continue
        _, *cells = line.rstrip("\r\n").split("\t")
        if n_terms == -1:
            n_terms = len(cells) - 1
        if n_terms < 1 or len(cells) != n_terms + 1:
            raise ValueError(
                f"{path}, line {number}: {len(cells) + 1} cell(s)"
                + (f", but {n_terms + 2} in the lines above. " if n_terms > 0 else ". ")
                + "Each line must hold a name, a 0 or 1 for each term, and the class, between tabs."
            )
        words = np.array(cells[:-1])
        wrong = np.flatnonzero((words != "0") & (words != "1"))
        if len(wrong):
            raise ValueError(
                f"{path}, line {number}, cell {wrong[0] + 2}: {cells[wrong[0]]!r} is not 0 or 1."
            )
        rows.append(np.flatnonzero(words == "1"))
        labels.add(number, cells[-1])
    classes = labels.array()
    indices = np.concatenate(rows)
    indptr = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    counts = sparse.csr_array(
        (np.ones(len(indices), dtype=np.int32), indices, indptr), shape=(len(rows), n_terms)
    )
    return Corpus(corpus_name(path), counts, classes)
