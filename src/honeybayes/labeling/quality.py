"""How good the answers of a turn are: what the labels of a project say about them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from honeybayes.labeling.estimate import (
    Advice,
    QualityEstimate,
    after_merges,
    estimate_quality,
    give_advice,
)
from honeybayes.labeling.project import Project
from honeybayes.labeling.screening import recall_bound
from honeybayes.labeling.turn import Turn, held_out_answers
from honeybayes.sources.bill import advise_to_keep, describe_share, share_of


def measure_quality(
    project: Project, turn: Turn, held_out: Mapping[int, tuple[int, float]]
) -> QualityEstimate:
    """Estimate the quality of the answers of a turn; page, report and Python call this one.

    ``held_out`` is what `LabelingSession.hold_out` returned, maybe some labels ago.
    """
    state, place = project.ledger.state, project.place
    checked = dict(held_out) | held_out_answers(turn, state.audit, place)
    return estimate_quality(
        _rounds(project, turn),
        (place[list(state.audit)], np.array(list(state.audit.values()))),
        None if turn.measured is None else turn.measured.confidence,
        project.given_ids(),
        n_undecided_audit=state.purposes.count("audit") - len(state.audit),
        held_out={
            int(place[row]): state.merged.get(id, id)
            for row, (id, _) in checked.items()
            if row in state.labels
        },
        answers=None if turn.answers is None else turn.answers.first,
        names=state.names,
    )


def _rounds(project: Project, turn: Turn) -> list[tuple[int, np.ndarray]]:
    """Return the answers of the rounds so far, in terms of the classes of now."""
    if turn.measured is None:
        return []
    rounds = [*project.rounds(), (turn.n_labels, turn.measured.first)]
    merged = project.ledger.state.merged
    return [
        (n_labels, after_merges(answers, merged))
        for n_labels, answers in rounds
        if len(answers) == len(project.distinct)  # another process may have added texts
    ]


def advise(project: Project, estimate: QualityEstimate) -> Advice:
    """Say whether more labels are worth the effort."""
    is_rare = {each.class_id: each.is_rare for each in estimate.classes}
    advice = give_advice(
        estimate,
        [each.name for each in project.classes if each.id not in is_rare],
        [each.name for each in project.classes if is_rare.get(each.id)],
    )
    more = (*describe_recall(project), *describe_sources(project))
    return replace(advice, reasons=advice.reasons + more)


LEAST_RECALL = 0.5  # that is worth a sentence


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


FEWEST_NAMES = 2  # classes that a column must name
MOST_OTHERS = 0.2  # share of the filled cells that may name no class
FEWEST_CHECKS = 5  # random texts, to say how often a column is right


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
    if not (columns and ids):
        return found
    records = project.records()
    for name in columns:
        cells = [str(record.get(name) or "").strip().casefold() for record in records]
        answers = np.array([ids.get(cell, 0) for cell in cells])
        n_named, n_filled = np.count_nonzero(answers), sum(map(bool, cells))
        n_classes = len(np.unique(answers[answers > 0]))
        is_clear = n_classes >= FEWEST_NAMES and n_named >= (1 - MOST_OTHERS) * n_filled
        if n_named if name in chosen else is_clear:
            found[name] = answers
    return found


def measure_sources(
    project: Project, sources: Mapping[str, np.ndarray]
) -> dict[str, dict[str, Any]]:
    """Return how often each column is right, from the random checks, as a bill has it."""
    audit, bill = project.ledger.state.audit, {}
    for name, answers in sources.items():
        is_right = [answers[row] == id for row, id in audit.items() if answers[row]]
        n_answers = int(np.count_nonzero(answers))
        bill[name] = {
            "coverage": n_answers / len(answers),
            "accuracy": share_of(is_right, n_answers, FEWEST_CHECKS),
            "from_random": True,
        }
    return bill


def describe_sources(project: Project) -> tuple[str, ...]:
    """Return sentences about the columns for the advice."""
    bill = measure_sources(project, find_sources(project))
    told = []
    for name, found in bill.items():
        if (right := found["accuracy"]) is not None:
            told.append(f"The column {name} is {describe_share(right, 'random texts')}.")
    advice = advise_to_keep(bill)
    return tuple(told) if advice is None else (*told, advice)
