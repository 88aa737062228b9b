"""Objects of JSON lines."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from honeybayes.data._files import text_lines


def json_objects(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the line number and the object of each line that is not blank."""
    for number, line in enumerate(text_lines(path, "JSON lines"), start=1):
        if line.strip():
            yield number, _parse_object(line, f"{path}, line {number}")


def _parse_object(line: str, where: str) -> dict[str, Any]:
    try:
        document = json.loads(line, object_pairs_hook=_distinct_keys)
    except json.JSONDecodeError as error:
        raise ValueError(
            f"{where}, character {error.colno}: not valid JSON ({error.msg}). "
            f"Every line must contain one complete object."
        ) from error
    except ValueError as error:  # a repeated key, or a number with thousands of digits
        raise ValueError(f"{where}: {error}.") from error
    except RecursionError as error:
        raise ValueError(f"{where}: the brackets are nested too deeply.") from error
    if not isinstance(document, dict):
        raise ValueError(
            f'{where}: every line must contain one object, such as {{"text": "...", "label": '
            f'"..."}}; got {type(document).__name__}.'
        )
    return document


def _distinct_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, value in pairs:
        if name in fields:
            raise ValueError(f"the key {name!r} occurs twice")
        fields[name] = value
    return fields
