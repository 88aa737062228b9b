"""Whether stop words are kept: by labels, by length, for every model, and as told."""

from types import SimpleNamespace

import numpy as np
import pytest

from honeybayes import TextClassifier
from honeybayes.classifier import choices
from honeybayes.classifier.choices import are_long, should_remove_stop_words
from honeybayes.text import TextVectorizer, stop_words_of

random = np.random.default_rng(0)
TOPICAL = [f"noun{chr(97 + number)}" for number in range(26)]
MARKERS = {"person": "who whose", "place": "where whereby", "number": "how many"}
FREQUENT = ["the", "a", "of", "and", "to", "in", "is", "was", "it", "that", "for", "on", "with"]
N = 120


def questions():
    """The class is in the stop words at the end; all other words are random."""
    labels = np.array(list(MARKERS) * (N // 3))
    texts = [f"{' '.join(random.choice(TOPICAL, 4))} {MARKERS[label]}" for label in labels]
    return texts, labels


def news():
    """The class is in the other words; the stop words are random, and many."""
    labels = np.array(["a", "b"] * (N // 2))
    texts = [
        " ".join([*random.choice(TOPICAL[:13] if label == "a" else TOPICAL[13:], 2)])
        + " "
        + " ".join(random.choice(FREQUENT, 12))
        for label in labels
    ]
    return texts, labels


@pytest.mark.parametrize("model", ["LogisticRegression-tfidf", "FewLabels", "auto"])
@pytest.mark.parametrize(("make", "removed"), [(questions, False), (news, True)])
def test_labels_decide(model, make, removed):
    texts, labels = make()
    classifier = TextClassifier(model, calibrate=None).fit(texts, labels)
    assert classifier.stop_words_ is removed
    told = TextClassifier(model, calibrate=None, stop_words=removed).fit(texts, labels)
    np.testing.assert_array_equal(classifier.predict(texts), told.predict(texts))
    np.testing.assert_array_equal(classifier.terms_, told.terms_)


@pytest.mark.parametrize("model", ["FewLabels", "auto"])
@pytest.mark.parametrize("times", [1, 6])
def test_with_a_pool_the_length_decides(model, times):
    """A text has 14 words, six of them in a row 84."""
    texts, labels = news()
    texts = [" ".join([text] * times) for text in texts]
    removed = times > 1
    classifier = TextClassifier(model).fit(texts[:18], labels[:18], pool=texts[18:])
    assert classifier.stop_words_ is removed
    missing = [label if row < 18 else None for row, label in enumerate(labels)]
    assert TextClassifier(model).fit(texts, missing).stop_words_ is removed


ENGLISH = TextVectorizer(language="english")


def test_half_of_the_texts_are_longer_than_the_limit():
    assert not are_long(["word " * 60] * 3)
    assert are_long(["word " * 61] * 2 + ["word"])
    assert not are_long(["word " * 61] + ["word"] * 2)


def test_seed_words_are_no_stop_words():
    texts, labels = questions()
    texts = [" ".join([text] * 12) for text in texts]
    classifier = TextClassifier("FewLabels").fit(texts, seeds=MARKERS)
    assert classifier.stop_words_ == stop_words_of("english") - {
        *" ".join(MARKERS.values()).split()
    }
    assert classifier.score(texts, labels) > 0.9
    removed = TextClassifier("FewLabels", stop_words=True).fit(texts, seeds=MARKERS)
    assert removed.score(texts, labels) < 0.6
    topical = {"a": TOPICAL[0], "b": TOPICAL[1]}
    assert TextClassifier("FewLabels").fit(texts, seeds=topical).stop_words_ is True
    assert TextClassifier("FewLabels", stop_words=False).fit(texts, seeds=MARKERS).stop_words_ is (
        False
    )
    hidden = np.where(np.arange(N) < 18, labels, "")
    assert TextClassifier("auto").fit(texts, hidden, seeds=MARKERS).stop_words_ is not True
    plain = TextClassifier("FewLabels", language=None).fit(texts, seeds=MARKERS)
    assert plain.stop_words_ is False


def test_too_few_labels_remove_them():
    texts, labels = questions()
    assert should_remove_stop_words(ENGLISH, texts[:9], labels[:9])
    assert not should_remove_stop_words(ENGLISH, texts, labels)


@pytest.mark.parametrize(("won", "lost", "removed"), [(6, 3, True), (7, 3, False), (1, 0, True)])
def test_a_lead_that_may_be_chance_is_not_enough(monkeypatch, won, lost, removed):
    """The lead, won - lost, is compared with the square root of won + lost."""
    texts, labels = news()
    with_all, without = np.zeros((2, N), dtype=int)
    with_all[:won], without[won : won + lost] = 1, 1
    answers = iter([with_all, without])

    def fit_once(model, X, y, folds):
        predicted = np.where(next(answers), y, "another label")
        yield SimpleNamespace(predict=lambda _: predicted), X, slice(None)

    monkeypatch.setattr(choices, "fit_on_folds", fit_once)
    assert should_remove_stop_words(ENGLISH, texts, labels) is removed


def test_nothing_but_stop_words():
    texts = ["who", "where"] * 10
    assert not should_remove_stop_words(ENGLISH, texts, ["person", "place"] * 10)
    classifier = TextClassifier().fit(texts, ["person", "place"] * 10)
    assert classifier.predict(["who", "where"]).tolist() == ["person", "place"]


@pytest.mark.parametrize("language", ["auto", None])
def test_an_unknown_language_keeps_every_word(language):
    texts, labels = ["我的包裹在哪里", "发票是错的"] * 2, ["a", "b"] * 2
    classifier = TextClassifier("CNB", language=language).fit(texts, labels)
    assert classifier.stop_words_ is False
    partial = TextClassifier("CNB", language=language).partial_fit(texts, labels, ["a", "b"])
    assert partial.stop_words_ is False
    assert partial.language_ is classifier.language_ is None
    assert partial.partial_fit(["hello there"], ["a"]).language_ is None


@pytest.mark.parametrize("stop_words", [True, False, ["who", "Where"]])
def test_told_is_told(stop_words):
    texts, labels = questions()
    classifier = TextClassifier("CNB", stop_words=stop_words).fit(texts, labels)
    expected = frozenset({"who", "where"}) if isinstance(stop_words, list) else stop_words
    assert classifier.stop_words_ == expected


def test_a_wrong_word():
    with pytest.raises(ValueError, match=r'stop_words must be "auto", True, .* got \'english\''):
        TextClassifier(stop_words="english").fit(["x y", "z w"], ["a", "b"])


def test_models_of_plain_counts_remove_them():
    texts, labels = questions()
    for name in ("CNB", "HOS-alpha0", "SMO-linear"):
        assert TextClassifier(name, calibrate=None).fit(texts, labels).stop_words_ is True
    classifier = TextClassifier("CNB").fit(texts, labels)
    assert classifier.partial_fit(["whom nouna"], ["person"]).stop_words_ is True
    assert "whom" not in classifier.terms_
    assert TextClassifier("CNB").partial_fit(texts, labels, [*MARKERS]).stop_words_ is True
