"""Counts of terms. Words are numbered first, so stop words and stems cost nothing per token."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
from scipy import sparse

from honeybayes.text._analyzer import OPENING, TextAnalyzer, WordCache


class TermCounter:
    """Counts known terms in texts; the terms are in the order of the columns."""

    def __init__(self, terms: Iterable[str], analyzer: TextAnalyzer) -> None:
        self.columns = {term: column for column, term in enumerate(terms)}
        find, term_of_word = self.columns.get, analyzer._term_of_word()
        if analyzer.ngram_range == (1, 1):  # straight from words to columns
            self.split: Callable[[str], list[str]] = analyzer.words
            self.column_of = WordCache(lambda word: find(term_of_word(word), -1))
            if analyzer.opening:
                self.split = lambda text: (words := analyzer.words(text)) + analyzer.openings(words)
                self.column_of = WordCache(
                    lambda word: find(word if word[0] == OPENING else term_of_word(word), -1)
                )
        else:
            self.split = analyzer
            self.column_of = WordCache(lambda term: find(term, -1))

    def __call__(self, texts: Iterable[str]) -> sparse.csr_matrix:
        """Return the counts of each text."""
        columns, lengths = _number_tokens(texts, self.split, self.column_of)
        known = columns >= 0
        indptr = _starts(known)[_starts(lengths)]
        columns = columns[known]
        ones, shape = np.ones(len(columns), dtype=np.int64), (len(lengths), len(self.columns))
        counts = sparse.csr_matrix((ones, columns, indptr), shape=shape)
        counts.sum_duplicates()
        return counts


class CountedWords:
    """The words of texts, numbered by first occurrence, and the terms of these words."""

    def __init__(self, texts: Iterable[str], analyzer: TextAnalyzer) -> None:
        number: defaultdict[str, int] = defaultdict()
        number.default_factory = number.__len__
        self.tokens, self.lengths = _number_tokens(texts, analyzer.words, number)
        self.words, self.ngram_range = list(number), analyzer.ngram_range
        self.term_of_word = [analyzer._terms[word] for word in self.words]
        self.analyzer = analyzer

    def count_terms(self) -> tuple[np.ndarray, sparse.csr_matrix]:
        """Return the sorted terms, and their counts in each text.

        The entries of a row are in the order in which the corpus first used the terms, as from
        CountVectorizer, so that sums of floats are rounded in the same way.
        """
        levels = [*self._ngrams()][self.ngram_range[0] - 1 :]
        if self.analyzer.opening:
            levels.append(self._openings())
        names, numbers, texts = zip(*levels, strict=True)
        *starts, n_terms = _starts([len(level) for level in names])
        text = np.concatenate(texts)
        number = np.concatenate([n + start for n, start in zip(numbers, starts, strict=True)])
        if len(names) > 1:
            in_order = np.argsort(text, kind="stable")
            text, number = text[in_order], number[in_order]
        first_use = np.empty(n_terms, dtype=np.int64)
        first_use[number[::-1]] = np.arange(len(number))[::-1]  # the last value stays
        by_first_use = np.argsort(first_use)
        column = _inverse(by_first_use)[number]
        ones = np.ones(len(column), dtype=np.int64)
        shape = len(self.lengths), n_terms
        counts = sparse.coo_matrix((ones, (text, column)), shape=shape).tocsr()
        terms = np.array([*chain.from_iterable(names)], dtype=object)[by_first_use]
        by_name = np.array(sorted(range(len(terms)), key=terms.tolist().__getitem__), dtype=np.intp)
        columns = _inverse(by_name)[counts.indices]
        renamed = sparse.csr_matrix((counts.data, columns, counts.indptr), shape=shape)
        return terms[by_name], renamed

    def times(self) -> list[int]:
        """Return how often each word occurs."""
        return np.bincount(self.tokens, minlength=len(self.words)).tolist()

    def spell(self, terms: Iterable[str]) -> np.ndarray:
        """Return the most frequent spelling of each term."""
        return spell_terms(terms, self.words, self.times(), self.analyzer)

    def _openings(self) -> tuple[list[str], np.ndarray, np.ndarray]:
        """Return the distinct openings, and number and text of each one."""
        number: defaultdict[str, int] = defaultdict()
        number.default_factory = number.__len__
        found, texts = [], []
        start = _starts(self.lengths)
        for text, first in enumerate(start[:-1]):
            # words that are too short do not count, and are skipped
            words = (self.words[token] for token in self.tokens[first : start[text + 1]])
            openings = self.analyzer.openings(words)
            found += [number[opening] for opening in openings]
            texts += [text] * len(openings)
        return list(number), np.array(found, dtype=np.int32), np.array(texts, dtype=np.int32)

    def _ngrams(self) -> Iterator[tuple[list[str], np.ndarray, np.ndarray]]:
        """Yield the n-grams for n = 1, 2, ...: distinct ones, and number and text of each token."""
        words = [term for term in dict.fromkeys(self.term_of_word) if term]
        number_of_term = {"": -1} | {word: number for number, word in enumerate(words)}
        by_word = np.array([number_of_term[term] for term in self.term_of_word], dtype=np.int32)
        single = by_word[self.tokens]
        text = np.repeat(np.arange(len(self.lengths), dtype=np.int32), self.lengths)[single >= 0]
        single = single[single >= 0]
        names, number, start = words, single, np.arange(len(single))
        yield names, number, text
        for n in range(1, self.ngram_range[1]):
            # the next word must be of the same text
            follows = text[np.minimum(start + n, len(text) - 1)] == text[start]
            follows &= start + n < len(text)
            start = start[follows]
            pair = number[follows].astype(np.int64) * len(words) + single[start + n]
            distinct, number = np.unique(pair, return_inverse=True)
            pairs = zip(*(part.tolist() for part in divmod(distinct, len(words))), strict=True)
            names = [f"{names[first]} {words[last]}" for first, last in pairs]
            yield names, number, text[start]


def spell_terms(
    terms: Iterable[str], words: Sequence[str], times: Sequence[int], analyzer: TextAnalyzer
) -> np.ndarray:
    """Return the most frequent spelling of each term; in a tie the shortest, then the last."""
    best = _most_frequent(words, times, analyzer._terms)
    of_openings = _most_frequent(words, times, analyzer._stems) if analyzer.opening else {}
    spelled = []
    for term in terms:
        if term in best:  # one word, or a line, which may have spaces
            spelled.append(best[term])
            continue
        first, *others = term.split(" ")
        if first == OPENING:  # "who is" at the beginning is "who is …"
            spelled.append(" ".join([*(of_openings.get(part, part) for part in others), "…"]))
        else:
            spelled.append(" ".join(best.get(part, part) for part in (first, *others)))
    return np.array(spelled, dtype=object)


def _most_frequent(
    words: Sequence[str], times: Sequence[int], term_of: Mapping[str, str]
) -> dict[str, str]:
    best: dict[str, tuple[int, int, str]] = {}
    for word, n in zip(words, times, strict=True):
        term, rank = term_of[word], (n, -len(word), word)
        if rank > best.get(term, ()):
            best[term] = rank
    return {term: rank[-1] for term, rank in best.items()}


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


def _starts(lengths: Any) -> np.ndarray:
    """Return where each part begins, and the end of the last one."""
    return np.concatenate(([0], np.cumsum(lengths)))


def _inverse(order: np.ndarray) -> np.ndarray:
    """Return the position of each number in an order of the numbers."""
    position = np.empty(len(order), dtype=np.int32)
    position[order] = np.arange(len(order))
    return position
