"""What every variant of CountNB has in common: scikit-learn's contract, refusals, extremes."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import clone

from honeybayes.bayes import (
    AssociationWeightedNB,
    CountNB,
    FeatureSelectedNB,
    FeatureWeightedNB,
    InstanceWeightedNB,
    LocallyWeightedNB,
    TreeNB,
    WordClusterNB,
)
from tests.bayes.count_oracle import RULES, random_counts

# settings small enough to cut neighbors, to split and to merge in 60 documents of 40 terms
LINEAR = [
    AssociationWeightedNB(),
    FeatureSelectedNB(),
    FeatureWeightedNB(),
    FeatureWeightedNB(weighting="cfs"),
    FeatureWeightedNB(weighting="tree"),
    InstanceWeightedNB(),
    WordClusterNB(n_clusters=6),
]
LOCAL = [LocallyWeightedNB(n_neighbors=5), TreeNB(min_share=0.2)]
MODELS = [*LINEAR, *LOCAL]
every_model = pytest.mark.parametrize("model", MODELS, ids=repr)
every_linear_model = pytest.mark.parametrize("model", LINEAR, ids=repr)
every_rule = pytest.mark.parametrize("rule", RULES)


def untidy(X):
    """Counts as CSR out of order, each in two halves, with explicit zeros."""
    halves = [np.concatenate([np.flatnonzero(row)[::-1]] * 2 + [[0, 1]]) for row in X]
    data = [
        np.append(row[terms[:-2]] / 2, [0.0, 0.0]) for row, terms in zip(X, halves, strict=True)
    ]
    starts = np.cumsum([0, *map(len, halves)])
    counts = sparse.csr_array((np.concatenate(data), np.concatenate(halves), starts), X.shape)
    assert not counts.has_sorted_indices
    assert not counts.has_canonical_format
    assert_array_equal(counts.toarray(), X)
    return counts


@every_model
def test_settings_are_at_work(model):
    X, y = random_counts()
    scores = clone(model).set_params(rule="complement").fit(X, y).predict_joint_log_proba(X)
    assert not np.allclose(scores, CountNB(rule="complement").fit(X, y).predict_joint_log_proba(X))


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
    expected = CountNB(rule=rule, alpha=0.5).fit(X, y)
    assert_allclose(model.predict_joint_log_proba(X), expected.predict_joint_log_proba(X))
    assert_allclose(model.feature_count_, expected.feature_count_)


@every_model
@every_rule
def test_dense_sparse_and_any_type_agree(model, rule):
    X, y = random_counts()
    model = clone(model).set_params(rule=rule)
    expected = model.fit(X, y).predict_joint_log_proba(X)
    sparse_forms = (sparse.csr_array, sparse.csc_matrix, sparse.coo_array, untidy)
    for convert in (*sparse_forms, np.float16, np.float32, np.longdouble, np.uint8):
        same = convert(X)
        scores = model.fit(same, y).predict_joint_log_proba(same)
        assert scores.dtype == np.float64
        assert_allclose(scores, expected, rtol=1e-12, atol=1e-12)


@every_model
@pytest.mark.parametrize("form", ["coo", "csr"])
def test_duplicates_of_a_small_type_do_not_wrap_around(model, form):
    data, terms = np.full(8, 200, np.uint8), np.repeat(np.arange(4), 2)
    doubled = {
        "coo": sparse.coo_array((data, (terms, terms)), shape=(4, 4)),
        "csr": sparse.csr_array((data, terms, np.arange(0, 9, 2)), shape=(4, 4)),
    }[form]
    y = [0, 1, 0, 1]
    assert_allclose(
        clone(model).fit(doubled, y).predict_log_proba(doubled),
        clone(model).fit(400 * np.eye(4), y).predict_log_proba(400 * np.eye(4)),
    )


@every_model
def test_input_is_left_as_it_was(model):
    X, y = random_counts()
    for given in (untidy(X), sparse.csr_array(X.astype(float))):
        before = given.data.copy(), given.indices.copy(), given.indptr.copy()
        clone(model).fit(given, y).predict(given)
        for now, then in zip((given.data, given.indices, given.indptr), before, strict=True):
            assert_array_equal(now, then)


@pytest.mark.parametrize(
    ("make", "parameter"), [(FeatureWeightedNB, "weighting"), (FeatureSelectedNB, "score_func")]
)
@pytest.mark.parametrize("form", [untidy, lambda X: sparse.csr_array(X.astype(float))])
def test_a_function_gets_tidy_counts_of_its_own(make, parameter, form):
    X, y = random_counts()
    given = form(X)
    before = given.data.copy()

    def entries_of_term(counts, classes):
        assert counts.dtype == np.float64
        assert counts.has_canonical_format
        assert_array_equal(classes, y)
        answer = np.bincount(counts.indices, minlength=counts.shape[1])
        counts.data[:], classes[:] = 0, 0
        return answer

    model = make(**{parameter: entries_of_term}).fit(given, y)
    assert_array_equal(given.data, before)
    expected = make(**{parameter: lambda X, y: np.bincount(X.indices, minlength=40)}).fit(X, y)
    assert_allclose(model.predict_log_proba(X), expected.predict_log_proba(X))


@every_linear_model
@every_rule
def test_log_probabilities_are_what_they_are_called(model, rule):
    X, y = random_counts()
    model = clone(model).set_params(rule=rule, alpha=0.5).fit(X, y)
    own = model.feature_count_
    tables = {"feature_log_prob_": own, "complement_feature_log_prob_": own.sum(axis=0) - own}
    unused = {"multinomial": "complement_feature_log_prob_", "complement": "feature_log_prob_"}
    if rule in unused:
        assert getattr(model, unused[rule]) is None
        del tables[unused[rule]]
    for name, count in tables.items():
        expected = (count + 0.5) / (count + 0.5).sum(axis=1, keepdims=True)
        assert_allclose(np.exp(getattr(model, name)), expected)
        assert getattr(model, name).T.flags.c_contiguous
    for name in ("_class_table", "_complement_table"):
        table = getattr(model, name, None)
        assert table is None or (table.flags.c_contiguous and table.shape == (40, 4))


@every_model
def test_order_of_documents_does_not_matter(model):
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
def test_training_without_any_word(model):
    model = clone(model).fit(np.zeros((3, 2)), ["a", "b", "a"])
    prior = np.exp(model.class_log_prior_)
    assert_allclose(model.predict_proba([[0, 0], [1, 5]]), [prior / prior.sum()] * 2)


@every_linear_model
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
def test_counts_beyond_float64(model):
    X, y = random_counts()
    for count in (5e307, 1e300):
        model = clone(model)
        with pytest.raises(ValueError, match="Divide X, or the weights"):
            model.fit((X > 0) * count, y)
        assert not hasattr(model, "classes_")
    X = X * 1e297 / X.sum()
    assert_allclose(clone(model).fit(X, y).predict_proba(X).sum(axis=1), 1)


@pytest.mark.parametrize("model", [InstanceWeightedNB(), WordClusterNB(n_clusters=6)], ids=repr)
@pytest.mark.parametrize("weight", [7e305, 1e300])
def test_weights_beyond_float64(model, weight):
    X, y = random_counts()
    model = clone(model)
    with pytest.raises(ValueError, match="Divide X, or the weights"):
        model.fit(X, y, sample_weight=np.full(60, weight))
    assert not hasattr(model, "classes_")


@pytest.mark.parametrize(
    ("model", "change"),
    [
        *((model, change) for model in MODELS for change in ({"rule": "complement"}, {"alpha": 9})),
        (FeatureSelectedNB(), {"score_func": "chi-square"}),
        (FeatureSelectedNB(), {"shares": [0.1]}),
        (FeatureWeightedNB(), {"weighting": "cfs"}),
        (InstanceWeightedNB(), {"max_iter": 0}),
        (LocallyWeightedNB(n_neighbors=5), {"n_neighbors": 0}),
        (LocallyWeightedNB(n_neighbors=5), {"weights": "uniform"}),
        (TreeNB(min_share=0.2), {"min_share": 2}),
        (WordClusterNB(n_clusters=6), {"n_clusters": 1}),
    ],
    ids=repr,
)
def test_parameters_set_after_fit_wait_for_the_next(model, change):
    X, y = random_counts()
    model = clone(model).fit(X, y)
    expected = model.predict_log_proba(X)
    assert_array_equal(model.set_params(**change).predict_log_proba(X), expected)


@every_model
def test_four_threads_give_the_answer_of_one(model):
    X, y = random_counts()
    model = clone(model).fit(X, y)
    expected = model.predict_joint_log_proba(X)
    with ThreadPoolExecutor(4) as pool:
        for scores in pool.map(model.predict_joint_log_proba, [X] * 16):
            assert_array_equal(scores, expected)


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
        ({"alpha": 1e-310}, r"must be between 1e-100 and 1e\+100"),
        ({"alpha": 1e308}, r"must be between 1e-100 and 1e\+100"),
    ],
)
def test_unusable_parameters(model, parameters, message):
    with pytest.raises(ValueError, match=message):
        clone(model).set_params(**parameters).fit([[1, 0], [0, 1]], [0, 1])


@every_model
def test_texts_are_told_where_to_go(model):
    with pytest.raises(ValueError, match=rf"TextClassifier\({type(model).__name__}\(\)\)"):
        clone(model).fit(["some words", "other words"], [0, 1])
