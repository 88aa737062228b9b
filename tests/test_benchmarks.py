"""The bars and the history of `make bench`."""

import pytest

from benchmarks import history
from benchmarks.growth import exponent
from benchmarks.measure import MEASURED, Measurement, report
from benchmarks.records import read_records


@pytest.mark.parametrize(
    ("ratio", "bar", "verdict"),
    [
        (3.9, "at most 4", "met"),
        (4.1, "at most 4", "MISSED"),
        (3.9, "below 4, one of 20 rounds", "met"),
        (12.0, "at least 10", "met"),
        (0.0, "at least 10", "MISSED"),
        (7.0, "linear: 4", ""),
        (7.0, "", ""),
    ],
)
def test_verdicts(ratio, bar, verdict):
    assert Measurement("a", ratio, bar).verdict == verdict


def test_report_prints_bar_goal_and_verdict_and_keeps_the_row(capsys):
    report("Title", [("fit", 0.3, "at most 0.5", 0.2), ("predict", 2.0)])
    printed = capsys.readouterr().out.split("\n")
    assert printed[2].split() == ["fit", "0.30", "at", "most", "0.5,", "goal", "0.2", "met"]
    assert printed[3].split() == ["predict", "2.00"]
    assert MEASURED[-2:] == [
        ("Title: fit", 0.3, "at most 0.5", 0.2),
        ("Title: predict", 2.0, "", None),
    ]
    del MEASURED[-2:]


def test_history_replaces_ratios_of_the_same_commit(tmp_path, monkeypatch):
    monkeypatch.setattr(history, "HISTORY", tmp_path / "history.jsonl")
    for commit, ratio in (("first", 3.0), ("second", 2.0), ("second", 1.0)):
        monkeypatch.setattr(history, "commit", lambda name=commit: name)
        history.add([Measurement("fit", ratio, "at most 2")])
    found = [(each["commit"], each["ratio"]) for each in read_records(history.HISTORY)]
    assert found == [("first", 3.0), ("second", 1.0)]
    history.add([Measurement("predict", 5.0)])  # part of the benchmarks keeps the rest
    assert list(history.by_name()) == ["fit", "predict"]
    assert [each.verdict for each in history.by_name()["fit"]] == ["MISSED", "met"]


def test_exponent_of_a_power():
    assert exponent([1, 2, 4], [3, 12, 48]) == pytest.approx(2)
