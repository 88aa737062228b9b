"""Which column of a table a user may have meant."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from honeybayes.tables._files import is_stream
from honeybayes.tables._frames import frame_rows
from honeybayes.tables._read import open_table

Columns = Mapping[str, Sequence[str]]
N_READ = 1_000  # rows
MOST_VALUES = 50  # of a column that may hold labels
ROWS_PER_VALUE = 3
USUAL_LABELS = ("label", "labels", "class", "category", "topic", "target", "queue")
LETTER = re.compile(r"[^\W\d_]")
DATE = re.compile(r"\d{1,4}([-./])\d{1,2}\1\d{1,4}([T ].*)?")
ID = re.compile(r"\S*\d\S*")


def by_column(records: Iterable[Mapping[str, Any]]) -> Columns:
    """Return the cells that are not empty, by the name of their column."""
    found: dict[str, list[str]] = {}
    for record in records:
        for name, cell in record.items():
            if cell not in (None, ""):
                found.setdefault(name, []).append(str(cell))
    return found


def read_columns(table: str, **options: Any) -> Columns:
    """Read the first rows of a table again; nothing if they can be read only once."""
    if is_stream(table) or not Path(table).is_file():
        return {}
    first = next(open_table(table, **options).frames, None)
    return {} if first is None else by_column(frame_rows(first.head(N_READ), as_dicts=True))


def find_label_column(columns: Columns, besides: Iterable[str | None]) -> str | None:
    """Return a column with few different values, if possible one with a usual name."""
    found = [
        name
        for name, cells in columns.items()
        if name not in besides
        and 1 < (n_values := len(set(cells))) <= MOST_VALUES
        and len(cells) >= ROWS_PER_VALUE * n_values
        and not all(map(DATE.fullmatch, cells))
    ]
    usual = [name for name in found if name.casefold() in USUAL_LABELS]
    return next(iter(usual or found), None)


def find_text_column(columns: Columns, besides: Iterable[str | None]) -> str | None:
    """Return the column with the longest texts, if it has words."""
    length = {
        name: sum(map(len, cells)) / len(cells)
        for name, cells in columns.items()
        if name not in besides and has_words(cells)
    }
    return max(length, key=lambda name: length[name], default=None)


def has_words(texts: Iterable[str]) -> bool:
    """Return False if no text has a letter, as in a column of numbers."""
    return any(map(LETTER.search, texts))


def are_ids(texts: Sequence[str]) -> bool:
    """Return True if all texts differ, and each one is a single word with a digit."""
    return all(ID.fullmatch(text.strip()) for text in texts) and len(set(texts)) == len(texts)
