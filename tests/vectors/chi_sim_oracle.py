"""The semantic kernel by the letter of ihosk-2014: matrices of terms by terms, entry by entry."""

import math

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


def weigh(D, new, weighting):
    """Equations 6 and 7 (with the sign of Dumais), term by term, for training and new documents."""
    N = len(D)

    def global_weight(column):
        n, total = sum(f > 0 for f in column), sum(column)
        if weighting == "tf-idf":
            return math.log(N / n) if n else 1.0
        p = [f / total for f in column if f]
        return 1 + sum(x * math.log(x) for x in p) / math.log(N)

    weights = [global_weight(column) for column in D.T.tolist()]
    local = math.log1p if weighting == "log-entropy" else float
    return [
        np.array([[local(f) * w for f, w in zip(row, weights, strict=True)] for row in X.tolist()])
        for X in (D, new)
    ]


def normalize_similarities(SC, kind):
    """Normalize the similarity matrix entry by entry, as section 3 words it."""
    S = np.zeros(SC.shape)
    for i in range(len(SC)):
        for j in range(len(SC)):
            row, column = SC[i].tolist(), SC[:, j].tolist()
            constant = math.isclose(max(column), min(column), rel_tol=1e-10)
            mean = sum(column) / len(column)
            if kind == "row":
                S[i, j] = divide(SC[i, j], max(row))
            elif kind == "column":
                S[i, j] = divide(SC[i, j], max(column))
            elif kind == "weight":
                S[i, j] = divide(SC[i, j], sum(abs(x) for x in row))
            elif kind == "complement":
                S[i, j] = sum(x for k, x in enumerate(column) if k != i)
            elif constant:
                S[i, j] = 0
            elif kind == "min-max":
                S[i, j] = (SC[i, j] - min(column)) / (max(column) - min(column))
            elif kind == "z-score":
                spread = math.sqrt(sum((x - mean) ** 2 for x in column) / len(column))
                S[i, j] = (SC[i, j] - mean) / spread
    return S
