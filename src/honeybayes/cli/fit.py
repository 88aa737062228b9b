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
LOCAL, DASK = "local", "dask"


def _parse_engine(name: str) -> str:
    if name not in (LOCAL, DASK):
        raise typer.BadParameter(f"{name!r} is not one of {LOCAL}, {DASK}.")
    return name


def fit(
    table: Annotated[
        str,
        typer.Argument(
            help="CSV, TSV, JSON lines, Excel or Parquet file, or a folder with one sub-folder per "
            "class; - reads CSV from standard input. Many files: a folder of tables, or a pattern "
            "in quotes, such as 'mails/*.parquet'."
        ),
    ],
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
    engine: Annotated[
        str,
        typer.Option(
            help="Who reads many files: this process, or the workers of Dask.",
            metavar="local|dask",
            callback=_parse_engine,
        ),
    ] = LOCAL,
    scheduler: Annotated[
        str | None,
        typer.Option(
            help="With --engine dask, address of a scheduler, such as tcp://10.0.0.1:8786, whose "
            "workers see the same files.",
            metavar="ADDRESS",
            show_default="a cluster on this machine",
        ),
    ] = None,
    max_terms: Annotated[
        int | None,
        typer.Option(
            help="Of many files, keep only this many words: those of the most documents. For "
            "models that add up counts: NB, MVNB, MVNB+JM, mNB, MNB, CNB, OVA, HONB, HOS.",
            min=1,
            show_default="500000",
        ),
    ] = None,
    keep_going: Annotated[
        bool,
        typer.Option(
            "--keep-going",
            help="Of many files, report those that cannot be read and learn from the others.",
        ),
    ] = False,
) -> None:
    """Learn from labeled texts, or from names of classes, and write a model file.

    Example: honeybayes fit messages.csv --text body --label queue -o model.hb
    """
    import warnings

    import numpy as np

    from honeybayes.classifier import TextClassifier
    from honeybayes.cli._columns import choose_columns, describe_columns
    from honeybayes.cli._coverage import as_records, describe_usual, thresholds_of
    from honeybayes.cli._errors import UsageError
    from honeybayes.cli._input import parse_classes, text_settings
    from honeybayes.cli._many import TableReader, check_complete, find_tables, fit_many
    from honeybayes.cli._output import print_json, show_status
    from honeybayes.cli._projects import DEFAULT_LANGUAGE, describe_project, is_project
    from honeybayes.cli._reading import Reading
    from honeybayes.coverage import FEWEST_HELD_OUT
    from honeybayes.files import save_model
    from honeybayes.scale import POOL_SIZE
    from honeybayes.text import ATTRIBUTES
    from honeybayes.utils.writing import check_outputs
    from honeybayes.zoo import describe_model, models_with

    many = find_tables(table, pool, engine == DASK)
    inputs = (table, pool) if many is None else (*many.labeled, *many.pool)
    check_outputs([output], [*inputs, classes])  # before an hour of learning, not after it
    for name, is_used in (
        ("--scheduler", scheduler is not None and engine != DASK),
        ("--max-terms", max_terms is not None and many is None),
        ("--keep-going", keep_going and many is None),
    ):
        if is_used:
            if name == "--scheduler":
                raise UsageError("--scheduler is for --engine dask. Add --engine dask.")
            raise UsageError(f"{name} is for a folder or a pattern of files. Omit it.")
    for name, is_used in (("--attributes", attributes is not None), ("--fold-case", fold_case)):
        if is_used and many is not None:
            raise UsageError(
                f"{name} needs all rows at once, and is for one file. Omit {name}, or join the "
                "files."
            )
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
    reader = TableReader(
        columns=columns,
        label=label,
        reading=Reading(format, delimiter, encoding, sheet, quotes),
        known=tuple(seeds or ()),
        id=id,
        fold_case=fold_case,
        keep_model_labels=keep_model_labels,
        unlabeled=no_label,
        many_classes=many_classes,
        of_many=many is not None,
    )
    use_pool = ("auto", *models_with("learns_from_unlabeled"))
    if pool is not None and model not in use_pool:
        raise ValueError(
            f"--pool has no effect, because {model} learns from labeled texts only. Omit it, or "
            f"use --model {', '.join(use_pool[:-1])} or {use_pool[-1]}."
        )
    settings |= {"calibrate": "auto" if calibrate else None, "encoder": encoder}
    classifier = TextClassifier(model, **settings)
    if outliers:
        classifier.set_params(model__outliers=True)
    is_random = None
    left_out: dict[str, str] = {}
    if many is None:
        texts, labels, unlabeled = reader.read(table).split_unlabeled()
        if not texts and not seeds:
            column = "" if is_project(table) else f" in the column {label!r}"
            raise ValueError(
                f"{table}: all labels{column} are empty. Label some texts, or name the classes "
                "with --classes."
            )
        n_texts, n_found = len(texts), len(unlabeled)
        if model not in use_pool:
            unlabeled = []
        if pool is not None:
            unlabeled += reader.read_pool(pool)
            n_found = len(unlabeled)
        task = "Choosing a model and fitting it" if model == "auto" else f"Fitting {model}"
        if is_project(table):
            from honeybayes.labeling import read_audit

            audit = read_audit(table)
            is_random = np.array([each in audit for each in texts], dtype=bool)
        with show_status(f"{task}: {n_texts} labeled texts, {len(unlabeled)} unlabeled"):
            classifier.fit(texts, labels, pool=unlabeled, seeds=seeds, is_random=is_random)
        n_unlabeled = len(unlabeled)
    else:
        learned = fit_many(
            *(classifier, reader, many, seeds),
            engine=engine,
            scheduler=scheduler,
            max_terms=max_terms,
            keep_going=keep_going,
        )
        n_texts, n_found, n_unlabeled = learned.n_labeled, learned.n_unlabeled, learned.n_pool
        left_out = learned.left_out
    if n_found and model not in use_pool:
        warnings.warn(
            f"{n_found} rows without a label are left out, because {model} learns from labeled "
            "texts only. --model auto learns from all rows.",
            UserWarning,
            stacklevel=2,
        )
    if not is_project(table):
        classifier.table_ = describe_columns(columns)
    elif own_text is not None:
        classifier.table_ = describe_columns(own_text)
    save_model(classifier, output)
    choice = classifier.choice_ or {"model": model, "reason": None}
    n_used = n_unlabeled if choice["model"] in use_pool else 0
    n_repeats = getattr(classifier.model_, "n_repeats_", None)
    if json:
        print_json(
            {
                "model": choice["model"],
                "reason": choice["reason"],
                "documents": n_texts,
                "unlabeled": n_used,
                "classes": classifier.classes_.tolist(),
                "terms": len(classifier.terms_),
                "stop_words_removed": bool(classifier.stop_words_),
                "repeats": n_repeats,
                "class_names": classifier.seeds_check_,
                "coverage": as_records(thresholds_of(classifier)),
                "file": str(output),
            }
        )
        check_complete(left_out, many, output)
        return
    if classifier.seeds_check_ is not None:
        print_check(classifier.seeds_check_)
    documents = [f"{n_texts} documents"] if n_texts or not n_used else []
    documents += [f"{n_used} without a label"] if n_used else []
    print(
        f"{choice['model']} learned {len(classifier.classes_)} classes from "
        f"{' and '.join(documents)}, {len(classifier.terms_)} terms: {output}"
    )
    if n_found > n_used >= POOL_SIZE:  # otherwise, the others repeat these
        print(f"Those without a label are a random sample of {n_found}.")
    if n_repeats:
        each = "texts have" if n_repeats > 1 else "text has"
        print(f"{n_repeats} {each} the same words as another text; each counts once")
    if settings["stop_words"] == "auto":
        print(f"Stop words: {'removed' if classifier.stop_words_ else 'kept'}")
    if choice["reason"]:
        print(f"Why {choice['model']}: {choice['reason']}")
        if n_unlabeled > n_used:
            print(f"It learns from labeled texts only: {n_unlabeled} others were not used.")
    thresholds = thresholds_of(classifier)
    for line in describe_usual(thresholds, "texts"):
        print(line)
    if is_random is not None and calibrate and not thresholds:
        print(TOO_FEW_RANDOM.format(fewest=FEWEST_HELD_OUT, found=is_random.sum()))
    check_complete(left_out, many, output)


def print_check(check: dict[str, Any]) -> None:
    """Print how far the names of the classes can be trusted, and the words that do not occur."""
    print(f"Class names: {check['verdict']} ({check['trust']:.2f}): {VERDICTS[check['verdict']]}")
    for name, words in check["missing"].items():
        print(f"Words of {name} that occur in no text: {words}")
