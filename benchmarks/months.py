"""Whether `check_new_texts` cries wolf, and whether it notices a new class.

    python -m benchmarks.months [--months 40]

A model learns from a table of up to 2,000 texts, of which 100 have a label ("few labels": the
others are its pool, and it is FewLabels) or all ("all labels": LogisticRegression-tfidf), and
remembers it, as ``honeybayes fit`` does. A month is up to 1,000 other texts of the corpus. In
half of the months nothing has changed. In the other half, the table has no text of one class, drawn
at random, which makes up 10 % of the month. The tables show the share of months in which "drift"
is raised; the bars are at most 5 % and at least 80 %.
"""

import argparse
import warnings

import numpy as np

from benchmarks.corpora import skip_if_missing
from benchmarks.records import table_head, table_row
from honeybayes import TextClassifier
from honeybayes.evaluate import NewTextsCheck, check_new_texts, remember_texts
from honeybayes.tables import Corpus, find_data_file, load_corpus, read_corpus

CORPORA = ("agnews-test", "20news-18828", "trec-questions", "banking77", "clinc150", "messages")
N_OLD, N_NEW, N_LABELS = 2000, 1000, 100
SHARE = 0.1  # of the new class


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


def main() -> None:
    """Print a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--months", type=int, default=40, help="of each kind")
    parser.add_argument("--corpora", default=",".join(CORPORA))
    asked = parser.parse_args()
    head = ["corpus", "labels", "texts", "no change", "new class", "words", "class", "confidence"]
    print(*table_head(head[0], head[1:]), sep="\n", flush=True)
    for name in asked.corpora.split(","):
        with skip_if_missing(name), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            corpus = load_corpus(name) if name == "messages" else _read(name)
            corpus = corpus.take(np.flatnonzero(corpus.labels != ""))
            texts, labels = np.array(corpus.documents, dtype=object), corpus.labels
            for few in (True, False):
                found = {
                    kind: [
                        simulate_month(texts, labels, kind, few, seed)
                        for seed in range(asked.months)
                    ]
                    for kind in (False, True)
                }
                raised = [np.mean([m.verdict == "drift" for m in each]) for each in found.values()]
                kinds = [
                    np.mean([any(f.kind == kind for f in month.findings) for month in found[True]])
                    for kind in ("words", "class", "confidence")
                ]
                cells = [f"{100 * each:.0f} %" for each in (*raised, *kinds)]
                sizes = f"{found[False][0].n_old}, {found[False][0].n_texts}"
                kept = "few" if few else "all"
                print(table_row([name, kept, sizes, *cells]), flush=True)


def _read(name: str) -> Corpus:
    return read_corpus(find_data_file(f"{name}.jsonl.gz"), keep_unlabeled=True)


if __name__ == "__main__":
    main()
