"""Calibrated confidence: scores are divided by a temperature before the softmax.

docs/calibration.md has the formula, and what happens with few labels and unknown classes.

scikit-learn (1.8 and later) has ``CalibratedClassifierCV(method="temperature")``. It is not used
for three reasons. It uses probabilities instead of scores, and probabilities of exactly 0 or 1
contain no information. It does not support unlabeled documents, or classes with fewer labels than
folds. And it would keep terms that do not occur in the training part of a fold (see
`honeybayes.utils.meta_estimators.fit_on_folds`).
"""

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq
from scipy.special import log_softmax, softmax

from honeybayes.calibration.coverage import FEWEST_HELD_OUT, held_out_answers
from honeybayes.utils import meta_estimators, tags
from honeybayes.utils.labels import encode_labels
from honeybayes.utils.scores import decision_by_class

# Chosen on the 20 Newsgroups subsets, oh0, oh5, re0 and Cora: see docs/calibration.md.
LENGTH_EXPONENT = 0.5
FLOOR = -1e6  # of a score below the best, so that log 0 stays finite
UNSEEN = 0.01  # probability of a class that none of a model's few voters chose
# The doubt. Chosen on the groups "first" and "short" of benchmarks/few_labels.py.
ALWAYS = 0.01
PER_LABEL = 0.3  # divided by the labels per class
MOST = 0.3
# More documents do not improve one number: with many labels, fewer folds are used.
MOST_HELD_OUT = 1000
# log of the highest temperature, in units of the mean score, where probabilities are almost
# uniform; minus the log of the lowest
HOTTEST = 7.0
# The log of the temperature, in units of the mean score, is usually PRIOR_OF_TWO for two classes,
# and lower for more. A lower one than usual has to be proved (half a normal distribution): a model
# can be much worse than usual, but hardly much better.
PRIOR_OF_TWO = 0.5
PRIOR_SLOPE = 0.6
PRIOR_WIDTH = 0.5
N_TRIED = 57  # temperatures: the log-loss has one minimum at a time between two of them


class Calibration(NamedTuple):
    """What held-out documents say about a model."""

    temperature: float  # to divide scores by; 1 if there are not enough labels to measure it
    n_held_out: int  # documents on which it was measured; 0 if fewer than ten can be held out
    doubt: float  # the share of the probability that is divided evenly among the classes
    held_out: np.ndarray | None  # answers to at most 1,000 of them, as by `held_out_answers`


def doubt_of(n_labels: float, n_classes: int) -> float:
    """Return the doubt that remains after so many labels."""
    return min(MOST, ALWAYS + PER_LABEL * n_classes / max(n_labels, 1.0))


def count_alone(position: np.ndarray, is_counted: np.ndarray | None = None) -> int:
    """Return the number of labels that are the only one of their class."""
    alone = np.bincount(position[position >= 0]) == 1
    if is_counted is None:
        return int(alone.sum())
    return int(alone[position[is_counted & (position >= 0)]].sum())


def class_scores(model: Any, X: Any) -> np.ndarray:
    """Return the scores of the classes: 0 for the best class of a document, negative for others.

    Joint log-probabilities if the model has them, else the decision function, else
    log-probabilities. Joint log-probabilities are divided by the square root of the document's
    length, because they are sums over its words, unless the ``model_tags`` say that the model
    divides by the length.
    """
    if hasattr(model, "predict_joint_log_proba"):
        scores = below_best(np.asarray(model.predict_joint_log_proba(X), dtype=np.float64))
        if tags.model_tags(model).scores_grow_with_length:
            length = np.asarray(X.sum(axis=1), dtype=np.float64).reshape(-1, 1)
            scores /= np.maximum(length, 1) ** LENGTH_EXPONENT
        return scores
    decision = decision_by_class(model, X)
    if decision is not None:
        scores = below_best(decision)
        if scores.shape[1] > 2:  # SVC counts votes, which may tie: the prediction gets the best one
            predicted = (model.predict(X)[:, np.newaxis] == model.classes_).argmax(axis=1)
            rows, best = np.arange(len(scores)), scores.argmax(axis=1)
            scores[rows, best] = scores[rows, predicted]
            scores[rows, predicted] = 0.0
        return scores
    if not hasattr(model, "predict_log_proba") and not hasattr(model, "predict_proba"):
        raise ValueError(
            f"{model!r} scores pairs of classes and has no probabilities, so there is no score by "
            "class to calibrate. Use calibrate=None, or a decision function with one column per "
            "class."
        )
    with np.errstate(divide="ignore"):
        if hasattr(model, "predict_log_proba"):  # finite even if a probability rounds to 0
            scores = np.asarray(model.predict_log_proba(X), dtype=np.float64)
        else:
            scores = np.log(np.asarray(model.predict_proba(X), dtype=np.float64))
    none = np.isneginf(scores)  # none of a few voters, such as trees, chose the class
    smallest = np.where(none, 0.0, scores).min(axis=1, keepdims=True)
    return below_best(np.where(none, np.minimum(smallest, np.log(UNSEEN)), scores))


def below_best(scores: np.ndarray) -> np.ndarray:
    """Return the scores of documents minus the best score of each."""
    return np.maximum(scores - scores.max(axis=1, keepdims=True), FLOOR)


def calibrated_proba(model: Any, X: Any, temperature: float, doubt: float = 0.0) -> np.ndarray:
    """Convert a model's scores to probabilities; a higher temperature gives a lower confidence."""
    return soften(class_scores(model, X), temperature, doubt)


def soften(scores: np.ndarray, temperature: float, doubt: float) -> np.ndarray:
    """Convert scores to probabilities, and divide a share, the doubt, evenly among the classes."""
    return (1 - doubt) * softmax(scores / temperature, axis=1) + doubt / scores.shape[1]


def fit_temperature(scores: np.ndarray, position: np.ndarray, doubt: float = 0.0) -> float:
    """Find the most likely temperature, given held-out documents and what is usual.

    The log of the temperature, in units of the mean score, has a prior. Without it, a model that
    predicts a few held-out documents correctly would get a confidence of 100 %.
    """
    spread = float(np.mean(-scores))
    if spread == 0:
        return 1.0
    scores = scores / spread
    labels = np.asarray(position, dtype=np.intp)[:, np.newaxis]
    of_labels = np.take_along_axis(scores, labels, axis=1)
    usual = PRIOR_OF_TWO - PRIOR_SLOPE * np.log(scores.shape[1] / 2)

    def loss(log_temperature: float, slope: bool = False) -> float:
        """Return minus the log of the posterior, or its derivative."""
        log_proba = log_softmax(scores / np.exp(log_temperature), axis=1)
        likely = np.take_along_axis(log_proba, labels, axis=1)
        known, unknown = (1 - doubt) * np.exp(likely), doubt / scores.shape[1]
        surprise = max(0.0, usual - log_temperature) / PRIOR_WIDTH
        if not slope:
            likely = np.log(known + unknown) if doubt else likely
            return float(surprise**2 / 2 - likely.sum())
        expected = (np.exp(log_proba) * scores).sum(axis=1, keepdims=True)
        rise = (expected - of_labels) / np.exp(log_temperature)
        rise *= known / (known + unknown) if doubt else 1
        return float(-surprise / PRIOR_WIDTH - rise.sum())

    tried = np.linspace(-HOTTEST, HOTTEST, N_TRIED)
    best = float(tried[np.argmin([loss(each) for each in tried])])
    step = 2 * HOTTEST / (N_TRIED - 1)
    low, high = max(-HOTTEST, best - step), min(HOTTEST, best + step)
    # where the slope is zero: values of the loss would tell the minimum to eight digits only
    candidates = [low, best, high]
    if loss(low, True) < 0 < loss(high, True):
        candidates.append(brentq(loss, low, high, args=(True,), xtol=1e-14))
    return spread * float(np.exp(min(reversed(candidates), key=loss)))


def find_temperature(
    model: Any, X: Any, y: ArrayLike, *, is_random: np.ndarray | None = None, **options: Any
) -> Calibration:
    """Find the temperature of a model from the labeled documents that it will be fitted to.

    ``held_out`` has answers to the documents in ``is_random`` only; of copies, to one. The options
    are those of `fit_on_folds`.
    """
    y = np.asarray(y)
    classes, position = encode_labels(y, tags.mark_of_unlabeled(model))
    doubt = doubt_of(float((position >= 0).sum()), len(classes))
    folds = meta_estimators.shuffled_folds(position, X)
    is_kept = ~folds.is_copy
    if (is_kept & (folds.fold >= 0)).sum() < FEWEST_HELD_OUT:
        return Calibration(1.0, 0, doubt, None)
    if is_random is not None:  # a document is random if one of its copies is
        is_kept = np.isin(np.arange(len(y)), folds.first[is_random])
    found, tested, n_kept = [], [], 0
    for fitted, held_out, rows in meta_estimators.fit_on_folds(model, X, y, folds, **options):
        found.append(class_scores(fitted, held_out))
        tested.append(rows)
        n_kept += is_kept[rows].sum()
        if n_kept >= MOST_HELD_OUT:
            break
    n_random = int((is_kept & (folds.fold >= 0)).sum())
    alone = Fraction(count_alone(position, is_kept), max(n_random, 1))
    rows = np.concatenate(tested)
    return calibrate_on(np.concatenate(found), position[rows], doubt, alone, is_kept[rows])


def calibrate_on(
    scores: np.ndarray, position: np.ndarray, doubt: float, alone: Fraction, is_kept: Any = None
) -> Calibration:
    """Find the temperature of a model from its scores of held-out documents.

    ``alone`` is the number of documents that are the only one of their class, for each one that can
    be held out. Only answers to the documents in ``is_kept`` are kept.
    """
    temperature = fit_temperature(scores, position, doubt)
    kept = np.arange(len(scores)) if is_kept is None else np.flatnonzero(is_kept)
    evenly = np.linspace(0, len(kept) - 1, min(len(kept), MOST_HELD_OUT))
    some = kept[evenly.round().astype(int)]
    proba = soften(scores[some], temperature, doubt)
    answers = held_out_answers(proba, position[some], float(alone * len(some)))
    return Calibration(temperature, len(scores), doubt, answers)
