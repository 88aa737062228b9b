"""Arguments and options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

STOP_WORDS = ("auto", "keep", "remove")
LOCAL, DASK = "local", "dask"
TAB_NAMES = ("\\t", "tab")  # a tab cannot be typed in most shells


def _parse_delimiter(name: str | None) -> str | None:
    return "\t" if name in TAB_NAMES else name


def parse_format(name: str | None) -> str | None:
    """Return the name of a format for an alias of it."""
    return {"jsonl": "json-lines", "ndjson": "json-lines"}.get(str(name).lower(), name)


def _parse_stop_words(choice: str) -> str:
    if choice not in STOP_WORDS:
        raise typer.BadParameter(f"{choice!r} is not one of {', '.join(STOP_WORDS)}.")
    return choice


def _parse_engine(name: str) -> str:
    if name not in (LOCAL, DASK):
        raise typer.BadParameter(f"{name!r} is not one of {LOCAL}, {DASK}.")
    return name


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
    ),
]
Attributes = Annotated[
    str | None,
    typer.Option(
        help="Learn from these nominal columns instead of texts: odor,color or all. The model "
        "remembers them.",
        metavar="COLUMNS|all",
    ),
]
Bins = Annotated[
    int | None,
    typer.Option(
        help="With --attributes, divide each column that has many numbers into this many ranges.",
        min=2,
    ),
]
Id = Annotated[
    str | None,
    typer.Option(
        "--id", help="Column that names the rows: it is shown, and never learned.", metavar="COLUMN"
    ),
]
Label = Annotated[
    str, typer.Option("--label", "-l", help="Column with the label.", metavar="COLUMN")
]
KeepModelLabels = Annotated[
    bool,
    typer.Option(
        "--keep-model-labels",
        help="Use labels that a model gave, too: those with `model` in the column `source`. By "
        "default, their texts count as texts without a label.",
    ),
]
Unlabeled = Annotated[
    str,
    typer.Option(
        "--unlabeled",
        help="Labels that mean 'no label', separated by commas. auto: nan, NaN, None, null, <NA>, "
        "and -1 among whole numbers; '' uses every label as a class.",
        metavar="LABELS",
    ),
]
FoldCase = Annotated[
    bool,
    typer.Option(
        "--fold-case", help="Take labels that differ only in upper and lower case as one."
    ),
]
ManyClasses = Annotated[
    bool,
    typer.Option(
        "--many-classes", help="Accept a column of labels in which most rows have their own."
    ),
]
Format = Annotated[
    str | None,
    typer.Option(
        help="Format of the table, if its ending does not show it: csv, json-lines, ...",
        callback=parse_format,
    ),
]
Delimiter = Annotated[
    str | None,
    typer.Option(
        help="Character between two cells, such as ';' or tab.",
        metavar="CHAR",
        show_default="detected",
        callback=_parse_delimiter,
    ),
]
Encoding = Annotated[
    str | None,
    typer.Option(help="Encoding of a CSV file, such as cp1254.", show_default="detected"),
]
Sheet = Annotated[
    str | None,
    typer.Option(help="Sheet of an Excel workbook.", metavar="NAME", show_default="the first one"),
]
Quotes = Annotated[bool, typer.Option(help="Whether cells of a CSV file may be in double quotes.")]
Pool = Annotated[
    str | None,
    typer.Option(
        help="Table with more texts, which need no labels, for models that can use them. Rows of "
        "the first table whose label is empty are used in the same way. `fit` also takes a folder "
        "or a pattern of files.",
        metavar="TABLE",
    ),
]
Classes = Annotated[
    str | None,
    typer.Option(
        help="Names of the classes, and words that are typical of them: 'billing: invoice charge; "
        "delivery'; or a text file with one class per line. No label is needed then.",
        metavar="CLASSES",
    ),
]
Language = Annotated[str, typer.Option(help="Language of the texts.")]
Stem = Annotated[bool, typer.Option(help="Reduce words to their stems.")]
StopWords = Annotated[
    str,
    typer.Option(
        "--stop-words",
        help="What to do with stop words: keep, remove, or (fit only) auto, by evidence from the "
        "texts.",
        metavar="auto|keep|remove",
        callback=_parse_stop_words,
    ),
]
NoStopWords = Annotated[
    bool, typer.Option("--no-stop-words", help="The same as --stop-words keep.")
]
MinDf = Annotated[int, typer.Option(help="Remove words that occur in fewer documents.", min=1)]
NTerms = Annotated[
    int | None, typer.Option(help="Keep only this many words, the best by information gain.", min=1)
]
NgramRange = Annotated[
    str,
    typer.Option(
        help="Shortest and longest term in words: 1,2 counts words and pairs of neighbors.",
        metavar="MIN,MAX",
    ),
]
Encoder = Annotated[
    str | None,
    typer.Option(
        help="Encoder that gives each text a vector: the name of a model of sentence-transformers "
        "or model2vec. Name the same one wherever the model is used.",
        metavar="NAME",
    ),
]
Plot = Annotated[
    Path | None,
    typer.Option(help="Draw a plot to this file: .png, .svg or .pdf.", metavar="FILE"),
]
PlainCells = Annotated[
    bool,
    typer.Option(
        "--plain-cells",
        help="Write an apostrophe before cells of CSV that a spreadsheet would run as a formula.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for other programs.")]
Engine = Annotated[
    str,
    typer.Option(
        help="Who works on many files: this machine, or the workers of Dask.",
        metavar=f"{LOCAL}|{DASK}",
        callback=_parse_engine,
    ),
]
Scheduler = Annotated[
    str | None,
    typer.Option(
        help="With --engine dask, address of a scheduler, such as tcp://10.0.0.1:8786, whose "
        "workers see the same files.",
        metavar="ADDRESS",
        show_default="a cluster on this machine",
    ),
]
