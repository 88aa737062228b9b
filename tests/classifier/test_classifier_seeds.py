"""TextClassifier with class names, missing labels, and texts of no class."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.pipeline import make_pipeline

from honeybayes import FewLabelsClassifier, TextClassifier, load_model, make_model, save_model
from honeybayes.text import TextVectorizer

TOPICS = {
    "billing": ["invoice", "charge", "refund", "payment", "card", "bank", "fee", "price"],
    "delivery": ["parcel", "courier", "late", "package", "driver", "address", "door", "truck"],
    "account": ["password", "login", "email", "reset", "profile", "username", "locked", "settings"],
}
random = np.random.default_rng(0)
QUEUES = np.array(list(TOPICS) * 30)
TEXTS = [" ".join(random.choice(TOPICS[queue], 4)) + " please" for queue in QUEUES]
NAMES = {
    "billing": "invoice refund",
    "delivery": ["parcel", "courier", "zeppelin"],
    "account": "login",
}


@pytest.mark.parametrize("model", ["auto", "FewLabels", FewLabelsClassifier()])
def test_names_are_enough(model):
    classifier = TextClassifier(model).fit(TEXTS, seeds=NAMES)
    assert classifier.classes_.tolist() == sorted(TOPICS)
    assert classifier.score(TEXTS, QUEUES) > 0.9
    check = classifier.seeds_check_
    assert check["verdict"] == "good"
    assert 0.35 <= check["trust"] <= 1
    assert check["missing"] == {
        "billing": "billing",
        "delivery": "delivery zeppelin",
        "account": "account",
    }
    assert (classifier.choice_ is None) == (model != "auto")


def test_all_ways_to_have_no_label_are_the_same():
    expected = TextClassifier("FewLabels").fit(TEXTS, seeds=NAMES).predict_proba(TEXTS)
    none = [None] * len(TEXTS)
    for X, y, pool in (
        (TEXTS, none, None),
        (TEXTS, [""] * len(TEXTS), None),
        (TEXTS, [np.nan] * len(TEXTS), None),
        ([], [], TEXTS),
        ([], None, TEXTS),
        (TEXTS[:50], None, TEXTS[50:]),
        (TEXTS[:50], none[:50], lambda: TEXTS[50:]),
    ):
        ours = TextClassifier("FewLabels").fit(X, y, pool=pool, seeds=NAMES)
        assert_array_equal(ours.predict_proba(TEXTS), expected)


def test_seeds_and_labels_together_are_those_of_the_model():
    """By hand: count the terms, and give each class the weights of its seed words."""
    labels = [queue if row < 9 else "" for row, queue in enumerate(QUEUES)]
    ours = TextClassifier("FewLabels", stop_words=True).fit(
        TEXTS, labels, seeds={"billing": "invoice", "delivery": "parcel", "returns": "door"}
    )
    vectorizer = TextVectorizer()
    counts = vectorizer.fit_transform(TEXTS)
    words = {"billing": "invoic", "delivery": "parcel", "returns": "door"}
    seeds = {name: (vectorizer.terms_ == term) * 1.0 for name, term in words.items()}
    by_hand = FewLabelsClassifier().fit(counts, labels, seeds=seeds)
    assert_array_equal(ours.predict_proba(TEXTS), by_hand.predict_proba(counts))
    assert ours.classes_.tolist() == ["account", "billing", "delivery", "returns"]
    assert ours.seeds_check_["trust"] == by_hand.seeds_trust_


def test_weights_selected_terms_and_numbers_as_classes():
    labels = [list(TOPICS).index(queue) if row < 30 else -1 for row, queue in enumerate(QUEUES)]
    seeds = {0: "invoice", 1: "parcel", 2: "login"}
    classifier = TextClassifier("FewLabels", n_terms=15)
    classifier.fit(TEXTS, labels, seeds=seeds, sample_weight=np.ones(len(TEXTS)))
    assert classifier.classes_.tolist() == [0, 1, 2]
    assert len(classifier.terms_) == 15
    assert classifier.score(TEXTS, [list(TOPICS).index(queue) for queue in QUEUES]) > 0.8


def test_the_check_is_saved_and_forgotten_by_the_next_fit(tmp_path):
    classifier = TextClassifier("FewLabels").fit(TEXTS, seeds=NAMES)
    save_model(classifier, tmp_path / "model.hb")
    for again in (load_model(tmp_path / "model.hb"), pickle.loads(pickle.dumps(classifier))):
        assert again.seeds_check_ == classifier.seeds_check_
        assert again.stop_words_ == classifier.stop_words_
    assert classifier.fit(TEXTS, QUEUES).seeds_check_ is None


@pytest.mark.parametrize(
    ("model", "y", "seeds", "message"),
    [
        ("CNB", None, NAMES, "'CNB', which cannot learn from .*seeds.*model=\"auto\""),
        ("auto", None, ["billing"], "name too few classes"),
        ("auto", [1] * len(TEXTS), NAMES, "all strings or all numbers"),
        ("auto", None, "billing", "seeds must be a dict"),
        ("auto", None, None, "y is None"),
    ],
)
def test_wrong_seeds(model, y, seeds, message):
    with pytest.raises(ValueError, match=message):
        TextClassifier(model).fit(TEXTS, y, seeds=seeds)
    assert not hasattr(TextClassifier(model), "pipeline_")


def test_no_text_at_all():
    with pytest.raises(ValueError, match="X has no texts"):
        TextClassifier("auto").fit([], [], seeds=NAMES)


@pytest.mark.parametrize(
    ("model", "mark"),
    [("FewLabels", None), ("FewLabels", np.nan), ("FewLabels", ""), ("auto", "  ")],
)
def test_missing_labels_are_the_pool(model, mark):
    labels = [queue if row < 30 else mark for row, queue in enumerate(QUEUES)]
    classifier = TextClassifier(model).fit(TEXTS, labels)
    pooled = TextClassifier(model).fit(TEXTS[:30], QUEUES[:30], pool=TEXTS[30:])
    assert classifier.classes_.tolist() == sorted(TOPICS)
    assert_array_equal(classifier.predict_proba(TEXTS), pooled.predict_proba(TEXTS))
    assert classifier.choice_ == pooled.choice_
    assert classifier.score(TEXTS, labels) == classifier.score(TEXTS[:30], QUEUES[:30])


def test_minus_one_is_no_label_where_the_model_has_marks():
    numbers = np.array([sorted(TOPICS).index(queue) for queue in QUEUES])
    numbers[30:] = -1
    assert TextClassifier("FewLabels").fit(TEXTS, numbers).classes_.tolist() == [0, 1, 2]
    assert TextClassifier("auto").fit(TEXTS, numbers).classes_.tolist() == [0, 1, 2]
    pooled = TextClassifier("auto").fit(TEXTS[:30], numbers[:30], pool=TEXTS[30:])
    marked = TextClassifier("auto").fit(TEXTS, numbers)
    assert_array_equal(marked.predict_proba(TEXTS), pooled.predict_proba(TEXTS))
    some = np.where(numbers == 0, 0, -1)  # one class is left, but the model knows the others
    assert marked.score(TEXTS, some) == marked.score(
        np.array(TEXTS)[numbers == 0], numbers[numbers == 0]
    )
    two = np.where(numbers == 0, -1, 1)  # two classes, so that -1 is one of them
    assert TextClassifier("auto").fit(TEXTS, two).classes_.tolist() == [-1, 1]
    with pytest.raises(ValueError, match="missing labels"):
        TextClassifier("CNB").fit(TEXTS, [None, *QUEUES[1:]])


def test_missing_labels_and_a_pool_get_one_mark():
    labels = [queue if row < 30 else None for row, queue in enumerate(QUEUES[:60])]
    classifier = TextClassifier("FewLabels").fit(TEXTS[:60], labels, pool=TEXTS[60:])
    pooled = TextClassifier("FewLabels").fit(TEXTS[:30], QUEUES[:30], pool=TEXTS[30:])
    assert classifier.model_.unlabeled == pooled.model_.unlabeled == ""
    assert_array_equal(classifier.predict_proba(TEXTS), pooled.predict_proba(TEXTS))


def test_a_calibrated_model_has_no_temperature():
    fitted = [
        TextClassifier("FewLabels", calibrate=calibrate).fit(TEXTS[:30], QUEUES[:30], pool=TEXTS)
        for calibrate in ("auto", None)
    ]
    assert_array_equal(*(classifier.predict_proba(TEXTS) for classifier in fitted))
    for classifier in fitted:
        assert classifier.temperature_ is None
        assert classifier.n_held_out_ == 0
        assert [name for name, _ in classifier.pipeline_.steps] == ["vectorizer", "model"]


def test_outliers_are_those_of_the_model():
    classifier = TextClassifier("FewLabels").set_params(model__outliers=True)
    classifier.fit(TEXTS[:30], QUEUES[:30], pool=TEXTS[30:])
    scores = classifier.outlier_score(TEXTS)
    by_hand = make_pipeline(classifier.vectorizer_, classifier.model_)
    assert_array_equal(scores, by_hand[-1].outlier_score(by_hand[0].transform(TEXTS)))
    with pytest.raises(ValueError, match="requires outliers=True"):
        TextClassifier("FewLabels").fit(TEXTS, QUEUES).outlier_score(TEXTS)
    with pytest.raises(AttributeError) as raised:
        _ = TextClassifier(make_model("CNB")).outlier_score
    assert "It cannot tell texts of no class" in str(raised.value.__cause__)
