"""The recorder: what a person can say about texts and classes, as methods that add events."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from typing import Any

import numpy as np

from honeybayes.labeling.ledger import (
    Event,
    LabelClass,
    Ledger,
    check_event,
    check_row,
    check_value,
    folded,
)


class EventRecorder:
    """What a person can say about texts and classes: each method adds one event to a ledger.

    The methods share these parameters. ``row`` or ``rows``: the texts, by their rows; all texts
    that are the same are meant. ``id``: the number of a class. ``purpose``: why the text was shown;
    see `Label`. A ValueError says what is wrong, and then no event is added.
    """

    texts: list[str]
    representative: np.ndarray
    ledger: Ledger
    who: str
    # reads the events of others, and keeps these from adding more until the end
    _change: Callable[[], AbstractContextManager[None]]
    _store: Callable[[Event], None]  # returns after the event is on disk

    def _add(self, kind: str, **value: Any) -> None:
        """Store an event, then apply it. Call it once in a `_change`, at the end."""
        if "row" in value:
            value["row"] = self.first_row(value["row"])
        if "rows" in value:
            is_one = isinstance(value["rows"], int | str | np.integer)
            rows = [value["rows"]] if is_one else value["rows"]
            value["rows"] = list(dict.fromkeys(map(self.first_row, rows)))
        time = datetime.now(UTC).isoformat(timespec="milliseconds")
        event = Event(self.ledger.last_id + 1, time, self.who, kind, value)
        check_event(event, len(self.texts))
        self.ledger.state.check_classes(event)
        self._store(event)
        self.ledger.extend([event])

    def _record(self, kind: str, **value: Any) -> None:
        with self._change():
            self._add(kind, **value)

    # Classes

    @property
    def classes(self) -> list[LabelClass]:
        """The classes, in the order in which they were added."""
        return list(self.ledger.state.classes.values())

    def find_class(self, name: str) -> LabelClass | None:
        """Return the class with this name, if there is one; case and white space do not count."""
        wanted = folded(name) if isinstance(name, str) else None
        return next((each for each in self.classes if folded(each.name) == wanted), None)

    def add_class(self, name: str, words: str = "", definition: str = "") -> LabelClass:
        """Add a class: see `LabelClass`. No other class may have its name."""
        with self._change():
            id = self.ledger.next_class_id()
            self._add("add_class", id=id, **self._about(id, name, words, definition))
            return self.ledger.state.classes[id]

    def change_class(
        self,
        id: int,
        name: str | None = None,
        words: str | None = None,
        definition: str | None = None,
    ) -> LabelClass:
        """Rename a class, or change its seed words or its definition."""
        with self._change():
            known = self.ledger.state.classes.get(id)
            about = self._about(id, name, words, definition)
            changes = {key: new for key, new in about.items() if new != getattr(known, key, None)}
            if changes or known is None:
                self._add("change_class", id=id, **changes)
            return self.ledger.state.classes[id]

    def merge_classes(self, id: int, into: int) -> None:
        """Give the labels of one class to another class, and delete the first."""
        self._record("merge_classes", id=id, into=into)

    def delete_class(self, id: int) -> None:
        """Delete a class and its labels."""
        self._record("delete_class", id=id)

    def _about(self, id: int, name: Any, words: Any, definition: Any) -> dict[str, str]:
        """Return what is said about a class, without superfluous blanks."""
        given = {"name": name, "words": words, "definition": definition}
        given = {key: text for key, text in given.items() if text is not None}
        for key, text in given.items():
            check_value(key, text)
            given[key] = " ".join(text.split()) if key == "name" else text.strip()
        found = self.find_class(name)
        if found is not None and found.id != id:
            raise ValueError(f"There is already a class {found.name!r}. Choose another name.")
        return given

    # Labels

    def first_row(self, row: int) -> int:
        """Return the first row with the same text."""
        row = _plain(row)
        check_row(row, len(self.texts))
        return int(self.representative[row])

    def label(
        self,
        rows: int | Sequence[int],
        id: int,
        purpose: str = "chosen",
        suggested: int | None = None,
        confidence: float | None = None,
    ) -> None:
        """Label texts; ``suggested`` is the class that the model suggested, if it did."""
        more = {} if suggested is None else {"suggested": suggested, "confidence": confidence}
        self._record("label", rows=rows, id=_plain(id), purpose=purpose, **more)

    def label_many(self, rows: Sequence[int], ids: Sequence[int], purpose: str) -> None:
        """Label texts with different classes, as one event that can be undone."""
        if len(rows) != len(ids):
            raise ValueError(f"{len(rows)} rows have {len(ids)} classes. Give one for each.")
        if not len(rows):
            return
        with self._change():
            by_row = {self.first_row(row): _plain(id) for row, id in zip(rows, ids, strict=True)}
            self._add("label_many", rows=list(by_row), ids=list(by_row.values()), purpose=purpose)

    def clear(self, rows: int | Sequence[int]) -> None:
        """Remove the labels of texts."""
        self._record("clear", rows=rows)

    def skip(self, row: int, purpose: str = "chosen") -> None:
        """Leave a text for later."""
        self._record("skip", row=row, purpose=purpose)

    def mark_undecided(self, row: int, purpose: str = "chosen") -> None:
        """Say that no class fits, or several. The text is not offered again."""
        self._record("undecided", row=row, purpose=purpose)

    def note(self, row: int, text: str) -> None:
        """Keep a note about a text; an empty note removes it."""
        self._record("note", row=row, text=text.strip() if isinstance(text, str) else text)

    def undo(self) -> Event | None:
        """Undo the last event that is not undone yet; return it, or None if there is none."""
        with self._change():
            event = self.ledger.last_to_undo()
            if event is not None:
                self._add("undo", event=event.id)
            return event


def _plain(number: Any) -> Any:
    return int(number) if isinstance(number, np.integer) else number
