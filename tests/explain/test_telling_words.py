"""telling_words against the models' own tables."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

from honeybayes import (
    CountNB,
    HiddenNB,
    SmoothedBernoulliNB,
    TextClassifier,
    TextVectorizer,
    telling_words,
)
from honeybayes.explain import _decision as module
from honeybayes.explain import readable_telling_words
from tests.explain.test_decision import QUEUES, TEXTS

RNG = np.random.default_rng(1)
X, Y = RNG.integers(0, 4, (30, 12)), np.arange(30) % 3


def expected(table, k):
    """From a table (classes, words): each word's weight less the mean of the other classes."""
    words = {}
    for c, row in enumerate(table):
        lead = row - np.delete(table, c, axis=0).mean(axis=0)
        best = sorted(range(len(lead)), key=lambda w: -lead[w])[:k]
        words[c] = [(f"x{w}", pytest.approx(lead[w])) for w in best if lead[w] > 0]
    return words


def test_counts():
    model = CountNB().fit(X, Y)
    assert telling_words(model, k=4) == expected(model.feature_log_prob_, 4)


def test_presence():
    model = SmoothedBernoulliNB().fit(X, Y)
    table = model.feature_log_prob_ - model.feature_log_absence_prob_
    assert telling_words(model, k=12) == expected(table, 12)


def test_tfidf_of_a_word_alone_is_one():
    model = make_pipeline(TfidfTransformer(), LogisticRegression()).fit(X, Y)
    assert telling_words(model, k=5) == expected(model[-1].coef_, 5)


def test_two_classes():
    model = LogisticRegression().fit(X, Y > 0)
    weight = model.coef_[0]
    words = telling_words(model, k=2)
    assert words[True][0] == (f"x{weight.argmax()}", pytest.approx(2 * weight.max()))
    assert words[False][0] == (f"x{weight.argmin()}", pytest.approx(-2 * weight.min()))


def test_models_that_are_not_sums_work_too():
    assert telling_words(HiddenNB().fit(X, Y)) == telling_words(CountNB().fit(X, Y))
    assert set(telling_words(SVC().fit(sparse.csr_array(X), Y))) == {0, 1, 2}


def test_texts_have_words():
    words = telling_words(TextClassifier("CNB").fit(TEXTS, QUEUES), k=2)
    assert words["delivery"][0][0] in ("courier", "lost", "late")
    assert [len(of_class) for of_class in words.values()] == [2, 2, 2]


def test_words_are_spelled_as_in_the_training_texts():
    classifier = TextClassifier("CNB", calibrate=None).fit(TEXTS, QUEUES)
    pipeline = make_pipeline(TextVectorizer(), classifier.model_).fit(TEXTS, QUEUES)
    assert "promised" in readable_telling_words(classifier)["billing"]
    assert readable_telling_words(pipeline) == readable_telling_words(classifier)


def test_readable_words_have_no_characters_beside_their_pairs():
    texts, labels = ["唱歌手节目", "比赛选手", "歌手节目", "比赛球队"], [0, 1, 0, 1]
    classifier = TextClassifier("CNB", calibrate=None).fit(texts, labels)
    assert {"歌", "歌手"} <= {word for word, _ in telling_words(classifier, 9)[0]}
    for words in readable_telling_words(classifier, 9).values():
        listed = words.split(", ")
        assert all(len(word) == 2 for word in listed)
        assert len(listed) == len({*listed})
    assert readable_telling_words(classifier, 9, texts=texts)[0] == "唱歌手节目"


def test_blocks_make_no_difference(monkeypatch):
    model = CountNB(rule="one-vs-rest").fit(X, Y)
    whole = telling_words(model)
    monkeypatch.setattr(module, "BLOCK_WORDS", 5)
    assert telling_words(model) == whole


@pytest.mark.parametrize("k", [0, True, 2.5])
def test_k_that_is_refused(k):
    with pytest.raises(ValueError, match="k must be an integer, 1 or more"):
        telling_words(CountNB().fit(X, Y), k)


def test_a_model_without_scores_is_refused():
    with pytest.raises(ValueError, match="KNeighborsClassifier has no scores to explain"):
        telling_words(KNeighborsClassifier().fit(sparse.csr_array(X), Y))
