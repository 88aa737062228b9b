"""Compare TextVectorizer with TfidfVectorizer, TextAnalyzer with a simple one, and term scores."""

import re
import time
from collections.abc import Callable
from functools import cache
from typing import Any

import Stemmer
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, CountVectorizer, TfidfVectorizer

from benchmarks.corpora import skip_if_missing
from benchmarks.measure import report, times_as_long
from honeybayes.text import TermSelector, TextAnalyzer, TextVectorizer
from reproduction.corpora import load_corpus

IN_BENCH = False  # the simple analyzer takes minutes
WORD = re.compile(r"[^\W\d_²³¹¼½¾]{2,}")  # letters: the corpus is in latin-1
REPEATS = 3


def simple_analyzer(stem: Callable[[str], str]) -> Callable[[str], list[str]]:
    def analyze(text: str) -> list[str]:
        words = WORD.findall(text.lower())
        return [stem(word) for word in words if word not in ENGLISH_STOP_WORDS]

    return analyze


def vectorize_as_long(texts: list[str], **parameters: Any) -> float:
    """Return the time of TextVectorizer as a multiple of TfidfVectorizer, without stems."""
    pattern = WORD.pattern
    return times_as_long(
        lambda: TextVectorizer(**parameters).fit_transform(texts),
        lambda: TfidfVectorizer(token_pattern=pattern).fit_transform(texts),
        REPEATS,
    )


def select_as_long(counts: Any, labels: Any) -> float:
    """Return the time of selecting by WEKA's gain as a multiple of the gain of presence."""
    return times_as_long(
        lambda: TermSelector(score_func="weka-gain").fit(counts, labels),
        lambda: TermSelector().fit(counts, labels),
        clock=time.process_time,
    )


@skip_if_missing("20news-18828")
def main() -> None:
    corpus = load_corpus("20news-18828")
    texts = corpus.documents
    report(
        "20News-18828 to counts: time as a multiple of TfidfVectorizer with the same words",
        [
            ("TextVectorizer", vectorize_as_long(texts), "at most 1.2, goal 0.7"),
            ("TextVectorizer, no stems", vectorize_as_long(texts, stem=False), ""),
        ],
    )
    counts = TextVectorizer(min_df=3).fit_transform(texts)
    report(
        "20News-18828, 2,000 of 33,000 terms: time as a multiple of the gain of presence",
        [("TermSelector, weka-gain", select_as_long(counts, corpus.labels), "at most 3")],
    )
    stem = Stemmer.Stemmer("english").stemWord
    expected = CountVectorizer(analyzer=simple_analyzer(stem)).fit_transform(texts)

    def count(analyzer: Callable[[str], list[str]]) -> None:
        counts = CountVectorizer(analyzer=analyzer).fit_transform(texts)
        assert (counts != expected).nnz == 0

    # a new analyzer each time, because analyzers cache stems
    caching = times_as_long(
        lambda: count(simple_analyzer(cache(stem))), lambda: count(TextAnalyzer()), REPEATS
    )
    report(
        "20News-18828 to counts: time as a multiple of TextAnalyzer's",
        [("simple analyzer with cached stems", caching, "at least 1")],
    )


if __name__ == "__main__":
    main()
