"""Errors and warnings of the command line, one line each, and its standard streams."""

import logging
import os
import re
import signal
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from honeybayes.exceptions import NoPathWarning
from honeybayes.utils.messages import Gate

INTERRUPTED, TERMINATED = 130, 143  # 128 + the number of the signal, as in shells
AGAIN = 0.05  # seconds until a lost signal is sent again


def open_streams() -> None:
    """Open streams that the caller has closed, and put a gate before the two outputs."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # as after `>&-`
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    for name, title in (("stdout", "standard output"), ("stderr", "standard error")):
        stream = getattr(sys, name)
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
        if not isinstance(stream, Gate):
            setattr(sys, name, Gate(stream, title))


@contextmanager
def signals_end_the_command() -> Iterator[None]:
    """Let SIGTERM end a command as Ctrl+C does, so that drafts of files are deleted.

    Python ignores an exception in a finalizer. If a signal arrives there, it is sent again.
    """
    handler = signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))
    hook = sys.unraisablehook

    def send_again(lost: Any) -> None:
        code = getattr(lost.exc_value, "code", None)
        if issubclass(lost.exc_type, KeyboardInterrupt):
            number = signal.SIGINT
        elif issubclass(lost.exc_type, SystemExit) and code == TERMINATED:
            number = signal.SIGTERM
        else:
            hook(lost)
            return
        timer = threading.Timer(AGAIN, os.kill, [os.getpid(), number])
        timer.daemon = True
        timer.start()

    sys.unraisablehook = send_again
    try:
        yield
    finally:
        sys.unraisablehook = hook
        signal.signal(signal.SIGTERM, handler)


DEBUG = "--debug"
OF_PYTHON = re.compile(
    r"\w+=\w* \((?:on the command line, )?(--[\w -]+?)(?: on the command line)?\)"
)
# Errors of these types explain what the user can do; all others are bugs.
EXPECTED = (ValueError, OSError, ImportError, TypeError)


class UsageError(ValueError):
    """Options that cannot be used together, or with this table."""


def refuse(why: str, **options: Any) -> None:
    """Raise UsageError if one of these options was given."""
    for name, value in options.items():
        if value is not None and value is not False:
            raise UsageError(f"--{name.strip('_').replace('_', '-')} {why}")


def warn(message: str) -> None:
    """Tell the user what was done."""
    warnings.warn(message, UserWarning, stacklevel=3)


@contextmanager
def command_line() -> Iterator[list[str]]:
    """Yield the arguments of a command; say what went wrong, and exit.

    The code is 0, 1 (error), 2 (wrong usage), 130 or 143 (interrupted).
    """
    arguments = sys.argv[1:]
    end = arguments.index("--") if "--" in arguments else len(arguments)
    debug = DEBUG in arguments[:end]
    options = [argument for argument in arguments[:end] if argument != DEBUG]
    open_streams()
    code: Any = 0
    try:
        with signals_end_the_command(), warnings.catch_warnings(), _messages_are_printed_once():
            yield [*options, *arguments[end:]]
    except SystemExit as exit_:
        code = exit_.code or 0
    except Exception as error:
        if debug and not _is_usage(error):
            raise
        code = _report(error)
    if code == INTERRUPTED:
        _print_error("interrupted; no incomplete file was left.")
    try:
        sys.stdout.flush()
    except OSError as error:
        with suppress(OSError, ValueError):  # the end of the process would flush it again
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = code or _report(error)
    sys.exit(code)


def _report(error: Any) -> int:
    """Print an error, and return the code to exit with."""
    if isinstance(error, BrokenPipeError):  # the reader, such as `head`, wants no more
        return 1
    if not _is_usage(error):
        _print_error(f"error: {describe(error)}")
        return 2 if isinstance(error, UsageError) else 1
    if type(error).__name__ != "NoArgsIsHelpError":  # help was printed
        message = " ".join(error.format_message().split()).rstrip(".")
        command = error.ctx.command_path if getattr(error, "ctx", None) else "honeybayes"
        end = "" if message.endswith("?") else "."
        _print_error(f"error: {message}{end} See `{command} --help`.")
    return int(getattr(error, "exit_code", 2))


def _is_usage(error: Exception) -> bool:
    return hasattr(error, "format_message")  # typer has its own classes, or those of click


def describe(error: Exception) -> str:
    """Return an error message in one line."""
    if isinstance(error, OSError) and error.strerror and error.filename:
        message = f"{error.filename}: {error.strerror}."
    else:
        message = _as_typed(" ".join(str(error).split()))
    if type(error).__module__ == "sqlite3":  # a project file; importing sqlite3 takes time
        return f"{message}. Check that the disk is not full and that you may write to its folder."
    if isinstance(error, EXPECTED) and message:
        return message
    return f"{type(error).__name__}: {message} (unexpected; add {DEBUG} to see where it happened)"


@contextmanager
def _messages_are_printed_once() -> Iterator[None]:
    """Print warnings, and what the readers of tables detected: each line once.

    A comparison fits a model many times, and some commands open a table twice.
    """
    printed: set[str] = set()

    def show(line: str, about: str = "") -> None:
        if (about or line) not in printed:
            printed.add(about or line)
            with suppress(OSError):
                print(line, file=sys.stderr)

    def show_warning(message: Warning | str, category: type[Warning], *_: Any) -> None:
        is_of_draw = issubclass(category, NoPathWarning)  # the next draw has it for other classes
        line = f"honeybayes: warning: {_as_typed(' '.join(str(message).split()))}"
        show(line, category.__name__ if is_of_draw else "")

    handler = logging.Handler()
    handler.emit = lambda record: show(record.getMessage())  # type: ignore[method-assign]
    log = logging.getLogger("honeybayes.tables")
    level = log.level
    log.setLevel(logging.INFO)
    log.addHandler(handler)
    warnings.showwarning = show_warning  # type: ignore[assignment]
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(level)


def _as_typed(message: str) -> str:
    """Name options as they are typed: --text, not text= (--text on the command line)."""
    return OF_PYTHON.sub(r"\1", message)


def _print_error(line: str) -> None:
    with suppress(OSError):  # there is nobody left to tell
        print(f"honeybayes: {line}", file=sys.stderr)
