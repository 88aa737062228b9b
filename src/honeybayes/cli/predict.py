"""``honeybayes predict``: add a predicted class and a confidence to every row of a table."""

from typing import Annotated, Any

import typer

from honeybayes.cli import _options as option
from honeybayes.cli._options import Parsers, parse_settings, share, switch, whole_number

ADD: Parsers = {"top": whole_number(1), "proba": switch, "outliers": switch, "sets": share}
ADDED = {"top": 1, "proba": False, "outliers": False, "sets": None}


def _parse_confidence(confidence: float) -> float:
    if not 0 <= confidence <= 1:
        raise typer.BadParameter(f"{confidence:g} is not between 0 and 1. For 80 %, type 0.8.")
    return confidence


def _parse_share(share: float | None) -> float | None:
    if share is not None and not 0 < share < 1:
        raise typer.BadParameter(f"{share:g} is not between 0 and 1. For 90 %, type 0.9.")
    return share


def predict(
    model: option.Model,
    table: Annotated[
        str,
        typer.Argument(
            help="CSV, TSV, JSON lines, Excel or Parquet file, or .txt with one text per line; - "
            "reads lines from standard input. Many files: a folder, or a pattern in quotes, such "
            "as 'mails/*.csv'."
        ),
    ],
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            help="File to write; for many files, a folder, where finished files are not written "
            "again.",
            show_default="standard output",
            rich_help_panel=option.OUTPUT,
        ),
    ] = None,
    text: option.TextOfModel = None,
    id: Annotated[
        str | None,
        typer.Option(
            "--id",
            help="Column that names the rows: write it and the answers, and no other column.",
            metavar="COLUMN",
            rich_help_panel=option.COLUMNS,
        ),
    ] = None,
    min_confidence: Annotated[
        float,
        typer.Option(
            help="Leave the label empty if the confidence is lower, so that a person can decide. "
            "From 0 to 1.",
            callback=_parse_confidence,
            rich_help_panel=option.ANSWERS,
        ),
    ] = 0.0,
    target_accuracy: Annotated[
        float | None,
        typer.Option(
            help="Choose --min-confidence so that this share of the given labels is right, by the "
            "texts that `fit` held out.",
            callback=_parse_share,
            rich_help_panel=option.ANSWERS,
        ),
    ] = None,
    label_column: Annotated[
        str | None,
        typer.Option(
            help="Name of the new column.", show_default="label", rich_help_panel=option.ANSWERS
        ),
    ] = None,
    confidence_column: Annotated[
        str, typer.Option(help="Name of the new column.", rich_help_panel=option.ANSWERS)
    ] = "confidence",
    fill: Annotated[
        str | None,
        typer.Option(
            help="Fill the empty cells of this column instead of adding one. The column `source` "
            "then says `person` for the cells that were there.",
            metavar="COLUMN",
            rich_help_panel=option.ANSWERS,
        ),
    ] = None,
    add: Annotated[
        str,
        typer.Option(
            help="More columns: 'top=3 proba outliers sets=0.9'. top=3 adds the next two classes; "
            "proba the probability of each class; outliers the probability that a text belongs to "
            "no class (of a model of `fit --model 'FewLabels outliers'`); sets=0.9 classes of "
            "which one is right for this share of the rows, if the labels that the model learned "
            "from are a random sample.",
            metavar="COLUMNS",
            show_default=False,
            rich_help_panel=option.ANSWERS,
        ),
    ] = "",
    encoder: option.Encoder = None,
    read: option.Read = "",
    plain_cells: option.PlainCells = False,
    json: Annotated[
        bool, typer.Option("--json", help="Write JSON lines.", rich_help_panel=option.OUTPUT)
    ] = False,
    jobs: Annotated[
        int | None,
        typer.Option(
            help="Of many files, classify this many at the same time.",
            min=1,
            show_default="1; with --engine dask, one per core",
            rich_help_panel=option.MANY,
        ),
    ] = None,
    engine: option.Engine = "local",
    keep_going: option.KeepGoing = False,
) -> None:
    """Classify texts: keep all columns in their order, and add label, confidence and source.

    Example: honeybayes predict model.hb new.csv --text body -o out.csv
    """
    import sys

    from honeybayes.calibration.thresholds import choose_threshold, lowest_confidence
    from honeybayes.cli._input import Reading, check_table, load_classifier
    from honeybayes.cli._many_files import EngineChoice, find_parts, predict_parts
    from honeybayes.cli._messages import UsageError
    from honeybayes.cli._prediction import PredictOptions, predict_table
    from honeybayes.cli._projects import is_project
    from honeybayes.utils.writing import check_outputs

    choice = EngineChoice.parse(engine, jobs)
    reading = Reading.parse(read)
    added = ADDED | parse_settings("--add", add, ADD)
    sets = added.pop("sets")
    parts = find_parts(table, output, json)
    path = None if output == "-" else output
    if parts is None:
        check_outputs([path or "-"], [table, model])
        check_table(table, model)
        of_many = {"--jobs": jobs, "--keep-going": keep_going, "--engine dask": choice.with_dask}
        for name in (name for name, is_used in of_many.items() if is_used):
            raise UsageError(f"{name} is for a folder or a pattern of many files. Omit it.")
    if is_project(table):
        raise ValueError(
            f"{table} is a project file, not a table. Write the answers to its texts with: "
            f"honeybayes label {table} --export answers.csv"
        )
    if fill is not None and label_column is not None:
        raise UsageError("--fill and --label-column exclude each other. Omit one of them.")
    if target_accuracy is not None and min_confidence:
        raise UsageError(
            "--target-accuracy and --min-confidence exclude each other. Omit one of them."
        )
    classifier = load_classifier(model, encoder)
    if fill is not None and id is not None:
        raise UsageError("--fill and --id exclude each other. Omit one of them.")
    if not hasattr(classifier, "predict_proba"):
        raise ValueError(
            f"{model} gives no probabilities, so there is no confidence. Fit it without "
            "calibrate=no."
        )
    model_inside = getattr(classifier, "model_", None)
    if added["outliers"] and not getattr(model_inside, "outliers", False):
        raise ValueError(f"{model} cannot tell outliers. Fit it with --model 'FewLabels outliers'.")
    automatic = None
    if target_accuracy is not None:
        automatic = choose_threshold(classifier, target_accuracy, model)
        min_confidence = lowest_confidence(automatic)
    if sets is not None:
        _check_held_out(classifier, model)
    settings = PredictOptions(
        reading=reading,
        answers={
            "label": label_column,
            "confidence": confidence_column,
            "fill": fill,
            **added,
            "min_confidence": min_confidence,
        },
        text=text,
        id=id,
        sets=sets,
        plain_cells=plain_cells,
        json=json,
    )
    if parts is not None:
        lines = predict_parts(model, encoder, classifier, settings, parts, choice, keep_going)
        lines += [] if automatic is None else [automatic.describe("texts")]
    else:
        outcome, check = predict_table(classifier, settings, table, path)
        # standard output contains only rows, because a program may read it
        lines = [] if path is None else [outcome.describe(settings, path)]
        lines += check.describe()
        lines += [] if path is None else outcome.describe_sets(classifier)
        if automatic is not None or (path is not None and sets is None):
            lines += outcome.describe_confidence(classifier, automatic)
    for line in lines:
        print(line, file=sys.stderr)


def _check_held_out(classifier: Any, model: str) -> None:
    found = getattr(classifier, "held_out_", None)
    if found is None or not len(found):
        raise ValueError(
            f"{model} has no held-out texts, so there are no prediction sets. Fit it again with "
            "at least ten labels and without calibrate=no, or omit sets."
        )
