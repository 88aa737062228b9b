"""How good the answers of a turn are: what the labels of a project say about them."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from honeybayes.labeling.column_sources import describe_sources
from honeybayes.labeling.estimate import (
    Advice,
    QualityEstimate,
    after_merges,
    estimate_quality,
    give_advice,
)
from honeybayes.labeling.project import Project
from honeybayes.labeling.turn import Turn, held_out_answers


def measure_quality(
    project: Project, turn: Turn, held_out: Mapping[int, tuple[int, float]]
) -> QualityEstimate:
    """Estimate the quality of the answers of a turn; page, report and Python call this one.

    ``held_out`` is what `LabelingSession.hold_out` returned, maybe some labels ago.
    """
    state = project.ledger.state
    rows = np.flatnonzero(project.copies).tolist()
    position = {row: at for at, row in enumerate(rows)}
    labels = np.zeros(len(rows), dtype=int)
    for row, label in state.labels.items():
        labels[position[row]] = label.class_id
    audit = {position[row]: id for row, id in state.audit.items()}
    checked = dict(held_out) | held_out_answers(turn, state.audit, position)
    return estimate_quality(
        _rounds(project, turn, len(rows)),
        (np.array(list(audit), dtype=int), np.array(list(audit.values()))),
        None if turn.measured is None else turn.measured.confidence,
        labels,
        n_undecided_audit=state.purposes.count("audit") - len(audit),
        held_out={
            position[row]: state.merged.get(id, id)
            for row, (id, _) in checked.items()
            if row in state.labels
        },
        answers=None if turn.answers is None else turn.answers.first,
        names=state.names,
    )


def _rounds(project: Project, turn: Turn, n_texts: int) -> list[tuple[int, np.ndarray]]:
    """Return the answers of the rounds so far, in terms of the classes of now."""
    if turn.measured is None:
        return []
    rounds = [*project.rounds(), (turn.n_labels, turn.measured.first)]
    merged = project.ledger.state.merged
    return [
        (n_labels, after_merges(answers, merged))
        for n_labels, answers in rounds
        if len(answers) == n_texts  # another process may have added texts
    ]


def advise(project: Project, estimate: QualityEstimate) -> Advice:
    """Say whether more labels are worth the effort."""
    is_rare = {each.class_id: each.is_rare for each in estimate.classes}
    advice = give_advice(
        estimate,
        [each.name for each in project.classes if each.id not in is_rare],
        [each.name for each in project.classes if is_rare.get(each.id)],
    )
    return replace(advice, reasons=advice.reasons + describe_sources(project))
