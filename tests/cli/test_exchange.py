"""``honeybayes label`` with ``--import`` and ``--export``."""

import codecs
import csv
import json
import sqlite3
from unittest import mock

import pytest

from honeybayes.labeling import Project

TEXTS = [
    "my parcel is late",
    "the parcel never came",
    "parcel damaged in the box",
    "charged twice on my card",
    "a wrong charge on the card",
    "refund this charge",
]
LABELS = ["delivery", None, None, "billing", None, None]


@pytest.fixture
def project(tmp_path):
    """A project that was imported from doccano, as the commands make it."""
    lines = [
        json.dumps({"id": at, "text": text, "label": [] if label is None else [label]})
        for at, (text, label) in enumerate(zip(TEXTS, LABELS, strict=True), start=100)
    ]
    (tmp_path / "lines.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return tmp_path / "mail.hbproject"


@pytest.fixture
def imported(works, project):
    printed = works("label mail.hbproject --import lines.jsonl --as doccano")
    assert printed == "6 texts, 2 of them with one of 2 classes: mail.hbproject\n"
    return project.parent


def rows_of(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_answers(works, imported):
    assert works("label mail.hbproject --export out.csv") == "6 texts written to out.csv.\n"
    rows = rows_of(imported / "out.csv")
    answer = ["label", "source", "confidence", "runner_up"]
    assert list(rows[0]) == ["id", "text", *answer, "who", "when", "note", "status"]
    assert [row["id"] for row in rows] == [str(number) for number in range(100, 106)]
    assert [row["label"] for row in rows] == ["delivery"] * 3 + ["billing"] * 3
    assert [row["source"] for row in rows] == ["person", "model", "model"] * 2


@pytest.mark.parametrize(
    ("settings", "has_mark"),
    [({"found_delimiter": ";"}, True), ({"format": "excel"}, True), ({"format": "csv"}, False)],
)
def test_answers_for_a_spreadsheet_have_a_byte_order_mark(works, imported, settings, has_mark):
    with Project.open(imported / "mail.hbproject") as project:
        project.change_settings(**settings)
    works("label mail.hbproject --export out.csv --no-model")
    assert (imported / "out.csv").read_bytes().startswith(codecs.BOM_UTF8) == has_mark


def test_labels_only(works, imported):
    works("label mail.hbproject --export out.jsonl --no-model")
    lines = (imported / "out.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["label"] for line in lines] == LABELS
    assert works("label mail.hbproject --export labels.csv --as labels") == (
        "2 labels written to labels.csv.\n"
    )
    labels = [(row["id"], row["text"], row["label"]) for row in rows_of(imported / "labels.csv")]
    assert labels == [("100", TEXTS[0], "delivery"), ("103", TEXTS[3], "billing")]


def test_there_and_back_through_label_studio(works, imported):
    works("label mail.hbproject --export tasks.json --as label-studio")
    assert works("label mail.hbproject --export labels.xml") == "2 classes written to labels.xml.\n"
    tasks = json.loads((imported / "tasks.json").read_text(encoding="utf-8"))
    assert [len(each["predictions"]) for each in tasks] == [0, 1, 1, 0, 1, 1]
    assert '<Choice value="billing"/>' in (imported / "labels.xml").read_text(encoding="utf-8")
    works("label again.hbproject --import tasks.json --as label-studio --language german")
    with Project.open(imported / "again.hbproject") as again:
        assert again.texts == TEXTS
        assert len(again.ledger.state.labels) == 2
        assert again.settings["language"] == "german"
    works("label mail.hbproject --export tasks.json --as label-studio --no-model")
    tasks = json.loads((imported / "tasks.json").read_text(encoding="utf-8"))
    assert not any(each["predictions"] for each in tasks)


def test_there_and_back_through_doccano(works, imported):
    works("label mail.hbproject --export again.jsonl --as doccano")
    works("label again.hbproject --import again.jsonl --as doccano")
    works("label again.hbproject --export last.jsonl --as doccano")
    assert (imported / "again.jsonl").read_bytes() == (imported / "last.jsonl").read_bytes()


def test_a_project_without_classes(works, fails, tmp_path):
    Project.create(tmp_path / "new.hbproject", TEXTS).close()
    printed = works("label new.hbproject --export out.csv")
    assert printed == "6 texts written to out.csv. There is no model yet: it needs two classes.\n"
    assert {row["label"] for row in rows_of(tmp_path / "out.csv")} == {""}
    assert "new.hbproject has no labels yet" in fails(
        "label new.hbproject --export out.csv --as labels"
    )


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("label mail.hbproject --export mail.hbproject", "mail.hbproject is a project file"),
        ("label mail.hbproject --export out.txt", "must end in .csv, .tsv, .jsonl"),
        ("label mail.hbproject --export none/out.csv", "There is no folder"),
        ("label lines.jsonl --export out.csv", "lines.jsonl is not a project file"),
        ("label none.hbproject --export out.csv", "There is no project file none.hbproject"),
        ("label mail.hbproject --import lines.jsonl --as doccano", "already exists"),
        ("label a.hbproject --import lines.jsonl --as label-studio", "not valid JSON"),
        ("label a.hbproject --import lines.jsonl --as doccano --text body", "--text"),
        ("label a.hbproject --import lines.jsonl --as doccano --language klingon", "klingon"),
    ],
)
def test_errors_say_what_to_do(fails, imported, command, message):
    before = (imported / "mail.hbproject").read_bytes()
    assert message in fails(command)
    assert (imported / "mail.hbproject").read_bytes() == before
    assert not (imported / "a.hbproject").exists()


def test_texts_with_several_labels_are_reported(run, tmp_path):
    line = '{"text": "late and charged twice", "label": ["delivery", "billing"]}\n'
    (tmp_path / "lines.jsonl").write_text(line + '{"text": "a", "label": ["b"]}', encoding="utf-8")
    done = run("label mail.hbproject --import lines.jsonl --as doccano")
    assert done.returncode == 0
    assert "warning: lines.jsonl, line 1: the text has several labels (billing, deli" in done.stderr
    assert done.stdout.startswith("2 texts, 1 of them with one of 1 classes")


@pytest.mark.parametrize(
    "command", ["label mail.hbproject --export a.csv", "label a.hbproject --import lines.jsonl"]
)
def test_unknown_formats(run, imported, command):
    done = run(f"{command} --as xml")
    assert done.returncode == 2
    assert "'xml' is not one of" in done.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--export a.csv --import lines.jsonl", "exclude each other"),
        ("--no-model", "--no-model is for --export FILE"),
        ("--as labels", "--as is for --export FILE"),
        ("--import lines.jsonl --plain-cells", "--plain-cells is for --export FILE"),
    ],
)
def test_options_that_do_not_belong_together(run, imported, options, message):
    done = run(f"label mail.hbproject {options}")
    assert done.returncode == 2
    assert message in done.stderr


def test_the_ending_says_which_tool_wrote_a_file(works, imported):
    works("label mail.hbproject --export tasks.json --as label-studio")
    for name in ("tasks.json", "lines.jsonl"):
        printed = works(f"label new-{name}.hbproject --import {name}")
        assert printed.startswith("6 texts, 2 of them with one of 2 classes")


def test_a_project_of_somebody_else_is_exported_and_learned_from(works, imported):
    """Finding: reading a project needed the right to write to it."""
    project = imported / "mail.hbproject"
    before = project.read_bytes()
    connection = sqlite3.connect(f"{project.as_uri()}?mode=ro", uri=True, check_same_thread=False)
    with mock.patch("honeybayes.labeling.project_file.connect", return_value=connection):
        works("label mail.hbproject --export out.csv")
    assert [row["source"] for row in rows_of(imported / "out.csv")].count("model") == 4
    assert project.read_bytes() == before
