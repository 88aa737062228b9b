"""Conformal prediction sets, compared with MAPIE, brute force and the coverage over many draws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import MultinomialNB

from honeybayes import FewLabelsClassifier, TemperatureScaledClassifier, TextClassifier
from honeybayes.calibration.coverage import prediction_sets
from honeybayes.tables import load_corpus

MESSAGES = load_corpus("messages")
ORDER = np.random.default_rng(0).permutation(len(MESSAGES))
TEXTS = [MESSAGES.documents[row] for row in ORDER]
LABELS = MESSAGES.labels[ORDER]


def draw(n_documents, seed, n_terms=30):
    """Documents of four uneven classes."""
    random = np.random.default_rng(seed)
    rates = np.random.default_rng(7).gamma(0.3, 1.0, (4, n_terms))
    position = random.choice(4, n_documents, p=[0.55, 0.25, 0.15, 0.05])
    return sparse.csr_array(random.poisson(0.5 * rates[position] + 0.05)), position


@pytest.mark.parametrize("coverage", [0.6, 0.8, 0.9, 0.95])
def test_sets_are_those_of_mapie(coverage):
    mapie = pytest.importorskip("mapie.classification", reason="needs MAPIE")
    X, y = draw(900, 0)
    X = X.toarray()
    model = LogisticRegression().fit(X[:300], y[:300])
    other = mapie.SplitConformalClassifier(
        model, confidence_level=coverage, conformity_score="lac", prefit=True
    )
    _, expected = other.conformalize(X[300:500], y[300:500]).predict_set(X[500:])
    of_label = model.predict_proba(X[300:500])[np.arange(200), y[300:500]]
    found = prediction_sets(model.predict_proba(X[500:]), of_label, coverage, allow_empty=True)
    assert_array_equal(found, expected[:, :, 0])


@given(
    st.lists(st.floats(0, 1), min_size=1, max_size=40),
    st.sampled_from([0.5, 0.8, 0.9]),
    st.integers(0, 100),
)
def test_a_class_is_in_the_set_if_it_ranks_high_enough(of_label, coverage, seed):
    """Of the n + 1 places for a new text among n others, the lowest 1 - coverage are left out."""
    proba = np.random.default_rng(seed).dirichlet(np.ones(4), size=5)
    found = prediction_sets(proba, of_label, coverage, allow_empty=True)
    for row, members in zip(proba, found, strict=True):
        for value, member in zip(row, members, strict=True):
            # how many of the held-out labels are strictly more likely, and the new one itself
            rank = sum(other > value + 1e-6 for other in of_label) + 1
            assert member == (rank <= np.ceil((len(of_label) + 1) * coverage - 1e-6))


def test_every_class_is_possible_with_too_few_held_out_texts():
    assert prediction_sets([[0.9, 0.1]], [0.9] * 8, 0.9).all()
    assert not prediction_sets([[0.9, 0.1]], [0.9] * 9, 0.9).all()


def test_no_set_is_empty_unless_it_may_be():
    proba = [[0.4, 0.35, 0.25], [0.9, 0.05, 0.05]]
    assert_array_equal(prediction_sets(proba, [0.8] * 30)[0], [True, False, False])
    assert not prediction_sets(proba, [0.8] * 30, allow_empty=True)[0].any()


@pytest.mark.parametrize("coverage", [0, 1, 90])
def test_coverage_is_a_share(coverage):
    with pytest.raises(ValueError, match=f"between 0 and 1, such as 0.9; got {coverage}"):
        prediction_sets([[0.5, 0.5]], [0.5], coverage)


@pytest.mark.parametrize(
    "model", [TemperatureScaledClassifier(), FewLabelsClassifier()], ids=["LR", "few"]
)
def test_random_labels_are_covered_as_often_as_required(model):
    covered = []
    for seed in range(12):
        X, y = draw(460, seed)
        model.fit(X[:60], y[:60])
        proba, of_label = model.predict_proba(X[60:]), model.held_out_[:, 1]
        sets = prediction_sets(proba, of_label, 0.8, allow_empty=True)
        position = np.searchsorted(model.classes_, y[60:]).clip(0, len(model.classes_) - 1)
        is_known = model.classes_[position] == y[60:]
        covered.append(np.mean(sets[np.arange(400), position] & is_known))
    assert abs(np.mean(covered) - 0.8) < 0.05  # three standard errors


def test_sets_of_texts_with_own_held_out_texts_are_split_conformal():
    classifier = TextClassifier().fit(TEXTS[:200], LABELS[:200])
    held_out = TEXTS[200:400], LABELS[200:400]
    sets = classifier.predict_set(TEXTS[400:], coverage=0.8, held_out=held_out)
    columns = np.searchsorted(classifier.classes_, LABELS)
    of_label = classifier.predict_proba(TEXTS[200:400])[np.arange(200), columns[200:400]]
    expected = prediction_sets(classifier.predict_proba(TEXTS[400:]), of_label, 0.8)
    assert_array_equal(sets, expected)
    assert 0.7 < sets[np.arange(200), columns[400:]].mean() < 0.92


def test_sets_of_texts_by_what_fit_held_out():
    classifier = TextClassifier().fit(TEXTS[:300], LABELS[:300])
    assert classifier.held_out_.shape == (300, 2)
    sets = classifier.predict_set(TEXTS[300:], coverage=0.8)
    columns = np.searchsorted(classifier.classes_, LABELS[300:])
    assert 0.72 < sets[np.arange(300), columns].mean() < 0.9
    alone = classifier.pipeline_[-1].predict_set(classifier.vectorizer_.transform(TEXTS[300:]), 0.8)
    assert_array_equal(sets, alone)


def test_a_label_that_the_model_does_not_know_is_not_likely():
    classifier = TextClassifier().fit(TEXTS[:200], LABELS[:200])
    strange = TEXTS[200:300], np.full(100, "unheard of")
    assert classifier.predict_set(TEXTS[300:310], held_out=strange).all()


def test_sets_need_held_out_texts():
    texts = ["late parcel", "parcel lost", "wrong charge", "charge twice"]
    classifier = TextClassifier().fit(texts, ["x", "x", "y", "y"])
    for ask in (lambda: classifier.predict_set(texts), lambda: classifier.find_threshold(0.9)):
        with pytest.raises(ValueError, match=r"no held-out texts.*Label more texts"):
            ask()


def test_the_threshold_of_a_classifier_reaches_its_target():
    classifier = TextClassifier().fit(TEXTS[:300], LABELS[:300])
    found = classifier.find_threshold(0.8)
    confidence = classifier.predict_proba(TEXTS[300:]).max(axis=1)
    is_right = classifier.predict(TEXTS[300:]) == LABELS[300:]
    answered = confidence >= found.threshold
    assert answered.sum() > 30
    assert is_right[answered].mean() > 0.72
    assert is_right[~answered].mean() < 0.6
    with pytest.raises(ValueError, match="target must be between 0 and 1"):
        classifier.find_threshold(90)


def many_classes(n_documents, seed, n_classes=12):
    """Documents of classes of very different sizes, so that few labels leave some out."""
    random = np.random.default_rng(seed)
    rates = np.random.default_rng(7).gamma(0.3, 1.0, (n_classes, 40))
    sizes = 1 / np.arange(1, n_classes + 1)
    position = random.choice(n_classes, n_documents, p=sizes / sizes.sum())
    return sparse.csr_array(random.poisson(0.7 * rates[position] + 0.05)), position


@pytest.mark.filterwarnings("ignore:About")
@pytest.mark.parametrize("coverage", [0.7, 0.8])
def test_labels_of_classes_without_a_label_are_made_up_for(coverage):
    """Sets must contain the label of a text of any class; those of known classes, more often."""
    covered, before = [], []
    for seed in range(60):
        X, y = many_classes(400, seed)
        model = TemperatureScaledClassifier(MultinomialNB()).fit(X[:40], y[:40])
        position = np.searchsorted(model.classes_, y[40:]).clip(0, len(model.classes_) - 1)
        is_known = model.classes_[position] == y[40:]
        found = model.predict_set(X[40:], coverage, allow_empty=True)
        covered.append((found[np.arange(360), position] & is_known).mean())
        of_label = model.held_out_[:, 1]
        sets = prediction_sets(
            model.predict_proba(X[40:]), of_label[of_label > 0], coverage, allow_empty=True
        )
        before.append((sets[np.arange(360), position] & is_known).mean())
    assert np.mean(covered) == pytest.approx(coverage, abs=0.02)
    assert np.mean(covered) > np.mean(before)


def test_sets_that_cannot_contain_enough_labels_say_so():
    X, y = many_classes(60, 2)
    alone = np.bincount(y[:30]) == 1
    model = TemperatureScaledClassifier(MultinomialNB()).fit(X[:30], y[:30])
    with pytest.warns(UserWarning, match=rf"because {alone.sum()} of 30 labels are the only one"):
        sets = model.predict_set(X[30:], 0.95)
    assert sets.all()
