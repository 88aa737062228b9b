"""The application: all commands under the name ``honeybayes``, and how one of them runs."""

import logging
import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Annotated, Any

import typer

from honeybayes import __version__
from honeybayes.cli import data
from honeybayes.cli._options import Command, CommandGroup, described
from honeybayes.cli._output import DEBUG, UsageError, as_typed, describe
from honeybayes.cli.check import check
from honeybayes.cli.compare import compare
from honeybayes.cli.demo import demo
from honeybayes.cli.doctor import doctor
from honeybayes.cli.evaluate import evaluate
from honeybayes.cli.explain import explain
from honeybayes.cli.fit import fit
from honeybayes.cli.label import label, open_page
from honeybayes.cli.models import models
from honeybayes.cli.predict import predict
from honeybayes.cli.simulate import simulate
from honeybayes.cli.sources import sources
from honeybayes.exceptions import NoPathWarning
from honeybayes.utils.messages import Gate

INTERRUPTED, TERMINATED = 130, 143  # 128 + the number of the signal, as in shells
AGAIN = 0.05  # seconds until a lost signal is sent again

app = typer.Typer(
    cls=CommandGroup,
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def honeybayes(
    context: typer.Context,
    debug: Annotated[bool, typer.Option(DEBUG, help="Show the traceback of an error.")] = False,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Classify text from few labels.

    Without a command, the page opens: drop a table on it. Start with: honeybayes demo
    """
    if version:
        print(__version__)
        raise typer.Exit
    if context.invoked_subcommand is None:
        if not sys.stdout.isatty():  # a script that forgot the command must not wait forever
            print(context.get_help())
            raise typer.Exit
        open_page()


for command in (
    *(demo, label, sources, fit, predict, evaluate, check, compare, simulate, explain),
    *(models, doctor),
):
    app.command(cls=Command)(described(command))
app.add_typer(data.app, name="data", cls=CommandGroup)


@contextmanager
def command_line() -> Iterator[list[str]]:
    """Yield the arguments of a command; say what went wrong, and exit.

    The code is 0, 1 (error), 2 (wrong usage), 130 or 143 (interrupted).
    """
    arguments = sys.argv[1:]
    end = arguments.index("--") if "--" in arguments else len(arguments)
    debug = DEBUG in arguments[:end]
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # as after `>&-`
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    for name, title in (("stdout", "standard output"), ("stderr", "standard error")):
        stream = getattr(sys, name)
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
        if not isinstance(stream, Gate):
            setattr(sys, name, Gate(stream, title))
    code: Any = 0
    try:
        with _signals_and_messages():
            yield [*(each for each in arguments[:end] if each != DEBUG), *arguments[end:]]
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


@contextmanager
def _signals_and_messages() -> Iterator[None]:
    """Let SIGTERM end a command as Ctrl+C does, and print each message once.

    So drafts of files are deleted. Python ignores an exception in a finalizer: if a signal arrives
    there, it is sent again. Messages are warnings, and what the readers of tables detected: a
    comparison fits a model many times, and some commands open a table twice.
    """
    printed: set[str] = set()

    def send_again(lost: Any) -> None:
        error = lost.exc_value
        is_terminated = isinstance(error, SystemExit) and error.code == TERMINATED
        if not is_terminated and not issubclass(lost.exc_type, KeyboardInterrupt):
            hook(lost)
            return
        number = signal.SIGTERM if is_terminated else signal.SIGINT
        timer = threading.Timer(AGAIN, os.kill, [os.getpid(), number])
        timer.daemon = True
        timer.start()

    def show(line: str, about: str = "") -> None:
        if (about or line) not in printed:
            printed.add(about or line)
            with suppress(OSError):
                print(as_typed(line), file=sys.stderr)

    def show_warning(message: Warning | str, category: type[Warning], *_: Any) -> None:
        is_of_draw = issubclass(category, NoPathWarning)  # the next draw has it for other classes
        line = f"honeybayes: warning: {' '.join(str(message).split())}"
        show(line, category.__name__ if is_of_draw else "")

    handler, log = logging.Handler(), logging.getLogger("honeybayes.tables")
    handler.emit = lambda record: show(record.getMessage())  # type: ignore[method-assign]
    level, hook = log.level, sys.unraisablehook
    terminate = signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))
    sys.unraisablehook = send_again
    log.setLevel(logging.INFO)
    log.addHandler(handler)
    try:
        with warnings.catch_warnings():
            warnings.showwarning = show_warning  # type: ignore[assignment]
            yield
    finally:
        log.removeHandler(handler)
        log.setLevel(level)
        sys.unraisablehook = hook
        signal.signal(signal.SIGTERM, terminate)


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


def _print_error(line: str) -> None:
    with suppress(OSError):  # there is nobody left to tell
        print(f"honeybayes: {line}", file=sys.stderr)
