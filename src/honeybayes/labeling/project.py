"""A project: texts, and the events of a person about them, in one SQLite file."""

import getpass
import json
import os
import sqlite3
import threading
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from copy import copy
from os import PathLike
from pathlib import Path
from typing import Any, Self

import numpy as np

from honeybayes.labeling.ledger import (
    Event,
    EventRecorder,
    Ledger,
    check_encodable,
    check_event,
    find_representatives,
)
from honeybayes.utils.suggestions import did_you_mean
from honeybayes.utils.texts import check_texts
from honeybayes.utils.writing import atomic_write, check_output_path

APPLICATION_ID = 0x48427072  # "HBpr", in the header of the file
VERSION = 1
LARGEST_FILE = 2**31 - 2**16  # bytes that SQLite returns at once
PATIENCE = 30  # seconds to wait for other processes that use the file
MEMORY = ":memory:"
TABLES = """
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE texts (row INTEGER PRIMARY KEY, text TEXT NOT NULL, cells TEXT);
CREATE TABLE events (
    id INTEGER PRIMARY KEY, time TEXT NOT NULL, who TEXT NOT NULL, kind TEXT NOT NULL,
    value TEXT NOT NULL
);
CREATE TABLE rounds (id INTEGER PRIMARY KEY, n_labels INTEGER NOT NULL, answers BLOB NOT NULL);
"""
STATEMENTS = {" ".join(sql.split()) for sql in TABLES.split(";") if sql.strip()}
DAMAGE_CODES = (None, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
DAMAGES = (sqlite3.Error, LookupError, TypeError, ValueError, OverflowError, RecursionError)
READ_ONLY = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)
# What settings of `honeybayes label` look like; others are allowed, and not read.
SETTINGS: dict[str, Callable[[Any], bool]] = {
    **dict.fromkeys(
        ("text", "language", "table", "digest", "label", "id"),
        lambda value: isinstance(value, str),
    ),
    **dict.fromkeys(
        ("format", "encoding", "sheet"), lambda value: value is None or isinstance(value, str)
    ),
    **dict.fromkeys(
        ("delimiter", "found_delimiter"),
        lambda value: (
            value is None
            or (isinstance(value, str) and len(value) == 1 and value not in '"\r\n\ud800')
        ),
    ),
    "columns": lambda value: (
        isinstance(value, list) and all(isinstance(each, str) for each in value)
    ),
    "random_state": lambda value: type(value) is int and 0 <= value < 2**32,
    "n_imported": lambda value: type(value) is int and value >= 0,
    "quotes": lambda value: value is None or isinstance(value, bool),
}


class Project(EventRecorder):
    """Texts, and what a person said about them, in a file or in memory.

    Every change is an event. A method returns after the event is on disk. Several processes may use
    the same file: each one reads the events of the others before it adds its own. Several threads
    may use the same project. Between two changes the file is complete: it can be copied, and read
    by people who may not write to it.

    Rows are numbered from 0. Texts that are the same apart from case and white space are labeled
    once: ``representative[row]`` is the first row with the same text, and labels belong to
    representatives.

    Use `Project.create` or `Project.open`.

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
        self._connection, self.path, self.who = connection, path, who or _user()
        self.lock = threading.RLock()
        self.settings: dict[str, Any] = {
            name: json.loads(value)
            for name, value in connection.execute("SELECT name, value FROM settings")
        }
        _check_settings(self.settings)
        self.texts: list[str] = []
        self.representative = self.copies = np.zeros(0, dtype=int)
        self.ledger = Ledger()
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
        who : str, optional
            Who labels; by default, the name of the user.

        Returns
        -------
        Project
        """
        texts = check_texts(texts, "texts")
        if path is not None:
            _check_new(path)  # before the work, not after it
        connection = _connect(MEMORY)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
        with connection:
            connection.executescript(f"BEGIN;{TABLES}COMMIT;")
            _insert_settings(connection, settings or {})
            _insert_texts(connection, texts, cells, 0)
        project = cls(connection, None, who)
        return project if path is None else project.write(path)

    def write(self, path: str | PathLike[str]) -> Self:
        """Write a project in memory to a new file, completely or not at all, and close it.

        Parameters
        ----------
        path : str or path-like
            The file, which must not exist.

        Returns
        -------
        Project
            The project of the file.
        """
        target = _check_new(path)
        # SQLite would apply what is left of a file with this name that was deleted
        for ending in ("-journal", "-wal", "-shm"):
            Path(f"{target}{ending}").unlink(missing_ok=True)
        [pages], [size] = (
            self._connection.execute(f"PRAGMA page_{each}").fetchone() for each in ("count", "size")
        )
        if pages * size >= LARGEST_FILE:
            raise ValueError(
                f"{path} would have more than 2 GB, which is too much for one project. Use fewer "
                "texts."
            )
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
        who : str, optional
            Who labels; by default, the name of the user.

        Returns
        -------
        Project
        """
        if not Path(path).is_file():
            raise FileNotFoundError(f"There is no project file {path}.")
        if (version := _version_of(path)) is None:
            raise ValueError(f"{path} is not a project file of honeybayes.")
        if version > VERSION:
            raise ValueError(
                f"{path} was written by a newer version of honeybayes (format {version}, this "
                f"version reads {VERSION}). Update honeybayes."
            )
        connection = _connect(str(path))
        try:
            _check_tables(connection)
            _leave_log(connection, path)
            return cls(connection, Path(path), who)
        except BaseException as error:
            connection.close()
            if isinstance(error, sqlite3.Error) and _code_of(error) not in DAMAGE_CODES:
                raise OSError(
                    f"{path} cannot be used: {error}. Check that you may read it, and that no "
                    "other program holds the file."
                ) from error
            if isinstance(error, DAMAGES):
                what = str(error).rstrip(".")
                raise ValueError(f"{path} is damaged: {what}. Restore it from a backup.") from error
            raise

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
                check_event(Event(id, time, who, kind, json.loads(value)), len(self.texts))
                for id, time, who, kind, value in new
            )
            return bool(new) or has_texts

    def _read_texts(self) -> bool:
        """Read the texts that are not known yet; return True if there were some."""
        found = self._connection.execute(
            "SELECT row, text FROM texts WHERE row >= ? ORDER BY row", (len(self.texts),)
        ).fetchall()
        for at, (row, text) in enumerate(found, start=len(self.texts)):
            if row != at or not isinstance(text, str):
                raise ValueError(f"the text of row {at} is missing or not made of characters")
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
                self._connection.execute("BEGIN IMMEDIATE")
                self.refresh()
                yield
        except sqlite3.Error as error:  # for example, the disk is full
            error.args = (f"{self.path}: {error}",)
            raise

    def _store(self, event: Event) -> None:
        self._connection.execute(
            "INSERT INTO events VALUES (?, ?, ?, ?, ?)",
            (event.id, event.time, event.who, event.kind, json.dumps(event.value)),
        )
        self._connection.commit()

    def freeze(self) -> Self:
        """Return a copy to read from, which stays as it is while others add texts and labels.

        Returns
        -------
        Project
        """
        with self.lock:
            frozen = copy(self)
            frozen.texts, frozen.ledger = list(self.texts), self.ledger.copy()
            frozen.settings = dict(self.settings)
            return frozen

    # Rounds of the model

    def add_round(self, n_labels: int, answers: np.ndarray) -> None:
        """Keep the answers of the model after some labels; nothing happens in a read-only file.

        Parameters
        ----------
        n_labels : int
            Number of labels.
        answers : ndarray of int
            The class of each distinct text.
        """
        packed = zlib.compress(answers.astype("<i4").tobytes())
        try:
            with self._change():
                self._connection.execute(
                    "INSERT INTO rounds (n_labels, answers) VALUES (?, ?)", (n_labels, packed)
                )
        except sqlite3.OperationalError as error:
            if _code_of(error) not in READ_ONLY:
                raise

    def rounds(self) -> list[tuple[int, np.ndarray]]:
        """Return number of labels and answers of each round so far; damaged ones are left out.

        Returns
        -------
        list of (int, ndarray)
        """
        with self.lock:
            found = self._connection.execute("SELECT n_labels, answers FROM rounds ORDER BY id")
            stored = found.fetchall()
        n_texts = int(np.count_nonzero(self.copies))
        rounds = [(n_labels, _unpack(answers, n_texts)) for n_labels, answers in stored]
        return [
            (n_labels, answers)
            for n_labels, answers in rounds
            if isinstance(n_labels, int) and len(answers) == n_texts
        ]

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

    def records(self) -> list[dict[str, Any]]:
        """Return the cells of each row by the names of their columns.

        Returns
        -------
        list of dict
            Empty ones if the project was not made from a table.
        """
        columns = self.settings.get("columns") or []
        return [
            cells if isinstance(cells, dict) else dict(zip(columns, cells or (), strict=False))
            for cells in self.cells()
        ]

    def column(self, name: str) -> list[Any]:
        """Return the cells of a column of the table.

        Parameters
        ----------
        name : str
            The name of the column.

        Returns
        -------
        list
            None where a row of JSON lines has no such field.
        """
        records = self.records()
        names = list(dict.fromkeys(each for record in records for each in record))
        if name not in names:
            raise ValueError(
                f"There is no column {name!r}. The columns are: {', '.join(names)}."
                f"{did_you_mean(name, names)}"
            )
        return [record.get(name) for record in records]

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
        with self._change():
            _insert_texts(self._connection, texts, cells, len(self.texts))
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
        _check_settings(settings)
        with self._change():
            _insert_settings(self._connection, settings)
        self.settings |= settings


# The file


def is_project_file(path: str | PathLike[str]) -> bool:
    """Return True if a file is a project file.

    Parameters
    ----------
    path : str or path-like
        The file.

    Returns
    -------
    bool
    """
    return Path(path).is_file() and _version_of(path) is not None


def _version_of(path: str | PathLike[str]) -> int | None:
    """Return the version of the format; None if the file is not a project."""
    header = _header_of(path)
    is_ours = header[68:72] == APPLICATION_ID.to_bytes(4, "big")
    is_project = header[:15] == b"SQLite format 3" and is_ours
    return int.from_bytes(header[60:64], "big") if is_project else None


def _header_of(path: str | PathLike[str]) -> bytes:
    with Path(path).open("rb") as file:
        return file.read(100)


class _Connection(sqlite3.Connection):
    """A connection that closes itself: Python 3.13 warns of a project that nobody closed."""

    def __del__(self) -> None:
        with suppress(sqlite3.ProgrammingError):  # the file could not be opened
            self.close()


def _connect(path: str) -> sqlite3.Connection:
    # One connection for all threads; `Project.lock` keeps them apart. The journal of SQLite is its
    # default: all that is confirmed is in the one file, which needs no right to write to be read.
    return sqlite3.connect(path, check_same_thread=False, timeout=PATIENCE, factory=_Connection)


def _check_new(path: str | PathLike[str]) -> Path:
    """Return where a new file is written, the target of a link; raise an error if it exists."""
    if Path(path).exists():
        raise FileExistsError(f"{path} already exists. Open it, or choose another name.")
    return check_output_path(path)


def _check_tables(connection: sqlite3.Connection) -> None:
    """Raise ValueError unless the file has the tables of a project, without views or triggers.

    SQLite runs views and triggers of a file, which may take forever or change what is stored.
    """
    connection.execute("PRAGMA synchronous = FULL")  # wait for the disk before a label is confirmed
    found = connection.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL").fetchall()
    if {" ".join(str(sql).split()) for (sql,) in found} != STATEMENTS:
        raise ValueError("its tables are not those of a project")


def _leave_log(connection: sqlite3.Connection, path: str | PathLike[str]) -> None:
    """Move labels from a write-ahead log, which another program chose, into the one file."""
    has_log = _header_of(path)[18:20] == b"\2\2"
    if has_log and os.access(path, os.W_OK):
        with suppress(sqlite3.OperationalError):  # the other program still uses the log
            connection.execute("PRAGMA journal_mode = DELETE").fetchall()


def _check_settings(settings: dict[str, Any]) -> None:
    for name, value in settings.items():
        if name in SETTINGS and not SETTINGS[name](value):
            raise ValueError(f"the setting {name} has a wrong value: {value!r:.50}")


def _insert_texts(connection: sqlite3.Connection, texts: list[str], cells: Any, first: int) -> None:
    each_cells = [None] * len(texts) if cells is None else cells

    def rows() -> Iterator[tuple[int, str, str | None]]:
        for position, (text, row) in enumerate(zip(texts, each_cells, strict=True)):
            written = None if row is None else json.dumps(row, ensure_ascii=False)
            for part in (text, written or ""):
                check_encodable(part, f"texts[{position}]")
            yield first + position, text, written

    connection.executemany("INSERT INTO texts VALUES (?, ?, ?)", rows())


def _insert_settings(connection: sqlite3.Connection, settings: dict[str, Any]) -> None:
    written = [(name, json.dumps(value)) for name, value in settings.items()]
    connection.executemany("INSERT OR REPLACE INTO settings VALUES (?, ?)", written)


def _unpack(stored: Any, n_most: int) -> np.ndarray:
    """Return compressed numbers of classes, at most so many; none if they are damaged."""
    try:
        found = zlib.decompressobj().decompress(stored, 4 * n_most + 4)
    except (zlib.error, TypeError):
        found = b""
    is_whole = len(found) <= 4 * n_most and len(found) % 4 == 0
    return np.frombuffer(found if is_whole else b"", dtype="<i4")


def _code_of(error: sqlite3.Error) -> int | None:
    """Return the kind of an error, without the details; a wrong byte in a text has none."""
    code: int | None = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


def _user() -> str:
    try:
        return getpass.getuser()
    except OSError:  # no user name, as in some containers
        return "person"
