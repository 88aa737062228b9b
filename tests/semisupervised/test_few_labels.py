"""FewLabelsClassifier: the rounds of EM against loops, and what it does at the edges."""

import warnings

import hypothesis.strategies as st
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score

from honeybayes import FewLabelsClassifier, load_model, make_model, save_model
from honeybayes.semisupervised._regression import balanced
from honeybayes.semisupervised._second_opinion import blend, matching_sharpness, mean_confidence
from honeybayes.semisupervised._teacher import walked
from honeybayes.semisupervised.few_labels import order_by_content
from honeybayes.utils.folds import folds_in_order
from tests.semisupervised.em_oracle import Oracle, as_documents, tfidf


def topics(n_documents=60, n_classes=3, n_labels=2, seed=0, marks="abc"):
    """Documents of some topics, whose words overlap, and labels for the first of each class."""
    random = np.random.default_rng(seed)
    truth = np.arange(n_documents) % n_classes
    rates = random.gamma(0.4, 0.5, (n_classes, 40))
    X = random.poisson(rates[truth])
    X[X.sum(axis=1) == 0, 0] = 1
    y = np.array(list(marks))[truth].astype(object)
    y[n_labels * n_classes :] = "?"
    return X, y.astype(str), np.array(list(marks))[truth]


def model(**parameters):
    return FewLabelsClassifier(unlabeled="?", **parameters)


# --- the teacher ----------------------------------------------------------------------------------


@st.composite
def problems(draw):
    n_terms = draw(st.integers(1, 6))
    counts = st.one_of(st.just(0), st.sampled_from([0.5, 1, 2, 5]))
    X = draw(st.lists(st.lists(counts, min_size=n_terms, max_size=n_terms), min_size=3, max_size=8))
    rest = draw(st.lists(st.sampled_from("ab??"), min_size=len(X) - 3, max_size=len(X) - 3))
    return np.array(X), np.array(["a", "b", "?", *rest])


@settings(max_examples=40)
@given(
    problem=problems(),
    rounds=st.integers(0, 3),
    walk=st.sampled_from([0.0, 0.9, 1.0]),
    shrinkage=st.sampled_from([0.0, 0.5, 1.0]),
    pool_weight=st.sampled_from([0.0, 0.3, 1.0]),
)
def test_rounds_equal_the_loops(problem, rounds, walk, shrinkage, pool_weight):
    X, y = problem
    fitted = model(
        n_rounds=rounds,
        walk=walk,
        prior_shrinkage=shrinkage,
        pool_weight=pool_weight,
        n_students=0,
    ).fit(X, y)
    n_terms = X.shape[1]
    documents = tfidf(as_documents(X), n_terms)
    labels = [None if label == "?" else label for label in y.tolist()]
    oracle = Oracle(documents, labels, n_terms, 0.01, pool_weight, shrinkage, walk)
    for _ in range(rounds):
        oracle.round()
    assert_allclose(np.exp(fitted._weights.T), [oracle.word[c] for c in "ab"], rtol=1e-9)
    assert_allclose(np.exp(fitted._offsets), [oracle.prior[c] for c in "ab"], rtol=1e-9)
    expected = [[oracle.guess(x)[c] for c in "ab"] for x in documents]
    assert_allclose(fitted.predict_proba(X), expected, rtol=1e-7, atol=1e-12)


@pytest.mark.parametrize("shrinkage", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("pool_weight", [0.1, 1.0])
def test_the_objective_never_falls_and_the_guesses_settle(shrinkage, pool_weight):
    X, y, _ = topics()
    fitted = model(n_rounds=60, prior_shrinkage=shrinkage, pool_weight=pool_weight).fit(X, y)
    assert len(fitted.guess_change_) == len(fitted.objective_) - 1 == 60
    gains = np.diff(fitted.objective_)
    assert (gains >= -1e-9 * np.abs(fitted.objective_[1:])).all()
    assert gains[0] > 0
    assert fitted.guess_change_[-1] < 1e-4


@settings(max_examples=40)
@given(problem=problems(), share=st.floats(0, 1))
def test_the_walk_keeps_the_weight_of_each_class(problem, share):
    X = sparse.csr_array(problem[0].astype(float))
    weight = X.T @ np.random.default_rng(0).uniform(size=(X.shape[0], 2))
    assert_allclose(walked(X, weight, share).sum(axis=0), weight.sum(axis=0), atol=1e-12)


# --- confidence -----------------------------------------------------------------------------------


def test_confidence_on_the_pool_is_the_teachers():
    X, y, _ = topics()
    pool = X[y == "?"]
    teacher, student = model(n_students=0).fit(X, y), model().fit(X, y)
    wanted = teacher.predict_proba(pool).max(axis=1).mean()
    assert_allclose(student.predict_proba(pool).max(axis=1).mean(), wanted, atol=1e-5)
    raw = model(match_confidence=False, n_students=1).fit(X, y)
    assert raw.sharpness_ == 1
    matched = model(n_students=1).fit(X, y)
    assert_allclose(matched.coef_, raw.coef_ * matched.sharpness_)
    assert_array_equal(matched.predict(X), raw.predict(X))


@pytest.mark.parametrize("confidence", [0.34, 0.6, 0.99])
def test_sharpness(confidence):
    scores = np.random.default_rng(0).normal(size=(50, 3))
    factor = matching_sharpness(scores, confidence)
    assert_allclose(mean_confidence(factor * scores), confidence, atol=1e-5)


def test_confidence_out_of_reach():
    assert 0 < matching_sharpness(np.zeros((4, 2)), 0.9) < np.inf
    assert 0 < matching_sharpness(np.eye(3), 0.1) < 1e-3


# --- the second opinion ---------------------------------------------------------------------------


def held_out_answers(X, y, n_folds):
    """Labels that only the regression, and that only the teacher, gets right when held out."""
    x = TfidfTransformer(sublinear_tf=True).fit_transform(X.astype(float)).tocsr()
    position = np.where(y == "?", -1, np.searchsorted(list("abc"), y))
    order = order_by_content(sparse.csr_array(x), position)
    fold = np.empty_like(position)
    fold[order] = folds_in_order(position[order], n_folds)
    only_regression = only_teacher = 0
    for part in range(n_folds):
        held_out = (y != "?") & (fold == part)
        rest = np.where(held_out, "?", y)
        teacher = model(n_students=0).fit(X, rest)
        regression = LogisticRegression(C=10, max_iter=5000).fit(x[rest != "?"], rest[rest != "?"])
        for row in np.flatnonzero(held_out):
            by_teacher = teacher.predict(X[[row]])[0] == y[row]
            by_regression = regression.predict(x[[row]])[0] == y[row]
            only_regression += by_regression and not by_teacher
            only_teacher += by_teacher and not by_regression
    return only_regression, only_teacher


def test_the_share_is_what_held_out_labels_earn():
    X, y, _ = topics(n_documents=90, n_labels=6, seed=4)
    X = np.minimum(X, np.random.default_rng(0).integers(0, 2, X.shape))  # so that both make errors
    a, b = held_out_answers(X, y, 3)
    assert a + b > 0
    assert model(n_folds=3).fit(X, y).second_opinion_share_ == (a + 1) / (a + b + 8)


def test_one_label_a_class_leaves_the_share_as_it_starts():
    X, y, _ = topics(n_labels=1)
    assert model().fit(X, y).second_opinion_share_ == 1 / 8
    assert model(n_folds=0).fit(X, y).second_opinion_share_ == 0


def test_folds_are_even_and_leave_a_label_of_each_class():
    position = np.array([0, 1, 0, -1, 0, 2, 0, 0, 2, 0, 0, -1, 0, 0])
    fold = folds_in_order(position, 4)
    assert fold[1] == -1  # the only label of class 1
    assert (fold[position == -1] == -1).all()
    assert sorted(np.bincount(fold[position == 0])) == [2, 2, 2, 3]
    assert sorted(fold[position == 2]) == [0, 1]


def test_blend():
    q, p = np.array([[0.9, 0.1], [1.0, 0.0]]), np.array([[0.5, 0.5], [0.2, 0.8]])
    assert_allclose(blend(q, p, 0.0), q, atol=1e-300)
    assert_allclose(blend(q, p, 1.0), p)
    assert_allclose(blend(q, p, 0.5)[0], np.array([3, 1]) / 4)


def test_balanced_weights():
    weight, position = np.array([1.0, 0.5, 0.5, 2.0]), np.array([0, 0, 1, 1])
    assert_allclose(balanced(weight, position), [4 / 3, 2 / 3, 0.4, 1.6])


# --- the finish -----------------------------------------------------------------------------------


def test_one_student_is_a_weighted_logistic_regression_on_the_guesses():
    X, y, _ = topics()
    teacher = model(n_students=0).fit(X, y)
    is_guessed = y == "?"
    guesses = teacher.predict_proba(X)
    labels = np.where(is_guessed, teacher.classes_[guesses.argmax(axis=1)], y)
    weight = np.where(is_guessed, 0.1 * guesses.max(axis=1), 1.0)
    for c in "abc":
        weight[labels == c] *= 1 / weight[labels == c].sum()
    weight *= np.where(is_guessed, 0.1 * guesses.max(axis=1), 1.0).sum() / weight.sum()
    x = TfidfTransformer(sublinear_tf=True).fit_transform(X.astype(float))
    expected = LogisticRegression(C=10, max_iter=5000, tol=1e-8).fit(x, labels, weight)
    ours = model(n_students=1, n_folds=0, match_confidence=False).fit(X, y)
    assert_allclose(ours.predict_proba(X), expected.predict_proba(x), atol=2e-3)


@pytest.mark.parametrize("marks", ["ab", "abc"])
def test_without_unlabeled_documents_it_is_logistic_regression(marks):
    X, _, y = topics(n_classes=len(marks), marks=marks)
    expected = make_model("LogisticRegression-tfidf", tol=1e-8).fit(X, y)
    for unlabeled in (None, "?"):
        ours = FewLabelsClassifier(unlabeled=unlabeled).fit(X, y)
        assert_allclose(ours.predict_proba(X), expected.predict_proba(X), atol=5e-3)
        assert ours.sharpness_ == 1


def test_unlabeled_documents_help():
    X, y, truth = topics(n_documents=300, n_labels=1)
    rest = y == "?"
    alone = FewLabelsClassifier().fit(X[~rest], y[~rest]).score(X[rest], truth[rest])
    together = model().fit(X, y).score(X[rest], truth[rest])
    assert together > alone + 0.05


# --- the score ------------------------------------------------------------------------------------


def test_the_score_leaves_out_what_has_no_label():
    X, y, _ = topics(n_labels=8)
    fitted = model().fit(X, y)
    y = np.where(np.arange(len(y)) % 5 == 0, "c", y)  # so that not all answers are right
    labeled, weight = y != "?", np.random.default_rng(0).uniform(size=len(y))
    right = fitted.predict(X[labeled]) == y[labeled]
    assert 0 < right.mean() < 1
    assert fitted.score(X, y) == fitted.score(sparse.csr_array(X), y.tolist()) == right.mean()
    expected = np.average(right, weights=weight[labeled])
    assert_allclose(fitted.score(X, y, weight), expected)
    assert_allclose(fitted.score(X, y, sample_weight=weight.tolist()), expected)
    with pytest.raises(ValueError, match="No document has a label to compare with"):
        fitted.score(X[:2], ["?", "?"])


def test_cross_validation_and_search_with_a_mark():
    X, y, truth = topics(n_documents=90, n_labels=6)
    folds = StratifiedKFold(3)
    scores = cross_val_score(model(), X, y, cv=folds, error_score="raise")
    for score, (training, test) in zip(scores, folds.split(X, y), strict=True):
        test = test[y[test] != "?"]
        assert score == np.mean(model().fit(X[training], y[training]).predict(X[test]) == y[test])
    search = GridSearchCV(model(), {"n_rounds": [0, 3]}, cv=folds, error_score="raise").fit(X, y)
    assert search.best_score_ >= scores.mean() > 0.5
    assert search.score(X, truth) > 0.5


# --- edges ----------------------------------------------------------------------------------------


def test_no_label_at_all():
    with pytest.raises(ValueError, match=r"have no label \(unlabeled='\?'\)\. Label at least"):
        model().fit([[1, 0], [0, 1]], ["?", "?"])


@pytest.mark.parametrize("y", [["a", "?", "?"], ["a", "a", "a"]])
def test_one_class(y):
    with pytest.raises(ValueError, match="have only one class, 'a'"):
        model().fit([[1, 0], [0, 1], [1, 1]], y)


def test_a_class_with_a_single_label():
    X, y, truth = topics(n_documents=150, n_labels=4)
    y[np.flatnonzero(y == "c")[1:]] = "?"
    fitted = model().fit(X, y)
    of_c = (truth == "c") & (y == "?")
    assert np.mean(fitted.predict(X[of_c]) == "c") > 0.7


def test_copies_of_labeled_documents_in_the_pool():
    """A copy is guessed like any other document, and gets the label of its original."""
    X, y, _ = topics()
    labeled = y != "?"
    both = np.vstack([X, X[labeled]])
    fitted = model().fit(both, np.append(y, np.full(labeled.sum(), "?")))
    assert_array_equal(fitted.predict(X[labeled]), y[labeled])
    assert np.isfinite(fitted.coef_).all()


def test_contradicting_copies():
    fitted = model().fit([[1, 0], [1, 0], [0, 1], [1, 1]], ["a", "b", "b", "?"])
    assert np.isfinite(fitted.predict_proba([[1, 0], [0, 1]])).all()


def test_empty_documents_and_terms():
    X = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 0], [1, 1, 0]])
    fitted = model().fit(X, ["a", "b", "?", "?"])
    assert_allclose(fitted.predict_proba(X).sum(axis=1), 1)
    empty = model().fit([[0, 0], [0, 0], [0, 0]], ["a", "b", "?"])
    assert_allclose(empty.predict_proba([[1, 2]]), 0.5, atol=1e-6)


def test_steps_can_be_switched_off():
    X, y, _ = topics()
    labeled = y != "?"
    start = model(walk=0, n_rounds=0, prior_shrinkage=1, n_students=0).fit(X, y)
    x = np.asarray(TfidfTransformer(sublinear_tf=True).fit_transform(X.astype(float)).todense())
    for c, log_prob in zip("abc", start.coef_, strict=True):
        weight = x[labeled & (y == c)].sum(axis=0) + 0.01
        assert_allclose(np.exp(log_prob), weight / weight.sum())
    assert_allclose(np.exp(start.intercept_), 1 / 3)
    assert len(start.guess_change_) == 0


# --- invariance -----------------------------------------------------------------------------------


def one_word_documents():
    """All of equal weight, some equal, one of them under two labels."""
    random = np.random.default_rng(3)
    X = np.eye(12, dtype=int)[random.integers(0, 12, 90)]
    y = np.where(random.uniform(size=90) < 0.7, "?", random.choice(list("abc"), 90))
    return X, y, None


@pytest.mark.parametrize("documents", [topics, one_word_documents])
@pytest.mark.parametrize("n_students", [0, 3])
def test_the_order_of_documents_makes_no_difference(documents, n_students):
    X, y, _ = documents()
    expected = model(n_students=n_students).fit(X, y)
    for seed in range(5):
        rows = np.random.default_rng(seed).permutation(len(y))
        shuffled = model(n_students=n_students).fit(X[rows], y[rows])
        assert shuffled.second_opinion_share_ == expected.second_opinion_share_
        assert_array_equal(shuffled.coef_, expected.coef_)


@settings(max_examples=40)
@given(problem=problems(), seed=st.integers(0, 99))
def test_the_order_of_any_documents_makes_no_difference(problem, seed):
    X, y = problem
    rows = np.random.default_rng(seed).permutation(len(y))
    expected, shuffled = model(n_folds=2).fit(X, y), model(n_folds=2).fit(X[rows], y[rows])
    assert_array_equal(shuffled.predict_proba(X), expected.predict_proba(X))


@pytest.mark.parametrize("n_students", [0, 3])
def test_the_order_of_terms_makes_no_difference(n_students):
    X, y, _ = topics()
    columns = np.random.default_rng(1).permutation(X.shape[1])
    expected = model(n_students=n_students).fit(X, y).predict_proba(X)
    shuffled = model(n_students=n_students).fit(X[:, columns], y)
    assert_allclose(shuffled.predict_proba(X[:, columns]), expected, atol=1e-5)


def test_fitting_twice_gives_the_same_to_the_last_bit():
    X, y, _ = topics()
    assert_array_equal(model().fit(X, y).coef_, model().fit(X, y).coef_)


def test_scale_of_counts_below_one_makes_no_difference():
    """The logarithm is for counts from one on; below it the length alone is taken out."""
    X, y, _ = topics()
    fractions = X / (2 * X.max())
    small = model().fit(fractions, y).predict_proba(fractions)
    smaller = model().fit(fractions / 1000, y).predict_proba(fractions / 1000)
    assert_allclose(small, smaller, atol=1e-6)


@pytest.mark.parametrize(
    "convert", [sparse.csr_array, sparse.csc_matrix, sparse.coo_array, np.float32, np.uint8]
)
def test_any_form_of_counts(convert):
    X, y, _ = topics()
    expected = model().fit(X, y).predict_proba(X)
    assert_allclose(model().fit(convert(X), y).predict_proba(convert(X)), expected, atol=1e-6)


def with_other_labels(y, mark, classes, dtype=None):
    """Other names for the classes a, b and c, and another mark."""
    names = dict(zip("abc?", [*classes, mark], strict=True))
    return np.array([names[label] for label in y], dtype=dtype)


@pytest.mark.parametrize(
    ("mark", "classes", "dtype"),
    [
        (-1, [0, 1, 2], int),
        (-1, [0, 1, 2], float),
        ("", ["a", "b", "c"], str),
        ("", ["a", "b", "c"], object),
        (-1, ["a", "b", "c"], object),
    ],
)
def test_any_mark(mark, classes, dtype):
    X, y, _ = topics()
    other = FewLabelsClassifier(unlabeled=mark).fit(X, with_other_labels(y, mark, classes, dtype))
    assert other.classes_.tolist() == classes
    assert_array_equal(other.predict_proba(X), model().fit(X, y).predict_proba(X))


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA, pd.NaT])
@pytest.mark.parametrize("kind", [list, lambda y: np.array(y, dtype=object), pd.Series])
@pytest.mark.parametrize("unlabeled", [None, "?"])
def test_missing_labels_are_told_what_to_do(missing, kind, unlabeled):
    y = kind(["a", "b", missing, missing])
    with pytest.raises(ValueError, match=r'first is y\[2\].* pass unlabeled="\?"'):
        FewLabelsClassifier(unlabeled=unlabeled).fit(np.eye(4), y)


@pytest.mark.parametrize("mark", [np.nan, np.float32("nan"), pd.NA])
def test_a_missing_value_is_no_mark(mark):
    with pytest.raises(ValueError, match=r'unlabeled must be .* pass unlabeled="\?"'):
        FewLabelsClassifier(unlabeled=mark).fit(np.eye(3), [0.0, 1.0, np.nan])


def test_labels_without_an_order():
    y = np.array(["a", 1, "?"], dtype=object)
    with pytest.raises(ValueError, match="Convert all labels to strings"):
        model().fit(np.eye(3), y)


@pytest.mark.parametrize("scale", [2.0**-700, 1e-200, 5e-324])
def test_tiny_counts(scale):
    X, y, _ = topics()
    X = np.minimum(X, 1)
    tiny = X * scale
    expected = model().fit(X, y).predict_proba(X)
    assert_allclose(model().fit(tiny, y).predict_proba(tiny), expected, atol=1e-9)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("walk", 1.5),
        ("n_rounds", -1),
        ("n_rounds", 2.5),
        ("pool_weight", -0.1),
        ("alpha", 0),
        ("prior_shrinkage", "some"),
        ("n_students", True),
        ("n_folds", 1),
        ("C", 0),
        ("guess_weight", np.inf),
        ("match_confidence", "no"),
        ("match_confidence", 1),
    ],
)
def test_parameters_that_make_no_sense(name, value):
    with pytest.raises(ValueError, match=f"^{name} must be"):
        model(**{name: value}).fit([[1, 0], [0, 1]], ["a", "b"])


@pytest.mark.parametrize("bad", [-1.0, np.nan])
def test_bad_counts(bad):
    with pytest.raises(ValueError, match=r"Negative|NaN"):
        model().fit([[bad, 0], [0, 1], [1, 1]], ["a", "b", "?"])


def test_file(tmp_path):
    X, y, _ = topics()
    fitted = make_model("FewLabels", unlabeled="?").fit(X, y)
    save_model(fitted, tmp_path / "model")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        loaded = load_model(tmp_path / "model")
    assert loaded.predict_proba(X).tobytes() == fitted.predict_proba(X).tobytes()
    assert_array_equal(loaded.objective_, fitted.objective_)
    assert vars(loaded).keys() == vars(fitted).keys()


@pytest.mark.parametrize("n_classes", [2, 3])
def test_coefficients_have_the_shape_of_scikit_learn(n_classes):
    X = np.eye(2 * n_classes, 6)[:, : 2 * n_classes]
    model = FewLabelsClassifier().fit(X, np.arange(2 * n_classes) % n_classes)
    rows = 1 if n_classes == 2 else n_classes
    assert model.coef_.shape == (rows, X.shape[1])
    assert model.intercept_.shape == (rows,)
    joint = model.predict_joint_log_proba(X)
    x = X / np.linalg.norm(X, axis=1, keepdims=True)
    margins = x @ model.coef_.T + model.intercept_
    if n_classes == 2:
        assert_allclose(joint[:, 1] - joint[:, 0], margins[:, 0])
    else:
        assert_allclose(joint, margins)
