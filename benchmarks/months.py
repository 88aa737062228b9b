"""Whether `check_new_texts` cries wolf, and whether it notices a new class.

    python -m benchmarks.months [--months 20] [--corpora agnews-test ...] [--labels few all]

A model learns from a table of up to 2,000 texts, of which 100 have a label ("few labels": the
others are its pool, and it is FewLabels) or all ("all labels": LogisticRegression-tfidf), and
remembers it, as ``honeybayes fit`` does. A month is up to 1,000 other texts of the corpus. In
half of the months nothing has changed. In the other half, the table has no text of one class, drawn
at random, which makes up 10 % of the month. The tables show the share of months in which "drift"
is raised; the bars are at most 5 % and at least 80 %. Appends every month to
benchmarks/results/months.jsonl, continues where it stopped, and prints the rows of
docs/results/months.md.
"""

import argparse
import warnings
from collections.abc import Iterable
from itertools import product
from typing import Any

import numpy as np

from benchmarks.corpora import skip_if_missing
from benchmarks.records import (
    RESULTS_FOLDER,
    append_record,
    read_records,
    table_head,
    table_row,
)
from honeybayes import TextClassifier
from honeybayes.evaluate import NewTextsCheck, check_new_texts, remember_texts
from honeybayes.tables import Corpus, find_data_file, load_corpus, read_corpus

RESULTS = RESULTS_FOLDER / "months.jsonl"
CORPORA = ("agnews-test", "20news-18828", "trec-questions", "banking77", "clinc150", "messages")
N_OLD, N_NEW, N_LABELS = 2000, 1000, 100
SHARE = 0.1  # of the new class
FIELDS = ("corpus", "labels", "is_new_class", "seed")
KINDS = ("words", "class", "confidence")


def simulate_month(
    texts: np.ndarray, labels: np.ndarray, is_new_class: bool, few: bool, seed: int
) -> NewTextsCheck:
    """Draw a table and a month, fit a model, and check the month."""
    rng = np.random.default_rng(seed)
    rows, new_texts = rng.permutation(len(labels)), np.zeros(0, dtype=int)
    if is_new_class:
        classes, counts = np.unique(labels, return_counts=True)
        name = rng.choice(classes[counts >= 20])
        new_texts = rng.permutation(np.flatnonzero(labels == name))
        rows = rows[labels[rows] != name]
    n_old = min(N_OLD, len(rows) * 2 // 3)
    n_new = min(N_NEW, len(rows) - n_old)
    if is_new_class:
        n_new = min(n_new, int(len(new_texts) / SHARE))
    n_strange = int(n_new * SHARE) if is_new_class else 0
    old, month = rows[:n_old], rows[n_old : n_old + n_new - n_strange]
    month = np.concatenate([month, new_texts[:n_strange]])
    n_labels = N_LABELS if few else n_old
    given, others = old[:n_labels], old[n_labels:]
    classifier = TextClassifier("FewLabels" if few else "LogisticRegression-tfidf")
    pool = texts[others].tolist() if few else None
    classifier.fit(texts[given].tolist(), labels[given], pool=pool)
    remember_texts(classifier, texts[old].tolist(), np.arange(n_old) < n_labels)
    return check_new_texts(classifier, texts[rng.permutation(month)].tolist(), random_state=seed)


def run(corpora: list[str], of_labels: list[str], n_months: int) -> None:
    """Simulate the months that are missing."""
    done = {tuple(record[field] for field in FIELDS) for record in read_records(RESULTS)}
    with RESULTS.open("a", encoding="utf-8") as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in corpora:
            with skip_if_missing(name):
                corpus = load_corpus(name) if name == "messages" else _read(name)
                corpus = corpus.take(np.flatnonzero(corpus.labels != ""))
                texts, labels = np.array(corpus.documents, dtype=object), corpus.labels
                for key in product([name], of_labels, (False, True), range(n_months)):
                    if key not in done:
                        month = simulate_month(texts, labels, key[2], key[1] == "few", key[3])
                        found = {
                            "n_old": month.n_old,
                            "n_new": month.n_texts,
                            "found": sorted({each.kind for each in month.findings}),
                        }
                        append_record(file, dict(zip(FIELDS, key, strict=True)) | found)


def print_table() -> None:
    """Print a Markdown table of all months so far."""
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for each in read_records(RESULTS):
        groups.setdefault((each["corpus"], each["labels"]), []).append(each)
        groups.setdefault(("all", ""), []).append(each)
    head = ["labels", "texts", "months", "no change", "new class", *KINDS]
    print(*table_head("corpus", head), sep="\n")
    for (corpus, labels), months in sorted(groups.items(), key=lambda each: each[0][0] == "all"):
        same, other = (
            [m["found"] for m in months if m["is_new_class"] == is_new] for is_new in (False, True)
        )
        shares = [_share(map(bool, same)), _share(map(bool, other))]
        shares += [_share(kind in found for found in other) for kind in KINDS]
        sizes = f"{months[0]['n_old']}, {months[0]['n_new']}" if labels else ""
        print(table_row([corpus, labels, sizes, f"{len(same)}, {len(other)}", *shares]))


def _share(raised: Iterable[bool]) -> str:
    return f"{100 * np.mean([*raised]):.0f} %"


def main() -> None:
    """Simulate months, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--months", type=int, default=20, help="of each kind")
    parser.add_argument("--corpora", nargs="*", default=CORPORA)
    parser.add_argument("--labels", nargs="*", default=["few", "all"])
    asked = parser.parse_args()
    run(asked.corpora, asked.labels, asked.months)
    print_table()


def _read(name: str) -> Corpus:
    return read_corpus(find_data_file(f"{name}.jsonl.gz"), keep_unlabeled=True)


if __name__ == "__main__":
    main()
