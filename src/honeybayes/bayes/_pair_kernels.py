"""Compiled loops over the pairs of words that occur in one document.

Numba takes a second to import, so import this module only when a kernel is needed. Arrays in,
arrays out; the kernels are serial and release the GIL.

Both kernels take the parents t one by one. The words beside t are counted by class, once for all
new documents, and what a model makes of a pair (i, t) is written down as a row of classes when the
first new document with both words asks for it. No sum is ever undone by subtraction, so nothing
cancels. The first arguments are the same for both, all over the same terms:

documents, holders : Postings
    New documents by row, and by column.
training, training_rows : Postings
    Training documents by column, and by row.
label : ndarray of shape (n_training,)
    Class of each training document.
parent_weight : ndarray of shape (n_terms,)
    W_t; zero for a word that is no parent.
total : ndarray of shape (2, n_terms, n_classes)
    T_tc + m alpha, for the classes and for their complements.
log_prob : ndarray of shape (2, n_terms, n_classes)
    log P(word), for want of a parent; for the classes and for their complements.
alpha : float
    Smoothing.

P(i given t, c) is (N_itc + alpha) / (T_tc + m alpha), with N_itc the count of word i in the
training documents of class c that contain word t.
"""

from typing import Any

import numpy as np

from honeybayes.bayes._pair_base import CLASS, COMPLEMENT, RATIO, Postings
from honeybayes.utils.compiling import compiled


@compiled
def hidden_parent_logs(
    documents: Postings,
    holders: Postings,
    training: Postings,
    training_rows: Postings,
    label: np.ndarray,
    parent_weight: np.ndarray,
    total: np.ndarray,
    log_prob: np.ndarray,
    alpha: float,
    quantities: np.ndarray,
) -> np.ndarray:
    """Sum over the words i of a document of f_i log (average over its other words t).

    Parameters
    ----------
    documents, holders, training, training_rows, label, parent_weight, total, log_prob, alpha
        See the module.
    quantities : ndarray of int
        What to average, weighted by W_t; one or more of ``CLASS`` and so on, see `_write`.

    Returns
    -------
    ndarray of shape (n_quantities, n_documents, n_classes)
    """
    n_terms, n_classes = total.shape[1:]
    n_documents, width = len(documents.starts) - 1, len(quantities) * n_classes
    sums, weights = np.zeros((len(documents.indices), width)), np.zeros(len(documents.indices))
    count, others = np.zeros((n_terms, n_classes)), np.empty(n_classes)
    row, written_for = np.empty((n_terms, width)), np.full(n_terms, -1)
    for t in np.flatnonzero(parent_weight):
        n_counted = _count_beside(t, training, training_rows, label, count)
        per_count = 1 / total[:, t]
        for h in range(holders.starts[t], holders.starts[t + 1]):
            d = holders.indices[h]
            for k in range(documents.starts[d], documents.starts[d + 1]):
                i = documents.indices[k]
                if i == t:
                    continue
                if written_for[i] != t:
                    written_for[i] = t
                    for q in range(len(quantities)):
                        place = q * n_classes
                        _write(quantities[q], i, place, count, per_count, alpha, others, row)
                weights[k] += parent_weight[t]
                for v in range(width):
                    sums[k, v] += parent_weight[t] * row[i, v]
        _forget_beside(t, n_counted, training, training_rows, label, count)

    result = np.zeros((len(quantities), n_documents, n_classes))
    for q in range(len(quantities)):
        for d in range(n_documents):
            for k in range(documents.starts[d], documents.starts[d + 1]):
                i, f = documents.indices[k], documents.counts[k]
                for c in range(n_classes):
                    if weights[k] > 0:
                        log = np.log(sums[k, q * n_classes + c] / weights[k])
                    else:
                        log = _log_quantity(quantities[q], log_prob[:, i, c])
                    result[q, d, c] += f * log
    return result


@compiled
def super_parent_log(
    documents: Postings,
    holders: Postings,
    training: Postings,
    training_rows: Postings,
    label: np.ndarray,
    parent_weight: np.ndarray,
    total: np.ndarray,
    log_prob: np.ndarray,
    alpha: float,
    quantity: int,
) -> np.ndarray:
    """Log of the average, over the words t of a document, of the product over all its words i.

    The sum over t is kept as its largest term and the rest relative to it, so that nothing
    overflows, however long the document.

    Parameters
    ----------
    documents, holders, training, training_rows, label, parent_weight, total, log_prob, alpha
        See the module.
    quantity : int
        What to multiply, to the power f_i; one of ``CLASS`` and so on, see `_write`.

    Returns
    -------
    ndarray of shape (n_documents, n_classes)
    """
    n_terms, n_classes = total.shape[1:]
    n_documents = len(documents.starts) - 1
    largest = np.full((n_documents, n_classes), -np.inf)
    relative, weights = np.zeros((n_documents, n_classes)), np.zeros(n_documents)
    count, others = np.zeros((n_terms, n_classes)), np.empty(n_classes)
    row, written_for = np.empty((n_terms, n_classes)), np.full(n_terms, -1)
    score = np.empty(n_classes)
    for t in np.flatnonzero(parent_weight):
        n_counted = _count_beside(t, training, training_rows, label, count)
        per_count = 1 / total[:, t]
        for h in range(holders.starts[t], holders.starts[t + 1]):
            d = holders.indices[h]
            weights[d] += parent_weight[t]
            score[:] = np.log(parent_weight[t])
            for k in range(documents.starts[d], documents.starts[d + 1]):
                i, f = documents.indices[k], documents.counts[k]
                if written_for[i] != t:
                    written_for[i] = t
                    _write(quantity, i, 0, count, per_count, alpha, others, row)
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
        _forget_beside(t, n_counted, training, training_rows, label, count)

    result = np.zeros((n_documents, n_classes))
    for d in range(n_documents):
        if weights[d] > 0:
            result[d] = largest[d] + np.log(relative[d] / weights[d])
            continue
        for k in range(documents.starts[d], documents.starts[d + 1]):
            i, f = documents.indices[k], documents.counts[k]
            for c in range(n_classes):
                result[d, c] += f * _log_quantity(quantity, log_prob[:, i, c])
    return result


@compiled
def _write(
    quantity: int,
    i: int,
    place: int,
    count: Any,
    per_count: Any,
    alpha: float,
    others: Any,
    row: Any,
) -> None:
    """Write what is wanted of word i beside the parent, class by class, from row[i, place] on."""
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
            row[i, place + c] = of_class
        elif quantity == COMPLEMENT:
            row[i, place + c] = of_complement
        elif quantity == RATIO:
            row[i, place + c] = of_class / of_complement
        else:  # INVERSE_RATIO
            row[i, place + c] = of_complement / of_class


@compiled
def _log_quantity(quantity: int, log_prob: Any) -> float:
    if quantity == CLASS:
        return log_prob[CLASS]
    if quantity == COMPLEMENT:
        return log_prob[COMPLEMENT]
    if quantity == RATIO:
        return log_prob[CLASS] - log_prob[COMPLEMENT]
    return log_prob[COMPLEMENT] - log_prob[CLASS]  # INVERSE_RATIO


@compiled
def _count_beside(t: Any, training: Any, training_rows: Any, label: Any, count: Any) -> int:
    """Count the words beside t by class: N_itc at count[i, c], which held zeros."""
    n_counted = 0
    for h in range(training.starts[t], training.starts[t + 1]):
        j = training.indices[h]
        c = label[j]
        n_counted += training_rows.starts[j + 1] - training_rows.starts[j]
        for k in range(training_rows.starts[j], training_rows.starts[j + 1]):
            count[training_rows.indices[k], c] += training_rows.counts[k]
    return n_counted


@compiled
def _forget_beside(
    t: Any, n_counted: int, training: Any, training_rows: Any, label: Any, count: Any
) -> None:
    """Clear the counts in the cheaper of two ways: the whole table, or what was touched."""
    if n_counted > count.size // 4:
        count[:] = 0
        return
    for h in range(training.starts[t], training.starts[t + 1]):
        j = training.indices[h]
        c = label[j]
        for k in range(training_rows.starts[j], training_rows.starts[j + 1]):
            count[training_rows.indices[k], c] = 0
