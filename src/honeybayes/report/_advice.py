"""What the numbers mean: the headline, the next steps, and the figures at the top."""

import math
from dataclasses import dataclass
from typing import NamedTuple

from honeybayes.calibration.coverage import TargetThreshold, wilson_interval
from honeybayes.evaluate import Comparison, Difference
from honeybayes.labeling import Advice
from honeybayes.report._examination import SUSPICIOUS, Examination, HardDocument
from honeybayes.report._measures import ClassMeasure, Gain, answered_from

TARGET = 0.9
FEWEST_ANSWERED = 0.05  # share of the documents, for a threshold to be worth the trouble
ALL_ANSWERED = 0.995
FAR_BELOW = 0.1  # F1 of a class below the accuracy
WORTH_LABELING = 0.02  # gain from 50 more labels
METRICS = {"accuracy": "accuracy", "macro_f1": "macro-F1"}


class Tile(NamedTuple):
    """A figure at the top of the page, with its name and a note."""

    value: str
    name: str
    note: str


class NextStep(NamedTuple):
    """A next step, and the section that shows why."""

    text: str
    section: str


@dataclass(frozen=True)
class BestModel:
    """What was found out about the best model, or about the only one."""

    name: str
    metric: str  # the one that counts: "macro_f1" if the classes are uneven
    scores: dict[str, float]  # of both metrics, as far as they are known
    examination: Examination
    thresholds: list[TargetThreshold]  # empty if too few documents were tested
    gain: Gain | None
    suspicious: list[HardDocument]
    baseline: tuple[str, float]  # the largest class, and how often it is right to answer it always
    advice: Advice | None = None  # whether to stop labeling
    is_chosen: bool = False  # the labels are no random sample: other documents may differ
    second: str = ""  # the second best model, if there is one
    difference: Difference | None = None  # to the second; None after a single draw
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


def name_split(split: str) -> str:
    """Return how many labels a split has, in words."""
    size = split.removesuffix(" per class")
    return f"{size} labels per class" if size != split else f"{size} of the documents labeled"


def headline(best: BestModel) -> str:
    """Say in one sentence what to do."""
    advice, gain = best.advice, best.gain
    is_worth_labeling = gain is not None and gain.gain >= WORTH_LABELING
    if advice is not None and not advice.stop:
        if gain is not None and is_worth_labeling:
            return f"Go on labeling: {gain.n_more} more labels would bring {points(gain.gain)}."
        return "Go on labeling before you rely on the model."
    if not best.is_of_use:
        return (
            f"Label more before you use a model: always answering “{best.baseline[0]}” is right "
            "at least as often."
        )
    parts = ["You may stop labeling"] if advice is not None else [f"Use {best.name}"]
    it = "the model" if advice is not None else "it"
    if not best.is_clear:
        parts, it = [], best.name
    is_rough = any(each.is_rough for each in best.thresholds)
    if best.answers_all and not is_rough:
        parts.append(f"let {it} answer every document")
    elif best.alone is not None and not is_rough:
        parts.append(f"let {it} answer where its confidence is {best.threshold:.2f} or more")
    elif best.thresholds:
        parts.append("let a person check the answers")
    if advice is None and gain is not None and is_worth_labeling:
        parts.append(f"label {gain.n_more} more documents")
    if len(parts) > 1:
        parts[-1] = f"and {parts[-1]}"
    what = ", ".join(parts)
    sentences = [f"{what[0].upper()}{what[1:]}."] if parts else []
    if not best.is_clear:
        sentences.insert(0, f"Use {best.name} or {best.second}: the difference is not clear.")
    return " ".join(sentences)


def next_steps(best: BestModel, worst: ClassMeasure) -> list[NextStep]:
    """Say what the headline rests on, and what else to do."""
    steps = []
    if best.advice is not None:
        steps.append(NextStep(" ".join(best.advice.reasons), "more-labels"))
    if best.thresholds:
        steps.append(NextStep(_say_coverage(best), "coverage"))
    if best.gain is not None and best.advice is None:
        text = (
            f"{best.gain.n_more} more labels would bring {points(best.gain.gain)} of "
            f"{METRICS[best.metric]}, if the learning curve goes on as before."
        )
        steps.append(NextStep(text, "more-labels"))
    if worst.f1 < best.scores["accuracy"] - FAR_BELOW and not math.isnan(worst.recall):
        found = percent(worst.recall)
        text = f"“{worst.label}” is the hardest class: {found} of its documents are found."
        steps.append(NextStep(text, "classes"))
    n = len(best.suspicious)
    if n:
        verb, them = ("label may", "it") if n == 1 else ("labels may", "them")
        steps.append(NextStep(f"{n} {verb} be wrong. Check {them} first.", "documents"))
    return steps


def _say_coverage(best: BestModel) -> str:
    """Say which documents the best model may answer alone."""
    goal = f"{100 * TARGET:.0f} % right"
    if best.alone is None:
        return (
            f"No confidence is high enough to be {goal} for a useful part of the documents. Let a "
            "person check the answers."
        )
    share, right = answered_from(best.examination, best.threshold)
    text = (
        f"To be {goal}, let it answer where its confidence is {best.threshold:.2f} or more: "
        f"{percent(share)} of the documents, of which {percent(right)} were right. A person "
        "answers the others."
    )
    if best.answers_all:
        text = f"It could answer every document: {percent(right)} of the answers were right."
    return f"{text} This is rough: few documents were tested." if best.alone.is_rough else text


def tiles(best: BestModel) -> list[Tile]:
    """Return the figures at the top; the metric that counts comes first."""
    label, share = best.baseline
    notes = {
        "accuracy": f"right answers. Always “{label}”: {percent(share)}",
        "macro_f1": "mean over the classes, small ones count like large ones",
    }
    order = sorted(best.scores, key=lambda name: name != best.metric)
    found = [Tile(percent(best.scores[name]), METRICS[name], notes[name]) for name in order]
    if best.alone is not None:
        share, _ = answered_from(best.examination, best.threshold)
        which = f"with confidence {best.threshold:.2f} or more"
        which = "every document" if best.answers_all else which
        found.append(
            Tile(percent(share), "answered alone", f"{which}, to be {100 * TARGET:.0f} % right")
        )
    if best.gain is not None:
        n = round(100 * best.gain.gain)
        value = "< 1 point" if n < 1 else f"+{n} point{'s' if n > 1 else ''}"
        note = "if the learning curve goes on as before"
        found.append(Tile(value, f"from {best.gain.n_more} more labels", note))
    n = len(best.suspicious)
    note = f"the model is at least {100 * SUSPICIOUS:.0f} % sure of another class"
    found.append(Tile(str(n), "label to check" if n == 1 else "labels to check", note))
    return found


def answer_of_comparison(best: BestModel, last: Comparison) -> str:
    """Name the best model and its figures, and compare it with the second."""
    summaries = {summary.model: summary for summary in last.summaries(best.metric)}
    own = summaries[best.name]
    right = f"{percent(best.scores['accuracy'])} of the other documents right"
    if best.metric == "macro_f1":
        right = f"macro-F1 {percent(own.mean)}, {right}"
    draws = f", mean of {own.trials} draws" if own.trials > 1 else ""
    answer = f"With {name_split(own.split)}, {best.name} did best: {right}{draws}."
    if not best.second:
        return answer
    behind = 100 * (own.mean - summaries[best.second].mean)
    answer += f" {best.second} follows {behind:.1f} points behind"
    if best.difference is None:
        answer += "; one draw is too few for a test."
    else:
        _, interval, p_value, _ = best.difference.cells
        between = f" (95 % interval {interval})" if interval else ""
        significant = "significant" if best.is_clear else "not significant"
        sign = "" if p_value.startswith("<") else "= "
        answer += f"{between}; the difference is {significant} (p {sign}{p_value})."
    if best.metric == "accuracy":
        return answer
    too = ", too" if best.best_by_accuracy == best.name else ""
    return (
        f"{answer} Ranked by {METRICS[best.metric]}, because the classes are uneven; best by "
        f"accuracy: {best.best_by_accuracy}{too}."
    )


def answer_of_folds(best: BestModel, is_sample: bool) -> str:
    """Say how many held-out documents were right, and what these documents are."""
    right = best.examination.is_right
    found = wilson_interval(int(right.sum()), len(right))
    what = "random documents" if is_sample else "labeled documents"
    answer = (
        f"About {percent(found.accuracy)} of the answers are right ({percent(found.low)} to "
        f"{percent(found.high)}), measured on {found.n} {what} by models that had not seen their "
        "labels."
    )
    if best.is_chosen:
        answer += (
            " These documents are no random sample, so this may be too low or too high for the "
            "others."
        )
    return answer
