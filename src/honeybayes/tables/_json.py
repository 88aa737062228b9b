"""Rows of JSON lines, and of JSON files with a list of objects."""

import json
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from honeybayes.tables._files import open_text, read_json_text
from honeybayes.tables._frames import Columns, Table, check_columns, make_frames

MOST_BRACKETS = 10**6  # which take about 100 bytes each
PER_BRACKET = 8  # characters in a larger file: rows of tables have more, and tasks of other tools
MOST_FIELDS = 2**12


def open_json(path: Path, format: str, required: Mapping[str, Columns]) -> Table:
    """Open a file of objects, one per line or in a list; they may have different fields.

    A file of JSON may also be one object, if no columns are required of it.
    """
    unit = "line" if format == "json-lines" else "row"
    return Table(path, format, [], make_frames(_objects(path, unit, required), unit=unit))


def _objects(
    path: Path, unit: str, required: Mapping[str, Columns]
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects with their numbers. A list is in memory as a whole."""
    found: Any = None
    fields: set[str] = set()
    if unit == "line":
        found = chain.from_iterable(open_text(path, "JSON lines", "utf-8").blocks)
    elif isinstance(found := _parse(read_json_text(path), str(path)), dict) and not required:
        found = [found]
    elif not isinstance(found, list):
        raise ValueError(
            f"{path} must contain a list of objects. If every line is one object, change its "
            "ending to .jsonl, or use format='json-lines'."
        )
    for number, row in enumerate(found, start=1):
        if unit == "line" and not row.strip():
            continue
        where = f"{path}, {unit} {number}"
        if unit == "line":
            row = _parse(row.rstrip(), where)
        if not isinstance(row, dict):
            raise ValueError(
                f'{where}: every {unit} must contain one object, such as {{"text": "...", '
                f'"label": "..."}}; got {type(row).__name__}.'
            )
        check_columns(where, list(row), required)
        fields.update(row)
        if len(fields) > MOST_FIELDS:
            raise ValueError(f"{where}: the objects have more than {MOST_FIELDS} different fields.")
        yield number, row


def _parse(content: str, where: str) -> Any:
    n_brackets = content.count("[") + content.count("{")
    if n_brackets > max(MOST_BRACKETS, len(content) / PER_BRACKET):
        raise ValueError(f"{where}: {n_brackets} lists and objects are too many for a table.")
    try:
        return DECODER.decode(content)
    except json.JSONDecodeError as error:
        line = f", line {error.lineno}" if error.lineno > 1 else ""
        raise ValueError(
            f"{where}{line}, character {error.colno}: not valid JSON ({error.msg}). "
            "A .jsonl file has one complete object in every line, a .json file one list of objects."
        ) from error
    except ValueError as error:  # a repeated key, or a number with thousands of digits
        raise ValueError(f"{where}: {error}.") from error
    except RecursionError as error:
        raise ValueError(f"{where}: the brackets are nested too deeply.") from error


def _distinct_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice!r} occurs twice")
    return fields


DECODER = json.JSONDecoder(object_pairs_hook=_distinct_keys)
