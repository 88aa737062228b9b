"""EM over the weights of the parents: a step in loops, the likelihood, and a hand computation."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from honeybayes.bayes import HiddenNB
from tests.bayes.count_oracle import Oracle, as_documents, problems


def mixtures(X, y, alpha, parents):
    """Yield for each document and term its count and P(term given parent, class) by parent.

    The probabilities are those of the other documents.
    """
    for d, document in enumerate(as_documents(X)):
        others = [row for row in range(len(X)) if row != d]
        X_others, y_others = [list(X[row]) for row in others], [y[row] for row in others]
        absent = [[0] * len(X[0])]  # keeps the class and the number of terms, and adds no count
        oracle = Oracle(X_others + absent, [*y_others, y[d]], alpha)
        for i, f in document.items():
            p = {t: oracle.beside(i, t)[y[d]][0] for t in document if t != i and parents[t] > 0}
            if p:
                yield f, p


def log_likelihood(X, y, alpha, W):
    return sum(
        f * math.log(sum(W[t] * p[t] for t in p) / sum(W[t] for t in p))
        for f, p in mixtures(X, y, alpha, W)
    )


def step(X, y, alpha, W):
    up, down = np.zeros(len(W)), np.zeros(len(W))
    for f, p in mixtures(X, y, alpha, W):
        for t in p:
            up[t] += f * W[t] * p[t] / sum(W[s] * p[s] for s in p)
            down[t] += f / sum(W[s] for s in p)
    return np.array([u / v if v else w for u, v, w in zip(up, down, W, strict=True)])


@given(problems(), st.data())
def test_steps_equal_loops_and_increase_the_likelihood(problem, data):
    X, y, _, alpha = problem
    X, y = np.asarray(X), list(y)
    weight = st.sampled_from([0.0, 0.2, 1.0, 3.0])
    start = np.array(data.draw(st.lists(weight, min_size=X.shape[1], max_size=X.shape[1])))
    W = start
    for steps in range(4):
        model = HiddenNB(alpha=alpha, parents=start, em_steps=steps).fit(X, y)
        learned = model.parent_weights_
        if steps:
            before, W = log_likelihood(X, y, alpha, W), step(X, y, alpha, W)
            after = log_likelihood(X, y, alpha, learned)
            assert after >= before - 1e-9 * (1 + abs(before))
        assert_allclose(learned / (learned.max() or 1), W / (W.max() or 1), rtol=1e-8)
        assert np.array_equal(learned == 0, start == 0)


def test_by_hand():
    """Terms 0 and 1 are parents; only the pair of documents {0, 1, 2} has a term with both."""
    X, y = [[1, 1, 1], [1, 1, 1], [1, 0, 3]], ["a"] * 3
    # term 2 in document 0, without it: beside 0, documents 1 and 2: count 1 + 3 of 3 + 4 words;
    # beside 1, document 1: count 1 of 3 words. Document 1 is the same.
    by_0, by_1 = (4 + 1) / (7 + 3), (1 + 1) / (3 + 3)
    both = 2 / (by_0 + by_1)  # of terms 2 in the documents 0 and 1, weights 1
    # the other terms have one parent each: it explains them fully, so each adds 1 above; below, a
    # term with one parent adds 1 as well, and a term with two adds 1/2.
    # parent 0: term 1 in two documents, three of term 2 in document 2; parent 1: term 0 in two
    first = (by_0 * both + 2 + 3) / (2 / 2 + 2 + 3)
    second = (by_1 * both + 2) / (2 / 2 + 2)
    learned = HiddenNB(parents=[1, 1, 0], em_steps=1).fit(X, y).parent_weights_
    assert learned[1] / learned[0] == pytest.approx(second / first)
    assert learned[2] == 0


def test_weights_repeat_documents():
    random = np.random.default_rng(0)
    X, y, times = random.poisson(0.8, (14, 7)), np.arange(14) % 2, np.arange(14) % 3
    parents = np.ones(7)
    model = HiddenNB(parents=parents, em_steps=3).fit(X, y, sample_weight=times)
    repeated = HiddenNB(parents=parents, em_steps=3).fit(
        np.repeat(X, times, axis=0), np.repeat(y, times)
    )
    assert_allclose(model.parent_weights_, repeated.parent_weights_, rtol=1e-9)


def test_no_parents_and_wrong_steps():
    X, y = [[1, 1], [1, 0]], [0, 1]
    assert not HiddenNB(parents=[0, 0], em_steps=2).fit(X, y).parent_weights_.any()
    with pytest.raises(ValueError, match="em_steps must be an integer"):
        HiddenNB(em_steps=-1).fit(X, y)
