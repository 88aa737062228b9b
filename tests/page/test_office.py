"""Files and projects of a folder, and several persons with an address each."""

import os
import sys
import time
from concurrent.futures import Future
from pathlib import Path

import pytest
from pandas import DataFrame

pytest.importorskip("starlette", reason="needs starlette (extra: label)")
pytest.importorskip("uvicorn", reason="needs uvicorn (extra: label)")
pytest.importorskip("httpx", reason="needs httpx (extra: dev)")

from honeybayes import tables
from honeybayes.cli._input import Input
from honeybayes.labeling import Project, krippendorff_alpha
from honeybayes.page import office as office_module
from honeybayes.page.app import make_app
from honeybayes.page.desk import Desk
from honeybayes.page.office import Office
from honeybayes.page.worker import Learner
from honeybayes.tables import list_corpora, read_table
from honeybayes.tables._read import READERS
from tests.page.desks import HEADERS, PORT, TEXTS, Browser, InlineLearner, office_of

FILE = {"Content-Type": "application/octet-stream"}
TABLE = "id;body\n" + "".join(f"{n:03d};{text}\n" for n, text in enumerate(TEXTS))


class Person:
    """A browser with the token of a person."""

    def __init__(self, app, name):
        self.browser = Browser(app, token=f"token of {name}")

    def get(self, path, status=200, **fields):
        answer = self.browser.get(f"/api/{path}", params=fields)
        assert answer.status_code == status, answer.text
        return answer.json()

    def post(self, path, status=200, **fields):
        answer = self.browser.post(f"/api/{path}", json=fields, headers=HEADERS)
        assert answer.status_code == status, answer.text
        return answer.json()

    def put(self, name, content, status=200):
        answer = self.browser.request("PUT", f"/api/files/{name}", content=content, headers=FILE)
        assert answer.status_code == status, answer.text
        return answer.json()


def make_people(office, *names):
    app = make_app(office, {f"token of {name}": name for name in names}, PORT)
    return [Person(app, name) for name in names]


@pytest.fixture
def office(tmp_path, monkeypatch):
    monkeypatch.setattr(office_module, "Learner", lambda project, strategy: InlineLearner(project))
    office = Office(who="ann")
    office.folder = tmp_path.resolve()
    yield office
    office.close()


def test_from_a_dropped_table_to_answers_without_a_terminal(office, tmp_path):
    [ann] = make_people(office, "ann")
    assert ann.get("office")["is_open"] is False
    assert ann.get("state", status=409)["error"].endswith(".")
    assert ann.put("mail.csv", TABLE.encode()) == {"name": "mail.csv"}
    found = ann.get("preview", name="mail.csv")
    assert (found["columns"], found["text"], found["id"]) == (["id", "body"], "body", "id")
    assert found["rows"][0] == {"id": "000", "body": TEXTS[0]}
    ann.post("begin", name="mail.csv", text="body", id="id", language="english")
    assert ann.get("state")["n_rows"] == len(TEXTS)
    for name, rows in (("delivery", range(6)), ("billing", range(6, 12))):
        ann.post("classes", name=name)
        id = ann.get("state")["classes"][-1]["id"]
        for row in rows:
            ann.post("label", row=row, class_id=id, purpose="chosen")
    # this month's table: other order, one text more
    new = TABLE.splitlines()
    month = "\n".join([new[0], "100;where is my new parcel", *reversed(new[1:])])
    ann.put("november.csv", month.encode())
    assert ann.post("month", name="november.csv")["said"] == ["1 row was added."]
    assert ann.get("state")["counts"]["labeled"] == 12
    # a table that is only answered
    ann.put("other.csv", b"id;body\n007;my invoice is wrong\n008;\n")
    ann.post("classify", name="other.csv")
    while (work := ann.get("classify"))["status"] == "working":
        time.sleep(0.05)
    assert (work["status"], work["n_rows"], work["file"]) == ("done", 2, "other-answers.xlsx")
    answers = read_table(tmp_path / "other-answers.xlsx")
    assert answers["id"].tolist() == ["007", "008"]
    assert answers["label"].tolist() == ["billing", ""]
    assert ann.browser.get("/export/classified").content[:2] == b"PK"
    assert ann.get("office")["projects"] == ["mail.hbproject"]


def test_a_project_can_be_continued(office):
    [ann] = make_people(office, "ann")
    ann.put("mail.csv", TABLE.encode())
    ann.post("begin", name="mail.csv", text="body", language="english")
    ann.post("classes", name="x")
    ann.put("other.csv", TABLE.encode())
    ann.post("begin", name="other.csv", text="body", language="english")
    assert ann.get("state")["classes"] == []
    ann.post("open", name="mail.hbproject")
    assert [each["name"] for each in ann.get("state")["classes"]] == ["x"]
    ann.post("begin", name="other.csv", text="body", language="german")  # as it was made
    assert ann.get("state")["name"] == "other"


def test_recent_projects_of_other_folders_can_be_opened(office, tmp_path, monkeypatch):
    monkeypatch.setenv("HONEYBAYES_CACHE", str(tmp_path / "cache"))
    other, hidden = tmp_path / "other", tmp_path / "secret.hbproject"
    other.mkdir()
    Project.create(hidden, TEXTS).close()
    Project.create(other / "old.hbproject", TEXTS).close()
    office.folder = (tmp_path / "here").resolve()
    office.folder.mkdir()
    [ann] = make_people(office, "ann")
    assert ann.get("office")["recent"] == []
    assert "no file" in ann.post("open", status=404, name=str(hidden))["error"]
    with Project.open(other / "old.hbproject") as project:
        Office().sit_down(project)
    [found] = ann.get("office")["recent"]
    assert found == {"name": "old.hbproject", "path": str(other / "old.hbproject")} | {
        "folder": str(other)
    }
    [eve, _] = make_people(office, "eve", "bob")  # what is shared shows no other folder
    assert eve.get("office")["recent"] == []
    assert "no file" in eve.post("open", status=404, name=found["path"])["error"]
    [ann] = make_people(office, "ann")
    ann.post("open", name=found["path"])
    assert ann.get("state")["name"] == "old"
    assert ann.get("office")["projects"] == ["old.hbproject"]  # its folder is the place of work
    listed = tmp_path / "cache" / "page" / "recent-projects.json"
    assert "recent-projects" not in list_corpora()
    for content in ("{", "[1, null]", "7", '["/no/such/file", "\\ud800"]', "[" * 100_000):
        listed.write_text(content)
        assert ann.get("office")["recent"] == []
    listed.unlink()
    listed.mkdir()  # it cannot be written
    ann.post("open", name="old.hbproject")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_a_folder_with_odd_names_is_shown(office, tmp_path):
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/M\xfcll"))
    folder.mkdir()
    (folder / os.fsdecode(b"\xfc.csv")).write_text("text")
    (folder / "mail.csv").write_text(TABLE)
    office.folder = folder
    [ann] = make_people(office, "ann")
    assert ann.get("office")["tables"] == ["mail.csv"]
    ann.post("begin", name="mail.csv", text="body")
    assert ann.get("state")["n_rows"] == len(TEXTS)


def test_files_have_clean_names_and_replace_nothing(office, tmp_path):
    [ann] = make_people(office, "ann")
    assert ann.put("mail.csv", b"body\none\n")["name"] == "mail.csv"
    assert ann.put("mail.csv", b"body\none\n")["name"] == "mail.csv"
    assert ann.put("mail.csv", b"body\ntwo\n")["name"] == "mail-2.csv"
    assert ann.put("..%2F..%2Fevil.csv", b"body\none\n", status=404)
    assert ann.put("..%5Cevil.csv", b"body\none\n")["name"] == "_evil.csv"
    assert "is not a table" in ann.put("evil.sh", b"rm", status=400)["error"]
    assert ann.get("preview", name="../mail.csv", status=404)
    assert ann.post("open", name="/etc/passwd", status=404)
    assert {each.name for each in tmp_path.iterdir()} == {"mail.csv", "mail-2.csv", "_evil.csv"}


def test_work_that_fails_or_is_stopped_leaves_no_file(office, tmp_path):
    [ann] = make_people(office, "ann")
    ann.put("mail.csv", TABLE.encode())
    ann.post("begin", name="mail.csv", text="body", language="english")
    ann.put("other.csv", b"title\nnothing\n")
    ann.post("classify", name="other.csv")
    while (work := ann.get("classify"))["status"] == "working":
        time.sleep(0.05)
    assert work["status"] == "failed"
    assert "body" in work["message"]
    assert not list(tmp_path.glob("*answers*"))


def test_two_people_share_the_texts(project, desk):
    """No text is shown to both, apart from one in ten; nobody undoes the other's labels."""
    project.add_texts([f"another text {n}" for n in range(40)], [["x", "y"]] * 40)
    people = dict(zip(("ann", "ben"), make_people(office_of(desk), "ann", "ben"), strict=True))
    for name in ("x", "y"):
        people["ann"].post("classes", name=name)
    desk.learner.learn()
    shown = {"ann": [], "ben": []}
    answers = {}
    items = {name: each.post("next", window=name)["item"] for name, each in people.items()}
    for turn in range(20):
        for name, person in people.items():
            item = items[name]
            shown[name].append((item["row"], item["purpose"]))
            if item["purpose"] == "double":
                assert item["label"] is item["class_id"] is None
            answers.setdefault(item["row"], {})[name] = 1 + (turn + (name == "ben")) % 2
            items[name] = person.post(
                "label",
                row=item["row"],
                class_id=answers[item["row"]][name],
                purpose=item["purpose"],
                window=name,
                besides=[],
            )["item"]
    rows = {name: {row for row, _ in each} for name, each in shown.items()}
    double = {row for each in shown.values() for row, purpose in each if purpose == "double"}
    assert rows["ann"] & rows["ben"] == double
    assert all(sum(purpose == "double" for _, purpose in each) == 2 for each in shown.values())
    state = project.ledger.state
    assert {row: dict(votes) for row, votes in state.votes.items()} == answers
    agreement = people["ann"].get("quality")["agreement"]
    expected = krippendorff_alpha([answers[row].values() for row in double])
    assert agreement["overall"]["alpha"] == expected.alpha
    last = shown["ann"][-1][0]
    undone = people["ann"].post("undo", window="ann")
    assert undone["item"]["row"] == last
    assert len(people["ben"].get("state")["people"]) == 2
    assert "ben" in people["ben"].get("history", row=shown["ben"][-1][0])["events"][-1]["who"]


def test_each_person_has_a_token(desk):
    app = make_app(office_of(desk), {"a-token": "ann", "b-token": "ben"}, PORT)
    for token, name in (("a-token", "ann"), ("b-token", "ben")):
        assert Browser(app, token=token).get("/api/state").json()["who"] == name
    assert Browser(app, token="c-token").get("/api/state").status_code == 401


def test_more_texts_of_a_class_on_request(desk, classes, project):
    [ann] = make_people(office_of(desk), "ann")
    desk.learner.learn()
    answers = desk.turn.answers
    answers.first[:], answers.second[:] = classes[0], 0
    answers.second[[4, 7]] = classes[1]
    answers.second_confidence[[4, 7]] = [0.2, 0.4]
    rows = []
    for _ in range(2):
        item = ann.post("next", window="a", wanted=classes[1])["item"]
        rows.append(item["row"])
        ann.post("label", row=item["row"], class_id=classes[1], purpose=item["purpose"])
    assert rows == [7, 4]
    assert ann.post("next", window="a", wanted="x", status=400)


def test_the_last_answers_are_there_at_once_after_a_restart(desk, classes, project):
    for row in range(6):
        project.label(row, classes[row % 2], "audit" if row < 2 else "chosen")
    desk.learner.learn()
    again = Desk(project, InlineLearner(project))
    assert again.turn.answers.first.tolist() == desk.turn.answers.first.tolist()
    assert again.quality() == desk.quality()
    assert again.next("a")["row"] == desk.next("b")["row"]
    assert again.state()["model"]["n_changed"] is None
    project.add_texts(["one more"], [["one more", "0"]])
    assert Desk(project, InlineLearner(project)).turn.answers is None


def test_next_month_is_compared_checked_and_judged(office):
    [ann] = make_people(office, "ann")
    words = {"delivery": "parcel courier late driver", "billing": "invoice charge refund card"}
    old = [f"{words[kind]} number {n}" for n in range(30) for kind in words]
    new = [f"{words[kind]} ransom bitcoin {n}" for n in range(30, 60) for kind in words]
    table = "\n".join(["body", *old])
    ann.put("mail.csv", table.encode())
    ann.post("begin", name="mail.csv", text="body", language="english")
    assert "Add a table" in ann.post("month/check", status=400)["error"]
    assert ann.get("month") == {"has_new": False, "status": "idle"}
    ids = {}
    for name in words:
        ann.post("classes", name=name)
        ids[name] = ann.get("state")["classes"][-1]["id"]
    for row in range(20):
        ann.post("label", row=row, class_id=ids[list(words)[row % 2]], purpose="chosen")
    ann.put("month.csv", "\n".join([table, *new]).encode())
    assert ann.post("month", name="month.csv")["said"] == ["60 rows were added."]
    office.desk.learner.learn()
    ann.post("month/check")
    found = ann.get("month")
    assert (found["status"], found["verdict"], found["n_random"]) == ("done", "drift", 20)
    assert any("bitcoin" in line for line in found["lines"])
    assert found["judgement"] == ""
    ann.post("month/offer", kind="random")
    item = ann.post("next", window="a")["item"]
    for n in range(20):
        assert (item["row"] >= 60, item["purpose"], item["class_id"]) == (True, "check", None), n
        kind = "delivery" if "parcel" in item["text"] else "billing"
        body = {"row": item["row"], "class_id": ids[kind], "purpose": item["purpose"]}
        item = ann.post("label", window="a", besides=[], **body)["item"]
    found = ann.get("month")
    assert ann.get("state")["counts"]["audited"] == 0  # they say nothing about the old texts
    assert found["n_random_done"] == 20
    assert found["judgement"].startswith("20 of 20 random checks are right")
    ann.post("month/offer", kind="doubtful")
    item = ann.post("next", window="a", besides=[])["item"]
    assert (item["row"] >= 60, item["purpose"]) == (True, "chosen")


def test_a_window_with_another_project_changes_nothing(office, tmp_path):
    """The row and the class of one project would be another text and class in the other."""
    [ann] = make_people(office, "ann")
    for name in ("one", "two"):
        ann.put(f"{name}.csv", TABLE.encode())
        ann.post("begin", name=f"{name}.csv", text="body")
        ann.post("classes", name=f"class of {name}")
    key = ann.get("state")["key"]
    ann.post("open", name="one.hbproject")
    assert ann.get("state")["key"] != key
    for path, fields in [
        ("label", {"row": 0, "class_id": 1, "window": "w"}),
        ("undo", {}),
        ("month", {"name": "two.csv"}),
    ]:
        answer = ann.browser.post(
            f"/api/{path}", json=fields, headers=HEADERS | {"X-Honeybayes-Project": key}
        )
        assert answer.status_code == 409
        assert "another project" in answer.json()["error"]
    assert ann.get("state")["event"] == 1
    ann.post("open", name="two.hbproject")  # the same file has the same key
    assert ann.get("state")["key"] == key


def test_only_tables_and_projects_of_the_folder_are_read(office, tmp_path):
    [ann] = make_people(office, "ann")
    folder = tmp_path / "folder"
    folder.mkdir()
    office.folder = folder
    (tmp_path / "outside.csv").write_text(TABLE)
    (folder / "mail.csv").write_text(TABLE)
    for name in ("notes.md", ".hidden.csv", "keys"):
        (folder / name).write_text(TABLE)
    (folder / "gone.csv").symlink_to(tmp_path / "new.csv")
    for n in range(office_module.MOST_FILES + 1):  # newer files do not hide the tables
        (folder / f"{n}.png").write_bytes(b"")
    assert ann.get("office")["tables"] == ["mail.csv"]
    names = ["../outside.csv", "notes.md", ".hidden.csv", "keys", "gone.csv", "..", "", "x" * 300]
    for name in names:
        ann.get("preview", 404, name=name)
        ann.post("begin", 404, name=name, text="body")
        ann.post("open", 404, name=name)
    ann.post("open", 400, name=5)
    assert ann.put("gone.csv", b"body\none\n")["name"] == "gone-2.csv"  # not through the link
    assert not (tmp_path / "new.csv").exists()


def test_odd_names_of_files_are_kept_in_bounds(office, tmp_path):
    [ann] = make_people(office, "ann")
    long = ann.put("表" * 120 + ".csv", b"body\none\n")["name"]
    assert (tmp_path / long).read_bytes() == b"body\none\n"
    assert ann.put("mail.csv.gz", b"1")["name"] == "mail.csv.gz"
    assert ann.put("mail.csv.gz", b"1")["name"] == "mail.csv.gz"
    assert ann.put("mail.csv.gz", b"2")["name"] == "mail-2.csv.gz"
    assert len(list(tmp_path.iterdir())) == 3


def test_rows_that_are_gone_are_not_asked(office):
    [ann] = make_people(office, "ann")
    ann.put("mail.csv", TABLE.encode())
    ann.post("begin", name="mail.csv", text="body", id="id")
    for name in ("delivery", "billing"):
        ann.post("classes", name=name)
    office.desk.learner.learn()
    ann.put("december.csv", "\n".join(TABLE.splitlines()[:4]).encode())
    ann.post("month", name="december.csv")
    for learns in (False, True):
        if learns:
            office.desk.learner.learn()
            assert {each.row for each in office.desk.turn.chosen} == {0, 1, 2}
        given = [ann.post("next", window=f"{learns}{n}")["item"] for n in range(4)]
        assert {each and each["row"] for each in given} == {0, 1, 2, None}
        office.desk._reserved.clear()


def test_the_model_learns_again_when_texts_were_added(office, monkeypatch):
    [ann] = make_people(office, "ann")
    ann.put("mail.csv", TABLE.encode())
    ann.post("begin", name="mail.csv", text="body")
    project = office.desk.project
    learner, asked = Learner(project), []
    monkeypatch.setattr(learner, "ask", lambda kind: asked.append(kind) or Future())
    learner._learned_event = project.ledger.last_id
    learner.tick()
    assert "learn" not in asked
    project.add_texts(["another text"], [["x", "another text"]])
    learner.tick()
    assert asked[-1] == "learn"


def test_a_new_format_needs_an_ending_and_a_reader(office, tmp_path, monkeypatch):
    def open_pairs(path, format, required, delimiter=None):
        rows = [line.split(delimiter or "->") for line in path.read_text().splitlines()]
        return tables.Table(
            path, format, ["text", "label"], iter([DataFrame(rows, columns=["text", "label"])])
        )

    monkeypatch.setitem(tables.FORMAT_OF_ENDING, ".pairs", "pairs")
    monkeypatch.setitem(READERS, "pairs", (open_pairs, ("delimiter",)))
    path = tmp_path / "mail.pairs"
    path.write_text("Where is my parcel?->delivery\nI was charged twice->billing\nHello->\n")
    expected = ["delivery", "billing", ""]
    corpus = tables.read_corpus(path, delimiter="->", keep_unlabeled=True)
    assert corpus.labels.tolist() == expected
    assert Input().read_labeled(str(path)).labels.tolist() == expected
    assert office.describe()["tables"] == ["mail.pairs"]
    assert ".pairs" in office.describe()["endings"]
    assert office.preview("mail.pairs")["columns"] == ["text", "label"]
    with pytest.raises(ValueError, match="read as 'pairs', where `sheet` has no meaning"):
        tables.read_corpus(path, sheet="2")


def test_a_column_is_declared_a_source_at_the_start(office):
    [ann] = make_people(office, "ann")
    said = ["k1"] * 6 + ["k2"] * 6  # which are no words of the texts
    rows = [f"{text};{each}" for text, each in zip(TEXTS[:12], said, strict=True)]
    ann.put("mail.csv", "\n".join(["body;gpt4", *rows]).encode())
    ann.post("begin", status=400, name="mail.csv", text="body", sources="gpt4")
    found = ann.post("begin", name="mail.csv", text="body", sources=["gpt4"])
    assert found["said"] == [
        "2 classes were taken over from the column 'gpt4'. The model learns from it."
    ]
    names = {each["id"]: each["name"] for each in ann.get("state")["classes"]}
    assert [*names.values()] == ["k1", "k2"]
    office.desk.learner.learn()
    answers = office.desk.learner.learned.turn.answers
    assert [names[id] for id in answers.first.tolist()] == said  # before any label
