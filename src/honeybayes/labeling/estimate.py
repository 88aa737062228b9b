"""Estimates of how good the answers are, and advice on when to stop."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import least_squares
from sklearn.metrics import cohen_kappa_score

from honeybayes.calibration.coverage import (
    FEWEST_HELD_OUT,
    TARGETS,
    Interval,
    TargetThreshold,
    find_threshold,
    wilson_interval,
)

STABLE = 0.97  # Cohen's kappa of two rounds
N_STABLE = 3  # rounds in a row: with 0.95 twice, more labels still gained 3.4 points
FEWEST_APART = 5  # labels between two rounds that are compared,
SHARE_APART = 0.05  # or this share of the labels: of many labels, five change nothing
FEWEST_LABELS = 20  # before the advice to stop
FEWEST_FOR_CURVE = 4  # rounds


class Point(NamedTuple):
    """A number after so many labels.

    Parameters
    ----------
    n_labels : int
        Number of labels.
    value : float
        The number.
    """

    n_labels: int
    value: float


@dataclass(frozen=True)
class QualityEstimate:
    """What is known about the quality of the answers.

    Parameters
    ----------
    n_labels : int
        Number of labeled distinct texts.
    n_texts : int
        Number of distinct texts.
    audit : Interval or None
        Accuracy on the random texts of the audit. None if there are none yet.
    n_undecided_audit : int
        Number of texts of the audit without an answer; they are not counted.
    stability : tuple of Point
        Cohen's kappa between the answers of successive rounds.
    curve : tuple of Point
        Accuracy of earlier rounds on all texts of the audit.
    projected : tuple of Point
        Where the curve seems to lead; empty if there are too few rounds.
    automatic : tuple of TargetThreshold
        How many texts the model may answer alone, for several targets.
    """

    n_labels: int
    n_texts: int
    audit: Interval | None
    n_undecided_audit: int
    stability: tuple[Point, ...]
    curve: tuple[Point, ...]
    projected: tuple[Point, ...]
    automatic: tuple[TargetThreshold, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the values in plain types, such as JSON has.

        Returns
        -------
        dict
        """
        plain = asdict(self)
        plain["audit"] = None if self.audit is None else self.audit._asdict()
        for name in ("stability", "curve", "projected", "automatic"):
            plain[name] = [each._asdict() for each in getattr(self, name)]
        return plain


@dataclass(frozen=True)
class Advice:
    """Whether to stop labeling.

    Parameters
    ----------
    stop : bool
        Whether more labels would hardly change the answers.
    reasons : tuple of str
        Why, in sentences.
    """

    stop: bool
    reasons: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(["You may stop." if self.stop else "Go on.", *self.reasons])


def kappa(one: np.ndarray, two: np.ndarray) -> float:
    """Return Cohen's kappa of two lists of answers, 1 if all are equal."""
    return 1.0 if np.array_equal(one, two) else float(cohen_kappa_score(one, two))


def is_apart(before: int, now: int) -> bool:
    """Return True if a round with ``now`` labels is worth keeping after one with ``before``."""
    return now <= before or now - before >= max(FEWEST_APART, SHARE_APART * now)


def spaced(rounds: Sequence[tuple[int, np.ndarray]]) -> list[tuple[int, np.ndarray]]:
    """Keep rounds that are some labels apart; of equal rounds, the last one."""
    kept: list[tuple[int, np.ndarray]] = []
    for n_labels, answers in rounds:
        while kept and kept[-1][0] >= n_labels:  # labels were undone
            kept.pop()
        if not kept or is_apart(kept[-1][0], n_labels):
            kept.append((n_labels, answers))
    return kept


def project_curve(curve: Sequence[Point]) -> tuple[Point, ...]:
    """Continue a learning curve with `fit_curve`."""
    curve = [point for point in curve if point.n_labels]
    if len(curve) < FEWEST_FOR_CURVE:
        return ()
    n, accuracy = np.array(curve, dtype=float).T
    ahead = np.unique(np.linspace(n[-1], 2 * n[-1], 9).round())
    values = fit_curve(n, accuracy)(ahead).tolist()
    return tuple(Point(int(each), value) for each, value in zip(ahead, values, strict=True))


def fit_curve(n_labels: np.ndarray, accuracy: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """Fit a - b / n^c to a learning curve, with a up to 1 and c from 0.2 to 2.

    There must be at least three numbers of labels, above 0 and ascending. The result takes numbers
    of labels, and returns accuracies.
    """
    limits = ([0, 0, 0.2], [1, 10, 2])
    start = [min(accuracy.max(), 0.99), 1, 0.5]

    def misfit(parameters: np.ndarray) -> np.ndarray:
        a, b, c = parameters
        # later rounds are more like the rounds to come
        return (a - b * n_labels**-c - accuracy) * n_labels**0.5

    a, b, c = least_squares(misfit, start, bounds=limits, max_nfev=2000).x
    return lambda n: np.clip(a - b * np.asarray(n, dtype=float) ** -c, 0, 1)


def estimate_quality(
    rounds: Sequence[tuple[int, np.ndarray]],
    audit: tuple[np.ndarray, np.ndarray],
    confidence: np.ndarray | None,
    is_labeled: np.ndarray,
    n_undecided_audit: int = 0,
) -> QualityEstimate:
    """Compute an `QualityEstimate`."""
    positions, truth = audit
    n_audit = len(positions)
    kept = spaced(rounds)
    stability = tuple(Point(n, kappa(before, now)) for (_, before), (n, now) in pairwise(kept))
    interval: Interval | None = None
    curve: tuple[Point, ...] = ()
    automatic: tuple[TargetThreshold, ...] = ()
    if rounds and n_audit:
        is_right = rounds[-1][1][positions] == truth
        interval = wilson_interval(int(is_right.sum()), n_audit)
        curve = tuple(Point(n, float(np.mean(each[positions] == truth))) for n, each in kept)
        if n_audit >= FEWEST_HELD_OUT and confidence is not None:
            automatic = tuple(
                find_threshold(each, confidence[positions], is_right, confidence[~is_labeled])
                for each in TARGETS
            )
    return QualityEstimate(
        n_labels=int(is_labeled.sum()),
        n_texts=len(is_labeled),
        audit=interval,
        n_undecided_audit=n_undecided_audit,
        stability=stability,
        curve=curve,
        projected=project_curve(curve) if n_audit >= FEWEST_HELD_OUT else (),
        automatic=automatic,
    )


def give_advice(estimate: QualityEstimate, unlabeled_classes: Sequence[str] = ()) -> Advice:
    """Say whether more labels are worth the effort.

    The advice is to stop when the answers hardly change any more: Cohen's kappa of successive
    rounds was 0.97 or more three times in a row. Rounds are at least five labels apart; with more
    than 100 labels, 5 % of them. There must be at least 20 labels, and one for each class.
    """
    last = [point.value for point in estimate.stability[-N_STABLE:]]
    is_stable = len(last) == N_STABLE and min(last) >= STABLE
    reasons = []
    if estimate.n_labels < FEWEST_LABELS:
        reasons.append(f"Label at least {FEWEST_LABELS} texts before you decide.")
    if unlabeled_classes:
        reasons.append(f"No text has the label {', '.join(unlabeled_classes)} yet.")
    stop = is_stable and not reasons
    if last:
        change = "hardly change any more" if is_stable else "still change"
        numbers = ", ".join(f"{each:.2f}" for each in last)
        reasons.append(f"The answers {change} (agreement of successive rounds: {numbers}).")
    if estimate.audit is None:
        reasons.append("There are no random texts with a label yet, so the accuracy is unknown.")
    else:
        found = estimate.audit
        reasons.append(
            f"About {_percent(found.accuracy)} of the answers are right ({_percent(found.low)} to "
            f"{_percent(found.high)}, from {found.n} random texts)."
        )
    if estimate.projected and not stop:
        first, last_point = estimate.projected[0], estimate.projected[-1]
        gain = 100 * (last_point.value - first.value)
        reasons.append(
            f"{last_point.n_labels - first.n_labels} more labels would bring about {gain:.0f} "
            f"point{'s' if round(gain) != 1 else ''}."
        )
    return Advice(stop, tuple(reasons))


def _percent(share: float) -> str:
    return f"{int(100 * share + 0.5)} %"  # a half is rounded up, as on the page
