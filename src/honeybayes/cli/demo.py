"""``honeybayes demo``: the main job on the bundled corpus."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from honeybayes.data import Corpus

MODELS = (
    "NB",
    "HONB",
    "HOS",
    "HCNB",
    "HOSVM",
    "ComplementNB-tfidf",
    "LinearSVC-tfidf",
    "LogisticRegression-tfidf",
    "FewLabels",
)
SIZES = (5, 10, 20, 30)
POOL_OF_CLASS = 15  # messages of each queue whose label is taken away
NEW_MESSAGES = (
    "my parcel says delivered but there is nothing at the door",
    "I was charged two times for the same month",
    "please end my membership at the end of March",
    "does the lamp come with a bulb?",
)


def demo(
    report: Annotated[Path, typer.Option(help="The page to write.", metavar="FILE.html")] = Path(
        "report.html"
    ),
    draws: Annotated[int, typer.Option(help="Random draws of labeled messages.", min=1)] = 5,
) -> None:
    """Sort customer messages into queues from a handful of labels each.

    Compares models, classifies new messages, explains one, and writes a report.

    Example: honeybayes demo
    """
    import warnings

    from honeybayes.classifier import TextClassifier
    from honeybayes.cli._comparing import compare_texts, print_comparison
    from honeybayes.data import load_corpus
    from honeybayes.evaluate import RandomSplits
    from honeybayes.exceptions import NoPathWarning
    from honeybayes.explain import explain_decision
    from honeybayes.report import write_report
    from honeybayes.utils.writing import check_output_path

    check_output_path(report)
    warnings.simplefilter("ignore", NoPathWarning)  # short messages: a queue may have no path
    corpus = _without_some_labels(load_corpus("messages"))
    n_pool = int((corpus.labels == "").sum())
    print(
        f"{len(corpus)} customer messages in {len(corpus.classes)} queues that overlap as in real "
        f"life.\n{n_pool} of them have lost their label: FewLabels and HOS learn from those, too.\n"
        f"Accuracy by labeled messages a queue, mean of {draws} draws; chance is "
        f"{100 / len(corpus.classes):.1f}:\n"
    )
    splits = [RandomSplits(per_class=size, repetitions=draws) for size in SIZES]
    comparison = compare_texts(MODELS, corpus, splits, {})
    print_comparison(comparison, as_json=False)
    answer = write_report(
        report, comparison, corpus, splits, command=f"honeybayes demo --draws {draws}"
    )
    print(f"\n{answer}")

    texts, labels, pool = corpus.split_unlabeled()
    classifier = TextClassifier("FewLabels").fit(texts, labels, pool=pool)
    print("\nNew messages, by FewLabels with all labels, and how sure it is:\n")
    probabilities = classifier.predict_proba(list(NEW_MESSAGES))
    for message, own in zip(NEW_MESSAGES, probabilities, strict=True):
        print(f"  {classifier.classes_[own.argmax()]:16} {own.max():4.0%}  {message}")
    print("\nWhere it is not sure, predict --min-confidence leaves the message to a person.")
    print("\nWhy the first? What each word adds:\n")
    print(explain_decision(classifier, NEW_MESSAGES[0]))
    print(f"\nCurves, mistakes, telling words, the hardest messages: {report}")
    print("With your own table: honeybayes fit mail.csv --text body --label queue -o model.hb")


def _without_some_labels(corpus: "Corpus") -> "Corpus":
    """Take the labels of the last messages of each queue away."""
    labels = corpus.labels.copy()
    for queue in corpus.classes:
        labels[(corpus.labels == queue).nonzero()[0][-POOL_OF_CLASS:]] = ""
    return replace(corpus, labels=labels)
