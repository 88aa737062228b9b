"""Compiled loops: pairs of terms of one document.

Importing numba takes a second, so this module is imported only when needed.

The loops process one parent t after another. The terms that occur with t are counted per class,
once for all new documents. The result for a pair (i, t) is stored as a row of classes when the
first new document needs it. Nothing is subtracted, so there is no cancellation.

P(i given t, c) is (N_itc + alpha) / (T_tc + m alpha), with N_itc the count of term i in the
training documents of class c that contain term t.
"""

import numpy as np

from honeybayes.bayes._count_base import CLASS, COMPLEMENT
from honeybayes.bayes._pair_base import RATIO
from honeybayes.utils.compiling import compiled


@compiled
def hidden_parent_log(block, quantity):
    """Sum over the terms i of a document of f_i log (average over its other terms t).

    ``quantity`` is one of ``CLASS`` and so on, see `_write`, averaged with the weights W_t. Returns
    an array (n_documents, n_classes).
    """
    documents, holders, training, training_rows = block.postings
    total, parent_weight = block.total, block.parent_weight
    n_terms, n_classes = total.shape[1:]
    n_documents, n_entries = len(documents.starts) - 1, len(documents.indices)
    sums, weights = np.zeros((n_entries, n_classes)), np.zeros(n_entries)
    count, others = np.zeros((n_terms, n_classes)), np.empty(n_classes)
    row, written_for = np.empty((n_terms, n_classes)), np.full(n_terms, -1)
    for t in np.flatnonzero(parent_weight):
        _count_with(t, training, training_rows, block.label, count)
        per_count = 1 / total[:, t]
        for h in range(holders.starts[t], holders.starts[t + 1]):
            d = holders.indices[h]
            for k in range(documents.starts[d], documents.starts[d + 1]):
                i = documents.indices[k]
                if i == t:
                    continue
                if written_for[i] != t:
                    written_for[i] = t
                    _write(quantity, i, count, per_count, block.alpha, others, row)
                weights[k] += parent_weight[t]
                for c in range(n_classes):
                    sums[k, c] += parent_weight[t] * row[i, c]
        _count_with(t, training, training_rows, block.label, count, True)

    result = np.zeros((n_documents, n_classes))
    for d in range(n_documents):
        for k in range(documents.starts[d], documents.starts[d + 1]):
            i, f, weight = documents.indices[k], documents.counts[k], weights[k]
            for c in range(n_classes):
                average = np.log(sums[k, c] / weight) if weight > 0 else block.log_prob[i, c]
                result[d, c] += f * average
    return result


@compiled
def super_parent_log(block, quantity):
    """Log of the average, over the terms t of a document, of the product over all its terms i.

    The sum over t is kept relative to its largest part, so that it does not overflow for long
    documents. ``quantity`` is one of ``CLASS`` and so on, see `_write`. Returns an array
    (n_documents, n_classes).
    """
    documents, holders, training, training_rows = block.postings
    total, parent_weight = block.total, block.parent_weight
    n_terms, n_classes = total.shape[1:]
    n_documents = len(documents.starts) - 1
    largest = np.full((n_documents, n_classes), -np.inf)
    relative, weights = np.zeros((n_documents, n_classes)), np.zeros(n_documents)
    count, others = np.zeros((n_terms, n_classes)), np.empty(n_classes)
    row, written_for = np.empty((n_terms, n_classes)), np.full(n_terms, -1)
    score = np.empty(n_classes)
    for t in np.flatnonzero(parent_weight):
        _count_with(t, training, training_rows, block.label, count)
        per_count = 1 / total[:, t]
        for h in range(holders.starts[t], holders.starts[t + 1]):
            d = holders.indices[h]
            weights[d] += parent_weight[t]
            score[:] = np.log(parent_weight[t])
            for k in range(documents.starts[d], documents.starts[d + 1]):
                i, f = documents.indices[k], documents.counts[k]
                if written_for[i] != t:
                    written_for[i] = t
                    _write(quantity, i, count, per_count, block.alpha, others, row)
                    for c in range(n_classes):
                        row[i, c] = np.log(row[i, c])
                for c in range(n_classes):
                    score[c] += f * row[i, c]
            for c in range(n_classes):
                if score[c] > largest[d, c]:
                    relative[d, c] = relative[d, c] * np.exp(largest[d, c] - score[c]) + 1
                    largest[d, c] = score[c]
                else:
                    relative[d, c] += np.exp(score[c] - largest[d, c])
        _count_with(t, training, training_rows, block.label, count, True)

    result = np.zeros((n_documents, n_classes))
    for d in range(n_documents):
        if weights[d] > 0:
            result[d] = largest[d] + np.log(relative[d] / weights[d])
            continue
        for k in range(documents.starts[d], documents.starts[d + 1]):
            i, f = documents.indices[k], documents.counts[k]
            for c in range(n_classes):
                result[d, c] += f * block.log_prob[i, c]
    return result


@compiled
def parent_ratios(
    documents, training_rows, training, label, document_weight, lengths, total, alpha, parent_weight
):
    """Return the factor of each weight in a step of EM; see `honeybayes.bayes.hidden`.

    ``documents`` have the counts, and the training documents have them times their weights. The
    first pass computes the two sums over the parents of each entry, the second one uses them.
    """
    n_terms, n_classes = total.shape
    count = np.zeros((n_terms, n_classes))
    sums, weights = np.zeros(len(documents.indices)), np.zeros(len(documents.indices))
    ratios = np.ones(n_terms)
    for second in (False, True):
        for t in np.flatnonzero(parent_weight):
            _count_with(t, training, training_rows, label, count)
            up = down = 0.0
            for h in range(training.starts[t], training.starts[t + 1]):
                d = training.indices[h]
                c, copy = label[d], min(document_weight[d], 1.0)
                others = total[t, c] - copy * lengths[d]
                for k in range(documents.starts[d], documents.starts[d + 1]):
                    i, f = documents.indices[k], documents.counts[k]
                    if i == t:
                        continue
                    p = (max(count[i, c] - copy * f, 0.0) + alpha) / others
                    if second:
                        up += document_weight[d] * f * p / sums[k]
                        down += document_weight[d] * f / weights[k]
                    else:
                        sums[k] += parent_weight[t] * p
                        weights[k] += parent_weight[t]
            if second and down > 0:
                ratios[t] = up / down
            _count_with(t, training, training_rows, label, count, True)
    return ratios


@compiled
def _write(quantity, i, count, per_count, alpha, others, row):
    """Write the quantity of term i and the parent for each class to row[i]."""
    n_classes = count.shape[1]
    if quantity != CLASS:
        before = after = 0.0
        others[:] = 0
        for c in range(n_classes):  # the classes before and the classes after each class
            others[c] += before
            others[n_classes - 1 - c] += after
            before += count[i, c]
            after += count[i, n_classes - 1 - c]
    for c in range(n_classes):
        of_class = (count[i, c] + alpha) * per_count[CLASS, c]
        of_complement = (others[c] + alpha) * per_count[COMPLEMENT, c]
        if quantity == CLASS:
            row[i, c] = of_class
        elif quantity == COMPLEMENT:
            row[i, c] = of_complement
        elif quantity == RATIO:
            row[i, c] = of_class / of_complement
        else:  # INVERSE_RATIO
            row[i, c] = of_complement / of_class


@compiled
def _count_with(t, training, training_rows, label, count, clear=False):
    """Add N_itc to count[i, c], which must be zero before: the terms that occur with t.

    Or else clear them: set to zero what was changed.
    """
    for h in range(training.starts[t], training.starts[t + 1]):
        j = training.indices[h]
        c = label[j]
        for k in range(training_rows.starts[j], training_rows.starts[j + 1]):
            i = training_rows.indices[k]
            count[i, c] = 0 if clear else count[i, c] + training_rows.counts[k]
