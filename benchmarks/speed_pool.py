"""Compare FewLabelsClassifier on a large pool with and without a sample of it.

    python -m benchmarks.speed_pool [--turns 3]

Texts are made from those of AG News: each has most words of one text, and some of another text of
the same class. Fits take turns; times are CPU times of one process. Run it with OMP_NUM_THREADS=1,
so that only one thread works. Peak memory is that of `fit`, without the counts.
"""

import argparse
import time
from functools import partial

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer

from benchmarks.corpora import analyzer_for, read_texts_or_counts, skip_if_missing
from benchmarks.few_labels import MIN_DF, UNLABELED, label_some
from benchmarks.measure import peak_bytes, report
from benchmarks.records import random_for
from honeybayes import FewLabelsClassifier

CORPUS = "agnews-test"
N_TEXTS, FEWER = 100_000, 25_000
N_TESTS, LABELS = 2000, 5
KEPT, TAKEN = 0.8, 5  # share of the words of a text; words of the other text
DEFAULT = FewLabelsClassifier().max_pool
IN_BENCH = False  # takes minutes


def many_texts(
    words: list[list[str]], classes: np.ndarray, number: int
) -> tuple[list[list[str]], np.ndarray]:
    """Return texts, as lists of words, and their classes."""
    random = random_for("speed of a large pool", number)
    first = random.integers(len(words), size=number)
    of_class = [np.flatnonzero(classes == c) for c in range(classes.max() + 1)]
    texts = []
    for row in first:
        own = [word for word in words[row] if random.random() < KEPT]
        other = words[random.choice(of_class[classes[row]])]
        texts.append([*own, *random.choice(other, TAKEN)])
    return texts, classes[first]


def measure(turns: int) -> None:
    corpus = read_texts_or_counts(CORPUS)
    analyze = analyzer_for(CORPUS, stop_words=False)
    words = [analyze(text) or ["-"] for text in corpus.documents]
    truth = np.unique(corpus.labels, return_inverse=True)[1]
    order = random_for("tests of a large pool").permutation(len(words))
    test, source = order[:N_TESTS], order[N_TESTS:]
    texts, classes = many_texts([words[row] for row in source], truth[source], N_TEXTS)
    vectorizer = CountVectorizer(analyzer=lambda words: words, min_df=MIN_DF)
    X, y = vectorizer.fit_transform(texts), label_some(classes, LABELS)
    tests = vectorizer.transform([words[row] for row in test])
    times: dict[tuple[str, int], list[float]] = {}
    peaks: dict[tuple[str, int], int] = {}
    accuracy = {}
    for _ in range(turns):
        for size in (FEWER, N_TEXTS):
            for name, most in (("sample", DEFAULT), ("all", None)):
                model = FewLabelsClassifier(unlabeled=UNLABELED, max_pool=most)
                fit = partial(model.fit, X[:size], y[:size])
                start = time.process_time()
                peak = peak_bytes(fit)
                times.setdefault((name, size), []).append(time.process_time() - start)
                peaks[name, size] = max(peak, peaks.get((name, size), 0))
                accuracy[name, size] = 100 * model.score(tests, truth[test])
    best = {key: min(values) for key, values in times.items()}
    report(
        f"FewLabelsClassifier, {N_TEXTS:,} short texts: a sample of {DEFAULT:,}, times all",
        [
            ("CPU time of fit", best["sample", N_TEXTS] / best["all", N_TEXTS]),
            ("peak memory of fit", peaks["sample", N_TEXTS] / peaks["all", N_TEXTS]),
            (
                "accuracy on new texts, difference in points",
                accuracy["sample", N_TEXTS] - accuracy["all", N_TEXTS],
            ),
        ],
    )
    report(
        f"FewLabelsClassifier, {N_TEXTS:,} short texts, times {FEWER:,} of them",
        [
            (f"{what} of fit, {name}", found[name, N_TEXTS] / found[name, FEWER])
            for what, found in (("CPU time", best), ("peak memory", peaks))
            for name in ("sample", "all")
        ],
    )


def main(turns: int = 3) -> None:
    with skip_if_missing(CORPUS):
        measure(turns)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=3)
    main(parser.parse_args().turns)
