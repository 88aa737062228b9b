"""Rank the texts of rare classes, as in the screening of a review, beside ASReview's default.

    python -m benchmarks.screening [--minutes 12] [--priors 10] [--corpora banking77 ...]

A task is a class that has 1 to 10 % of a corpus, among up to 500 of its texts. A search starts from
one relevant and one other text, the prior, and there are ten priors. The model learns again after
each text, and ranks the others; the first is read next. Only the features differ: classifier and
balance are ASReview's.
Appends every run to benchmarks/results/screening.jsonl, and continues where it stopped.
benchmarks/published.py writes the page. Requires the corpora, ASReview and the extra `vectors`.
"""

import argparse
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any
from unittest import mock

import numpy as np
import pandas as pd
import sklearn

from benchmarks.defaults import language_of, read_texts
from benchmarks.records import (
    RESULTS_FOLDER,
    append_record,
    random_for,
    read_records,
    table_head,
    table_row,
)
from honeybayes.asreview import Texts
from honeybayes.labeling import simulate_screening
from honeybayes.tables import load_corpus

RESULTS = RESULTS_FOLDER / "screening.jsonl"
SIB = tuple(f"sib200-{each}" for each in ("eng", "deu", "tur", "zho", "jpn", "arb", "swh", "yor"))
CORPORA = ("trec-questions", "webkb-pages", *SIB, "clinc150", "20news-18828", "banking77")
LEAST_SHARE, MOST_SHARE, MOST_RECORDS = 0.01, 0.1, 500
DEFAULT, WORDS, BOTH = "ASReview's default", "honeybayes_texts, words", "honeybayes_texts"
FORMS = (DEFAULT, WORDS, BOTH)
CERTIFICATE, N_SEARCHES = "certificate", 5
BUNDLED, N_BUNDLED = "messages", 25  # a corpus that everybody has, and searches in it
FIELDS = ("corpus", "class", "prior", "form")
FORMATS = {"loss": ".3f", "recall": ".2f", "read": ".0f"}


def tasks(corpora: Any) -> Iterator[tuple[str, str, pd.DataFrame, np.ndarray]]:
    """Yield corpus, class, records, and which records are relevant."""
    for corpus in corpora:
        texts, y = read_texts(corpus)
        rows = random_for("screening", corpus).permutation(len(y))[:MOST_RECORDS]
        for each in np.unique(y):
            if LEAST_SHARE <= np.mean(y == each) <= MOST_SHARE and (y[rows] == each).sum() > 2:
                records = pd.DataFrame({"title": "", "abstract": texts[rows]})
                yield corpus, str(each), records, (y[rows] == each).astype(int)


def tasks_of_certificates(corpora: Any) -> Iterator[tuple[int, str, str, pd.DataFrame, np.ndarray]]:
    """Yield a number of searches and a task; first all classes of the bundled corpus."""
    messages = load_corpus(BUNDLED)
    records = pd.DataFrame({"title": "", "abstract": messages.documents})
    for each in messages.classes:
        yield N_BUNDLED, BUNDLED, str(each), records, (messages.labels == each).astype(int)
    for task in tasks(corpora):
        yield N_SEARCHES, *task


def features_of(form: str, corpus: str, records: pd.DataFrame, default: Any) -> Any:
    """Return what a feature extractor makes of the records."""
    if form == DEFAULT:
        return default.transform(records)
    extractor = Texts(language=language_of(corpus))
    if form == BOTH:
        return extractor.fit_transform(records)
    with mock.patch.dict("os.environ", HONEYBAYES_ENCODER="none"):
        return extractor.fit_transform(records)


def screen(cycle: Any, X: Any, y: np.ndarray, prior: list[int]) -> list[int]:
    """Return the labels of the records in the order in which they are read, without the prior."""
    rest = np.setdiff1d(np.arange(len(y)), prior)
    known, read = list(prior), []
    while y[rest].any():
        cycle.fit(X[known], y[known])
        first = rest[cycle.rank(X[rest])[0]]
        read.append(int(y[first]))
        known.append(first)
        rest = rest[rest != first]
    return read + [0] * len(rest)


def measure(read: list[int]) -> dict[str, Any]:
    """Return ASReview's loss, the recall after a tenth, and the records read for 95 %."""
    from asreview.metrics import loss

    found = np.cumsum(read) / sum(read)
    tenth = found[int(np.ceil(0.1 * len(read))) - 1]
    needed = int(np.argmax(found >= 0.95)) + 1
    return {"loss": round(loss(read), 4), "recall": round(float(tenth), 4), "read": needed}


def run(corpora: Any, priors: int, until: float) -> None:
    """Measure what is missing, until a moment of the clock."""
    from asreview.learner import ActiveLearningCycle
    from asreview.models import get_ai_config

    config = get_ai_config("elas_u4")["value"]
    done = {tuple(record[field] for field in FIELDS) for record in read_records(RESULTS)}
    features: dict[tuple[str, str], Any] = {}  # all tasks of a corpus have the same records
    with RESULTS.open("a", encoding="utf-8") as file:
        for prior in range(priors):
            for corpus, name, records, y in tasks(corpora):
                rng = random_for("prior", corpus, name, prior)
                first = [int(rng.choice(np.flatnonzero(y == each))) for each in (1, 0)]
                for form in FORMS:
                    key = corpus, name, prior, form
                    if key in done:
                        continue
                    if time.monotonic() > until:
                        print("Stopped: start again to continue.")
                        return
                    cycle = ActiveLearningCycle.from_meta(config)
                    if (corpus, form) not in features:
                        features[corpus, form] = features_of(form, corpus, records, cycle)
                    read = screen(cycle, features[corpus, form], y, first)
                    append_record(file, dict(zip(FIELDS, key, strict=True)) | measure(read))
                print(prior, corpus, name, flush=True)


def run_certificates(corpora: Any, until: float) -> None:
    """Search with the model of `simulate_screening`, and check at random, until a moment."""
    done = {tuple(record[field] for field in FIELDS) for record in read_records(RESULTS)}
    with RESULTS.open("a", encoding="utf-8") as file:
        for n_runs, corpus, name, records, y in tasks_of_certificates(corpora):
            if (corpus, name, n_runs - 1, CERTIFICATE) in done:
                continue
            if time.monotonic() > until:
                print("Stopped: start again to continue.")
                return
            runs = simulate_screening(
                records["abstract"], y == 1, n_runs=n_runs, language=language_of(corpus)
            )
            for number, found in enumerate(runs):
                key = dict(zip(FIELDS, (corpus, name, number, CERTIFICATE), strict=True))
                append_record(file, key | asdict(found))


def page_lines() -> list[str]:
    """Return two sections of the page: rankings, and certificates."""
    records = read_records(RESULTS)
    ranked = pd.DataFrame([r for r in records if r["form"] in FORMS])
    runs = ranked.pivot(index=list(FIELDS[:3]), columns="form", values=list(FORMATS)).dropna()
    lines = ["", "## Rare classes", "", RARE_TEXT]
    columns = [f"{what}, {form}" for what in FORMATS for form in ("default", "words", "both")]
    lines += ["", *table_head("corpus", ["classes", "runs", *columns])]
    n_tasks = Counter(corpus for corpus, *_ in tasks(CORPORA))
    of_corpora = runs.groupby(level="corpus").mean()

    def row(name: str, some: pd.DataFrame, n_possible: int, means: pd.Series) -> str:
        n_classes = len(some.index.droplevel("prior").unique())
        cells = [f"{means[what, form]:{FORMATS[what]}}" for what in FORMATS for form in FORMS]
        return table_row([name, f"{n_classes} of {n_possible}", str(len(some)), *cells])

    for corpus in CORPORA:
        if corpus in of_corpora.index:
            lines.append(row(corpus, runs.loc[[corpus]], n_tasks[corpus], of_corpora.loc[corpus]))
    lines.append(row("**all runs**", runs, n_tasks.total(), runs.mean()))
    lines.append(row("**mean of the corpora**", runs, n_tasks.total(), of_corpora.mean()))
    lines += ["", "## A certificate of recall", "", CERTIFICATE_TEXT]
    lines += [
        "",
        *table_head(
            "corpus", ["searches", "relevant", "read", "checked", "found", "proved", "true"]
        ),
    ]
    proved = [r for r in records if r["form"] == CERTIFICATE]
    for corpus in (BUNDLED, *CORPORA, "**all**"):
        own = [r for r in proved if corpus in (r["corpus"], "**all**")]
        if own:
            means = {key: np.mean([r[key] for r in own]) for key in own[0] if key not in FIELDS}
            true = np.mean([r["bound"] <= r["recall"] + 1e-12 for r in own])
            cells = [str(len(own))]
            cells += [f"{means[key]:.0f}" for key in ("n_relevant", "n_read", "n_checked")]
            cells += [f"{100 * value:.1f} %" for value in (means["recall"], means["bound"], true)]
            lines.append(table_row([corpus, *cells]))
    return lines


RARE_TEXT = f"""\
Each class with 1 to 10 % of a corpus is searched among up to {MOST_RECORDS} of its texts, from one
relevant and one other text, the prior, which is drawn anew for each run. After each text the model
learns again, and the first of its ranking is read next. "default" is the default of ASReview 3.0.8
(ELAS u4: tf-idf with pairs of words, LinearSVC with C=.11, balance 9.8), run here.
`honeybayes_texts` replaces its features only: "both" are words and vectors, "words" is without the
extra `vectors`. The loss is ASReview's: 0 if all relevant texts come first. "recall" is the share
found after 10 % of the texts, "read" the number of texts read for 95 %.

honeybayes offers ASReview features and no classifier: as one, `FewLabels` had losses of .071 and
.277 on two reviews where the default had .064 and .170.

These features were chosen after trials on sib200-eng, sib200-deu, banking77, trec-questions and
webkb-pages, which are also in the table, so for these the figures are not a test. banking77 has
most of the searches, so the last row gives each corpus the same weight."""
CERTIFICATE_TEXT = f"""\
`simulate_screening`, as `honeybayes simulate --relevant` runs it: {N_BUNDLED} searches for each
class of the bundled {BUNDLED}, {N_SEARCHES} for each task above, as far as they were run. A search
ends after 50 texts in a row that are not relevant; then `checks_needed` of the others are checked
at random. "proved" is the lower bound for the share found, with 95 % certainty; "true" is the share
of searches in which it holds. Few relevant texts need many checks, whatever the ranking: if 20 are
found and 4,000 unread, 3,106 must be checked; if 190 are found, 953."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=float("inf"), help="stop after these")
    parser.add_argument("--priors", type=int, default=10)
    parser.add_argument("--corpora", nargs="+", choices=CORPORA, default=CORPORA)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    sklearn.set_config(assume_finite=True, skip_parameter_validation=True)  # thousands of fits
    until = time.monotonic() + 60 * options.minutes
    run(options.corpora, options.priors, until)
    run_certificates(options.corpora, until)


if __name__ == "__main__":
    main()
