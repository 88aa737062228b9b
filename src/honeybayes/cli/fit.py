"""``honeybayes fit``: from a table to a model file."""

from pathlib import Path
from typing import Annotated

import typer

from honeybayes.cli._options import (
    Delimiter,
    Encoding,
    Format,
    Json,
    LabelColumn,
    LabeledTable,
    TextColumn,
)


def fit(
    table: LabeledTable,
    output: Annotated[Path, typer.Option("--output", "-o", help="Model file to write.")],
    text: TextColumn = "text",
    label: LabelColumn = "label",
    model: Annotated[
        str, typer.Option("--model", "-m", help="A name of `honeybayes models`.")
    ] = "LogisticRegression-tfidf",
    language: Annotated[str, typer.Option(help="Language of the texts.")] = "english",
    stem: Annotated[bool, typer.Option(help="Reduce words to their stems.")] = True,
    stop_words: Annotated[bool, typer.Option(help="Leave stop words out.")] = True,
    min_df: Annotated[int, typer.Option(help="Leave out words in fewer documents.", min=1)] = 1,
    n_terms: Annotated[
        int | None, typer.Option(help="Keep only this many words, the best by information gain.")
    ] = None,
    format: Format = None,
    delimiter: Delimiter = None,
    encoding: Encoding = None,
    json: Json = False,
) -> None:
    """Learn from labeled texts, and write a model file.

    Example: honeybayes fit messages.csv --text body --label queue --model HCNB -o model.hb
    """
    from honeybayes.classifier import TextClassifier
    from honeybayes.cli._reading import read_labeled
    from honeybayes.cli._terminal import print_json
    from honeybayes.files import save_model

    if not output.parent.is_dir():  # before an hour of learning, not after it
        raise FileNotFoundError(f"There is no folder {output.parent} to save {output.name} in.")
    corpus = read_labeled(table, text, label, format, delimiter, encoding)
    classifier = TextClassifier(
        model,
        language=language,
        stem=stem,
        stop_words=stop_words,
        min_df=min_df,
        n_terms=n_terms,
    ).fit(corpus.documents, corpus.labels)
    save_model(classifier, output)
    summary = {
        "model": model,
        "documents": len(corpus),
        "classes": classifier.classes_.tolist(),
        "terms": len(classifier.terms_),
        "file": str(output),
    }
    if json:
        print_json(summary)
    else:
        print(
            f"{model} learned {len(classifier.classes_)} classes from {len(corpus)} documents with "
            f"{len(classifier.terms_)} terms: {output}"
        )
