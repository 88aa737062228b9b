"""Options that several commands have, each written once."""

from pathlib import Path
from typing import Annotated

import typer

TAB_NAMES = ("\\t", "tab")  # as a person types it, for a shell has no key for it


def _as_delimiter(name: str | None) -> str | None:
    return "\t" if name in TAB_NAMES else name


def as_format(name: str | None) -> str | None:
    """Return the name of a form for another one that it goes by."""
    return {"jsonl": "json-lines", "ndjson": "json-lines"}.get(str(name).lower(), name)


TextColumn = Annotated[
    str, typer.Option("--text", "-t", help="Column that holds the text.", metavar="COLUMN")
]
LabelColumn = Annotated[
    str, typer.Option("--label", "-l", help="Column that holds the class.", metavar="COLUMN")
]
Format = Annotated[
    str | None,
    typer.Option(
        help="Form of the table, if its ending does not tell it: csv, json-lines, ...",
        callback=as_format,
    ),
]
Delimiter = Annotated[
    str | None,
    typer.Option(
        help="What stands between two cells, such as ';' or tab.",
        metavar="CHAR",
        callback=_as_delimiter,
    ),
]
Encoding = Annotated[
    str | None, typer.Option(help="Encoding of a CSV file, such as cp1252.", show_default="utf-8")
]
Quotes = Annotated[
    bool, typer.Option(help="Whether a cell of a CSV file may stand in double quotes.")
]
Language = Annotated[str, typer.Option(help="Language of the texts.")]
Stem = Annotated[bool, typer.Option(help="Reduce words to their stems.")]
StopWords = Annotated[bool, typer.Option(help="Leave stop words out.")]
MinDf = Annotated[int, typer.Option(help="Leave out words in fewer documents.", min=1)]
NTerms = Annotated[
    int | None, typer.Option(help="Keep only this many words, the best by information gain.", min=1)
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for other programs.")]
ModelFile = Annotated[str, typer.Argument(help="Model file, written by `honeybayes fit`.")]
LabeledTable = Annotated[
    str,
    typer.Argument(
        help="CSV, TSV, JSON lines, Parquet, or a folder with one sub-folder a class; "
        "- reads CSV from standard input."
    ),
]
Plot = Annotated[
    Path | None, typer.Option(help="Draw it to this file: .png, .svg or .pdf.", metavar="FILE")
]
