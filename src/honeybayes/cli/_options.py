"""Options that several commands have, each written once."""

from pathlib import Path
from typing import Annotated

import typer

TextColumn = Annotated[
    str, typer.Option("--text", "-t", help="Column that holds the text.", metavar="COLUMN")
]
LabelColumn = Annotated[
    str, typer.Option("--label", "-l", help="Column that holds the class.", metavar="COLUMN")
]
Format = Annotated[
    str | None,
    typer.Option(help="Form of the table, if its ending does not tell it: csv, json-lines, ..."),
]
Delimiter = Annotated[
    str | None, typer.Option(help="What stands between two cells, such as ';'.", metavar="CHAR")
]
Encoding = Annotated[
    str | None, typer.Option(help="Encoding of a CSV file, such as cp1252.", show_default="utf-8")
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
