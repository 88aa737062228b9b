"""Project files that somebody else has changed: refused with one error, or harmless."""

import json
import shutil
import sqlite3
import zlib

import numpy as np
import pytest

from honeybayes.labeling import LabelingSession, Project, export_project
from honeybayes.labeling.answers import answer_rows

TEXTS = [f"{word} {number}" for word in ("parcel", "invoice") for number in range(6)]
CELLS = [[str(row), text] for row, text in enumerate(TEXTS)]
SETTINGS = {"columns": ["id", "text"], "language": "english", "delimiter": ",", "text": "text"}
VALUES = [None, True, -1, 10**30, 1.5, "x", [], [None], {}, {"a": 1}, [[]], "\ud800", 12, 99, [99]]


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    """A project with every kind of event."""
    path = tmp_path_factory.mktemp("base") / "mail.hbproject"
    with Project.create(path, TEXTS, cells=CELLS, settings=SETTINGS, who="me") as project:
        ids = [project.add_class(name, "words").id for name in ("mail", "money", "other", "gone")]
        project.change_class(ids[0], name="post")
        project.label([0, 1], ids[0], suggested=ids[1], confidence=0.5)
        project.label_many([6, 7, 8], [ids[1], ids[1], ids[2]], "imported")
        project.merge_classes(ids[2], ids[1])
        project.delete_class(ids[3])
        project.clear(8), project.skip(9), project.mark_undecided(10), project.note(2, "hm")
        project.label(3, ids[0])
        project.undo()
        project.add_round(4, np.zeros(12))
    return path


@pytest.fixture
def change(base, tmp_path):
    """Change a copy of the project with SQL, and return its path."""
    shutil.copy(base, tmp_path / "mail.hbproject")

    def change(statement, *values):
        connection = sqlite3.connect(tmp_path / "mail.hbproject")
        with connection:
            connection.execute(statement, values)
        connection.close()
        return tmp_path / "mail.hbproject"

    return change


def use(path):
    """Open a project and do what its commands do with it; ValueError is the documented error."""
    found, message = None, ""
    try:
        with Project.open(path) as project:
            list(answer_rows(project, None))
            export_project(project, path.with_suffix(".csv"))
            found = project
    except ValueError as error:
        message = str(error)
    assert found is not None or str(path) in message
    return found


def mutants(value):
    """Yield a JSON value with one part replaced, removed or added."""
    for name in value:
        for other in VALUES:
            yield {**value, name: other}
        yield {key: part for key, part in value.items() if key != name}
    yield from ({**value, "id": 1, "__class__": "x"}, VALUES[8], VALUES[4])


def test_a_changed_event_is_refused_or_harmless(base, tmp_path, change):
    with Project.open(base) as project:
        events = {each.kind: each for each in project.ledger.events}
    assert len(events) == 11
    n_used = n_refused = 0
    path = tmp_path / "mail.hbproject"
    for event in events.values():
        for value in mutants(event.value):
            shutil.copy(base, path)
            change("UPDATE events SET value = ? WHERE id = ?", json.dumps(value), event.id)
            found = use(path)
            n_used, n_refused = n_used + (found is not None), n_refused + (found is None)
    assert n_refused > 4 * n_used > 0


@pytest.mark.parametrize(
    "name", [*SETTINGS, "random_state", "table", "sheet", "quotes", "n_imported"]
)
def test_a_changed_setting_is_refused_or_harmless(base, tmp_path, change, name):
    n_used = n_refused = 0
    for value in VALUES:
        shutil.copy(base, tmp_path / "mail.hbproject")
        written = json.dumps(value)
        found = use(change("INSERT OR REPLACE INTO settings VALUES (?, ?)", name, written))
        n_used, n_refused = n_used + (found is not None), n_refused + (found is None)
    assert n_refused > 3 * n_used > 0


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET kind = 'apply' WHERE id = 3",
        "UPDATE events SET kind = '__init__' WHERE id = 3",
        "UPDATE events SET value = '" + "[" * 100_000 + "' WHERE id = 3",
        "UPDATE events SET value = x'ff' WHERE id = 3",
        "UPDATE events SET who = x'ff' WHERE id = 3",
        "UPDATE texts SET text = x'ff' WHERE row = 3",
        "UPDATE texts SET cells = '[1]' WHERE row = 3",
        "UPDATE texts SET cells = '{}' WHERE row = 3",
        "UPDATE settings SET value = 'x'",
        "DELETE FROM texts",
        "DROP TABLE rounds",
        "ALTER TABLE texts ADD COLUMN more",
        "CREATE TABLE more (x)",
        "CREATE VIEW more AS SELECT 1",
        "CREATE TRIGGER more AFTER INSERT ON events BEGIN DELETE FROM texts; END",
    ],
)
def test_other_damage_is_one_error(change, statement):
    assert use(change(statement)) is None


def test_a_view_in_place_of_a_table_is_not_run(change):
    """It would be read for ever."""
    forever = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT x, x FROM n"
    change("DROP TABLE settings")
    path = change(f"CREATE VIEW settings (name, value) AS {forever}")
    with pytest.raises(ValueError, match="its tables are not those of a project"):
        Project.open(path)


@pytest.mark.parametrize(
    "answers", [zlib.compress(bytes(10**8)), b"no zlib", zlib.compress(b"abc"), "text", None]
)
@pytest.mark.parametrize("n_labels", [4, "x", 1.5, b"4"])
def test_damaged_rounds_are_left_out(change, answers, n_labels):
    path = change(
        "UPDATE rounds SET n_labels = ?, answers = coalesce(?, answers)", n_labels, answers
    )
    with Project.open(path) as project:
        kept = [(number, len(each)) for number, each in project.rounds()]
    assert kept == ([(4, 12)] if n_labels == 4 and answers is None else [])


def test_half_of_a_surrogate_pair_is_written_as_an_escape(change):
    path = change("UPDATE texts SET cells = ? WHERE row = 0", '["\\ud800", "x"]')
    assert use(path) is not None
    assert "\\ud800,x" in path.with_suffix(".csv").read_text(encoding="utf-8")


def test_a_session_goes_on_without_its_rounds(change):
    path = change("UPDATE rounds SET n_labels = '[]', answers = 'x'")
    with Project.open(path) as project:
        assert len(LabelingSession.open(project).refit().answers.first) == len(TEXTS)


def test_an_error_of_the_disk_names_the_file(base, tmp_path):
    shutil.copy(base, tmp_path / "full.hbproject")
    with Project.open(tmp_path / "full.hbproject") as project:
        (size,) = project._connection.execute("PRAGMA page_count").fetchone()
        project._connection.execute(f"PRAGMA max_page_count = {size}")
        with pytest.raises(sqlite3.OperationalError, match=r"full\.hbproject: .* is full"):
            project.add_texts(["x" * 1_000_000])
