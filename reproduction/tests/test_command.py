"""The command: it continues from the recorded trials, and says in one line what is wrong."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from honeybayes.evaluate import read_results
from reproduction import __main__ as command
from reproduction.rules import describe_paper, list_papers


@pytest.fixture
def run(monkeypatch, tmp_path):
    """Run the command with results in a temporary folder; return its exit message."""
    monkeypatch.setattr(command, "FOLDER", tmp_path)

    def run(arguments):
        monkeypatch.setattr(sys, "argv", ["reproduction", *arguments.split()])
        try:
            command.main()
        except SystemExit as stop:
            return stop.code
        return None

    return run


def test_recorded_trials_are_recognized_and_not_run_again(corpora, run, tmp_path, capsys):
    """A changed repr of a model or of the choice of terms would run them again."""
    (tmp_path / "results").mkdir()
    recorded = Path(command.__file__).parent / "results" / "hmnb.jsonl"
    copied = Path(shutil.copy(recorded, tmp_path / "results"))
    assert run("hmnb --datasets oh0 --cells") is None
    assert copied.read_bytes() == recorded.read_bytes()
    printed = capsys.readouterr().out
    assert printed.count("\n") == 24
    assert "hmnb: 21 published numbers, 21 measured, 21 agree." in printed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("honb-2010", "error: Unknown paper 'honb-2010'. The papers are: honb-2009"),
        ("hmnb --table 9", "error: hmnb has results in tables [2, 3, 4]; got table=9."),
        ("hmnb --models HONB", "error: hmnb has no models ['HONB']"),
    ],
)
def test_a_wrong_call_is_answered_in_one_line(run, arguments, message):
    assert run(arguments).startswith(message)


def test_a_missing_corpus_is_named(run, monkeypatch, tmp_path):
    monkeypatch.setenv("HONEYBAYES_DATA", str(tmp_path))
    monkeypatch.delenv("HONEYBAYES_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    message = run("honb-2009 --datasets Cora --models NB")
    assert "The corpus 'cora-7' is not on this machine. linqs-cora.npz or cora.content" in message


PROGRAM = """
import sys, pathlib
from reproduction import __main__ as command
command.FOLDER = pathlib.Path(sys.argv.pop(1))
command.main()
"""


@pytest.mark.process
def test_a_killed_run_continues(corpora, run, tmp_path):
    path = tmp_path / "results" / "hmnb.jsonl"
    arguments = "hmnb --datasets oh0 --models HMNB MNB"
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(tmp_path), *arguments.split()],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and not (path.exists() and path.stat().st_size):
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = read_results(path)
    assert kept
    assert run(arguments) is None
    results = {result.cell: result for result in read_results(path)}
    assert len(results) == 20
    assert all(results[result.cell] == result for result in kept)  # seconds too: not run again
    recorded = read_results(Path(command.__file__).parent / "results" / "hmnb.jsonl")
    accuracies = {result.cell: result.scores["accuracy"] for result in recorded}
    for cell, result in results.items():
        assert result.scores["accuracy"] == accuracies[cell]


def test_pages_follow_from_the_recorded_trials(monkeypatch, tmp_path):
    """What is in the repository is what ``--pages`` writes, digit for digit."""
    pages = command.PAGES

    def drawn(reproduction):
        names = map(str.lower, describe_paper(reproduction.paper).corpora)
        pictures = (f"images/{reproduction.paper}-{name}.svg" for name in names)
        return [picture for picture in pictures if (pages / picture).exists()]

    monkeypatch.setattr(command, "PAGES", tmp_path)
    monkeypatch.setattr(command, "draw", drawn)
    command.write_pages()
    for name in ["README", *list_papers()]:
        written = (tmp_path / f"{name}.md").read_text(encoding="utf-8")
        assert written == (pages / f"{name}.md").read_text(encoding="utf-8")
