"""Compare counting paths with the paper's algorithm, and fitting with BernoulliNB."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from joblib import parallel_config
from scipy import sparse
from sklearn.naive_bayes import BernoulliNB

from benchmarks.corpora import newsgroup_counts, random_documents, skip_if_missing
from benchmarks.growth import exponent
from benchmarks.measure import peak_bytes, report, seconds, sparse_bytes, times_as_long
from honeybayes import HigherOrderNB, HigherOrderSmoothingNB, SmoothedBernoulliNB
from honeybayes.paths import count_paths


def algorithm_2(X: np.ndarray) -> tuple[np.ndarray, float]:
    """Run Algorithm 2 of honb-2009, with products of dense float64 matrices as loops."""
    lengths = X.sum(axis=1)
    A = X.T @ X
    np.fill_diagonal(A, 0)
    same_document = (X.T * (lengths - 2)) @ X
    ends = A @ A - same_document
    np.fill_diagonal(ends, 0)
    r = (lengths - 1) * (lengths - 2) / 2
    column_sums = A.sum(axis=0)
    middle = column_sums**2 - (A * np.cumsum(A, axis=0)).sum(axis=0) - r @ X
    return ends.sum(axis=0) + middle, ends.sum() / 2


def against_algorithm_2() -> None:
    rows = []
    for n_documents, bar in ((25, ""), (450, "at least 50"), (1000, "")):
        X = random_documents(n_documents, 2000, 60)
        dense = X.toarray().astype(float)
        counts, (per_term, total) = count_paths(X), algorithm_2(dense)
        np.testing.assert_array_equal(counts.per_term, per_term)
        assert counts.total == total
        ratio = times_as_long(lambda d=dense: algorithm_2(d), lambda x=X: count_paths(x))
        rows.append((f"{n_documents} documents, 2,000 terms, 60 per document", ratio, bar))
    report("Order 2: times faster than Algorithm 2 on BLAS", rows)


@skip_if_missing("20 Newsgroups")
def against_bernoulli() -> None:
    X, y, _ = newsgroup_counts()
    size = sparse_bytes(X)
    documents, terms = X.shape
    print(f"\n20 Newsgroups: {documents:,} documents, {terms:,} terms, {size / 2**20:.0f} MiB")

    # name, model, repeats, bars of time and of memory
    models = [
        ("SmoothedBernoulliNB", SmoothedBernoulliNB(), 9, "", ""),
        ("HOS", HigherOrderSmoothingNB(), 9, "at most 2.5", ""),
        ("HONB", HigherOrderNB(), 9, "at most 4", "at most 4"),
        ("HONB, order 3", HigherOrderNB(order=3), 5, "at most 20", "at most 4"),
        ("HONB, pure in the class", HigherOrderNB(pure="class"), 1, "at most 100", "at most 4"),
        ("HONB, pure in the corpus", HigherOrderNB(pure="corpus"), 1, "at most 100", "at most 4"),
    ]
    times, memory = [], []
    for name, model, repeats, time_bar, memory_bar in models:
        pair = (lambda m=model: m.fit(X, y), lambda: BernoulliNB().fit(X, y))
        ratio = times_as_long(*pair, repeats, clock=time.process_time)
        times.append((f"{name}.fit", ratio, time_bar))
        memory.append((f"{name}.fit", peak_bytes(lambda m=model: m.fit(X, y)) / size, memory_bar))
    report("20 Newsgroups, one core: time as a multiple of BernoulliNB.fit", times)
    report("20 Newsgroups: peak extra memory as a multiple of the input", memory)
    pair = (lambda: HigherOrderNB().fit(X, y), lambda: BernoulliNB().fit(X, y))
    with parallel_config("threading", n_jobs=2):
        ratio = times_as_long(*pair, 30, summary=min)
    what = "20 Newsgroups, two cores: time as a multiple of BernoulliNB.fit"
    report(what, [("HONB.fit", ratio, "at most 2.5")])


@skip_if_missing("20 Newsgroups")
def frequencies_against_presence() -> None:
    X, y, _ = newsgroup_counts()
    parts = [X[y == c] for c in np.unique(y)]

    def count(frequencies: bool) -> None:
        for part in parts:
            count_paths(part, frequencies=frequencies)

    clock = time.process_time
    paths = times_as_long(lambda: count(True), lambda: count(False), 7, clock)
    rows = [("count_paths, all classes", paths, "at most 2")]
    for name, model in (("HONB", HigherOrderNB), ("HOS", HigherOrderSmoothingNB)):
        weighted, binary = model(frequencies="counts"), model()
        pair = (lambda m=weighted: m.fit(X, y), lambda m=binary: m.fit(X, y))
        rows.append((f"{name}.fit", times_as_long(*pair, 7, clock), "at most 2"))
    report("20 Newsgroups, term frequencies: time as a multiple of presence", rows)


def against_order_2() -> None:
    rows = []
    for n_documents in (25, 450):
        X = random_documents(n_documents, 2000, 60)
        order_2 = seconds(lambda x=X: count_paths(x))
        for name, arguments in (("order 3", (3,)), ("pure", (2, True))):
            ratio = seconds(lambda x=X, a=arguments: count_paths(x, *a), 1) / order_2
            what = f"{name}, {n_documents} documents, 2,000 terms, 60 per document"
            rows.append((what, ratio, ""))
    report("Other counts: times slower than order 2", rows)


def sparse_documents(n_documents: int) -> sparse.csr_array:
    """Return documents of 20 words, by Zipf's law; there are as many terms as documents."""
    words = n_documents ** np.random.default_rng(0).random((n_documents, 20))
    rows = np.repeat(np.arange(n_documents), 20)
    entries = (np.ones(len(rows), np.int64), (rows, words.astype(np.int64).ravel() - 1))
    return sparse.coo_array(entries, shape=(n_documents, n_documents)).tocsr()


def growth_with_documents() -> None:
    sizes = [25_000, 50_000, 100_000, 200_000, 400_000]
    times = np.empty((len(sizes), 2))
    non_zeros = []
    for row, n_documents in enumerate(sizes):
        X = sparse_documents(n_documents)
        non_zeros.append(X.nnz)
        calls = (lambda x=X: count_paths(x), lambda x=X: x.tocsc())
        for call in calls:
            call()  # compiles
        taken = [[cpu_time(call) for call in calls] for _ in range(5)]
        times[row] = np.min(taken, axis=0)
    counted, transposed = (exponent(non_zeros, column, len(sizes)) for column in times.T)
    rows = [("count_paths", counted, ""), ("tocsc, which reads each non-zero once", transposed, "")]
    report("25,000 to 400,000 documents of 20 words: exponent of time, by non-zeros", rows)
    ratios = times[:, 0] / times[:, 1]
    rows = [(f"{n:,} documents", ratio, "") for n, ratio in zip(sizes, ratios, strict=True)]
    report("The same: times as long as transposing the matrix", rows)


def cpu_time(call: Callable[[], Any]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def main() -> None:
    against_algorithm_2()
    against_bernoulli()
    frequencies_against_presence()
    against_order_2()
    growth_with_documents()


if __name__ == "__main__":
    main()
