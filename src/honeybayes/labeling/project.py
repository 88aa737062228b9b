"""A project file: texts, classes and labels in one SQLite file."""

import getpass
import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from json import JSONDecodeError
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from honeybayes.labeling._checks import check_settings, checked_event, parsed_round
from honeybayes.labeling.ledger import PURPOSES, Event, LabelClass, Ledger, now
from honeybayes.utils.texts import check_texts
from honeybayes.utils.writing import atomic_write, check_output_path

ENDING = ".hbproject"
APPLICATION_ID = 0x48427072  # "HBpr", in the header of the file
VERSION = 1
DAMAGED = (sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
DAMAGES = (
    *(sqlite3.Error, LookupError, TypeError, OverflowError, RecursionError),
    *(JSONDecodeError, UnicodeError),
)
MEMORY = ":memory:"
LARGEST_FILE = 2**31 - 2**16  # bytes that SQLite returns at once
PAGES = ("count", "size")
LONGEST_NAME = 200
LONGEST_TEXT_OF_CLASS = 10_000
TABLES = """
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE texts (row INTEGER PRIMARY KEY, text TEXT NOT NULL, cells TEXT);
CREATE TABLE events (
    id INTEGER PRIMARY KEY, time TEXT NOT NULL, who TEXT NOT NULL, kind TEXT NOT NULL,
    value TEXT NOT NULL
);
CREATE TABLE rounds (id INTEGER PRIMARY KEY, value TEXT NOT NULL, answers BLOB NOT NULL);
"""
STATEMENTS = {" ".join(sql.split()) for sql in TABLES.split(";") if sql.strip()}


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


class Project:
    """Texts, and what a person said about them, in a file or in memory.

    Every change is an event. A method returns after the event is on disk: SQLite writes it to a log
    first and waits for the disk. Several processes may use the same file: each one reads the events
    of the others before it adds its own. Several threads may use the same project.

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
        check_settings(self.settings)
        self.texts: list[str] = []
        self.representative = self.copies = np.zeros(0, dtype=int)
        self._read_texts()
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
        _fill(connection, texts, cells, settings or {})
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
        _check_new(path)
        with self, atomic_write(path, replace=False) as file:
            file.write(_as_bytes(self._connection, path))
        return type(self).open(path, self.who)

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
        if not is_project_file(path):
            raise ValueError(f"{path} is not a project file of honeybayes.")
        connection = None
        try:
            connection = _connect(str(path))
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version > VERSION:
                raise ValueError(
                    f"{path} was written by a newer version of honeybayes (format {version}, this "
                    f"version reads {VERSION}). Update honeybayes."
                )
            _check_tables(connection)
            connection.execute("PRAGMA journal_mode = WAL")
            return cls(connection, Path(path), who)
        except BaseException as error:
            if connection is not None:
                connection.close()
            if isinstance(error, sqlite3.Error) and error.sqlite_errorcode not in DAMAGED:
                raise OSError(
                    f"{path} cannot be used: {error}. Check that you may write to its folder, and "
                    "that no other program holds the file."
                ) from error
            if isinstance(error, DAMAGES):
                raise ValueError(
                    f"{path} is damaged: {error}. Restore it from a backup."
                ) from error
            raise

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Rows and classes

    def first_row(self, row: int) -> int:
        """Return the first row with the same text; raise ValueError if there is no such row.

        Parameters
        ----------
        row : int
            A row.

        Returns
        -------
        int
        """
        if isinstance(row, bool) or not isinstance(row, int | np.integer):
            raise ValueError(f"A row must be an integer; got {row!r}.")
        if not 0 <= row < len(self.texts):
            raise ValueError(f"There is no row {row}. The rows are 0 to {len(self.texts) - 1}.")
        return int(self.representative[row])

    @property
    def classes(self) -> list[LabelClass]:
        """The classes, in the order in which they were added."""
        return list(self.ledger.state.classes.values())

    def find_class(self, name: str) -> LabelClass | None:
        """Return the class with this name; case and white space do not count.

        Parameters
        ----------
        name : str
            The name of a class.

        Returns
        -------
        LabelClass or None
            None if there is no such class.
        """
        wanted = folded(name) if isinstance(name, str) else None
        return next((each for each in self.classes if folded(each.name) == wanted), None)

    def add_class(self, name: str, words: str = "", definition: str = "") -> LabelClass:
        """Add a class.

        Parameters
        ----------
        name : str
            Its name, which no other class has.
        words : str, default=""
            Typical words or a sentence: seed words for the model.
        definition : str, default=""
            What belongs to the class. The page shows it beside the texts.

        Returns
        -------
        LabelClass
        """
        with self._change():
            name = self._check_new_name(name)
            id = self.ledger.next_class_id()
            words, definition = (_check_about_class(each) for each in (words, definition))
            self._add("add_class", id=id, name=name, words=words, definition=definition)
            return self.ledger.state.classes[id]

    def change_class(
        self,
        id: int,
        name: str | None = None,
        words: str | None = None,
        definition: str | None = None,
    ) -> LabelClass:
        """Rename a class, or change its seed words or definition.

        Parameters
        ----------
        id : int
            The class.
        name, words, definition : str, optional
            The new values.

        Returns
        -------
        LabelClass
        """
        with self._change():
            before = self._class(id)
            changes = {}
            if name is not None and name.strip() != before.name:
                changes["name"] = self._check_new_name(name, besides=id)
            if words is not None:
                changes["words"] = _check_about_class(words)
            if definition is not None:
                changes["definition"] = _check_about_class(definition)
            changes = {key: new for key, new in changes.items() if new != getattr(before, key)}
            if changes:
                self._add("change_class", id=id, **changes)
            return self.ledger.state.classes[id]

    def merge_classes(self, id: int, into: int) -> None:
        """Give the labels of one class to another class, and delete the first.

        Parameters
        ----------
        id : int
            The class to delete.
        into : int
            The class that gets its labels.
        """
        with self._change():
            self._class(id), self._class(into)
            if id == into:
                raise ValueError("A class cannot be merged with itself. Choose two classes.")
            self._add("merge_classes", id=id, into=into)

    def delete_class(self, id: int) -> None:
        """Delete a class and its labels.

        Parameters
        ----------
        id : int
            The class.
        """
        with self._change():
            self._class(id)
            self._add("delete_class", id=id)

    # Labels

    def label(
        self,
        rows: int | Sequence[int],
        id: int,
        purpose: str = "chosen",
        suggested: int | None = None,
        confidence: float | None = None,
    ) -> None:
        """Label texts.

        Parameters
        ----------
        rows : int or sequence of int
            The rows of the texts. All texts that are the same get the label.
        id : int
            The class.
        purpose : str, default="chosen"
            Why the text was labeled; see `Label`.
        suggested : int, optional
            The class that the model suggested.
        confidence : float, optional
            Its confidence.
        """
        with self._change():
            self._class(id)
            _check_purpose(purpose)
            value: dict[str, Any] = {"rows": self._rows(rows), "id": id, "purpose": purpose}
            if suggested is not None:
                value |= {"suggested": suggested, "confidence": confidence}
            self._add("label", **value)

    def label_many(self, rows: Sequence[int], ids: Sequence[int], purpose: str) -> None:
        """Label texts with different classes, as one event that can be undone.

        Parameters
        ----------
        rows : sequence of int
            The rows of the texts.
        ids : sequence of int
            The class of each.
        purpose : str
            Why the texts were labeled; see `Label`.
        """
        with self._change():
            _check_purpose(purpose)
            if len(rows) != len(ids):
                raise ValueError(f"{len(rows)} rows have {len(ids)} classes. Give one for each.")
            for id in set(ids):
                self._class(id)
            by_row = {self.first_row(row): int(id) for row, id in zip(rows, ids, strict=True)}
            if by_row:
                self._add(
                    "label_many", rows=list(by_row), ids=list(by_row.values()), purpose=purpose
                )

    def clear(self, rows: int | Sequence[int]) -> None:
        """Remove the labels of texts.

        Parameters
        ----------
        rows : int or sequence of int
            The rows of the texts.
        """
        with self._change():
            self._add("clear", rows=self._rows(rows))

    def skip(self, row: int, purpose: str = "chosen") -> None:
        """Leave a text for later.

        Parameters
        ----------
        row : int
            The row of the text.
        purpose : str, default="chosen"
            Why it was shown.
        """
        with self._change():
            _check_purpose(purpose)
            self._add("skip", row=self.first_row(row), purpose=purpose)

    def mark_undecided(self, row: int, purpose: str = "chosen") -> None:
        """Say that no class fits, or several. The text is not offered again.

        Parameters
        ----------
        row : int
            The row of the text.
        purpose : str, default="chosen"
            Why it was shown.
        """
        with self._change():
            _check_purpose(purpose)
            self._add("undecided", row=self.first_row(row), purpose=purpose)

    def note(self, row: int, text: str) -> None:
        """Keep a note about a text; an empty note removes it.

        Parameters
        ----------
        row : int
            The row of the text.
        text : str
            The note.
        """
        with self._change():
            self._add("note", row=self.first_row(row), text=_check_about_class(text))

    def undo(self) -> Event | None:
        """Undo the last event that is not undone yet.

        Returns
        -------
        Event or None
            What was undone; None if there is nothing to undo.
        """
        with self._change():
            event = self.ledger.last_to_undo()
            if event is not None:
                self._add("undo", event=event.id)
            return event

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
        with self.lock, self._errors_named(), self._connection:
            _insert_settings(self._connection, settings)
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

    # Inner parts

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

    def _rows(self, rows: int | Sequence[int]) -> list[int]:
        several = [rows] if isinstance(rows, int | np.integer) else list(rows)
        if not several:
            raise ValueError("No rows are given. Give at least one.")
        return list(dict.fromkeys(self.first_row(row) for row in several))

    def _class(self, id: int) -> LabelClass:
        known = self.ledger.state.classes
        if id not in known:
            raise ValueError(f"There is no class with the number {id}. It may have been deleted.")
        return known[id]

    def _check_new_name(self, name: str, besides: int | None = None) -> str:
        if not isinstance(name, str) or not name.strip() or len(name) > LONGEST_NAME:
            raise ValueError(
                f"The name of a class must have 1 to {LONGEST_NAME} characters; got {name!r:.50}."
            )
        name = " ".join(name.split())
        _check_encodable(name)
        found = self.find_class(name)
        if found is not None and found.id != besides:
            raise ValueError(f"There is already a class {found.name!r}. Choose another name.")
        return name


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
    if not Path(path).is_file():
        return False
    with Path(path).open("rb") as file:
        header = file.read(100)
    return header[:15] == b"SQLite format 3" and header[68:72] == APPLICATION_ID.to_bytes(4, "big")


def find_representatives(texts: Sequence[str]) -> np.ndarray:
    """Return for each text the position of the first text that is the same.

    Case and white space do not count.

    Parameters
    ----------
    texts : sequence of str
        The texts.

    Returns
    -------
    ndarray of shape (n_texts,)
    """
    first: dict[str, int] = {}
    return np.array([first.setdefault(folded(text), row) for row, text in enumerate(texts)])


def folded(text: str) -> str:
    """Return a text without differences of case and white space."""
    return " ".join(text.casefold().split())


def _connect(path: str) -> sqlite3.Connection:
    # one connection for all threads of the server; Project.lock keeps them apart
    connection = sqlite3.connect(path, check_same_thread=False, timeout=30)
    connection.execute("PRAGMA synchronous = FULL")
    return connection


def _check_new(path: str | PathLike[str]) -> None:
    if Path(path).exists():
        raise FileExistsError(f"{path} already exists. Open it, or choose another name.")
    check_output_path(path)


def _check_tables(connection: sqlite3.Connection) -> None:
    """Raise TypeError unless the file has the tables of a project, without views or triggers.

    SQLite runs views and triggers of a file, which may take forever or change what is stored.
    """
    found = connection.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL").fetchall()
    if {" ".join(str(sql).split()) for (sql,) in found} != STATEMENTS:
        raise TypeError("its tables are not those of a project")


def _as_bytes(connection: sqlite3.Connection, path: str | PathLike[str]) -> bytes:
    """Return the content of a new file."""
    [pages], [size] = (connection.execute(f"PRAGMA page_{each}").fetchone() for each in PAGES)
    if pages * size >= LARGEST_FILE:
        raise ValueError(
            f"{path} would have more than 2 GB, which is too much for one project. Use fewer texts."
        )
    return connection.serialize()


def _fill(
    connection: sqlite3.Connection, texts: list[str], cells: Any, settings: dict[str, Any]
) -> None:
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {VERSION}")
    with connection:
        connection.executescript(f"BEGIN;{TABLES}COMMIT;")
        _insert_settings(connection, settings)
        _insert_texts(connection, texts, cells, 0)


def _insert_texts(connection: sqlite3.Connection, texts: list[str], cells: Any, first: int) -> None:
    each_cells = (None for _ in texts) if cells is None else cells

    def rows() -> Iterator[tuple[int, str, str | None]]:
        for position, (text, row) in enumerate(zip(texts, each_cells, strict=True)):
            written = None if row is None else json.dumps(row, ensure_ascii=False)
            for part in (text, written or ""):
                _check_encodable(part, f"texts[{position}]")
            yield first + position, text, written

    connection.executemany("INSERT INTO texts VALUES (?, ?, ?)", rows())


def _insert_settings(connection: sqlite3.Connection, settings: dict[str, Any]) -> None:
    connection.executemany(
        "INSERT OR REPLACE INTO settings VALUES (?, ?)",
        [(name, json.dumps(value)) for name, value in settings.items()],
    )


def _check_purpose(purpose: str) -> None:
    if purpose not in PURPOSES:
        raise ValueError(f"purpose must be one of {', '.join(PURPOSES)}; got {purpose!r}.")


def _check_about_class(text: str) -> str:
    if not isinstance(text, str) or len(text) > LONGEST_TEXT_OF_CLASS:
        raise ValueError(
            f"Words, definitions and notes must be texts of at most {LONGEST_TEXT_OF_CLASS} "
            "characters."
        )
    _check_encodable(text)
    return text.strip()


def _check_encodable(text: str, where: str = "The text") -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(
            f"{where} contains a character that is not valid Unicode (at {error.start}). Remove it."
        ) from error


def _user() -> str:
    try:
        return getpass.getuser()
    except OSError:  # no user name, as in some containers
        return "person"
