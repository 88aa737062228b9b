"""Measure how many unlabeled documents FewLabelsClassifier needs.

    python -m benchmarks.pool_size [--seeds 5]

Appends every finished fit to benchmarks/results/pool_size.jsonl, continues where it stopped, and
writes docs/results/pool-size.md. Requires the corpora of the papers, and three corpora of short
texts.
"""

import argparse
import time
from typing import Any

import numpy as np

from benchmarks.few_labels import (
    UNLABELED,
    Counts,
    Drawn,
    Problem,
    fit_ours,
    keep_frequent,
    label_some,
    metrics,
    widen,
)
from benchmarks.records import DOCS, RESULTS_FOLDER, append_record, random_for, read_records

RESULTS = RESULTS_FOLDER / "pool_size.jsonl"
PAGE = DOCS / "results" / "pool-size.md"
CORPORA = ("20news-18828", "ohscal", "agnews-test", "trec-questions", "sms-spam", "webkb4")
LABELS = (5, 25)  # per class
SIZES = (250, 500, 1000, 2000, 4000, 8000)
ALL = "all"
DRAWS = 5
MOST_TESTS, SHARE_OF_TESTS = 2000, 0.25

Size = int | str
Key = tuple[str, int, int, Size]


def draw(corpus: Drawn, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows of the pool, in random order, and of the test."""
    order = random_for("pool size", corpus.name, seed).permutation(len(corpus.labels))
    n_tests = min(MOST_TESTS, int(SHARE_OF_TESTS * len(order)))
    return order[n_tests:], order[:n_tests]


def set_task(
    corpus: Drawn, seed: int, labels: int, size: Size
) -> tuple[Problem, np.ndarray, np.ndarray]:
    """Return a problem, the labels of its pool, and which documents of the pool have none.

    Pools of all sizes have the same labels, and a smaller one is part of a larger one.
    """
    pool, test = draw(corpus, seed)
    names, classes = np.unique(corpus.labels, return_inverse=True)
    y = label_some(classes[pool], labels)
    unlabeled = np.flatnonzero(y == UNLABELED)[: None if size == ALL else int(size)]
    kept = np.union1d(np.flatnonzero(y != UNLABELED), unlabeled)
    rows = pool[kept]
    counts = tuple(
        keep_frequent(Counts(X[rows], X[test], terms, left_out))
        for X, terms, left_out in corpus.counts
    )
    return Problem(counts, classes[rows], classes[test], names), y[kept], unlabeled


def measure(corpus: Drawn, seed: int, labels: int, size: Size) -> dict[str, Any]:
    problem, y, unlabeled = set_task(corpus, seed, labels, size)
    start = time.process_time()
    model, counts = fit_ours(problem, y)
    seconds = time.process_time() - start
    proba = widen(model.classes_, model.predict_proba(counts.test), len(problem.names))
    return {
        "unlabeled": len(unlabeled),
        **metrics(proba, problem.tests),
        "expected": round(model.expected_accuracy_, 6),
        "cpu": round(seconds, 4),
    }


def key_of(record: dict[str, Any]) -> Key:
    return record["corpus"], record["labels"], record["seed"], record["size"]


def sizes_of(corpus: Drawn) -> tuple[Size, ...]:
    """Return the sizes of which the corpus has enough documents, and all."""
    n_pool = len(draw(corpus, 0)[0])
    most_labels = max(LABELS) * len(np.unique(corpus.labels))
    return (*(size for size in SIZES if size <= n_pool - most_labels), ALL)


def run(seeds: int) -> None:
    """Measure what is missing."""
    done = {key_of(record) for record in read_records(RESULTS)}
    with RESULTS.open("a", encoding="utf-8") as file:
        for name in CORPORA:
            corpus = Drawn(name)
            for seed in range(seeds):
                for labels in LABELS:
                    for size in sizes_of(corpus):
                        key = name, labels, seed, size
                        if key not in done:
                            names = dict(zip(("corpus", "labels", "seed", "size"), key, strict=True))
                            measured = measure(corpus, seed, labels, size)
                            append_record(file, {**names, **measured})
                print(f"{name}, draw {seed + 1} of {seeds}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=DRAWS)
    options = parser.parse_args()
    run(options.seeds)


if __name__ == "__main__":
    main()
