"""The ledger: what a person said about the texts, as a list of events.

Events are only added, never changed. The state, that is classes, labels and notes, is what the
events lead to, one after the other, without those that were undone.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, NamedTuple

PURPOSES = ("chosen", "audit", "review", "accepted", "imported")
N_AGAIN = 200  # events that are applied again after an undo


@dataclass(frozen=True)
class Event:
    """One thing that a person did.

    Parameters
    ----------
    id : int
        Number of the event, from 1.
    time : str
        When it happened: a date and time in UTC, in the format of ISO 8601.
    who : str
        Who did it.
    kind : str
        The name of a method of `State`: "label", "undo" and so on.
    value : dict
        The arguments of this method.
    """

    id: int
    time: str
    who: str
    kind: str
    value: Mapping[str, Any]


@dataclass
class LabelClass:
    """A class as the person describes it.

    Parameters
    ----------
    id : int
        Its number, which stays the same when the class is renamed.
    name : str
        Its name.
    words : str
        Typical words or a sentence: seed words for the model.
    definition : str
        What belongs to the class. The page shows it beside the texts.
    """

    id: int
    name: str
    words: str = ""
    definition: str = ""


class Label(NamedTuple):
    """A label that a person gave.

    Parameters
    ----------
    class_id : int
        The class.
    purpose : {"chosen", "audit", "review", "accepted", "imported"}
        Why the text was labeled: a strategy chose it; it is a random text of the audit; the person
        found it in the list of texts; many answers of the model were accepted at once; or the label
        was in the table.
    event : int
        The event that gave the label.
    time : str
        When it was given.
    who : str
        Who gave it.
    """

    class_id: int
    purpose: str
    event: int
    time: str
    who: str


@dataclass
class State:
    """What is known after some events. Each method applies one kind of event."""

    classes: dict[int, LabelClass] = field(default_factory=dict)
    labels: dict[int, Label] = field(default_factory=dict)
    skipped: dict[int, str] = field(default_factory=dict)
    undecided: dict[int, str] = field(default_factory=dict)
    notes: dict[int, str] = field(default_factory=dict)
    merged: dict[int, int] = field(default_factory=dict)  # where the labels of a class went

    def copy(self) -> "State":
        """Return a state that does not change with this one."""
        parts = {name: dict(part) for name, part in vars(self).items()}
        parts["classes"] = {id: replace(each) for id, each in self.classes.items()}
        return State(**parts)

    def apply(self, event: Event) -> None:
        """Change the state as the event says."""
        method = getattr(self, f"_on_{event.kind}", None)
        if method is None:
            raise KeyError(f"there is no event {event.kind!r}")
        method(event, **event.value)

    def _on_add_class(self, event: Event, id: int, name: str, words: str, definition: str) -> None:
        self.classes[id] = LabelClass(id, name, words, definition)

    def _on_change_class(self, event: Event, id: int, **changes: str) -> None:
        for name, value in changes.items():
            setattr(self.classes[id], name, value)

    def _on_merge_classes(self, event: Event, id: int, into: int) -> None:
        if id == into or into not in self.classes:
            raise KeyError(f"there is no other class {into}")
        del self.classes[id]
        for row, label in self.labels.items():
            if label.class_id == id:
                self.labels[row] = label._replace(class_id=into)
        for before, after in self.merged.items():
            if after == id:
                self.merged[before] = into
        self.merged[id] = into

    def _on_delete_class(self, event: Event, id: int) -> None:
        del self.classes[id]
        self.labels = {row: each for row, each in self.labels.items() if each.class_id != id}

    def _on_label(self, event: Event, rows: list[int], id: int, purpose: str, **_: Any) -> None:
        if id not in self.classes:
            raise KeyError(f"there is no class {id}")
        for row in rows:
            kept = self._take(row, purpose)  # removes the label, so that the newest comes last
            self.labels[row] = Label(id, kept, event.id, event.time, event.who)

    def _on_label_many(self, event: Event, rows: list[int], ids: list[int], purpose: str) -> None:
        for row, id in zip(rows, ids, strict=True):
            self._on_label(event, [row], id, purpose)

    def _on_clear(self, event: Event, rows: list[int]) -> None:
        for row in rows:
            self._take(row)

    def _on_skip(self, event: Event, row: int, purpose: str) -> None:
        if row not in self.labels:  # a text with a label is done
            self.skipped[row] = self._take(row, purpose)

    def _on_undecided(self, event: Event, row: int, purpose: str) -> None:
        self.undecided[row] = self._take(row, purpose)

    def _on_note(self, event: Event, row: int, text: str) -> None:
        self.notes.pop(row, None)
        if text:
            self.notes[row] = text

    def _take(self, row: int, purpose: str = "review") -> str:
        """Forget what was said about a text; return why it is answered now.

        A text of the audit stays in the audit, so that nobody picks out the hard ones. But an
        answer of the model that a person accepts says nothing about the model.
        """
        label = self.labels.pop(row, None)
        passed = [each.pop(row, None) for each in (self.skipped, self.undecided)]
        was_passed = "audit" in passed and purpose != "accepted"
        is_audit = was_passed or (label is not None and label.purpose == "audit")
        return "audit" if is_audit else purpose


class Ledger:
    """Events and the state that they lead to.

    Parameters
    ----------
    events : iterable of Event, optional
        The events so far.
    """

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self.events: list[Event] = []
        self.undone: set[int] = set()
        self.state = State()
        self._earlier = 0, 0, State()  # number of events, the last one, and the state after it
        self.extend(events)

    def extend(self, events: Iterable[Event]) -> None:
        """Add events and apply them.

        Parameters
        ----------
        events : iterable of Event
            New events.
        """
        is_undone = False
        for event in events:
            self.events.append(event)
            if event.kind == "undo":
                self.undone.add(event.value["event"])
                is_undone = True
            elif not is_undone:
                self.state.apply(event)
        if is_undone:
            self._go_back()

    def _go_back(self) -> None:
        """Apply the events again, without those that are undone, from an earlier state on."""
        left = [each for each in self.events if each.kind != "undo" and each.id not in self.undone]
        n, last, state = self._earlier
        if n and (n > len(left) or left[n - 1].id != last):  # it contains what is undone
            n, state = 0, State()
        self.state = state.copy()
        for at, event in enumerate(left[n:], start=n + 1):
            self.state.apply(event)
            if at == len(left) - N_AGAIN:  # the next times, so many are enough
                self._earlier = at, event.id, self.state.copy()

    @property
    def last_id(self) -> int:
        """Number of the last event; 0 if there is none."""
        return self.events[-1].id if self.events else 0

    def last_to_undo(self) -> Event | None:
        """Return the last event that is not undone yet.

        Returns
        -------
        Event or None
            None if there is nothing to undo.
        """
        for event in reversed(self.events):
            if event.kind != "undo" and event.id not in self.undone:
                return event
        return None

    def next_class_id(self) -> int:
        """Return a number that no class had before, not even one that was deleted.

        Returns
        -------
        int
        """
        given = (event.value["id"] for event in self.events if event.kind == "add_class")
        return max(given, default=0) + 1


def now() -> str:
    """Return the date and time in UTC."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
