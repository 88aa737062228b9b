"""The project of a table: made from it, and following it when rows are added at its end."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from honeybayes import tables
from honeybayes.labeling.answers import import_labels
from honeybayes.labeling.project import Project
from honeybayes.utils.labels import is_missing

READING = ("format", "delimiter", "encoding", "sheet", "quotes")  # parameters of `open_table`
Say = Callable[[str], None]


def open_project(
    table: str | None,
    path: Path,
    options: dict[str, Any],
    *,
    label: str | None = None,
    id: str | None = None,
    who: str | None = None,
    say: Say = print,
) -> Project:
    """Open the project of a table, or write a new one; take over rows and labels that were added.

    Without a table, the project is opened as it is. ``options`` are its text, its language, and how
    to read it; None if an option was not given. ``say`` tells what was taken over.
    """
    is_new = table is not None and not path.exists()
    opened = _create(str(table), options, who) if is_new else Project.open(path, who)
    try:
        if not is_new:
            _check_same(opened, options)
            if table is not None and (digest := _digest(table)) != opened.settings.get("digest"):
                _take_over_rows(opened, table, say)
                _take_over_labels(opened, None, say)
                opened.change_settings(digest=digest)
        if id is not None:
            opened.column(id)  # raises ValueError if there is no such column
            opened.change_settings(id=id)
        if label is not None and label != opened.settings.get("label"):
            _take_over_labels(opened, label, say)
        return opened.write(path) if is_new else opened
    except BaseException:
        opened.close()
        raise


def _create(table: str, options: dict[str, Any], who: str | None) -> Project:
    """Return a new project in memory, so that an error leaves no file."""
    if tables.is_stream(table):
        raise ValueError("Standard input or a pipe cannot be read again later. Save it to a file.")
    given = {name: value for name, value in options.items() if value is not None}
    settings = {"text": "text", "language": "english", **given}
    rows, texts, cells = _read(table, settings)
    if not texts:
        raise ValueError(f"{table} has no rows.")
    settings |= {
        "format": rows.format,
        "found_delimiter": rows.delimiter,
        "table": str(Path(table).resolve()),
        "digest": _digest(table),
        "columns": rows.columns,
    }
    return Project.create(None, texts, cells=cells, settings=settings, who=who)


def _read(table: str, settings: dict[str, Any]) -> tuple[tables.Table, list[str], list[Any]]:
    """Return a table, its texts and its cells, which a project keeps as JSON."""
    reading = {name: settings[name] for name in READING if settings.get(name) is not None}
    rows = tables.open_table(table, {"text": settings["text"]}, **reading, keep_blank=True)
    column = "text" if rows.format == "lines" else settings["text"]
    null = "" if rows.format == "parquet" else None
    texts: list[str] = []
    cells: list[Any] = []
    for frame in rows.frames:
        texts += tables.read_texts(frame, column, rows.path, null)
        cells += map(_as_json, tables.frame_rows(frame, as_dicts=not rows.columns))
    return rows, texts, cells


def _as_json(cells: Any) -> Any:
    """Return cells as JSON can hold them: None if one is missing, and a string if it is a date.

    Infinity is "inf", as in the projects that are there.
    """
    written = json.dumps(cells, default=lambda cell: None if is_missing(cell) else str(cell))
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
    """Add rows that were appended to the table since the last time."""
    settings, n_known = project.settings, len(project.texts)
    advice = (
        f"Only rows added at the end can be taken over into {project.path}. Restore the table; or "
        f"start a new project with --project; or continue without the table: honeybayes label "
        f"{project.path}."
    )
    if "text" not in settings:
        raise ValueError(f"{project.path} was not made from a table. {advice}")
    rows, texts, cells = _read(table, settings)
    if rows.columns != settings.get("columns"):
        raise ValueError(f"The columns of {table} have changed. {advice}")
    for number, (before, now) in enumerate(zip(project.cells(), cells, strict=False), start=1):
        if _as_json(before) != now:
            raise ValueError(f"Row {number} of {table} has changed. {advice}")
    if len(texts) < n_known:
        raise ValueError(f"{table} has {len(texts)} rows; it had {n_known}. {advice}")
    texts, cells = texts[n_known:], cells[n_known:]
    if texts:
        if (column := settings.get("label")) is not None:
            # raises ValueError if labels cannot be taken over, before the rows are added
            columns = {"columns": rows.columns}
            with Project.create(None, texts, cells=cells, settings=columns) as new:
                import_labels(new, _labels_of_persons(new, column))
            if "n_imported" not in settings:  # as written before the number was stored
                project.change_settings(n_imported=n_known)
        project.add_texts(texts, cells)
        say("1 row was added." if len(texts) == 1 else f"{len(texts)} rows were added.")


def _take_over_labels(project: Project, column: str | None, say: Say) -> None:
    """Take over the labels of a column, of each row once, unless the text has a label."""
    before = project.settings.get("label")
    # a project may be older than the number; all of its labels were taken over
    n_known = 0 if before is None else len(project.texts)
    first = project.settings.get("n_imported", n_known)
    if column is not None and before not in (None, column):
        raise ValueError(
            f"The labels in the column {before!r} were taken over already. Start a new project "
            "with --project for others."
        )
    column = column or before
    if column is None or first >= len(project.texts):
        return
    project.column(column)  # raises ValueError if there is no such column
    known, representative = project.ledger.state.labels, project.representative.tolist()
    n = import_labels(
        project,
        [
            None if row < first or representative[row] in known else label
            for row, label in enumerate(_labels_of_persons(project, column))
        ],
    )
    project.change_settings(label=column, n_imported=len(project.texts))
    are = "1 label was" if n == 1 else f"{n} labels were"
    say(f"{are} taken over from the column {column!r}.")


def _labels_of_persons(project: Project, column: str) -> list[Any]:
    """Return the label of each row, None if a model gave it."""
    records = project.records()
    source = tables.source_column(column, {name for record in records for name in record})
    return [
        None if record.get(source) == tables.MODEL else record.get(column) for record in records
    ]


def _digest(table: str) -> str:
    with Path(table).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
