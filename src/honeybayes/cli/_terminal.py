"""Printing: a table for a person, tabs for a pipe, JSON for a program."""

import json
import math
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from honeybayes.utils.writing import atomic_write


def print_json(value: Any) -> None:
    """Print one JSON document; JSON has no NaN and no infinity, so these become null."""
    print(json.dumps(_finite(value), indent=2, ensure_ascii=False, allow_nan=False))


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _finite(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def print_table(columns: Sequence[str], rows: Iterable[Sequence[Any]], title: str = "") -> None:
    """Print rows as a table on a terminal, and with tabs between the cells elsewhere."""
    if not sys.stdout.isatty():
        for row in [columns, *rows]:
            print("\t".join(map(str, row)))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(*columns, title=title, box=None, header_style="bold", title_justify="left")
    for row in rows:
        table.add_row(*map(str, row))
    Console().print(table, markup=False)


@contextmanager
def counting(what: str, among_rows: bool) -> Iterator[Any]:
    """Show on a terminal how many are done; yield the function to report more with.

    Nothing is shown if rows are printed at the same time on the same terminal.
    """
    if not sys.stderr.isatty() or (among_rows and sys.stdout.isatty()):
        yield lambda more: None
        return
    from rich.console import Console
    from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=None)
        yield lambda more: progress.advance(task, more)


@contextmanager
def working(what: str) -> Iterator[None]:
    """Show on a terminal, while it lasts, what is being done."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(what):
        yield


def save_plot(axes: Any, path: Path) -> None:
    """Write a picture, whole or not at all."""
    known = axes.figure.canvas.get_supported_filetypes()
    form = path.suffix.lower().removeprefix(".")
    if form not in known:
        raise ValueError(f"{path}: a picture ends in .png, .svg or .pdf.")
    with atomic_write(path) as file:
        axes.figure.savefig(file, format=form, bbox_inches="tight")
