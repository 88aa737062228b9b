"""Vocabulary: parts of texts give the vectorizer that ``fit`` makes of all texts."""

import pickle
import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

from honeybayes import CountNB, TextVectorizer
from honeybayes.tables import load_corpus
from honeybayes.text import Vocabulary
from honeybayes.utils.digests import settings_text

TEXTS = load_corpus("messages").documents[:200]
WORDS = ["Delivery", "deliveries", "delivered", "the", "who", "is", "late", "Late!", "x", "parcel"]
TEXT = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)
SETTINGS = st.fixed_dictionaries(
    {
        "stop_words": st.booleans() | st.sets(st.sampled_from(["late", "who", "parcel", "is"])),
        "stem": st.booleans(),
        "min_df": st.integers(1, 3),
        "ngram_range": st.sampled_from([(1, 1), (1, 2), (2, 3)]),
    }
)


def assert_same_vectorizer(found, expected):
    assert found.get_params() == expected.get_params()
    assert found.terms_.tolist() == expected.terms_.tolist()
    assert found.spellings_.tolist() == expected.spellings_.tolist()
    assert found.terms_.dtype == found.spellings_.dtype == expected.terms_.dtype
    assert found.build_analyzer() == expected.build_analyzer()


@st.composite
def parts(draw):
    """Parts of texts, of which some are empty, and the order in which they are merged."""
    return draw(st.lists(st.lists(TEXT, max_size=4), min_size=1, max_size=5))


def merge_all(parts, vectorizer, order=None, **options):
    """Merge as a cluster does: any two objects at a time."""
    found = [Vocabulary(vectorizer, **options).add(texts) for texts in parts]
    while len(found) > 1:
        at = order.draw(st.integers(0, len(found) - 2)) if order else 0
        found[at] = found[at].merge(found.pop(at + 1))
    return found[0]


@settings(max_examples=60, deadline=None)
@given(parts(), SETTINGS, st.data())
def test_merged_parts_give_the_vectorizer_of_all_texts(parts, options, data):
    options |= {"language": "english"}  # of few words, "auto" may find another one in each part
    vectorizer, texts = TextVectorizer(**options), [text for part in parts for text in part]
    merged = merge_all(data.draw(st.permutations(parts)), vectorizer, data)
    assert merged.n_documents == len(texts)
    assert merged.max_error == 0
    expected, why_not = TextVectorizer(**options), None
    try:
        expected.fit(texts or [""])
    except ValueError as error:
        why_not = str(error).replace("in 1 documents" if not texts else "\0", "in 0 documents")
    if why_not is None:
        assert_same_vectorizer(merged.finish(), expected)
    else:
        why_not = why_not.partition("the most frequent term")[0]  # of several, any may be named
        with pytest.raises(ValueError, match=f"^{re.escape(why_not)}"):
            merged.finish()


@pytest.mark.parametrize("options", [{}, {"ngram_range": (1, 2), "min_df": 2}])
def test_batches_of_real_texts_give_the_same(options):
    vectorizer = TextVectorizer(**options)
    whole = Vocabulary(vectorizer)
    for first in range(0, len(TEXTS), 37):
        part = Vocabulary(vectorizer).add(TEXTS[first : first + 37])
        whole.merge(pickle.loads(pickle.dumps(part)))
    expected = TextVectorizer(**options).fit(TEXTS)
    assert_same_vectorizer(whole.finish(), expected)
    counts = whole.finish().transform(TEXTS)
    assert (counts != expected.transform(TEXTS)).nnz == 0


@given(parts(), st.integers(1, 6))
def test_the_terms_of_the_most_documents_are_kept(parts, max_terms):
    """The rule as a plain sort; it holds as long as every term is counted."""
    vectorizer = TextVectorizer(stop_words=False, stem=False)
    frequency = Counter(
        term for part in parts for text in part for term in set(vectorizer.build_analyzer()(text))
    )
    merged = merge_all(parts, vectorizer, max_terms=max_terms)
    if not frequency:
        return
    if len(frequency) <= 2 * max_terms:
        assert merged.max_error == 0
        ranked = sorted(frequency, key=lambda term: (-frequency[term], term))
        assert merged.finish().terms_.tolist() == sorted(ranked[:max_terms])
    assert merged.n_terms <= 2 * max_terms


@settings(max_examples=60, deadline=None)
@given(parts(), st.integers(1, 3), st.integers(1, 3), st.data())
def test_a_full_table_says_how_far_its_counts_may_be_off(parts, max_terms, min_df, data):
    vectorizer = TextVectorizer(stop_words=False, stem=False, min_df=min_df)
    frequency = Counter(
        term for part in parts for text in part for term in set(vectorizer.build_analyzer()(text))
    )
    merged = merge_all(parts, vectorizer, data, max_terms=max_terms)
    found = merged._documents.counts
    for term, n in frequency.items():
        assert n - merged.max_error <= found[term] <= n
    assert merged.max_error <= frequency.total() / (2 * max_terms + 1)
    assert merged.n_terms == min(2 * max_terms, len(frequency))
    enough = {term for term, n in frequency.items() if n >= min_df}
    if enough:
        kept = set(merged.finish().terms_)
        assert min(max_terms, len(enough)) <= len(kept) <= max_terms
        assert min_df > 1 or len(kept) == min(max_terms, len(frequency))
        assert all(frequency[term] + merged.max_error >= min_df for term in kept)
        if len(kept) < max_terms:
            assert enough <= kept
        if not merged.max_error:
            assert kept <= enough
            assert merged.n_frequent == len(enough)


@pytest.mark.parametrize("n_parts", [1, 7])
@pytest.mark.parametrize(("min_df", "max_terms"), [(1, 500), (1, 3937), (2, 940), (2, 300)])
def test_as_many_terms_are_kept_as_asked_for(min_df, max_terms, n_parts):
    """Most terms of real texts are in one document only: they have no room, or fill it."""
    texts = load_corpus("messages").documents
    vectorizer = TextVectorizer(ngram_range=(1, 2), min_df=min_df)
    assert len(clone(vectorizer).fit(texts).terms_) > max_terms
    parts = [texts[number::n_parts] for number in range(n_parts)]
    merged = merge_all(parts, vectorizer, max_terms=max_terms)
    assert merged.max_error > 0
    assert len(merged.finish().terms_) == max_terms


def test_terms_of_one_document_fill_the_room():
    words = "cat dog emu fox gnu hen jay owl yak"
    assert Vocabulary(max_terms=3).add(words.split()).finish().terms_.tolist() == [
        *("cat", "dog", "emu")
    ]


def test_a_frequent_term_that_comes_late_is_found():
    """Also if it comes once per part, when the room is full of terms that were there before."""
    vocabulary = Vocabulary(max_terms=2).add(["ant", "bee", "cat", "dog"])
    for _ in range(9):
        vocabulary.merge(Vocabulary(max_terms=2).add(["zebra"]))
    assert "zebra" in vocabulary.finish().terms_


def test_the_order_of_a_set_of_stop_words_does_not_matter():
    """Sets that are equal may have another order, as in another process."""
    one, other = {0, 8}, {8, 0}
    assert repr(one) != repr(other)
    found = [settings_text(TextVectorizer(stop_words=each)) for each in (one, other, {0})]
    assert found[0] == found[1] != found[2]
    nested = make_pipeline(TextVectorizer(stop_words={"the", "of"}), CountNB())
    assert settings_text(nested) == settings_text(pickle.loads(pickle.dumps(nested)))
    assert settings_text(nested) != settings_text(clone(nested).set_params(countnb__alpha=3))


def test_a_spelling_that_was_forgotten_is_the_term():
    texts = ["deliveries", *["parcel is late"] * 3]
    found = Vocabulary(max_terms=1).add(texts).finish()
    assert found.terms_.tolist() == ["late"]
    assert found.spellings_.tolist() == ["late"]


def test_what_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="max_terms"):
        Vocabulary(max_terms=0)
    with pytest.raises(ValueError, match="cannot be merged"):
        Vocabulary().merge(Vocabulary(TextVectorizer(stem=False)))
    with pytest.raises(ValueError, match="not a text but None"):
        Vocabulary().add([None])
    assert Vocabulary().add(["late"]).empty_copy().n_documents == 0
