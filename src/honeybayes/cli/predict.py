"""``honeybayes predict``: a label and a confidence for every row."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import typer

from honeybayes.cli import _options as option

ROWS_AT_ONCE = 2_000  # enough to make the cost of a call small, few enough to need little memory


def _as_share(confidence: float) -> float:
    if not 0 <= confidence <= 1:
        raise typer.BadParameter(
            f"{confidence:g} is not between 0 and 1: to be 80 % sure, say 0.8."
        )
    return confidence


def predict(
    model: option.Model,
    table: Annotated[
        str,
        typer.Argument(
            help="CSV, TSV, JSON lines, or .txt with a text a line; - reads lines from standard "
            "input."
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
            help="Leave the label empty below this, from 0 to 1, for a person to decide.",
            callback=_as_share,
        ),
    ] = 0.0,
    label_column: Annotated[str, typer.Option(help="Name of the new column.")] = "label",
    confidence_column: Annotated[str, typer.Option(help="Name of the new column.")] = "confidence",
    format: Annotated[
        str | None,
        typer.Option(
            help="csv, json-lines or lines, if the ending does not tell.",
            callback=option.parse_format,
        ),
    ] = None,
    delimiter: option.Delimiter = None,
    encoding: option.Encoding = None,
    quotes: option.Quotes = True,
    json: Annotated[bool, typer.Option("--json", help="Write JSON lines.")] = False,
) -> None:
    """Classify texts: keeps all columns in their order, and adds a label and a confidence.

    Example: honeybayes predict model.hb new.csv --text body -o out.csv
    """
    import sys

    from honeybayes.cli._input import check_table, load_classifier
    from honeybayes.cli._output import show_count
    from honeybayes.cli._rows import (
        RowWriter,
        encoding_for,
        is_written_as_json,
        open_output,
        read_rows,
    )
    from honeybayes.data._delimited import delimiter_of

    to_file = output is not None and output != "-"
    if to_file and Path(str(output)).resolve() == Path(table).resolve():
        raise ValueError(f"{output} is the table that is read: name another file to write.")
    check_table(table, model)
    rows = read_rows(table, text, format, delimiter, encoding, quotes)
    as_json = is_written_as_json(output if to_file else None, rows.form) or json
    classifier = load_classifier(model)
    if not hasattr(classifier, "predict_proba"):
        raise ValueError(
            f"{model} gives no probabilities, so there is no confidence: fit it without "
            "--no-calibrate."
        )
    between = delimiter or delimiter_of(table)
    if to_file and "\t" in (between, delimiter_of(str(output))):
        between = delimiter_of(str(output))  # a .tsv file has tabs, and a .csv file has none
    written = undecided = 0
    encoding = "utf-8" if as_json else encoding_for(table)
    with open_output(output, encoding) as file, show_count("Classified", not to_file) as report:
        writer = RowWriter(file, rows, [label_column, confidence_column], as_json, between)
        for batch in _batches(rows.texts_and_rows):
            probabilities = classifier.predict_proba([words for words, _ in batch])
            best = probabilities.argmax(axis=1)
            for (_, row), place, all_classes in zip(batch, best, probabilities, strict=True):
                confidence = round(float(all_classes[place]), 4)  # as it is printed
                sure = confidence >= min_confidence
                label = str(classifier.classes_[place]) if sure else ""
                writer.write(row, [label, confidence])
                undecided += not sure
            written += len(batch)
            report(len(batch))
    if to_file:  # not on standard output, where another program may wait for rows
        left = f", {undecided} of them left for a person to decide" if min_confidence else ""
        rows_written = "1 row" if written == 1 else f"{written} rows"
        print(f"{rows_written} classified{left}: {output}", file=sys.stderr)


def _batches(rows: Iterator[tuple[str, Any]]) -> Iterator[list[tuple[str, Any]]]:
    while batch := list(islice(rows, ROWS_AT_ONCE)):
        yield batch
