"""Texts that say nothing to a model, or repeat others."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from honeybayes.utils.messages import say_rows

MOST_KNOWN = 1_000_000  # texts that are compared with later ones


class TextCheck:
    """Counts texts that say nothing to a model, or repeat others, while a table is classified."""

    def __init__(self, classifier: Any) -> None:
        self.classifier, self.n_empty, self.n_unknown, self.n_repeated = classifier, 0, 0, 0
        self.known: set[int] = set()
        of_records = "attributes" in (getattr(classifier, "_table", None) or {})
        self.whole, self.part = ("value", "value") if of_records else ("text", "word")
        # a model that sees more than words can answer without a known word
        self.counts_words = not getattr(classifier, "n_dense_", 1)
        self.without_words = classifier.predict_proba([""]) if self.counts_words else None

    def find_empty(self, texts: Sequence[str], probabilities: np.ndarray) -> list[bool]:
        """Return which texts are empty; count these, and those without a known word."""
        is_empty = [not words.strip() for words in texts]
        self.n_empty += sum(is_empty)
        for words, empty in zip(texts, is_empty, strict=True):
            key = hash(words.strip())
            if not empty and key in self.known:
                self.n_repeated += 1
            elif not empty and len(self.known) < MOST_KNOWN:  # so that memory stays bounded
                self.known.add(key)
        if self.without_words is not None:
            # fast: only texts with the answer of an empty text can be without a known word
            alike = np.isclose(probabilities, self.without_words).all(axis=1)
            doubtful = [texts[row] for row in np.flatnonzero(alike).tolist() if not is_empty[row]]
            if doubtful:
                n_terms = self.classifier.count_terms(doubtful).astype(bool).sum(axis=1)
                self.n_unknown += int((np.asarray(n_terms) == 0).sum())
        return is_empty

    def describe(self) -> list[str]:
        """Return a line about each kind of text that occurred."""
        lines = []
        if self.n_empty:
            has = say_rows(self.n_empty, "has", "have")
            lines.append(f"{has} no {self.whole}: no label was given")
        if self.n_unknown:
            known = f"no {self.part} that the model knows: the label is a guess"
            lines.append(f"{say_rows(self.n_unknown, 'has', 'have')} {known}")
        if self.n_repeated and self.whole == "text":  # records are often equal
            lines.append(
                f"{say_rows(self.n_repeated, 'repeats', 'repeat')} the text of another row"
            )
        return lines
