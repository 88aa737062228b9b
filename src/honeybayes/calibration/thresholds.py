"""Thresholds of a classifier: how many rows it may answer alone, for people and programs."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from honeybayes.calibration.coverage import (
    FEWEST_HELD_OUT,
    TARGETS,
    TargetThreshold,
    find_threshold,
)

USUAL_TARGET = 0.9


def thresholds_of(classifier: Any, targets: Sequence[float] = TARGETS) -> list[TargetThreshold]:
    """Return thresholds by the texts that ``fit`` held out; none if there are too few."""
    held_out = getattr(classifier, "held_out_", None)
    known, of_label = np.zeros((2, 0)) if held_out is None else held_out.T
    return measured_thresholds(known, of_label >= known, targets)


def measured_thresholds(
    confidence: np.ndarray, is_right: np.ndarray, targets: Sequence[float] = TARGETS
) -> list[TargetThreshold]:
    """Return thresholds by texts that were answered now; none if there are too few."""
    is_enough = len(confidence) >= FEWEST_HELD_OUT
    return [find_threshold(each, confidence, is_right) for each in targets if is_enough]


def describe_usual(
    found: Sequence[TargetThreshold], what: str, source: str = "held-out texts"
) -> list[str]:
    """Return the line about the usual target, or none."""
    return [each.describe(what, source) for each in found if each.target == USUAL_TARGET]


def as_records(found: Sequence[TargetThreshold]) -> list[dict[str, Any]]:
    """Return thresholds for programs."""
    return [
        {
            "target": each.target,
            "threshold": each.threshold,
            "answered": each.answered,
            "held_out": each.n_held_out,
            "rough": each.is_rough,
        }
        for each in found
    ]


def lowest_confidence(found: TargetThreshold) -> float:
    """Return the lowest confidence to answer: above 1 if no threshold is high enough."""
    return 2.0 if found.threshold is None else found.threshold


def count_answered(found: TargetThreshold, confidence: np.ndarray) -> TargetThreshold:
    """Return the same threshold with the numbers of these rows that it answers and leaves."""
    written = np.round(confidence.astype(float), 4)
    n_answered = int(np.sum(written >= lowest_confidence(found)))
    return found._replace(n_answered=n_answered, n_left=len(written) - n_answered)


def choose_threshold(classifier: Any, target: float, model: str) -> TargetThreshold:
    """Return the threshold for a target accuracy, by the texts that ``fit`` held out."""
    found = thresholds_of(classifier, [target])
    if not found:
        raise ValueError(
            f"{model} has fewer than {FEWEST_HELD_OUT} held-out texts, so there is no threshold "
            "for --target-accuracy. Fit it again with more labels, or use --min-confidence."
        )
    return found[0]
