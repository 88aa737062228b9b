"""StructureExtendedNB against the average over super-parents written out."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from honeybayes.bayes import _count_base
from honeybayes.bayes.count import CountNB
from honeybayes.bayes.structure_extended import StructureExtendedNB
from reproduction.corpora import load_corpus
from tests.bayes.count_oracle import RULES, Oracle, problems, scores_of

many = settings(max_examples=60)
every_rule = pytest.mark.parametrize("rule", RULES)


@many
@given(problems(), st.sampled_from(RULES))
def test_equals_definition(problem, rule):
    X, y, new, alpha = problem
    oracle = Oracle(X, y, alpha)
    scores = StructureExtendedNB(rule=rule, alpha=alpha).fit(X, y).predict_joint_log_proba(new)
    expected = scores_of(new, lambda document: oracle.super_parent_scores(document, rule))
    assert_allclose(scores, expected, rtol=1e-9, atol=1e-9)


def test_semnb_by_hand():
    """Two words, both parents of both: word 0 is always with class a, word 1 with class b."""
    X, y = [[2, 0], [1, 0], [0, 1]], ["a", "a", "b"]
    model = StructureExtendedNB().fit(X, y)
    assert_allclose(model.parent_weights_, [1, 1])
    a = [(3 + 1) / (3 + 2) * (0 + 1) / (3 + 2), 1 / 2 * 1 / 2]  # given word 0, given word 1
    b = [1 / 2 * 1 / 2, (0 + 1) / (1 + 2) * (1 + 1) / (1 + 2)]
    expected = np.log([3 / 5 * np.mean(a), 2 / 5 * np.mean(b)])
    assert_allclose(model.predict_joint_log_proba([[1, 1]])[0], expected)


@every_rule
def test_equals_definition_on_medical_abstracts(rule, corpora):
    corpus = load_corpus("oh0")
    X, y, new = corpus.documents[30:], corpus.labels[30:], corpus.documents[:2]
    model = StructureExtendedNB(rule=rule).fit(X, y)
    oracle = Oracle(X.toarray(), y)
    expected = scores_of(
        new.toarray(),
        lambda document: oracle.super_parent_scores(document, rule, model.parent_weights_),
    )
    assert_allclose(model.predict_joint_log_proba(new), expected, rtol=1e-9)


def random_counts(n_documents=120, n_terms=60, n_classes=4, seed=0):
    random = np.random.default_rng(seed)
    y = random.integers(0, n_classes, n_documents)
    topic = random.gamma(0.3, 1, (n_classes, n_terms))
    return sparse.csr_array(random.poisson(topic[y])), y


@every_rule
def test_document_without_parents_is_judged_by_count_nb(rule):
    X, y = random_counts()
    X = sparse.hstack([X, sparse.csr_array((X.shape[0], 1))], format="csr")  # a word never seen
    model = StructureExtendedNB(rule=rule).fit(X, y)
    assert model.parent_weights_[-1] == 0
    unseen, empty = np.eye(61)[[60]] * 3, np.zeros((1, 61))
    for new in (unseen, empty):
        assert_allclose(
            model.predict_joint_log_proba(new),
            CountNB(rule=rule).fit(X, y).predict_joint_log_proba(new),
        )


@every_rule
def test_one_by_one_and_in_small_blocks(rule, monkeypatch):
    X, y = random_counts()
    model = StructureExtendedNB(rule=rule).fit(X, y)
    whole = model.predict_joint_log_proba(X)
    each = np.concatenate([model.predict_joint_log_proba(X[[j]]) for j in range(X.shape[0])])
    assert_allclose(each, whole, rtol=1e-12)
    monkeypatch.setattr(_count_base, "BLOCK_CELLS", 500)
    assert_allclose(model.predict_joint_log_proba(X), whole, rtol=1e-12)


@every_rule
def test_four_threads_give_the_answer_of_one(rule):
    X, y = random_counts()
    model = StructureExtendedNB(rule=rule).fit(X, y)
    expected = model.predict_joint_log_proba(X)
    with ThreadPoolExecutor(4) as pool:
        for scores in pool.map(model.predict_joint_log_proba, [X] * 16):
            assert_array_equal(scores, expected)


@every_rule
def test_extremes_have_no_nan(rule):
    n_terms = 2**18
    X = sparse.random(40, n_terms, density=1e-4, format="csr", random_state=0)
    y = np.array(["rare"] + ["common"] * 20 + ["other"] * 19)
    long = sparse.random(1, n_terms, density=10_000 / n_terms, format="csr", random_state=1)
    new = sparse.vstack([X, 100 * long, sparse.csr_array((1, n_terms))])
    proba = StructureExtendedNB(rule=rule).fit(X, y).predict_proba(new)
    assert np.isfinite(proba).all()
    assert_allclose(proba.sum(axis=1), 1)


def test_survives_pickle():
    X, y = random_counts()
    model = StructureExtendedNB(rule="one-vs-rest").fit(X, y)
    copy = pickle.loads(pickle.dumps(model))
    assert_array_equal(copy.predict_joint_log_proba(X), model.predict_joint_log_proba(X))


def test_bad_parameters_and_counts():
    X, y = [[1, 0], [0, 1]], [0, 1]
    with pytest.raises(ValueError, match="rule must be one of"):
        StructureExtendedNB(rule="SEMNB").fit(X, y)
    with pytest.raises(ValueError, match="alpha must be a finite number above 0"):
        StructureExtendedNB(alpha=0).fit(X, y)
    model = StructureExtendedNB().fit(X, y)
    for call in (model.predict, lambda bad: StructureExtendedNB().fit(bad, y)):
        with pytest.raises(ValueError, match="Negative values"):
            call([[1, -1], [0, 1]])
        with pytest.raises(ValueError, match="NaN"):
            call([[1, np.nan], [0, 1]])
