"""Plain values, which JSON can hold."""

from dataclasses import is_dataclass
from typing import Any


def as_plain(value: Any) -> Any:
    """Return dataclasses and named tuples as dicts, and other tuples as lists, also inside."""
    if isinstance(value, tuple | list) and not hasattr(value, "_asdict"):
        return [as_plain(each) for each in value]
    if isinstance(value, tuple):
        value = value._asdict()  # type: ignore[attr-defined]
    elif is_dataclass(value):
        value = vars(value)
    return {k: as_plain(v) for k, v in value.items()} if isinstance(value, dict) else value
