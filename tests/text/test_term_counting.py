# ruff: noqa: RUF001 (odd letters are the point)
"""Numbered words give the terms, counts and spellings of an analyzer called text by text."""

import pickle
import unicodedata
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby, pairwise

import numpy as np
import pytest
import Stemmer
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from sklearn.feature_extraction.text import CountVectorizer

from honeybayes import TextVectorizer
from honeybayes.tables import load_corpus
from honeybayes.text import STOP_WORDS, _analyzer

TEXTS = load_corpus("messages").documents
# letters of several scripts and cases, marks, digits, apostrophes and characters beyond 16 bits
ODD = "aAbeEiIİıssSgtTnN'’ \n_-²½9ßÉéêœšžŁ\u0307\u0301ŞşğÇДдиंिहकनமிᾳΣςσأهبא\U0001d4d0\U00010400"
WORDS = ["Running", "runs", "the", "IŞIK", "ışıklar", "İzmir'in", "generously", "Häuser", "nation"]
TEXT = st.one_of(
    st.text(ODD, max_size=30), st.text(max_size=20), st.lists(st.sampled_from(WORDS)).map(" ".join)
)


WITHOUT_SPACES = [
    *((0xE00, 0xEFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x3005, 0x3006), (0x3040, 0x30FF)),
    *((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF)),
]


class PlainAnalyzer:
    """The definition: one text at a time, one word at a time, no shortcut and no cache."""

    def __init__(self, language="english", stop_words=True, stem=True, ngram_range=(1, 1)):
        self.language, self.ngram_range = language, ngram_range
        self.stop_words = STOP_WORDS[language] if stop_words else ()
        self.stemmer = Stemmer.Stemmer(language) if stem else None

    def words(self, text):
        text = unicodedata.normalize("NFC", text).replace("İ", "i")
        if self.language == "turkish":
            text = text.replace("I", "\N{LATIN SMALL LETTER DOTLESS I}")
        text = text.lower().replace("i\N{COMBINING DOT ABOVE}", "i")
        words = _analyzer._word_pattern(self.language).findall(text)
        return [part for word in words for part in self.parts(word)]

    def parts(self, word):
        """Cut where a script without spaces begins or ends, and these scripts into pairs."""
        for is_pairs, run in groupby(self.characters(word), lambda each: each[1]):
            found = [character for character, _ in run]
            if not is_pairs:
                yield "".join(found)
            else:
                yield from [a + b for a, b in pairwise(found)] or found

    def characters(self, word):
        """Each character with the marks behind it, and whether its script has no spaces."""
        found = []
        for character in word:
            has_no_spaces = any(low <= ord(character) <= high for low, high in WITHOUT_SPACES)
            is_mark = unicodedata.category(character)[0] == "M"
            if found and is_mark and has_no_spaces and found[-1][1]:
                found[-1] = (found[-1][0] + character, True)
            else:
                found.append((character, has_no_spaces))
        return found

    def term(self, word):
        if len(word) < 2 or word in self.stop_words:
            return ""
        return word if self.stemmer is None else self.stemmer.stemWord(word)

    def __call__(self, text):
        single = [term for term in map(self.term, self.words(text)) if term]
        shortest, longest = self.ngram_range
        return [
            " ".join(single[start : start + n])
            for n in range(shortest, longest + 1)
            for start in range(len(single) - n + 1)
        ]

    def spell(self, texts, terms):
        times = Counter(word for text in texts for word in self.words(text))
        ranked = sorted(times, key=lambda word: (times[word], -len(word), word))
        spelling = {self.term(word): word for word in ranked}
        return [" ".join(spelling[part] for part in term.split(" ")) for term in terms]


def assert_identical(found, expected):
    """Check more than equality: also types and the order of the entries."""
    assert type(found) is type(expected)
    assert found.shape == expected.shape
    for part in ("data", "indices", "indptr"):
        assert_array_equal(getattr(found, part), getattr(expected, part))
        assert getattr(found, part).dtype == getattr(expected, part).dtype
    assert found.has_sorted_indices == expected.has_sorted_indices


def check(texts, new_texts, min_df=1, **parameters):
    plain, own = PlainAnalyzer(**parameters), TextVectorizer(min_df=min_df, **parameters)
    other = CountVectorizer(analyzer=plain, min_df=min_df)
    try:
        expected = other.fit_transform(texts)
    except ValueError:
        with pytest.raises(ValueError, match="No terms left"):
            own.fit_transform(texts)
        return
    assert_identical(own.fit_transform(texts), expected)
    assert own.terms_.tolist() == other.get_feature_names_out().tolist()
    assert own.spellings_.tolist() == plain.spell(texts, own.terms_)
    assert_identical(own.transform(new_texts), other.transform(new_texts))
    assert [own.build_analyzer()(text) for text in texts] == [plain(text) for text in texts]


@settings(deadline=None)
@given(
    st.lists(TEXT, min_size=1, max_size=6),
    st.lists(TEXT, min_size=1, max_size=6),
    st.integers(1, 2),
    st.sampled_from(_analyzer.languages()),
    st.booleans(),
    st.sampled_from([(1, 1), (1, 1), (1, 2), (2, 2), (1, 3), (2, 4)]),
)
def test_odd_texts_of_all_languages(texts, new_texts, min_df, language, stem, ngram_range):
    options = {"stop_words": language in STOP_WORDS, "stem": stem, "ngram_range": ngram_range}
    check(texts, new_texts, min_df, language=language, **options)


@pytest.mark.parametrize("language", STOP_WORDS)
@pytest.mark.parametrize("ngram_range", [(1, 1), (1, 2), (2, 3)])
@pytest.mark.parametrize("min_df", [1, 3])
def test_messages(language, ngram_range, min_df):
    check(TEXTS[:30], TEXTS[30:50], min_df, language=language, ngram_range=ngram_range)


def test_scripts_without_spaces_give_pairs_of_characters():
    words = _analyzer.TextAnalyzer(stop_words=False, stem=False).words
    assert words("我喜欢iPhone手机。") == ["我喜", "喜欢", "iphone", "手机"]
    assert words("ประเทศไทย ดี")[:3] == ["ปร", "ระ", "ะเ"]
    assert words("かき 氷 한국어") == ["かき", "氷", "한국어"]
    assert words("佐々木") == ["佐々", "々木"]  # the mark repeats the character before it
    assert words("ខ្ញុំ") == ["ខ្ញុំ"]  # two characters with their marks


@given(st.lists(TEXT, min_size=1, max_size=4), st.lists(TEXT, min_size=1, max_size=4))
def test_new_terms_come_in_the_order_of_their_first_use(first, then):
    vectorizer = TextVectorizer(ngram_range=(1, 2)).fit([*first, "late parcel"])
    known, plain = vectorizer.terms_.tolist(), PlainAnalyzer(ngram_range=(1, 2))
    vectorizer.partial_fit(then)
    used = dict.fromkeys([*known, *(term for text in then for term in plain(text))])
    assert vectorizer.terms_.tolist() == list(used)
    new = vectorizer.terms_[len(known) :]
    assert vectorizer.spellings_[len(known) :].tolist() == plain.spell(then, new)


def test_a_full_cache_changes_nothing(monkeypatch):
    vectorizer = TextVectorizer().fit(TEXTS)
    expected = vectorizer.transform(TEXTS)
    monkeypatch.setattr(_analyzer, "CACHED_WORDS", 5)
    again = pickle.loads(pickle.dumps(vectorizer))
    assert_identical(again.transform(TEXTS), expected)
    assert len(again._counter.column_of) <= 5
    assert_identical(TextVectorizer().fit_transform(TEXTS), TextVectorizer().fit_transform(TEXTS))


@pytest.mark.parametrize("ngram_range", [(1, 1), (1, 2)])
def test_threads_can_share_one_vectorizer(ngram_range):
    vectorizer = TextVectorizer(ngram_range=ngram_range).fit(TEXTS[:100])
    expected = vectorizer.transform(TEXTS)
    fresh = pickle.loads(pickle.dumps(vectorizer))
    with ThreadPoolExecutor(8) as pool:
        rows = list(pool.map(lambda text: fresh.transform([text]), TEXTS))
    for number, row in enumerate(rows):
        assert_identical(row, expected[number])


def test_texts_without_known_words_have_empty_rows():
    vectorizer = TextVectorizer().fit(["late parcel"])
    counts = vectorizer.transform(["", "late LATE", "12", "unknown", ""])
    assert_array_equal(counts.toarray(), [[0, 0], [2, 0], [0, 0], [0, 0], [0, 0]])
    assert vectorizer.transform([""]).nnz == 0
    assert np.diff(counts.indptr).tolist() == [0, 1, 0, 0, 0]
