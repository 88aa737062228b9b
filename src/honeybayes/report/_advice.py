"""What is known about the best model, and the sentences at the top of the report."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from honeybayes.calibration.coverage import (
    USUAL_TARGET,
    Interval,
    TargetThreshold,
    measured_thresholds,
    wilson_interval,
)
from honeybayes.evaluate import Difference
from honeybayes.labeling import Advice
from honeybayes.labeling.quality import FEW_CHECKS, Point, project_curve
from honeybayes.report._examination import Examination

FEWEST_ANSWERED = 0.05  # share of the documents, for a threshold to be worth the trouble
ALL_ANSWERED = 0.995
FEWEST_SIZES = 3  # the fitted curve has three parameters
METRICS = {"accuracy": "accuracy", "macro_f1": "macro-F1"}


class Gain(NamedTuple):
    """What more labels would bring."""

    ahead: tuple[Point, ...]  # the fitted curve from now on

    @property
    def n_more(self) -> int:
        """Number of labels more."""
        return self.ahead[-1].n_labels - self.ahead[0].n_labels

    @property
    def gain(self) -> float:
        """What they add to the metric, from 0 to 1."""
        return self.ahead[-1].value - self.ahead[0].value


@dataclass(frozen=True)
class BestModel:
    """What was found out about the best model, or about the only one."""

    name: str
    metric: str  # the one that counts: "macro_f1" if the classes are uneven
    scores: dict[str, float]  # of both metrics, as far as they are known
    examination: Examination
    gain: Gain | None
    baseline: tuple[str, float]  # the largest class, and how often it is right to answer it always
    advice: Advice | None = None  # whether to stop labeling
    is_chosen: bool = False  # the labels are no random sample: other documents may differ
    second: str = ""  # the second best model, if there is one
    difference: Difference | None = None  # to the second; None after few draws
    best_by_accuracy: str = ""
    automatic: tuple[TargetThreshold, ...] = ()  # as the page of a project has them
    audit: Interval | None = None  # the accuracy of a project, as its page has it

    @property
    def right(self) -> Interval:
        """How many answers are right."""
        if self.audit is not None:
            return self.audit
        is_right = self.examination.is_right
        return wilson_interval(int(is_right.sum()), len(is_right))

    @property
    def accuracy(self) -> str:
        """The accuracy; after few checks, only the interval that it is in."""
        _, low, high, n = self.right
        is_few = n < FEW_CHECKS
        return f"{percent(low)} to {percent(high)}" if is_few else percent(self.scores["accuracy"])

    @property
    def is_clear(self) -> bool:
        """Whether the best model is better than the second by more than chance."""
        return not self.second or (self.difference is not None and self.difference.verdict == "win")

    @cached_property
    def thresholds(self) -> list[TargetThreshold]:
        """The thresholds for the usual targets; none if too few documents were tested."""
        tested = self.examination
        if self.automatic or not tested.has_confidence:
            return [*self.automatic]
        return measured_thresholds(tested.confidence, tested.is_right, documents=tested.rows)

    @cached_property
    def alone(self) -> TargetThreshold | None:
        """The threshold for the usual target; None if there is none worth the trouble."""
        found = [each for each in self.thresholds if each.target == USUAL_TARGET]
        return found[0] if found and found[0].answered >= FEWEST_ANSWERED else None

    @property
    def answers_all(self) -> bool:
        """Whether it may answer (almost) every document alone."""
        return self.alone is not None and self.alone.answered >= ALL_ANSWERED

    @property
    def answered(self) -> tuple[float, float]:
        """The share of documents that it may answer alone, and how many of them were right."""
        assert self.alone is not None
        return self.alone.answered, answered_from(self.examination, self.alone.threshold or 0.0)[1]


def largest_class(examination: Examination) -> tuple[str, float]:
    """Return the most frequent class of the tested documents, and its share."""
    labels, sizes = np.unique(examination.truth, return_counts=True)
    return str(labels[sizes.argmax()]), float(sizes.max() / sizes.sum())


def answered_from(examination: Examination, threshold: float) -> tuple[float, float]:
    """Return the share of documents with at least this confidence, and how many are right."""
    is_answered = examination.confidence >= threshold
    return float(is_answered.mean()), float(examination.is_right[is_answered].mean())


def mean_curve(n_labels: np.ndarray, values: np.ndarray) -> list[Point]:
    """Return the mean of the values for each number of labels."""
    return [Point(n, float(values[n_labels == n].mean())) for n in np.unique(n_labels).tolist()]


def estimate_gain(n_labels: np.ndarray, values: np.ndarray) -> Gain | None:
    """Estimate what 50 more labels would bring, or twice as many labels if there are fewer.

    Both arrays have one value per trial. None if there are fewer than three numbers of labels.
    """
    ahead = project_curve(mean_curve(n_labels, values), FEWEST_SIZES)
    return Gain(ahead) if ahead else None


def percent(value: float) -> str:
    """Return a share as a percentage with one decimal."""
    return f"{100 * value:.1f} %"


def points(gain: float) -> str:
    """Return a gain in whole points, because a projection is no more exact than that."""
    n = round(100 * gain)
    return "less than 1 point" if n < 1 else f"about {n} point{'s' if n > 1 else ''}"
