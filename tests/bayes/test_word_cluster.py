"""WordClusterNB against the agglomerative information bottleneck written out, and CountNB."""

import math
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics import mutual_info_score

from honeybayes.bayes.count import CountNB
from honeybayes.bayes.word_cluster import WordClusterNB
from tests.bayes.count_oracle import RULES, Oracle, problems, scores_of

every_rule = pytest.mark.parametrize("rule", RULES)


def jensen_shannon(p, q, p_weight, q_weight):
    middle = [p_weight * a + q_weight * b for a, b in zip(p, q, strict=True)]

    def divergence(from_):
        return sum(a * math.log(a / m) for a, m in zip(from_, middle, strict=True) if a > 0)

    return p_weight * divergence(p) + q_weight * divergence(q)


def literal_clusters(count, n_clusters):
    """Merge the pair with the least (p(x) + p(y)) JS(x, y); of those tied, the first."""
    clusters = [[w] for w in range(len(count)) if sum(count[w]) > 0]
    total = sum(map(sum, count))
    while len(clusters) > n_clusters:
        losses = []
        for a, b in combinations(clusters, 2):
            x, z = (
                [sum(count[w][c] for w in each) for c in range(len(count[0]))] for each in (a, b)
            )
            both = sum(x) + sum(z)
            distance = jensen_shannon(
                [v / sum(x) for v in x], [v / sum(z) for v in z], sum(x) / both, sum(z) / both
            )
            losses.append((both / total * distance, a, b))
        least = min(loss for loss, _, _ in losses)
        _, a, b = next(each for each in losses if each[0] <= least * (1 + 1e-7) + 1e-12)
        clusters[clusters.index(a)] = sorted(a + b)
        clusters.remove(b)
    return sorted(clusters)


def counts_by_class(X, y):
    return np.array([X[y == c].sum(axis=0) for c in np.unique(y)]).T


@settings(max_examples=60)
@given(problems(), st.integers(1, 6), st.sampled_from(RULES))
def test_equals_definition(problem, n_clusters, rule):
    X, y, new, alpha = problem
    model = WordClusterNB(n_clusters=n_clusters, rule=rule, alpha=alpha).fit(X, y)
    expected = literal_clusters(counts_by_class(X, y).tolist(), n_clusters)
    if not X.any():
        expected = [list(range(X.shape[1]))]
    assert model.clusters() == expected

    def merged(documents):
        return np.array([documents[:, words].sum(axis=1) for words in expected]).T

    oracle = Oracle(merged(X), y, alpha)
    assert_allclose(
        model.predict_joint_log_proba(new),
        scores_of(merged(new), lambda document: oracle.count_scores(document, rule)),
        rtol=1e-9,
        atol=1e-9,
    )


@pytest.mark.parametrize("seed", range(2))
def test_equals_definition_on_more_words(seed):
    random = np.random.default_rng(seed)
    y = random.integers(0, 4, 30)
    X = random.poisson(random.uniform(0.05, 1, 45), (30, 45))
    for n_clusters in (3, 11, 30):
        model = WordClusterNB(n_clusters=n_clusters).fit(X, y)
        assert model.clusters() == literal_clusters(counts_by_class(X, y).tolist(), n_clusters)


@every_rule
def test_a_cluster_for_each_word_equals_count_nb(rule):
    random = np.random.default_rng(0)
    X, y = random.poisson(0.5, (60, 40)), random.integers(0, 5, 60)
    model = WordClusterNB(n_clusters=40, rule=rule).fit(X, y)
    assert_array_equal(model.cluster_labels_, np.arange(40))
    assert_allclose(
        model.predict_joint_log_proba(X), CountNB(rule=rule).fit(X, y).predict_joint_log_proba(X)
    )


def test_words_of_the_same_proportions_go_together():
    """Nothing is lost, so the number of proportions is enough, however often a word occurs."""
    random = np.random.default_rng(1)
    proportions = np.array([[1, 0, 0], [0, 3, 1], [2, 2, 5], [7, 1, 1]])
    kind, times = random.integers(0, 4, 50), random.integers(1, 1000, 50)
    kind[:4] = range(4)
    model = WordClusterNB(n_clusters=4).fit((proportions[kind] * times[:, np.newaxis]).T, [0, 1, 2])
    assert_array_equal(model.cluster_labels_, kind)


@settings(max_examples=25)
@given(problems(), st.randoms(use_true_random=False), st.integers(1, 5))
def test_order_of_documents_makes_no_difference(problem, random, n_clusters):
    X, y, _, _ = problem
    order = list(range(len(y)))
    random.shuffle(order)
    model = WordClusterNB(n_clusters=n_clusters)
    assert model.fit(X, y).clusters() == model.fit(X[order], y[order]).clusters()


def test_information_falls_with_the_clusters():
    random = np.random.default_rng(2)
    X, y = random.poisson(0.5, (60, 40)), random.integers(0, 5, 60)
    models = [WordClusterNB(n_clusters=n).fit(X, y) for n in range(1, 41)]
    kept = [mutual_info_score(None, None, contingency=model.feature_count_) for model in models]
    assert_allclose(kept[0], 0, atol=1e-12)
    assert (np.diff(kept) >= -1e-12).all()


def test_words_unseen_in_training_are_left_out():
    model = WordClusterNB(n_clusters=2).fit([[1, 0, 0, 2], [0, 0, 1, 0]], ["a", "b"])
    assert_array_equal(model.cluster_labels_, [0, -1, 1, 0])
    assert_allclose(
        model.predict_log_proba([[1, 9, 0, 0], [0, 9, 0, 0]]),
        model.predict_log_proba([[1, 0, 0, 0], [0, 0, 0, 0]]),
    )


def test_weight_is_repetition():
    random = np.random.default_rng(3)
    X, y, times = random.poisson(0.5, (30, 20)), np.arange(30) % 3, random.integers(1, 4, 30)
    weighted = WordClusterNB(n_clusters=5).fit(X, y, sample_weight=times)
    repeated = WordClusterNB(n_clusters=5).fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    assert_array_equal(weighted.cluster_labels_, repeated.cluster_labels_)
    assert_allclose(weighted.predict_log_proba(X), repeated.predict_log_proba(X))


def test_names():
    frame = pd.DataFrame([[2, 1, 1], [0, 0, 1]], columns=["wave", "boat", "the"])
    model = WordClusterNB(n_clusters=2).fit(frame, ["sea", "land"])
    assert model.clusters() == [["wave", "boat"], ["the"]]
    assert model.clusters(["x", "y", "z"]) == [["x", "y"], ["z"]]
    with pytest.raises(ValueError, match=r"feature_names has 1 names, but .* 3 terms"):
        model.clusters(["x"])


def test_counts_beyond_single_precision():
    X = np.array([[1e200, 1e199, 0], [0, 1e200, 1e200]])
    model = WordClusterNB(n_clusters=1).fit(X, [0, 1])
    assert_array_equal(model.cluster_labels_, [0, 0, 0])


def test_bad_number_of_clusters():
    for bad in (0, -3, 2.5, "5", None):
        with pytest.raises(ValueError, match="n_clusters must be an integer, 1 or more"):
            WordClusterNB(n_clusters=bad).fit([[1, 0], [0, 1]], [0, 1])
