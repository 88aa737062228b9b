"""HONB and HOS with weighted links: their formulas, on the paths of an enumeration."""

import math
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import sparse

from honeybayes import HigherOrderNB, HigherOrderSmoothingNB
from tests.paths.path_oracle import entries_from
from tests.paths.test_frequencies import (
    enumerate_either,
    enumerate_products,
    enumerate_to_labels,
)

KINDS = ["counts", "log", "length"]
every_kind = pytest.mark.parametrize("kind", KINDS)
Y = np.array([0, 0, 0, 1, 1, 1])


def weights_of_links(X, kind):
    if kind == "counts":
        return X
    if kind == "log":
        return np.array([[np.log(1 + f) / np.log(2) for f in row] for row in X])
    lengths = [sum(row) for row in X]
    mean = sum(lengths) / len(X)
    return np.array([[f / (n or 1) * mean for f in row] for row, n in zip(X, lengths, strict=True)])


documents = entries_from([0, 1, 1, 2, 4], (6, 4))


@every_kind
@given(documents, st.sampled_from([0.2, 1.0]))
def test_higher_order_nb(kind, X, alpha):
    F = weights_of_links(X, kind)
    parts = [enumerate_products(F[c == Y], 2) for c in (0, 1)]
    if not all(total for _, total in parts):
        return
    counts, totals = np.array([p for p, _ in parts]), np.array([t for _, t in parts])
    model = HigherOrderNB(frequencies=kind, alpha=alpha).fit(X, Y)
    assert_allclose(model.path_count_, counts, rtol=1e-9)
    assert_allclose(model.total_paths_, totals, rtol=1e-9)
    assert_allclose(np.exp(model.class_log_prior_), totals / totals.sum(), rtol=1e-9)
    expected = (alpha + counts) / (2 * alpha + totals[:, np.newaxis])
    assert_allclose(np.exp(model.feature_log_prob_), expected, rtol=1e-9)


@pytest.mark.parametrize("kind", [None, *KINDS, "either"])
@given(documents, st.sampled_from([0.2, 1.0]))
def test_multinomial_higher_order_nb(kind, X, alpha):
    F = (
        (X > 0).astype(float)
        if kind is None
        else X
        if kind == "either"
        else weights_of_links(X, kind)
    )
    count = enumerate_either if kind == "either" else partial(enumerate_products, order=2)
    parts = [count(F[c == Y]) for c in (0, 1)]
    if not all(total for _, total in parts):
        return
    model = HigherOrderNB(frequencies=kind, alpha=alpha, event_model="multinomial").fit(X, Y)
    totals = [total for _, total in parts]
    scores = []
    for (per_term, _), total in zip(parts, totals, strict=True):
        smoothed = [alpha + paths for paths in per_term]
        scores.append(
            [
                math.log(total / sum(totals))
                + sum(f * math.log(p / sum(smoothed)) for f, p in zip(row, smoothed, strict=True))
                for row in X
            ]
        )
    expected = np.array(scores).T
    assert_allclose(model.predict_joint_log_proba(X), expected, rtol=1e-9, atol=1e-9)
    assert_allclose(model.predict_joint_log_proba(sparse.csr_array(X)), expected, atol=1e-9)


def test_the_scores_of_the_multinomial_model_are_split_by_term():
    rng = np.random.default_rng(2)
    X, y = rng.poisson(0.8, (30, 8)), rng.integers(0, 3, 30)
    model = HigherOrderNB(frequencies="counts", event_model="multinomial").fit(X, y)
    parts = model.decompose_scores(X[:1], [0, 1, 2])
    expected = model.predict_joint_log_proba(X[:1])[0] - model.class_log_prior_
    assert_allclose(parts.contributions.sum(axis=0), expected)


@every_kind
@given(documents, st.sampled_from([0.2, 1.0]), st.sampled_from([0.3, 0.5]))
def test_higher_order_smoothing(kind, X, alpha, beta):
    F = weights_of_links(X, kind)
    y = np.array([0, 0, -1, -1, 1, 1])
    second = enumerate_to_labels(F, y)
    if not second.any(axis=1).all():
        return
    first = np.array([F[y == c].sum(axis=0) for c in (0, 1)])
    model = HigherOrderSmoothingNB(frequencies=kind, alpha=alpha, beta=beta, unlabeled=-1)
    model.fit(X, y)
    assert_allclose(model.label_path_count_, second, rtol=1e-9)
    mixed = sum(
        part * (alpha + counts) / (2 * alpha + counts.sum(axis=1, keepdims=True))
        for part, counts in [(1 - beta, first), (beta, second)]
    )
    assert_allclose(np.exp(model.feature_log_prob_), np.maximum(mixed, 1e-10), rtol=1e-9)


@every_kind
@pytest.mark.parametrize("estimator", [HigherOrderNB, HigherOrderSmoothingNB])
def test_weights_repeat_documents(kind, estimator):
    X = np.random.default_rng(0).poisson(0.8, (20, 12))
    y, times = np.arange(20) % 2, np.arange(20) % 3
    model = estimator(frequencies=kind).fit(X, y, sample_weight=times)
    repeated = estimator(frequencies=kind).fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    assert_allclose(model.feature_log_prob_, repeated.feature_log_prob_, rtol=1e-9)
    assert_allclose(model.class_log_prior_, repeated.class_log_prior_, rtol=1e-9)


@pytest.mark.parametrize("kind", ["counts", "log"])
@pytest.mark.parametrize("estimator", [HigherOrderNB, HigherOrderSmoothingNB])
def test_presence_gives_the_binary_model(kind, estimator):
    X = (np.random.default_rng(0).random((20, 12)) < 0.4).astype(int)
    y = np.arange(20) % 2
    model, binary = estimator(frequencies=kind).fit(X, y), estimator().fit(X, y)
    assert_allclose(model.feature_log_prob_, binary.feature_log_prob_, rtol=1e-12)


def test_without_paths_documents_count_once():
    X, y = [[3, 0], [5, 0], [0, 2]], [0, 0, 1]
    with pytest.warns(UserWarning, match="all classes use document counts"):
        model = HigherOrderNB(frequencies="counts").fit(X, y)
    with pytest.warns(UserWarning, match="all classes use document counts"):
        binary = HigherOrderNB().fit(X, y)
    assert_allclose(model.feature_log_prob_, binary.feature_log_prob_)


def test_threshold_and_wrong_parameters():
    X, y = np.random.default_rng(0).poisson(1.5, (12, 8)), np.arange(12) % 2
    model = HigherOrderNB(frequencies="counts", binarize=1).fit(X, y)
    above = HigherOrderNB(frequencies="counts").fit(np.where(X > 1, X, 0), y)
    assert_allclose(model.path_count_, above.path_count_)
    with pytest.raises(ValueError, match="but have no frequency"):
        HigherOrderNB(frequencies="counts", binarize=-1).fit(X, y)
    with pytest.raises(ValueError, match="orders 1 and 2; got order=3"):
        HigherOrderNB(frequencies="counts", order=3).fit(X, y)
    with pytest.raises(ValueError, match=r"pure paths .* have no frequencies"):
        HigherOrderNB(frequencies="counts", pure="class").fit(X, y)
    with pytest.raises(ValueError, match="frequencies"):
        HigherOrderSmoothingNB(frequencies="tf").fit(X, y)
