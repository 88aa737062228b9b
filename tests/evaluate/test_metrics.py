"""Metrics against their definitions, spelled out, and against scikit-learn."""

import numpy as np
import pytest
from sklearn import metrics as reference
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from honeybayes import SmoothedBernoulliNB
from honeybayes.evaluate.metrics import (
    METRICS,
    auc,
    brier,
    calibration_error,
    log_loss,
    measure,
)

RNG = np.random.default_rng(0)
CLASSES = np.array(["a", "b", "c"])
TRUTH = RNG.choice(CLASSES, 200)
PROBABILITIES = RNG.dirichlet([1, 1, 1], 200)


def test_log_loss_and_auc_against_scikit_learn():
    assert log_loss(TRUTH, PROBABILITIES, CLASSES) == pytest.approx(
        reference.log_loss(TRUTH, PROBABILITIES)
    )
    assert auc(TRUTH, PROBABILITIES, CLASSES) == pytest.approx(
        reference.roc_auc_score(TRUTH, PROBABILITIES, multi_class="ovr")
    )


def test_brier_by_hand():
    # document 1: (1 - 0.7)^2 + 0.2^2 + 0.1^2 = 0.14; document 2: 0.5^2 + 1 + 0.5^2 = 1.5
    probabilities = np.array([[0.7, 0.2, 0.1], [0.5, 0.0, 0.5]])
    assert brier(np.array(["a", "b"]), probabilities, CLASSES) == pytest.approx((0.14 + 1.5) / 2)


def test_calibration_error_against_the_loop_over_bins():
    confidence, right = PROBABILITIES.max(axis=1), CLASSES[PROBABILITIES.argmax(axis=1)] == TRUTH
    expected = 0.0
    for low in range(15):
        inside = (confidence > low / 15) & (confidence <= (low + 1) / 15)
        if inside.any():
            gap = abs(confidence[inside].mean() - right[inside].mean())
            expected += inside.mean() * gap
    assert calibration_error(TRUTH, PROBABILITIES, CLASSES) == pytest.approx(expected)


def test_a_class_that_the_model_never_saw():
    """It got probability zero: two for Brier's score, the bound for the log-loss."""
    truth, probabilities = np.array(["z"]), np.array([[1.0, 0.0, 0.0]])
    assert brier(truth, probabilities, CLASSES) == pytest.approx(2)
    assert log_loss(truth, probabilities, CLASSES) == pytest.approx(-np.log(np.finfo(float).eps))
    assert np.isnan(auc(truth, probabilities, CLASSES))


def test_a_class_that_the_model_never_saw_counts_in_the_auc():
    """A score that is the same for all documents has an area of one half."""
    truth = np.where(np.arange(len(TRUTH)) < 10, "z", TRUTH)
    known = [reference.roc_auc_score(truth == c, PROBABILITIES[:, k]) for k, c in enumerate("abc")]
    assert auc(truth, PROBABILITIES, CLASSES) == pytest.approx(np.mean([*known, 0.5]))


X = RNG.poisson(0.7, (60, 12))
Y = RNG.choice(CLASSES, 60)


def test_every_metric_of_a_model_with_probabilities():
    model = SmoothedBernoulliNB().fit(X, Y)
    measured = measure(model, X, Y, model.predict(X), METRICS)
    probabilities = model.predict_proba(X)
    assert measured.keys() == set(METRICS)
    assert measured["accuracy"] == measured["micro_f1"] == model.score(X, Y)
    assert measured["macro_f1"] == reference.f1_score(Y, model.predict(X), average="macro")
    assert measured["auc"] == pytest.approx(
        reference.roc_auc_score(Y, probabilities, multi_class="ovr")
    )


def test_scores_that_saturate_still_rank():
    """A posterior of exactly one hides the order of the documents; log-odds do not."""
    counts = np.repeat([[1, 0], [0, 1]], [50, 50], axis=0) * RNG.integers(300, 900, (100, 1))
    labels = np.repeat(["a", "b"], 50)
    from honeybayes import CountNB

    model = CountNB().fit(counts, labels)
    assert set(model.predict_proba(counts).ravel()) <= {0.0, 1.0}
    mixed = np.array([[400, 380], [400, 100]])
    scores = measure(model, mixed, np.array(["b", "a"]), model.predict(mixed), ["auc"])
    assert scores["auc"] == 1.0


def test_a_model_without_probabilities():
    model = LinearSVC().fit(X, Y)
    measured = measure(model, X, Y, model.predict(X), METRICS)
    assert np.isnan([measured[name] for name in ("log_loss", "brier", "calibration_error")]).all()
    own = [
        reference.roc_auc_score(c == Y, model.decision_function(X)[:, k])
        for k, c in enumerate("abc")
    ]
    assert measured["auc"] == pytest.approx(np.mean(own))


def test_two_classes():
    keep = Y != "c"
    model = LogisticRegression().fit(X[keep], Y[keep])
    measured = measure(model, X[keep], Y[keep], model.predict(X[keep]), ["auc"])
    expected = reference.roc_auc_score(Y[keep], model.decision_function(X[keep]))
    assert measured["auc"] == pytest.approx(expected)
