"""The encoder "multilingual": seconds per 1,000 texts, to read vectors, and to fit with them."""

import os
import tempfile
import time
from collections.abc import Callable
from unittest import mock

from benchmarks.corpora import skip_if_missing
from benchmarks.defaults import choose_labeled, read_texts
from benchmarks.measure import report, times_as_long
from honeybayes import TextClassifier
from honeybayes.tables import load_corpus
from honeybayes.text import MULTILINGUAL, TextEncoder

LENGTH = 60  # characters: that of a question to a bank
N_SHORT, N_LONG, N_STORED = 3000, 300, 20_000
CORPUS, N_LEARNED = "agnews-test", 4000  # 5 labels per class


def core_seconds(work: Callable[[], object]) -> float:
    """Return the time of the processor, which other programs disturb least."""
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    words = " ".join(load_corpus("messages").documents).split()
    texts = [" ".join(words[at : at + 15])[:LENGTH] for at in range(N_SHORT)]
    news = [" ".join(words[at : at + 500]) for at in range(N_LONG)]
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.dict(os.environ, {"HONEYBAYES_CACHE": folder}),
    ):
        encoder = TextEncoder(MULTILINGUAL).fit(["any"])
        short = core_seconds(lambda: encoder.transform(texts)) * 1000 / N_SHORT
        long = core_seconds(lambda: encoder.transform(news)) * 1000 / N_LONG
        plain = TextEncoder(lambda asked: [[1.0] * 512] * len(asked)).fit(["any"])
        stored = [f"text {number}" for number in range(N_STORED)]
        plain.transform(stored)
        read = core_seconds(lambda: plain.transform(stored))
    report(
        "Vectors of texts: seconds of one core",
        [
            (f"1,000 texts of {LENGTH} characters", short, "at most 1"),
            ("1,000 long texts, of which it reads 1,000 characters", long, ""),
            (f"read {N_STORED:,} stored vectors", read, "at most 1"),
        ],
    )
    with skip_if_missing(CORPUS):
        fit_with_stored_vectors()


def fit_with_stored_vectors() -> None:
    texts, y = (each[:N_LEARNED] for each in read_texts(CORPUS))
    known = choose_labeled(y, "5")
    labeled, labels, pool = list(texts[known]), y[known], list(texts[~known])
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.dict(os.environ, {"HONEYBAYES_CACHE": folder}),
    ):
        both, words = (TextClassifier("FewLabels", encoder=each) for each in (MULTILINGUAL, None))
        ratio = times_as_long(
            lambda: both.fit(labeled, labels, pool=pool),
            lambda: words.fit(labeled, labels, pool=pool),
            repeats=9,
            clock=time.process_time,
        )
    report(
        f"Fit to {N_LEARNED:,} short texts whose vectors are stored",
        [("times as long as words alone", ratio, "at most 2")],
    )


if __name__ == "__main__":
    main()
