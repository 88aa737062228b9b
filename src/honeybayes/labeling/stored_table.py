"""What a project file stores besides events: the table, and what the model said."""

import json
import sqlite3
import threading
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from honeybayes.labeling import project_file
from honeybayes.labeling.ledger import LARGEST_EVENT, find_representatives
from honeybayes.labeling.turn import Turn, pack_turn, unpack_turn
from honeybayes.utils.messages import did_you_mean
from honeybayes.utils.texts import check_texts

READ_ONLY = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)


class StoredTable:
    """The part of `Project` that reads and writes tables of the file without events."""

    def __init__(self, connection: sqlite3.Connection, path: Path | None) -> None:
        self._connection, self.path = connection, path
        self._file = project_file.identity_of(path)
        self.lock = threading.RLock()
        self.settings: dict[str, Any] = {}
        self._bad: dict[str, str] = {}  # what cannot be read besides events, and why
        self._version: Any = None  # another one after a change of another process
        self.texts: list[str] = []
        self.representative = self.copies = np.zeros(0, dtype=int)

    def close(self) -> None:
        """Close the file, after a change of another thread."""
        with self.lock:
            self._connection.close()

    @property
    def is_moved(self) -> bool:
        """Whether the file is no longer where it was opened."""
        return project_file.identity_of(self.path) != self._file

    def _select(self, what: str, *values: Any) -> list[Any]:
        with self.lock:
            return self._connection.execute(f"SELECT {what}", values).fetchall()

    def refresh(self) -> bool:
        """Read the settings, and texts that another process has added: True if there were some."""
        version = self._connection.execute("PRAGMA data_version").fetchone()
        if version != self._version:
            self._version = version
            self._read_settings()
        return self._read_texts()

    def _read_settings(self) -> None:
        self.settings, self._bad = {}, {}
        for name, written in self._select("name, value FROM settings"):
            try:
                self.settings[name] = project_file.read_setting(name, written)
            except ValueError as error:
                self._bad[f"the setting {name}"] = str(error)
        outside = "count(*) FROM events WHERE id < 1 OR id >= ?"
        if (n_outside := self._select(outside, LARGEST_EVENT)[0][0]) > 0:
            self._bad["an event"] = f"there are {n_outside} with impossible numbers"

    def _read_texts(self) -> bool:
        """Read the texts that are not known yet; return True if there were some."""
        n_known = len(self.texts)
        found = self._select("row, text FROM texts WHERE row >= ? ORDER BY row", n_known)
        for at, (row, text) in enumerate(found, start=n_known):
            if row != at or not isinstance(text, str):
                raise ValueError(f"the text of row {at} is missing or not made of characters")
        if not found and not self.texts:
            raise ValueError("it has no texts")
        if found:
            self.texts += [text for _, text in found]
            self.representative = find_representatives(self.texts)
            self.copies = np.bincount(self.representative, minlength=len(self.texts))
        return bool(found)

    @contextmanager
    def _change(self) -> Iterator[None]:
        """Read the events of other processes, and keep these from adding more until the end."""
        try:
            with self.lock, self._connection:  # commits, or takes everything back
                project_file.check_place(self.path, self._file)
                self._connection.execute("BEGIN IMMEDIATE")
                self.refresh()
                yield
        except sqlite3.Error as error:  # for example, the disk is full
            is_held = project_file.code_of(error) == sqlite3.SQLITE_BUSY
            why = "another program holds the file; end it, or try again" if is_held else error
            error.args = (f"{self.path}: {why}",)
            raise

    # Rounds of the model

    def add_round(self, n_labels: int, answers: np.ndarray) -> None:
        """Keep the class of each distinct text after some labels, unless the file is read-only."""
        packed = zlib.compress(answers.astype("<i4").tobytes())
        self._keep("INSERT INTO rounds (n_labels, answers) VALUES (?, ?)", n_labels, packed)

    def _keep(self, statement: str, *values: Any) -> None:
        """Store what can be computed again; a file that cannot be written stays as it is."""
        try:
            with self._change():
                self._connection.execute(statement, values)
        except sqlite3.OperationalError as error:
            if project_file.code_of(error) not in READ_ONLY:
                raise

    def _kept(self, what: str) -> list[Any]:
        """Read what can be computed again; nothing if this part of the file is damaged."""
        try:
            return self._select(what)
        except sqlite3.DatabaseError as error:
            if project_file.code_of(error) != sqlite3.SQLITE_CORRUPT:
                raise
            return []

    def rounds(self) -> list[tuple[int, np.ndarray]]:
        """Return number of labels and answers of each round so far; damaged ones are left out."""
        rounds, n_texts = [], int(np.count_nonzero(self.copies))
        for n_labels, packed in self._kept("n_labels, answers FROM rounds ORDER BY id"):
            with suppress(zlib.error, TypeError, ValueError):
                content = zlib.decompressobj().decompress(packed, 4 * n_texts + 4)
                answers = np.frombuffer(content, dtype="<i4")
                if isinstance(n_labels, int) and len(answers) == n_texts:
                    rounds.append((n_labels, answers))
        return rounds

    def keep_turn(self, turn: Turn, held_out: dict[int, tuple[int, float]] | None = None) -> None:
        """Keep the last turn of the model, so that it is there at once after a restart.

        ``held_out`` is what `LabelingSession.hold_out` returned.
        """
        packed = pack_turn(turn, held_out or {})
        # SQLite writes as many bytes as before in their place: a copy that is made at this moment
        # has a turn that cannot be read, and all labels
        packed = packed.ljust(1 << len(packed).bit_length(), b"\0")
        self._keep(
            "INSERT INTO turns VALUES (0, ?, ?) ON CONFLICT (id) DO UPDATE "
            "SET n_texts = excluded.n_texts, packed = excluded.packed",
            int(np.count_nonzero(self.copies)),
            packed,
        )

    def last_turn(self) -> tuple[Turn, dict[int, tuple[int, float]]] | None:
        """Return the turn that was kept last, and what was held out.

        None if there is none, or the texts have changed.
        """
        n_texts = int(np.count_nonzero(self.copies))
        for packed, stored in self._kept("packed, n_texts FROM turns"):
            with suppress(zlib.error, *project_file.DAMAGES):
                if stored == n_texts:
                    return unpack_turn(packed, n_texts, len(self.texts))
        return None

    # The table

    def cells(self) -> Iterator[Any]:
        """Read the cells of each row as they were in the table, a list of str or a dict.

        None if the project was not made from a table. Cells that cannot be read are empty.
        """
        found = self._select("cells FROM texts WHERE row < ? ORDER BY row", len(self.texts))
        columns = self.settings.get("columns")
        for row, (cells,) in enumerate(found):
            try:
                parsed = None if cells is None else json.loads(cells)
            except (ValueError, TypeError, RecursionError):
                parsed = ""
            if columns and (not isinstance(parsed, list) or len(parsed) != len(columns)):
                parsed = ""
            if parsed is not None and not isinstance(parsed, list | dict):
                self._bad[f"row {row} of the table"] = "its cells are not those of a row"
                parsed = [None] * len(columns) if columns else {}
            yield parsed

    def records(self) -> list[dict[str, Any]]:
        """Return the cells of each row by their columns; empty ones if there was no table."""
        columns = self.settings.get("columns") or []
        return [
            cells if isinstance(cells, dict) else dict(zip(columns, cells or (), strict=False))
            for cells in self.cells()
        ]

    def column(self, name: str) -> list[Any]:
        """Return the cells of a column; None where a row of JSON lines has no such field."""
        records = self.records()
        names = list(dict.fromkeys(each for record in records for each in record))
        if name not in names:
            raise ValueError(
                f"There is no column {name!r}. The columns are: {', '.join(names)}."
                f"{did_you_mean(name, names)}"
            )
        return [record.get(name) for record in records]

    def order(self) -> list[int]:
        """Return the rows in the order of the table now, and then those that it has no longer."""
        rows = range(len(self.texts))
        order = [row for row in self.settings.get("order", ()) if row in rows]
        return list(dict.fromkeys([*order, *rows]))

    def missing_texts(self) -> set[int]:
        """Return the first row of each text that the table has no longer."""
        rows = [row for row in self.settings.get("missing", ()) if row in range(len(self.texts))]
        firsts, n_missing = np.unique(self.representative[rows], return_counts=True)
        return set(firsts[n_missing == self.copies[firsts]].tolist())

    def add_texts(self, texts: Sequence[str], cells: Sequence[Any] | None = None) -> None:
        """Append texts, and all cells of their rows."""
        self.follow_table(check_texts(texts, "texts"), cells, {}, {})

    def follow_table(
        self,
        texts: Sequence[str],
        cells: Sequence[Any] | None,
        changed: dict[int, Any],
        settings: dict[str, Any],
    ) -> None:
        """Take over a new version of the table in one step.

        ``texts`` and their cells are appended; ``changed`` has the cells of rows that are known.
        """
        texts = check_texts(texts, "texts") if len(texts) else []
        with self._change():
            project_file.insert_texts(self._connection, texts, cells, len(self.texts))
            written = [(project_file.ENCODER.encode(each), row) for row, each in changed.items()]
            self._connection.executemany("UPDATE texts SET cells = ? WHERE row = ?", written)
            project_file.insert_settings(self._connection, settings)
            if len(texts):  # rounds are about the texts of that time
                self._connection.execute("DELETE FROM rounds")
        self.settings |= settings
        self.refresh()

    def change_settings(self, **settings: Any) -> None:
        """Store settings, which must be JSON."""
        with self._change():
            project_file.insert_settings(self._connection, settings)
        self.settings |= settings
