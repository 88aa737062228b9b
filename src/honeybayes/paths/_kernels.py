"""Compiled loops of the path counters: arrays in, arrays out.

A document-term pattern is given as CSR (``indptr``, ``indices``: the terms of each document) and
as its transpose (``t_indptr``, ``t_indices``: the documents of each term). Both are numbered by
increasing degree, as in `Incidence`. This module is imported on first use, because importing numba
takes longer than most counts.
"""

import numpy as np

from honeybayes.utils.compiling import compiled

WIDTH = 64  # terms in a block of `paths_between_neighbors`, one per bit
ONE = np.uint64(1)
STREAM = 16  # counters that can be set to zero in a row in the time of one that is looked up


@compiled
def sorted_positions(values):
    """Return the stable order of small numbers, 0 or more, in linear time."""
    starts = np.zeros(values.max() + 2 if len(values) else 1, np.int64)
    for value in values:
        starts[value + 1] += 1
    starts = np.cumsum(starts)
    order = np.empty(len(values), np.int64)
    for position, value in enumerate(values):
        order[starts[value]] = position
        starts[value] += 1
    return order


@compiled
def arrange(indptr, indices, values, n_terms, least):
    """Renumber documents and terms; see `Incidence`.

    Terms in at least ``least`` documents are frequent. Returns the documents and the terms in their
    new order, the number of rare terms of each document, the pattern, and the values by document
    and by term, if there are any.
    """
    n_docs = len(indptr) - 1
    frequency = np.zeros(n_terms, np.int64)
    for term in indices:
        frequency[term] += 1
    rare_lengths = np.zeros(n_docs, np.int64)
    for doc in range(n_docs):
        for a in range(indptr[doc], indptr[doc + 1]):
            rare_lengths[doc] += frequency[indices[a]] < least
    rows = sorted_positions(rare_lengths)
    present = np.flatnonzero(frequency)
    terms = present[sorted_positions(frequency[present])]

    new = np.empty(n_terms, np.uint32)
    t_indptr, t_indices = np.zeros(len(terms) + 1, np.int64), np.empty_like(indices)
    for i, term in enumerate(terms):
        new[term] = i
        t_indptr[i + 1] = t_indptr[i] + frequency[term]
    new_indptr, new_indices = np.zeros_like(indptr), np.empty_like(indices)
    f, t_f = np.empty_like(values), np.empty_like(values)
    end = t_indptr[:-1].copy()
    for doc, row in enumerate(rows):
        new_indptr[doc + 1] = new_indptr[doc] + indptr[row + 1] - indptr[row]
        for a in range(indptr[row], indptr[row + 1]):
            i = new[indices[a]]
            t_indices[end[i]] = doc
            if len(values):
                t_f[end[i]] = values[a]
            end[i] += 1
    end = new_indptr[:-1].copy()
    for i in range(len(terms)):
        for a in range(t_indptr[i], t_indptr[i + 1]):
            doc = t_indices[a]
            new_indices[end[doc]] = i
            if len(values):
                f[end[doc]] = t_f[a]
            end[doc] += 1
    pattern = new_indptr, new_indices, t_indptr, t_indices
    return rows, terms, rare_lengths[rows], pattern, f, t_f


@compiled
def link_sums(indptr, indices, f, weights, n_terms, n_rare):
    """Return the sums of `honeybayes.paths._counting` that need two passes over the links.

    For each term: s, As, the walks in one document with the term at an end and in the middle, and
    the part of q between rare terms of one document. ``f`` has the links by document, or is None.
    """
    zero, one = weights.dtype.type(0), weights.dtype.type(1)
    sums = np.zeros((n_terms, 6), weights.dtype)  # close together in memory for each term
    for d in range(len(weights)):
        L, S2, S3, rare = zero, zero, zero, zero
        for a in range(indptr[d], indptr[d + 1]):
            x = one if f is None else f[a]
            L += x
            S2 += x * x
            S3 += x * x * x
            if indices[a] < n_rare:
                rare += x * x
        w = weights[d]
        same = min(w, w * w)
        for a in range(indptr[d], indptr[d + 1]):
            own, x = sums[indices[a]], one if f is None else f[a]
            square = x * x
            rest, rest_2 = L - x, S2 - square
            own[0] += w * x * rest
            own[2] += same * x * (rest * rest_2 - (S3 - square * x))
            own[3] += same * square * (rest * rest - rest_2)
            if indices[a] < n_rare:
                own[4] += w * w * square * (rare - square)
            own[5] += w * square
    for d in range(len(weights)):
        through = zero
        for a in range(indptr[d], indptr[d + 1]):
            through += weights[d] * sums[indices[a], 0] * (one if f is None else f[a])
        for a in range(indptr[d], indptr[d + 1]):
            sums[indices[a], 1] += through * (one if f is None else f[a])
    sums[:, 1] -= sums[:, 5] * sums[:, 0]
    return sums[:, :5].T.copy()


@compiled
def fill_columns(t_indptr, t_indices, t_f, first, dense):
    """Write the links of the terms from ``first`` on to columns of a matrix of zeros."""
    for i in range(first, len(t_indptr) - 1):
        for a in range(t_indptr[i], t_indptr[i + 1]):
            dense[t_indices[a], i - first] = 1 if t_f is None else t_f[a]


@compiled
def add_rows(rows, numbers, weights, out):
    """Set ``out`` to a sum of rows, with weights or None; four rows at a time, to write less."""
    out[:] = 0
    n = len(numbers)
    whole = n - n % 4
    for a in range(0, whole, 4):
        first, second = rows[numbers[a]], rows[numbers[a + 1]]
        third, fourth = rows[numbers[a + 2]], rows[numbers[a + 3]]
        if weights is None:
            for j in range(len(out)):
                out[j] += first[j] + second[j] + third[j] + fourth[j]
        else:
            w, x, y, z = weights[a], weights[a + 1], weights[a + 2], weights[a + 3]
            for j in range(len(out)):
                out[j] += w * first[j] + x * second[j] + y * third[j] + z * fourth[j]
    for a in range(whole, n):
        row = rows[numbers[a]]
        for j in range(len(out)):
            out[j] += row[j] if weights is None else weights[a] * row[j]


@compiled
def squares_with_frequent(t_indptr, t_indices, weighted, dense, shared, out):
    """Add to ``out[i]`` the squares of the weighted co-occurrences with the frequent terms.

    These are the last terms. Their columns are ``dense``, so whole rows are added instead of single
    entries: O(non-zeros * frequent terms), but many at a time. ``weighted`` has the links by term
    times the weights of documents, or is None if all are 1. ``shared`` is memory for one number per
    frequent term, of a type that can hold a co-occurrence.
    """
    n_frequent = dense.shape[1]
    first = len(t_indptr) - 1 - n_frequent
    sums = np.zeros(n_frequent, out.dtype)
    for i in range(len(t_indptr) - 1):
        start, end = t_indptr[i], t_indptr[i + 1]
        own = None if weighted is None else weighted[start:end]
        add_rows(dense, t_indices[start:end], own, shared)
        if i >= first:  # a pair of frequent terms is visited from both
            shared[i - first] = 0
        squares = out.dtype.type(0)
        for j in range(n_frequent):
            square = out.dtype.type(shared[j]) * out.dtype.type(shared[j])
            squares += square
            if i < first:
                sums[j] += square
        out[i] += squares
    out[first:] += sums


@compiled
def butterflies_per_term(
    indptr, indices, t_indptr, t_indices, lengths, weights, f, t_f, common, out
):
    """Add to ``out[i]`` the butterflies through term i, each with the product of its weights.

    A butterfly is another term and two documents that contain both terms. Its weights are those of
    the two documents, and of its four links: ``f`` by document and ``t_f`` by term, or None if
    each is 1, which is compiled to code of its own. Wedges u-v-w are visited only if u has a higher
    degree than v and w. This uses the shorter side of every edge and costs O(sum over the non-zeros
    of min(document frequency, document length)), so a few very frequent terms or very long
    documents do not increase the time much. Only the first terms of each document are used, as many
    as ``lengths`` says: these are the terms of ``t_indptr``. Documents are sorted by ``lengths``.
    To `clear` all counters for every document would be quadratic in the number of documents.
    ``common`` is memory for one number per document, all 0: the links that document u shares with
    each lower document.
    """
    n_docs = len(indptr) - 1
    n_terms = len(t_indptr) - 1

    shared = np.zeros(n_terms, weights.dtype)  # documents that term u shares with each lower term
    n_lower = 0  # documents that are lower than u: the first ones
    for u in range(n_terms):
        frequency = t_indptr[u + 1] - t_indptr[u]
        while n_lower < n_docs and lengths[n_lower] <= frequency:  # in a tie the term is higher
            n_lower += 1
        visits = 0
        butterflies = out.dtype.type(0)
        for a in range(t_indptr[u], t_indptr[u + 1]):
            doc = t_indices[a]
            if doc >= n_lower:
                break
            weight = weights[doc] if f is None else weights[doc] * t_f[a]
            for b in range(indptr[doc], indptr[doc + 1]):
                w = indices[b]
                if w >= u:
                    break
                before = shared[w]  # each forms a butterfly with the new document
                new = weight if f is None else weight * f[b]
                shared[w] = before + new
                visits += 1
                if before:  # often 0: do not touch more memory
                    butterflies += before * new
                    out[w] += before * new
        out[u] += butterflies
        clear(shared, visits, u, n_lower, t_indptr, t_indices, indptr, indices)

    n_lower = 0
    for u in range(n_docs):
        while n_lower < n_terms and t_indptr[n_lower + 1] - t_indptr[n_lower] < lengths[u]:
            n_lower += 1
        visits = 0
        for a in range(indptr[u], indptr[u + 1]):
            term = indices[a]
            if term >= n_lower:
                break
            for b in range(t_indptr[term], t_indptr[term + 1]):
                doc = t_indices[b]
                if doc >= u:
                    break
                common[doc] += 1 if f is None else f[a] * t_f[b]
                visits += 1
        if not visits:
            continue
        for a in range(indptr[u], indptr[u + 1]):
            term = indices[a]
            if term >= n_lower:
                break
            butterflies = out.dtype.type(0)
            for b in range(t_indptr[term], t_indptr[term + 1]):
                doc = t_indices[b]
                if doc >= u:
                    break
                own = 1 if f is None else f[a] * t_f[b]
                butterflies += weights[doc] * own * (common[doc] - own)  # not with the term itself
            out[term] += weights[u] * butterflies
        clear(common, visits, u, n_lower, indptr, indices, t_indptr, t_indices)


@compiled
def clear(counters, visits, u, n_lower, indptr, indices, t_indptr, t_indices):
    """Set the counters below u to zero: all of them, or one by one where few were visited."""
    if visits * STREAM > u:
        counters[:u] = 0
    elif visits:
        for a in range(indptr[u], indptr[u + 1]):
            if indices[a] >= n_lower:
                break
            for b in range(t_indptr[indices[a]], t_indptr[indices[a] + 1]):
                if t_indices[b] >= u:
                    break
                counters[t_indices[b]] = 0


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
    counter, touched = np.zeros(n_terms, np.int32), np.empty(n_terms, np.uint32)
    for i in range(n_terms):
        if t_indptr[i + 1] - t_indptr[i] == 1:
            continue  # it occurs with no term twice
        n_touched = 0
        for a in range(t_indptr[i], t_indptr[i + 1]):
            doc = t_indices[a]
            for b in range(indptr[doc + 1] - 1, indptr[doc] - 1, -1):
                k = indices[b]
                if k <= i:
                    break
                if counter[k] == 0:
                    touched[n_touched] = k
                    n_touched += 1
                counter[k] += 1
        for c in range(n_touched):
            k = touched[c]
            count = cubes.dtype.type(counter[k])
            counter[k] = 0
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
def walks_through_block(t_indptr, t_indices, block, first, p, square_sums, alpha):
    """Count walks from every term i to every document M of a block.

    With p_iM = sum of G_LM over the documents L of i: add the squares of (p_iM - df_i [M contains
    i]) to ``square_sums[i]`` and, where M contains i, store p_iM - df_i in ``alpha`` (aligned with
    ``t_indices``). ``p`` is memory for one number per document of the block.
    """
    width = block.shape[1]
    for i in range(len(t_indptr) - 1):
        df = t_indptr[i + 1] - t_indptr[i]
        add_rows(block, t_indices[t_indptr[i] : t_indptr[i + 1]], None, p)
        for a in range(t_indptr[i], t_indptr[i + 1]):
            j = t_indices[a] - first
            if 0 <= j < width:
                p[j] -= df
                alpha[a] = p[j]
        squares = square_sums.dtype.type(0)
        for j in range(width):
            squares += square_sums.dtype.type(p[j]) * square_sums.dtype.type(p[j])
        square_sums[i] += squares


@compiled
def paths_between_neighbors(pattern, neighbors, weights, same, f, G, first_doc, end, mid):
    """Add second-order paths whose ends occur together in M, per end and middle term.

    ``pattern`` and ``neighbors`` are the patterns of X and of M.

    Let b_ij = 1 where the terms i and j share a document of M, c = X'WX, f = X'w, G = XX', and

        Y_di = number of terms j of document d with b_ij = 1,    P = GWX',    C = YX

    Walks i-L-k-N-j, where j has b_ij = 1 and each term differs from the next, are

        end_i = sum_N w_N Y_Ni P_Ni - f_i sum over the documents N of i of w_N Y_Ni - sum_k c_ik f_k b_ik
        mid_k = sum over the documents N, L of k of w_N w_L C_NL - 2 f_k sum_N w_N Y_Nk

    Walks with L = N are subtracted: they were counted with the squared weight of L, and ``same`` is
    the part of this weight that is not a path. The documents N are those of a block: ``G`` has one
    column for each of them from ``first_doc`` on, and its rows are multiplied by w. Terms are taken
    in blocks of `WIDTH`, so that every step adds short dense rows. O(non-zeros * (terms +
    documents)), many at a time.
    """  # noqa: E501
    indptr, indices, t_indptr, t_indices = pattern
    m_indptr, m_indices, mt_indptr, mt_indices = neighbors
    n_docs, n_terms, width = len(indptr) - 1, len(t_indptr) - 1, G.shape[1]
    in_document = np.zeros(len(neighbors[0]) - 1, np.uint64)
    met = np.zeros(n_terms, np.uint64)
    b = np.zeros((n_terms, WIDTH), np.uint8)
    Y_doc = np.zeros(WIDTH, np.int32)
    Y = np.zeros((WIDTH, width), G.dtype)  # terms by documents
    C = np.zeros((n_docs, width), G.dtype)
    sums = np.zeros(width, end.dtype)
    chosen = np.empty(n_terms, np.uint32)
    inside = np.zeros(width, end.dtype)  # pairs of terms of each document with b = 1
    position = indptr[first_doc : first_doc + width].copy()  # of the first term of the next block

    for first in range(0, n_terms, WIDTH):
        last = min(first + WIDTH, n_terms)
        met[:] = 0  # the bits of met[j]: terms of the block that share a document of M with term j
        for i in range(first, last):
            for a in range(mt_indptr[i], mt_indptr[i + 1]):
                in_document[mt_indices[a]] |= ONE << np.uint64(i - first)
        for doc in range(len(in_document)):
            bits = in_document[doc]
            if bits:
                for a in range(m_indptr[doc], m_indptr[doc + 1]):
                    met[m_indices[a]] |= bits
                in_document[doc] = 0
        for i in range(first, last):
            met[i] &= ~(ONE << np.uint64(i - first))
        for j in range(n_terms):
            if met[j]:
                for i in range(WIDTH):
                    b[j, i] = (met[j] >> np.uint64(i)) & ONE

        for column in range(width):
            doc = first_doc + column
            n = 0
            all_f = f.dtype.type(0)
            for a in range(indptr[doc], indptr[doc + 1]):
                chosen[n] = indices[a]
                n += met[indices[a]] != 0
                all_f += f[indices[a]]
            add_rows(b, chosen[:n], None, Y_doc)
            for i in range(WIDTH):
                Y[i, column] = Y_doc[i]
            others = indptr[doc + 1] - indptr[doc] - 1
            while position[column] < indptr[doc + 1] and indices[position[column]] < last:
                i = indices[position[column]]
                position[column] += 1
                ends = end.dtype.type(Y_doc[i - first])
                onward = all_f - f[i]  # sum of f over the neighbors of i in this document
                if ends < others:  # never if M has this document
                    for a in range(indptr[doc], indptr[doc + 1]):
                        j = indices[a]
                        if j != i and not (met[j] and b[j, i - first]):
                            onward -= f[j]
                end[i] -= weights[doc] * (f[i] * ends + onward) + same[doc] * ends * (others - 1)
                mid[i] -= 2 * ends * (weights[doc] * f[i] - same[doc])
                inside[column] += ends

        for i in range(first, last):
            documents = t_indices[t_indptr[i] : t_indptr[i + 1]]
            Y_term = Y[i - first]
            add_rows(G, documents, None, sums)
            walks = end.dtype.type(0)
            for column in range(width):
                walks += weights[first_doc + column] * sums[column] * Y_term[column]
            end[i] += walks
            for doc in documents:
                C_doc = C[doc]
                for column in range(width):
                    C_doc[column] += Y_term[column]

    for doc in range(n_docs):
        for column in range(width):
            C[doc, column] *= weights[doc]
    for k in range(n_terms):
        documents = t_indices[t_indptr[k] : t_indptr[k + 1]]
        add_rows(C, documents, None, sums)
        for doc in documents:
            if first_doc <= doc < first_doc + width:
                column = doc - first_doc
                mid[k] += weights[doc] * sums[column] - same[doc] * inside[column]
