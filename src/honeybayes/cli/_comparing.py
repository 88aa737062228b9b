"""A comparison on the terminal."""

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from honeybayes.cli._terminal import print_json, print_table
from honeybayes.data import Corpus
from honeybayes.evaluate import Comparison, RandomSplits, Summary, compare
from honeybayes.text import TextAnalyzer
from honeybayes.utils.tags import unlabeled_parameter
from honeybayes.zoo import make_model

UNLABELED = ""
DEFAULT_SIZES = (5, 10, 25)
SHOWN_CLASSES = 3
ANALYZER_SETTINGS = ("language", "stop_words", "stem")  # the others choose among the terms


def with_pool(corpus: Corpus, texts: Sequence[str]) -> Corpus:
    """Add texts without a label."""
    labels = np.concatenate([corpus.labels, np.full(len(texts), UNLABELED)])
    return Corpus(corpus.name, [*corpus.documents, *texts], labels)


def usable_sizes(corpus: Corpus, sizes: Sequence[int] | None) -> Sequence[int]:
    """Return the sizes that were asked for, or those of the default that some class can give.

    A class gives half of its documents at the most, but one at the least: a size that none can
    give is refused, and which classes give less is told.
    """
    classes, documents = np.unique(corpus.labels[corpus.labels != UNLABELED], return_counts=True)
    if len(classes) < 2:
        found = f"only the class {str(classes[0])!r}" if len(classes) else "no label"
        raise ValueError(f"There is {found}: to compare models there must be two classes.")
    most = documents.max() // 2
    if sizes is None:
        sizes = [size for size in DEFAULT_SIZES if size <= most] or [max(most, 1)]
    for size in sizes:
        if size > most:
            raise ValueError(
                f"--labels {size}: no class has {2 * size} labeled documents, and half of a class "
                f"at the most is trained on. The largest has {documents.max()}."
            )
    small = np.flatnonzero(documents // 2 < max(sizes))
    for place in small[:SHOWN_CLASSES]:
        rows = documents[place]
        warnings.warn(
            f"{str(classes[place])!r} has only {rows} labeled row{'s' if rows > 1 else ''}: at "
            f"most {max(rows // 2, 1)} to train on, the others to test.",
            UserWarning,
            stacklevel=2,
        )
    if len(small) > SHOWN_CLASSES:
        warnings.warn(
            f"So it is with {len(small) - SHOWN_CLASSES} more classes.", UserWarning, stacklevel=2
        )
    return sizes


def compare_texts(
    names: Iterable[str],
    corpus: Corpus,
    splits: Sequence[RandomSplits],
    settings: Mapping[str, Any],
    **options: Any,
) -> Comparison:
    """Compare models by name, with such ``settings`` as `TextClassifier` takes.

    Texts with an empty label train the models that can use them.
    """
    models = {name: make_model(name) for name in names}
    if (corpus.labels == UNLABELED).any():
        for model in models.values():
            mark = unlabeled_parameter(model)
            if mark is not None:
                model.set_params(**{mark: UNLABELED})
        options["unlabeled"] = UNLABELED
    of_analyzer = {name: settings[name] for name in ANALYZER_SETTINGS if name in settings}
    of_terms = {name: settings[name] for name in settings if name not in of_analyzer}
    analyzer = TextAnalyzer(**of_analyzer)
    return compare(models, corpus, splits, analyzer=analyzer, **of_terms, **options)


def print_comparison(comparison: Comparison, as_json: bool) -> None:
    """Print the mean accuracies, a row a model; or all summaries as JSON."""
    summaries = comparison.summaries()
    if as_json:
        print_json([asdict(summary) for summary in summaries])
        return
    splits = list(dict.fromkeys(summary.split for summary in summaries))
    cells = {(s.model, s.split): _mean_and_deviation(s) for s in summaries}
    rows = [[model, *(cells[model, split] for split in splits)] for model in comparison.models]
    print_table(["accuracy in %", *splits], rows)


def _mean_and_deviation(summary: Summary) -> str:
    spread = "" if summary.trials < 2 else f" ± {100 * summary.deviation:.1f}"
    return f"{100 * summary.mean:.1f}{spread}"
