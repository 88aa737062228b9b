"""Compare FewLabelsClassifier with a logistic regression that gets all labels."""

from functools import partial
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from benchmarks.corpora import counts_of, skip_if_missing
from benchmarks.few_labels import MIN_DF, UNLABELED, label_some
from benchmarks.measure import peak_bytes, report, seconds, sparse_bytes, times_as_long
from honeybayes import FewLabelsClassifier

LABELS = 5
CORPORA = ("oh0", "re0", "cora-7", "science")


def supervised() -> Any:
    """Return the baseline, which also starts from counts."""
    return make_pipeline(TfidfTransformer(sublinear_tf=True), LogisticRegression(C=10))


def against_all_labels() -> None:
    rows = []
    for name in CORPORA:
        with skip_if_missing(name):
            X, labels = counts_of(name, MIN_DF)
            truth = np.unique(labels, return_inverse=True)[1]
            y = label_some(truth, LABELS)
            ours, theirs = FewLabelsClassifier(unlabeled=UNLABELED), supervised()
            ratio = times_as_long(partial(ours.fit, X, y), partial(theirs.fit, X, truth), 3)
            what = f"{name}: {X.shape[0]:,} documents, {len(set(labels))} classes"
            rows.append((what, ratio, "at most 10"))
    report("FewLabelsClassifier.fit / LogisticRegression(C=10).fit with all labels", rows)


def topics(n_documents: int, n_terms: int = 5000, n_classes: int = 10) -> Any:
    """Return documents of about sixty words, half of them from a tenth of the vocabulary."""
    random = np.random.default_rng(0)
    truth = np.arange(n_documents) % n_classes
    everywhere = random.integers(0, n_terms, (n_documents, 30))
    own = random.integers(0, n_terms // n_classes, (n_documents, 30)) * n_classes + truth[:, None]
    columns = np.hstack([everywhere, own]).ravel()
    rows = np.repeat(np.arange(n_documents), 60)
    shape = (n_documents, n_terms)
    return sparse.coo_array((np.ones(len(rows)), (rows, columns)), shape=shape).tocsr(), truth


def growth() -> None:
    """Measure how time and memory grow with four times as many documents."""
    times, peaks = [], []
    for n_documents in (2_000, 8_000):
        X, truth = topics(n_documents)
        y = label_some(truth, LABELS)
        fit = partial(FewLabelsClassifier(unlabeled=UNLABELED).fit, X, y)
        times.append(seconds(fit, 3))
        peaks.append(peak_bytes(fit) / sparse_bytes(X))
    rows = [
        ("time, four times the non-zeros", times[1] / times[0], "linear: 4"),
        ("peak extra memory as a multiple of the input", peaks[1], ""),
    ]
    report("FewLabelsClassifier.fit, 2,000 and 8,000 documents of sixty words", rows)


def main() -> None:
    against_all_labels()
    growth()


if __name__ == "__main__":
    main()
