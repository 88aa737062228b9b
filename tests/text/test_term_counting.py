# ruff: noqa: RUF001 (odd letters are the point)
"""Numbered words give the terms, counts and spellings of an analyzer called text by text."""

import pickle
import unicodedata
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby

import numpy as np
import pytest
import Stemmer
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from sklearn.feature_extraction.text import CountVectorizer

from honeybayes import TextVectorizer
from honeybayes.tables import load_corpus
from honeybayes.text import _analyzer, stop_words_of
from honeybayes.text import vectorizer as vectorizer_module

TEXTS = load_corpus("messages").documents
# letters of several scripts and cases, marks, digits, apostrophes and characters beyond 16 bits
ODD = "aAbeEiIİıssSgtTnN'’ \n_-²½9ßÉéêœšžŁ\u0307\u0301ŞşğÇДдиंिहकनமிᾳΣςσأهبא東京タがﾀﾞＡไท่ခံ\U0001d4d0"
WORDS = ["Running", "runs", "the", "IŞIK", "ışıklar", "İzmir'in", "generously", "Häuser", "nation"]
TEXT = st.one_of(
    st.text(ODD, max_size=30), st.text(max_size=20), st.lists(st.sampled_from(WORDS)).map(" ".join)
)


# how Unicode names the letters of scripts without spaces
WITHOUT_SPACES = (
    *("THAI ", "LAO ", "MYANMAR ", "KHMER ", "HIRAGANA ", "KATAKANA", "HENTAIGANA ", "CJK UNIFIED"),
    *("CJK COMPATIBILITY IDEOGRAPH", "IDEOGRAPHIC ITERATION MARK", "IDEOGRAPHIC CLOSING MARK"),
    "COMBINING KATAKANA-HIRAGANA ",  # sound marks, which Unicode gives to both scripts
)


def is_without_spaces(character):
    return unicodedata.name(character, "").startswith(WITHOUT_SPACES)


class PlainAnalyzer:
    """The definition: one text at a time, one word at a time, no shortcut and no cache."""

    def __init__(self, language="english", stop_words=True, stem=True, ngram_range=(1, 1)):
        self.language, self.ngram_range = language, ngram_range
        self.stop_words = stop_words_of(language) if stop_words else ()
        self.stemmer = Stemmer.Stemmer(language) if stem else None

    def words(self, text):
        text = unicodedata.normalize("NFC", text).replace("İ", "i")
        runs = groupby(text, lambda each: 0xFF01 <= ord(each) <= 0xFF9F)  # of other widths
        text = "".join(
            unicodedata.normalize("NFKC", "".join(run)) if is_other else "".join(run)
            for is_other, run in runs
        )
        if self.language == "turkish":
            text = text.replace("I", "\N{LATIN SMALL LETTER DOTLESS I}")
        text = text.lower().replace("i\N{COMBINING DOT ABOVE}", "i")
        words = _analyzer._word_pattern(self.language == "turkish").findall(text)
        return [part for word in words for part in self.parts(word)]

    def parts(self, word):
        """Cut where a script without spaces begins or ends; these into characters and pairs."""
        for is_pairs, run in groupby(self.characters(word), lambda each: each[1]):
            found = [character for character, _ in run]
            if not is_pairs:
                yield "".join(found)
                continue
            for at, character in enumerate(found):
                yield character
                if at + 1 < len(found):
                    yield character + found[at + 1]

    def characters(self, word):
        """Each character with the marks behind it, and whether its script has no spaces."""
        found = []
        for character in word:
            has_no_spaces = is_without_spaces(character)
            is_mark = unicodedata.category(character)[0] == "M"
            if found and is_mark and has_no_spaces and found[-1][1]:
                found[-1] = (found[-1][0] + character, True)
            else:
                found.append((character, has_no_spaces))
        return found

    def term(self, word):
        is_short = len(word) < 2 and not is_without_spaces(word)
        if is_short or word in self.stop_words:
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
    st.sampled_from(_analyzer.LANGUAGES),
    st.booleans(),
    st.sampled_from([(1, 1), (1, 1), (1, 2), (2, 2), (1, 3), (2, 4)]),
)
@example(["Aﾞ", "東ﾞ"], ["ﾞ"], 1, "english", False, (1, 1))  # a sound mark behind another letter
def test_odd_texts_of_all_languages(texts, new_texts, min_df, language, stem, ngram_range):
    options = {"stem": stem, "ngram_range": ngram_range}
    check(texts, new_texts, min_df, language=language, **options)


@pytest.mark.parametrize("language", ["english", "turkish"])
@pytest.mark.parametrize("ngram_range", [(1, 1), (1, 2), (2, 3)])
@pytest.mark.parametrize("min_df", [1, 3])
def test_messages(language, ngram_range, min_df):
    check(TEXTS[:30], TEXTS[30:50], min_df, language=language, ngram_range=ngram_range)


def test_scripts_without_spaces_give_characters_and_pairs():
    words = _analyzer.TextAnalyzer(stop_words=False, stem=False).words
    assert words("喜欢iPhone手机。") == ["喜", "喜欢", "欢", "iphone", "手", "手机", "机"]
    assert words("ประเทศไทย ดี")[:5] == ["ป", "ปร", "ร", "ระ", "ะ"]
    assert words("かき 氷 한국어") == ["か", "かき", "き", "氷", "한국어"]
    assert words("々木") == ["々", "々木", "木"]  # the mark repeats the character before it
    assert words("ខ្ញុំ") == ["ខ្", "ខ្ញុំ", "ញុំ"]  # two characters with their marks
    assert words("ｶﾞｽ Ｗｉ") == words("ガス wi") == ["ガ", "ガス", "ス", "wi"]  # of other widths


def test_single_characters_are_terms_only_where_there_are_no_spaces():
    assert _analyzer.TextAnalyzer(None)("氷 a 東 я 한 ก") == ["氷", "東", "ก"]


def test_scripts_without_spaces_are_those_of_unicode():
    letters = (chr(code) for code in range(0x30000) if chr(code).isalpha())
    for each in letters:
        assert bool(_analyzer.NO_SPACES.match(each)) == is_without_spaces(each), hex(ord(each))


@given(st.lists(TEXT, min_size=1, max_size=4), st.lists(TEXT, min_size=1, max_size=4))
def test_new_terms_come_in_the_order_of_their_first_use(first, then):
    vectorizer = TextVectorizer(language="english", ngram_range=(1, 2))
    vectorizer.fit([*first, "late parcel"])
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
    assert len(vectorizer_module._COLUMNS[again][1]) <= 5
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
