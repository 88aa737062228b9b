"""A project: texts, and the events of a person about them, in one SQLite file."""

import getpass
import json
import sqlite3
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from datetime import UTC, datetime
from os import PathLike
from pathlib import Path
from typing import Any, Self

import numpy as np

from honeybayes.labeling import ledger, project_file
from honeybayes.labeling.ledger import Event, LabelClass, Ledger, folded
from honeybayes.utils.parameters import documented
from honeybayes.utils.texts import check_texts
from honeybayes.utils.writing import atomic_write


class EventParameters:
    """What the methods of a project that add events have in common.

    Parameters
    ----------
    row : int
        A text, by its row; all texts that are the same are meant.
    rows : int or sequence of int
        Texts, by their rows.
    id : int
        The number of a class.
    into : int
        The number of the class that gets its labels.
    ids : sequence of int
        The number of a class for each text.
    name : str
        The name of a class; case and white space do not count.
    words : str, optional
        Its seed words.
    definition : str, optional
        What belongs to it.
    purpose : str, optional
        Why the text was shown.
    suggested : int, optional
        The class that the model suggested, if it did.
    confidence : float, optional
        The confidence of the model.
    text : str
        The note.
    """


@documented
class Project(EventParameters, project_file.ProjectFile):
    """Texts, and what a person said about them, in a file or in memory.

    Use `Project.create` or `Project.open`. Every change is an event, and a method returns after its
    event is on disk; after a ValueError, no event was added. Several processes may use the same
    file, and several threads the same project. Between two changes the file is complete: it can be
    copied, and read by people who may not write to it.

    Rows are numbered from 0. Texts that are the same apart from case and white space are labeled
    once: labels belong to the first row with the same text.

    Parameters
    ----------
    connection : sqlite3.Connection
        The open file.
    path : Path or None
        The file; None if the project is in memory.
    who : str, optional
        Who labels; by default, the name of the user.

    Attributes
    ----------
    texts : list of str
        The texts.
    representative : ndarray of shape (n_texts,)
        For each row, the first row with the same text.
    copies : ndarray of shape (n_texts,)
        For each representative, the number of rows with its text; 0 for other rows.
    distinct : ndarray of shape (n_distinct,)
        The first row with each text.
    place : ndarray of shape (n_texts,)
        For each row, the place of its text in ``distinct``.
    ledger : Ledger
        The events so far.
    settings : dict
        Where the texts come from, and how to read them.
    lock : threading.RLock
        Hold it to read several things that must match while other threads add events.
    """

    def __init__(
        self, connection: sqlite3.Connection, path: Path | None, who: str | None = None
    ) -> None:
        super().__init__(connection, path)
        self.who, self.ledger = who or user_name(), Ledger()
        self.refresh()

    @classmethod
    def create(
        cls,
        path: str | PathLike[str] | None,
        texts: Iterable[str],
        *,
        cells: Iterable[Any] | None = None,
        settings: dict[str, Any] | None = None,
        who: str | None = None,
    ) -> Self:
        """Write a new project file, or make a project in memory.

        Parameters
        ----------
        path : str, path-like or None
            The file to write, which must not exist; None keeps the project in memory.
        texts : iterable of str
            The texts.
        cells : iterable, optional
            For each text, all cells of its row: a list of str, or a dict.
        settings : dict, optional
            Facts about the texts, such as their language. Values must be JSON.
        """
        texts = check_texts(texts, "texts")
        if path is not None:
            project_file.check_new(path)  # before the work, not after it
        connection = project_file.connect(":memory:")
        with connection:
            connection.executescript(project_file.IDENTITY + project_file.TABLES)
            project_file.insert_settings(connection, settings or {})
            project_file.insert_texts(connection, texts, cells, 0)
        project = cls(connection, None, who)
        return project if path is None else project.write(path)

    def write(self, path: str | PathLike[str]) -> Self:
        """Write a project in memory to a new file, close it, and return that of the file.

        After an error, there is no file.

        Parameters
        ----------
        path : str or path-like
            The file, which must not exist.
        """
        [size] = self._connection.execute(project_file.SIZE).fetchone()
        if size >= project_file.LARGEST_FILE:
            raise ValueError(
                f"{path} would have more than 2 GB, which is too much for one project. Use fewer "
                "texts."
            )
        target = project_file.check_new(path)
        with project_file.only_maker(target.parent):
            project_file.check_new(path)
            # SQLite would apply what is left of a file with this name that was deleted
            for ending in ("-journal", "-wal", "-shm"):
                Path(f"{target}{ending}").unlink(missing_ok=True)
            with atomic_write(path, replace=False) as file:
                file.write(self._connection.serialize())
        written = type(self).open(path, self.who)
        self.close()  # not after an error, so that it can be written to another disk
        return written

    @classmethod
    def open(cls, path: str | PathLike[str], who: str | None = None) -> Self:
        """Open a project file.

        Parameters
        ----------
        path : str or path-like
            The file.

        Warns
        -----
        UserWarning
            If an event or a setting cannot be read. It is set aside, and all others count.
        """
        with project_file.opened(path) as connection:
            project = cls(connection, Path(path), who)
        if told := project.describe_set_aside():
            warnings.warn(f"{path}: {told}", UserWarning, stacklevel=2)
        return project

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Events and texts, also of other processes

    def refresh(self) -> bool:
        """Read the settings, and what another process has added: True if events or texts."""
        with self.lock:
            has_texts = super().refresh()
            limits = self.ledger.last_id, ledger.LARGEST_EVENT
            new = self._select("* FROM events WHERE id > ? AND id < ? ORDER BY id", *limits)
            self.ledger.extend(ledger.read_event(each, len(self.texts)) for each in new)
            return bool(new) or has_texts

    def describe_set_aside(self) -> str:
        """Return what the file has and what does not count, in a sentence, or an empty string."""
        with self.lock:
            events = self.ledger.set_aside.items()
            why = self._bad | {f"the event {id}": each for id, each in events}
        if not why:
            return ""
        what, first = next(iter(why.items()))
        are = "1 entry cannot be read and is" if len(why) == 1 else f"{len(why)} entries are"
        return f"{are} set aside, all others count. The first is {what}: {first.rstrip('.')}."

    def _add(self, kind: str, **value: Any) -> None:
        """Store an event, then apply it. Call it once in a `_change`, at the end."""
        if "row" in value:
            value["row"] = self.first_row(value["row"])
        if "rows" in value:
            is_one = isinstance(value["rows"], int | str | np.integer)
            rows = [value["rows"]] if is_one else value["rows"]
            value["rows"] = list(dict.fromkeys(map(self.first_row, rows)))
        if kind in ("label", "undecided") and value["purpose"] in ledger.BLIND:
            # another person may have labeled the text since it was shown
            first = value["rows"][:1] if kind == "label" else [value["row"]]
            votes = [who for row in first for who in self.ledger.state.votes.get(row, ())]
            if votes and self.who not in votes:
                value["purpose"] = "double"
        time = datetime.now(UTC).isoformat(timespec="milliseconds")
        event = Event(self.ledger.last_id + 1, time, self.who, kind, value)
        ledger.check_event(event, len(self.texts))
        self.ledger.state.check_classes(event)
        after = self.ledger
        if kind == "undo":  # of a class that others have used since: they must not lose anything
            after = Ledger([*self.ledger.events, event])
            names = set(map(folded, after.state.names.values()))
            is_needed = after.set_aside.keys() - self.ledger.set_aside
            if is_needed or len(names) < len(after.state.classes):
                raise ValueError(
                    "This cannot be undone, because another person has used the class or its name "
                    "since. Merge or delete the class instead."
                )
        row = (event.id, event.time, event.who, event.kind, json.dumps(event.value))
        self._connection.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?)", row)
        self._connection.commit()
        if kind != "undo":
            after.extend([event])
        self.ledger = after

    def _record(self, kind: str, **value: Any) -> None:
        with self._change():
            self._add(kind, **value)

    @contextmanager
    def acting_as(self, who: str) -> Iterator[Self]:
        """Let the events within be those of this person; other threads wait.

        Parameters
        ----------
        who : str
            The name of the person.

        Yields
        ------
        Project
            The same project.
        """
        with self.lock:
            before, self.who = self.who, who
            try:
                yield self
            finally:
                self.who = before

    def freeze(self) -> Self:
        """Return a copy to read from, which stays as it is while others add texts and labels."""
        with self.lock:
            frozen = copy(self)
            frozen.texts, frozen.ledger = list(self.texts), self.ledger.copy()
            frozen.settings = dict(self.settings)
            return frozen

    # Classes

    @property
    def classes(self) -> list[LabelClass]:
        """The classes, in the order in which they were added."""
        return list(self.ledger.state.classes.values())

    def find_class(self, name: str) -> LabelClass | None:
        """Return the class with this name, if there is one."""
        wanted = folded(name) if isinstance(name, str) else None
        return next((each for each in self.classes if folded(each.name) == wanted), None)

    def add_class(self, name: str, words: str = "", definition: str = "") -> LabelClass:
        """Add a class. No other class may have its name."""
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
            ledger.check_value(key, text)
            given[key] = " ".join(text.split()) if key == "name" else text.strip()
        found = self.find_class(name)
        if found is not None and found.id != id:
            raise ValueError(f"There is already a class {found.name!r}. Choose another name.")
        return given

    # Labels

    def first_row(self, row: int) -> int:
        """Return the first row with the same text."""
        row = _plain(row)
        ledger.check_row(row, len(self.texts))
        return int(self.representative[row])

    def given_ids(self) -> np.ndarray:
        """Return the class of each distinct text, 0 if it has no label."""
        labels, found = self.ledger.state.labels, np.zeros(len(self.distinct), dtype=int)
        found[self.place[list(labels)]] = [each.class_id for each in labels.values()]
        return found

    def label(
        self,
        rows: int | Sequence[int],
        id: int,
        purpose: str = "chosen",
        suggested: int | None = None,
        confidence: float | None = None,
    ) -> None:
        """Label texts with one class.

        If another person has labeled the text since it was shown, both answers are kept: the new
        one becomes a second vote.
        """
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
        """Say that no class fits, or several. The text is not offered again.

        If another person has labeled the text since it was shown, the label stays.
        """
        self._record("undecided", row=row, purpose=purpose)

    def note(self, row: int, text: str) -> None:
        """Keep a note about a text; an empty note removes it."""
        self._record("note", row=row, text=text.strip() if isinstance(text, str) else text)

    def undo(self) -> Event | None:
        """Undo one's own last event that is not undone yet; return it, or None if there is none."""
        with self._change():
            event = self.ledger.last_to_undo(self.who)
            if event is not None:
                self._add("undo", event=event.id)
            return event


def user_name() -> str:
    """Return the name of the user of this computer."""
    try:
        return getpass.getuser()
    except OSError:  # no user name, as in some containers
        return "person"


def _plain(number: Any) -> Any:
    return int(number) if isinstance(number, np.integer) else number
