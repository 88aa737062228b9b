"""Measure what the papers named as future work, under the clean protocol and that of the papers.

    nice python -m benchmarks.future_work [--draws 3] [--groups frequencies paper]
    python -m benchmarks.future_work --page

The first appends every finished run to benchmarks/results/future-work.jsonl, and continues where it
stopped. The second writes docs/results/future-work.md. Requires the corpora of the papers.
"""

import argparse
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from benchmarks.choose_default import matrices
from benchmarks.records import (
    DOCS,
    RESULTS_FOLDER,
    append_record,
    bold_best,
    random_for,
    read_records,
    table_head,
    table_row,
    write_page,
)
from honeybayes import CountNB, HiddenNB, HigherOrderNB, HigherOrderSmoothingNB, NoPathWarning
from honeybayes.tables import Corpus
from reproduction.corpora import load_corpus
from reproduction.preprocessing import (
    count_terms,
    paper_preprocessing,
    prepare,
    prepare_otherwise,
)

RESULTS = RESULTS_FOLDER / "future-work.jsonl"
PAGE = DOCS / "results" / "future-work.md"
SIZES = (5, 10, 25)
MOST_TEST_DOCUMENTS = 1000
CORPORA = [
    *("religion", "science", "politics", "comp", "webkb4", "1150haber"),
    *("fbis", "la1s", "oh0", "oh10", "re0", "wap"),
]
FEW_CORPORA = ["science", "politics", "1150haber", "oh0", "re0"]  # the hidden models are slow
KINDS = (None, "counts", "log", "length")
KEYS = ("corpus", "size", "draw", "model", "variant")
PAPER_SIZES = ("5 %", "10 %", "30 %")


def _newsgroups(name: str) -> Corpus:
    return prepare_otherwise("honb-2009", name, counts__binary=False)


# by the names of the papers, so that they differ from those of the clean protocol
PAPER_CORPORA: dict[str, Callable[[], Corpus]] = {
    "RELIGION": lambda: _newsgroups("religion"),
    "SCIENCE": lambda: _newsgroups("science"),
    "POLITICS": lambda: _newsgroups("politics"),
    "WebKB4": lambda: prepare("hos-2012", "WebKB4"),
    # by the gain of presence, as the other corpora
    "1150Haber": lambda: count_terms(
        load_corpus("1150haber"), paper_preprocessing("hos-2012", "turkish")
    ),
}


def variants() -> dict[str, dict[str, dict[str, Any]]]:
    """Return for each group and model its variants, the one of the paper first."""
    models = {
        "HONB": HigherOrderNB,
        "HOS": HigherOrderSmoothingNB,
        "HOS-alpha0": lambda **options: HigherOrderSmoothingNB(alpha=0, **options),
    }
    rules = {"HMNB": "multinomial", "HCNB": "complement"}
    frequencies = {
        name: {kind or "binary": make(frequencies=kind) for kind in KINDS}
        for name, make in models.items()
    }
    frequencies["multinomial HONB"] = {
        "Bernoulli": HigherOrderNB(),
        **{
            kind or "binary": HigherOrderNB(event_model="multinomial", frequencies=kind)
            for kind in (None, "counts", "either", "log")
        },
        "MNB": CountNB(),
    }
    return {
        "frequencies": frequencies,
        "paper": frequencies,
        "parents": {
            name: {
                f"EM, {steps} steps" if steps else "gain ratio": HiddenNB(rule=rule, em_steps=steps)
                for steps in (0, 5, 30)
            }
            for name, rule in rules.items()
        },
    }


def split(y: np.ndarray, name: str, size: int | str, draw: int) -> tuple[np.ndarray, np.ndarray]:
    """Return rows to train with and to test; a size is labels per class, or percent as text."""
    random = random_for("future work", name, size, draw)

    def number(rows: np.ndarray) -> int:
        if isinstance(size, int):
            return min(size, len(rows) // 2)
        return int(size.removesuffix(" %")) * len(rows) // 100

    chosen = [np.flatnonzero(y == c) for c in np.unique(y)]
    train = np.concatenate([random.choice(rows, number(rows), replace=False) for rows in chosen])
    rest = np.setdiff1d(np.arange(len(y)), train)
    return train, random.permutation(rest)[:MOST_TEST_DOCUMENTS]


def read_results() -> dict[tuple, float]:
    return {tuple(r[key] for key in KEYS): r["accuracy"] for r in read_records(RESULTS)}


def corpora_and_sizes(group: str) -> tuple[list[str], Sequence[Any]]:
    """Return where a group is measured."""
    if group == "paper":
        return list(PAPER_CORPORA), PAPER_SIZES
    return (CORPORA if group == "frequencies" else FEW_CORPORA), SIZES


def load(name: str) -> tuple[np.ndarray, Callable[[np.ndarray, np.ndarray], tuple[Any, Any]]]:
    """Return the labels of a corpus, and a function from rows to matrices."""
    if name in PAPER_CORPORA:
        corpus = PAPER_CORPORA[name]()
        X = corpus.documents
        return np.asarray(corpus.labels), lambda train, test: (X[train], X[test])
    corpus = load_corpus(name)
    return np.asarray(corpus.labels), lambda train, test: matrices(corpus, train, test)


def run(group: str, draws: int) -> None:
    done = read_results()
    wanted: list[tuple[str, str, Any]] = [
        (model, variant, estimator)
        for model, row in variants()[group].items()
        for variant, estimator in row.items()
    ]
    names, sizes = corpora_and_sizes(group)
    with RESULTS.open("a", encoding="utf-8") as file:
        for name in names:
            y, cut = load(name)
            for place in ((name, size, draw) for size in sizes for draw in range(draws)):
                missing = [w for w in wanted if (*place, *w[:2]) not in done]
                if not missing:
                    continue
                train, test = split(y, *place)
                X_train, X_test = cut(train, test)
                for model, variant, estimator in missing:
                    accuracy = estimator.fit(X_train, y[train]).score(X_test, y[test])
                    record = dict(zip(KEYS, (*place, model, variant), strict=True))
                    append_record(file, {**record, "accuracy": accuracy})
            print(name, flush=True)


def table(group: str, model: str, results: dict[tuple, float]) -> list[str]:
    """Return a table of one model: corpora by sizes and variants, and where variants win."""
    names = list(variants()[group][model])
    corpora, sizes = corpora_and_sizes(group)
    draws = {key[2] for key in results if key[0] in corpora and key[3] == model}
    mean = {
        (corpus, size, variant): 100
        * np.mean([results[corpus, size, draw, model, variant] for draw in draws])
        for corpus in corpora
        for size in sizes
        for variant in names
    }
    lines = table_head("corpus", [f"{variant}, {size}" for size in sizes for variant in names])

    def row(head: str, value: dict) -> str:
        cells = [cell for size in sizes for cell in bold_best([value[size, v] for v in names])]
        return table_row([head, *cells])

    for corpus in corpora:
        lines.append(row(corpus, {(s, v): mean[corpus, s, v] for s in sizes for v in names}))
    overall = {
        (s, v): np.mean([mean[corpus, s, v] for corpus in corpora]) for s in sizes for v in names
    }
    lines += [row("**mean**", overall), ""]
    unit = "" if group == "paper" else " labels"
    for variant in names[1:]:
        wins = [
            sum(mean[corpus, s, variant] > mean[corpus, s, names[0]] for corpus in corpora)
            for s in sizes
        ]
        change = [overall[s, variant] - overall[s, names[0]] for s in sizes]
        lines.append(
            f"- {variant} against {names[0]}: "
            + ", ".join(
                f"{c:+.1f} points at {s}{unit} (better on {w} of {len(corpora)})"
                for s, c, w in zip(sizes, change, wins, strict=True)
            )
            + "."
        )
    return [f"### {model}", "", f"Mean of {len(draws)} draws.", "", *lines, ""]


INTRODUCTION = """\
# What the papers named as future work

Written by `python -m benchmarks.future_work --page`; do not edit by hand.

Accuracy in percent on up to twelve corpora with 5, 10 and 25 labels per class. **Clean protocol**,
except where stated: terms and weights come from the labeled documents only, and no terms are
selected. The test is up to 1,000 of the other documents. All variants see the same draws. Bold is
the best variant of a size.
With so few draws, differences of less than a point mean little.
"""

TEXTS = {
    "frequencies": """\
## Term frequencies in paths

`frequencies` of `HigherOrderNB` and `HigherOrderSmoothingNB` ([definition](../paths.md)). "binary"
is the model of the papers. "counts" weighs each link with the term frequency f, "log" with
log2(1 + f), "length" with f after all documents are scaled to the mean length. Multinomial HONB is
`HigherOrderNB(event_model="multinomial")`, with either frequency of the middle word as another
variant; "Bernoulli" is HONB as published, and MNB has no paths.
""",
    "paper": """\
## Term frequencies in paths, in the protocol of the papers

The same models on newsgroups as in honb-2009 (500 documents per class) and on two corpora of
hos-2012, with 5, 10 and 30 % of each class for training. As in the papers, information gain chose
the 2,000 terms from *all* documents, so all numbers are too high; compare only the variants.
""",
    "parents": """\
## Learned weights of parents

`em_steps` of `HiddenNB` ([definition](../count-family.md)), on five of the corpora. "gain ratio" is
the model of the paper.
""",
}


def page(results: dict[tuple, float]) -> str:
    parts = [INTRODUCTION]
    for group, models in variants().items():
        parts.append(TEXTS[group])
        for model in models:
            parts += table(group, model, results)
    return "\n".join(parts).rstrip() + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=3)
    parser.add_argument("--groups", nargs="+", default=list(variants()))
    parser.add_argument("--page", action="store_true", help="only write the page")
    options = parser.parse_args()
    warnings.simplefilter("ignore", NoPathWarning)
    if not options.page:
        for group in options.groups:
            run(group, options.draws)
    write_page(PAGE, page(read_results()))


if __name__ == "__main__":
    main()
