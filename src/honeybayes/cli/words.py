"""``honeybayes words``: list the most telling words of each class."""

from typing import Annotated

import typer

from honeybayes.cli import _options as option


def words(
    model: option.Model,
    top: Annotated[int, typer.Option(help="Words per class.", min=1)] = 10,
    encoder: option.Encoder = None,
    json: option.Json = False,
) -> None:
    """List the most telling words of each class.

    Words are spelled as in the training texts; with --json they are the terms of the model, which
    are often stems.

    Example: honeybayes words model.hb --top 5
    """
    from honeybayes.cli._input import load_classifier
    from honeybayes.cli._output import print_json, print_table
    from honeybayes.explain import readable_telling_words, telling_words

    classifier = load_classifier(model, encoder)
    if json:
        by_class = telling_words(classifier, top)
        print_json({str(label): dict(found) for label, found in by_class.items()})
    else:
        print_table(["class", "words"], readable_telling_words(classifier, top).items())
