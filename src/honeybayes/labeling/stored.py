"""What a project file stores besides events: the table, and what the model said."""

import json
import sqlite3
import threading
import zlib
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from honeybayes.labeling import storage
from honeybayes.labeling.turn import Turn, pack_turn, unpack_turn
from honeybayes.utils.messages import did_you_mean
from honeybayes.utils.texts import check_texts

READ_ONLY = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)


class StoredTable:
    """The part of `Project` that reads and writes tables of the file without events."""

    if TYPE_CHECKING:
        _connection: sqlite3.Connection
        path: Path | None
        texts: list[str]
        representative: np.ndarray
        copies: np.ndarray
        settings: dict[str, Any]
        lock: threading.RLock
        _bad: dict[str, str]

        def _select(self, what: str, *values: Any) -> list[Any]: ...
        def _change(self) -> AbstractContextManager[None]: ...
        def refresh(self) -> bool: ...  # noqa: D102

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
        self._keep("INSERT INTO rounds (n_labels, answers) VALUES (?, ?)", n_labels, packed)

    def _keep(self, statement: str, *values: Any) -> None:
        """Store what can be computed again; a file that cannot be written stays as it is."""
        try:
            with self._change():
                self._connection.execute(statement, values)
        except sqlite3.OperationalError as error:
            if storage.code_of(error) not in READ_ONLY:
                raise

    def _kept(self, what: str) -> list[Any]:
        """Read what can be computed again; nothing if this part of the file is damaged."""
        try:
            return self._select(what)
        except sqlite3.DatabaseError as error:
            if storage.code_of(error) != sqlite3.SQLITE_CORRUPT:
                raise
            return []

    def rounds(self) -> list[tuple[int, np.ndarray]]:
        """Return number of labels and answers of each round so far; damaged ones are left out.

        Returns
        -------
        list of (int, ndarray)
        """
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

        Parameters
        ----------
        turn : Turn
            The turn.
        held_out : dict, optional
            What `LabelingSession.hold_out` returned.
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
        """Return the turn that was kept last; None if there is none, or the texts have changed.

        Returns
        -------
        tuple of Turn and dict, or None
        """
        n_texts = int(np.count_nonzero(self.copies))
        for packed, stored in self._kept("packed, n_texts FROM turns"):
            with suppress(zlib.error, *storage.DAMAGES):
                if stored == n_texts:
                    return unpack_turn(packed, n_texts, len(self.texts))
        return None

    # The table

    def cells(self) -> Iterator[Any]:
        """Read the cells of each row as they were in the table.

        Yields
        ------
        list of str, dict or None
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

    def order(self) -> list[int]:
        """Return the rows in the order of the table now, and then those that it has no longer.

        Returns
        -------
        list of int
        """
        rows = range(len(self.texts))
        order = [row for row in self.settings.get("order", ()) if row in rows]
        return list(dict.fromkeys([*order, *rows]))

    def missing_texts(self) -> set[int]:
        """Return the first row of each text that the table has no longer.

        Returns
        -------
        set of int
        """
        rows = [row for row in self.settings.get("missing", ()) if row in range(len(self.texts))]
        firsts, n_missing = np.unique(self.representative[rows], return_counts=True)
        return set(firsts[n_missing == self.copies[firsts]].tolist())

    def add_texts(self, texts: Sequence[str], cells: Sequence[Any] | None = None) -> None:
        """Append texts, for example rows that were added to the table.

        Parameters
        ----------
        texts : sequence of str
            The texts.
        cells : sequence, optional
            For each text, all cells of its row.
        """
        self.follow_table(check_texts(texts, "texts"), cells, {}, {})

    def follow_table(
        self,
        texts: Sequence[str],
        cells: Sequence[Any] | None,
        changed: dict[int, Any],
        settings: dict[str, Any],
    ) -> None:
        """Take over a new version of the table in one step.

        Parameters
        ----------
        texts : sequence of str
            Texts to append.
        cells : sequence, optional
            For each of these texts, all cells of its row.
        changed : dict
            For rows that are known, their cells now.
        settings : dict
            Settings to store.
        """
        texts = check_texts(texts, "texts") if len(texts) else []
        with self._change():
            storage.insert_texts(self._connection, texts, cells, len(self.texts))
            storage.update_cells(self._connection, changed)
            storage.insert_settings(self._connection, settings)
            if len(texts):  # rounds are about the texts of that time
                self._connection.execute("DELETE FROM rounds")
        self.settings |= settings
        self.refresh()

    def change_settings(self, **settings: Any) -> None:
        """Store settings.

        Parameters
        ----------
        **settings
            Values that can be written as JSON.
        """
        with self._change():
            storage.insert_settings(self._connection, settings)
        self.settings |= settings
