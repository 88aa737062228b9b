"""``honeybayes evaluate``: measure a model on labeled texts."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import honeybayes as hb
from honeybayes.cli._output import UsageError, print_json, print_table, refuse, show_status, warn
from honeybayes.utils.messages import did_you_mean

N_MISTAKES = 10  # that are printed
TYPING_ERROR = 0.8  # similarity; less is rather a class that is new
N_SHOWN, MOST_SHOWN = 5, 40  # names in a message, and characters of a name


def evaluate(
    model: str,
    table: str | None = None,
    text: str | None = None,
    label: str = "label",
    id: str | None = None,
    encoder: str | None = None,
    read: str = "",
    json: bool = False,
) -> None:
    """Measure a model on labeled texts; texts that it has learned from are left out.

    Example: honeybayes evaluate model.hb test.csv --text body --label queue

    A project alone is measured on its own labels, as on its page.

    Example: honeybayes evaluate mail.hbproject
    """
    import numpy as np
    from sklearn.metrics import precision_recall_fscore_support

    from honeybayes.calibration.coverage import USUAL_TARGET, measured_thresholds
    from honeybayes.cli import _input, _settings

    if table is None:
        why = "is for a table, which is missing."
        refuse(why, text=text, id=id, encoder=encoder, read=read or None)
        _evaluate_project(model, json)
        return
    _input.check_table(table, model)
    classifier = _input.load_classifier(model, encoder)
    reading = _settings.parse_settings("--read", read, _settings.READ_LABELS)
    inputs = _input.Input.of_model(classifier, text, table, reading, label=label, id=id)
    corpus = inputs.read_labeled(table)
    labeled = corpus.take(np.flatnonzero(corpus.labels != ""))
    if not len(labeled):
        raise ValueError(f"{table}: all labels are empty.")
    if len(labeled) < len(corpus):
        warn(f"{len(corpus) - len(labeled)} rows without a label are left out.")
    seen = np.zeros(len(labeled), dtype=bool)
    if hasattr(classifier, "has_seen"):  # a pipeline of scikit-learn does not know
        seen = classifier.has_seen(labeled.documents)
    only_seen = bool(seen.all())
    if seen.any():
        warn(_describe_seen(seen, classifier))
    all_labels = labeled.labels
    if not only_seen:
        labeled = labeled.take(np.flatnonzero(~seen))
    texts, truth = labeled.documents, labeled.labels
    unknown = _check_labels(truth, all_labels, inputs.known, table, label)
    if _input.is_project(table):
        warn(
            "If the model has learned from this project, the results are too good. Without a "
            "model, `honeybayes evaluate` shows how good the answers to its texts are."
        )
    asked, features = hb.evaluate.metrics.count_words_once(classifier, texts)
    answers = np.asarray(asked.predict(features)).astype(str)
    classes = np.unique(np.concatenate([truth, answers]))
    by_class = precision_recall_fscore_support(truth, answers, labels=classes, zero_division=0)
    names = ["class", "precision", "recall", "f1", "documents"]
    rows = [
        [name, *map(float, values)]
        for name, *values in zip(classes.tolist(), *by_class, strict=True)
    ]
    measured = hb.evaluate.metrics.measure(asked, features, truth, answers)
    confidence, coverage = np.full(len(texts), np.nan), []
    if hasattr(asked, "predict_proba"):
        confidence = asked.predict_proba(features).max(axis=1)
        coverage = [] if only_seen else measured_thresholds(confidence, answers == truth)
    mistakes = _list_mistakes(labeled.ids, truth, answers, confidence)
    if json:
        facts = {
            "documents": len(texts),
            "seen": int(seen.sum()),
            "only_seen": only_seen,
            **measured,
            "classes": [dict(zip(names, row, strict=True)) for row in rows],
            "unknown_labels": unknown,
            "mistakes": mistakes,
            "coverage": [each.to_dict() for each in coverage],
        }
        print_json(facts)
        return
    print_table(
        ["measure", "value of seen texts" if only_seen else "value"],
        [[name, f"{value:.4f}"] for name, value in measured.items()],
    )
    print()
    print_table(
        names, [[name, *(f"{each:.3f}" for each in three), f"{n:.0f}"] for name, *three, n in rows]
    )
    source = "standard input" if table == "-" else Path(table).name
    for each in coverage:
        if each.target == USUAL_TARGET:
            print(f"\n{each.describe('rows', f'rows of {source}')}")
    if mistakes:
        print()
        shown = [[*list(each.values())[:3], f"{each['confidence']:.3f}"] for each in mistakes]
        print_table([str(id), "label", "wrong answer", "confidence"], shown[:N_MISTAKES])


def _evaluate_project(path: str, as_json: bool) -> None:
    """Print what the view Quality of a project shows, from the same computation."""
    from honeybayes.cli import _input

    if not _input.is_project(path):
        if beside := _input.project_beside(path)[0]:
            raise UsageError(f"{path} is not a project, but {beside} is. Name it instead.")
        raise UsageError(f"{path} is not a project. Name a table with labels after the model.")
    with hb.labeling.Project.open(path) as project, show_status("Checking the labels"):
        session = hb.labeling.LabelingSession.open(project, strategy="random")
        session.hold_out()
        estimate = session.estimate()
        advice = session.advice(estimate)
    if as_json:
        print_json(estimate.to_dict() | {"advice": str(advice)})
        return
    print(advice)
    if estimate.classes:
        print()
        rows = [{"class": each.name} | each.describe() for each in estimate.classes]
        print_table(list(rows[0]), [list(each.values()) for each in rows])


def _list_mistakes(ids: Any, *columns: Any) -> list[dict[str, Any]] | None:
    """Return the rows with a wrong answer, the most confident first; None without ids."""
    if ids is None:
        return None
    wrong = [
        {"id": str(id), "label": label, "answer": answer, "confidence": sure}
        for id, label, answer, sure in zip(ids, *(each.tolist() for each in columns), strict=True)
        if label != answer
    ]
    return sorted(wrong, key=lambda each: -each["confidence"])


def _describe_seen(seen: Any, classifier: Any) -> str:
    from honeybayes.utils.texts import MAX_DIGESTS

    more = ""
    if len(classifier._digests) >= MAX_DIGESTS:
        more = f" The model file knows only {MAX_DIGESTS} training texts; others may be left."
    if seen.all():
        return (
            f"The model has learned from the texts of all {len(seen)} rows. The numbers below do "
            f"not show how it answers new texts: evaluate it on others.{more}"
        )
    are = "is a text" if seen.sum() == 1 else "are texts"
    rows = f"{seen.sum()} of {len(seen)} rows {are}"
    return f"{rows} that the model has learned from. The numbers below are without them.{more}"


def _check_labels(
    labels: Any, of_table: Any, known: Sequence[str], table: str, column: str
) -> dict[str, int]:
    """Warn about labels that the model cannot give; return their numbers of rows, largest first.

    Raise ValueError if it knows none of the labels of the whole table, which is then a wrong one.
    """
    counts = Counter(sorted(each for each in labels.tolist() if each not in known))
    unknown = dict(counts.most_common())  # of equal counts, the first name first
    if not unknown:
        return {}
    first = []
    for name, n in counts.most_common(N_SHOWN):
        is_cased = name.casefold() in map(str.casefold, known)  # which is said below
        question = "" if is_cased else did_you_mean(name, known, cutoff=TYPING_ERROR)
        first.append(f"{name[:MOST_SHOWN]!r} ({n}{question.replace(' Did', '; did')})")
    more = f" and {len(unknown) - N_SHOWN} more" if len(unknown) > N_SHOWN else ""
    shown = f"{', '.join(first)}{more}"
    if not {*of_table.tolist()} & {*known}:
        raise ValueError(
            f"{table}: the model knows none of the labels in the column {column!r}: {shown}. It "
            f"knows: {', '.join(map(repr, known[:N_SHOWN]))}. Name the column with the labels with "
            "--label; --read fold-case ignores upper and lower case."
        )
    have = "has a label" if counts.total() == 1 else "have labels"
    warn(
        f"{counts.total()} of {len(labels)} rows {have} that the model does not know, so "
        f"these answers count as wrong: {shown}. Correct the labels, or fit a model that knows "
        "them; --read fold-case ignores upper and lower case."
    )
    return unknown
