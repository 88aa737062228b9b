"""``honeybayes export``: write the answers or the labels of a project."""

from pathlib import Path
from typing import Annotated

import typer

from honeybayes.cli import _options as option

FORMATS = ("answers", "labels", "label-studio", "doccano")


def _parse_format(format: str) -> str:
    if format not in FORMATS:
        raise typer.BadParameter(f"{format!r} is not one of {', '.join(FORMATS)}.")
    return format


def export(
    project: Annotated[
        str, typer.Argument(help="Project file, written by `honeybayes label` or `import`.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="File to write.")],
    format: Annotated[
        str,
        typer.Option(
            help="answers: the table with label, source, confidence and runner-up (.csv, .tsv or "
            ".jsonl). labels: the texts that a person labeled (same endings). label-studio: JSON "
            "tasks. doccano: JSON lines with labels.",
            callback=_parse_format,
        ),
    ] = "answers",
    no_model: Annotated[
        bool, typer.Option("--no-model", help="Leave out the answers of the model.")
    ] = False,
    config: Annotated[
        Path | None,
        typer.Option(help="Write the labeling configuration of Label Studio here, too."),
    ] = None,
    plain_cells: option.PlainCells = False,
) -> None:
    """Write the answers or the labels of a project, also for Label Studio and doccano.

    Example: honeybayes export mail.hbproject -o mail-answers.csv
    """
    import numpy as np

    from honeybayes.cli._output import show_status
    from honeybayes.cli._rows import open_output
    from honeybayes.data import Corpus, write_corpus
    from honeybayes.labeling import (
        LabelingSession,
        Project,
        label_studio_config,
        write_answers,
        write_doccano,
        write_label_studio,
    )
    from honeybayes.labeling.answers import answer_rows, check_ending
    from honeybayes.utils.writing import check_outputs

    log = [project + ending for ending in ("-wal", "-shm", "-journal")]  # of SQLite
    check_outputs([output, config], [project, *log])
    if format in ("answers", "labels"):
        check_ending(output)
    with Project.open(project) as opened:
        check_outputs([output, config], [str(opened.settings.get("table"))])
        answers, note = None, ""
        if not no_model and format in ("answers", "label-studio"):
            with show_status("Learning from the labels"):
                # no text is chosen here, so the fastest strategy will do
                answers = LabelingSession.open(opened, strategy="random").refit().answers
            if answers is None:
                note = " There is no model yet: it needs two classes."
        labeled = [
            (text, answer.label)
            for text, answer in zip(opened.texts, answer_rows(opened, None), strict=True)
            if answer.label is not None
        ]
        if format == "answers":
            write_answers(opened, answers, output, plain_cells=plain_cells)
        elif format == "labels":
            if not labeled:
                raise ValueError(f"{project} has no labels yet.")
            texts, labels = zip(*labeled, strict=True)
            corpus = Corpus(Path(project).stem, list(texts), np.array(labels))
            write_corpus(corpus, output, plain_cells=plain_cells)
        else:
            with open_output(str(output), "utf-8") as file:
                if format == "doccano":
                    write_doccano(opened, file)
                else:
                    write_label_studio(opened, answers, file)
        if config is not None:
            with open_output(str(config), "utf-8") as file:
                file.write(label_studio_config(opened))
        what = f"{len(labeled)} labels" if format == "labels" else f"{len(opened.texts)} texts"
    print(f"{what} written to {output}.{note}")
