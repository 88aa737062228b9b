"""Messages: control characters become escapes, and misspelled names get a suggestion.

Control characters can move the cursor, rename the window or hide what is printed. Characters that
change the direction of writing can make a line read differently from what it is.
"""

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

# C0 and C1 except tab and line feed; separators of lines; embeddings, overrides and isolates
CONTROLS = "\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufff9-\ufffb"
IN_TEXT, IN_CELL = re.compile(f"[{CONTROLS}]"), re.compile(f"[{CONTROLS}\t\n]")


def printable(text: str) -> str:
    r"""Return a text with control characters as escapes; tabs and line feeds stay.

    >>> from honeybayes.utils.messages import printable
    >>> printable("a\x1b[2Jb\n") == "a\\x1b[2Jb\n"
    True
    """
    return IN_TEXT.sub(_escape, text)


def printable_cell(text: object) -> str:
    """Return a text for one line of a table: tabs and line feeds are escaped as well."""
    return IN_CELL.sub(_escape, str(text))


def json_escapes(text: str) -> str:
    r"""Return JSON with all control characters as escapes of JSON, such as ``\u009b``."""
    return IN_TEXT.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _escape(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode("ascii")


@dataclass(eq=False)
class Gate:
    """A standard stream on which control characters become escapes, and errors have a name."""

    stream: Any
    title: str
    clean: Callable[[str], str] | None = printable

    def write(self, text: str) -> int:
        """Write a text; return its length, as streams do."""
        try:
            self.stream.write(text if self.clean is None else self.clean(text))
        except OSError as error:
            error.filename = error.filename or self.title
            raise
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write several texts."""
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Flush the stream."""
        try:
            self.stream.flush()
        except OSError as error:
            error.filename = error.filename or self.title
            raise

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def ungated(stream: Any) -> Any:
    """Return the stream behind a gate, for programs that draw on the terminal, such as rich.

    What they draw must be made `printable` before.
    """
    return stream.stream if isinstance(stream, Gate) else stream


def exact(stream: Any) -> Any:
    """Return a stream that changes nothing, for rows that another program reads."""
    return Gate(stream.stream, stream.title, None) if isinstance(stream, Gate) else stream


@contextmanager
def count_steps(
    what: str,
    total: int | None = None,
    *,
    done: int = 0,
    shown: bool | None = None,
    stream: Any = None,
) -> Iterator[Callable[..., None]]:
    """Show the number of finished steps; yield a function that takes more, and what was done last.

    By default they are shown only if the stream, standard error by default, is a terminal.
    """
    stream = sys.stderr if stream is None else stream
    if total == 0 or not (stream.isatty() if shown is None else shown):
        yield lambda more, last="": None
        return
    from rich import progress as rich
    from rich.console import Console

    description = rich.TextColumn("{task.description}", markup=False)  # names may hold brackets
    left = () if total is None else (rich.TimeRemainingColumn(), rich.TextColumn("left"))
    columns = (rich.BarColumn(), rich.MofNCompleteColumn(), rich.TimeElapsedColumn())
    options: Any = {"console": Console(file=ungated(stream)), "transient": stream.isatty()}
    options["speed_estimate_period"] = float("inf")  # of all steps, which may take minutes each
    # drawn after each step and not by a thread, because processes are started meanwhile
    with rich.Progress(*columns, *left, description, auto_refresh=False, **options) as bar:
        task = bar.add_task(printable(what), total=total, completed=done)

        def count(more: int, last: str = what) -> None:
            bar.update(task, advance=more, description=printable(last), refresh=True)

        yield count


def say_rows(n: int, one: str, many: str) -> str:
    """Return a number of rows with the right form of the verb."""
    return f"1 row {one}" if n == 1 else f"{n} rows {many}"


def did_you_mean(name: object, known: Iterable[str], *, n: int = 1, cutoff: float = 0.6) -> str:
    """Return a question to append to an error message, or "" if no known name is similar.

    Suggests at most `n` names with a similarity of at least `cutoff`, ignoring case.

    >>> from honeybayes.utils.messages import did_you_mean
    >>> "No column 'Txet'." + did_you_mean("Txet", ["text", "label"])
    "No column 'Txet'. Did you mean 'text'?"
    """
    by_lower_case = {each.lower(): each for each in known}
    close = get_close_matches(str(name).lower(), by_lower_case, n=n, cutoff=cutoff)
    names = " or ".join(repr(by_lower_case[each]) for each in close)
    return f" Did you mean {names}?" if close else ""


def _words_of(name: str) -> list[str]:
    """Return the name of a file without its endings, and the words in it of three letters."""
    stem = name.partition(".")[0].lower()
    return [stem, *(each for each in re.split(r"[\W_]+", stem) if len(each) >= 3)]


def check_file_exists(path: Path) -> None:
    """Raise FileNotFoundError if the path does not exist; suggest a file with a similar name."""
    if not path.parent.is_dir():
        raise FileNotFoundError(f"There is no file {path}, and no folder {path.parent} either.")
    if not path.exists():
        names: list[str] = []
        with suppress(PermissionError):  # files in the folder may be opened, but not listed
            names = [each.name for each in path.parent.iterdir() if each.is_file()]
        stem, *words = _words_of(path.name)
        near = []
        for name in names:  # endings that are alike do not count
            other, *others = _words_of(name)
            if set(words) & set(others) or did_you_mean(stem, [other], cutoff=0.75):
                near.append(name)
        raise FileNotFoundError(f"There is no file {path}.{did_you_mean(path.name, near)}")
