"""Options of the commands, as their docstrings describe them, and how help is drawn."""

import ast
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from typing import Annotated, Any, cast

import typer
from typer.core import TyperCommand, TyperGroup

from honeybayes.utils.messages import ungated


class _Help:
    def format_help(self, *arguments: Any) -> None:
        with redirect_stdout(ungated(sys.stdout)):  # help is a fixed text, which rich draws
            super().format_help(*arguments)  # type: ignore[misc]


class Command(_Help, TyperCommand):
    """A command."""


class CommandGroup(_Help, TyperGroup):
    """A group of commands."""


GROUP, ENTRY = re.compile(r"^(?=\w.*:$)", re.MULTILINE), re.compile(r"\n  (?=\S)")
REMARK = re.compile(r" \[(default:|at least) ([^]]*)\]")  # in the help of an option


def shared() -> None:
    """Describe parameters that several commands have in common.

    The docstring of a command describes its own parameters in the same way: a group of the help,
    names, the kind of value, and the help.

    Arguments:
      model: Model file, written by `honeybayes fit`.
      table: CSV, TSV, JSON lines, Excel or Parquet file, or a folder with one sub-folder per class;
        - reads CSV from standard input.
    Columns and reading:
      --text -t COLUMN: Column with the text, or several columns to join: subject,body. [default:
        the one that the model was fitted to, otherwise text]
      --attributes COLUMNS|all: Learn from these nominal columns instead of texts: odor,color or
        all. The model remembers them.
      --id COLUMN: Column that names the rows: it is shown, and never learned.
      --label -l COLUMN: Column with the label.
      --read SETTINGS: How to read the table, if it is not detected: 'delimiter=; encoding=cp1254
        sheet=May format=csv quotes=no'. Where labels are read, also how to read them: fold-case
        takes those that differ only in case as one, unlabeled=todo,later are no labels ('' uses
        all), keep-model-labels uses those that a model gave. fit and compare: many-classes accepts
        a label per row, n-bins=5 divides numbers of --attributes into ranges.
    Learning:
      --pool TABLE: Table with more texts, which need no labels, for models that can use them. Rows
        of the first table whose label is empty are used in the same way. `fit` also takes a folder
        or a pattern of files.
      --classes CLASSES: Names of the classes, and words that are typical of them: 'billing: invoice
        charge; delivery'; or a text file with one class per line. No label is needed then.
      --language: Language of the texts, for stems and stop words; auto finds it.
      --words SETTINGS: Which words become terms: 'stem=no stop-words=keep min-df=2 ngram-range=1,2
        n-terms=500 clean-html=no'. stop-words: keep, remove, or (fit only) auto, by evidence from
        the texts; min-df: fewest documents of a word; n-terms: the best by information gain;
        clean-html: remove tags, by default if many texts have some.
      --encoder NAME: Encoder that the model was fitted with, if it is a model of
        sentence-transformers or model2vec. multilingual is found without it.
    Output:
      --plot FILE: Draw a plot to this file: .png, .svg or .pdf.
      --plain-cells: Write an apostrophe before cells of CSV that a spreadsheet would run as a
        formula.
      --json: Print JSON, for other programs.
    Many files:
      --engine local|dask|tcp://HOST:PORT: Who works on many files: local, this machine; dask, a
        cluster of processes on it; or tcp://HOST:PORT, the scheduler of a cluster that sees the
        same files.
      --keep-going: Report files that cannot be read, and go on with the others.
    """


def described(command: Callable[..., Any]) -> Callable[..., Any]:
    """Tell typer what the docstring of a command, or of `shared`, says about its parameters."""
    text = _docstring(command)
    command.__doc__ = GROUP.split(text)[0]
    entries = dict([*_entries(_docstring(shared)), *_entries(text)])
    for name, parameter in inspect.signature(command).parameters.items():
        (first, *others), told, group = entries[name.rstrip("_")]
        remarks = dict(REMARK.findall(told))
        metavar = next((each for each in others if not each.startswith("-")), None)
        about: dict[str, Any] = {
            "help": REMARK.sub("", told),
            "rich_help_panel": group,
            "metavar": "" if parameter.annotation is bool else metavar,
            "min": int(remarks["at least"]) if "at least" in remarks else None,
            "show_default": parameter.default != "",
        }
        if parameter.default is None:
            about["show_default"] = remarks.get("default:", True)
        flags = [each for each in (first, *others) if each.startswith("-")]
        info = typer.Option(*flags, **about) if flags else typer.Argument(**about)
        command.__annotations__[name] = Annotated[parameter.annotation, info]
    return command


def _docstring(function: Callable[..., Any]) -> str:
    if (text := inspect.getdoc(function)) is not None:
        return text
    [parsed] = ast.parse(inspect.getsource(function)).body  # python -OO has removed it
    return ast.get_docstring(cast(ast.FunctionDef, parsed)) or ""


def _entries(text: str) -> Iterator[tuple[str, tuple[list[str], str, str]]]:
    """Yield the words before the help of each parameter, the help and the group, by its name."""
    for group in GROUP.split(text)[1:]:
        title, *entries = ENTRY.split(group.rstrip())
        for entry in entries:
            words, _, told = " ".join(entry.split()).partition(": ")
            name = words.split("/")[0].split()[0].strip("-").replace("-", "_")
            yield name, (words.split(), told, title.rstrip(":"))
