"""Break project files on purpose, open each of them, and do what page and commands do with it.

A quarter of the files have bytes flipped, removed or inserted, the first page of the database more
often than others. The others are changed with SQL: events, settings, texts, cells, the answers of
the model, and the schema. Every file must give one clear error that names it, or a project that can
be labeled, exported and shown. Each file has a process of its own, with the limits of
`benchmarks.fuzz_files`.

    python -m benchmarks.fuzz_projects --files 2000 --seed 0
"""

import argparse
import io
import json
import sqlite3
import tempfile
import time
import warnings
import zlib
from collections import Counter
from contextlib import redirect_stderr
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.fuzz_files import ODD_VALUES, break_bytes, in_a_process, pick, slots
from honeybayes.labeling import LabelingSession, Project, export_project
from honeybayes.page.desk import Desk
from honeybayes.page.worker import Learner

WORDS = ("parcel courier late", "invoice charge refund", "password login screen")
TEXTS = [f"{WORDS[n % 3]} number {n} of {n % 5}" for n in range(30)]
COLUMNS = ["id", "body"]
N_PAGE = 4096  # bytes of a page of SQLite
SCHEMA = [
    "CREATE VIEW more AS SELECT 1",
    "CREATE TRIGGER more AFTER INSERT ON events BEGIN DELETE FROM texts; END",
    "ALTER TABLE texts ADD COLUMN more",
    "DROP TABLE turns",
    "CREATE INDEX more ON events (kind)",
    "DELETE FROM texts WHERE row = 3",
    "INSERT INTO texts VALUES (10000000, 'far', NULL)",
    "PRAGMA user_version = 99",
    "PRAGMA user_version = 1",
    "PRAGMA journal_mode = WAL",
]
ODD_TEXTS = ["", "x" * 10**6, "\u0301" * 10**4, "\x00\x01", "[" * 10**5, "{", "null"]


def make_project(path: Path) -> None:
    """Write a project with every kind of event, a turn and rounds."""
    cells = [[f"{n:03d}", text] for n, text in enumerate(TEXTS)]
    settings = {"columns": COLUMNS, "text": "body", "id": "id", "language": "english"}
    with Project.create(path, TEXTS, cells=cells, settings=settings, who="me") as project:
        ids = [project.add_class(name, "words").id for name in ("mail", "money", "help", "gone")]
        for row in range(12):
            project.label(row, ids[row % 3], "audit" if row % 4 == 0 else "chosen")
        with project.acting_as("you"):
            project.label(1, ids[0], "double"), project.label(2, ids[2], "double")
        project.change_class(ids[0], name="post")
        project.label_many([20, 21], ids[:2], "imported")
        project.delete_class(ids[3]), project.clear(20), project.skip(22)
        project.mark_undecided(23), project.note(2, "hm"), project.label(24, ids[0])
        project.undo()
        project.merge_classes(project.add_class("late").id, ids[1])
        session = LabelingSession.open(project, encoder=None)
        session.refit(), session.hold_out()


def break_project(path: Path, original: bytes, rng: np.random.Generator) -> str:
    """Write a broken copy of a project, and return what was done."""
    if rng.integers(4) == 0:
        first = original[:N_PAGE] if rng.integers(3) == 0 else original
        path.write_bytes(break_bytes(first, rng) + original[len(first) :])
        return "break_bytes"
    path.write_bytes(original)
    connection = sqlite3.connect(path)
    change = pick(rng, [change_event, change_event, change_setting, change_text, change_answers])
    with connection:
        if rng.integers(20) == 0:
            change = change_schema
        change(connection, rng)
    connection.close()
    return str(change.__name__)


def change_event(connection: Any, rng: np.random.Generator) -> None:
    events = connection.execute("SELECT id, value FROM events").fetchall()
    id, written = pick(rng, events)
    value = json.loads(written)
    part, key = pick(rng, list(slots(value)))
    match rng.integers(7):
        case 0:
            part[key] = pick(rng, [*ODD_VALUES, list(range(10**5)), 2**31, 0])
        case 1:
            value = pick(rng, ODD_VALUES)
        case 2:
            value[pick(rng, ["row", "rows", "ids", "event", "purpose", "more"])] = pick(
                rng, ODD_VALUES
            )
        case 3:
            column = pick(rng, ["time", "who", "kind", "value"])
            odd = pick(rng, [b"\xff", 7, 1.5, *ODD_TEXTS, "undo", "apply", "unreadable"])
            connection.execute(f"UPDATE events SET {column} = ? WHERE id = ?", (odd, id))
            return
        case 4:
            number = int(pick(rng, [-5, 0, 999, 2**40, 2**53, 2**63 - 1]))
            connection.execute("UPDATE events SET id = ? WHERE id = ?", (number, id))
            return
        case 5:
            connection.execute("DELETE FROM events WHERE id = ?", (id,))
            return
        case _:  # many of them
            kind, about = pick(rng, [("undo", {"event": 1}), ("skip", {"row": 1}), ("x", {})])
            rows = [(1000 + n, "now", "me", kind, json.dumps(about)) for n in range(20_000)]
            connection.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?)", rows)
            return
    connection.execute("UPDATE events SET value = ? WHERE id = ?", (json.dumps(value), id))


def change_setting(connection: Any, rng: np.random.Generator) -> None:
    names = ["columns", "text", "id", "order", "missing", "new_from", "delimiter", "random_state"]
    name = pick(rng, [*names, "language", "table", "label", "n_imported", "more"])
    odd = [*ODD_VALUES, 12, 10**9, [5] * 10**5, ["a", "b"], ["a"], list(range(40)), ",", "klingon"]
    written = pick(rng, [json.dumps(pick(rng, odd)), *ODD_TEXTS[4:], b"\xff"])
    connection.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (name, written))


def change_text(connection: Any, rng: np.random.Generator) -> None:
    column, row = pick(rng, ["text", "cells", "row"]), int(rng.integers(len(TEXTS)))
    odd = [b"a\xff", 7, *ODD_TEXTS, json.dumps([1]), json.dumps({"a": 1}), 10**6, -1]
    value = pick(rng, odd if column != "row" else odd[-2:])
    is_text = rng.integers(2) and column == "text"
    made = "CAST(? AS TEXT)" if is_text else "?"
    connection.execute(f"UPDATE texts SET {column} = {made} WHERE row = ?", (value, row))


def change_answers(connection: Any, rng: np.random.Generator) -> None:
    """Change the last turn of the model or a round: bytes, numbers, bombs."""
    table, column = pick(rng, [("turns", "packed"), ("rounds", "answers")])
    [packed] = connection.execute(f"SELECT {column} FROM {table}").fetchone()
    content = zlib.decompressobj().decompress(packed)
    match rng.integers(5):
        case 0:
            packed = break_bytes(packed, rng)
        case 1:
            packed = zlib.compress(break_bytes(content, rng))
        case 2:
            packed = zlib.compress(bytes(2**28))
        case 3 if table == "turns":
            line, _, rest = content.partition(b"\n")
            about = json.loads(line)
            part, key = pick(rng, list(slots(about)))
            part[key] = pick(rng, [*ODD_VALUES, 10**6, [list(range(10**5))]])
            packed = zlib.compress(json.dumps(about).encode() + b"\n" + rest)
        case _:
            other, odd = pick(rng, ["id", "n_texts", "n_labels"]), pick(rng, [-1, 2**62, "x", 30])
            known = {each[1] for each in connection.execute(f"PRAGMA table_info({table})")}
            if other in known - {"id"}:
                connection.execute(f"UPDATE {table} SET {other} = ?", (odd,))
            packed = b"" if rng.integers(2) else packed
    connection.execute(f"UPDATE {table} SET {column} = ?", (packed,))


def change_schema(connection: Any, rng: np.random.Generator) -> None:
    connection.commit()
    connection.execute(pick(rng, SCHEMA)).fetchall()


class Resting(Learner):
    """A learner without a worker."""

    def tick(self) -> None:
        """Do nothing."""


def try_out(path: Path, learns: bool) -> tuple[str, str]:
    """Use a file as page and commands do; return the outcome and a detail."""
    try:
        project = Project.open(path)
    except (ValueError, OSError) as error:
        return ("refused" if str(path) in str(error) else "unclear error"), str(error)
    except MemoryError as error:
        return "huge allocation", repr(error)
    except BaseException as error:
        return "unclear error", repr(error)
    told = project.describe_set_aside()
    before = dict(project.ledger.state.labels)
    try:
        desk = Desk(project, Resting(project))
        desk.state(), desk.quality(), desk.next("a")
        desk.list_texts(), desk.list_texts(show="checks")
        project.note(0, "seen")
        project.undo()
        if learns:
            LabelingSession.open(project, encoder=None).refit()
        export_project(project, path.with_suffix(".csv"))
        if dict(project.ledger.state.labels) != before:
            return "lost", "labels have changed"
    except MemoryError as error:
        return "huge allocation", repr(error)
    except sqlite3.DatabaseError as error:  # a part that was not read before; the page says it
        return ("damaged later" if "malformed" in str(error) else "failed"), repr(error)
    except BaseException as error:
        return "failed", repr(error)
    return ("set aside" if told else "working"), told


def make(path: Path, number: int, seed: int, original: bytes) -> tuple[str, bytes]:
    """Return what was done, and the broken project with this number."""
    kind = break_project(path, original, np.random.default_rng([seed, number]))
    return kind, path.read_bytes()


def use(path: Path, learns: bool) -> tuple[str, str]:
    with redirect_stderr(io.StringIO()):
        return try_out(path, learns)


GOOD = ("refused", "working", "set aside", "damaged later")


def run(n_files: int, seed: int) -> list[tuple[str, str, str, float]]:
    """Try files; return kind, outcome, detail and seconds of each."""
    results = []
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = Path(folder, "mail.hbproject")
        make_project(path)
        original = path.read_bytes()
        assert try_out(path, learns=True) == ("working", "")  # imports and compiles everything
        path.unlink()
        for number in range(n_files):
            start = time.perf_counter()
            make_it = partial(make, path, number, seed, original)
            use_it = partial(use, learns=number % 5 == 0)
            kind, outcome, detail = in_a_process(path, make_it, use_it)
            took = time.perf_counter() - start
            for left in path.parent.glob(f"{path.name}*"):
                left.unlink()
            results.append((kind, outcome, f"{number}: {detail}", took))
    return results


def main() -> None:
    """Print what became of the files."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--files", type=int, default=2000, help="how many files")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    results = run(asked.files, asked.seed)
    for kind in sorted({kind for kind, *_ in results}):
        print(kind, dict(Counter(outcome for each, outcome, *_ in results if each == kind)))
    print("all", dict(Counter(outcome for _, outcome, *_ in results)))
    print("slowest file:", round(max(took for *_, took in results), 2), "s")
    for kind, outcome, detail, _ in results:
        if outcome not in GOOD:
            print(kind, outcome, detail)


if __name__ == "__main__":
    main()
