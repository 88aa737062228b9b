"""A progress bar on the terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

from honeybayes.utils.printing import printable, ungated


@contextmanager
def progress_bar(
    total: int, shown: bool | None = None, stream: TextIO | None = None
) -> Iterator[Callable[[str], None]]:
    """Yield a function that counts one finished step and shows its description.

    By default the bar is shown only if the stream, standard error by default, is a terminal.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as TimeLeft

    stream = sys.stderr if stream is None else stream
    is_hidden = not total or not (stream.isatty() if shown is None else shown)
    description = TextColumn("{task.description}", markup=False)  # names may hold brackets
    columns = (BarColumn(), MofNCompleteColumn(), TimeLeft(compact=True), description)
    console = Console(file=ungated(stream))
    # drawn after each step and not by a thread, because processes are started meanwhile
    with Progress(*columns, console=console, auto_refresh=False, disable=is_hidden) as bar:
        task = bar.add_task("", total=total)
        yield lambda text: bar.update(task, advance=1, description=printable(text), refresh=True)
