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


def _parse_share(share: float | None) -> float | None:
    if share is not None and not 0 < share < 1:
        raise typer.BadParameter(f"{share:g} is not between 0 and 1. For 90 %, type 0.9.")
    return share


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
    id: Annotated[
        str | None,
        typer.Option(
            "--id",
            help="Column that names the rows: write it and the answers, and no other column.",
            metavar="COLUMN",
        ),
    ] = None,
    min_confidence: Annotated[
        float,
        typer.Option(
            help="Leave the label empty if the confidence is lower, so that a person can decide. "
            "From 0 to 1.",
            callback=_parse_confidence,
        ),
    ] = 0.0,
    target_accuracy: Annotated[
        float | None,
        typer.Option(
            help="Choose --min-confidence so that this share of the given labels is right, by the "
            "texts that `fit` held out.",
            callback=_parse_share,
        ),
    ] = None,
    sets: Annotated[
        float | None,
        typer.Option(
            help="Add a column `labels`: classes of which one is right for this share of the rows. "
            "Holds only if the labels that the model learned from are a random sample.",
            callback=_parse_share,
        ),
    ] = None,
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

    import numpy as np

    from honeybayes.cli._answers import AnswerColumns
    from honeybayes.cli._coverage import (
        USUAL_TARGET,
        choose_threshold,
        count_answered,
        lowest_confidence,
        thresholds_of,
    )
    from honeybayes.cli._input import (
        TextCheck,
        check_table,
        find_seen,
        is_project,
        load_classifier,
        open_texts,
        text_column,
    )
    from honeybayes.cli._output import show_count
    from honeybayes.cli._rows import is_json_output, open_output
    from honeybayes.data.row_writer import RowWriter
    from honeybayes.data.tables import delimiter_of, has_byte_order_mark
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
    if target_accuracy is not None and min_confidence:
        raise ValueError(
            "--target-accuracy and --min-confidence exclude each other. Omit one of them."
        )
    classifier = load_classifier(model, encoder)
    if fill is not None and id is not None:
        raise ValueError("--fill and --id exclude each other. Omit one of them.")
    reading: dict[str, Any] = {"format": format, "delimiter": delimiter, "sheet": sheet}
    reading |= {"encoding": encoding, "quotes": quotes}
    columns_of_text = text_column(classifier, text, table, **reading)
    if fill is not None and fill == columns_of_text:
        raise ValueError(f"--fill {fill} is the column with the texts. Name another column.")
    more = {"fill": fill, "id": id}
    rows = open_texts(table, columns_of_text, more, keep_blank=True, **reading)
    as_json = is_json_output(path, rows.format) or json
    if not hasattr(classifier, "predict_proba"):
        raise ValueError(
            f"{model} gives no probabilities, so there is no confidence. Fit it without "
            "--no-calibrate."
        )
    model_inside = getattr(classifier, "model_", None)
    if outliers and not getattr(model_inside, "outliers", False):
        raise ValueError(f"{model} cannot tell outliers. Fit it with `honeybayes fit --outliers`.")
    automatic = None
    if target_accuracy is not None:
        automatic = choose_threshold(classifier, target_accuracy, model)
        min_confidence = lowest_confidence(automatic)
    of_label = None if sets is None else _held_out(classifier, model)
    delimiter = rows.delimiter or delimiter_of(table)
    if path is not None and "\t" in (delimiter, delimiter_of(path)):
        delimiter = delimiter_of(path)  # tabs in a .tsv file, and none in a .csv file
    new_encoding = "utf-8-sig" if has_byte_order_mark(table) and not as_json else "utf-8"
    check = TextCheck(classifier)
    n_rows = n_undecided = n_seen = 0
    confidences: list[np.ndarray] = []
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
            sets=sets is not None,
            as_json=as_json,
        )
        writer = RowWriter(
            file, rows.columns, answers.names, as_json, delimiter, answers.advice, plain_cells
        )
        for batch in _batches(chain(first, texts_and_rows)):
            texts = [words for words, _ in batch]
            probabilities = classifier.predict_proba(texts)
            is_empty = check.find_empty(texts, probabilities)
            scores = classifier.outlier_score(texts).round(4).tolist() if outliers else None
            members = _find_sets(probabilities, of_label, sets)
            confidences.append(probabilities.max(axis=1)[~np.array(is_empty)].astype(np.float32))
            for number, ((_, row), own) in enumerate(zip(batch, probabilities, strict=True)):
                outlier = None if scores is None else scores[number]
                inside = None if members is None else members[number]
                empty = bool(is_empty[number])
                cells, undecided = answers.answer(row, own, outlier, empty, inside)
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
        if automatic is None:
            automatic = next(iter(thresholds_of(classifier, [USUAL_TARGET])), None)
    for line in check.describe():
        print(line, file=sys.stderr)
    if automatic is not None and any(len(each) for each in confidences):
        rows_answered = count_answered(automatic, np.concatenate(confidences))
        print(rows_answered.describe("rows"), file=sys.stderr)


def _held_out(classifier: Any, model: str) -> Any:
    """Return the probabilities of the labels of held-out texts."""
    found = getattr(classifier, "held_out_", None)
    if found is None or not len(found):
        raise ValueError(
            f"{model} has no held-out texts, so there are no prediction sets. Fit it again with "
            "at least ten labels and without --no-calibrate, or omit --sets."
        )
    return found[:, 1]


def _find_sets(probabilities: Any, of_label: Any, coverage: float | None) -> Any:
    if coverage is None:
        return None
    from honeybayes.coverage import prediction_sets

    return prediction_sets(probabilities, of_label, coverage)


def _batches(rows: Iterator[tuple[str, Any]]) -> Iterator[list[tuple[str, Any]]]:
    while batch := list(islice(rows, BATCH_SIZE)):
        yield batch
