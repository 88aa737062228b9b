"""Temperature scaling against a search by hand, and what it must never change."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given
from hypothesis.extra import numpy as st_numpy
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC

from honeybayes import list_models, make_model
from honeybayes._held_out import LabeledCounts, fit_without_folds, held_out_folds
from honeybayes.calibration import (
    calibrated_proba,
    can_score,
    class_scores,
    expected_calibration_error,
    find_temperature,
    fit_temperature,
)


class Scores(ClassifierMixin, BaseEstimator):
    """Stands for a fitted model: its documents are its scores."""

    def decision_function(self, X):
        return np.asarray(X)


def softmax_by_hand(scores):
    return np.array(
        [[1 / sum(np.exp(other - own) for other in row) for own in row] for row in scores]
    )


def draw(n_documents, n_classes, temperature, seed=0):
    """Labels drawn from softmax(scores / temperature): so sure the model should be."""
    random = np.random.default_rng(seed)
    scores = 5 * random.standard_normal((n_documents, n_classes))
    scores -= scores.max(axis=1, keepdims=True)
    chance = np.exp(scores / temperature)
    chance /= chance.sum(axis=1, keepdims=True)
    return scores, np.array([random.choice(n_classes, p=row) for row in chance])


@pytest.mark.parametrize("temperature", [0.2, 1.0, 4.0, 30.0])
@pytest.mark.parametrize("n_documents", [12, 300])
def test_temperature_is_the_best_of_a_fine_grid(temperature, n_documents):
    """The log-loss spelled out, with one more document whose class is any with equal chance."""
    scores, y = draw(n_documents, 4, temperature)
    found = fit_temperature(scores, y)

    def loss(candidate):
        sums = np.exp(scores / candidate).sum(axis=1)  # at least 1, for the best score is 0
        surprise = np.log(sums)[:, None] - scores / candidate
        told = np.mean([row[label] for row, label in zip(surprise, y, strict=True)])
        return (n_documents * told + surprise.mean()) / (n_documents + 1)

    grid = np.geomspace(0.05, 200, 400)
    best = grid[np.argmin([loss(candidate) for candidate in grid])]
    assert abs(np.log(found / best)) < 0.03
    assert loss(found) <= loss(best) + 1e-9


def test_temperature_that_made_the_labels_is_found():
    scores, y = draw(5_000, 5, 3.0)
    assert_allclose(fit_temperature(scores, y), 3.0, rtol=0.08)


@given(st.floats(1e-3, 1e6))
def test_unit_of_the_scores_does_not_matter(unit):
    scores, y = draw(20, 3, 2.0)
    assert_allclose(fit_temperature(unit * scores, y), unit * fit_temperature(scores, y), rtol=1e-6)


def test_extremes():
    scores = np.zeros((12, 3))
    assert fit_temperature(scores, np.arange(12) % 3) == 1  # no score tells anything
    scores, _ = draw(30, 3, 1.0)
    always_right = fit_temperature(scores, scores.argmax(axis=1))
    always_wrong = fit_temperature(scores, scores.argmin(axis=1))
    assert 0 < always_right < 1 < 100 < always_wrong < np.inf


def test_overconfident_scores_are_mended():
    scores, y = draw(3000, 6, 8.0)
    learn, look = slice(0, 1500), slice(1500, None)
    temperature = fit_temperature(scores[learn], y[learn])
    right = scores[look].argmax(axis=1) == y[look]
    raw = calibrated_proba(Scores(), scores[look], 1.0).max(axis=1)
    mended = calibrated_proba(Scores(), scores[look], temperature).max(axis=1)
    assert expected_calibration_error(raw, right) > 0.3
    assert expected_calibration_error(mended, right) < 0.05


finite = st.floats(-1e5, 1e5)


@given(
    st_numpy.arrays(np.float64, st.tuples(st.integers(1, 6), st.integers(2, 5)), elements=finite),
    st.floats(1e-3, 1e5),
)
def test_no_class_becomes_more_probable_than_the_predicted_one(scores, temperature):
    proba = calibrated_proba(Scores(), scores, temperature)
    assert_allclose(proba.sum(axis=1), 1)
    predicted = scores.argmax(axis=1)
    assert_array_equal(proba[np.arange(len(scores)), predicted], proba.max(axis=1))


RANDOM = np.random.default_rng(0)
POSITION = np.repeat([0, 1, 2], [25, 20, 15])
RATES = RANDOM.gamma(0.3, 1.0, (3, 40))
COUNTS = sparse.csr_matrix(RANDOM.poisson(RATES[POSITION]) + RANDOM.poisson(0.1, (60, 40)))
LABELS = np.array(["a", "b", "c"])[POSITION]
DOCUMENTS = LabeledCounts(COUNTS, LABELS, POSITION)


@pytest.mark.filterwarnings("ignore::honeybayes.NoPathWarning")
@pytest.mark.parametrize("name", list_models())
def test_every_model_of_the_zoo(name):
    temperature, n_held_out = find_temperature(make_model(name), DOCUMENTS)
    assert n_held_out == 60
    model = make_model(name).fit(COUNTS, LABELS)
    proba = calibrated_proba(model, COUNTS, temperature)
    assert_allclose(proba.sum(axis=1), 1)
    assert_array_equal(model.classes_[proba.argmax(axis=1)], model.predict(COUNTS))


@pytest.mark.parametrize("n_classes", [2, 3])
def test_scores_give_the_models_own_probabilities(n_classes):
    rows = n_classes > POSITION
    X, y = COUNTS[rows], LABELS[rows]
    linear = LogisticRegression().fit(X, y)
    assert_allclose(calibrated_proba(linear, X, 1.0), linear.predict_proba(X))
    neighbors = KNeighborsClassifier().fit(X, y)  # of whose probabilities many are 0
    assert_allclose(calibrated_proba(neighbors, X, 1.0), neighbors.predict_proba(X), atol=1e-12)
    margins = LinearSVC().fit(X, y)
    assert class_scores(margins, X).shape == (len(y), n_classes)
    assert not can_score(ClassifierMixin())


@pytest.mark.parametrize(
    "convert", [sparse.csr_matrix, sparse.csr_array, sparse.csr_matrix.toarray]
)
def test_naive_bayes_is_divided_by_the_square_root_of_the_length(convert):
    model = MultinomialNB().fit(COUNTS, LABELS)
    length = COUNTS.toarray().sum(axis=1)
    assert length.min() > 0
    expected = softmax_by_hand(model.predict_joint_log_proba(COUNTS) / (2 * length[:, None] ** 0.5))
    assert_allclose(calibrated_proba(model, convert(COUNTS), 2.0), expected)


def test_model_whose_scores_do_not_grow_with_length():
    class OfUnitLength(MultinomialNB):
        _grows_with_length = False

    model = OfUnitLength().fit(COUNTS, LABELS)
    assert_allclose(calibrated_proba(model, COUNTS, 1.0), model.predict_proba(COUNTS))


def test_impossible_class():
    """log 0 stays out of sums."""
    scores = np.array([[0.0, -np.inf, -1.0], [0.0, -2.0, -1.0]])
    assert np.isfinite(fit_temperature(class_scores(Scores(), scores), np.array([1, 0])))
    assert calibrated_proba(Scores(), scores, 1.0)[0, 1] == 0


@given(st.lists(st.integers(-1, 4), min_size=1, max_size=60), st.integers(0, 3))
def test_folds(labels, seed):
    """Each class stays among the training documents; its folds differ in size by one at most."""
    position = np.array(labels)
    folds = held_out_folds(position, seed)
    held_out = [rows for _, rows in folds.split()]
    times = np.bincount(np.concatenate([np.array([], int), *held_out]), minlength=len(position))
    size = np.array([np.sum(position == p) for p in position])
    assert_array_equal(times, (position >= 0) & (size > 1))
    for training, rows in folds.split():
        assert set(position[rows]) <= set(position[training])
        for c in set(position[rows]):
            assert abs(np.sum(position[rows] == c) - np.sum(position == c) / 5) < 1


def test_terms_that_only_held_out_documents_have_are_left_out():
    X = sparse.csr_matrix(np.eye(12, dtype=int) + np.eye(12, k=1, dtype=int))
    documents = LabeledCounts(X, np.arange(12) % 2, np.arange(12) % 2)
    for fitted, held_out, rows in fit_without_folds(
        MultinomialNB(), documents, held_out_folds(documents.position)
    ):
        training = np.setdiff1d(np.arange(12), rows)
        known = X.toarray()[training].any(axis=0)
        assert fitted.n_features_in_ == known.sum()
        assert_array_equal(held_out.toarray(), X.toarray()[rows][:, known])


def test_unlabeled_documents_stay_in_training():
    y = np.where(np.arange(60) % 3, LABELS, "?")
    position = np.where(np.arange(60) % 3, POSITION, -1)
    documents = LabeledCounts(COUNTS, y, position)
    model = make_model("HOS", unlabeled="?")
    assert find_temperature(model, documents)[1] == 40
    for training, _ in held_out_folds(position).split():
        assert (position[training] < 0).sum() == 20
    assert documents.labeled_only().X.shape == (40, 40)


def test_too_few_to_hold_out():
    rows = [0, 1, 2, 25, 26, 27, 45, 46, 47]
    few = LabeledCounts(COUNTS[rows], LABELS[rows], POSITION[rows])
    assert find_temperature(MultinomialNB(), few) == (1.0, 0)


def test_thousands_are_not_all_held_out():
    many = LabeledCounts(
        sparse.vstack([COUNTS] * 100, format="csr"), np.tile(LABELS, 100), np.tile(POSITION, 100)
    )
    assert find_temperature(MultinomialNB(), many)[1] == 1200  # one fold of 6,000


def test_model_that_wants_more_documents_says_why_it_was_fitted_to_fewer():
    rows = [*range(5), *range(25, 31)]
    few = LabeledCounts(COUNTS[rows], LABELS[rows], POSITION[rows])

    class Demanding(MultinomialNB):
        def fit(self, X, y):
            if X.shape[0] < 11:
                raise ValueError("eleven or nothing")
            return super().fit(X, y)

    with pytest.raises(ValueError, match="eleven") as error:
        find_temperature(Demanding(), few)
    assert "of 11 documents, the others being held out" in error.value.__notes__[0]


def test_expected_calibration_error_by_hand():
    """Bins of 0.5: in the lower 0.4 and 0.2, half right; in the upper 0.6 and 0.9 and 1, all."""
    error = expected_calibration_error(
        [0.4, 0.2, 0.6, 0.9, 1.0], [True, False, True, True, True], n_bins=2
    )
    assert_allclose(error, 2 / 5 * abs(0.5 - 0.3) + 3 / 5 * abs(1 - 2.5 / 3))
