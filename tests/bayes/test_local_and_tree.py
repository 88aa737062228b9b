"""What LocallyWeightedNB, TreeNB and WordClusterNB owe a user, as CountNB does."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from honeybayes import LocallyWeightedNB, TreeNB, WordClusterNB
from tests.bayes.count_oracle import RULES

MAKERS = [LocallyWeightedNB, TreeNB, WordClusterNB]
every_model = pytest.mark.parametrize("make", MAKERS)
every_rule = pytest.mark.parametrize("rule", RULES)


def random_counts(n_documents=60, n_terms=40, n_classes=5, seed=0):
    random = np.random.default_rng(seed)
    X = random.poisson(0.3, (n_documents, n_terms))
    return X, random.integers(0, n_classes, n_documents)


@every_model
@every_rule
def test_dense_sparse_and_any_type_agree(make, rule):
    X, y = random_counts()
    expected = make(rule=rule).fit(X, y).predict_joint_log_proba(X)
    unsorted = sparse.csr_array(X)[:, ::-1][:, ::-1]
    for same in (sparse.csr_array(X), sparse.csc_matrix(X), np.float32(X), np.uint8(X), unsorted):
        model = make(rule=rule).fit(same, y)
        assert_allclose(model.predict_joint_log_proba(same), expected, atol=1e-12)


@every_model
@every_rule
def test_extremes_have_no_nan(make, rule):
    n_terms = 2**15
    X = sparse.random(40, n_terms, density=1e-4, format="csr", random_state=0)
    y = np.array(["rare"] + ["common"] * 20 + ["other"] * 19)
    long = sparse.csr_array(np.full((1, n_terms), 10_000 / n_terms))
    new = sparse.vstack([X, long, 1e6 * long, sparse.csr_array((1, n_terms))])
    proba = make(rule=rule).fit(X, y).predict_proba(new)
    assert np.isfinite(proba).all()
    assert_allclose(proba.sum(axis=1), 1)


@every_model
def test_training_without_any_word(make):
    model = make().fit(np.zeros((3, 2)), ["a", "b", "a"])
    assert_allclose(model.predict_proba([[0, 0], [1, 5]]), [[0.6, 0.4], [0.6, 0.4]])


@every_model
@pytest.mark.parametrize("method", ["fit", "predict"])
def test_negative_counts_and_nan(make, method):
    model = make().fit([[1, 0], [0, 1]], [0, 1])
    call = {"fit": lambda X: model.fit(X, [0, 1]), "predict": model.predict}[method]
    for bad, message in [(-1.0, "Negative values"), (np.nan, "NaN"), (np.inf, "infinity")]:
        for kind in (np.array, sparse.csr_array):
            with pytest.raises(ValueError, match=message):
                call(kind([[bad, 1.0], [0.0, 1.0]]))


@every_model
def test_duplicates_of_coo_do_not_wrap_around(make):
    data, places = np.full(4, 200, np.uint8), ([0, 0, 1, 1], [0, 0, 1, 1])
    doubled = sparse.coo_array((data, places), shape=(2, 2))
    assert_allclose(
        make().fit(doubled, [0, 1]).predict_log_proba(doubled),
        make().fit([[400, 0], [0, 400]], [0, 1]).predict_log_proba([[400, 0], [0, 400]]),
    )


@every_model
def test_input_is_left_as_it_was(make):
    X = sparse.csr_array(
        (np.array([1.0, 0.0, 2.0, 1.0]), np.array([1, 0, 0, 0]), np.array([0, 2, 4])), shape=(2, 2)
    )
    before = X.data.copy(), X.indices.copy()
    make().fit(X, [0, 1]).predict(X)
    assert_array_equal(X.data, before[0])
    assert_array_equal(X.indices, before[1])


@every_model
def test_texts_are_shown_where_they_go(make):
    with pytest.raises(ValueError, match=rf"use TextClassifier\({make.__name__}\(\)\)"):
        make().fit(["a boat", "a hill"], [0, 1])


@every_model
def test_bad_parameters(make):
    X, y = [[1, 0], [0, 1]], [0, 1]
    with pytest.raises(ValueError, match="rule must be one of"):
        make(rule="MNB").fit(X, y)
    for alpha in (0, -1, np.nan, "1"):
        with pytest.raises(ValueError, match="alpha must be a finite number above 0"):
            make(alpha=alpha).fit(X, y)
    for alpha in (1e-310, 1e308):
        with pytest.raises(ValueError, match="take it from 1e-100 to 1e100"):
            make(alpha=alpha).fit(X, y)


@pytest.mark.parametrize(
    ("model", "change"),
    [
        *((make(), change) for make in MAKERS for change in ({"rule": "complement"}, {"alpha": 9})),
        (LocallyWeightedNB(), {"n_neighbors": 0}),
        (LocallyWeightedNB(), {"weights": "uniform"}),
        (TreeNB(), {"min_share": 2}),
        (WordClusterNB(), {"n_clusters": 1}),
    ],
    ids=repr,
)
def test_parameters_set_after_fit_wait_for_the_next(model, change):
    X, y = random_counts()
    expected = model.fit(X, y).predict_log_proba(X)
    assert_array_equal(model.set_params(**change).predict_log_proba(X), expected)


@every_model
def test_rows_sum_to_one_for_huge_counts(make):
    X, y = random_counts()
    assert_allclose(make().fit(X, y).predict_proba(X * 1e15).sum(axis=1), 1)


@every_model
def test_four_threads_give_the_answer_of_one(make):
    X, y = random_counts()
    model = make().fit(X, y)
    expected = model.predict_joint_log_proba(X)
    with ThreadPoolExecutor(4) as pool:
        for scores in pool.map(model.predict_joint_log_proba, [X] * 16):
            assert_array_equal(scores, expected)


@every_model
def test_survives_pickle(make):
    X, y = random_counts()
    model = make().fit(X, y)
    copy = pickle.loads(pickle.dumps(model))
    assert_array_equal(copy.predict_joint_log_proba(X), model.predict_joint_log_proba(X))
