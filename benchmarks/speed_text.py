"""From text to counts: TextAnalyzer against the same analyzer written plainly."""

import re
import time
from collections.abc import Callable
from functools import cache
from statistics import median

import snowballstemmer
from scipy import sparse
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, CountVectorizer

from benchmarks.measure import report
from honeybayes.text import TextAnalyzer
from reproduction.corpora import load_corpus

WORD = re.compile(r"[^\W\d_²³¹¼½¾]{2,}")  # letters: the corpus is in latin-1


def plain_analyzer(stem: Callable[[str], str]) -> Callable[[str], list[str]]:
    def analyze(text: str) -> list[str]:
        words = WORD.findall(text.lower())
        return [stem(word) for word in words if word not in ENGLISH_STOP_WORDS]

    return analyze


def to_counts(
    texts: list[str], analyzer: Callable[[str], list[str]]
) -> tuple[float, sparse.csr_array]:
    start = time.perf_counter()
    counts = CountVectorizer(analyzer=analyzer).fit_transform(texts)
    return time.perf_counter() - start, counts


def main() -> None:
    try:
        texts = load_corpus("20news-18828").documents
    except FileNotFoundError as error:
        print(f"\n20news-18828 left out: {error}")
        return
    stem = snowballstemmer.stemmer("english").stemWord
    # New analyzers each time: what an earlier one remembers must not count.
    plain, expected = to_counts(texts, plain_analyzer(stem))  # once: it takes minutes
    ours, remembering = [], []
    for _ in range(5):
        for times, analyzer in (
            (ours, TextAnalyzer()),
            (remembering, plain_analyzer(cache(stem))),
        ):
            seconds, counts = to_counts(texts, analyzer)
            times.append(seconds)
            assert (counts != expected).nnz == 0
    report(
        "20News-18828 to counts: time of the same analyzer as a multiple of TextAnalyzer's",
        [
            ("written plainly", plain / median(ours), "at least 1"),
            ("written plainly, each stem remembered", median(remembering) / median(ours), ""),
        ],
    )


if __name__ == "__main__":
    main()
