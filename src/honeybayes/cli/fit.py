"""``honeybayes fit``: learn from a table and write a model file."""

from pathlib import Path
from typing import Annotated

import typer

from honeybayes.cli import _options as option


def fit(
    table: option.Table,
    output: Annotated[Path, typer.Option("--output", "-o", help="Model file to write.")],
    text: option.Text = "text",
    label: option.Label = "label",
    model: Annotated[
        str, typer.Option("--model", "-m", help="A name from `honeybayes models`, or auto.")
    ] = "auto",
    pool: option.Pool = None,
    language: option.Language = "english",
    stem: option.Stem = True,
    stop_words: option.StopWords = True,
    min_df: option.MinDf = 1,
    ngram_range: option.NgramRange = "1,1",
    n_terms: option.NTerms = None,
    calibrate: Annotated[
        bool, typer.Option(help="Make the confidence match how often the model is right.")
    ] = True,
    encoder: option.Encoder = None,
    format: option.Format = None,
    delimiter: option.Delimiter = None,
    encoding: option.Encoding = None,
    quotes: option.Quotes = True,
    json: option.Json = False,
) -> None:
    """Learn from labeled texts, and write a model file.

    Example: honeybayes fit messages.csv --text body --label queue -o model.hb
    """
    import warnings

    from honeybayes.classifier import TextClassifier
    from honeybayes.cli._input import read_labeled, read_texts, text_settings
    from honeybayes.cli._output import print_json, show_status
    from honeybayes.files import save_model
    from honeybayes.utils.writing import check_output_path
    from honeybayes.zoo import describe_model, models_with

    check_output_path(output)  # before an hour of learning, not after it
    if pool == table == "-":
        raise ValueError(
            "Standard input cannot be both the table and the pool. Save one of them to a file."
        )
    if model != "auto":
        describe_model(model)  # raises ValueError if the name is unknown
    settings = text_settings(language, stem, stop_words, min_df, ngram_range, n_terms)
    corpus = read_labeled(table, text, label, format, delimiter, encoding, quotes)
    texts, labels, unlabeled = corpus.split_unlabeled()
    if not texts:
        raise ValueError(f"{table}: all labels in the column {label!r} are empty.")
    use_pool = ("auto", *models_with("learns_from_unlabeled"))
    if pool is not None and model not in use_pool:
        raise ValueError(
            f"--pool has no effect, because {model} learns from labeled texts only. Omit it, or "
            f"use --model {', '.join(use_pool[:-1])} or {use_pool[-1]}."
        )
    if unlabeled and model not in use_pool:
        warnings.warn(
            f"{len(unlabeled)} rows without a label are left out, because {model} learns from "
            "labeled texts only. --model auto learns from all rows.",
            UserWarning,
            stacklevel=2,
        )
        unlabeled = []
    if pool is not None:
        unlabeled += read_texts(pool, text, delimiter, encoding, quotes)
    settings |= {"calibrate": "auto" if calibrate else None, "encoder": encoder}
    classifier = TextClassifier(model, **settings)
    task = "Choosing a model and fitting it" if model == "auto" else f"Fitting {model}"
    with show_status(f"{task}: {len(texts)} labeled texts, {len(unlabeled)} unlabeled"):
        classifier.fit(texts, labels, pool=unlabeled)
    save_model(classifier, output)
    choice = classifier.choice_ or {"model": model, "reason": None}
    n_unlabeled = len(unlabeled) if choice["model"] in use_pool else 0
    if json:
        print_json(
            {
                "model": choice["model"],
                "reason": choice["reason"],
                "documents": len(texts),
                "unlabeled": n_unlabeled,
                "classes": classifier.classes_.tolist(),
                "terms": len(classifier.terms_),
                "file": str(output),
            }
        )
        return
    more = f" and {n_unlabeled} without a label" if n_unlabeled else ""
    print(
        f"{choice['model']} learned {len(classifier.classes_)} classes from {len(texts)} documents"
        f"{more}, {len(classifier.terms_)} terms: {output}"
    )
    if choice["reason"]:
        print(f"Why {choice['model']}: {choice['reason']}")
        if len(unlabeled) > n_unlabeled:
            print(f"It learns from labeled texts only: {len(unlabeled)} others were not used.")
