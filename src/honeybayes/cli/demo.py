"""``honeybayes demo``: from no label to answers, on the bundled mailbox."""

from pathlib import Path
from typing import Any

import honeybayes as hb
from honeybayes.cli._output import vectors_line

PER_CLASS = 5
N_MORE = 20  # labels
N_RANDOM = 3  # draws of as many random labels
TARGET = 0.9
MODELS = ("NB", "HONB", "LogisticRegression-tfidf", "FewLabels")
DRAWS = 5
# what docs/results/defaults.md says
END = """\
On 27 real corpora (docs/results/defaults.md): with 5 labels per class, unlabeled texts raise the
mean accuracy from 51 % to 62 %.

Your own table, without labels:
    honeybayes label mail.csv --text body
Your own table, with some labels:
    honeybayes fit mail.csv --text body --label queue -o model.hb
    honeybayes predict model.hb mail.csv --label-column answer -o answers.csv"""


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

    from honeybayes.utils.writing import check_output_path

    check_output_path(report)
    warnings.simplefilter("ignore", hb.NoPathWarning)  # with five texts, a class may have no path
    corpus = hb.tables.load_corpus("mailbox")
    truth, names = corpus.labels, corpus.classes.tolist()
    print(
        f"A housing office has {len(corpus)} messages and no labels (a synthetic corpus). "
        f"They belong to:\n{', '.join(names)}; some to none of them.\n"
    )
    print(vectors_line(hb.text.find_encoder()))
    _, right = _learn(corpus, [])
    _say("1. Give the names of the classes, and no label", right)
    random = np.random.default_rng(0)
    members = [np.flatnonzero(truth == name) for name in names]
    start = np.concatenate([random.choice(m, PER_CLASS, replace=False) for m in members]).tolist()
    _, right = _learn(corpus, start, alone=True)
    _say(f"2. Label {PER_CLASS} messages of each class, and learn from these only", right)
    _, right = _learn(corpus, start)
    _say("   Learn from the names and the unlabeled messages, too", right)
    known = [*start, *_choose_more(corpus, start)]
    model, right = _learn(corpus, known)
    _say(f"3. Label the {N_MORE} messages that it asks for next", right)
    at_random, others = [], np.setdiff1d(np.flatnonzero(truth != ""), start)
    for seed in range(N_RANDOM):
        drawn = np.random.default_rng(seed).choice(others, N_MORE, replace=False)
        at_random.append(_learn(corpus, [*start, *drawn])[1])
    right = float(np.mean(at_random))
    _say(f"   ({N_MORE} random messages instead, mean of {N_RANDOM} draws)", right)
    others = np.setdiff1d(np.arange(len(corpus)), known)
    probabilities = model.predict_proba([corpus.documents[row] for row in others])
    confidence = probabilities.max(axis=1)
    automatic = model.find_threshold(TARGET).applied_to(confidence)
    goes = confidence >= automatic.lowest
    print(f"\n4. Which answers can go out without a person?\n   {automatic.describe('messages')}")
    if goes.any():
        answers = model.classes_[probabilities.argmax(axis=1)]
        right = np.mean(answers[goes] == truth[others][goes])
        print(f"   Checked with the hidden labels: {right:.0%} of these answers are right.")
    message = "my radiator is cold and the bedroom is freezing"
    print(f"\n5. Why? A new message: {message!r}\n")
    print(hb.explain_decision(model, message))
    splits = [hb.evaluate.RandomSplits(per_class=n, repetitions=DRAWS) for n in (PER_CLASS, 10)]
    compared = hb.evaluate.compare(MODELS, corpus, splits)
    answer = hb.report.write_report(report, compared, corpus, splits, command="honeybayes demo")
    print(f"\n6. {answer}")
    print("   From words only, without vectors and class names: accuracy and thresholds differ.")
    print(f"   Curves, mistakes, telling words, labels to check: {report}\n\n{END}")


def _say(what: str, accuracy: float) -> None:
    print(f"{what:60} {accuracy:6.1%} right")


def _learn(corpus: Any, known: list[int], alone: bool = False) -> tuple[Any, float]:
    """Learn from the labels of some messages; return the model, and how often it is right.

    It is asked about the other messages that have a class. Unless the labels stand alone, it also
    learns from the names of the classes and from all other messages.
    """
    import numpy as np

    texts, truth = corpus.documents, corpus.labels
    rows = np.array(known) if alone else np.arange(len(truth))
    labels = np.where(np.isin(rows, known), truth[rows], "")
    seeds = None if alone else dict.fromkeys(corpus.classes.tolist(), "")
    model = hb.TextClassifier("FewLabels").fit([texts[row] for row in rows], labels, seeds=seeds)
    asked = np.setdiff1d(np.flatnonzero(truth != ""), known)
    return model, float(np.mean(model.predict([texts[row] for row in asked]) == truth[asked]))


def _choose_more(corpus: Any, start: list[int]) -> list[int]:
    """Label the texts that a session suggests; return their rows."""
    import numpy as np

    truth = corpus.labels
    labels = np.where(np.isin(np.arange(len(truth)), start), truth, "")
    names = corpus.classes.tolist()
    session = hb.labeling.LabelingSession(corpus.documents, names, labels)
    chosen: list[int] = []
    while len(chosen) < N_MORE:
        for suggestion in session.suggest(5):
            if truth[suggestion.row]:
                session.record(suggestion.row, truth[suggestion.row])
                chosen.append(suggestion.row)
            else:
                session.skip(suggestion.row)
    return chosen
