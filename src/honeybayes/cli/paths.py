"""``honeybayes paths``: show the words and documents that connect a word to a class."""

from typing import Annotated

import typer

from honeybayes.cli import _options as option


def paths(
    model: option.Model,
    word: Annotated[str, typer.Argument(help="The word.")],
    class_name: Annotated[str, typer.Argument(metavar="CLASS", help="The class.")],
    table: option.Table,
    text: option.TextOfModel = None,
    label: option.Label = "label",
    pool: Annotated[
        str | None, typer.Option(help="The pool that the model was fitted with.", metavar="TABLE")
    ] = None,
    top: Annotated[int, typer.Option(help="Linking words and documents to list.", min=1)] = 5,
    plot: option.Plot = None,
    keep_model_labels: option.KeepModelLabels = False,
    format: option.Format = None,
    delimiter: option.Delimiter = None,
    encoding: option.Encoding = None,
    sheet: option.Sheet = None,
    quotes: option.Quotes = True,
    json: option.Json = False,
) -> None:
    """Show which words and documents link a word to a class (HONB and HOS only).

    Give the table that the model was fitted to, because a model file contains no documents.

    Example: honeybayes paths model.hb courier billing messages.csv --text body --label queue
    """
    from honeybayes.cli._columns import text_column
    from honeybayes.cli._input import find_class, load_classifier
    from honeybayes.cli._labels import add_pool, as_fitted, read_labeled
    from honeybayes.cli._output import show_explanation
    from honeybayes.cli._reading import Reading, check_table
    from honeybayes.cli._texts import read_texts
    from honeybayes.explain import explain_word
    from honeybayes.utils.writing import check_outputs

    check_outputs([plot], [model, table, pool])
    classifier = load_classifier(model)
    check_table(table, model)
    columns = text_column(classifier, text)
    reading = Reading(format, delimiter, encoding, sheet, quotes)
    corpus = read_labeled(table, columns, label, reading, keep_model_labels=keep_model_labels)
    if pool is not None:
        corpus = add_pool(corpus, read_texts(pool, columns, reading.of_pool()))
    documents, labels = as_fitted(classifier, corpus)
    explanation = explain_word(
        classifier, word, find_class(classifier, class_name), documents, labels, k=top
    )
    show_explanation(explanation, plot, json)
    if explanation.paths and not json:
        print(
            "Documents are counted from 0: first the rows with a label, in the order of the table, "
            "then all others."
        )
