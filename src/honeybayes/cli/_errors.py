"""What a person sees when something goes wrong: one line, and no traceback unless asked for."""

import re
import sys
import warnings
from collections.abc import Sequence
from typing import Any

DEBUG = "--debug"
INTERRUPTED = 130  # as shells count: 128 and the number of the signal
# Errors that tell a person what to do, as against those that tell of a mistake in this program.
EXPECTED = (ValueError, OSError, ImportError, TypeError)
ARGUMENT = re.compile(r"\b(text|label|format|delimiter|encoding|n_terms|min_df)=")
COMMAND_FOR = {
    "list_models()": "`honeybayes models`",
    "list_corpora()": "`honeybayes data list`",
}


def run(app: Any, arguments: Sequence[str]) -> None:
    """Run the application; leave with 0, 1 (an error), 2 (a wrong call) or 130 (interrupted)."""
    debug = DEBUG in arguments
    warnings.showwarning = _show_warning  # type: ignore[assignment]
    try:
        app(args=[argument for argument in arguments if argument != DEBUG], prog_name="honeybayes")
    except SystemExit as end:
        if end.code == INTERRUPTED:
            _say("interrupted; nothing was left half-written.")
        raise
    except Exception as error:  # a person wants to know what, not where
        if debug:
            raise
        _say(f"error: {describe(error)}")
        sys.exit(1)


def describe(error: Exception) -> str:
    """Tell in one line what was wrong, in the words of the command line."""
    if isinstance(error, OSError) and error.strerror and error.filename:
        message = f"{error.filename}: {error.strerror}."
    else:
        message = ARGUMENT.sub(r"--\1 ", " ".join(str(error).split()))
        for function, command in COMMAND_FOR.items():
            message = message.replace(function, command)
    if isinstance(error, EXPECTED) and message:
        return message
    return f"{type(error).__name__}: {message} (unexpected; add {DEBUG} to see where)"


def _show_warning(message: Warning | str, *_: Any) -> None:
    _say(f"warning: {' '.join(str(message).split())}")


def _say(line: str) -> None:
    print(f"honeybayes: {line}", file=sys.stderr)
