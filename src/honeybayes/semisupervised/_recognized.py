"""Recognize documents that were learned from, without keeping them.

A document is turned into one of many slots by the set of its terms. Only the numbers of the slots
are kept. One in 256 other documents has one of these slots by chance. So a model file does not tell
which documents the pool contained: many others would fit, also among those with one or two terms.
"""

import numpy as np
from scipy import sparse

SLOTS_PER_DOCUMENT = 256
MOST_DOCUMENTS = 100_000


def find_slots(x: sparse.csr_array) -> tuple[np.ndarray, int]:
    """Return the sorted slots of documents, and how many slots there are."""
    digests = np.unique(_digest_terms(x))[:MOST_DOCUMENTS]
    n_slots = SLOTS_PER_DOCUMENT * max(len(digests), 1)
    return np.unique(digests % np.uint64(n_slots)), n_slots


def are_recognized(x: sparse.csr_array, slots: np.ndarray, n_slots: int) -> np.ndarray:
    """Return which documents have one of the slots."""
    return np.isin(_digest_terms(x) % np.uint64(n_slots), slots)


def _digest_terms(x: sparse.csr_array) -> np.ndarray:
    """Return a number of 64 bits for each document, by its terms."""
    terms = _scramble(x.indices.astype(np.uint64) + np.uint64(1))
    terms[x.data == 0] = 0
    sums = np.append(np.uint64(0), np.cumsum(terms))  # modulo 2^64
    return _scramble(sums[x.indptr[1:]] - sums[x.indptr[:-1]])


def _scramble(numbers: np.ndarray) -> np.ndarray:
    """Turn numbers into others that look random: the last steps of the generator SplitMix64."""
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        numbers = (numbers ^ (numbers >> np.uint64(shift))) * np.uint64(factor)
    return numbers ^ (numbers >> np.uint64(31))
