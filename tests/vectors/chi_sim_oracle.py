"""The semantic kernel by the letter of ihosk-2014: matrices of terms by terms, entry by entry."""

import numpy as np


def divide(a, b):
    return a / b if b else 0.0


def similarity_of_terms(D, n_iter, unit_diagonal=False):
    """SC after n_iter iterations of Equations 4 and 5, the latter with D' SR D."""
    n_documents, n_terms = D.shape
    lengths, totals = D.sum(axis=1), D.sum(axis=0)
    SR, SC = np.eye(n_documents), np.eye(n_terms)
    for _ in range(n_iter):
        of_documents, of_terms = D @ SC @ D.T, D.T @ SR @ D
        SR = np.array(
            [
                [
                    divide(of_documents[i, j], lengths[i] * lengths[j])  # Equation 4, with NR
                    for j in range(n_documents)
                ]
                for i in range(n_documents)
            ]
        )
        SC = np.array(
            [
                [divide(of_terms[i, j], totals[i] * totals[j]) for j in range(n_terms)]  # with NC
                for i in range(n_terms)
            ]
        )
        if unit_diagonal:
            np.fill_diagonal(SR, 1)
            np.fill_diagonal(SC, 1)
    return SC


def kernel(A, B, SC, normalize="length"):
    """Equation 8 for each pair of documents; Equation 10 with lengths."""
    K = np.zeros((len(A), len(B)))
    for i, a in enumerate(A):
        for j, b in enumerate(B):
            K[i, j] = a @ SC @ SC.T @ b
            if normalize == "length":
                K[i, j] = divide(K[i, j], a.sum() * b.sum())
    return K
