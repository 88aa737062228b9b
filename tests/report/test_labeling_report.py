"""The report on a labeling session has the figures of the page."""

import json

import pytest

pytest.importorskip("jinja2", reason="needs jinja2 (extra: report)")

from honeybayes.cli.evaluate import evaluate
from honeybayes.labeling import LabelingSession
from honeybayes.report import write_labeling_report
from honeybayes.tables import load_corpus
from tests.report.pages import ReportPage


def test_accuracy_and_classes_are_those_of_page_and_command(tmp_path, capsys):
    corpus = load_corpus("messages")
    session = LabelingSession(corpus.documents, path=tmp_path / "mail.hbproject")
    for _ in range(60):
        [suggestion] = session.suggest()
        session.record(suggestion.row, corpus.labels[suggestion.row])
    said = write_labeling_report(tmp_path / "report.html", session)
    estimate = session.estimate()
    low, high = (f"{100 * each:.1f} %" for each in estimate.audit[1:3])
    assert f"Between {low} and {high} of the answers are right" in said  # few checks: no figure
    assert f"measured on {estimate.audit.n} random documents" in said
    page = ReportPage((tmp_path / "report.html").read_text(encoding="utf-8"))
    names = session.project.ledger.state.names
    rows = page.table("Precision, recall and F1").body
    assert set(rows) == {names[each.class_id] for each in estimate.classes}
    for each in estimate.classes:
        n_labels, precision, recall, _ = rows[names[each.class_id]]
        assert int(n_labels) == each.n_labels
        if each.n_checked:
            assert recall == f"{100 * each.n_found / each.n_checked:.1f}"
        if each.n_given:
            assert precision == f"{100 * each.n_found / each.n_given:.1f}"
    shown = page.table("The same as on the page").body
    assert shown == {each.name: list(each.describe().values()) for each in estimate.classes}
    alone = page.table("From which confidence on").body
    for each in estimate.automatic:
        first, *others = alone[f"{100 * each.target:.0f} %"]
        if each.threshold is None:
            few = f"too few labels to tell: it takes about {each.n_needed}"
            assert first == (few if each.n_needed else "no threshold is high enough")
        else:
            assert [first, others[0]] == [f"{each.threshold:.2f}", f"{100 * each.answered:.1f} %"]
    session.project.close()
    # another process reads the same answers, without learning again
    with LabelingSession.open(tmp_path / "mail.hbproject").project as project:
        again = LabelingSession.open(project)
        assert again.estimate().audit == estimate.audit
        assert again.estimate().classes == estimate.classes
        assert again.turn is None
    # and the command prints them
    evaluate(str(tmp_path / "mail.hbproject"))
    printed = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert printed[0] == [str(session.advice(estimate))]
    assert {name: figures for name, *figures in printed[3:]} == shown
    evaluate(str(tmp_path / "mail.hbproject"), json=True)
    assert json.loads(capsys.readouterr().out)["classes"] == estimate.to_dict()["classes"]
