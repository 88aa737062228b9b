"""Compiled loop over the nearest training documents of each new document.

Importing numba takes a second, so this module is imported only when needed. The kernel takes and
returns arrays, is serial and releases the GIL.
"""

import numpy as np

from honeybayes.bayes._pair_base import Postings
from honeybayes.utils.compiling import compiled

TIED = 1e-9  # similarities are equal if they differ by less, relative to the larger


@compiled
def neighbor_counts(
    documents: Postings,
    unit_counts: np.ndarray,
    training: Postings,
    training_unit_counts: np.ndarray,
    label: np.ndarray,
    length: np.ndarray,
    n_neighbors: int,
    by_similarity: bool,
    n_classes: int,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Count terms and documents per class among the neighbors of each new document.

    Similarities are summed over the training documents that have a term in common. For each term of
    a new document, the training documents that contain it are read twice. In addition, there is one
    pass over all training documents.

    ``documents`` are new documents by row, ``training`` training documents by column, over the same
    terms. ``unit_counts`` are their counts divided by the Euclidean length of the document.
    ``label`` and ``length`` are the class and the number of terms of each training document. The
    weight of a neighbor is its cosine if ``by_similarity``, else 1.

    Returns weighted occurrences of the term of each entry of ``documents``, weighted occurrences of
    all terms per document, and sums of weights per document; all per class.
    """
    n_documents, n_training = len(documents.starts) - 1, len(label)
    entry_count = np.zeros((len(documents.indices), n_classes))
    total = np.zeros((n_documents, n_classes))
    class_count = np.zeros((n_documents, n_classes))
    weight = np.empty(n_training)
    for d in range(n_documents):
        weight[:] = 0
        for e in range(documents.starts[d], documents.starts[d + 1]):
            i = documents.indices[e]
            for p in range(training.starts[i], training.starts[i + 1]):
                weight[training.indices[p]] += unit_counts[e] * training_unit_counts[p]
        similar = weight[weight > 0]
        kth = 0.0
        if len(similar) >= n_neighbors:
            last = len(similar) - n_neighbors
            kth = np.partition(similar, last)[last]
        n_above = np.count_nonzero(similar > kth * (1 + TIED))
        n_tied = np.count_nonzero(weight >= kth * (1 - TIED)) - n_above
        share = (n_neighbors - n_above) / n_tied
        weigh_equally = not by_similarity or len(similar) == 0
        for j in range(n_training):
            if weight[j] > kth * (1 + TIED):
                weight[j] = 1.0 if weigh_equally else weight[j]
            elif weight[j] >= kth * (1 - TIED):
                weight[j] = share if weigh_equally else share * weight[j]
            else:
                weight[j] = 0.0
            class_count[d, label[j]] += weight[j]
            total[d, label[j]] += weight[j] * length[j]
        for e in range(documents.starts[d], documents.starts[d + 1]):
            i = documents.indices[e]
            for p in range(training.starts[i], training.starts[i + 1]):
                j = training.indices[p]
                entry_count[e, label[j]] += weight[j] * training.counts[p]
    return entry_count, total, class_count
