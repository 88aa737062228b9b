"""Compiled loops over links with weights, for `honeybayes.paths._linked`."""

import numpy as np

from honeybayes.utils.compiling import compiled


@compiled
def carry_values(indptr, indices, values, n_terms, rows, terms, pattern):
    """Return the values of the entries in the order of `arrange`: by document and by term."""
    new_indptr, _, t_indptr, t_indices = pattern
    new = np.empty(n_terms, np.int64)
    new[terms] = np.arange(len(terms))
    end, by_term = t_indptr[:-1].copy(), np.empty_like(values)
    for row in rows:
        for a in range(indptr[row], indptr[row + 1]):
            i = new[indices[a]]
            by_term[end[i]] = values[a]
            end[i] += 1
    end, by_document = new_indptr[:-1].copy(), np.empty_like(values)
    for a in range(len(t_indices)):
        by_document[end[t_indices[a]]] = by_term[a]
        end[t_indices[a]] += 1
    return by_document, by_term


@compiled
def link_sums(indptr, indices, t_indptr, t_indices, f, t_f, weights, n_rare):
    """Return the sums of `honeybayes.paths._linked` that need one pass over the links.

    For each term: s, As, the walks in one document with the term at an end and in the middle, the
    part of q between rare terms of one document, and the sum of w f^2.
    """
    n_docs, n_terms = len(indptr) - 1, len(t_indptr) - 1
    L, S2, S3, rare = np.zeros((4, n_docs), f.dtype)
    for d in range(n_docs):
        for a in range(indptr[d], indptr[d + 1]):
            square = f[a] * f[a]
            L[d] += f[a]
            S2[d] += square
            S3[d] += square * f[a]
            if indices[a] < n_rare:
                rare[d] += square
    s, walks, end, mid, once, squares = np.zeros((6, n_terms), f.dtype)
    for i in range(n_terms):
        for a in range(t_indptr[i], t_indptr[i + 1]):
            d, x = t_indices[a], t_f[a]
            w, square = weights[d], x * x
            rest, rest_2 = L[d] - x, S2[d] - square
            same = min(w, w * w)
            s[i] += w * x * rest
            squares[i] += w * square
            end[i] += same * x * (rest * rest_2 - (S3[d] - square * x))
            mid[i] += same * square * (rest * rest - rest_2)
            if i < n_rare:
                once[i] += w * w * square * (rare[d] - square)
    for d in range(n_docs):
        through = f.dtype.type(0)
        for a in range(indptr[d], indptr[d + 1]):
            through += f[a] * s[indices[a]]
        L[d] = weights[d] * through
    for i in range(n_terms):
        for a in range(t_indptr[i], t_indptr[i + 1]):
            walks[i] += t_f[a] * L[t_indices[a]]
        walks[i] -= squares[i] * s[i]
    return s, walks, end, mid, once, squares


@compiled
def squares_with_frequent(t_indptr, t_indices, t_f, weighted, first, shared, n_docs, out):
    """Add to ``out[i]`` the squares of the weighted co-occurrences with the frequent terms.

    As `butterflies_with_frequent`, with weights of links: ``t_f`` by term, and ``weighted`` the
    same times the weight of the document, in the type of ``shared``.
    """
    n_terms = len(t_indptr) - 1
    dense = np.zeros((n_docs, n_terms - first), shared.dtype)
    for i in range(first, n_terms):
        for a in range(t_indptr[i], t_indptr[i + 1]):
            dense[t_indices[a], i - first] = t_f[a]
    sums = np.zeros(len(shared), out.dtype)
    alone = np.zeros(n_docs, out.dtype)  # squares of the terms that occur in this document only
    for i in range(n_terms):
        start, end = t_indptr[i], t_indptr[i + 1]
        if end - start == 1 and i < first:
            weight = out.dtype.type(weighted[start])
            alone[t_indices[start]] += weight * weight
            squares = out.dtype.type(0)
            for each in dense[t_indices[start]]:
                squares += out.dtype.type(each) * out.dtype.type(each)
            out[i] += weight * weight * squares
            continue
        add_weighted_rows(dense, t_indices[start:end], weighted[start:end], shared)
        squares = out.dtype.type(0)
        if i < first:
            for j in range(len(shared)):
                square = out.dtype.type(shared[j]) * out.dtype.type(shared[j])
                squares += square
                sums[j] += square
        else:  # a pair of frequent terms is visited from both
            shared[i - first] = 0
            for j in range(len(shared)):
                squares += out.dtype.type(shared[j]) * out.dtype.type(shared[j])
        out[i] += squares
    for doc in range(n_docs):
        for j in range(len(shared)):
            sums[j] += alone[doc] * out.dtype.type(dense[doc, j]) * out.dtype.type(dense[doc, j])
    for j in range(len(shared)):
        out[first + j] += sums[j]


@compiled
def add_weighted_rows(rows, numbers, weights, out):
    """Set ``out`` to a weighted sum of rows; four at a time, to write less."""
    out[:] = 0
    n = len(numbers)
    whole = n - n % 4
    for a in range(0, whole, 4):
        first, second = rows[numbers[a]], rows[numbers[a + 1]]
        third, fourth = rows[numbers[a + 2]], rows[numbers[a + 3]]
        w, x, y, z = weights[a], weights[a + 1], weights[a + 2], weights[a + 3]
        for j in range(len(out)):
            out[j] += w * first[j] + x * second[j] + y * third[j] + z * fourth[j]
    for a in range(whole, n):
        row, w = rows[numbers[a]], weights[a]
        for j in range(len(out)):
            out[j] += w * row[j]
