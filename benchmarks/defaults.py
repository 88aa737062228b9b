"""Measure every default of FewLabels with and without it, on all corpora of texts.

    python -m benchmarks.defaults [--draws 3] [--corpora banking77 ...] [--variants idf ...]

A default must raise the mean, must still do so if any one corpus is left out, and must not cost any
corpus more than a point, on the mean of its draws and numbers of labels. Appends every finished run
(corpus, labels, draw, variant) to benchmarks/results/defaults.jsonl, continues where it stopped,
and writes docs/results/defaults.md. Requires the corpora.
"""

import argparse
import warnings
from typing import Any
from unittest import mock

import numpy as np

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
from honeybayes import FewLabelsClassifier, TextClassifier
from honeybayes.tables import find_data_file, read_corpus
from reproduction.corpora import load_corpus

RESULTS = RESULTS_FOLDER / "defaults.jsonl"
PAGE = DOCS / "results" / "defaults.md"

SHORT = (
    *("agnews-test", "trec-questions", "sms-spam", "banking77", "clinc150", "customer-reviews"),
    *("subjectivity", "counterfactual-en", "counterfactual-de", "sib200-eng", "sib200-deu"),
    *("sib200-tur", "sib200-zho", "sib200-jpn", "sib200-arb", "sib200-swh", "sib200-yor"),
)
OF_PAPERS = ("1150haber", "20news-18828", "religion", "science", "politics", "comp")
LONG = ("masakhanews-yor", "masakhanews-pcm", "webkb-pages", "mini-newsgroups", *OF_PAPERS)
LANGUAGES = {"deu": "german", "de": "german", "tur": "turkish", "1150haber": "turkish"}
LANGUAGES |= {"arb": "arabic"}
LABELS = ("5", "10", "25", "30 random", "100 random")  # per class, or in all
TARGET = 0.9  # of thresholds, which random labels allow
MOST_TEXTS = 2000  # half of them the pool, the others the test

OURS, REGRESSION = "default", "logistic regression"
VARIANTS: dict[str, dict[str, Any]] = {
    OURS: {},
    REGRESSION: {"model": "LogisticRegression-tfidf"},
    "stop words removed": {"stop_words": True},
    "stop words kept": {"stop_words": False},
    "no stems": {"stem": False},
    "pairs of words": {"ngram_range": (1, 2)},
    "no second opinion": {"settings": {"n_folds": 0}},
    "no singular axes": {"settings": {"n_axes": 0}},
    "guesses weigh little": {"settings": {"guess_weight": 0.001, "pool_weight": 0.003}},
}


def language_of(corpus: str) -> str:
    return LANGUAGES.get(corpus.rpartition("-")[2], "english")


def read_texts(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the texts and labels of a corpus; texts without a label are left out."""
    if name in OF_PAPERS:
        corpus = load_corpus(name)
        texts, labels = corpus.documents, corpus.labels
    else:
        corpus = read_corpus(find_data_file(f"{name}.jsonl.gz"), keep_unlabeled=True)
        texts, labels, _ = corpus.split_unlabeled()
    return np.asarray(texts, dtype=object), np.asarray(labels)


def choose_labeled(y: np.ndarray, labels: str) -> np.ndarray:
    """Return which texts of a shuffled pool have labels; at least two classes have one."""
    number = int(labels.split()[0])
    chosen = np.zeros(len(y), dtype=bool)
    if labels.endswith("random"):
        second = int(np.flatnonzero(y != y[0])[0])
        chosen[: max(number, second + 1)] = True
    else:
        for each in np.unique(y):
            rows = np.flatnonzero(y == each)
            chosen[rows[: max(1, min(number, len(rows) // 2))]] = True
    return chosen


def measure(name: str, labels: str, draw: int, variants: list[str], texts: Any, y: Any) -> Any:
    """Yield the record of each variant."""
    order = random_for("defaults", name, draw).permutation(len(y))[:MOST_TEXTS]
    pool, test = order[: len(order) // 2], order[len(order) // 2 :]
    chosen = choose_labeled(y[pool], labels)
    for variant in variants:
        settings = {"model": "FewLabels", "language": language_of(name), "encoder": None}
        settings |= VARIANTS[variant]
        how = FewLabelsClassifier._settings._replace(**settings.pop("settings", {}))
        classifier = TextClassifier(**settings)
        unlabeled = None if variant == REGRESSION else list(texts[pool[~chosen]])
        with mock.patch.object(FewLabelsClassifier, "_settings", how):
            classifier.fit(list(texts[pool[chosen]]), y[pool[chosen]], pool=unlabeled)
        proba = classifier.predict_proba(list(texts[test]))
        is_right = classifier.classes_[proba.argmax(axis=1)] == y[test]
        record = {"corpus": name, "labels": labels, "draw": draw, "variant": variant}
        record["accuracy"] = round(float(np.mean(is_right)), 4)
        record["ece"] = round(calibration_error(proba.max(axis=1), is_right), 4)
        if variant != REGRESSION:
            record["expected"] = round(float(classifier.model_.expected_accuracy_), 4)
        if variant == OURS and labels.endswith("random"):
            threshold = classifier.find_threshold(TARGET).threshold
            above = proba.max(axis=1) >= (2.0 if threshold is None else threshold)
            record["answered"], record["right"] = int(above.sum()), int(is_right[above].sum())
        yield record


def calibration_error(confidence: np.ndarray, is_right: np.ndarray) -> float:
    """Return the expected calibration error (ECE) of ten bins."""
    of_bin = np.minimum((10 * confidence).astype(int), 9)
    differences = np.bincount(of_bin, confidence - is_right, minlength=10)
    return float(np.abs(differences).sum() / len(confidence))


def run(corpora: list[str], draws: int, variants: list[str]) -> None:
    """Measure what is missing."""
    fields = ("corpus", "labels", "draw", "variant")
    done = {tuple(record[field] for field in fields) for record in read_records(RESULTS)}
    with RESULTS.open("a", encoding="utf-8") as file:
        for name in corpora:
            texts, y = read_texts(name)
            for draw in range(draws):
                for labels in LABELS:
                    missing = [v for v in variants if (name, labels, draw, v) not in done]
                    for record in measure(name, labels, draw, missing, texts, y):
                        append_record(file, record)
            print(name, flush=True)


class Accuracies:
    """Mean accuracy over draws, in points, by corpus, labels and variant."""

    def __init__(self, records: list[dict[str, Any]]) -> None:
        found: dict[tuple[str, str, str], dict[int, float]] = {}
        errors: dict[tuple[str, str], list[float]] = {}
        calibration: dict[tuple[str, str], list[float]] = {}
        for record in records:
            key = record["corpus"], record["labels"], record["variant"]
            found.setdefault(key, {})[record["draw"]] = 100 * record["accuracy"]
            if record["variant"] == OURS:
                error = 100 * (record["expected"] - record["accuracy"])
                errors.setdefault(key[:2], []).append(error)
                calibration.setdefault(key[:2], []).append(100 * record["ece"])
        self.found = found
        self.mean = {key: float(np.mean([*values.values()])) for key, values in found.items()}
        self.error = {key: float(np.mean(values)) for key, values in errors.items()}
        self.in_fits = {key: float(np.mean(np.abs(values))) for key, values in errors.items()}
        self.ece = {key: float(np.mean(values)) for key, values in calibration.items()}

    def corpora(self, labels: str, variant: str) -> list[str]:
        """Return the corpora for which the variant and the default were measured."""
        return [
            name
            for name in (*SHORT, *LONG)
            if {(name, labels, variant), (name, labels, OURS)} <= self.mean.keys()
        ]

    def gains(self, labels: str, variant: str) -> dict[str, float]:
        """Return what the default gains over a variant, by corpus, in the draws of both."""
        gains = {}
        for name in self.corpora(labels, variant):
            ours, other = (self.found[name, labels, each] for each in (OURS, variant))
            gains[name] = float(np.mean([ours[d] - other[d] for d in ours.keys() & other.keys()]))
        return gains

    def gains_of_draws(self, variant: str) -> dict[str, list[float]]:
        """Return what the default gains by corpus, one mean over all numbers of labels per draw."""
        gains: dict[str, dict[int, list[float]]] = {}
        for (name, labels, each), other in self.found.items():
            if each == variant:
                ours = self.found.get((name, labels, OURS), {})
                for draw in ours.keys() & other.keys():
                    of_draw = gains.setdefault(name, {}).setdefault(draw, [])
                    of_draw.append(ours[draw] - other[draw])
        return {name: [float(np.mean(v)) for v in of.values()] for name, of in gains.items()}


def verdict_row(table: Accuracies, variant: str) -> str:
    """Say what the defaults gain over all numbers of labels, and which corpora lose."""
    gains = table.gains_of_draws(variant)
    means = {name: float(np.mean(values)) for name, values in gains.items()}
    names, values = sorted(means, key=means.__getitem__), np.array([*means.values()])
    least = (values.sum() - values.max()) / (len(values) - 1)
    fewest, most = (f(len(each) for each in gains.values()) for f in (min, max))
    losers = [f"{name} {with_error(gains[name])}" for name in names if means[name] < -1]
    cells = [str(len(gains)), str(most) if fewest == most else f"{fewest} to {most}"]
    cells += [with_error([*values]), f"{least:+.1f}", f"{names[0]} {with_error(gains[names[0]])}"]
    return table_row([variant, *cells, ", ".join(losers) or "none"])


def with_error(values: list[float]) -> str:
    """Return the mean, and its standard error if there are several values."""
    error = f" ± {np.std(values, ddof=1) / np.sqrt(len(values)):.1f}" if len(values) > 1 else ""
    return f"{np.mean(values):+.1f}{error}"


def switch_rows(table: Accuracies, variant: str) -> list[str]:
    rows = []
    for labels in LABELS:
        gains = table.gains(labels, variant)
        if len(gains) < 3:
            continue
        names = sorted(gains, key=gains.__getitem__)
        values = np.array(list(gains.values()))
        least = (values.sum() - values.max()) / (len(values) - 1)
        worst, best = ((name, gains[name]) for name in (names[0], names[-1]))
        cells = [f"{values.mean():+.1f}", f"{least:+.1f}"]
        cells += [f"{gain:+.1f} ({name})" for name, gain in (worst, best)]
        rows.append(table_row([variant, labels, str(len(values)), *cells]))
    return rows


INTRODUCTION = """\
# Defaults, with and without

Written by `python -m benchmarks.defaults`; do not edit by hand.

`TextClassifier("FewLabels", encoder=None)` on {n_corpora} corpora of texts, {draws} draws. At most
2,000 texts of a corpus in random order: half are the pool, half the test. Labels: 5, 10 or 25 per
class (at most half of a class), or the first 30 or 100 texts of the pool. Accuracies are in points,
± standard errors.

A default stays only if the mean gain over the simpler setting is positive, also without the corpus
that gains most, and no corpus loses more than a point, on the mean of its draws and numbers of
labels: one draw with few labels is mostly noise. "Stop words removed" and "pairs of words" are no
simpler settings, but others that could be the default. These corpora do not promise the same for
others.
"""


def page(records: list[dict[str, Any]]) -> str:
    table = Accuracies(records)
    draws = 1 + max(record["draw"] for record in records)
    n_corpora = len({record["corpus"] for record in records})
    lines = [INTRODUCTION.format(n_corpora=n_corpora, draws=draws)]
    lines += threshold_lines(records)
    lines += ["## What the defaults gain over other settings", ""]
    columns = ["corpora", "draws", "mean", "without the best", "worst corpus", "lose over a point"]
    lines += table_head("instead", columns)
    lines += [verdict_row(table, each) for each in VARIANTS if each != OURS]
    lines += ["", "By the number of labels:", ""]
    columns = ["labels", "corpora", "mean", "without the best", "worst corpus", "best corpus"]
    lines += table_head("instead", columns)
    for variant in VARIANTS:
        if variant != OURS:
            lines += switch_rows(table, variant)
    for labels in LABELS:
        lines += corpus_rows(table, labels)
    return "\n".join([*lines, ""])


def threshold_lines(records: list[dict[str, Any]]) -> list[str]:
    """Say how often a threshold for 90 % holds, in the fits that find one."""
    lines = ["## Thresholds", "", f"`find_threshold({TARGET})`, in the fits that find one:", ""]
    lines += table_head(
        "labels", ["fits", "right, mean of fits", f"fits with {TARGET:.0%} or more"]
    )
    for labels in LABELS:
        fits = [r for r in records if r["labels"] == labels and r.get("answered")]
        if fits:
            right = np.array([each["right"] / each["answered"] for each in fits])
            held = f"{(right >= TARGET).mean():.0%}"
            lines.append(table_row([labels, str(len(fits)), f"{100 * right.mean():.1f}", held]))
    return [*lines, ""]


def corpus_rows(table: Accuracies, labels: str) -> list[str]:
    """Return the table of one number of labels: each corpus, then the means."""
    names = table.corpora(labels, REGRESSION)
    if not names:
        return []
    columns = ["FewLabels", REGRESSION, "expected - true", "|expected - true| of a fit", "ECE"]
    lines = ["", f"## By corpus, {labels} labels", "", *table_head("corpus", columns)]
    rows = {
        name: [
            *(table.mean[name, labels, each] for each in (OURS, REGRESSION)),
            *(found[name, labels] for found in (table.error, table.in_fits, table.ece)),
        ]
        for name in names
    }
    for kind, chosen in (("short", SHORT), ("long", LONG)):
        some = [values for name, values in rows.items() if name in chosen]
        if some:
            rows[f"mean of the {kind} ones"] = list(np.mean(some, axis=0))
    for name, (ours, regression, error, *others) in rows.items():
        cells = [f"{ours:.1f}", f"{regression:.1f}", f"{error:+.1f}"]
        lines.append(table_row([name, *cells, *(f"{value:.1f}" for value in others)]))
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=3)
    parser.add_argument("--corpora", nargs="+", choices=(*SHORT, *LONG), default=(*SHORT, *LONG))
    parser.add_argument("--variants", nargs="+", choices=VARIANTS, default=list(VARIANTS))
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # about classes without a label
    run(list(options.corpora), options.draws, list(options.variants))
    write_page(PAGE, page(read_records(RESULTS)))


if __name__ == "__main__":
    main()
