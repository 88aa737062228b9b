"""A project file: texts, classes and labels in one SQLite file."""

import sqlite3
from collections.abc import Iterable, Sequence
from json import JSONDecodeError
from os import PathLike
from pathlib import Path
from typing import Any, Self

import numpy as np

from honeybayes.labeling._project_file import (
    VERSION,
    as_bytes,
    check_encodable,
    check_new,
    check_tables,
    connect,
    fill,
    is_project_file,
)
from honeybayes.labeling._stored_project import StoredProject
from honeybayes.labeling.ledger import PURPOSES, Event, LabelClass
from honeybayes.labeling.same_texts import folded
from honeybayes.utils.texts import check_texts
from honeybayes.utils.writing import atomic_write

DAMAGED = (sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
DAMAGES = (
    *(sqlite3.Error, LookupError, TypeError, OverflowError, RecursionError),
    *(JSONDecodeError, UnicodeError),
)
MEMORY = ":memory:"
LONGEST_NAME = 200
LONGEST_TEXT_OF_CLASS = 10_000


class Project(StoredProject):
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
            check_new(path)  # before the work, not after it
        connection = connect(MEMORY)
        fill(connection, texts, cells, settings or {})
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
        check_new(path)
        with self, atomic_write(path, replace=False) as file:
            file.write(as_bytes(self._connection, path))
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
            connection = connect(str(path))
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version > VERSION:
                raise ValueError(
                    f"{path} was written by a newer version of honeybayes (format {version}, this "
                    f"version reads {VERSION}). Update honeybayes."
                )
            check_tables(connection)
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

    # Inner parts

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
        check_encodable(name)
        found = self.find_class(name)
        if found is not None and found.id != besides:
            raise ValueError(f"There is already a class {found.name!r}. Choose another name.")
        return name


def _check_purpose(purpose: str) -> None:
    if purpose not in PURPOSES:
        raise ValueError(f"purpose must be one of {', '.join(PURPOSES)}; got {purpose!r}.")


def _check_about_class(text: str) -> str:
    if not isinstance(text, str) or len(text) > LONGEST_TEXT_OF_CLASS:
        raise ValueError(
            f"Words, definitions and notes must be texts of at most {LONGEST_TEXT_OF_CLASS} "
            "characters."
        )
    check_encodable(text)
    return text.strip()
