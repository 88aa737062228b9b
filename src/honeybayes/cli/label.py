"""``honeybayes label``: label texts on a local page, and exchange labels with other tools."""

import shlex
import sys
from pathlib import Path
from typing import Any

import honeybayes as hb
from honeybayes.cli._output import UsageError, refuse, show_status, vectors_line, warn
from honeybayes.utils.optional import import_optional

LOOPBACK = "127.0.0.1"
KINDS = ("answers", "labels", "label-studio", "doccano")
ENDINGS = {".json": "label-studio", ".jsonl": "doccano"}  # of files to import


def label(
    table: str,
    text: str | None = None,
    label: str | None = None,
    id: str | None = None,
    classes: str | None = None,
    language: str | None = None,
    project: Path | None = None,
    port: str | None = None,
    browser: bool = True,
    who: str | None = None,
    strategy: str = "representative",
    export: Path | None = None,
    import_: Path | None = None,
    as_: str | None = None,
    no_model: bool = False,
    plain_cells: bool = False,
    read: str = "",
) -> None:
    """Label texts on a local page, with a model that learns along.

    Example: honeybayes label mail.csv --text body

    Also writes the answers, and exchanges labels with Label Studio and doccano.

    Example: honeybayes label mail.hbproject --export answers.csv

    Arguments:
      table: CSV, TSV, JSON lines or Excel file, .txt with one text per line, or a project file.
    Options:
      --text -t COLUMN: Column with the text. [default: text]
      --label -l COLUMN: Column with labels that exist already.
      --language: Language of the texts, for stems and stop words. [default: auto]
      --project FILE: Project file, where the labels are stored. [default: beside the table]
    The page:
      --port [HOST:]PORT: Port to listen at. With a host before it, such as 0.0.0.0:8765, others
        can reach the page. [default: a free one from 8765 on]
      --browser/--no-browser: Open the page in a browser.
      --who NAME: Name to store with each label. Several names, "Ann, Ben", get an address each:
        they share the texts, and label one in ten twice. [default: name of the user]
      --strategy NAME: Which texts come next: see `honeybayes simulate`.
    Files for other tools:
      --export FILE: Write the answers or the labels of a project here, without the page. A file
        .xml gets the labeling configuration of Label Studio.
      --import FILE: Make a project from this file of Label Studio or doccano, without the page. If
        it is a project with the same texts, its labels are added to those of the first.
      --as answers|labels|label-studio|doccano: answers: the table with label, source, confidence
        and runner-up (.csv, .tsv or .jsonl). labels: the same for texts that a person labeled.
        label-studio: JSON tasks. doccano: JSON lines with labels. [default: answers; to import, by
        the ending]
      --no-model: Leave out the answers of the model.
    """
    from honeybayes.cli import _input, _settings
    from honeybayes.labeling.table_project import open_project

    if as_ is not None and as_ not in KINDS:
        raise UsageError(f"--as: {as_!r} is not one of {', '.join(KINDS)}.")
    host, _, number = (port or "0").rpartition(":")
    if not number.isdecimal() or int(number) > 65535:
        raise UsageError(f"--port {port} is not a port from 0 to 65535, or HOST:PORT.")
    if export is not None:
        refuse("and --export exclude each other. Omit one of them.", import_=import_)
    else:
        why = "is for --export FILE. Add it, or omit this option."
        refuse(why, as_=None if import_ else as_, no_model=no_model, plain_cells=plain_cells)
    if language not in (None, "auto"):
        hb.text.TextAnalyzer(language)  # raises ValueError if it is unknown
    if export is not None:
        _export(table, export, as_ or "answers", not no_model, plain_cells)
    elif import_ is not None and _input.is_project(str(import_)):
        with hb.labeling.Project.open(table) as joined:
            n_labels = hb.labeling.join_projects(joined, import_)
            n_differ = len(joined.ledger.state.disagreements)
        print(f"Labels added to {table}: {n_labels}. Texts on which people disagree: {n_differ}.")
    elif import_ is not None:
        kind = as_ or ENDINGS.get(import_.suffix.lower(), "label-studio")
        more = {"language": language or "auto", "random_state": 0}
        with hb.labeling.import_tasks(
            import_, table, kind, text=text, label=label, settings=more, who=who
        ) as imported:
            state = imported.ledger.state
            n_labels = sum(int(imported.copies[row]) for row in state.labels)
            print(
                f"{len(imported.texts)} texts, {n_labels} of them with one of "
                f"{len(state.classes)} classes: {table}"
            )
    else:
        _check_page_can_open()
        hb.labeling.strategies.find_strategy(strategy)  # raises ValueError if the name is unknown
        named = {} if classes is None else _settings.parse_classes(classes)
        names = [" ".join(each.split()) for each in (who or "").split(",") if each.strip()]
        own = names[0] if names else None
        reading = _settings.parse_settings("--read", read, _settings.READ)
        # quotes=yes is the default, which is not stored
        reading = {name: value for name, value in reading.items() if value is not True}
        options = {"text": text, "language": language, **reading}
        source, path = None, Path(table)
        if _input.is_project(table):
            refuse(f"is for a table, and {table} is a project. Omit it.", project=project)
        else:
            _input.check_table(table)
            source, path = table, project or _input.project_of(path)
        with show_status("Reading the texts"):
            opened = open_project(source, path, options, label=label, id=id, who=own)
        with opened:
            names = names or [opened.who]
            _say_where_labels_may_be(opened, table)
            for name, words in named.items():
                found = opened.find_class(name)
                if found is None:
                    opened.add_class(name, words)
                elif words:
                    opened.change_class(found.id, words=words)
            from honeybayes.page.office import Office

            office = Office(strategy, names[0])
            office.sit_down(opened)
            serve_office(office, names, host or LOOPBACK, int(number) if port else None, browser)


def open_page(browser: bool = True) -> None:
    """Open the page without a project, in the folder of now."""
    from honeybayes.labeling.project import user_name

    _check_page_can_open()
    from honeybayes.page.office import Office

    serve_office(Office(), [user_name()], LOOPBACK, None, browser)


def _check_page_can_open() -> None:
    for package in ("starlette", "uvicorn", "jinja2"):
        import_optional(package, "label")


def serve_office(office: Any, names: list[str], host: str, port: int | None, browser: bool) -> None:
    """Show the page until it is stopped, and say where everything is."""
    from honeybayes.page.access import is_loopback
    from honeybayes.page.serve import serve

    def announce(addresses: dict[str, str]) -> None:
        if office.open_desk is not None:
            project = office.desk.project
            n_texts = len(set(project.representative.tolist()))
            texts = "1 text" if n_texts == 1 else f"{n_texts} different texts"
            path = shlex.quote(str(project.path))
            print(f"{texts}, {len(project.ledger.state.labels)} with a label: {path}")
        for name, address in addresses.items():
            whose = "" if len(addresses) == 1 else f", {name}"
            print(f"Open this address in a browser{whose}:\n\n    {address}\n")
        read = None if office.open_desk is None else office.desk.project.texts
        print(vectors_line(hb.text.find_encoder(read), texts=read), end="")
        print("Each label is stored at once. Press Ctrl+C to stop.", flush=True)

    if not is_loopback(host):
        warn(
            f"Others can reach this page at {host}. They need the address with its token, which is "
            "sent unencrypted."
        )
    code = None
    try:
        serve(office, names, host=host, port=port, browser=browser, announce=announce)
    except (KeyboardInterrupt, SystemExit) as end:  # Ctrl+C is the way to stop
        code = getattr(end, "code", None)
    if office.open_desk is not None:
        project = office.desk.project
        path, n_labels = shlex.quote(str(project.path)), len(project.ledger.state.labels)
        if project.is_moved:
            print(f"\n{path} was moved or replaced. The labels are in the file that was moved.")
        else:
            are = "1 label is" if n_labels == 1 else f"{n_labels or 'No'} labels are"
            print(f"\n{are} in {path}. Continue with: honeybayes label {path}", flush=True)
            if n_labels:
                print(f"Use them with: honeybayes fit {path} -o model.hb", flush=True)
    if code is not None:
        sys.exit(code)


def _say_where_labels_may_be(project: Any, table: str) -> None:
    """Name columns with few different values to a person who starts without any label."""
    from honeybayes import tables

    settings = project.settings
    if project.ledger.state.labels or settings.get("label") is not None:
        return
    columns = tables.by_column(project.records())
    text = str(settings.get("text"))
    found = tables.find_label_column(columns, [settings.get("id"), text, *text.split(",")])
    if found is not None:
        print(
            f"The column {found!r} has {len(set(columns[found]))} different values. If they are "
            f"labels, start with them: honeybayes label {shlex.quote(table)} --label "
            f"{shlex.quote(found)}"
        )


def _export(table: str, output: Path, kind: str, with_model: bool, plain_cells: bool) -> None:
    from honeybayes.utils.writing import check_outputs

    check_outputs([output], [table, f"{table}-journal"])  # before the work, not after it
    hb.labeling.exchange.check_ending(output, kind)
    with hb.labeling.Project.open(table) as project:
        check_outputs([output], [str(project.settings.get("table"))])
        answers, note = None, ""
        if with_model and kind in ("answers", "label-studio") and output.suffix != ".xml":
            with show_status("Learning from the labels"):
                # no text is chosen here, so the fastest strategy will do
                session = hb.labeling.LabelingSession.open(project, strategy="random")
                answers = session.refit().answers
            note = "" if answers is not None else " There is no model yet: it needs two classes."
        what = hb.labeling.export_project(project, output, kind, answers, plain_cells=plain_cells)
    print(f"{what} written to {output}.{note}")
