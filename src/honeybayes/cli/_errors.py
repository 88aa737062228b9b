"""Errors and warnings of the command line: one line each, no traceback unless asked for."""

import logging
import re
import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

DEBUG = "--debug"
INTERRUPTED, TERMINATED = 130, 143  # 128 + the number of the signal, as in shells
# Errors of these types explain what the user can do; all others are bugs.
EXPECTED = (ValueError, OSError, ImportError, TypeError)
# The library names Python arguments and functions in its messages; users type options and commands.
VALUE_OPTION = re.compile(
    r"\b(text|attributes|id|label|fill|format|delimiter|encoder|encoding|sheet|n_terms|min_df)="
    r"(\.| ?)"
)
SWITCH = re.compile(r"\b(stop_words|stem|quotes)=(False)?")
COMMANDS = {
    "list_models()": "`honeybayes models`",
    "list_corpora()": "`honeybayes data list`",
    "n_bins=": "--bins ",
    "keep_model_labels=True": "--keep-model-labels",
    "save_model": "`honeybayes fit`",
    "explain_decision": "`honeybayes explain`",
    "HigherOrderNB or HigherOrderSmoothingNB (HONB or HOS)": "a model of `honeybayes fit "
    "--model HOS` or `--model HONB`",
}


def run(app: Callable[..., Any]) -> None:
    """Run the application and exit: 0, 1 (error), 2 (wrong usage), 130 (interrupted)."""
    arguments = sys.argv[1:]
    end = arguments.index("--") if "--" in arguments else len(arguments)
    debug = DEBUG in arguments[:end]
    options = [argument for argument in arguments[:end] if argument != DEBUG]
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    previous = signal.signal(signal.SIGTERM, _terminate)  # so that drafts of files are deleted
    try:
        with warnings.catch_warnings(), _show_information():
            warnings.showwarning = _show_each_once()
            app(args=[*options, *arguments[end:]], prog_name="honeybayes")
    except SystemExit as exit_:
        if exit_.code == INTERRUPTED:
            _print_error("interrupted; no incomplete file was left.")
        raise
    except Exception as error:
        if debug:
            raise
        _print_error(f"error: {describe(error)}")
        sys.exit(1)
    finally:
        signal.signal(signal.SIGTERM, previous)


def describe(error: Exception) -> str:
    """Return an error message in one line, with options instead of Python arguments."""
    if isinstance(error, OSError) and error.strerror and error.filename:
        message = f"{error.filename}: {error.strerror}."
    else:
        message = _with_options(" ".join(str(error).split()))
    if isinstance(error, EXPECTED) and message:
        return message
    return f"{type(error).__name__}: {message} (unexpected; add {DEBUG} to see where it happened)"


def _with_options(message: str) -> str:
    message = VALUE_OPTION.sub(lambda m: f"--{_dashes(m[1])}{m[2] or ' '}", message)
    message = SWITCH.sub(lambda m: f"--no-{_dashes(m[1])}", message)
    for name, command in COMMANDS.items():
        message = message.replace(name, command)
    return message


def _dashes(name: str) -> str:
    return name.replace("_", "-")


def _show_each_once() -> Any:
    """Return a function that prints a warning unless it has printed the same text before."""
    printed: set[str] = set()  # a comparison fits a model many times

    def show(message: Warning | str, *_: Any) -> None:
        line = f"warning: {_with_options(' '.join(str(message).split()))}"
        if line not in printed:
            printed.add(line)
            _print_error(line)

    return show


@contextmanager
def _show_information() -> Iterator[None]:
    """Print what the readers of tables detected, each line once."""
    printed: set[str] = set()  # some commands open a table twice
    handler = logging.StreamHandler(sys.stderr)

    def is_new(record: logging.LogRecord) -> bool:
        line = record.getMessage()
        is_known = line in printed
        printed.add(line)
        return not is_known

    handler.addFilter(is_new)
    log = logging.getLogger("honeybayes.data")
    level = log.level
    log.setLevel(logging.INFO)
    log.addHandler(handler)
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(level)


def _terminate(number: int, frame: FrameType | None) -> None:
    sys.exit(TERMINATED)


def _print_error(line: str) -> None:
    print(f"honeybayes: {line}", file=sys.stderr)
