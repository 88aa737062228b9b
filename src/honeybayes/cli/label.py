"""``honeybayes label``: label texts on a local page, with a model that learns along."""

import hashlib
import shlex
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from honeybayes.cli import _options as option

if TYPE_CHECKING:
    from honeybayes.data.tables import Table
    from honeybayes.labeling import Project

LOOPBACK = "127.0.0.1"


def label(
    table: Annotated[
        str,
        typer.Argument(
            help="CSV, TSV, JSON lines or Excel file, .txt with one text per line, or a project "
            "file."
        ),
    ],
    text: Annotated[
        str | None,
        typer.Option(
            "--text", "-t", help="Column with the text.", metavar="COLUMN", show_default="text"
        ),
    ] = None,
    label: Annotated[
        str | None,
        typer.Option(
            "--label", "-l", help="Column with labels that exist already.", metavar="COLUMN"
        ),
    ] = None,
    id: option.Id = None,
    classes: Annotated[
        str | None,
        typer.Option(
            help="Names of the classes, and words that are typical of them: 'billing: invoice "
            "charge; delivery'; or a text file with one class per line. You can also type them on "
            "the page.",
            metavar="CLASSES",
        ),
    ] = None,
    language: Annotated[
        str | None, typer.Option(help="Language of the texts.", show_default="english")
    ] = None,
    project: Annotated[
        Path | None,
        typer.Option(
            help="Project file, where the labels are stored.",
            metavar="FILE",
            show_default="beside the table",
        ),
    ] = None,
    host: Annotated[
        str, typer.Option(help="Where to listen. Others can reach the page with another host.")
    ] = LOOPBACK,
    port: Annotated[
        int | None,
        typer.Option(
            help="Port to listen at.", min=0, max=65535, show_default="a free one from 8765 on"
        ),
    ] = None,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
    who: Annotated[
        str | None,
        typer.Option(
            help="Name to store with each label.", metavar="NAME", show_default="name of the user"
        ),
    ] = None,
    strategy: Annotated[
        str, typer.Option(help="Which texts come next: see `honeybayes simulate`.", metavar="NAME")
    ] = "typical-then-unsure",
    format: option.Format = None,
    delimiter: option.Delimiter = None,
    encoding: option.Encoding = None,
    sheet: option.Sheet = None,
    quotes: option.Quotes = True,
) -> None:
    """Label texts on a local page, with a model that learns along.

    Example: honeybayes label mail.csv --text body
    """
    from honeybayes.cli._input import parse_classes
    from honeybayes.cli._output import show_status
    from honeybayes.labeling.strategies import find_strategy
    from honeybayes.text import TextAnalyzer
    from honeybayes.utils.optional import import_optional

    for package in ("starlette", "uvicorn", "jinja2"):
        import_optional(package, "label")
    find_strategy(strategy)  # raises ValueError if the name is unknown
    if language is not None:
        TextAnalyzer(language, stop_words=False)  # raises ValueError if the language is unknown
    named = {} if classes is None else parse_classes(classes)
    reading = {
        "text": text,
        "format": format,
        "delimiter": delimiter,
        "encoding": encoding,
        "sheet": sheet,
        "quotes": None if quotes else False,
    }
    with show_status("Reading the texts"):
        opened = open_project(table, project, label, language, who, reading, id)
    with opened:
        _say_where_labels_may_be(opened, table)
        for name, words in named.items():
            found = opened.find_class(name)
            if found is None:
                opened.add_class(name, words)
            elif words:
                opened.change_class(found.id, words=words)
        _serve(opened, host, port, strategy, browser)


def _serve(project: "Project", host: str, port: int | None, strategy: str, browser: bool) -> None:
    from honeybayes.page.serve import is_loopback, serve

    path = _as_typed(project.path)

    def announce(address: str) -> None:
        n_texts = len(set(project.representative.tolist()))
        texts = "1 text" if n_texts == 1 else f"{n_texts} different texts"
        print(f"{texts}, {len(project.ledger.state.labels)} with a label: {path}")
        print(f"Open this address in a browser:\n\n    {address}\n")
        print("Each label is stored at once. Press Ctrl+C to stop.", flush=True)

    if not is_loopback(host):
        warnings.warn(
            f"Others can reach this page at {host}. They need the address with its token, which is "
            "sent unencrypted.",
            UserWarning,
            stacklevel=2,
        )
    has_started = True
    try:
        serve(project, host=host, port=port, strategy=strategy, browser=browser, announce=announce)
    except KeyboardInterrupt:  # Ctrl+C is the way to stop
        pass
    except ValueError:  # for example, the port is in use
        has_started = False
        raise
    finally:
        if has_started:
            _say_how_to_go_on(project, path)


def _say_how_to_go_on(project: "Project", path: str) -> None:
    n_labels = len(project.ledger.state.labels)
    are = "1 label is" if n_labels == 1 else f"{n_labels or 'No'} labels are"
    print(f"\n{are} in {path}. Continue with: honeybayes label {path}", flush=True)
    if n_labels:
        print(f"Use them with: honeybayes fit {path} -o model.hb", flush=True)


def open_project(
    table: str,
    path: Path | None,
    label: str | None,
    language: str | None,
    who: str | None,
    reading: dict[str, Any],
    id: str | None = None,
) -> "Project":
    """Open the project of a table, or write a new one; take over rows that were added."""
    from honeybayes.cli._projects import PROJECT_ENDING, is_project
    from honeybayes.labeling import Project

    if is_project(table):
        if path is not None:
            raise ValueError(f"{table} is a project file itself. Leave out --project.")
        path = Path(table)
    else:
        path = path or Path(table).with_name(_stem(table) + PROJECT_ENDING)
        if not path.exists():
            _create(table, path, {"label": label, "id": id}, language, who, reading)
    opened = Project.open(path, who)
    try:
        _check_same(opened, {**reading, "language": language})
        if path != Path(table):
            _take_over_new_rows(opened, table)
        if id is not None:
            _cells_of(opened.settings.get("columns") or [], list(opened.cells()), id, "id")
            opened.change_settings(id=id)
        if label is not None:
            _import(opened, label)
    except BaseException:
        opened.close()
        raise
    return opened


def _create(
    table: str,
    path: Path,
    more: dict[str, str | None],
    language: str | None,
    who: str | None,
    reading: dict[str, Any],
) -> None:
    from honeybayes.data.tables import is_stream
    from honeybayes.labeling import Project

    if is_stream(Path(table)):
        raise ValueError("Standard input or a pipe cannot be read again later. Save it to a file.")
    reading = {**reading, "text": reading["text"] or "text"}
    rows, texts, cells = _read(table, reading)
    columns = rows.columns
    if not texts:
        raise ValueError(f"{table} has no rows.")
    for each, column in more.items():
        if column is not None:
            _cells_of(columns, cells, column, each)  # raises ValueError if there is no such column
    settings = {
        **reading,
        "format": rows.format,
        "found_delimiter": rows.delimiter,
        "language": language or "english",
        "table": str(Path(table).resolve()),
        "digest": _digest(table),
        "columns": columns,
    }
    Project.create(path, texts, cells=cells, settings=settings, who=who).close()


def _read(table: str, reading: dict[str, Any]) -> tuple["Table", list[str], list[Any]]:
    """Return a table, its texts and its cells."""
    from honeybayes.cli._reading import check_table
    from honeybayes.data.tables import open_table

    check_table(table)
    rows = open_table(
        table,
        {"text": reading["text"]},
        format=reading["format"],
        delimiter=reading["delimiter"],
        encoding=reading["encoding"],
        quotes=reading["quotes"] is None,
        keep_blank=True,
        sheet=reading.get("sheet"),
    )
    texts, cells = [], []
    for words, row in rows.texts():
        texts.append(words)
        cells.append(row)
    return rows, texts, cells


def _check_same(project: "Project", options: dict[str, Any]) -> None:
    """Raise ValueError if an option differs from what the project was made with."""
    for name, value in options.items():
        before = project.settings.get(name)
        if value is not None and value != before:
            raise ValueError(
                f"{project.path} was made with another --{name} ({before!r}). Leave it out, or "
                "start a new project with --project."
            )


def _take_over_new_rows(project: "Project", table: str) -> None:
    """Add rows that were appended to the table since the last time."""
    digest, settings = _digest(table), project.settings
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
    n_known = len(project.texts)
    for number, (before, now) in enumerate(zip(project.cells(), cells, strict=False)):
        if before != now:
            raise ValueError(f"Row {number + 1} of {table} has changed. {advice}")
    if len(texts) < n_known:
        raise ValueError(f"{table} has {len(texts)} rows; it had {n_known}. {advice}")
    if len(texts) > n_known:
        project.add_texts(texts[n_known:], cells[n_known:])
        n_new = len(texts) - n_known
        print(f"{'1 row was' if n_new == 1 else f'{n_new} rows were'} added.")
        if (column := settings.get("label")) is not None:
            _import_rows(project, column, n_known)
    project.change_settings(digest=digest)


def _say_where_labels_may_be(project: "Project", table: str) -> None:
    """Name columns with few different values to a person who starts without any label."""
    from honeybayes.cli._advice import by_column, find_label_column

    settings = project.settings
    if project.ledger.state.labels or settings.get("label") is not None:
        return
    columns = by_column(settings.get("columns") or [], project.cells())
    text = str(settings.get("text"))
    found = find_label_column(columns, [settings.get("id"), text, *text.split(",")])
    if found is not None:
        print(
            f"The column {found!r} has {len(set(columns[found]))} different values. If they are "
            f"labels, start with them: honeybayes label {_as_typed(table)} --label "
            f"{shlex.quote(found)}"
        )


def _import(project: "Project", column: str) -> None:
    """Take over the labels in a column, once."""
    before = project.settings.get("label")
    if before == column:
        return
    if before is not None:
        raise ValueError(
            f"The labels in the column {before!r} were taken over already. Start a new project "
            "with --project for others."
        )
    _import_rows(project, column, 0)
    project.change_settings(label=column)


def _import_rows(project: "Project", column: str, first: int) -> None:
    from honeybayes.data.sources import MODEL, source_column
    from honeybayes.labeling import import_labels

    columns, rows = project.settings.get("columns") or [], list(project.cells())
    labels = _cells_of(columns, rows, column)
    names = columns or {name for row in rows for name in row or {}}
    if (source := source_column(column, names)) in names:
        sources = _cells_of(columns, rows, source)
        labels = [None if who == MODEL else each for each, who in zip(labels, sources, strict=True)]
    known = project.ledger.state.labels
    representative = project.representative.tolist()
    wanted = [
        each if row >= first and representative[row] not in known else None
        for row, each in enumerate(labels)
    ]
    n = import_labels(project, wanted)
    are = "1 label was" if n == 1 else f"{n} labels were"
    print(f"{are} taken over from the column {column!r}.")


def _cells_of(columns: list[str], rows: list[Any], column: str, option: str = "label") -> list[Any]:
    """Return the cells of a column; raise ValueError if there is none with this name."""
    from honeybayes.utils.suggestions import did_you_mean

    # rows of JSON lines have names of their own
    names = columns or list(dict.fromkeys(name for row in rows for name in row or {}))
    if column not in names:
        raise ValueError(
            f"There is no column {column!r} for --{option}. The columns are: {', '.join(names)}."
            f"{did_you_mean(column, names)}"
        )
    if columns:
        return [row[columns.index(column)] for row in rows]
    return [row.get(column) for row in rows]


def _digest(table: str) -> str:
    with Path(table).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _stem(table: str) -> str:
    """Return the name of a table without its endings, such as .csv.gz."""
    name = Path(table).name
    name = name[:-3] if name.lower().endswith(".gz") else name
    return Path(name).stem


def _as_typed(path: Path | str | None) -> str:
    """Return a path as it can be typed in a shell."""
    return shlex.quote(str(path))
