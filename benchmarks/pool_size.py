"""Measure how many unlabeled documents FewLabelsClassifier needs.

    python -m benchmarks.pool_size [--seeds 3]

Appends every finished fit to benchmarks/results/pool_size.jsonl, continues where it stopped, and
writes docs/results/pool-size.md and its picture. Requires matplotlib (the extra ``report``), the
corpora of the papers, and three corpora of short texts.
"""

import argparse
import time
from collections.abc import Iterator
from contextlib import nullcontext
from functools import cache
from typing import Any, NamedTuple
from unittest import mock

import numpy as np
from scipy import sparse

from benchmarks.corpora import SHORT_TEXTS, counts_and_terms
from benchmarks.few_labels import MIN_DF, UNLABELED, Counts, keep_frequent, label_some, metrics
from benchmarks.few_labels import widen as add_classes
from benchmarks.records import DOCS, RESULTS_FOLDER, append_record, random_for, read_records
from honeybayes import FewLabelsClassifier
from honeybayes.semisupervised import few_labels
from honeybayes.word_choice import OPENING

RESULTS = RESULTS_FOLDER / "pool_size.jsonl"
PAGE = DOCS / "results" / "pool-size.md"
CORPORA = ("20news-18828", "ohscal", "agnews-test", "trec-questions", "sms-spam", "webkb4")
LABELS = (5, 25)  # per class
SIZES = (250, 500, 1000, 2000, 4000, 8000)
ALL = "all"
DRAWS = 3
MOST_TESTS, SHARE_OF_TESTS = 2000, 0.25

# What learns from a part of the pool: there are no other documents; all steps do, except for the
# repeats, the idf and the evidence (max_pool); only the students do.
CURVE, SAMPLE, STUDENTS = "other documents do not exist", "max_pool", "students only"
COMPARED, COMPARED_SIZES = "20news-18828", (1000, 2000, 4000, 8000)

Size = int | str


class Task(NamedTuple):
    """One fit; ``size`` is the number of unlabeled documents."""

    corpus: str
    labels: int
    seed: int
    method: str
    size: Size


@cache
def load(name: str) -> tuple[sparse.csr_array, np.ndarray]:
    """Return counts, in short texts with stop words, and classes as numbers."""
    options = {"stop_words": name not in SHORT_TEXTS, "opening": OPENING}
    X, labels, _ = counts_and_terms(name, MIN_DF, **options)
    return X, np.unique(labels, return_inverse=True)[1]


def draw(name: str, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows of the pool and of the test, in random order."""
    n_documents = len(load(name)[1])
    order = random_for("pool size", name, seed).permutation(n_documents)
    n_tests = min(MOST_TESTS, int(SHARE_OF_TESTS * n_documents))
    return order[n_tests:], order[:n_tests]


def tasks(seeds: int) -> Iterator[Task]:
    """Yield all of them; a pool is not larger than the corpus allows."""
    for seed in range(seeds):
        for name in CORPORA:
            classes = load(name)[1]
            most = len(draw(name, seed)[0]) - max(LABELS) * (classes.max() + 1)
            for labels in LABELS:
                for size in (*(size for size in SIZES if size <= most), ALL):
                    yield Task(name, labels, seed, CURVE, size)
        for labels in LABELS:
            for size in COMPARED_SIZES:
                for method in (SAMPLE, STUDENTS):
                    yield Task(COMPARED, labels, seed, method, size)


def measure(task: Task) -> dict[str, Any]:
    """Fit and predict. Pools of all sizes have the same labels; a smaller one is part of a larger.

    A term must occur in two documents of the pool.
    """
    X, classes = load(task.corpus)
    pool, test = draw(task.corpus, task.seed)
    y = label_some(classes[pool], task.labels)
    unlabeled = np.flatnonzero(y == UNLABELED)
    if task.method == CURVE and task.size != ALL:
        unlabeled = unlabeled[: int(task.size)]
        kept = np.union1d(np.flatnonzero(y != UNLABELED), unlabeled)
        pool, y = pool[kept], y[kept]
    counts = keep_frequent(Counts(X[pool], X[test], None, None))
    most = int(task.size) if task.method == SAMPLE else None
    model = FewLabelsClassifier(unlabeled=UNLABELED, max_pool=most)
    start = time.process_time()
    with students_on_sample(int(task.size)) if task.method == STUDENTS else nullcontext():
        model.fit(counts.pool, y)
    seconds = time.process_time() - start
    proba = add_classes(model.classes_, model.predict_proba(counts.test), classes.max() + 1)
    return {
        "unlabeled": len(unlabeled),
        **metrics(proba, classes[test]),
        "expected": round(model.expected_accuracy_, 6),
        "cpu": round(seconds, 4),
    }


def students_on_sample(size: int) -> Any:
    """Let EM learn from all documents, and the students from a random sample of them."""
    teach = few_labels.teach_students

    def teach_some(views: Any, weights: Any, labels: Any, guesses: Any, **options: Any) -> Any:
        pool = np.flatnonzero(~labels.known)
        chosen = np.sort(np.random.default_rng(0).permutation(len(pool))[:size])
        rows = np.union1d(np.flatnonzero(labels.known), pool[chosen])
        some = [type(view)(view.x[rows]) for view in views]
        return teach(some, weights, labels.take(rows), guesses[chosen], **options)

    return mock.patch.object(few_labels, "teach_students", teach_some)


def run(seeds: int) -> None:
    """Measure what is missing."""
    done = {Task(*(record[name] for name in Task._fields)) for record in read_records(RESULTS)}
    with RESULTS.open("a", encoding="utf-8") as file:
        for task in tasks(seeds):
            if task not in done:
                append_record(file, {**task._asdict(), **measure(task)})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=DRAWS)
    options = parser.parse_args()
    run(options.seeds)


if __name__ == "__main__":
    main()
