"""Counting paths against the paper's algorithm, and fitting against scikit-learn's BernoulliNB."""

import numpy as np
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import BernoulliNB

from benchmarks.measure import peak_bytes, report, seconds, times_as_long
from honeybayes import HigherOrderNB, HigherOrderSmoothingNB, SmoothedBernoulliNB
from honeybayes.paths import count_paths
from reproduction.corpora import load_corpus


def algorithm_2(X: np.ndarray) -> tuple[np.ndarray, float]:
    """honb-2009 Algorithm 2, every loop turned into a product of dense float64 matrices."""
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


def random_documents(
    n_documents: int, n_terms: int, length: int, seed: int = 0
) -> sparse.csr_array:
    """Documents of the same length whose words follow Zipf's law."""
    rng = np.random.default_rng(seed)
    chance = 1 / np.arange(10, n_terms + 10)
    rows = [
        rng.choice(n_terms, length, replace=False, p=chance / chance.sum())
        for _ in range(n_documents)
    ]
    indptr = np.arange(n_documents + 1) * length
    ones = np.ones(n_documents * length, np.int64)
    X = sparse.csr_array((ones, np.concatenate(rows), indptr), shape=(n_documents, n_terms))
    X.sort_indices()
    return X


def against_algorithm_2() -> None:
    rows = []
    for n_documents, bar in ((25, ""), (450, "at least 50"), (1000, "")):
        X = random_documents(n_documents, 2000, 60)
        dense = X.toarray().astype(float)
        counts, (per_term, total) = count_paths(X), algorithm_2(dense)
        np.testing.assert_array_equal(counts.per_term, per_term)
        assert counts.total == total
        ratio = times_as_long(lambda d=dense: algorithm_2(d), lambda x=X: count_paths(x))
        rows.append((f"{n_documents} documents, 2,000 terms, 60 a document", ratio, bar))
    report("Order 2: times faster than Algorithm 2 on BLAS", rows)


def against_bernoulli() -> None:
    try:
        corpus = load_corpus("20news-18828")
    except FileNotFoundError as error:
        print(f"\n20 Newsgroups left out: {error}")
        return
    vectorizer = CountVectorizer(token_pattern="[a-z]{2,}", min_df=3)
    X, y = vectorizer.fit_transform(corpus.documents), corpus.labels
    size = X.data.nbytes + X.indices.nbytes + X.indptr.nbytes
    documents, terms = X.shape
    print(f"\n20 Newsgroups: {documents:,} documents, {terms:,} terms, {size / 2**20:.0f} MiB")

    models = [
        ("SmoothedBernoulliNB", SmoothedBernoulliNB(), "", ""),
        ("HOS", HigherOrderSmoothingNB(), "at most 2.5", ""),
        ("HONB", HigherOrderNB(), "at most 15, goal 5", "at most 4"),
        ("HONB, order 3", HigherOrderNB(order=3), "at most 60, goal 25", ""),
    ]
    times, memory = [], []
    for name, model, time_bar, memory_bar in models:
        ratio = times_as_long(lambda m=model: m.fit(X, y), lambda: BernoulliNB().fit(X, y))
        times.append((f"{name}.fit", ratio, time_bar))
        memory.append((f"{name}.fit", peak_bytes(lambda m=model: m.fit(X, y)) / size, memory_bar))
    report("20 Newsgroups: time as a multiple of BernoulliNB.fit", times)
    report("20 Newsgroups: peak extra memory as a multiple of the input", memory)


def against_order_2() -> None:
    rows = []
    for n_documents in (25, 450):
        X = random_documents(n_documents, 2000, 60)
        order_2 = seconds(lambda x=X: count_paths(x))
        for name, arguments in (("order 3", (3,)), ("order 4", (4,)), ("pure", (2, True))):
            ratio = seconds(lambda x=X, a=arguments: count_paths(x, *a), 1) / order_2
            rows.append((f"{name}, {n_documents} documents, 2,000 terms, 60 a document", ratio, ""))
    report("Other counts: times slower than order 2", rows)


def main() -> None:
    against_algorithm_2()
    against_bernoulli()
    against_order_2()


if __name__ == "__main__":
    main()
