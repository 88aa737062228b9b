"""Words, stop words, stems and n-grams of one language.

The lists of stop words are those of stopwordsiso, apart from the languages that ``languages.toml``
writes out. They also tell a language (`honeybayes.text.detect_language`), so those of languages
without stems are needed as well.
"""

import re
import tomllib
import unicodedata
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, fields
from functools import cache, cached_property, reduce
from html import unescape
from itertools import pairwise
from numbers import Integral
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import Stemmer
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from honeybayes.utils.messages import did_you_mean
from honeybayes.utils.state import State
from honeybayes.utils.validation import check_bool, check_integer

LONGEST_STEMMED = 200  # letters; the longest words of prose, compounds in Sanskrit, have 195
CACHED_WORDS = 200_000  # about twice the distinct words of 20 Newsgroups
# ASCII letters in lower case, every other byte a space
ASCII_LETTERS, ASCII_LETTERS_AND_DIGITS = (
    bytes(ord(c.lower()) if is_kept(c) else 32 for c in map(chr, range(128))).ljust(256)
    for is_kept in (str.isalpha, str.isalnum)
)
DOTLESS_I = "\N{LATIN SMALL LETTER DOTLESS I}"
DOT_ABOVE = "\N{COMBINING DOT ABOVE}"
ATTRIBUTES = "attributes"  # the "language" of records: each line of a text is one term
# Scripts that put no spaces between words, as ranges: Thai and Lao, Burmese, Khmer, the mark that
# repeats a Han character and another sign, kana, Han
NO_SPACES = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005\u3006\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\ua9e0-\ua9ff\uaa60-\uaa7f\uf900-\ufaff\U0001aff0-\U0001b16f\U00020000-\U0003ffff]+"
)
MANY_MARKS = 30  # on one letter: Unicode's limit for safe streams
NO_WORDS = re.compile(rf"[^\w\s]{{{MANY_MARKS},}}")
LONG_TEXT = 1000
OTHER_WIDTH = re.compile("[\uff01-\uff9f]+")  # wide Latin letters, and narrow katakana
APOSTROPHES = "'\N{RIGHT SINGLE QUOTATION MARK}"
Value = TypeVar("Value")
_TABLE = tomllib.loads(Path(__file__).with_name("languages.toml").read_text("utf-8"))
LANGUAGE_OF_CODE, OTHER_NAMES = _TABLE["codes"], _TABLE["other_names"]
WRITTEN_OUT = {name: frozenset(words.split()) for name, words in _TABLE["stop_words"].items()}
WRITTEN_OUT["english"] = ENGLISH_STOP_WORDS
# those of Snowball; other stemmers are not named after a language
LANGUAGES = sorted(set(Stemmer.algorithms()) - {"dutch_porter", "lovins", "porter"})

# What Serbian has instead of words of Croatian, whose list stopwordsiso has.
ONLY_CROATIAN = {"prije", "netko", "što", "nakon", "bumo", "jim", "vrlo"}
ONLY_SERBIAN = {"pre", "neko", "šta", "posle", "gde", "ovde", "uvek", "ko", "koga", "ovaj"}
CYRILLIC = {"lj": "љ", "nj": "њ", "dž": "џ"} | dict(
    zip("abvgdđežzijklmnoprstćufhcčš", "абвгдђежзијклмнопрстћуфхцчш", strict=True)
)
# Names of frequent tags only: "<grin>" and "<ann@example.org>" are no HTML.
SIGN = re.compile(
    r"</?(?:a|b|body|br|center|code|div|em|font|form|h[1-6]|head|hr|html|i|img|li|ol|p|pre|span"
    r"|strong|table|td|title|tr|u|ul)(?:\s[^<>]*)?/?>|&(?:amp|lt|gt|quot|nbsp|#\d+|#x[\da-f]+);",
    re.IGNORECASE,
)
# A comment, a script or a style that does not end reaches to the end of the text.
TAG = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style)\b.*?(?:</\1\s*>|\Z)"
    r"|</?[a-z][a-z\d]*(?:[\s/][^<>]*)?>|<![a-z][^<>]*>",
    re.IGNORECASE | re.DOTALL,
)


@cache
def stop_words_of(language: str | None) -> frozenset[str]:
    """Return the stop words of a language with stems, or of a code of ISO 639-1.

    None, an unknown language, has none.
    """
    if language is None or language in WRITTEN_OUT:
        return WRITTEN_OUT.get(str(language), frozenset())
    if language == "serbian":
        latin = " ".join(stop_words_of("hr") - ONLY_CROATIAN | ONLY_SERBIAN)
        cyrillic = reduce(lambda text, pair: text.replace(*pair), CYRILLIC.items(), latin)
        return frozenset([*latin.split(), *cyrillic.split()])
    from stopwordsiso import stopwords

    codes = {name: code for code, name in LANGUAGE_OF_CODE.items()}
    listed = " ".join(each for each in stopwords(codes.get(language, language)) if " " not in each)
    listed = unicodedata.normalize("NFC", listed.lower())
    if language == "lithuanian" and "ė" not in listed:  # read with a wrong encoding
        listed = listed.encode("cp1252").decode("cp1257")
    if language == "romanian":  # today ș and ț have a comma, and no cedilla
        listed += " " + listed.translate({ord("ş"): "ș", ord("ţ"): "ț"})
    words = listed.replace("'", " ").split()  # "aujourd'hui" is two words for an analyzer
    return frozenset(
        word
        for word in words  # "z.b" is none
        if word[0].isalpha()
        and all(each.isalpha() or unicodedata.category(each)[0] == "M" for each in word)
    )


@dataclass(frozen=True)
class TextAnalyzer:
    r"""Split a text into terms: lower case, letters only, no stop words, stemmed.

    For `TextVectorizer`, and as ``analyzer`` of scikit-learn's ``CountVectorizer``. Where a script
    has no spaces between words (Chinese, Japanese, Thai, Lao, Khmer, Burmese), terms are characters
    and pairs of neighboring characters. Analyzers can be pickled, compared, and shared by threads.

    Parameters
    ----------
    language : str or None, default="english"
        Language of the stop words and stems: any language that PyStemmer supports; see
        `honeybayes.text.detect_language`. None has neither. Turkish
        text is converted to lower case by Turkish rules (``I`` becomes ``ı``, ``İ`` becomes ``i``),
        and endings after an apostrophe are removed (``Ankara'nın``). "attributes" is for records of
        a table, written by `honeybayes.tables.Attributes`: each line is one term, unchanged, and
        the other parameters have no effect.
    stop_words : bool or collection of str, default=True
        Words to leave out. True uses the list of the language; False keeps every word. Your own
        words are converted to lower case and are removed before stemming.
    stem : bool, default=True
        Reduce each word to its Snowball stem.
    min_length : int, default=2
        Leave out words with fewer characters, counted before stemming. Scripts without spaces keep
        single characters.
    ngram_range : tuple (min_n, max_n), default=(1, 1)
        Lengths of the terms in words. ``(1, 2)`` gives words and pairs of neighboring words, joined
        by a space. Stop words are left out first.
    digits : bool, default=False
        Keep digits: a word is a run of letters and digits, such as ``b2b`` or ``1999``.
    clean_html : bool, default=False
        Remove tags, scripts and comments of HTML, and replace entities by their characters.

    Examples
    --------
    >>> from honeybayes.text import TextAnalyzer
    >>> TextAnalyzer()("The 3 runners weren't running: they RAN!")
    ['runner', 'weren', 'run', 'ran']
    >>> TextAnalyzer(language="turkish")("IŞIKLAR ve İzmir'in kâğıtları")
    ['ışık', 'izmir', 'kâğıt']
    >>> TextAnalyzer(ngram_range=(1, 2))("late parcels again")
    ['late', 'parcel', 'late parcel']
    >>> TextAnalyzer(digits=True)("Room 12b, 3rd floor")
    ['room', '12b', '3rd', 'floor']
    >>> TextAnalyzer(stop_words=False)("東京タワー tower")
    ['東', '東京', '京', '京タ', 'タ', 'タワ', 'ワ', 'ワー', 'ー', 'tower']
    >>> TextAnalyzer(clean_html=True)("<p>Late&nbsp;parcels</p>")
    ['late', 'parcel']
    >>> TextAnalyzer(language="attributes")("cap color=red\nodor=none")
    ['cap color=red', 'odor=none']
    """

    fitted_attributes: ClassVar[State] = State()  # a model file may hold an analyzer

    language: str | None = "english"
    stop_words: bool | Collection[str] = True
    stem: bool = True
    min_length: int = 2
    ngram_range: tuple[int, int] = (1, 1)
    digits: bool = False
    clean_html: bool = False

    def __post_init__(self) -> None:
        if self.language not in (None, ATTRIBUTES, *LANGUAGES):
            asked = str(self.language).lower()
            names = LANGUAGE_OF_CODE | OTHER_NAMES
            hint = did_you_mean(names.get(re.split("[-_]", asked)[0], asked), LANGUAGES)
            known = f"The languages are: {', '.join(LANGUAGES)}; or {ATTRIBUTES} for records."
            raise ValueError(f"Unknown language {self.language!r}.{hint} {known}")
        own = self.stop_words
        if not isinstance(own, bool):
            is_collection = isinstance(own, Collection) and not isinstance(own, str)
            if not is_collection or not all(isinstance(word, str) for word in own):
                raise ValueError(
                    f"stop_words must be True, False or a collection of words; got {own!r}. Choose "
                    "the language with language=."
                )
            # frozen, so that analyzers can be compared and hashed
            object.__setattr__(self, "stop_words", frozenset(map(self._lower, own)))
        for name in ("stem", "digits", "clean_html"):
            check_bool(name, getattr(self, name))
        check_integer("min_length", self.min_length, least=1)
        lengths = tuple(self.ngram_range) if isinstance(self.ngram_range, Iterable) else ()
        are_integers = len(lengths) == 2 and all(isinstance(n, Integral) for n in lengths)
        if not are_integers or not 1 <= int(lengths[0]) <= int(lengths[1]):
            wanted = "two integers (min_n, max_n) with 1 <= min_n <= max_n"
            raise ValueError(f"ngram_range must be {wanted}; got {self.ngram_range!r}.")
        object.__setattr__(self, "ngram_range", tuple(map(int, lengths)))
        are_lines = self.language == ATTRIBUTES
        if are_lines and (not isinstance(self.stop_words, bool) or self.ngram_range != (1, 1)):
            raise ValueError(
                f"language={ATTRIBUTES!r} takes each line as one term, so stop_words must be True "
                "or False, and ngram_range (1, 1). Leave them out."
            )
        if self.language is None or are_lines:  # so that analyzers that do the same are equal
            object.__setattr__(self, "stem", False)
            object.__setattr__(self, "stop_words", self.stop_words is not True and self.stop_words)

    def __call__(self, text: str) -> list[str]:
        """Return the terms of a text, in order and with repetitions."""
        return self.terms(self.words(text))

    def words(self, text: str) -> list[str]:
        """Return all words of a text in lower case, with stop words and before stemming.

        They are in order and with repetitions. With ``language="attributes"``, the lines.

        Parameters
        ----------
        text : str
            The text.
        """
        if self.language == ATTRIBUTES:
            return [line for line in map(str.strip, text.splitlines()) if line]
        if self.clean_html:
            text = remove_html(text)
        if text.isascii() and self.language != "turkish":  # the same words, in half the time
            kept = ASCII_LETTERS_AND_DIGITS if self.digits else ASCII_LETTERS
            return text.encode("ascii").translate(kept).decode("ascii").split()
        text = self._lower(text)
        words = _word_pattern(self.language == "turkish", self.digits).findall(text)
        if NO_SPACES.search(text):
            return [part for word in words for part in _parts_without_spaces(word)]
        return words

    def terms(self, words: Iterable[str]) -> list[str]:
        """Return the terms of words in lower case; longer n-grams come later.

        Parameters
        ----------
        words : iterable of str
            As the method ``words`` returns them.
        """
        single = [term for term in map(self._terms.__getitem__, words) if term]
        return (single if self.ngram_range[0] == 1 else []) + self._longer_terms(single)

    def _longer_terms(self, single: list[str]) -> list[str]:
        """Return the n-grams of several words."""
        shortest, longest = self.ngram_range
        return [
            " ".join(single[start : start + length])
            for length in range(max(shortest, 2), min(longest, len(single)) + 1)
            for start in range(len(single) - length + 1)
        ]

    def _term(self, token: str) -> str:
        """Return the term of a token, or "" for a word to leave out."""
        if " " in token or self.language == ATTRIBUTES:
            return token
        is_short = len(token) < self.min_length and not NO_SPACES.match(token)
        left_out = stop_words_of(self.language) if self.stop_words is True else self.stop_words
        if is_short or (left_out and token in left_out):
            return ""
        if not self.stem or len(token) > LONGEST_STEMMED:  # no word: it may take quadratic time
            return token
        # a stemmer holds its word, so threads cannot share one; 0 means without a cache
        return Stemmer.Stemmer(self.language, 0).stemWord(token)

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}  # not the caches

    @cached_property
    def _terms(self) -> "WordCache[str]":
        return WordCache(self._term)

    def _lower(self, text: str) -> str:
        if len(text) > LONG_TEXT and not text.isascii():
            text = NO_WORDS.sub(_limit_marks, text)
        # lower() would convert İ to two characters, an i and a combining dot
        text = unicodedata.normalize("NFC", text).replace("İ", "i")
        text = OTHER_WIDTH.sub(lambda run: unicodedata.normalize("NFKC", run.group()), text)
        if self.language == "turkish":
            text = text.replace("I", DOTLESS_I)
        # the dot may come from an earlier call of lower()
        return text.lower().replace(f"i{DOT_ABOVE}", "i")


def _limit_marks(run: re.Match[str]) -> str:
    """Cut each run of marks that combine, because sorting one takes quadratic time."""
    kept, n_marks = [], 0
    for character in run.group():
        n_marks = n_marks + 1 if unicodedata.combining(character) else 0
        if n_marks <= MANY_MARKS:
            kept.append(character)
    return "".join(kept)


class WordCache(dict[str, Value]):
    """Values of words, computed on first use. A full cache is cleared."""

    def __init__(self, compute: Callable[[str], Value]) -> None:
        super().__init__()
        self.compute = compute

    def __missing__(self, word: str) -> Value:
        value = self.compute(word)
        if len(self) >= CACHED_WORDS:
            self.clear()
        self[word] = value
        return value


@cache
def _word_pattern(turkish: bool, digits: bool = False) -> re.Pattern[str]:
    r"""Return the pattern of a word: letters, or letters and digits, each with its marks.

    In Turkish, it has a group: findall() returns that only, without what follows an apostrophe.
    Python's ``\w`` excludes combining marks, which would break words of Hindi or Tamil at every
    vowel sign, and includes numerals such as ``²``. Characters beyond the basic plane are left to
    ``\w``, because naming them here would make matching many times slower.
    """
    characters = [chr(code) for code in range(0x10000)]
    marks = "".join(c for c in characters if unicodedata.category(c).startswith("M"))
    numerals = "".join(c for c in characters if c.isnumeric() and not c.isalpha())
    if digits:
        numerals = "".join(c for c in numerals if not c.isdecimal())
    letter = rf"[^\W_{numerals}]" if digits else rf"[^\W\d_{numerals}]"
    word = rf"{letter}+(?:[{marks}]+{letter}*)*"
    return re.compile(rf"({word})(?:[{APOSTROPHES}]{word})?" if turkish else word)


def _parts_without_spaces(word: str) -> list[str]:
    """Split a word at the scripts without spaces, and these into characters and pairs of them.

    A character keeps its marks. Other parts of the word, such as Latin letters, stay whole.
    """
    parts, end = [], 0
    for run in NO_SPACES.finditer(word):
        parts += [word[end : run.start()]] if run.start() > end else []
        end = run.end()
        characters: list[str] = []
        for character in run.group():
            if characters and unicodedata.category(character).startswith("M"):
                characters[-1] += character
            else:
                characters.append(character)
        for one, two in pairwise(characters):
            parts += [one, one + two]
        parts.append(characters[-1])
    return parts + ([word[end:]] if end < len(word) else [])


def remove_html(text: str) -> str:
    """Return a text with spaces instead of tags, and with the characters that entities stand for.

    Tags that are written with entities, such as "&lt;br&gt;" in a text about HTML, stay.
    """
    return unescape(TAG.sub(" ", text))
