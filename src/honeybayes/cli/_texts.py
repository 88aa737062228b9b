"""Texts of a table that need no labels."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from honeybayes.cli._columns import AttributeColumns, TextColumn
from honeybayes.cli._reading import Reading, check_table, warn_about_empty
from honeybayes.data import Attributes
from honeybayes.data.tables import Table, file_ending, is_stream


def open_texts(
    table: str, text: TextColumn, more: Mapping[str, str | None], reading: Reading
) -> Table:
    """Open a table whose first required column is the text, or the record of a row.

    ``more`` are other required columns by option, without those that are None. With an "id", the
    rows have no other cells.
    """
    others = {option: name for option, name in more.items() if name is not None}
    attributes = text.learned if isinstance(text, AttributeColumns) else text
    if isinstance(attributes, Attributes):
        if is_stream(Path(table)) and not file_ending(Path(table)):
            reading = replace(reading, format=reading.format or "csv")
        rows = attributes.write_rows(reading.open(table, others, keep_blank=True))
    else:
        rows = reading.open(table, {"text": str(attributes), **others}, keep_blank=True)
    if others and rows.format == "lines":
        option, name = next(iter(others.items()))
        raise ValueError(f"{table} has one text per line and no column {name!r}. Omit --{option}.")
    return (
        _only_column(rows, others["id"], 1 + list(others).index("id")) if "id" in others else rows
    )


def _only_column(table: Table, name: str, at: int) -> Table:
    """Return a table whose rows have only the cell of one required column."""
    rows = (
        row._replace(
            cells={name: row.values[at]} if isinstance(row.cells, dict) else [row.values[at]]
        )
        for row in table.rows
    )
    return replace(table, columns=[name] if table.columns else [], rows=rows)


def find_row(table: str, text: TextColumn, wanted: str, id: str | None, reading: Reading) -> str:
    """Return the text of one row of a table: by its id, or by its number, counted from 1."""
    check_table(table)
    rows = open_texts(table, text, {"id": id}, reading)
    found = []
    for number, (words, cells) in enumerate(rows.texts(), start=1):
        name: Any = number
        if id is not None:
            name = cells[id] if isinstance(cells, dict) else cells[0]
        if str(name).strip() == wanted.strip():
            found.append(words)
    if len(found) != 1:
        what = "no row" if not found else f"{len(found)} rows"
        raise ValueError(
            f"{table} has {what} {wanted!r}{f' in the column {id!r}' if id else ''}. Name one row "
            "by its number, counted from 1 without the header, or use --id with a column whose "
            "cells differ."
        )
    return found[0]


def read_texts(table: str, text: TextColumn, reading: Reading) -> list[str]:
    """Read texts that need no labels."""
    check_table(table)
    texts = [words for words, _ in open_texts(table, text, {}, reading).texts()]
    kept = [words for words in texts if words.strip()]
    warn_about_empty(len(texts) - len(kept), table)
    return kept
