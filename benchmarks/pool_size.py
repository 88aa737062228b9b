"""Measure how many unlabeled documents FewLabelsClassifier needs.

    python -m benchmarks.pool_size [--seeds 5]

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

from benchmarks.corpora import SHORT_TEXTS, counts_of
from benchmarks.few_labels import MIN_DF, UNLABELED, Counts, keep_frequent, label_some, metrics
from benchmarks.few_labels import widen as add_classes
from benchmarks.pictures import make_svg_repeatable, save_picture
from benchmarks.records import (
    DOCS,
    RESULTS_FOLDER,
    append_record,
    random_for,
    read_records,
    table_head,
    table_row,
    write_page,
)
from honeybayes import FewLabelsClassifier
from honeybayes.semisupervised import few_labels

RESULTS = RESULTS_FOLDER / "pool_size.jsonl"
PAGE = DOCS / "results" / "pool-size.md"
CORPORA = ("20news-18828", "ohscal", "agnews-test", "trec-questions", "sms-spam", "webkb4")
LABELS = (5, 25)  # per class
SIZES = (250, 500, 1000, 2000, 4000, 8000)
ALL = "all"
DRAWS = 5
MOST_TESTS, SHARE_OF_TESTS = 2000, 0.25

# What learns from a part of the pool: there are no other documents; all steps do, except for the
# repeats, the idf and the evidence (max_pool); only the students do.
CURVE, SAMPLE, STUDENTS = "other documents do not exist", "max_pool", "students only"
# guesses that count less, with the whole pool
LESS_WEIGHT, WEIGHT = "lower guess_weight", 0.03
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
    X, labels = counts_of(name, MIN_DF, stop_words=name not in SHORT_TEXTS)
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
                yield Task(name, labels, seed, LESS_WEIGHT, ALL)
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
    if task.method == LESS_WEIGHT:
        model._settings = model._settings._replace(guess_weight=WEIGHT)
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

    def teach_some(views: Any, labels: Any, guesses: Any, *more: Any) -> Any:
        pool = np.flatnonzero(~labels.known)
        chosen = np.sort(np.random.default_rng(0).permutation(len(pool))[:size])
        rows = np.union1d(np.flatnonzero(labels.known), pool[chosen])
        some = [type(view)(view.x[rows]) for view in views]
        return teach(some, labels.take(rows), guesses[chosen], *more)

    return mock.patch.object(few_labels, "teach_students", teach_some)


def read_results() -> dict[Task, dict[str, Any]]:
    return {Task(*(r[name] for name in Task._fields)): r for r in read_records(RESULTS)}


def run(seeds: int) -> None:
    """Measure what is missing."""
    done = read_results()
    with RESULTS.open("a", encoding="utf-8") as file:
        for task in tasks(seeds):
            if task not in done:
                append_record(file, {**task._asdict(), **measure(task)})


class Table:
    """Means over the draws."""

    def __init__(self, results: dict[Task, dict[str, Any]], seeds: int) -> None:
        self.results, self.seeds = results, range(seeds)

    def mean(self, corpus: str, labels: int, method: str, size: Size, metric: str) -> float:
        """Return NaN if the corpus has no pool of this size."""
        tasks = [Task(corpus, labels, seed, method, size) for seed in self.seeds]
        return float(np.mean([self.results.get(task, {}).get(metric, np.nan) for task in tasks]))

    def curve(self, corpus: str, labels: int, metric: str) -> list[float]:
        """Return the means by size of the pool."""
        return [self.mean(corpus, labels, CURVE, size, metric) for size in (*SIZES, ALL)]

    def cost(self, corpus: str, labels: int) -> list[float]:
        """Return CPU times as multiples of that of the smallest pool."""
        times = self.curve(corpus, labels, "cpu")
        return [each / times[0] for each in times]


def cells(values: list[float], form: str) -> list[str]:
    return ["" if np.isnan(value) else form.format(value) for value in values]


def by_corpus(table: Table, labels: int, what: str, form: str) -> list[str]:
    """Return a row per corpus."""
    lines = table_head("corpus", ["all, documents", *(f"{size:,}" for size in SIZES), ALL])
    for name in CORPORA:
        number = f"{table.mean(name, labels, CURVE, ALL, 'unlabeled'):,.0f}"
        if what == "cpu":
            values = table.cost(name, labels)
        else:
            scale = 100 if what == "accuracy" else 1
            values = [scale * value for value in table.curve(name, labels, what)]
        lines.append(table_row([name, number, *cells(values, form)]))
    return lines


def comparison(table: Table, labels: int) -> list[str]:
    """Return a row per way to use a part of the pool, for one corpus."""
    columns = [f"{metric} {size:,}" for metric in ("acc", "ECE", "time") for size in COMPARED_SIZES]
    lines = table_head("learns from a part", columns)
    names = {CURVE: "all steps; no other documents", SAMPLE: "`max_pool`", STUDENTS: "the students"}
    unit = table.mean(COMPARED, labels, CURVE, ALL, "cpu")
    for method, name in names.items():
        values: list[str] = []
        for metric, scale, form in (
            ("accuracy", 100, "{:.1f}"),
            ("ece", 1, "{:.3f}"),
            ("cpu", 1 / unit, "{:.2f}"),
        ):
            found = [table.mean(COMPARED, labels, method, s, metric) for s in COMPARED_SIZES]
            values += cells([scale * value for value in found], form)
        lines.append(table_row([name, *values]))
    return lines


def by_weight(table: Table) -> list[str]:
    """Return the accuracy on the whole pool with the default weight of a guess and a lower one."""
    default = FewLabelsClassifier._settings.guess_weight
    columns = [f"{labels} labels, {w:g}" for labels in LABELS for w in (default, WEIGHT)]
    lines = table_head("corpus", columns)
    for name in CORPORA:
        values = [
            100 * table.mean(name, labels, method, ALL, "accuracy")
            for labels in LABELS
            for method in (CURVE, LESS_WEIGHT)
        ]
        lines.append(table_row([name, *cells(values, "{:.1f}")]))
    return lines


def draw_curves(table: Table) -> None:
    from matplotlib.figure import Figure

    make_svg_repeatable(**{"font.size": 9})
    figure = Figure(figsize=(9, 3.8), layout="constrained")
    for axes, labels in zip(figure.subplots(1, len(LABELS), sharey=True), LABELS, strict=True):
        for name in CORPORA:
            sizes = [*SIZES, table.mean(name, labels, CURVE, ALL, "unlabeled")]
            accuracy = [100 * value for value in table.curve(name, labels, "accuracy")]
            points = [p for p in zip(sizes, accuracy, strict=True) if not np.isnan(p[1])]
            axes.plot(*zip(*points, strict=True), "o-", ms=4, lw=1.5, label=name)
        axes.set_xscale("log")
        ticks = (*SIZES, 16000)
        axes.set_xticks(ticks, [f"{size:,}" for size in ticks])
        axes.minorticks_off()
        axes.set_xlabel("unlabeled documents")
        axes.set_title(f"{labels} labels per class", fontsize=10)
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(alpha=0.25)
    figure.axes[0].set_ylabel("accuracy, %")
    figure.axes[1].legend(frameon=False, fontsize=8, loc="lower right")
    save_picture(figure, "pool-size")


INTRODUCTION = """\
# How large must the pool be?

Written by `python -m benchmarks.pool_size` (it continues where it stopped); do not edit by hand.

`FewLabelsClassifier` learns from n labels per class and from pools of different sizes. Mean of
{seeds} draws. A quarter of a corpus, at most {tests:,} documents, is the test; the others are the
pool, in random order. All pools of a draw have the same labels, and a smaller pool is part of a
larger one. A term must occur in two documents of the pool. Texts lose their stop words, but short
texts keep them (AG News, TREC questions, SMS). ECE is the expected calibration error in 15 equal
bins.

![Accuracy by number of unlabeled documents](../images/pool-size.svg)
"""

COMPARISON = """\
## A sample for all steps, or for the students only

{corpus}, all documents are in the pool. `max_pool` lets the experts, the students and the
confidence learn from a sample; repeats and idf come from all documents. The other way keeps EM on
all documents, and samples only for the logistic regressions. Time is CPU time of `fit` as a
multiple of that on the whole pool.
"""


WEIGHTS = """\
## A lower weight of guesses

The accuracy with the whole pool, by `guess_weight`. In a large pool, guesses may outweigh labels.
"""


def page(table: Table) -> str:
    lines = [INTRODUCTION.format(seeds=len(table.seeds), tests=MOST_TESTS)]
    for labels in LABELS:
        lines += [f"## {labels} labels per class", ""]
        for title, what, form in (
            ("Accuracy, by unlabeled documents:", "accuracy", "{:.1f}"),
            ("Expected calibration error:", "ece", "{:.3f}"),
            ("CPU time of `fit`, as a multiple of that with the smallest pool:", "cpu", "{:.1f}"),
        ):
            lines += [title, "", *by_corpus(table, labels, what, form), ""]
    lines += [COMPARISON.format(corpus=COMPARED)]
    for labels in LABELS:
        lines += [f"{labels} labels per class:", "", *comparison(table, labels), ""]
    lines += [WEIGHTS, *by_weight(table), ""]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=DRAWS)
    options = parser.parse_args()
    run(options.seeds)
    table = Table(read_results(), options.seeds)
    draw_curves(table)
    write_page(PAGE, page(table))


if __name__ == "__main__":
    main()
