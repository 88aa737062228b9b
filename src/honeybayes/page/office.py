"""The office: files and projects of a folder, and the desk that is open, if one is."""

import asyncio
import filecmp
import json
import os
import re
import threading
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path
from typing import Any

from honeybayes import tables
from honeybayes.labeling import Project, is_project_file, strategies, table_project
from honeybayes.page.desk import Desk
from honeybayes.page.event_wording import sendable, shorten
from honeybayes.page.worker import Learner
from honeybayes.text import LANGUAGES
from honeybayes.utils.writing import atomic_write, cache_folder

PROJECT_ENDING = ".hbproject"
N_SHOWN = 5  # rows of a table, before a project is made of it
MOST_FILES = 100
RECENT = Path("page", "recent-projects.json")  # in the cache folder, beside the corpora
MOST_RECENT = 20
LONGEST_NAME = 200  # bytes; folders allow 255, and a name may get a number
FORBIDDEN = re.compile(r'[\x00-\x1f<>:"/\\|?*]')  # in the name of a file, on one of the systems


class NoProjectError(Exception):
    """No table is open yet."""


class Office:
    """The folder in which the page works. All methods may be called from several threads."""

    def __init__(self, strategy: str = strategies.DEFAULT, who: str | None = None) -> None:
        self.strategy, self.who = strategy, who
        self.open_desk: Desk | None = None
        self.is_private = True  # one person, on this machine
        self.folder = Path.cwd().resolve()
        self.work = Work()
        self._lock = threading.Lock()

    @property
    def desk(self) -> Desk:
        """The desk that is open; raises `NoProjectError` if none is."""
        if self.open_desk is None:
            raise NoProjectError
        return self.open_desk

    def close(self) -> None:
        """End the worker."""
        if self.open_desk is not None:
            self.open_desk.learner.close()

    def describe(self) -> dict[str, Any]:
        """Return what is in the folder: tables to begin with, and projects to continue."""
        shown = filter(_is_shown, self.folder.iterdir())
        files = sorted(shown, key=lambda each: -each.stat().st_mtime)
        names = [each.name for each in files if sendable(each.name) == each.name]
        found = [each for each in names if tables.file_ending(each) in tables.FORMAT_OF_ENDING]
        projects = [each for each in names if each not in found]
        # the recent projects are the owner's, not of all who share the page
        recent = recent_projects() if self.is_private else []
        return {
            "folder": sendable(str(self.folder)),
            "recent": [
                {"name": each.name, "path": str(each), "folder": str(each.parent)}
                for each in recent
                if each.parent != self.folder
            ],
            "is_open": self.open_desk is not None,
            "projects": projects[:MOST_FILES],
            "tables": found[:MOST_FILES],
            "endings": [*tables.FORMAT_OF_ENDING],
            "languages": ["auto", *LANGUAGES],
        }

    def path_of(self, name: str) -> Path:
        """Return a table or a project of the folder; raise FileNotFoundError for other names."""
        path = self.folder / name
        if FORBIDDEN.search(name) or not _is_shown(path):
            raise FileNotFoundError(f"There is no file {name!r:.80} in {self.folder}.")
        return path

    def preview(self, name: str) -> dict[str, Any]:
        """Return the first rows of a table, and which columns may hold texts, labels and ids."""
        table = tables.open_table(self.path_of(name))
        first = next(iter(table.frames), None)
        if first is None or not len(first):
            raise ValueError(f"{name} has no rows.")
        records = tables.frame_rows(first.head(tables.N_GUESSED))
        columns = tables.by_column(records)
        text = tables.find_text_column(columns, [])
        ids = [each for each, cells in columns.items() if each != text and tables.are_ids(cells)]
        return {
            "name": name,
            "columns": list(dict.fromkeys(each for record in records for each in record)),
            "rows": [
                {key: shorten("" if cell is None else str(cell), 120) for key, cell in row.items()}
                for row in records[:N_SHOWN]
            ],
            "text": text,
            "label": tables.find_label_column(columns, [text, *ids]),
            "id": next(iter(ids), None),
        }

    def begin(self, name: str, options: dict[str, Any]) -> dict[str, Any]:
        """Make a project of a table, or continue the one that lies beside it."""
        path = self.path_of(name)
        target = path.with_name(Path(path.name.removesuffix(".gz")).stem + PROJECT_ENDING)
        reading = {} if target.exists() else {key: options.get(key) for key in ("text", "language")}
        more: dict[str, Any] = {each: options.get(each) for each in ("label", "id")}
        sources = options.get("sources") or []
        if not isinstance(sources, list) or not all(isinstance(each, str) for each in sources):
            raise ValueError(f"The field 'sources' must be a list of columns; got {sources!r:.50}.")
        said: list[str] = []
        more |= {"sources": sources, "who": self.who, "say": said.append}
        self.sit_down(table_project.open_project(str(path), target, reading, **more))
        return {"said": said}

    def continue_project(self, name: str) -> None:
        """Open a project of the folder, or a recent one of another folder, by its path."""
        is_recent = self.is_private and Path(name) in recent_projects()
        path = Path(name) if is_recent else self.path_of(name)
        self.sit_down(Project.open(path, self.who))

    def sit_down(self, project: Project) -> None:
        """Show a project that is in a file, instead of the one before."""
        assert project.path is not None
        with self._lock:
            before, self.open_desk = self.open_desk, Desk(project, Learner(project, self.strategy))
        self.folder = project.path.parent.resolve()
        remember_project(project.path)
        if before is not None:
            before.learner.close()
            before.project.close()

    def add_month(self, name: str) -> dict[str, Any]:
        """Take over the rows of a new version of the table, or of this month's table."""
        desk, said = self.desk, list[str]()
        table_project.follow_table(desk.project, str(self.path_of(name)), said.append)
        return {"said": said or ["The table has not changed."]}

    def classify(self, name: str) -> None:
        """Begin to answer a new table; `work` tells how far it is."""
        path, desk = self.path_of(name), self.desk
        if self.work.status == "working":
            raise ValueError("Another table is being answered. Wait, or stop it.")
        output = free_name(self.folder / f"{path.stem}-answers.xlsx")
        self.work = Work("working", file=output.name)
        threading.Thread(target=self.work.run, args=(desk, path, output), daemon=True).start()

    def stop_classifying(self) -> None:
        """Stop soon, without a file."""
        self.work.is_stopped = True


@dataclass
class Work:
    """A table that is being answered, in parts, so that it can be watched and stopped."""

    status: str = "idle"  # or "working", "stopped", "done", "failed"
    message: str = ""  # what went wrong
    file: str = ""  # the name of the answers
    n_done: int = 0
    n_rows: int = 0
    is_stopped: bool = False  # it ends soon, without a file

    def run(self, desk: Desk, table: Path, output: Path) -> None:
        """Answer a table, in a thread of its own."""
        try:
            ask = desk.learner.ask
            self.n_rows = ask("classify", str(table), str(output)).result()
            while (done := ask("classify_more", self.is_stopped).result()) is not None:
                self.n_done = done
            self.status = "done" if output.exists() else "stopped"
        except Exception as error:  # the page shows it
            self.status, self.message = "failed", str(error)


def recent_projects() -> list[Path]:
    """Return the projects that the page opened last and that are still there; none on any doubt."""
    try:
        listed = json.loads((cache_folder() / RECENT).read_bytes())
        return [Path(each) for each in listed if sendable(each) == each and is_project_file(each)]
    except (OSError, ValueError, TypeError, AttributeError, RecursionError):
        return []


def remember_project(path: Path) -> None:
    """Put a project first in the list of recent ones: only its path is kept, for this user."""
    listed = dict.fromkeys(map(str, [path.resolve(), *recent_projects()]))
    with suppress(OSError):  # the list is a help, nothing else
        place = cache_folder() / RECENT
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with atomic_write(place) as file:
            file.write(json.dumps(list(listed)[:MOST_RECENT]).encode())


async def save_file(folder: Path, name: str, parts: AsyncIterator[bytes]) -> str:
    """Store a file that comes in parts; return its name, another one if that was taken."""
    end = FORBIDDEN.sub("_", name).encode("utf-8", "replace")[-LONGEST_NAME:]
    clean = end.decode("utf-8", "ignore").strip(". ")
    if tables.file_ending(clean) not in tables.FORMAT_OF_ENDING:
        endings = ", ".join(tables.FORMAT_OF_ENDING)
        raise ValueError(f"{name!r:.80} is not a table. The name must end in {endings}.")
    path, known = free_name(folder / clean), folder / clean
    with atomic_write(path, replace=False) as file:  # a large table is never in memory
        async for part in parts:
            file.write(part)
    is_taken = path != known and known.is_file()
    if is_taken and await asyncio.to_thread(filecmp.cmp, path, known, shallow=False):
        path.unlink()  # the same file is there already
        return known.name
    return path.name


def free_name(path: Path) -> Path:
    """Return a path at which there is no file and no link: the same, or one with a number."""
    stem, dot, ending = path.name.partition(".")
    numbered = (path.with_name(f"{stem}-{n}{dot}{ending}") for n in count(2))
    return next(each for each in chain([path], numbered) if not os.path.lexists(each))


def _is_shown(path: Path) -> bool:
    """Return True for a table or a project that may be read; hidden files are none of them."""
    try:
        is_known = tables.file_ending(path) in tables.FORMAT_OF_ENDING or is_project_file(path)
        return is_known and path.is_file() and not path.name.startswith(".")
    except OSError:  # too long a name, or a file of another person
        return False
