"""Commands, run inside the process of the tests; ``start`` is for what only a process shows."""

import io
import os
import shlex
import subprocess
import sys
import traceback
import warnings
from contextlib import chdir
from pathlib import Path
from shutil import copytree
from unittest import mock

import pytest

from honeybayes.cli import main

SOURCE = Path(__file__).parents[2] / "src"


@pytest.fixture
def start(tmp_path):
    """Start ``honeybayes`` in a process of its own."""

    def start(command, **options):
        environment = {**os.environ, "PYTHONPATH": str(SOURCE), **options.pop("env", {})}
        return subprocess.Popen(
            [sys.executable, "-m", "honeybayes", *shlex.split(command)],
            **{"encoding": "utf-8", "cwd": tmp_path, "env": environment, **options},
        )

    return start


class Stream(io.TextIOWrapper):
    """A standard stream in memory, which says what it is told to say about being a terminal."""

    def __init__(self, content="", is_terminal=False):
        super().__init__(io.BytesIO(content.encode()), encoding="utf-8", write_through=True)
        self.is_terminal = is_terminal

    def isatty(self):
        return self.is_terminal

    def text(self):
        return self.buffer.getvalue().decode()


@pytest.fixture
def run(tmp_path):
    """Run a command to its end, as a shell in ``tmp_path`` would; ``terminals`` names streams.

    Every warning is shown, unlike with Python's own filters. What the command changes in the
    process is put back.
    """

    def run(command, stdin="", terminals=()):
        streams = {"stdin": Stream(stdin)}
        streams |= {name: Stream("", name in terminals) for name in ("stdout", "stderr")}
        with (
            mock.patch.multiple(sys, argv=["honeybayes", *shlex.split(command)], **streams),
            mock.patch.dict(os.environ),
            chdir(tmp_path),
            warnings.catch_warnings(),
        ):
            warnings.resetwarnings()
            try:
                main()
                code = 0
            except SystemExit as end:
                code = end.code
            except Exception:
                traceback.print_exc()
                code = 1
        printed = streams["stdout"].text(), streams["stderr"].text()
        return subprocess.CompletedProcess(command, code, *printed)

    return run


@pytest.fixture
def works(run):
    """Run a command that must succeed; return what it prints."""

    def works(command, stdin=""):
        done = run(command, stdin)
        assert done.returncode == 0, done.stderr
        assert done.stderr == ""
        return done.stdout

    return works


@pytest.fixture
def warns(run):
    """Run a command that must succeed with one warning; return what it prints."""

    def warns(command, warning):
        done = run(command)
        assert done.returncode == 0, done.stderr
        assert done.stderr.startswith("honeybayes: warning: ")
        assert warning in done.stderr
        assert done.stderr.count("\n") == 1
        return done.stdout

    return warns


@pytest.fixture
def writes(run):
    """Run a command that must write rows to a file; return the line that says how many."""

    def writes(command, stdin=""):
        done = run(command, stdin)
        assert done.returncode == 0, done.stderr
        assert done.stdout == ""
        assert done.stderr.count("\n") == 1
        return done.stderr

    return writes


@pytest.fixture
def fails(run):
    """Run a command that must fail; return the one line that says why."""

    def fails(command, stdin="", code=1):
        done = run(command, stdin)
        assert done.returncode == code, done.stderr
        assert done.stdout == ""
        assert done.stderr.startswith("honeybayes: error: ")
        assert done.stderr.count("\n") == 1
        return done.stderr

    return fails


@pytest.fixture
def folder(files, tmp_path):
    """The current folder of the commands, with a copy of the ``files`` that the module shares."""
    copytree(files, tmp_path, dirs_exist_ok=True)
    return tmp_path
