"""Measure how many labels each strategy needs, how honest the audit is, and when to stop.

    python -m benchmarks.labeling [--runs 5] [--corpus science] [--strategies NAME,NAME]
    python -m benchmarks.labeling --vectors [--runs 1] [--corpus science]

Replays the labeling of twelve corpora by their words, with at most 600 texts of each; with
--vectors, that of the corpora of benchmarks/defaults.py by words and vectors. Appends every step to
benchmarks/results/labeling.jsonl, continues where it stopped, and writes docs/results/labeling.md.
"""

import argparse
import os
from dataclasses import asdict
from typing import Any

import numpy as np

from benchmarks.corpora import read_texts_or_counts, skip_if_missing
from benchmarks.defaults import LONG, SHORT, language_of, read_texts
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
from honeybayes.labeling import simulate
from honeybayes.labeling.quality import FEWEST_LABELS, N_STABLE, STABLE
from honeybayes.labeling.strategies import DEFAULT

RESULTS = RESULTS_FOLDER / "labeling.jsonl"
PAGE = DOCS / "results" / "labeling.md"
CORPORA = (
    "agnews-test",
    "trec-questions",
    "sms-spam",
    "1150haber",
    "science",
    "religion",
    "politics",
    "comp",
    "webkb-pages",
    "webkb4",
    "mini-newsgroups",
    "messages",
)
MOST_TEXTS = 600
N_LABELS = {DEFAULT: 150}  # other strategies: 50
FEW = 50
CHECKPOINTS = (10, 20, 30, 50)
CHOSEN = 30  # labels, compared with as many random ones and with `FEW`


def run(name: str, strategy: str, seed: int, vectors: bool) -> list[dict[str, Any]]:
    """Replay one session and return its steps."""
    if vectors:
        texts, labels = read_texts(name)
    else:
        corpus = read_texts_or_counts(name)
        texts, labels = np.array(corpus.documents, dtype=object), corpus.labels
    rows = random_for("labeling", name, seed).permutation(len(labels))[:MOST_TEXTS]
    found = simulate(
        texts[rows].tolist(),
        labels[rows],
        [strategy],
        n_labels=FEW if vectors else N_LABELS.get(strategy, FEW),
        n_runs=1,
        language=language_of(name),
        random_state=seed,
    )
    more = {"corpus": name, "run": seed, "vectors": vectors}
    return [asdict(step) | more for step in found.steps]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--runs", type=int, default=5, help="runs per corpus and strategy")
    parser.add_argument("--corpus", help="only this corpus")
    parser.add_argument("--strategies", default=f"{DEFAULT},random")
    parser.add_argument("--vectors", action="store_true", help="words and vectors")
    arguments = parser.parse_args()
    vectors = arguments.vectors
    if not vectors:
        os.environ["HONEYBAYES_ENCODER"] = "none"
    records = read_records(RESULTS)
    done = {(r["corpus"], r["strategy"], r["run"], r.get("vectors", False)) for r in records}
    names = (*SHORT, *LONG) if vectors else CORPORA
    names = names if arguments.corpus is None else (arguments.corpus,)
    with RESULTS.open("a", encoding="utf-8") as file:
        for seed in range(arguments.runs):
            for name in names:
                for strategy in arguments.strategies.split(","):
                    if (name, strategy, seed, vectors) in done:
                        continue
                    with skip_if_missing(name):
                        for record in run(name, strategy, seed, vectors):
                            append_record(file, record)
                            records.append(record)
                        print(name, strategy, seed, f"{records[-1]['accuracy']:.3f}", flush=True)
    write_page(PAGE, make_page(records))


def accuracy_at(records: list[dict[str, Any]], n_labels: int) -> float:
    """Return the mean accuracy after so many labels."""
    return float(np.mean([each["accuracy"] for each in records if each["n_labels"] == n_labels]))


def labels_needed(records: list[dict[str, Any]], accuracy: float) -> float:
    """Return after how many labels the mean accuracy reaches a value; 55 if not up to 50."""
    for n_labels in range(5, FEW + 1, 5):
        if accuracy_at(records, n_labels) >= accuracy:
            return n_labels
    return FEW + 5


def find_stop(steps: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the step of the advice to stop, with the rule of `honeybayes.labeling.give_advice`."""
    n_stable = 0
    for step in steps:
        n_stable = n_stable + 1 if (step["kappa"] or 0) >= STABLE else 0
        if n_stable >= N_STABLE and step["n_labels"] >= FEWEST_LABELS:
            return step
    return steps[-1]


def with_vectors(records: list[dict[str, Any]]) -> list[str]:
    """Return the table of chosen and random labels, by words and vectors."""
    by: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for each in records:
        by.setdefault((each["corpus"], each["strategy"]), []).append(each)
    names = [name for name in (*SHORT, *LONG) if {(name, DEFAULT), (name, "random")} <= by.keys()]
    if not names:
        return []
    runs = [len({each["run"] for each in steps}) for steps in by.values()]
    n_runs = f"{min(runs)} to {max(runs)}" if min(runs) < max(runs) else str(runs[0])
    rows = {
        name: [
            100 * accuracy_at(by[name, strategy], n)
            for strategy, n in ((DEFAULT, CHOSEN), ("random", CHOSEN), ("random", FEW))
        ]
        for name in names
    }
    chosen, few, more = np.array(list(rows.values())).T
    lead = chosen - more
    error = lead.std(ddof=1) / np.sqrt(len(names))
    rows["mean"] = [chosen.mean(), few.mean(), more.mean()]
    lines = [
        "## With vectors",
        "",
        f"Made by `python -m benchmarks.labeling --vectors`: {len(names)} corpora, {n_runs} run(s) "
        f"each. Accuracy with {CHOSEN} labels of the default strategy, and with {CHOSEN} and {FEW} "
        "random ones:",
        "",
    ]
    columns = [f"{CHOSEN} chosen", f"{CHOSEN} random", f"{FEW} random", f"lead at {CHOSEN}"]
    lines += table_head("corpus", columns)
    for name, values in rows.items():
        cells = [f"{value:.1f}" for value in values]
        lines.append(table_row([name, *cells, f"{values[0] - values[1]:+.1f}"]))
    lines += [
        "",
        f"{CHOSEN} chosen labels are better than {CHOSEN} random ones on {np.sum(chosen > few)} of "
        f"{len(names)} corpora; the smallest lead is {np.min(chosen - few):+.1f}. Their lead over "
        f"{FEW} random ones is {lead.mean():+.1f} on average, with a standard error of "
        f"{error:.1f}.",
    ]
    return [*lines, ""]


def make_page(everything: list[dict[str, Any]]) -> str:
    records = [each for each in everything if not each.get("vectors")]
    strategies = list(dict.fromkeys(each["strategy"] for each in records))
    by: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for each in records:
        by.setdefault((each["corpus"], each["strategy"]), []).append(each)
    names = [name for name in CORPORA if all((name, each) in by for each in strategies)]
    n_runs = min(len({each["run"] for each in by[name, DEFAULT]}) for name in names)
    lines = [
        "# Which text to label next",
        "",
        "Made by `python -m benchmarks.labeling`, words alone: "
        f"{len(names)} corpora, {n_runs} run(s) each, "
        f"with up to {MOST_TEXTS} texts. Accuracy in percent: the share of texts with the right "
        "answer.",
        "",
        "## Accuracy after some labels",
        "",
        *table_head("corpus", [f"{strategy}, {n}" for strategy in strategies for n in CHECKPOINTS]),
    ]
    found = {}
    for name in names:
        for strategy in strategies:
            for n in CHECKPOINTS:
                found[name, strategy, n] = 100 * accuracy_at(by[name, strategy], n)
        cells = [f"{found[name, each, n]:.1f}" for each in strategies for n in CHECKPOINTS]
        lines.append(table_row([name, *cells]))
    means = [
        f"{np.mean([found[name, each, n] for name in names]):.1f}"
        for each in strategies
        for n in CHECKPOINTS
    ]
    lines.append(table_row(["mean", *means]))
    needed = [
        labels_needed(by[name, DEFAULT], accuracy_at(by[name, "random"], FEW)) for name in names
    ]
    worst = min(found[name, DEFAULT, FEW] - found[name, "random", FEW] for name in names)
    lines += [
        "",
        f"The default strategy needs {np.mean(needed):.1f} labels on average for the accuracy that "
        f"random choice has with {FEW} (55 is counted where it is not reached). "
        f"Its smallest lead over random choice at {FEW} labels is {worst:.1f} points.",
        "",
        *table_head("corpus", ["labels for the accuracy of 50 random labels"]),
        *[table_row([name, f"{n:.0f}"]) for name, n in zip(names, needed, strict=True)],
        "",
        "## The audit and the advice to stop",
        "",
        "Here the accuracy is that of the model that has not seen the labels of the audit, on the "
        "texts that it has not learned from. The intervals of one run are similar, because the "
        "audit only grows. Rounds are five labels apart.",
        "",
        *table_head(
            "corpus",
            ["interval holds the truth", "stopped at", "accuracy there", "best up to 150"],
        ),
    ]
    holds, losses, stops = [], [], []
    for name in names:
        steps = by[name, DEFAULT]
        audited = [each for each in steps if each["low"] is not None]
        held = [each["low"] <= each["measured"] <= each["high"] for each in audited]
        at, there, best = [], [], []
        for run_number in {each["run"] for each in steps}:
            own = [each for each in steps if each["run"] == run_number]
            stop = find_stop(own)
            at.append(stop["n_labels"])
            there.append(100 * stop["measured"])
            best.append(100 * max(each["measured"] for each in own))
        holds += held
        losses += [one - two for one, two in zip(best, there, strict=True)]
        stops += at
        cells = [f"{np.mean(held):.0%}", f"{np.mean(at):.0f}", f"{np.mean(there):.1f}"]
        lines.append(table_row([name, *cells, f"{np.mean(best):.1f}"]))
    lines += [
        "",
        f"Over all, the 95 % interval holds the true accuracy in {np.mean(holds):.1%} of "
        f"{len(holds)} moments. The advice to stop comes after {np.mean(stops):.0f} labels on "
        f"average, {np.mean(losses):.1f} points below the best accuracy up to 150 labels.",
        "",
        *with_vectors([each for each in everything if each.get("vectors")]),
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
