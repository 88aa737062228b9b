"""Measure the time of the variants on one fold, as a multiple of CountNB's."""

from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedKFold

from benchmarks.corpora import skip_if_missing
from benchmarks.measure import report, times_as_long
from honeybayes.zoo import list_models, make_model
from reproduction.corpora import load_corpus

RULES = ("MNB", "CNB", "OVA")
# pattern of the name, number of timed runs, divisor of the ratio, target
VARIANTS = [
    ("Rw,c{}", 15, 1, "below 5"),
    ("GRW{}", 15, 1, "below 5"),
    ("GRS{}", 9, 1, "below 30"),
    ("DW{}", 5, 20, "below 4, one of 20 rounds"),
    ("DFW{}", 5, 1, ""),
    ("DTW{}", 1, 1, ""),
    ("LWW{}", 1, 1, ""),
    ("{}Tree", 3, 1, ""),
    ("NBWC", 1, 1, ""),
    ("SE{}", 1, 1, ""),
    ("H{}", 3, 1, ""),
]


def one_fold(corpus: str, X: Any, y: np.ndarray) -> None:
    train, test = next(StratifiedKFold(10, shuffle=True, random_state=0).split(X, y))
    X_train, y_train, X_test = X[train], y[train], X[test]

    def run(name: str) -> None:
        make_model(name).fit(X_train, y_train).predict(X_test)

    rows = []
    for pattern, repeats, parts, bar in VARIANTS:
        for rule in RULES if "{}" in pattern else RULES[:1]:
            name = pattern.format(rule)
            if name in list_models():
                ratio = times_as_long(lambda n=name: run(n), lambda r=rule: run(r), repeats)
                rows.append((name, ratio / parts, bar))
    report(f"{corpus}, one fold, fit and predict: time as a multiple of CountNB", rows)


def main() -> None:
    for corpus in ("fbis", "la1s"):  # long documents with few terms; many terms
        with skip_if_missing(corpus):
            data = load_corpus(corpus)
            one_fold(corpus, data.documents, data.labels)


if __name__ == "__main__":
    main()
