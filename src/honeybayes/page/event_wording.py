"""Words for what people did, and the beginnings of texts."""

from collections.abc import Mapping

from honeybayes.labeling.ledger import Event

LONGEST_IN_LIST = 300
WHAT = {
    "add_class": "new class {name}",
    "change_class": "change of the class {name}",
    "merge_classes": "merge of the classes",
    "delete_class": "deletion of the class {name}",
    "label": "label {name}",
    "label_many": "{n} accepted {labels}",
    "clear": "removal of a label",
    "skip": "skip",
    "undecided": "undecided",
    "note": "note",
}


def describe_event(event: Event, names: Mapping[int, str], row: int | None = None) -> str:
    """Return what a person did, in words; of several texts, what is about one of them."""
    value = event.value
    id, n = value.get("id", 0), len(value.get("rows", ()))
    if row is not None and event.kind == "label_many":
        return f"label {names.get(value['ids'][value['rows'].index(row)], '(a deleted class)')}"
    what = WHAT[event.kind].format(
        name=names.get(id, "(a deleted class)"), n=n, labels="label" if n == 1 else "labels"
    )
    if row is not None and event.kind == "note":
        return f"note: {value['text']}" if value["text"] else "note removed"
    return what


def sendable(path: str) -> str:
    """Return a path without bytes that are no UTF-8, which a file name may have."""
    return path.encode("utf-8", "replace").decode()


def shorten(text: str, length: int = LONGEST_IN_LIST) -> str:
    """Return the beginning of a text, with an ellipsis if more follows."""
    return text if len(text) <= length else f"{text[: length - 2].rstrip()} …"
