"""``honeybayes evaluate``: measure a model on labeled texts."""

from pathlib import Path
from typing import Any

from honeybayes.cli import _options as option

N_SHOWN = 10  # wrong answers


def evaluate(
    model: option.Model,
    table: option.Table,
    text: option.TextOfModel = None,
    label: option.Label = "label",
    id: option.Id = None,
    encoder: option.Encoder = None,
    read: option.ReadLabels = "",
    json: option.Json = False,
) -> None:
    """Measure a model on labeled texts; texts that it has learned from are left out.

    Example: honeybayes evaluate model.hb test.csv --text body --label queue
    """
    import warnings

    import numpy as np
    from sklearn.metrics import precision_recall_fscore_support

    from honeybayes.calibration.thresholds import as_records, describe_usual, measured_thresholds
    from honeybayes.cli._input import (
        OF_LABELS,
        Reading,
        check_table,
        find_seen,
        load_classifier,
        text_column,
    )
    from honeybayes.cli._output import print_json, print_table
    from honeybayes.cli._projects import is_project
    from honeybayes.cli._tables import check_labels_known, read_labeled, warn_about_unknown
    from honeybayes.evaluate import count_words_once, measure

    check_table(table, model)
    classifier = load_classifier(model, encoder)
    reading = Reading.parse(read, OF_LABELS)
    columns = text_column(classifier, text, table, reading)
    known = list(map(str, classifier.classes_.tolist()))
    corpus = read_labeled(table, columns, label, reading, known=known, id=id)
    labeled = corpus.take(np.flatnonzero(corpus.labels != ""))
    n_unlabeled = len(corpus) - len(labeled)
    texts, truth = labeled.documents, labeled.labels
    if texts:
        check_labels_known(truth, known, table, label)
    if n_unlabeled:
        warnings.warn(
            f"{n_unlabeled} rows without a label are left out.", UserWarning, stacklevel=2
        )
    if not texts:
        raise ValueError(f"{table}: all labels are empty.")
    seen = find_seen(classifier, texts)
    if seen.any():
        warnings.warn(_describe_seen(seen, classifier), UserWarning, stacklevel=2)
    only_seen = bool(seen.all())
    if not only_seen:
        labeled = labeled.take(np.flatnonzero(~seen))
        texts, truth = labeled.documents, labeled.labels
    unknown = warn_about_unknown(truth, known)
    if is_project(table):
        warnings.warn(
            "If the model has learned from this project, the results are too good. The view "
            "Quality of `honeybayes label` shows how good the answers are.",
            UserWarning,
            stacklevel=2,
        )
    asked, features = count_words_once(classifier, texts)
    answers = np.asarray(asked.predict(features)).astype(str)
    classes = np.unique(np.concatenate([truth, answers]))
    by_class = precision_recall_fscore_support(truth, answers, labels=classes, zero_division=0)
    names = ["precision", "recall", "f1", "documents"]
    rows = [
        dict(zip(["class", *names], [name, *map(float, values)], strict=True))
        for name, *values in zip(classes.tolist(), *by_class, strict=True)
    ]
    measured = measure(asked, features, truth, answers)
    confidence, coverage = np.full(len(texts), np.nan), []
    if hasattr(asked, "predict_proba"):
        confidence = asked.predict_proba(features).max(axis=1)
        coverage = [] if only_seen else measured_thresholds(confidence, answers == truth)
    mistakes = _list_mistakes(labeled.ids, truth, answers, confidence)
    if json:
        counts = {"documents": len(texts), "seen": int(seen.sum())}
        print_json(
            {
                **counts,
                "only_seen": only_seen,
                **measured,
                "classes": rows,
                "unknown_labels": unknown,
                "mistakes": mistakes,
                "coverage": as_records(coverage),
            }
        )
        return
    print_table(
        ["measure", "value of seen texts" if only_seen else "value"],
        [[name, f"{value:.4f}"] for name, value in measured.items()],
    )
    print()
    print_table(
        ["class", *names],
        [
            [row["class"], *(f"{row[name]:.3f}" for name in names[:3]), f"{row['documents']:.0f}"]
            for row in rows
        ],
    )
    if coverage:
        source = "standard input" if table == "-" else Path(table).name
        print("\n" + "\n".join(describe_usual(coverage, "rows", f"rows of {source}")))
    if mistakes:
        print()
        print_table(
            [str(id), "label", "wrong answer", "confidence"],
            [
                [each["id"], each["label"], each["answer"], f"{each['confidence']:.3f}"]
                for each in mistakes[:N_SHOWN]
            ],
        )


def _list_mistakes(
    ids: Any, truth: Any, answers: Any, confidence: Any
) -> list[dict[str, Any]] | None:
    """Return the rows with a wrong answer, the most confident first; None without ids."""
    import numpy as np

    if ids is None:
        return None
    wrong = np.flatnonzero(answers != truth)
    wrong = wrong[np.argsort(-confidence[wrong], kind="stable")]
    return [
        {
            "id": str(ids[row]),
            "label": str(truth[row]),
            "answer": str(answers[row]),
            "confidence": float(confidence[row]),
        }
        for row in wrong.tolist()
    ]


def _describe_seen(seen: Any, classifier: Any) -> str:
    from honeybayes.utils.digests import MAX_DIGESTS

    more = ""
    if len(classifier.digests_) >= MAX_DIGESTS:
        more = f" The model file knows only {MAX_DIGESTS} training texts; others may be left."
    if seen.all():
        return (
            f"The model has learned from the texts of all {len(seen)} rows. The numbers below do "
            f"not show how it answers new texts: evaluate it on others.{more}"
        )
    are = "is a text" if seen.sum() == 1 else "are texts"
    rows = f"{seen.sum()} of {len(seen)} rows {are}"
    return f"{rows} that the model has learned from. The numbers below are without them.{more}"
