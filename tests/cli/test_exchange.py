"""``honeybayes import`` and ``honeybayes export``."""

import csv
import json

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
    printed = works("import lines.jsonl --format doccano -o mail.hbproject")
    assert printed == "6 texts, 2 of them with one of 2 classes: mail.hbproject\n"
    return project.parent


def rows_of(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_answers(works, imported):
    assert works("export mail.hbproject -o out.csv") == "6 texts written to out.csv.\n"
    rows = rows_of(imported / "out.csv")
    assert list(rows[0]) == ["id", "text", "label", "source", "confidence", "runner_up"]
    assert [row["id"] for row in rows] == [str(number) for number in range(100, 106)]
    assert [row["label"] for row in rows] == ["delivery"] * 3 + ["billing"] * 3
    assert [row["source"] for row in rows] == ["person", "model", "model"] * 2


def test_labels_only(works, imported):
    works("export mail.hbproject -o out.jsonl --no-model")
    lines = (imported / "out.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["label"] for line in lines] == LABELS
    assert works("export mail.hbproject -o labels.csv --format labels") == (
        "2 labels written to labels.csv.\n"
    )
    assert rows_of(imported / "labels.csv") == [
        {"text": TEXTS[0], "label": "delivery"},
        {"text": TEXTS[3], "label": "billing"},
    ]


def test_there_and_back_through_label_studio(works, imported):
    works("export mail.hbproject -o tasks.json --format label-studio --config labels.xml")
    tasks = json.loads((imported / "tasks.json").read_text(encoding="utf-8"))
    assert [len(each["predictions"]) for each in tasks] == [0, 1, 1, 0, 1, 1]
    assert '<Choice value="billing"/>' in (imported / "labels.xml").read_text(encoding="utf-8")
    works("import tasks.json --format label-studio -o again.hbproject --language german")
    with Project.open(imported / "again.hbproject") as again:
        assert again.texts == TEXTS
        assert len(again.ledger.state.labels) == 2
        assert again.settings["language"] == "german"
    works("export mail.hbproject -o tasks.json --format label-studio --no-model")
    tasks = json.loads((imported / "tasks.json").read_text(encoding="utf-8"))
    assert not any(each["predictions"] for each in tasks)


def test_there_and_back_through_doccano(works, imported):
    works("export mail.hbproject -o again.jsonl --format doccano")
    works("import again.jsonl --format doccano -o again.hbproject")
    works("export again.hbproject -o last.jsonl --format doccano")
    assert (imported / "again.jsonl").read_bytes() == (imported / "last.jsonl").read_bytes()


def test_a_project_without_classes(works, fails, tmp_path):
    Project.create(tmp_path / "new.hbproject", TEXTS).close()
    printed = works("export new.hbproject -o out.csv")
    assert printed == "6 texts written to out.csv. There is no model yet: it needs two classes.\n"
    assert {row["label"] for row in rows_of(tmp_path / "out.csv")} == {""}
    assert "new.hbproject has no labels yet" in fails(
        "export new.hbproject -o out.csv --format labels"
    )


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("export mail.hbproject -o mail.hbproject", "mail.hbproject is a project file"),
        ("export mail.hbproject -o out.txt", "must end in .csv, .tsv, .jsonl"),
        ("export mail.hbproject -o none/out.csv", "There is no folder"),
        ("export lines.jsonl -o out.csv", "lines.jsonl is not a project file"),
        ("export none.hbproject -o out.csv", "There is no project file none.hbproject"),
        ("import lines.jsonl --format doccano -o mail.hbproject", "already exists"),
        ("import lines.jsonl --format label-studio -o a.hbproject", "not valid JSON"),
        ("import lines.jsonl --format doccano -o a.hbproject --text body", "with --text."),
        ("import lines.jsonl --format doccano -o a.hbproject --language klingon", "klingon"),
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
    done = run("import lines.jsonl --format doccano -o mail.hbproject")
    assert done.returncode == 0
    assert "warning: lines.jsonl, line 1: the text has several labels (billing, deli" in done.stderr
    assert done.stdout.startswith("2 texts, 1 of them with one of 1 classes")


@pytest.mark.parametrize(
    "command", ["export mail.hbproject -o a.csv", "import lines.jsonl -o a.hbproject"]
)
def test_unknown_formats(run, imported, command):
    done = run(f"{command} --format xml")
    assert done.returncode == 2
    assert "'xml' is not one of" in done.stderr
