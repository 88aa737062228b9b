"""Compiled loops that count the paths whose ends occur together, which are not pure."""

import numpy as np

from honeybayes.paths._kernels import add_rows
from honeybayes.utils.compiling import compiled

WIDTH = 64  # terms in a block, one per bit
ONE = np.uint64(1)


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
