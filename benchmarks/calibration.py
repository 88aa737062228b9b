"""Measure confidence before and after calibration, and the models that model="auto" may choose.

    python -m benchmarks.calibration [--seeds 5] [--fresh] [--page]

Appends every finished run (corpus, labels, draw, model) to benchmarks/results/calibration.jsonl and
writes docs/results/calibration.md. Requires the corpora of the papers.
"""

import argparse
import warnings
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from scipy import sparse

from benchmarks.corpora import counts_of
from benchmarks.records import (
    DOCS,
    N_BINS,
    RESULTS_FOLDER,
    append_record,
    bin_of,
    random_for,
    read_records,
    table_head,
    table_row,
    write_page,
)
from honeybayes import NoPathWarning, make_model
from honeybayes.calibration import expected_calibration_error
from honeybayes.calibration.temperature import calibrated_proba, find_temperature
from honeybayes.classifier.choices import (
    MANY_LABELS,
    SEMISUPERVISED,
    SUPERVISED,
    WITH_MANY_LABELS,
)

RESULTS = RESULTS_FOLDER / "calibration.jsonl"
PAGE = DOCS / "results" / "calibration.md"
CHOSEN_ON = ["religion", "science", "politics", "comp", "oh0", "oh5", "re0", "cora-7"]
REPORTED_ON = [
    *("citeseer", "oh10", "oh15", "re1", "wap", "1150haber", "webkb4", "ohscal", "fbis"),
    *("la1s", "la2s", "20news-18828"),
]
GROUPS = {"Reported on": REPORTED_ON, "Chosen on": CHOSEN_ON}
MODELS = [SUPERVISED, WITH_MANY_LABELS, "ComplementNB-tfidf", "CNB", "HOS-alpha0", "MNB", "HONB"]
POOL = " with pool"
WITH_POOL = [name + POOL for name in (SEMISUPERVISED, "HOS-alpha0")]
MARK = ""  # in y, for an unlabeled document
LABELS = ["5", "10", "25", "90%"]
MOST_DOCUMENTS, MOST_LABELS = 1500, 900
BIN_DIGITS = 4  # of the means of a bin; more would make the file long
SMALLEST = 1e-15  # probability in log-loss

Key = tuple[str, str, int, str]
Draws = dict[str, list[int]]  # per corpus
load = cache(counts_of)


def split(y: np.ndarray, labels: str, name: str, seed: int) -> tuple[np.ndarray, ...]:
    """Return the rows of the labeled documents, the test documents and the unlabeled pool."""
    rows = random_for("calibration", name, seed).permutation(len(y))
    if labels == "90%":
        border = round(0.9 * len(rows))
        return rows[:border][:MOST_LABELS], rows[border:][:MOST_DOCUMENTS], rows[:0]
    pool, test = rows[: len(y) // 2][:MOST_DOCUMENTS], rows[len(y) // 2 :][:MOST_DOCUMENTS]
    train = []
    for c in np.unique(y[pool]):
        of_class = pool[y[pool] == c]
        train.append(of_class[: max(1, min(int(labels), len(of_class) // 2))])
    labeled = np.concatenate(train)
    return labeled, test, np.setdiff1d(pool, labeled)


def bins(confidence: np.ndarray, right: np.ndarray) -> list[list[float]]:
    """Return the number of documents, mean confidence and accuracy per bin of confidence."""
    interval = bin_of(confidence)
    rows = []
    for number in range(N_BINS):
        own = interval == number
        if own.any():
            means = [float(confidence[own].mean()), float(right[own].mean())]
            rows.append([int(own.sum()), *(round(mean, BIN_DIGITS) for mean in means)])
    return rows


def quality(proba: np.ndarray, classes: np.ndarray, y: np.ndarray, right: np.ndarray) -> dict:
    confidence, known = proba.max(axis=1), np.isin(y, classes)
    of_label = proba[known][np.arange(known.sum()), np.searchsorted(classes, y[known])]
    return {
        "ece": expected_calibration_error(confidence, right, N_BINS),
        "loss": float(-np.log(np.maximum(of_label, SMALLEST)).mean()),
        "bins": bins(confidence, right),
    }


def measure(model: Any, X: Any, y: np.ndarray, X_test: Any, y_test: np.ndarray) -> dict:
    temperature, n_held_out, doubt, _ = find_temperature(model, X, y)
    model.fit(X, y)
    right = model.predict(X_test) == y_test
    if hasattr(model, "predict_proba"):
        raw = model.predict_proba(X_test)
    else:  # softmax of the decision function
        raw = calibrated_proba(model, X_test, 1.0)
    return {
        "accuracy": float(right.mean()),
        "temperature": temperature,
        "n_held_out": n_held_out,
        "raw": quality(raw, model.classes_, y_test, right),
        "calibrated": quality(
            calibrated_proba(model, X_test, temperature, doubt), model.classes_, y_test, right
        ),
    }


def find(
    name: str,
    X: sparse.csr_array,
    y: np.ndarray,
    train: np.ndarray,
    test: np.ndarray,
    pool: np.ndarray,
) -> dict:
    """Measure a model; with the pool if the name ends so."""
    parameters = {}
    if name.endswith(POOL):
        parameters, y = {"unlabeled": MARK}, y.astype(str)
        labels = np.append(y[train], np.full(len(pool), MARK))
        train = np.concatenate([train, pool])
    else:
        labels = y[train]
    known = np.flatnonzero(np.bincount(X[train].indices, minlength=X.shape[1]))
    counts = X[train][:, known]
    name = name.removesuffix(POOL)
    return measure(make_model(name, **parameters), counts, labels, X[test][:, known], y[test])


def read_results() -> dict[Key, dict]:
    records = read_records(RESULTS)
    return {(r["corpus"], r["labels"], r["seed"], r["model"]): r for r in records}


def required_models(labels: str) -> list[str]:
    return MODELS + ([] if labels == "90%" else WITH_POOL)


def runs(seeds: int) -> Iterator[tuple[str, str, int]]:
    for seed in range(seeds):
        for name in REPORTED_ON + CHOSEN_ON:
            for labels in LABELS:
                yield name, labels, seed


def run(seeds: int) -> dict[Key, dict]:
    results = read_results()
    with RESULTS.open("a", encoding="utf-8") as file:
        for name, labels, seed in runs(seeds):
            missing = [m for m in required_models(labels) if (name, labels, seed, m) not in results]
            if not missing:
                continue
            train, test, pool = split(load(name)[1], labels, name, seed)
            for model in missing:
                found = find(model, *load(name), train, test, pool)
                record = {"corpus": name, "labels": labels, "seed": seed, "model": model, **found}
                results[name, labels, seed, model] = record
                append_record(file, record)
            print(f"{name}, {labels} labels, draw {seed + 1} of {seeds}", flush=True)
    return results


INTRODUCTION = """\
# Confidence before and after calibration

Written by `python -m benchmarks.calibration` (`--fresh` measures again); do not edit by hand. How
it works: [calibration](../calibration.md).

**Clean protocol**, mean of the finished draws ({draws}). Half of a corpus (at most 1,500 documents)
is the pool, half (at most 1,500) the test, in the natural mix of classes. 5, 10 or 25 documents per
class have labels, but at most half of the documents of the class in the pool. 90%: nine tenths of a
corpus (at most 900 documents) are labeled, one tenth (at most 1,500) is the test. Terms, model and
temperature come from the labeled documents only; *with pool*, from the unlabeled ones too.
The confidence is that of the temperature alone, without the doubt and the usual temperature.

*ECE*: expected calibration error of the predicted class, 15 equal bins. *Log-loss*: of test
documents whose class has a label; probabilities below 1e-15 count as 1e-15. *Raw*: `predict_proba`
of the model, or softmax of the decision function for LinearSVC, which has no `predict_proba`.
Accuracy is the same before and after, because calibration changes no prediction.

The constants of `honeybayes.calibration` were chosen on
{chosen_on},
before any result on the other corpora was seen.
"""

AUTO = """\
## What `model="auto"` chooses

Accuracy of {many} minus {few}, in points; with a pool, of {pool} minus {few}. From
{enough} labels per class on, "auto" uses {many}; it was chosen after all draws.
"""


def arrow(raw: float, calibrated: float, digits: int) -> str:
    return f"{raw:.{digits}f} → {calibrated:.{digits}f}"


def finished_draws(results: dict[Key, dict]) -> Draws:
    """Return the complete draws of each corpus."""
    draws: Draws = {}
    for name in REPORTED_ON + CHOSEN_ON:
        for seed in sorted({key[2] for key in results if key[0] == name}):
            required = {
                (name, labels, seed, m) for labels in LABELS for m in required_models(labels)
            }
            if required <= results.keys():
                draws.setdefault(name, []).append(seed)
    return draws


def mean_of(results: dict[Key, dict], draws: Draws, labels: str, model: str) -> np.ndarray:
    """Return means over corpora: accuracy, ECE raw, calibrated, log-loss raw, calibrated."""
    by_corpus = []
    for name, seeds in draws.items():
        own = [results[name, labels, seed, model] for seed in seeds]
        rows = [
            [
                100 * r["accuracy"],
                *(r[s][m] for m in ("ece", "loss") for s in ("raw", "calibrated")),
            ]
            for r in own
        ]
        by_corpus.append(np.mean(rows, axis=0))
    return np.mean(by_corpus, axis=0)


def quality_tables(results: dict[Key, dict], draws: Draws) -> Iterator[str]:
    for labels in LABELS:
        title = f"{labels} labels per class" if labels != "90%" else "90% labeled"
        yield f"\n**{title}**\n"
        yield "| model | accuracy, % | ECE, raw → calibrated | log-loss, raw → calibrated |"
        yield "| --- | --: | --: | --: |"
        for model in required_models(labels):
            accuracy, *rest = mean_of(results, draws, labels, model)
            ece, loss = arrow(rest[0], rest[1], 3), arrow(rest[2], rest[3], 2)
            yield table_row([model, f"{accuracy:.1f}", ece, loss])


def corpus_table(results: dict[Key, dict], draws: Draws) -> Iterator[str]:
    yield f"\n## {SUPERVISED}, per corpus: ECE, raw → calibrated\n"
    yield from table_head("corpus", ["draws", *LABELS])
    for name, seeds in draws.items():
        cells = []
        for labels in LABELS:
            _, raw, calibrated, *_ = mean_of(results, {name: seeds}, labels, SUPERVISED)
            cells.append(arrow(raw, calibrated, 3))
        yield table_row([name, str(len(seeds)), *cells])


def auto_table(results: dict[Key, dict], draws: Draws) -> Iterator[str]:
    yield AUTO.format(
        few=SUPERVISED, many=WITH_MANY_LABELS, pool=SEMISUPERVISED, enough=MANY_LABELS
    )
    cases = [(labels, WITH_MANY_LABELS) for labels in LABELS]
    cases += [(labels, SEMISUPERVISED + POOL) for labels in LABELS[:-1]]
    gains = {
        name: [
            mean_of(results, {name: seeds}, labels, model)[0]
            - mean_of(results, {name: seeds}, labels, SUPERVISED)[0]
            for labels, model in cases
        ]
        for name, seeds in draws.items()
    }
    yield from table_head("corpus", [*LABELS, *(labels + POOL for labels in LABELS[:-1])])
    for name, own in {"**mean**": np.mean([*gains.values()], axis=0), **gains}.items():
        yield table_row([name, *(f"{gain:+.1f}" for gain in own)])


def page(results: dict[Key, dict]) -> str:
    draws = finished_draws(results)
    fewest, most = min(map(len, draws.values())), max(map(len, draws.values()))
    how_many = f"{most}" if fewest == most else f"{fewest} to {most}, by corpus"
    lines = [INTRODUCTION.format(draws=how_many, chosen_on=", ".join(CHOSEN_ON))]
    for title, corpora in GROUPS.items():
        own = {name: seeds for name, seeds in draws.items() if name in corpora}
        if own:
            lines += [f"## {title}: {', '.join(own)}", *quality_tables(results, own), ""]
    lines += [*corpus_table(results, draws), "", *auto_table(results, draws), ""]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--fresh", action="store_true", help="delete the results and measure again")
    parser.add_argument("--page", action="store_true", help="only write the page")
    options = parser.parse_args()
    if options.fresh:
        RESULTS.unlink(missing_ok=True)
    warnings.simplefilter("ignore", NoPathWarning)
    results = read_results() if options.page else run(options.seeds)
    write_page(PAGE, page(results))


if __name__ == "__main__":
    main()
