"""Compare fit and refit of FewLabelsClassifier on 9,000 texts with logistic regression.

    python -m benchmarks.speed_few_labels [--turns 3]

The baseline gets all labels. The three calls take turns; times are CPU times of one process. Run
it with OMP_NUM_THREADS=1, so that only one thread works.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.linear_model import LogisticRegression

from benchmarks.corpora import counts_of, skip_if_missing
from benchmarks.few_labels import MIN_DF, UNLABELED, label_some
from benchmarks.measure import report
from benchmarks.records import random_for
from honeybayes import FewLabelsClassifier

CORPUS = "20news-18828"
N_DOCUMENTS = 9_000
LABELS, MORE_LABELS = 5, 5  # per class, and in all


def cpu_seconds(call: Callable[[], Any]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def measure(turns: int, n_documents: int = N_DOCUMENTS) -> None:
    X, labels = counts_of(CORPUS, MIN_DF)
    rows = random_for("speed of few labels").permutation(len(labels))[:n_documents]
    X, truth = X[rows], np.unique(labels[rows], return_inverse=True)[1]
    y = label_some(truth, LABELS)
    more = y.copy()
    new = np.flatnonzero(y == UNLABELED)[:MORE_LABELS]
    more[new] = truth[new]
    x = TfidfTransformer(sublinear_tf=True).fit_transform(X)
    times: dict[str, list[float]] = {"fit": [], "refit": [], "baseline": []}
    for _ in range(turns):
        cold = FewLabelsClassifier(unlabeled=UNLABELED)
        # not a copy: copies forget what a warm start needs
        again = FewLabelsClassifier(unlabeled=UNLABELED, warm_start=True).fit(X, y)
        baseline = LogisticRegression(C=10, max_iter=1000)
        times["fit"].append(cpu_seconds(lambda model=cold: model.fit(X, more)))
        times["refit"].append(cpu_seconds(lambda model=again: model.fit(X, more)))
        times["baseline"].append(cpu_seconds(lambda model=baseline: model.fit(x, truth)))
    median = {name: statistics.median(values) for name, values in times.items()}
    same = np.mean(cold.predict(X) == again.predict(X))
    correct = [100 * np.mean(model.predict(X) == truth) for model in (again, cold)]
    rows = [
        ("fit, with its confidence", median["fit"] / median["baseline"], "at most 0.5", 0.2),
        ("refit after five more labels", median["refit"] / median["baseline"], "at most 0.05"),
        ("% of equal predictions of refit and fit", 100 * same, "at least 99.5"),
        ("accuracy of refit minus fit, in points", correct[0] - correct[1], "within .2"),
        ("CPU seconds of a refit", median["refit"], "", 1),
    ]
    title = f"FewLabelsClassifier, {n_documents:,} texts of 20 Newsgroups, 20 classes"
    report(f"{title}: times LogisticRegression(C=10) with all labels", rows)


def main(turns: int = 3) -> None:
    with skip_if_missing(CORPUS):
        measure(turns)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=3)
    main(parser.parse_args().turns)
