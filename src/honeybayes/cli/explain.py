"""``honeybayes explain``: show the words behind a decision."""

from typing import Annotated

import typer

from honeybayes.cli import _options as option


def explain(
    model: option.Model,
    text: Annotated[str, typer.Argument(help="The text; - reads it from standard input.")],
    label: Annotated[
        str | None,
        typer.Option("--label", "-l", help="Class to explain.", show_default="the predicted one"),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(help="Class to compare with.", show_default="the best of the others"),
    ] = None,
    encoder: option.Encoder = None,
    plot: option.Plot = None,
    json: option.Json = False,
) -> None:
    """Show what each word adds to a decision.

    Example: honeybayes explain model.hb "my parcel never arrived"
    """
    import sys

    from honeybayes.cli._input import find_class, load_classifier
    from honeybayes.cli._output import show_explanation
    from honeybayes.explain import explain_decision
    from honeybayes.utils.writing import check_outputs

    check_outputs([plot], [model])
    classifier = load_classifier(model, encoder)
    explanation = explain_decision(
        classifier,
        sys.stdin.read() if text == "-" else text,
        find_class(classifier, label),
        against=find_class(classifier, against),
    )
    show_explanation(explanation, plot, json)
