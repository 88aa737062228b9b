"""Class names and seed words: how they are read, and which terms they stand for."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from honeybayes.text import TextAnalyzer, check_seeds, match_seeds

TERMS = ["deliveri", "engin", "invoic", "medic", "medicin", "refund", "soccer"]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("sci.med", "sci med"),
        ("Case_Based", "Case Based"),
        ("machineLearning", "machine Learning"),
        ("RuleLearningML", "Rule Learning ML"),
        ("SMS", "SMS"),
        ("food & drink", "food drink"),
        ("हिन्दी_समाचार", "हिन्दी समाचार"),  # most vowels are marks, which are no signs
        ("สุขภาพ", "สุขภาพ"),
    ],
)
def test_names_are_split_at_signs_and_capitals(name, words):
    assert check_seeds([name]) == {name: words}


def test_words_may_be_a_string_a_list_or_missing():
    seeds = {"billing": "invoice charge", "delivery": ["parcel", "courier"], "other": None, 7: ""}
    assert check_seeds(seeds) == {
        "billing": "billing invoice charge",
        "delivery": "delivery parcel courier",
        "other": "other",
        7: "7",
    }
    assert check_seeds(np.array(["a", "b"])) == {"a": "a", "b": "b"}


@pytest.mark.parametrize(
    ("seeds", "message"),
    [
        ("billing", "must be a dict from classes to words, or a list of classes; got 'billing'"),
        (3, "must be a dict"),
        ({"a": 3}, "of class 'a' must be words in a string or a list; got 3"),
        ({"a": ["x", 3]}, "of class 'a' must be words"),
        ([None, "a"], "must have classes as keys, strings or numbers; got None"),
        ({" ": "x"}, "must have classes as keys"),
        ([True, False], "must have classes as keys"),
    ],
)
def test_wrong_seeds(seeds, message):
    with pytest.raises(ValueError, match=message):
        check_seeds(seeds)


def weights_of(seeds, **settings):
    weights, missing = match_seeds(check_seeds(seeds), TERMS, TextAnalyzer(**settings))
    return {label: dict(zip(TERMS, each, strict=True)) for label, each in weights.items()}, missing


def test_words_are_matched_as_in_texts():
    weights, missing = weights_of({"billing": "Invoices, REFUNDS the", "Delivery": "parcels"})
    assert {term for term, weight in weights["billing"].items() if weight} == {"invoic", "refund"}
    assert {term for term, weight in weights["Delivery"].items() if weight} == {"deliveri"}
    assert missing == {"billing": ["billing"], "Delivery": ["parcels"]}  # no stop word


def test_a_word_that_is_no_term_stands_for_terms_that_begin_with_it():
    weights, missing = weights_of(["med", "so", "soccer"])
    assert weights["med"]["medic"] == weights["med"]["medicin"] == 0.5
    assert sum(weights["med"].values()) == 1
    assert sum(weights["so"].values()) == 0  # a stop word, and too short
    assert missing == {"med": [], "so": [], "soccer": []}
    assert weights_of(["zz", "soccer"])[1] == {"zz": ["zz"], "soccer": []}


def test_a_removed_stop_word_stands_for_no_other_term():
    """ "eng" is the beginning of a term; as a stop word it must not be."""
    assert weights_of(["eng", "soccer"], stop_words=["eng"])[0]["eng"]["engin"] == 0
    assert weights_of(["eng", "soccer"], stop_words=False)[0]["eng"]["engin"] == 1


def test_a_shared_word_weighs_less():
    seeds = {"a1": "refund", "b1": "refunds invoice", "c1": "soccer", "d1": "engine"}
    weights, _ = weights_of(seeds)
    assert_allclose(weights["a1"]["refund"], 0.5)  # 1 - log 2 / log 4
    assert_allclose(weights["b1"]["refund"], 0.5)
    assert weights["b1"]["invoic"] == 1
    everywhere, _ = weights_of({"a1": "refund", "b1": "refund"})
    assert everywhere["a1"]["refund"] == 0


def test_single_words_are_matched_among_ngrams():
    terms = ["credit", "credit card"]
    weights, _ = match_seeds(check_seeds(["credit", "x"]), terms, TextAnalyzer(ngram_range=(1, 2)))
    assert weights["credit"].tolist() == [1, 0]


def test_a_word_that_is_no_term_stands_for_the_longest_term_that_it_begins_with():
    """ "delivered" has the stem "deliv", "delivery" has "deliveri"."""
    terms = ["del", "deliv", "delive", "inter", "sport"]
    texts = {"a": "delivery", "b": "sports", "c": "internationally", "d": "delay"}
    weights, missing = match_seeds(texts, terms, TextAnalyzer())
    assert_allclose(weights["a"], [0, 0, 1, 0, 0])
    assert_allclose(weights["b"], [0, 0, 0, 0, 1])
    assert_allclose(weights["c"], [0, 0, 0, 1, 0])
    assert missing == {"a": [], "b": [], "c": [], "d": ["delay"]}
    without = match_seeds({"a": "delivery"}, ["del", "delay"], TextAnalyzer())
    assert without[1] == {"a": ["delivery"]}


@pytest.mark.parametrize("stop_words", [True, False])
def test_stop_words_of_a_name_are_not_missing(stop_words):
    texts = {"food": "food and drink", "art": "art of the day"}
    analyzer = TextAnalyzer(stop_words=stop_words)
    assert match_seeds(texts, ["food", "day"], analyzer)[1] == {"food": ["drink"], "art": ["art"]}


def test_seeds_in_a_script_without_spaces():
    analyzer = TextAnalyzer(None)
    terms = sorted({*analyzer("我的包裹"), *analyzer("发票是错的")})
    weights, missing = match_seeds({"a": "包裹", "b": "发票 税"}, terms, analyzer)
    named = {label: {terms[at] for at in np.flatnonzero(each)} for label, each in weights.items()}
    assert named == {"a": {"包", "包裹", "裹"}, "b": {"发", "发票", "票"}}
    assert missing == {"a": [], "b": ["税"]}


@pytest.mark.parametrize(
    ("name", "texts", "missing"),
    [
        ("科学技术", ["科学家", "新技术"], []),  # 学技 is no word
        ("科学技术 财经", ["科学家"], ["财经"]),
        ("财 经", ["财产", "经"], []),
        ("税 AI芯片", ["发票"], ["税", "ai", "芯片"]),
        ("财経ニュース・野球", ["野原", "財産"], ["财経ニュース", "野球"]),
        ("สุขภาพ กีฬา", ["สุขภาพดี"], ["กีฬา"]),
        ("កីឡា", ["កីឡាករ"], []),
        ("net network work", ["parcel"], ["net", "network", "work"]),
    ],
)
def test_a_run_without_spaces_is_missing_as_a_whole(name, texts, missing):
    analyzer = TextAnalyzer(None)
    terms = sorted({term for text in texts for term in analyzer(text)})
    assert match_seeds(check_seeds([name]), terms, analyzer)[1] == {name: missing}
