"""``honeybayes predict``: add a predicted class and a confidence to every row of a table."""

from typing import Any

from honeybayes.cli._output import refuse


def predict(
    model: str,
    table: str,
    output: str | None = None,
    text: str | None = None,
    id: str | None = None,
    min_confidence: str | None = None,
    target_accuracy: str | None = None,
    label_column: str | None = None,
    confidence_column: str = "confidence",
    fill: str | None = None,
    add: str = "",
    encoder: str | None = None,
    read: str = "",
    plain_cells: bool = False,
    json: bool = False,
    jobs: int | None = None,
    engine: str = "local",
    keep_going: bool = False,
) -> None:
    """Classify texts: keep all columns in their order, and add label, confidence and source.

    Example: honeybayes predict model.hb new.csv --text body -o out.csv

    Arguments:
      table: CSV, TSV, JSON lines, Excel or Parquet file, or .txt with one text per line; - reads
        lines from standard input. Many files: a folder, or a pattern in quotes, such as
        'mails/*.csv'; a folder of .txt files, each one text, becomes one table with -o FILE.
    Columns and reading:
      --id COLUMN: Column that names the rows: write it and the answers, and no other column.
    Answers:
      --min-confidence SHARE: Leave the label empty if the confidence is lower, so that a person can
        decide. From 0 to 1. [default: 0]
      --target-accuracy SHARE: Choose --min-confidence so that this share of the given labels is
        right, by the texts that `fit` held out: 0.9 or 90%.
      --label-column: Name of the new column. [default: label]
      --confidence-column: Name of the new column.
      --fill COLUMN: Fill the empty cells of this column instead of adding one. The column `source`
        then says `person` for the cells that were there. Cells that `fit` took as no label count
        as empty. Not together with --id or --label-column.
      --add COLUMNS: More columns: 'top=3 proba outliers sets=0.9'. top=3 adds the next two
        classes; proba the probability of each class; outliers the probability that a text belongs
        to no class (of a model of `fit --model 'FewLabels outliers'`); sets=0.9 classes of which
        one is right for this share of the rows, if the labels that the model learned from are a
        random sample.
    Output:
      --output -o: File to write: .csv, .tsv, .jsonl, .xlsx or .parquet; for many files, a folder,
        where finished files are not written again. [default: standard output; for a workbook,
        NAME-answers.xlsx]
      --json: Write JSON lines.
    Many files:
      --jobs: Of many files, classify this many at the same time. [default: 1; with --engine dask,
        one per core] [at least 1]
    """
    import os
    import sys

    import numpy as np

    from honeybayes.calibration.coverage import FEWEST_HELD_OUT, USUAL_TARGET, thresholds_of
    from honeybayes.calibration.temperature_scaled import held_out_of
    from honeybayes.cli import _input, _many_files, _prediction, _settings
    from honeybayes.tables import file_ending, is_many
    from honeybayes.utils.writing import check_outputs

    if engine != _many_files.LOCAL:
        _many_files.check_engine(engine)
    of_table = _settings.READ if fill is None else _settings.READ_LABELS
    reading = _settings.parse_settings("--read", read, of_table)
    added: dict[str, Any] = {"top": 1, "proba": False, "outliers": False}
    added |= _settings.parse_settings("--add", add, _prediction.ADD)
    sets = added.pop("sets", None)
    lowest, target = 0.0, None
    if min_confidence is not None:
        lowest = _prediction.parse_share(min_confidence, "--min-confidence", ends=True)
    if target_accuracy is not None:
        target = _prediction.parse_share(target_accuracy, "--target-accuracy")
    exclude = "exclude each other. Omit one of them."
    if fill is not None:
        refuse(f"and --fill {exclude}", label_column=label_column, id=id)
    if lowest:
        refuse(f"and --min-confidence {exclude}", target_accuracy=target_accuracy)
    if output is None and not json and file_ending(table) in (".xlsx", ".xlsm"):
        output = f"{table[: table.rindex('.')]}-answers.xlsx"  # a workbook cannot be printed
        if os.path.exists(output):
            raise ValueError(f"{output} exists already. Name the file to write with --output.")
    parts = _prediction.find_parts(table, output, json) if is_many(table) else None
    path = None if output == "-" else output
    if parts is None:
        check_outputs([path or "-"], [table, model])
        _input.check_table(table, model)
        why = "is for a folder or a pattern of many files. Omit it."
        refuse(why, jobs=jobs, keep_going=keep_going, engine=engine != _many_files.LOCAL)
    if _input.is_project(table):
        raise ValueError(
            f"{table} is a project file, not a table. Write the answers to its texts with: "
            f"honeybayes label {table} --export answers.csv"
        )
    needs = ["predict_proba", *(["outlier_score"] if added["outliers"] else [])]
    classifier = _input.load_classifier(model, encoder, needs)
    if sets is not None:  # an error of the model, not of a file
        try:
            held_out_of(classifier)
        except ValueError as error:
            raise ValueError(f"{model}: {error} Or omit sets.") from error
    found = thresholds_of(classifier, [target or USUAL_TARGET])
    # `fit` has said why there is none
    automatic = next((each for each in found if target or each.threshold is not None), None)
    if target is not None:
        if automatic is None:
            raise ValueError(
                f"{model} has fewer than {FEWEST_HELD_OUT} held-out texts, so there is no "
                "threshold for --target-accuracy. Fit it again with more labels, or use "
                "--min-confidence."
            )
        lowest = automatic.lowest
    answers = {"label": label_column, "confidence": confidence_column, "fill": fill, **added}
    answers["min_confidence"] = lowest
    settings = {"reading": reading, "answers": answers, "text": text, "id": id, "sets": sets}
    settings |= {"plain_cells": plain_cells, "json": json}
    if parts is not None:
        lines = _prediction.predict_parts(
            model, encoder, classifier, settings, parts, (engine, jobs), keep_going
        )
        lines += [] if target is None or automatic is None else [automatic.describe("texts")]
    else:
        counts = _prediction.predict_table(classifier, settings, table, path)
        # standard output contains only rows, because a program may read it
        lines = counts.describe(path, bool(lowest))
        is_told = target is not None or (path is not None and sets is None)
        confidences = np.concatenate([*counts.confidences, []])
        if is_told and automatic is not None and len(confidences):
            lines.append(automatic.applied_to(confidences).describe("rows"))
    for line in lines:
        print(line, file=sys.stderr)
