"""The standard streams of a command: open, in UTF-8, and behind a gate."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

from honeybayes.utils.printing import Gate, ungated

INTERRUPTED, TERMINATED = 130, 143  # 128 + the number of the signal, as in shells
AGAIN = 0.05  # seconds until a lost signal is sent again


def open_streams() -> None:
    """Open streams that the caller has closed, and put a gate before the two outputs."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # as after `>&-`
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    for name, title in (("stdout", "standard output"), ("stderr", "standard error")):
        stream = ungated(getattr(sys, name))
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
        setattr(sys, name, Gate(stream, title))


@contextmanager
def without_gate() -> Iterator[None]:
    """Let another library draw on standard output; for fixed texts, such as help."""
    gate = sys.stdout
    sys.stdout = ungated(gate)
    try:
        yield
    finally:
        sys.stdout = gate


def flush_output() -> OSError | None:
    """Flush standard output; if that fails, return the error, and drop what is left."""
    try:
        sys.stdout.flush()
    except OSError as error:
        with suppress(OSError, ValueError):  # the end of the process would flush it again
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return error
    return None


@contextmanager
def signals_end_the_command() -> Iterator[None]:
    """Let SIGTERM end a command as Ctrl+C does, so that drafts of files are deleted.

    Python ignores an exception in a finalizer. If a signal arrives there, it is sent again.
    """
    handler = signal.signal(signal.SIGTERM, _terminate)
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


def _terminate(number: int, frame: FrameType | None) -> None:
    sys.exit(TERMINATED)
