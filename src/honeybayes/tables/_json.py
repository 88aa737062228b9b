"""Rows of JSON lines, and of JSON files with a list of objects."""

import json
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from honeybayes.tables._columns import Columns, check_columns
from honeybayes.tables._files import TextFile, read_whole
from honeybayes.tables._frames import N_ROWS, make_frame


def read_json_lines(file: TextFile, required: Mapping[str, Columns]) -> Iterator[Any]:
    """Yield the objects, one per line, in frames; they may have different fields."""
    named = (
        (number, _parse(line.rstrip(), f"{file.path}, line {number}"))
        for number, line in enumerate(file.lines, start=1)
        if line.strip()
    )
    yield from _frames(file.path, "line", named, required)


def read_json_list(path: Path, required: Mapping[str, Columns]) -> Iterator[Any]:
    """Yield the objects of a list in frames; the whole file is in memory."""
    rows = _parse(read_whole(path, "JSON"), str(path))
    if not isinstance(rows, list):
        raise ValueError(
            f"{path} must contain a list of objects. If every line is one object, change its "
            "ending to .jsonl, or use format='json-lines'."
        )
    yield from _frames(path, "row", enumerate(rows, start=1), required)


def _frames(
    path: Path, unit: str, named: Iterator[tuple[int, Any]], required: Mapping[str, Columns]
) -> Iterator[Any]:
    while batch := list(islice(named, N_ROWS)):
        for number, row in batch:
            where = f"{path}, {unit} {number}"
            if not isinstance(row, dict):
                raise ValueError(
                    f'{where}: every {unit} must contain one object, such as {{"text": "...", '
                    f'"label": "..."}}; got {type(row).__name__}.'
                )
            check_columns(where, list(row), required)
        numbers, rows = zip(*batch, strict=True)
        yield make_frame(rows, (), numbers, unit)


def _parse(content: str, where: str) -> Any:
    try:
        return json.loads(content, object_pairs_hook=_distinct_keys)
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
