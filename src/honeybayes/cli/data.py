"""``honeybayes data``: list, show and get corpora."""

from pathlib import Path

import typer

import honeybayes as hb
from honeybayes.cli._options import Command, described
from honeybayes.cli._output import print_json, print_table

app = typer.Typer(no_args_is_help=True, help="List, show or get corpora by name.")


def list_(json: bool = False) -> None:
    """List the corpora with their sizes.

    Example: honeybayes data list
    """
    described = [hb.tables.describe_corpus(name) for name in hb.tables.list_corpora()]
    columns = ["name", "documents", "classes", "summary"]
    rows = [[getattr(corpus, column) for column in columns] for corpus in described]
    if json:
        print_json([dict(zip(columns, row, strict=True)) for row in rows])
    else:
        texts = [["" if cell is None else cell for cell in row] for row in rows]
        print_table(columns, texts)


def show(name: str, json: bool = False) -> None:
    """Show where a corpus comes from, what it contains and how to cite it.

    Example: honeybayes data show messages

    Arguments:
      name: A name from `honeybayes data list`.
    """
    from dataclasses import asdict

    described = hb.tables.describe_corpus(name)
    if json:
        print_json(asdict(described))
    else:
        print(described)


def get(name: str, output: Path | None = None) -> None:
    """Download a corpus if it is not on this machine, and write it to a file.

    Example: honeybayes data get messages -o messages.csv

    Arguments:
      name: A name from `honeybayes data list`.
    Options:
      --output -o: Write it here: .csv, .tsv or .jsonl.
    """
    corpus = hb.tables.load_corpus(name)
    if output is None:
        print(corpus)
    else:
        hb.tables.write_corpus(corpus, output)
        print(f"{corpus} written to {output}.")


for name, command in (("list", list_), ("show", show), ("get", get)):
    app.command(name, cls=Command)(described(command))
