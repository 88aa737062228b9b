"""``honeybayes label``: label texts on a local page, and exchange labels with other tools."""

import shlex
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from honeybayes.cli import _options as option

if TYPE_CHECKING:
    from honeybayes.labeling import Project

LOOPBACK = "127.0.0.1"
KINDS = ("answers", "labels", "label-studio", "doccano")
ENDINGS = {".json": "label-studio", ".jsonl": "doccano"}  # of files to import
ON_PAGE, EXCHANGE = "The page", "Files for other tools"


def _parse_kind(kind: str | None) -> str | None:
    if kind is not None and kind not in KINDS:
        raise typer.BadParameter(f"{kind!r} is not one of {', '.join(KINDS)}.")
    return kind


def _parse_port(port: str | None) -> str | None:
    number = (port or "0").rpartition(":")[2]
    if not number.isdecimal() or int(number) > 65535:
        raise typer.BadParameter(f"{port!r} is not a port from 0 to 65535, or HOST:PORT.")
    return port


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
    port: Annotated[
        str | None,
        typer.Option(
            help="Port to listen at. With a host before it, such as 0.0.0.0:8765, others can reach "
            "the page.",
            metavar="[HOST:]PORT",
            show_default="a free one from 8765 on",
            callback=_parse_port,
            rich_help_panel=ON_PAGE,
        ),
    ] = None,
    browser: Annotated[
        bool, typer.Option(help="Open the page in a browser.", rich_help_panel=ON_PAGE)
    ] = True,
    who: Annotated[
        str | None,
        typer.Option(
            help="Name to store with each label.",
            metavar="NAME",
            show_default="name of the user",
            rich_help_panel=ON_PAGE,
        ),
    ] = None,
    strategy: Annotated[
        str,
        typer.Option(
            help="Which texts come next: see `honeybayes simulate`.",
            metavar="NAME",
            rich_help_panel=ON_PAGE,
        ),
    ] = "typical-then-unsure",
    export: Annotated[
        Path | None,
        typer.Option(
            help="Write the answers or the labels of a project here, without the page. A file "
            ".xml gets the labeling configuration of Label Studio.",
            metavar="FILE",
            rich_help_panel=EXCHANGE,
        ),
    ] = None,
    import_: Annotated[
        Path | None,
        typer.Option(
            "--import",
            help="Make a project from this file of Label Studio or doccano, without the page.",
            metavar="FILE",
            rich_help_panel=EXCHANGE,
        ),
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option(
            "--as",
            help="answers: the table with label, source, confidence and runner-up (.csv, .tsv or "
            ".jsonl). labels: the same for texts that a person labeled. label-studio: JSON tasks. "
            "doccano: JSON lines with labels.",
            metavar="|".join(KINDS),
            show_default="answers; to import, by the ending",
            callback=_parse_kind,
            rich_help_panel=EXCHANGE,
        ),
    ] = None,
    no_model: Annotated[
        bool,
        typer.Option(
            "--no-model", help="Leave out the answers of the model.", rich_help_panel=EXCHANGE
        ),
    ] = False,
    plain_cells: option.PlainCells = False,
    read: option.Read = "",
) -> None:
    """Label texts on a local page, with a model that learns along.

    Example: honeybayes label mail.csv --text body

    Also writes the answers, and exchanges labels with Label Studio and doccano.

    Example: honeybayes label mail.hbproject --export answers.csv
    """
    from honeybayes.cli._input import Reading
    from honeybayes.cli._messages import UsageError
    from honeybayes.text import TextAnalyzer

    if export is not None and import_ is not None:
        raise UsageError("--export and --import exclude each other. Omit one of them.")
    for_files = {"--as": kind is not None, "--no-model": no_model, "--plain-cells": plain_cells}
    for name, is_used in for_files.items():
        if is_used and export is None and (import_ is None or name != "--as"):
            raise UsageError(f"{name} is for --export FILE. Add it, or omit {name}.")
    if language is not None:
        TextAnalyzer(language, stop_words=False)  # raises ValueError if the language is unknown
    if export is not None:
        _export(table, export, kind or "answers", not no_model, plain_cells)
    elif import_ is not None:
        _import(import_, table, kind, text, label, language, who)
    else:
        how = Reading.parse(read)
        reading = {"text": text, **how.of_file(), "quotes": None if how.quotes else False}
        opening = (table, project, label, language, who, reading, id)
        _label(opening, classes, port, strategy, browser)


def _label(
    opening: tuple, classes: str | None, port: str | None, strategy: str, browser: bool
) -> None:
    from honeybayes.cli._input import parse_classes
    from honeybayes.cli._output import show_status
    from honeybayes.cli._projects import open_project
    from honeybayes.labeling.strategies import find_strategy
    from honeybayes.utils.optional import import_optional

    for package in ("starlette", "uvicorn", "jinja2"):
        import_optional(package, "label")
    find_strategy(strategy)  # raises ValueError if the name is unknown
    named = {} if classes is None else parse_classes(classes)
    with show_status("Reading the texts"):
        opened = open_project(*opening)
    with opened:
        _say_where_labels_may_be(opened, opening[0])
        for name, words in named.items():
            found = opened.find_class(name)
            if found is None:
                opened.add_class(name, words)
            elif words:
                opened.change_class(found.id, words=words)
        host, _, number = (port or "").rpartition(":")
        _serve(opened, host or LOOPBACK, int(number) if number else None, strategy, browser)


def _serve(project: "Project", host: str, port: int | None, strategy: str, browser: bool) -> None:
    from honeybayes.page.serve import is_loopback, serve

    path = shlex.quote(str(project.path))

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
            n_labels = len(project.ledger.state.labels)
            are = "1 label is" if n_labels == 1 else f"{n_labels or 'No'} labels are"
            print(f"\n{are} in {path}. Continue with: honeybayes label {path}", flush=True)
            if n_labels:
                print(f"Use them with: honeybayes fit {path} -o model.hb", flush=True)


def _say_where_labels_may_be(project: "Project", table: str) -> None:
    """Name columns with few different values to a person who starts without any label."""
    from honeybayes.tables import by_column, find_label_column

    settings = project.settings
    if project.ledger.state.labels or settings.get("label") is not None:
        return
    columns = by_column(settings.get("columns") or [], project.cells())
    text = str(settings.get("text"))
    found = find_label_column(columns, [settings.get("id"), text, *text.split(",")])
    if found is not None:
        print(
            f"The column {found!r} has {len(set(columns[found]))} different values. If they are "
            f"labels, start with them: honeybayes label {shlex.quote(table)} --label "
            f"{shlex.quote(found)}"
        )


def _export(table: str, output: Path, kind: str, with_model: bool, plain_cells: bool) -> None:
    from honeybayes.cli._output import show_status
    from honeybayes.labeling import LabelingSession, Project, export_project
    from honeybayes.labeling.exchange import check_ending
    from honeybayes.utils.writing import check_outputs

    check_outputs([output], [table, f"{table}-journal"])  # before the work, not after it
    check_ending(output, kind)
    with Project.open(table) as project:
        check_outputs([output], [str(project.settings.get("table"))])
        answers, note = None, ""
        if with_model and kind in ("answers", "label-studio") and output.suffix != ".xml":
            with show_status("Learning from the labels"):
                # no text is chosen here, so the fastest strategy will do
                answers = LabelingSession.open(project, strategy="random").refit().answers
            note = "" if answers is not None else " There is no model yet: it needs two classes."
        what = export_project(project, output, kind, answers, plain_cells=plain_cells)
    print(f"{what} written to {output}.{note}")


def _import(
    tasks: Path,
    target: str,
    kind: str | None,
    text: str | None,
    label: str | None,
    language: str | None,
    who: str | None,
) -> None:
    from honeybayes.labeling import import_tasks

    kind = kind or ENDINGS.get(tasks.suffix.lower(), "label-studio")
    settings = {"language": language or "english", "random_state": 0}
    with import_tasks(
        tasks, target, kind, text=text, label=label, settings=settings, who=who
    ) as project:
        state = project.ledger.state
        n_labels = sum(int(project.copies[row]) for row in state.labels)
        print(
            f"{len(project.texts)} texts, {n_labels} of them with one of {len(state.classes)} "
            f"classes: {target}"
        )
