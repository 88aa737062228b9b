"""The answers of a project: for each row a label, who gave it, and how sure it is."""

from collections.abc import Iterable, Iterator
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from honeybayes.classifier import TextClassifier
from honeybayes.labeling import ledger, quality
from honeybayes.labeling.project import Project
from honeybayes.labeling.turn import Answers
from honeybayes.tables import MODEL, PERSON, PREFIX, Corpus, make_frame
from honeybayes.utils.labels import has_no_label

if TYPE_CHECKING:
    from pandas import DataFrame

COLUMNS = ("label", "source", "confidence", "runner_up", "who", "when", "note", "status")


class Answer(NamedTuple):
    """The answer for one row."""

    label: str | None  # the class; None if there is no label and no model
    source: str  # who gave the label; "" if there is none, or if the person is undecided
    confidence: float | None  # the confidence of the model; None for labels of a person
    runner_up: str | None  # the second most likely class according to the model


def answer_rows(project: Project, answers: Answers | None) -> Iterator[Answer]:
    """Return the answer for each row of a project."""
    state = project.ledger.state
    names = state.names
    for row, at in zip(project.representative.tolist(), project.place.tolist(), strict=True):
        is_open = row in state.undecided or not project.texts[row].strip()
        if row in state.labels:
            yield Answer(names[state.labels[row].class_id], PERSON, None, None)
        elif answers is None or is_open or (first := names.get(int(answers.first[at]))) is None:
            # no model, its class was deleted, or nothing to answer: `predict` gives no label either
            yield Answer(None, "", None, None)
        else:
            confidence = round(float(answers.confidence[at]), 4)
            yield Answer(first, MODEL, confidence, names.get(int(answers.second[at])))


def make_answers_frame(
    project: Project, answers: Answers | None, only_labeled: bool = False
) -> "DataFrame":
    """Return the table with label, source, confidence and so on, in the order of the table now.

    Rows that are no longer in the table come last.
    """
    # a text without a table, or whose cells cannot be read, has no record
    both = zip(project.records(), project.texts, strict=True)
    records = [record or {"text": text} for record, text in both]
    columns = list(dict.fromkeys(name for record in records for name in record))
    new = free_columns(COLUMNS, columns)
    found, remarks = list(answer_rows(project, answers)), list(_remarks(project))
    written = [
        records[row] | dict(zip(new, [*found[row], *remarks[row]], strict=True))
        for row in project.order()
        if found[row].source == PERSON or not only_labeled
    ]
    return make_frame(written)[[*columns, *new]]


def free_columns(new: Iterable[str], taken: Iterable[str]) -> list[str]:
    """Return names for new columns: all get a prefix if one of them is taken."""
    names, known = list(new), set(taken)
    while known.intersection(names):
        names = [PREFIX + name for name in names]
    return names


def _remarks(project: Project) -> Iterator[tuple[str | None, ...]]:
    """Yield who labeled a row and when, its note, and what is special about it."""
    state, missing = project.ledger.state, set(project.settings.get("missing", ()))
    disagreements = state.disagreements
    for row, first in enumerate(project.representative.tolist()):
        label = state.labels.get(first)
        special = {
            "undecided": first in state.undecided,
            "skipped": first in state.skipped,
            "people disagree": first in disagreements,
            "no longer in the table": row in missing,
        }
        status = ", ".join(name for name, holds in special.items() if holds)
        given = (label.who, label.time[:19].replace("T", " ")) if label else (None, None)
        yield *given, state.notes.get(first), status or None


def import_labels(project: Project, labels: Iterable[Any]) -> int:
    """Take over labels that a person gave before, one per text or None; return how many."""
    found = list(labels)
    if len(found) != len(project.texts):
        raise ValueError(
            f"There are {len(found)} labels for {len(project.texts)} texts. Give one per text, and "
            "None for texts without a label."
        )
    names = {row: str(label) for row, label in enumerate(found) if not has_no_label(label)}
    wanted = dict.fromkeys(names.values())
    ids = {name: (project.find_class(name) or project.add_class(name)).id for name in wanted}
    project.label_many(list(names), [ids[name] for name in names.values()], "imported")
    return len(names)


class ProjectLabels(NamedTuple):
    """What a model can learn from a project file."""

    # all texts, with the labels that a person gave; the label of a text without one is an
    # empty string. Answers of the model are left out
    corpus: Corpus
    audit: set[str]  # the random texts of the audit that have a label
    seeds: dict[str, str]  # the words of each class
    language: str  # language of the texts, or "auto"
    text: str | None  # the column of the table with the texts
    sources: dict[str, list[str]]  # the class that each declared column names, for each text


def read_project(path: str | PathLike[str]) -> ProjectLabels:
    """Read the texts of a project, its classes, and the labels that a person gave."""
    with Project.open(path) as project:
        return _labels_of(project)


def _labels_of(project: Project) -> ProjectLabels:
    name, names = "" if project.path is None else project.path.stem, project.ledger.state.names
    labels = [answer.label or "" for answer in answer_rows(project, None)]
    sources = quality.find_sources(project, declared=True)
    return ProjectLabels(
        Corpus(name, project.texts, np.array(labels, dtype=str)),
        {project.texts[row] for row in np.flatnonzero(is_audited(project))},
        {each.name: each.words for each in project.classes},
        project.settings.get("language", "auto"),
        project.settings.get("text"),
        {name: [names.get(id, "") for id in each.tolist()] for name, each in sources.items()},
    )


def is_audited(project: Project) -> np.ndarray:
    """Return which rows have a label that they got as a random text of the audit."""
    return np.isin(project.representative, list(project.ledger.state.audit))


def fit_classifier(
    project: Project, model: Any = "FewLabels", encoder: Any = "auto", *, n_rows: int | None = None
) -> TextClassifier:
    """Fit a classifier to the labels of a project, with the other texts as pool.

    Its thresholds and prediction sets come from the random texts of the audit. If people disagree
    on a text, it learns all their answers. With ``n_rows``, it learns from the first rows only.
    """
    known, uses_names = _labels_of(project), model == "FewLabels"
    sources = known.sources if uses_names else {}
    classifier = TextClassifier(model, language=known.language, encoder=encoder)
    state, rows = project.ledger.state, range(len(project.texts))[:n_rows]
    # a text that comes again with another class becomes one text with a soft label
    again = [(row, state.names[id]) for row, id in state.other_votes if row in rows]
    learned = [*rows, *(row for row, _ in again)]
    return classifier.fit(
        [project.texts[row] for row in learned],
        [*known.corpus.labels[:n_rows].tolist(), *(name for _, name in again)],
        seeds=known.seeds if uses_names else None,
        is_random=is_audited(project)[learned],
        sources={name: [*each[:n_rows], *[""] * len(again)] for name, each in sources.items()}
        or None,
    )


def join_projects(project: Project, other: str | PathLike[str]) -> int:
    """Add the labels of another project, as those of the persons who gave them; return how many.

    Texts are the same apart from case and white space; classes have the same name. If a text has a
    label here, the other label is a second vote. Notes are taken over where there is none.

    Parameters
    ----------
    project : Project
        The project that gets the labels.
    other : str or path-like
        The file of the other project.

    Examples
    --------
    >>> from honeybayes.labeling import Project, join_projects
    >>> with Project.open("ann.hbproject") as project:  # doctest: +SKIP
    ...     join_projects(project, "ben.hbproject")
    """
    rows = {ledger.folded(text): row for row, text in reversed(list(enumerate(project.texts)))}
    n_added = 0
    with Project.open(other) as theirs:
        state = theirs.ledger.state
        keys = {row: ledger.folded(theirs.texts[row]) for row in state.labels}
        shared = {row: rows[key] for row, key in keys.items() if key in rows}
        if keys and not shared:
            raise ValueError(
                f"None of the labeled texts of {other} is in {project.path}. Join projects that "
                "were made from the same table."
            )
        ids = {}
        for each in theirs.classes:
            found = project.find_class(each.name)
            found = found or project.add_class(each.name, each.words, each.definition)
            ids[each.id] = found.id
        for row, here in shared.items():
            label, before = state.labels[row], project.ledger.state.labels.get(here)
            final, purpose = ids[label.class_id], label.purpose
            for who, id in state.votes.get(row, {}).items():
                if id in ids:
                    why = purpose if purpose in ledger.BLIND else "chosen"
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
            at = rows.get(ledger.folded(theirs.texts[row]))
            if at is not None and at not in project.ledger.state.notes:
                project.note(at, note)
    return n_added


def _give(project: Project, row: int, who: str, id: int, purpose: str) -> int:
    """Add the vote of a person who has none, and return 1; otherwise return 0."""
    now = project.ledger.state
    if who in now.votes.get(row, {}):
        return 0
    with project.acting_as(who):
        project.label(row, id, "double" if row in now.labels else purpose)
    return 1
