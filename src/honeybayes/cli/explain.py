"""``honeybayes explain``: show the words behind a decision."""

from typing import Annotated

import typer

from honeybayes.cli import _options as option


def explain(
    model: option.Model,
    text: Annotated[
        str,
        typer.Argument(
            help="The text; - reads it from standard input. With --row, a table. Of a model of "
            "`fit --attributes`, values: 'odor=none; color=red'."
        ),
    ],
    row: Annotated[
        str | None,
        typer.Option(
            help="Row of the table to explain: its number, counted from 1, or its cell in the "
            "column --id.",
            metavar="ROW",
        ),
    ] = None,
    id: option.Id = None,
    label: Annotated[
        str | None,
        typer.Option("--label", "-l", help="Class to explain.", show_default="the predicted one"),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(help="Class to compare with.", show_default="the best of the others"),
    ] = None,
    encoder: option.Encoder = None,
    text_column: option.TextOfModel = None,
    format: option.Format = None,
    delimiter: option.Delimiter = None,
    encoding: option.Encoding = None,
    sheet: option.Sheet = None,
    quotes: option.Quotes = True,
    plot: option.Plot = None,
    json: option.Json = False,
) -> None:
    """Show what each word adds to a decision.

    Example: honeybayes explain model.hb "my parcel never arrived"

    Example: honeybayes explain model.hb mail.csv --id number --row 1207
    """
    import sys

    from honeybayes.cli import _columns
    from honeybayes.cli._input import find_class, load_classifier
    from honeybayes.cli._output import show_explanation
    from honeybayes.cli._reading import Reading
    from honeybayes.cli._texts import find_row
    from honeybayes.data import Attributes
    from honeybayes.explain import explain_decision
    from honeybayes.utils.writing import check_outputs

    check_outputs([plot], [model])
    classifier = load_classifier(model, encoder)
    if row is not None:
        reading = Reading(format, delimiter, encoding, sheet, quotes)
        columns = _columns.text_column(classifier, text_column, text, reading)
        text = find_row(text, columns, row, id, reading)
    elif id is not None:
        raise ValueError("--id names the column of --row. Omit it, or add --row.")
    else:
        text = sys.stdin.read() if text == "-" else text
        if isinstance(_columns.text_column(classifier, None), Attributes):
            text = text.replace(";", "\n")
    explanation = explain_decision(
        classifier,
        text,
        find_class(classifier, label),
        against=find_class(classifier, against),
    )
    show_explanation(explanation, plot, json)
