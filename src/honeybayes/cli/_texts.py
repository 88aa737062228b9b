"""Texts of a table that need no labels."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from honeybayes.cli._columns import AttributeColumns, TextColumn
from honeybayes.cli._reading import Reading, check_table, warn_about_empty
from honeybayes.tables import Attributes, Table, check_columns, file_ending, is_stream
from honeybayes.tables import read_texts as cells_as_texts


def open_texts(
    table: str, text: TextColumn, more: Mapping[str, str | None], reading: Reading
) -> Table:
    """Open a table of texts or records; ``more`` are other required columns by option, or None."""
    others = {option: name for option, name in more.items() if name is not None}
    required: dict[str, Any] = dict(others)
    if isinstance(text, str):
        required = {"text": text, **others}
    elif is_stream(table) and not file_ending(table):
        reading = replace(reading, format=reading.format or "csv")
    rows = reading.open(table, required, keep_blank=True)
    if others and rows.format == "lines":
        option, name = next(iter(others.items()))
        raise ValueError(f"{table} has one text per line and no column {name!r}. Omit --{option}.")
    if rows.columns and not isinstance(text, str):
        check_columns(table, rows.columns, {"attributes": list(_learned(text).edges)})
    return rows


def texts_of(frame: Any, text: TextColumn, table: Table) -> list[str]:
    """Return the texts of a frame, or its records as texts; null in Parquet is an empty text."""
    if not isinstance(text, str):
        return _learned(text).write_frame(frame)
    column = "text" if table.format == "lines" else text
    return cells_as_texts(frame, column, table.path, "" if table.format == "parquet" else None)


def _learned(columns: AttributeColumns | Attributes) -> Attributes:
    attributes = columns.learned if isinstance(columns, AttributeColumns) else columns
    assert attributes is not None  # the pool is read after the table
    return attributes


def find_row(table: str, text: TextColumn, wanted: str, id: str | None, reading: Reading) -> str:
    """Return the text of one row of a table: by its id, or by its number, counted from 1."""
    check_table(table)
    rows = open_texts(table, text, {"id": id}, reading)
    found, n_before = [], 0
    for frame in rows.frames:
        numbers = range(n_before + 1, n_before + len(frame) + 1)
        names = numbers if id is None else frame[id].tolist()
        for name, words in zip(names, texts_of(frame, text, rows), strict=True):
            if str(name).strip() == wanted.strip():
                found.append(words)
        n_before += len(frame)
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
    rows = open_texts(table, text, {}, reading)
    texts = [words for frame in rows.frames for words in texts_of(frame, text, rows)]
    kept = [words for words in texts if words.strip()]
    warn_about_empty(len(texts) - len(kept), table)
    return kept
