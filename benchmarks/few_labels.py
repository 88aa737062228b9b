"""Measure what unlabeled documents add to few labels, under the clean protocol.

    python -m benchmarks.few_labels [--seeds 10] [--group first] [--fresh]

Appends every finished run (corpus, labels, seed, model) to benchmarks/results/few_labels.jsonl,
continues where it stopped, and writes docs/results/few-labels.md. Requires the corpora of the
papers, and three corpora of short texts.
"""

import argparse
import json
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from scipy.special import softmax
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.preprocessing import normalize

from benchmarks.corpora import SHORT_TEXTS, counts_and_terms
from benchmarks.records import (
    DOCS,
    N_BINS,
    RESULTS_FOLDER,
    append_record,
    bin_of,
    bold_best,
    random_for,
    read_records,
    table_head,
    table_row,
    write_page,
)
from honeybayes import FewLabelsClassifier, HigherOrderNB, HigherOrderSmoothingNB, make_model
from honeybayes.classifier.choices import LONG

RESULTS = RESULTS_FOLDER / "few_labels.jsonl"
PAGE = DOCS / "results" / "few-labels.md"

GROUPS = {
    "first": ("religion", "science", "politics", "comp", "oh0", "oh5", "re0", "cora-7"),
    "short": SHORT_TEXTS,
    # la1 and la2 are left out because they repeat la1s and la2s
    "second": (
        *("20news-18828", "webkb4", "1150haber", "citeseer", "fbis", "la1s", "la2s"),
        *("oh10", "oh15", "ohscal", "re1", "wap"),
    ),
}
SIZES = (5, 10, 25)  # labels per class
RANDOM = {n: f"{n} at random" for n in (15, 30, 60, 120)}  # labels in all
REPEATS = "5 with repeats"  # labels per class; some texts of the pool occur many times
N_REPEATED, N_COPIES = 5, 60
DRAWS = 10
MOST_DOCUMENTS = 1500  # in the pool, and in the test
MIN_DF = 2
LR = "LogisticRegression-tfidf"
SUPERVISED = (LR, "LinearSVC-tfidf", "ComplementNB-tfidf")
OURS, EM, LSA = "FewLabels", "EM-NB-tfidf", "LSA+LR"
OF_PAPERS = ("HOS+pool", "HOS-alpha0+pool", "HONB+guesses")
MODELS = (OURS, *SUPERVISED, EM, LSA, *OF_PAPERS)
METRICS = ("accuracy", "macro_f1", "ece", "log_loss")
UNLABELED = -1
EM_ROUNDS = 10

Labels = int | str  # a number of SIZES, a value of RANDOM, or REPEATS


def models_for(group: str, labels: Labels) -> tuple[str, ...]:
    if labels == REPEATS:
        return (OURS,) if group != "second" else ()
    if labels in RANDOM.values():
        return OURS, LR
    return tuple(m for m in MODELS if group != "short" or m not in OF_PAPERS)


ALL_LABELS: tuple[Labels, ...] = (*SIZES, *RANDOM.values(), REPEATS)


class Counts(NamedTuple):
    """Counts of pool and test, the terms of the columns if known, and the stop words left out."""

    pool: sparse.csr_array
    test: sparse.csr_array
    terms: np.ndarray | None
    stop_words: Any


@dataclass
class Problem:
    """Counts, classes of pool and test as numbers, and the names of the classes.

    A test document has class -1, and cannot be predicted, if the pool has no document of its class.
    ``counts`` are those without stop words. If the corpus is published as texts, those with stop
    words follow: `TextClassifier` chooses from the two.
    """

    counts: tuple[Counts, ...]
    classes: np.ndarray
    tests: np.ndarray
    names: np.ndarray

    @cached_property
    def on_axes(self) -> tuple[np.ndarray, ...]:
        """Pool and test projected by the singular value decomposition of the pool."""
        pool, test, *_ = self.counts[0]
        tfidf = TfidfTransformer(sublinear_tf=True).fit(pool)
        axes = TruncatedSVD(100, random_state=0).fit(tfidf.transform(pool))
        return tuple(normalize(axes.transform(tfidf.transform(part))) for part in (pool, test))

    def take(self, rows: np.ndarray) -> "Problem":
        """Return the same problem with other rows in the pool."""
        counts = tuple(each._replace(pool=each.pool[rows]) for each in self.counts)
        return Problem(counts, self.classes[rows], self.tests, self.names)


class Drawn:
    """A corpus from which problems are drawn."""

    def __init__(self, name: str, stop_words: Any = True) -> None:
        self.name, self.counts = name, []
        for left_out in (stop_words, False):
            X, self.labels, terms = counts_and_terms(name, MIN_DF, stop_words=left_out)
            if self.counts and X.shape == self.counts[0][0].shape:
                break  # published as counts
            self.counts.append((X, terms, left_out))

    def draw(self, seed: int) -> Problem:
        """Return the pool and the test of one draw."""
        order = random_for("few labels", self.name, seed).permutation(len(self.labels))
        half = len(order) // 2
        pool, test = order[:half][:MOST_DOCUMENTS], order[half:][:MOST_DOCUMENTS]
        names, classes = np.unique(self.labels[pool], return_inverse=True)
        position = {label: number for number, label in enumerate(names)}
        tests = np.array([position.get(label, UNLABELED) for label in self.labels[test]])
        counts = tuple(
            keep_frequent(Counts(X[pool], X[test], terms, left_out))
            for X, terms, left_out in self.counts
        )
        return Problem(counts, classes, tests, names)


def keep_frequent(counts: Counts) -> Counts:
    """Keep the terms of at least two documents of the pool."""
    pool, test, terms, left_out = counts
    kept = np.flatnonzero(np.bincount(pool.indices, minlength=pool.shape[1]) >= MIN_DF)
    return Counts(pool[:, kept], test[:, kept], None if terms is None else terms[kept], left_out)


def label_some(classes: np.ndarray, size: int) -> np.ndarray:
    """Label the first documents of each class; the pool is in random order."""
    y = np.full(len(classes), UNLABELED)
    for c in np.unique(classes):
        rows = np.flatnonzero(classes == c)
        y[rows[: max(1, min(size, len(rows) // 2))]] = c
    return y


def label_first(classes: np.ndarray, size: int) -> np.ndarray:
    """Label the first documents, or more until there are two classes."""
    second = int(np.flatnonzero(classes != classes[0])[0])
    number = max(size, second + 1)
    return np.where(np.arange(len(classes)) < number, classes, UNLABELED)


def set_task(problem: Problem, labels: Labels, *purpose: str | int) -> tuple[Problem, np.ndarray]:
    """Return the problem, with repeats if asked for, and the labels of its pool."""
    for number, name in RANDOM.items():
        if labels == name:
            return problem, label_first(problem.classes, number)
    if labels != REPEATS:
        return problem, label_some(problem.classes, int(labels))
    y = label_some(problem.classes, 5)
    repeated = random_for("repeats", *purpose).choice(np.flatnonzero(y < 0), N_REPEATED, False)
    rows = np.concatenate([np.arange(len(y)), np.repeat(repeated, N_COPIES)])
    return problem.take(rows), y[rows]


def counts_for(problem: Problem) -> Counts:
    """Return the counts that TextClassifier would use: short texts keep their stop words."""
    with_all = problem.counts[-1]
    is_short = np.median(with_all.pool.sum(axis=1)) <= LONG
    return with_all if is_short else problem.counts[0]


def fit_ours(
    problem: Problem, y: np.ndarray, **settings: Any
) -> tuple[FewLabelsClassifier, Counts]:
    counts, model = counts_for(problem), FewLabelsClassifier(unlabeled=UNLABELED)
    model._settings = model._settings._replace(**settings)
    return model.fit(counts.pool, y), counts


def plain_em(pool: Any, y: np.ndarray, test: Any) -> np.ndarray:
    """Return probabilities of EM with naive Bayes on tf-idf; an unlabeled document counts 0.3."""
    tfidf = TfidfTransformer(sublinear_tf=True)
    x, is_label = tfidf.fit_transform(pool), np.unique(y[y != UNLABELED]) == y[:, np.newaxis]
    votes = is_label.astype(float)
    for _ in range(1 + EM_ROUNDS):
        weight, size = x.T @ votes + 0.01, 1 + votes.sum(axis=0)
        coef, intercept = np.log(weight / weight.sum(axis=0)), np.log(size / size.sum())
        guesses = softmax(x @ coef + intercept, axis=1)
        votes = np.where(is_label.any(axis=1, keepdims=True), is_label, 0.3 * guesses)
    return softmax(tfidf.transform(test) @ coef + intercept, axis=1)


def probabilities(model: Any, test: Any) -> np.ndarray:
    if hasattr(model, "predict_proba"):
        return model.predict_proba(test)
    # LinearSVC: these are not real probabilities
    scores = model.decision_function(test)
    return softmax(np.column_stack([-scores, scores]) if scores.ndim == 1 else scores, axis=1)


def answers(
    problem: Problem, y: np.ndarray, models: set[str]
) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Yield each model's classes, and its probabilities for the test documents."""
    has_label = y >= 0
    known = np.unique(y[has_label])
    pool, test, *_ = problem.counts[0]
    labeled = pool[has_label]
    if OURS in models:
        ours, counts = fit_ours(problem, y)
        yield OURS, known, ours.predict_proba(counts.test)
    # terms without a labeled document get weight zero; fits are faster without them
    seen = np.flatnonzero(np.bincount(labeled.indices, minlength=labeled.shape[1]))
    for name in models & set(SUPERVISED):
        columns = seen if name == LR else slice(None)
        model = make_model(name).fit(labeled[:, columns], y[has_label])
        yield name, known, probabilities(model, test[:, columns])
    if EM in models:
        yield EM, known, plain_em(pool, y, test)
    if LSA in models:
        of_pool, of_test = problem.on_axes
        model = LogisticRegression(C=10, max_iter=1000).fit(of_pool[has_label], y[has_label])
        yield LSA, known, model.predict_proba(of_test)
    for name, alpha in (("HOS+pool", 1.0), ("HOS-alpha0+pool", 0.0)):
        if name in models:
            model = HigherOrderSmoothingNB(alpha=alpha, unlabeled=UNLABELED).fit(pool, y)
            yield name, known, model.predict_proba(test)
    if "HONB+guesses" in models:
        ours, counts = fit_ours(problem, y)
        guessed = np.where(has_label, y, ours.predict(counts.pool))
        yield "HONB+guesses", known, HigherOrderNB().fit(pool, guessed).predict_proba(test)


def widen(known: np.ndarray, proba: np.ndarray, n_classes: int) -> np.ndarray:
    """Add columns of zeros for classes without a label."""
    wide = np.zeros((len(proba), n_classes))
    wide[:, known] = proba
    return wide


def reliability(proba: np.ndarray, truth: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return number of documents, sum of confidence and number of right predictions per bin."""
    confidence, right = proba.max(axis=1), proba.argmax(axis=1) == truth
    weights = (np.ones(len(truth)), confidence, right)
    return tuple(np.bincount(bin_of(confidence), each, N_BINS) for each in weights)


def metrics(proba: np.ndarray, truth: np.ndarray) -> dict[str, float]:
    answer = proba.argmax(axis=1)
    _, confidence, right = reliability(proba, truth)
    known = truth >= 0
    of_truth = proba[known, truth[known]]
    values = {
        "accuracy": np.mean(answer == truth),
        "macro_f1": f1_score(truth, answer, labels=np.unique(truth[known]), average="macro"),
        "ece": np.abs(confidence - right).sum() / len(truth),
        "log_loss": -np.mean(np.log(np.maximum(of_truth, 1e-15))),
    }
    return {name: round(float(value), 6) for name, value in values.items()}


Key = tuple[str, Labels, int, str]


def key_of(record: dict[str, Any]) -> Key:
    return record["corpus"], record["labels"], record["seed"], record["model"]


def read_results() -> dict[Key, dict[str, Any]]:
    return {key_of(record): record for record in read_records(RESULTS)}


def run(group: str, seeds: int) -> None:
    """Measure what is missing."""
    results = read_results()
    with RESULTS.open("a", encoding="utf-8") as file:
        for name in GROUPS[group]:
            missing = {}
            for seed in range(seeds):
                for labels in ALL_LABELS:
                    models = set(models_for(group, labels))
                    wanted = {m for m in models if (name, labels, seed, m) not in results}
                    if wanted:
                        missing.setdefault(seed, {})[labels] = wanted
            corpus = Drawn(name) if missing else None
            for seed, tasks in missing.items():
                drawn = corpus.draw(seed)
                n_classes = int(drawn.classes.max()) + 1
                for labels, models in tasks.items():
                    problem, y = set_task(drawn, labels, name, seed)
                    for model, known, proba in answers(problem, y, models):
                        record = {"corpus": name, "labels": labels, "seed": seed, "model": model}
                        measured = metrics(widen(known, proba, n_classes), drawn.tests)
                        append_record(file, {**record, **measured})
                print(f"{name}, draw {seed + 1} of {seeds}", flush=True)


class Table:
    """Means of a metric over the draws, and over the corpora of a group."""

    def __init__(self, results: dict[Key, dict[str, Any]], seeds: int) -> None:
        self.results, self.seeds = results, range(seeds)

    def has(self, group: str, labels: tuple[Labels, ...]) -> bool:
        """Return True if everything was measured, and there is something to measure."""
        keys = [
            (name, each, seed, model)
            for each in labels
            for model in models_for(group, each)
            for name in GROUPS[group]
            for seed in self.seeds
        ]
        return bool(keys) and all(key in self.results for key in keys)

    def corpus(self, name: str, labels: Labels, model: str, metric: str = "accuracy") -> float:
        """Return the mean over the draws."""
        return float(np.mean([self.results[name, labels, s, model][metric] for s in self.seeds]))

    def group(self, group: str, labels: Labels, model: str, metric: str = "accuracy") -> float:
        """Return the mean over the corpora of a group."""
        return float(np.mean([self.corpus(c, labels, model, metric) for c in GROUPS[group]]))

    def worst(self, group: str, labels: Labels, rival: str) -> tuple[str, float]:
        """Return the corpus with the lowest gain over a rival, and the gain in points."""
        gains = {
            name: self.corpus(name, labels, OURS) - self.corpus(name, labels, rival)
            for name in GROUPS[group]
        }
        name = min(gains, key=gains.__getitem__)
        return name, 100 * gains[name]

    def gain(self, group: str, labels: Labels, rival: str) -> float:
        """Return the gain over a rival in points, on the mean of a group."""
        return 100 * (self.group(group, labels, OURS) - self.group(group, labels, rival))


def row(what: str, values: list[float], form: str = "{:+.1f}") -> str:
    return table_row([what, *(form.format(value) for value in values)])


def worst_row(table: Table, group: str, labels: tuple[Labels, ...], what: str) -> str:
    cells = [table.worst(group, each, LR) for each in labels]
    return table_row([what, *(f"{gain:+.1f} ({name})" for name, gain in cells)])


def equal_bars(table: Table, group: str) -> list[str]:
    lines = table_head("", [f"{size} labels" for size in SIZES])
    best = [max(SUPERVISED, key=lambda m, s=s: table.group(group, s, m)) for s in SIZES]
    gains = [table.gain(group, size, model) for size, model in zip(SIZES, best, strict=True)]
    lines.append(row("above the best supervised model", gains))
    for rival in (EM, LSA):
        lines.append(row(f"above {rival}", [table.gain(group, s, rival) for s in SIZES]))
    errors = [table.group(group, size, OURS, "ece") for size in SIZES]
    lines.append(row("expected calibration error (bar at 5: .08)", errors, "{:.3f}"))
    lines.append(worst_row(table, group, SIZES, f"worst corpus, compared with {LR}"))
    if "trec-questions" in GROUPS[group]:
        found = [table.corpus("trec-questions", size, OURS) for size in SIZES]
        lines.append(row("accuracy on trec-questions (bar at 5: .47)", found, "{:.3f}"))
    return lines


def random_bars(table: Table, group: str) -> list[str]:
    labels = tuple(RANDOM.values())
    lines = table_head("", [f"{number} labels" for number in RANDOM])
    for model in (OURS, LR):
        values = [100 * table.group(group, each, model) for each in labels]
        lines.append(row(f"accuracy of {model}", values, "{:.1f}"))
    what = f"worst corpus, compared with {LR} (bar -2)"
    lines.append(worst_row(table, group, labels, what))
    falls = ["-"]
    for more in range(1, len(labels)):
        change = {}
        for name in GROUPS[group]:
            before = max(table.corpus(name, fewer, OURS) for fewer in labels[:more])
            change[name] = 100 * (table.corpus(name, labels[more], OURS) - before)
        name = min(change, key=change.__getitem__)
        falls.append(f"{change[name]:+.1f} ({name})")
    what = "least change from the best accuracy with fewer labels (bar -3)"
    return [*lines, table_row([what, *falls])]


def random_by_corpus(table: Table, group: str) -> list[str]:
    columns = [f"{model}, {n}" for n in RANDOM for model in (OURS, LR)]
    lines = table_head("corpus", columns)
    for name in GROUPS[group]:
        cells: list[str] = []
        for labels in RANDOM.values():
            values = [100 * table.corpus(name, labels, model) for model in (OURS, LR)]
            cells += bold_best(values)
        lines.append(table_row([name, *cells]))
    return lines


def repeats(table: Table, group: str) -> list[str]:
    lines = table_head("corpus", [OURS, f"{OURS}, repeats"])
    for name in GROUPS[group]:
        values = [table.corpus(name, n, OURS) for n in (5, REPEATS)]
        lines.append(row(name, [100 * value for value in values], "{:.1f}"))
    return lines


def means(table: Table, group: str) -> list[str]:
    columns = [f"{metric} {size}" for size in SIZES for metric in ("acc", "F1", "ECE", "log-loss")]
    lines = table_head("model", columns)
    for model in models_for(group, SIZES[0]):
        cells = []
        for size in SIZES:
            value = {metric: table.group(group, size, model, metric) for metric in METRICS}
            cells += [f"{100 * value['accuracy']:.1f}", f"{100 * value['macro_f1']:.1f}"]
            if model == "LinearSVC-tfidf":
                cells += ["-", "-"]  # its scores are not probabilities
            else:
                cells += [f"{value['ece']:.3f}", f"{value['log_loss']:.2f}"]
        lines.append(table_row([model, *cells]))
    return lines


def by_corpus(table: Table, group: str, size: int) -> list[str]:
    models = models_for(group, size)
    lines = table_head("corpus", models)
    for name in GROUPS[group]:
        values = [100 * table.corpus(name, size, model) for model in models]
        lines.append(table_row([name, *bold_best(values)]))
    return lines


INTRODUCTION = """\
# Few labels and a pool of unlabeled documents

Written by `python -m benchmarks.few_labels` (it continues where it stopped; `--fresh` measures
{ours} again); do not edit by hand.

**Clean protocol**, mean of {seeds} draws. The documents of a corpus are in random order, in their
natural mix of classes: half are the pool (at most 1,500), half the test (at most 1,500). A term
must occur in two documents of the pool. n documents per class have labels, but at most half of the
documents of the class in the pool, and at least one. The other documents of the pool are unlabeled.
Supervised models learn from the labeled documents only, the others from the whole pool. Every model
has one setting for all corpora.

The defaults of `FewLabelsClassifier` ({ours}) are chosen on the corpora of the page "Defaults, with
and without". Corpora of counts, among them re0, re1, fbis, wap, la1s, ohscal, oh0, Cora and WebKB,
were looked at meanwhile.

Texts: {ours} keeps the stop words of short texts, as `TextClassifier` does. The other models get
the words without stop words.

{em} is EM started from the labels only: ten rounds, estimated priors, no regression. {lsa} is a
logistic regression (C = 10) on the pool projected on 100 axes of its singular value decomposition
and scaled to unit length. HOS+pool is `HigherOrderSmoothingNB` with unlabeled documents as first
documents of paths. HONB+guesses is `HigherOrderNB` on the labels and on predictions of
`FewLabelsClassifier` for the pool (at commit 57a11b2). ECE is the expected calibration error of the
predicted class in 15 equal bins.

**Random labels**: the first 15, 30, 60 or 120 documents of the pool have labels, and more if these
are all of one class. Some classes may have no label.

**Repeats**: five unlabeled documents of the pool occur 61 times instead of once.
"""


def page(results: dict[Key, dict[str, Any]], seeds: int) -> str:
    table = Table(results, seeds)
    lines = [INTRODUCTION.format(seeds=seeds, ours=OURS, em=EM, lsa=LSA)]
    for group, names in GROUPS.items():
        lines += [f"## The {group} group: {', '.join(names)}", ""]
        if table.has(group, SIZES):
            lines += [*equal_bars(table, group), ""]
        if table.has(group, tuple(RANDOM.values())):
            lines += ["Random labels:", "", *random_bars(table, group), ""]
            lines += [*random_by_corpus(table, group), ""]
        if (names[0], REPEATS, 0, OURS) in results and table.has(group, (5, REPEATS)):
            lines += ["Repeats, 5 labels per class (bar: 1 point):", "", *repeats(table, group), ""]
        if table.has(group, SIZES):
            lines += ["Means over its corpora, by labels per class:", "", *means(table, group), ""]
            for size in SIZES:
                title = f"Accuracy with {size} labels per class:"
                lines += [title, "", *by_corpus(table, group, size), ""]
        if not lines[-2].startswith("|"):
            lines += ["Not measured yet.", ""]
    return "\n".join(lines)


def forget(groups: list[str]) -> None:
    """Delete the records of FewLabels for the corpora of these groups."""
    corpora = {name for group in groups for name in GROUPS[group]}
    kept = [r for r in read_records(RESULTS) if r["model"] != OURS or r["corpus"] not in corpora]
    RESULTS.write_text("".join(json.dumps(r) + "\n" for r in kept), encoding="utf-8", newline="\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=DRAWS)
    parser.add_argument("--group", choices=GROUPS, action="append", help="all by default")
    parser.add_argument("--fresh", action="store_true", help=f"measure {OURS} again")
    options = parser.parse_args()
    groups = options.group or list(GROUPS)
    if options.fresh:
        forget(groups)
    warnings.simplefilter("ignore")  # about classes without paths
    for group in groups:
        run(group, options.seeds)
    write_page(PAGE, page(read_results(), options.seeds))


if __name__ == "__main__":
    main()
