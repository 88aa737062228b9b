"""Compiled loops of the path counters: arrays in, arrays out.

A document-term pattern is given as CSR (``indptr``, ``indices``: the terms of each document) and
as its transpose (``t_indptr``, ``t_indices``: the documents of each term). Both are numbered by
increasing degree, as in `Incidence`. This module is imported on first use, because importing numba
takes longer than most counts.
"""

import numpy as np

from honeybayes.utils.compiling import compiled


@compiled
def butterflies_per_term(indptr, indices, t_indptr, t_indices, weights, out):
    """Add to ``out[i]`` the number of butterflies through term i.

    A butterfly is another term and two documents that contain both terms. It counts with the
    product of the weights of the two documents. Wedges u-v-w are visited only if u has a higher
    degree than v and w. This uses the shorter side of every edge and costs O(sum over the non-zeros
    of min(document frequency, document length)), so a few very frequent terms or very long
    documents do not increase the time much.
    """
    n_docs = len(indptr) - 1
    n_terms = len(t_indptr) - 1

    shared = np.zeros(n_terms, weights.dtype)  # documents that term u shares with each lower term
    lower_end = indptr[:-1].copy()  # end of the terms below u, in each document
    for u in range(n_terms):
        frequency = t_indptr[u + 1] - t_indptr[u]
        walked = False
        butterflies = 0
        for a in range(t_indptr[u], t_indptr[u + 1]):
            doc = t_indices[a]
            if indptr[doc + 1] - indptr[doc] <= frequency:  # in a tie the term counts as higher
                walked = True
                weight = weights[doc]
                for b in range(indptr[doc], lower_end[doc]):
                    w = indices[b]
                    before = shared[w]  # each forms a butterfly with the new document
                    shared[w] = before + weight
                    butterflies += before * weight
                    out[w] += before * weight
            lower_end[doc] += 1
        out[u] += butterflies
        if walked:
            shared[:u] = 0

    common = np.zeros(n_docs, np.int32)  # terms that document u shares with each lower document
    lower_end = t_indptr[:-1].copy()
    for u in range(n_docs):
        length = indptr[u + 1] - indptr[u]
        for a in range(indptr[u], indptr[u + 1]):
            term = indices[a]
            if t_indptr[term + 1] - t_indptr[term] < length:
                for b in range(t_indptr[term], lower_end[term]):
                    common[t_indices[b]] += 1
        for a in range(indptr[u], indptr[u + 1]):
            term = indices[a]
            if t_indptr[term + 1] - t_indptr[term] < length:
                butterflies = 0
                for b in range(t_indptr[term], lower_end[term]):
                    doc = t_indices[b]  # the term itself does not count
                    butterflies += weights[doc] * (common[doc] - 1)
                out[term] += weights[u] * butterflies
            lower_end[term] += 1
        common[:u] = 0


@compiled
def co_occurrence_moments(
    indptr, indices, t_indptr, t_indices, s, df, cubes, squares_s, squares_df
):
    """Add sums over the co-occurrence counts a_ik of every term i, without the part for a_ik = 1.

    Adds sum (a^3 - a) to ``cubes``, sum (a^2 - a) s_k to ``squares_s`` and sum (a^2 - a) df_k to
    ``squares_df``. Most pairs occur together only once; a product with A covers them at lower
    cost. Each pair is visited from its rarer term, so that the counters in use belong to frequent
    terms and are close together in memory. O(sum of squared lengths).
    """
    n_terms = len(t_indptr) - 1
    shared = np.zeros(n_terms, np.int32)
    touched = np.empty(n_terms, np.uint32)
    for i in range(n_terms):
        if t_indptr[i + 1] - t_indptr[i] == 1:
            continue  # it occurs with no term twice
        n_touched = 0
        for a in range(t_indptr[i], t_indptr[i + 1]):
            doc = t_indices[a]
            b = indptr[doc + 1] - 1
            k = indices[b]
            while k > i:
                if shared[k] == 0:
                    touched[n_touched] = k
                    n_touched += 1
                shared[k] += 1
                b -= 1
                k = indices[b]
        for c in range(n_touched):
            k = touched[c]
            count = cubes.dtype.type(shared[k])
            shared[k] = 0
            if count > 1:
                square = count * count - count
                cube = square * (count + 1)
                cubes[i] += cube
                cubes[k] += cube
                squares_s[i] += square * s[k]
                squares_s[k] += square * s[i]
                squares_df[i] += square * df[k]
                squares_df[k] += square * df[i]


@compiled
def common_terms(indptr, indices, t_indptr, t_indices, first, last):
    """Return G[:, first:last]: numbers of terms that documents share with those of a block."""
    n_docs = len(indptr) - 1
    block = np.zeros((n_docs, last - first), np.int32)
    row = np.zeros(n_docs, np.int32)
    for doc in range(first, last):
        row[:] = 0
        for a in range(indptr[doc], indptr[doc + 1]):
            term = indices[a]
            for b in range(t_indptr[term], t_indptr[term + 1]):
                row[t_indices[b]] += 1
        for other in range(n_docs):
            block[other, doc - first] = row[other]
    return block


@compiled
def walks_through_block(t_indptr, t_indices, block, first, square_sums, alpha):
    """Count walks from every term i to every document M of a block.

    With p_iM = sum of G_LM over the documents L of i: add the squares of (p_iM - df_i [M contains
    i]) to ``square_sums[i]`` and, where M contains i, store p_iM - df_i in ``alpha`` (aligned with
    ``t_indices``).
    """
    width = block.shape[1]
    p = np.zeros(width, np.int64)
    for i in range(len(t_indptr) - 1):
        df = t_indptr[i + 1] - t_indptr[i]
        p[:] = 0
        for a in range(t_indptr[i], t_indptr[i + 1]):
            doc = t_indices[a]
            for j in range(width):
                p[j] += block[doc, j]
        for a in range(t_indptr[i], t_indptr[i + 1]):
            j = t_indices[a] - first
            if 0 <= j < width:
                p[j] -= df
                alpha[a] = p[j]
        for j in range(width):
            square_sums[i] += square_sums.dtype.type(p[j]) * p[j]


@compiled
def paths_between_neighbors(
    indptr,
    indices,
    t_indptr,
    t_indices,
    m_indptr,
    m_indices,
    mt_indptr,
    mt_indices,
    weights,
    same,
    end,
    mid,
):
    """Count second-order paths whose ends occur together in M, per end and middle term.

    For each term i, all terms that share a document of M with it are marked. Walks i-L-k-N-j to a
    marked j are summed over the terms k that occur together with i, and walks with L = N are
    subtracted: they were counted with the squared weight of L, and ``same`` is the part of this
    weight that is not a path. O(sum over the terms of the document frequencies of the terms that
    occur together with them).
    """
    n_docs = len(indptr) - 1
    n_terms = len(t_indptr) - 1
    marked = np.zeros(n_terms, np.bool_)
    marks = np.empty(n_terms, np.int64)
    shared = np.zeros(n_terms, weights.dtype)
    touched = np.empty(n_terms, np.int64)
    ends_in = np.zeros(n_docs, np.int64)  # marked terms in each document
    for i in range(n_terms):
        if t_indptr[i] == t_indptr[i + 1]:
            continue
        n_marks = 0
        for a in range(mt_indptr[i], mt_indptr[i + 1]):
            doc = mt_indices[a]
            for b in range(m_indptr[doc], m_indptr[doc + 1]):
                j = m_indices[b]
                if j != i and not marked[j]:
                    marked[j] = True
                    marks[n_marks] = j
                    n_marks += 1
        for a in range(n_marks):
            j = marks[a]
            for b in range(t_indptr[j], t_indptr[j + 1]):
                ends_in[t_indices[b]] += 1
        n_touched = 0
        for a in range(t_indptr[i], t_indptr[i + 1]):
            doc = t_indices[a]
            for b in range(indptr[doc], indptr[doc + 1]):
                k = indices[b]
                if k == i:
                    continue
                if shared[k] == 0:
                    touched[n_touched] = k
                    n_touched += 1
                shared[k] += weights[doc]
                # i-doc-k-doc-j is not a path
                same_document = same[doc] * (ends_in[doc] - marked[k])
                end[i] -= same_document
                mid[k] -= same_document
        for a in range(n_touched):
            k = touched[a]
            walks = 0
            for b in range(t_indptr[k], t_indptr[k + 1]):
                doc = t_indices[b]
                walks += weights[doc] * (ends_in[doc] - marked[k])
            end[i] += walks * shared[k]
            mid[k] += walks * shared[k]
            shared[k] = 0
        for a in range(n_marks):
            j = marks[a]
            marked[j] = False
            for b in range(t_indptr[j], t_indptr[j + 1]):
                ends_in[t_indices[b]] = 0
