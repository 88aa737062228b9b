"""A comparison on the terminal."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from honeybayes.cli._terminal import print_json, print_table
from honeybayes.data import Corpus
from honeybayes.evaluate import Comparison, RandomSplits, compare
from honeybayes.model_choice import unlabeled_parameter
from honeybayes.text import TextAnalyzer
from honeybayes.zoo import make_model

UNLABELED = ""


def with_pool(corpus: Corpus, texts: Sequence[str]) -> Corpus:
    """Add texts without a label."""
    labels = np.concatenate([corpus.labels, np.full(len(texts), UNLABELED)])
    return Corpus(corpus.name, [*corpus.documents, *texts], labels)


def compare_texts(
    names: Iterable[str],
    corpus: Corpus,
    splits: Sequence[RandomSplits],
    language: str,
    **options: Any,
) -> Comparison:
    """Compare models by name; texts with an empty label train those that can use them."""
    models = {name: make_model(name) for name in names}
    if (corpus.labels == UNLABELED).any():
        for model in models.values():
            mark = unlabeled_parameter(model)
            if mark is not None:
                model.set_params(**{mark: UNLABELED})
        options["unlabeled"] = UNLABELED
    return compare(models, corpus, splits, analyzer=TextAnalyzer(language), **options)


def print_comparison(comparison: Comparison, as_json: bool) -> None:
    """Print the mean accuracies, a row a model; or all summaries as JSON."""
    summaries = comparison.summaries()
    if as_json:
        print_json([asdict(summary) for summary in summaries])
        return
    splits = list(dict.fromkeys(summary.split for summary in summaries))
    cells = {(s.model, s.split): f"{100 * s.mean:.1f} ± {100 * s.deviation:.1f}" for s in summaries}
    rows = [[model, *(cells[model, split] for split in splits)] for model in comparison.models]
    print_table(["accuracy in %", *splits], rows)
