"""Tokens, stop words and stems of one language."""

import re
import unicodedata
from dataclasses import asdict, dataclass
from functools import cache, cached_property
from threading import Lock
from typing import Any

import snowballstemmer
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

STOP_WORDS = {"english": ENGLISH_STOP_WORDS}
OTHER_STEMMERS = {"dutch_porter", "lovins", "porter"}  # stemmers named otherwise than a language
CACHED_WORDS = 200_000  # about the distinct words of 20 Newsgroups, twice


@dataclass(frozen=True)
class TextAnalyzer:
    """Cut a text into terms: lower case, letters only, no stop words, stemmed.

    Made for the ``analyzer`` parameter of :class:`sklearn.feature_extraction.text.CountVectorizer`.
    It can be pickled and compared, and may be shared by threads.

    Parameters
    ----------
    language : str, default="english"
        Decides the stop words, the stems and, for Turkish, the lower case: the capital of ``ı``
        is ``I``, that of ``i`` is ``İ``. Any language that snowballstemmer knows.
    stop_words : bool, default=True
        Leave out the most frequent words of the language. There is a list for English only; for
        other languages say ``stop_words=False``.
    stem : bool, default=True
        Reduce each word to its Snowball stem.
    min_length : int, default=2
        Leave out words with fewer characters, counted before stemming.

    Examples
    --------
    >>> from honeybayes.text import TextAnalyzer
    >>> analyze = TextAnalyzer()
    >>> analyze("The 3 runners weren't running: they RAN!")
    ['runner', 'weren', 'run', 'ran']
    >>> TextAnalyzer(language="turkish", stop_words=False, stem=False)("IŞIK İyi")
    ['ışık', 'iyi']
    """

    language: str = "english"
    stop_words: bool = True
    stem: bool = True
    min_length: int = 2

    def __post_init__(self) -> None:
        languages = sorted(set(snowballstemmer.algorithms()) - OTHER_STEMMERS)
        if self.language not in languages:
            raise ValueError(
                f"Unknown language {self.language!r}. The languages are: {', '.join(languages)}."
            )
        if self.stop_words and self.language not in STOP_WORDS:
            raise ValueError(
                f"There is no list of stop words for {self.language!r}, only for: "
                f"{', '.join(sorted(STOP_WORDS))}. Use stop_words=False to keep every word."
            )
        if self.min_length < 1:
            raise ValueError(f"min_length must be 1 or more, got {self.min_length!r}.")

    def __call__(self, text: str) -> list[str]:
        """Return the terms of a text, in order and with repetitions."""
        words = _word_pattern().findall(self._lower(text))
        return [term for term in map(self._terms.__getitem__, words) if term]

    def __getstate__(self) -> dict[str, Any]:
        return asdict(self)  # without the cache

    @cached_property
    def _terms(self) -> "_TermOfWord":
        return _TermOfWord(self)

    def _lower(self, text: str) -> str:
        # lower() would make two characters of İ, an i and a combining dot.
        text = unicodedata.normalize("NFC", text).replace("İ", "i")
        if self.language == "turkish":
            text = text.replace("I", "\N{LATIN SMALL LETTER DOTLESS I}")
        return text.lower()


class _TermOfWord(dict[str, str]):
    """Remembers the term of each word met, or "" for a word to leave out."""

    def __init__(self, analyzer: TextAnalyzer) -> None:
        super().__init__()
        self.min_length = analyzer.min_length
        self.stop_words = STOP_WORDS[analyzer.language] if analyzer.stop_words else frozenset()
        self.stemmer = snowballstemmer.stemmer(analyzer.language) if analyzer.stem else None
        self.lock = Lock()  # a stemmer keeps the word it works on in itself

    def __missing__(self, word: str) -> str:
        if len(word) < self.min_length or word in self.stop_words:
            term = ""
        elif self.stemmer is None:
            term = word
        else:
            with self.lock:
                term = self.stemmer.stemWord(word)
        if len(self) >= CACHED_WORDS:
            self.clear()
        self[word] = term
        return term


@cache
def _word_pattern() -> re.Pattern[str]:
    r"""Letters, each with the marks that belong to it.

    Python's ``\w`` leaves out combining marks, which would break words of Hindi or Tamil at every
    vowel sign, and takes in numerals such as ``²``. Marks and numerals beyond the basic plane are
    left to it: naming them here too would make matching many times slower.
    """
    characters = [chr(code) for code in range(0x10000)]
    marks = "".join(c for c in characters if unicodedata.category(c).startswith("M"))
    numerals = "".join(c for c in characters if c.isnumeric() and not c.isalpha())
    letter = rf"[^\W\d_{numerals}]"
    return re.compile(rf"{letter}+(?:[{marks}]+{letter}*)*")
