"""Prediction without checks gives the numbers of the pipeline, to the last bit."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from honeybayes import CountNB, TextClassifier, TextVectorizer
from honeybayes.classifier import fitted_pipeline
from honeybayes.classifier.fitted_pipeline import find_quick_parts
from honeybayes.tables import load_corpus
from honeybayes.utils.validation import is_valid_already

CORPUS = load_corpus("messages")
TEXTS, LABELS = CORPUS.documents[:200], CORPUS.labels[:200]
TWO_CLASSES = np.where(LABELS[0] == LABELS, "yes", "no")
N = 0
NEW = ["", "123", "unknownword", *CORPUS.documents[200:260]]


def tfidf(model, **parameters):
    return make_pipeline(TfidfTransformer(**parameters), model)


@pytest.mark.parametrize("calibrate", ["auto", None])
@pytest.mark.parametrize("labels", [LABELS, TWO_CLASSES], ids=["many classes", "two classes"])
@pytest.mark.parametrize(
    "model",
    [
        "LogisticRegression-tfidf",
        "LinearSVC-tfidf",
        tfidf(LogisticRegression(), use_idf=False),
        tfidf(LinearSVC(C=0.1), smooth_idf=False),
    ],
    ids=str,
)
def test_same_numbers_as_the_pipeline(model, labels, calibrate):
    classifier = TextClassifier(model, calibrate=calibrate).fit(TEXTS, labels)
    assert find_quick_parts(classifier.pipeline_) is not None
    expected = pickle.loads(pickle.dumps(classifier)).pipeline_
    for method in ("predict", "predict_proba", "decision_function"):
        if not hasattr(classifier, method):
            continue
        whole = getattr(expected, method)(NEW)
        for found in (
            getattr(classifier, method)(NEW),
            np.concatenate([getattr(classifier, method)([text]) for text in NEW]),
            getattr(pickle.loads(pickle.dumps(classifier)), method)(pd.Series(NEW)),
        ):
            assert_array_equal(found, whole)
            assert found.dtype == whole.dtype


@pytest.mark.parametrize(
    ("model", "parameters"),
    [
        ("LogisticRegression-tfidf", {"n_terms": 30}),
        ("LogisticRegression-tfidf", {"n_terms": 30, "calibrate": None}),
        (tfidf(LogisticRegression(), norm="l1"), {}),
        ("CNB", {}),
        (LogisticRegression(), {}),
    ],
)
def test_other_models_take_the_long_way(model, parameters):
    classifier = TextClassifier(model, **parameters).fit(TEXTS, LABELS)
    assert find_quick_parts(classifier.pipeline_) is None
    assert_array_equal(classifier.predict(NEW), classifier.pipeline_.predict(NEW))


def test_threads_can_share_one_classifier():
    classifier = TextClassifier().fit(TEXTS, LABELS)
    expected = classifier.pipeline_.predict_proba(NEW)
    fresh = pickle.loads(pickle.dumps(classifier))
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda text: fresh.predict_proba([text])[0], NEW))
    assert_array_equal(found, expected)


def test_blocks_of_texts_change_nothing(monkeypatch):
    classifier = TextClassifier().fit(TEXTS, LABELS)
    expected = classifier.predict_proba(NEW)
    monkeypatch.setattr(fitted_pipeline, "BLOCK", 7)
    assert_array_equal(classifier.predict_proba(iter(NEW)), expected)


def test_changed_weights_are_used():
    classifier = TextClassifier().fit(TEXTS, LABELS)
    classifier.predict(NEW)
    classifier.model_[-1].coef_[:] = 0
    classifier.model_[-1].intercept_[:] = np.arange(len(classifier.classes_))
    assert set(classifier.predict(NEW)) == {classifier.classes_[-1]}


def test_errors_are_as_before():
    with pytest.raises(NotFittedError):
        TextClassifier().predict(NEW)
    classifier = TextClassifier().fit(TEXTS, LABELS)
    for texts, message in (
        ("one text", "got a single text"),
        ([], "no texts"),
        ([1], "not a text"),
    ):
        with pytest.raises(ValueError, match=message):
            classifier.predict(texts)


def test_only_counts_of_the_right_shape_need_no_check():
    counts = TextVectorizer().fit_transform(TEXTS)
    model = CountNB().fit(counts, LABELS)
    assert is_valid_already(model, counts)
    for other in (counts[:, :-1], counts[:0], counts.toarray(), counts.astype(float), "text"):
        assert not is_valid_already(model, other)
    with pytest.raises(ValueError, match="features"):
        model.predict(counts[:, :-1])
    with pytest.raises(ValueError, match="0 sample"):
        model.predict(counts[:0])
    named = CountNB().fit(pd.DataFrame(counts.toarray()).rename(columns=str), LABELS)
    with pytest.warns(UserWarning, match="feature names"):
        named.predict(counts)
