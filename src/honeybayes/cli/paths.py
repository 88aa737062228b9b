"""``honeybayes paths``: the words and documents that link a word to a class."""

from typing import Annotated

import typer

from honeybayes.cli._options import (
    Delimiter,
    Encoding,
    Format,
    Json,
    LabelColumn,
    LabeledTable,
    ModelFile,
    Plot,
    Quotes,
    TextColumn,
)


def paths(
    model: ModelFile,
    word: Annotated[str, typer.Argument(help="The word.")],
    queue: Annotated[str, typer.Argument(metavar="CLASS", help="The class.")],
    table: LabeledTable,
    text: TextColumn = "text",
    label: LabelColumn = "label",
    pool: Annotated[
        str | None, typer.Option(help="The pool that the model was fitted with.", metavar="TABLE")
    ] = None,
    top: Annotated[int, typer.Option(help="Bridges and documents to list.", min=1)] = 5,
    plot: Plot = None,
    format: Format = None,
    delimiter: Delimiter = None,
    encoding: Encoding = None,
    quotes: Quotes = True,
    json: Json = False,
) -> None:
    """Tell through which words and documents HONB or HOS links a word to a class.

    The table is the one that the model was fitted to, for a model keeps no documents.

    Example: honeybayes paths model.hb courier billing messages.csv --text body --label queue
    """
    from honeybayes.cli._comparing import with_pool
    from honeybayes.cli._loading import find_class, load_classifier, refuse_model_as_table
    from honeybayes.cli._reading import as_fitted, read_labeled, read_texts
    from honeybayes.cli._terminal import print_json, save_plot
    from honeybayes.explain import explain_word

    classifier = load_classifier(model)
    refuse_model_as_table(table, model)
    corpus = read_labeled(
        table, text, label, format, delimiter, encoding, quotes, keep_unlabeled=True
    )
    if pool is not None:
        corpus = with_pool(corpus, read_texts(pool, text, delimiter, encoding, quotes))
    documents, labels = as_fitted(classifier, corpus)
    of_class = find_class(classifier, queue)
    explanation = explain_word(classifier, word, of_class, documents, labels, k=top)
    if plot is not None:
        save_plot(explanation.plot(), plot)
    if json:
        print_json(explanation.to_dict())
    else:
        print(explanation)
        if explanation.paths:
            print(
                "Documents are counted from 0: first the rows with a label, in the order of the "
                "table, then all others."
            )
