"""SmoothedBernoulliNB: the papers' equations, and scikit-learn where both must agree."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.naive_bayes import BernoulliNB

from honeybayes import SmoothedBernoulliNB
from tests.paths.path_oracle import boolean_matrices

RNG = np.random.default_rng(0)
X = (RNG.random((60, 30)) < 0.2) * RNG.integers(1, 5, (60, 30))
y = RNG.choice(["a", "b", "c"], 60)


@pytest.mark.parametrize("alpha", [0.01, 1.0, 7])
@pytest.mark.parametrize("weights", [None, RNG.random(60)])
def test_laplace_is_scikit_learns_bernoulli(alpha, weights):
    """honb-2009 Eq. 6 and 7."""
    ours = SmoothedBernoulliNB(alpha=alpha).fit(X, y, sample_weight=weights)
    theirs = BernoulliNB(alpha=alpha).fit(X, y, sample_weight=weights)
    assert_allclose(ours.feature_log_prob_, theirs.feature_log_prob_, rtol=1e-12)
    assert_allclose(ours.class_log_prior_, theirs.class_log_prior_, rtol=1e-12)
    assert_allclose(ours.feature_count_, theirs.feature_count_)
    for method in ("predict_joint_log_proba", "predict_log_proba", "predict_proba"):
        assert_allclose(getattr(ours, method)(X), getattr(theirs, method)(X), rtol=1e-9)


@settings(max_examples=60)
@given(boolean_matrices(6, 5).filter(lambda X: min(X.shape) > 0), st.floats(0.01, 1), st.data())
def test_jelinek_mercer_equations(X, beta, data):
    """hos-2012 Eq. 5 to 7, by loops; the floor only touches probabilities of 0 and 1."""
    y = np.array(data.draw(st.lists(st.integers(0, 2), min_size=len(X), max_size=len(X))))
    model = SmoothedBernoulliNB(smoothing="jelinek-mercer", beta=beta).fit(X, y)
    for c, label in enumerate(np.unique(y)):
        own = [row for row, other in zip(X, y, strict=True) if other == label]
        assert model.class_log_prior_[c] == pytest.approx(np.log(len(own) / len(X)))
        for w in range(X.shape[1]):
            likelihood = sum(row[w] for row in own) / len(own)
            collection = sum(row[w] for row in X) / len(X)
            p = (1 - beta) * likelihood + beta * collection
            p = min(max(p, 1e-10), 1 - np.finfo(float).eps)
            assert model.feature_log_prob_[c, w] == pytest.approx(np.log(p))
            assert model.feature_log_absence_prob_[c, w] == pytest.approx(np.log1p(-p))


@pytest.mark.parametrize("smoothing", ["laplace", "jelinek-mercer"])
def test_partial_fit_equals_fit(smoothing):
    whole = SmoothedBernoulliNB(smoothing=smoothing).fit(X, y)
    parts = SmoothedBernoulliNB(smoothing=smoothing)
    for start in range(0, 60, 7):
        rows = slice(start, start + 7)
        parts.partial_fit(X[rows], y[rows], classes=["c", "b", "a"] if start == 0 else None)
    assert_allclose(parts.predict_log_proba(X), whole.predict_log_proba(X), rtol=1e-12)


@pytest.mark.parametrize("smoothing", ["laplace", "jelinek-mercer"])
def test_integer_weights_equal_repetition(smoothing):
    weights = RNG.integers(0, 4, 60)
    weighted = SmoothedBernoulliNB(smoothing=smoothing).fit(X, y, sample_weight=weights)
    repeated = SmoothedBernoulliNB(smoothing=smoothing).fit(
        np.repeat(X, weights, axis=0), np.repeat(y, weights)
    )
    assert_allclose(weighted.predict_log_proba(X), repeated.predict_log_proba(X), rtol=1e-9)


def test_fit_forgets_what_was_learned():
    model = SmoothedBernoulliNB().fit(X, y).fit(X[:30], y[:30])
    assert model.class_count_.sum() == 30


@pytest.mark.parametrize("smoothing", ["laplace", "jelinek-mercer"])
def test_announced_class_without_documents_is_never_chosen(smoothing):
    model = SmoothedBernoulliNB(smoothing=smoothing)
    model.partial_fit(X, y, classes=["a", "b", "c", "never"])
    probabilities = model.predict_proba(X)
    assert_array_equal(probabilities[:, 3], 0)
    assert_allclose(probabilities.sum(axis=1), 1)


def test_words_that_say_nothing_change_nothing():
    """Column 0 is in no document and column 1 in every one: Jelinek-Mercer gives them 0 and 1."""
    columns = np.column_stack([np.zeros(60), np.ones(60), X > 0])
    model = SmoothedBernoulliNB(smoothing="jelinek-mercer").fit(columns, y)
    plain = SmoothedBernoulliNB(smoothing="jelinek-mercer").fit(X, y)
    odd = columns.copy()
    odd[:, 0], odd[:, 1] = 1, 0
    for documents in (columns, odd):
        assert_allclose(model.predict_proba(documents), plain.predict_proba(X), atol=1e-9)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"smoothing": "lidstone"}, "smoothing must be one of 'laplace', 'jelinek-mercer'"),
        ({"alpha": 0}, "alpha must be a finite number above 0; got 0"),
        ({"alpha": np.inf}, "alpha must be a finite number above 0; got inf"),
        ({"alpha": "1"}, "alpha must be a finite number above 0; got '1'"),
        ({"smoothing": "jelinek-mercer", "beta": 1.5}, "beta must be a number from 0 to 1"),
    ],
)
def test_bad_parameters(parameters, message):
    with pytest.raises(ValueError, match=message):
        SmoothedBernoulliNB(**parameters).fit(X, y)


def test_bad_weights():
    with pytest.raises(ValueError, match="Negative values in sample_weight"):
        SmoothedBernoulliNB().fit(X, y, sample_weight=-np.ones(60))
    with pytest.raises(ValueError, match=r"sample_weight are 0|at least one non-zero"):
        SmoothedBernoulliNB().fit(X, y, sample_weight=np.zeros(60))
    with pytest.raises(ValueError, match=r"sample_weight\.shape"):
        SmoothedBernoulliNB().fit(X, y, sample_weight=np.ones(3))


def test_labels_must_be_announced():
    with pytest.raises(ValueError, match="classes must be passed on the first call"):
        SmoothedBernoulliNB().partial_fit(X, y)
    with pytest.raises(ValueError, match=r"not in classes: \['c'\]"):
        SmoothedBernoulliNB().partial_fit(X, y, classes=["a", "b"])
    model = SmoothedBernoulliNB().partial_fit(X, y, classes=["a", "b", "c"])
    with pytest.raises(ValueError, match=r"not in classes: \['d'\]"):
        model.partial_fit(X[:1], ["d"])
    with pytest.raises(ValueError, match="differ from the classes of the first call"):
        model.partial_fit(X[:1], ["a"], classes=["a", "d"])


def test_partial_fit_takes_sparse_rows():
    dense = SmoothedBernoulliNB().partial_fit(X, y, classes=np.unique(y))
    thin = SmoothedBernoulliNB().partial_fit(sparse.csr_array(X), y, classes=np.unique(y))
    assert_array_equal(dense.feature_count_, thin.feature_count_)


def test_failed_partial_fit_changes_nothing():
    model = SmoothedBernoulliNB()
    with pytest.raises(ValueError, match="NaN"):
        model.partial_fit([[np.nan, 1]], [0], classes=[0, 1])
    model.partial_fit([[1, 0], [0, 1]], [0, 1], classes=[0, 1])
    with pytest.raises(ValueError, match="alpha"):
        model.set_params(alpha=-1).partial_fit([[1, 0]], [0])
    with pytest.raises(ValueError, match="not in classes"):
        model.set_params(alpha=1).partial_fit([[1, 0]], [7])
    assert_array_equal(model.class_count_, [1, 1])


def test_too_large_for_float64():
    with pytest.raises(ValueError, match=r"must be between 1e-100 and 1e\+100"):
        SmoothedBernoulliNB(alpha=1e308).fit(X, y)
    with pytest.raises(ValueError, match="too large for float64"):
        SmoothedBernoulliNB().fit(X, y, sample_weight=np.full(60, 1e308))


def test_widen():
    model = SmoothedBernoulliNB().fit(X, y)
    model.widen(32)
    wider = np.hstack([X, np.ones((60, 2), int)])
    model.partial_fit(wider, y)
    assert model.feature_count_.shape == (3, 32)
    assert_array_equal(model.feature_count_[:, 30], model.class_count_ / 2)
    with pytest.raises(
        ValueError, match="must be at least 32, the number of features of the model; got 3"
    ):
        model.widen(3)
