"""The definitions of the papers in simple, slow code: for listing paths, and for tests."""

from collections.abc import Collection, Iterator, Sequence
from math import prod
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


def count_distinct_representatives(sets: Sequence[Collection[Any]]) -> int:
    """Count the ways to choose one element from each set so that all elements are different.

    For a sequence of terms, let each set be the documents that contain two neighboring terms. Then
    this is the number of paths through these terms. The time grows with the number of set
    partitions, which is 15 for four sets, not with the sizes of the sets.

    Parameters
    ----------
    sets : sequence of collections
        The elements must be hashable.

    Returns
    -------
    int
        Number of systems of distinct representatives.

    References
    ----------
    .. [1] "Higher Order Naive Bayes", manuscript TKDE-2008-12-0640, Theorems 1 to 3.

    Examples
    --------
    The path group of the paper's Figure 5: e1 -{1, 2, 5}- e2 -{1, 2, 3, 4}- e3.

    >>> from honeybayes.paths import count_distinct_representatives
    >>> count_distinct_representatives([{1, 2, 5}, {1, 2, 3, 4}])
    10
    """
    return _count_from(tuple(frozenset(group) for group in sets), ())


def _count_from(groups: tuple[frozenset, ...], blocks: tuple[tuple[frozenset, int], ...]) -> int:
    """Sum over all set partitions of the groups, by Möbius inversion.

    A block is the intersection of its groups and their number b. Each group joins a block, which
    multiplies by -b, or starts a new one.
    """
    if not groups:
        return prod(len(common) for common, _ in blocks)
    first, *rest = groups
    if not first:
        return 0
    count = _count_from(tuple(rest), (*blocks, (first, 1)))
    for i, (common, size) in enumerate(blocks):
        if shared := common & first:  # otherwise this partition adds nothing
            joined = (*blocks[:i], (shared, size + 1), *blocks[i + 1 :])
            count -= size * _count_from(tuple(rest), joined)
    return count
