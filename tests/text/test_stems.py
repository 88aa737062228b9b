"""Long words and stems."""

import pytest
import Stemmer

from honeybayes.text import TextAnalyzer
from honeybayes.text._analyzer import LANGUAGES, LONGEST_STEMMED


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_token_that_is_too_long_for_a_word_is_not_stemmed(language, monkeypatch):
    """The Serbian stemmer takes time that grows with the square of the length."""
    stemmed, new_stemmer = [], Stemmer.Stemmer

    class Recorder:
        def __init__(self, language, cache_size):
            self.stemmer = new_stemmer(language, cache_size)

        def stemWord(self, word):
            stemmed.append(word)
            return self.stemmer.stemWord(word)

    monkeypatch.setattr(Stemmer, "Stemmer", Recorder)
    analyze = TextAnalyzer(language=language, stop_words=False)
    longest, too_long = "љ" * LONGEST_STEMMED, "љ" * (LONGEST_STEMMED + 1)
    terms = analyze(f"{longest} {too_long}")
    assert set(stemmed) == {longest}
    assert terms == [new_stemmer(language).stemWord(longest), too_long]


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
    assert term == Stemmer.Stemmer(language).stemWord(word.lower()) != word.lower()
