"""Project files that somebody else has changed: set aside, refused with one error, or harmless."""

import json
import os
import shutil
import sqlite3
import sys
import warnings
import zlib
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from honeybayes.labeling import LabelingSession, Project, export_project
from honeybayes.labeling.answers import answer_rows, make_answers_frame
from honeybayes.labeling.table_project import open_project

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
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", ".* set aside")
            opened = Project.open(path)
        with opened as project:
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


def test_a_changed_event_is_set_aside_or_harmless(base, tmp_path, change):
    """Finding: one such event, and the whole project was refused."""
    with Project.open(base) as project:
        events = {each.kind: each for each in project.ledger.events}
    assert len(events) == 11
    n_used = n_set_aside = 0
    path = tmp_path / "mail.hbproject"
    for event in events.values():
        for value in mutants(event.value):
            shutil.copy(base, path)
            change("UPDATE events SET value = ? WHERE id = ?", json.dumps(value), event.id)
            found = use(path)
            is_set_aside = event.id in found.ledger.set_aside
            assert bool(found.describe_set_aside()) == bool(found.ledger.set_aside)
            if event.kind not in ("add_class", "delete_class", "merge_classes", "undo"):
                # no other event depends on this one
                assert found.ledger.set_aside.keys() <= {event.id}
            n_used, n_set_aside = n_used + (not is_set_aside), n_set_aside + is_set_aside
    assert n_set_aside > 3 * n_used > 0


def test_an_event_that_cannot_be_read_costs_no_other(change):
    """What is set aside gets a word, and the person goes on with numbers of their own."""
    path = change("INSERT INTO events VALUES (99, 'now', 'me', 'explode', '{')")
    change("INSERT INTO events VALUES (?, 'now', 'me', 'skip', '{}')", 2**62)
    change("INSERT INTO events VALUES (-3, 'now', 'me', 'skip', '{}')")
    with pytest.warns(UserWarning, match=r"2 entries are set aside, all others count"):
        project = Project.open(path)
    with project:
        before = dict(project.ledger.state.labels)
        assert len(before) == 4
        assert project.ledger.last_to_undo("me").kind == "note"
        project.label(3, 1)
        assert project.ledger.last_id == 100
        assert project.undo().id == 100
        project.label(4, 1)
    with pytest.warns(UserWarning, match="set aside"), Project.open(path) as again:
        assert again.ledger.state.labels.keys() == {*before, 4}


def test_an_undo_that_others_depend_on_sets_these_aside(change):
    path = change("INSERT INTO events VALUES (50, 'now', 'me', 'undo', '{\"event\": 1}')")
    with pytest.warns(UserWarning, match="There is no class with the number 1"):
        project = Project.open(path)
    with project:
        assert {each.class_id for each in project.ledger.state.labels.values()} == {2}
        assert project.add_class("new").id == 5


@pytest.mark.parametrize("id", [0, -1, 2**31 - 1, 2**31, 10**30])
def test_numbers_of_classes_stay_in_bounds(change, id):
    """Finding: a class with the number 2^31 overflowed, and 0 and -1 mean something else."""
    about = json.dumps({"id": id, "name": "odd", "words": "", "definition": ""})
    path = change("INSERT INTO events VALUES (50, 'now', 'me', 'add_class', ?)", about)
    with pytest.warns(UserWarning, match="must be an integer from 1 to 1000000"):
        project = Project.open(path)
    with project:
        assert project.add_class("new").id == 5
        project.label(4, 5)
        assert LabelingSession.open(project).refit().n_labels == 5


@pytest.mark.parametrize(
    "name", [*SETTINGS, "random_state", "table", "sheet", "quotes", "n_imported"]
)
def test_a_changed_setting_is_set_aside_or_harmless(base, tmp_path, change, name):
    n_used = n_set_aside = 0
    for value in [*VALUES, "german"] if name == "language" else VALUES:
        shutil.copy(base, tmp_path / "mail.hbproject")
        written = json.dumps(value)
        found = use(change("INSERT OR REPLACE INTO settings VALUES (?, ?)", name, written))
        is_used = found is None or name in found.settings  # None: other columns than its cells
        n_used, n_set_aside = n_used + is_used, n_set_aside + (not is_used)
        assert is_used or f"the setting {name}" in found.describe_set_aside()
    assert n_set_aside > 3 * n_used > 0


def test_an_unknown_language_is_told_at_opening(change):
    path = change("INSERT OR REPLACE INTO settings VALUES ('language', '\"klingon\"')")
    with pytest.warns(UserWarning, match="the setting language: it has a wrong value: 'klingon'"):
        project = Project.open(path)
    with project:
        assert LabelingSession.open(project).refit().n_labels == 4


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE texts SET text = x'ff' WHERE row = 3",
        "DELETE FROM texts",
        "DELETE FROM texts WHERE row = 3",
        "UPDATE texts SET row = 99 WHERE row = 3",
        "DROP TABLE rounds",
        "ALTER TABLE texts ADD COLUMN more",
        "CREATE TABLE more (x)",
        "CREATE VIEW more AS SELECT 1",
        "CREATE TRIGGER more AFTER INSERT ON events BEGIN DELETE FROM texts; END",
    ],
)
def test_other_damage_is_one_error(change, statement):
    assert use(change(statement)) is None


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE texts SET cells = '[1]' WHERE row = 3",
        "UPDATE texts SET cells = '{}' WHERE row = 3",
        "UPDATE texts SET cells = x'61ff' WHERE row = 3",
        "UPDATE events SET kind = 'apply' WHERE id = 3",
        "UPDATE events SET kind = 'unreadable' WHERE id = 3",
        "UPDATE events SET value = '" + "[" * 100_000 + "' WHERE id = 3",
        "UPDATE events SET value = x'ff' WHERE id = 3",
        "UPDATE events SET value = CAST(x'ff' AS TEXT) WHERE id = 3",
        "UPDATE events SET who = x'ff' WHERE id = 3",
        "UPDATE events SET kind = '', value = '[]'",
        "UPDATE settings SET value = 'x'",
        "UPDATE settings SET value = '" + "[" * 100_000 + "'",
    ],
)
def test_other_entries_are_set_aside(change, statement):
    assert "set aside, all others count" in use(change(statement)).describe_set_aside()


def test_rows_with_a_gap_are_never_read_twice(change):
    """Finding: texts behind a deleted row multiplied at each look for new ones."""
    with Project.open(change("UPDATE settings SET value = value")) as project:
        change("DELETE FROM texts WHERE row = 3")
        project.refresh(), project.refresh()
        assert project.texts == TEXTS
        change("INSERT INTO texts VALUES (20, 'after a gap', NULL)")
        with pytest.raises(ValueError, match="the text of row 12 is missing"):
            project.refresh()
        assert project.texts == TEXTS


def test_a_header_that_forbids_to_write_is_refused(base, tmp_path):
    """Finding: the project was opened, and the first label failed."""
    path = tmp_path / "mail.hbproject"
    content = bytearray(base.read_bytes())
    content[18] = 0x21  # the version of SQLite that may write
    path.write_bytes(content)
    with pytest.raises(ValueError, match="is not a project file of honeybayes"):
        Project.open(path)


def test_a_wrong_byte_in_a_text_is_shown_as_one(change):
    path = change("UPDATE texts SET text = CAST(x'61ff62' AS TEXT) WHERE row = 3")
    assert use(path).texts[3] == "a\ufffdb"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_a_folder_whose_name_is_not_utf_8(tmp_path):
    """Finding: the setting with the path of the table was refused."""
    folder = os.fsencode(tmp_path) + b"/M\xfcll"
    os.mkdir(folder)
    table = os.fsdecode(folder + b"/mail.csv")
    Path(table).write_text("text\nmy parcel is late\nan invoice\n")
    path = Path(table).with_suffix(".hbproject")
    for _ in range(2):
        with open_project(table, path, {}) as project:
            assert (project.describe_set_aside(), len(project.texts)) == ("", 2)


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


def test_a_row_that_cannot_be_read_costs_no_other_row_its_fields(tmp_path):
    """JSON lines keep a record per row; of a damaged one, the text is left."""
    table = tmp_path / "mail.jsonl"
    rows = [{"text": f"parcel {n}", "n": n} for n in range(3)]
    table.write_text("".join(json.dumps(row) + "\n" for row in rows))
    path = tmp_path / "mail.hbproject"
    open_project(str(table), path, {"text": "text"}).close()
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("UPDATE texts SET cells = 'oops' WHERE row = 1")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it is told at opening
        project = Project.open(path)
    with project:
        found = make_answers_frame(project, None)
    assert found["text"].tolist() == ["parcel 0", "parcel 1", "parcel 2"]
    assert [found["n"].iloc[0], found["n"].iloc[2]] == [0, 2]
