"""``honeybayes import``: make a project from a file of another tool for labeling."""

from pathlib import Path
from typing import Annotated

import typer

FORMATS = ("label-studio", "doccano")


def _parse_format(format: str) -> str:
    if format not in FORMATS:
        raise typer.BadParameter(f"{format!r} is not one of {', '.join(FORMATS)}.")
    return format


def import_(
    tasks: Annotated[str, typer.Argument(help="File that the other tool has exported.")],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="Project file to write, such as mail.hbproject."),
    ],
    format: Annotated[
        str,
        typer.Option(
            help="label-studio (JSON) or doccano (JSON lines).",
            callback=_parse_format,
        ),
    ],
    text: Annotated[
        str | None,
        typer.Option("--text", "-t", help="Field with the text.", show_default="detected"),
    ] = None,
    label: Annotated[
        str | None,
        typer.Option(
            "--label",
            "-l",
            help="Field with the labels, or name of the choices.",
            show_default="detected",
        ),
    ] = None,
    language: Annotated[str, typer.Option(help="Language of the texts.")] = "english",
) -> None:
    """Make a project from a file of Label Studio or doccano, with its labels.

    Example: honeybayes import tasks.json --format label-studio -o mail.hbproject
    """
    from honeybayes.labeling import import_tasks
    from honeybayes.text import TextAnalyzer

    TextAnalyzer(language, stop_words=False)  # raises ValueError if the language is unknown
    settings = {"language": language, "random_state": 0}
    with import_tasks(tasks, output, format, text=text, label=label, settings=settings) as project:
        state = project.ledger.state
        n_labels = sum(int(project.copies[row]) for row in state.labels)
        print(
            f"{len(project.texts)} texts, {n_labels} of them with one of {len(state.classes)} "
            f"classes: {output}"
        )
