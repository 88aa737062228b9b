"""Compare TextAnalyzer with a simple implementation of the same analyzer."""

import re
import time
from collections.abc import Callable
from functools import cache
from statistics import median

import snowballstemmer
from scipy import sparse
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, CountVectorizer

from benchmarks.corpora import skip_if_missing
from benchmarks.measure import report
from honeybayes.text import TextAnalyzer
from reproduction.corpora import load_corpus

IN_BENCH = False  # the simple analyzer takes minutes
WORD = re.compile(r"[^\W\d_²³¹¼½¾]{2,}")  # letters: the corpus is in latin-1


def simple_analyzer(stem: Callable[[str], str]) -> Callable[[str], list[str]]:
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


@skip_if_missing("20news-18828")
def main() -> None:
    texts = load_corpus("20news-18828").documents
    stem = snowballstemmer.stemmer("english").stemWord
    # a new analyzer each time, because analyzers cache stems
    simple, expected = to_counts(texts, simple_analyzer(stem))  # once, because it takes minutes
    ours, caching = [], []
    for _ in range(5):
        for times, analyzer in (
            (ours, TextAnalyzer()),
            (caching, simple_analyzer(cache(stem))),
        ):
            seconds, counts = to_counts(texts, analyzer)
            times.append(seconds)
            assert (counts != expected).nnz == 0
    report(
        "20News-18828 to counts: time as a multiple of TextAnalyzer's",
        [
            ("simple analyzer", simple / median(ours), "at least 1"),
            ("simple analyzer with cached stems", median(caching) / median(ours), ""),
        ],
    )


if __name__ == "__main__":
    main()
