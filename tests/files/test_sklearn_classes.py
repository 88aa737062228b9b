"""scikit-learn's classes in model files: what each must hold."""

import json

import pytest
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer, TfidfVectorizer
from sklearn.multiclass import OneVsOneClassifier
from sklearn.naive_bayes import BernoulliNB
from sklearn.svm import SVC, LinearSVC

from honeybayes import ModelFileError, save_model
from honeybayes.files import _archive
from honeybayes.files._allowed import FUNCTIONS, SKLEARN_CLASSES
from tests.estimators import COUNTS, LABELS, TEXTS, Y
from tests.files.test_refusals import file as file  # a fixture


@pytest.mark.parametrize("name", sorted([*SKLEARN_CLASSES, *FUNCTIONS]))
def test_the_table_names_what_scikit_learn_has(name):
    module, _, attribute = name.rpartition(".")
    found = getattr(__import__(module, fromlist=[attribute]), attribute)
    assert f"{found.__module__}.{found.__name__}" == name


@pytest.mark.parametrize(
    ("model", "changes", "message"),
    [
        (CountVectorizer(), {"token_pattern": "("}, "cannot predict.*unterminated"),
        (CountVectorizer(), {"token_pattern": "(a)(b)"}, "cannot predict.*More than 1 captur"),
        (CountVectorizer(), {"vocabulary_": ["a"]}, "vocabulary_ is not a dict"),
        (CountVectorizer(), {"vocabulary_": {}}, "vocabulary_ does not number its terms"),
        (
            TfidfVectorizer(),
            {"_tfidf": TfidfTransformer().fit(COUNTS)},
            "cannot predict.*expecting 5 feat",
        ),
        (TfidfVectorizer(), {"_tfidf": TfidfTransformer()}, "not fitted"),
    ],
    ids=str,
)
def test_steps_of_text(model, changes, message, tmp_path):
    model.fit(TEXTS, LABELS)
    before = dict(vars(model))
    vars(model).update(changes)
    with pytest.raises(ModelFileError, match=message):
        save_model(model, tmp_path / "model")
    vars(model).update(before)


@pytest.mark.parametrize(
    ("model", "changes", "message"),
    [
        (SVC(break_ties=True), {"decision_function_shape": "ovo"}, "cannot predict.*break_ties"),
        (OneVsOneClassifier(SVC()), {"pairwise_indices_": [[0]]}, "cannot predict"),
        (OneVsOneClassifier(SVC()), {"classes_": None}, "cannot predict"),
        (LinearSVC(), {"coef_": None}, "coef_ is NoneType, expected an array"),
        (LinearSVC(), {"predict": None}, "predict is not a declared attribute: it would hide"),
        (LinearSVC(), {"C": -1.0}, "The 'C' parameter of LinearSVC must be"),
    ],
    ids=str,
)
def test_classifiers(model, changes, message, tmp_path):
    model.fit(COUNTS, Y)
    vars(model).update(changes)
    with pytest.raises(ModelFileError, match=message):
        save_model(model, tmp_path / "model")


@pytest.mark.parametrize("number", [0, 1e-9, 100])
def test_probabilities_of_one_or_more(number, tmp_path):
    """Of a term that is absent, BernoulliNB computes log(1 - p)."""
    model = BernoulliNB().fit(COUNTS, Y)
    save_model(model, tmp_path / "model")
    model.feature_log_prob_[0, 0] = number
    with pytest.raises(ModelFileError, match="feature_log_prob_ contains a number that is not bel"):
        save_model(model, tmp_path / "model")


def test_a_tree_that_is_too_large(file, monkeypatch):
    monkeypatch.setitem(_archive.MAX_BYTES, _archive.TREE, 1000)
    with pytest.raises(ModelFileError, match=r"its member model\.json is larger than 1000 bytes"):
        file.load()


@pytest.mark.parametrize("content", [[], "text", None])
def test_json_that_is_no_object(content, file):
    file.about = content
    with pytest.raises(ModelFileError, match=r"its member honeybayes\.json is not a JSON object"):
        file.load()


def test_an_array_of_an_unknown_version(file):
    name = file.step(1)["_label"]["content"]
    file.members[name] = b"\x93NUMPY\x03\x00" + file.members[name][8:]
    with pytest.raises(ModelFileError, match="is an array of an unknown version"):
        file.load()


def test_the_file_says_which_versions_wrote_it(file):
    assert json.loads(file.members["honeybayes.json"]).keys() == {
        "format",
        "honeybayes",
        "scikit-learn",
    }
