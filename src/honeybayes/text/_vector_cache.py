"""Vectors of texts on disk, so that each text is encoded once.

One SQLite file per encoder maps digests of texts to vectors; the texts are not stored. SQLite
writes in transactions, so no reader sees half a vector. A cache may be deleted at any time:
whatever goes wrong with it, the texts are encoded again.
"""

import sqlite3
import warnings
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager, suppress
from hashlib import blake2b
from pathlib import Path

import numpy as np

from honeybayes.utils.writing import cache_folder

MOST_BYTES = 2**30  # of one file: 700,000 vectors of 384 numbers
MOST_ASKED = 500  # vectors in one query; SQLite allows 999 or more
SECONDS_TO_WAIT = 10  # for another process that writes
ROUNDING = 1e-3  # of the length of a stored vector


class VectorCache:
    """The stored vectors of one encoder: ``width`` numbers of float32, of length 1 or 0."""

    def __init__(self, name: str, width: int) -> None:
        self.path = Path(cache_folder(), "vectors", f"{name}.sqlite")
        self.width = width

    def read(self, texts: Collection[str]) -> dict[str, np.ndarray]:
        """Return the vectors of those texts that are stored and intact."""
        by_digest = {_digest(text): text for text in texts}
        asked, rows = list(by_digest), []
        try:
            if not self.path.exists():
                return {}
            with self._open() as database:
                for start in range(0, len(asked), MOST_ASKED):
                    some = asked[start : start + MOST_ASKED]
                    query = f"SELECT * FROM vectors WHERE digest IN ({','.join('?' * len(some))})"
                    rows += database.execute(query, some).fetchall()
        except (sqlite3.Error, OSError) as error:
            self._discard_if_corrupt(error)
        return {by_digest[digest]: vector for digest, vector in self._parse(rows)}

    def write(self, vectors: dict[str, np.ndarray]) -> None:
        """Store vectors; if the file becomes too large, the older half is deleted."""
        rows = [(_digest(text), vector.tobytes()) for text, vector in vectors.items()]
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with self._open() as database, database:
                database.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)
                if _used_bytes(database) > MOST_BYTES:
                    oldest = "(SELECT (min(rowid) + max(rowid)) / 2 FROM vectors)"
                    database.execute(f"DELETE FROM vectors WHERE rowid <= {oldest}")
        except (sqlite3.Error, OSError) as error:
            self._discard_if_corrupt(error)
            warnings.warn(
                f"The vectors of {len(rows)} texts could not be stored in {self.path} ({error}). "
                "Make room there, set HONEYBAYES_CACHE to another folder, "
                "or use TextEncoder(..., cache=False).",
                UserWarning,
                stacklevel=3,
            )

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self.path, timeout=SECONDS_TO_WAIT)) as database:
            database.execute(
                "CREATE TABLE IF NOT EXISTS vectors (digest BLOB PRIMARY KEY, vector BLOB)"
            )
            yield database

    def _discard_if_corrupt(self, error: Exception) -> None:
        # its subclasses mean a locked file or a full disk, which pass
        if type(error) is sqlite3.DatabaseError:
            with suppress(OSError):
                self.path.unlink(missing_ok=True)

    def _parse(self, rows: list[tuple[bytes, object]]) -> Iterator[tuple[bytes, np.ndarray]]:
        """Yield digests and vectors, without those that cannot be what was written."""
        size = 4 * self.width
        usable = [(d, v) for d, v in rows if isinstance(v, bytes) and len(v) == size]
        found = np.frombuffer(b"".join(v for _, v in usable), np.float32).reshape(-1, self.width)
        with np.errstate(over="ignore", invalid="ignore"):
            length = np.linalg.norm(found, axis=1)
        is_intact = (np.abs(length - 1) < ROUNDING) | (length == 0)
        for (digest, _), vector, is_kept in zip(usable, found, is_intact, strict=True):
            if is_kept:
                yield digest, vector


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _used_bytes(database: sqlite3.Connection) -> int:
    sizes = ("page_count", "freelist_count", "page_size")
    pages, free, size = (database.execute(f"PRAGMA {name}").fetchone()[0] for name in sizes)
    return int((pages - free) * size)
