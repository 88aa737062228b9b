"""TreeNB against section 2.4 of the paper written out, and against CountNB."""

import math
import sys
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from honeybayes.bayes.count import CountNB
from honeybayes.bayes.tree import TreeNB
from reproduction.corpora import load_corpus
from tests.bayes.count_oracle import RULES, Oracle, problems, scores_of


def entropy(labels):
    shares = [labels.count(c) / len(labels) for c in set(labels)]
    return -sum(p * math.log2(p) for p in shares)


def leaves_of(tree, X):
    return tree._find_leaves(tree._check_new(X))


def best_word(X, y):
    """Column of the highest information gain, the first of those that are tied; None if no gain."""
    gains = []
    for t in range(len(X[0])):
        parts = [[c for row, c in zip(X, y, strict=True) if (row[t] > 0) == has] for has in (0, 1)]
        rest = sum(len(part) / len(y) * entropy(part) for part in parts if part)
        gains.append(entropy(y) - rest)
    if max(gains) < 1e-12:
        return None
    return next(t for t, gain in enumerate(gains) if gain > max(gains) - 1e-9)


def leaf_of(document, X, y, min_share, n_all):
    """Training documents of the leaf, splitting only on the way of this document."""
    X, y = [list(row) for row in X], list(y)
    while Fraction(len(y), n_all) >= Fraction(str(min_share)):
        t = best_word(X, y)
        if t is None:
            break
        same_side = [(row[t] > 0) == (document.get(t, 0) > 0) for row in X]
        X = [row for row, same in zip(X, same_side, strict=True) if same]
        y = [label for label, same in zip(y, same_side, strict=True) if same]
    return X, y


def scores_in_leaf(document, X, y, min_share, rule, alpha):
    leaf = Oracle(*leaf_of(document, X, y.tolist(), min_share, len(y)), alpha)
    leaf.classes = sorted(set(y.tolist()))  # the same s, whatever the leaf holds
    return leaf.count_scores(document, rule)


@settings(max_examples=60)
@given(problems(), st.sampled_from(RULES), st.sampled_from([0.0, 0.1, 0.4, 0.5, 1.0]))
def test_equals_definition(problem, rule, min_share):
    X, y, new, alpha = problem
    scores = (
        TreeNB(min_share=min_share, rule=rule, alpha=alpha).fit(X, y).predict_joint_log_proba(new)
    )
    expected = scores_of(
        new, lambda document: scores_in_leaf(document, X, y, min_share, rule, alpha)
    )
    assert_allclose(scores, expected, rtol=1e-9, atol=1e-9)


@settings(max_examples=25)
@given(problems(), st.sampled_from(RULES))
def test_root_alone_equals_count_nb(problem, rule):
    X, y, new, alpha = problem
    assert_allclose(
        TreeNB(min_share=1.01, rule=rule, alpha=alpha).fit(X, y).predict_joint_log_proba(new),
        CountNB(rule=rule, alpha=alpha).fit(X, y).predict_joint_log_proba(new),
        rtol=1e-10,
        atol=1e-10,
    )


@settings(max_examples=25)
@given(problems(), st.randoms(use_true_random=False))
def test_order_of_documents_makes_no_difference(problem, random):
    X, y, new, _ = problem
    order = list(range(len(y)))
    random.shuffle(order)
    trees = [TreeNB(min_share=0.1).fit(X, y), TreeNB(min_share=0.1).fit(X[order], y[order])]
    assert_array_equal(trees[0].split_term_, trees[1].split_term_)
    assert_allclose(trees[0].predict_log_proba(new), trees[1].predict_log_proba(new))


# The first word tells sea from the rest, the second lake from land.
X = np.array([[2, 0, 1], [1, 0, 0], [1, 1, 0], [0, 1, 1], [0, 2, 0], [0, 0, 1]])
y = np.array(["sea", "sea", "sea", "lake", "lake", "land"])
NAMES = ["wave", "reed", "the"]


def test_nodes_by_hand():
    tree = TreeNB(min_share=0.5).fit(X, y)
    assert_array_equal(tree.split_term_, [0, -1, 1, -1, -1])
    assert_array_equal(tree.child_with_, [1, -1, 3, -1, -1])
    assert_array_equal(tree.child_without_, [2, -1, 4, -1, -1])
    assert_array_equal(
        tree.node_class_count_, [[2, 1, 3], [0, 0, 3], [2, 1, 0], [2, 0, 0], [0, 1, 0]]
    )
    assert_allclose(tree.split_gain_[0], 1)
    assert_array_equal(leaves_of(tree, [[3, 1, 0], [0, 1, 1], [0, 0, 0]]), [1, 3, 4])


def test_class_absent_from_a_leaf_spreads_evenly():
    tree = TreeNB(min_share=0.9).fit(X, y)
    assert_array_equal(leaves_of(tree, [[1, 0, 0]]), tree.child_with_[:1])
    scores = tree.predict_joint_log_proba([[1, 0, 0]])[0]
    lake = np.log((0 + 1) / (3 + 3)) + np.log(1 / 3)  # P(c) of the leaf, and 1 / m
    assert_allclose(scores[tree.classes_ == "lake"], lake)


def test_share_is_taken_exactly():
    """Seven of a hundred documents are a share of 0.07, though 100 * 0.07 is above 7 in float64."""
    for n, share in [(10, 0.4), (100, 0.07), (100, 0.29), (30, 0.1)]:
        small = round(n * share)
        X = np.zeros((n, 3))
        X[:small, 0] = 1  # parts the small node off
        X[: small // 2 + 1, 1] = 1  # would part the small node in turn
        y = np.r_[np.arange(small) > small // 2, np.full(n - small, 2)]
        tree = TreeNB(min_share=share).fit(X, y)
        assert tree.split_term_[tree.child_with_[0]] == 1
        tree = TreeNB(min_share=share + 1e-9).fit(X, y)
        assert tree.split_term_[tree.child_with_[0]] == -1


def test_deep_tree_of_single_documents():
    """A chain of 1,100 nodes is walked and written without recursion."""
    n = 1100
    tree = TreeNB(min_share=0).fit(np.eye(n), np.arange(n) % 2)
    assert_array_equal(tree.predict(np.eye(n)), np.arange(n) % 2)
    assert tree.export_text().count("\n") == len(tree.split_term_) - 1


def test_text():
    tree = TreeNB(min_share=0.9).fit(pd.DataFrame(X, columns=NAMES), y)
    expected = [
        "6 documents: sea 3, lake 2, land 1",
        "|--- with 'wave', 3 documents: sea 3",
        "|--- without 'wave', 3 documents: lake 2, land 1",
    ]
    assert tree.export_text().split("\n") == expected
    assert TreeNB(min_share=0.9).fit(X, y).export_text(NAMES).split("\n") == expected
    assert "with 0, 3 documents" in TreeNB(min_share=0.9).fit(X, y).export_text()
    assert tree.export_text(max_classes=1).startswith("6 documents: sea 3, others 3\n")
    assert "|   |--- without 'reed', 1 document: land 1" in TreeNB(min_share=0.5).fit(
        X, y
    ).export_text(NAMES)
    with pytest.raises(ValueError, match=r"feature_names has 2 names, but .* 3 terms"):
        tree.export_text(["wave", "reed"])
    assert tree.export_text(max_classes=0).startswith("6 documents: others 6\n")
    for bad in (None, -1, 1.5):
        with pytest.raises(ValueError, match="max_classes must be an integer, 0 or more"):
            tree.export_text(max_classes=bad)


def test_picture():
    pytest.importorskip("matplotlib", reason="matplotlib, the extra report, is not installed")
    from matplotlib.figure import Figure

    tree = TreeNB(min_share=0.5).fit(X, y)
    ax = Figure().add_subplot()
    assert tree.plot(ax, NAMES) is ax
    texts = [text.get_text() for text in ax.texts]
    assert "'wave'?\n6 documents" in texts
    assert texts.count("with") == texts.count("without") == (tree.split_term_ >= 0).sum()
    nodes = [text for text in ax.texts if "document" in text.get_text()]
    assert len({text.get_position() for text in nodes}) == len(tree.split_term_)
    with pytest.raises(ValueError, match="max_classes must be an integer"):
        tree.plot(max_classes=-1)


def test_picture_of_words_with_dollar_signs():
    pytest.importorskip("matplotlib", reason="matplotlib, the extra report, is not installed")
    from matplotlib.figure import Figure

    figure = Figure()
    TreeNB(min_share=0.5).fit(X, y).plot(figure.add_subplot(), ["$\\frac$", "$100", "a$b$"])
    figure.draw_without_rendering()  # which parses formulas, and refuses this one


def test_picture_without_matplotlib(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"honeybayes\[report\]"):
        TreeNB().fit(X, y).plot()


def test_bad_share():
    for bad in (-0.1, np.nan, "0.4", None):
        with pytest.raises(ValueError, match="min_share must be a finite number, 0 or more"):
            TreeNB(min_share=bad).fit(X, y)


def test_equals_definition_on_medical_abstracts(corpora):
    corpus = load_corpus("oh0")
    X, y, new = corpus.documents[:150].toarray(), corpus.labels[:150], corpus.documents[150:153]
    frequent = np.argsort(-X.sum(axis=0), kind="stable")[:120]
    X, new = X[:, frequent], new.toarray()[:, frequent]
    expected = scores_of(
        new, lambda document: scores_in_leaf(document, X, y, 0.5, "one-vs-rest", 1.0)
    )
    tree = TreeNB(min_share=0.5, rule="one-vs-rest").fit(X, y)
    assert len(tree.split_term_) > 5
    assert_allclose(tree.predict_joint_log_proba(new), expected, rtol=1e-9)
