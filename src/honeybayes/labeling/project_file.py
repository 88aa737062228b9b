"""The SQLite file of a project: making, opening and checking it."""

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from os import PathLike
from pathlib import Path
from typing import Any

from honeybayes.labeling.ledger import check_encodable
from honeybayes.text import ATTRIBUTES, languages
from honeybayes.utils.labels import AUTO
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
SIZE = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
DAMAGE_CODES = (None, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
DAMAGES = (sqlite3.Error, LookupError, TypeError, ValueError, OverflowError, RecursionError)
# Types of the settings of `honeybayes label`; others are allowed, and not read.
SETTINGS: dict[str, Any] = {
    **dict.fromkeys(("text", "language", "table", "digest", "label", "id"), str),
    **dict.fromkeys(("format", "encoding", "sheet", "delimiter", "found_delimiter"), str | None),
    **dict.fromkeys(("random_state", "n_imported", "new_from"), int),
    "columns": list,
    "sources": list,
    "order": list,
    "missing": list,
    "quotes": bool | None,
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
    options: Any = {"check_same_thread": False, "timeout": PATIENCE, "factory": _Connection}
    connection = sqlite3.connect(path, **options)
    connection.text_factory = lambda content: content.decode("utf-8", "replace")
    return connection


def create_in_memory(
    texts: list[str], cells: Iterable[Any] | None, settings: dict[str, Any]
) -> sqlite3.Connection:
    """Return a new project that is not in a file."""
    connection = connect(":memory:")
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {VERSION}")
    with connection:
        connection.executescript(f"BEGIN;{TABLES}COMMIT;")
        insert_settings(connection, settings)
        insert_texts(connection, texts, cells, 0)
    return connection


def check_new(path: str | PathLike[str]) -> Path:
    """Return where a new file is written, the target of a link; raise an error if it exists."""
    if Path(path).exists():
        raise FileExistsError(f"{path} already exists. Open it, or choose another name.")
    return check_output_path(path)


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
    kind = SETTINGS.get(name, object)
    is_valid = isinstance(value, kind)
    if is_valid and kind is int:
        is_valid = not isinstance(value, bool) and 0 <= value < 2**32
    elif is_valid and kind is list:
        part = str if name in ("columns", "sources") else int
        is_valid = all(isinstance(each, part) for each in value)
    elif is_valid and name == "language":
        is_valid = value in (AUTO, ATTRIBUTES, *languages())
    elif is_valid and name.endswith("delimiter") and value is not None:
        is_valid = len(value) == 1 and value not in '"\r\n\ud800'
    if not is_valid:
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
    descriptor = None
    if fcntl is not None:
        with suppress(OSError):  # it may not be read, or has no locks
            descriptor = os.open(folder, os.O_RDONLY)
            fcntl.flock(descriptor, fcntl.LOCK_EX)
    try:
        yield
    finally:
        if descriptor is not None:
            os.close(descriptor)


def insert_texts(connection: sqlite3.Connection, texts: list[str], cells: Any, first: int) -> None:
    """Store texts and their cells from a row on."""
    rows = []
    each_cells = [None] * len(texts) if cells is None else cells
    for at, (text, row) in enumerate(zip(texts, each_cells, strict=True)):
        written = None if row is None else ENCODER.encode(row)
        check_encodable(text + (written or ""), f"texts[{at}]")
        rows.append((first + at, text, written))
    connection.executemany("INSERT INTO texts VALUES (?, ?, ?)", rows)
