"""What a person sees when something goes wrong: one line, and no traceback unless asked for."""

import re
import signal
import sys
import warnings
from collections.abc import Sequence
from typing import Any

DEBUG = "--debug"
INTERRUPTED, TERMINATED = 130, 143  # as shells count: 128 and the number of the signal
# Errors that tell a person what to do, as against those that tell of a mistake in this program.
EXPECTED = (ValueError, OSError, ImportError, TypeError)
ARGUMENT = re.compile(r"\b(text|label|format|delimiter|encoding|n_terms|min_df)=(\.| ?)")
COMMAND_FOR = {
    "stop_words=False": "--no-stop-words",
    "quotes=False": "--no-quotes",
    "where quotes= has": "where --no-quotes has",
    "list_models()": "`honeybayes models`",
    "list_corpora()": "`honeybayes data list`",
    "written by save_model": "written by `honeybayes fit`",
    "HigherOrderNB and HigherOrderSmoothingNB do (HONB and HOS)": "those of `honeybayes fit "
    "--model HOS` and `--model HONB` do",
    "explain_decision tells": "`honeybayes explain` tells",
}
_shown: set[str] = set()


def run(app: Any, arguments: Sequence[str]) -> None:
    """Run the application; leave with 0, 1 (an error), 2 (a wrong call) or 130 (interrupted)."""
    options, separator, texts = _split_at(list(arguments), "--")
    debug = DEBUG in options
    options = [option for option in options if option != DEBUG]
    _shown.clear()
    warnings.showwarning = _show_warning  # type: ignore[assignment]
    signal.signal(signal.SIGTERM, _stop)  # so that what is half-written is taken away
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    try:
        app(args=[*options, *separator, *texts], prog_name="honeybayes")
    except SystemExit as end:
        if end.code == INTERRUPTED:
            _say("interrupted; nothing was left half-written.")
        raise
    except Exception as error:  # a person wants to know what, not where
        if debug:
            raise
        _say(f"error: {describe(error)}")
        sys.exit(1)


def _split_at(arguments: list[str], mark: str) -> tuple[list[str], list[str], list[str]]:
    place = arguments.index(mark) if mark in arguments else len(arguments)
    return arguments[:place], arguments[place : place + 1], arguments[place + 1 :]


def _stop(*_: Any) -> None:
    sys.exit(TERMINATED)


def describe(error: Exception) -> str:
    """Tell in one line what was wrong, in the words of the command line."""
    if isinstance(error, OSError) and error.strerror and error.filename:
        message = f"{error.filename}: {error.strerror}."
    else:
        message = ARGUMENT.sub(_as_option, " ".join(str(error).split()))
        for function, command in COMMAND_FOR.items():
            message = message.replace(function, command)
    if isinstance(error, EXPECTED) and message:
        return message
    return f"{type(error).__name__}: {message} (unexpected; add {DEBUG} to see where)"


def _as_option(argument: re.Match[str]) -> str:
    return f"--{argument[1].replace('_', '-')}{argument[2] or ' '}"


def _show_warning(message: Warning | str, *_: Any) -> None:
    line = f"warning: {' '.join(str(message).split())}"
    if line not in _shown:  # a comparison fits a model many times
        _shown.add(line)
        _say(line)


def _say(line: str) -> None:
    print(f"honeybayes: {line}", file=sys.stderr)
