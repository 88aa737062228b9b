"""LocallyWeightedNB against section 2.4 of the paper written out, and against CountNB."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from honeybayes.bayes import _count_base
from honeybayes.bayes.count import CountNB
from honeybayes.bayes.locally_weighted import LocallyWeightedNB
from reproduction.corpora import load_corpus
from tests.bayes.count_oracle import RULES, problems

WEIGHTS = ["similarity", "uniform"]
every_rule = pytest.mark.parametrize("rule", RULES)
every_weighting = pytest.mark.parametrize("weights", WEIGHTS)


def squared_cosine(a, b):
    """Exact, so that a tie is a tie."""
    a, b = [Fraction(x) for x in a], [Fraction(x) for x in b]
    norms = sum(x * x for x in a) * sum(x * x for x in b)
    return sum(x * z for x, z in zip(a, b, strict=True)) ** 2 / norms if norms else Fraction(0)


def neighbor_weights(X, document, n_neighbors, weights):
    cosines = [squared_cosine(row, document) for row in X]
    n_neighbors = min(n_neighbors, len(X))
    last = sorted(cosines, reverse=True)[n_neighbors - 1]
    above, tied = sum(each > last for each in cosines), cosines.count(last)
    places = [
        1.0 if each > last else (n_neighbors - above) / tied if each == last else 0.0
        for each in cosines
    ]
    if weights == "uniform" or not any(cosines):
        return places
    return [place * math.sqrt(each) for place, each in zip(places, cosines, strict=True)]


def literal_scores(X, y, weight, document, rule, alpha):
    """Equations 1 to 7, each training document counted by its weight."""
    classes, m = sorted(set(y)), len(document)
    scores = []
    for c in classes:
        sides = []
        for is_class in (True, False):
            of_side = [w * ((label == c) == is_class) for w, label in zip(weight, y, strict=True)]
            log = math.log((sum(of_side) + 1) / (sum(weight) + len(classes)))
            total = sum(w * sum(row) for w, row in zip(of_side, X, strict=True))
            for i, f in enumerate(document):
                count = sum(w * row[i] for w, row in zip(of_side, X, strict=True))
                log += f * math.log((count + alpha) / (total + m * alpha))
            sides.append(log)
        a, b = sides
        scores.append({"multinomial": a, "complement": -b, "one-vs-rest": a - b}[rule])
    return scores


@settings(max_examples=60)
@given(problems(), st.sampled_from(RULES), st.integers(1, 10), st.sampled_from(WEIGHTS))
def test_equals_definition(problem, rule, n_neighbors, weights):
    X, y, new, alpha = problem
    model = LocallyWeightedNB(n_neighbors=n_neighbors, weights=weights, rule=rule, alpha=alpha).fit(
        X, y
    )
    expected = [
        literal_scores(
            X.tolist(), y.tolist(), neighbor_weights(X, d, n_neighbors, weights), d, rule, alpha
        )
        for d in new.tolist()
    ]
    assert_allclose(model.predict_joint_log_proba(new), expected, rtol=1e-9, atol=1e-9)


@settings(max_examples=25)
@given(problems(), st.sampled_from(RULES))
def test_all_documents_as_equal_neighbors_equal_count_nb(problem, rule):
    X, y, new, alpha = problem
    assert_allclose(
        LocallyWeightedNB(n_neighbors=len(y), weights="uniform", rule=rule, alpha=alpha)
        .fit(X, y)
        .predict_joint_log_proba(new),
        CountNB(rule=rule, alpha=alpha).fit(X, y).predict_joint_log_proba(new),
        rtol=1e-10,
        atol=1e-10,
    )


@settings(max_examples=25)
@given(problems(), st.randoms(use_true_random=False), st.sampled_from(WEIGHTS))
def test_order_of_documents_makes_no_difference(problem, random, weights):
    X, y, new, _ = problem
    X, y = np.tile(X, (2, 1)), np.concatenate([y, y[::-1]])  # ties in plenty
    order = list(range(len(y)))
    random.shuffle(order)
    model = LocallyWeightedNB(n_neighbors=3, weights=weights)
    assert_allclose(
        model.fit(X, y).predict_log_proba(new),
        model.fit(X[order], y[order]).predict_log_proba(new),
        rtol=1e-10,
        atol=1e-10,
    )


def test_neighbors_by_hand():
    """Two places, one document above and three tied: each of them counts a third."""
    X, y = [[1, 0], [1, 1], [2, 2], [3, 3], [0, 1]], ["a", "a", "b", "b", "b"]
    model = LocallyWeightedNB(n_neighbors=2, weights="uniform").fit(X, y)
    joint = model.predict_joint_log_proba([[1, 0]])[0]
    a = (1 + 1 / 3 + 1) / (2 + 2) * (1 + 1 / 3 + 1) / (1 + 2 / 3 + 2)
    b = (2 / 3 + 1) / (2 + 2) * (5 / 3 + 1) / (10 / 3 + 2)
    assert_allclose(np.exp(joint), [a, b])


@every_rule
@every_weighting
def test_one_by_one_and_in_small_blocks(rule, weights, monkeypatch):
    random = np.random.default_rng(0)
    X, y = random.poisson(0.3, (60, 40)), random.integers(0, 5, 60)
    model = LocallyWeightedNB(n_neighbors=7, weights=weights, rule=rule).fit(X, y)
    whole = model.predict_joint_log_proba(X)
    each = np.concatenate([model.predict_joint_log_proba(X[[j]]) for j in range(len(X))])
    assert_allclose(each, whole, rtol=1e-12)
    monkeypatch.setattr(_count_base, "BLOCK_CELLS", 50)
    assert_allclose(model.predict_joint_log_proba(X), whole, rtol=1e-12)


def test_direction_alone_decides_who_is_near():
    """Lengths far beyond the square root of what float64 holds."""
    X, y = np.array([[1.0, 0], [1.0, 0.1], [0, 1.0], [0.1, 1.0]]), [0, 0, 1, 1]
    for scale in (1e-170, 1e170):
        model = LocallyWeightedNB(n_neighbors=2).fit(X * scale, y)
        assert_allclose(model._norm, scale * np.linalg.norm(X, axis=1))
        assert model.predict(X * scale).tolist() == y


def test_bad_parameters():
    X, y = [[1, 0], [0, 1]], [0, 1]
    for bad in (0, -1, 2.5, "5", None):
        with pytest.raises(ValueError, match="n_neighbors must be an integer, 1 or more"):
            LocallyWeightedNB(n_neighbors=bad).fit(X, y)
    with pytest.raises(ValueError, match="weights must be one of 'similarity', 'uniform'"):
        LocallyWeightedNB(weights="distance").fit(X, y)


def test_equals_definition_on_medical_abstracts(corpora):
    corpus = load_corpus("oh0")
    X, y, new = corpus.documents[:120].toarray(), corpus.labels[:120], corpus.documents[120:122]
    frequent = np.argsort(-X.sum(axis=0), kind="stable")[:150]
    X, new = X[:, frequent], new.toarray()[:, frequent]
    scores = (
        LocallyWeightedNB(n_neighbors=20, rule="one-vs-rest").fit(X, y).predict_joint_log_proba(new)
    )
    for document, found in zip(new.tolist(), scores, strict=True):
        weight = neighbor_weights(X.tolist(), document, 20, "similarity")
        expected = literal_scores(X.tolist(), y.tolist(), weight, document, "one-vs-rest", 1.0)
        assert_allclose(found, expected, rtol=1e-9)
