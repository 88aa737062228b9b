"""How good the answers are: estimates from the labels of a project, and advice on when to stop."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import least_squares
from scipy.stats import t as student_t
from sklearn.metrics import cohen_kappa_score

from honeybayes.calibration import coverage
from honeybayes.calibration.coverage import Interval, find_threshold, wilson_interval
from honeybayes.labeling.project import Project
from honeybayes.labeling.screening import recall_bound
from honeybayes.labeling.turn import HeldOut, Turn
from honeybayes.sources.bill import advise_to_keep, describe_share, share_of
from honeybayes.utils.plain import as_plain

STABLE = 0.97  # Cohen's kappa of two rounds
N_STABLE = 3  # rounds in a row: with 0.95 twice, more labels still gained 3.4 points
FEWEST_APART = 5  # labels between two rounds that are compared,
SHARE_APART = 0.05  # or this share of the labels: of many labels, five change nothing
FEWEST_LABELS = 20  # before the advice to stop
FEWEST_FOR_CURVE = 4  # rounds
MORE_LABELS = 50  # that the forecast is about, or as many as there are
FEWEST_CHECKS = 5  # random texts of a class, or answers of a column, to say an interval
FEW_CHECKS = 30  # below, the interval comes before the figure
SUSPICIOUS = 0.8  # confidence of a model that disagrees with a label
RARE = 1 / 3  # a class that is found less often than this is not found
LEAST_RECALL = 0.5  # that is worth a sentence
FEWEST_NAMES = 2  # classes that a column must name to be a source
MOST_OTHERS = 0.2  # share of its filled cells that may name no class


class Point(NamedTuple):
    """A number after so many labels."""

    n_labels: int
    value: float


class ClassQuality(NamedTuple):
    """What is known about the answers for one class."""

    class_id: int
    name: str
    n_labels: int
    n_answered: int  # number of texts without a label that the model gives this class
    n_checked: int  # number of labels that were compared with a model that has not learned them
    n_found: int  # how many of these the model found
    n_given: int  # how often the model gave this class in these comparisons
    # of the random texts of this class, how many were found; of the random texts that the
    # model gave this class, how many were right. None if there are fewer than five
    found: Interval | None
    right: Interval | None

    def describe(self) -> dict[str, str]:
        """Return the figures as page, report and command line show them."""

        def interval(found: Interval | None) -> str:
            few = "too few checks"
            return few if found is None else f"{_percent(found.low)} to {_percent(found.high)}"

        return {
            "labels": f"{self.n_labels:,}",
            "found": f"{self.n_found:,} of {self.n_checked:,}",
            "found in all texts": interval(self.found),
            "right": f"{self.n_found:,} of {self.n_given:,}",
            "right in all texts": interval(self.right),
        }

    @property
    def is_rare(self) -> bool:
        """Whether the model finds few texts of this class."""
        if self.found is not None:
            return self.found.high < 0.5
        return self.n_checked >= 3 and self.n_found < RARE * self.n_checked


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
    n_audit_differs : int
        Number of texts of the audit that the model answered in another way.
    stability : tuple of Point
        Cohen's kappa between the answers of successive rounds.
    curve : tuple of Point
        Accuracy of earlier rounds on all texts of the audit.
    projected : tuple of Point
        Where the curve seems to lead; empty if there are too few rounds, or if it may not rise at
        all.
    automatic : tuple of TargetThreshold
        How many texts the model may answer alone, for several targets.
    classes : tuple of ClassQuality
        The same for each class with a label.
    """

    n_labels: int
    n_texts: int
    audit: Interval | None = None
    n_undecided_audit: int = 0
    n_audit_differs: int = 0
    stability: tuple[Point, ...] = ()
    curve: tuple[Point, ...] = ()
    projected: tuple[Point, ...] = ()
    automatic: tuple[coverage.TargetThreshold, ...] = ()
    classes: tuple[ClassQuality, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the values in plain types, such as JSON has."""
        plain: dict[str, Any] = as_plain(self)
        for each, found in zip(plain["classes"], self.classes, strict=True):
            each |= {"is_rare": found.is_rare, "shown": found.describe()}
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


def project_curve(curve: Sequence[Point], fewest: int = FEWEST_FOR_CURVE) -> tuple[Point, ...]:
    """Continue a learning curve by 50 labels, or as many as there are.

    It is a - b / n^c with a up to 1 and c from 0.2 to 2; the numbers of labels must ascend.
    """
    curve = [point for point in curve if point.n_labels]
    if len(curve) < fewest:
        return ()
    n, accuracy = np.array(curve, dtype=float).T

    def misfit(parameters: np.ndarray) -> np.ndarray:
        a, b, c = parameters
        return (a - b * n**-c - accuracy) * n**0.5  # later rounds are more like the rounds to come

    start = [min(accuracy.max(), 0.99), 1, 0.5]
    limits = ([0, 0, 0.2], [1, 10, 2])
    a, b, c = least_squares(misfit, start, bounds=limits, max_nfev=2000).x
    ahead = np.unique(np.linspace(n[-1], n[-1] + min(n[-1], MORE_LABELS), 9).round())
    values = np.clip(a - b * ahead**-c, 0, 1).tolist()
    return tuple(Point(int(each), value) for each, value in zip(ahead, values, strict=True))


def is_rising(n_labels: np.ndarray, is_right: np.ndarray) -> bool:
    """Return True if a learning curve rises by more than chance explains.

    ``is_right`` says for each round and each text of the audit whether the answer was right. Each
    text has a slope over -1 / sqrt(labels), and their mean is that of the curve; so this is a
    t-test of the slopes with the level 5 %.
    """
    x = -1 / np.sqrt(n_labels)
    if len(x) < 2 or is_right.shape[1] < 2 or np.ptp(x) == 0:
        return False
    centered = x - x.mean()
    slopes = centered @ is_right / (centered @ centered)
    error = slopes.std(ddof=1) / np.sqrt(len(slopes))
    return bool(slopes.mean() > student_t.ppf(0.975, len(slopes) - 1) * error)


def measure_quality(project: Project, turn: Turn, held_out: HeldOut) -> QualityEstimate:
    """Estimate the quality of the answers of a turn; page, report and Python call this one.

    ``held_out`` is what `LabelingSession.hold_out` returned, maybe some labels ago.
    """
    state, place = project.ledger.state, project.place
    checked = held_out | turn.held_out(state.audit, place)
    answered = {row: id for row, (id, _) in checked.items() if row in state.labels}
    measured = turn.measured
    rounds = [] if measured is None else [*project.rounds(), (turn.n_labels, measured.first)]
    for before, after in state.merged.items():
        rounds = [(n, np.where(answers == before, after, answers)) for n, answers in rounds]
    return estimate_quality(
        # another process may have added texts
        [each for each in rounds if len(each[1]) == len(project.distinct)],
        (place[list(state.audit)], np.array(list(state.audit.values()))),
        None if measured is None else measured.confidence,
        project.given_ids(),
        n_undecided_audit=state.purposes.count("audit") - len(state.audit),
        held_out={int(place[row]): state.merged.get(id, id) for row, id in answered.items()},
        answers=None if turn.answers is None else turn.answers.first,
        names=state.names,
    )


def estimate_quality(
    rounds: Sequence[tuple[int, np.ndarray]],
    audit: tuple[np.ndarray, np.ndarray],
    confidence: np.ndarray | None,
    labels: np.ndarray,
    n_undecided_audit: int = 0,
    held_out: Mapping[int, int] | None = None,
    answers: np.ndarray | None = None,
    names: Mapping[int, str] | None = None,
) -> QualityEstimate:
    """Compute an `QualityEstimate`.

    ``labels`` has the class of each text, or 0. ``held_out`` has the answers of models that have
    not learned the label of this text, and ``answers`` those of the last model.
    """
    positions, truth = audit
    n_audit, is_labeled = len(positions), labels != 0
    kept = spaced(rounds)
    stability = tuple(Point(n, kappa(before, now)) for (_, before), (n, now) in pairwise(kept))
    known: dict[str, Any] = {}
    if rounds and n_audit:
        is_right = rounds[-1][1][positions] == truth
        shown = kept if kept[-1][0] == rounds[-1][0] else [*kept, rounds[-1]]  # it ends now
        known["audit"] = wilson_interval(int(is_right.sum()), n_audit)
        known["n_audit_differs"] = int(np.sum(~is_right))
        curve = tuple(Point(n, float(np.mean(each[positions] == truth))) for n, each in shown)
        known["curve"] = curve
        later = [(n, each[positions] == truth) for n, each in kept if n]
        is_enough = n_audit >= coverage.FEWEST_HELD_OUT
        if is_enough and later and is_rising(*map(np.array, zip(*later, strict=True))):
            known["projected"] = project_curve(curve)
        if is_enough and confidence is not None:
            known["automatic"] = tuple(
                find_threshold(each, confidence[positions], is_right, confidence[~is_labeled])
                for each in coverage.TARGETS
            )
    return QualityEstimate(
        n_labels=int(is_labeled.sum()),
        n_texts=len(labels),
        n_undecided_audit=n_undecided_audit,
        stability=stability,
        classes=_measure_classes(labels, positions, held_out or {}, answers, names or {}),
        **known,
    )


def _measure_classes(
    labels: np.ndarray,
    audit: np.ndarray,
    held_out: Mapping[int, int],
    answers: np.ndarray | None,
    names: Mapping[int, str],
) -> tuple[ClassQuality, ...]:
    at, given = np.array([*held_out.items()], dtype=int).reshape(-1, 2).T
    truth = labels[at]
    is_random = np.isin(at, audit)
    open_answers = np.zeros(0) if answers is None else answers[labels == 0]

    def share(id: int, of: np.ndarray) -> Interval | None:
        counts = is_random & (of == id)
        n_right = int((truth == given)[counts].sum())
        return wilson_interval(n_right, n) if (n := int(counts.sum())) >= FEWEST_CHECKS else None

    return tuple(
        ClassQuality(
            class_id=id,
            name=names.get(id, str(id)),
            n_labels=int((labels == id).sum()),
            n_answered=int((open_answers == id).sum()),
            n_checked=int((truth == id).sum()),
            n_found=int(((truth == id) & (given == id)).sum()),
            n_given=int((given == id).sum()),
            found=share(id, truth),
            right=share(id, given),
        )
        for id in np.unique(labels[labels != 0]).tolist()
    )


def advise(project: Project, estimate: QualityEstimate) -> Advice:
    """Say whether more labels are worth the effort, and what is known besides."""
    advice = give_advice(estimate, [each.name for each in project.classes])
    more = (*describe_recall(project), *describe_sources(project))
    return Advice(advice.stop, advice.reasons + more)


def give_advice(estimate: QualityEstimate, classes: Sequence[str] = ()) -> Advice:
    """Say whether more labels are worth the effort, given the names of all classes.

    The advice is to stop when the answers hardly change any more: Cohen's kappa of successive
    rounds was 0.97 or more three times in a row. Rounds are at least five labels apart; with more
    than 100 labels, 5 % of them. There must be at least 20 labels, and one for each class.
    """
    last = [point.value for point in estimate.stability[-N_STABLE:]]
    is_stable = len(last) == N_STABLE and min(last) >= STABLE
    reasons = []
    if estimate.n_labels < FEWEST_LABELS:
        reasons.append(f"Label at least {FEWEST_LABELS} texts before you decide.")
    labeled = {each.name for each in estimate.classes}
    if unlabeled := [name for name in classes if name not in labeled]:
        reasons.append(f"No text has the label {', '.join(unlabeled)} yet.")
    stop = is_stable and not reasons
    if last:
        change = "hardly change any more" if is_stable else "still change"
        reasons.append(f"With new labels, the answers {change}.")
    if (found := estimate.audit) is None:
        reasons.append("There are no random texts with a label yet, so the accuracy is unknown.")
    else:
        low, high = (_percent(each) for each in (found.low, found.high))
        reasons.append(
            f"Between {low} and {high} of the answers are right, from {found.n} random texts."
            if found.n < FEW_CHECKS
            else f"About {_percent(found.accuracy)} of the answers are right ({low} to {high}, "
            f"from {found.n} random texts)."
        )
    if rare := [each.name for each in estimate.classes if each.is_rare]:
        reasons.append(f"Rarely found: {', '.join(rare)}. Label more of these.")
    if estimate.projected and not stop:
        first, end = estimate.projected[0], estimate.projected[-1]
        if (gain := round(100 * (end.value - first.value))) >= 1:
            points = "point" if gain == 1 else "points"
            more = f"{end.n_labels - first.n_labels} more labels"
            reasons.append(f"{more} would bring about {gain} {points}.")
    return Advice(stop, tuple(reasons))


def _percent(share: float) -> str:
    return f"{int(100 * share + 0.5)} %"  # a half is rounded up, as on the page


def random_order(project: Project, n: int) -> np.ndarray:
    """Return the order in which ``n`` texts are drawn for random checks."""
    return np.random.default_rng(project.settings.get("random_state", 0)).permutation(n)


def prove_recall(project: Project) -> dict[str, float]:
    """Return which share of the texts of each class is labeled at least, with 95 % certainty.

    Only labels that a person gave while reading count; a text whose label was accepted from the
    model or imported is unread. Of the unread texts, those up to the last random check in the order
    of checks are a random sample. One that was not read may be a text of any class, and is not
    found.
    """
    state, rows = project.ledger.state, project.distinct
    not_chosen = ("audit", "accepted", "imported")
    chosen = {row for row, each in state.labels.items() if each.purpose not in not_chosen}
    order = [row for row in rows[random_order(project, len(rows))].tolist() if row not in chosen]
    n_checked = max((at + 1 for at, row in enumerate(order) if row in state.audit), default=0)
    found = {}
    for each in project.classes:
        n_found = sum(state.labels[row].class_id == each.id for row in chosen)
        n_sure = sum(state.audit.get(row) == each.id for row in order[:n_checked])
        n_possible = sum(state.audit.get(row, each.id) == each.id for row in order[:n_checked])
        if n_found or n_sure:
            bound = recall_bound(n_found, len(order), n_checked, n_possible)
            found[each.name] = bound * (n_found + n_sure) / (n_found + n_possible)
    return found


def describe_recall(project: Project) -> tuple[str, ...]:
    """Return sentences about the classes most of whose texts are labeled."""
    return tuple(
        f"With 95 % certainty, at least {int(100 * share)} % of the texts of {name} are labeled."
        for name, share in prove_recall(project).items()
        if share >= LEAST_RECALL
    )


def find_sources(project: Project, *, declared: bool = False) -> dict[str, np.ndarray]:
    """Return the columns whose cells name classes: for each, the class of each row, or 0.

    Upper and lower case make no difference. The column of the texts, and that of labels that were
    taken over, are no sources. With ``declared``, only those that a person declared are.
    """
    chosen = project.settings.get("sources") or []
    used = {project.settings.get(name) for name in ("text", "label", "id")}
    columns = chosen if declared else project.settings.get("columns") or []
    columns = [name for name in columns if name not in used]
    ids = {each.name.casefold(): each.id for each in project.classes}
    found: dict[str, np.ndarray] = {}
    records = project.records() if columns and ids else []
    for name in columns if records else ():
        cells = [str(record.get(name) or "").strip().casefold() for record in records]
        answers = np.array([ids.get(cell, 0) for cell in cells])
        n_named, n_filled = np.count_nonzero(answers), sum(map(bool, cells))
        n_classes = len(np.unique(answers[answers > 0]))
        is_clear = n_classes >= FEWEST_NAMES and n_named >= (1 - MOST_OTHERS) * n_filled
        if n_named if name in chosen else is_clear:
            found[name] = answers
    return found


def measure_sources(project: Project) -> dict[str, dict[str, Any]]:
    """Return how often each column is right, from the random checks, as a bill has it."""
    audit, bill = project.ledger.state.audit, {}
    for name, answers in find_sources(project).items():
        is_right = [answers[row] == id for row, id in audit.items() if answers[row]]
        n_answers = int(np.count_nonzero(answers))
        accuracy, share = share_of(is_right, n_answers, FEWEST_CHECKS), n_answers / len(answers)
        bill[name] = {"coverage": share, "accuracy": accuracy, "from_random": True}
    return bill


def describe_sources(project: Project) -> tuple[str, ...]:
    """Return sentences about the columns for the advice."""
    bill = measure_sources(project)
    told = [
        f"The column {name} is {describe_share(found['accuracy'], 'random texts')}."
        for name, found in bill.items()
        if found["accuracy"] is not None
    ]
    return (*told, *filter(None, [advise_to_keep(bill)]))
