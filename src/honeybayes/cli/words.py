"""``honeybayes words``: the most telling words of each class."""

from typing import Annotated

import typer

from honeybayes.cli._options import Json, ModelFile


def words(
    model: ModelFile,
    top: Annotated[int, typer.Option(help="Words for each class.", min=1)] = 10,
    json: Json = False,
) -> None:
    """List the most telling words of each class.

    Words as the training texts spell them; with --json, terms as the model has them, often stems.

    Example: honeybayes words model.hb --top 5
    """
    from honeybayes.cli._loading import load_classifier
    from honeybayes.cli._terminal import print_json, print_table
    from honeybayes.explain import telling_words
    from honeybayes.explain._telling_words import readable_telling_words

    classifier = load_classifier(model)
    if json:
        found = telling_words(classifier, top)
        print_json({str(label): dict(own) for label, own in found.items()})
    else:
        print_table(["class", "words"], readable_telling_words(classifier, top).items())
