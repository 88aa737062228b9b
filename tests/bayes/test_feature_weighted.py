"""FeatureWeightedNB against deep feature weighting written out, and its weights one by one."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.tree import DecisionTreeClassifier

from honeybayes.bayes.base import FitData
from honeybayes.bayes.count import CountNB
from honeybayes.bayes.feature_weighted import WEIGHTINGS, FeatureWeightedNB, correlation_subset
from honeybayes.text.term_scores import SCORES, chi_square
from tests.bayes.count_oracle import RULES, Oracle, problems, random_counts, scores_of


class DeepOracle(Oracle):
    """P = (W N + alpha) / (sum of W N + m alpha), and W f in the exponent."""

    def __init__(self, X, y, alpha, weights):
        super().__init__(X, y, alpha)
        self.weights = [float(w) for w in weights]

    def log_prob(self, i, labels):
        count, total = 0.0, 0.0
        for document, label in zip(self.training, self.labels, strict=True):
            if label in labels:
                count += self.weights[i] * document.get(i, 0.0)
                total += sum(self.weights[t] * f for t, f in document.items())
        return math.log(self._estimate(count, total))

    def scores(self, document, rule):
        answer = []
        for c in self.classes:
            sides = ({c}, set(self.classes) - {c})
            logs = [
                sum(self.weights[i] * f * self.log_prob(i, side) for i, f in document.items())
                for side in sides
            ]
            answer.append(self.decide(rule, c, logs))
        return answer


@settings(max_examples=60)
@given(problems(), st.sampled_from(RULES), st.sampled_from(["gain-ratio", "cfs", "tree", "own"]))
def test_equals_definition(problem, rule, weighting):
    X, y, new, alpha = problem
    own = np.linspace(0, 3, X.shape[1])
    model = FeatureWeightedNB(
        rule=rule, alpha=alpha, weighting=own if weighting == "own" else weighting
    ).fit(X, y)
    oracle = DeepOracle(X, y, alpha, model.feature_weights_)
    expected = scores_of(new, lambda document: oracle.scores(document, rule))
    assert_allclose(model.predict_joint_log_proba(new), expected, rtol=1e-9, atol=1e-9)


@settings(max_examples=40)
@given(problems())
def test_gain_ratio_is_over_its_average(problem):
    X, y, _, _ = problem
    ratios = Oracle(X, y).gain_ratios()
    average = math.fsum(ratios) / len(ratios)
    expected = [r / average for r in ratios] if average > 0 else [1.0] * len(ratios)
    assert_allclose(FeatureWeightedNB().fit(X, y).feature_weights_, expected, atol=1e-9)


def entropy(values):
    return -sum(n / len(values) * math.log2(n / len(values)) for n in Counter(values).values())


def uncertainty(a, b):
    gain = entropy(a) + entropy(b) - entropy(list(zip(a, b, strict=True)))
    return 2 * gain / (entropy(a) + entropy(b)) if entropy(a) + entropy(b) > 0 else 0.0


def greedy_subset(X, y):
    """Hall's merit, k r_cf / sqrt(k + k (k - 1) r_ff), of every set with one term more."""
    columns, chosen, merit = [[f > 0 for f in column] for column in X.T], [], 0.0

    def merit_of(terms):
        k = len(terms)
        to_class = sum(uncertainty(columns[i], y) for i in terms) / k
        pairs = [uncertainty(columns[i], columns[j]) for i in terms for j in terms if i < j]
        between = sum(pairs) / len(pairs) if pairs else 0.0
        return k * to_class / math.sqrt(k + k * (k - 1) * between)

    while len(chosen) < len(columns):
        rest = [i for i in range(len(columns)) if i not in chosen]
        best = max(rest, key=lambda i: merit_of([*chosen, i]))
        if merit_of([*chosen, best]) <= merit * (1 + 1e-12):
            break
        merit = merit_of([*chosen, best])
        chosen.append(best)
    return sorted(chosen)


@pytest.mark.parametrize("seed", range(12))
def test_cfs_adds_the_term_that_lifts_the_merit_most(seed):
    X, y = random_counts(n_documents=50, n_terms=14, n_classes=3, seed=seed)
    chosen = greedy_subset(X, y.tolist())
    assert 0 < len(chosen) < 14
    assert_array_equal(
        np.flatnonzero(correlation_subset(FitData(sparse.csr_array(X), y, np.unique(y), None))),
        chosen,
    )
    weights = FeatureWeightedNB(weighting="cfs").fit(X, y).feature_weights_
    assert_array_equal(weights, np.where(np.isin(np.arange(14), chosen), 2, 1))


def test_cfs_takes_one_of_two_terms_that_say_the_same():
    X = np.array([[1, 1, 0], [1, 1, 1], [0, 0, 1], [0, 0, 0]])
    data = FitData(sparse.csr_array(X), np.array([0, 0, 1, 1]), np.arange(2), None)
    assert_array_equal(correlation_subset(data), [1, 0, 0])


def test_tree_depth():
    """1 + 1 / sqrt(least depth), found by walking the tree from its root."""
    X, y = random_counts()
    tree = DecisionTreeClassifier(criterion="entropy", random_state=0).fit(X > 0, y).tree_
    expected = np.ones(X.shape[1])

    def walk(node, depth):
        if tree.feature[node] >= 0:
            term = tree.feature[node]
            expected[term] = max(expected[term], 1 + 1 / math.sqrt(depth))
            walk(tree.children_left[node], depth + 1)
            walk(tree.children_right[node], depth + 1)

    walk(0, 1)
    assert expected.max() == 2
    assert_allclose(FeatureWeightedNB(weighting="tree").fit(X, y).feature_weights_, expected)


@pytest.mark.parametrize("name", SCORES)
def test_every_score_is_a_weighting_over_its_average(name):
    X, y = random_counts()
    scores = SCORES[name](X, y)
    weights = FeatureWeightedNB(weighting=name).fit(X, y).feature_weights_
    assert_allclose(weights, scores / scores.mean())


@pytest.mark.parametrize("weighting", WEIGHTINGS)
def test_terms_that_tell_nothing_weigh_one(weighting):
    model = FeatureWeightedNB(weighting=weighting).fit([[1, 2], [1, 2], [1, 2]], ["a", "b", "b"])
    assert_array_equal(model.feature_weights_, [1, 1])


@pytest.mark.parametrize("rule", RULES)
def test_is_count_nb_on_weighted_columns(rule):
    X, y = random_counts()
    weights = chi_square(X, y)
    expected = CountNB(rule=rule).fit(X * weights, y)
    for weighting in (weights, weights.tolist(), chi_square):
        model = FeatureWeightedNB(rule=rule, weighting=weighting).fit(X, y)
        assert_allclose(
            model.predict_joint_log_proba(X), expected.predict_joint_log_proba(X * weights)
        )


@pytest.mark.parametrize(
    ("weighting", "message"),
    [
        ("gain", "weighting must be one of .*'gain-ratio'.*'cfs', 'tree'; got 'gain'"),
        ([1.0], r"weighting must contain one weight for each of the 2 terms; got shape \(1,\)"),
        (lambda X, y: 1.0, r"one weight for each of the 2 terms; got shape \(\)"),
        ([1.0, -0.5], "weighting must be finite and 0 or more; got -0.5"),
        ([1.0, np.nan], "weighting must be finite and 0 or more; got nan"),
        ([1.0, 1e200], r"weighting contains 1e\+200"),
    ],
)
def test_unusable_weighting(weighting, message):
    with pytest.raises(ValueError, match=message):
        FeatureWeightedNB(weighting=weighting).fit([[1, 0], [0, 1]], [0, 1])


def test_weighted_counts_beyond_float64():
    model = FeatureWeightedNB(weighting=[1e100, 1, 1])
    with pytest.raises(ValueError, match="Divide X, or the weights"):
        model.fit(1e210 * np.eye(3), [0, 1, 1])
    assert not hasattr(model, "feature_weights_")
