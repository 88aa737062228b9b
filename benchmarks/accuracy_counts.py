"""Rerun the experiments of the hidden naive Bayes paper with every model of it, and compare.

    python -m benchmarks.accuracy_counts [--fresh] [model ...]

One ten-fold cross-validation of every model on every corpus, or of the models that are named. The
published accuracies are the rows of docs/reproduction/counts_published.csv. Every finished fold is
written to counts.jsonl beside it at once, so that an interrupted run goes on where it stopped;
counts.md is the page. A model that the zoo does not know is left out.
"""

import argparse
import csv
import json
import warnings
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from sklearn.base import ClassifierMixin, clone
from sklearn.model_selection import StratifiedKFold

from benchmarks.records import write_whole
from honeybayes.bayes.hidden import HiddenNB
from honeybayes.data import load_corpus
from honeybayes.evaluate import wilcoxon_test
from honeybayes.zoo import list_models, make_model

FOLDER = Path(__file__).parents[1] / "docs" / "reproduction"
PUBLISHED = FOLDER / "counts_published.csv"
RESULTS = FOLDER / "counts.jsonl"
PAGE = FOLDER / "counts.md"
N_FOLDS = 10
RULES = ("MNB", "CNB", "OVA")


@dataclass(frozen=True)
class Table:
    """Models side by side, and how far from the published numbers they may be."""

    title: str
    models: tuple[str, ...]
    bar: float | None = None


# Not a model of the paper, but what the rule does by default.
OWN_MODELS: dict[str, ClassifierMixin] = {"HOVA, difference": HiddenNB("one-vs-rest")}
TABLES = [
    Table(
        "Count family",
        (*RULES, "HMNB", "HCNB", "HOVA", "SEMNB", "SECNB", "SEOVA", "HOVA, difference"),
        0.5,
    ),
    Table(
        "Association, term selection, document weights",
        tuple(prefix + rule for prefix in ("Rw,c", "GRS", "DW") for rule in RULES),
        0.6,
    ),
    Table("Trees", tuple(rule + "Tree" for rule in RULES), 0.6),
    Table(
        "Term weights and neighbors, for which nothing was published",
        tuple(prefix + rule for prefix in ("GRW", "DFW", "DTW", "LWW") for rule in RULES),
    ),
]
# which model is set against which, by a test over the corpora
PAIRS = [
    *(("GRWOVA", other) for other in ("OVA", "HMNB", "HCNB", "HOVA", "HOVA, difference")),
    ("GRWMNB", "HMNB"),
    ("GRWCNB", "HCNB"),
    *(
        (prefix + rule, rule)
        for prefix in ("GRW", "DFW", "DTW", "Rw,c", "GRS", "DW", "LWW")
        for rule in RULES
        if (prefix, rule) != ("GRW", "OVA")  # which is the first
    ),
    *((rule + "Tree", rule) for rule in RULES),
]
MODELS = [name for table in TABLES for name in table.models]
BUILT = [name for name in MODELS if name in OWN_MODELS or name in list_models()]

INTRODUCTION = """\
# The count models beside the paper

Written by `python -m benchmarks.accuracy_counts`; do not edit by hand.

Accuracy in percent: published (mean of ten ten-fold cross-validations in WEKA) / measured (one
ten-fold cross-validation, stratified and shuffled with seed 0, mean of the folds). Term counts as
published, and whatever a model selects or weighs comes from the training folds, so nothing leaks.
"HOVA, difference" is no model of the paper but what `HiddenNB(rule="one-vs-rest")` does by
default. Guides: the [count family](../count-family.md), [weights and selection](../variants.md),
[local models, trees and word clusters](../local-and-tree.md).
"""

PAIRS_INTRODUCTION = """\
## Pairs

The first model less the second: mean over the corpora in points, corpora on which it is better and
worse, and p of Wilcoxon's signed-rank test (`honeybayes.evaluate.wilcoxon_test`) on the eleven
measured accuracies as printed above, from both sides and not corrected for the number of pairs.
"""


@dataclass(frozen=True, order=True)
class Fold:
    """One model trained and tested once."""

    corpus: str
    model: str
    fold: int


Results = dict[Fold, float]


def read_published() -> dict[tuple[str, str], float]:
    with PUBLISHED.open(encoding="utf-8", newline="") as file:
        return {
            (row["corpus"], row["model"]): float(row["accuracy"]) for row in csv.DictReader(file)
        }


def read_results() -> Results:
    if not RESULTS.exists():
        return {}
    results = {}
    for line in RESULTS.read_text(encoding="utf-8").split("\n")[:-1]:  # without a torn last line
        record = json.loads(line)
        accuracy = record.pop("accuracy")
        results[Fold(**record)] = accuracy
    return results


def result_line(fold: Fold, accuracy: float) -> str:
    return json.dumps({**asdict(fold), "accuracy": accuracy}) + "\n"


def folds_of(corpus: str, model: str) -> list[Fold]:
    return [Fold(corpus, model, fold) for fold in range(N_FOLDS)]


def run(corpus: str, models: list[str], results: Results) -> Iterator[tuple[Fold, float]]:
    """Yield the accuracies of a corpus that are not among the results yet."""
    missing = [f for model in models for f in folds_of(corpus, model) if f not in results]
    if not missing:
        return
    data = load_corpus(corpus)
    X, y = data.documents, data.labels
    folds = StratifiedKFold(N_FOLDS, shuffle=True, random_state=0)
    with warnings.catch_warnings():
        # a class of wap has five documents: five folds do without it
        warnings.filterwarnings("ignore", "The least populated class", UserWarning)
        splits = list(folds.split(X, y))
    for fold in missing:
        train, test = splits[fold.fold]
        own = OWN_MODELS.get(fold.model)
        model = make_model(fold.model) if own is None else clone(own)
        model.fit(X[train], y[train])
        yield fold, model.score(X[test], y[test])


def page(published: dict[tuple[str, str], float], results: Results) -> str:
    corpora = list(dict.fromkeys(corpus for corpus, _ in published))

    def finished(model: str) -> bool:
        return all(fold in results for corpus in corpora for fold in folds_of(corpus, model))

    parts = [INTRODUCTION]
    for table in TABLES:
        models = [model for model in table.models if finished(model)]
        if models:
            lines = table_rows(models, corpora, published, results, table.bar)
            text = "\n".join("| " + " | ".join(row) + " |" for row in lines)
            parts.append(f"## {table.title}\n\n{text}\n")
    pairs = [pair for pair in PAIRS if all(map(finished, pair))]
    if pairs:
        rows = [["first", "second", "mean", "better", "worse", "p"], ["---"] * 2 + ["--:"] * 4]
        rows += [pair_row(*pair, corpora, results) for pair in pairs]
        text = "\n".join("| " + " | ".join(row) + " |" for row in rows)
        parts.append(f"{PAIRS_INTRODUCTION}\n{text}\n")
    return "\n".join(parts)


def measured(corpus: str, model: str, results: Results) -> float:
    return float(100 * np.mean([results[fold] for fold in folds_of(corpus, model)]))


def pair_row(first: str, second: str, corpora: list[str], results: Results) -> list[str]:
    ours, theirs = (
        np.array([measured(corpus, model, results) for corpus in corpora]).round(2)  # as printed
        for model in (first, second)
    )
    better, worse, p = (ours > theirs).sum(), (ours < theirs).sum(), wilcoxon_test(ours, theirs)[1]
    mean = f"{(ours - theirs).mean():+.2f}"
    return [first, second, mean, str(better), str(worse), f"{p:.3f}"]


def table_rows(
    models: list[str],
    corpora: list[str],
    published: dict[tuple[str, str], float],
    results: Results,
    bar: float | None,
) -> list[list[str]]:
    def both(theirs: float | None, ours: float) -> str:
        return f"{ours:.2f}" if theirs is None else f"{theirs:.2f} / {ours:.2f}"

    rows = [["", *models], ["---", *["--:"] * len(models)]]
    for corpus in corpora:
        cells = [both(published.get((corpus, m)), measured(corpus, m, results)) for m in models]
        rows.append([corpus, *cells])
    means, differences, verdicts = ["mean"], ["mean absolute difference"], [f"at most {bar}"]
    for model in models:
        ours = np.array([measured(corpus, model, results) for corpus in corpora])
        if (corpora[0], model) not in published:
            means.append(both(None, ours.mean()))
            differences.append("")
            verdicts.append("")
            continue
        theirs = np.array([published[corpus, model] for corpus in corpora])
        difference = np.abs(ours - theirs).mean()
        means.append(both(theirs.mean(), ours.mean()))
        differences.append(f"{difference:.2f}")
        verdicts.append("met" if difference <= bar else "**missed**")
    return [*rows, means, *([differences, verdicts] if bar else [])]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fresh", action="store_true", help="measure anew what was measured")
    parser.add_argument("models", nargs="*", help="names of the zoo; by default all")
    options = parser.parse_args()
    models = options.models or BUILT
    if unknown := sorted(set(models) - set(BUILT)):
        parser.error(f"unknown model(s) {', '.join(unknown)}; choose from {', '.join(BUILT)}")
    published, results = read_published(), read_results()
    if options.fresh:
        results = {fold: value for fold, value in results.items() if fold.model not in models}
    write_whole(RESULTS, "".join(result_line(*item) for item in sorted(results.items())))
    with RESULTS.open("a", encoding="utf-8") as file:
        for corpus in dict.fromkeys(corpus for corpus, _ in published):
            for fold, accuracy in run(corpus, models, results):
                results[fold] = accuracy
                file.write(result_line(fold, accuracy))
                file.flush()
                print(f"{corpus} {fold.model} {fold.fold}: {100 * accuracy:.2f}", flush=True)
    write_whole(RESULTS, "".join(result_line(*item) for item in sorted(results.items())))
    write_whole(PAGE, page(published, results))
    print(f"Wrote {PAGE}")


if __name__ == "__main__":
    main()
