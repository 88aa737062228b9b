# ruff: noqa: RUF001 (the dotless i is the point)
"""TextAnalyzer: lower case, letters, stop words and stems, and what may not go wrong with them."""

import copy
import pickle
import re
import unicodedata
from concurrent.futures import ThreadPoolExecutor

import pytest
import Stemmer
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, CountVectorizer

from honeybayes.text import TextAnalyzer, _analyzer, stop_words_of

PLAIN = TextAnalyzer(stop_words=False, stem=False)
TURKISH = TextAnalyzer(language="turkish", stop_words=False, stem=False)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        ("A b cd", ["cd"]),
        ("don't re-use 3D x_y_zz", ["don", "re", "use", "zz"]),
        ("mp3 H2SO4 km² ½cup ⅷ", ["mp", "so", "km", "cup"]),
        ("Straße ÉCOLE ΟΔΟΣ", ["straße", "école", "οδος"]),
        ("naïve nai\u0308ve", ["naïve", "naïve"]),
        ("İstanbul I\u0307stanbul", ["istanbul", "istanbul"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
    ],
)
def test_words_are_letters_in_lower_case(text, words):
    assert PLAIN(text) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("DİYARBAKIR ISPARTA İZMİR", ["diyarbakır", "ısparta", "izmir"]),
        ("I\u0307zmi\u0307r İZMİR".lower(), ["izmir", "izmir"]),
        ("I\u0307 ızdırap IĞDIR i̇yi", ["ızdırap", "ığdır", "iyi"]),
        ("ılık iyi IŞIK", ["ılık", "iyi", "ışık"]),
        ("KÂĞIT hâlâ ka\u0302r KAR", ["kâğıt", "hâlâ", "kâr", "kar"]),
        ("LÂZIM Îman SÜKÛT millî", ["lâzım", "îman", "sükût", "millî"]),
        ("İzmir'in Ankara’nın 'tırnak' TV'ler", ["izmir", "ankara", "tırnak", "tv"]),
    ],
)
def test_turkish_has_two_letters_i(text, words):
    assert TURKISH(text) == words


def test_capital_i_loses_its_dot_in_turkish_alone():
    assert PLAIN("ISI") == ["isi"]
    assert TURKISH("ISI") == ["ısı"]


def test_stop_words_go_before_stems_are_taken():
    text = "The whenever becoming became becomes computing"
    assert TextAnalyzer(stem=False)(text) == ["computing"]
    assert TextAnalyzer()(text) == ["comput"]
    assert TextAnalyzer(stop_words=False)("becoming") == ["becom"]
    assert all(TextAnalyzer()(word) == [] for word in ENGLISH_STOP_WORDS)


def test_turkish_stop_words_are_found_whatever_their_case():
    analyze = TextAnalyzer(language="turkish")
    assert analyze("HİÇBİR, Şimdi; YALNIZ için VE Bazıları NASIL") == []
    assert analyze("Işıkları çok İZMİR") == ["ışık", "izmir"]


@pytest.mark.parametrize("language", _analyzer.LANGUAGES)
def test_stop_words_are_words_in_lower_case(language):
    plain = TextAnalyzer(language=language, stop_words=False, stem=False, min_length=1)
    assert len(stop_words_of(language)) >= 30
    for word in stop_words_of(language):
        assert plain(word) == [word]
        assert TextAnalyzer(language=language)(word) == []


def test_stop_words_of_ones_own_are_put_in_lower_case():
    analyze = TextAnalyzer(language="turkish", stop_words=["IŞIK", "I\u0307yi"], stem=False)
    assert analyze("ışık iyi ve ISI") == ["ve", "ısı"]
    assert analyze == TextAnalyzer(language="turkish", stop_words={"ışık", "iyi"}, stem=False)
    assert hash(analyze) == hash(copy.deepcopy(analyze))


def test_every_language_of_snowball_has_stems():
    languages = set(Stemmer.algorithms()) - {"dutch_porter", "lovins", "porter"}
    assert {"english", "turkish", "german", "hindi"} <= languages
    assert languages == set(_analyzer.LANGUAGES)
    for language in languages:
        words = ["информация", "kitaplar", "Häuser", "nations", "हिन्दीओं"]
        stemmer = Stemmer.Stemmer(language)
        plain = TextAnalyzer(language=language, stop_words=False, stem=False)
        expected = [stemmer.stemWord(word) for text in words for word in plain(text)]
        analyze = TextAnalyzer(language=language, stop_words=False)
        assert analyze(" ".join(words)) == [term for term in expected if term]


def test_min_length_counts_before_stemming():
    assert TextAnalyzer(stop_words=False, min_length=4)("use used") == ["use"]
    assert TextAnalyzer(stop_words=False, stem=False, min_length=1)("a 1 b") == ["a", "b"]


@given(st.lists(st.text("abcdeilnorstuy", min_size=2, max_size=12)))
def test_stems_are_those_of_snowball(words):
    stemmer = Stemmer.Stemmer("english")
    assert TextAnalyzer(stop_words=False)(" ".join(words)) == [
        stemmer.stemWord(word) for word in words
    ]


@given(st.text(st.characters(max_codepoint=0xFFFF)))
def test_any_text_gives_words_of_letters_and_their_marks(text):
    for word in PLAIN(text):
        assert len(word) >= 2 or _analyzer.NO_SPACES.match(word)
        assert word[0].isalpha()
        assert all(c.isalpha() or unicodedata.category(c).startswith("M") for c in word)


@given(st.text(st.characters(max_codepoint=127)))
@pytest.mark.parametrize("language", ["english", "turkish"])
def test_ascii_is_cut_as_any_other_text(language, text):
    analyzer = TextAnalyzer(language=language)
    general = _analyzer._word_pattern(language == "turkish").findall(analyzer._lower(text))
    assert analyzer.words(text) == general
    if language == "english":
        assert general == re.findall("[a-z]+", text.lower())


@given(st.text())
def test_words_cut_out_of_a_text_are_cut_out_again(text):
    words = TURKISH(text)
    assert TURKISH(" ".join(words)) == words


def test_many_words_do_not_fill_the_memory(monkeypatch):
    monkeypatch.setattr(_analyzer, "CACHED_WORDS", 3)
    analyze = TextAnalyzer(stop_words=False)
    text = "running walking swimming jumping running climbing walking"
    assert analyze(text) == ["run", "walk", "swim", "jump", "run", "climb", "walk"]
    assert len(analyze._terms) <= 3


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda a: pickle.loads(pickle.dumps(a))])
def test_copies_are_equal_and_leave_the_cache_behind(duplicate):
    analyze = TextAnalyzer(min_length=3)
    analyze("remembered words")
    again = duplicate(analyze)
    assert again == analyze
    assert "_terms" not in vars(again)
    assert again("remembered words") == ["rememb", "word"]


def test_threads_can_share_one_analyzer():
    texts = [" ".join(f"{a}{b}{c}ations" for c in "aeiou" for b in "lmnrst") for a in "bcdfgh" * 9]
    expected = [TextAnalyzer()(text) for text in texts]
    shared = TextAnalyzer()
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(shared, texts)) == expected


def test_it_serves_count_vectorizer():
    vectorizer = clone(CountVectorizer(analyzer=TextAnalyzer()))
    X = vectorizer.fit_transform(["Cats chase cats", "a cat and the dog"])
    assert vectorizer.get_feature_names_out().tolist() == ["cat", "chase", "dog"]
    assert X.toarray().tolist() == [[2, 1, 0], [1, 0, 1]]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"language": "klingon"}, "Unknown language 'klingon'. The languages are: .*english"),
        ({"language": "porter"}, "Unknown language 'porter'"),
        ({"language": "deutsch"}, "Unknown language 'deutsch'. Did you mean 'german'?"),
        ({"clean_html": 1}, "clean_html must be True or False; got 1"),
        ({"stop_words": "english"}, "must be True, False or a collection of words; got 'english'"),
        ({"min_length": 0}, "min_length must be an integer, 1 or more; got 0"),
        ({"stem": "yes"}, "stem must be True or False; got 'yes'"),
        ({"stop_words": None}, "stop_words must be True, False or a collection .* got None"),
        ({"stop_words": ["a", 1]}, "stop_words must be True, False or a collection of words"),
    ],
)
def test_what_is_not_supported_is_said(parameters, message):
    with pytest.raises(ValueError, match=message):
        TextAnalyzer(**parameters)


@given(
    st.text(max_size=40) | st.text("ab1 2_²é٣-", max_size=12),
    st.sampled_from(["english", "french"]),
)
def test_digits_belong_to_words(text, language):
    """The runs of letters and decimal digits, by the category of each character."""
    analyzer = TextAnalyzer(
        language=language, stop_words=False, stem=False, min_length=1, digits=True
    )
    lower = analyzer._lower(text)
    assume(all(ord(c) < 0x10000 and unicodedata.category(c)[0] != "M" for c in lower))
    kept = "".join(c if c.isalpha() or c.isdecimal() else " " for c in lower)
    assert analyzer(text) == kept.split()


def test_no_term_is_longer_than_the_text():
    analyzer = TextAnalyzer(ngram_range=(1, 10**25))  # without end, if all lengths were tried
    assert analyzer("red parcel")[2:] == ["red parcel"]


def test_digits_in_turkish():
    analyzer = TextAnalyzer(language="turkish", digits=True)
    assert analyzer("1999'da 2 IŞIK") == ["1999", "ışık"]
    with pytest.raises(ValueError, match="digits"):
        TextAnalyzer(digits="yes")


@pytest.mark.parametrize("marks", ["\u0301\u0316" * 8_000, "\u0301" * 8_000 + "\u0316" * 8_000])
def test_a_letter_with_thousands_of_marks_keeps_some(marks):
    """Unicode sorts the marks of a letter, in quadratic time."""
    [word] = TextAnalyzer("english", stem=False)(f"<<a{marks}")
    assert word.startswith("á")
    assert len(word) <= 31
    usual = "cafe\u0301 " * 200  # other marks stay
    assert set(TextAnalyzer("english", stem=False)(usual)) == {"café"}
