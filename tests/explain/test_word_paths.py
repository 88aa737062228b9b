"""explain_word against the paths themselves, listed one by one."""

import json
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.pipeline import make_pipeline

from honeybayes import (
    CountNB,
    HigherOrderNB,
    HigherOrderSmoothingNB,
    TextClassifier,
    TextVectorizer,
    explain_word,
)
from honeybayes.explain import explain_words
from tests.explain.test_decision import QUEUES, TEXTS
from tests.paths.path_oracle import entries_from
from tests.paths.test_bridges import from_the_word, to_the_label

pytestmark = pytest.mark.filterwarnings("ignore::honeybayes.NoPathWarning")


def corpora():
    """Classes of some documents of a few words, so that most have pure paths too."""
    shapes = st.tuples(st.integers(8, 11), st.integers(5, 6))
    return shapes.flatmap(lambda shape: entries_from([0, 0, 1, 2], shape))


def assert_counts(explanation, paths):
    """All numbers of the explanation equal those of the listed paths."""
    bridges = Counter(f"x{words[1]}" for words, _ in paths)
    firsts = Counter(documents[0] for _, documents in paths)
    seconds = Counter(documents[1] for _, documents in paths)
    assert explanation.paths == len(paths)
    assert {b.word: b.paths for b in explanation.bridges} == bridges
    assert {d.number: d.paths for d in explanation.first_documents} == firsts
    assert {d.number: d.paths for d in explanation.second_documents} == seconds
    assert explanation.n_bridges == len(bridges)
    assert explanation.n_first_documents == len(firsts)
    assert explanation.n_second_documents == len(seconds)
    steps = Counter()
    for words, documents in paths:
        steps[f"x{words[1]}", documents[0], "first"] += 1
        steps[f"x{words[1]}", documents[1], "second"] += 1
    assert {(s.bridge, s.document, s.side): s.paths for s in explanation.steps} == steps
    for ranked in (explanation.bridges, explanation.first_documents):
        numbers = [item.paths for item in ranked]
        assert numbers == sorted(numbers, reverse=True)


@pytest.mark.parametrize("pure", [None, "class", "corpus"])
def test_higher_order_nb(pure):
    with_paths = []

    @settings(max_examples=40)
    @given(corpora(), st.data())
    def check(X, data):
        y = np.arange(len(X)) // 2 % 2
        model = HigherOrderNB(pure=pure).fit(X, y)
        if model.order_ != 2:
            with pytest.raises(ValueError, match=r"this model uses (paths of order 1|document)"):
                explain_word(model, 0, 0, X, y)
            return
        term, label = data.draw(st.integers(0, X.shape[1] - 1)), data.draw(st.integers(0, 1))
        rows, present = np.flatnonzero(y == label), (X > 0).astype(int)
        meet = {None: present[:0], "class": present[rows], "corpus": present}[model.pure_]

        def may_end(ends):
            return not (meet[:, ends[0]] & meet[:, ends[1]]).any()

        found, middle = from_the_word(present[rows], term, may_end)
        paths = [(words, tuple(rows[list(documents)])) for words, documents in found]
        explanation = explain_word(model, f"x{term}", label, X, y, k=10)
        assert_counts(explanation, paths)
        assert explanation.middle == middle
        assert explanation.occurrences == present[rows, term].sum()
        assert explanation.paths + middle == model.path_count_[label, term]
        with_paths.append(len(paths) > 0)

    check()
    assert sum(with_paths) > 1  # or else the test checks little


def test_higher_order_smoothing():
    unseen = []

    @settings(max_examples=40)
    @given(corpora(), st.data())
    def check(X, data):
        y = np.array(list("aabb???????")[: len(X)])
        model = HigherOrderSmoothingNB(unlabeled="?").fit(X, y)
        if not model.label_path_count_.any(axis=1).all():
            with pytest.raises(ValueError, match="This model uses no paths"):
                explain_word(model, 0, "a", X, y)
            return
        label = data.draw(st.sampled_from("ab"))
        for term in range(X.shape[1]):  # all, because few are unseen
            paths = list(to_the_label(X > 0, y, term, label))
            explanation = explain_word(model, term, label, sparse.csr_array(X), y, k=10)
            assert_counts(explanation, paths)
            expected = np.exp(model.feature_log_prob_["ab".index(label), term])
            assert explanation.probability == expected
            unseen.append(bool(paths) and explanation.occurrences == 0)

    check()
    assert sum(unseen) > 1


def test_texts_are_read_by_the_classifier_and_shown():
    classifier = TextClassifier("HOS").fit(TEXTS, QUEUES)
    for documents in (TEXTS, pd.Series(TEXTS), tuple(TEXTS), np.array(TEXTS)):
        explanation = explain_word(classifier, "Couriers", "billing", documents, QUEUES)
        assert (explanation.word, explanation.label) == ("courier", "billing")
        assert [b.word for b in explanation.bridges] == ["refund", "order"]
        assert explanation.first_documents[0].text == TEXTS[4]
        assert explanation.first_documents[0].label == "complaint"
    counts = explain_word(classifier, "courier", "billing", classifier.count_terms(TEXTS), QUEUES)
    assert counts.bridges == explanation.bridges
    assert counts.first_documents[0].text is None
    vectorizer = CountVectorizer()
    pipeline = make_pipeline(vectorizer, HigherOrderSmoothingNB()).fit(TEXTS, QUEUES)
    assert explain_word(pipeline, "courier", "billing", TEXTS, QUEUES, k=1).bridges[0].paths == 2
    pipeline = make_pipeline(TextVectorizer(), HigherOrderSmoothingNB()).fit(TEXTS, QUEUES)
    assert explain_word(pipeline, "Couriers", "billing", TEXTS, QUEUES) == explanation


def test_several_words_are_explained_as_one_by_one():
    classifier = TextClassifier("HOS").fit(TEXTS, QUEUES)
    words = ["courier", "rude", "order"]
    found = explain_words(classifier, words, "billing", TEXTS, QUEUES)
    assert [explanation.word for explanation in found] == words
    assert found == [explain_word(classifier, w, "billing", TEXTS, QUEUES) for w in words]


def test_text_and_json():
    classifier = TextClassifier("HOS").fit([*TEXTS[:-1], "rude " * 30 + "courier"], QUEUES)
    documents = [*TEXTS[:-1], "rude " * 30 + "courier"]
    explanation = explain_word(classifier, "rude", "complaint", documents, QUEUES, k=2)
    text = str(explanation)
    assert text.startswith("'rude' and 'complaint': the word is in 2 documents of the class;")
    assert f"{explanation.paths} paths from the word" in text
    assert "…" in text
    assert max(map(len, text.splitlines())) < 100
    loaded = json.loads(json.dumps(explanation.to_dict()))
    assert loaded["bridges"][0] == {
        "word": explanation.bridges[0].word,
        "paths": explanation.bridges[0].paths,
        "spelling": explanation.bridges[0].spelling,
    }
    assert loaded["steps"]


def test_a_word_that_nothing_links():
    X = np.array([[1, 1, 0, 0], [1, 1, 1, 0], [0, 1, 1, 0], [0, 1, 1, 1]])
    model = HigherOrderNB().fit(X, [0, 0, 1, 1])
    explanation = explain_word(model, "x3", 0, X, [0, 0, 1, 1])
    assert (explanation.paths, explanation.bridges, explanation.steps) == (0, (), ())
    assert "no path from the word leads there (HigherOrderNB counts paths inside" in str(
        explanation
    )
    smoothing = HigherOrderSmoothingNB().fit(X, [0, 0, 1, 1])
    assert "1 path from" not in str(explain_word(smoothing, "x3", 0, X, [0, 0, 1, 1]))
    inside = str(explain_word(model, "x1", 0, X, [0, 0, 1, 1]))
    assert "with the word in the middle" in inside


class OtherPathModel(HigherOrderSmoothingNB):
    """The hooks decide, not the name of the class."""


def test_a_path_model_of_another_class():
    X, y = np.array([[1, 1, 0, 0], [1, 1, 1, 0], [0, 1, 1, 0], [0, 0, 0, 1]]), [0, 0, 1, 1]
    explanation = explain_word(OtherPathModel().fit(X, y), "x3", 0, X, y)
    assert (explanation.model, explanation.to_label) == ("OtherPathModel", True)
    assert str(explanation).endswith("no path from the word leads there")
    assert "to_label" not in explanation.to_dict()


def test_plot():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    classifier = TextClassifier("HOS").fit(TEXTS, QUEUES)
    explanation = explain_word(classifier, "courier", "billing", TEXTS, QUEUES)
    axes = explanation.plot()
    texts = [text.get_text() for text in axes.texts]
    assert {"courier", "billing", "refund\n2", "order\n1"} <= set(texts)
    assert len(axes.lines) == 4 + len(explanation.steps)
    fewer = explanation.plot(n_nodes=1)
    assert len(fewer.lines) == 2 + 2
    none = explain_word(classifier, "late", "billing", TEXTS, QUEUES)
    _, own = plt.subplots()
    assert none.plot(ax=own) is own
    X, y = [[1, 1, 0], [0, 1, 1]] * 2, [0, 0, 1, 1]
    inside = explain_word(HigherOrderNB().fit(X, y), 0, 1, X, y).plot()
    assert "other words\nof 1" in [text.get_text() for text in inside.texts]
    plt.close("all")


X, Y = np.array([[1, 1, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]]), np.array([0, 0, 1, 1])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("x10", 0, X, Y), "does not know the word 'x10'. Did you mean 'x"),
        ((3, 0, X, Y), "word=3 is not a column of X. X has 3 columns"),
        ((1.5, 0, X, Y), "word must be the index of a column"),
        ((0, 7, X, Y), "label=7 is not a class"),
        ((0, 0, X, Y[:2]), "one label per document; got 4 documents and labels of shape"),
        ((0, 0, X + 1, Y), "not the documents that the model was fitted to: they have"),
        ((0, 0, ["a text"], Y), "takes counts of terms, not texts"),
        ((0, 0, X[:, :2], Y), "features"),
    ],
)
def test_input_that_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        explain_word(HigherOrderNB().fit(X, Y), *arguments)


def test_models_and_values_that_are_refused():
    with pytest.raises(ValueError, match=r"CountNB does not count paths.*HONB.*HOS"):
        explain_word(CountNB().fit(X, Y), 0, 0, X, Y)
    with pytest.raises(ValueError, match="beta is 0"):
        explain_word(HigherOrderSmoothingNB(beta=0).fit(X, Y), 0, 0, X, Y)
    with pytest.raises(ValueError, match="k must be an integer, 1 or more"):
        explain_word(HigherOrderNB().fit(X, Y), 0, 0, X, Y, k=0)
