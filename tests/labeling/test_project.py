"""Project files: what is stored, what is refused, and several processes at once."""

import errno
import gc
import json
import multiprocessing
import os
import shutil
import sqlite3
import threading
from unittest import mock

import numpy as np
import pytest

from honeybayes.labeling import Project, is_project_file, project_file
from honeybayes.labeling.ledger import find_representatives
from honeybayes.labeling.project_file import VERSION
from honeybayes.labeling.turn import Answers, Turn

TEXTS = ["Late parcel", "late  PARCEL", "charged twice", "", "refund"]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "mail.hbproject"


@pytest.fixture
def project(path):
    with Project.create(path, TEXTS, cells=[[text, "1"] for text in TEXTS]) as project:
        yield project


def names_of_labels(project):
    state = project.ledger.state
    return {row: state.classes[each.class_id].name for row, each in state.labels.items()}


def test_what_is_stored_is_read_again(path):
    settings = {"language": "german", "columns": ["body", "n"], "quotes": None}
    with Project.create(path, TEXTS, cells=[[text, "1"] for text in TEXTS], settings=settings) as p:
        delivery = p.add_class(" deliv  ery ", "parcel", "All about parcels.")
        p.label(1, delivery.id, "audit", suggested=delivery.id, confidence=0.5)
        p.note(2, "angry")
        p.add_round(1, np.array([1, 1, 2, 1]))
    with Project.open(path, "ada") as p:
        assert p.texts == TEXTS
        assert p.records() == [{"body": text, "n": "1"} for text in TEXTS]
        assert p.settings == settings
        assert [vars(each) for each in p.classes] == [
            {"id": 1, "name": "deliv ery", "words": "parcel", "definition": "All about parcels."}
        ]
        assert names_of_labels(p) == {0: "deliv ery"}  # the first row with this text
        assert p.ledger.state.notes == {2: "angry"}
        [(n_labels, answers)] = p.rounds()
        assert (n_labels, answers.tolist()) == (1, [1, 1, 2, 1])
        p.skip(4)
        assert p.ledger.events[-1].who == "ada"


def test_same_texts_have_one_representative(project):
    assert project.representative.tolist() == [0, 0, 2, 3, 4]
    assert project.copies.tolist() == [2, 0, 1, 1, 1]
    assert find_representatives(["ß", "SS", "s s"]).tolist() == [0, 0, 2]


def test_a_label_is_on_disk_when_the_method_returns(project, path):
    id = project.add_class("x").id
    with sqlite3.connect(path) as other:
        for n, row in enumerate((0, 2, 3), start=2):
            project.label(row, id)
            assert other.execute("SELECT count(*) FROM events").fetchone() == (n,)
    other.close()
    [[journal]] = project._connection.execute("PRAGMA journal_mode").fetchall()
    [[synchronous]] = project._connection.execute("PRAGMA synchronous").fetchall()
    assert (journal, synchronous) == ("delete", 2)  # 2 is FULL


def test_rename_merge_and_delete(project):
    x, y, z = (project.add_class(name).id for name in "xyz")
    project.label([0, 2], x)
    project.label(3, y)
    project.label(4, z)
    project.change_class(x, name="renamed")
    assert names_of_labels(project) == {0: "renamed", 2: "renamed", 3: "y", 4: "z"}
    project.merge_classes(x, into=y)
    assert names_of_labels(project) == {0: "y", 2: "y", 3: "y", 4: "z"}
    project.delete_class(z)
    assert names_of_labels(project) == {0: "y", 2: "y", 3: "y"}
    assert [each.name for each in project.classes] == ["y"]
    for _ in range(2):
        project.undo()
    assert names_of_labels(project) == {0: "renamed", 2: "renamed", 3: "y", 4: "z"}
    assert [each.name for each in project.classes] == ["renamed", "y", "z"]


def test_a_change_that_changes_nothing_is_no_event(project):
    id = project.add_class("x", "words").id
    last = project.ledger.last_id
    project.change_class(id, "x", "words", "")
    project.label_many([], [], "accepted")
    assert project.ledger.last_id == last


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda p: p.label(5, 1), "There is no row 5. The rows are 0 to 4."),
        (lambda p: p.label(-1, 1), "There is no row -1"),
        (lambda p: p.label(True, 1), "A row must be an integer; got True"),
        (lambda p: p.label("0", 1), "A row must be an integer; got '0'"),
        (lambda p: p.label([], 1), "No rows are given"),
        (lambda p: p.label(0, 9), "There is no class with the number 9"),
        (lambda p: p.label(0, 1, "fun"), "purpose must be one of chosen, audit"),
        (lambda p: p.label_many([0, 2], [1], "accepted"), "2 rows have 1 classes"),
        (lambda p: p.add_class("  "), "The name of a class must have 1 to 200 characters"),
        (lambda p: p.add_class("n" * 201), "must have 1 to 200 characters"),
        (lambda p: p.add_class(" X"), "There is already a class 'x'"),
        (lambda p: p.add_class("\ud800"), "not valid Unicode"),
        (lambda p: p.add_class("y", words="w" * 10_001), "at most 10000 characters"),
        (lambda p: p.change_class(1, "\ud800"), "not valid Unicode"),
        (lambda p: p.merge_classes(1, 1), "cannot be merged with itself"),
        (lambda p: p.merge_classes(1, 7), "There is no class with the number 7"),
        (lambda p: p.delete_class(7), "There is no class with the number 7"),
        (lambda p: p.note(0, 3), "must be texts"),
        (lambda p: p.add_texts([]), "no texts"),
        (lambda p: p.add_texts(["\udfff"]), r"texts\[0\] contains a character"),
    ],
)
def test_what_is_refused_changes_nothing(project, act, message):
    project.add_class("x")
    before = project.ledger.last_id
    with pytest.raises(ValueError, match=message):
        act(project)
    assert project.ledger.last_id == before
    project.label(0, 1)  # no transaction was left open
    with Project.open(project.path) as other:
        assert other.ledger.last_id == before + 1


def test_hostile_texts_are_stored_as_they_are(path):
    texts = ["<script>alert(1)</script>", "a\0b", "\u202egnp.exe", "\x1b[31m", "", "\r\n", "=1+1"]
    texts.append("word " * 2_000_000)
    with Project.create(path, texts, cells=[{"text": text} for text in texts]):
        pass
    with Project.open(path) as project:
        assert project.texts == texts
        assert [each["text"] for each in project.records()] == texts


def test_a_file_is_not_overwritten(project, path):
    with pytest.raises(FileExistsError, match="already exists"):
        Project.create(path, TEXTS)
    assert [each.name for each in path.parent.iterdir() if each.name.endswith(".part")] == []


def test_a_project_that_cannot_be_made_leaves_no_file(tmp_path):
    for texts in (["a", "\ud800"], ["a"]):
        with pytest.raises(ValueError, match="not valid Unicode"):
            Project.create(tmp_path / "x.hbproject", texts, cells=[["\ud800"]] * len(texts))
    assert list(tmp_path.iterdir()) == []


def test_a_folder_where_nothing_can_be_written(tmp_path):
    error = PermissionError(errno.EACCES, "Permission denied", ".x.hbproject.0a.honeybayes-draft")
    with (
        mock.patch("honeybayes.utils.writing.os.open", side_effect=error),
        pytest.raises(PermissionError, match=r"may write to its folder: .*/x\.hbproject'$"),
    ):
        Project.create(tmp_path / "x.hbproject", TEXTS)


def test_a_project_in_memory_outlives_a_full_disk(path, tmp_path):
    """Finding: the error closed the project, and its labels were lost."""
    project = Project.create(None, TEXTS)
    project.label(0, project.add_class("x").id)
    full = OSError(errno.ENOSPC, "No space left on device")
    with (
        mock.patch("honeybayes.utils.writing.os.fsync", side_effect=full),
        pytest.raises(OSError, match="name a file on another disk"),
    ):
        project.write(path)
    assert list(tmp_path.iterdir()) == []
    project.label(2, 1)
    with project.write(tmp_path / "other.hbproject") as written:
        assert names_of_labels(written) == {0: "x", 2: "x"}
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        project.refresh()


def test_a_file_that_another_program_holds(project, path):
    project.close()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with (
        mock.patch.object(project_file, "PATIENCE", 0.05),
        pytest.raises(OSError, match=r"cannot be used: .* no other program holds the file"),
    ):
        Project.open(path)
    other.close()


def test_a_connection_that_fails_ends_silently(tmp_path):
    with mock.patch("sys.unraisablehook") as hook:
        with pytest.raises(sqlite3.OperationalError, match="unable to open"):
            project_file.connect(str(tmp_path))
        gc.collect()
    assert hook.call_count == 0


@pytest.mark.parametrize(
    ("code", "kind", "message"),
    [
        (sqlite3.SQLITE_CORRUPT_INDEX, ValueError, "is damaged"),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, OSError, "cannot be used"),
    ],
)
def test_details_of_an_error_do_not_change_its_kind(project, path, code, kind, message):
    error = sqlite3.DatabaseError("wrong")
    error.sqlite_errorcode = code
    with (
        mock.patch.object(project_file, "check_tables", side_effect=error),
        pytest.raises(kind, match=message),
    ):
        Project.open(path)


def test_files_that_are_no_projects(tmp_path):
    for name, content in {"csv": b"a,b\n", "empty": b"", "sqlite": b"SQLite format 3\0"}.items():
        file = tmp_path / name
        file.write_bytes(content)
        assert not is_project_file(file)
        with pytest.raises(ValueError, match="is not a project file of honeybayes"):
            Project.open(file)
    foreign = tmp_path / "foreign.db"
    with sqlite3.connect(foreign) as connection:
        connection.execute("CREATE TABLE texts (row, text)")
    connection.close()
    with pytest.raises(ValueError, match="is not a project file of honeybayes"):
        Project.open(foreign)
    with pytest.raises(FileNotFoundError, match="There is no project file"):
        Project.open(tmp_path / "missing")


def test_a_newer_version_is_refused(project, path):
    project.close()
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    connection.close()
    with pytest.raises(ValueError, match=r"another version of honeybayes .* Update honeybayes"):
        Project.open(path)


@pytest.mark.parametrize("keep", [1, 99, 120, 5_000, 9_000])
def test_a_cut_file_is_refused(project, path, keep):
    project.add_class("x")
    project.close()
    assert len(path.read_bytes()) > 9_000
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(ValueError, match=r"damaged|not a project file"):
        Project.open(path)


@pytest.mark.parametrize(
    "damage",
    [
        "DROP TABLE events",
        "UPDATE texts SET text = x'ff' WHERE row = 2",
        "DELETE FROM texts WHERE row = 2",
    ],
)
def test_a_file_with_wrong_content_is_refused(path, damage):
    with Project.create(path, TEXTS, settings={"language": "english"}) as project:
        project.add_class("x")
    with sqlite3.connect(path) as connection:
        connection.execute(damage)
    connection.close()
    with pytest.raises(ValueError, match=r"is damaged.*Restore it from a backup"):
        Project.open(path)


def test_another_process_is_seen_after_refresh(project, path):
    with Project.open(path) as other:
        id = other.add_class("x").id
        other.label(2, id)
        assert project.classes == []
        assert project.refresh()
        assert names_of_labels(project) == {2: "x"}
        assert not project.refresh()
        project.label(3, id)  # reads the events of the other by itself
        other.undo()
        project.label(4, id)
        assert names_of_labels(project) == {2: "x", 4: "x"}
        other.add_texts(["new", "Refund "], [{"n": "2"}, {"n": "3"}])
        assert project.refresh()
        assert project.texts == other.texts
        assert project.representative.tolist() == [0, 0, 2, 3, 4, 5, 4]
        assert project.records()[5:] == [{"n": "2"}, {"n": "3"}]


def test_new_texts_make_old_rounds_void(project):
    project.add_round(1, np.array([1, 1, 1, 1]))
    assert len(project.rounds()) == 1
    project.add_texts(["new"])
    assert project.rounds() == []


def label_rows(path, who, rows, id):
    with Project.open(path, who) as project:
        for row in rows:
            project.label(row, id)


@pytest.mark.process
def test_processes_and_threads_that_write_at_once_lose_nothing(path):
    n = 20
    with Project.create(path, [f"text {row}" for row in range(3 * n)]) as project:
        id = project.add_class("x").id
        context = multiprocessing.get_context("spawn")
        others = [
            context.Process(target=label_rows, args=(path, who, range(start, start + n), id))
            for who, start in (("ada", 0), ("bob", n))
        ]
        threads = [
            threading.Thread(target=lambda rows=rows: [project.label(row, id) for row in rows])
            for rows in np.array_split(np.arange(2 * n, 3 * n), 3)
        ]
        for each in [*threads, *others]:
            each.start()
        for each in [*threads, *others]:
            each.join()
        assert [each.exitcode for each in others] == [0, 0]
        project.refresh()
        assert sorted(project.ledger.state.labels) == list(range(3 * n))
        assert [each.id for each in project.ledger.events] == list(range(1, 3 * n + 2))
        assert {each.who for each in project.ledger.events} >= {"ada", "bob"}


def test_undo_in_one_process_and_labels_in_another(path):
    """Each one takes back what is their own, and the two agree in the end."""
    with Project.create(path, TEXTS, who="ada") as ada, Project.open(path, "bob") as bob:
        id = ada.add_class("x").id
        ada.label(0, id)
        bob.label(2, id)
        assert ada.undo().value["rows"] == [0]
        assert bob.undo().value["rows"] == [2]
        assert bob.undo() is None
        assert [p.refresh() or p.ledger.state.labels for p in (ada, bob)] == [True, {}]


def test_a_class_that_another_person_uses_cannot_be_undone(path):
    with Project.create(path, TEXTS, who="ada") as ada, Project.open(path, "bob") as bob:
        id = ada.add_class("x").id
        bob.label(2, id)
        with pytest.raises(ValueError, match="another person has used the class"):
            ada.undo()
        bob.undo()
        assert ada.undo().kind == "add_class"
    with Project.open(path) as again:
        assert again.classes == []


def test_no_label_goes_to_a_file_that_was_moved(project, path):
    id = project.add_class("x").id
    moved = path.with_name("moved.hbproject")
    path.rename(moved)
    with pytest.raises(ValueError, match="was moved, deleted or replaced"):
        project.label(0, id)
    moved.rename(path)
    project.label(0, id)
    assert list(project.ledger.state.labels) == [0]


def test_no_label_goes_to_a_file_with_two_names(project, path):
    """Finding: two servers on one project through hard links lost a confirmed label."""
    id = project.add_class("x").id
    other = path.with_name("other.hbproject")
    os.link(path, other)
    with Project.open(other) as second:
        for each in (project, second):
            with pytest.raises(ValueError, match="has a second name"):
                each.label(0, id)
    other.unlink()
    os.link(path, path.with_name(f".{path.name}.0123abcd.honeybayes-draft"))  # of a killed start
    project.label(0, id)
    assert names_of_labels(project) == {0: "x"}


def test_a_file_that_another_program_holds_is_named_soon(project, path):
    """Finding: the page waited for half a minute, and did not say why."""
    assert project_file.PATIENCE <= 5
    id = project.add_class("x").id
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    project._connection.execute("PRAGMA busy_timeout = 50")
    with pytest.raises(sqlite3.OperationalError, match=r"mail\.hbproject: another program holds"):
        project.label(0, id)
    other.close()
    project.label(0, id)
    assert names_of_labels(project) == {0: "x"}


def test_values_are_plain_json(project, path):
    id = project.add_class("x").id
    project.label(np.int64(2), id)
    project.close()
    with sqlite3.connect(path) as connection:
        values = [json.loads(value) for (value,) in connection.execute("SELECT value FROM events")]
    connection.close()
    assert values[-1] == {"rows": [2], "id": id, "purpose": "chosen"}


def test_what_was_frozen_does_not_change(project):
    id = project.add_class("x").id
    project.label(0, id)
    frozen = project.freeze()
    project.label(2, id)
    project.undo()
    project.change_settings(language="german")
    assert [each.kind for each in frozen.ledger.events] == ["add_class", "label"]
    assert (frozen.ledger.last_id, frozen.ledger.undone, frozen.settings) == (2, set(), {})


def test_a_copy_of_the_file_in_use_holds_all_labels(project, path, tmp_path):
    """Finding: with a write-ahead log, labels that were confirmed were not in the copy."""
    id = project.add_class("x").id
    for row in (0, 2, 3):
        project.label(row, id)
    shutil.copy(path, tmp_path / "copy.hbproject")
    with Project.open(tmp_path / "copy.hbproject") as other:
        assert sorted(other.ledger.state.labels) == [0, 2, 3]
    assert {each.name for each in tmp_path.iterdir()} == {"mail.hbproject", "copy.hbproject"}


@pytest.mark.parametrize("ending", ["-journal", "-wal", "-shm"])
def test_a_new_project_takes_nothing_over_from_a_deleted_one(project, path, ending):
    project.add_class("old")
    path.unlink()
    path.with_name(f"{path.name}{ending}").write_bytes(b"left over")
    with Project.create(path, TEXTS) as new:
        assert new.classes == []
        assert not path.with_name(f"{path.name}{ending}").exists()


@pytest.mark.skipif(project_file.fcntl is None, reason="locks of Unix")
def test_only_one_start_at_a_time_removes_what_is_left(tmp_path):
    """A second one could remove the journal of the project that the first has just made."""
    path, journal = tmp_path / "new.hbproject", tmp_path / "new.hbproject-journal"
    journal.write_bytes(b"in use")
    second = threading.Thread(target=lambda: Project.create(path, ["a"]).close())
    with project_file.only_maker(tmp_path):
        second.start()
        second.join(0.5)
        assert journal.read_bytes() == b"in use"
    second.join(60)
    assert {each.name for each in tmp_path.iterdir()} == {path.name}


def test_what_is_left_beside_the_target_of_a_link_is_removed(path, tmp_path):
    path.symlink_to(tmp_path / "target")
    (tmp_path / "target-wal").write_bytes(b"left over")
    Project.create(path, TEXTS).close()
    assert {each.name for each in tmp_path.iterdir()} == {path.name, "target"}


@pytest.fixture
def logged(project, path, tmp_path):
    """A copy of a project whose newest label is in a write-ahead log, as after a crash."""
    project.label(0, project.add_class("x").id)
    project.close()
    copied = tmp_path / "copied.hbproject"
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL").fetchall()
    with connection:
        value = json.dumps({"rows": [2], "id": 1, "purpose": "chosen"})
        connection.execute("INSERT INTO events VALUES (3, 'now', 'me', 'label', ?)", (value,))
    for ending in ("", "-wal"):
        shutil.copy(f"{path}{ending}", f"{copied}{ending}")
    connection.close()
    return copied


def test_a_project_with_a_log_becomes_one_file(logged, tmp_path):
    """Finding: labels stayed in the log, and were not in a copy of the file."""
    with Project.open(logged) as project:
        assert names_of_labels(project) == {0: "x", 2: "x"}
        assert list(tmp_path.glob("copied*")) == [logged]
        shutil.copy(logged, tmp_path / "again.hbproject")
    with Project.open(tmp_path / "again.hbproject") as again:
        assert names_of_labels(again) == {0: "x", 2: "x"}


def test_the_log_of_a_killed_page_gives_no_label_to_a_new_project(logged, tmp_path):
    """Finding: the deleted project, begun anew, took over the labels in the log."""
    logged.unlink()
    with Project.create(logged, TEXTS) as new:
        assert (new.classes, new.ledger.state.labels) == ([], {})
    with Project.open(logged) as again:
        assert (again.classes, again.ledger.state.labels) == ([], {})
    assert list(tmp_path.glob("copied*")) == [logged]


def test_a_log_that_another_program_uses_is_left_to_it(logged):
    other = sqlite3.connect(logged, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with (
        mock.patch.object(project_file, "PATIENCE", 0.05),
        Project.open(logged) as project,
    ):
        assert names_of_labels(project) == {0: "x", 2: "x"}
    other.close()


def test_a_log_that_may_not_be_written_is_read(logged):
    before = logged.read_bytes()
    with (
        mock.patch.object(project_file.os, "access", return_value=False),
        Project.open(logged) as project,
    ):
        assert names_of_labels(project) == {0: "x", 2: "x"}
        assert logged.read_bytes() == before


def test_a_project_that_may_only_be_read(project, path):
    """As with a file of another user: it is read, and rounds of the model are not kept."""
    project.label(0, project.add_class("x").id)
    project.close()
    connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, check_same_thread=False)
    with mock.patch.object(project_file, "connect", return_value=connection):
        read_only = Project.open(path)
    with read_only:
        read_only.add_round(1, np.array([1, 1, 1, 1]))
        assert (read_only.rounds(), names_of_labels(read_only)) == ([], {0: "x"})
        with pytest.raises(sqlite3.OperationalError, match=r"mail\.hbproject: .*readonly"):
            read_only.label(2, 1)


@pytest.mark.parametrize(
    "act",
    [
        lambda p: p.label(2, 1.0),
        lambda p: p.label(2, True),
        lambda p: p.label(2, 1, suggested=10**26),
        lambda p: p.label(2, 1, suggested="x"),
        lambda p: p.label(2, 1, suggested=1, confidence=float("nan")),
        lambda p: p.merge_classes(2, True),
        lambda p: p.change_class(1.0, "z"),
        lambda p: p.change_settings(language=3),
    ],
)
def test_what_could_not_be_read_again_is_not_written(project, path, act):
    """Finding: such events were stored, and the project could not be opened any more."""
    project.add_class("x"), project.add_class("y")
    with pytest.raises(ValueError, match=r"integer|from 0 to 1|wrong value"):
        act(project)
    with Project.open(path) as again:
        assert again.ledger.last_id == 2


def test_a_new_turn_is_written_in_the_place_of_the_last_one(path):
    """A copy that is made at this moment then has a sound list of free pages."""
    rng, n = np.random.default_rng(0), 3_000
    with Project.create(path, [f"text {row}" for row in range(n)]) as project:
        for n_classes in (5, 6, 5):
            classes, sure = rng.integers(1, n_classes, (2, n)), rng.random((2, n))
            answers = Answers(*classes, *sure)
            project.keep_turn(Turn(0, 0, answers, answers, (), ()))
            assert project._connection.execute("PRAGMA freelist_count").fetchone() == (0,)
            assert project.last_turn()[0].answers.first.tolist() == classes[0].tolist()
