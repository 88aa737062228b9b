"""Arguments and options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

# the groups of options in the help of a command
COLUMNS, LEARNING, OUTPUT = "Columns and reading", "Learning", "Output"
MANY = "Many files"

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
        help="Column with the text, or several columns to join: subject,body.",
        metavar="COLUMN",
        rich_help_panel=COLUMNS,
    ),
]
TextOfModel = Annotated[
    str | None,
    typer.Option(
        "--text",
        "-t",
        help="Column with the text, or several columns to join: subject,body.",
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
        help="How to read the table, if it is not detected: 'delimiter=; encoding=cp1254 sheet=May "
        "format=csv quotes=no'.",
        metavar="SETTINGS",
        show_default=False,
        rich_help_panel=COLUMNS,
    ),
]
ReadLabels = Annotated[
    str,
    typer.Option(
        "--read",
        help="How to read the table, if it is not detected: 'delimiter=; encoding=cp1254 sheet=May "
        "format=csv quotes=no'; and its labels: fold-case takes those that differ only in case as "
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
