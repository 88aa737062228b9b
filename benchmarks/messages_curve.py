"""Learning curves on the bundled customer messages.

    python -m benchmarks.messages_curve [--seeds 10]

Writes docs/results/messages.md. Everything is fitted to the training part; the other messages are
the test.
"""

import argparse
import warnings

import numpy as np
from sklearn.model_selection import StratifiedShuffleSplit

from benchmarks.records import DOCS, table_head, table_row, write_page
from honeybayes import NoPathWarning, TextClassifier
from honeybayes.data import load_corpus

PAGE = DOCS / "results" / "messages.md"
SIZES = (5, 10, 20, 40)
MODELS = [
    *("NB", "HONB", "HOS", "HOS-alpha0", "MNB", "CNB", "HCNB"),
    *("ComplementNB-tfidf", "LogisticRegression-tfidf", "LinearSVC-tfidf"),
]
INTRODUCTION = """\
# Learning curves on the bundled messages

Written by `python -m benchmarks.messages_curve`; do not edit by hand.

Accuracy in percent of `TextClassifier(model)` on the [customer messages](../messages-corpus.md), by
labels per class: mean ± standard deviation of {seeds} draws; the other messages are the test. There
are 8 classes, so chance is 12.5. The messages are short and were written by hand to overlap as real
ones do. No model was tested on them while they were written.
"""


def accuracies(model: str, size: int, texts: np.ndarray, labels: np.ndarray, seeds: int) -> list:
    split = StratifiedShuffleSplit(seeds, train_size=size * 8, random_state=0)
    scores = []
    for train, test in split.split(texts, labels):
        classifier = TextClassifier(model).fit(texts[train], labels[train])
        scores.append(100 * classifier.score(texts[test], labels[test]))
    return scores


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=10)
    options = parser.parse_args()
    warnings.simplefilter("ignore", NoPathWarning)
    corpus = load_corpus("messages")
    texts = np.array(corpus.documents, dtype=object)
    lines = [
        INTRODUCTION.format(seeds=options.seeds),
        *table_head("model", [f"{size} labels" for size in SIZES]),
    ]
    for model in MODELS:
        cells = []
        for size in SIZES:
            measured = accuracies(model, size, texts, corpus.labels, options.seeds)
            cells.append(f"{np.mean(measured):.1f} ± {np.std(measured, ddof=1):.1f}")
        lines.append(table_row([model, *cells]))
        print(lines[-1], flush=True)
    write_page(PAGE, "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
