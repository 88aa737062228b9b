"""``honeybayes predict``: add a predicted class and a confidence to every row of a table."""

from collections.abc import Iterator
from itertools import islice
from typing import Annotated, Any

import typer

from honeybayes.cli import _options as option

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
    text: option.TextOfModel = None,
    min_confidence: Annotated[
        float,
        typer.Option(
            help="Leave the label empty if the confidence is lower, so that a person can decide. "
            "From 0 to 1.",
            callback=_parse_confidence,
        ),
    ] = 0.0,
    label_column: Annotated[
        str | None, typer.Option(help="Name of the new column.", show_default="label")
    ] = None,
    confidence_column: Annotated[str, typer.Option(help="Name of the new column.")] = "confidence",
    source_column: Annotated[
        str | None,
        typer.Option(
            help="Name of the new column that says `model`.",
            show_default="source",
        ),
    ] = None,
    fill: Annotated[
        str | None,
        typer.Option(
            help="Fill the empty cells of this column instead of adding one. The column `source` "
            "then says `person` for the cells that were there.",
            metavar="COLUMN",
        ),
    ] = None,
    top: Annotated[
        int,
        typer.Option(help="Also write the next classes: 3 adds label_2 and label_3.", min=1),
    ] = 1,
    proba: Annotated[
        bool, typer.Option("--proba", help="Add a column with the probability of each class.")
    ] = False,
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
    plain_cells: option.PlainCells = False,
    json: Annotated[bool, typer.Option("--json", help="Write JSON lines.")] = False,
) -> None:
    """Classify texts: keep all columns in their order, and add label, confidence and source.

    Example: honeybayes predict model.hb new.csv --text body -o out.csv
    """
    import sys
    from itertools import chain

    from honeybayes.cli._answers import AnswerColumns
    from honeybayes.cli._input import (
        TextCheck,
        check_table,
        find_seen,
        is_project,
        load_classifier,
        text_column,
    )
    from honeybayes.cli._output import show_count
    from honeybayes.cli._rows import is_json_output, open_output
    from honeybayes.data.row_writer import RowWriter
    from honeybayes.data.tables import delimiter_of, has_byte_order_mark, open_table
    from honeybayes.utils.writing import check_outputs

    path = None if output == "-" else output
    check_outputs([path or "-"], [table, model])
    check_table(table, model)
    if is_project(table):
        raise ValueError(
            f"{table} is a project file, not a table. Write the answers to its texts with: "
            f"honeybayes export {table} -o answers.csv"
        )
    if fill is not None and label_column is not None:
        raise ValueError("--fill and --label-column exclude each other. Omit one of them.")
    classifier = load_classifier(model, encoder)
    text = text_column(classifier, text)
    if fill == text:
        raise ValueError(f"--fill {fill} is the column with the texts. Name another column.")
    rows = open_table(
        table,
        {"text": text} if fill is None else {"text": text, "fill": fill},
        format=format,
        delimiter=delimiter,
        encoding=encoding,
        quotes=quotes,
        keep_blank=True,
        sheet=sheet,
    )
    if fill is not None and rows.format == "lines":
        raise ValueError(f"{table} has one text per line and no column {fill!r}. Omit --fill.")
    as_json = is_json_output(path, rows.format) or json
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
    n_rows = n_undecided = n_seen = 0
    with open_output(path, new_encoding) as file, show_count("Classified", path is None) as count:
        texts_and_rows = rows.texts()
        first = list(islice(texts_and_rows, 1))
        # each object of JSON lines has columns of its own
        columns = rows.columns or [name for _, row in first for name in row]
        answers = AnswerColumns(
            classifier.classes_,
            columns,
            label=label_column,
            confidence=confidence_column,
            source=source_column,
            fill=fill,
            top=top,
            proba=proba,
            outliers=outliers,
            min_confidence=min_confidence,
        )
        writer = RowWriter(
            file, rows.columns, answers.names, as_json, delimiter, answers.advice, plain_cells
        )
        for batch in _batches(chain(first, texts_and_rows)):
            texts = [words for words, _ in batch]
            probabilities = classifier.predict_proba(texts)
            is_empty = check.find_empty(texts, probabilities)
            scores = classifier.outlier_score(texts).round(4).tolist() if outliers else None
            for number, ((_, row), own) in enumerate(zip(batch, probabilities, strict=True)):
                outlier = None if scores is None else scores[number]
                cells, undecided = answers.answer(row, own, outlier, bool(is_empty[number]))
                writer.write(row, cells)
                n_undecided += undecided
            n_rows += len(batch)
            n_seen += int(find_seen(classifier, texts).sum())
            count(len(batch))
    if path is not None:  # standard output contains only rows, because a program may read it
        left = f", {n_undecided} of them left for a person to decide" if min_confidence else ""
        seen = f", {n_seen} of them texts that the model has learned from" if n_seen else ""
        written = "1 row" if n_rows == 1 else f"{n_rows} rows"
        print(f"{written} classified{left}{seen}: {path}", file=sys.stderr)
    for line in check.describe():
        print(line, file=sys.stderr)


def _batches(rows: Iterator[tuple[str, Any]]) -> Iterator[list[tuple[str, Any]]]:
    while batch := list(islice(rows, BATCH_SIZE)):
        yield batch
