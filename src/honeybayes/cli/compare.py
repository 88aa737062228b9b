"""``honeybayes compare``: find the best model for a table of labeled texts."""

import math
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import honeybayes as hb
from honeybayes.cli._output import (
    UsageError,
    print_json,
    print_table,
    show_status,
    vectors_line,
    warn,
)

AUTO = "auto"  # the default of fit
MODELS = (
    *("NB", "HONB", "HOS-alpha0", "CNB", "HCNB"),
    *("ComplementNB-tfidf", "LinearSVC-tfidf", "LogisticRegression-tfidf"),
)
FEW = "FewLabels"  # without unlabeled texts and vectors, it is logistic regression
MODELS_FOR_POOL = (FEW, AUTO)
NO_POOL = "none"
DEFAULT_SIZES = (5, 10, 25)
N_SHOWN = 3
NAMES = {"accuracy": "accuracy", "macro_f1": "macro-F1"}
READ_ALIKE = ("delimiter", "encoding", "quotes")  # settings for new tables of the same kind
# Settings of the analyzer; the others select terms.
ANALYZER_SETTINGS = ("language", "stop_words", "stem", "ngram_range", "clean_html")


def compare(
    table: str,
    text: str = "text",
    label: str = "label",
    attributes: str | None = None,
    id: str | None = None,
    read: str = "",
    models: str | None = None,
    labels: str | None = None,
    draws: str = "10",
    pool: str | None = None,
    report: Path | None = None,
    results: Path | None = None,
    language: str = AUTO,
    words: str = "",
    seed: int = 0,
    jobs: int = 1,
    json: bool = False,
) -> None:
    """Compare models on labeled texts, with few labels per class.

    Example: honeybayes compare messages.csv --models NB,HOS --labels 5,10 --report report.html

    Comparison:
      --models -m: Names from `honeybayes models`, or auto, separated by commas. Settings may follow
        a name: 'HONB,HONB order=3'. [default: some of each kind]
      --labels: Numbers of labeled documents per class, separated by commas. [default: those of
        5,10,25 that the classes allow]
      --draws NUMBER: Random draws of labeled documents. The test of the differences may follow:
        '10 test=corrected-t', paired-t, wilcoxon, or two-level (the default: new draws of labels
        and new texts).
      --seed: The same seed draws the same documents.
      --jobs: Parallel processes; -1 uses all cores.
    Learning:
      --pool TABLE|none: Table with more texts for models that learn from unlabeled ones. The rows
        outside a draw, without their labels, are such texts, too; none takes them away.
    Output:
      --report FILE.html: Write a page with tables and plots.
      --results FILE.jsonl: Append every finished run to this file. If the command is interrupted,
        run it again with the same file to continue.
    """
    from click import Choice, IntRange

    from honeybayes.cli import _input, _settings
    from honeybayes.utils.tags import unlabeled_parameter
    from honeybayes.utils.workers import watched_pool
    from honeybayes.utils.writing import check_outputs

    uses_other_rows = pool != NO_POOL
    pool = pool if uses_other_rows else None
    check_outputs([report, results], [table, pool])  # before the work, not after it
    if report is not None:
        from honeybayes.report import write_report
    names = None if models is None else _settings.split_models(models)
    of_draws = {"draws": IntRange(1, _settings.MOST), "test": Choice(hb.evaluate.TESTS)}
    drawing = _settings.parse_settings("--draws", f"draws={draws.strip()}", of_draws)
    for name in set(names or ()) - {AUTO}:
        hb.describe_model(name)  # raises ValueError if the name is unknown
    if _input.is_project(table) and language == AUTO:
        language = hb.labeling.read_project(table).language
    reading = _settings.parse_settings("--read", read, _settings.READ_TRAINING)
    inputs = _input.Input(text, label, id, reading, attributes=attributes)
    settings = _settings.text_settings(language, words, True, attributes)
    if settings["stop_words"] == AUTO:
        raise ValueError(
            "compare counts the words once for all models, so stop-words must be keep or remove."
        )
    sizes = [] if labels is None else [size.strip() for size in labels.split(",")]
    if not all(size.isdecimal() and int(size) for size in sizes):
        raise UsageError(f"--labels {labels} is wrong: it must be whole numbers, such as 5,10,25.")
    corpus = inputs.read_labeled(table, training=True)
    splits = [
        hb.evaluate.RandomSplits(per_class=size, repetitions=drawing["draws"])
        for size in _usable_sizes(corpus, sorted({*map(int, sizes)}))
    ]
    if pool is not None:
        corpus = corpus.add_pool(inputs.read_pool(pool))
    has_unlabeled = bool((corpus.labels == "").any())
    if names is None:
        has_pool = uses_other_rows or has_unlabeled
        names = [*MODELS, *(MODELS_FOR_POOL if has_pool else [AUTO])]
    compared: dict[str, Any] = dict.fromkeys(names, AUTO)
    for name in (each for each in compared if each != AUTO):
        compared[name] = model = hb.make_model(name)
        if has_unlabeled and (parameter := unlabeled_parameter(model)) is not None:
            model.set_params(**{parameter: ""})
    few = [name for name in names if hb.zoo.split_settings(name)[0] == FEW]
    can_use_vectors, of_texts = not attributes and bool(few or AUTO in names), {}
    used = hb.text.find_encoder(corpus.documents) if can_use_vectors else None
    if used is not None:  # as `fit` does
        of_texts = {name: hb.TextClassifier(name, **settings) for name in few}
        with show_status("Encoding the texts"):  # once, not in each process
            hb.text.TextEncoder(used).fit_transform(corpus.documents)
    compared |= of_texts
    found = hb.text.look_at(corpus.documents)
    for_terms = {"clean_html": found.clean_html, **settings}
    if settings["language"] == AUTO:
        for_terms["language"] = found.language
    of_analyzer = {name: for_terms.pop(name) for name in ANALYZER_SETTINGS if name in for_terms}
    analyzer = hb.text.TextAnalyzer(**of_analyzer)
    with watched_pool():
        comparison = hb.evaluate.compare(
            *(compared, corpus, splits),
            analyzer=analyzer,
            **for_terms,
            pool=uses_other_rows,
            seed=seed,
            n_jobs=jobs,
            results=results,
        )
    test = drawing.get("test")
    _print(comparison, json, test, hb.evaluate.metrics.main_metric(corpus.labels))
    if settings["language"] == AUTO and not json:
        language = found.language or "unknown, so without stems and stop words"
        print(f"Language of the texts as a whole: {language}")
    if can_use_vectors and not json:
        print(vectors_line(used, texts=corpus.documents), end="")
    if report is not None:
        columns = {"text": text} if attributes is None else {"attributes": attributes}
        of_new = {} if attributes else {"text": text}
        like_this = {name: reading[name] for name in reading if name in READ_ALIKE}
        all_read, new_read = _settings.join_settings(reading), _settings.join_settings(like_this)
        answer = write_report(
            *(report, comparison, corpus, splits),
            **settings,
            seed=seed,
            command=shlex.join(["honeybayes", *sys.argv[1:]]),
            table=_as_typed(table, **columns, label=label, read=all_read, id=id),
            new_table=_as_typed("new.csv", **of_new, read=new_read),
            pool=_as_typed(pool=pool),
            test=test,
            models=of_texts,
        )
        if not json:
            print(f"\n{answer}\nReport: {report}")


def _print(comparison: Any, as_json: bool, test: str | None, metric: str) -> None:
    """Print the differences to the best model, and the means; or all as JSON."""
    from dataclasses import asdict

    summaries = comparison.summaries(metric)
    found = {(each.split, each.model): each for each in comparison.against_best(metric, test=test)}
    baselines = {place[1]: comparison.baseline(place, metric) for place in comparison.places}
    if as_json:
        records = []
        for summary in summaries:
            own = found.get((summary.split, summary.model))
            difference = None if own is None else {**asdict(own), "claim": own.claim}
            largest = {"largest_class": baselines[summary.split]}
            records.append({**asdict(summary), **largest, "difference": difference})
        print_json(records)
        return
    splits = list(dict.fromkeys(summary.split for summary in summaries))
    draws = min(summary.trials for summary in summaries)
    last = sorted((d for d in found.values() if d.split == splits[-1]), key=lambda d: -d.mean)
    if last:
        size = splits[-1].removesuffix(" per class")
        print_table(
            [
                f"model, with {size} label{'' if size == '1' else 's'} per class",
                f"difference to {last[0].other}, points of {NAMES[metric]}",
                *("95 % interval", "p", "so it is"),
            ],
            [[each.model, *each.cells] for each in last],
        )
        print(f"{last[0].claim} Test: {last[0].test}.\n")
    for each in dict.fromkeys([metric, "accuracy"]):
        cells = {(s.model, s.split): s.cell for s in comparison.summaries(each)}
        rows = [[model, *(cells[model, split] for split in splits)] for model in comparison.models]
        lowest = [comparison.baseline(place, each) for place in comparison.places]
        if not any(map(math.isnan, lowest)):
            rows.append(["largest class", *(f"{100 * value:.1f}" for value in lowest)])
        print_table([f"{NAMES[each]} in %", *splits], rows)
    if metric != "accuracy":
        print("Ranked by macro-F1, because the classes are uneven: every class counts the same.")
    if draws > 1:
        print("±: standard deviation over draws.")
    if len(comparison.models) > 1 and draws < hb.evaluate.FEWEST_DRAWS:
        one = "There is no table of differences: one draw does not show which of them are chance."
        several = f"{draws} draws are too few to say which differences are chance."
        print(f"{several if draws > 1 else one} Use --draws 10.")
    for note in comparison.notes:
        print(note)


def _usable_sizes(corpus: Any, sizes: Sequence[int]) -> Sequence[int]:
    """Return the given sizes, or the default ones that the largest class allows.

    At most half of the documents of a class are training documents, but at least one.
    """
    import numpy as np

    classes, counts = np.unique(corpus.labels[corpus.labels != ""], return_counts=True)
    if len(classes) < 2:
        found = f"only the class {str(classes[0])!r}" if len(classes) else "no label"
        raise ValueError(f"The table has {found}. A comparison needs at least two classes.")
    largest = counts.max() // 2
    if not sizes:
        sizes = [size for size in DEFAULT_SIZES if size <= largest] or [max(largest, 1)]
    for size in sizes:
        if size > largest:
            raise ValueError(
                f"--labels {size}: no class has {2 * size} labeled documents, and at most half of "
                f"a class is used for training. The largest class has {counts.max()}."
            )
    small = np.flatnonzero(counts // 2 < max(sizes))
    if len(small):
        shown = ", ".join(f"{str(classes[c])!r} ({counts[c]} rows)" for c in small[:N_SHOWN])
        more = f" and {len(small) - N_SHOWN} more" if len(small) > N_SHOWN else ""
        warn(f"Small classes have fewer training texts, at most half of them: {shown}{more}.")
    return sizes


def _as_typed(*words: str, **options: str | None) -> str:
    """Return a part of a command, without options that are None or empty."""
    given = ((f"--{name}", value) for name, value in options.items() if value)
    return shlex.join([*words, *(word for pair in given for word in pair)])
