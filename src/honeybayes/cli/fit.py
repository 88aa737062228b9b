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
    Language,
    MinDf,
    NTerms,
    Quotes,
    Stem,
    StopWords,
    TextColumn,
)


def fit(
    table: LabeledTable,
    output: Annotated[Path, typer.Option("--output", "-o", help="Model file to write.")],
    text: TextColumn = "text",
    label: LabelColumn = "label",
    model: Annotated[
        str, typer.Option("--model", "-m", help="A name of `honeybayes models`, or auto.")
    ] = "auto",
    pool: Annotated[
        str | None,
        typer.Option(
            help="Table with more texts, which need no labels. Rows of the first table whose "
            "label is empty are used in the same way.",
            metavar="TABLE",
        ),
    ] = None,
    language: Language = "english",
    stem: Stem = True,
    stop_words: StopWords = True,
    min_df: MinDf = 1,
    n_terms: NTerms = None,
    calibrate: Annotated[
        bool, typer.Option(help="Make the confidence match how often it is right.")
    ] = True,
    format: Format = None,
    delimiter: Delimiter = None,
    encoding: Encoding = None,
    quotes: Quotes = True,
    json: Json = False,
) -> None:
    """Learn from labeled texts, and write a model file.

    Example: honeybayes fit messages.csv --text body --label queue -o model.hb
    """
    import warnings

    from honeybayes.classifier import TextClassifier
    from honeybayes.cli._reading import read_labeled, read_texts, text_settings
    from honeybayes.cli._terminal import print_json, working
    from honeybayes.files import save_model
    from honeybayes.utils.writing import check_output_path
    from honeybayes.zoo import describe_model, models_with

    check_output_path(output)  # before an hour of learning, not after it
    if pool == table == "-":
        raise ValueError(
            "Standard input cannot be both the table and the pool: save one to a file."
        )
    if model != "auto":
        describe_model(model)  # an unknown name is refused before anything is read
    settings = text_settings(language, stem, stop_words, min_df, n_terms)
    corpus = read_labeled(
        table, text, label, format, delimiter, encoding, quotes, keep_unlabeled=True
    )
    texts, labels, unlabeled = corpus.split_unlabeled()
    if not texts:
        raise ValueError(f"{table}: all labels in the column {label!r} are empty.")
    can_use_pool = ("auto", *models_with("learns_from_unlabeled"))
    if pool is not None and model not in can_use_pool:
        raise ValueError(
            f"--pool is of no use: {model} learns from labeled texts only. Leave it out, or take "
            f"--model {', '.join(can_use_pool[:-1])} or {can_use_pool[-1]}."
        )
    if unlabeled and model not in can_use_pool:
        warnings.warn(
            f"{len(unlabeled)} rows without a label are left out: {model} learns from labeled "
            "texts only, and --model auto from all.",
            UserWarning,
            stacklevel=2,
        )
        unlabeled = []
    if pool is not None:
        unlabeled += read_texts(pool, text, delimiter, encoding, quotes)
    classifier = TextClassifier(model, calibrate="auto" if calibrate else None, **settings)
    task = "Choosing a model and fitting it" if model == "auto" else f"Fitting {model}"
    with working(f"{task}: {len(texts)} labeled texts, {len(unlabeled)} others"):
        classifier.fit(texts, labels, pool=unlabeled)
    save_model(classifier, output)
    chosen = model if classifier.choice_ is None else classifier.choice_["model"]
    summary = {
        "model": chosen,
        "reason": None if classifier.choice_ is None else classifier.choice_["reason"],
        "documents": len(texts),
        "unlabeled": len(unlabeled) if chosen in can_use_pool else 0,
        "classes": classifier.classes_.tolist(),
        "terms": len(classifier.terms_),
        "file": str(output),
    }
    if json:
        print_json(summary)
        return
    more = f" and {summary['unlabeled']} without a label" if summary["unlabeled"] else ""
    print(
        f"{chosen} learned {len(classifier.classes_)} classes from {len(texts)} documents"
        f"{more}, {len(classifier.terms_)} terms: {output}"
    )
    if classifier.choice_ is not None:
        print(f"Why {chosen}: {classifier.choice_['reason']}")
        if unlabeled and chosen not in can_use_pool:
            print(f"It learns from labeled texts only: {len(unlabeled)} others were of no use.")
