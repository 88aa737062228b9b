"""Temperature scaling against a search by hand, and what it must never change."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given
from hypothesis.extra import numpy as st_numpy
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.ensemble import AdaBoostClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

from honeybayes import (
    CountNB,
    TemperatureScaledClassifier,
    TextClassifier,
    make_model,
)
from honeybayes.calibration import expected_calibration_error
from honeybayes.calibration.temperature import (
    calibrated_proba,
    class_scores,
    find_temperature,
    fit_temperature,
)
from honeybayes.calibration.temperature_scaled import scale_fitted
from honeybayes.evaluate.metrics import measure
from honeybayes.text import TermSelector
from honeybayes.utils.meta_estimators import fit_on_folds, shuffled_folds
from honeybayes.utils.scores import can_score, decision_by_class
from honeybayes.utils.state import check_state
from honeybayes.utils.tags import ModelTags
from tests.estimators import implementations


class Scores(ClassifierMixin, BaseEstimator):
    """Stands for a fitted model: its documents are its scores."""

    def decision_function(self, X):
        self.classes_ = np.arange(X.shape[1])
        return np.asarray(X)

    def predict(self, X):
        return np.argmax(X, axis=1)


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
@pytest.mark.parametrize("n_documents", [12, 80])
@pytest.mark.parametrize("doubt", [0.0, 0.1])
def test_temperature_is_the_best_of_a_fine_grid(temperature, n_documents, doubt):
    """The log-loss spelled out, with the doubt, and a prior of the log of T / mean score."""
    scores, y = draw(n_documents, 4, temperature)
    found = fit_temperature(scores, y, doubt)
    usual = 0.5 - 0.6 * np.log(4 / 2)

    def loss(candidate):
        proba = (1 - doubt) * softmax_by_hand(scores / candidate) + doubt / 4
        told = np.log(proba[np.arange(len(y)), y]).sum()
        log_ratio = np.log(candidate / np.mean(-scores))
        # higher temperatures are as likely as the usual one
        return -told + (min(log_ratio, usual) - usual) ** 2 / (2 * 0.5**2)

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
    scores, _ = draw(300, 3, 1.0)
    always_right = fit_temperature(scores, scores.argmax(axis=1))
    always_wrong = fit_temperature(scores, scores.argmin(axis=1))
    assert 0 < always_right < 1 < 100 < always_wrong < np.inf


def test_temperature_has_a_lower_end():
    """A few sure answers, and many that could all be surer."""
    scores = np.zeros((20_000, 2))
    scores[:, 1] = -0.001
    scores[:20, 1] = -1000
    temperature = fit_temperature(scores, np.zeros(20_000, int))
    assert_allclose(temperature, np.mean(-scores) * np.exp(-7), rtol=1e-6)


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


def draw_documents(n_classes, of_each, seed=0):
    """Counts of 40 terms, sparse enough that votes tie; the rates are the same for every seed."""
    rates = np.random.default_rng(1).gamma(0.3, 1.0, (n_classes, 40))
    position = np.repeat(np.arange(n_classes), of_each)
    counts = np.random.default_rng(seed).poisson(0.4 * rates[position] + 0.1)
    return sparse.csr_matrix(counts), np.array(list("abcdef"))[position], position


@pytest.mark.filterwarnings("ignore::honeybayes.NoPathWarning")
@pytest.mark.parametrize("n_classes", [2, 6])
@pytest.mark.parametrize("name", implementations())
def test_every_model_of_the_zoo(name, n_classes):
    X, y, _ = draw_documents(n_classes, 8)
    temperature, n_held_out, *_ = find_temperature(make_model(name), X, y)
    assert n_held_out == 8 * n_classes
    model = make_model(name).fit(X, y)
    assert_labels_stay(model, draw_documents(n_classes, 30, seed=2)[0], temperature)


def assert_labels_stay(model, X, temperature):
    proba = calibrated_proba(model, X, temperature)
    assert_allclose(proba.sum(axis=1), 1)
    predicted = np.searchsorted(model.classes_, model.predict(X))
    assert_array_equal(proba[np.arange(len(proba)), predicted], proba.max(axis=1))


@pytest.mark.parametrize("n_classes", [2, 6])
@pytest.mark.parametrize(
    "model",
    [SVC(), LinearSVC(), RandomForestClassifier(20, random_state=0), KNeighborsClassifier(4)],
    ids=str,
)
def test_models_of_others(model, n_classes):
    X, y, _ = draw_documents(n_classes, 10)
    new = draw_documents(n_classes, 100, seed=2)[0]
    assert_labels_stay(model.fit(X, y), new, 1.0)


def test_votes_that_tie_are_broken_as_the_model_breaks_them():
    """Nothing but the places of two classes may change."""
    X, y, _ = draw_documents(6, 10)
    new = draw_documents(6, 100, seed=2)[0]
    model = SVC().fit(X, y)
    decision = model.decision_function(new)
    elsewhere = model.classes_[decision.argmax(axis=1)] != model.predict(new)
    assert 0 < elsewhere.sum() < 200
    scores, expected = class_scores(model, new), decision - decision.max(axis=1, keepdims=True)
    assert_allclose(scores[~elsewhere], expected[~elsewhere])
    assert_allclose(np.sort(scores, axis=1), np.sort(expected, axis=1))


@pytest.mark.parametrize("n_classes", [3, 4])
@pytest.mark.parametrize("wrap", [lambda svc: svc, make_pipeline], ids=["alone", "pipeline"])
def test_a_column_for_each_pair_is_no_score_of_a_class(n_classes, wrap):
    """Three classes have three pairs, so that the shape alone does not tell."""
    X, y, _ = draw_documents(n_classes, 10)
    pairs = wrap(SVC(decision_function_shape="ovo"))
    assert not can_score(pairs)
    pairs.fit(X, y)
    assert not can_score(pairs)
    assert decision_by_class(pairs, X) is None
    assert np.isnan(measure(pairs, X, y, pairs.predict(X), ["auc"])["auc"])
    with pytest.raises(ValueError, match=r"scores pairs of classes.*calibrate=None"):
        class_scores(pairs, X)


def test_pairs_give_way_to_probabilities():
    class Both(SVC):
        def predict_proba(self, X):
            return np.full((X.shape[0], 6), 1 / 6)

    X, y, _ = draw_documents(6, 10)
    both = Both(decision_function_shape="ovo").fit(X, y)
    assert can_score(both)
    assert_allclose(calibrated_proba(both, X, 1.0), 1 / 6)


@pytest.mark.parametrize("name", ["SVM", "HOSVM", "SMO-linear", "SMO-N-IHOSK"])
def test_names_of_two_classes_do_not_matter(name):
    random = np.random.default_rng(0)
    words = np.array([2 * a + 2 * b for a in "bcdfgk" for b in "aeiou"])
    labels = np.repeat(["a", "b"], 20)
    texts = [" ".join(random.choice(words[10 * i : 10 * i + 20], 6)) for i in np.repeat([0, 1], 20)]
    new = [" ".join(random.choice(words, 6)) for _ in range(30)]
    proba = TextClassifier(name).fit(texts, labels).predict_proba(new)
    swapped = TextClassifier(name).fit(texts, np.repeat(["b", "a"], 20)).predict_proba(new)
    assert_allclose(swapped[:, ::-1], proba, atol=0.01)  # libsvm stops at 1e-3
    assert np.abs(proba - 0.5).max() > 0.1


@pytest.mark.parametrize(
    "model",
    [
        RandomForestClassifier(100, random_state=0),
        KNeighborsClassifier(5),
        DecisionTreeClassifier(random_state=0),
    ],
    ids=str,
)
def test_classes_without_a_vote_do_not_make_all_alike(model):
    """Zeros of few voters once took hold of the temperature, and left every class as probable."""
    X, y, _ = draw_documents(4, 60)
    new, labels, _ = draw_documents(4, 200, seed=2)
    temperature = find_temperature(model, X, y).temperature
    model.fit(X, y)
    right = model.predict(new) == labels
    raw = model.predict_proba(new).max(axis=1)
    calibrated = calibrated_proba(model, new, temperature).max(axis=1)
    assert calibrated.max() > 0.5
    error = expected_calibration_error(calibrated, right)
    assert error < expected_calibration_error(raw, right) + 0.02


@pytest.mark.parametrize("n_classes", [2, 3])
def test_scores_give_the_models_own_probabilities(n_classes):
    rows = n_classes > POSITION
    X, y = COUNTS[rows], LABELS[rows]
    linear = LogisticRegression().fit(X, y)
    assert_allclose(calibrated_proba(linear, X, 1.0), linear.predict_proba(X))
    neighbors = KNeighborsClassifier().fit(X, y)  # of whose probabilities many are 0
    assert_allclose(calibrated_proba(neighbors, X, 1.0), neighbors.predict_proba(X), atol=0.02)
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
        model_tags = ModelTags(scores_grow_with_length=False)

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
    folds = shuffled_folds(position, seed=seed)
    held_out = [rows for _, rows in folds.split()]
    times = np.bincount(np.concatenate([np.array([], int), *held_out]), minlength=len(position))
    size = np.array([np.sum(position == p) for p in position])
    assert_array_equal(times, (position >= 0) & (size > 1))
    for training, rows in folds.split():
        assert set(position[rows]) <= set(position[training])
        for c in set(position[rows]):
            assert abs(np.sum(position[rows] == c) - np.sum(position == c) / 5) < 1


@given(
    st.lists(st.tuples(st.integers(-1, 2), st.integers(0, 9)), min_size=1, max_size=40),
    st.sampled_from([np.asarray, sparse.csr_matrix]),
)
def test_copies_are_never_on_both_sides_and_count_once(documents, form):
    """Finding: a table with every second text twice promised 90 % and kept 77 %."""
    position = np.array([label for label, _ in documents])
    X = form(np.eye(10)[[content for _, content in documents]])
    folds = shuffled_folds(position, X)
    held_out = []
    for training, rows in folds.split():
        pairs = [documents[row] for row in rows]
        assert not {*pairs} & {documents[row] for row in training}
        assert {label for label, _ in pairs} <= {documents[row][0] for row in training}
        held_out += pairs
    is_held_out = (folds.fold >= 0) & ~folds.is_copy
    assert len({*held_out}) == len(held_out) == is_held_out.sum()
    distinct = {each for each in documents if each[0] >= 0}
    several = {label for label, _ in distinct if sum(label == one for one, _ in distinct) > 1}
    assert {*held_out} == {each for each in distinct if each[0] in several}


def test_a_repeated_table_has_the_confidence_of_one():
    """Copies are no further evidence: held-out answers are those of different documents."""
    once = find_temperature(MultinomialNB(), COUNTS, LABELS)
    twice = find_temperature(
        MultinomialNB(), sparse.vstack([COUNTS, COUNTS]).tocsr(), np.tile(LABELS, 2)
    )
    assert twice.n_held_out == once.n_held_out <= COUNTS.shape[0]
    assert_allclose(twice.held_out[:, 1].mean(), once.held_out[:, 1].mean(), atol=0.05)


def test_terms_that_only_held_out_documents_have_are_left_out():
    X = sparse.csr_matrix(np.eye(12, dtype=int) + np.eye(12, k=1, dtype=int))
    y = np.arange(12) % 2
    for fitted, held_out, rows in fit_on_folds(MultinomialNB(), X, y, shuffled_folds(y)):
        training = np.setdiff1d(np.arange(12), rows)
        known = X.toarray()[training].any(axis=0)
        assert fitted.n_features_in_ == known.sum()
        assert_array_equal(held_out.toarray(), X.toarray()[rows][:, known])


def test_unlabeled_documents_stay_in_training():
    y = np.where(np.arange(60) % 3, LABELS, "?")
    position = np.where(np.arange(60) % 3, POSITION, -1)
    model = make_model("HOS", unlabeled="?")
    assert find_temperature(model, COUNTS, y).n_held_out == 40
    for training, _ in shuffled_folds(position).split():
        assert (position[training] < 0).sum() == 20


def test_too_few_to_hold_out():
    rows = [0, 1, 2, 25, 26, 27, 45, 46, 47]
    assert find_temperature(MultinomialNB(), COUNTS[rows], LABELS[rows])[:2] == (1.0, 0)


def test_thousands_are_not_all_held_out():
    X, y = sparse.vstack([COUNTS] * 100, format="csr"), np.tile(LABELS, 100)
    X = sparse.hstack([X, np.arange(1, 6001)[:, np.newaxis]], format="csr")  # no copies
    assert find_temperature(MultinomialNB(), X, y).n_held_out == 1200  # one fold of 6,000


def test_model_that_wants_more_documents_says_why_it_was_fitted_to_fewer():
    rows = [*range(5), *range(25, 31)]

    class Demanding(MultinomialNB):
        def fit(self, X, y):
            if X.shape[0] < 11:
                raise ValueError("eleven or nothing")
            return super().fit(X, y)

    with pytest.raises(ValueError, match="eleven") as error:
        find_temperature(Demanding(), COUNTS[rows], LABELS[rows])
    assert "of 11 documents; the others were held out" in error.value.__notes__[0]


def test_expected_calibration_error_by_hand():
    """Bins of 0.5: in the lower 0.4 and 0.2, half right; in the upper 0.6 and 0.9 and 1, all."""
    error = expected_calibration_error(
        [0.4, 0.2, 0.6, 0.9, 1.0], [True, False, True, True, True], n_bins=2
    )
    assert_allclose(error, 2 / 5 * abs(0.5 - 0.3) + 3 / 5 * abs(1 - 2.5 / 3))


@pytest.mark.parametrize(
    "convert", [sparse.csr_matrix, sparse.csc_array, sparse.csr_matrix.toarray]
)
@pytest.mark.parametrize("model", [MultinomialNB(), LinearSVC(random_state=0)], ids=str)
def test_the_meta_estimator_is_the_function(model, convert):
    scaled = TemperatureScaledClassifier(model).fit(convert(COUNTS), LABELS)
    temperature, n_held_out, doubt, held_out = find_temperature(model, COUNTS, LABELS)
    assert_allclose(scaled.temperature_, temperature)
    assert scaled.n_held_out_ == n_held_out == len(held_out) == 60
    assert_allclose(scaled.doubt_, doubt)
    alone = clone(model).fit(COUNTS, LABELS)
    assert_array_equal(scaled.predict(convert(COUNTS)), alone.predict(COUNTS))
    assert_allclose(
        scaled.predict_proba(convert(COUNTS)), calibrated_proba(alone, COUNTS, temperature, doubt)
    )
    assert hasattr(scaled, "decision_function") == hasattr(model, "decision_function")
    check_state(scaled)


def test_terms_are_selected_anew_in_each_fold():
    """Otherwise the labels of held-out documents would show which terms are good."""
    random = np.random.default_rng(0)
    X, y = random.poisson(0.05, (100, 1000)), np.repeat(["a", "b"], 50)  # nothing to learn
    selector = TermSelector(n_terms=50)
    inside = TemperatureScaledClassifier(MultinomialNB(), selector=selector).fit(X, y)
    before = selector.fit_transform(X, y)
    outside = TemperatureScaledClassifier(MultinomialNB()).fit(before, y)
    assert_array_equal(inside.predict(X), outside.predict(before))
    assert inside.predict_proba(X).max() < 0.7 < outside.predict_proba(before).max()
    check_state(inside)
    inside.n_features_in_ = 999
    with pytest.raises(ValueError, match="selector_ does not take 999 columns"):
        check_state(inside)


def test_a_model_without_scores_cannot_be_scaled():
    pairs = SVC(decision_function_shape="ovo")
    with pytest.raises(ValueError, match="neither scores nor probabilities per class"):
        TemperatureScaledClassifier(pairs).fit(COUNTS, LABELS)


def test_an_ensemble_that_is_not_fitted_has_no_length():
    scaled = TemperatureScaledClassifier(AdaBoostClassifier(n_estimators=3, random_state=0))
    assert hasattr(scaled, "decision_function")
    scaled.fit(COUNTS, LABELS)
    expected = scaled.estimator_.decision_function(COUNTS)
    assert_array_equal(scaled.decision_function(COUNTS), expected)


def test_unlabeled_documents_and_the_score():
    y = np.where(np.arange(60) % 3, LABELS, "?")
    scaled = TemperatureScaledClassifier(make_model("HOS-alpha0", unlabeled="?")).fit(COUNTS, y)
    assert scaled.n_held_out_ == 40
    known = y != "?"
    expected = np.mean(scaled.predict(COUNTS[known]) == y[known])
    assert scaled.score(COUNTS, y) == expected


def test_batches_keep_the_temperature():
    scaled = TemperatureScaledClassifier(CountNB())
    scaled.partial_fit(COUNTS[:30], LABELS[:30], ["a", "b", "c"])
    assert (scaled.temperature_, scaled.n_held_out_) == (1.0, 0)
    whole = CountNB().fit(COUNTS, LABELS)
    scaled.partial_fit(COUNTS[30:], LABELS[30:])
    assert_allclose(scaled.predict_proba(COUNTS), calibrated_proba(whole, COUNTS, 1.0))
    scaled.fit(COUNTS, LABELS)
    temperature = scaled.temperature_
    scaled.widen(45).partial_fit(np.ones((1, 45)), ["a"])
    assert scaled.temperature_ == temperature != 1
    assert scaled.n_features_in_ == 45
    check_state(scaled)
    assert not hasattr(TemperatureScaledClassifier(LinearSVC()), "partial_fit")
    selecting = TemperatureScaledClassifier(CountNB(), selector=TermSelector(n_terms=9))
    assert not hasattr(selecting.fit(COUNTS, LABELS), "partial_fit")
    with pytest.raises(ValueError, match="partial_fit cannot select terms"):
        selecting.set_params(selector=None).partial_fit(COUNTS, LABELS)


def test_a_fitted_model_is_wrapped():
    model = MultinomialNB().fit(COUNTS, LABELS)
    scaled = scale_fitted(model)
    assert scaled.estimator_ is model
    assert_array_equal(scaled.predict_proba(COUNTS), calibrated_proba(model, COUNTS, 1.0))


def test_a_search_over_the_parameters_of_the_inner_model():
    search = GridSearchCV(
        TemperatureScaledClassifier(MultinomialNB()),
        {"estimator__alpha": [0.1, 1e6]},
        scoring="neg_log_loss",
        cv=3,
    )
    assert search.fit(COUNTS, LABELS).best_params_ == {"estimator__alpha": 0.1}
