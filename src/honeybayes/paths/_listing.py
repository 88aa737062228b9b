"""The definition of a path in simple, slow code: for listing paths, and for tests."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from honeybayes.paths._counting import count_paths
from honeybayes.paths._incidence import check_order
from honeybayes.utils.matrices import presence_matrix
from honeybayes.utils.parameters import described_like

Path = tuple[tuple[int, ...], tuple[int, ...]]


@described_like(count_paths)
def iter_paths(X: Any, order: int = 2) -> Iterator[Path]:
    """List every path once, one at a time.

    This follows the definition step by step. To count paths use `count_paths`, which is faster.

    Parameters
    ----------
    order : int, default=2
        Number of documents on a path.

    Yields
    ------
    words : tuple of int
        The ``order + 1`` columns on the path; the first is smaller than the last.
    documents : tuple of int
        The ``order`` rows between these columns.

    Examples
    --------
    >>> from honeybayes.paths import iter_paths
    >>> for words, documents in iter_paths([[1, 1, 0], [0, 1, 1]]):
    ...     print(words, documents)
    (0, 1, 2) (0, 1)
    """
    return _list_paths(presence_matrix(X), check_order(order))


def _list_paths(X: Any, order: int) -> Iterator[Path]:
    terms_of, documents_of = (
        [row.tolist() for row in np.split(matrix.indices, matrix.indptr[1:-1])]
        for matrix in (X, X.T.tocsr())
    )

    def extend(words: tuple[int, ...], documents: tuple[int, ...]) -> Iterator[Path]:
        if len(documents) == order:
            if words[0] < words[-1]:  # a path and its reversal are the same path
                yield words, documents
            return
        for document in documents_of[words[-1]]:
            if document not in documents:
                for word in terms_of[document]:
                    if word not in words:
                        yield from extend((*words, word), (*documents, document))

    for word in range(X.shape[1]):
        yield from extend((word,), ())
