"""Learning curves on the bundled corpora, beside two real ones.

    python -m benchmarks.bundled_curve [--draws 5]

Writes docs/results/bundled.md. Everything is fitted to the training part; the other texts are the
test, and, without their labels, the pool.
"""

import argparse
import warnings

import numpy as np

from benchmarks.corpora import read_texts_or_counts, skip_if_missing
from benchmarks.records import DOCS, random_for, table_head, table_row, write_page
from honeybayes import NoPathWarning
from honeybayes.evaluate import RandomSplits, compare
from honeybayes.tables import Corpus, load_corpus

PAGE = DOCS / "results" / "bundled.md"
SIZES = (5, 10)
MODELS = ("NB", "HONB", "HOS", "HOS-alpha0", "CNB", "HCNB", "LogisticRegression-tfidf", "FewLabels")
USE_A_POOL = ("FewLabels",)
MOST_TEXTS = 700  # as many as the bundled corpora have
REAL = ("agnews-test", "science")
INTRODUCTION = """\
# Learning curves on the bundled corpora

Written by `python -m benchmarks.bundled_curve`; do not edit by hand.

Accuracy in percent by labels per class, mean ± standard deviation of {draws} draws; the other texts
are the test. Models marked "pool" also learn from these texts, without their labels. Two real
corpora stand beside the bundled ones: {real}, with {most} texts each. The
[messages](../corpora.md#messages) were written without repetition, so a pool helps least. The
[mailbox](../corpora.md#mailbox) is synthetic: labels alone bring more than on real texts, and a
pool adds less than on these two.
"""


def corpora() -> list[Corpus]:
    """Return the bundled corpora, and some texts of each real one."""
    found = [load_corpus("messages"), load_corpus("mailbox")]
    for name in REAL:
        corpus = read_texts_or_counts(name)
        rows = np.sort(random_for("bundled", name).permutation(len(corpus))[:MOST_TEXTS])
        found.append(Corpus(name, [corpus.documents[row] for row in rows], corpus.labels[rows]))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=5)
    draws = parser.parse_args().draws
    warnings.simplefilter("ignore", NoPathWarning)
    splits = [RandomSplits(per_class=size, repetitions=draws) for size in SIZES]
    with skip_if_missing(" and ".join(REAL)):
        found = corpora()
        lines = [INTRODUCTION.format(draws=draws, real=" and ".join(REAL), most=MOST_TEXTS)]
        columns = [f"{corpus.name}, {size}" for corpus in found for size in SIZES]
        lines += table_head("model", columns)
        for title, models, pool in (("", MODELS, False), (", pool", USE_A_POOL, True)):
            result = compare(models, found, splits, pool=pool, metrics=["accuracy"])
            for model in models:
                cells = []
                for corpus in found:
                    for size in SIZES:
                        place = (corpus.name, f"{size} per class")
                        scores = 100 * np.asarray(result.scores(model, place))
                        cells.append(f"{scores.mean():.1f} ± {scores.std(ddof=1):.1f}")
                lines.append(table_row([model + title, *cells]))
        write_page(PAGE, "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
