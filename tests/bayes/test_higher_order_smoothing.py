"""HigherOrderSmoothingNB: the paper's equations in the reading that gives its tables."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from honeybayes import HigherOrderSmoothingNB, NoPathWarning, SmoothedBernoulliNB
from tests.paths.path_oracle import label_paths, linked_matrices

RNG = np.random.default_rng(3)
X = (RNG.random((12, 7)) < 0.4).astype(int)
y = np.repeat(["a", "b", "c"], [3, 4, 5])


@pytest.mark.parametrize("beta", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("alpha", [0, 0.5, 1])
def test_estimates(alpha, beta):
    """hos-2012 Eq. 10 and 11, both parts normalized per class."""
    model = HigherOrderSmoothingNB(alpha=alpha, beta=beta).fit(X, y)
    second = label_paths(X, y, ["a", "b", "c"])
    assert_array_equal(model.label_path_count_, second)
    for c, label in enumerate("abc"):
        first = X[y == label].sum(axis=0)
        p_first = (alpha + first) / (2 * alpha + first.sum())
        p_second = (alpha + second[c]) / (2 * alpha + second[c].sum())
        p = np.maximum((1 - beta) * p_first + beta * p_second, 1e-10)
        assert_allclose(np.exp(model.feature_log_prob_[c]), p)
        assert_allclose(np.exp(model.feature_log_absence_prob_[c]), 1 - p)
    assert_allclose(np.exp(model.class_log_prior_), np.array([3, 4, 5]) / 12)


@settings(max_examples=60, deadline=None)
@given(
    documents=linked_matrices(2, max_documents=6, max_terms=5).filter(lambda X: X.size),
    labels=st.lists(st.sampled_from("ab?"), min_size=6, max_size=6).filter(
        lambda y: set(y) > {"?"}
    ),
    alpha=st.sampled_from([0, 0.5, 1]),
    first_alpha=st.sampled_from([None, 0, 0.3]),
    total=st.sampled_from(["class", "all"]),
    beta=st.sampled_from([0, 0.5, 1]),
)
def test_first_order_alpha_and_path_total(documents, labels, alpha, first_alpha, total, beta):
    """Eq. 10 and 11 from enumerated paths; ``path_total="all"`` is Eq. 10 as printed."""
    labels = np.array(labels[: len(documents)])
    classes = np.unique(labels[labels != "?"])
    if not len(classes):
        return
    model = HigherOrderSmoothingNB(
        alpha=alpha, beta=beta, first_order_alpha=first_alpha, path_total=total, unlabeled="?"
    )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", NoPathWarning)
        model.fit(documents, labels)
    paths = label_paths(documents, labels, classes)
    assert_array_equal(model.label_path_count_, paths)
    if caught:
        return  # another estimate, tested below
    first_alpha = alpha if first_alpha is None else first_alpha
    for c, label in enumerate(classes):
        counts = documents[labels == label].sum(axis=0)
        n_paths = paths[c].sum() if total == "class" else paths.sum()
        for w, n in enumerate(counts):
            below_1, below_2 = 2 * first_alpha + counts.sum(), 2 * alpha + n_paths
            p_1 = (first_alpha + n) / below_1 if below_1 else 0
            p_2 = (alpha + paths[c, w]) / below_2 if below_2 else 0
            p = min(max((1 - beta) * p_1 + beta * p_2, 1e-10), 1 - 2**-52)
            assert_allclose(np.exp(model.feature_log_prob_[c, w]), p, rtol=1e-12)


def test_first_order_alpha_without_paths():
    documents = [[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1]]
    with pytest.warns(NoPathWarning):
        model = HigherOrderSmoothingNB(first_order_alpha=0).fit(documents, [0, 0, 1])
    assert_allclose(np.exp(model.feature_log_prob_[1]), [1e-10, 1e-10, 0.5, 0.5])


@pytest.mark.parametrize("mark", [-1, "?", None])
def test_unlabeled_documents(mark):
    """They are the first documents of paths, and count neither as class nor in the prior."""
    labels = np.array(["a", "a", "b", "b", "a", "b"] + ["?"] * 6)
    if mark == -1:
        labels = np.array([0, 0, 1, 1, 0, 1] + [-1] * 6)
    model = HigherOrderSmoothingNB(unlabeled=mark).fit(X, labels)
    if mark is None:
        assert len(model.classes_) == 3
        return
    assert_array_equal(model.classes_, np.unique(labels[:6]))
    assert_array_equal(model.label_path_count_, label_paths(X, labels, model.classes_))
    assert_allclose(np.exp(model.class_log_prior_), 0.5)
    alone = HigherOrderSmoothingNB().fit(X[:6], labels[:6])
    assert model.label_path_count_.sum() > alone.label_path_count_.sum()


def test_the_score_leaves_out_what_has_no_label():
    labels = np.array([*y[:8], *["?"] * 4])
    model = HigherOrderSmoothingNB(unlabeled="?").fit(X, labels)
    labels[0] = "c"  # so that not all answers are right
    right = model.predict(X[:8]) == labels[:8]
    assert 0 < right.mean() < 1
    assert model.score(X, labels) == right.mean()
    weight = np.arange(12)
    assert_allclose(model.score(X, labels, weight), np.average(right, weights=weight[:8]))
    with pytest.raises(ValueError, match="No document has a label to compare with"):
        model.score(X[8:], labels[8:])


def test_all_unlabeled():
    with pytest.raises(ValueError, match="Every label is -1, the mark of unlabeled documents"):
        HigherOrderSmoothingNB(unlabeled=-1).fit(X, [-1] * 12)


def test_mark_in_a_list_of_strings():
    """NumPy would make it the class "-1"."""
    with pytest.raises(ValueError, match="unlabeled=-1 cannot occur among labels"):
        HigherOrderSmoothingNB(unlabeled=-1).fit(X[:3], ["a", "b", -1])
    labels = np.array(["a", "b", -1], dtype=object)
    assert HigherOrderSmoothingNB(unlabeled=-1).fit(np.ones((3, 2)), labels).classes_.tolist() == [
        "a",
        "b",
    ]


def test_without_paths_no_path_is_missed():
    """beta = 0 uses none, so a class without paths is nothing to warn of."""
    model = HigherOrderSmoothingNB(beta=0).fit(
        [[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1]], [0, 0, 1]
    )
    assert_allclose(np.exp(model.feature_log_prob_[1]), [1 / 4, 1 / 4, 1 / 2, 1 / 2])


def test_mark_that_does_not_occur():
    plain = HigherOrderSmoothingNB().fit(X, y)
    marked = HigherOrderSmoothingNB(unlabeled="?").fit(X, y)
    assert_array_equal(plain.feature_log_prob_, marked.feature_log_prob_)


def test_word_unseen_in_a_class_gets_a_path():
    """w1 never occurs in c1, but w1 - d1 - w2 - d2 - c1 links them, as in the paper's Figure 2."""
    documents = [[1, 1, 0], [0, 1, 1], [0, 0, 1]]
    model = HigherOrderSmoothingNB().fit(documents, ["c2", "c1", "c1"])
    assert model.label_path_count_[0, 0] == 1


def test_class_without_path_leaves_the_words_of_the_classes():
    documents = np.hstack([np.vstack([X, np.zeros((1, 7), int)]), np.zeros((13, 2), int)])
    documents[-1, 7:] = 1
    labels = [*y, "alone"]
    with pytest.warns(NoPathWarning, match=r"the classes \['alone'\].*words of its own documents"):
        model = HigherOrderSmoothingNB().fit(documents, labels)
    first = np.array([documents[np.array(labels) == c].sum(axis=0) for c in model.classes_])
    totals = first.sum(axis=1, keepdims=True)
    alpha = totals / totals.max()
    assert_allclose(np.exp(model.feature_log_prob_), (alpha + first) / (2 * alpha + totals))
    assert model.predict(documents[-1:])[0] == "alone"


@pytest.mark.parametrize("alpha", [0, 1])
def test_class_of_empty_documents_leaves_document_counts(alpha):
    documents, labels = np.vstack([X, np.zeros((2, 7), int)]), [*y, "empty", "empty"]
    with pytest.warns(NoPathWarning, match=r"\['empty'\].*document counts"):
        model = HigherOrderSmoothingNB(alpha=alpha).fit(documents, labels)
    plain = SmoothedBernoulliNB().fit(documents, labels)
    assert_allclose(model.feature_log_prob_, plain.feature_log_prob_)
    assert_allclose(model.class_log_prior_, plain.class_log_prior_)


def test_warning_points_at_the_caller():
    with pytest.warns(NoPathWarning) as record:
        HigherOrderSmoothingNB().fit(np.eye(4), [0, 0, 1, 1])
    assert record[0].filename == __file__


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"beta": -0.1}, "beta must be a number from 0 to 1; got -0.1"),
        ({"beta": "half"}, "beta must be a number from 0 to 1; got 'half'"),
        ({"alpha": -1}, "alpha must be a finite number, 0 or more; got -1"),
        ({"first_order_alpha": -1}, "first_order_alpha must be a finite number, 0 or more; got -1"),
        ({"path_total": "each"}, "path_total"),
        ({"alpha": np.nan}, "alpha must be a finite number, 0 or more; got nan"),
    ],
)
def test_bad_parameters(parameters, message):
    with pytest.raises(ValueError, match=message):
        HigherOrderSmoothingNB(**parameters).fit(X, y)
