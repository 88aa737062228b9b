"""Measure what the vectors of an encoder add to the words, with few labels or class names alone.

    python -m benchmarks.vectors [--draws 2] [--corpora banking77 ...] [--encoder minilm]

The protocol is that of benchmarks/defaults.py; class names are measured without any label,
with the check that says whether they can be trusted.
Appends every fit to benchmarks/results/vectors.jsonl, continues where it stopped, and writes
docs/results/vectors.md. Requires the corpora and the extra `vectors`.
`--encoder minilm` measures another encoder, an English one (see benchmarks/minilm.py).
"""

import argparse
import warnings
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from benchmarks import minilm
from benchmarks.defaults import (
    LONG,
    MOST_TEXTS,
    SHORT,
    choose_labeled,
    language_of,
    read_texts,
)
from benchmarks.few_labels_names import SEEDS
from benchmarks.records import (
    DOCS,
    RESULTS_FOLDER,
    append_record,
    random_for,
    read_records,
    table_head,
    table_row,
    write_page,
)
from honeybayes import TextClassifier
from honeybayes.text import MULTILINGUAL, TextEncoder, find_encoder

RESULTS = RESULTS_FOLDER / "vectors.jsonl"
PAGE = DOCS / "results" / "vectors.md"
LABELS = ("5", "10", "25", "30 random")
SIB = ("eng", "deu", "tur", "zho", "jpn", "arb", "swh", "yor")
WORDS, BOTH, VECTORS, NAMES, NAMES_BOTH = "words", "both", "vectors", "names", "names, both"
ALONE_WORDS, ALONE = "words, labels alone", "auto, labels alone"
NAMED = (
    *("agnews-test", "trec-questions", "sms-spam", "religion", "science", "politics", "comp"),
    *("20news-18828", "1150haber", "clinc150", "banking77", "masakhanews-pcm"),
    *(f"sib200-{each}" for each in SIB[:6]),
)
NAMED_LABELS = tuple(f"names, {n} random" for n in (3, 6, 10, 30))
FIELDS = ("encoder", "corpus", "labels", "draw", "kind")


def load_encoder(name: str) -> TextEncoder:
    """Return the encoder; its vectors are stored, so that a text is encoded once."""
    return TextEncoder(minilm.MiniLM() if name == "minilm" else name)


def names_of(corpus: str, y: np.ndarray) -> dict[str, str]:
    """Return a name for each class, as a person would type it."""
    if corpus in SEEDS:
        return {label: words.partition(":")[0] for label, words in SEEDS[corpus].items()}
    names = np.unique(y).astype(str).tolist()
    return {name: name.replace("_", " ").replace("/", " and ") for name in names}


def fit(
    kind: str,
    corpus: str,
    known: Any,
    y: Any,
    pool: Any,
    encoder: TextEncoder,
    names: dict[str, str] | None = None,
) -> Any:
    """Return a model of texts."""
    if kind == VECTORS:
        return make_pipeline(encoder, LogisticRegression(C=10, max_iter=1000)).fit(known, y)
    if kind in (ALONE, ALONE_WORDS):
        uses = "auto" if kind == ALONE else None
        return TextClassifier(language=language_of(corpus), encoder=uses).fit(known, y)
    uses = encoder if kind in (BOTH, NAMES_BOTH) else None
    if encoder.encoder == MULTILINGUAL and find_encoder([*known, *pool]) is None:
        uses = None  # as "auto" does for letters that it cannot read
    classifier = TextClassifier("FewLabels", language=language_of(corpus), encoder=uses)
    seeds = names if kind in (NAMES, NAMES_BOTH) else None
    if not known:
        return classifier.fit(pool, None, seeds=seeds)
    return classifier.fit(known, y, pool=pool, seeds=seeds)


def measure(corpus: str, labels: str, draw: int, kind: str, encoder: TextEncoder) -> dict[str, Any]:
    """Return the accuracy of one fit, and how far it trusts the names."""
    texts, y = read_texts(corpus)
    order = random_for("defaults", corpus, draw).permutation(len(y))[:MOST_TEXTS]
    pool, test = order[: len(order) // 2], order[len(order) // 2 :]
    chosen, names = np.zeros(len(pool), dtype=bool), None
    if labels != "names":
        chosen = choose_labeled(y[pool], labels.removeprefix("names, "))
    if labels.startswith("names"):
        names = names_of(corpus, y)
    known, others = pool[chosen], pool[~chosen]
    model = fit(kind, corpus, list(texts[known]), y[known], list(texts[others]), encoder, names)
    found = {"accuracy": round(float(np.mean(model.predict(list(texts[test])) == y[test])), 4)}
    return found | ({"verdict": model.seeds_check_["verdict"]} if labels == "names" else {})


def plan(corpora: list[str], draws: int) -> list[tuple[str, str, int, str]]:
    """Return what to measure: corpus, labels, draw and kind."""
    kinds = (WORDS, BOTH, VECTORS, ALONE_WORDS, ALONE)
    runs = [(c, n, d, k) for d in range(draws) for c in corpora for n in LABELS for k in kinds]
    runs += [
        (corpus, "names", draw, kind)
        for draw in range(draws)
        for corpus in NAMED
        for kind in (NAMES, NAMES_BOTH)
        if corpus in corpora
    ]
    named = [corpus for corpus in NAMED if corpus in corpora]
    runs += [(c, n, d, NAMES_BOTH) for d in range(draws) for c in named for n in NAMED_LABELS]
    return runs


def page(records: list[dict[str, Any]]) -> str:
    found: dict[tuple[str, str, str, str], dict[int, float]] = {}
    for r in records:
        key = r["encoder"], r["corpus"], r["labels"], r["kind"]
        found.setdefault(key, {})[r["draw"]] = r["accuracy"]
    draws: dict[tuple[str, str, str], set[int]] = {}  # which all kinds have
    for key, values in found.items():
        draws[key[:3]] = draws.get(key[:3], set(values)) & set(values)
    means = {
        key: 100 * float(np.mean([values[draw] for draw in draws[key[:3]]]))
        for key, values in found.items()
        if draws[key[:3]]
    }
    lines = ["# Words and vectors", "", INTRODUCTION]
    for encoder in sorted({r["encoder"] for r in records}, reverse=True):
        alone = (ALONE_WORDS, ALONE) if encoder == MULTILINGUAL else ()  # which "auto" uses
        for labels in LABELS:
            kinds = (WORDS, BOTH, VECTORS, *alone)
            lines += _table(means, encoder, labels, (*SHORT, *LONG), kinds)
        lines += _table(means, encoder, "names", NAMED, (NAMES, NAMES_BOTH))
        lines += _trust(records, means, encoder)
        lines += _names_and_labels(means, encoder)
    return "\n".join([*lines, ""])


WORKS, VERDICTS = 0.8, ("good", "unsure", "poor")
TRUST = f"""\
Names work if they alone reach {WORKS:.0%} of the accuracy of "both" with five labels per class. The
check (`seeds_check_`) is wrong if it says "good" and they do not work, or "poor" and they work.
"""
TITLES = {"names": "Class names alone, without any label"}
INTRODUCTION = """\
Written by `python -m benchmarks.vectors`; do not edit by hand. "words" is `FewLabels` without an
encoder, "both" with one, and "vectors" scikit-learn's logistic regression (C=10) on the vectors of
the labels alone. "labels alone" is `TextClassifier()` without unlabeled texts, and with words only
or with the defaults, which use vectors if the texts are short. Texts, labels and draws are those of
[the defaults](defaults.md), two draws, or one that all columns of a row have.
The test rows of SIB-200 are [on another page](published.md).
Swahili (swh) and Yoruba (yor) are not among the sixteen languages of the encoder "multilingual". It
cannot read some letters of Yoruba, so "both" is "words" there.
Accuracies are in percent.
"""


def _table(means: Any, encoder: str, labels: str, corpora: Any, kinds: Any) -> list[str]:
    rows = {
        corpus: [means[encoder, corpus, labels, kind] for kind in kinds]
        for corpus in corpora
        if all((encoder, corpus, labels, kind) in means for kind in kinds)
    }
    if not rows:
        return []
    if labels in LABELS:
        for name, some in (("short", SHORT), ("long", LONG)):
            if chosen := [values for corpus, values in rows.items() if corpus in some]:
                rows[f"mean of the {name} ones"] = list(np.mean(chosen, axis=0))
    else:
        rows["mean"] = list(np.mean(list(rows.values()), axis=0))
    title = TITLES.get(labels, f"{labels} labels" + (" per class" if labels.isdigit() else ""))
    lines = ["", f"## {encoder}: {title}", "", *table_head("corpus", [*kinds, "gain"])]
    for corpus, values in rows.items():
        cells = [f"{value:.1f}" for value in values]
        lines.append(table_row([corpus, *cells, f"{values[1] - values[0]:+.1f}"]))
    return lines


def _trust(records: list[dict[str, Any]], means: Any, encoder: str) -> list[str]:
    """Return how often the check of the names is wrong, in the fits that recorded it."""
    verdicts: dict[tuple[str, bool], list[str]] = {}
    for r in records:
        reference = means.get((encoder, r["corpus"], "5", BOTH))
        if r["encoder"] == encoder and "verdict" in r and reference is not None:
            works = 100 * r["accuracy"] >= WORKS * reference
            verdicts.setdefault((r["kind"], works), []).append(r["verdict"])
    if not verdicts:
        return []
    lines = ["", f"## {encoder}: Can the names be trusted?", "", TRUST]
    lines += table_head("check", ["fits", "names work", "they do not", "wrong"])
    for kind in (NAMES, NAMES_BOTH):
        good, bad = (verdicts.get((kind, works), []) for works in (True, False))
        cells = [
            ", ".join(f"{each} {some.count(each)}" for each in VERDICTS if each in some) or "-"
            for some in (good, bad)
        ]
        wrong = good.count("poor") + bad.count("good")
        lines.append(table_row([kind, str(len(good + bad)), *cells, str(wrong)]))
    return lines


def _names_and_labels(means: Any, encoder: str) -> list[str]:
    """Return the table of names with a few labels, which should not be worse than names alone."""
    kept = ("names", *NAMED_LABELS)
    rows = {
        corpus: [means[encoder, corpus, labels, NAMES_BOTH] for labels in kept]
        for corpus in NAMED
        if all((encoder, corpus, labels, NAMES_BOTH) in means for labels in kept)
    }
    if not rows:
        return []
    rows["mean"] = list(np.mean(list(rows.values()), axis=0))
    head = table_head("corpus", ["0", *(each.split()[1] for each in NAMED_LABELS)])
    table = [table_row([name, *(f"{v:.1f}" for v in values)]) for name, values in rows.items()]
    return ["", f"## {encoder}: Class names and a few random labels, in all", "", *head, *table]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=2)
    parser.add_argument("--corpora", nargs="+", choices=(*SHORT, *LONG), default=(*SHORT, *LONG))
    parser.add_argument("--encoder", choices=("multilingual", "minilm"), default="multilingual")
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # about classes without a label
    encoder = load_encoder(options.encoder)
    done = {tuple(record[field] for field in FIELDS) for record in read_records(RESULTS)}
    with RESULTS.open("a", encoding="utf-8") as file:
        for run in plan(list(options.corpora), options.draws):
            key = options.encoder, *run
            if key not in done:
                found = measure(*run, encoder)
                append_record(file, dict(zip(FIELDS, key, strict=True)) | found)
                print(*key, found, flush=True)
    write_page(PAGE, page(read_records(RESULTS)))


if __name__ == "__main__":
    main()
