"""Long words and stems."""

import pytest

from honeybayes.text import TextAnalyzer, _analyzer
from honeybayes.text._stems import LONGEST_STEMMED, languages, new_stemmer


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
    assert term == new_stemmer(language).stemWord(word.lower()) != word.lower()
