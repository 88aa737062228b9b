"""What the commands print: tables, JSON, progress, plots, warnings and errors."""

import json
import re
import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import honeybayes as hb
from honeybayes.utils.messages import json_escapes, printable_cell, ungated
from honeybayes.utils.writing import atomic_write

DEBUG = "--debug"
OF_PYTHON = re.compile(
    r"\w+=\w* \((?:on the command line, )?(--[\w .,=-]+?)(?: on the command line)?\)"
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


def describe(error: Exception) -> str:
    """Return an error message in one line."""
    if isinstance(error, OSError) and error.strerror and error.filename:
        message = f"{error.filename}: {error.strerror}."
    else:
        message = as_typed(" ".join(str(error).split()))
    if type(error).__module__ == "sqlite3":  # a project file; importing sqlite3 takes time
        return f"{message}. Check that the disk is not full and that you may write to its folder."
    if isinstance(error, EXPECTED) and message:
        return message
    return f"{type(error).__name__}: {message} (unexpected; add {DEBUG} to see where it happened)"


def as_typed(message: str) -> str:
    """Name options as they are typed: --text, not text= (--text on the command line)."""
    return OF_PYTHON.sub(r"\1", message)


def print_json(value: Any) -> None:
    """Print one JSON document; NaN and infinity, which JSON does not have, become null."""
    finite = json.loads(json.dumps(value), parse_constant=lambda _: None)
    print(json_escapes(json.dumps(finite, indent=2, ensure_ascii=False)))


def print_table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Print a table on a terminal; elsewhere, rows with tabs between the cells."""
    if not sys.stdout.isatty():
        for row in [columns, *rows]:
            print("\t".join(map(printable_cell, row)))
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    def text(cell: Any) -> Text:
        return Text(printable_cell(cell))  # brackets and colons in a string would be markup

    table = Table(box=None, header_style="bold")
    for name in columns:
        table.add_column(text(name))
    for row in rows:
        table.add_row(*map(text, row))
    Console(file=ungated(sys.stdout)).print(table)


@contextmanager
def show_status(what: str) -> Iterator[None]:
    """Show on a terminal what is being done, and how many texts have got their vectors."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.text import Text

    from honeybayes.text.encoder import watch_encoding

    said = printable_cell(what)
    with Console(file=ungated(sys.stderr)).status(Text(said)) as status:

        def on_batch(done: int, n: int) -> None:
            vectors = f" (vectors: {done:,} of {n:,} texts)" if done < n else ""
            status.update(Text(said + vectors))

        with watch_encoding(on_batch):
            yield


def vectors_line(
    used: str | None, model: str = "FewLabels", texts: Iterable[str] | None = None
) -> str:
    """Return a line about the encoder that was used, or why there is none; "" if it is off.

    It advises nobody to use an encoder that cannot read the texts.
    """
    if used is not None:
        return f"Vectors: {used}, beside the words\n"
    if (usual := hb.text.find_encoder()) is not None:
        from honeybayes.utils.tags import model_tags  # slow to import

        if hb.zoo.split_settings(model)[0] == "FewLabels" or not hb.text.find_encoder(texts):
            return f"Vectors: none, because {usual} cannot read the letters\n"
        if model_tags(hb.make_model(model)).takes_dense:
            return "Vectors: none; --encoder multilingual adds them\n"
        return f"Vectors: none, because {model} learns from words only\n"
    hint = hb.text.how_to_get_vectors(texts)
    return hint and f"Vectors: none, only words. Short texts get better answers with: {hint}\n"


def save_plot(axes: Any, path: Path) -> None:
    """Write a plot to a file, in the format of its ending, and close it."""
    from matplotlib import pyplot

    try:
        format = path.suffix.lower().removeprefix(".")
        if format not in axes.figure.canvas.get_supported_filetypes():
            raise ValueError(f"{path}: a plot is written to a .png, .svg or .pdf file.")
        with atomic_write(path) as file:
            axes.figure.savefig(file, format=format, bbox_inches="tight")
    finally:
        pyplot.close(axes.figure)
