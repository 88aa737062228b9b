"""Coverage: how many texts a model answers without a person, and how often it is right there.

All numbers come from held-out texts: texts with a label that the model did not learn from. They
hold for other texts only if the held-out texts are a random sample of them.
"""

import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq
from scipy.special import bdtr, bdtrc, bdtrin, expit, logit, ndtri

from honeybayes.utils.parameters import described_like, documented

ENOUGH_HELD_OUT = 100  # texts, to say it without the word "rough"
A_FEW_MORE = 1.7  # times as many held-out texts may tell; of enough texts, more are no advice
FEWEST_HELD_OUT = 10  # texts, to say anything about a threshold
TARGETS = (0.8, 0.9, 0.95)
USUAL_TARGET = 0.9
# How sure held-out texts must make of a threshold; the second if the confidence is too low for it.
SURE, PROOF = 0.8, 0.95
TIE = 1e-6  # probabilities as close as this are equal
THRESHOLDS = np.arange(100) / 100  # what is shown is what was tested
N_BINS = 15  # of the expected calibration error
MOST_POINTS = 100  # of a curve: more cannot be seen


class Interval(NamedTuple):
    """An accuracy and its 95 % interval.

    Parameters
    ----------
    accuracy : float
        Share of right answers.
    low, high : float
        The limits.
    n : int
        Number of texts that it was measured on.
    """

    accuracy: float
    low: float
    high: float
    n: int


class CoveragePoint(NamedTuple):
    """What happens if a model answers only from a threshold on.

    Parameters
    ----------
    threshold : float
        Lowest confidence of the answered texts.
    answered : float
        Share of the texts that are answered, from 0 to 1.
    right : Interval
        Share of right answers among these.
    """

    threshold: float
    answered: float
    right: Interval


@documented
class TargetThreshold(NamedTuple):
    """A threshold for a target accuracy, and how many texts have a confidence above it.

    Parameters
    ----------
    target : float
        The accuracy that the answers must have.
    threshold : float or None
        The confidence from which on they have it; None if no threshold is high enough.
    n_answered : int
        Number of texts at or above the threshold.
    n_left : int
        Number of texts that go to a person.
    is_rough : bool
        True if it was measured on few texts.
    n_held_out : int
        Number of held-out texts that it was measured on.
    accuracy : Interval or None
        Share of right answers among the held-out texts at or above the threshold.
    n_needed : int
        If the held-out texts are too few to tell, about how many it takes; otherwise 0.
    """

    target: float
    threshold: float | None
    n_answered: int
    n_left: int
    is_rough: bool
    n_held_out: int = 0
    accuracy: "Interval | None" = None
    n_needed: int = 0

    @property
    def answered(self) -> float:
        """Share of the texts at or above the threshold."""
        return self.n_answered / max(1, self.n_answered + self.n_left)

    @property
    def lowest(self) -> float:
        """Lowest confidence to answer: above 1 if no threshold is high enough."""
        return 2.0 if self.threshold is None else self.threshold

    def applied_to(self, confidence: np.ndarray) -> "TargetThreshold":
        """Return the same threshold with the numbers of other texts that it answers and leaves.

        Parameters
        ----------
        confidence : ndarray of shape (n_texts,)
            Confidence of these texts.
        """
        n_answered = int(np.sum(np.round(confidence.astype(float), 4) >= self.lowest))
        return self._replace(n_answered=n_answered, n_left=len(confidence) - n_answered)

    def to_dict(self) -> dict[str, Any]:
        """Return what other programs need, ready for JSON."""
        about = {"target": self.target, "threshold": self.threshold, "answered": self.answered}
        return about | {
            "held_out": self.n_held_out,
            "needed": self.n_needed,
            "rough": self.is_rough,
        }

    def describe(self, what: str = "rows", source: str = "held-out texts") -> str:
        """Return a sentence for a person.

        Parameters
        ----------
        what : str, default="rows"
            What is answered.
        source : str, default="held-out texts"
            What it was measured on.

        Examples
        --------
        >>> from honeybayes.calibration.coverage import TargetThreshold
        >>> print(TargetThreshold(0.9, 0.93, 50, 950, False, 190).describe(source="texts"))
        To be 90 % right (80 % sure): threshold 0.93, which answers 5 % of the rows (from 190 texts)
        """
        rough = ": rough" if self.is_rough else ""
        if self.is_rough and self.accuracy is not None:
            low, high = 100 * self.accuracy.low, 100 * self.accuracy.high
            rough += f", {low:.0f} % to {high:.0f} % may be right"
        measured = f"(from {self.n_held_out} {source}{rough})"
        start = f"To be {100 * self.target:.3g} % right ({100 * SURE:.0f} % sure):"
        if self.n_needed:
            known = f"{self.n_held_out} {source}; it takes about {self.n_needed}"
            return f"{start} too few labels to tell ({known})"
        if self.threshold is None:
            return f"{start} no threshold is high enough {measured}"
        share = f"{100 * self.answered:.0f} % of the {what}"
        return f"{start} threshold {self.threshold:.2f}, which answers {share} {measured}"


def wilson_interval(n_right: float, n: float, level: float = 0.95) -> Interval:
    """Return the share of right answers with its Wilson interval.

    Parameters
    ----------
    n_right : float
        Number of right answers.
    n : float
        Number of answers, at least 1. Weighed ones may count as a number that is not whole.
    level : float, default=0.95
        How often the interval contains the true share.

    Examples
    --------
    >>> from honeybayes.calibration.coverage import wilson_interval
    >>> found = wilson_interval(17, 20)
    >>> found.accuracy, round(found.low, 3), round(found.high, 3)
    (0.85, 0.64, 0.948)
    """
    z = float(ndtri((1 + level) / 2))
    share = n_right / n
    center = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    return Interval(share, float(max(0.0, center - half)), float(min(1.0, center + half)), int(n))


def coverage_curve(
    confidence: ArrayLike, is_right: ArrayLike, n_points: int = MOST_POINTS
) -> list[CoveragePoint]:
    """Return how many texts are answered, and how many of these rightly, for each threshold.

    The highest threshold comes first; the last one answers every text.

    Parameters
    ----------
    confidence : array-like of shape (n_texts,)
        Confidence of held-out texts.
    is_right : array-like of bool, shape (n_texts,)
        Whether these answers are right.
    n_points : int, default=100
        Largest number of points.

    Examples
    --------
    >>> from honeybayes.calibration.coverage import coverage_curve
    >>> for point in coverage_curve([0.9, 0.8, 0.8, 0.5], [True, True, False, False]):
    ...     print(point.threshold, point.answered, round(point.right.accuracy, 2))
    0.9 0.25 1.0
    0.8 0.75 0.67
    0.5 1.0 0.5
    """
    confidence, right = np.asarray(confidence, dtype=float), np.asarray(is_right, dtype=bool)
    if not len(confidence):
        return []
    order = np.argsort(-confidence, kind="stable")
    ordered, n_right = confidence[order], np.cumsum(right[order])
    ends = np.flatnonzero(np.append(np.diff(ordered) < 0, True))  # equal texts stay together
    evenly = np.linspace(0, len(ends) - 1, min(len(ends), n_points))
    points = []
    for end in ends[evenly.round().astype(int)].tolist():
        right_above = wilson_interval(int(n_right[end]), end + 1)
        points.append(CoveragePoint(float(ordered[end]), (end + 1) / len(ordered), right_above))
    return points


def find_threshold(
    target: float,
    held_out: ArrayLike,
    is_right: ArrayLike,
    confidence: ArrayLike | None = None,
    *,
    documents: ArrayLike | None = None,
) -> TargetThreshold:
    """Find the confidence from which on the answers are right often enough.

    It is the lowest threshold for which two things hold. First, a binomial test with the held-out
    texts above it, of which there must be at least ten: if fewer answers were right than the
    target, so few wrong ones would occur in one of five samples at most. So one is 80 % sure.
    Second, the mean confidence of the texts to answer above it reaches the target, after one number
    was added to all log odds, so that confidence and accuracy of the held-out texts agree. If it
    does not, one of five becomes one of twenty. The test is of one threshold, and the lowest of
    several is taken, so "one of five" is approximate. It counts samples without a threshold, too.

    Parameters
    ----------
    target : float
        The accuracy that the answers must have, between 0 and 1.
    held_out : array-like of shape (n_held_out,)
        Confidence of the held-out texts.
    is_right : array-like of bool, shape (n_held_out,)
        Whether these answers are right.
    confidence : array-like of shape (n_texts,), optional
        Confidence of the texts to answer. By default, it is that of the held-out texts.
    documents : array-like of shape (n_held_out,), optional
        For each held-out answer, a number of its text, if some texts were answered several times:
        a text counts once in ``n_held_out``, and among the ten.

    Examples
    --------
    >>> from honeybayes.calibration.coverage import find_threshold
    >>> confidence = [0.95] * 60 + [0.6] * 60
    >>> is_right = [True] * 57 + [False] * 3 + [True, False] * 30
    >>> print(find_threshold(0.9, confidence, is_right).describe(source="texts"))
    To be 90 % right (80 % sure): threshold 0.61, which answers 50 % of the rows (from 120 texts)
    """
    if not 0 < target < 1:
        raise ValueError(f"target must be between 0 and 1, such as 0.9; got {target}.")
    known, right = np.asarray(held_out, dtype=float), np.asarray(is_right, dtype=bool)
    asked = known if confidence is None else np.asarray(confidence, dtype=float)
    # the highest confidence of each text: several answers to one text make nothing more certain
    highest = known
    if documents is not None:
        names, number = np.unique(documents, return_inverse=True)
        highest = np.zeros(len(names))
        np.maximum.at(highest, number, known)
    n_texts, _ = _means_above(highest, highest)
    _, accuracy = _means_above(known, right)
    # one right and one wrong answer more, so that a few texts never lead to certainty
    share = (right.sum() + 1) / (len(right) + 2)
    of_known, of_asked = (logit(np.clip(each, 1e-6, 1 - 1e-6)) for each in (known, asked))
    offset = brentq(lambda more: expit(of_known + more).mean() - share, -40, 40)
    n_answered, expected = _means_above(asked, expit(of_asked + offset))
    n_wrong = np.round((1 - accuracy) * n_texts)
    by_chance = bdtr(n_wrong, n_texts, 1 - target)  # so few wrong answers, if too many are wrong
    level = np.where(expected >= target, 1 - SURE, 1 - PROOF)
    can_be = (n_texts >= FEWEST_HELD_OUT) & (n_answered > 0)
    is_enough = can_be & (by_chance <= level)
    is_rough = len(highest) < ENOUGH_HELD_OUT
    if not is_enough.any():
        # So many wrong ones may be chance, too. If no more are wrong, how many texts prove it?
        # The next test is the first one, which more right answers make enough, or the second.
        goal = np.where(by_chance > 1 - SURE, 1 - SURE, 1 - PROOF)
        growth = bdtrin(n_wrong, goal, 1 - target) / np.maximum(n_texts, 1)
        is_open = can_be & (bdtrc(n_wrong - 1, n_texts, 1 - target) > 1 - SURE)
        is_open &= is_rough | (growth <= A_FEW_MORE)
        n_needed = int(np.ceil(len(highest) * growth[is_open].min())) if is_open.any() else 0
        return TargetThreshold(target, None, 0, len(asked), is_rough, len(highest), None, n_needed)
    first = int(is_enough.argmax())
    n, threshold = int(n_answered[first]), float(THRESHOLDS[first])
    n_known = int(n_texts[first])
    interval = wilson_interval(round(float(accuracy[first]) * n_known), n_known)
    return TargetThreshold(target, threshold, n, len(asked) - n, is_rough, len(highest), interval)


def measured_thresholds(
    confidence: np.ndarray, is_right: np.ndarray, documents: np.ndarray | None = None
) -> list[TargetThreshold]:
    """Return the thresholds for `TARGETS`; none if there are too few held-out texts."""
    if len(confidence if documents is None else np.unique(documents)) < FEWEST_HELD_OUT:
        return []
    return [find_threshold(each, confidence, is_right, documents=documents) for each in TARGETS]


def thresholds_of(classifier: Any, targets: Sequence[float] = TARGETS) -> list[TargetThreshold]:
    """Return thresholds by the texts that ``fit`` held out; none if there are too few."""
    held_out = getattr(classifier, "held_out_", None)
    if held_out is None or len(held_out) < FEWEST_HELD_OUT:
        return []
    known, of_label = held_out.T
    return [find_threshold(each, known, of_label >= known) for each in targets]


def _means_above(confidence: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the number of texts from each threshold on, and the mean of their values."""
    order = np.argsort(confidence)
    start = np.searchsorted(confidence[order], THRESHOLDS - TIE)
    sums = np.append(np.cumsum(values[order][::-1])[::-1], 0)
    n = len(order) - start
    return n, sums[start] / np.maximum(n, 1)


def prediction_sets(
    proba: ArrayLike, of_label: ArrayLike, coverage: float = 0.9, *, allow_empty: bool = False
) -> np.ndarray:
    """Return the classes that contain the label of a text with a given probability.

    This is split conformal prediction: a class is in the set if its probability is at least as high
    as that of most labels of held-out texts. It holds, however good the model is, if held-out texts
    and new texts are random samples of the same texts. A class without any label is in no set; the
    labels that are the only one of their class show how many such texts there are, and the sets
    become larger to make up for them.

    Parameters
    ----------
    proba : array-like of shape (n_texts, n_classes)
        Probabilities of the texts to answer.
    of_label : array-like of shape (n_held_out,)
        For each held-out text, the probability that the model gave to its label.
    coverage : float, default=0.9
        Share of the texts whose label must be in the set, between 0 and 1.
    allow_empty : bool, default=False
        Whether a set may be empty. Otherwise it contains at least the most likely class, and more
        labels than required are covered if the model is right more often than required.

    Returns
    -------
    ndarray of bool, shape (n_texts, n_classes)
        All True if there are too few held-out texts: fewer than 9 for a coverage of 0.9.

    References
    ----------
    M. Sadinle, J. Lei and L. Wasserman, "Least Ambiguous Set-Valued Classifiers with Bounded Error
    Levels", Journal of the American Statistical Association 114, 2019.

    Examples
    --------
    >>> from honeybayes.calibration.coverage import prediction_sets
    >>> of_label = [0.9, 0.8, 0.8, 0.7, 0.7, 0.6, 0.6, 0.5, 0.3]
    >>> prediction_sets([[0.6, 0.35, 0.05], [0.9, 0.06, 0.04]], of_label, 0.9)
    array([[ True,  True, False],
           [ True, False, False]])
    """
    if not 0 < coverage < 1:
        raise ValueError(f"coverage must be between 0 and 1, such as 0.9; got {coverage}.")
    proba = np.asarray(proba, dtype=float)
    known = np.sort(np.asarray(of_label, dtype=float))
    # with n held-out texts there are n + 1 places for a new one
    n_left_out = int(np.floor((len(known) + 1) * (1 - coverage) + 1e-9))
    if n_left_out == 0:
        return np.ones(proba.shape, dtype=bool)
    # probabilities are stored in single precision, and a tie counts as contained
    sets = proba >= known[n_left_out - 1] - TIE
    if not allow_empty:
        sets[np.arange(len(proba)), proba.argmax(axis=1)] = True
    return sets


def warn_of_unknown_classes(of_label: np.ndarray, coverage: float) -> None:
    """Warn if sets of the known classes cannot contain enough labels.

    A held-out label with the probability 0 is the only one of its class, and no other label has it:
    see `held_out_answers`. About as many texts are of classes without any label, which are in no
    set.
    """
    n_unknown = int((of_label == 0).sum())
    if n_unknown > (1 - coverage) * (len(of_label) + 1):
        warnings.warn(
            f"About {100 * n_unknown / len(of_label):.0f} % of the texts are probably of classes "
            f"without any label, because {n_unknown} of {len(of_label)} labels are the only one of "
            f"their class. Sets of the known classes cannot contain {100 * coverage:.3g} % of the "
            "labels, so they contain all classes. Label more random texts, or lower the coverage.",
            UserWarning,
            stacklevel=3,
        )


def held_out_answers(proba: np.ndarray, position: np.ndarray, n_alone: float = 0) -> np.ndarray:
    """Return confidence and probability of the label, as the attribute ``held_out_`` stores them.

    The answer was right if they are equal. So if another class has the same probability and was the
    answer, the probability of the label is stored as the next smaller number.

    The only document of a class cannot be held out: without it, the class is unknown. It stands for
    the documents of classes without any label, and its label has the probability 0; any other label
    has at least the smallest normal number. How sure a model is of such a document is not known, so
    it gets a confidence of the others.
    """
    rows, answers = np.arange(len(proba)), proba.argmax(axis=1)
    found = np.column_stack([proba[rows, answers], proba[rows, position]]).astype(np.float32)
    found[:, 1] = np.maximum(found[:, 1], np.finfo(np.float32).tiny)
    below = np.nextafter(found[:, 0], np.float32(0))
    found[:, 1] = np.where(answers == position, found[:, 0], np.minimum(found[:, 1], below))
    n_more = round(n_alone) if len(found) else 0
    if not n_more:
        return found
    evenly = (np.arange(n_more) + 0.5) / n_more
    likely = np.quantile(found[:, 0], evenly, method="nearest")
    return np.vstack([found, np.column_stack([likely, np.zeros_like(likely)])])


def reliability_bins(
    proba: ArrayLike, correct: ArrayLike, n_bins: int = N_BINS
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Compare confidence and accuracy in equal intervals of confidence from 0 to 1.

    Parameters
    ----------
    proba : array-like of shape (n_samples,)
        Probability of the predicted class of each document.
    correct : array-like of bool, shape (n_samples,)
        Whether the prediction was correct.
    n_bins : int, default=15
        Number of intervals. Each includes its upper end, and the first includes 0.

    Returns
    -------
    size, confidence, accuracy : ndarray
        Number of documents, mean confidence and accuracy of each interval. Empty intervals are left
        out.
    """
    confidence, right = np.asarray(proba, dtype=np.float64), np.asarray(correct, dtype=np.float64)
    interval = np.clip(np.ceil(confidence * n_bins).astype(np.intp) - 1, 0, n_bins - 1)
    size = np.bincount(interval, minlength=n_bins)
    filled = size > 0
    sums = (np.bincount(interval, each, minlength=n_bins)[filled] for each in (confidence, right))
    means = [total / size[filled] for total in sums]
    return size[filled], means[0], means[1]


@described_like(reliability_bins)
def expected_calibration_error(proba: ArrayLike, correct: ArrayLike, n_bins: int = N_BINS) -> float:
    """Return the mean distance between confidence and accuracy.

    Returns
    -------
    float
        0 is best.

    Examples
    --------
    >>> from honeybayes.calibration import expected_calibration_error
    >>> round(expected_calibration_error([0.9, 0.9, 0.6, 0.6], [True, True, True, False]), 3)
    0.1
    """
    size, confidence, accuracy = reliability_bins(proba, correct, n_bins)
    return float(np.average(np.abs(confidence - accuracy), weights=size))
