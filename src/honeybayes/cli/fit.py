"""``honeybayes fit``: learn from a table and write a model file."""

from pathlib import Path
from typing import Annotated, Any

import typer

from honeybayes.cli import _options as option

FOR_FEW_LABELS, AUTO = "FewLabels", "auto"


def fit(
    table: Annotated[
        str,
        typer.Argument(
            help="CSV, TSV, JSON lines, Excel or Parquet file, or a folder with one sub-folder per "
            "class; - reads CSV from standard input. Many files: a folder of tables, or a pattern "
            "in quotes, such as 'mails/*.parquet'."
        ),
    ],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="Model file to write.", rich_help_panel=option.OUTPUT),
    ],
    text: option.Text = "text",
    label: option.Label = "label",
    attributes: option.Attributes = None,
    id: option.Id = None,
    read: option.ReadLabels = "",
    model: Annotated[
        str,
        typer.Option(
            "--model",
            "-m",
            help="A name from `honeybayes models`, or auto. Settings may follow: 'FewLabels "
            "outliers' also learns to tell texts of no class, 'CNB calibrate=no' leaves the "
            "confidence as the model gives it.",
            metavar="NAME",
            rich_help_panel=option.LEARNING,
        ),
    ] = AUTO,
    pool: option.Pool = None,
    classes: option.Classes = None,
    language: option.Language = "english",
    words: option.Words = "",
    encoder: option.Encoder = None,
    engine: option.Engine = "local",
    keep_going: option.KeepGoing = False,
    json: option.Json = False,
) -> None:
    """Learn from labeled texts, or from names of classes, and write a model file.

    Example: honeybayes fit messages.csv --text body --label queue -o model.hb
    """
    import warnings

    from honeybayes.classifier import TextClassifier
    from honeybayes.cli._fit_tables import (
        FitResult,
        TableReader,
        check_complete,
        find_tables,
        fit_many,
        fit_one,
    )
    from honeybayes.cli._input import (
        OF_LABELS,
        OF_TRAINING,
        Reading,
        choose_columns,
        describe_columns,
        parse_classes,
        text_settings,
    )
    from honeybayes.cli._many_files import EngineChoice
    from honeybayes.cli._messages import UsageError
    from honeybayes.cli._output import print_json
    from honeybayes.cli._projects import DEFAULT_LANGUAGE, is_project
    from honeybayes.files import save_model
    from honeybayes.text import ATTRIBUTES
    from honeybayes.utils.writing import check_outputs
    from honeybayes.zoo import describe_model, models_with

    choice = EngineChoice.parse(engine)
    model, calibrate, outliers = _parse_model(model)
    reading = Reading.parse(read, OF_LABELS, OF_TRAINING)
    many = find_tables(table, pool, choice.with_dask)
    inputs = (table, pool) if many is None else (*many.labeled, *many.pool)
    check_outputs([output], [*inputs, classes])  # before an hour of learning, not after it
    if keep_going and many is None:
        raise UsageError("--keep-going is for a folder or a pattern of files. Omit it.")
    for name, is_used in {
        "--attributes": bool(attributes),
        "--read fold-case": reading.fold_case,
    }.items():
        if is_used and many is not None:
            raise UsageError(
                f"{name} needs all rows at once, and is for one file. Omit {name}, or join the "
                "files."
            )
    if pool == table == "-":
        raise ValueError(
            "Standard input cannot be both the table and the pool. Save one of them to a file."
        )
    if model != AUTO:
        describe_model(model)  # raises ValueError if the name is unknown
    if outliers and model == AUTO:
        model = FOR_FEW_LABELS
    for name, is_used in {"--classes": classes is not None, "outliers": outliers}.items():
        if is_used and model not in (AUTO, FOR_FEW_LABELS):
            raise ValueError(
                f"{model} cannot use {name}. Omit it, or use --model auto or {FOR_FEW_LABELS}."
            )
    use_pool = (AUTO, *models_with("learns_from_unlabeled"))
    if pool is not None and model not in use_pool:
        raise ValueError(
            f"--pool has no effect, because {model} learns from labeled texts only. Omit it, or "
            f"use --model {', '.join(use_pool[:-1])} or {use_pool[-1]}."
        )
    columns = choose_columns(text, attributes, reading.n_bins, classes=classes, encoder=encoder)
    of_table: Any = columns
    seeds = None if classes is None else parse_classes(classes)
    project = None
    if is_project(table):
        from honeybayes.labeling import read_project

        project = read_project(table)
        of_table = project.text
        language = project.language if language == DEFAULT_LANGUAGE else language
        if classes is None and model in (AUTO, FOR_FEW_LABELS):
            seeds = project.seeds or None
    language = language if attributes is None else ATTRIBUTES
    settings = text_settings(language, words, AUTO)
    settings |= {"calibrate": "auto" if calibrate else None, "encoder": encoder}
    classifier = TextClassifier(model, **settings)
    if outliers:
        classifier.set_params(model__outliers=True)
    reader = TableReader(
        columns=columns,
        label=label,
        reading=reading,
        known=tuple(seeds or ()),
        id=id,
        of_many=many is not None,
        project=project,
    )
    n_random = None
    if many is None:
        corpus = reader.read(table)
        if not seeds and not (corpus.labels != "").any():
            column = "" if project is not None else f" in the column {label!r}"
            raise ValueError(
                f"{table}: all labels{column} are empty. Label some texts, or name the classes "
                "with --classes."
            )
        learned, n_random = fit_one(classifier, reader, corpus, pool, seeds, model in use_pool)
    else:
        learned = fit_many(classifier, reader, many, seeds, choice, keep_going)
    if learned.n_unlabeled and model not in use_pool:
        warnings.warn(
            f"{learned.n_unlabeled} rows without a label are left out, because {model} learns from "
            "labeled texts only. --model auto learns from all rows.",
            UserWarning,
            stacklevel=2,
        )
    if of_table is not None:
        classifier.table_ = describe_columns(of_table)
    save_model(classifier, output)
    result = FitResult(classifier, model, learned, n_random)
    if json:
        print_json(result.as_record(output))
    else:
        print(*result.describe(output), sep="\n")
    check_complete(learned.left_out, many, output)


def _parse_model(typed: str) -> tuple[str, bool, bool]:
    """Return the name of the model, and whether to calibrate it and to learn outliers."""
    from honeybayes.cli._options import parse_settings, switch

    name, _, settings = typed.strip().partition(" ")
    found = parse_settings("--model", settings, {"calibrate": switch, "outliers": switch})
    return name, found.get("calibrate", True), found.get("outliers", False)
