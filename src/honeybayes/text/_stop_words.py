"""Languages, and their words that are too frequent to be informative about the class.

The lists are those of stopwordsiso, apart from the languages that ``languages.toml`` writes out.
They also tell a language (`honeybayes.text.detect_language`), so those of languages without stems
are needed as well.
"""

import tomllib
import unicodedata
from functools import cache, reduce
from pathlib import Path

import Stemmer
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

_TABLE = tomllib.loads(Path(__file__).with_name("languages.toml").read_text("utf-8"))
LANGUAGE_OF_CODE, OTHER_NAMES = _TABLE["codes"], _TABLE["other_names"]
WRITTEN_OUT = {name: frozenset(words.split()) for name, words in _TABLE["stop_words"].items()}
WRITTEN_OUT["english"] = ENGLISH_STOP_WORDS
OTHER_STEMMERS = {"dutch_porter", "lovins", "porter"}  # of Snowball, not named after a language

# What Serbian has instead of words of Croatian, whose list stopwordsiso has.
ONLY_CROATIAN = {"prije", "netko", "što", "nakon", "bumo", "jim", "vrlo"}
ONLY_SERBIAN = {"pre", "neko", "šta", "posle", "gde", "ovde", "uvek", "ko", "koga", "ovaj"}
CYRILLIC = {"lj": "љ", "nj": "њ", "dž": "џ"} | dict(
    zip("abvgdđežzijklmnoprstćufhcčš", "абвгдђежзијклмнопрстћуфхцчш", strict=True)
)


@cache
def languages() -> list[str]:
    """Return the languages of Snowball, sorted."""
    return sorted(set(Stemmer.algorithms()) - OTHER_STEMMERS)


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
    # "aujourd'hui" is two words for an analyzer, and "z.b" is none
    return frozenset(filter(_is_word, listed.replace("'", " ").split()))


def _is_word(text: str) -> bool:
    letters_and_marks = (each.isalpha() or unicodedata.category(each)[0] == "M" for each in text)
    return text[:1].isalpha() and all(letters_and_marks)
