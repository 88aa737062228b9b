"""What every variant of CountNB has in common: scikit-learn's contract, refusals, extremes."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

from honeybayes.bayes import (
    AssociationWeightedNB,
    CountNB,
    FeatureSelectedNB,
    FeatureWeightedNB,
    InstanceWeightedNB,
)
from tests.bayes.count_oracle import RULES, random_counts

MODELS = [
    AssociationWeightedNB(),
    FeatureSelectedNB(),
    FeatureWeightedNB(),
    FeatureWeightedNB(weighting="cfs"),
    FeatureWeightedNB(weighting="tree"),
    InstanceWeightedNB(),
    InstanceWeightedNB(early_stopping=True, random_state=0),
]
every_model = pytest.mark.parametrize("model", MODELS, ids=repr)
every_rule = pytest.mark.parametrize("rule", RULES)


# each with one of the rules, which stand in one place for all
@parametrize_with_checks(
    [
        AssociationWeightedNB("one-vs-rest"),
        FeatureSelectedNB("one-vs-rest"),
        FeatureWeightedNB("one-vs-rest"),
        FeatureWeightedNB("complement", weighting="cfs"),
        FeatureWeightedNB(weighting="tree"),
        InstanceWeightedNB("complement"),
    ]
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@every_rule
@pytest.mark.parametrize(
    "model",
    [
        FeatureWeightedNB(weighting=np.ones(40)),
        FeatureWeightedNB(weighting=lambda X, y: np.ones(X.shape[1])),
        FeatureSelectedNB(shares=[1]),
        InstanceWeightedNB(max_iter=0),
    ],
    ids=["ones", "function", "all terms", "no round"],
)
def test_equal_weights_give_count_nb(model, rule):
    X, y = random_counts()
    model = clone(model).set_params(rule=rule, alpha=0.5).fit(X, y)
    expected = CountNB(rule, 0.5).fit(X, y)
    assert_allclose(model.predict_joint_log_proba(X), expected.predict_joint_log_proba(X))
    assert_allclose(model.feature_count_, expected.feature_count_)


@every_model
@every_rule
def test_dense_sparse_and_any_type_agree(model, rule):
    X, y = random_counts()
    model = clone(model).set_params(rule=rule)
    expected = model.fit(X, y).predict_joint_log_proba(X)
    for convert in (sparse.csr_array, sparse.csc_matrix, sparse.coo_array, np.float32, np.uint8):
        same = convert(X)
        assert_allclose(model.fit(same, y).predict_joint_log_proba(same), expected, rtol=1e-12)


@every_model
def test_duplicates_and_explicit_zeros_are_nothing_new(model):
    X, y = random_counts()
    rows, columns = np.nonzero(X)
    counts = X[rows, columns].astype(float)
    halves = np.concatenate([counts / 2, counts / 2, np.zeros(3)])
    place = np.concatenate([rows, rows, [0, 1, 2]]), np.concatenate([columns, columns, [0, 1, 2]])
    order = np.argsort(place[0], kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(place[0], minlength=len(X)))])
    untidy = sparse.csr_array((halves[order], place[1][order], starts), shape=X.shape)
    assert_allclose(
        clone(model).fit(untidy, y).predict_joint_log_proba(X),
        clone(model).fit(X, y).predict_joint_log_proba(X),
    )


@every_model
def test_order_of_documents_does_not_matter(model):
    if getattr(model, "early_stopping", False):
        pytest.skip("sets other documents aside")
    X, y = random_counts()
    order = np.random.default_rng(1).permutation(len(y))
    assert_allclose(
        clone(model).fit(X[order], y[order]).predict_joint_log_proba(X),
        clone(model).fit(X, y).predict_joint_log_proba(X),
    )


@every_model
@every_rule
def test_extremes_have_no_nan(model, rule):
    n_terms = 2**12
    X = sparse.random(40, n_terms, density=1e-2, format="csr", random_state=0)
    y = np.array(["rare"] + ["common"] * 20 + ["other"] * 19)
    long = sparse.csr_array(np.full((1, n_terms), 10_000 / n_terms))
    new = sparse.vstack([X, long, 1e6 * long, sparse.csr_array((1, n_terms))])
    proba = clone(model).set_params(rule=rule).fit(X, y).predict_proba(new)
    assert np.isfinite(proba).all()
    assert_allclose(proba.sum(axis=1), 1)


@every_model
@every_rule
def test_one_class_and_empty_documents(model, rule):
    model = clone(model).set_params(rule=rule).fit(np.zeros((4, 3)), ["a"] * 4)
    assert_array_equal(model.predict([[1, 0, 2], [0, 0, 0]]), ["a", "a"])


@every_model
@every_rule
def test_empty_document_gets_the_prior(model, rule):
    X, y = random_counts()
    model = clone(model).set_params(rule=rule).fit(X, y)
    a, b = model.class_log_prior_, model.complement_log_prior_
    expected = {"multinomial": a, "complement": -b, "one-vs-rest": a - b}[rule]
    assert_allclose(model.predict_joint_log_proba(np.zeros((1, 40)))[0], expected)


@every_model
def test_rows_sum_to_one_for_huge_counts(model):
    X, y = random_counts()
    assert_allclose(clone(model).fit(X, y).predict_proba(X * 1e15).sum(axis=1), 1)


@every_model
@pytest.mark.parametrize("change", [{"rule": "complement"}, {"alpha": 9.0}])
def test_parameters_set_after_fit_wait_for_the_next(model, change):
    X, y = random_counts()
    model = clone(model).fit(X, y)
    expected = model.predict_log_proba(X)
    assert_array_equal(model.set_params(**change).predict_log_proba(X), expected)


@every_model
def test_survives_pickle(model):
    X, y = random_counts()
    model = clone(model).set_params(rule="one-vs-rest").fit(X, y)
    copy = pickle.loads(pickle.dumps(model))
    assert_array_equal(copy.predict_joint_log_proba(X), model.predict_joint_log_proba(X))


@every_model
@pytest.mark.parametrize("method", ["fit", "predict"])
@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ([[-1.0, 1.0], [0.0, 1.0]], "Negative values"),
        ([[np.nan, 1.0], [0.0, 1.0]], "NaN"),
        ([[np.inf, 1.0], [0.0, 1.0]], "infinity"),
    ],
)
def test_unusable_counts(model, method, bad, message):
    model = clone(model).fit([[1, 0], [0, 1]], [0, 1])
    call = {"fit": lambda X: model.fit(X, [0, 1]), "predict": model.predict}[method]
    for kind in (np.array, sparse.csr_array):
        with pytest.raises(ValueError, match=message):
            call(kind(bad))


@every_model
@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"rule": "MNB"}, "rule must be one of 'multinomial', 'complement', 'one-"),
        ({"rule": None}, "rule must be one of"),
        ({"alpha": 0}, "alpha must be a finite number above 0"),
        ({"alpha": -1.0}, "alpha must be a finite number above 0"),
        ({"alpha": np.nan}, "alpha must be a finite number above 0"),
        ({"alpha": "1"}, "alpha must be a finite number above 0"),
        ({"alpha": 1e-310}, "take it from 1e-100 to 1e100"),
        ({"alpha": 1e308}, "take it from 1e-100 to 1e100"),
    ],
)
def test_unusable_parameters(model, parameters, message):
    with pytest.raises(ValueError, match=message):
        clone(model).set_params(**parameters).fit([[1, 0], [0, 1]], [0, 1])


@every_model
def test_texts_are_told_where_to_go(model):
    with pytest.raises(ValueError, match=rf"TextClassifier\({type(model).__name__}\(\)\)"):
        clone(model).fit(["some words", "other words"], [0, 1])
