"""The routes: what the page asks for, and what it gets."""

import codecs
import csv
import io
import json
import os
import re
import sqlite3
import threading
from dataclasses import replace
from pathlib import Path
from unittest import mock
from urllib.parse import quote

import pytest

from honeybayes import load_model
from honeybayes.labeling import Project
from honeybayes.labeling.pool import Group
from honeybayes.labeling.project import user_name
from honeybayes.page import desk as desk_module
from honeybayes.tables import read_table
from tests.page.desks import HEADERS, TEXTS

N_TEXTS = len(TEXTS) - 1  # the last one repeats the first


def names(state):
    return {each["name"]: each["n_labels"] for each in state["classes"]}


def label(post, row, class_id, **fields):
    return post("label", **{"row": row, "class_id": class_id, "purpose": "chosen", **fields})


# The page

ARIA = {"controls", "current", "describedby", "expanded", "hidden", "keyshortcuts", "label"}
ARIA |= {"labelledby", "live", "busy"}  # the standard has two l in "labelledby"


def test_screen_readers_find_what_the_page_refers_to(browser):
    page = browser.get("/").text
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r"\baria-([a-z]+)=", page)) <= ARIA
    targets = re.findall(r'\b(?:aria-labelledby|aria-describedby|for)="([^"]+)"', page)
    assert len(targets) > 20
    assert set(targets) <= set(ids)
    sections = re.findall(r"<(?:section|dialog)\b[^>]*>", page)
    assert len(sections) > 8
    assert all("aria-labelledby=" in each for each in sections)


# State and items


HEADER = "body;n;label;source;confidence;runner_up;who;when;note;status"
WHO = user_name()


def without_times(text):
    """Return the lines of a table with WHEN for each time."""
    return re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", "WHEN", text).splitlines()


def test_the_state_of_a_new_project(get, project):
    state = get("state")
    assert len(state.pop("key")) == 16
    assert state == {
        "name": "mail",
        "file": str(project.path),
        "column": "body",
        "set_aside": "",
        "n_rows": len(TEXTS),
        "n_texts": N_TEXTS,
        "event": 0,
        "classes": [],
        "who": WHO,
        "people": [WHO],
        "counts": {
            **{"labeled": 0, "audited": 0, "skipped": 0, "undecided": 0},
            **{"own": 0, "disagreements": 0, "missing": 0},
        },
        "can_undo": False,
        "model": {
            "status": "reading",
            "n_labels": None,
            "message": "",
            "vectors": "words only: vectors are switched off",
            "n_changed": None,
            "seeds_check": None,
        },
        "advice": None,
        "audit": None,
    }


def test_the_state_says_what_the_model_does(desk, get, post):
    assert post("next", window="a")["item"] is None
    desk.learner.learn()
    assert get("state")["model"]["status"] == "waiting"  # for two classes
    post("classes", name="delivery", words="parcel")
    post("classes", name="billing", words="charge invoice")
    desk.learner.learn()
    state = get("state")
    assert state["model"]["status"] == "ready"
    assert state["model"]["n_labels"] == 0
    assert set(state["model"]["seeds_check"]) == {"verdict", "trust", "missing"}
    assert state["advice"]["stop"] is False
    desk.learner.message = "It broke."
    assert get("state")["model"]["status"] == "failed"
    assert get("state")["model"]["message"] == "It broke."


def test_an_item(desk, classes, post, get):
    desk.learner.learn()
    item = post("next", window="a")["item"]
    assert set(item) == {
        *("row", "id", "text", "is_cut", "n_copies", "purpose", "class_id", "confidence", "words"),
        *("alike", "note", "label", "undecided", "skipped", "likely", "said"),
        *("lead_of_words", "lead_of_meaning"),
    }
    assert item["text"] == TEXTS[item["row"]]
    assert item["purpose"] == "chosen"
    assert item["class_id"] in classes
    assert 0 <= item["confidence"] <= 1
    assert {each["word"] for each in item["words"]} <= set(item["text"].lower().split())
    post("note", row=item["row"], text="odd")
    post("undecided", row=item["row"], purpose="chosen")
    again = get("item", row=item["row"])["item"]
    assert (again["note"], again["undecided"], again["purpose"]) == ("odd", True, "review")
    assert get("item", row=len(TEXTS) - 1)["item"]["row"] == 0  # the same text
    assert get("item", row=0)["item"]["n_copies"] == 2


def test_one_text_in_five_is_for_the_audit_and_shows_no_suggestion(desk, classes, post):
    desk.learner.learn()
    seen, item = [], post("next", window="a")["item"]
    while item is not None:
        seen.append(item)
        item = label(post, item["row"], classes[0], purpose=item["purpose"], window="a")["item"]
    assert sorted(each["row"] for each in seen) == list(range(N_TEXTS))
    audit = [n for n, each in enumerate(seen, start=1) if each["purpose"] == "audit"]
    assert audit == [5, 10]
    assert all(seen[n - 1]["class_id"] is None and not seen[n - 1]["words"] for n in audit)


def test_a_text_that_is_fetched_ahead_does_not_change_which_are_for_the_audit(desk, classes, post):
    """As the page asks: each answer names the open text, and fetches the one after it."""
    desk.learner.learn()
    item = post("next", window="a", besides=[])["item"]
    ahead = post("next", window="a", besides=[item["row"]])["item"]
    purposes = []
    while item is not None:
        purposes.append(item["purpose"])
        besides = [] if ahead is None else [ahead["row"]]
        fields = {"purpose": item["purpose"], "window": "a", "besides": besides}
        item, ahead = ahead, label(post, item["row"], classes[0], **fields)["item"]
    assert len(purposes) == N_TEXTS
    assert [n for n, each in enumerate(purposes, start=1) if each == "audit"] == [5, 10]


def test_the_person_may_be_faster_than_the_model(desk, classes, post):
    """All texts are offered, though the model prepared few and did not learn again."""
    with mock.patch.object(desk_module, "pick", return_value=[]):
        desk.learner.learn()
        rows, item = set(), post("next", window="a")["item"]
        while item is not None:
            rows.add(item["row"])
            item = label(post, item["row"], classes[0], window="a")["item"]
    assert rows == set(range(N_TEXTS))


def test_texts_are_offered_without_a_model_if_it_failed(desk, post):
    desk.learner.message = "It broke."
    assert post("next", window="a")["item"]["text"] in TEXTS


def test_skipped_texts_come_back_when_nothing_else_is_left(desk, classes, post):
    desk.learner.learn()
    first = post("next", window="a", besides=[])["item"]["row"]
    item = post("skip", row=first, purpose="audit", window="a", besides=[])["item"]
    while item["row"] != first:
        item = label(post, item["row"], classes[0], window="a", besides=[])["item"]
    assert item["purpose"] == "audit"
    assert label(post, first, classes[0], window="a", besides=[])["item"] is None


def test_long_texts_are_cut(tmp_path, desk, get):
    desk.project.add_texts(["word " * 100_000])
    item = get("item", row=len(TEXTS))["item"]
    assert (len(item["text"]), item["is_cut"]) == (200_000, True)
    listed = get("texts", search="word word")["texts"][0]["text"]
    assert (len(listed), listed[-1]) == (300, "…")


# Labels


def test_a_label_is_on_disk_when_it_is_confirmed(desk, classes, post):
    desk.learner.learn()
    answer = label(post, 3, classes[0], suggested=classes[1], confidence=0.7, also=[4], window="a")
    assert answer["item"]["row"] not in (3, 4)
    assert names(answer["state"]) == {"delivery": 2, "billing": 0}
    with sqlite3.connect(desk.project.path) as other:
        [[value]] = other.execute("SELECT value FROM events WHERE kind = 'label'").fetchall()
    other.close()
    assert json.loads(value) == {
        "rows": [3, 4],
        "id": classes[0],
        "purpose": "chosen",
        "suggested": classes[1],
        "confidence": 0.7,
    }


def test_clear_and_undo(desk, classes, post, get):
    label(post, 3, classes[0], purpose="audit")
    assert post("clear", row=3)["state"]["counts"]["labeled"] == 0
    undone = post("undo", window="a")
    assert undone["undone"] == "Undid: removal of a label"
    assert undone["item"]["row"] == 3
    assert undone["state"]["counts"]["labeled"] == undone["state"]["counts"]["audited"] == 1
    undone = post("undo")
    assert undone["undone"] == "Undid: label delivery"
    assert undone["item"]["row"] == 3
    assert undone["item"]["purpose"] == "audit"
    assert undone["item"]["label"] is None
    for what in ("new class billing", "new class delivery"):
        undone = post("undo")
        assert (undone["undone"], undone["item"]) == (f"Undid: {what}", None)
    assert not undone["state"]["can_undo"]
    assert post("undo")["undone"] == "There is nothing to undo."


def test_every_kind_of_event_can_be_undone(desk, classes, post, browser):
    x, y = classes
    label(post, 0, x, also=[1, 2])
    post("skip", row=3, purpose="chosen")
    post("undecided", row=4, purpose="chosen")
    post("note", row=5, text="hm")
    post(f"classes/{x}", "PATCH", name="Delivery")
    post(f"classes/{x}/merge", into=y)
    post(f"classes/{y}", "DELETE")
    desk.project.label_many([], [], "accepted")
    said = [post("undo")["undone"] for _ in range(7)]
    assert said == [
        "Undid: deletion of the class billing",
        "Undid: merge of the classes",
        "Undid: change of the class delivery",
        "Undid: note",
        "Undid: undecided",
        "Undid: skip",
        "Undid: label delivery",
    ]


def test_labels_of_the_table_are_not_undone_by_accident(desk, classes, post):
    desk.project.label_many([0, 1], classes, "imported")
    undone = post("undo")
    assert undone["undone"] == "There is nothing to undo."
    assert undone["state"]["counts"]["labeled"] == 2
    assert not undone["state"]["can_undo"]


def test_two_windows_get_different_texts(desk, classes, post):
    desk.learner.learn()
    rows = {}
    for window in "abc":
        rows[window] = post("next", window=window, besides=[])["item"]["row"]
    assert len(set(rows.values())) == 3
    # a window gets its own text again if it does not have it
    assert post("next", window="a", besides=[])["item"]["row"] == rows["a"]
    # and keeps those that it names
    ahead = post("next", window="a", besides=[rows["a"]])["item"]["row"]
    assert ahead not in rows.values()
    new = label(post, rows["a"], classes[0], window="a", besides=[ahead])["item"]["row"]
    assert new not in {ahead, *rows.values()}
    # after some minutes, texts of a closed window are free again
    desk._reserved = dict.fromkeys(desk._reserved, 0.0)
    assert post("next", window="d", besides=[])["item"]["row"] in {rows["b"], rows["c"], ahead}


def test_two_windows_see_the_labels_of_each_other(desk, classes, post, get):
    label(post, 3, classes[0], window="a")
    assert get("item", row=3)["item"]["label"] == classes[0]
    label(post, 3, classes[1], window="b", purpose="review")
    assert names(get("state")) == {"delivery": 0, "billing": 1}


def test_another_process_is_seen(desk, classes, get):
    with Project.open(desk.project.path) as other:
        other.label(3, classes[0])
        other.add_texts(["a new text"], [["a new text", "99"]])
        assert names(get("state")) == {"delivery": 1, "billing": 0}
        assert get("state")["n_rows"] == len(TEXTS) + 1


def test_texts_that_were_added_after_the_model_learned(desk, classes, get, post, browser):
    desk.learner.learn()
    desk.project.add_texts(["a new text"], [["a new text", "99"]])
    texts = get("texts", source="none")
    assert [each["text"] for each in texts["texts"]] == ["a new text"]
    last = browser.get("/export/answers.csv").text.splitlines()[-1]
    assert last == "a new text,99,,,,,,,,"
    desk.learner.learn()
    assert get("texts", source="none")["n"] == 0


# Classes


def test_classes(post, get):
    post("classes", name=" delivery ", words="parcel", definition="About parcels.")
    post("classes", name="billing")
    assert [each["id"] for each in get("state")["classes"]] == [1, 2]
    label(post, 0, 1)
    state = post("classes/1", "PATCH", name="shipping")["state"]
    assert state["classes"][0] == {
        "id": 1,
        "name": "shipping",
        "words": "parcel",
        "definition": "About parcels.",
        "n_labels": 1,
    }
    assert names(post("classes/1/merge", into=2)["state"]) == {"billing": 1}
    assert names(post("classes/2", "DELETE")["state"]) == {}
    assert post("classes", name="new")["state"]["classes"][0]["id"] == 3


def test_a_suggested_class_may_be_deleted_meanwhile(desk, classes, post, get):
    desk.learner.learn()
    for id in classes:
        post(f"classes/{id}", "DELETE")
    item = post("next", window="a")["item"]
    assert (item["class_id"], item["confidence"], item["words"]) == (None, None, [])
    assert get("texts")["texts"][0]["model"] is None
    assert post("accept", rows=[0, 1])["n"] == 0


def test_groups(desk, post, get):
    groups = get("groups", n=2)["groups"]
    assert sum(each["n_texts"] for each in groups) == len(TEXTS)
    for each in groups:
        assert all(example["text"] == TEXTS[example["row"]] for example in each["examples"])
    words = " ".join(groups[0]["words"])
    rows = [each["row"] for each in groups[0]["examples"]]
    [named] = post("groups/name", rows=rows, name="delivery", words=words)["state"]["classes"]
    assert (named["name"], named["words"], named["n_labels"]) == ("delivery", words, 0)
    more = post("groups/name", rows=[], name=" Delivery", words=f"{words} van")["state"]["classes"]
    assert [each["words"] for each in more] == [f"{words} van"]


def test_groups_while_the_worker_is_busy(desk, get):
    from concurrent.futures import Future

    waiting = Future()
    with (
        mock.patch.object(desk_module, "GROUPS_PATIENCE", 0.01),
        mock.patch.object(desk.learner, "ask", return_value=waiting) as ask,
    ):
        assert get("groups", n=3) == {"groups": None}
        assert get("groups", n=3) == {"groups": None}
        waiting.set_result([Group((0,), ("a",))])
        [group] = get("groups", n=3)["groups"]
        assert group["examples"] == [{"row": 0, "text": TEXTS[0]}]
        assert ask.call_count == 1


# The list


def test_filters_of_the_list(desk, classes, get, post):
    delivery, billing = classes
    desk.learner.learn()
    label(post, 0, delivery)
    label(post, 6, delivery)  # wrong
    rows = {
        name: [each["row"] for each in get("texts", **fields)["texts"]]
        for name, fields in {
            "all": {},
            "person": {"source": "person"},
            "model": {"source": "model"},
            "class": {"class": billing},
            "search": {"search": " PARCEL"},
            "words": {"search": "parcel courier"},
            "no": {"search": "<nothing>"},
            "below": {"below": 0.0},
            "above": {"above": 0.0},
        }.items()
    }
    assert rows["all"] == rows["above"] == list(range(N_TEXTS))
    assert rows["person"] == [0, 6]
    assert rows["model"] == [row for row in range(N_TEXTS) if row not in (0, 6)]
    assert set(rows["class"]) <= set(range(7, 12))
    assert rows["search"] == [0, 1, 2, 4, 5]
    assert rows["words"] == [2, 5]  # in any order
    assert rows["no"] == rows["below"] == []
    confidence = [each["confidence"] for each in get("texts", sort="confidence")["texts"]]
    assert confidence == sorted(confidence)
    first = get("texts")["texts"][0]
    assert first == {
        "row": 0,
        "id": None,
        "text": TEXTS[0],
        "n_copies": 2,
        "label": delivery,
        "source": "person",
        "confidence": first["confidence"],
        "model": first["model"],
        "is_suspicious": first["is_suspicious"],
        "other": first["model"],
        "other_confidence": first["confidence"],
        "note": "",
        "purpose": "chosen",
        "undecided": False,
        "skipped": False,
        "is_missing": False,
        "who": WHO,
        "votes": {},
    }


def test_labels_that_the_model_doubts_strongly(desk, classes, get, post):
    delivery, billing = classes
    desk.learner.learn()
    answers = desk.turn.answers
    answers.first[:] = delivery
    answers.confidence[:] = [0.5, 0.8, 0.9] + [0.99] * (N_TEXTS - 3)
    for row, id in enumerate([billing, billing, billing, delivery]):
        label(post, row, id)
    found = get("texts", show="suspicious")
    assert [each["row"] for each in found["texts"]] == [2, 1]
    assert all(each["is_suspicious"] for each in found["texts"])


def test_doubts_come_from_models_that_have_not_learned_the_label(desk, classes, get, post):
    delivery, billing = classes
    for row, id in enumerate([billing, billing, billing, delivery]):
        label(post, row, id)
    desk.learner.learn()
    desk.turn.answers.first[:4] = [billing, billing, billing, delivery]  # it repeats the labels
    assert get("texts", show="suspicious")["n"] == 0
    said = {0: (delivery, 0.81), 1: (delivery, 0.95), 2: (delivery, 0.7), 3: (delivery, 0.99)}
    held_out = {**said, 4: (billing, 0.99)}  # row 4 has no label any more
    desk.learner.learned = replace(desk.learner.learned, held_out=held_out)
    found = get("texts", show="suspicious")["texts"]
    said = [(each["row"], each["other"], round(each["other_confidence"], 4)) for each in found]
    assert said == [
        (1, delivery, 0.95),
        (0, delivery, 0.81),
    ]
    assert [each["model"] for each in found] == [billing, billing]
    label(post, 1, delivery)
    assert [each["row"] for each in get("texts", show="suspicious")["texts"]] == [0]
    post(f"classes/{delivery}", method="DELETE")
    assert get("texts", show="suspicious")["n"] == 0


def test_a_text_has_the_name_that_it_has_in_the_table(desk, classes, get):
    desk.project.change_settings(id="n")
    assert [each["id"] for each in get("texts")["texts"]] == [str(n) for n in range(N_TEXTS)]
    desk.project.add_texts(["one more"], [["one more", "T9"]])
    assert get("texts")["texts"][-1]["id"] == get("item", row=N_TEXTS + 1)["item"]["id"] == "T9"


def test_pages_of_the_list(desk, get):
    desk.project.add_texts([f"text number {n}" for n in range(120)])
    pages = [get("texts", page=page) for page in (1, 2, 3, 4)]
    assert [len(each["texts"]) for each in pages] == [50, 50, 32, 0]
    assert {(each["n"], each["n_pages"]) for each in pages} == {(132, 3)}
    assert get("texts", search="nothing")["n_pages"] == 1


def test_accept(desk, classes, get, post):
    desk.learner.learn()
    answered = {each["row"]: each["model"] for each in get("texts")["texts"]}
    label(post, 0, classes[1])
    accepted = post("accept", rows=[0, 1, 7, len(TEXTS) - 1])
    assert accepted["n"] == 2  # not the one with a label, nor its repetition
    state = desk.project.ledger.state
    assert {row: each.purpose for row, each in state.labels.items()} == {
        0: "chosen",
        1: "accepted",
        7: "accepted",
    }
    assert all(state.labels[row].class_id == answered[row] for row in (1, 7))
    assert post("undo")["undone"] == "Undid: 2 accepted labels"
    assert list(desk.project.ledger.state.labels) == [0]


# Files


def test_answers_as_csv(desk, classes, post, browser):
    desk.project.add_texts(['say "a, b"\nc'], [['say "a, b"\nc', "x"]])
    desk.learner.learn()
    label(post, 0, classes[1])
    answer = browser.get("/export/answers.csv")
    assert answer.headers["content-disposition"] == 'attachment; filename="mail-answers.csv"'
    rows = list(csv.DictReader(io.StringIO(answer.text, newline="")))
    assert [row["body"] for row in rows] == desk.project.texts
    assert (rows[0]["label"], rows[0]["source"], rows[0]["confidence"]) == ("billing", "person", "")
    assert rows[12]["label"] == "billing"  # the same text
    assert {row["source"] for row in rows[1:12]} == {"model"}
    assert all(0 <= float(row["confidence"]) <= 1 for row in rows[1:12])


@pytest.mark.parametrize("name", ["a\nb", 'a"; b', "ä\\", "%2e", b"m\xff"])
def test_odd_names_of_projects_are_shown_and_exported(desk, browser, name):
    desk.project.path = Path("somewhere") / (os.fsdecode(name) + ".hbproject")
    stem = desk.project.path.stem.encode("utf-8", "replace").decode()
    assert browser.get("/api/state").json()["name"] == stem
    assert browser.get("/").status_code == 200
    said = browser.get("/export/answers.csv").headers["content-disposition"]
    assert said == f"attachment; filename*=utf-8''{quote(stem + '-answers.csv', safe='')}"
    assert not set(said.partition("''")[2]) & set('\n"\\/;')


def test_labels_and_texts_that_come_during_an_export_do_not_wait_and_are_left_out(
    desk, classes, post, browser
):
    label(post, 0, classes[0])
    before = browser.get("/export/answers.csv").text
    write = desk_module.export_project

    def write_slowly(*arguments, **options):
        def go_on():
            desk.project.label(1, classes[1])
            desk.project.delete_class(classes[0])
            desk.project.add_texts(["one more"], [["one more", "0"]])

        other = threading.Thread(target=go_on)
        other.start()
        other.join(timeout=60)
        assert not other.is_alive()
        return write(*arguments, **options)

    with mock.patch.object(desk_module, "export_project", write_slowly):
        assert browser.get("/export/answers.csv").text == before
    assert "one more,0,,,," in browser.get("/export/answers.csv").text


def test_answers_for_excel(desk, classes, post, browser):
    """The delimiter of the table, and a mark if there are letters that Excel would misread."""
    label(post, 0, classes[1])
    assert not browser.get("/export/answers.csv").content.startswith(codecs.BOM_UTF8)
    desk.project.add_texts(["Grüße, bis bald"], [["Grüße, bis bald", "x"]])
    desk.project.change_settings(delimiter=";")
    for name, first, last in (
        ("answers", HEADER, "Grüße, bis bald;x;;;;;;;;"),
        ("labels", HEADER, f"MY PARCEL  is late;12;billing;person;;;{WHO};WHEN;;"),
    ):
        content = browser.get(f"/export/{name}.csv").content
        assert content.startswith(codecs.BOM_UTF8) == (name == "answers")
        lines = without_times(content.decode("utf-8-sig"))
        assert (lines[0], lines[-1]) == (first, last)
    desk.project.change_settings(delimiter="\t")
    assert "body,n,label" in browser.get("/export/answers.csv").text
    assert not browser.get("/export/answers.jsonl").content.startswith(codecs.BOM_UTF8)


def test_cells_that_a_spreadsheet_would_run_get_an_apostrophe_on_request(
    desk, classes, post, browser
):
    desk.project.add_texts(["=1+1 parcel"], [["=1+1 parcel", "-5"]])
    label(post, len(desk.project.texts) - 1, classes[1])
    for name in ("answers", "labels"):
        for plain, expected in (("", "=1+1 parcel"), ("?plain=0", "=1+1 parcel")):
            last = without_times(browser.get(f"/export/{name}.csv{plain}").text)[-1]
            assert last == f"{expected},-5,billing,person,,,{WHO},WHEN,,"
        last = without_times(browser.get(f"/export/{name}.csv?plain=1").text)[-1]
        assert last == f"'=1+1 parcel,-5,billing,person,,,{WHO},WHEN,,"  # a number is no formula
    for name in ("answers.jsonl", "doccano.jsonl", "label-studio.json"):
        assert browser.get(f"/export/{name}?plain=1").text == browser.get(f"/export/{name}").text


def test_answers_as_json_lines(desk, classes, post, browser):
    label(post, 0, classes[1])
    rows = [json.loads(line) for line in browser.get("/export/answers.jsonl").text.splitlines()]
    assert [row["body"] for row in rows] == TEXTS
    assert rows[0]["label"] == "billing"
    assert rows[1] == {
        **{"body": TEXTS[1], "n": "1"},
        **{"label": None, "source": "", "confidence": None, "runner_up": None},
        **dict.fromkeys(("who", "when", "note", "status")),
    }


def test_labels_only(desk, classes, post, browser):
    desk.learner.learn()
    label(post, 0, classes[1])
    lines = without_times(browser.get("/export/labels.csv").text)
    assert lines == [
        HEADER.replace(";", ","),
        f"{TEXTS[0]},0,billing,person,,,{WHO},WHEN,,",
        f"{TEXTS[12]},12,billing,person,,,{WHO},WHEN,,",
    ]


def test_files_for_other_tools(desk, classes, post, browser):
    desk.learner.learn()
    label(post, 0, classes[1])
    tasks = browser.get("/export/label-studio.json").json()
    assert [each["data"]["text"] for each in tasks] == TEXTS
    assert [bool(each["annotations"]) for each in tasks[:3]] == [True, False, False]
    assert [bool(each["predictions"]) for each in tasks[:3]] == [False, True, True]
    lines = [json.loads(line) for line in browser.get("/export/doccano.jsonl").text.splitlines()]
    assert lines[0]["label"] == ["billing"]


def test_the_answers_can_be_labeled_again(tmp_path, desk, browser):
    """The names of new columns are free, also if the table has been exported before."""
    project, names = desk.project, ["body", "label", "honeybayes_source"]
    project.change_settings(columns=names)
    project.add_texts(["x"], [["x", "y"]])
    cells = [dict(zip(names, [text, "", ""], strict=True)) for text in project.texts]
    with mock.patch.object(project, "records", return_value=cells):
        header = browser.get("/export/answers.csv").text.splitlines()[0].split(",")
    assert header[:4] == [*names, "honeybayes_honeybayes_label"]


def test_answers_say_who_and_when_and_what_is_special(desk, classes, post, browser):
    post("undecided", row=1, purpose="chosen", window="a")
    post("skip", row=2, purpose="chosen", window="a")
    post("note", row=2, text="ask Ann")
    desk.learner.learn()
    rows = [json.loads(line) for line in browser.get("/export/answers.jsonl").text.splitlines()]
    assert (rows[1]["label"], rows[1]["source"], rows[1]["status"]) == (None, "", "undecided")
    assert (rows[2]["source"], rows[2]["status"], rows[2]["note"]) == (
        "model",
        "skipped",
        "ask Ann",
    )
    for show, expected in (("undecided", [1]), ("skipped", [2]), ("notes", [2]), ("missing", [])):
        texts = browser.get("/api/texts", params={"show": show}).json()["texts"]
        assert [each["row"] for each in texts] == expected


def test_answers_for_excel_open_there(desk, classes, post, browser, tmp_path):
    label(post, 0, classes[1])
    path = tmp_path / "answers.xlsx"
    path.write_bytes(browser.get("/export/answers.xlsx").content)
    table = read_table(path)
    assert list(table.columns) == HEADER.split(";")
    assert list(table["body"]) == TEXTS
    assert table["label"].iloc[0] == "billing"


def test_a_model_file(desk, classes, post, browser, tmp_path):
    for row in range(12):
        label(post, row, classes[row > 5])
    answer = browser.get("/export/model.hb")
    assert answer.headers["content-disposition"] == 'attachment; filename="mail.hb"'
    (tmp_path / "got.hb").write_bytes(answer.content)
    model = load_model(tmp_path / "got.hb")
    assert model.predict(["a parcel", "an invoice"]).tolist() == ["delivery", "billing"]


def test_a_report(desk, classes, post, browser):
    for row in range(12):
        label(post, row, classes[row > 5])
    answer = browser.get("/export/report.html")
    assert answer.headers["content-disposition"] == 'attachment; filename="mail-report.html"'
    assert answer.headers["content-type"].startswith("text/html")
    assert "<h1>Go on labeling" in answer.text
    assert "measured on 12 labeled documents by models that had not seen" in answer.text
    assert "fit mail.hbproject --model 'FewLabels' --language english -o model.hb" in answer.text
    assert "http" not in answer.text  # it loads nothing


def test_no_report_before_two_classes_have_two_labels(classes, post, browser):
    for row, number in ((0, 0), (1, 0), (6, 1)):
        label(post, row, classes[number])
    answer = browser.get("/export/report.html")
    assert answer.status_code == 409
    assert "needs at least two classes with two labels each" in answer.json()["error"]


def test_no_model_file_without_classes(browser):
    answer = browser.get("/export/model.hb")
    assert answer.status_code == 409
    assert answer.json()["error"]


def test_the_quality(desk, classes, post, get):
    assert get("quality") == {"estimate": None, "advice": None, "agreement": None}
    desk.learner.learn()
    item = post("next", window="a")["item"]
    while item is not None:
        id = classes[item["row"] > 5]
        item = label(post, item["row"], id, purpose=item["purpose"], window="a")["item"]
    desk.learner.learn()
    found = get("quality")
    assert found["estimate"]["audit"]["n"] == 2
    assert found["advice"]["reasons"]
    assert get("state")["audit"] == found["estimate"]["audit"]


# What is refused


@pytest.mark.parametrize(
    ("path", "fields", "said"),
    [
        ("label", {}, "'row' is missing"),
        ("label", {"row": 0}, "'class_id' is missing"),
        ("label", {"row": 99, "class_id": 1}, "There is no row 99"),
        ("label", {"row": -1, "class_id": 1}, "There is no row -1"),
        ("label", {"row": 0, "class_id": 99}, "There is no class with the number 99"),
        ("label", {"row": 0, "class_id": [1]}, "from 1 to 1000000; got [1]"),
        ("label", {"row": True, "class_id": 1}, "row must be an integer; got True"),
        ("label", {"row": 1.5, "class_id": 1}, "row must be an integer; got 1.5"),
        ("label", {"row": {}, "class_id": 1}, "row must be an integer; got {}"),
        ("label", {"row": 0, "class_id": 1, "purpose": "fun"}, "'purpose' must be one of chosen"),
        ("label", {"row": 0, "class_id": 1, "purpose": "imported"}, "'purpose' must be one of"),
        ("label", {"row": 0, "class_id": 1, "also": [99]}, "There is no row 99"),
        ("label", {"row": 0, "class_id": 1, "also": "1"}, "'also' must be a list"),
        ("label", {"row": 0, "class_id": 1, "also": ["1"]}, "row must be an integer; got '1'"),
        ("label", {"row": 0, "class_id": 1, "also": [1], "purpose": "audit"}, "labeled alone"),
        (
            "label",
            {"row": 0, "class_id": 1, "suggested": 1, "confidence": 2},
            "must be from 0 to 1",
        ),
        ("label", {"row": 0, "class_id": 1, "suggested": "x"}, "from 1 to 1000000; got 'x'"),
        ("label", {"row": 0, "class_id": 1, "besides": [99]}, "There is no row 99"),
        ("label", {"row": 0, "class_id": 1, "window": 3}, "'window' must be a text"),
        ("skip", {"row": 0, "besides": [99]}, "There is no row 99"),
        ("undecided", {"row": 0, "window": 3}, "'window' must be a text"),
        ("skip", {"row": 99}, "There is no row 99"),
        ("undecided", {"row": None}, "'row' is missing"),
        ("clear", {"row": 99}, "There is no row 99"),
        ("note", {"row": 0}, "'text' is missing"),
        ("note", {"row": 0, "text": "\ud800"}, "not valid Unicode"),
        ("note", {"row": 0, "text": "x" * 10_001}, "at most 10000"),
        ("classes", {"name": ""}, "must have 1 to 200 characters"),
        ("classes", {"name": 5}, "1 to 200 characters; got 5"),
        ("classes", {"name": "Delivery"}, "There is already a class 'delivery'"),
        ("classes/1/merge", {"into": 1}, "cannot be merged with itself"),
        ("classes/1/merge", {}, "'into' is missing"),
        ("classes/99/merge", {"into": 1}, "There is no class with the number 99"),
        ("accept", {"rows": [99]}, "There is no row 99"),
        ("accept", {"rows": list(range(10_001))}, "at most 10000 rows"),
        ("next", {"window": "a", "besides": [99]}, "There is no row 99"),
        ("next", {"window": ["a"]}, "'window' must be a text"),
    ],
)
def test_wrong_fields(refused, desk, classes, path, fields, said):
    before = desk.project.ledger.last_id
    assert said in refused(path, content=json.dumps(fields).encode())
    assert desk.project.ledger.last_id == before


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"1", b"null", b"\xff\xfe", b'{"row": NaN}', b"[" * 100_000, b'{"a":1}x'],
)
def test_malformed_requests(refused, classes, content):
    refused("label", content=content)


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("item", {}),
        ("item", {"row": "x"}),
        ("item", {"row": "99"}),
        ("item", {"row": "9" * 5000}),
        ("texts", {"page": "x"}),
        ("texts", {"below": "nan"}),
        ("texts", {"above": "high"}),
        ("texts", {"source": "god"}),
        ("texts", {"sort": "luck"}),
        ("texts", {"class": "x"}),
        ("groups", {"n": "1"}),
        ("groups", {"n": "1000"}),
    ],
)
def test_wrong_questions(browser, path, fields):
    answer = browser.get(f"/api/{path}", params=fields)
    assert answer.status_code == 400
    assert answer.json()["error"].endswith(".")


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/nothing", 404),
        ("GET", "/api/label", 405),
        ("POST", "/api/state", 405),
        ("PATCH", "/api/classes/x", 404),
        ("DELETE", "/api/classes/99", 400),
        ("GET", "/export/nothing.csv", 404),
        ("GET", "/export/..%2f..%2fsecret", 404),
        ("GET", "/static/..%2fapp.py", 404),
        ("GET", "/static/../app.py", 404),
        ("GET", "/docs", 404),
    ],
)
def test_addresses_that_do_not_exist(browser, method, path, status):
    answer = browser.request(method, path, headers=HEADERS)
    assert answer.status_code == status
    assert answer.json()["error"].endswith(".")


def test_a_file_that_cannot_be_written(desk, classes, refused):
    with mock.patch.object(desk.project, "_add", side_effect=sqlite3.OperationalError("disk full")):
        said = refused("label", {"row": 0, "class_id": classes[0]}, status=503)
    assert "disk full" in said
    assert desk.project.ledger.state.labels == {}


def test_a_bug_is_reported_without_details(desk, refused):
    with mock.patch.object(desk, "undo", side_effect=KeyError("secret")):
        assert "secret" not in refused("undo", {}, status=500)


HOSTILE = [
    "<script>alert(1)</script>",
    "</textarea><img src=x onerror=alert(1)>",
    "a\0b",
    "".join(map(chr, range(32))),
    "\u202egnp.exe",
    "\u2066\u2067\u2028\u2029",
    "",
    " \t\r\n",
    "=cmd()",
    "{{ 7 * 7 }}",
    "😀" * 10,
]


def test_hostile_texts_come_back_as_they_are(desk, get, browser):
    first = len(TEXTS)
    desk.project.add_texts(HOSTILE, [[text, "x"] for text in HOSTILE])
    for n in range(len(HOSTILE)):
        row = desk.project.first_row(first + n)
        assert get("item", row=row)["item"]["text"] == desk.project.texts[row]
    rows = list(csv.reader(io.StringIO(browser.get("/export/answers.csv").text, newline="")))
    assert [row[0] for row in rows[1 + first :]] == HOSTILE
    lines = browser.get("/export/answers.jsonl").content.decode().split("\n")[:-1]
    assert [json.loads(line)["body"] for line in lines[first:]] == HOSTILE
    desk.learner.learn()


def test_one_word_of_ten_megabytes(desk, classes, get, post):
    desk.project.add_texts(["w" * 10_000_000], [["w", "x"]])
    row = len(TEXTS)
    desk.learner.learn()
    item = get("item", row=row)["item"]
    assert (item["text"], item["is_cut"]) == ("w" * 200_000, True)
    assert get("texts", search="W" * 1000)["n"] == 1
    label(post, row, classes[0])


def test_a_search_in_nothing_finds_nothing(desk):
    """Finding: an empty filter and a search ended as an unexpected error."""
    found = desk.list_texts(search="parcel", source="model", sort="confidence")
    assert found["n"] == 0
    assert desk.list_texts(search="parcel", show="suspicious")["n"] == 0
