"""Measure honeybayes in the published protocols of other methods, and write the page about it.

    python -m benchmarks.published [--minutes 12] [--seeds 10] [--tasks agnews banking77 ...]

Appends every fit to benchmarks/results/published.jsonl, continues where it stopped, and writes
docs/results/published.md. Requires the corpora and the extra `vectors`. The figures about rare
classes are those that benchmarks/screening.py has recorded; that needs ASReview.
"""

import argparse
import platform
import resource
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import sklearn
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, matthews_corrcoef

import honeybayes
from benchmarks import screening
from benchmarks.defaults import language_of
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
from honeybayes import TextClassifier
from honeybayes.tables import find_data_file, read_table
from honeybayes.text import TextEncoder, find_encoder

RESULTS = RESULTS_FOLDER / "published.jsonl"
PAGE = DOCS / "results" / "published.md"
MOST_UNLABELED = 4000
BOTH, WORDS, REGRESSION = "FewLabels, vectors", "FewLabels, words", "regression on vectors"
ALONE = "labels alone, vectors"
KINDS = (BOTH, WORDS, ALONE, REGRESSION)
COST = "cost"
FIELDS = ("task", "size", "seed", "kind")


@dataclass(frozen=True)
class Task:
    """A corpus in the protocol of a paper: labels per class, the metric, and published figures."""

    corpus: str
    sizes: tuple[int, ...]
    column: str = "label"
    metric: Callable[[Any, Any], float] = accuracy_score
    published: tuple[tuple[str, tuple[float | None, ...]], ...] = ()


SETFIT = (8, 16, 64)
SHOTS = (5, 10)
MPNET, MINILM = "SetFit, mpnet", "SetFit, MiniLM"
TASKS = {
    "agnews": Task(
        "agnews-test",
        SETFIT,
        published=((MPNET, (82.9, 85.0, 88.0)), (MINILM, (83.1, None, None))),
    ),
    "customer-reviews": Task(
        "customer-reviews",
        SETFIT,
        published=((MPNET, (88.5, None, 90.4)), (MINILM, (71.6, None, None))),
    ),
    "counterfactual-en": Task(
        "counterfactual-en",
        SETFIT,
        metric=matthews_corrcoef,
        published=((MPNET, (40.3, None, 61.9)), (MINILM, (19.7, None, None))),
    ),
    "banking77": Task(
        "banking77",
        SHOTS,
        published=(
            ("RoBERTa with a classifier", (74.04, 84.27)),
            ("USE", (76.29, 84.23)),
            ("ConveRT", (75.32, 83.32)),
            ("DNNC", (80.40, 86.71)),
            ("CPFT", (80.86, 87.20)),
        ),
    ),
    "clinc150": Task(
        "clinc150",
        SHOTS,
        column="intent",
        published=(
            ("RoBERTa with a classifier", (87.99, 91.55)),
            ("USE", (87.82, 90.85)),
            ("ConveRT", (89.22, 92.62)),
            ("DNNC", (91.02, 93.76)),
            ("CPFT", (92.34, 94.18)),
        ),
    ),
    **{
        f"sib200-{language}": Task(f"sib200-{language}", (10,))
        for language in ("eng", "deu", "tur", "zho", "jpn", "arb", "swh", "yor")
    },
}


def read_rows(task: Task) -> Any:
    """Return the table of a task, without texts that belong to no class."""
    table = read_table(find_data_file(f"{task.corpus}.jsonl.gz"))
    return table[table["label"] != ""].reset_index(drop=True)


def draw(task: Task, table: Any, size: int, seed: int) -> tuple[np.ndarray, ...]:
    """Return the rows with labels, the unlabeled rows, and the test rows.

    The test rows are those of the corpus, or a random half. Labels are drawn from the other rows,
    and the rest of these has no label.
    """
    y = table[task.column].to_numpy(dtype=str)
    order = random_for("published", task.corpus, seed).permutation(len(y))
    if "split" in table:
        is_test = (table["split"] == "test").to_numpy()[order]
    else:
        is_test = np.arange(len(order)) < len(order) // 2
    others, test = order[~is_test], order[is_test]
    known = np.concatenate([others[y[others] == each][:size] for each in np.unique(y)])
    unlabeled = others[~np.isin(others, known)][:MOST_UNLABELED]
    return known, unlabeled, test


def fit_and_predict(
    task: Task, kind: str, encoder: TextEncoder, texts: np.ndarray, y: np.ndarray, rows: Any
) -> np.ndarray:
    """Return the answers for the test rows."""
    known, unlabeled, test = (list(texts[each]) for each in rows)
    if kind == REGRESSION:
        model = LogisticRegression(C=10, max_iter=1000)
        model.fit(encoder.fit_transform(known), y[rows[0]])
        return model.predict(encoder.transform(test))
    if kind == ALONE:
        classifier = TextClassifier(language=language_of(task.corpus), encoder=encoder)
        return classifier.fit(known, y[rows[0]]).predict(test)
    uses = encoder if kind == BOTH and find_encoder(known + unlabeled) else None  # as "auto" does
    classifier = TextClassifier("FewLabels", language=language_of(task.corpus), encoder=uses)
    return classifier.fit(known, y[rows[0]], pool=unlabeled).predict(test)


@cache
def load(name: str, encoder: TextEncoder | None) -> tuple[Any, np.ndarray, np.ndarray]:
    """Return table, texts and labels of a task; the encoder stores the vectors of all texts."""
    table = read_rows(TASKS[name])
    texts = table["text"].to_numpy(dtype=object)
    if encoder is not None:
        encoder.fit_transform(list(texts))
    return table, texts, table[TASKS[name].column].to_numpy(dtype=str)


def measure(name: str, size: int, seed: int, kind: str, encoder: TextEncoder) -> dict[str, Any]:
    """Return the score of one fit, and the seconds of CPU that it took."""
    task = TASKS[name]
    table, texts, y = load(name, encoder)
    rows = draw(task, table, size, seed)
    start = time.process_time()
    answers = fit_and_predict(task, kind, encoder, texts, y, rows)
    return {
        "score": round(float(task.metric(y[rows[2]], answers)), 4),
        "seconds": round(time.process_time() - start, 2),
        "rows": [len(each) for each in rows],
    }


def measure_cost(name: str, kind: str) -> dict[str, Any]:
    """Return seconds and memory of a process that reads, encodes, learns and predicts."""
    command = [sys.executable, "-m", "benchmarks.published", "--one", name, kind]
    start = time.perf_counter()
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    taken = {"wall": round(time.perf_counter() - start, 1), "cpu": float(told[0])}
    return taken | {"mb": int(told[1]), "versions": versions()}


def run_once(name: str, kind: str) -> None:
    """Print the seconds of CPU and the peak memory of one fit without stored vectors."""
    task = TASKS[name]
    table, texts, y = load(name, None)
    encoder = TextEncoder("multilingual", cache=False)
    fit_and_predict(task, kind, encoder, texts, y, draw(task, table, task.sizes[-1], 0))
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(round(used.ru_utime + used.ru_stime, 1), used.ru_maxrss // 1024)


def versions() -> str:
    return (
        f"honeybayes {honeybayes.__version__}, scikit-learn {sklearn.__version__}, NumPy "
        f"{np.__version__}, Python {platform.python_version()}"
    )


def plan(tasks: list[str], seeds: int) -> Iterator[tuple[str, int, int, str]]:
    """Yield what to measure: task, labels per class, seed and kind."""
    for seed in range(seeds):
        for name in tasks:
            for size in TASKS[name].sizes:
                for kind in KINDS:
                    yield name, size, seed, kind


def run(tasks: list[str], seeds: int, until: float) -> None:
    """Measure what is missing, until a moment of the clock."""
    done = {tuple(record[field] for field in FIELDS) for record in read_records(RESULTS)}
    encoder = TextEncoder("multilingual")
    runs = [each for each in plan(tasks, seeds) if each not in done]
    with RESULTS.open("a", encoding="utf-8") as file:
        for each in runs:
            if time.monotonic() > until:
                print("Stopped: start again to continue.")
                return
            record = dict(zip(FIELDS, each, strict=True)) | measure(*each, encoder)
            append_record(file, record)
            print(*record.values(), flush=True)
        for name in tasks:
            for kind in KINDS[:2]:
                key = (name, TASKS[name].sizes[-1], 0, f"{COST}: {kind}")
                if key not in done and time.monotonic() < until:
                    append_record(
                        file, dict(zip(FIELDS, key, strict=True)) | measure_cost(name, kind)
                    )


def cells_of(records: list[dict[str, Any]], task: str, kind: str) -> list[str]:
    """Return mean and standard deviation for each number of labels."""
    cells = []
    for size in TASKS[task].sizes:
        key = (task, size, kind)
        found = [100 * r["score"] for r in records if (r["task"], r["size"], r["kind"]) == key]
        cells.append(f"{np.mean(found):.1f} ± {np.std(found):.1f}" if found else "-")
    return cells


def published_table(records: list[dict[str, Any]], task: str) -> list[str]:
    """Return our figures and the published ones, in the order of the last column."""
    sizes = TASKS[task].sizes
    rows = [[f"**{kind}**", *cells_of(records, task, kind)] for kind in KINDS]
    for name, values in TASKS[task].published:
        rows.append([name, *("-" if value is None else f"{value:.1f}" for value in values)])
    rows.sort(key=lambda row: -float(row[1].split()[0].replace("-", "0")))
    head = table_head(task, [f"{size} per class" for size in sizes])
    return ["", *head, *(table_row(row) for row in rows)]


def sib_table(records: list[dict[str, Any]]) -> list[str]:
    """Return the accuracies on SIB-200 beside the stored answers of two language models."""
    models = {"GPT-3.5": "gpt35", "GPT-4": "gpt4"}
    lines = ["", *table_head("language", [*KINDS, *models])]
    for task in (each for each in TASKS if each.startswith("sib200")):
        table = read_rows(TASKS[task])
        test = table[table["split"] == "test"]
        told = [f"{100 * (test[model] == test['label']).mean():.1f}" for model in models.values()]
        ours = [cells_of(records, task, kind)[0] for kind in KINDS]
        lines.append(table_row([task.removeprefix("sib200-"), *ours, *told]))
    return lines


def cost_table(records: list[dict[str, Any]]) -> list[str]:
    """Return seconds and memory of one process."""
    lines = ["", *table_head("task, model", ["labels per class", "wall s", "CPU s", "MB"])]
    for r in (each for each in records if each["kind"].startswith(COST)):
        name = f"{r['task']}, {r['kind'].removeprefix(COST + ': ')}"
        lines.append(table_row([name, str(r["size"]), str(r["wall"]), str(r["cpu"]), str(r["mb"])]))
    return lines


def page() -> str:
    """Return the page, from all records."""
    records = read_records(RESULTS)
    costs = [r for r in records if r["kind"].startswith(COST)]
    scores = [r for r in records if not r["kind"].startswith(COST)]
    seeds = {task: len({r["seed"] for r in scores if r["task"] == task}) for task in TASKS}
    fewest = ", ".join(f"{task} {n}" for task, n in seeds.items() if n < 10)
    lines = [
        INTRODUCTION.format(most=MOST_UNLABELED),
        f"Seeds: ten{'; ' + fewest if fewest else ''}.",
    ]
    lines += ["", "## SetFit's protocol", "", SETFIT_TEXT]
    for task in ("agnews", "customer-reviews", "counterfactual-en"):
        lines += published_table(scores, task)
    lines += ["", "## Few-Shot-Intent", "", INTENT_TEXT]
    for task in ("banking77", "clinc150"):
        lines += published_table(scores, task)
    lines += ["", "## SIB-200 beside GPT-4", "", SIB_TEXT, *sib_table(scores)]
    lines += ["", "## What it costs", "", COST_TEXT]
    if costs:
        lines += [f"With {costs[-1]['versions']}.", *cost_table(costs)]
    lines += screening.page_lines()
    return "\n".join([*lines, ""])


INTRODUCTION = """\
# Against other methods

Written by `python -m benchmarks.published`; do not edit by hand. Rankings of rare classes and
certificates are measured by `python -m benchmarks.screening`.

Figures are in percent, means and standard deviations over seeds. A seed draws the labels and, where
a corpus has no test part, the test. The rows in bold are measured here: `FewLabels` with the extra
`vectors` and without it; `TextClassifier()` with vectors and labels alone; and scikit-learn's
logistic regression (C=10) on the same vectors. `FewLabels` also learns from up to {most:,}
unlabeled texts outside the test, which the published methods do not. With vectors, the names of the
classes count, too; SetFit and the regression do not see them. Other rows are cited, not measured.
The defaults of `FewLabels` were chosen on many corpora, and these are among them (with other
draws), so its rows may be a little too high.
"""
SETFIT_TEXT = """\
8, 16 or 64 labels per class. SetFit is cited from Tunstall et al., "Efficient Few-Shot Learning
Without Prompts" (2022); it fine-tunes a sentence encoder. What differs: SetFit draws its labels
from training files of AG News and of customer reviews, and tests on their test files. Here, labels
come from a random half of agnews-test (7,600 texts) and customer-reviews (3,771), and the other
half is the test. counterfactual-en has its own test (670 texts); its figure is Matthews'
correlation, times 100."""
INTENT_TEXT = """\
5 or 10 labels per intent, with the train and test files of the repository
jianguoz/Few-Shot-Intent-Detection (77 intents, 3,080 test texts; 150 intents, 4,500). The other
rows are cited from the table of its README; they have labels drawn by their authors."""
SIB_TEXT = """\
The 204 test sentences in eight languages, 10 labels per class from the other sentences. The answers
of GPT-3.5 and GPT-4 come with the corpus; these models saw no examples. An answer that names no
topic counts as wrong. The encoder knows neither Swahili (swh) nor Yoruba (yor). It cannot read some
letters of Yoruba, so `FewLabels` learns from the words alone."""
COST_TEXT = """\
One process from start to end: it reads the corpus, encodes every text that it needs anew, learns
from the largest number of labels, and answers the test. One thread, on a machine with two cores
that others used, too: CPU seconds say more than the clock."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=float("inf"), help="stop after these")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--tasks", nargs="+", choices=tuple(TASKS), default=tuple(TASKS))
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    if options.one:
        run_once(*options.one)
        return
    run(list(options.tasks), options.seeds, time.monotonic() + 60 * options.minutes)
    write_page(PAGE, page())


if __name__ == "__main__":
    main()
