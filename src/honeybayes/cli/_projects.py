"""Project files of `honeybayes label`: how they are made from tables, and follow them."""

import hashlib
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from honeybayes.labeling import Project

PROJECT_ENDING = ".hbproject"
DEFAULT_LANGUAGE = "english"


def is_project(table: str) -> bool:
    """Return True for a project file of `honeybayes label`, also if it is missing or damaged."""
    path = Path(table)
    if path.suffix == PROJECT_ENDING:
        return True
    if not path.is_file():
        return False
    with path.open("rb") as file:
        if file.read(15) != b"SQLite format 3":
            return False  # without the next import, which takes time
    from honeybayes.labeling import is_project_file

    return is_project_file(table)


def open_project(
    table: str,
    path: Path | None,
    text: str | None,
    label: str | None,
    language: str | None,
    who: str | None,
    reading: dict[str, Any],
    id: str | None,
) -> "Project":
    """Open the project of a table, or write a new one; take over rows that were added."""
    from honeybayes.labeling import Project

    if is_project(table) and path is not None:
        raise ValueError(f"{table} is a project file itself. Leave out --project.")
    stem = Path(table).name.removesuffix(".gz").removesuffix(".GZ")
    path = path or Path(table).with_name(Path(stem).stem + PROJECT_ENDING)
    given = {"text": text, "language": language}
    # quotes=yes is the default, which is not stored
    given |= {name: value for name, value in reading.items() if value is not True}
    if is_project(table):
        opened = Project.open(table, who)
    elif path.exists():
        opened = Project.open(path, who)
    else:
        opened = _create(table, who, given)
    try:
        if opened.path is not None:
            _check_same(opened, given)
            if not is_project(table):
                _take_over_new_rows(opened, table)
        if id is not None:
            opened.column(id)  # raises ValueError if there is no such column
            opened.change_settings(id=id)
        if label is not None:
            _take_over_labels(opened, label)
        return opened if opened.path is not None else opened.write(path)
    except BaseException:
        opened.close()
        raise


def _create(table: str, who: str | None, given: dict[str, Any]) -> "Project":
    """Return a new project in memory, so that an error leaves no file."""
    from honeybayes.labeling import Project
    from honeybayes.tables import is_stream

    if is_stream(table):
        raise ValueError("Standard input or a pipe cannot be read again later. Save it to a file.")
    settings = {
        **given,
        "text": given["text"] or "text",
        "language": given["language"] or DEFAULT_LANGUAGE,
    }
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


def _read(table: str, settings: dict[str, Any]) -> tuple[Any, list[str], list[Any]]:
    """Return a table, its texts and its cells, which a project keeps as JSON."""
    from honeybayes.cli._input import Input, check_table
    from honeybayes.cli._settings import READ
    from honeybayes.tables import frame_rows

    check_table(table)
    reading = {name: settings[name] for name in READ if settings.get(name) is not None}
    inputs = Input(settings["text"], reading=reading)
    rows = inputs.open(table)
    texts: list[str] = []
    cells: list[Any] = []
    for frame in rows.frames:
        texts += inputs.texts_of(frame, rows)
        cells += map(_as_json, frame_rows(frame, as_dicts=not rows.columns))
    return rows, texts, cells


def _as_json(value: Any) -> Any:
    """Return a value as JSON can hold it: None if it is missing, and a string if it is a date."""
    from honeybayes.utils.labels import is_missing

    if isinstance(value, dict):
        return {str(name): _as_json(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_as_json(each) for each in value]
    if is_missing(value):
        return None
    is_number = isinstance(value, bool | int) or (isinstance(value, float) and isfinite(value))
    return value if is_number or isinstance(value, str) else str(value)


def _check_same(project: "Project", options: dict[str, Any]) -> None:
    """Raise ValueError if an option differs from what the project was made with."""
    for name, value in options.items():
        before = project.settings.get(name)
        if value is not None and value != before:
            option = f"--{name}" if name in ("text", "language") else f"--read {name}"
            raise ValueError(
                f"{project.path} was made with another {option} ({before!r}). Leave it out, or "
                "start a new project with --project."
            )


def _take_over_new_rows(project: "Project", table: str) -> None:
    """Add rows that were appended to the table since the last time."""
    digest, settings, n_known = _digest(table), project.settings, len(project.texts)
    if digest == settings.get("digest"):
        return
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
    column, first = settings.get("label"), settings.get("n_imported", n_known)
    if n_new := len(texts) - n_known:
        if column is not None:
            _check_labels(column, rows.columns, texts[n_known:], cells[n_known:])
            project.change_settings(n_imported=first)  # where to go on if this run is killed
        project.add_texts(texts[n_known:], cells[n_known:])
        print(f"{'1 row was' if n_new == 1 else f'{n_new} rows were'} added.")
    if column is not None and first < len(texts):
        _import_rows(project, column, first)
        project.change_settings(n_imported=len(texts))
    project.change_settings(digest=digest)


def _check_labels(column: str, columns: list[str], texts: list[str], cells: list[Any]) -> None:
    """Raise ValueError if labels of new rows cannot be taken over, before the rows are added."""
    from honeybayes.labeling import Project, import_labels

    with Project.create(None, texts, cells=cells, settings={"columns": columns}) as new:
        import_labels(new, _labels_of_persons(new.records(), column))


def _take_over_labels(project: "Project", column: str) -> None:
    """Take over the labels in a column, once."""
    before = project.settings.get("label")
    if before not in (None, column):
        raise ValueError(
            f"The labels in the column {before!r} were taken over already. Start a new project "
            "with --project for others."
        )
    if before is None:
        _import_rows(project, column, 0)
        project.change_settings(label=column, n_imported=len(project.texts))


def _import_rows(project: "Project", column: str, first: int) -> None:
    """Take over the labels of persons from a row on, unless the text has a label."""
    from honeybayes.labeling import import_labels

    project.column(column)  # raises ValueError if there is no such column
    known, representative = project.ledger.state.labels, project.representative.tolist()
    n = import_labels(
        project,
        [
            None if row < first or representative[row] in known else each
            for row, each in enumerate(_labels_of_persons(project.records(), column))
        ],
    )
    are = "1 label was" if n == 1 else f"{n} labels were"
    print(f"{are} taken over from the column {column!r}.")


def _labels_of_persons(records: list[dict[str, Any]], column: str) -> list[Any]:
    """Return the label of each row, None if a model gave it."""
    from honeybayes.tables import MODEL, source_column

    source = source_column(column, {name for record in records for name in record})
    return [None if record.get(source) == MODEL else record.get(column) for record in records]


def _digest(table: str) -> str:
    with Path(table).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
