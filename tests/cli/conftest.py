import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src"


@pytest.fixture
def start(tmp_path):
    """Start ``honeybayes`` as a person does, in a folder of its own."""

    def start(command, **options):
        return subprocess.Popen(
            [sys.executable, "-m", "honeybayes.cli", *shlex.split(command)],
            encoding="utf-8",
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(SOURCE)},
            **options,
        )

    return start


@pytest.fixture
def run(start):
    """Run a command to its end."""

    def run(command, stdin=""):
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        with start(command, **pipes) as process:
            told, complained = process.communicate(stdin, timeout=300)
        return subprocess.CompletedProcess(command, process.returncode, told, complained)

    return run


@pytest.fixture
def works(run):
    """Run a command that must go well; return what it prints."""

    def works(command, stdin=""):
        done = run(command, stdin)
        assert done.returncode == 0, done.stderr
        assert done.stderr == ""
        return done.stdout

    return works


@pytest.fixture
def writes(run):
    """Run a command that must write rows to a file; return the one line that says how many."""

    def writes(command, stdin=""):
        done = run(command, stdin)
        assert done.returncode == 0, done.stderr
        assert done.stdout == ""
        assert done.stderr.count("\n") == 1
        return done.stderr

    return writes


@pytest.fixture
def fails(run):
    """Run a command that must be refused; return the one line that says why."""

    def fails(command, stdin=""):
        done = run(command, stdin)
        assert done.returncode == 1, done.stderr
        assert done.stdout == ""
        assert done.stderr.startswith("honeybayes: error: ")
        assert done.stderr.count("\n") == 1
        return done.stderr

    return fails
