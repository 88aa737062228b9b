"""How often the tests of ``Comparison.differences`` are wrong, and what they find: a simulation.

A large corpus is the world. A table is a random part of it, as a user has it. Models are compared
on ten draws of a few labels per class from the table. This is repeated for many tables. The mean of
all differences is the true difference of two models in the world. A test is right if it rejects
the true difference in 5 % of the tables. The power is the share of the tables in which it finds a
difference that is 5 points away from the truth.

"halves" compares a model with itself on another random half of the words, chosen anew in each draw,
so that no true difference exists, in the world and in every table. "this table" draws from one
table only, and takes the mean over its draws as the truth.

The two-level test has N_DRAWS - 1 degrees of freedom. Satterthwaite's, which are more if documents
are a large part of the variance, rejected the truth too often: in up to 11.5 % of tables instead
of 7.5 %, in the settings in which no model fails.

Run it: ``python -m benchmarks.significance`` (four minutes of one core for 200 tables), or for one
corpus ``python -m benchmarks.significance trec-questions --tables 100``.
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np
from scipy import sparse, stats
from sklearn.feature_extraction.text import TfidfTransformer

from benchmarks.corpora import counts_of, skip_if_missing
from honeybayes.evaluate import RandomSplits, paired_t_test, two_level_test

# corpus -> sizes of tables with labels per class, so that each class is large enough
SETTINGS = {
    "agnews-test": ((300, 5), (300, 25), (1000, 10)),
    "trec-questions": ((1000, 5), (3000, 10)),
    "ohscal": ((1000, 5), (1000, 25)),
    "sms-spam": ((1000, 5), (1000, 25)),
}
TESTS = ("two-level", "paired-t", "corrected-t")
N_DRAWS = 10
POINTS = 0.05


class World:
    """Documents with their classes, and three models that are fast enough to fit often."""

    def __init__(self, name: str) -> None:
        counts, labels = counts_of(name, min_df=4)
        kept = np.asarray(counts.sum(axis=1)).ravel() > 0
        self.counts = sparse.csr_matrix(counts)[kept].astype(np.float64)
        self.weights = TfidfTransformer(sublinear_tf=True).fit_transform(self.counts)
        self.y = np.unique(labels[kept], return_inverse=True)[1]

    def right_answers(self, rows: np.ndarray, per_class: int, seed: int) -> np.ndarray:
        """Return which rows each model gets right, of shape (n_models, n_draws, n_rows)."""
        y, random = self.y[rows], np.random.default_rng(seed)
        counts, weights = self.counts[rows], self.weights[rows]
        columns = np.unique(counts.indices)
        counts, weights = counts[:, columns], weights[:, columns]
        right = np.full((5, N_DRAWS, len(rows)), np.nan)
        splits = RandomSplits(per_class=per_class, repetitions=N_DRAWS).split(y, "world", seed)
        for draw, split in enumerate(splits):
            own = (np.unique(self.y)[:, np.newaxis] == y[split.train]).astype(float)
            sums, vectors = own @ counts[split.train], own @ weights[split.train]
            half = random.random((2, len(columns))) < 0.5
            scores = (
                counts[split.test] @ _logs(sums + 1).T,  # multinomial naive Bayes
                -weights[split.test] @ _logs(vectors.sum(axis=0) - vectors + 1).T,  # complement
                weights[split.test] @ _unit(vectors).T,  # nearest centroid
                *(weights[split.test] @ _unit(vectors * chosen).T for chosen in half),
            )
            for model, score in enumerate(scores):
                right[model, draw, split.test] = score.argmax(axis=1) == y[split.test]
        return right


PAIRS = [*combinations(range(3), 2), (3, 4)]
NAMES = ("naive Bayes", "complement", "centroid", "half", "halves")


def _logs(sums: np.ndarray) -> np.ndarray:
    return np.log(sums / sums.sum(axis=1, keepdims=True))


def _unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.maximum(np.sqrt((vectors**2).sum(axis=1, keepdims=True)), 1e-12)


class Found(NamedTuple):
    """A mean difference and its standard error, from which every hypothesis can be tested."""

    mean: float
    error: float


def estimates(right: np.ndarray) -> Iterator[tuple[tuple[int, int], dict[str, Found]]]:
    """Estimate the difference of each pair of models by each test."""
    means = np.nanmean(right, axis=2)
    n_test = float((~np.isnan(right[0])).sum(axis=1).mean())
    overlap = n_test / (right.shape[2] - n_test)
    for a, b in PAIRS:
        mean = float(means[a].mean() - means[b].mean())
        # one is added so that no statistic is 0; the standard error is the same
        tests = {
            "two-level": two_level_test(right[a] + 1, right[b]),
            "paired-t": paired_t_test(means[a] + 1, means[b]),
            "corrected-t": paired_t_test(means[a] + 1, means[b], overlap),
        }
        yield (a, b), {name: Found(mean, (mean + 1) / t.statistic) for name, t in tests.items()}


def rejections(found: list[Found], truth: float) -> float:
    """Return the percentage of estimates that reject the hypothesis ``truth``."""
    t = np.array([(one.mean - truth) / one.error for one in found])
    return 100 * float(np.mean(2 * stats.t.sf(np.abs(t), N_DRAWS - 1) <= 0.05))


def simulate(world: World, n_rows: int, per_class: int, n_tables: int, *, one: bool) -> list[list]:
    """Return a row per pair of models: its true difference, and what each test does with it."""
    found: dict[tuple[int, int], list[dict[str, Found]]] = defaultdict(list)
    rows = np.random.default_rng(0).choice(len(world.y), n_rows, replace=False)
    for number in range(n_tables):
        if not one:
            random = np.random.default_rng(number)
            rows = random.choice(len(world.y), n_rows, replace=False)
        for pair, by_test in estimates(world.right_answers(rows, per_class, number)):
            found[pair].append(by_test)
    table = []
    for pair, by_table in found.items():
        truth = (
            0.0 if pair[0] == 3 else float(np.mean([each["paired-t"].mean for each in by_table]))
        )
        own = {test: [each[test] for each in by_table] for test in TESTS}
        wrong = [rejections(own[test], truth) for test in TESTS]
        power = [rejections(own[test], truth + POINTS) for test in TESTS]
        table.append([f"{NAMES[pair[0]]}, {NAMES[pair[1]]}", 100 * truth, *wrong, *power])
    return table


def main() -> None:
    """Print Markdown tables, that of the exact null first."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpora", nargs="*", default=list(SETTINGS))
    parser.add_argument("--tables", type=int, default=200)
    options = parser.parse_args()
    heads = [f"{what}, {test}" for what in ("rejects truth", "finds 5 points") for test in TESTS]
    columns = ["corpus", "rows", "labels", "models", "truth", *heads]
    everything = defaultdict(list)
    halves, others = [], []
    for name in options.corpora:
        with skip_if_missing(name):
            world = World(name)
            for n_rows, per_class in SETTINGS[name]:
                for one in (False, True):
                    of_world = "this table" if one else "world"
                    for models, truth, *rates in simulate(
                        world, n_rows, per_class, options.tables, one=one
                    ):
                        cells = [f"{rate:.1f}" for rate in rates]
                        what = [f"{name}, {of_world}", str(n_rows), str(per_class), models]
                        line = "| " + " | ".join([*what, f"{truth:+.1f}", *cells]) + " |"
                        (halves if NAMES[-1] in models else others).append(line)
                        everything[of_world].append(rates)
                print(f"{name}, {n_rows} rows, {per_class} labels: finished", file=sys.stderr)
    head = "| " + " | ".join(columns) + " |\n" + "| --- " * len(columns) + "|"
    print("The exact null, which must be rejected in 5 % of the tables:\n", head, *halves, sep="\n")
    print("\nModels that differ, whose true difference is estimated:\n", head, *others, sep="\n")
    for of_world, rates in everything.items():
        cells = [f"{rate:.1f}" for rate in np.mean(rates, axis=0)]
        print(f"| **mean, {of_world}** | | | | | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
