"""Tokens, stop words and stems of one language."""

import re
import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import dataclass, fields
from functools import cache, cached_property
from threading import Lock
from typing import Any, ClassVar

import snowballstemmer

from honeybayes.text._stop_words import STOP_WORDS
from honeybayes.utils.state import State
from honeybayes.utils.suggestions import did_you_mean

OTHER_STEMMERS = {"dutch_porter", "lovins", "porter"}  # stemmers named otherwise than a language
# fmt: off
LANGUAGE_OF_CODE = {  # of ISO 639-1, to guess what was meant
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german",
    "el": "greek", "en": "english", "eo": "esperanto", "es": "spanish", "et": "estonian",
    "eu": "basque", "fa": "persian", "fi": "finnish", "fr": "french", "ga": "irish",
    "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian",
    "lt": "lithuanian", "nb": "norwegian", "ne": "nepali", "nl": "dutch", "no": "norwegian",
    "pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian",
    "st": "sesotho", "sv": "swedish", "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}
# fmt: on
CACHED_WORDS = 200_000  # about the distinct words of 20 Newsgroups, twice
DOTLESS_I = "\N{LATIN SMALL LETTER DOTLESS I}"
DOT_ABOVE = "\N{COMBINING DOT ABOVE}"
APOSTROPHES = "'\N{RIGHT SINGLE QUOTATION MARK}"


@dataclass(frozen=True)
class TextAnalyzer:
    """Cut a text into terms: lower case, letters only, no stop words, stemmed.

    Made for the ``analyzer`` parameter of :class:`sklearn.feature_extraction.text.CountVectorizer`.
    It can be pickled and compared, and may be shared by threads.

    Parameters
    ----------
    language : str, default="english"
        Decides the stop words and the stems: any language that snowballstemmer knows. Turkish has
        a lower case of its own, where the capital of ``ı`` is ``I`` and that of ``i`` is ``İ``,
        and drops the endings that an apostrophe sets off from a name (``Ankara'nın``).
    stop_words : bool or collection of str, default=True
        Words to leave out. True takes the list of the language, which English and Turkish have;
        False keeps every word. Words of one's own are put in lower case, and are compared before
        stemming.
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
    >>> TextAnalyzer(language="turkish")("IŞIKLAR ve İzmir'in kâğıtları")
    ['ışık', 'izmir', 'kâğıt']
    >>> TextAnalyzer(language="french", stop_words={"les", "et"})("Les chevaux et les chats")
    ['cheval', 'chat']
    """

    fitted_attributes: ClassVar[State] = State()

    language: str = "english"
    stop_words: bool | Collection[str] = True
    stem: bool = True
    min_length: int = 2

    def __post_init__(self) -> None:
        languages = sorted(set(snowballstemmer.algorithms()) - OTHER_STEMMERS)
        if self.language not in languages:
            asked = str(self.language).lower()
            by_code = LANGUAGE_OF_CODE.get(re.split("[-_]", asked)[0])
            hint = did_you_mean(by_code if by_code in languages else asked, languages)
            raise ValueError(
                f"Unknown language {self.language!r}.{hint} The languages are: "
                f"{', '.join(languages)}."
            )
        if isinstance(self.stop_words, str):
            raise ValueError(
                f"stop_words must be True, False or a collection of words, got "
                f"{self.stop_words!r}. The language is chosen with language=."
            )
        if not isinstance(self.stop_words, bool):
            # frozen, so that analyzers can be compared and hashed
            object.__setattr__(self, "stop_words", frozenset(map(self._lower, self.stop_words)))
        elif self.stop_words and self.language not in STOP_WORDS:
            raise ValueError(
                f"There is no list of stop words for {self.language!r}, only for: "
                f"{', '.join(sorted(STOP_WORDS))}. Use stop_words=False to keep every word, or "
                f"give a list of your own."
            )
        if self.min_length < 1:
            raise ValueError(f"min_length must be 1 or more, got {self.min_length!r}.")

    def __call__(self, text: str) -> list[str]:
        """Return the terms of a text, in order and with repetitions."""
        return self._terms_of(self._words(text))

    def _words(self, text: str) -> list[str]:
        """Return the words of a text in lower case, before any is left out or stemmed."""
        text = self._lower(text)
        return _word_pattern(self.language, text.isascii()).findall(text)

    def _terms_of(self, words: Iterable[str]) -> list[str]:
        """Return the terms of such words, in order and with repetitions."""
        return [term for term in map(self._terms.__getitem__, words) if term]

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}  # not the cache

    @cached_property
    def _terms(self) -> "_TermOfWord":
        return _TermOfWord(self)

    def _lower(self, text: str) -> str:
        # lower() would make two characters of İ, an i and a combining dot.
        text = unicodedata.normalize("NFC", text).replace("İ", "i")
        if self.language == "turkish":
            text = text.replace("I", DOTLESS_I)
        # The dot may be there already, from a lower() that somebody else called.
        return text.lower().replace(f"i{DOT_ABOVE}", "i")


class _TermOfWord(dict[str, str]):
    """Remembers the term of each word met, or "" for a word to leave out."""

    def __init__(self, analyzer: TextAnalyzer) -> None:
        super().__init__()
        self.min_length = analyzer.min_length
        self.stop_words: Collection[str]
        if isinstance(analyzer.stop_words, bool):
            self.stop_words = STOP_WORDS[analyzer.language] if analyzer.stop_words else frozenset()
        else:
            self.stop_words = analyzer.stop_words
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
def _word_pattern(language: str, is_ascii: bool) -> re.Pattern[str]:
    """What a word is; of a group, the findall() of a pattern returns that group alone."""
    word = "[a-z]+" if is_ascii else _letters_and_marks()  # the same in ASCII, and faster
    if language == "turkish":
        return re.compile(rf"({word})(?:[{APOSTROPHES}]{word})?")
    return re.compile(word)


@cache
def _letters_and_marks() -> str:
    r"""Letters, each with the marks that belong to it.

    Python's ``\w`` leaves out combining marks, which would break words of Hindi or Tamil at every
    vowel sign, and takes in numerals such as ``²``. Marks and numerals beyond the basic plane are
    left to it: naming them here too would make matching many times slower.
    """
    characters = [chr(code) for code in range(0x10000)]
    marks = "".join(c for c in characters if unicodedata.category(c).startswith("M"))
    numerals = "".join(c for c in characters if c.isnumeric() and not c.isalpha())
    letter = rf"[^\W\d_{numerals}]"
    return rf"{letter}+(?:[{marks}]+{letter}*)*"
