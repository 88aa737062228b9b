"""``honeybayes demo``: from no label to answers, on the bundled mailbox."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

    from honeybayes.classifier import TextClassifier
    from honeybayes.tables import Corpus

PER_CLASS = 5
N_MORE = 20  # labels
N_RANDOM = 3  # draws of as many random labels
TARGET = 0.95
MODELS = ("NB", "HONB", "LogisticRegression-tfidf", "FewLabels")
DRAWS = 5
# what docs/results/few-labels.md and docs/results/labeling.md say
REAL = (
    "On real corpora (docs/results): with 5 labels per class, unlabeled texts raise the mean "
    "accuracy\nof twelve corpora from 64 % to 72 %; there, the texts to label next bring 3 points "
    "at 50 labels."
)


def demo(report: Path = Path("report.html")) -> None:
    """Sort the mail of a housing office: from no label to answers that can be trusted.

    Shows what class names, five labels per class and twenty chosen texts bring, which answers can
    go out without a person, and why one was given. Writes a report.

    Example: honeybayes demo

    Options:
      --report FILE.html: The report to write.
    """
    import warnings

    import numpy as np

    from honeybayes.exceptions import NoPathWarning
    from honeybayes.tables import load_corpus
    from honeybayes.utils.writing import check_output_path

    check_output_path(report)
    warnings.simplefilter("ignore", NoPathWarning)  # with five texts, a class may have no path
    corpus = load_corpus("mailbox")
    texts, truth = corpus.documents, corpus.labels
    names = corpus.classes.tolist()
    print(
        f"A housing office has {len(texts)} messages and no labels (a synthetic corpus). "
        f"They belong to:\n{', '.join(names)}; some to none of them.\n"
    )
    start = _first_labels(truth)
    none = np.full(len(truth), "", dtype=truth.dtype)
    labels = none.copy()
    labels[start] = truth[start]

    by_names = _fit(texts, none, names)
    _say("1. Give the names of the classes, and no label", _accuracy(by_names, texts, truth, []))
    alone = _fit([texts[row] for row in start], truth[start], None)
    _say(
        f"2. Label {PER_CLASS} messages of each class, and learn from these only",
        _accuracy(alone, texts, truth, start),
    )
    together = _fit(texts, labels, names)
    _say(
        "   Learn from the names and the unlabeled messages, too",
        _accuracy(together, texts, truth, start),
    )

    chosen = _label_more(texts, truth, labels, names)
    labels[chosen] = truth[chosen]
    model = _fit(texts, labels, names)
    known = [*start, *chosen]
    _say(
        f"3. Label the {N_MORE} messages that it asks for next",
        _accuracy(model, texts, truth, known),
    )
    at_random = []
    for seed in range(N_RANDOM):
        others = np.setdiff1d(np.flatnonzero(truth != ""), start)
        drawn = np.random.default_rng(seed).choice(others, N_MORE, replace=False)
        more = np.full(len(truth), "", dtype=truth.dtype)
        more[start], more[drawn] = truth[start], truth[drawn]
        found = _accuracy(_fit(texts, more, names), texts, truth, [*start, *drawn])
        at_random.append(found)
    _say(
        f"   ({N_MORE} random messages instead, mean of {N_RANDOM} draws)",
        float(np.mean(at_random)),
    )

    _answer(model, texts, truth, known)
    _explain(model)
    _report(report, corpus)
    print(f"\n{REAL}\n")
    print("Your own table, without labels:")
    print("    honeybayes label mail.csv --text body")
    print("Your own table, with some labels:")
    print("    honeybayes fit mail.csv --text body --label queue -o model.hb")
    print("    honeybayes predict model.hb mail.csv --label-column answer -o answers.csv")


def _say(what: str, accuracy: float) -> None:
    print(f"{what:60} {accuracy:6.1%} right")


def _first_labels(truth: "np.ndarray") -> list[int]:
    """Choose messages of each class at random."""
    import numpy as np

    random = np.random.default_rng(0)
    classes = np.unique(truth[truth != ""])
    members = [np.flatnonzero(truth == name) for name in classes]
    return np.concatenate([random.choice(m, PER_CLASS, replace=False) for m in members]).tolist()


def _fit(texts: list[str], labels: "np.ndarray", names: list[str] | None) -> "TextClassifier":
    from honeybayes.classifier import TextClassifier

    seeds = dict.fromkeys(names, "") if names else None
    return TextClassifier("FewLabels").fit(texts, labels, seeds=seeds)


def _accuracy(
    model: "TextClassifier", texts: list[str], truth: "np.ndarray", known: list[int]
) -> float:
    """Return the share of right answers among messages that have a class and no label yet."""
    import numpy as np

    asked = np.setdiff1d(np.flatnonzero(truth != ""), known)
    return float(np.mean(model.predict([texts[row] for row in asked]) == truth[asked]))


def _label_more(
    texts: list[str], truth: "np.ndarray", labels: "np.ndarray", names: list[str]
) -> list[int]:
    """Label the texts that a session suggests; return their rows."""
    from honeybayes.labeling import LabelingSession

    session = LabelingSession(texts, dict.fromkeys(names, ""), labels)
    chosen: list[int] = []
    while len(chosen) < N_MORE:
        for suggestion in session.suggest(5):
            if truth[suggestion.row]:
                session.record(suggestion.row, truth[suggestion.row])
                chosen.append(suggestion.row)
            else:
                session.skip(suggestion.row)
    return chosen


def _answer(
    model: "TextClassifier", texts: list[str], truth: "np.ndarray", known: list[int]
) -> None:
    """Say which answers can go out without a person."""
    import numpy as np

    others = np.setdiff1d(np.arange(len(texts)), known)
    asked = [texts[row] for row in others]
    probabilities = model.predict_proba(asked)
    confidence = probabilities.max(axis=1)
    automatic = model.find_threshold(TARGET)
    goes = confidence >= (2 if automatic.threshold is None else automatic.threshold)
    # how many of these messages it answers, not how many of the held-out ones
    automatic = automatic._replace(n_answered=int(goes.sum()), n_left=int((~goes).sum()))
    answers = model.classes_[probabilities.argmax(axis=1)]
    print(f"\n4. Which answers can go out without a person?\n   {automatic.describe('messages')}")
    if goes.any():
        right = np.mean(answers[goes] == truth[others][goes])
        print(f"   Checked with the hidden labels: {right:.0%} of these answers are right.")


def _explain(model: "TextClassifier") -> None:
    from honeybayes.explain import explain_decision

    message = "my radiator is cold and the bedroom is freezing"
    print(f"\n5. Why? A new message: {message!r}\n")
    print(explain_decision(model, message))


def _report(path: Path, corpus: "Corpus") -> None:
    from honeybayes.cli.compare import compare_texts
    from honeybayes.evaluate import RandomSplits
    from honeybayes.report import write_report

    splits = [RandomSplits(per_class=size, repetitions=DRAWS) for size in (PER_CLASS, 10)]
    comparison = compare_texts(MODELS, corpus, splits, {})
    print(f"\n6. {write_report(path, comparison, corpus, splits, command='honeybayes demo')}")
    print(f"   Curves, mistakes, telling words, labels to check: {path}")
