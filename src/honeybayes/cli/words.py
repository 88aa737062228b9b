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

    Example: honeybayes words model.hb --top 5
    """
    from honeybayes.cli._loading import load_classifier
    from honeybayes.cli._terminal import print_json, print_table
    from honeybayes.explain import telling_words

    found = telling_words(load_classifier(model), top)
    if json:
        leads = {str(label): dict(own) for label, own in found.items()}
        print_json(leads)
    else:
        rows = [[label, ", ".join(word for word, _ in own)] for label, own in found.items()]
        print_table(["class", "words"], rows)
