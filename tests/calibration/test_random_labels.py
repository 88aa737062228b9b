"""Labels of random texts among labels of chosen ones: `TextClassifier.fit(is_random=)`."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.naive_bayes import MultinomialNB

from honeybayes import FewLabelsClassifier, TemperatureScaledClassifier, TextClassifier
from honeybayes.calibration.coverage import held_out_answers, warn_of_unknown_classes
from honeybayes.calibration.temperature import calibrated_proba, find_temperature
from honeybayes.tables import load_corpus
from honeybayes.text import TextVectorizer
from honeybayes.utils.meta_estimators import shuffled_folds
from honeybayes.zoo import make_model

CORPUS = load_corpus("messages")
TEXTS, LABELS = CORPUS.documents[::4], CORPUS.labels[::4]
IS_RANDOM = np.random.default_rng(0).random(len(TEXTS)) < 0.4
MODELS = ["CNB", "LogisticRegression-tfidf", "FewLabels"]


def in_order(answers):
    return answers[np.lexsort(answers.T)]


@pytest.mark.parametrize("model", MODELS)
def test_if_all_texts_are_random_nothing_changes(model):
    """Finding: no model had a label left to learn from, and no text was held out."""
    expected = TextClassifier(model).fit(TEXTS, LABELS).held_out_
    found = TextClassifier(model).fit(TEXTS, LABELS, is_random=[True] * len(TEXTS)).held_out_
    assert_array_equal(found, expected)


@pytest.mark.parametrize(
    ("model", "options"),
    [
        ("CNB", {}),
        ("LogisticRegression-tfidf", {}),
        ("FewLabels", {}),
        ("FewLabels", {"pool": lambda: CORPUS.documents[1::4]}),
        ("FewLabels", {"pool": lambda: CORPUS.documents[1::4], "seeds": sorted(set(LABELS))}),
    ],
)
def test_the_answers_to_random_and_other_texts_are_those_to_all_texts(model, options):
    """Finding: with 90 % random texts, 28 % of the held-out answers were right, and not 60 %."""
    whole = TextClassifier(model).fit(TEXTS, LABELS, **options)
    parts = [
        TextClassifier(model).fit(TEXTS, LABELS, is_random=each, **options)
        for each in (IS_RANDOM, ~IS_RANDOM)
    ]
    assert [len(each.held_out_) for each in parts] == [IS_RANDOM.sum(), (~IS_RANDOM).sum()]
    together = np.vstack([each.held_out_ for each in parts])
    assert_allclose(in_order(together), in_order(whole.held_out_), rtol=1e-5)
    assert_array_equal(parts[0].predict_proba(TEXTS), whole.predict_proba(TEXTS))


def test_random_texts_are_answered_by_models_without_their_fold():
    """The same by hand."""
    classifier = TextClassifier("CNB").fit(TEXTS, LABELS, is_random=IS_RANDOM)
    X = TextVectorizer().fit_transform(TEXTS)
    classes, position = np.unique(LABELS, return_inverse=True)
    confidence, right = [], []
    for training, rows in shuffled_folds(position, X).split():
        known = np.flatnonzero(X[training].sum(axis=0))
        model = make_model("CNB").fit(X[training][:, known], LABELS[training])
        rows = rows[IS_RANDOM[rows]]
        doubt = classifier.pipeline_[-1].doubt_
        proba = calibrated_proba(model, X[rows][:, known], classifier.temperature_, doubt)
        confidence += proba.max(axis=1).tolist()
        right += (classes[proba.argmax(axis=1)] == LABELS[rows]).tolist()
    found = classifier.held_out_
    assert_allclose(found[:, 0], confidence, rtol=1e-5)
    assert_array_equal(found[:, 1] >= found[:, 0], right)


@pytest.mark.parametrize("model", MODELS)
def test_a_class_that_only_random_texts_have_is_known(model):
    """Finding: "75 of 178 labels are the only one of their class", and none was."""
    is_random = np.isin(LABELS, np.unique(LABELS)[:4])
    classifier = TextClassifier(model).fit(TEXTS, LABELS, is_random=is_random)
    assert (classifier.held_out_[:, 1] > 0).all()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        classifier.predict_set(TEXTS[:3], 0.9)


@pytest.mark.filterwarnings("ignore:Only one text")
@pytest.mark.parametrize("is_alone_random", [True, False])
@pytest.mark.parametrize("model", MODELS)
def test_the_only_text_of_a_class_stands_for_unknown_classes_if_it_is_random(
    model, is_alone_random
):
    labels, is_random = LABELS.astype(object), IS_RANDOM.copy()
    labels[7], is_random[7] = "new", is_alone_random
    found = TextClassifier(model).fit(TEXTS, labels.astype(str), is_random=is_random).held_out_
    assert len(found) == is_random.sum()
    assert (found[:, 1] == 0).sum() == is_alone_random


def test_a_label_that_a_model_excludes_is_not_the_only_one_of_its_class():
    answers = held_out_answers(np.tile([1.0, 0.0], (20, 1)), np.ones(20, dtype=int))
    assert (answers[:, 1] > 0).all()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_of_unknown_classes(answers[:, 1], 0.9)


@pytest.mark.parametrize("model", MODELS)
def test_copies_of_a_random_text_are_held_out_with_it(model):
    """Each text counts once; labels at random cannot be known from anything but the copy."""
    random = np.random.default_rng(1)
    texts, labels = [*TEXTS, *TEXTS], np.tile(random.choice(["a", "b"], len(TEXTS)), 2)
    is_random = np.tile(IS_RANDOM, 2)
    confidence, of_label = TextClassifier(model).fit(texts, labels, is_random=is_random).held_out_.T
    assert len(confidence) == IS_RANDOM.sum()
    assert (of_label >= confidence).mean() < 0.65


def test_every_random_document_is_used_if_there_are_many_others():
    random = np.random.default_rng(3)
    X = sparse.csr_array(random.poisson(1.0, (6000, 12)).astype(float))
    y, is_random = random.integers(2, size=6000), np.zeros(6000, dtype=bool)
    is_random[np.unique(X.toarray(), axis=0, return_index=True)[1][:40]] = True
    found = find_temperature(MultinomialNB(), X, y, is_random=is_random)
    assert len(found.held_out) == 40
    assert find_temperature(MultinomialNB(), X, y, is_random=is_random & False).held_out.size == 0


@pytest.mark.parametrize(
    ("is_random", "message"),
    [
        ([True] * 3, r"is_random must contain True or False for each of the 8 .* got shape \(3,\)"),
        (["False"] * 8, "is_random must contain True or False for each .* got 'False'"),
        ([0.0, 1.0] * 4, "is_random must contain True or False for each .* got 0.0"),
        (np.array([None, True] * 4), "is_random must contain True or False for each .* got None"),
    ],
)
def test_a_wrong_is_random_is_found_before_the_fit(is_random, message):
    texts, labels = ["late parcel", "wrong charge"] * 4, ["delivery", "billing"] * 4
    for calibrate in ("auto", None):
        classifier = TextClassifier("CNB", calibrate=calibrate)
        with pytest.raises(ValueError, match=message):
            classifier.fit(texts, labels, is_random=is_random)
        assert not hasattr(classifier, "pipeline_")
    X = TextVectorizer().fit_transform(texts)
    for model in (TemperatureScaledClassifier(MultinomialNB()), FewLabelsClassifier()):
        with pytest.raises(ValueError, match=message):
            model.fit(X, labels, is_random=is_random)


def test_the_given_array_is_not_changed():
    given, labels = np.ones(len(TEXTS), dtype=bool), LABELS.astype(object)
    labels[:20] = ""
    TextClassifier("FewLabels").fit(TEXTS, labels, is_random=given)
    assert given.all()
