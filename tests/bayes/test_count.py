"""CountNB against Equations 1 to 7 written out, and against scikit-learn."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.naive_bayes import ComplementNB, MultinomialNB

from honeybayes.bayes.count import CountNB
from honeybayes.bayes.hidden import HiddenNB
from honeybayes.bayes.structure_extended import StructureExtendedNB
from tests.bayes.count_oracle import RULES, Oracle, problems, scores_of

many = settings(max_examples=60)


@many
@given(problems(), st.sampled_from(RULES))
def test_equals_equations(problem, rule):
    X, y, new, alpha = problem
    scores = CountNB(rule=rule, alpha=alpha).fit(X, y).predict_joint_log_proba(new)
    oracle = Oracle(X, y, alpha)
    expected = scores_of(new, lambda document: oracle.count_scores(document, rule))
    assert_allclose(scores, expected, rtol=1e-9, atol=1e-9)


def random_counts(n_documents=60, n_terms=40, n_classes=5, seed=0):
    random = np.random.default_rng(seed)
    X = random.poisson(0.3, (n_documents, n_terms))
    return X, random.integers(0, n_classes, n_documents)


@pytest.mark.parametrize("alpha", [1.0, 0.1])
def test_multinomial_equals_scikit_learn_with_the_same_priors(alpha):
    X, y = random_counts()
    ours = CountNB(alpha=alpha).fit(X, y)
    theirs = MultinomialNB(alpha=alpha, class_prior=np.exp(ours.class_log_prior_)).fit(X, y)
    assert_allclose(ours.feature_log_prob_, theirs.feature_log_prob_, rtol=0, atol=1e-10)
    assert_allclose(
        ours.predict_joint_log_proba(X), theirs.predict_joint_log_proba(X), rtol=0, atol=1e-10
    )


@pytest.mark.parametrize("alpha", [1.0, 0.1])
def test_complement_equals_scikit_learn_but_for_the_prior(alpha):
    X, y = random_counts()
    ours = CountNB(rule="complement", alpha=alpha).fit(X, y)
    theirs = ComplementNB(alpha=alpha).fit(X, y)
    without_prior = ours.predict_joint_log_proba(X) + ours.complement_log_prior_
    assert_allclose(without_prior, theirs.predict_joint_log_proba(X), rtol=0, atol=1e-10)


@many
@given(problems(), st.sampled_from(RULES))
def test_equal_priors(problem, rule):
    """With ``fit_prior=False`` the score is the likelihood alone, but for a constant."""
    X, y, new, alpha = problem
    learned = CountNB(rule=rule, alpha=alpha).fit(X, y)
    equal = CountNB(rule=rule, alpha=alpha, fit_prior=False).fit(X, y)
    prior = {
        "multinomial": learned.class_log_prior_,
        "complement": -learned.complement_log_prior_,
        "one-vs-rest": learned.class_log_prior_ - learned.complement_log_prior_,
    }[rule]
    sign = {"multinomial": -1, "complement": 1, "one-vs-rest": 0}[rule]
    oracle = Oracle(X, y, alpha)
    expected = scores_of(new, lambda document: oracle.count_scores(document, rule)) - prior
    scores = equal.predict_joint_log_proba(new)
    assert_allclose(scores, expected + sign * np.log(len(equal.classes_)), rtol=1e-9, atol=1e-9)
    assert_array_equal(equal.class_count_, learned.class_count_)


def test_complement_without_prior_is_scikit_learn():
    X, y = random_counts()
    ours = CountNB(rule="complement", fit_prior=False).fit(X, y)
    theirs = ComplementNB().fit(X, y)
    assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-10)
    in_batches = CountNB(rule="complement", fit_prior=False).partial_fit(
        X[:30], y[:30], np.unique(y)
    )
    in_batches.partial_fit(X[30:], y[30:])
    assert_allclose(in_batches.predict_proba(X), theirs.predict_proba(X), rtol=1e-10)
    with pytest.raises(ValueError, match="fit_prior"):
        CountNB(fit_prior="no").fit(X, y)


@pytest.mark.parametrize("rule", RULES)
def test_partial_fit_in_any_order_equals_fit(rule):
    X, y = random_counts()
    weight = np.random.default_rng(1).uniform(0, 2, len(y))
    whole = CountNB(rule=rule).fit(X, y, weight)
    parts = CountNB(rule=rule)
    for rows in np.array_split(np.random.default_rng(2).permutation(len(y)), 7):
        parts.partial_fit(sparse.csr_array(X[rows]), y[rows], range(5), weight[rows])
    assert_allclose(parts.predict_joint_log_proba(X), whole.predict_joint_log_proba(X), rtol=1e-12)
    assert_allclose(parts.feature_count_, whole.feature_count_)
    assert_allclose(parts.class_count_, whole.class_count_)


@pytest.mark.parametrize("rule", RULES)
def test_weight_is_repetition(rule):
    X, y = random_counts()
    times = np.random.default_rng(3).integers(1, 4, len(y))
    weighted = CountNB(rule=rule).fit(X, y, sample_weight=times)
    repeated = CountNB(rule=rule).fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    assert_allclose(weighted.predict_log_proba(X), repeated.predict_log_proba(X))


@pytest.mark.parametrize("rule", RULES)
def test_class_that_never_came_has_only_its_prior(rule):
    model = CountNB(rule=rule).partial_fit([[1, 0], [0, 2]], ["a", "b"], classes=["a", "b", "c"])
    assert_allclose(np.exp(model.class_log_prior_), [2 / 5, 2 / 5, 1 / 5])
    assert np.isfinite(model.predict_log_proba([[1, 1], [0, 0]])).all()


def test_label_that_was_not_announced():
    model = CountNB()
    with pytest.raises(ValueError, match="not in classes"):
        model.partial_fit([[1, 0], [0, 2]], ["a", "z"], classes=["a", "b"])
    model.partial_fit([[1, 0], [0, 2]], ["a", "b"], classes=["a", "b"])
    assert_array_equal(model.class_count_, [1, 1])


def test_fit_forgets():
    X, y = random_counts()
    model = CountNB().fit(X, y).fit(X[:30], y[:30])
    assert model.class_count_.sum() == 30


@pytest.mark.parametrize("rule", RULES)
def test_dense_sparse_and_any_type_agree(rule):
    X, y = random_counts()
    expected = CountNB(rule=rule).fit(X, y).predict_joint_log_proba(X)
    for convert in (sparse.csr_array, sparse.csc_matrix, np.float32, np.uint8):
        same = convert(X)
        assert_allclose(
            CountNB(rule=rule).fit(same, y).predict_joint_log_proba(same), expected, rtol=1e-12
        )


def test_tables_lie_in_order_of_terms():
    X, y = random_counts()
    model = CountNB(rule="one-vs-rest").fit(X, y)
    copy = pickle.loads(pickle.dumps(model))
    for kept in (model, copy):
        for name in ("feature_log_prob_", "complement_feature_log_prob_", "feature_count_"):
            assert getattr(kept, name).shape == (5, 40)
            assert getattr(kept, name).T.flags.c_contiguous


@pytest.mark.parametrize("rule", RULES)
def test_extremes_have_no_nan(rule):
    n_terms = 2**18
    X = sparse.random(40, n_terms, density=1e-4, format="csr", random_state=0)
    y = np.array(["rare"] + ["common"] * 20 + ["other"] * 19)
    long = sparse.csr_array(np.full((1, n_terms), 10_000 / n_terms))
    empty = sparse.csr_array((1, n_terms))
    proba = CountNB(rule=rule).fit(X, y).predict_proba(sparse.vstack([X, long, 1e6 * long, empty]))
    assert np.isfinite(proba).all()
    assert_allclose(proba.sum(axis=1), 1)


@pytest.mark.parametrize("rule", RULES)
def test_empty_document_gets_the_prior(rule):
    model = CountNB(rule=rule).fit([[1, 0], [0, 1], [2, 0]], ["a", "b", "a"])
    assert_allclose(
        model.predict_joint_log_proba([[0, 0]])[0],
        {
            "multinomial": np.log([3 / 5, 2 / 5]),
            "complement": -np.log([2 / 5, 3 / 5]),
            "one-vs-rest": np.log([3 / 2, 2 / 3]),
        }[rule],
    )


@pytest.mark.parametrize("method", ["fit", "predict"])
def test_negative_counts_and_nan(method):
    model = CountNB().fit([[1, 0], [0, 1]], [0, 1])
    call = {"fit": lambda X: model.fit(X, [0, 1]), "predict": model.predict}[method]
    for bad, message in [(-1.0, "Negative values"), (np.nan, "NaN"), (np.inf, "infinity")]:
        for kind in (np.array, sparse.csr_array):
            with pytest.raises(ValueError, match=message):
                call(kind([[bad, 1.0], [0.0, 1.0]]))


def test_negative_weight():
    with pytest.raises(ValueError, match="Negative values"):
        CountNB().fit([[1, 0], [0, 1]], [0, 1], sample_weight=[1, -1])


def test_failed_partial_fit_changes_nothing():
    model = CountNB()
    with pytest.raises(ValueError, match="not in classes"):
        model.partial_fit([[1, 0]], [7], classes=[0, 1])
    model.partial_fit([[1, 0], [0, 1]], [0, 1], classes=[0, 1])
    assert_array_equal(model.class_count_, [1, 1])


def test_duplicates_of_coo_do_not_wrap_around():
    data, places = np.full(4, 200, np.uint8), ([0, 0, 1, 1], [0, 0, 1, 1])
    doubled = sparse.coo_array((data, places), shape=(2, 2))
    assert_array_equal(CountNB().fit(doubled, [0, 1]).feature_count_, [[400, 0], [0, 400]])


def test_batch_of_empty_documents():
    model = CountNB().partial_fit([[1, 0], [0, 2]], [0, 1], classes=[0, 1])
    model.partial_fit([[0, 0]], [1])
    assert_array_equal(model.class_count_, [1, 2])
    assert_array_equal(model.feature_count_, [[1, 0], [0, 2]])


def test_failed_fit_changes_nothing():
    X = [[1, 0], [0, 2]]
    model = CountNB()
    with pytest.raises(ValueError, match="Negative values in sample_weight"):
        model.fit(X, ["a", "b"], sample_weight=[-1, 1])
    model.partial_fit(X, ["c", "d"], classes=["c", "d"])
    assert_array_equal(model.classes_, ["c", "d"])


@pytest.mark.parametrize("change", [{"rule": "complement"}, {"alpha": 9.0}])
def test_parameters_set_after_fit_wait_for_the_next(change):
    X, y = random_counts()
    model = CountNB().fit(X, y)
    expected = model.predict_log_proba(X)
    assert_array_equal(model.set_params(**change).predict_log_proba(X), expected)


def test_widen():
    X, y = random_counts()
    model = CountNB(rule="one-vs-rest").fit(X, y)
    model.widen(X.shape[1] + 3)
    padded = np.hstack([X, np.zeros((len(X), 3))])
    assert_allclose(
        model.predict_log_proba(padded),
        CountNB(rule="one-vs-rest").fit(padded, y).predict_log_proba(padded),
    )


@pytest.mark.parametrize("alpha", [1e-310, 1e308])
def test_alpha_beyond_float64(alpha):
    with pytest.raises(ValueError, match=r"must be between 1e-100 and 1e\+100"):
        CountNB(alpha=alpha).fit([[1, 0], [0, 1]], [0, 1])


def test_rows_sum_to_one_for_huge_counts():
    X, y = random_counts()
    probabilities = CountNB().fit(X, y).predict_proba(X * 1e15)
    assert_allclose(probabilities.sum(axis=1), 1)


@pytest.mark.parametrize("make", [CountNB, HiddenNB, StructureExtendedNB])
def test_counts_beyond_float64(make):
    model = make()
    with pytest.raises(ValueError, match=r"is inf, but .* Divide X, or the weights"):
        model.fit(np.full((4, 3), 5e307), [0, 1, 0, 1])
    assert not hasattr(model, "classes_")


def test_batches_beyond_float64():
    model = CountNB().fit([[6e299, 0], [0, 1]], [0, 1])
    with pytest.raises(ValueError, match=r"is 1\.2e\+300, but"):
        model.partial_fit([[6e299, 0]], [0])
    assert_array_equal(model.class_count_, [1, 1])
