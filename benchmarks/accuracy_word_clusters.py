"""Naive Bayes on word clusters beside the figures that the first HONB paper quotes.

    python -m benchmarks.accuracy_word_clusters [--trials 8] [--seed 0] [--fresh]

The published accuracies are rows of docs/reproduction/word_clusters_published.csv. Every finished
trial is written to word_clusters.jsonl beside it at once, so that an interrupted run goes on where
it stopped; word_clusters.md is the page.
"""

import argparse
import csv
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import groupby
from operator import attrgetter

import numpy as np
from scipy import sparse

from benchmarks.accuracy_bernoulli import FOLDER, draw_from_each_class, prepare
from benchmarks.records import random_for, write_whole
from honeybayes import CountNB, WordClusterNB

PUBLISHED = FOLDER / "word_clusters_published.csv"
RESULTS = FOLDER / "word_clusters.jsonl"
PAGE = FOLDER / "word_clusters.md"
PER_CLASS = 25
CHOSEN = 50  # set before the first run, one for all corpora: the default of WordClusterNB
SHOWN = [10, 20, CHOSEN, 100, 200, 500]
WORDS = 0  # no clusters: mNB
EVENTS = {"counts": False, "presence": True}

INTRODUCTION = """\
# Word clusters beside the quoted figures

Written by `python -m benchmarks.accuracy_word_clusters`; do not edit by hand. Accuracy in percent,
mean and standard deviation of {trials} trials, seed {seed}.

Table 3 of Ganiz, Lytkin and Pottenger (2009) quotes multinomial naive Bayes on words (mNB) and on
word clusters (NBWC) from Slonim and Tishby (2001) without their training size, their text
processing or their number of clusters. So the levels cannot be compared, only what the clusters
add.

- Here: the text chain of the 2009 paper, {per_class} training documents of each class out of 500,
  the rest test, the trials of [the Bernoulli family](bernoulli.md). **protocol="paper"**:
  information gain chose the 2,000 terms from *all* documents, which flatters every model.
- Terms that are in no training document are dropped on each trial.
- **counts**: how often a term occurs, as multinomial naive Bayes has it. **presence**: whether it
  occurs, as the 2009 paper has it for its own models.
- The rule for the number of clusters, set before the first run: {chosen}, the default of
  `WordClusterNB`, for every corpus. The second table shows other numbers; no choice was made by it.
"""


@dataclass(frozen=True, order=True)
class Trial:
    """One model trained and tested once; on words if ``n_clusters`` is 0."""

    corpus: str
    events: str
    trial: int
    n_clusters: int
    seed: int


Results = dict[Trial, float]


def read_published() -> dict[tuple[str, str], float]:
    with PUBLISHED.open(encoding="utf-8", newline="") as file:
        return {
            (row["corpus"], row["model"]): float(row["accuracy"]) for row in csv.DictReader(file)
        }


def read_results() -> Results:
    if not RESULTS.exists():
        return {}
    results = {}
    for line in RESULTS.read_text(encoding="utf-8").split("\n")[:-1]:  # without a torn last line
        record = json.loads(line)
        accuracy = record.pop("accuracy")
        results[Trial(**record)] = accuracy
    return results


def result_line(trial: Trial, accuracy: float) -> str:
    return json.dumps({**asdict(trial), "accuracy": accuracy}) + "\n"


def accuracy_of(trial: Trial, X: sparse.csr_array, y: np.ndarray) -> float:
    """Train and test once; the split is the same for every model."""
    random = random_for(trial.seed, trial.corpus, 5, trial.trial)
    train, test = draw_from_each_class(y, lambda n: PER_CLASS, random)
    seen = np.unique(X[train].indices)
    X = X[:, seen]
    model = CountNB() if trial.n_clusters == WORDS else WordClusterNB(trial.n_clusters)
    return model.fit(X[train], y[train]).score(X[test], y[test])


def run(pending: list[Trial]) -> Iterator[tuple[Trial, float]]:
    """Yield the accuracies that are missing."""
    for (corpus, events, seed), trials in groupby(
        sorted(pending), key=attrgetter("corpus", "events", "seed")
    ):
        X, y = prepare("honb-2009", corpus, seed, counts__binary=EVENTS[events])
        for trial in trials:
            yield trial, accuracy_of(trial, X, y)


def page(
    published: dict[tuple[str, str], float], results: Results, seed: int, n_trials: int
) -> str:
    def measured(corpus: str, events: str, n_clusters: int) -> np.ndarray:
        trials = [Trial(corpus, events, k, n_clusters, seed) for k in range(n_trials)]
        return 100 * np.array([results[trial] for trial in trials])

    def cell(accuracies: np.ndarray, sign: str = "") -> str:
        return f"{accuracies.mean():{sign}.1f} ± {accuracies.std(ddof=1):.1f}"

    corpora = list(dict.fromkeys(corpus for corpus, _ in published))
    beside = [["corpus", "", "mNB", "NBWC", "clusters add"], ["---", "---", "--:", "--:", "--:"]]
    for corpus in corpora:
        words, clusters = published[corpus, "mNB"], published[corpus, "NBWC"]
        beside.append([corpus, "quoted", f"{words}", f"{clusters}", f"{clusters - words:+.1f}"])
        for events in EVENTS:
            ours = [measured(corpus, events, n) for n in (WORDS, CHOSEN)]
            add = cell(ours[1] - ours[0], "+")
            beside.append([corpus, events, cell(ours[0]), cell(ours[1]), add])
    numbers = [
        ["corpus", "", "words", *(f"{n} clusters" for n in SHOWN)],
        ["---", "---", *["--:"] * (1 + len(SHOWN))],
    ]
    for corpus in corpora:
        for events in EVENTS:
            cells = [f"{measured(corpus, events, n).mean():.1f}" for n in (WORDS, *SHOWN)]
            numbers.append([corpus, events, *cells])
    introduction = INTRODUCTION.format(
        trials=n_trials, seed=seed, per_class=PER_CLASS, chosen=CHOSEN
    )
    tables = [
        "\n".join("| " + " | ".join(row) + " |" for row in each) for each in (beside, numbers)
    ]
    return "\n".join(
        [introduction, tables[0], "", "## Other numbers of clusters", "", tables[1], ""]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trials", type=int, default=8)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--fresh", action="store_true", help="measure anew what was measured")
    options = parser.parse_args()
    if options.fresh:
        RESULTS.unlink(missing_ok=True)
    published, results = read_published(), read_results()
    wanted = {
        Trial(corpus, events, trial, n_clusters, options.seed)
        for corpus, _ in published
        for events in EVENTS
        for trial in range(options.trials)
        for n_clusters in (WORDS, *SHOWN)
    }
    write_whole(RESULTS, "".join(result_line(*item) for item in sorted(results.items())))
    with RESULTS.open("a", encoding="utf-8") as file:
        for trial, accuracy in run(sorted(wanted - results.keys())):
            results[trial] = accuracy
            file.write(result_line(trial, accuracy))
            file.flush()
            print(f"{trial}: {100 * accuracy:.2f}", flush=True)
    write_whole(RESULTS, "".join(result_line(*item) for item in sorted(results.items())))
    write_whole(PAGE, page(published, results, options.seed, options.trials))
    print(f"Wrote {PAGE}")


if __name__ == "__main__":
    main()
