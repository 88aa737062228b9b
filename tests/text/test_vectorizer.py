"""TextVectorizer: the counts of scikit-learn's CountVectorizer, with spellings and selection."""

import pickle

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import ComplementNB
from sklearn.pipeline import make_pipeline

from honeybayes import TextVectorizer
from honeybayes.tables import load_corpus
from honeybayes.text import TextAnalyzer
from honeybayes.utils.state import check_state

CORPUS = load_corpus("messages")
TEXTS, LABELS = CORPUS.documents[:200], CORPUS.labels[:200]


def assert_same_counts(found, expected):
    assert (found != expected).nnz == 0
    assert found.dtype == expected.dtype


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"stem": False, "stop_words": False},
        {"stop_words": ["the", "a"]},
        {"language": "turkish"},
        {"ngram_range": (1, 2)},
        {"ngram_range": (2, 3), "min_df": 2},
    ],
    ids=str,
)
def test_counts_are_those_of_count_vectorizer(parameters):
    own = TextVectorizer(**parameters)
    min_df = parameters.pop("min_df", 1)
    other = CountVectorizer(analyzer=TextAnalyzer(**parameters), min_df=min_df)
    assert_same_counts(own.fit_transform(TEXTS), other.fit_transform(TEXTS))
    assert_array_equal(own.terms_, other.get_feature_names_out())
    assert_array_equal(own.get_feature_names_out(), own.terms_)
    assert_same_counts(own.transform(CORPUS.documents), other.transform(CORPUS.documents))


def test_ngrams_are_neighbors_after_stop_words_are_left_out():
    analyze = TextAnalyzer(ngram_range=(1, 3))
    assert analyze("The late parcels of the shop") == [
        *("late", "parcel", "shop", "late parcel", "parcel shop", "late parcel shop"),
    ]
    assert TextAnalyzer(ngram_range=(2, 2))("parcel") == []
    # as scikit-learn makes them from the same words
    words = TextAnalyzer()
    other = CountVectorizer(tokenizer=words, token_pattern=None, ngram_range=(1, 3))
    for text in TEXTS[:20]:
        assert sorted(analyze(text)) == sorted(other.build_analyzer()(text))


@pytest.mark.parametrize("ngram_range", [1, (1,), (0, 1), (2, 1), (1.0, 2.0), "12"])
def test_bad_ngram_range(ngram_range):
    with pytest.raises(ValueError, match="ngram_range must be two integers"):
        TextVectorizer(ngram_range=ngram_range).fit(TEXTS)


def test_spellings():
    texts = ["deliveries: a delivery!", "the Delivery was late", "late deliveries, late"]
    vectorizer = TextVectorizer(ngram_range=(1, 2)).fit(texts)
    spelled = dict(zip(vectorizer.terms_, vectorizer.spellings_, strict=True))
    assert spelled == {
        "deliveri": "delivery",
        "deliveri deliveri": "delivery delivery",
        "deliveri late": "delivery late",
        "late": "late",
        "late deliveri": "late delivery",
    }
    assert vectorizer.spellings_.dtype == vectorizer.terms_.dtype == object


def test_new_terms_follow_the_known_ones():
    vectorizer = TextVectorizer().partial_fit(TEXTS[:50])
    first = vectorizer.terms_
    assert_array_equal(first, TextVectorizer().fit(TEXTS[:50]).terms_)
    vectorizer.partial_fit(TEXTS[50:]).partial_fit(["1 2 3"])
    assert_array_equal(vectorizer.terms_[: len(first)], first)
    whole = TextVectorizer().fit(TEXTS)
    order = np.argsort(vectorizer.terms_)
    assert_array_equal(vectorizer.terms_[order], whole.terms_)
    assert_same_counts(vectorizer.transform(TEXTS)[:, order], whole.transform(TEXTS))
    with pytest.raises(ValueError, match="fitted with other parameters"):
        vectorizer.set_params(stem=False).partial_fit(TEXTS)
    assert not hasattr(TextVectorizer(min_df=2), "partial_fit")


def test_parameters_are_frozen_at_fit():
    vectorizer = TextVectorizer().fit(TEXTS)
    expected = vectorizer.transform(TEXTS)
    vectorizer.set_params(stem=False, ngram_range=(1, 2), language="german")
    assert_same_counts(vectorizer.transform(TEXTS), expected)


def test_output_for_pandas_is_refused_as_by_scikit_learn():
    vectorizer = TextVectorizer().set_output(transform="pandas")
    with pytest.raises(ValueError, match=r"sparse matrix.*set_output\(transform='default'\)"):
        vectorizer.fit_transform(pd.Series(TEXTS))


def test_clone_pickle_and_state():
    vectorizer = TextVectorizer(stop_words=["the"]).fit(TEXTS)
    check_state(vectorizer)
    again = pickle.loads(pickle.dumps(vectorizer))
    assert vars(again).keys() == vars(vectorizer).keys()
    check_state(again)
    assert_same_counts(again.transform(TEXTS), vectorizer.transform(TEXTS))
    with pytest.raises(NotFittedError):
        clone(vectorizer).transform(TEXTS)
    again.terms_ = again.terms_[::-1].copy()
    again.terms_[0] = again.terms_[1]
    with pytest.raises(ValueError, match="contains a term twice"):
        check_state(again)


def test_state_of_the_analyzer_is_checked():
    vectorizer = TextVectorizer().fit(TEXTS)
    object.__setattr__(vectorizer._analyzer, "language", "klingon")
    with pytest.raises(ValueError, match="_analyzer Unknown language 'klingon'"):
        check_state(vectorizer)
    vectorizer._analyzer = str.split
    with pytest.raises(ValueError, match=r"_analyzer is .*, expected TextAnalyzer"):
        check_state(vectorizer)


def test_a_search_over_its_parameters():
    pipeline = make_pipeline(TextVectorizer(), ComplementNB())
    grid = {"textvectorizer__ngram_range": [(1, 1), (1, 2)], "textvectorizer__min_df": [1, 2]}
    search = GridSearchCV(pipeline, grid, cv=3, error_score="raise").fit(TEXTS, LABELS)
    assert search.best_score_ > 0.2


@pytest.mark.parametrize(
    ("parameters", "texts", "message"),
    [
        ({}, "one text", "got a single text"),
        ({}, ["the", "of"], "No terms left in 2 documents after removing"),
        (
            {"min_df": 3},
            ["late parcel", "parcels"],
            "the most frequent term, 'parcel', occurs in only 2",
        ),
        ({"min_df": 0}, TEXTS, "min_df must be an integer, 1 or more; got 0"),
        ({"ngram_range": (2, 2)}, ["parcel", "late"], "or a lower ngram_range"),
    ],
)
def test_bad_input(parameters, texts, message):
    with pytest.raises(ValueError, match=message):
        TextVectorizer(**parameters).fit(texts, ["a", "b"] * 100)
