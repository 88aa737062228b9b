"""Measure what unlabeled documents add to few labels, under the clean protocol.

    python -m benchmarks.few_labels [--seeds 10] [--group first]

Appends every finished run (corpus, labels, seed, model) to benchmarks/results/few_labels.jsonl,
continues where it stopped, and writes docs/results/few-labels.md. Requires the corpora of the
papers.
"""

import argparse
import warnings
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from scipy.special import softmax
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.preprocessing import normalize

from benchmarks.corpora import counts_of
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

RESULTS = RESULTS_FOLDER / "few_labels.jsonl"
PAGE = DOCS / "results" / "few-labels.md"

GROUPS = {
    # the defaults were chosen on these
    "first": ("religion", "science", "politics", "comp", "oh0", "oh5", "re0", "cora-7"),
    # and not on these; la1 and la2 are left out because they repeat la1s and la2s
    "second": (
        *("20news-18828", "webkb4", "1150haber", "citeseer", "fbis", "la1s", "la2s"),
        *("oh10", "oh15", "ohscal", "re1", "wap"),
    ),
}
SIZES = (5, 10, 25)
DRAWS = 10
FIRST_DRAWS = 5  # run before the others
MOST_DOCUMENTS = 1500  # in the pool, and in the test
MIN_DF = 2
SUPERVISED = ("LogisticRegression-tfidf", "LinearSVC-tfidf", "ComplementNB-tfidf")
OURS, EM, LSA = "FewLabels", "EM-NB-tfidf", "LSA+LR"
MODELS = (OURS, *SUPERVISED, EM, LSA, "HOS+pool", "HOS-alpha0+pool", "HONB+guesses")
METRICS = ("accuracy", "macro_f1", "ece", "log_loss")
UNLABELED = -1


class Problem(NamedTuple):
    """Counts and classes, as numbers, of a pool and a test.

    A test document has class -1, and cannot be predicted, if the pool has no document of its class.
    ``on_axes`` is pool and test projected by the singular value decomposition of the pool.
    """

    pool: sparse.csr_array
    test: sparse.csr_array
    classes: np.ndarray
    tests: np.ndarray
    on_axes: tuple[np.ndarray, np.ndarray]


def draw(X: sparse.csr_array, labels: np.ndarray, name: str, seed: int) -> Problem:
    order = random_for("few labels", name, seed).permutation(len(labels))
    half = len(order) // 2
    pool, test = order[:half][:MOST_DOCUMENTS], order[half:][:MOST_DOCUMENTS]
    in_pool = X[pool]
    frequent = np.flatnonzero(np.bincount(in_pool.indices, minlength=X.shape[1]) >= MIN_DF)
    known, classes = np.unique(labels[pool], return_inverse=True)
    position = {label: number for number, label in enumerate(known)}
    tests = np.array([position.get(label, UNLABELED) for label in labels[test]])
    both = in_pool[:, frequent], X[test][:, frequent]
    tfidf = TfidfTransformer(sublinear_tf=True).fit(both[0])
    axes = TruncatedSVD(100, random_state=0).fit(tfidf.transform(both[0]))
    on_axes = tuple(normalize(axes.transform(tfidf.transform(part))) for part in both)
    return Problem(*both, classes, tests, on_axes)


def label_some(classes: np.ndarray, size: int) -> np.ndarray:
    """Label the first documents of each class; the pool is in random order."""
    y = np.full(len(classes), UNLABELED)
    for c in np.unique(classes):
        rows = np.flatnonzero(classes == c)
        y[rows[: max(1, min(size, len(rows) // 2))]] = c
    return y


def probabilities(model: Any, test: Any) -> np.ndarray:
    if hasattr(model, "predict_proba"):
        return model.predict_proba(test)
    # LinearSVC: these are not real probabilities
    scores = model.decision_function(test)
    return softmax(np.column_stack([-scores, scores]) if scores.ndim == 1 else scores, axis=1)


def answers(problem: Problem, size: int, models: set[str]) -> Iterator[tuple[str, np.ndarray]]:
    """Yield each model's probabilities for the test documents."""
    y = label_some(problem.classes, size)
    has_label = y >= 0
    labeled, pool, test = problem.pool[has_label], problem.pool, problem.test
    ours = FewLabelsClassifier(unlabeled=UNLABELED).fit(pool, y)
    if OURS in models:
        yield OURS, ours.predict_proba(test)
    # terms without a labeled document get weight zero; fits are faster without them
    seen = np.flatnonzero(np.bincount(labeled.indices, minlength=labeled.shape[1]))
    for name in models & set(SUPERVISED):
        columns = seen if name == "LogisticRegression-tfidf" else slice(None)
        model = make_model(name).fit(labeled[:, columns], y[has_label])
        yield name, probabilities(model, test[:, columns])
    if EM in models:
        plain = FewLabelsClassifier(
            unlabeled=UNLABELED, walk=0, n_rounds=10, prior_shrinkage=0, n_students=0
        )
        yield EM, plain.fit(pool, y).predict_proba(test)
    if LSA in models:
        of_pool, of_test = problem.on_axes
        model = LogisticRegression(C=10, max_iter=1000).fit(of_pool[has_label], y[has_label])
        yield LSA, model.predict_proba(of_test)
    for name, alpha in (("HOS+pool", 1.0), ("HOS-alpha0+pool", 0.0)):
        if name in models:
            model = HigherOrderSmoothingNB(alpha=alpha, unlabeled=UNLABELED).fit(pool, y)
            yield name, model.predict_proba(test)
    if "HONB+guesses" in models:
        guessed = np.where(has_label, y, ours.predict(pool))
        yield "HONB+guesses", HigherOrderNB().fit(pool, guessed).predict_proba(test)


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


Key = tuple[str, int, int, str]


def read_results() -> dict[Key, dict[str, Any]]:
    records = read_records(RESULTS)
    return {(r["corpus"], r["labels"], r["seed"], r["model"]): r for r in records}


def run(corpora: tuple[str, ...], seeds: int) -> None:
    results = read_results()
    with RESULTS.open("a", encoding="utf-8") as file:
        for name in corpora:
            missing = {
                (size, seed): {m for m in MODELS if (name, size, seed, m) not in results}
                for seed in range(seeds)
                for size in SIZES
            }
            if not any(missing.values()):
                continue
            X, labels = counts_of(name, MIN_DF)
            for seed in range(seeds):
                if not any(missing[size, seed] for size in SIZES):
                    continue
                problem = draw(X, labels, name, seed)
                for size in SIZES:
                    for model, proba in answers(problem, size, missing[size, seed]):
                        record = {"corpus": name, "labels": size, "seed": seed, "model": model}
                        append_record(file, {**record, **metrics(proba, problem.tests)})
                print(f"{name}, draw {seed + 1} of {seeds}", flush=True)


class Table:
    """Means of a metric over the draws, and over the corpora of a group."""

    def __init__(self, results: dict[Key, dict[str, Any]], seeds: int) -> None:
        self.results, self.seeds = results, range(seeds)

    def corpus(self, name: str, size: int, model: str, metric: str = "accuracy") -> float:
        """Return the mean over the draws."""
        return float(np.mean([self.results[name, size, s, model][metric] for s in self.seeds]))

    def group(self, group: str, size: int, model: str, metric: str = "accuracy") -> float:
        """Return the mean over the corpora of a group."""
        return float(np.mean([self.corpus(c, size, model, metric) for c in GROUPS[group]]))


def bars(table: Table, group: str) -> list[str]:
    lines = table_head("", [f"{size} labels" for size in SIZES])

    def row(what: str, values: list[float], form: str = "{:+.2f}") -> None:
        lines.append(table_row([what, *(form.format(value) for value in values)]))

    ours = {size: table.group(group, size, OURS) for size in SIZES}
    best = {size: max(table.group(group, size, m) for m in SUPERVISED) for size in SIZES}
    row("above the best supervised model (bar 8, 5, 2)", [100 * (ours[s] - best[s]) for s in SIZES])
    for rival in (EM, LSA):
        gains = [100 * (ours[s] - table.group(group, s, rival)) for s in SIZES]
        row(f"above {rival} (bar 1.5, goal 2)", gains)
    errors = [table.group(group, s, OURS, "ece") for s in SIZES]
    row("expected calibration error (bar .10 at 5, goal .08)", errors, "{:.3f}")
    worst, names = [], []
    for size in SIZES:
        gain = {
            name: table.corpus(name, size, OURS) - table.corpus(name, size, SUPERVISED[0])
            for name in GROUPS[group]
        }
        names.append(min(gain, key=gain.__getitem__))
        worst.append(100 * gain[names[-1]])
    row(
        f"worst corpus, compared with LogisticRegression ({', '.join(names)}; bar -4, goal -2)",
        worst,
    )
    return lines


def means(table: Table, group: str) -> list[str]:
    columns = [f"{metric} {size}" for size in SIZES for metric in ("acc", "F1", "ECE", "log-loss")]
    lines = table_head("model", columns)
    for model in MODELS:
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
    lines = table_head("corpus", MODELS)
    for name in GROUPS[group]:
        values = [100 * table.corpus(name, size, model) for model in MODELS]
        lines.append(table_row([name, *bold_best(values)]))
    return lines


INTRODUCTION = """\
# Few labels and a pool of unlabeled documents

Written by `python -m benchmarks.few_labels` (it continues where it stopped; `--fresh` measures
again); do not edit by hand.

**Clean protocol**, mean of {seeds} draws. The documents of a corpus are in random order, in their
natural mix of classes: half are the pool (at most 1,500), half the test (at most 1,500). A term
must occur in two documents of the pool. n documents per class have labels, but at most half of the
documents of the class in the pool, and at least one. The other documents of the pool are unlabeled.
Supervised models learn from the labeled documents only, the others from the whole pool. Every model
has one setting for all corpora.

The defaults of `FewLabelsClassifier` ({ours}) were chosen on the first group and committed before
the second group was run. Nothing was changed after that.

{em} is the same EM, started from the labels only: ten rounds, estimated priors, no regression.
{lsa} is a logistic regression (C = 10) on the pool projected on 100 axes of its singular value
decomposition and scaled to unit length. HOS+pool is `HigherOrderSmoothingNB` with unlabeled
documents as first documents of paths. HONB+guesses is `HigherOrderNB` on the labels and on the
predictions of {ours} for the pool. ECE is the expected calibration error of the predicted class in
15 equal bins.
"""


def page(results: dict[Key, dict[str, Any]], seeds: int) -> str:
    table = Table(results, seeds)
    lines = [INTRODUCTION.format(seeds=seeds, ours=OURS, em=EM, lsa=LSA)]
    for group, names in GROUPS.items():
        complete = all(
            (name, size, seed, model) in results
            for name in names
            for size in SIZES
            for seed in range(seeds)
            for model in MODELS
        )
        if not complete:
            continue
        lines += [f"## The {group} group: {', '.join(names)}", "", *bars(table, group), ""]
        if seeds > FIRST_DRAWS:
            first = bars(Table(results, FIRST_DRAWS), group)
            lines += [f"Draws 1 to {FIRST_DRAWS} only, which were run first:", "", *first, ""]
        lines += ["Means over its corpora, by labels per class:", "", *means(table, group), ""]
        for size in SIZES:
            title = f"Accuracy with {size} labels per class:"
            lines += [title, "", *by_corpus(table, group, size), ""]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=DRAWS)
    parser.add_argument("--group", choices=GROUPS, action="append", help="both by default")
    parser.add_argument("--fresh", action="store_true", help="delete the results and measure again")
    options = parser.parse_args()
    if options.fresh:
        RESULTS.unlink(missing_ok=True)
    warnings.simplefilter("ignore")  # about classes without paths
    for group in options.group or GROUPS:
        run(GROUPS[group], options.seeds)
    write_page(PAGE, page(read_results(), options.seeds))


if __name__ == "__main__":
    main()
