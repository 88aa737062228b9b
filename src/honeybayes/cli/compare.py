"""``honeybayes compare``: which model is best on a table of labeled texts."""

import shlex
import sys
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

MODELS = (
    *("NB", "HONB", "HOS-alpha0", "CNB", "HCNB"),
    *("ComplementNB-tfidf", "LinearSVC-tfidf", "LogisticRegression-tfidf"),
)
FOR_UNLABELED = "FewLabels"  # without unlabeled texts it is logistic regression


def compare(
    table: LabeledTable,
    text: TextColumn = "text",
    label: LabelColumn = "label",
    models: Annotated[
        str | None,
        typer.Option(
            "--models",
            "-m",
            help="Names of `honeybayes models`, with commas.",
            show_default="some of each kind",
        ),
    ] = None,
    labels: Annotated[
        str | None,
        typer.Option(
            help="Labeled documents of each class, with commas.",
            show_default="of 5,10,25 those that the classes have",
        ),
    ] = None,
    draws: Annotated[int, typer.Option(help="Random draws of labeled documents.", min=1)] = 10,
    pool: Annotated[
        str | None,
        typer.Option(
            help="Table with more texts, which need no labels, for models that can use them. "
            "Rows of the first table whose label is empty are used in the same way.",
            metavar="TABLE",
        ),
    ] = None,
    report: Annotated[
        Path | None, typer.Option(help="Write a page with tables and plots.", metavar="FILE.html")
    ] = None,
    results: Annotated[
        Path | None,
        typer.Option(
            help="File to which every finished run is added at once. The same command with the "
            "same file goes on where it was interrupted.",
            metavar="FILE.jsonl",
        ),
    ] = None,
    language: Language = "english",
    stem: Stem = True,
    stop_words: StopWords = True,
    min_df: MinDf = 1,
    n_terms: NTerms = None,
    seed: Annotated[int, typer.Option(help="The same seed draws the same documents.")] = 0,
    jobs: Annotated[int, typer.Option(help="Processes at once; -1 takes all cores.")] = 1,
    format: Format = None,
    delimiter: Delimiter = None,
    encoding: Encoding = None,
    quotes: Quotes = True,
    json: Json = False,
) -> None:
    """Compare models on labeled texts, from few labels.

    Example: honeybayes compare messages.csv --models NB,HOS --labels 5,10 --report report.html
    """
    from honeybayes.cli._comparing import (
        compare_texts,
        print_comparison,
        usable_sizes,
        with_pool,
    )
    from honeybayes.cli._reading import read_labeled, read_texts, text_settings
    from honeybayes.evaluate import RandomSplits
    from honeybayes.utils.writing import check_output_path
    from honeybayes.zoo import describe_model

    for path in (report, results):
        if path is not None:
            check_output_path(path)  # before the work, not after it
    if report is not None:
        from honeybayes.report import write_report
    names = None if models is None else [name.strip() for name in models.split(",")]
    for name in names or ():
        describe_model(name)  # an unknown one is refused before anything is read
    settings = text_settings(language, stem, stop_words, min_df, n_terms)
    asked = None if labels is None else sorted({_positive(size) for size in labels.split(",")})
    corpus = read_labeled(
        table, text, label, format, delimiter, encoding, quotes, keep_unlabeled=True
    )
    splits = [
        RandomSplits(per_class=size, repetitions=draws) for size in usable_sizes(corpus, asked)
    ]
    if pool is not None:
        corpus = with_pool(corpus, read_texts(pool, text, delimiter, encoding, quotes))
    if names is None:
        names = [*MODELS, FOR_UNLABELED] if (corpus.labels == "").any() else list(MODELS)
    comparison = compare_texts(
        names, corpus, splits, settings, seed=seed, n_jobs=jobs, results=results
    )
    print_comparison(comparison, json)
    if report is not None:
        again = shlex.join(["honeybayes", *sys.argv[1:]])
        between = "tab" if delimiter == "\t" else delimiter  # which can be pasted
        reading = _as_options(delimiter=between, encoding=encoding)
        reading += [] if quotes else ["--no-quotes"]
        labeled = [table, *_as_options(text=text, label=label, format=format), *reading]
        answer = write_report(
            report,
            comparison,
            corpus,
            splits,
            **settings,
            seed=seed,
            command=again,
            table=shlex.join(labeled),
            new_table=shlex.join(["new.csv", *_as_options(text=text), *reading]),
            pool=shlex.join(_as_options(pool=pool)),
        )
        if not json:
            print(f"\n{answer}\nReport: {report}")


def _as_options(**values: str | None) -> list[str]:
    """Write options as they are typed; leave out those that were not given."""
    given = {name: value for name, value in values.items() if value is not None}
    return [word for name, value in given.items() for word in (f"--{name}", value)]


def _positive(size: str) -> int:
    if not size.strip().isdecimal() or int(size) < 1:
        raise ValueError(
            f"--labels wants whole numbers with commas, such as 5,10,25; got {size!r}."
        )
    return int(size)
