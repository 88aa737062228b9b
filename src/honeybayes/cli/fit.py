"""``honeybayes fit``: learn from a table and write a model file."""

from pathlib import Path
from typing import Annotated, Any

import typer

from honeybayes.cli import _options as option

FOR_FEW_LABELS = "FewLabels"
VERDICTS = {
    "good": "their words fit the texts",
    "unsure": "check some answers, add typical words, or label a few texts of each class",
    "poor": "do not rely on the answers; label a few texts of each class",
}
TOO_FEW_RANDOM = (
    "No threshold: it takes labels of {fewest} random texts, and {found} of the labels are of "
    "random texts. Chosen\ntexts say little about others. `honeybayes label` offers one random "
    "text in five."
)


def fit(
    table: option.Table,
    output: Annotated[Path, typer.Option("--output", "-o", help="Model file to write.")],
    text: option.Text = "text",
    label: option.Label = "label",
    attributes: option.Attributes = None,
    bins: option.Bins = None,
    id: option.Id = None,
    model: Annotated[
        str, typer.Option("--model", "-m", help="A name from `honeybayes models`, or auto.")
    ] = "auto",
    pool: option.Pool = None,
    classes: option.Classes = None,
    language: option.Language = "english",
    stem: option.Stem = True,
    stop_words: option.StopWords = "auto",
    no_stop_words: option.NoStopWords = False,
    min_df: option.MinDf = 1,
    ngram_range: option.NgramRange = "1,1",
    n_terms: option.NTerms = None,
    calibrate: Annotated[
        bool, typer.Option(help="Make the confidence match how often the model is right.")
    ] = True,
    outliers: Annotated[
        bool,
        typer.Option("--outliers", help="Also learn to tell texts of no class, with FewLabels."),
    ] = False,
    encoder: option.Encoder = None,
    keep_model_labels: option.KeepModelLabels = False,
    fold_case: option.FoldCase = False,
    no_label: option.Unlabeled = "auto",
    many_classes: option.ManyClasses = False,
    format: option.Format = None,
    delimiter: option.Delimiter = None,
    encoding: option.Encoding = None,
    sheet: option.Sheet = None,
    quotes: option.Quotes = True,
    json: option.Json = False,
) -> None:
    """Learn from labeled texts, or from names of classes, and write a model file.

    Example: honeybayes fit messages.csv --text body --label queue -o model.hb
    """
    import warnings

    import numpy as np

    from honeybayes.classifier import TextClassifier
    from honeybayes.cli._columns import choose_columns, describe_columns
    from honeybayes.cli._coverage import as_records, describe_usual, thresholds_of
    from honeybayes.cli._input import parse_classes, text_settings
    from honeybayes.cli._labels import has_labels, read_labeled
    from honeybayes.cli._output import print_json, show_status
    from honeybayes.cli._projects import DEFAULT_LANGUAGE, describe_project, is_project
    from honeybayes.cli._reading import Reading
    from honeybayes.cli._texts import read_texts
    from honeybayes.coverage import FEWEST_HELD_OUT
    from honeybayes.data import Corpus
    from honeybayes.files import save_model
    from honeybayes.text import ATTRIBUTES
    from honeybayes.utils.writing import check_outputs
    from honeybayes.zoo import describe_model, models_with

    check_outputs([output], [table, pool, classes])  # before an hour of learning, not after it
    if pool == table == "-":
        raise ValueError(
            "Standard input cannot be both the table and the pool. Save one of them to a file."
        )
    if model != "auto":
        describe_model(model)  # raises ValueError if the name is unknown
    if outliers and model == "auto":
        model = FOR_FEW_LABELS
    for name, is_used in (("--classes", classes is not None), ("--outliers", outliers)):
        if is_used and model not in ("auto", FOR_FEW_LABELS):
            raise ValueError(
                f"{model} cannot use {name}. Omit it, or use --model auto or {FOR_FEW_LABELS}."
            )
    columns = choose_columns(text, attributes, bins, classes=classes, encoder=encoder)
    seeds = None if classes is None else parse_classes(classes)
    if is_project(table):
        names, own_language, own_text = describe_project(table)
        language = own_language if language == DEFAULT_LANGUAGE else language
        if classes is None and model in ("auto", FOR_FEW_LABELS):
            seeds = names or None
    stop_words = "keep" if no_stop_words else stop_words
    language = language if attributes is None else ATTRIBUTES
    settings = text_settings(language, stem, stop_words, min_df, ngram_range, n_terms)
    reading = Reading(format, delimiter, encoding, sheet, quotes)
    if seeds and not has_labels(table, text, label, reading):
        found = read_texts(table, text, reading)
        corpus = Corpus(table, found, np.full(len(found), ""))
    else:
        corpus = read_labeled(
            table,
            columns,
            label,
            reading,
            spellings=list(seeds or ()) if fold_case else None,
            keep_model_labels=keep_model_labels,
            unlabeled=no_label,
            known=list(seeds or ()),
            id=id,
            many_classes=many_classes,
        )
    texts, labels, unlabeled = corpus.split_unlabeled()
    if not texts and not seeds:
        column = "" if is_project(table) else f" in the column {label!r}"
        raise ValueError(
            f"{table}: all labels{column} are empty. Label some texts, or name the classes with "
            "--classes."
        )
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
        unlabeled += read_texts(pool, columns, reading.of_pool())
    settings |= {"calibrate": "auto" if calibrate else None, "encoder": encoder}
    classifier = TextClassifier(model, **settings)
    if outliers:
        classifier.set_params(model__outliers=True)
    task = "Choosing a model and fitting it" if model == "auto" else f"Fitting {model}"
    is_random = None
    if is_project(table):
        from honeybayes.labeling import read_audit

        audit = read_audit(table)
        is_random = np.array([each in audit for each in texts], dtype=bool)
    with show_status(f"{task}: {len(texts)} labeled texts, {len(unlabeled)} unlabeled"):
        classifier.fit(texts, labels, pool=unlabeled, seeds=seeds, is_random=is_random)
    if not is_project(table):
        classifier.table_ = describe_columns(columns)
    elif own_text is not None:
        classifier.table_ = describe_columns(own_text)
    save_model(classifier, output)
    choice = classifier.choice_ or {"model": model, "reason": None}
    n_unlabeled = len(unlabeled) if choice["model"] in use_pool else 0
    n_repeats = getattr(classifier.model_, "n_repeats_", None)
    if json:
        print_json(
            {
                "model": choice["model"],
                "reason": choice["reason"],
                "documents": len(texts),
                "unlabeled": n_unlabeled,
                "classes": classifier.classes_.tolist(),
                "terms": len(classifier.terms_),
                "stop_words_removed": bool(classifier.stop_words_),
                "repeats": n_repeats,
                "class_names": classifier.seeds_check_,
                "coverage": as_records(thresholds_of(classifier)),
                "file": str(output),
            }
        )
        return
    if classifier.seeds_check_ is not None:
        print_check(classifier.seeds_check_)
    learned = [f"{len(texts)} documents"] if texts or not n_unlabeled else []
    learned += [f"{n_unlabeled} without a label"] if n_unlabeled else []
    print(
        f"{choice['model']} learned {len(classifier.classes_)} classes from "
        f"{' and '.join(learned)}, {len(classifier.terms_)} terms: {output}"
    )
    if n_repeats:
        each = "texts repeat" if n_repeats > 1 else "text repeats"
        print(f"{n_repeats} {each} another text; each counts once")
    if settings["stop_words"] == "auto":
        print(f"Stop words: {'removed' if classifier.stop_words_ else 'kept'}")
    if choice["reason"]:
        print(f"Why {choice['model']}: {choice['reason']}")
        if len(unlabeled) > n_unlabeled:
            print(f"It learns from labeled texts only: {len(unlabeled)} others were not used.")
    thresholds = thresholds_of(classifier)
    for line in describe_usual(thresholds, "texts"):
        print(line)
    if is_random is not None and calibrate and not thresholds:
        print(TOO_FEW_RANDOM.format(fewest=FEWEST_HELD_OUT, found=is_random.sum()))


def print_check(check: dict[str, Any]) -> None:
    """Print how far the names of the classes can be trusted, and the words that do not occur."""
    print(f"Class names: {check['verdict']} ({check['trust']:.2f}): {VERDICTS[check['verdict']]}")
    for name, words in check["missing"].items():
        print(f"Words of {name} that occur in no text: {words}")
