"""Rows of JSON lines, and of JSON files with a list of objects."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from honeybayes.tables._columns import Columns, check_columns
from honeybayes.tables._files import open_text, read_json_text
from honeybayes.tables._frames import make_frames


def read_json(path: Path, required: Mapping[str, Columns], is_list: bool) -> Iterator[Any]:
    """Yield the objects, one per line or in a list, as frames; they may have different fields."""
    unit = "row" if is_list else "line"
    numbered = _parse_list(path) if is_list else _parse_lines(path)
    return make_frames(_checked(numbered, path, unit, required), unit=unit)


def _parse_lines(path: Path) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(open_text(path, "JSON lines", "utf-8").lines, start=1):
        if line.strip():
            yield number, _parse(line.rstrip(), f"{path}, line {number}")


def _parse_list(path: Path) -> Iterator[tuple[int, Any]]:
    rows = _parse(read_json_text(path), str(path))
    if not isinstance(rows, list):
        raise ValueError(
            f"{path} must contain a list of objects. If every line is one object, change its "
            "ending to .jsonl, or use format='json-lines'."
        )
    yield from enumerate(rows, start=1)


def _checked(
    numbered: Iterator[tuple[int, Any]], path: Path, unit: str, required: Mapping[str, Columns]
) -> Iterator[tuple[int, Any]]:
    for number, row in numbered:
        where = f"{path}, {unit} {number}"
        if not isinstance(row, dict):
            raise ValueError(
                f'{where}: every {unit} must contain one object, such as {{"text": "...", '
                f'"label": "..."}}; got {type(row).__name__}.'
            )
        check_columns(where, list(row), required)
        yield number, row


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
