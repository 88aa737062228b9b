"""Compare HigherOrderTransformer with its definition on dense matrices."""

import numpy as np
from scipy import sparse
from sklearn.naive_bayes import BernoulliNB

from benchmarks.corpora import random_documents
from benchmarks.measure import peak_bytes, report, sparse_bytes, times_as_long
from benchmarks.speed_paths import algorithm_2
from honeybayes import HigherOrderTransformer


def dense_transformation(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Compute honb-2009 Eq. 8 and 10-12 on dense matrices; Algorithm 2 counts the paths."""
    present, absent = [], []
    for label in (0, 1):
        paths, total = algorithm_2(X[y == label])
        present.append(np.log((1 + paths) / (2 + total)))
        absent.append(np.log1p(-(1 + paths) / (2 + total)))
    ratio = np.where(X, present[1] - present[0], absent[1] - absent[0])
    return np.sign(ratio) * np.sqrt(np.abs(ratio))


def two_classes(n_documents: int, n_terms: int, length: int) -> tuple[sparse.csr_array, np.ndarray]:
    """Return `n_documents` per class, by Zipf's law; each class has other frequent terms."""
    first = random_documents(n_documents, n_terms, length, seed=0)
    second = random_documents(n_documents, n_terms, length, seed=1)
    turned = np.roll(np.arange(n_terms), n_terms // 10)
    X = sparse.csr_array(sparse.vstack([first, second[:, turned]]))
    return X, np.repeat([0, 1], n_documents)


def transformer_against_its_definition() -> None:
    rows = []
    for n_documents in (25, 450):
        X, y = two_classes(n_documents, 2000, 60)
        dense = X.toarray().astype(float)
        model = HigherOrderTransformer()
        np.testing.assert_allclose(
            model.fit_transform(X, y), dense_transformation(dense, y), rtol=1e-6, atol=1e-9
        )
        for absent in ("exact", "shifted"):
            model = HigherOrderTransformer(absent=absent)
            ratio = times_as_long(
                lambda d=dense, y=y: dense_transformation(d, y),
                lambda m=model, x=X, y=y: m.fit_transform(x, y),
            )
            rows.append((f"{absent}, 2 x {n_documents} documents, 2,000 terms", ratio, ""))
    report("HOSVM transformation, fit_transform: times faster than dense, Algorithm 2", rows)


def transformer_against_bernoulli() -> None:
    """Measure a size at which the dense definition would need 20 GB per matrix."""
    X, y = two_classes(1000, 50_000, 100)
    model = HigherOrderTransformer(absent="shifted")
    ratio = times_as_long(lambda: model.fit_transform(X, y), lambda: BernoulliNB().fit(X, y))
    memory = peak_bytes(lambda: model.fit_transform(X, y)) / sparse_bytes(X)
    rows = [("time, as a multiple of BernoulliNB.fit", ratio, "")]
    rows += [("peak extra memory, as a multiple of the input", memory, "")]
    report("shifted, 2 x 1,000 documents, 50,000 terms, 100 per document", rows)


def main() -> None:
    transformer_against_its_definition()
    transformer_against_bernoulli()


if __name__ == "__main__":
    main()
