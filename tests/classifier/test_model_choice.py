"""Choosing a model: fixed with few labels, the most accurate by cross-validation with more."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler

from honeybayes import AutoClassifier, TextClassifier, make_model
from honeybayes.classifier import model_choice
from honeybayes.classifier.model_choice import choose_model
from honeybayes.text import TermSelector
from honeybayes.utils.labels import encode_labels
from honeybayes.utils.state import check_state
from honeybayes.utils.tags import ModelTags, mark_of_unlabeled, unlabeled_parameter
from honeybayes.zoo import models_with

POSITION = np.tile([0, 1], 30)
# all documents are different, because copies count once
COUNTS = sparse.csr_matrix(np.column_stack([POSITION + 1, 2 - POSITION, np.arange(1, 61)]))


class Oracle(ClassifierMixin, BaseEstimator):
    """Knows the answers, and how often it was fitted to how many documents."""

    fitted_to: list = []  # noqa: RUF012
    model_tags = ModelTags(learns_from_unlabeled=True)

    def __init__(self, unlabeled=None):
        self.unlabeled = unlabeled

    def fit(self, X, y):
        Oracle.fitted_to.append(len(y))
        self.classes_ = encode_labels(y, self.unlabeled)[0]
        return self

    def predict(self, X):
        return X.toarray()[:, 0] - 1


@pytest.fixture
def zoo(monkeypatch):
    """A zoo of two: one that is always right, and is not the first."""
    models = {"common": DummyClassifier(strategy="constant", constant=0), "oracle": Oracle()}
    monkeypatch.setattr(model_choice, "make_model", lambda name: models[name])
    monkeypatch.setattr(model_choice, "SUPERVISED", "common")
    monkeypatch.setattr(model_choice, "SEMISUPERVISED", "oracle")
    monkeypatch.setattr(model_choice, "CANDIDATES", ("common", "oracle"))
    monkeypatch.setattr(Oracle, "fitted_to", [])


def test_few_labels(zoo):
    choice = choose_model(COUNTS[:19], POSITION[:19])
    assert choice["model"] == "common"
    assert "9.5 labels per class are too few" in choice["reason"]
    assert choice["accuracy"] == {}
    y = np.append(POSITION[:19], -1)
    choice = choose_model(COUNTS[:20], y, unlabeled=-1)
    assert choice["model"] == "oracle"
    assert "and unlabeled documents" in choice["reason"]
    assert not Oracle.fitted_to


def test_copies_are_no_further_labels(zoo):
    choice = choose_model(sparse.vstack([COUNTS[:19]] * 3).tocsr(), np.tile(POSITION[:19], 3))
    assert "9.5 labels per class are too few" in choice["reason"]


def test_the_most_accurate_is_taken(zoo):
    choice = choose_model(COUNTS, POSITION)
    assert choice["model"] == "oracle"
    assert choice["accuracy"]["oracle"] == 1 > choice["accuracy"]["common"]
    assert "right most often" in choice["reason"]
    assert "(100.0%), ahead of common by more than a standard error" in choice["reason"]
    assert Oracle.fitted_to == [48] * 10  # five folds, twice


def test_unlabeled_documents_are_never_asked_about(zoo):
    y = np.where(np.arange(60) < 20, -1, POSITION)
    choice = choose_model(COUNTS, y, unlabeled=-1)
    assert choice["accuracy"]["oracle"] == 1
    assert Oracle.fitted_to == [52] * 10  # twenty without a label, and four fifths of forty


@pytest.mark.parametrize(
    ("better_on", "unlabeled", "model"),
    [
        ([1, 3, 5], None, "common"),
        (range(1, 15, 2), None, "oracle"),
        (range(1, 15, 2), -1, "common"),
        (range(1, 25, 2), -1, "oracle"),
    ],
)
def test_the_fixed_choice_stays_unless_another_is_clearly_better(
    better_on, unlabeled, model, zoo, monkeypatch
):
    """Three better and two worse out of sixty are 1/60 ahead, with a standard error of 1/27.

    Seven better are 1.7 standard errors ahead, twelve 2.8. With unlabeled documents it takes two.
    """
    monkeypatch.setattr(model_choice, "SEMISUPERVISED", "common")
    X = COUNTS.toarray()
    X[[*better_on, 0, 2], 2] += 100
    X = sparse.csr_matrix(X)
    monkeypatch.setattr(Oracle, "predict", lambda self, X: (X.toarray()[:, 2] > 100).astype(int))
    choice = choose_model(X, POSITION, unlabeled)
    lead = choice["accuracy"]["oracle"] - choice["accuracy"]["common"]
    assert lead == pytest.approx((len(better_on) - 2) / 60)
    assert choice["model"] == model
    stayed = "oracle was right most often" in choice["reason"]
    assert stayed == (model == "common")


def test_many_documents_are_not_all_asked_about(zoo, monkeypatch):
    monkeypatch.setattr(model_choice, "MOST_HELD_OUT", 30)
    choose_model(COUNTS, POSITION)
    assert len(Oracle.fitted_to) == 3  # twelve each


def test_which_models_learn_from_unlabeled_documents():
    assert unlabeled_parameter(make_model("HOS")) == "unlabeled"
    assert unlabeled_parameter(make_model("CNB")) is None
    piped = make_pipeline(MaxAbsScaler(), make_model("HOS"))
    assert unlabeled_parameter(piped) == "higherordersmoothingnb__unlabeled"
    assert {"HOS", "HOS-alpha0"} <= set(models_with("learns_from_unlabeled"))
    assert "CNB" not in models_with("learns_from_unlabeled")


def test_mark_of_unlabeled_documents():
    assert mark_of_unlabeled(make_model("CNB")) is None
    assert mark_of_unlabeled(make_model("HOS")) is None
    piped = make_pipeline(MaxAbsScaler(), make_model("HOS", unlabeled=-1))
    assert mark_of_unlabeled(piped) == -1
    assert mark_of_unlabeled(TextClassifier(make_model("HOS", unlabeled="?"))) == "?"


def test_the_estimator_fits_what_it_chooses(zoo):
    auto = AutoClassifier().fit(COUNTS, POSITION)
    assert auto.choice_ == choose_model(COUNTS, POSITION)
    assert isinstance(auto.estimator_, Oracle)
    assert auto.score(COUNTS, POSITION) == 1
    assert not hasattr(auto, "predict_proba")
    few = AutoClassifier().fit(COUNTS[:6], POSITION[:6])
    assert isinstance(few.estimator_, DummyClassifier)
    assert hasattr(few, "predict_proba")
    with pytest.raises(ValueError, match="only one class"):
        auto.fit(COUNTS, np.zeros(60))


def test_the_estimator_with_unlabeled_documents(zoo, monkeypatch):
    y = np.where(np.arange(60) < 20, -1, POSITION)
    auto = AutoClassifier(unlabeled=-1).fit(COUNTS, y)
    assert_array_equal(auto.classes_, [0, 1])
    assert auto.estimator_.unlabeled == -1
    assert Oracle.fitted_to[-1] == 60
    assert auto.score(COUNTS, y) == 1
    monkeypatch.setattr(model_choice, "SEMISUPERVISED", "common")
    auto = AutoClassifier(unlabeled=-1, candidates=["common"]).fit(COUNTS, y)
    assert auto.choice_["model"] == "common"
    assert auto.classes_.tolist() == [0, 1]  # it saw labeled documents only


def test_candidates_that_cannot_be_fitted_are_left_out():
    X = np.random.default_rng(0).uniform(0.05, 0.3, (40, 5))  # sublinear tf-idf is negative
    names = ["ComplementNB-tfidf", "CNB", "LWWCNB"]
    auto = AutoClassifier(candidates=names)
    with pytest.warns(UserWarning, match="'ComplementNB-tfidf' was left out.*Negative values"):
        auto.fit(X, POSITION[:40])
    assert set(auto.choice_["accuracy"]) == {"LogisticRegression-tfidf", "CNB", "LWWCNB"}
    with pytest.warns(UserWarning, match="was left out") as warned:
        auto.fit(X, POSITION[:40], sample_weight=np.linspace(1, 2, 40))
    assert "'LWWCNB' was left out" in str(warned[-1].message)
    assert "cannot use sample_weight" in str(warned[-1].message)
    assert set(auto.choice_["accuracy"]) == {"LogisticRegression-tfidf", "CNB"}


def test_a_misspelled_candidate_is_an_error():
    for y in (POSITION, np.where(np.arange(60) < 50, -1, POSITION)):  # enough labels, and too few
        auto = AutoClassifier(candidates=["CNBB"], unlabeled=-1)
        with pytest.raises(ValueError, match=r"No model is called 'CNBB'. Did you mean 'CNB'"):
            auto.fit(COUNTS, y)


def test_the_estimator_selects_terms():
    selector = TermSelector(n_terms=2)
    auto = AutoClassifier(selector=selector, candidates=["CNB"]).fit(COUNTS, POSITION)
    assert auto.estimator_.n_features_in_ == 2
    assert auto.predict_proba(COUNTS).shape == (60, 2)
    check_state(auto)
