"""What texts are: their language, and whether they are full of HTML. A sample of them tells."""

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from string import ascii_lowercase
from typing import NamedTuple

from honeybayes.text import _analyzer
from honeybayes.text._analyzer import LANGUAGE_OF_CODE, LANGUAGES, SIGN, TextAnalyzer
from honeybayes.utils.texts import check_texts

MOST_TEXTS, MOST_CHARACTERS = 500, 2000  # that are looked at, and of each text
MANY_WITH_HTML = 0.2  # of the texts; other corpora than web pages have at most 0.07
MOSTLY = 0.9
MANY_FOREIGN = 0.15  # words with a letter of another alphabet: .3 in Ukrainian, taken as Russian
END_OF_CYRILLIC = "\N{ARMENIAN CAPITAL LETTER AYB}"
AHEAD = 1.1  # of languages without stems
CLEARLY = 2.0  # ahead of all languages that an encoder knows
FEW_WORDS = 100
MANY_OTHERS = 0.05  # letters: .10 to .17 in Igbo, Yoruba and Vietnamese; .02 in Icelandic, Czech
FEWEST_DIFFERENT = 3  # stop words of a language: one may be chance ("cat" is Romanian, too)


# Shares of the words that are stop words: all, and a word of m languages as 1/m. Estonian has .16
# and .063, Lithuanian .12 and .069; without stems, Azerbaijani has .095 and .07 as Turkish. Titles
# and keywords in English have few stop words.
LEAST_ALL, LEAST_OWN, LEAST_ENGLISH, SILENT = 0.11, 0.06, 0.02, 0.01


def detect_language(texts: Iterable[str]) -> str | None:
    """Find the language of texts by their stop words.

    Parameters
    ----------
    texts : iterable of str
        The texts. At most 500 of them are looked at, at equal distances.

    Returns
    -------
    str or None
        A language of Snowball, which has stems. None if the texts are in another language.

    Notes
    -----
    A word that is on the lists of m languages counts 1/m for each of them. The language with the
    largest sum is taken if enough words are on its list, and no language without stems is near.
    Words in plain Latin letters are taken as English if they are fewer than 100, or if almost no
    word is on any list, as in columns of keywords.

    Examples
    --------
    >>> from honeybayes.text import detect_language
    >>> detect_language(["Mein Paket ist noch nicht da", "Wo ist die Rechnung für den Kauf?"])
    'german'
    >>> detect_language(["我的包裹还没有到", "发票在哪里"]) is None
    True
    """
    words, share, own, best = _count_words(texts)
    n_words, n_plain = words.total(), sum(n for word, n in words.items() if word.isascii())
    is_plain = n_plain >= MOSTLY * n_words  # in Latin letters without accents
    others = own.keys() - set(LANGUAGES)
    # Latin or Cyrillic letters that no stop word has
    letters = {c for c in set("".join(words)) if c < END_OF_CYRILLIC and c.isalpha()}
    foreign = letters.difference(ascii_lowercase, *_analyzer.stop_words_of(best))
    n_foreign = sum(n for word, n in words.items() if not foreign.isdisjoint(word))
    is_ahead = (
        best not in others
        and n_foreign <= MANY_FOREIGN * n_words
        and all(share[each] <= share[best] and AHEAD * own[each] <= own[best] for each in others)
    )
    is_english = best == "english" and is_plain
    least_all, least_own = (LEAST_ENGLISH,) * 2 if is_english else (LEAST_ALL, LEAST_OWN)
    if is_ahead and own[best] > least_own * n_words and share[best] > least_all * n_words:
        return best
    is_silent = not best or own[best] < SILENT * n_words
    is_brief = n_words < FEW_WORDS and best not in others
    return "english" if is_plain and (is_silent or is_brief) else None


def is_other_script(texts: Iterable[str], letters: Collection[str]) -> bool:
    """Return True if most texts have too many other letters.

    ``letters`` are small letters, and alphabets as the names of their letters in Unicode begin.
    """
    n_texts = n_other = 0
    for text in _sample_of(texts):
        small = unicodedata.normalize("NFKC", text).lower()
        are_other = [_is_other(each, letters) for each in small if each.isalpha()]
        n_texts += bool(are_other)
        n_other += sum(are_other) > MANY_OTHERS * len(are_other)
    return n_other > n_texts / 2


def _is_other(letter: str, letters: Collection[str]) -> bool:
    return letter not in letters and unicodedata.name(letter, "?").split()[0] not in letters


def is_other_language(texts: Iterable[str], known: Collection[str]) -> bool:
    """Return True if the stop words of texts are clearly those of none of the known languages.

    Languages without stems have codes. Fewer than 100 words tell nothing.
    """
    words, _, own, best = _count_words(_sample_of(texts))
    nearest = max((own[each] for each in known), default=0.0)
    is_clear = own[best] > max(LEAST_OWN * words.total(), CLEARLY * nearest)
    return words.total() >= FEW_WORDS and best not in known and is_clear


def _sample_of(texts: Iterable[str]) -> list[str]:
    return _without_html(check_texts(texts, allow_empty=True))[0]


def _count_words(
    texts: Iterable[str],
) -> tuple[Counter[str], Counter[str], defaultdict[str, float], str]:
    """Return how often each word occurs, how often stop words of each language, and the likeliest.

    Stop words are counted twice: all, and those of m languages as 1/m. The likeliest language is ""
    if none has three different stop words.
    """
    words, plain = Counter[str](), TextAnalyzer(None)
    for text in sample_texts(check_texts(texts, allow_empty=True)):
        words.update(plain.words(text))
    different, share = Counter[str](), Counter[str]()
    own: defaultdict[str, float] = defaultdict(float)
    lists = _languages_of_words()
    for word, n in words.items():
        found = lists.get(word, ())
        for each in found:
            different[each] += 1
            share[each] += n
            own[each] += n / len(found)
    likely = [each for each in sorted(own) if different[each] >= FEWEST_DIFFERENT]
    return words, share, own, max(likely, key=own.__getitem__, default="")


class TextNature(NamedTuple):
    """What "auto" stands for: the language, and whether to remove HTML."""

    language: str | None
    clean_html: bool


UNKNOWN = TextNature(None, False)


def look_at(texts: Sequence[str]) -> TextNature:
    """Return the language of texts, and whether more than a fifth of them contain HTML."""
    sample, is_html = _without_html(texts)
    return TextNature(detect_language(sample), is_html)


def _without_html(texts: Sequence[str]) -> tuple[list[str], bool]:
    """Return a sample without HTML, and whether more than a fifth of it contained some."""
    sample = sample_texts(texts)
    is_html = sum(SIGN.search(text) is not None for text in sample) > MANY_WITH_HTML * len(sample)
    return list(map(_analyzer.remove_html, sample)) if is_html else sample, is_html


def sample_texts(texts: Sequence[str]) -> list[str]:
    """Return the beginnings of some texts, at equal distances."""
    step = max(1, -(-len(texts) // MOST_TEXTS))
    return [text[:MOST_CHARACTERS] for text in texts[::step]]


@cache
def _languages_of_words() -> dict[str, list[str]]:
    """Return for each stop word of any language the languages that have it."""
    from stopwordsiso import langs

    names = {*LANGUAGES, *(code for code in langs() if code not in LANGUAGE_OF_CODE)}
    found: dict[str, list[str]] = {}
    for name in sorted(names):
        for word in _analyzer.stop_words_of(name):
            found.setdefault(word, []).append(name)
    return found
