"""The project of a table: made from it, and following it when the table changes."""

import hashlib
import json
from collections import Counter, deque
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from honeybayes import tables
from honeybayes.classifier.answer_columns import AnswerColumns
from honeybayes.labeling.answers import free_columns, import_labels
from honeybayes.labeling.ledger import check_value, folded
from honeybayes.labeling.project import Project
from honeybayes.labeling.session import LabelingSession
from honeybayes.sources.answers import FEWEST_OF_CLASS
from honeybayes.utils.labels import has_no_label, is_missing
from honeybayes.utils.messages import did_you_mean, say_rows

MOST_NAMES = 100  # classes that a column may name
AT_ONCE = 500  # rows that are answered before the page shows how far it is
READING = ("format", "delimiter", "encoding", "sheet", "quotes")  # parameters of `open_table`

Say = Callable[[str], None]
Record = dict[str, Any]  # the cells of a row by their columns


def open_project(
    table: str | None,
    path: Path,
    options: dict[str, Any],
    *,
    label: str | None = None,
    id: str | None = None,
    sources: Sequence[str] = (),
    who: str | None = None,
    say: Say = print,
) -> Project:
    """Open the project of a table, or write a new one; take over rows and labels that were added.

    Without a table, the project is opened as it is. ``options`` are its text, its language, and how
    to read it; None if an option was not given. ``sources`` are columns of answers that the model
    is to learn from. ``say`` tells what was taken over.
    """
    is_new = table is not None and not path.exists()
    opened = _create(str(table), options, who) if is_new else Project.open(path, who)
    try:
        if not is_new:
            _check_same(opened, options)
            if table is not None:
                follow_table(opened, table, say)
        if id is not None:
            opened.column(id)  # raises ValueError if there is no such column
            opened.change_settings(id=id)
        if label is not None and label != opened.settings.get("label"):
            _take_over_labels(opened, label, say)
        if sources:
            _declare_sources(opened, sources, say)
        return opened.write(path) if is_new else opened
    except FileExistsError:  # another start was faster
        opened.close()
        more: dict[str, Any] = {"label": label, "id": id, "sources": sources, "who": who}
        return open_project(table, path, options, **more, say=say)
    except BaseException:
        opened.close()
        raise


def follow_table(project: Project, table: str, say: Say = print) -> None:
    """Take over a new version of the table of a project, if it has changed."""
    if (digest := _digest(table)) != project.settings.get("digest"):
        with project.lock:
            _take_over_rows(project, table, say)
            _take_over_labels(project, None, say)
            project.change_settings(digest=digest)


def _create(table: str, options: dict[str, Any], who: str | None) -> Project:
    """Return a new project in memory, so that an error leaves no file."""
    if tables.is_stream(table):
        raise ValueError("Standard input or a pipe cannot be read again later. Save it to a file.")
    given = {name: value for name, value in options.items() if value is not None}
    settings = {"text": "text", "language": "auto", **given}
    rows, texts, records = _read(table, settings)
    if not texts:
        raise ValueError(f"{table} has no rows.")
    if not tables.has_words(texts):
        raise ValueError(
            f"The column {settings['text']!r} of {table} has no words. Name the column with the "
            f"texts: --text. The columns are: {', '.join(rows.columns)}."
        )
    settings |= {
        "format": rows.format,
        "found_delimiter": rows.delimiter,
        "table": str(Path(table).resolve()),
        "digest": _digest(table),
        "columns": rows.columns,
    }
    cells = _cells(records, rows.columns)
    return Project.create(None, texts, cells=cells, settings=settings, who=who)


def _open(table: str, settings: dict[str, Any]) -> tuple[tables.Table, str]:
    """Return a table and its column of texts."""
    reading = {name: settings[name] for name in READING if settings.get(name) is not None}
    rows = tables.open_table(table, {"text": settings["text"]}, **reading, keep_blank=True)
    return rows, "text" if rows.format == "lines" else settings["text"]


def _read(table: str, settings: dict[str, Any]) -> tuple[tables.Table, list[str], list[Record]]:
    """Return a table, its texts, and the cells of each row by their columns."""
    rows, column = _open(table, settings)
    null = "" if rows.format == "parquet" else None
    texts: list[str] = []
    records: list[Record] = []
    for frame in rows.frames:
        texts += tables.read_texts(frame, column, rows.path, null)
        records += map(_as_json, tables.frame_rows(frame))
    return rows, texts, records


def _cells(records: list[Record], columns: list[str]) -> list[Any]:
    """Return the cells as a project keeps them: lists if the table has columns."""
    return [[row.get(name) for name in columns] for row in records] if columns else records


def _as_json(record: Record) -> Any:
    """Return cells as JSON can hold them: None if one is missing, and a string if it is a date.

    Infinity is "inf", as in the projects that are there.
    """
    if {*map(type, record.values())} == {str}:  # as in most tables
        return record
    written = json.dumps(record, default=lambda cell: None if is_missing(cell) else str(cell))
    constants = {"NaN": None, "Infinity": "inf", "-Infinity": "-inf"}
    return json.loads(written, parse_constant=constants.get)


def _check_same(project: Project, options: dict[str, Any]) -> None:
    """Raise ValueError if an option differs from what the project was made with."""
    for name, value in options.items():
        before = project.settings.get(name)
        if value is not None and value != before:
            option = f"--read {name}" if name in READING else f"--{name}"
            raise ValueError(
                f"{project.path} was made with another {option} ({before!r}). Leave it out, or "
                "start a new project with --project."
            )


def _take_over_rows(project: Project, table: str, say: Say) -> None:
    """Take over a new version of the table: rows may be added, missing, sorted and changed.

    Rows are the same if they have the same id, or without ids the same text. A label belongs to a
    text, so a row with another text is a new one; the row as it was is kept, and marked as missing.
    """
    settings, n_known = project.settings, len(project.texts)
    if "text" not in settings:
        raise ValueError(
            f"{project.path} was not made from a table. Start a new project with --project."
        )
    # as the table of the project, unless its name ends otherwise
    endings = {Path(each).suffix.lower() for each in (table, settings.get("table", table))}
    names = settings if len(endings) == 1 else {"text", "encoding"} & settings.keys()
    rows, texts, records = _read(table, {name: settings[name] for name in names})
    columns = rows.columns
    if settings.get("columns") and not columns:  # JSON lines after a table with columns
        columns = list(dict.fromkeys(name for row in records for name in row))
    cells = _cells(records, columns)
    found, other = _match_rows(project, texts, columns, records)
    new = [at for at, row in enumerate(found) if row is None]
    if (column := settings.get("label")) is not None:  # raises before the rows are added
        for name in _labels_of_persons([records[at] for at in new], column):
            if not has_no_label(name):
                check_value("name", str(name))
    numbers = iter(range(n_known, n_known + len(new)))
    order = [next(numbers) if row is None else row for row in found]
    missing = sorted(set(range(n_known)) - set(order))
    changed = {row: cells[at] for at, row in enumerate(found) if row is not None}
    if columns and columns != settings.get("columns"):
        known = project.records()
        changed |= {row: [known[row].get(name, "") for name in columns] for row in missing}
    is_plain = order == list(range(len(order))) and not missing
    now = {"columns": columns, "missing": missing, "order": [] if is_plain else order}
    if new:
        now["new_from"] = n_known
    project.add_texts([texts[at] for at in new], [cells[at] for at in new], changed, **now)
    _say_what_changed(say, len(new), len(missing), other)


def _match_rows(
    project: Project, texts: list[str], columns: list[str], records: list[Record]
) -> tuple[list[int | None], list[str]]:
    """Return the known row with the same id and text for each new one, or None.

    Also return the ids of rows that have another text than before.
    """
    column = project.settings.get("id")
    if column is not None and columns and column not in columns:
        raise ValueError(f"The table has lost its column of ids, {column!r}. Restore it.")
    before = [None] * len(project.texts) if column is None else project.column(column)
    known = [(folded(text), _id_of(id)) for text, id in zip(project.texts, before, strict=True)]
    by_key: dict[tuple[str, str], deque[int]] = {}
    for row, key in enumerate(known):
        by_key.setdefault(key, deque()).append(row)
    known_ids, rows, changed = {id for _, id in known} - {""}, [], []
    for text, record in zip(texts, records, strict=True):
        id = _id_of(None if column is None else record.get(column))
        waiting = by_key.get((folded(text), id))
        rows.append(waiting.popleft() if waiting else None)
        if rows[-1] is None and id in known_ids:
            changed.append(id)
    return rows, changed


def _id_of(cell: Any) -> str:
    """Return an id as a string; a spreadsheet program may make 1.0 of 1."""
    is_whole = isinstance(cell, float) and cell.is_integer()
    return "" if cell is None else str(int(cell) if is_whole else cell)


def _say_what_changed(say: Say, n_new: int, n_missing: int, changed: list[str]) -> None:
    """Tell what is new in the table, if anything is."""
    if n_new > len(changed):
        say(say_rows(n_new - len(changed), "was added.", "were added."))
    if changed:
        names = ", ".join(changed[:5]) + (", …" if len(changed) > 5 else "")
        have = say_rows(len(changed), "has", "have")
        say(f"{have} another text than before, and count as new: {names}.")
    if n_missing > len(changed):
        left = say_rows(n_missing - len(changed), "is", "are")
        say(f"{left} no longer in the table. They stay in the project, with their labels.")


def _take_over_labels(project: Project, column: str | None, say: Say) -> None:
    """Take over the labels of a column, of each row once, unless the text has a label."""
    before = project.settings.get("label")
    first = project.settings.get("n_imported", 0)
    if column is not None and before not in (None, column):
        raise ValueError(
            f"The labels in the column {before!r} were taken over already. Start a new project "
            "with --project for others."
        )
    column = column or before
    if column is None or first >= len(project.texts):
        return
    records = project.records()
    if column == before and not any(column in record for record in records):
        project.change_settings(n_imported=len(project.texts))
        say(f"The table has no column {column!r} any more, so no labels were taken over.")
        return
    project.column(column)  # raises ValueError if there is no such column
    known, labels = project.ledger.state.labels, _labels_of_persons(records, column)
    for row, text in enumerate(project.representative.tolist()):
        if row < first or text in known:
            labels[row] = None
    n_new = import_labels(project, labels)
    project.change_settings(label=column, n_imported=len(project.texts))
    are = "1 label was" if n_new == 1 else f"{n_new} labels were"
    say(f"{are} taken over from the column {column!r}.")
    # typing errors may have become classes: marks such as "-", and rare names like another
    sizes = Counter(each.class_id for each in project.ledger.state.labels.values())
    names = {each.name: sizes[each.id] for each in project.classes}
    for name, n in names.items():
        larger = [other for other, size in names.items() if size >= 5 * max(n, 1)]
        hint = did_you_mean(name, larger, cutoff=0.8)
        if hint or not any(map(str.isalnum, name)):
            say(f"{name!r} became a class with {n} label{'' if n == 1 else 's'}.{hint}")


def _declare_sources(project: Project, columns: Sequence[str], say: Say) -> None:
    """Let the model learn from columns; names that are frequent in them become classes."""
    for column in columns:
        cells = ("" if each is None else str(each).strip() for each in project.column(column))
        sizes = Counter(each for each in cells if each)
        fewest = FEWEST_OF_CLASS * sizes.total()
        names = [name for name, n in sizes.most_common(MOST_NAMES + 1) if n >= fewest]
        if not 1 < len(names) <= MOST_NAMES:
            raise ValueError(
                f"The column {column!r} has {'more than ' * bool(names)}{len(names[:MOST_NAMES])} "
                f"frequent answers. A source names two to {MOST_NAMES} classes."
            )
        new = [name for name in sorted(names) if project.find_class(name) is None]
        for name in new:
            project.add_class(name)
        are = "1 class was" if len(new) == 1 else f"{len(new)} classes were"
        say(f"{are} taken over from the column {column!r}. The model learns from it.")
    project.change_settings(sources=list(columns))


def _labels_of_persons(records: list[Record], column: str) -> list[Any]:
    """Return the label of each row, None if a model gave it."""
    source = tables.source_column(column, {name for record in records for name in record})
    return [None if each.get(source) == tables.MODEL else each.get(column) for each in records]


def _digest(table: str) -> str:
    with Path(table).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def classify(session: LabelingSession, table: str, output: Path) -> Generator[int]:
    """Answer the texts of a new table: yield its number of rows, then how many have an answer.

    The file appears when all rows are answered. The table is read as that of the project.
    """
    settings = session.project.settings
    if "text" not in settings:
        raise ValueError(f"{session.project.path} was not made from a table, so none can be read.")
    settings = {name: settings[name] for name in ("text", "encoding") if name in settings}
    rows, column = _open(table, settings)
    frame = tables.join_frames(rows)
    if not len(frame):
        raise ValueError(f"{table} has no rows.")
    yield len(frame)
    classifier = session.fit_classifier()
    label, sure, _ = free_columns(("label", "confidence", "source"), frame.columns)
    classes, columns = classifier.classes_.tolist(), list(frame.columns)
    answers = AnswerColumns(classes, columns, label=label, confidence=sure, top=2)
    with tables.open_writer(output, has_mark=True, numbers=answers.numbers) as write:
        for start in range(0, len(frame), AT_ONCE):
            part = frame.iloc[start : start + AT_ONCE]
            texts = tables.read_texts(part, column, rows.path)
            is_empty = np.array([not text.strip() for text in texts])
            write(answers.add(part, classifier.predict_proba(texts), is_empty)[0])
            yield start + len(part)
