"""Options that several commands share, settings inside an option, and how help is drawn."""

import shlex
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from honeybayes.cli._messages import UsageError, without_gate
from honeybayes.utils.suggestions import did_you_mean


class _Help:
    def format_help(self, *arguments: Any) -> None:
        with without_gate():
            super().format_help(*arguments)  # type: ignore[misc]


class Command(_Help, TyperCommand):
    """A command. In its help, a switch has no type."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        for each in self.params:
            if getattr(each, "is_flag", False) and each.metavar is None:
                each.metavar = ""


class CommandGroup(_Help, TyperGroup):
    """A group of commands."""


Parsers = Mapping[str, Callable[[str], Any]]
YES, NO = ("yes", "true"), ("no", "false")
TAB = "tab"  # which cannot be typed in most shells


def parse_settings(option: str, typed: str, parsers: Parsers) -> dict[str, Any]:
    """Return settings by the name of their parameter; a switch without a value means yes.

    Raises UsageError that names the wrong word and those that are allowed.
    """
    found: dict[str, Any] = {}
    for name, value in split_settings(option, typed):
        if name not in parsers:
            raise UsageError(
                f"{option} has no setting {name!r}. The settings are: {', '.join(parsers)}."
                f"{did_you_mean(name, list(parsers))}"
            )
        if value is None:
            if parsers[name] is not switch:
                raise UsageError(f"{option}: {name} needs a value: {name}=...")
            value = YES[0]
        parameter = name.replace("-", "_")
        if parameter in found:
            raise UsageError(f"{option}: {name} is there twice. Leave out one of them.")
        try:
            found[parameter] = parsers[name](value)
        except ValueError as error:
            raise UsageError(f"{option}: {name}={value} is wrong: {error}") from error
    return found


def split_settings(option: str, typed: str) -> Iterator[tuple[str, str | None]]:
    """Yield names and values, or None without a value; a value with spaces is in quotes."""
    words = shlex.shlex(typed, posix=True)
    words.whitespace_split, words.commenters, words.escape = True, "", ""
    try:
        for word in words:
            name, has_value, value = word.partition("=")
            yield name.replace("_", "-"), value if has_value else None
    except ValueError as error:
        raise UsageError(f"{option}: a quote is not closed in {typed!r}.") from error


def join_settings(settings: Mapping[str, Any]) -> str:
    """Return settings as they are typed, so that `parse_settings` returns them again."""
    words = []
    for name, value in settings.items():
        text = str(value)
        if isinstance(value, bool):
            text = YES[0] if value else NO[0]
        elif (name, value) == ("delimiter", "\t"):
            text = TAB
        is_plain = text and not set(text) & set(" \t\r\n'\"")
        words.append(f"{name}={text if is_plain else shlex.quote(text)}")
    return " ".join(words)


def switch(value: str) -> bool:
    """Return True for yes, False for no."""
    if value.lower() not in (*YES, *NO):
        raise ValueError("it must be yes or no.")
    return value.lower() in YES


def whole_number(least: int) -> Callable[[str], int]:
    """Return a parser of whole numbers from ``least`` on."""

    def parse(value: str) -> int:
        if not value.isdecimal() or int(value) < least:
            raise ValueError(f"it must be a whole number, at least {least}.")
        return int(value)

    return parse


def share(value: str) -> float:
    """Return a number between 0 and 1."""
    try:
        number = float(value)
    except ValueError:
        number = 0.0
    if not 0 < number < 1:
        raise ValueError("it must be between 0 and 1. For 90 %, type 0.9.")
    return number


def one_of(*names: str) -> Callable[[str], str]:
    """Return a parser that takes these names only."""

    def parse(value: str) -> str:
        if value not in names:
            raise ValueError(f"it must be one of {', '.join(names)}.")
        return value

    return parse


# the groups of options in the help of a command
COLUMNS, LEARNING, OUTPUT = "Columns and reading", "Learning", "Output"
MANY, ANSWERS, COMPARISON = "Many files", "Answers", "Comparison"

TEXT_HELP = "Column with the text, or several columns to join: subject,body."
HOW_TO_READ = (
    "How to read the table, if it is not detected: 'delimiter=; encoding=cp1254 sheet=May "
    "format=csv quotes=no'"
)

Model = Annotated[str, typer.Argument(help="Model file, written by `honeybayes fit`.")]
Table = Annotated[
    str,
    typer.Argument(
        help="CSV, TSV, JSON lines, Excel or Parquet file, or a folder with one sub-folder per "
        "class; - reads CSV from standard input."
    ),
]
Text = Annotated[
    str,
    typer.Option(
        "--text",
        "-t",
        help=TEXT_HELP,
        metavar="COLUMN",
        rich_help_panel=COLUMNS,
    ),
]
TextOfModel = Annotated[
    str | None,
    typer.Option(
        "--text",
        "-t",
        help=TEXT_HELP,
        metavar="COLUMN",
        show_default="the one that the model was fitted to, otherwise text",
        rich_help_panel=COLUMNS,
    ),
]
Attributes = Annotated[
    str | None,
    typer.Option(
        help="Learn from these nominal columns instead of texts: odor,color or all. The model "
        "remembers them.",
        metavar="COLUMNS|all",
        rich_help_panel=COLUMNS,
    ),
]
Id = Annotated[
    str | None,
    typer.Option(
        "--id",
        help="Column that names the rows: it is shown, and never learned.",
        metavar="COLUMN",
        rich_help_panel=COLUMNS,
    ),
]
Label = Annotated[
    str,
    typer.Option(
        "--label", "-l", help="Column with the label.", metavar="COLUMN", rich_help_panel=COLUMNS
    ),
]
Read = Annotated[
    str,
    typer.Option(
        "--read",
        help=f"{HOW_TO_READ}.",
        metavar="SETTINGS",
        show_default=False,
        rich_help_panel=COLUMNS,
    ),
]
ReadLabels = Annotated[
    str,
    typer.Option(
        "--read",
        help=f"{HOW_TO_READ}; and its labels: fold-case takes those that differ only in case as "
        "one, unlabeled=todo,later are no labels ('' uses all), keep-model-labels uses those that "
        "a model gave. fit and compare: many-classes accepts a label per row, n-bins=5 divides "
        "numbers of --attributes into ranges.",
        metavar="SETTINGS",
        show_default=False,
        rich_help_panel=COLUMNS,
    ),
]
Pool = Annotated[
    str | None,
    typer.Option(
        help="Table with more texts, which need no labels, for models that can use them. Rows of "
        "the first table whose label is empty are used in the same way. `fit` also takes a folder "
        "or a pattern of files.",
        metavar="TABLE",
        rich_help_panel=LEARNING,
    ),
]
Classes = Annotated[
    str | None,
    typer.Option(
        help="Names of the classes, and words that are typical of them: 'billing: invoice charge; "
        "delivery'; or a text file with one class per line. No label is needed then.",
        metavar="CLASSES",
        rich_help_panel=LEARNING,
    ),
]
Language = Annotated[str, typer.Option(help="Language of the texts.", rich_help_panel=LEARNING)]
Words = Annotated[
    str,
    typer.Option(
        "--words",
        help="Which words become terms: 'stem=no stop-words=keep min-df=2 ngram-range=1,2 "
        "n-terms=500'. stop-words: keep, remove, or (fit only) auto, by evidence from the texts; "
        "min-df: fewest documents of a word; n-terms: the best by information gain.",
        metavar="SETTINGS",
        show_default=False,
        rich_help_panel=LEARNING,
    ),
]
Encoder = Annotated[
    str | None,
    typer.Option(
        help="Encoder that gives each text a vector: the name of a model of sentence-transformers "
        "or model2vec. Name the same one wherever the model is used.",
        metavar="NAME",
        rich_help_panel=LEARNING,
    ),
]
Plot = Annotated[
    Path | None,
    typer.Option(
        help="Draw a plot to this file: .png, .svg or .pdf.", metavar="FILE", rich_help_panel=OUTPUT
    ),
]
PlainCells = Annotated[
    bool,
    typer.Option(
        "--plain-cells",
        help="Write an apostrophe before cells of CSV that a spreadsheet would run as a formula.",
        rich_help_panel=OUTPUT,
    ),
]
Json = Annotated[
    bool,
    typer.Option("--json", help="Print JSON, for other programs.", rich_help_panel=OUTPUT),
]
Engine = Annotated[
    str,
    typer.Option(
        help="Who works on many files: local, this machine; dask, a cluster of processes on it; "
        "or tcp://HOST:PORT, the scheduler of a cluster that sees the same files.",
        metavar="local|dask|tcp://HOST:PORT",
        rich_help_panel=MANY,
    ),
]
KeepGoing = Annotated[
    bool,
    typer.Option(
        "--keep-going",
        help="Report files that cannot be read, and go on with the others.",
        rich_help_panel=MANY,
    ),
]
