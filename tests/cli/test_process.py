"""What only a process shows: entry points, terminals, pipes, signals, encodings, imports."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from functools import partial
from importlib.metadata import entry_points

import pytest

from honeybayes import TextClassifier, __version__, save_model
from honeybayes.cli import main
from honeybayes.tables import load_corpus, write_corpus
from honeybayes.tables._frames import N_ROWS
from tests.cli.conftest import SOURCE

PIPES = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    files = tmp_path_factory.mktemp("process")
    corpus = load_corpus("messages").keep_classes(["billing", "delivery"]).draw(20)
    write_corpus(corpus, files / "mail.csv")
    save_model(TextClassifier("CNB").fit(corpus.documents, corpus.labels), files / "model.hb")
    return files


def test_the_package_itself_can_be_run(start):
    with start("--version", **PIPES) as process:
        printed, complaints = process.communicate(timeout=60)
    assert (process.returncode, printed, complaints) == (0, f"{__version__}\n", "")


def test_the_entry_point_is_main():
    [command] = entry_points(group="console_scripts", name="honeybayes")
    assert command.load() is main


@pytest.mark.process
def test_a_broken_pipe_ends_the_command_quietly(start):
    with start("models", **PIPES) as process:
        process.stdout.close()  # as `head` does
        complaints = process.stderr.read()
    assert process.returncode == 1
    assert complaints == ""


@pytest.mark.process
def test_output_is_utf_8_in_any_locale(folder, start):
    ascii_only = {"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    command = "predict model.hb - --json"
    with start(command, stdin=subprocess.PIPE, env=ascii_only, **PIPES) as process:
        printed, complaints = process.communicate("café parcel\n", timeout=60)
    assert complaints == ""
    assert json.loads(printed)["text"] == "café parcel"


@pytest.mark.process
@pytest.mark.skipif(os.name != "posix", reason="terminals of Unix")
def test_rows_and_nothing_else_are_printed_on_a_terminal(folder, start):
    ours, theirs = os.openpty()
    shown = b""
    terminal = {"stdout": theirs, "stderr": theirs, "env": {"TERM": "xterm"}}
    with start("predict model.hb mail.csv --label-column queue", **terminal):
        os.close(theirs)
        with suppress(OSError):  # Linux reports the end of a terminal in this way
            while more := os.read(ours, 1024):
                shown += more
    os.close(ours)
    assert shown.startswith(b"text,label,queue,confidence")
    assert b"Classified" not in shown


@pytest.mark.process
@pytest.mark.skipif(os.name != "posix", reason="signals of Unix")
@pytest.mark.parametrize(
    ("stop", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)]
)
def test_an_interrupted_prediction_leaves_nothing_under_the_final_name(folder, start, stop, code):
    process = start(
        "predict model.hb - -o out.csv",
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # a shell that runs the tests in the background makes its children ignore it
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )
    process.stdin.write("late parcel\n" * (N_ROWS + 100))  # no end of input
    process.stdin.flush()
    waited_until = time.monotonic() + 120
    while not any(path.stat().st_size for path in folder.glob(".out.csv.*")):
        assert process.poll() is None, process.stderr.read()
        if time.monotonic() > waited_until:
            process.kill()
            raise AssertionError(process.stderr.read())
        time.sleep(0.05)
    process.send_signal(stop)
    assert process.wait(timeout=60) == code  # before the end of its input, which is an end as well
    _, told = process.communicate()
    assert not (folder / "out.csv").exists()
    if stop != signal.SIGKILL:
        assert not list(folder.glob(".out.csv.*"))
    if stop == signal.SIGINT:
        assert told == "honeybayes: interrupted; no incomplete file was left.\n"


COMPARE = "compare mail.csv --models NB,CNB --labels 3,5 --draws 2"


@pytest.mark.process
def test_an_interrupted_comparison_goes_on_where_it_stopped(folder, works, start):
    whole = json.loads(works(f"{COMPARE} --json"))
    process = start(f"{COMPARE} --results runs.jsonl --json")
    runs = folder / "runs.jsonl"
    while process.poll() is None and (not runs.exists() or runs.read_text().count("\n") < 2):
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = runs.read_text(encoding="utf-8").splitlines()[:2]
    assert json.loads(works(f"{COMPARE} --results runs.jsonl --json")) == whole
    lines = runs.read_text(encoding="utf-8").splitlines()
    assert lines[:2] == kept  # seconds and all: they were not run again
    assert len(lines) == 2 * 2 * 2


LOST = """
import os, signal, sys, time
from honeybayes.cli._app import command_line

class Finalized:
    def __del__(self):  # Python ignores exceptions here
        os.kill(os.getpid(), signal.{signal})
        time.sleep(0.1)

signal.signal(signal.SIGINT, signal.default_int_handler)
try:
    with command_line():
        Finalized()
        for _ in range(600):
            time.sleep(0.1)
except KeyboardInterrupt:
    sys.exit(130)
"""


@pytest.mark.process
@pytest.mark.skipif(os.name != "posix", reason="signals of Unix")
@pytest.mark.parametrize(("name", "code"), [("SIGTERM", 143), ("SIGINT", 130)])
def test_a_signal_in_a_finalizer_is_not_lost(name, code):
    script = [sys.executable, "-c", LOST.format(signal=name)]
    assert subprocess.run(script, env={**os.environ, "PYTHONPATH": str(SOURCE)}).returncode == code
