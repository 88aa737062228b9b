"""Compare all models under the clean protocol, with few labels and with many.

    python -m benchmarks.clean_protocol [--trials 3] [--corpora oh0 wap] [--splits "5 per class"]
    python -m benchmarks.clean_protocol --page

The first appends every finished trial to benchmarks/results/clean.jsonl, and continues where it
stopped. The second writes docs/clean-protocol.md from the saved trials. Requires the corpora of the
papers.
"""

import argparse
import warnings
from collections.abc import Sequence

import numpy as np
from scipy.stats import rankdata

from benchmarks import few_labels
from benchmarks.choose_default import CORPORA, SAME_AS, SLOW
from benchmarks.corpora import analyzer_for
from benchmarks.pictures import make_svg_repeatable, save_picture
from benchmarks.records import (
    DOCS,
    RESULTS_FOLDER,
    bold_best,
    table_head,
    table_row,
    write_page,
)
from honeybayes import NoPathWarning, list_models
from honeybayes.evaluate import (
    Comparison,
    RandomSplits,
    compare,
    critical_difference,
    plot_critical_difference,
    read_results,
)
from honeybayes.tables import Corpus
from reproduction.corpora import load_corpus
from reproduction.headers import filter_headers

RESULTS = RESULTS_FOLDER / "clean.jsonl"
PAGE = DOCS / "clean-protocol.md"
LABELS = (5, 10, 25, 50)
MOST_TEST_DOCUMENTS = 1500
METRICS = ["accuracy", "macro_f1"]
RIVALS = ("ComplementNB-tfidf", "LogisticRegression-tfidf", "LinearSVC-tfidf")

INTRODUCTION = """\
# All models, everything fitted in the training part

Written by `python -m benchmarks.clean_protocol --page`; do not edit by hand.

Accuracy in percent with 5, 10, 25 or 50 labeled documents per class (at most half of a class), or
with 90 % of all documents. Each table says over how many draws the mean is taken. With so few,
differences of less than a point mean little: look at the ranks. **Clean protocol**: vocabulary and
weights come from the training documents only, and no terms are selected. The test part is up to
1,500 of the other documents. Texts go through `TextAnalyzer`; newsgroups keep `From:` and
`Subject:`. The other corpora are published as counts. Nothing was tuned here. The models with
`-tfidf` in their name are scikit-learn's, for comparison. Empty cells were not run.

Every training document has a label here. [The last table](#with-a-pool-of-unlabeled-documents)
shows what a pool of unlabeled documents adds.
"""

POOL = """\
## With a pool of unlabeled documents

Accuracy in percent with 5, 10 and 25 labels per class, mean of {draws} draws. The draws are not
those of the tables above. The pool is half of a corpus, and all of its documents but the labeled
ones are unlabeled. FewLabels learns from labels and pool. It is compared with the best model of two
groups, chosen for each corpus and size after the test: the three scikit-learn models, which learn
from the labels only; and naive Bayes with EM and latent semantic analysis with logistic regression,
which learn from the same pool. All results are on
[the page on few labels](results/few-labels.md).
"""


def splitters(trials: int) -> list[RandomSplits]:
    options = {"repetitions": trials, "max_test": MOST_TEST_DOCUMENTS}
    few = [RandomSplits(per_class=labels, **options) for labels in LABELS]
    return [*few, RandomSplits(percent=90, **options)]


def load(name: str) -> Corpus:
    corpus = load_corpus(name)
    if not isinstance(corpus.documents, list):
        return corpus
    return Corpus(corpus.name, filter_headers(corpus.documents), corpus.labels)


def run(corpora: list[str], models: list[str], splits: list[RandomSplits]) -> None:
    warnings.simplefilter("ignore", NoPathWarning)
    for splitter in splits:  # few labels first, on all corpora
        for name in corpora:
            options = {
                "analyzer": analyzer_for(name),
                "metrics": METRICS,
                "results": RESULTS,
                "pool": False,
            }
            compare(models, load(name), splitter, **options)
            print(f"{name}, {splitter.label}", flush=True)


def page(comparison: Comparison) -> str:
    parts = [INTRODUCTION]
    labels = [s.label for s in splitters(1)]
    for label in (known for known in labels if known in {split for _, split in comparison.places}):
        here = Comparison(tuple(r for r in comparison.results if r.cell.split == label))
        parts += [f"## {label}\n", *table(here, label, comparison.models)]
    return "\n".join([*parts, *pool_table()])


def pool_table() -> list[str]:
    """Compare FewLabels with the best of the others, and list where it loses."""
    measured = few_labels.Table(few_labels.read_results(), few_labels.DRAWS)
    contenders = {
        "FewLabels": (few_labels.OURS,),
        "best of labels only": RIVALS,
        "best of EM, LSA": (few_labels.EM, few_labels.LSA),
    }
    head = [f"{name}, {size}" for size in few_labels.SIZES for name in contenders]
    lines = table_head("corpus", head)
    lost = []
    for corpus in CORPORA:
        cells = []
        for size in few_labels.SIZES:
            values = [
                round(100 * max(measured.corpus(corpus, size, model) for model in models), 1)
                for models in contenders.values()
            ]
            cells += bold_best(values)
            if values[0] < max(values):
                lost.append(f"{corpus} at {size} ({values[0] - max(values):.1f})")
        lines.append(table_row([corpus, *cells]))
    return [
        POOL.format(draws=few_labels.DRAWS),
        *lines,
        "",
        f"FewLabels loses on {', '.join(lost)}.",
        "",
    ]


def table(comparison: Comparison, label: str, models: Sequence[str]) -> list[str]:
    """Return a table of models by corpora, sorted by the mean."""
    trials = sorted({summary.trials for summary in comparison.summaries()})
    draws = " or ".join(map(str, trials)) + (" draw" if trials == [1] else " draws")
    means = {(s.corpus, s.model): 100 * s.mean for s in comparison.summaries()}
    corpora = [corpus for corpus in CORPORA if any(corpus == c for c, _ in means)]
    full = [m for m in comparison.models if all((c, m) in means for c in corpora)]
    if not full:
        return ["No model has been run on all corpora yet.\n"]
    partial = [model for model in models if model not in full]
    overall = {m: np.mean([means[c, m] for c in corpora]) for m in full}
    ranked = sorted(full, key=lambda model: -overall[model])
    lines = [f"Mean of {draws}. {verdict(ranked, overall, means, corpora)}", ""]
    if partial:
        lines += [f"Not run on all corpora yet, and left out: {', '.join(partial)}.", ""]
    if len(corpora) > 1:
        lines += [draw_ranks(ranked, means, corpora, label), ""]
    lines += table_head("model", ["mean", *corpora])
    columns = [bold_best([means[corpus, model] for model in ranked]) for corpus in corpora]
    for model, *cells in zip(ranked, *columns, strict=True):
        lines.append(table_row([model, f"{overall[model]:.1f}", *cells]))
    return [*lines, ""]


def verdict(ranked: list[str], overall: dict, means: dict, corpora: list[str]) -> str:
    """Say whether the models of the papers win or lose."""
    ours = next(model for model in ranked if model not in RIVALS)
    rival = next(model for model in ranked if model in RIVALS)
    better = [c for c in corpora if means[c, ours] > means[c, rival]]
    margin = overall[ours] - overall[rival]
    where = f" ({', '.join(better)})" if better else ""
    side = "ahead of" if margin > 0 else "**behind**"
    return (
        f"{ours}, the best of the papers' models, is {abs(margin):.1f} points {side} {rival}, the "
        f"best scikit-learn model, on average over {len(corpora)} corpora. It is better on "
        f"{len(better)} of them{where}."
    )


def draw_ranks(ranked: list[str], means: dict, corpora: list[str], label: str) -> str:
    scores = np.array([[means[corpus, model] for model in ranked] for corpus in corpora])
    ranks = dict(zip(ranked, rankdata(-scores, axis=1).mean(axis=0).tolist(), strict=True))
    difference = critical_difference(len(ranked), len(corpora))
    name = "clean-ranks-" + label.replace(" ", "").replace("%", "percent")
    save_picture(plot_critical_difference(ranks, difference), name)
    return f"![Average ranks; bars join models that do not differ](images/{name}.svg)"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trials", type=int, default=3)
    parser.add_argument("--corpora", nargs="+", default=CORPORA)
    parser.add_argument("--splits", nargs="+", help='such as "5 per class" "90 %%"')
    parser.add_argument("--models", nargs="+")
    parser.add_argument("--page", action="store_true", help="only write the page")
    options = parser.parse_args()
    if options.page:
        make_svg_repeatable()
        write_page(PAGE, page(Comparison(tuple(read_results(RESULTS)))))
        return
    models = options.models or [m for m in list_models() if m not in SAME_AS.keys() | SLOW]
    splits = splitters(options.trials)
    if options.splits:
        splits = [splitter for splitter in splits if splitter.label in options.splits]
    run(options.corpora, models, splits)


if __name__ == "__main__":
    main()
