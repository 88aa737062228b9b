"""Counts of terms. Words are numbered first, so stop words and stems cost nothing per token."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import chain

import numpy as np
from scipy import sparse

from honeybayes.text._analyzer import TextAnalyzer, WordCache


class TermCounter:
    """Counts known terms in texts.

    Parameters
    ----------
    terms : iterable of str
        The terms, in the order of the columns.
    analyzer : TextAnalyzer
        Splits a text into terms.
    """

    def __init__(self, terms: Iterable[str], analyzer: TextAnalyzer) -> None:
        self.columns = {term: column for column, term in enumerate(terms)}
        find, term_of_word = self.columns.get, analyzer._term_of_word()
        if analyzer.ngram_range == (1, 1):  # straight from words to columns
            self.split: Callable[[str], list[str]] = analyzer.words
            self.column_of = WordCache(lambda word: find(term_of_word(word), -1))
        else:
            self.split = analyzer
            self.column_of = WordCache(lambda term: find(term, -1))

    def __call__(self, texts: Iterable[str]) -> sparse.csr_matrix:
        """Return the counts of each text."""
        columns, lengths = _number_tokens(texts, self.split, self.column_of)
        known = columns >= 0
        rows = np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)
        return _count(rows[known], columns[known], (len(lengths), len(self.columns)))


class CountedWords:
    """The words of texts, numbered by first occurrence, and the terms of these words."""

    def __init__(self, texts: Iterable[str], analyzer: TextAnalyzer) -> None:
        number: defaultdict[str, int] = defaultdict()
        number.default_factory = number.__len__
        self.tokens, self.lengths = _number_tokens(texts, analyzer.words, number)
        self.words, self.ngram_range = list(number), analyzer.ngram_range
        self.term_of_word = [analyzer._terms[word] for word in self.words]

    def count_terms(self) -> tuple[np.ndarray, sparse.csr_matrix]:
        """Return the sorted terms, and their counts in each text.

        The entries of a row are in the order in which the corpus first used the terms, as from
        CountVectorizer, so that sums of floats are rounded in the same way.
        """
        names, numbers, texts = zip(*[*self._ngrams()][self.ngram_range[0] - 1 :], strict=True)
        sizes = np.cumsum([0, *map(len, names)])
        text = np.concatenate(texts)
        number = np.concatenate([n + size for n, size in zip(numbers, sizes[:-1], strict=True)])
        if len(names) > 1:
            in_order = np.argsort(text, kind="stable")
            text, number = text[in_order], number[in_order]
        first_use = np.empty(sizes[-1], dtype=np.int64)
        first_use[number[::-1]] = np.arange(len(number))[::-1]  # the last value stays
        by_first_use = np.argsort(first_use)
        counts = _count(text, _inverse(by_first_use)[number], (len(self.lengths), len(first_use)))
        terms = np.array([*chain.from_iterable(names)], dtype=object)[by_first_use]
        by_name = np.array(sorted(range(len(terms)), key=terms.tolist().__getitem__), dtype=np.intp)
        counts.indices = _inverse(by_name)[counts.indices]
        counts.has_sorted_indices = False
        return terms[by_name], counts

    def spell(self, terms: Iterable[str]) -> np.ndarray:
        """Return the most frequent spelling of each term; in a tie the shortest, then the last."""
        times = np.bincount(self.tokens, minlength=len(self.words)).tolist()
        shortness = (-len(word) for word in self.words)
        best: dict[str, tuple[int, int, str, str]] = {}
        for rank in zip(times, shortness, self.words, self.term_of_word, strict=True):
            if rank > best.get(rank[-1], ()):
                best[rank[-1]] = rank
        spelled = [" ".join(best[word][2] for word in term.split(" ")) for term in terms]
        return np.array(spelled, dtype=object)

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


def _count(rows: np.ndarray, columns: np.ndarray, shape: tuple[int, int]) -> sparse.csr_matrix:
    ones = np.ones(len(rows), dtype=np.int64)
    return sparse.coo_matrix((ones, (rows, columns)), shape=shape).tocsr()


def _inverse(order: np.ndarray) -> np.ndarray:
    """Return the position of each number in an order of the numbers."""
    position = np.empty(len(order), dtype=np.int32)
    position[order] = np.arange(len(order))
    return position
