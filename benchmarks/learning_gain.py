"""How well the report tells what 50 more labels would bring.

For each corpus and model, the curve is fitted to 5, 10 and 25 labels per class, and the projected
gain is compared with the measured one.

    python -m benchmarks.learning_gain
"""

import warnings

import numpy as np

from honeybayes.evaluate import RandomSplits, compare
from honeybayes.report import estimate_gain
from honeybayes.tables import load_corpus

CORPORA = (
    *("messages", "mailbox", "sms-spam", "agnews-test", "trec-questions", "mini-newsgroups"),
    *("1150haber", "webkb4-stemmed"),
)
MODELS = ("CNB", "LogisticRegression-tfidf")
SIZES = (5, 10, 25)
N_MORE = 50
N_DRAWS = 20
MAX_TEST = 1000


def main() -> None:
    print("| corpus | model | labels | projected | measured |\n| --- | --- | --: | --: | --: |")
    errors = []
    for name in CORPORA:
        corpus = load_corpus(name)
        corpus = corpus.keep_classes(corpus.classes, name)  # without documents that have no label
        ahead = SIZES[-1] + round(N_MORE / len(corpus.classes))
        splits = [
            RandomSplits(per_class=size, repetitions=N_DRAWS, max_test=MAX_TEST)
            for size in (*SIZES, ahead)
        ]
        found = compare(MODELS, corpus, splits, metrics=["accuracy"], pool=False)
        for model in MODELS:
            own = [result for result in found.results if result.cell.model == model]
            n = np.array([result.n_train for result in own])
            accuracy = np.array([result.scores["accuracy"] for result in own])
            *known, last = np.unique(n)
            is_known = n <= known[-1]
            gain = estimate_gain(n[is_known], accuracy[is_known])
            # scaled, because the sizes per class do not add up to 50 more labels exactly
            measured = accuracy[n == last].mean() - accuracy[n == known[-1]].mean()
            measured *= gain.n_more / (last - known[-1])
            errors.append(100 * (gain.gain - measured))
            shown = f"{100 * gain.gain:.1f} | {100 * measured:.1f}"
            print(f"| {name} | {model} | {known[-1]} | {shown} |", flush=True)
    print(
        f"\nMean error {np.mean(errors):+.1f} points, mean absolute error "
        f"{np.mean(np.abs(errors)):.1f}, largest {np.max(np.abs(errors)):.1f}."
    )


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
