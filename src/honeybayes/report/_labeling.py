"""The report on a labeling session."""

import shlex
from os import PathLike

import numpy as np

from honeybayes.classifier import TextClassifier
from honeybayes.labeling import LabelingSession
from honeybayes.report._page import write_model_report
from honeybayes.tables import Corpus


def write_labeling_report(path: str | PathLike[str], session: LabelingSession) -> str:
    """Write a report on the labels so far and on the model that learns from them.

    Each label is compared with the answer of a model that has not seen it. Accuracy and thresholds
    are measured on the random texts of the audit if there are at least ten. Requires jinja2, the
    extra ``report`` or ``label``.

    Parameters
    ----------
    path : str or path-like
        File to write. If an error occurs, an existing file is not changed.
    session : LabelingSession
        At least two classes need two labels each.

    Returns
    -------
    str
        The accuracy, in a sentence.

    Examples
    --------
    >>> from honeybayes.labeling import LabelingSession
    >>> from honeybayes.report import write_labeling_report
    >>> session = LabelingSession.open("mail.hbproject")  # doctest: +SKIP
    >>> write_labeling_report("report.html", session)  # doctest: +SKIP
    """
    project, state = session.project, session.project.ledger.state
    rows = np.unique(project.representative)  # copies of a text have the same label
    names = state.names
    labels = [names[state.labels[row].class_id] if row in state.labels else "" for row in rows]
    name = "labels" if project.path is None else project.path.stem
    corpus = Corpus(name, [project.texts[row] for row in rows], np.array(labels), rows=rows)
    estimate = session.estimate()
    return write_model_report(
        path,
        TextClassifier("FewLabels", language=project.settings.get("language", "english")),
        corpus,
        seeds={each.name: each.words for each in project.classes},
        sample=np.searchsorted(rows, np.array(list(state.audit), dtype=int)),
        estimate=estimate,
        advice=session.advice(estimate),
        table=shlex.quote("labels.csv" if project.path is None else project.path.name),
        new_table=shlex.join(["new.csv", "--text", project.settings.get("text", "text")]),
    )
