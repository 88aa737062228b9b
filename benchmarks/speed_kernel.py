"""Compare the semantic kernel with one product of matrices, and with its dense definition."""

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.corpora import random_documents
from benchmarks.measure import peak_bytes, report, times_as_long
from honeybayes import IterativeHigherOrderKernel, LSIKNeighborsClassifier


def by_definition(D: np.ndarray, n_iter: int) -> np.ndarray:
    """Compute Equations 4, 5, 8 and 10 with dense term-by-term matrices."""
    lengths, totals = D.sum(axis=1, keepdims=True), D.sum(axis=0, keepdims=True)
    lengths[lengths == 0], totals[totals == 0] = np.inf, np.inf
    SR, SC = np.eye(len(D)), np.eye(D.shape[1])
    for _ in range(n_iter):
        SR, SC = D @ SC @ D.T / (lengths * lengths.T), D.T @ SR @ D / (totals * totals.T)
    features = D @ SC / lengths
    return features @ features.T


def fit_and_kernel(X: Any, n_iter: int) -> Callable[[], np.ndarray]:
    model = IterativeHigherOrderKernel(n_iter=n_iter)
    return lambda: model.fit(X).kernel(X)


def against_one_product() -> None:
    X = random_documents(1000, 50_000, 100)
    square = np.random.default_rng(0).random((1000, 1000))
    rows = []
    for n_iter in (1, 2, 3, 5):
        ratio = times_as_long(fit_and_kernel(X, n_iter), lambda: square @ square, 11)
        what = f"n_iter={n_iter}, fit and kernel, times one product of 1,000 x 1,000"
        rows.append((what, ratio, "at most 25"))
    for n_iter in (2, 5):
        gigabytes = peak_bytes(fit_and_kernel(X, n_iter)) / 1e9
        rows.append((f"n_iter={n_iter}, peak memory in GB", gigabytes, "below 1.5"))
    labels = np.arange(1000) % 4
    latent = LSIKNeighborsClassifier()
    ratio = times_as_long(lambda: latent.fit(X, labels), lambda: square @ square, 3)
    rows.append(("LSIKNeighborsClassifier.fit, times one product", ratio, ""))
    report("1,000 documents, 50,000 terms, 100 terms per document", rows)


def against_the_definition() -> None:
    rows = []
    for n_documents in (100, 1000):
        X = random_documents(n_documents, 2000, 60)
        dense = X.toarray().astype(float)
        ratio = times_as_long(lambda d=dense: by_definition(d, 2), fit_and_kernel(X, 2), 3)
        what = f"{n_documents:,} documents, 2,000 terms: times faster than the definition"
        rows.append((what, ratio, ""))
    report("Two iterations, compared with term-by-term matrices", rows)


def main() -> None:
    against_one_product()
    against_the_definition()


if __name__ == "__main__":
    main()
