"""The SQLite file of a project: making, opening and checking it, and what it stores."""

import json
import os
import sqlite3
import threading
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from honeybayes.labeling.ledger import LARGEST_EVENT, check_encodable, find_representatives
from honeybayes.labeling.turn import HeldOut, Turn, pack_turn, unpack_turn
from honeybayes.text import ATTRIBUTES, LANGUAGES
from honeybayes.utils.labels import AUTO
from honeybayes.utils.messages import did_you_mean
from honeybayes.utils.texts import check_texts
from honeybayes.utils.writing import DRAFT, check_output_path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

APPLICATION_ID = 0x48427072  # "HBpr", in the header of the file
VERSION = 2
JOURNALS = (b"\1\1", b"\2\2")  # also in the header: the default, and a write-ahead log
LARGEST_FILE = 2**31 - 2**16  # bytes that SQLite returns at once
ENCODER = json.JSONEncoder(ensure_ascii=False)
PATIENCE = 5  # seconds to wait for other programs that use the file
TABLES = """
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE texts (row INTEGER PRIMARY KEY, text TEXT NOT NULL, cells TEXT);
CREATE TABLE events (
    id INTEGER PRIMARY KEY, time TEXT NOT NULL, who TEXT NOT NULL, kind TEXT NOT NULL,
    value TEXT NOT NULL
);
CREATE TABLE rounds (id INTEGER PRIMARY KEY, n_labels INTEGER NOT NULL, answers BLOB NOT NULL);
CREATE TABLE turns (id INTEGER PRIMARY KEY, n_texts INTEGER NOT NULL, packed BLOB NOT NULL);
"""
IDENTITY = f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {VERSION};"
SIZE = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
READ_ONLY = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)
DAMAGE_CODES = (None, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
DAMAGES = (sqlite3.Error, LookupError, TypeError, ValueError, OverflowError, RecursionError)


def _is(kind: Any) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, kind)


def _are(kind: type) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(isinstance(each, kind) for each in value)


def _is_delimiter(value: Any) -> bool:
    is_one = isinstance(value, str) and len(value) == 1
    return value is None or (is_one and value not in '"\r\n\ud800')


# What the settings of `honeybayes label` must be; others are allowed, and not read.
SETTINGS: dict[str, Callable[[Any], bool]] = {
    **dict.fromkeys(("text", "table", "digest", "label", "id"), _is(str)),
    **dict.fromkeys(("format", "encoding", "sheet"), _is(str | None)),
    **dict.fromkeys(("delimiter", "found_delimiter"), _is_delimiter),
    **dict.fromkeys(
        ("random_state", "n_imported", "new_from"), lambda n: type(n) is int and 0 <= n < 2**32
    ),
    **dict.fromkeys(("columns", "sources"), _are(str)),
    **dict.fromkeys(("order", "missing"), _are(int)),
    "language": lambda value: value in (AUTO, ATTRIBUTES, *LANGUAGES),
    "quotes": _is(bool | None),
}


def is_project_file(path: str | PathLike[str]) -> bool:
    """Return True if a file is a project file."""
    return Path(path).is_file() and _version_of(_header_of(path)) is not None


def _header_of(path: str | PathLike[str]) -> bytes:
    with Path(path).open("rb") as file:
        return file.read(100)


def _version_of(header: bytes) -> int | None:
    """Return the version of the format; None if the file is not a project that SQLite writes."""
    is_ours = header[68:72] == APPLICATION_ID.to_bytes(4, "big")
    is_project = header[:15] == b"SQLite format 3" and is_ours and header[18:20] in JOURNALS
    return int.from_bytes(header[60:64], "big") if is_project else None


class _Connection(sqlite3.Connection):
    """A connection that closes itself: Python 3.13 warns of a project that nobody closed."""

    def __del__(self) -> None:
        with suppress(sqlite3.ProgrammingError):  # the file could not be opened
            self.close()


def connect(path: str) -> sqlite3.Connection:
    """Return one connection for all threads; `Project.lock` keeps them apart.

    The journal of SQLite is its default: all that is confirmed is in the one file, which needs no
    right to write to be read. A wrong byte in a text becomes the sign for an unknown character.
    """
    connection = sqlite3.connect(
        path, timeout=PATIENCE, check_same_thread=False, factory=_Connection
    )
    connection.text_factory = lambda content: content.decode("utf-8", "replace")
    return connection


def check_new(path: str | PathLike[str]) -> Path:
    """Return where a new file is written, the target of a link; raise an error if it exists."""
    if not Path(path).exists():
        with suppress(ValueError):  # another process has made it since
            return check_output_path(path)[0]
    raise FileExistsError(f"{path} already exists. Open it, or choose another name.")


@contextmanager
def opened(path: str | PathLike[str]) -> Iterator[sqlite3.Connection]:
    """Open a project file, and close it again if what it contains is refused."""
    if not Path(path).is_file():
        raise FileNotFoundError(f"There is no project file {path}.")
    header = _header_of(path)
    if (version := _version_of(header)) is None:
        raise ValueError(f"{path} is not a project file of honeybayes.")
    if version != VERSION:
        raise ValueError(
            f"{path} was written by another version of honeybayes (format {version}, this "
            f"version reads {VERSION}). Update honeybayes."
        )
    connection = connect(str(path))
    try:
        check_tables(connection)
        if header[18:20] == JOURNALS[1] and os.access(path, os.W_OK):
            # another program chose a write-ahead log: move its labels into the one file
            with suppress(sqlite3.OperationalError):  # the other program still uses the log
                connection.execute("PRAGMA journal_mode = DELETE").fetchall()
        yield connection
    except BaseException as error:
        connection.close()
        if isinstance(error, sqlite3.Error) and code_of(error) not in DAMAGE_CODES:
            raise OSError(
                f"{path} cannot be used: {error}. Check that you may read it, and that no other "
                "program holds the file."
            ) from error
        if isinstance(error, DAMAGES):
            what = str(error).rstrip(".")
            raise ValueError(f"{path} is damaged: {what}. Restore it from a backup.") from error
        raise


def check_tables(connection: sqlite3.Connection) -> None:
    """Raise ValueError unless the file has the tables of a project, without views or triggers.

    SQLite runs views and triggers of a file, which may take forever or change what is stored.
    """
    connection.execute("PRAGMA synchronous = FULL")  # wait for the disk before a label is confirmed
    found = connection.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL").fetchall()
    statements = {" ".join(sql.split()) for sql in TABLES.split(";") if sql.strip()}
    if {" ".join(str(sql).split()) for (sql,) in found} != statements:
        raise ValueError("its tables are not those of a project")


def code_of(error: sqlite3.Error) -> int | None:
    """Return the kind of an error, without the details; a wrong byte in a text has none."""
    code: int | None = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


def read_setting(name: str, written: Any) -> Any:
    """Return the value of a setting; raise ValueError if it cannot be the value of this one."""
    try:
        value = json.loads(written)
    except (TypeError, RecursionError) as error:
        raise ValueError(f"it cannot be read ({error})") from error
    if not SETTINGS.get(name, _is(object))(value):
        raise ValueError(f"it has a wrong value: {value!r:.50}")
    return value


def insert_settings(connection: sqlite3.Connection, settings: dict[str, Any]) -> None:
    """Store settings, if they can be read again."""
    written = [(name, json.dumps(value)) for name, value in settings.items()]
    for name, value in written:
        try:
            read_setting(name, value)
        except ValueError as error:
            raise ValueError(f"The setting {name} cannot be stored: {error}.") from error
    connection.executemany("INSERT OR REPLACE INTO settings VALUES (?, ?)", written)


def identity_of(path: Path | None) -> tuple[int, int] | None:
    """Return what stays the same while a file is the same file, whatever it contains."""
    try:
        found = None if path is None else path.stat()
    except FileNotFoundError:
        return -1, -1
    return None if found is None else (found.st_dev, found.st_ino)


def check_place(path: Path | None, identity: tuple[int, int] | None) -> None:
    """Raise ValueError if a file is no longer where it was, or has a second name."""
    if identity_of(path) != identity:
        raise ValueError(
            f"{path} was moved, deleted or replaced while it was in use, so nothing was stored. "
            "Put the file back, or start again with the file at its new place."
        )
    if path is not None and path.stat().st_nlink > 1 and _has_second_name(path):
        raise ValueError(
            f"{path} has a second name (a hard link), so nothing was stored: after a crash, labels "
            "could be lost under one of them. Delete the other name, or work on a copy."
        )


def _has_second_name(path: Path) -> bool:
    """Return whether a file has a name besides its own and that of a draft.

    A new file keeps the name of its draft for a moment, or until the next start after a crash.
    """
    own, drafts = path.stat(), 0
    for each in path.parent.iterdir():
        if DRAFT.fullmatch(each.name):
            with suppress(FileNotFoundError):
                drafts += each.stat().st_ino == own.st_ino
    return path.stat().st_nlink > 1 + drafts  # looked at last, because drafts only go


@contextmanager
def only_maker(folder: Path) -> Iterator[None]:
    """Let no other process make a project in a folder, where the system has such locks."""
    with ExitStack() as stack:
        if fcntl is not None:
            with suppress(OSError):  # it may not be read, or has no locks
                descriptor = os.open(folder, os.O_RDONLY)
                stack.callback(os.close, descriptor)
                fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield


def insert_texts(connection: sqlite3.Connection, texts: list[str], cells: Any, first: int) -> None:
    """Store texts and their cells from a row on."""
    rows = []
    each_cells = [None] * len(texts) if cells is None else cells
    for at, (text, row) in enumerate(zip(texts, each_cells, strict=True)):
        written = None if row is None else ENCODER.encode(row)
        check_encodable(text + (written or ""), f"texts[{at}]")
        rows.append((first + at, text, written))
    connection.executemany("INSERT INTO texts VALUES (?, ?, ?)", rows)


class ProjectFile:
    """The part of `Project` that reads and writes its file, apart from events."""

    def __init__(self, connection: sqlite3.Connection, path: Path | None) -> None:
        self._connection, self.path = connection, path
        self._file = identity_of(path)
        self.lock = threading.RLock()
        self.settings: dict[str, Any] = {}
        self._bad: dict[str, str] = {}  # what cannot be read besides events, and why
        self._version: Any = None  # another one after a change of another process
        self.texts: list[str] = []

    def close(self) -> None:
        """Close the file, after a change of another thread."""
        with self.lock:
            self._connection.close()

    @property
    def is_moved(self) -> bool:
        """Whether the file is no longer where it was opened."""
        return identity_of(self.path) != self._file

    def _select(self, what: str, *values: Any) -> list[Any]:
        with self.lock:
            return self._connection.execute(f"SELECT {what}", values).fetchall()

    def refresh(self) -> bool:
        """Read the settings, and texts that another process has added: True if there were some."""
        version = self._connection.execute("PRAGMA data_version").fetchone()
        if version != self._version:
            self._version, self.settings, self._bad = version, {}, {}
            for name, written in self._select("name, value FROM settings"):
                try:
                    self.settings[name] = read_setting(name, written)
                except ValueError as error:
                    self._bad[f"the setting {name}"] = str(error)
            outside = "count(*) FROM events WHERE id < 1 OR id >= ?"
            if (n_outside := self._select(outside, LARGEST_EVENT)[0][0]) > 0:
                self._bad["an event"] = f"there are {n_outside} with impossible numbers"
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
            self.distinct, self.place = np.unique(self.representative, return_inverse=True)
        return bool(found)

    @contextmanager
    def _change(self) -> Iterator[None]:
        """Read the events of other processes, and keep these from adding more until the end."""
        try:
            with self.lock, self._connection:  # commits, or takes everything back
                check_place(self.path, self._file)
                self._connection.execute("BEGIN IMMEDIATE")
                self.refresh()
                yield
        except sqlite3.Error as error:  # for example, the disk is full
            is_held = code_of(error) == sqlite3.SQLITE_BUSY
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
            if code_of(error) not in READ_ONLY:
                raise

    def _kept(self, what: str) -> list[Any]:
        """Read what can be computed again; nothing if this part of the file is damaged."""
        try:
            return self._select(what)
        except sqlite3.DatabaseError as error:
            if code_of(error) != sqlite3.SQLITE_CORRUPT:
                raise
            return []

    def rounds(self) -> list[tuple[int, np.ndarray]]:
        """Return number of labels and answers of each round so far; damaged ones are left out."""
        rounds, n_texts = [], len(self.distinct)
        for n_labels, packed in self._kept("n_labels, answers FROM rounds ORDER BY id"):
            with suppress(zlib.error, TypeError, ValueError):
                content = zlib.decompressobj().decompress(packed, 4 * n_texts + 4)
                answers = np.frombuffer(content, dtype="<i4")
                if isinstance(n_labels, int) and len(answers) == n_texts:
                    rounds.append((n_labels, answers))
        return rounds

    def keep_turn(self, turn: Turn, held_out: HeldOut | None = None) -> None:
        """Keep the last turn of the model, so that it is there at once after a restart.

        ``held_out`` is what `LabelingSession.hold_out` returned. A project in memory keeps nothing.
        """
        if self.path is None:
            return
        packed = pack_turn(turn, held_out or {})
        # SQLite writes as many bytes as before in their place: a copy that is made at this moment
        # has a turn that cannot be read, and all labels
        packed = packed.ljust(1 << len(packed).bit_length(), b"\0")
        insert = "INSERT INTO turns VALUES (0, ?, ?) ON CONFLICT (id) DO UPDATE "
        update = "SET n_texts = excluded.n_texts, packed = excluded.packed"
        self._keep(insert + update, len(self.distinct), packed)

    def last_turn(self) -> tuple[Turn, HeldOut] | None:
        """Return the turn that was kept last, and what was held out.

        None if there is none, or the texts have changed.
        """
        n_texts = len(self.distinct)
        for packed, stored in self._kept("packed, n_texts FROM turns"):
            with suppress(zlib.error, *DAMAGES):
                if stored == n_texts:
                    return unpack_turn(packed, n_texts, len(self.texts))
        return None

    # The table

    def records(self) -> list[dict[str, Any]]:
        """Return the cells of each row by their columns; empty ones if there was no table.

        Cells that cannot be read are empty.
        """
        columns, records = self.settings.get("columns") or [], []
        found = self._select("cells FROM texts WHERE row < ? ORDER BY row", len(self.texts))
        for row, (written,) in enumerate(found):
            try:
                cells = {} if written is None else json.loads(written)
                if isinstance(cells, list):
                    cells = dict(zip(columns, cells, strict=bool(columns)))
                if not isinstance(cells, dict) or (columns and not cells):
                    raise ValueError
            except (ValueError, TypeError, RecursionError):
                self._bad[f"row {row} of the table"] = "its cells are not those of a row"
                cells = dict.fromkeys(columns)
            records.append(cells)
        return records

    def column(self, name: str) -> list[Any]:
        """Return the cells of a column; None where a row of JSON lines has no such field."""
        records = self.records()
        names = list(dict.fromkeys(each for record in records for each in record))
        if name not in names:
            known, hint = ", ".join(names), did_you_mean(name, names)
            raise ValueError(f"There is no column {name!r}. The columns are: {known}.{hint}")
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

    def add_texts(
        self,
        texts: Sequence[str],
        cells: Sequence[Any] | None = None,
        changed: Mapping[int, Any] | None = None,
        **settings: Any,
    ) -> None:
        """Append texts and their cells, and take over what else a new version of a table says.

        ``changed`` has the cells of rows that are known.
        """
        texts = check_texts(texts, "texts", allow_empty=changed is not None)
        with self._change():
            insert_texts(self._connection, texts, cells, len(self.texts))
            written = [(ENCODER.encode(each), row) for row, each in (changed or {}).items()]
            self._connection.executemany("UPDATE texts SET cells = ? WHERE row = ?", written)
            insert_settings(self._connection, settings)
            if texts:  # rounds are about the texts of that time
                self._connection.execute("DELETE FROM rounds")
        self.settings |= settings
        self.refresh()

    def change_settings(self, **settings: Any) -> None:
        """Store settings, which must be JSON."""
        with self._change():
            insert_settings(self._connection, settings)
        self.settings |= settings
