"""The bill: how often each source answers, how often it is right, and what it adds."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any

import numpy as np

from honeybayes.calibration.coverage import Interval, wilson_interval

FEWEST_OF_CLASS = 5  # labels, to say an interval for a class
HALF_WIDTH = 0.05  # of the interval that ``more_labels`` leads to
FEWEST_CONFUSED = 2  # labels of one class that get the same wrong answer
ENOUGH_TO_TELL = 25  # labels: 70 % right is then better than chance, also with two classes


def measure_share(n_right: float, n: int, n_all: int) -> Interval:
    """Return the share of right answers with its 95 % interval, for a table of ``n_all`` answers.

    It is Wilson's interval. Checks are drawn without replacement, so the interval is shorter if
    they are a large part of the table, and it has no width if every answer was checked.
    """
    if n >= n_all:
        return Interval(n_right / n, n_right / n, n_right / n, n)
    worth = n * (n_all - 1) / (n_all - n)
    found = wilson_interval(n_right * worth / n, worth)
    # what was checked is known, whatever the others are
    low, high = max(found.low, n_right / n_all), min(found.high, 1 - (n - n_right) / n_all)
    return Interval(n_right / n, low, high, n)


def count_more_labels(accuracy: float, n: int, n_all: int) -> int:
    """Return how many more random labels give an interval of ±5 points at most."""
    for total in range(max(n, 1), n_all + 1):
        found = measure_share(accuracy * total, total, n_all)
        if found.high - found.low <= 2 * HALF_WIDTH:
            return total - n
    return n_all - n


def make_bill(
    answers: Mapping[str, Any], labels: Sequence[Any], is_random: Any, *numbers: Any
) -> dict[str, dict[str, Any]]:
    """Say what each source is worth; `describe_bill` says what the result holds.

    ``answers`` are what `encode_answers` returned, ``is_random`` is None if it is not known, and
    ``numbers`` are what `FewLabelsClassifier` says: weights, shares and by how much each source
    adds to the confidence.
    """
    labels = list(labels)
    is_labeled = np.array([label is not None for label in labels])
    from_random = is_random is not None and bool(np.any(is_random))
    checked = np.asarray(is_random) & is_labeled if from_random else is_labeled
    has_pool = not is_labeled.all()
    bill = {}
    for (name, by_class), *own in zip(answers.items(), *numbers, strict=True):
        classes = list(by_class)
        votes = np.array([by_class[each] for each in classes])
        gives = votes.any(axis=0)
        rows = np.flatnonzero(gives)
        given = {row: classes[at] for row, at in zip(rows, votes[:, rows].argmax(0), strict=True)}
        pairs = [(labels[row], given[row]) for row in rows if checked[row]]
        accuracy = share_of([one == two for one, two in pairs], len(rows))
        known = 0.5 if accuracy is None else accuracy["accuracy"]
        more = count_more_labels(known, len(pairs), len(rows))
        weight, share, adds = map(float, own)
        bill[name] = {
            "coverage": len(rows) / max(len(labels), 1),
            "accuracy": accuracy,
            "from_random": from_random,
            "classes": {
                str(label): share_of(
                    [one == two for one, two in pairs if two == label],
                    sum(each == label for each in given.values()),
                    FEWEST_OF_CLASS,
                )
                for label in classes
            },
            "confusions": _confusions(pairs),
            "weight": weight if has_pool else None,
            "share": share,
            "adds": adds,
            # it answers only some of the texts
            "more_labels": ceil(more * (len(labels) / max(len(rows), 1))),
        }
    return bill


def share_of(is_right: Sequence[bool], n_all: int, fewest: int = 1) -> dict[str, Any] | None:
    """Return `measure_share` of some checks as a dict; None if there are too few."""
    if len(is_right) < fewest:
        return None
    return measure_share(int(sum(is_right)), len(is_right), n_all)._asdict()


def _confusions(pairs: list[tuple[Any, Any]]) -> dict[str, str]:
    """Say which classes a source takes for which others, the most frequent first."""
    of_class = Counter(str(truth) for truth, _ in pairs)
    counts = Counter((str(truth), str(given)) for truth, given in pairs if truth != given)
    ordered = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    return {
        f"takes {truth} for {given}": f"{n} of {of_class[truth]}"
        for (truth, given), n in ordered
        if n >= FEWEST_CONFUSED
    }


def describe_share(share: Mapping[str, float], kind: str) -> str:
    """Return how often a source is right, with the interval and what it comes from."""
    right, low, high = (100 * share[each] for each in ("accuracy", "low", "high"))
    return f"{right:.0f} % right ({low:.0f} to {high:.0f}, from {share['n']} {kind})"


def describe_bill(bill: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return the bill in sentences, for a person.

    Parameters
    ----------
    bill : dict
        ``sources_`` of a `TextClassifier`. For each source a dict: ``coverage``, the share of the
        texts that it answers; ``accuracy`` with ``low``, ``high`` and ``n``, or None without a
        label; ``from_random``, whether these are random checks; ``classes``, the same for the texts
        to which the source gives each class; ``confusions``, what it does and how often; its
        ``weight``, None if every text has a label; its ``share`` in the answers; by how much it
        ``adds`` to their mean confidence; and ``more_labels``, the number of labels of random texts
        that would narrow the interval to ±5 points.
    """
    lines = []
    for name, found in bill.items():
        right = (
            "nobody knows how often it is right, or whether it answers at random: label "
            f"{ENOUGH_TO_TELL} texts that it answers"
        )
        if (accuracy := found["accuracy"]) is not None:
            kind = "random checks" if found["from_random"] else "labels that may not be random"
            right = describe_share(accuracy, kind)
        lines.append(f"{name}: answers {100 * found['coverage']:.0f} % of the texts; {right}.")
        if found["weight"] == 0:
            lines.append("  As far as labels and texts show, it answers at random: no weight.")
        lines += [f"  It {what} ({n})." for what, n in found["confusions"].items()]
        if found["weight"]:
            lines.append(
                f"  Its share in the answers is {100 * found['share']:.0f} %; it changes their "
                f"mean confidence by {100 * found['adds']:+.1f} points."
            )
        if found["more_labels"]:
            lines.append(f"  {found['more_labels']} more random labels would narrow this to ±5.")
    return lines


def advise_to_keep(bill: Mapping[str, Mapping[str, Any]], target: float = 0.9) -> str | None:
    """Return the advice to keep a column that answers all texts and reaches the target, or None."""
    for name, found in bill.items():
        accuracy, answers_all = found["accuracy"], found["coverage"] >= 1
        if answers_all and found["from_random"] and accuracy and accuracy["low"] >= target:
            right = describe_share(accuracy, "random checks")
            return f"The column {name} is already {right}: you may keep it."
    return None
