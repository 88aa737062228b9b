"""Models and readings that no table of the papers has, on the documents and splits of the tables.

    python -m reproduction.beyond

Every finished trial is appended to results/beyond.jsonl, and an interrupted run continues from it.
The page is pages/beyond.md. Needs the corpora of the papers.
"""

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.multiclass import OneVsOneClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler
from sklearn.svm import SVC

from honeybayes import (
    CountNB,
    HiddenNB,
    HigherOrderNB,
    HigherOrderSmoothingNB,
    HigherOrderSVC,
    HigherOrderTransformer,
    IterativeHigherOrderKernel,
    NoPathWarning,
    SemanticSVC,
    TunedSVC,
    WordClusterNB,
    make_model,
)
from honeybayes.evaluate import (
    Comparison,
    RandomSplits,
    RepeatedFolds,
    Result,
    compare,
    read_results,
    wilcoxon_test,
)
from honeybayes.tables import Corpus
from reproduction.corpora import load_corpus
from reproduction.preprocessing import (
    count_terms,
    paper_preprocessing,
    prepare,
    prepare_otherwise,
)
from reproduction.rules import describe_paper

RESULTS = Path(__file__).parent / "results"
PAGE = Path(__file__).parent / "pages" / "beyond.md"
TRIALS = 8
CS = tuple(10.0**e for e in range(-4, 5))
RULES = ("MNB", "CNB", "OVA")
RIVALS = ("ComplementNB-tfidf", "LogisticRegression-tfidf", "LinearSVC-tfidf")
NEWSGROUPS = ("RELIGION", "SCIENCE", "POLITICS", "COMP")

INTRODUCTION = f"""\
# What no table has

Written by `python -m reproduction.beyond`; do not edit by hand.

Models and readings of our own on the documents and splits of the papers' tables
([published and measured](README.md)), so that the two can be compared. Accuracy in percent, mean
and deviation of {TRIALS} trials (ten folds for hmnb), seed 0. **protocol="paper"**: except for
hmnb, terms were selected from *all* documents, so the accuracies are too high for every model.
"""


class OneCForAllPairs(ClassifierMixin, BaseEstimator):
    """HOSVM in the other reading: one C for all pairs of classes, by the accuracy of the vote."""

    def __init__(self, estimates: Any = "higher-order") -> None:
        self.estimates = estimates

    def fit(self, X: Any, y: np.ndarray) -> "OneCForAllPairs":
        """Keep the smallest C with the best accuracy on the training documents."""
        transformer = HigherOrderTransformer(estimates=self.estimates, absent="shifted")
        best = -1.0
        for C in CS:
            pipeline = make_pipeline(transformer, SVC(kernel="linear", C=C))
            model = OneVsOneClassifier(pipeline).fit(X, y)
            accuracy = model.score(X, y)
            if accuracy > best:
                best, self.model_ = accuracy, model
        self.classes_ = self.model_.classes_
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Return the class of each document."""
        return self.model_.predict(X)


class TimesScale(ClassifierMixin, BaseEstimator):
    """`SemanticSVC` with its rule for C, times a factor."""

    def __init__(self, factor: float = 1.0) -> None:
        self.factor = factor

    def fit(self, X: Any, y: np.ndarray) -> "TimesScale":
        """Fit twice: the first fit gives the C of the rule."""
        C = self.factor * float(SemanticSVC().fit(X, y).C_)
        self.model_ = SemanticSVC(C=C).fit(X, y)
        self.classes_ = self.model_.classes_
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Return the class of each document."""
        return self.model_.predict(X)


class CrossValidated(ClassifierMixin, BaseEstimator):
    """The rule for C, times the best factor in five folds of the training documents.

    In a tie the smallest factor is used.
    """

    def fit(self, X: Any, y: np.ndarray) -> "CrossValidated":
        """Search on the features of the kernel."""
        self.kernel_ = IterativeHigherOrderKernel().fit(X)
        features = self.kernel_.transform(X)
        self.mean_ = features.mean(axis=0)
        C = SemanticSVC().fit(X, y).C_
        folds = min(5, np.unique(y, return_counts=True)[1].min())
        splitter = StratifiedKFold(folds, shuffle=True, random_state=0)
        grid = {"C": [10.0**e * C for e in (-2, -1, 0, 1, 2)]}
        search = GridSearchCV(SVC(kernel="linear"), grid, cv=splitter)
        self.model_ = search.fit(features - self.mean_, y)
        self.classes_ = self.model_.classes_
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Return the class of each document."""
        return self.model_.predict(self.kernel_.transform(X) - self.mean_)


@dataclass(frozen=True)
class Part:
    """Models on some datasets of a paper, at some training percentages (none: ten folds)."""

    title: str
    text: str
    paper: str
    datasets: tuple[str, ...]
    percents: tuple[int, ...]
    models: Mapping[str, Any]
    documents: Callable[[str, str], Corpus] = prepare
    tested: tuple[tuple[str, str], ...] = ()  # pairs of models

    def run(self) -> Comparison:
        """Run what is not in the file yet."""
        splits = [RandomSplits(percent=p, repetitions=TRIALS) for p in self.percents]
        corpora = [self.documents(self.paper, name) for name in self.datasets]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NoPathWarning)
            return compare(
                self.models,
                corpora,
                splits or RepeatedFolds(10),
                protocol="paper",
                unseen_terms=describe_paper(self.paper).unseen_terms,
                metrics=["accuracy"],
                results=RESULTS / "beyond.jsonl",
            )


def with_counts(paper: str, dataset: str) -> Corpus:
    """Prepare a dataset with counts instead of presence."""
    return prepare_otherwise(paper, dataset.lower(), counts__binary=False)


def with_stems(paper: str, dataset: str) -> Corpus:
    """Prepare a dataset with stems, where the rule of the paper has none."""
    corpus = load_corpus(describe_paper(paper).corpora[dataset])
    return count_terms(corpus, paper_preprocessing(paper))


def for_each_c(name: str, **parameters: Any) -> dict[str, Any]:
    """Make a model of ihosk-2014 with each C on which the paper tuned."""
    return {
        f"{name}, C = {C:g}": make_pipeline(MaxAbsScaler(), make_model(name, C=C, **parameters))
        for C in (0.01, 0.1, 1.0, 10.0, 100.0)
    }


TUNING = (
    'The paper tried these C "for every training-set value", and "selected the best performing". '
)
CLUSTERS = {
    "words": CountNB(),
    **{f"{n} clusters": WordClusterNB(n_clusters=n) for n in (10, 20, 50, 100, 200, 500)},
}
PARTS = [
    Part(
        "Term weights, neighbors and current models (hmnb)",
        'Published counts of words, nothing selected. "HOVA, difference" is what '
        '`HiddenNB(rule="one-vs-rest")` does by default. Guides: '
        "[weights](../../docs/count-family.md#weights-per-word), "
        "[neighbors](../../docs/count-family.md#neighbors-trees-clusters).",
        "hmnb",
        tuple(describe_paper("hmnb").corpora),
        (),
        {
            **{
                p + rule: make_model(p + rule)
                for p in ("GRW", "DFW", "DTW", "LWW")
                for rule in RULES
            },
            "HOVA, difference": HiddenNB(rule="one-vs-rest"),
            **{rival: make_model(rival) for rival in RIVALS},
        },
    ),
    Part(
        "Readings of HOS (hos-2012)",
        "Without Laplace's 1 ([the Bernoulli family](../../docs/paths.md) says why); "
        "with Eq. 10 as printed, divided by the paths to all classes: with Laplace's 1 in the "
        "first-order part, and with plain shares there.",
        "hos-2012",
        tuple(describe_paper("hos-2012").corpora),
        describe_paper("hos-2012").figure_sizes,
        {
            "HOS": make_model("HOS"),
            "HOS, alpha=0": HigherOrderSmoothingNB(alpha=0),
            "HOS, Eq. 10 printed": HigherOrderSmoothingNB(path_total="all"),
            "HOS, printed and plain shares": HigherOrderSmoothingNB(
                path_total="all", first_order_alpha=0
            ),
        },
    ),
    Part(
        "Other readings of the 2009 paper (honb-2009)",
        'Pure paths by the documents of the class; "one C" for all pairs of classes, by the '
        "accuracy of the vote; Eq. 12 without its square roots. Guide: "
        "[vectors](../../docs/vectors.md).",
        "honb-2009",
        NEWSGROUPS,
        (5,),
        {
            "pure HONB, by class": HigherOrderNB(pure="class"),
            "SVM, one C": TunedSVC(binarize=0.0),
            "HOSVM, one C": OneCForAllPairs(),
            "NBSVM, one C": OneCForAllPairs("first-order"),
            "HOSVM, no square roots": HigherOrderSVC(normalize=False),
        },
    ),
    Part(
        "Third-order paths (honb-tkde)",
        "The paper says that models of third-order paths show the same pattern, that those of "
        "second-order paths are slightly better, and that the results did not differ "
        "significantly.",
        "honb-tkde",
        NEWSGROUPS,
        (5,),
        {"second order": HigherOrderNB(), "third order": HigherOrderNB(order=3)},
        tested=(("third order", "second order"),),
    ),
    Part(
        "The RBF kernel (honb-2009)",
        "The paper says that there were no significant differences between the linear and the RBF "
        "kernel, for HOSVM and SVM. Its gamma is not given; scikit-learn's default is used here, "
        "and C is chosen as for the linear kernel.",
        "honb-2009",
        NEWSGROUPS,
        (5,),
        {
            "SVM": make_model("SVM"),
            "SVM, RBF": make_model("SVM", kernel="rbf"),
            "HOSVM": make_model("HOSVM"),
            "HOSVM, RBF": make_model("HOSVM", kernel="rbf"),
        },
        tested=(("SVM, RBF", "SVM"), ("HOSVM, RBF", "HOSVM")),
    ),
    Part(
        "Word clusters on presence (honb-2009)",
        "Multinomial naive Bayes on words and on clusters of words. The default is 50 clusters, "
        "set before the first run; nothing was chosen by this table. Guide: "
        "[word clusters](../../docs/count-family.md#neighbors-trees-clusters).",
        "honb-2009",
        NEWSGROUPS,
        (5,),
        CLUSTERS,
    ),
    Part(
        "Word clusters on counts",
        "The same with counts instead of presence.",
        "honb-2009",
        NEWSGROUPS,
        (5,),
        CLUSTERS,
        with_counts,
    ),
    Part(
        "C of the semantic kernel (ihosk-2014)",
        "The rule of `SemanticSVC` times a factor, a number, and a search in the training "
        "documents. Words are stemmed, unlike in the tables of the paper. Guide: [semantic "
        "kernel](../../docs/vectors.md#the-semantic-kernel).",
        "ihosk-2014",
        ("20News-SCIENCE", "20News-POLITICS"),
        (5, 10, 30, 50),
        {
            "the rule": SemanticSVC(),
            "a tenth of it": TimesScale(0.1),
            "ten times it": TimesScale(10.0),
            "cross-validation": CrossValidated(),
            "training accuracy": SemanticSVC(C="training-accuracy"),
            "C = 10,000": SemanticSVC(C=1e4),
            "C = 1": SemanticSVC(C=1.0),
        },
        with_stems,
    ),
    Part(
        "Forms of the semantic kernel (ihosk-2014)",
        "Two iterations, divided by the lengths of documents, are the default. The last three are "
        "the other kernels on plain counts, with C = 1. Words are stemmed.",
        "ihosk-2014",
        ("20News-SCIENCE", "20News-POLITICS"),
        (5, 10, 30, 50),
        {
            "1 iteration": SemanticSVC(n_iter=1),
            "3 iterations": SemanticSVC(n_iter=3),
            "unit diagonal": SemanticSVC(unit_diagonal=True),
            "IHOSK": SemanticSVC(normalize=None),
            **{name: make_model(name) for name in ("SMO-linear", "SMO-polynomial", "SMO-RBF")},
        },
        with_stems,
    ),
    Part(
        "Normalizations of the semantic kernel (ihosk-2014)",
        "The paper says that the lengths of documents gave the best accuracies. The others "
        "normalize the similarities of terms, as its section 3 words it. Words are stemmed.",
        "ihosk-2014",
        ("20News-SCIENCE", "20News-POLITICS"),
        (5, 10, 30),
        {
            name: SemanticSVC(normalize=name)
            for name in ("length", "row", "column", "min-max", "z-score", "weight", "complement")
        },
        with_stems,
    ),
    Part(
        "C of the polynomial kernel (ihosk-2014)",
        TUNING + "Kernel: (1 + x y) squared.",
        "ihosk-2014",
        ("20News-POLITICS", "WEBKB5", "Mini-NewsGroups"),
        describe_paper("ihosk-2014").figure_sizes,
        for_each_c("SMO-polynomial", coef0=1.0),
    ),
    Part(
        "C of the polynomial kernel without lower terms (ihosk-2014)",
        TUNING + "Kernel: (x y) squared.",
        "ihosk-2014",
        ("20News-SCIENCE",),
        describe_paper("ihosk-2014").figure_sizes,
        for_each_c("SMO-polynomial", coef0=0.0),
    ),
    Part(
        "C of the RBF kernel (ihosk-2014)",
        TUNING + "Width: 0.01.",
        "ihosk-2014",
        ("WEBKB5",),
        describe_paper("ihosk-2014").figure_sizes,
        for_each_c("SMO-RBF"),
    ),
    Part(
        "The semantic kernel on short binary documents (honb-tkde)",
        "Presence of terms in abstracts, as published.",
        "honb-tkde",
        ("Citeseer", "Cora"),
        (5,),
        {
            "SMO-linear": make_model("SMO-linear"),
            "SMO-N-IHOSK": make_model("SMO-N-IHOSK"),
            "C by cross-validation": CrossValidated(),
        },
    ),
]
# The models that are compared by a test over the corpora of hmnb.
PAIRS = [
    *(("LinearSVC-tfidf", other) for other in ("GRWOVA", "HCNB", "LogisticRegression-tfidf")),
    *(("GRWOVA", other) for other in ("OVA", "HMNB", "HCNB", "HOVA", "HOVA, difference")),
    ("GRWMNB", "HMNB"),
    ("GRWCNB", "HCNB"),
    *(
        (prefix + rule, rule)
        for prefix in ("GRW", "DFW", "DTW", "Rw,c", "GRS", "DW", "LWW")
        for rule in RULES
        if (prefix, rule) != ("GRW", "OVA")  # already in the list
    ),
    *((rule + "Tree", rule) for rule in RULES),
]
PAIRS_TEXT = """\
### Pairs

Means over the eleven corpora, their difference, the number of corpora on which the first is better
and worse, and p of Wilcoxon's two-sided signed-rank test on the accuracies rounded to two digits,
not corrected for the number of pairs. Models of the paper are those of [its page](hmnb.md).
"""


def pairs(results: tuple[Result, ...]) -> str:
    """Compare models of ours with those of hmnb."""
    both = Comparison((*results, *read_results(RESULTS / "hmnb.jsonl")))
    rows = [["first", "", "second", "", "difference", "better", "worse", "p"]]
    rows.append(["---", "--:", "---", *["--:"] * 5])
    for pair in PAIRS:
        exact = [[100 * both.scores(model, p).mean() for p in both.places] for model in pair]
        first, second = np.mean(exact, axis=1)
        ours, theirs = np.round(exact, 2)
        difference = (ours - theirs).mean()
        counts = [str((ours > theirs).sum()), str((ours < theirs).sum())]
        p = wilcoxon_test(ours, theirs).p_value
        texts = [pair[0], f"{first:.2f}", pair[1], f"{second:.2f}", f"{difference:+.2f}"]
        rows.append([*texts, *counts, f"{p:.3f}"])
    return PAIRS_TEXT + "\n" + "\n".join("| " + " | ".join(row) + " |" for row in rows)


def tests(part: Part, comparison: Comparison) -> str:
    """Say where the models of each pair differ significantly, by the test of the papers."""
    lines = []
    for one, other in part.tested:
        found = comparison.differences(one, other, test="paired-t", level=0.05)
        mean = 100 * np.mean([difference.mean for difference in found])
        verdicts = [difference.verdict for difference in found]
        lines.append(
            f"- {one} against {other}: {mean:+.1f} points; by the paired t-test at 5 %, better in "
            f"{verdicts.count('win')} and worse in {verdicts.count('loss')} of {len(found)} places."
        )
    return "\n".join(lines) + "\n"


def main() -> None:
    """Run what is missing, and write the page."""
    parts = [INTRODUCTION]
    for part in PARTS:
        comparison = part.run()
        _, table = comparison.table().split("\n\n")
        parts.append(f"## {part.title}\n\n{part.text}\n\n{table}\n")
        if part.tested:
            parts.append(tests(part, comparison))
        if part.paper == "hmnb":
            parts.append(pairs(comparison.results) + "\n")
        print(part.title, flush=True)
    PAGE.write_text("\n".join(parts), encoding="utf-8", newline="\n")
    print(f"Wrote {PAGE}")


if __name__ == "__main__":
    main()
