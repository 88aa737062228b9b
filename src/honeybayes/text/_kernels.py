"""Compiled loop: the information gain of terms whose values are cut into intervals.

Fayyad and Irani (1993): a term starts as one interval of all its values. The cut that leaves the
lowest entropy of the classes is made if its gain pays for its description, and then both halves are
treated in the same way. With k classes in an interval of N documents, m possible cuts, and k_1, k_2
classes in the halves, a gain of E - E' pays if it is above

    (log2(m) + log2(3^k - 2) - k E + k_1 E_1 + k_2 E_2) / N

By the chain rule, the gain of the intervals is the sum of the gains of their cuts. Importing numba
takes a second, so this module is imported only when needed.
"""

import numpy as np

from honeybayes.utils.compiling import compiled


@compiled
def discretized_gains(starts, values, classes, weights, absent, xlogx):
    """Return the gain of each term, in bits.

    ``starts``, ``values``, ``classes`` and ``weights`` describe the documents that contain each
    term, and ``absent`` (terms, classes) counts the others, which have the value 0. ``xlogx`` is a
    table of x log2 x, empty if counts are not integers.
    """
    n_terms, n_classes = absent.shape
    gains = np.zeros(n_terms)
    for t in range(n_terms):
        own = slice(starts[t], starts[t + 1])
        order = np.argsort(values[own], kind="mergesort")
        # sums[g] has the documents per class with a value before the g-th
        sums = np.zeros((len(order) + 2, n_classes))
        n_groups, last = 0, -1.0
        if absent[t].any():
            sums[1] = absent[t]
            n_groups, last = 1, 0.0
        for i in order + starts[t]:
            if values[i] != last:
                n_groups, last = n_groups + 1, values[i]
                sums[n_groups] = sums[n_groups - 1]
            sums[n_groups, classes[i]] += weights[i]
        intervals = [(0, n_groups)]
        while intervals:
            first, end = intervals.pop()
            if end - first > 1:
                cut, gain = _cut(sums, first, end, xlogx)
                if gain > 0:
                    gains[t] += gain
                    intervals.append((first, cut))
                    intervals.append((cut, end))
        gains[t] /= max(sums[n_groups].sum(), 1e-300)
    return gains


@compiled
def _cut(sums, first, end, xlogx):
    """Return the best cut of an interval and documents times gain, 0 if it does not pay."""
    before, k, entropy = _describe(sums, first, end, xlogx)
    lowest, best, description = before, first, 0.0
    for cut in range(first + 1, end):
        left, left_k, left_entropy = _describe(sums, first, cut, xlogx)
        right, right_k, right_entropy = _describe(sums, cut, end, xlogx)
        if left + right < lowest:
            lowest, best = left + right, cut
            description = left_k * left_entropy + right_k * right_entropy
    description += np.log2(end - first - 1) + k * np.log2(3) + np.log2(1 - 2 * 3.0**-k)
    gain = before - lowest
    return best, gain if gain > description - k * entropy else 0.0


@compiled
def _describe(sums, first, end, xlogx):
    """Return documents times entropy, the number of classes, and the entropy."""
    n_documents, n_present, within = 0.0, 0, 0.0
    for c in range(sums.shape[1]):
        x = sums[end, c] - sums[first, c]
        if x > 0:
            n_documents += x
            n_present += 1
            within += xlogx[int(x)] if len(xlogx) else x * np.log2(x)
    total = xlogx[int(n_documents)] if len(xlogx) else n_documents * np.log2(n_documents)
    return total - within, n_present, (total - within) / n_documents
