"""Two projects with the same texts become one: what another person said is added."""

from os import PathLike

from honeybayes.labeling.ledger import BLIND, folded
from honeybayes.labeling.project import Project


def join_projects(project: Project, other: str | PathLike[str]) -> int:
    """Add the labels of another project to this one, as those of the persons who gave them.

    Texts are the same apart from case and white space; classes have the same name. If a text has a
    label here, the other label is a second vote. Notes are taken over where there is none.

    Parameters
    ----------
    project : Project
        The project that gets the labels.
    other : str or path-like
        The file of the other project.

    Returns
    -------
    int
        Number of labels that were added.

    Examples
    --------
    >>> from honeybayes.labeling import Project, join_projects
    >>> with Project.open("ann.hbproject") as project:  # doctest: +SKIP
    ...     join_projects(project, "ben.hbproject")
    """
    rows = {folded(text): row for row, text in reversed(list(enumerate(project.texts)))}
    n_added = 0
    with Project.open(other) as theirs:
        state = theirs.ledger.state
        shared = {row: rows.get(folded(theirs.texts[row])) for row in state.labels}
        if state.labels and not any(row is not None for row in shared.values()):
            raise ValueError(
                f"None of the labeled texts of {other} is in {project.path}. Join projects that "
                "were made from the same table."
            )
        ids = {
            each.id: (
                project.find_class(each.name)
                or project.add_class(each.name, each.words, each.definition)
            ).id
            for each in theirs.classes
        }
        for row, here in shared.items():
            if here is None:
                continue
            label, before = state.labels[row], project.ledger.state.labels.get(here)
            final, purpose = ids[label.class_id], label.purpose
            for who, id in state.votes.get(row, {}).items():
                if id in ids:
                    why = purpose if purpose in BLIND else "chosen"
                    n_added += _give(project, here, who, ids[id], why)
            now = project.ledger.state.labels.get(here)
            if before is None and (now is None or now.class_id != final):
                # taken over from a table, accepted, or another one than the votes: it was settled
                with project.acting_as(label.who):
                    project.label(here, final, purpose if now is None else "review")
                n_added += 1
            elif before is not None and (before.who, before.class_id) != (label.who, final):
                n_added += _give(project, here, label.who, final, "double")
        for row, note in state.notes.items():
            here = rows.get(folded(theirs.texts[row]))
            if here is not None and here not in project.ledger.state.notes:
                project.note(here, note)
    return n_added


def _give(project: Project, row: int, who: str, id: int, purpose: str) -> int:
    """Add the vote of a person who has none, and return 1; otherwise return 0."""
    now = project.ledger.state
    if who in now.votes.get(row, {}):
        return 0
    with project.acting_as(who):
        project.label(row, id, "double" if row in now.labels else purpose)
    return 1
