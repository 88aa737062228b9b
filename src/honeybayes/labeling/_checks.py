"""Checks of what a project file holds; TypeError means that the file is damaged."""

import json
import re
from collections.abc import Callable
from typing import Any

from honeybayes.labeling.ledger import PURPOSES, Event

HALF_PAIR = re.compile("[\ud800-\udfff]")  # of surrogates, which no file can hold
ABOUT_CLASS = ("name", "words", "definition")
# The fields of each kind of event; the last ones may be missing.
FIELDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "add_class": (("id", *ABOUT_CLASS), ()),
    "change_class": (("id",), ABOUT_CLASS),
    "merge_classes": (("id", "into"), ()),
    "delete_class": (("id",), ()),
    "label": (("rows", "id", "purpose"), ("suggested", "confidence")),
    "label_many": (("rows", "ids", "purpose"), ()),
    "clear": (("rows",), ()),
    "skip": (("row", "purpose"), ()),
    "undecided": (("row", "purpose"), ()),
    "note": (("row", "text"), ()),
    "undo": (("event",), ()),
}


def checked_event(event: Event, n_texts: int) -> Event:
    """Return an event of a file; raise TypeError if it cannot be one that was written."""
    value, (needed, allowed) = event.value, FIELDS.get(event.kind, ((), ()))
    is_known = event.kind in FIELDS and isinstance(value, dict)
    if not is_known or not set(needed) <= set(value) <= {*needed, *allowed}:
        raise TypeError(f"the event {event.id} is unknown")
    for part in (event.time, event.who):
        _require(isinstance(part, str), event, "time or who")
    for name, content in value.items():
        _require(CHECKS[name](content, n_texts), event, name)
    if "ids" in value:
        _require(len(value["ids"]) == len(value["rows"]), event, "ids")
    return event


def _require(holds: bool, event: Event, name: str) -> None:
    if not holds:
        raise TypeError(f"the event {event.id} has a wrong value of {name}")


def _is_integer(value: Any, n_texts: int = 0) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**53


def _is_row(value: Any, n_texts: int) -> bool:
    return _is_integer(value) and 0 <= value < n_texts


def _is_text(value: Any, n_texts: int = 0) -> bool:
    return isinstance(value, str) and not HALF_PAIR.search(value)


def _each(check: Callable[[Any, int], bool]) -> Callable[[Any, int], bool]:
    return lambda values, n_texts: (
        isinstance(values, list) and all(check(value, n_texts) for value in values)
    )


CHECKS: dict[str, Callable[[Any, int], bool]] = {
    **dict.fromkeys(("id", "into", "event"), _is_integer),
    **dict.fromkeys((*ABOUT_CLASS, "text"), _is_text),
    "ids": _each(_is_integer),
    "row": _is_row,
    "rows": _each(_is_row),
    "purpose": lambda value, _: isinstance(value, str) and value in PURPOSES,
    "suggested": lambda value, _: value is None or _is_integer(value),
    "confidence": lambda value, _: value is None or isinstance(value, int | float),
}
# Settings of `honeybayes label`; others are allowed, and not read.
SETTINGS: dict[str, Callable[[Any], bool]] = {
    **dict.fromkeys(("text", "language", "table", "digest", "label", "id"), _is_text),
    **dict.fromkeys(
        ("format", "encoding", "sheet"), lambda value: value is None or _is_text(value)
    ),
    **dict.fromkeys(
        ("delimiter", "found_delimiter"),
        lambda value: (
            value is None or (_is_text(value) and len(value) == 1 and value not in '"\r\n')
        ),
    ),
    "columns": lambda value: _each(_is_text)(value, 0),
    "random_state": lambda value: _is_integer(value) and value >= 0,
    "quotes": lambda value: value is None or isinstance(value, bool),
}


def check_settings(settings: dict[str, Any]) -> None:
    """Raise TypeError if a setting has a type that it never has."""
    for name, value in settings.items():
        if name in SETTINGS and not SETTINGS[name](value):
            raise TypeError(f"the setting {name} has a wrong value")


def parsed_round(text: Any) -> dict[str, Any] | None:
    """Return the numbers about a round of the model; None if they are damaged.

    A round can be missing: the model then shows less about its history.
    """
    try:
        value = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        return None
    is_round = isinstance(value, dict) and _is_integer(value.get("n_labels"))
    return value if is_round else None
