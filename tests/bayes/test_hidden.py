"""HiddenNB against Algorithms 2, 4 and 6 written out."""

import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from honeybayes.bayes import _count_base
from honeybayes.bayes.count import CountNB
from honeybayes.bayes.hidden import HiddenNB
from reproduction.corpora import load_corpus
from tests.bayes.count_oracle import RULES, Oracle, problems, scores_of

CONFIGURATIONS = [*[(rule, "difference") for rule in RULES], ("one-vs-rest", "paper")]
every_configuration = pytest.mark.parametrize(("rule", "ovr_score"), CONFIGURATIONS)
many = settings(max_examples=60)


@many
@given(problems(), st.sampled_from(CONFIGURATIONS))
def test_equals_algorithms(problem, configuration):
    X, y, new, alpha = problem
    rule, ovr_score = configuration
    model = HiddenNB(rule=rule, alpha=alpha, ovr_score=ovr_score).fit(X, y)
    oracle = Oracle(X, y, alpha)
    weights = oracle.qualified()
    assert_allclose(model.parent_weights_, weights, rtol=1e-9)
    expected = scores_of(
        new, lambda document: oracle.hidden_scores(document, rule, weights, ovr_score == "paper")
    )
    assert_allclose(model.predict_joint_log_proba(new), expected, rtol=1e-9, atol=1e-9)


@many
@given(problems(), st.sampled_from(CONFIGURATIONS), st.data())
def test_equals_algorithms_with_given_weights(problem, configuration, data):
    """Weights of any size: 1e-12 beside 1 would show a word that is taken out by subtraction."""
    X, y, new, alpha = problem
    rule, ovr_score = configuration
    weight = st.sampled_from([0.0, 1e-12, 0.3, 1.0, 1e6])
    weights = data.draw(st.lists(weight, min_size=X.shape[1], max_size=X.shape[1]))
    model = HiddenNB(rule=rule, alpha=alpha, parents=weights, ovr_score=ovr_score).fit(X, y)
    oracle = Oracle(X, y, alpha)
    expected = scores_of(
        new, lambda document: oracle.hidden_scores(document, rule, weights, ovr_score == "paper")
    )
    assert_allclose(model.predict_joint_log_proba(new), expected, rtol=1e-9, atol=1e-9)


def test_hmnb_by_hand():
    """Equations 10 to 14 on three documents of four words."""
    X, y = [[1, 2, 0, 0], [1, 0, 0, 1], [0, 1, 3, 0]], ["a", "a", "b"]
    model = HiddenNB(parents=[1, 0, 3, 0]).fit(X, y)
    # The new document holds words 0, 1 and 2; 0 and 2 are parents. P(i given t, c):
    # class a, parent 0: documents 0 and 1, five words in all; parent 2: no document
    # class b, parent 0: no document; parent 2: document 2, four words in all
    a = [1 / 4, (1 * (2 + 1) / (5 + 4) + 3 * 1 / 4) / 4, (0 + 1) / (5 + 4)]
    b = [(0 + 1) / (4 + 4), (1 * 1 / 4 + 3 * (1 + 1) / (4 + 4)) / 4, 1 / 4]
    expected = np.log([3 / 5 * np.prod(a), 2 / 5 * np.prod(b)])
    assert_allclose(model.predict_joint_log_proba([[1, 1, 1, 0]])[0], expected)


@every_configuration
def test_equals_algorithms_on_medical_abstracts(rule, ovr_score, corpora):
    corpus = load_corpus("oh0")
    X, y, new = corpus.documents[30:], corpus.labels[30:], corpus.documents[:2]
    model = HiddenNB(rule=rule, ovr_score=ovr_score).fit(X, y)
    oracle = Oracle(X.toarray(), y)
    expected = scores_of(
        new.toarray(),
        lambda document: oracle.hidden_scores(
            document, rule, model.parent_weights_, ovr_score == "paper"
        ),
    )
    assert_allclose(model.predict_joint_log_proba(new), expected, rtol=1e-9)


def random_counts(n_documents=120, n_terms=60, n_classes=4, seed=0):
    random = np.random.default_rng(seed)
    y = random.integers(0, n_classes, n_documents)
    topic = random.gamma(0.3, 1, (n_classes, n_terms))
    return sparse.csr_array(random.poisson(topic[y])), y


@every_configuration
def test_words_without_parent_fall_back_to_count_nb(rule, ovr_score):
    X, y = random_counts()
    model = HiddenNB(rule=rule, alpha=0.5, parents=np.zeros(60), ovr_score=ovr_score).fit(X, y)
    expected = CountNB(rule=rule, alpha=0.5).fit(X, y).predict_joint_log_proba(X)
    assert_allclose(model.predict_joint_log_proba(X), expected)


@every_configuration
def test_one_word_document_has_no_parent(rule, ovr_score):
    X, y = random_counts()
    words = sparse.csr_array(2.0 * np.eye(60))
    model = HiddenNB(rule=rule, ovr_score=ovr_score).fit(X, y)
    assert model.parent_weights_.any()
    assert_allclose(
        model.predict_joint_log_proba(words),
        CountNB(rule=rule).fit(X, y).predict_joint_log_proba(words),
    )


def test_scale_of_weights_makes_no_difference():
    X, y = random_counts()
    weights = np.random.default_rng(1).uniform(0, 1, 60)
    for rule, ovr_score in CONFIGURATIONS:
        scores = [
            HiddenNB(rule=rule, parents=scale * weights, ovr_score=ovr_score)
            .fit(X, y)
            .predict_joint_log_proba(X)
            for scale in (1, 1e-300, 1e308)
        ]
        assert_allclose(scores[1], scores[0])
        assert_allclose(scores[2], scores[0])


@every_configuration
def test_one_by_one_and_in_small_blocks(rule, ovr_score, monkeypatch):
    X, y = random_counts()
    model = HiddenNB(rule=rule, ovr_score=ovr_score).fit(X, y)
    whole = model.predict_joint_log_proba(X)
    each = np.concatenate([model.predict_joint_log_proba(X[[j]]) for j in range(X.shape[0])])
    assert_allclose(each, whole, rtol=1e-12)
    monkeypatch.setattr(_count_base, "BLOCK_CELLS", 500)
    assert_allclose(model.predict_joint_log_proba(X), whole, rtol=1e-12)


@every_configuration
def test_order_of_training_documents_makes_no_difference(rule, ovr_score):
    X, y = random_counts()
    order = np.random.default_rng(0).permutation(len(y))
    model = HiddenNB(rule=rule, ovr_score=ovr_score)
    expected = model.fit(X, y).predict_joint_log_proba(X)
    assert_allclose(model.fit(X[order], y[order]).predict_joint_log_proba(X), expected)


@every_configuration
def test_four_threads_give_the_answer_of_one(rule, ovr_score):
    X, y = random_counts()
    model = HiddenNB(rule=rule, ovr_score=ovr_score).fit(X, y)
    expected = model.predict_joint_log_proba(X)
    with ThreadPoolExecutor(4) as pool:
        for scores in pool.map(model.predict_joint_log_proba, [X] * 16):
            assert_array_equal(scores, expected)


@every_configuration
def test_extremes_have_no_nan(rule, ovr_score):
    n_terms = 2**18
    X = sparse.random(40, n_terms, density=1e-4, format="csr", random_state=0)
    y = np.array(["rare"] + ["common"] * 20 + ["other"] * 19)
    long = sparse.random(1, n_terms, density=10_000 / n_terms, format="csr", random_state=1)
    new = sparse.vstack([X, 100 * long, sparse.csr_array((1, n_terms))])
    proba = HiddenNB(rule=rule, ovr_score=ovr_score).fit(X, y).predict_proba(new)
    assert np.isfinite(proba).all()
    assert_allclose(proba.sum(axis=1), 1)


@every_configuration
def test_what_is_stored_twice_or_as_zero_is_read_right(rule, ovr_score):
    messy = sparse.csr_array(([1, 2, 0, 3], [1, 1, 0, 2], [0, 3, 4]), shape=(2, 3))
    before = messy.data.copy()
    clean = messy.toarray()
    y = ["a", "b"]
    model = HiddenNB(rule=rule, ovr_score=ovr_score)
    expected = model.fit(clean, y).predict_joint_log_proba(clean)
    assert_allclose(model.fit(messy, y).predict_joint_log_proba(messy), expected)
    assert_array_equal(messy.data, before)


@pytest.mark.process
def test_numba_is_loaded_by_the_first_prediction():
    code = """
import sys
from honeybayes.bayes.hidden import HiddenNB
model = HiddenNB().fit([[1, 0], [0, 1]], [0, 1])
assert "numba" not in sys.modules
model.predict([[1, 1]])
assert "numba" in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_survives_pickle():
    X, y = random_counts()
    model = HiddenNB(rule="one-vs-rest").fit(X, y)
    copy = pickle.loads(pickle.dumps(model))
    assert_array_equal(copy.predict_joint_log_proba(X), model.predict_joint_log_proba(X))


@pytest.mark.parametrize(
    ("parents", "message"),
    [
        ([1.0, np.nan], "finite and 0 or more; got nan"),
        ([np.inf, 1.0], "finite and 0 or more; got inf"),
        ([1.0, -2.0], "finite and 0 or more; got -2"),
        ([1.0], r"one weight for each of the 2 terms; got shape \(1,\)"),
        ("chi-square", "parents, if it is a string, must be one of 'gain-ratio'"),
    ],
)
def test_bad_parents(parents, message):
    with pytest.raises(ValueError, match=message):
        HiddenNB(parents=parents).fit([[1, 0], [0, 1]], [0, 1])


def test_bad_parameters_and_counts():
    X, y = [[1, 0], [0, 1]], [0, 1]
    with pytest.raises(ValueError, match="ovr_score must be one of"):
        HiddenNB(ovr_score="products").fit(X, y)
    with pytest.raises(ValueError, match="rule must be one of"):
        HiddenNB(rule="HMNB").fit(X, y)
    model = HiddenNB().fit(X, y)
    for call in (model.predict, lambda bad: HiddenNB().fit(bad, y)):
        with pytest.raises(ValueError, match="Negative values"):
            call([[1, -1], [0, 1]])
        with pytest.raises(ValueError, match="NaN"):
            call([[1, np.nan], [0, 1]])


def test_parameters_set_after_fit_wait_for_the_next():
    X, y = [[2, 1, 0], [1, 0, 1], [0, 1, 3], [1, 1, 1]], [0, 0, 1, 1]
    model = HiddenNB().fit(X, y)
    expected = model.predict_log_proba(X)
    assert_array_equal(
        model.set_params(alpha=5.0, rule="complement").predict_log_proba(X), expected
    )


def test_failed_fit_changes_nothing():
    X, y = [[2, 1, 0], [1, 0, 1], [0, 1, 3]], [0, 0, 1]
    model = HiddenNB().fit(X, y)
    expected = model.predict(X)
    with pytest.raises(ValueError, match="one weight for each"):
        model.set_params(parents=[1, 2]).fit(X, [7, 8, 9])
    assert_array_equal(model.predict(X), expected)


def test_parents_that_are_too_small_beside_others():
    with pytest.raises(ValueError, match="more than 1e100 times the smallest"):
        HiddenNB(parents=[1e300, 1e-300, 0]).fit([[2, 1, 0], [1, 0, 1]], [0, 1])
