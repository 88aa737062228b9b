"""The ledger: what a person said about the texts, as a list of events.

Events are only added, never changed. The state, that is classes, labels and notes, is what the
events lead to, one after the other, without those that were undone. The same checks hold for an
event that is about to be written, which is refused, and for one that is read from a file, which is
set aside: nothing that other events say is lost.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

BLIND = ("chosen", "audit", "double", "check")  # the person has not seen what others said
PURPOSES = (*BLIND, "review", "accepted", "imported")
ABSTAINED = 0  # as the class of a vote: the person could not say
UNREADABLE = "unreadable"  # the kind of an event that is set aside; its value says why
LARGEST_EVENT = 2**53  # events of a file have smaller numbers
LONGEST_NAME = 200
LONGEST_TEXT = 10_000
MOST_CLASSES = 10**6  # and the largest number of a class


@dataclass(frozen=True)
class Event:
    """One thing that a person did."""

    id: int  # number of the event, from 1
    time: str  # when it happened: a date and time in UTC, in the format of ISO 8601
    who: str
    kind: str  # "label", "undo" and so on
    value: Mapping[str, Any]  # what was said, and about which text or class


@dataclass(frozen=True)
class LabelClass:
    """A class as the person describes it."""

    id: int  # its number, which stays the same when the class is renamed
    name: str
    words: str = ""  # typical words or a sentence: seed words for the model
    definition: str = ""  # what belongs to the class. The page shows it beside the texts


class Label(NamedTuple):
    """A label that a person gave."""

    class_id: int
    # why the text was labeled: a strategy chose it; it is a random text of the audit, or of
    # the texts that came last; the person found it in the list of texts; many answers of the
    # model were accepted at once; or the label was in the table. An event can also be
    # "double": a second person labels the text, without seeing the label. It adds a vote, and
    # leaves the label as it is
    purpose: str
    time: str  # when it was given
    who: str


# Checks of events


def check_encodable(text: str, where: str = "The text") -> None:
    """Raise ValueError for half of a pair of surrogates, which no file can hold."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(
            f"{where} contains a character that is not valid Unicode (at {error.start}). Remove it."
        ) from error


def check_row(row: Any, n_texts: int) -> None:
    """Raise ValueError if there is no such row."""
    if not _is_integer(row):
        raise ValueError(f"A row must be an integer; got {row!r:.50}.")
    if not 0 <= row < n_texts:
        raise ValueError(f"There is no row {row}. The rows are 0 to {n_texts - 1}.")


def _is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_class(value: Any) -> bool:
    return _is_integer(value) and 1 <= value <= MOST_CLASSES


NUMBER = f"The number of a class must be an integer from 1 to {MOST_CLASSES}", _is_class
TEXT = (
    f"Words, definitions and notes must be texts of at most {LONGEST_TEXT} characters",
    lambda value: isinstance(value, str) and len(value) <= LONGEST_TEXT,
)
# What each value must be, apart from rows, and whether it is.
CHECKS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    **dict.fromkeys(("id", "into", "suggested"), NUMBER),
    "event": ("The number of an event must be an integer", _is_integer),
    **dict.fromkeys(("words", "definition", "text"), TEXT),
    "ids": (NUMBER[0], lambda value: isinstance(value, list) and all(map(_is_class, value))),
    "name": (
        f"The name of a class must have 1 to {LONGEST_NAME} characters",
        lambda value: isinstance(value, str) and bool(value.strip()) and len(value) <= LONGEST_NAME,
    ),
    "purpose": (f"purpose must be one of {', '.join(PURPOSES)}", lambda value: value in PURPOSES),
    "confidence": (
        "confidence must be from 0 to 1",
        lambda value: value is None or (isinstance(value, int | float) and 0 <= value <= 1),
    ),
}
ABOUT_CLASS = {"name", "words", "definition"}
# The values of each kind of event: those that it must have, and those that it may have.
FIELDS: dict[str, tuple[set[str], set[str]]] = {
    "add_class": ({"id", *ABOUT_CLASS}, set()),
    "change_class": ({"id"}, ABOUT_CLASS),
    "merge_classes": ({"id", "into"}, set()),
    "delete_class": ({"id"}, set()),
    "label": ({"rows", "id", "purpose"}, {"suggested", "confidence"}),
    "label_many": ({"rows", "ids", "purpose"}, set()),
    "clear": ({"rows"}, set()),
    "skip": ({"row", "purpose"}, set()),
    "undecided": ({"row", "purpose"}, set()),
    "note": ({"row", "text"}, set()),
    "undo": ({"event"}, set()),
}


def read_event(stored: tuple[Any, ...], n_texts: int) -> Event:
    """Return an event of a file, or one that says why it cannot be read."""
    id, time, who, kind, value = stored
    try:
        return check_event(Event(id, time, who, kind, json.loads(value)), n_texts)
    except (ValueError, TypeError, RecursionError) as error:
        return Event(id, "", "", UNREADABLE, {"why": str(error)})


def check_event(event: Event, n_texts: int) -> Event:
    """Return an event; raise ValueError if it cannot be one."""
    value, (needed, allowed) = event.value, FIELDS.get(event.kind, (set(), set()))
    is_known = event.kind in FIELDS and isinstance(value, dict)
    if not is_known or not needed <= set(value) <= needed | allowed:
        raise ValueError(f"the event {event.id} is unknown")
    if not isinstance(event.time, str) or not isinstance(event.who, str):
        raise ValueError(f"the event {event.id} does not say when it happened, or who did it")
    rows = value.get("rows", [value["row"]] if "row" in value else ())
    if "rows" in value and not (isinstance(rows, list) and rows):
        raise ValueError("No rows are given. Give at least one.")
    for row in rows:
        check_row(row, n_texts)
    for name in value.keys() & CHECKS.keys():
        check_value(name, value[name])
    if len(value.get("ids", rows)) != len(rows):
        raise ValueError(f"{len(rows)} rows have {len(value['ids'])} classes. Give one for each.")
    return event


def check_value(name: str, value: Any) -> None:
    """Raise ValueError if a value of an event cannot be one."""
    what, is_valid = CHECKS[name]
    if not is_valid(value):
        raise ValueError(f"{what}; got {value!r:.50}.")
    if isinstance(value, str):
        check_encodable(value)


@dataclass
class LedgerState:
    """What is known after some events. Each method applies one kind of event."""

    classes: dict[int, LabelClass] = field(default_factory=dict)
    labels: dict[int, Label] = field(default_factory=dict)
    skipped: dict[int, str] = field(default_factory=dict)
    undecided: dict[int, str] = field(default_factory=dict)
    notes: dict[int, str] = field(default_factory=dict)
    merged: dict[int, int] = field(default_factory=dict)  # where the labels of a class went
    # what each person said about a text without knowing what others said; replaced, not changed
    votes: dict[int, dict[str, int]] = field(default_factory=dict)
    settled: dict[int, str] = field(default_factory=dict)  # disagreements, and who settled them

    @property
    def names(self) -> dict[int, str]:
        """The name of each class, by its number."""
        return {id: each.name for id, each in self.classes.items()}

    @property
    def audit(self) -> dict[int, int]:
        """The class of each labeled text of the audit, by its row."""
        return {row: each.class_id for row, each in self.labels.items() if each.purpose == "audit"}

    @property
    def done(self) -> set[int]:
        """The texts that need no label, or that the person has left for later."""
        return {*self.labels, *self.skipped, *self.undecided}

    @property
    def purposes(self) -> list[str]:
        """Why each text was shown that the person has dealt with."""
        labeled = (each.purpose for each in self.labels.values())
        return [*labeled, *self.skipped.values(), *self.undecided.values()]

    @property
    def double(self) -> dict[int, dict[str, int]]:
        """The classes that two or more persons gave to the same text, by its row."""
        given = {
            row: {who: id for who, id in votes.items() if id != ABSTAINED}
            for row, votes in self.votes.items()
        }
        return {row: votes for row, votes in given.items() if len(votes) > 1}

    @property
    def disagreements(self) -> dict[int, dict[str, int]]:
        """The votes on texts with different ones, unless somebody has settled them."""
        found = {row: votes for row, votes in self.double.items() if len(set(votes.values())) > 1}
        return {row: votes for row, votes in found.items() if row not in self.settled}

    @property
    def other_votes(self) -> list[tuple[int, int]]:
        """Rows and classes of votes in disagreements, besides the vote that is the label."""
        found = []
        for row, votes in self.disagreements.items():
            classes = list(votes.values())
            if (label := self.labels.get(row)) is not None and label.class_id in classes:
                classes.remove(label.class_id)
            found += [(row, id) for id in classes]
        return found

    def apply(self, event: Event) -> None:
        """Change the state as the event says, or raise ValueError and change nothing."""
        if event.kind == UNREADABLE:
            raise ValueError(event.value["why"])
        self.check_classes(event)
        getattr(self, f"_on_{event.kind}")(event, **event.value)

    def check_classes(self, event: Event) -> None:
        """Raise ValueError if an event is about a class that does not exist."""
        if event.kind == "add_class":
            return
        named = [event.value[name] for name in ("id", "into") if name in event.value]
        for id in {*named, *event.value.get("ids", ())} - set(self.classes):
            raise ValueError(f"There is no class with the number {id}. It may have been deleted.")
        if event.kind == "merge_classes" and named[0] == named[1]:
            raise ValueError("A class cannot be merged with itself. Choose two classes.")

    def _on_add_class(self, event: Event, id: int, name: str, words: str, definition: str) -> None:
        self.classes[id] = LabelClass(id, name, words, definition)

    def _on_change_class(self, event: Event, id: int, **changes: Any) -> None:
        self.classes[id] = replace(self.classes[id], **changes)

    def _on_merge_classes(self, event: Event, id: int, into: int) -> None:
        del self.classes[id]
        for row, label in self.labels.items():
            if label.class_id == id:
                self.labels[row] = label._replace(class_id=into)
        for row, votes in self.votes.items():
            self.votes[row] = {who: into if given == id else given for who, given in votes.items()}
        moved = {before: into if after == id else after for before, after in self.merged.items()}
        self.merged = moved | {id: into}

    def _on_delete_class(self, event: Event, id: int) -> None:
        del self.classes[id]
        self.labels = {row: each for row, each in self.labels.items() if each.class_id != id}
        for row, votes in self.votes.items():
            self.votes[row] = {who: given for who, given in votes.items() if given != id}

    def _on_label(self, event: Event, rows: list[int], id: int, purpose: str, **_: Any) -> None:
        self._on_label_many(event, rows, [id] * len(rows), purpose)

    def _on_label_many(self, event: Event, rows: list[int], ids: list[int], purpose: str) -> None:
        for row, id in zip(rows, ids, strict=True):
            votes = self.votes.get(row, {})
            if purpose == "review" and len(votes) > 1:
                self.settled[row] = event.who
            elif purpose in BLIND or event.who in votes:
                self.votes[row] = votes | {event.who: id}
            if purpose != "double" or row not in self.labels:
                # removes the label, so that the newest comes last
                kept = self._take(row, "chosen" if purpose == "double" else purpose)
                self.labels[row] = Label(id, kept, event.time, event.who)

    def _on_clear(self, event: Event, rows: list[int]) -> None:
        for row in rows:
            self._take(row)
            self.votes.pop(row, None)
            self.settled.pop(row, None)

    def _on_skip(self, event: Event, row: int, purpose: str) -> None:
        """Note that a person gave no class; who is asked as a second person only abstains."""
        is_undecided = event.kind == "undecided"
        if purpose == "double" and row in self.labels:
            self.votes[row] = self.votes.get(row, {}) | {event.who: ABSTAINED}
        elif is_undecided or row not in self.labels:  # a text with a label is done
            passed = self.undecided if is_undecided else self.skipped
            passed[row] = self._take(row, "chosen" if purpose == "double" else purpose)

    _on_undecided = _on_skip

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

    ``set_aside`` has the events that do not count, and why: for example, about a class that does
    not exist.
    """

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self.events: list[Event] = []
        self.undone: set[int] = set()
        self.set_aside: dict[int, str] = {}
        self.state = LedgerState()
        self.extend(events)

    def copy(self) -> "Ledger":
        """Return a ledger that does not change with this one."""
        copied = copy(self)
        copied.events, copied.undone = list(self.events), set(self.undone)
        copied.state = LedgerState(**{name: dict(part) for name, part in vars(self.state).items()})
        copied.set_aside = dict(self.set_aside)
        return copied

    def extend(self, events: Iterable[Event]) -> None:
        """Add events and apply them; if one is undone, apply all others anew."""
        new = list(events)
        self.events += new
        if undone := [event.value["event"] for event in new if event.kind == "undo"]:
            self.undone.update(undone)
            self.state, self.set_aside, new = LedgerState(), {}, self.events
        for event in new:
            try:
                if self._is_done(event):
                    self.state.apply(event)
            except ValueError as error:
                self.set_aside[event.id] = str(error)

    def _is_done(self, event: Event) -> bool:
        is_undone = event.kind == "undo" or event.id in self.undone
        return not is_undone and event.id not in self.set_aside

    @property
    def last_id(self) -> int:
        """Number of the last event; 0 if there is none."""
        return self.events[-1].id if self.events else 0

    def last_to_undo(self, who: str) -> Event | None:
        """Return the last event of a person that is not undone yet; None if there is none."""
        own = (each for each in reversed(self.events) if each.who == who and self._is_done(each))
        return next(own, None)

    def history(self, row: int) -> list[Event]:
        """Return the events about a text that are not undone, the oldest first."""
        done = filter(self._is_done, self.events)
        return [each for each in done if row in each.value.get("rows", [each.value.get("row")])]

    def next_class_id(self) -> int:
        """Return a number that no class had before, not even one that was deleted."""
        given = (event.value["id"] for event in self.events if event.kind == "add_class")
        return max(given, default=0) + 1


def find_representatives(texts: Sequence[str]) -> np.ndarray:
    """Return for each text the position of the first one with the same `folded` text."""
    first: dict[str, int] = {}
    return np.array([first.setdefault(folded(text), row) for row, text in enumerate(texts)])


def folded(text: str) -> str:
    """Return a text without differences of case and white space."""
    return " ".join(text.casefold().split())
