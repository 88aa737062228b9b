"""What a project file stores: settings, texts with their cells, events, rounds of the model."""

import getpass
import json
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from honeybayes.labeling._checks import check_settings, checked_event, parsed_round
from honeybayes.labeling._project_file import insert_settings, insert_texts
from honeybayes.labeling.ledger import Event, Ledger, now
from honeybayes.labeling.same_texts import find_representatives
from honeybayes.utils.texts import check_texts


class StoredRound(NamedTuple):
    """The answers of the model after some labels, as they are stored.

    Parameters
    ----------
    value : dict
        Numbers about the round.
    answers : bytes
        The compressed answers.
    """

    value: dict[str, Any]
    answers: bytes


class StoredProject:
    """The part of a `Project` that reads and writes the file; it knows no rules about labels."""

    def __init__(
        self, connection: sqlite3.Connection, path: Path | None, who: str | None = None
    ) -> None:
        self._connection, self.path, self.who = connection, path, who or _user()
        self.lock = threading.RLock()
        self.settings: dict[str, Any] = {
            name: json.loads(value)
            for name, value in connection.execute("SELECT name, value FROM settings")
        }
        check_settings(self.settings)
        self.texts: list[str] = []
        self.representative = self.copies = np.zeros(0, dtype=int)
        self._read_texts()
        self.ledger = Ledger()
        self.refresh()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Events and texts, also of other processes

    def refresh(self) -> bool:
        """Read events and texts that another process has added.

        Returns
        -------
        bool
            True if there were some.
        """
        with self.lock:
            has_texts = self._read_texts()
            new = self._connection.execute(
                "SELECT id, time, who, kind, value FROM events WHERE id > ? ORDER BY id",
                (self.ledger.last_id,),
            ).fetchall()
            self.ledger.extend(
                checked_event(Event(id, time, who, kind, json.loads(value)), len(self.texts))
                for id, time, who, kind, value in new
            )
            return bool(new) or has_texts

    def _read_texts(self) -> bool:
        """Read the texts that are not known yet; return True if there were some."""
        found = self._connection.execute(
            "SELECT text FROM texts WHERE row >= ? ORDER BY row", (len(self.texts),)
        ).fetchall()
        if found:
            if not all(isinstance(text, str) for (text,) in found):
                raise TypeError("there are texts that are not characters")
            self.texts += [text for (text,) in found]
            self.representative = find_representatives(self.texts)
            self.copies = np.bincount(self.representative, minlength=len(self.texts))
        return bool(found)

    @contextmanager
    def _change(self) -> Iterator[None]:
        """Read the events of other processes, and keep these from adding more until `_add`."""
        with self.lock, self._errors_named():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                self.refresh()
                yield
            finally:
                if self._connection.in_transaction:
                    self._connection.rollback()

    @contextmanager
    def _errors_named(self) -> Iterator[None]:
        """Name the file in an error of SQLite, for example of a full disk."""
        try:
            yield
        except sqlite3.Error as error:
            error.args = (f"{self.path}: {error}",)
            raise

    def _add(self, kind: str, **value: Any) -> None:
        """Write an event to disk, then apply it."""
        event = Event(self.ledger.last_id + 1, now(), self.who, kind, value)
        with self._connection:
            self._connection.execute(
                "INSERT INTO events VALUES (?, ?, ?, ?, ?)",
                (event.id, event.time, event.who, kind, json.dumps(value)),
            )
        self.ledger.extend([event])

    # Rounds of the model

    def add_round(self, stored: StoredRound) -> None:
        """Keep the answers of the model after some labels.

        Parameters
        ----------
        stored : StoredRound
            The answers, and numbers about them.
        """
        with self.lock, self._errors_named(), self._connection:
            self._connection.execute(
                "INSERT INTO rounds (value, answers) VALUES (?, ?)",
                (json.dumps(stored.value), stored.answers),
            )

    def rounds(self) -> list[StoredRound]:
        """Return the rounds so far.

        Returns
        -------
        list of StoredRound
        """
        with self.lock:
            found = self._connection.execute("SELECT value, answers FROM rounds ORDER BY id")
            rounds = [(parsed_round(value), answers) for value, answers in found]
        return [StoredRound(value, answers) for value, answers in rounds if value is not None]

    def last_round(self) -> dict[str, Any] | None:
        """Return the numbers about the last round; None if there is none.

        Returns
        -------
        dict or None
        """
        with self.lock:
            found = self._connection.execute("SELECT value FROM rounds ORDER BY id DESC LIMIT 1")
            value = found.fetchone()
        return None if value is None else parsed_round(value[0])

    # The table

    def cells(self) -> Iterator[Any]:
        """Read the cells of each row as they were in the table.

        Yields
        ------
        list of str, dict or None
            None if the project was not made from a table.
        """
        with self.lock:
            found = self._connection.execute(
                "SELECT cells FROM texts WHERE row < ? ORDER BY row", (len(self.texts),)
            ).fetchall()
        columns = self.settings.get("columns")
        for row, (cells,) in enumerate(found):
            parsed = None if cells is None else json.loads(cells)
            if columns and (not isinstance(parsed, list) or len(parsed) != len(columns)):
                raise ValueError(
                    f"{self.path} is damaged: row {row} has other cells than the table. Restore it "
                    "from a backup."
                )
            yield parsed

    def row_ids(self) -> list[str]:
        """Return the name of each row: its cell in the column of ``settings["id"]``.

        Returns
        -------
        list of str
            Empty if no column is set.
        """
        column, columns = self.settings.get("id"), self.settings.get("columns")
        if column is None:
            return []
        at = columns.index(column) if columns and column in columns else None
        names = []
        for row in self.cells():
            if isinstance(row, dict):  # JSON lines
                names.append(str(row.get(column, "")))
            else:
                names.append("" if at is None else str(row[at]))
        return names

    def add_texts(self, texts: Sequence[str], cells: Sequence[Any] | None = None) -> None:
        """Append texts, for example rows that were added to the table.

        Parameters
        ----------
        texts : sequence of str
            The texts.
        cells : sequence, optional
            For each text, all cells of its row.
        """
        texts = check_texts(texts, "texts")
        with self._change(), self._connection:
            insert_texts(self._connection, texts, cells, len(self.texts))
            # rounds are about the texts of that time
            self._connection.execute("DELETE FROM rounds")
        self.refresh()

    def change_settings(self, **settings: Any) -> None:
        """Store settings.

        Parameters
        ----------
        **settings
            Values that can be written as JSON.
        """
        with self.lock, self._errors_named(), self._connection:
            insert_settings(self._connection, settings)
        self.settings |= settings

    def freeze(self) -> Self:
        """Return a copy to read from, which stays as it is while others add texts and labels.

        Returns
        -------
        Project
        """
        with self.lock:
            frozen = copy(self)
            frozen.texts, frozen.ledger = list(self.texts), copy(self.ledger)
            frozen.ledger.state = self.ledger.state.copy()
            return frozen


def _user() -> str:
    try:
        return getpass.getuser()
    except OSError:  # no user name, as in some containers
        return "person"
