"""Compare fit and refit of FewLabelsClassifier on 9,000 texts with logistic regression.

    python -m benchmarks.speed_few_labels [--turns 3]

The baseline gets all labels. The three calls take turns; times are CPU times of one process. Run
it with OMP_NUM_THREADS=1, so that only one thread works. The answers of the refit are compared with
those of a cold fit to the same labels.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from functools import partial
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
    times: dict[str, list[float]] = {"fit": [], "refit": [], "baseline": []}
    same, gains = [], []
    for turn in range(turns):  # each with other texts and other labels
        rows = random_for("speed of few labels", turn).permutation(len(labels))[:n_documents]
        counts, truth = X[rows], np.unique(labels[rows], return_inverse=True)[1]
        x = TfidfTransformer(sublinear_tf=True).fit_transform(counts)
        y = label_some(truth, LABELS)
        # not a copy: copies forget what a warm start needs
        again = FewLabelsClassifier(unlabeled=UNLABELED, warm_start=True).fit(counts, y)
        cold, baseline = FewLabelsClassifier(unlabeled=UNLABELED), LogisticRegression(C=10)
        baseline.set_params(max_iter=1000)
        new = np.flatnonzero(y == UNLABELED)[:MORE_LABELS]
        y[new] = truth[new]
        times["refit"].append(cpu_seconds(partial(again.fit, counts, y)))
        times["fit"].append(cpu_seconds(partial(cold.fit, counts, y)))
        times["baseline"].append(cpu_seconds(partial(baseline.fit, x, truth)))
        found, expected = again.predict(counts), cold.predict(counts)
        same.append(100 * np.mean(found == expected))
        gains.append(100 * (np.mean(found == truth) - np.mean(expected == truth)))
    median = {name: statistics.median(values) for name, values in times.items()}
    report(
        f"FewLabelsClassifier, {n_documents:,} texts of 20 Newsgroups, 20 classes: times "
        "LogisticRegression(C=10) with all labels",
        [
            ("fit, with its confidence", median["fit"] / median["baseline"], "at most 0.5", 0.2),
            ("refit after five more labels", median["refit"] / median["baseline"], "at most 0.05"),
            ("CPU seconds of a refit", median["refit"], "", 1),
        ],
    )
    report(
        "Answers of the refit, compared with a cold fit: the worst of all turns",
        [
            ("% of equal predictions", min(same), "at least 99.5"),
            ("difference in accuracy, points", max(map(abs, gains)), "at most 0.2"),
        ],
    )


def main(turns: int = 3) -> None:
    with skip_if_missing(CORPUS):
        measure(turns)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=3)
    main(parser.parse_args().turns)
