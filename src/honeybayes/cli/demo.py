"""``honeybayes demo``: compare, classify and explain on the bundled corpus."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from honeybayes.data import Corpus

MODELS = (
    *("NB", "HONB", "HOS", "HCNB", "HOSVM", "ComplementNB-tfidf"),
    *("LinearSVC-tfidf", "LogisticRegression-tfidf", "FewLabels"),
)
SIZES = (5, 10, 20, 30)
POOL_PER_CLASS = 15
NEW_MESSAGES = (
    "my parcel says delivered but there is nothing at the door",
    "I was charged two times for the same month",
    "please end my membership at the end of March",
    "does the lamp come with a bulb?",
)


def demo(
    report: Annotated[Path, typer.Option(help="The report to write.", metavar="FILE.html")] = Path(
        "report.html"
    ),
    draws: Annotated[int, typer.Option(help="Random draws of labeled messages.", min=1)] = 5,
) -> None:
    """Sort customer messages into queues, with a few labels per queue.

    Compares models, classifies new messages, explains one decision, and writes a report.

    Example: honeybayes demo
    """
    import warnings

    from honeybayes.classifier import TextClassifier
    from honeybayes.cli.compare import compare_texts, print_comparison
    from honeybayes.data import load_corpus
    from honeybayes.evaluate import RandomSplits
    from honeybayes.exceptions import NoPathWarning
    from honeybayes.explain import explain_decision
    from honeybayes.report import write_report
    from honeybayes.utils.writing import check_output_path

    check_output_path(report)
    warnings.simplefilter("ignore", NoPathWarning)  # short messages: a queue may have no path
    corpus = _remove_some_labels(load_corpus("messages"))
    texts, labels, pool = corpus.split_unlabeled()
    print(
        f"{len(corpus)} customer messages in {len(corpus.classes)} queues, which overlap as in "
        f"practice.\nThe labels of {len(pool)} messages are removed: FewLabels and HOS learn from "
        "these messages, too.\n"
        f"Accuracy by number of labeled messages per queue, mean of {draws} draws; guessing gives "
        f"{100 / len(corpus.classes):.1f}:\n"
    )
    splits = [RandomSplits(per_class=size, repetitions=draws) for size in SIZES]
    comparison = compare_texts(MODELS, corpus, splits, {}, pool=False)
    print_comparison(comparison, as_json=False)
    answer = write_report(
        report, comparison, corpus, splits, command=f"honeybayes demo --draws {draws}"
    )
    print(f"\n{answer}")

    classifier = TextClassifier("FewLabels").fit(texts, labels, pool=pool)
    print("\nNew messages, classified by FewLabels with all labels, and the confidence:\n")
    probabilities = classifier.predict_proba(list(NEW_MESSAGES))
    for message, row in zip(NEW_MESSAGES, probabilities, strict=True):
        print(f"  {classifier.classes_[row.argmax()]:16} {row.max():4.0%}  {message}")
    print("\nWith `predict --min-confidence`, uncertain messages are left for a person to decide.")
    print("\nWhy the first? What each word adds:\n")
    print(explain_decision(classifier, NEW_MESSAGES[0]))
    print(f"\nCurves, mistakes, telling words and the hardest messages: {report}")
    print("With your own table: honeybayes fit mail.csv --text body --label queue -o model.hb")


def _remove_some_labels(corpus: "Corpus") -> "Corpus":
    """Return the corpus without the labels of the last messages of each class."""
    from dataclasses import replace

    labels = corpus.labels.copy()
    for name in corpus.classes:
        labels[(corpus.labels == name).nonzero()[0][-POOL_PER_CLASS:]] = ""
    return replace(corpus, labels=labels)
