"""What all models on binary events have in common: input, output, bad input."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import clone

from honeybayes import HigherOrderNB, HigherOrderSmoothingNB, SmoothedBernoulliNB
from honeybayes.bayes._binary_events import BaseLinkedNB

RNG = np.random.default_rng(1)
X = (RNG.random((40, 25)) < 0.3) * RNG.integers(1, 5, (40, 25))
y = RNG.choice(["ham", "spam"], 40)

MODELS = [
    SmoothedBernoulliNB(),
    SmoothedBernoulliNB(smoothing="jelinek-mercer"),
    HigherOrderNB(),
    HigherOrderNB(order=3, prior="documents"),
    HigherOrderNB(pure="corpus", prior="uniform"),
    HigherOrderSmoothingNB(),
    HigherOrderSmoothingNB(alpha=0),
]
every_model = pytest.mark.parametrize("model", MODELS, ids=repr)


@every_model
def test_score_is_the_sum_over_present_and_absent_words(model):
    """honb-2009 Eq. 3 and 4, term by term."""
    model.fit(X, y)
    for row, joint in zip(X, model.predict_joint_log_proba(X), strict=True):
        for c in range(2):
            present = model.feature_log_prob_[c, row > 0].sum()
            absent = model.feature_log_absence_prob_[c, row == 0].sum()
            assert joint[c] == pytest.approx(model.class_log_prior_[c] + present + absent)


@every_model
def test_present_and_absent_are_complements(model):
    model.fit(X, y)
    both = np.exp(model.feature_log_prob_) + np.exp(model.feature_log_absence_prob_)
    assert_allclose(both, 1, rtol=1e-9)
    assert np.exp(model.class_log_prior_).sum() == pytest.approx(1)


@every_model
@pytest.mark.parametrize(
    "convert",
    [
        sparse.csr_matrix,
        sparse.csc_array,
        sparse.coo_matrix,
        lambda X: X > 0,
        lambda X: X.astype(np.float32),
        lambda X: sparse.csr_array(X > 0),
    ],
)
def test_the_kind_of_matrix_does_not_matter(model, convert):
    expected = model.fit(X, y).predict_log_proba(X)
    assert_allclose(model.fit(convert(X), y).predict_log_proba(convert(X)), expected, rtol=1e-12)


@every_model
def test_answers(model):
    model.fit(X, y)
    assert_array_equal(model.classes_, ["ham", "spam"])
    probabilities = model.predict_proba(X)
    assert_allclose(probabilities.sum(axis=1), 1)
    assert_allclose(np.log(probabilities), model.predict_log_proba(X), rtol=1e-9)
    assert_array_equal(model.predict(X), model.classes_[probabilities.argmax(axis=1)])
    assert model.fit(X, np.where(y == "ham", 3, 7)).predict(X[:1])[0] in (3, 7)


@every_model
def test_names_of_words(model):
    frame = pd.DataFrame(X, columns=[f"word{i}" for i in range(25)])
    model.fit(frame, y)
    assert model.n_features_in_ == 25
    assert model.feature_names_in_[3] == "word3"
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(frame.rename(columns={"word3": "other"}))


@every_model
def test_threshold(model):
    model.set_params(binarize=1.5)
    high = model.fit(X, y).predict_log_proba(X)
    assert_allclose(model.fit(sparse.csr_array(X), y).predict_log_proba(X), high)
    model.set_params(binarize=0.0)
    assert_allclose(model.fit(X > 1.5, y).predict_log_proba(X > 1.5), high)
    model.set_params(binarize=None)
    assert_allclose(model.fit(X > 1.5, y).predict_log_proba(X > 1.5), high)
    model.set_params(binarize=0.0)


@pytest.mark.filterwarnings("ignore::honeybayes.NoPathWarning")
@every_model
def test_long_documents_and_extreme_words_give_finite_numbers(model):
    wide = np.zeros((6, 10_000), np.int8)
    wide[0, :] = wide[1, ::2] = wide[2, :40] = wide[3, 20:60] = 1
    wide[4, 100:110] = wide[5, 105:120] = 1
    model.fit(wide, [0, 0, 1, 1, 2, 2])
    probabilities = model.predict_proba(np.vstack([wide, np.ones((1, 10_000)), wide[:1] * 0]))
    assert np.isfinite(probabilities).all()
    assert_allclose(probabilities.sum(axis=1), 1)


@every_model
def test_one_class_takes_everything(model):
    assert set(model.fit(X, np.zeros(40)).predict(X)) == {0}
    assert_allclose(model.predict_proba(X), 1)


@every_model
@pytest.mark.parametrize(
    ("documents", "labels", "message"),
    [
        (np.where(X == 0, np.nan, X), y, "contains NaN"),
        (np.where(X == 0, np.inf, X), y, "contains infinity"),
        (X, y[:-1], "inconsistent numbers of samples"),
        (X.astype(str).astype(object) + "x", y, "could not convert string to float"),
        (X[0], y[:1], "Expected 2D array"),
        (["a text"] * 40, y, r"X contains texts.*TextClassifier\(.*\(\)\)"),
        (np.array(["a text"] * 40), y, "X contains texts"),
        (X, RNG.random(40), "Unknown label type"),
        (X[:0], y[:0], "minimum of 1 is required"),
    ],
)
def test_bad_input(model, documents, labels, message):
    with pytest.raises(ValueError, match=message):
        model.fit(documents, labels)


@every_model
@pytest.mark.parametrize("binarize", [np.nan, "x", [0], np.inf])
def test_bad_threshold(model, binarize):
    with pytest.raises(ValueError, match="binarize must be None or a finite number"):
        clone(model).set_params(binarize=binarize).fit(X, y)


@every_model
def test_duplicates_of_coo_do_not_wrap_around(model):
    """Two entries of 128 in one place are 256, not 0, also in uint8."""
    rows, columns = np.nonzero(X)
    data = np.full(2 * len(rows), 128, np.uint8)
    doubled = sparse.coo_array((data, (np.tile(rows, 2), np.tile(columns, 2))), shape=X.shape)
    expected = model.fit(X, y).predict_log_proba(X)
    assert_allclose(model.fit(doubled, y).predict_log_proba(doubled), expected)


@every_model
def test_bad_input_to_predict(model):
    model.fit(X, y)
    with pytest.raises(ValueError, match="25 features"):
        model.predict(X[:, :20])


@every_model
def test_negative_values(model):
    """Below the threshold they mean absence, as in scikit-learn; with no threshold an error."""
    signed = np.where(X == 0, -1, X)
    expected = model.fit(X, y).predict_log_proba(X)
    assert_allclose(model.fit(signed, y).predict_log_proba(signed), expected)
    model.set_params(binarize=None)
    with pytest.raises(ValueError, match="Negative values in X"):
        model.fit(signed, y)
    model.set_params(binarize=-0.5)
    with pytest.raises(ValueError, match=r"binarize=-0\.5 is below 0: with sparse X"):
        model.fit(sparse.csr_array(X), y)
    model.set_params(binarize=0.0)


def test_a_subclass_without_an_estimate_cannot_be_made():
    class Forgetful(BaseLinkedNB):
        pass

    with pytest.raises(TypeError, match=r"abstract methods '?_estimate'?, '?_estimate_from'?"):
        Forgetful()
