"""``honeybayes predict``: add a predicted class and a confidence to every row of a table."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import typer

from honeybayes.cli import _options as option

OUTLIER = "outlier"  # the new column of --outliers
OMIT = "Rename it, or omit --outliers."
RENAME = "Choose another name with --label-column or --confidence-column."
BATCH_SIZE = 2_000  # rows: large enough to be fast, small enough to need little memory


def _parse_confidence(confidence: float) -> float:
    if not 0 <= confidence <= 1:
        raise typer.BadParameter(f"{confidence:g} is not between 0 and 1. For 80 %, type 0.8.")
    return confidence


def predict(
    model: option.Model,
    table: Annotated[
        str,
        typer.Argument(
            help="CSV, TSV, JSON lines or Excel file, or .txt with one text per line; - reads "
            "lines from standard input."
        ),
    ],
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", help="File to write.", show_default="standard output"),
    ] = None,
    text: option.Text = "text",
    min_confidence: Annotated[
        float,
        typer.Option(
            help="Leave the label empty if the confidence is lower, so that a person can decide. "
            "From 0 to 1.",
            callback=_parse_confidence,
        ),
    ] = 0.0,
    label_column: Annotated[str, typer.Option(help="Name of the new column.")] = "label",
    confidence_column: Annotated[str, typer.Option(help="Name of the new column.")] = "confidence",
    format: Annotated[
        str | None,
        typer.Option(
            help="csv, json-lines, excel or lines, if the ending does not show it.",
            callback=option.parse_format,
        ),
    ] = None,
    outliers: Annotated[
        bool,
        typer.Option(
            "--outliers",
            help="Add a column `outlier`: the probability that a text belongs to no class. "
            "Requires a model of `honeybayes fit --outliers`.",
        ),
    ] = False,
    encoder: option.Encoder = None,
    delimiter: option.Delimiter = None,
    encoding: option.Encoding = None,
    sheet: option.Sheet = None,
    quotes: option.Quotes = True,
    json: Annotated[bool, typer.Option("--json", help="Write JSON lines.")] = False,
) -> None:
    """Classify texts: keep all columns in their order, and add a label and a confidence.

    Example: honeybayes predict model.hb new.csv --text body -o out.csv
    """
    import sys

    from honeybayes.cli._input import TextCheck, check_table, is_project, load_classifier
    from honeybayes.cli._output import show_count
    from honeybayes.cli._rows import is_json_output, open_output
    from honeybayes.data.row_writer import RowWriter
    from honeybayes.data.tables import delimiter_of, has_byte_order_mark, open_table

    path = None if output == "-" else output
    if path is not None and Path(path).resolve() == Path(table).resolve():
        raise ValueError(f"{path} is the table to read. Name another file for the output.")
    check_table(table, model)
    if is_project(table):
        raise ValueError(
            f"{table} is a project file, not a table. Write the answers to its texts with: "
            f"honeybayes export {table} -o answers.csv"
        )
    rows = open_table(
        table,
        {"text": text},
        format=format,
        delimiter=delimiter,
        encoding=encoding,
        quotes=quotes,
        keep_blank=True,
        sheet=sheet,
    )
    as_json = is_json_output(path, rows.format) or json
    classifier = load_classifier(model, encoder)
    if not hasattr(classifier, "predict_proba"):
        raise ValueError(
            f"{model} gives no probabilities, so there is no confidence. Fit it without "
            "--no-calibrate."
        )
    model_inside = getattr(classifier, "model_", None)
    if outliers and not getattr(model_inside, "outliers", False):
        raise ValueError(f"{model} cannot tell outliers. Fit it with `honeybayes fit --outliers`.")
    delimiter = rows.delimiter or delimiter_of(table)
    if path is not None and "\t" in (delimiter, delimiter_of(path)):
        delimiter = delimiter_of(path)  # tabs in a .tsv file, and none in a .csv file
    new_encoding = "utf-8-sig" if has_byte_order_mark(table) and not as_json else "utf-8"
    check = TextCheck(classifier)
    n_rows = n_undecided = 0
    with open_output(path, new_encoding) as file, show_count("Classified", path is None) as count:
        new_columns = [label_column, confidence_column, *([OUTLIER] if outliers else [])]
        advice = dict.fromkeys(new_columns[:2], RENAME) | {
            OUTLIER: "Rename it, or omit --outliers."
        }
        writer = RowWriter(file, rows.columns, new_columns, as_json, delimiter, advice)
        for batch in _batches(rows.texts()):
            texts = [words for words, _ in batch]
            probabilities = classifier.predict_proba(texts)
            is_empty = check.find_empty(texts, probabilities)
            scores = classifier.outlier_score(texts).round(4).tolist() if outliers else None
            for number, ((_, row), own) in enumerate(zip(batch, probabilities, strict=True)):
                best = own.argmax()
                confidence = round(float(own[best]), 4)
                decided = confidence >= min_confidence and not is_empty[number]
                cells = [str(classifier.classes_[best]) if decided else "", confidence]
                cells += [] if scores is None else [scores[number]]
                writer.write(row, [""] * len(cells) if is_empty[number] else cells)
                n_undecided += not decided
            n_rows += len(batch)
            count(len(batch))
    if path is not None:  # standard output contains only rows, because a program may read it
        left = f", {n_undecided} of them left for a person to decide" if min_confidence else ""
        written = "1 row" if n_rows == 1 else f"{n_rows} rows"
        print(f"{written} classified{left}: {path}", file=sys.stderr)
    for line in check.describe():
        print(line, file=sys.stderr)


def _batches(rows: Iterator[tuple[str, Any]]) -> Iterator[list[tuple[str, Any]]]:
    while batch := list(islice(rows, BATCH_SIZE)):
        yield batch
