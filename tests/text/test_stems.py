"""PyStemmer is used only if it gives the stems of snowballstemmer."""

import random
from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeybayes.text import TextAnalyzer, _analyzer, _stems
from honeybayes.text._stems import LONGEST_STEMMED, languages, new_stemmer, python_stemmer

WITH_PYSTEMMER = pytest.mark.skipif(_stems.Stemmer is None, reason="PyStemmer is not installed")


def words_of(language, n_words):
    """Invent words with the suffixes of a language, so that every rule is used."""
    rng = random.Random(language)
    stemmer = type(python_stemmer(language))
    tables = [table for table in vars(stemmer).values() if isinstance(table, list | tuple)]
    suffixes = sorted({entry.s for table in tables for entry in table if hasattr(entry, "s")})
    letters = sorted(set("".join(suffixes)))
    return [
        "".join(rng.choices(letters, k=rng.randint(1, 6)) + rng.choices(suffixes, k=n % 4))
        for n in range(n_words)
    ]


@WITH_PYSTEMMER
@pytest.mark.parametrize("language", languages())
def test_both_give_the_same_stems(language):
    fast, slow = new_stemmer(language), python_stemmer(language)
    assert type(fast).__module__ == "Stemmer"
    words = words_of(language, 500)
    assert [fast.stemWord(word) for word in words] == [slow.stemWord(word) for word in words]


@WITH_PYSTEMMER
@given(st.lists(st.text(min_size=1, max_size=12)), st.sampled_from(languages()))
def test_both_give_the_same_stems_of_odd_texts(texts, language):
    fast, slow = new_stemmer(language), python_stemmer(language)
    for word in TextAnalyzer(language=language, stop_words=False).words(" ".join(texts)):
        assert fast.stemWord(word) == slow.stemWord(word)


def test_another_version_is_not_used(monkeypatch):
    class OtherVersion:
        @staticmethod
        def version():
            return "1.9.3"

    for installed in (OtherVersion, None):
        monkeypatch.setattr(_stems, "Stemmer", installed)
        stemmer = new_stemmer("english")
        assert type(stemmer) is import_module("snowballstemmer.english_stemmer").EnglishStemmer
        assert TextAnalyzer()("generously running parcels") == ["generous", "run", "parcel"]


@pytest.mark.parametrize("language", languages())
def test_a_token_that_is_too_long_for_a_word_is_not_stemmed(language, monkeypatch):
    """The Serbian stemmer takes time that grows with the square of the length."""
    stemmed = []

    class Recorder:
        def __init__(self, language):
            self.stemmer = new_stemmer(language)

        def stemWord(self, word):
            stemmed.append(word)
            return self.stemmer.stemWord(word)

    monkeypatch.setattr(_analyzer, "new_stemmer", Recorder)
    analyze = TextAnalyzer(language=language, stop_words=False, opening=2)
    longest, too_long = "љ" * LONGEST_STEMMED, "љ" * (LONGEST_STEMMED + 1)
    terms = analyze(f"{longest} {too_long}")
    assert set(stemmed) == {longest}
    assert terms[:2] == [new_stemmer(language).stemWord(longest), too_long]


@pytest.mark.parametrize(
    ("language", "word"),
    [
        ("turkish", "muvaffakiyetsizleştiricileştiriveremeyebileceklerimizdenmişsinizcesine"),
        ("finnish", "lentokonesuihkuturbiinimoottoriapumekaanikkoaliupseerioppilailla"),
        ("german", "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamten"),
    ],
)
def test_the_longest_words_are_stemmed(language, word):
    [term] = TextAnalyzer(language=language, stop_words=False)(word)
    assert term == python_stemmer(language).stemWord(word.lower()) != word.lower()
