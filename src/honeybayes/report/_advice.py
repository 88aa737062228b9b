"""What the numbers mean: the headline, the next steps, and the figures at the top."""

import math
from dataclasses import dataclass
from typing import NamedTuple

from honeybayes.calibration.coverage import TargetThreshold, wilson_interval
from honeybayes.evaluate import Comparison, Difference
from honeybayes.labeling import Advice
from honeybayes.report._examination import SUSPICIOUS, Examination, HardDocument
from honeybayes.report._measures import ClassMeasure, Gain

TARGET = 0.9
FEWEST_ANSWERED = 0.05  # share of the documents, for a threshold to be worth the trouble
ALL_ANSWERED = 0.995
FAR_BELOW = 0.1  # F1 of a class below the accuracy
WORTH_LABELING = 0.02  # gain from 50 more labels
SMALLEST_P = 0.001
METRICS = {"accuracy": "accuracy", "macro_f1": "macro-F1"}


class Tile(NamedTuple):
    """A figure at the top of the page, with its name and a note."""

    value: str
    name: str
    note: str


class Step(NamedTuple):
    """A next step, and the section that shows why."""

    text: str
    section: str


@dataclass(frozen=True)
class Finding:
    """What was found out about the best model.

    Parameters
    ----------
    model : str
        Its name.
    metric : str
        The metric that counts: "accuracy", or "macro_f1" if the classes are uneven.
    scores : dict
        The values of both metrics, as far as they are known.
    examination : Examination
        The predictions that the other numbers come from.
    thresholds : list of TargetThreshold
        From which confidence on it may answer alone; empty if too few documents were tested.
    gain : Gain or None
        What more labels would bring, if it is known.
    suspicious : list of HardDocument
        Documents whose label may be wrong.
    baseline : tuple of str and float
        The largest class, and how often it is right to answer it always.
    advice : Advice or None
        Whether to stop labeling.
    is_chosen : bool
        Whether the labels are not random, and so the numbers may not hold for other documents.
    second : str
        The second best model; empty if there is none.
    difference : Difference or None
        Test of the best model against the second; None after a single draw.
    best_by_accuracy : str
        The model with the highest accuracy; empty if models were not compared.
    """

    model: str
    metric: str
    scores: dict[str, float]
    examination: Examination
    thresholds: list[TargetThreshold]
    gain: Gain | None
    suspicious: list[HardDocument]
    baseline: tuple[str, float]
    advice: Advice | None = None
    is_chosen: bool = False
    second: str = ""
    difference: Difference | None = None
    best_by_accuracy: str = ""

    @property
    def is_clear(self) -> bool:
        """Whether the best model is better than the second by more than chance."""
        return not self.second or (self.difference is not None and self.difference.verdict == "win")

    @property
    def is_of_use(self) -> bool:
        """Whether it is right more often than one who always names the largest class."""
        return self.scores["accuracy"] > self.baseline[1]

    @property
    def alone(self) -> TargetThreshold | None:
        """The threshold for the usual target; None if there is none worth the trouble."""
        found = [each for each in self.thresholds if each.target == TARGET]
        return found[0] if found and found[0].answered >= FEWEST_ANSWERED else None

    @property
    def answers_all(self) -> bool:
        """Whether it may answer (almost) every document alone."""
        return self.alone is not None and self.alone.answered >= ALL_ANSWERED

    @property
    def threshold(self) -> float:
        """The threshold of `alone`."""
        assert self.alone is not None
        assert self.alone.threshold is not None
        return self.alone.threshold


def percent(value: float) -> str:
    """Return a share as a percentage with one decimal."""
    return f"{100 * value:.1f} %"


def points(gain: float) -> str:
    """Return a gain in whole points, because a projection is no more exact than that."""
    n = round(100 * gain)
    return "less than 1 point" if n < 1 else f"about {n} point{'s' if n > 1 else ''}"


def interval(difference: Difference) -> str:
    """Return the ends of a difference in percentage points; empty if the test has none."""
    ends = difference.low, difference.high
    return "" if math.isnan(ends[0]) else " to ".join(f"{100 * end:+.1f}" for end in ends)


def p_value(difference: Difference) -> str:
    """Return a p-value with the sign before it."""
    p = difference.p_value
    return f"= {p:.3f}" if p >= SMALLEST_P else f"< {SMALLEST_P}"


def name_split(split: str) -> str:
    """Return how many labels a split has, in words."""
    size = split.removesuffix(" per class")
    return f"{size} labels per class" if size != split else f"{size} of the documents labeled"


def headline(finding: Finding) -> str:
    """Say in one sentence what to do."""
    advice, gain = finding.advice, finding.gain
    if advice is not None and not advice.stop:
        if gain is not None and gain.gain >= WORTH_LABELING:
            return f"Go on labeling: {gain.n_more} more labels would bring {points(gain.gain)}."
        return "Go on labeling before you rely on the model."
    if not finding.is_of_use:
        return (
            f"Label more before you use a model: always answering “{finding.baseline[0]}” is right "
            "at least as often."
        )
    parts = ["You may stop labeling"] if advice is not None else [f"Use {finding.model}"]
    it = "the model" if advice is not None else "it"
    if not finding.is_clear:
        parts, it = [], finding.model
    is_rough = any(each.is_rough for each in finding.thresholds)
    if finding.answers_all and not is_rough:
        parts.append(f"let {it} answer every document")
    elif finding.alone is not None and not is_rough:
        parts.append(f"let {it} answer where its confidence is {finding.threshold:.2f} or more")
    elif finding.thresholds:
        parts.append("let a person check the answers")
    if advice is None and gain is not None and gain.gain >= WORTH_LABELING:
        parts.append(f"label {gain.n_more} more documents")
    if len(parts) > 1:
        parts[-1] = f"and {parts[-1]}"
    what = ", ".join(parts)
    sentences = [f"{what[0].upper()}{what[1:]}."] if parts else []
    if not finding.is_clear:
        either = f"{finding.model} or {finding.second}"
        sentences.insert(0, f"Use {either}: the difference is not clear.")
    return " ".join(sentences)


def ranking(finding: Finding) -> list[str]:
    """Say by which metric models were ranked, if it is not the accuracy."""
    if finding.metric == "accuracy" or not finding.second:
        return []
    too = ", too" if finding.best_by_accuracy == finding.model else ""
    return [
        f"Ranked by {METRICS[finding.metric]}, because the classes are uneven; best by accuracy: "
        f"{finding.best_by_accuracy}{too}."
    ]


def next_steps(finding: Finding, worst: ClassMeasure) -> list[Step]:
    """Say what the headline rests on, and what else to do."""
    steps = []
    if finding.advice is not None:
        steps.append(Step(" ".join(finding.advice.reasons), "more-labels"))
    if finding.alone is not None:
        automatic = finding.alone
        share, right = answered_from(finding.examination, finding.threshold)
        rough = " This is rough: few documents were tested." if automatic.is_rough else ""
        text = (
            f"To be {100 * TARGET:.0f} % right, let it answer where its confidence is "
            f"{finding.threshold:.2f} or more: {percent(share)} of the documents, of which "
            f"{percent(right)} were right. A person answers the others."
        )
        if finding.answers_all:
            text = f"It could answer every document: {percent(right)} of the answers were right."
        steps.append(Step(f"{text}{rough}", "coverage"))
    elif finding.thresholds:
        steps.append(
            Step(
                f"No confidence is high enough to be {100 * TARGET:.0f} % right for a useful part "
                "of the documents. Let a person check the answers.",
                "coverage",
            )
        )
    if finding.gain is not None and finding.advice is None:
        gain = finding.gain
        name = METRICS[finding.metric]
        steps.append(
            Step(
                f"{gain.n_more} more labels would bring {points(gain.gain)} of {name}, if the "
                "learning curve goes on as before.",
                "more-labels",
            )
        )
    if worst.f1 < finding.scores["accuracy"] - FAR_BELOW and worst.recall is not None:
        found = percent(worst.recall)
        text = f"“{worst.label}” is the hardest class: {found} of its documents are found."
        steps.append(Step(text, "classes"))
    n = len(finding.suspicious)
    if n:
        verb = "label may" if n == 1 else "labels may"
        text = f"{n} {verb} be wrong. Check {'it' if n == 1 else 'them'} first."
        steps.append(Step(text, "documents"))
    return steps


def answered_from(examination: Examination, threshold: float) -> tuple[float, float]:
    """Return the share of documents with at least this confidence, and how many are right."""
    is_answered = examination.confidence >= threshold
    return float(is_answered.mean()), float(examination.is_right[is_answered].mean())


def tiles(finding: Finding) -> list[Tile]:
    """Return the figures at the top; the metric that counts comes first."""
    label, share = finding.baseline
    notes = {
        "accuracy": f"right answers. Always “{label}”: {percent(share)}",
        "macro_f1": "mean over the classes, small ones count like large ones",
    }
    order = sorted(finding.scores, key=lambda name: name != finding.metric)
    found = [Tile(percent(finding.scores[name]), METRICS[name], notes[name]) for name in order]
    if finding.alone is not None:
        share, _ = answered_from(finding.examination, finding.threshold)
        goal = f"to be {100 * TARGET:.0f} % right"
        note = f"with confidence {finding.threshold:.2f} or more, {goal}"
        note = f"every document, {goal}" if finding.answers_all else note
        found.append(Tile(percent(share), "answered alone", note))
    if finding.gain is not None:
        n = round(100 * finding.gain.gain)
        value = "< 1 point" if n < 1 else f"+{n} point{'s' if n > 1 else ''}"
        note = "if the learning curve goes on as before"
        found.append(Tile(value, f"from {finding.gain.n_more} more labels", note))
    n = len(finding.suspicious)
    note = f"the model is at least {100 * SUSPICIOUS:.0f} % sure of another class"
    found.append(Tile(str(n), "label to check" if n == 1 else "labels to check", note))
    return found


def answer_of_comparison(finding: Finding, last: Comparison) -> str:
    """Name the best model and its figures, and compare it with the second."""
    winner, metric, second = finding.model, finding.metric, finding.second
    own = {summary.model: summary for summary in last.summaries(metric)}
    best = own[winner]
    right = f"{percent(finding.scores['accuracy'])} of the other documents right"
    if metric == "macro_f1":
        right = f"macro-F1 {percent(best.mean)}, {right}"
    draws = f", mean of {best.trials} draws" if best.trials > 1 else ""
    answer = f"With {name_split(best.split)}, {winner} did best: {right}{draws}."
    if not second:
        return answer
    answer += f" {second} follows {100 * (best.mean - own[second].mean):.1f} points behind"
    found = finding.difference
    if found is None:
        return " ".join([f"{answer}; one draw is too few for a test.", *ranking(finding)])
    significant = "significant" if found.verdict == "win" else "not significant"
    ends = interval(found)
    between = f" (95 % interval {ends})" if ends else ""
    answer = f"{answer}{between}; the difference is {significant} (p {p_value(found)})."
    return " ".join([answer, *ranking(finding)])


def answer_of_folds(finding: Finding, is_sample: bool) -> str:
    """Say how many held-out documents were right, and what these documents are."""
    right = finding.examination.is_right
    found = wilson_interval(int(right.sum()), len(right))
    what = "random documents" if is_sample else "labeled documents"
    answer = (
        f"About {percent(found.accuracy)} of the answers are right ({percent(found.low)} to "
        f"{percent(found.high)}), measured on {found.n} {what} by models that had not seen their "
        "labels."
    )
    if finding.is_chosen:
        answer += (
            " These documents are no random sample, so this may be too low or too high for the "
            "others."
        )
    return answer
