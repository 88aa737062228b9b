"""The definition of a path in plain loops: slow, and independent of the library."""

from itertools import permutations

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp


def entries_from(values, shape):
    """Draw every entry separately; otherwise Hypothesis fills most of them with one value."""
    return hnp.arrays(np.int64, shape, elements=st.sampled_from(values), fill=st.nothing())


def boolean_matrices(max_documents=5, max_terms=5):
    """Draw small matrices of any kind, including empty ones."""
    shapes = st.tuples(st.integers(0, max_documents), st.integers(0, max_terms))
    return shapes.flatmap(lambda shape: hnp.arrays(np.int64, shape, elements=st.integers(0, 1)))


def linked_matrices(order, max_documents=5, max_terms=6):
    """Draw mostly matrices that can have paths of the order; every fifth is of any kind."""
    shapes = st.tuples(st.integers(order, max_documents), st.integers(order + 1, max_terms))
    dense = shapes.flatmap(lambda shape: entries_from([1, 1, 1, 0], shape))
    return st.one_of(dense, dense, dense, dense, boolean_matrices())


def all_paths(X, order):
    """Yield every choice of distinct words and distinct documents that X connects."""
    n_documents, n_terms = X.shape
    rows = X.tolist()  # plain lists are faster to look up than arrays
    for words in permutations(range(n_terms), order + 1):
        if words[0] > words[-1]:
            continue
        for documents in permutations(range(n_documents), order):
            for row, left, right in zip(documents, words[:-1], words[1:], strict=True):
                if not (rows[row][left] and rows[row][right]):
                    break
            else:
                yield words, documents


def tally(paths, n_terms):
    per_term, total = [0] * n_terms, 0
    for words, _ in paths:
        for word in words:
            per_term[word] += 1
        total += 1
    return np.array(per_term, np.int64), total


def pure_paths(X, M):
    """Yield the second-order paths of X whose end words share no document of M."""
    for words, documents in all_paths(X, 2):
        if not (M[:, words[0]] & M[:, words[-1]]).any():
            yield words, documents


def label_paths(X, y, classes):
    """Count word - document - word - document - label, all distinct, with four loops."""
    n_documents, n_terms = X.shape
    X = X.tolist()
    counts = np.zeros((len(classes), n_terms), np.int64)
    for c, label in enumerate(classes):
        for last in range(n_documents):
            if y[last] != label:
                continue
            for first in range(n_documents):
                for start, bridge in permutations(range(n_terms), 2):
                    if first != last and X[first][start] and X[first][bridge] and X[last][bridge]:
                        counts[c, start] += 1
    return counts
