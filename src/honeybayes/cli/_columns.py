"""Which columns of a table the documents are made of: texts, or attributes."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from honeybayes.cli._errors import UsageError
from honeybayes.cli._reading import Reading, warn
from honeybayes.tables import Attributes, is_stream

USUAL_TEXT = "text"  # the default name of the column


@dataclass
class AttributeColumns:
    """The columns that a user names with --attributes, and what was learned about them."""

    names: str
    n_bins: int | None = None
    learned: Attributes | None = None


TextColumn = str | AttributeColumns | Attributes


def choose_columns(
    text: str, attributes: str | None, bins: int | None, **others: Any
) -> TextColumn:
    """Return what the documents are made of; ``others`` are options that attributes exclude."""
    if attributes is None:
        if bins is not None:
            raise ValueError("--read n-bins is for columns of numbers. Use it with --attributes.")
        return text
    if text != USUAL_TEXT:
        raise UsageError("--text and --attributes exclude each other. Omit one of them.")
    for name, value in others.items():
        if value is not None:
            raise ValueError(f"--{name} is for texts. Omit it, or omit --attributes.")
    return AttributeColumns(attributes, bins)


def describe_columns(text: TextColumn) -> dict[str, Any]:
    """Return what a model file remembers of the columns."""
    if isinstance(text, AttributeColumns) and text.learned is not None:
        return {"attributes": text.learned.to_dict()}
    return {"text": text}


def text_column(
    classifier: Any, text: str | None, table: str = "-", reading: Reading | None = None
) -> str | Attributes:
    """Return the given name of the column with the text, or what the model remembers.

    If the table does not have the column that the model remembers, but one with the usual name,
    that one is used.
    """
    remembered = getattr(classifier, "table_", None) or {}
    if "attributes" in remembered:
        if text is not None:
            raise ValueError("The model was fitted with --attributes, not with texts. Omit --text.")
        return Attributes.from_dict(remembered["attributes"])
    name = text or remembered.get("text") or USUAL_TEXT
    if text is not None or name == USUAL_TEXT or is_stream(table) or Path(table).is_dir():
        return name
    try:
        rows = (reading or Reading()).open(table, {"text": USUAL_TEXT})
        columns = rows.columns or list(next(rows.frames).columns)
    except (ValueError, StopIteration):
        return name  # the error is raised again where it is explained
    if rows.format == "lines" or name in columns or set(name.split(",")) <= set(columns):
        return name
    warn(
        f"{table} has no column {name!r}, to which the model was fitted, so the texts are read "
        f"from the column {USUAL_TEXT!r}. Name another one with --text."
    )
    return USUAL_TEXT
