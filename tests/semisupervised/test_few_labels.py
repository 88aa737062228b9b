"""FewLabelsClassifier: the rounds of EM against loops, and what it does at the edges."""

import warnings

import hypothesis.strategies as st
import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from scipy.special import softmax
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score
from sklearn.preprocessing import normalize

from honeybayes import FewLabelsClassifier, load_model, make_model, save_model
from honeybayes.semisupervised import _evidence, _students
from honeybayes.semisupervised._labels import steady_folds
from honeybayes.semisupervised._prepared import order_by_content
from honeybayes.semisupervised._recognized import are_recognized, find_slots
from tests.semisupervised.corpora import log_posterior, model, teacher_of, topics
from tests.semisupervised.em_oracle import Oracle, as_documents, tfidf

# --- the teacher ----------------------------------------------------------------------------------


@st.composite
def problems(draw):
    n_terms = draw(st.integers(1, 6))
    counts = st.one_of(st.just(0), st.sampled_from([0.5, 1, 2, 5]))
    X = draw(st.lists(st.lists(counts, min_size=n_terms, max_size=n_terms), min_size=3, max_size=8))
    rest = draw(st.lists(st.sampled_from("ab??"), min_size=len(X) - 3, max_size=len(X) - 3))
    return np.array(X), np.array(["a", "b", "?", *rest])


def weighed(X):
    """Our tf-idf from scikit-learn's: it adds 1 to the idf."""
    transformer = TfidfTransformer(sublinear_tf=True, norm=None)
    x = transformer.fit_transform(X.astype(float))
    return normalize(x.multiply(1 - 0.75 / transformer.idf_).tocsr())


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
    rows = np.sort(np.unique(X, axis=0, return_index=True)[1])
    X, y = X[rows], y[rows]  # identical documents count once
    assume({"a", "b"} <= set(y.tolist()))
    teacher, _, idf, _ = teacher_of(
        *(X, y), n_rounds=rounds, walk=walk, prior_shrinkage=shrinkage, pool_weight=pool_weight
    )
    plain = np.log((1 + len(X)) / (1 + np.count_nonzero(X, axis=0)))
    assert_allclose(idf, np.maximum(plain + 0.25, 1e-6))
    n_terms = X.shape[1]
    documents = tfidf(as_documents(X), n_terms, 0.25)
    labels = [None if label == "?" else label for label in y.tolist()]
    oracle = Oracle(documents, labels, n_terms, 0.01, pool_weight, shrinkage, walk)
    for _ in range(rounds):
        oracle.round()
    assert_allclose(np.exp(teacher.linear.coef.T), [oracle.word[c] for c in "ab"], rtol=1e-9)
    assert_allclose(np.exp(teacher.linear.intercept), [oracle.prior[c] for c in "ab"], rtol=1e-9)
    expected = [[oracle.guess(x)[c] for c in "ab"] for x in documents]
    found = softmax(teacher.linear.scores(rows_of(documents, n_terms)), axis=1)
    assert_allclose(found, expected, rtol=1e-7, atol=1e-12)
    if rounds:  # the guesses are in the order of the content
        assert_allclose(sorted(teacher.guesses[:, 0]), sorted(found[:, 0]), rtol=1e-7, atol=1e-12)


def rows_of(documents, n_terms):
    return np.array([[x.get(i, 0.0) for i in range(n_terms)] for x in documents])


@pytest.mark.parametrize("shrinkage", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("pool_weight", [0.1, 1.0])
def test_the_objective_never_falls_and_the_guesses_settle(shrinkage, pool_weight):
    X, y, _ = topics()
    X, rows = np.unique(X, axis=0, return_index=True)
    y = y[rows]
    x, labels = weighed(X).toarray(), np.array(["abc".find(label) for label in y])
    how = {"prior_shrinkage": shrinkage, "pool_weight": pool_weight}
    linears = [teacher_of(X, y, n_rounds=n, **how)[0].linear for n in (0, 1, 2, 4, 8, 59, 60)]
    values = [log_posterior(each, x, labels, pool_weight, shrinkage) for each in linears]
    gains = np.diff(values)
    assert (gains >= -1e-9 * np.abs(values[1:])).all()
    assert gains[0] > 0
    before, after = (softmax(each.scores(x), axis=1) for each in linears[-2:])
    assert np.abs(after - before).mean() < 1e-4


# --- confidence -----------------------------------------------------------------------------------


def test_confidence_on_new_documents_is_the_expected_accuracy():
    X, y, _ = topics(n_documents=600)
    fitted = model().fit(X[:300], y[:300])
    found = fitted.predict_proba(X[300:]).max(axis=1).mean()
    highest = 1 - fitted._doubt * 2 / 3
    assert_allclose(found, min(fitted.expected_accuracy_, highest), atol=0.03)


@pytest.mark.parametrize("n_documents", [60, 300])
def test_more_accuracy_than_the_doubt_allows_keeps_the_order_of_confidences(n_documents):
    """With two labels per class, no confidence is above 0.9, but more may be expected."""
    X, y, _ = topics(n_documents=n_documents)
    fitted = model().fit(X, y)
    highest = 1 - fitted._doubt * 2 / 3
    assert fitted.expected_accuracy_ > highest
    confidence = fitted.predict_proba(X).max(axis=1)
    assert highest - 0.02 < confidence[6:].mean() < highest
    assert len(np.unique(confidence.round(4))) > 10
    assert np.abs(fitted.coef_).max() < 100


@pytest.mark.parametrize("n_unlabeled", [1, 2])
def test_documents_without_a_known_word_do_not_multiply_the_scores_without_limit(n_unlabeled):
    X, _, y = topics(n_documents=15)
    new = np.zeros((n_unlabeled, 40 + n_unlabeled), dtype=int)
    new[:, 40:] = np.eye(n_unlabeled)
    X = np.vstack([np.pad(X, ((0, 0), (0, n_unlabeled))), new])
    fitted = model().fit(X, [*y, *["?"] * n_unlabeled])
    assert np.abs(fitted.coef_).max() < 1000
    assert fitted._factor_of_pool > 0.01


def test_confidence_on_documents_of_the_pool_is_the_expected_accuracy():
    """Finding: 89.7 % sure of documents of the pool, of which 76.2 % were right."""
    X, y, _ = topics(n_documents=400, n_labels=5)
    X = np.minimum(X, np.random.default_rng(0).integers(0, 2, X.shape))  # so that it makes errors
    rows = np.unique(X, axis=0, return_index=True)[1]
    X, y = X[rows], y[rows]  # identical documents count once
    fitted, pool = model().fit(X, y), y == "?"
    found = fitted.predict_proba(X[pool])
    assert_allclose(found.max(axis=1).mean(), fitted.expected_accuracy_, atol=0.01)
    # one more factor for all scores of a document, so that the answer stays the same
    as_new = fitted._to_proba(fitted.predict_joint_log_proba(X[pool]))
    assert as_new.max(axis=1).mean() > found.max(axis=1).mean()
    assert_array_equal(found.argmax(axis=1), as_new.argmax(axis=1))
    # each document alone, and in any order
    assert_array_equal(fitted.predict_proba(X[pool][::-1]), found[::-1])
    assert_allclose(fitted.predict_proba(X[pool][:1]), found[:1], rtol=1e-12)
    # about one in 256 other documents is taken for one of the pool, so that a model file does not
    # tell which documents these were
    others = np.random.default_rng(1).integers(0, 2, (4000, X.shape[1])) * 2
    expected = fitted._to_proba(fitted.predict_joint_log_proba(others))
    changed = (fitted.predict_proba(others) != expected).any(axis=1)
    assert 4 <= changed.sum() <= 40


def test_a_model_file_does_not_tell_the_texts_of_the_pool():
    """Finding: all texts of one or two words could be listed from the digests of the pool."""
    n_terms, random = 6000, np.random.default_rng(0)
    one_term = sparse.csr_array(np.eye(n_terms))
    others = sparse.csr_array(random.random((480, n_terms)) < 0.005)
    slots, n_slots = find_slots(sparse.csr_array(sparse.vstack([one_term[:20], others])))
    found = are_recognized(one_term, slots, n_slots)
    assert found[:20].all()
    assert are_recognized(others * 3.0, slots, n_slots).all()  # counts do not matter
    assert 10 <= found[20:].sum() <= 50  # others that were not there, 23 are expected


def test_only_documents_that_were_learned_from_are_of_the_pool():
    X, y, _ = topics(n_documents=400, n_labels=5)
    X = np.minimum(X, np.random.default_rng(0).integers(0, 2, X.shape))
    rows = np.unique(X, axis=0, return_index=True)[1]
    X, y = X[rows], y[rows]
    fitted, pool = model(max_pool=200).fit(X, y), y == "?"
    as_new = fitted._to_proba(fitted.predict_joint_log_proba(X[pool]))
    changed = (fitted.predict_proba(X[pool]) != as_new).any(axis=1)
    assert pool.sum() == 341
    assert changed.sum() == 201  # one more by chance, as one in 256


def test_the_only_label_of_a_class_lowers_the_confidence():
    """As many documents are of classes without a label as labels are the only one of theirs."""
    X, y, _ = topics(n_documents=300, n_labels=6)
    [last] = np.flatnonzero(y != "?")[-1:]
    known = y.copy()
    known[last] = "?"
    y[last] = "other"
    n_labels = (y != "?").sum()
    without, fitted = model().fit(X, known), model().fit(X, y)
    assert fitted.held_out_[-1, 1] == 0
    assert len(fitted.held_out_) == n_labels
    assert (without.held_out_[:, 1] > 0).all()
    assert fitted.expected_accuracy_ <= (1 - 0.02) * (1 - 1 / n_labels)


def test_the_expected_accuracy_is_close_to_the_true_one():
    X, y, truth = topics(n_documents=600, n_labels=5)
    X = np.minimum(X, np.random.default_rng(0).integers(0, 2, X.shape))  # so that it makes errors
    fitted, rest = model().fit(X, y), y == "?"
    accuracy = np.mean(fitted.predict(X[rest]) == truth[rest])
    assert accuracy < 0.97
    assert abs(fitted.expected_accuracy_ - accuracy) < 0.1


# --- the experts ----------------------------------------------------------------------------------


def test_without_evidence_naive_bayes_decides():
    X, y, _ = topics(n_labels=1)
    assert model().fit(X, y).expert_weights_.tolist()[2] == 0
    assert model(n_folds=0).fit(X, y).expert_weights_.tolist() == [0.5, 0.5, 0]
    assert model(n_axes=0, n_folds=0).fit(X, y).expert_weights_.tolist() == [1, 0]


# --- the finish -----------------------------------------------------------------------------------


def test_one_student_is_a_weighted_logistic_regression_on_the_guesses(monkeypatch):
    monkeypatch.setattr("honeybayes.semisupervised._students.TOLERANCE", 1e-4)
    X, y, _ = topics()
    teacher, _, _, classes = teacher_of(X, y)
    is_guessed, x = y == "?", weighed(X)
    guesses = softmax(teacher.linear.scores(x), axis=1)
    labels = np.where(is_guessed, classes[guesses.argmax(axis=1)], y)
    weight = np.where(is_guessed, 0.1 * guesses.max(axis=1), 1.0)
    for c in "abc":
        weight[labels == c] *= 1 / weight[labels == c].sum()
    weight *= np.where(is_guessed, 0.1 * guesses.max(axis=1), 1.0).sum() / weight.sum()
    expected = LogisticRegression(C=10, max_iter=5000, tol=1e-8).fit(x, labels, weight)
    ours = model(n_folds=0, n_axes=0, warm_start=True).fit(X, y)
    bayes, regression = ours._learned.stages[-1]
    found = softmax(regression.scores(x), axis=1)
    assert_allclose(found, expected.predict_proba(x), atol=2e-3)
    # the other student is naive Bayes with a guess for three tenths of a label
    votes = np.where(is_guessed[:, None], 0.3 * guesses, classes == y[:, None])
    of_terms = x.T @ votes + 0.01
    assert_allclose(bayes.coef, np.log(of_terms / of_terms.sum(axis=0)), atol=1e-3)
    size = 1 + votes.sum(axis=0)
    assert_allclose(np.exp(bayes.intercept), 0.7 * size / size.sum() + 0.3 / 3, atol=1e-3)


@pytest.mark.parametrize("marks", ["ab", "abc"])
def test_without_unlabeled_documents_it_is_logistic_regression(marks):
    X, _, y = topics(n_classes=len(marks), marks=marks)
    expected = make_model("LogisticRegression-tfidf", tol=1e-8).fit(X, y)
    for unlabeled in (None, "?"):
        ours = model(n_folds=0).set_params(unlabeled=unlabeled).fit(X, y)
        assert_allclose(ours.predict_proba(X), expected.predict_proba(X), atol=5e-3)
        matched = FewLabelsClassifier(unlabeled=unlabeled).fit(X, y)
        assert_array_equal(matched.predict(X), expected.predict(X))
        factor = matched.intercept_[0] / ours.intercept_[0]
        assert_allclose(matched.coef_, factor * ours.coef_)


def test_confidence_without_a_pool_is_the_accuracy_on_held_out_labels():
    """The probabilities of held-out documents, with the same factor, are as sure as they should."""
    X, _, y = topics(n_documents=90)
    X = np.minimum(X, np.random.default_rng(0).integers(0, 2, X.shape))
    X, rows = np.unique(X, axis=0, return_index=True)
    y = y[rows]
    fitted = FewLabelsClassifier().fit(X, y)
    factor = fitted.intercept_[0] / model(n_folds=0).fit(X, y).intercept_[0]
    x = TfidfTransformer(sublinear_tf=True).fit_transform(X.astype(float)).toarray()
    order = order_by_content(sparse.csr_array(X), None, x.sum(axis=1))  # the folds follow it
    x, y = x[order], y[order]
    fold = steady_folds(np.searchsorted(list("abc"), y), 5)
    right, surest = [], []
    for part in range(5):
        held_out = fold == part
        other = LogisticRegression(C=10, tol=1e-8, max_iter=5000).fit(x[~held_out], y[~held_out])
        right += list(other.predict(x[held_out]) == y[held_out])
        scores = factor * other.decision_function(x[held_out])
        surest += list(softmax(scores, axis=1).max(axis=1))
    doubt = 0.01 + 0.3 * 3 / len(y)  # divided among the three classes
    surest = [(1 - doubt) * each + doubt / 3 for each in surest]
    assert 0.4 < np.mean(right) < 0.98
    assert_allclose(fitted.expected_accuracy_, (np.sum(right) + 4 / 3) / (len(right) + 4))
    assert_allclose(np.mean(surest), fitted.expected_accuracy_, atol=0.01)


def test_some_student_has_a_say_if_all_evidence_is_against_them(monkeypatch):
    """With many documents and labels, the weights of all students may be too small for a float."""
    X, y, _ = topics()
    weigh = _students.weight_of_evidence
    monkeypatch.setattr(_students, "weight_of_evidence", lambda *_: np.array([1.0, 0.0]))
    monkeypatch.setattr(
        _evidence, "weight_of_evidence", lambda a, n: weigh(a, n) * [0, *[1] * (len(a) - 1)]
    )
    assert np.isfinite(model().fit(X, y).predict_proba(X)).all()


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
    search = GridSearchCV(model(), {"max_pool": [20, None]}, cv=folds, error_score="raise").fit(
        X, y
    )
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


UNEVEN = [
    {"walk": 0},
    {"walk": 1},
    {"n_rounds": 0},
    {"n_rounds": 30},
    {"pool_weight": 0},
    {"pool_weight": 10},
    {"alpha": 1e-12},
    {"alpha": 10},
    {"prior_shrinkage": 0},
    {"prior_shrinkage": 1},
    {"n_axes": 0},
    {"n_axes": 500},
    {"n_folds": 0},
    {"n_folds": 2},
    {"n_folds": 100},
    {"C": 1e-6},
    {"C": 1e6},
    {"guess_weight": 0},
    {"guess_weight": 10},
    {"outliers": True},
]


def uneven_labels():
    """Forty labels of a, eight of b, one of c."""
    X, _, truth = topics(n_documents=300)
    y = np.full(300, "?")
    for label, number in zip("abc", (40, 8, 1), strict=True):
        rows = np.flatnonzero(truth == label)[:number]
        y[rows] = label
    return X, y, truth


@pytest.mark.parametrize("options", [{}, *UNEVEN], ids=repr)
def test_uneven_labels(options):
    X, y, truth = uneven_labels()
    rest = y == "?"
    fitted = model(**options).fit(X, y)
    proba = fitted.predict_proba(X)
    assert np.isfinite(proba).all()
    recall = [np.mean(fitted.predict(X[rest & (truth == c)]) == c) for c in "abc"]
    assert min(recall[:2]) > 0.6
    if not options:
        assert min(recall) > 0.7


# --- repeats and votes ----------------------------------------------------------------------------


def test_copies_change_nothing():
    X, y, _ = topics()
    rows = np.concatenate([np.arange(len(y)), np.repeat([0, 1, 8, 9, 20], 60)])
    expected, fitted = model().fit(X, y), model().fit(X[rows], y[rows])
    assert_array_equal(fitted.coef_, expected.coef_)
    assert_array_equal(fitted.idf_, expected.idf_)
    repeats = len(X) - len(np.unique(X, axis=0))
    assert (expected.n_repeats_, fitted.n_repeats_) == (repeats, repeats + 300)


def test_copies_of_labeled_documents_in_the_pool():
    """A copy of a labeled document is that document."""
    X, y, _ = topics()
    labeled = y != "?"
    both = np.vstack([X, X[labeled]])
    fitted = model().fit(both, np.append(y, np.full(labeled.sum(), "?")))
    assert_array_equal(fitted.coef_, model().fit(X, y).coef_)
    assert_array_equal(fitted.predict(X[labeled]), y[labeled])


def test_votes_are_a_soft_label():
    """Without a pool: a logistic regression in which the document occurs once per class."""
    X, _, y = topics()
    X, rows = np.unique(X, axis=0, return_index=True)
    y = y[rows]
    extra = [("a", 1.0), ("b", 1.0), ("b", 1.0)]
    more = np.vstack([X, *[X[[5]]] * 3])
    fitted = model(n_folds=0).fit(more, [*y, *(label for label, _ in extra)])
    x = TfidfTransformer(sublinear_tf=True).fit_transform(X.astype(float)).toarray()
    votes = [y[5], "a", "b", "b"]
    rows = np.concatenate([np.delete(np.arange(len(X)), 5), [5] * 4])
    weight = np.concatenate([np.ones(len(X) - 1), [0.25] * 4])
    expected = LogisticRegression(C=10, tol=1e-8, max_iter=5000)
    expected.fit(x[rows], [*np.delete(y, 5), *votes], weight)
    assert_allclose(fitted.predict_proba(X), expected.predict_proba(x), atol=5e-3)


def test_weights_of_labels():
    X, _, y = topics()
    X, rows = np.unique(X, axis=0, return_index=True)
    y, weight = y[rows], np.random.default_rng(0).uniform(0.1, 3, len(X))
    fitted = model(n_folds=0).fit(X, y, weight)
    x = TfidfTransformer(sublinear_tf=True).fit_transform(X.astype(float))
    expected = LogisticRegression(C=10, tol=1e-8, max_iter=5000).fit(x, y, weight)
    assert_allclose(fitted.predict_proba(X), expected.predict_proba(x), atol=5e-3)


def test_a_label_with_weight_0_is_no_label():
    X, y, truth = topics(n_labels=4)
    weight = np.ones(len(y))
    weight[20:30] = 0
    with_more = np.where(weight == 0, truth, y)
    fitted = model().fit(X, with_more, weight)
    assert_array_equal(fitted.coef_, model().fit(X, y).coef_)
    new = np.where(weight == 0, "d", y)  # a class only of such labels is no class
    assert model().fit(X, new, weight).classes_.tolist() == ["a", "b", "c"]
    with pytest.raises(ValueError, match="have no label"):
        model().fit(X, y, (y == "?").astype(float))


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
    start = teacher_of(X, y, walk=0, n_rounds=0, prior_shrinkage=1)[0].linear
    x = weighed(X).toarray()
    for c, log_prob in zip("abc", start.coef.T, strict=True):
        weight = x[labeled & (y == c)].sum(axis=0) + 0.01
        assert_allclose(np.exp(log_prob), weight / weight.sum())
    assert_allclose(np.exp(start.intercept), 1 / 3)


# --- invariance -----------------------------------------------------------------------------------


def one_word_documents():
    """All of equal weight, some equal, one of them under two labels."""
    random = np.random.default_rng(3)
    X = np.eye(12, dtype=int)[random.integers(0, 12, 90)]
    y = np.where(random.uniform(size=90) < 0.7, "?", random.choice(list("abc"), 90))
    return X, y, None


@pytest.mark.parametrize("documents", [topics, one_word_documents])
def test_the_order_of_documents_makes_no_difference(documents):
    X, y, _ = documents()
    expected = model().fit(X, y)
    for seed in range(5):
        rows = np.random.default_rng(seed).permutation(len(y))
        shuffled = model().fit(X[rows], y[rows])
        assert_array_equal(shuffled.expert_weights_, expected.expert_weights_)
        assert shuffled.expected_accuracy_ == expected.expected_accuracy_
        assert_array_equal(shuffled.coef_, expected.coef_)


@settings(max_examples=40)
@given(problem=problems(), seed=st.integers(0, 99))
def test_the_order_of_any_documents_makes_no_difference(problem, seed):
    X, y = problem
    rows = np.random.default_rng(seed).permutation(len(y))
    expected, shuffled = model(n_folds=2).fit(X, y), model(n_folds=2).fit(X[rows], y[rows])
    assert_array_equal(shuffled.predict_proba(X), expected.predict_proba(X))


def test_the_order_of_terms_makes_no_difference():
    X, y, _ = topics()
    columns = np.random.default_rng(1).permutation(X.shape[1])
    expected = model().fit(X, y).predict_proba(X)
    shuffled = model().fit(X[:, columns], y)
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


@pytest.mark.parametrize("mark", [None, np.nan, pd.NA, pd.NaT, "", " "], ids=repr)
@pytest.mark.parametrize("kind", [list, pd.Series])
def test_usual_marks_need_no_parameter(mark, kind):
    X, y, truth = topics()
    other = kind([mark if label == "?" else label for label in y.tolist()])
    fitted = FewLabelsClassifier().fit(X, other)
    assert fitted.classes_.tolist() == ["a", "b", "c"]
    assert_array_equal(fitted.coef_, model().fit(X, y).coef_)
    assert fitted.score(X, other) == np.mean(fitted.predict(X) == truth, where=y != "?")


@pytest.mark.parametrize("mark", [-1, None, np.nan, pd.NA], ids=repr)
@pytest.mark.parametrize("kind", [list, pd.Series])
def test_usual_marks_among_numbers(mark, kind):
    X, y, _ = topics()
    other = kind(with_other_labels(y, mark, [0, 1, 2], object).tolist())
    fitted = FewLabelsClassifier().fit(X, other)
    assert fitted.classes_.tolist() == [0, 1, 2]
    assert_array_equal(fitted.coef_, model().fit(X, y).coef_)
    of_one_class = kind(np.where(y == "a", 0, np.full(len(y), mark, dtype=object)).tolist())
    assert fitted.score(X, of_one_class) == np.mean(fitted.predict(X[y == "a"]) == 0)


def test_minus_one_and_one_are_two_classes():
    X, _, truth = topics(n_classes=2, marks="ab")
    y = np.where(truth == "a", -1, 1)
    fitted = FewLabelsClassifier().fit(X, y)
    assert fitted.classes_.tolist() == [-1, 1]
    assert fitted.score(X, y) == np.mean(fitted.predict(X) == y)
    with_pool = [None if i > 20 else label for i, label in enumerate(y.tolist())]
    assert FewLabelsClassifier().fit(X, with_pool).classes_.tolist() == [-1, 1]


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
        ("max_pool", 0),
        ("max_pool", 1e4),
        ("max_pool", "auto"),
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
