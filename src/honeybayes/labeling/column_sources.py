"""Columns of the table that name classes, such as the answers of a language model."""

from collections.abc import Mapping
from typing import Any

from honeybayes.labeling.project import Project
from honeybayes.sources import advise_to_keep, measure_share

FEWEST_NAMES = 2  # classes that a column must name
MOST_OTHERS = 0.2  # share of the filled cells that may name no class
FEWEST_CHECKS = 5  # random texts, to say how often a column is right


def find_sources(project: Project) -> dict[str, dict[int, int]]:
    """Return the columns whose cells name classes: for each, the class of each row.

    Upper and lower case make no difference. The column of the texts, and that of labels that were
    taken over, are no sources.
    """
    ids = {each.name.casefold(): each.id for each in project.classes}
    columns = project.settings.get("columns") or []
    used = {project.settings.get(name) for name in ("text", "label", "id")}
    found: dict[str, dict[int, int]] = {name: {} for name in columns if name not in used}
    n_filled = dict.fromkeys(found, 0)
    for row, cells in enumerate(project.cells() if found and ids else ()):
        for name, cell in zip(columns, cells or (), strict=False):
            if name in found and (typed := str(cell or "").strip()):
                n_filled[name] += 1
                if (id := ids.get(typed.casefold())) is not None:
                    found[name][row] = id
    return {
        name: answers
        for name, answers in found.items()
        if len(set(answers.values())) >= FEWEST_NAMES
        and len(answers) >= (1 - MOST_OTHERS) * n_filled[name]
    }


def measure_sources(
    project: Project, sources: Mapping[str, Mapping[int, int]]
) -> dict[str, dict[str, Any]]:
    """Return how often each column is right, from the random checks, as a bill has it."""
    audit, n_rows = project.ledger.state.audit, len(project.texts)
    bill = {}
    for name, answers in sources.items():
        is_right = [answers[row] == id for row, id in audit.items() if row in answers]
        accuracy = None
        if len(is_right) >= FEWEST_CHECKS:
            accuracy = measure_share(sum(is_right), len(is_right), len(answers))._asdict()
        bill[name] = {
            "coverage": len(answers) / max(n_rows, 1),
            "accuracy": accuracy,
            "from_random": True,
        }
    return bill


def describe_sources(project: Project) -> tuple[str, ...]:
    """Return sentences about the columns for the advice."""
    bill = measure_sources(project, find_sources(project))
    told = []
    for name, found in bill.items():
        if (right := found["accuracy"]) is not None:
            numbers = (round(100 * right[each]) for each in ("accuracy", "low", "high"))
            told.append(
                "The column {} is {} % right ({} to {}, from {} random texts).".format(
                    name, *numbers, right["n"]
                )
            )
    advice = advise_to_keep(bill)
    return tuple(told) if advice is None else (*told, advice)
