"""Vocabulary: the terms of texts that are counted part by part."""

from collections import Counter
from collections.abc import Mapping
from heapq import nsmallest
from typing import Any, Self

import numpy as np
from sklearn.base import clone

from honeybayes.text._analyzer import TextAnalyzer
from honeybayes.text._detection import look_at
from honeybayes.text.vectorizer import CountedWords, TextVectorizer, spell_terms, why_no_terms
from honeybayes.utils.digests import settings_text
from honeybayes.utils.parameters import documented
from honeybayes.utils.texts import check_texts
from honeybayes.utils.validation import check_integer

BATCH_SIZE = 10_000  # texts whose words are numbered at one time
COUNTED_PER_KEPT = 2  # terms that are counted for each one that is kept


@documented
class Vocabulary:
    """Learn the terms of a `TextVectorizer` from texts that do not fit in memory.

    Texts are added in batches, here or in other processes, whose objects are merged, in any order.
    The vectorizer that ``finish`` returns is the one that ``fit`` makes of all texts: the same
    terms in the same order, and the same spellings.

    Parameters
    ----------
    vectorizer : TextVectorizer or None, default=None
        The settings. It is not changed. None uses the default ones. What is
        "auto", such as the language, is found in the first texts that are added. Set it if parts
        are few texts, or differ: parts with different settings cannot be merged.
    max_terms : int or None, default=None
        The most terms to keep: those that occur in the most documents, and among equally frequent
        ones the first in alphabetical order. At most twice as many are counted at one time, so that
        memory is bounded. None keeps all terms.

    Attributes
    ----------
    n_documents : int
        Texts that were added.
    n_terms : int
        Terms that are counted now.
    max_error : int
        0 as long as every term was counted. If there were more than twice ``max_terms``, rare ones
        were forgotten, and the documents of a term may be up to this number too low. Which of the
        rare terms are kept then depends on the parts, and so may the spellings. No term that
        ``min_df`` demands is left out for its low count, but rarer ones may be kept.
    n_frequent : int
        Terms that are in at least ``min_df`` documents, as far as was counted.

    Notes
    -----
    The counts are a summary of Misra and Gries. If there are too many terms, the most frequent ones
    stay, and the count of the first one that has no room is subtracted from theirs, but not below
    0. Such summaries merge, and the error is at most the sum of all document frequencies divided by
    the number of terms that are counted [1]_.

    References
    ----------
    .. [1] Agarwal, Cormode, Huang, Phillips, Wei, Yi: Mergeable Summaries. ACM Transactions on
       Database Systems 38 (2013).

    Examples
    --------
    >>> from honeybayes.text import Vocabulary
    >>> here = Vocabulary().add(["Late deliveries", "My delivery is late"])
    >>> there = Vocabulary().add(["Delivery of a parcel"])
    >>> vectorizer = here.merge(there).finish()
    >>> vectorizer.terms_.tolist(), vectorizer.spellings_.tolist()
    (['deliveri', 'late', 'parcel'], ['delivery', 'late', 'parcel'])
    >>> Vocabulary(max_terms=1).merge(here).finish().terms_
    array(['deliveri'], dtype=object)
    """

    def __init__(
        self, vectorizer: TextVectorizer | None = None, *, max_terms: int | None = None
    ) -> None:
        self.vectorizer = clone(TextVectorizer() if vectorizer is None else vectorizer)
        self.vectorizer._check_parameters()
        if max_terms is not None:
            check_integer("max_terms", max_terms, least=1)
        self.max_terms, self.n_documents = max_terms, 0
        room = None if max_terms is None else COUNTED_PER_KEPT * max_terms
        self._documents, self._words = _Frequencies(room), _Frequencies(room)
        self._analyzer: TextAnalyzer | None = None  # before there are texts

    @property
    def n_terms(self) -> int:
        """Terms that are counted now."""
        return len(self._documents.counts)

    @property
    def max_error(self) -> int:
        """By how much the documents of a term may be too low."""
        return self._documents.error

    @property
    def n_frequent(self) -> int:
        """Terms that are in at least ``min_df`` documents, as far as was counted."""
        return len(self._frequent_terms())

    def _frequent_terms(self) -> list[str]:
        least = self.vectorizer.min_df - self.max_error
        return sorted(term for term, n in self._documents.counts.items() if n >= least)

    def add(self, X: Any) -> Self:
        """Add texts.

        Parameters
        ----------
        X : iterable of str
            The texts. There may be none.
        """
        texts = check_texts(X, allow_empty=True)
        if not texts:
            return self
        analyzer = self._analyzer = self._analyzer or self.vectorizer._new_analyzer(look_at(texts))
        for first in range(0, len(texts), BATCH_SIZE):
            words = CountedWords(texts[first : first + BATCH_SIZE], analyzer)
            terms, counts = words.count_terms()
            in_documents = np.bincount(counts.indices, minlength=len(terms)).tolist()
            self._documents.add(dict(zip(terms.tolist(), in_documents, strict=True)))
            self._words.add(words.times)
        self.n_documents += len(texts)
        return self

    def merge(self, other: "Vocabulary") -> Self:
        """Add the texts of another object with the same settings.

        Parameters
        ----------
        other : Vocabulary
            It is not changed.
        """
        if settings_text(other.vectorizer) != settings_text(self.vectorizer):
            both = f"{other.vectorizer!r} cannot be merged with {self.vectorizer!r}"
            raise ValueError(f"A vocabulary of {both}. Use the same settings for all parts.")
        self._analyzer = self._analyzer or other._analyzer
        if other._analyzer not in (None, self._analyzer):
            raise ValueError(
                f'What "auto" found in the texts differs: {other._analyzer} and {self._analyzer}. '
                "Set language and clean_html for all parts."
            )
        self._documents.add(other._documents.counts, other._documents.error)
        self._words.add(other._words.counts, other._words.error)
        self.n_documents += other.n_documents
        return self

    def empty_copy(self) -> Self:
        """Return an object with the same settings and without texts."""
        return type(self)(self.vectorizer, max_terms=self.max_terms)

    def finish(self) -> TextVectorizer:
        """Return the fitted vectorizer; raise ValueError if no term is left."""
        analyzer, documents = self._analyzer, self._documents.counts
        analyzer = analyzer or self.vectorizer.build_analyzer()
        least, terms = self.vectorizer.min_df, self._frequent_terms()
        if not terms:
            spelled = spell_terms(documents, self._words.counts, analyzer)
            most = [n + self.max_error for n in documents.values()]
            found = dict(zip(spelled, most, strict=True))
            raise ValueError(why_no_terms(self.n_documents, found, analyzer, least))
        if self.max_terms is not None and len(terms) > self.max_terms:
            terms.sort(key=documents.__getitem__, reverse=True)  # stable: ties stay in order
            terms = sorted(terms[: self.max_terms])
        fitted = clone(self.vectorizer)
        fitted._analyzer, fitted.terms_ = analyzer, np.array(terms, dtype=object)
        fitted.spellings_ = spell_terms(terms, self._words.counts, analyzer)
        return fitted


class _Frequencies:
    """Counts by name, of all names or of the most frequent ones; see the Notes of `Vocabulary`."""

    def __init__(self, room: int | None) -> None:
        self.counts: Counter[str] = Counter()
        self.room, self.error = room, 0

    def add(self, counts: Mapping[str, int], error: int = 0) -> None:
        self.counts.update(counts)
        self.error += error
        if self.room is not None and len(self.counts) > self.room:
            each = np.fromiter(self.counts.values(), dtype=np.int64)
            cut = int(np.partition(each, -self.room - 1)[-self.room - 1])
            kept = {name: n - cut for name, n in self.counts.items() if n > cut}
            equal = [name for name, n in self.counts.items() if n == cut]
            kept |= dict.fromkeys(nsmallest(self.room - len(kept), equal), 0)
            self.counts = Counter(kept)
            self.error += cut
