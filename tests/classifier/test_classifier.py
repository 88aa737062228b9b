# ruff: noqa: RUF001 (the dotless i is the point)
"""TextClassifier: raw text in, label out."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import softmax
from sklearn import config_context
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.metrics import accuracy_score, make_scorer
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score, cross_validate
from sklearn.naive_bayes import BernoulliNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils import estimator_html_repr

from honeybayes import (
    CountNB,
    FewDocumentsWarning,
    FewLabelsClassifier,
    NoPathWarning,
    TemperatureScaledClassifier,
    TextClassifier,
    load_model,
    make_model,
    save_model,
)
from honeybayes.calibration import expected_calibration_error
from honeybayes.tables import load_corpus
from honeybayes.text import TermSelector, TextAnalyzer
from honeybayes.utils.state import check_state
from tests.estimators import implementations

CORPUS = load_corpus("messages")
TEXTS, QUEUES = np.array(CORPUS.documents, dtype=object), CORPUS.labels
TRAIN = np.concatenate([np.flatnonzero(queue == QUEUES)[:20] for queue in np.unique(QUEUES)])
TEST = np.concatenate([np.flatnonzero(queue == QUEUES)[60:] for queue in np.unique(QUEUES)])


@pytest.mark.parametrize("method", ["predict", "predict_proba"])
def test_not_fitted(method):
    with pytest.raises(NotFittedError):
        getattr(TextClassifier(), method)(["a text"])


def test_fit_sets_no_parameter_and_repeats_itself():
    classifier = TextClassifier("CNB")
    before = classifier.get_params()
    first = classifier.fit(TEXTS[TRAIN], QUEUES[TRAIN]).predict_proba(TEXTS[TEST])
    assert classifier.get_params() == before
    again = classifier.fit(TEXTS[TRAIN], QUEUES[TRAIN]).predict_proba(TEXTS[TEST])
    assert_array_equal(first, again)


@pytest.mark.filterwarnings("ignore::honeybayes.FewDocumentsWarning")
def test_a_refused_call_leaves_the_classifier_as_it_was():
    classifier = TextClassifier("MNB").fit(TEXTS[TRAIN], QUEUES[TRAIN])
    expected, terms = classifier.predict_proba(TEXTS[TEST]), classifier.terms_
    for method, texts, labels, message in (
        (classifier.partial_fit, ["zebra quux"], ["unknown"], "not in classes"),
        (classifier.partial_fit, ["zebra quux"], ["billing", "billing"], "X has 1 texts"),
        (classifier.fit, ["zebra"], ["one class"], "Every text has the label"),
        (classifier.fit, ["zebra", None], ["x", "y"], "is not a text"),
    ):
        with pytest.raises(ValueError, match=message):
            method(texts, labels)
        assert_array_equal(classifier.predict_proba(TEXTS[TEST]), expected)
        assert_array_equal(classifier.terms_, terms)


@pytest.mark.parametrize("change", [{"model": "CNB"}, {"stem": False}, {"stop_words": False}])
def test_partial_fit_with_other_parameters(change):
    classifier = TextClassifier("MNB").fit(TEXTS[TRAIN], QUEUES[TRAIN]).set_params(**change)
    with pytest.raises(ValueError, match="fitted with other parameters"):
        classifier.partial_fit(TEXTS[TEST], QUEUES[TEST])


def test_partial_fit_after_fit_with_selected_terms():
    classifier = TextClassifier("MNB", n_terms=30).fit(TEXTS[TRAIN], QUEUES[TRAIN])
    with pytest.raises(ValueError, match="fitted with other parameters"):
        classifier.set_params(n_terms=None).partial_fit(TEXTS[TEST], QUEUES[TEST])


@pytest.mark.parametrize("name", implementations())
def test_every_model_of_the_zoo_beats_chance_by_far(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NoPathWarning)
        # calibration changes no prediction; test_calibration.py and the recorded answers have it
        classifier = TextClassifier(name, calibrate=None)
        classifier.fit(TEXTS[TRAIN], QUEUES[TRAIN])
    assert_array_equal(classifier.classes_, np.unique(QUEUES))
    assert classifier.score(TEXTS[TEST], QUEUES[TEST]) > 0.3  # one in eight by chance


def test_is_the_pipeline_that_one_would_write():
    analyzer = TextAnalyzer()
    steps = [CountVectorizer(analyzer=analyzer, min_df=2), TermSelector(n_terms=300)]
    by_hand = make_pipeline(*steps, CountNB(rule="complement")).fit(TEXTS[TRAIN], QUEUES[TRAIN])
    ours = TextClassifier(CountNB(rule="complement"), min_df=2, n_terms=300, calibrate=None)
    ours.fit(TEXTS[TRAIN], QUEUES[TRAIN])
    expected = by_hand.predict_proba(TEXTS[TEST])
    assert_allclose(ours.predict_proba(TEXTS[TEST]), expected)
    assert_array_equal(ours.predict(TEXTS[TEST]), by_hand.predict(TEXTS[TEST]))
    assert_array_equal(ours.terms_, by_hand[:-1].get_feature_names_out())


def test_cross_validation_search_clone_and_pickle():
    texts, queues = TEXTS[TRAIN], QUEUES[TRAIN]
    assert cross_val_score(TextClassifier("CNB"), texts, queues, cv=4).mean() > 0.3
    search = GridSearchCV(TextClassifier("CNB"), {"stem": [True, False], "model": ["NB", "CNB"]})
    search.fit(texts, queues)
    again = pickle.loads(pickle.dumps(search.best_estimator_))
    assert_array_equal(again.predict(texts), search.predict(texts))
    assert clone(TextClassifier("CNB", stem=False)).get_params()["stem"] is False


@pytest.mark.parametrize(
    "convert",
    [
        list,
        iter,
        np.array,
        lambda texts: pd.Series(texts, index=range(7, 7 + len(texts))),
        lambda texts: pd.Series(texts, dtype="string"),
    ],
)
def test_kinds_of_columns(convert):
    expected = TextClassifier("CNB").fit(TEXTS[TRAIN], QUEUES[TRAIN]).predict(TEXTS[TEST])
    classifier = TextClassifier("CNB").fit(convert(TEXTS[TRAIN]), pd.Categorical(QUEUES[TRAIN]))
    assert_array_equal(classifier.predict(convert(TEXTS[TEST])), expected)


def test_unlabeled_texts():
    labels = np.where(np.arange(len(TRAIN)) % 3 == 0, "?", QUEUES[TRAIN])
    classifier = TextClassifier(make_model("HOS", unlabeled="?")).fit(TEXTS[TRAIN], labels)
    assert "?" not in classifier.classes_
    assert classifier.predict_proba(TEXTS[:3]).shape == (3, len(classifier.classes_))
    with pytest.raises(ValueError, match="Label texts of at least one other class"):
        classifier.fit(["red sea", "red plum", "blue"], ["a", "a", "?"])


@pytest.mark.parametrize("name", ["HOS", "FewLabels"])
def test_marked_texts_and_too_few_classes(name):
    classifier = TextClassifier(make_model(name, unlabeled="?"))
    with pytest.raises(ValueError, match="Every text with a label has the label 'a'"):
        classifier.fit(["red sea", "red plum", "blue"], ["?", "a", "a"])
    with pytest.raises(ValueError, match=r"No text has a label: all are marked with '\?'"):
        classifier.fit(["red sea", "red plum", "blue"], ["?", "?", "?"])


@pytest.mark.parametrize("mark", ["", " ", "?"])
def test_the_mark_of_the_model_is_no_missing_label(mark):
    labels = np.where(np.arange(len(TRAIN)) % 3 == 0, mark, QUEUES[TRAIN])
    classifier = TextClassifier(FewLabelsClassifier(unlabeled=mark)).fit(TEXTS[TRAIN], labels)
    assert_array_equal(classifier.classes_, np.unique(QUEUES))
    for missing in ("\t", None, np.nan):
        wrong = [*labels[:-1], missing]
        with pytest.raises(ValueError, match=r"y has missing labels \(the first is y\[159\]\)"):
            classifier.fit(TEXTS[TRAIN], wrong)


@pytest.mark.parametrize("name", ["HOS-alpha0", "FewLabels"])
def test_the_score_leaves_out_marked_texts(name):
    labels = np.where(np.arange(len(TRAIN)) % 2 == 0, "?", QUEUES[TRAIN])
    known = labels != "?"
    classifier = TextClassifier(make_model(name, unlabeled="?"), calibrate=None)
    classifier.fit(TEXTS[TRAIN], labels)
    expected = np.mean(classifier.predict(TEXTS[TRAIN[known]]) == labels[known])
    assert classifier.score(TEXTS[TRAIN], labels) == expected > 0.5
    folds, scores = StratifiedKFold(2), []
    for training, test in folds.split(labels, labels):
        test = test[known[test]]
        fitted = clone(classifier).fit(TEXTS[TRAIN[training]], labels[training])
        scores.append(np.mean(fitted.predict(TEXTS[TRAIN[test]]) == labels[test]))
    options = {"cv": folds, "error_score": "raise"}
    assert cross_val_score(classifier, TEXTS[TRAIN], labels, **options).tolist() == scores
    search = GridSearchCV(classifier, {"stem": [True]}, **options).fit(TEXTS[TRAIN], labels)
    assert search.best_score_ == np.mean(scores)


def test_the_score_counts_labels_that_were_never_seen():
    """With a pool the mark is the classifier's own: no label of the user is taken for it."""
    few, pool = pool_and_few_labels()
    y = np.unique(QUEUES, return_inverse=True)[1]
    classifier = TextClassifier("HOS-alpha0").fit(TEXTS[few], y[few], pool=TEXTS[pool])
    unseen = np.full(len(few), classifier.model_.unlabeled)
    with pytest.warns(UserWarning, match="No label of y is a class of the model"):
        assert classifier.score(TEXTS[few], unseen) == 0


def test_nan_is_no_mark():
    few, pool = pool_and_few_labels()
    classifier = TextClassifier(make_model("HOS", unlabeled=np.nan))
    with pytest.raises(ValueError, match="unlabeled must be a label or None, not nan"):
        classifier.fit(TEXTS[few], QUEUES[few], pool=TEXTS[pool])


@pytest.mark.parametrize(
    ("model", "method", "advice"),
    [
        ("HOS", "partial_fit", "cannot learn in batches; NB, MVNB+JM"),
        ("auto", "partial_fit", "cannot learn in batches; NB, MVNB+JM"),
        ("LinearSVC-tfidf", "predict_proba", 'pass calibrate="auto"'),
        ("CNB", "decision_function", "use predict_proba"),
    ],
)
def test_missing_methods_say_what_to_do(model, method, advice):
    with pytest.raises(AttributeError) as error:
        getattr(TextClassifier(model, calibrate=None), method)
    assert advice in str(error.value.__cause__)


def test_any_estimator_and_only_its_methods():
    fitted = TextClassifier(MultinomialNB()).fit(TEXTS[TRAIN], QUEUES[TRAIN])
    assert fitted.predict_proba(TEXTS[:2]).shape == (2, 8)
    svm = TextClassifier("LinearSVC-tfidf", calibrate=None).fit(TEXTS[TRAIN], QUEUES[TRAIN])
    assert not hasattr(svm, "predict_proba")
    assert svm.decision_function(TEXTS[:2]).shape == (2, 8)
    assert not hasattr(svm, "partial_fit")


@pytest.mark.parametrize("name", ["NB", "MVNB+JM", "MNB", "CNB", "OVA"])
def test_partial_fit_equals_fit(name):
    """Words that come later are taken up, so batches give what one fit gives."""
    whole = TextClassifier(name).fit(TEXTS[TRAIN], QUEUES[TRAIN])
    parts = TextClassifier(name)  # without fit there is no evidence, and stop words are removed
    order = np.random.default_rng(0).permutation(TRAIN)
    for batch in np.array_split(order, 5):
        parts.partial_fit(TEXTS[batch], QUEUES[batch], classes=np.unique(QUEUES))
    assert set(parts.terms_) == set(whole.terms_)
    assert (parts.temperature_, parts.n_held_out_) == (1.0, 0)  # nothing is held out of batches
    found, expected = (
        each.model_.predict_proba(each.count_terms(TEXTS[TEST])) for each in (parts, whole)
    )
    assert_allclose(found, expected, atol=1e-9)


def test_partial_fit_keeps_a_temperature_that_was_measured():
    classifier = TextClassifier("CNB").fit(TEXTS[TRAIN], QUEUES[TRAIN])
    expected = classifier.temperature_, classifier.n_held_out_
    classifier.partial_fit(TEXTS[TEST], QUEUES[TEST])
    assert (classifier.temperature_, classifier.n_held_out_) == expected
    classifier.set_params(calibrate=None).partial_fit(TEXTS[TEST], QUEUES[TEST])
    assert classifier.temperature_ is None


def test_partial_fit_of_other_models():
    assert not hasattr(TextClassifier("HONB"), "partial_fit")
    assert not hasattr(TextClassifier(BernoulliNB()), "partial_fit")  # it cannot take new words
    with pytest.raises(ValueError, match="set min_df=1, n_terms=None"):
        TextClassifier("NB", min_df=2).partial_fit(["a text"], ["x"], classes=["x", "y"])


@pytest.mark.parametrize("name", ["CNB", "LinearSVC-tfidf", "LogisticRegression-tfidf"])
def test_calibration_changes_no_label(name):
    classifier = TextClassifier(name).fit(TEXTS[TRAIN], QUEUES[TRAIN])
    assert classifier.n_held_out_ == len(TRAIN)
    raw = TextClassifier(name, calibrate=None).fit(TEXTS[TRAIN], QUEUES[TRAIN])
    proba, labels = classifier.predict_proba(TEXTS[TEST]), classifier.predict(TEXTS[TEST])
    assert_array_equal(labels, raw.predict(TEXTS[TEST]))
    assert_array_equal(labels, classifier.classes_[proba.argmax(axis=1)])
    assert_allclose(proba.sum(axis=1), 1)


def test_calibration_mends_confidence():
    """One-vs-rest naive Bayes is far too sure of itself."""
    error = {}
    for calibrate in (None, "auto"):
        classifier = TextClassifier("OVA", calibrate=calibrate).fit(TEXTS[TRAIN], QUEUES[TRAIN])
        rest = np.setdiff1d(np.arange(len(QUEUES)), TRAIN)
        right = classifier.predict(TEXTS[rest]) == QUEUES[rest]
        confidence = classifier.predict_proba(TEXTS[rest]).max(axis=1)
        error[calibrate] = expected_calibration_error(confidence, right)
    assert error["auto"] < 0.7 * error[None]  # stems of other versions make some difference


@pytest.mark.filterwarnings("ignore::honeybayes.FewDocumentsWarning")
def test_too_few_texts_to_hold_out():
    """Then the length of the text alone is looked at, and few labels leave much doubt."""
    texts, labels = ["red apple", "red plum", "blue sea", "blue sky"], ["a", "a", "b", "b"]
    classifier = TextClassifier("MNB").fit(texts, labels)
    assert (classifier.temperature_, classifier.n_held_out_) == (1.0, 0)
    long = "red apple " * 50
    joint = classifier.model_.predict_joint_log_proba(classifier.count_terms([long]))
    doubt = 0.01 + 0.3 / 2  # two labels per class
    expected = (1 - doubt) * softmax(joint / 10, axis=1) + doubt / 2  # 10 * 10 words
    assert_allclose(classifier.predict_proba([long]), expected)


def test_selected_terms_are_selected_anew_without_the_texts_held_out():
    """Else the labels of held-out texts would tell which terms are good."""
    random = np.random.default_rng(0)
    letters = "bcdfghjklm"
    words = [
        first + "o" + second + third for first in letters for second in letters for third in letters
    ]
    texts = [" ".join(random.choice(words, 30)) for _ in range(100)]
    labels = np.repeat(["a", "b"], 50)  # nothing to learn
    classifier = TextClassifier("MNB", n_terms=50, stop_words=False, stem=False).fit(texts, labels)
    assert classifier.predict_proba(texts).max() < 0.7


def pool_and_few_labels():
    few = np.concatenate([np.flatnonzero(queue == QUEUES)[:3] for queue in np.unique(QUEUES)])
    pool = np.setdiff1d(np.arange(len(QUEUES)), np.concatenate([few, TEST]))
    return few, pool


@pytest.mark.parametrize("labels", ["strings", "integers"])
def test_pool_is_what_marked_texts_are(labels):
    few, pool = pool_and_few_labels()
    y = QUEUES if labels == "strings" else np.unique(QUEUES, return_inverse=True)[1]
    mark = "?" if labels == "strings" else -7
    by_pool = TextClassifier("HOS-alpha0").fit(TEXTS[few], y[few], pool=TEXTS[pool])
    by_mark = TextClassifier(make_model("HOS-alpha0", unlabeled=mark)).fit(
        TEXTS[[*few, *pool]], np.concatenate([y[few], np.full(len(pool), mark)])
    )
    assert_array_equal(by_pool.classes_, np.unique(y))
    assert_array_equal(by_pool.terms_, by_mark.terms_)
    assert by_pool.n_held_out_ == by_mark.n_held_out_ == len(few)
    assert_allclose(by_pool.predict_proba(TEXTS[TEST]), by_mark.predict_proba(TEXTS[TEST]))


def test_pool_with_a_mark_of_the_users_and_selected_terms():
    few, pool = pool_and_few_labels()
    model = make_model("HOS-alpha0", unlabeled="?")
    classifier = TextClassifier(model, n_terms=100).fit(TEXTS[few], QUEUES[few], pool=TEXTS[pool])
    assert classifier.model_.unlabeled == "?"
    expected = TermSelector(n_terms=100).fit(
        classifier.pipeline_[0].transform(TEXTS[few]), QUEUES[few]
    )
    assert_array_equal(classifier._part("selector").get_support(), expected.get_support())


def test_pool_that_cannot_be_used():
    few, pool = pool_and_few_labels()
    with pytest.raises(ValueError, match=r"cannot learn from a pool.*HOS, HOS-alpha0"):
        TextClassifier("CNB").fit(TEXTS[few], QUEUES[few], pool=TEXTS[pool])
    with pytest.raises(ValueError, match=r"pool\[1\] is not a text but None"):
        TextClassifier("HOS").fit(TEXTS[few], QUEUES[few], pool=["a text", None])
    with pytest.raises(ValueError, match="pool must be a list of texts, got a single text"):
        TextClassifier("HOS").fit(TEXTS[few], QUEUES[few], pool="a text")


@pytest.mark.parametrize("name", ["HOS-alpha0", "FewLabels"])
def test_booleans_stay_booleans(name, tmp_path):
    few, pool = pool_and_few_labels()
    is_billing = QUEUES[few] == "billing"
    classifier = TextClassifier(name).fit(TEXTS[few], is_billing, pool=TEXTS[pool])
    save_model(classifier, tmp_path / "model.hb")
    as_text = TextClassifier(name).fit(TEXTS[few], is_billing.astype(str), pool=TEXTS[pool])
    for each in (classifier, load_model(tmp_path / "model.hb")):
        assert each.classes_.dtype == bool
        assert each.predict(TEXTS[TEST]).dtype == bool
        assert_array_equal(each.predict(TEXTS[TEST]).astype(str), as_text.predict(TEXTS[TEST]))
    some = [None, *is_billing[1:].tolist()]
    if name == "FewLabels":
        assert TextClassifier(name).fit(TEXTS[few], some).classes_.tolist() == [False, True]


@pytest.mark.parametrize("empty", [[], (), np.array([], dtype=object), pd.Series([], dtype=str)])
@pytest.mark.parametrize("name", ["CNB", "HOS-alpha0", "auto"])
def test_an_empty_pool_is_none(name, empty):
    few, _ = pool_and_few_labels()
    expected = TextClassifier(name).fit(TEXTS[few], QUEUES[few])
    classifier = TextClassifier(name).fit(TEXTS[few], QUEUES[few], pool=empty)
    assert_array_equal(classifier.predict_proba(TEXTS[TEST]), expected.predict_proba(TEXTS[TEST]))
    assert classifier.choice_ == expected.choice_


def test_a_pool_that_was_read_before():
    few, pool = pool_and_few_labels()
    texts = iter(TEXTS[pool])
    classifier = TextClassifier("HOS-alpha0").fit(TEXTS[few], QUEUES[few], pool=texts)
    with pytest.raises(ValueError, match="pool has no texts"):
        classifier.fit(TEXTS[few], QUEUES[few], pool=texts)


def test_cross_validation_and_search_with_a_pool():
    """A function, for a list as long as X would be cut as X is."""
    few, pool = pool_and_few_labels()
    more = TEXTS[pool[: len(few)]].tolist()
    terms = set(CountVectorizer(analyzer=TextAnalyzer()).fit(more).get_feature_names_out())
    classifier = TextClassifier("HOS-alpha0")
    search = GridSearchCV(classifier, {"calibrate": [None, "auto"]}, cv=3, error_score="raise")
    search.fit(TEXTS[few], QUEUES[few], pool=lambda: more)
    with pytest.warns(UserWarning, match=r"as many as X\. If .* pass a function"):
        direct = clone(search.best_estimator_).fit(TEXTS[few], QUEUES[few], pool=more)
    assert_array_equal(search.predict_proba(TEXTS[TEST]), direct.predict_proba(TEXTS[TEST]))
    result = cross_validate(
        classifier,
        TEXTS[few],
        QUEUES[few],
        params={"pool": lambda: more},
        cv=3,
        return_estimator=True,
        error_score="raise",
    )
    for fitted in result["estimator"]:
        assert terms <= set(fitted.terms_)


def test_auto_is_the_default_and_says_what_it_chose():
    few, pool = pool_and_few_labels()
    settings = [
        ((few, None, None), "LogisticRegression-tfidf", "every text has a label"),
        ((few, TEXTS[pool], None), "FewLabels", "texts without a label"),
        ((few, None, ["billing", "delivery"]), "FewLabels", "class names"),
        ((np.arange(len(TEXTS)), None, None), "LinearSVC-tfidf", "25 or more labels per class"),
    ]
    for (rows, more, seeds), name, reason in settings:
        data = {"X": TEXTS[rows], "y": QUEUES[rows], "pool": more, "seeds": seeds}
        classifier = TextClassifier().fit(**data)
        assert classifier.choice_["model"] == name
        assert reason in classifier.choice_["reason"]
        named = TextClassifier(name).fit(**data)
        assert named.choice_ is None
        assert_array_equal(classifier.predict_proba(TEXTS[TEST]), named.predict_proba(TEXTS[TEST]))


def test_auto_without_calibration_has_probabilities():
    classifier = TextClassifier(calibrate=None).fit(TEXTS, QUEUES)
    assert classifier.choice_["model"] == "LogisticRegression-tfidf"
    assert classifier.predict_proba(TEXTS[:2]).shape == (2, 8)


def test_turkish():
    """İ, I, ı, i and circumflexes: the capital of one letter must not become another's."""
    texts = ["IŞIK ılık", "ışıklar", "İLKBAHAR kâğıt", "ilkbahar KÂĞIT"]
    classifier = TextClassifier("MNB", language="turkish").fit(texts, [0, 0, 1, 1])
    assert {"ışık", "ilkbahar"} <= set(classifier.terms_)
    assert classifier.predict(["IŞIKLARI", "İlkbaharda"]).tolist() == [0, 1]


def test_turkish_news(corpora):
    corpus = load_corpus("1150haber")
    texts, labels = np.array(corpus.documents, dtype=object), corpus.labels
    rows = np.random.default_rng(0).permutation(len(labels))
    classifier = TextClassifier(language="turkish").fit(texts[rows[:300]], labels[rows[:300]])
    assert classifier.score(texts[rows[300:]], labels[rows[300:]]) > 0.85


def test_parameters_of_a_named_model():
    classifier = TextClassifier("CNB")
    assert classifier.get_params()["model__alpha"] == 1
    assert not any(name.startswith("model__") for name in TextClassifier("auto").get_params())
    assert not any(name.startswith("model__") for name in TextClassifier("?").get_params())
    assert repr(clone(classifier)) == "TextClassifier(model='CNB')"
    classifier.set_params(model__alpha=0.5)
    assert classifier.model.get_params() == CountNB(rule="complement", alpha=0.5).get_params()
    classifier.set_params(model="LogisticRegression-tfidf", model__logisticregression__C=3)
    assert classifier.model[-1].C == 3
    with pytest.raises(ValueError, match="Invalid parameter 'beta'"):
        TextClassifier("CNB").set_params(model__beta=1)
    assert TextClassifier().set_params(model__C=3).set_params(model__C=4).model[-1].C == 4
    assert TextClassifier().set_params(model__outliers=True).model.outliers
    assert TextClassifier("LinearSVC-tfidf").set_params(model__C=2).model[-1].C == 2
    with pytest.raises(ValueError, match=r"LogisticRegression-tfidf or FewLabels .* got gamma"):
        TextClassifier().set_params(model__gamma=1)


def test_a_search_over_the_parameters_of_a_named_model():
    grid = {"model__alpha": [0.1, 1000.0], "n_terms": [None, 200]}
    search = GridSearchCV(TextClassifier("CNB"), grid, cv=3, error_score="raise")
    search.fit(TEXTS[TRAIN], QUEUES[TRAIN])
    assert search.best_params_["model__alpha"] == search.best_estimator_.model_.alpha == 0.1
    both = GridSearchCV(TextClassifier("CNB"), {"model": ["OVA"], "model__alpha": [0.2]}, cv=3)
    best = both.fit(TEXTS[TRAIN], QUEUES[TRAIN]).best_estimator_
    assert (best.model_.rule, best.model_.alpha) == ("one-vs-rest", 0.2)


@pytest.mark.parametrize("calibrate", ["auto", None])
@pytest.mark.parametrize("n_terms", [None, 50])
def test_the_pipeline_is_made_of_ordinary_parts(calibrate, n_terms):
    classifier = TextClassifier("CNB", calibrate=calibrate, n_terms=n_terms)
    classifier.fit(TEXTS[TRAIN], QUEUES[TRAIN])
    check_state(classifier)
    parts = ["TextVectorizer", "CountNB"] + ["TermSelector"] * (n_terms is not None)
    parts += ["TemperatureScaledClassifier"] * (calibrate is not None)
    diagram = estimator_html_repr(classifier.pipeline_)
    assert all(part in diagram for part in parts)
    again = clone(classifier.pipeline_).fit(TEXTS[TRAIN].tolist(), QUEUES[TRAIN])
    assert_array_equal(again.predict_proba(TEXTS[TEST]), classifier.predict_proba(TEXTS[TEST]))
    assert classifier.count_terms(TEXTS[TEST]).shape == (len(TEST), len(classifier.terms_))
    assert_array_equal(
        classifier.model_.predict(classifier.count_terms(TEXTS[TEST])),
        classifier.predict(TEXTS[TEST]),
    )


def test_a_calibrated_model_of_the_users():
    scaled = TextClassifier(TemperatureScaledClassifier(CountNB()), calibrate=None)
    scaled.fit(TEXTS[TRAIN], QUEUES[TRAIN])
    expected = TextClassifier("MNB").fit(TEXTS[TRAIN], QUEUES[TRAIN])
    assert isinstance(scaled.model_, TemperatureScaledClassifier)
    assert scaled.temperature_ is None
    assert_array_equal(scaled.predict_proba(TEXTS[TEST]), expected.predict_proba(TEXTS[TEST]))


def test_parameters_are_frozen_at_fit():
    classifier = TextClassifier("CNB", n_terms=50).fit(TEXTS[TRAIN], QUEUES[TRAIN])
    expected, terms = classifier.predict_proba(TEXTS[TEST]), classifier.terms_
    classifier.set_params(model="NB", stem=False, n_terms=None, calibrate=None, language="german")
    assert_array_equal(classifier.predict_proba(TEXTS[TEST]), expected)
    assert_array_equal(classifier.terms_, terms)


def test_pairs_of_words():
    texts = ["not good", "not bad", "good indeed", "bad indeed"] * 3
    labels = ["bad", "good", "good", "bad"] * 3
    words, pairs = (
        TextClassifier("LinearSVC-tfidf", stop_words=False, ngram_range=ngram_range)
        for ngram_range in ((1, 1), (1, 2))
    )
    assert words.fit(texts, labels).score(texts, labels) < 1
    assert pairs.fit(texts, labels).score(texts, labels) == 1
    assert "not good" in pairs.terms_


WEIGHTS = np.random.default_rng(0).uniform(0.1, 5, len(TRAIN))


@pytest.mark.parametrize(
    ("name", "n_terms"),
    [("CNB", None), ("NB", 100), ("LogisticRegression-tfidf", 100), ("LinearSVC-tfidf", None)],
)
def test_weights_reach_the_model(name, n_terms):
    classifier = TextClassifier(name, calibrate=None, n_terms=n_terms)
    classifier.fit(TEXTS[TRAIN], QUEUES[TRAIN], sample_weight=WEIGHTS)
    counts, model = classifier.count_terms(TEXTS[TRAIN]), make_model(name)
    step = f"{model.steps[-1][0]}__" if hasattr(model, "steps") else ""
    model.fit(counts, QUEUES[TRAIN], **{f"{step}sample_weight": WEIGHTS})
    new = classifier.count_terms(TEXTS[TEST])
    assert_array_equal(classifier.predict(TEXTS[TEST]), model.predict(new))
    calibrated = TextClassifier(name, n_terms=n_terms)
    calibrated.fit(TEXTS[TRAIN], QUEUES[TRAIN], sample_weight=WEIGHTS)
    assert_array_equal(calibrated.predict(TEXTS[TEST]), classifier.predict(TEXTS[TEST]))
    plain = TextClassifier(name, n_terms=n_terms).fit(TEXTS[TRAIN], QUEUES[TRAIN])
    assert calibrated.temperature_ != plain.temperature_


def test_weights_that_cannot_be_used():
    with pytest.raises(ValueError, match="LocallyWeightedNB cannot use sample_weight, because"):
        TextClassifier("LWWCNB").fit(TEXTS[TRAIN], QUEUES[TRAIN], sample_weight=WEIGHTS)
    with pytest.raises(ValueError, match=r"sample_weight.shape == \(3,\)"):
        TextClassifier("CNB").fit(TEXTS[TRAIN], QUEUES[TRAIN], sample_weight=WEIGHTS[:3])


def test_weights_and_auto():
    classifier = TextClassifier("auto").fit(TEXTS[TRAIN], QUEUES[TRAIN], sample_weight=WEIGHTS)
    named = TextClassifier(classifier.choice_["model"])
    named.fit(TEXTS[TRAIN], QUEUES[TRAIN], sample_weight=WEIGHTS)
    assert_array_equal(classifier.predict(TEXTS[TEST]), named.predict(TEXTS[TEST]))


class WeighingPool(FewLabelsClassifier):
    """Stands for a model that takes weights and a pool."""

    def fit(self, X, y, sample_weight=None):
        self.weights_ = sample_weight
        return super().fit(X, y)


def test_weights_and_pool_are_routed():
    few, pool = pool_and_few_labels()
    texts, weights = TEXTS[pool].tolist(), np.linspace(1, 2, len(few))
    expected = TextClassifier(WeighingPool(), calibrate=None)
    expected.fit(TEXTS[few], QUEUES[few], pool=texts, sample_weight=weights)
    assert_array_equal(expected.model_.weights_, [*weights, *np.ones(len(pool))])
    metadata = {"pool": texts, "sample_weight": weights}
    with config_context(enable_metadata_routing=True):
        classifier = TextClassifier(WeighingPool(), calibrate=None)
        classifier.set_fit_request(pool=True, sample_weight=True)
        classifier.set_score_request(sample_weight=True)
        piped = make_pipeline(FunctionTransformer(), clone(classifier))
        search = GridSearchCV(classifier, {"stem": [True]}, cv=3, error_score="raise")
        for estimator in (piped, search):
            estimator.fit(TEXTS[few], QUEUES[few], **metadata)
            assert_array_equal(estimator.predict(TEXTS[TEST]), expected.predict(TEXTS[TEST]))
        # given, because scikit-learn 1.6 routes no weights to the own score of a pipeline
        accuracy = make_scorer(accuracy_score).set_score_request(sample_weight=True)
        result = cross_validate(
            piped,
            TEXTS[few],
            QUEUES[few],
            params=metadata,
            scoring=accuracy,
            cv=3,
            return_estimator=True,
        )
        for fitted in result["estimator"]:
            n_labels, n_pool = 2 * len(few) // 3, len(pool)
            assert len(fitted[-1].model_.weights_) == n_labels + n_pool
        calibrated = TextClassifier("LogisticRegression-tfidf").set_fit_request(sample_weight=True)
        calibrated.fit(TEXTS[few], QUEUES[few], sample_weight=weights)
        piped = make_pipeline(calibrated).fit(TEXTS[few], QUEUES[few], sample_weight=weights)
    direct = TextClassifier("LogisticRegression-tfidf")
    direct.fit(TEXTS[few], QUEUES[few], sample_weight=weights)
    for each in (calibrated, piped):
        assert_array_equal(each.predict_proba(TEXTS[TEST]), direct.predict_proba(TEXTS[TEST]))


def test_text_without_known_words_gets_an_answer():
    classifier = TextClassifier("CNB").fit(TEXTS[TRAIN], QUEUES[TRAIN])
    assert_allclose(classifier.predict_proba(["", "qwxz"]).sum(axis=1), 1)


def test_a_class_with_one_text():
    with pytest.warns(FewDocumentsWarning, match=r"the classes \['b'\]") as record:
        TextClassifier("MNB").fit(["red apple", "red plum", "blue sea"], ["a", "a", "b"])
    assert record[0].filename == __file__


@pytest.mark.parametrize(
    ("texts", "labels", "message"),
    [
        ("one text", ["a"], "got a single text: put it in a list"),
        (["red", None], ["a", "b"], r"X\[1\] is not a text but None"),
        (["red", float("nan")], ["a", "b"], r"X\[1\] is not a text but nan"),
        ([], [], "X has no texts"),
        (["red", "blue"], ["a"], "X has 2 texts, y has 1 labels"),
        (["red", "blue"], None, "requires y to be passed"),
        (["red", "blue"], ["a", None], r"y has missing labels \(the first is y\[1\]\).* as pool"),
        (["red", "blue"], ["a", float("nan")], r"y has missing labels \(the first is y\[1\]\)"),
        (["red", "blue"], pd.Series(["a", None], dtype="string"), "y has missing labels"),
        (["red", "blue"], ["a", " "], r"y has missing labels \(the first is y\[1\]\)"),
        (["red", "blue"], ["a", 1], "y mixes strings with other labels"),
        (pd.DataFrame({"text": ["red"], "price": [1]}), ["a"], r'got DataFrame: .* df\["text"\]'),
        ({"red", "blue"}, ["a", "b"], "got set"),
        (np.array([["red", "blue"]]), ["a"], "got ndarray"),
        (["red", "blue"], [["a"], ["b"]], "one label per text"),
        (["red", "blue"], ["a", ["b"]], r"one label per text; got list as y\[1\]"),
        (["red", "blue"], np.array("a"), r"one label per text; got ndarray of shape \(\)"),
        (["red", "blue"], ["a", "a"], "Every text has the label 'a'"),
        (["red", "blue"], [0.5, 0.7], "Unknown label type"),
        (["the", "of"], ["a", "b"], "No terms left in 2 documents after .* or keep the stop words"),
    ],
)
@pytest.mark.filterwarnings("ignore::honeybayes.FewDocumentsWarning")
def test_bad_input(texts, labels, message):
    with pytest.raises(ValueError, match=message):
        TextClassifier("LogisticRegression-tfidf").fit(texts, labels)


def test_spellings_are_the_most_frequent_words_behind_the_terms():
    texts = ["deliveries: a delivery!", "the Delivery of parcels", "a charge", "charged, charging"]
    labels = ["delivery", "delivery", "billing", "billing"]
    fit = TextClassifier("CNB").fit(texts, labels)
    spelled = {"charg": "charge", "deliveri": "delivery", "parcel": "parcels"}
    assert dict(zip(fit.terms_, fit.spellings_, strict=True)) == spelled
    turned = TextClassifier("CNB").fit(texts[::-1], labels[::-1])
    assert_array_equal(turned.spellings_, fit.spellings_)
    few = TextClassifier("CNB", n_terms=2).fit(texts, labels)
    assert few.spellings_.tolist() == [spelled[term] for term in few.terms_]
    more = clone(fit).partial_fit(texts[:3], labels[:3], ["billing", "delivery"])
    more.partial_fit([*texts[3:], "refunds refunds parcel"], ["billing"] * 2)
    assert dict(zip(more.terms_, more.spellings_, strict=True)) == {**spelled, "refund": "refunds"}


@pytest.mark.parametrize("min_df", [2, 3])  # of two texts
@pytest.mark.filterwarnings("ignore::honeybayes.FewDocumentsWarning")
def test_a_min_df_that_leaves_no_word(min_df):
    message = f"min_df={min_df} requires .* {min_df} documents, .*'charged', occurs in only 1 of 2"
    with pytest.raises(ValueError, match=message):
        TextClassifier("CNB", min_df=min_df).fit(["charged", "late"], ["a", "b"])


def test_no_word_is_left_where_stop_words_are_kept_already():
    with pytest.raises(ValueError, match=r"single letters\. Use other texts\.$"):
        TextClassifier("CNB", stop_words=False).partial_fit(["1", "?"], ["a", "b"], ["a", "b"])


def test_bad_parameters():
    with pytest.raises(ValueError, match=r"No model is called 'HONBB'\. Did you mean"):
        TextClassifier("HONBB").fit(TEXTS[TRAIN], QUEUES[TRAIN])
    with pytest.raises(ValueError, match="calibrate must be one of 'auto', None; got True"):
        TextClassifier(calibrate=True).fit(TEXTS[TRAIN], QUEUES[TRAIN])
    for min_df in (0, 0.5, 2.0, "2", True):
        with pytest.raises(ValueError, match="min_df must be an integer, 1 or more; got"):
            TextClassifier(min_df=min_df).fit(TEXTS[TRAIN], QUEUES[TRAIN])
    with pytest.raises(ValueError, match="klingon"):
        TextClassifier(language="klingon").fit(TEXTS[TRAIN], QUEUES[TRAIN])
