"""The SQLite file of a project: its tables, and how they are made, checked and filled."""

import json
import sqlite3
from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import Any

from honeybayes.utils.writing import check_output_path

APPLICATION_ID = 0x48427072  # "HBpr", in the header of the file
VERSION = 1
LARGEST_FILE = 2**31 - 2**16  # bytes that SQLite returns at once
PAGES = ("count", "size")
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


class _Connection(sqlite3.Connection):
    """A connection that closes itself: Python 3.13 warns of a project that nobody closed."""

    def __del__(self) -> None:
        self.close()


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


def connect(path: str) -> sqlite3.Connection:
    # one connection for all threads of the server; Project.lock keeps them apart
    connection = sqlite3.connect(path, check_same_thread=False, timeout=30, factory=_Connection)
    connection.execute("PRAGMA synchronous = FULL")
    return connection


def check_new(path: str | PathLike[str]) -> None:
    if Path(path).exists():
        raise FileExistsError(f"{path} already exists. Open it, or choose another name.")
    check_output_path(path)


def check_tables(connection: sqlite3.Connection) -> None:
    """Raise TypeError unless the file has the tables of a project, without views or triggers.

    SQLite runs views and triggers of a file, which may take forever or change what is stored.
    """
    found = connection.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL").fetchall()
    if {" ".join(str(sql).split()) for (sql,) in found} != STATEMENTS:
        raise TypeError("its tables are not those of a project")


def as_bytes(connection: sqlite3.Connection, path: str | PathLike[str]) -> bytes:
    """Return the content of a new file."""
    [pages], [size] = (connection.execute(f"PRAGMA page_{each}").fetchone() for each in PAGES)
    if pages * size >= LARGEST_FILE:
        raise ValueError(
            f"{path} would have more than 2 GB, which is too much for one project. Use fewer texts."
        )
    return connection.serialize()


def fill(
    connection: sqlite3.Connection, texts: list[str], cells: Any, settings: dict[str, Any]
) -> None:
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {VERSION}")
    with connection:
        connection.executescript(f"BEGIN;{TABLES}COMMIT;")
        insert_settings(connection, settings)
        insert_texts(connection, texts, cells, 0)


def insert_texts(connection: sqlite3.Connection, texts: list[str], cells: Any, first: int) -> None:
    each_cells = (None for _ in texts) if cells is None else cells

    def rows() -> Iterator[tuple[int, str, str | None]]:
        for position, (text, row) in enumerate(zip(texts, each_cells, strict=True)):
            written = None if row is None else json.dumps(row, ensure_ascii=False)
            for part in (text, written or ""):
                check_encodable(part, f"texts[{position}]")
            yield first + position, text, written

    connection.executemany("INSERT INTO texts VALUES (?, ?, ?)", rows())


def insert_settings(connection: sqlite3.Connection, settings: dict[str, Any]) -> None:
    connection.executemany(
        "INSERT OR REPLACE INTO settings VALUES (?, ?)",
        [(name, json.dumps(value)) for name, value in settings.items()],
    )


def check_encodable(text: str, where: str = "The text") -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(
            f"{where} contains a character that is not valid Unicode (at {error.start}). Remove it."
        ) from error
