"""How texts spell the terms that are made of them: "delivery" for the stem "deliveri"."""

from collections import Counter
from collections.abc import Iterable

import numpy as np

from honeybayes.text._analyzer import TextAnalyzer


class SpellingCounter:
    """An analyzer that counts the words of the texts it meets.

    Parameters
    ----------
    analyzer : TextAnalyzer
        Makes terms of the words.
    """

    def __init__(self, analyzer: TextAnalyzer) -> None:
        self.analyzer = analyzer
        self.times: Counter[str] = Counter()

    def __call__(self, text: str) -> list[str]:
        """Return the terms of a text, in order and with repetitions."""
        words = self.analyzer._words(text)
        self.times.update(words)
        return self.analyzer._terms_of(words)

    def spellings(self) -> dict[str, str]:
        """Return the most frequent word of each term; of equals the shortest, then the last."""
        ranked = sorted(self.times, key=lambda word: (self.times[word], -len(word), word))
        return {term: word for word in ranked for term in self.analyzer._terms_of([word])}

    def of_terms(self, terms: Iterable[str]) -> np.ndarray:
        """Return the spelling of each term, in an array of objects."""
        spellings = self.spellings()
        return np.array([spellings[term] for term in terms], dtype=object)
