"""Dense features, outliers, and the warm start."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from benchmarks.corpora import counts_of
from benchmarks.few_labels import UNLABELED, label_some
from honeybayes import FewLabelsClassifier, load_model, save_model
from honeybayes.semisupervised._teacher import Settings
from tests.semisupervised.corpora import model, topics


def with_vectors(noise, n_dense=10, n_documents=300, n_labels=3, seed=0):
    """Hard documents, and vectors around one point per class."""
    X, y, truth = topics(n_documents=n_documents, n_labels=n_labels)
    random = np.random.default_rng(seed)
    X = np.minimum(X, random.integers(0, 2, X.shape))
    points = random.normal(size=(3, n_dense))
    vectors = points[np.arange(len(X)) % 3] + noise * random.normal(size=(len(X), n_dense))
    return X, vectors, y, truth


# --- dense features -------------------------------------------------------------------------------


def accuracies(X, vectors, y, truth):
    rest = y == "?"
    words = model().fit(X, y)
    both = model(n_dense=vectors.shape[1]).fit(np.hstack([X, vectors]), y)
    found = words.predict(X[rest]), both.predict(np.hstack([X, vectors])[rest])
    return [np.mean(each == truth[rest]) for each in found]


def test_dense_features_that_carry_the_class_help():
    words, both = accuracies(*with_vectors(noise=0.3))
    assert both > words + 0.05
    assert both > 0.93


def test_dense_noise_does_not_hurt_much():
    words, both = accuracies(*with_vectors(noise=1000.0))
    assert both > words - 0.05


def test_more_dense_features_than_documents():
    """New documents have parts on axes on which no training document varies."""
    X, vectors, y, truth = with_vectors(noise=0.6, n_dense=200, n_documents=400)
    both = np.hstack([X, vectors])
    fitted = model(n_dense=200).fit(both[:90], y[:90])
    assert fitted.score(both[90:], truth[90:]) > 0.8  # the words alone: 0.75
    surest = [fitted.predict_proba(part).max(axis=1).mean() for part in (both[9:90], both[90:])]
    assert abs(surest[0] - surest[1]) < 0.1


def test_dense_features_without_variance():
    X, _, y, _ = with_vectors(noise=0.3)
    fitted = model(n_dense=2).fit(np.hstack([X, np.ones((len(X), 2))]), y)
    proba = fitted.predict_proba(np.hstack([X, np.full((len(X), 2), 7.0)]))
    assert np.isfinite(proba).all()


def test_documents_with_the_same_words_and_other_vectors_are_not_copies():
    _, vectors, y, truth = with_vectors(noise=0.3)
    no_words = np.zeros((len(y), 1))
    fitted = model(n_dense=10).fit(np.hstack([no_words, vectors]), y)
    assert fitted.n_repeats_ == 0
    assert fitted.score(np.hstack([no_words, vectors]), truth) > 0.9


def test_the_order_of_documents_makes_no_difference():
    X, vectors, y, _ = with_vectors(noise=1.0, n_documents=60)
    X[::2] = 0  # only the vectors differ
    both = np.hstack([X, vectors])
    rows = np.random.default_rng(1).permutation(len(y))
    expected = model(n_dense=10).fit(both, y)
    shuffled = model(n_dense=10).fit(both[rows], y[rows])
    assert_array_equal(shuffled.predict_proba(both), expected.predict_proba(both))


def test_sparse_and_dense_matrices():
    X, vectors, y, _ = with_vectors(noise=0.3, n_documents=60)
    both = np.hstack([X, vectors])
    expected = model(n_dense=10).fit(both, y).predict_proba(both)
    matrix = sparse.csc_array(both)
    assert_array_equal(model(n_dense=10).fit(matrix, y).predict_proba(matrix), expected)


def test_dense_features_without_a_pool():
    X, vectors, _, truth = with_vectors(noise=0.3, n_documents=60)
    both = np.hstack([X, vectors])
    fitted = model(n_dense=10).fit(both[:40], truth[:40])
    assert fitted.score(both[40:], truth[40:]) > 0.9
    assert fitted.expert_weights_.size == 0


@pytest.mark.parametrize("n_dense", [10, 800])  # with 800, half the digits
def test_a_document_without_a_vector_is_judged_by_its_words(n_dense):
    """Its direction is zero, as if it had no dense features, and it does not move the mean."""
    X, vectors, y, _ = with_vectors(noise=0.6, n_dense=n_dense)
    vectors[::7] = 0
    both = np.hstack([X, vectors])
    fitted = model(n_dense=n_dense).fit(both, y)
    assert_allclose(fitted._dense_mean, vectors[vectors.any(axis=1)].mean(axis=0), atol=1e-6)
    x, h = fitted._check_new(both)
    assert_array_equal(h.any(axis=1), vectors.any(axis=1))
    scores = x[::7] @ fitted.coef_[:, : X.shape[1]].T + fitted.intercept_
    assert_allclose(fitted._joint_log_likelihood((x, h))[::7], scores)


def test_no_document_has_a_vector():
    X, _, y, _ = with_vectors(noise=0.6)
    fitted = model(n_dense=3).fit(np.hstack([X, np.zeros((len(X), 3))]), y)
    assert np.isfinite(fitted.predict_proba(np.hstack([X, np.ones((len(X), 3))]))).all()


def test_half_the_digits_hardly_change_the_answers(monkeypatch):
    X, vectors, y, _ = with_vectors(noise=1.0, n_dense=30)
    both, answers = np.hstack([X, vectors]), []
    for most in (0, 10**9):
        monkeypatch.setattr("honeybayes.semisupervised._prepared.MOST_IN_DOUBLE", most)
        answers.append(model(n_dense=30).fit(both, y).predict_proba(both))
    assert_allclose(*answers, atol=0.01)


@pytest.mark.parametrize("n_dense", [0, 10])
@pytest.mark.parametrize("columns", [[0], [2, 0]])
def test_the_parts_add_up_to_the_scores(n_dense, columns):
    X, vectors, y, _ = with_vectors(noise=0.5, n_documents=60)
    X = np.hstack([X, vectors])[:, : X.shape[1] + n_dense]
    fitted = model(n_dense=n_dense).fit(X, y)
    for row in (0, 30):
        parts = fitted.decompose_scores(X[[row]], columns)
        scores = fitted.predict_joint_log_proba(X[[row]])[0, columns]
        assert_allclose(parts.contributions.sum(axis=0) + fitted.intercept_[columns], scores)
        words = parts.terms[parts.terms < 40]
        assert_array_equal(words, np.flatnonzero(X[row, :40]))


def test_too_many_dense_features():
    with pytest.raises(ValueError, match="Lower n_dense"):
        model(n_dense=2).fit(np.eye(2), ["a", "b"])
    with pytest.raises(ValueError, match=r"^n_dense must be"):
        model(n_dense=-1).fit(np.eye(2), ["a", "b"])


# --- outliers -------------------------------------------------------------------------------------


def test_a_hidden_class_scores_higher():
    X, y, truth = topics(n_documents=300, n_labels=5)
    y = np.where(y == "c", "?", y)
    fitted = model(outliers=True).fit(X, y)
    score = fitted.outlier_score(X)
    assert ((score >= 0) & (score <= 1)).all()
    hidden, rest = score[truth == "c"], score[truth != "c"]
    assert np.mean(hidden[:, np.newaxis] > rest) > 0.9  # area under the ROC curve
    assert_array_equal(fitted.predict_proba(X), model().fit(X, y).predict_proba(X))


def test_outliers_must_be_asked_for():
    X, y, _ = topics()
    with pytest.raises(ValueError, match="requires outliers=True"):
        model().fit(X, y).outlier_score(X)


def test_outliers_with_seeds_or_dense_features():
    X, vectors, y, truth = with_vectors(noise=0.5)
    seeds = {label: (truth == label) @ X * 1.0 for label in "abc"}
    fitted = model(outliers=True).fit(X, np.full(len(y), "?"), seeds=seeds)
    assert np.isfinite(fitted.outlier_score(X)).all()
    both = np.hstack([X, vectors])
    assert model(outliers=True, n_dense=10).fit(both, y).outlier_score(both).shape == (len(y),)


# --- the warm start -------------------------------------------------------------------------------


def grown(y, truth, rows):
    more = y.copy()
    more[rows] = truth[rows]
    return more


@pytest.mark.parametrize("n_more", [1, 30])
def test_a_warm_start_predicts_the_same(n_more):
    X, y, truth = topics(n_documents=400, n_labels=5)
    warm = model(warm_start=True).fit(X, y)
    assert_array_equal(warm.coef_, model().fit(X, y).coef_)  # the first fit is a cold one
    more = grown(y, truth, np.arange(100, 100 + n_more))
    cold = model().fit(X, more)
    assert np.mean(warm.fit(X, more).predict(X) == cold.predict(X)) >= 0.99


def hard_topics(n_documents, n_classes=6):
    """Documents of which many could belong to another class."""
    random = np.random.default_rng(0)
    share = random.dirichlet(np.full(200, 0.3), n_classes) + random.dirichlet(np.full(200, 0.5))
    truth = random.integers(n_classes, size=n_documents)
    counts = [random.multinomial(15, share[c] / 2) for c in truth]
    return sparse.csr_array(np.array(counts)), truth


@pytest.mark.parametrize("seed", range(4))
def test_a_refit_gives_the_answers_of_a_cold_fit(seed):
    """The stated bounds: 99 % of the predictions, half a point of accuracy."""
    X, truth = hard_topics(n_documents=3000)
    random = np.random.default_rng(seed)
    y = np.full(len(truth), -1)
    rows = random.permutation(len(truth))
    y[rows[:30]] = truth[rows[:30]]
    warm = FewLabelsClassifier(warm_start=True).fit(X, y)
    for last in (35, 40):  # a refit of a refit, too
        y[rows[:last]] = truth[rows[:last]]
        warm.fit(X, y)
        cold = FewLabelsClassifier().fit(X, y)
        assert_array_equal(warm.expert_weights_, cold.expert_weights_)
        assert warm.expected_accuracy_ == cold.expected_accuracy_
        found, expected = warm.predict(X), cold.predict(X)
        assert 0.5 < np.mean(expected == truth) < 0.95
        assert np.mean(found == expected) >= 0.99
        assert abs(np.mean(found == truth) - np.mean(expected == truth)) <= 0.005
        sure = [each.predict_proba(X).max(axis=1).mean() for each in (warm, cold)]
        assert_allclose(*sure, atol=0.005)


@pytest.mark.usefixtures("corpora")
@pytest.mark.parametrize("name", ["oh0", "religion"])
def test_a_refit_on_a_corpus_gives_the_answers_of_a_cold_fit(name):
    X, labels = counts_of(name, 2)
    truth = np.unique(labels, return_inverse=True)[1]
    y = label_some(truth, 5)
    warm = FewLabelsClassifier(unlabeled=UNLABELED, warm_start=True).fit(X, y)
    new = np.flatnonzero(y == UNLABELED)[:5]
    y[new] = truth[new]
    found = warm.fit(X, y).predict(X)
    expected = FewLabelsClassifier(unlabeled=UNLABELED).fit(X, y).predict(X)
    assert np.mean(found == expected) >= 0.995
    assert abs(np.mean(found == truth) - np.mean(expected == truth)) <= 0.002


def test_half_the_digits_suffice(monkeypatch):
    X, y, _ = topics(n_documents=400, n_labels=5)
    expected = model().fit(X, y)
    monkeypatch.setattr("honeybayes.semisupervised._prepared.MOST_IN_DOUBLE", 0)
    single = model().fit(X, y)
    assert_allclose(single.predict_proba(X), expected.predict_proba(X), atol=1e-3)
    assert single.coef_.dtype == expected.coef_.dtype == np.float64


def test_a_new_class_after_the_first_fit():
    X, y, _ = topics(n_documents=400, n_labels=5)
    warm = model(warm_start=True).fit(X, np.where(y == "b", "?", y))
    assert warm.classes_.tolist() == ["a", "c"]
    cold = model().fit(X, y)
    assert np.mean(warm.fit(X, y).predict(X) == cold.predict(X)) >= 0.99
    assert warm.classes_.tolist() == ["a", "b", "c"]


def test_a_class_that_is_gone():
    X, y, _ = topics(n_documents=400, n_labels=5)
    fewer = np.where(y == "b", "?", y)
    warm, cold = model(warm_start=True).fit(X, y).fit(X, fewer), model().fit(X, fewer)
    assert warm.classes_.tolist() == ["a", "c"]
    assert np.mean(warm.predict(X) == cold.predict(X)) >= 0.99
    other = FewLabelsClassifier(warm_start=True).fit(X, np.where(y == "?", "", y))
    position = np.where(y == "?", -1, np.searchsorted(list("abc"), y))
    assert_array_equal(other.fit(X, position).classes_, [0, 1, 2])  # all are gone


def test_other_documents_start_cold():
    X, y, _ = topics(n_documents=100)
    changed = X.copy()
    changed[3, 5] += 1
    for other in (changed, X[:, :30], np.vstack([X, X[:1]])[1:]):
        warm = model(warm_start=True).fit(X, y).fit(other, y)
        assert_array_equal(warm.coef_, model().fit(other, y).coef_)
    matrix = sparse.csr_array(X, dtype=float)
    warm = model(warm_start=True).fit(matrix, y)
    matrix.data[:5] += 1  # the same matrix, with other counts
    assert_array_equal(warm.fit(matrix, y).coef_, model().fit(matrix, y).coef_)


def test_other_vectors_start_cold():
    X, vectors, y, _ = with_vectors(noise=0.5, n_documents=90)
    both, other = np.hstack([X, vectors]), np.hstack([X, vectors[:, ::-1] ** 2])
    warm = model(warm_start=True, n_dense=10).fit(both, y).fit(other, y)
    assert_array_equal(warm.coef_, model(n_dense=10).fit(other, y).coef_)


@pytest.mark.parametrize("options", [{"n_folds": 0}, {"n_axes": 0}, {"alpha": 1.0}, {"C": 1.0}])
def test_other_settings_weigh_the_experts_again(options):
    X, y, _ = topics(n_documents=200, n_labels=5)
    X = np.minimum(X, np.random.default_rng(0).integers(0, 2, X.shape))
    warm = model(warm_start=True).fit(X, y)
    warm._settings = Settings(**options)
    warm.fit(X, y)
    assert_array_equal(warm.expert_weights_, model(**options).fit(X, y).expert_weights_)


def test_a_file_of_a_warm_model(tmp_path):
    X, vectors, y, _ = with_vectors(noise=0.5, n_documents=90)
    both = np.hstack([X, vectors])
    fitted = model(warm_start=True, n_dense=10, outliers=True).fit(both, y)
    save_model(fitted, tmp_path / "model")
    loaded = load_model(tmp_path / "model")
    assert loaded.predict_proba(both).tobytes() == fitted.predict_proba(both).tobytes()
    assert_array_equal(loaded.outlier_score(both), fitted.outlier_score(both))
    assert_array_equal(loaded.fit(both, y).coef_, model(n_dense=10).fit(both, y).coef_)


def test_a_model_of_many_vectors_can_be_saved(monkeypatch, tmp_path):
    monkeypatch.setattr("honeybayes.semisupervised.few_labels.MOST_IN_DOUBLE", 0)
    X, vectors, y, _ = with_vectors(noise=0.6)
    both = np.hstack([X, vectors])
    fitted = model(n_dense=vectors.shape[1]).fit(both, y)
    save_model(fitted, tmp_path / "model.hb")
    loaded = load_model(tmp_path / "model.hb")
    np.testing.assert_array_equal(loaded.predict_proba(both), fitted.predict_proba(both))
