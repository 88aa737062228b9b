"""The encoder "multilingual": seconds of one core per 1,000 texts, and to read stored vectors."""

import os
import tempfile
import time
from collections.abc import Callable
from unittest import mock

from benchmarks.measure import report
from honeybayes.tables import load_corpus
from honeybayes.text import MULTILINGUAL, TextEncoder

LENGTH = 60  # characters: that of a question to a bank
N_SHORT, N_LONG, N_STORED = 3000, 300, 20_000


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


if __name__ == "__main__":
    main()
