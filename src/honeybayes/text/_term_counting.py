"""Counts of terms. Words are numbered first, so stop words and stems cost nothing per token."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain

import numpy as np
from scipy import sparse

from honeybayes.text._analyzer import TextAnalyzer, WordCache


class TermCounter:
    """Counts known terms in texts; the terms are in the order of the columns."""

    def __init__(self, terms: Iterable[str], analyzer: TextAnalyzer) -> None:
        self.columns = columns = {term: column for column, term in enumerate(terms)}
        self.tokens = analyzer._tokens
        self.column_of = WordCache(lambda token: columns.get(analyzer._term(token), -1))

    def __call__(self, texts: Iterable[str]) -> sparse.csr_matrix:
        """Return the counts of each text."""
        columns, lengths = _number_tokens(texts, self.tokens, self.column_of)
        known = columns >= 0
        indptr = _starts(known)[_starts(lengths)]
        columns = columns[known]
        ones, shape = np.ones(len(columns), dtype=np.int64), (len(lengths), len(self.columns))
        counts = sparse.csr_matrix((ones, columns, indptr), shape=shape)
        counts.sum_duplicates()
        return counts


class CountedWords:
    """The tokens of texts, numbered by first occurrence, and their terms."""

    def __init__(self, texts: Iterable[str], analyzer: TextAnalyzer) -> None:
        number: defaultdict[str, int] = defaultdict()
        number.default_factory = number.__len__
        self.numbers, self.lengths = _number_tokens(texts, analyzer._tokens, number)
        self.tokens, self.analyzer = list(number), analyzer
        self.terms = [analyzer._term(token) for token in self.tokens]

    def count_terms(self) -> tuple[np.ndarray, sparse.csr_matrix]:
        """Return the sorted terms, and their counts in each text.

        The entries of a row are in the order in which the corpus first used the terms, as from
        CountVectorizer, so that sums of floats are rounded in the same way.
        """
        terms, single = self.terms, self.analyzer.ngram_range[0] == 1
        if not single:
            built = map(self.analyzer._is_longer, self.tokens)
            terms = [term if is_built else "" for term, is_built in zip(terms, built, strict=True)]
        names = [term for term in dict.fromkeys(terms) if term]
        column_of = {"": -1} | {name: column for column, name in enumerate(names)}
        columns = np.array([column_of[term] for term in terms], dtype=np.int32)[self.numbers]
        rows = np.repeat(np.arange(len(self.lengths), dtype=np.int32), self.lengths)[columns >= 0]
        columns = columns[columns >= 0]
        ones, shape = np.ones(len(columns), dtype=np.int64), (len(self.lengths), len(names))
        counts = sparse.coo_matrix((ones, (rows, columns)), shape=shape).tocsr()
        by_name = np.array(sorted(range(len(names)), key=names.__getitem__), dtype=np.intp)
        renamed = np.argsort(by_name).astype(np.int32)[counts.indices]
        sorted_terms = np.array(names, dtype=object)[by_name]
        return sorted_terms, sparse.csr_matrix((counts.data, renamed, counts.indptr), shape=shape)

    def times(self) -> dict[str, int]:
        """Return how often each word occurs that spells a term, or a part of it."""
        times = np.bincount(self.numbers, minlength=len(self.tokens)).tolist()
        return {
            token: n
            for token, term, n in zip(self.tokens, self.terms, times, strict=True)
            if term and not self.analyzer._is_longer(token)
        }

    def spell(self, terms: Iterable[str]) -> np.ndarray:
        """Return the most frequent spelling of each term."""
        return spell_terms(terms, self.times(), self.analyzer)


def spell_terms(
    terms: Iterable[str], times: Mapping[str, int], analyzer: TextAnalyzer
) -> np.ndarray:
    """Return the most frequent spelling of each term; in a tie the shortest, then the last."""
    ranked = sorted(times, key=lambda word: (times[word], -len(word), word))
    best = {analyzer._terms[word]: word for word in ranked}
    spelled = [
        # one word, or a line, which may have spaces; otherwise several words
        best[term] if term in best else " ".join(best.get(part, part) for part in term.split(" "))
        for term in terms
    ]
    return np.array(spelled, dtype=object)


def _number_tokens(
    texts: Iterable[str], split: Callable[[str], list[str]], number: dict[str, int]
) -> tuple[np.ndarray, np.ndarray]:
    """Return the number of each token of all texts, and how many tokens each text has."""
    lengths = []

    def numbered() -> Iterator[Iterable[int]]:
        for text in texts:
            tokens = split(text)
            lengths.append(len(tokens))
            yield map(number.__getitem__, tokens)

    numbers = np.fromiter(chain.from_iterable(numbered()), dtype=np.int32)
    return numbers, np.array(lengths)


def _starts(lengths: np.ndarray) -> np.ndarray:
    """Return where each part begins, and the end of the last one."""
    return np.concatenate(([0], np.cumsum(lengths)))
