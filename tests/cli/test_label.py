"""``honeybayes label``: project files beside tables, and what other commands do with them."""

import json
import re
import signal
import subprocess
import urllib.request
from datetime import datetime
from functools import partial
from unittest import mock

import numpy as np
import pytest

from honeybayes import TextClassifier, load_model, save_model
from honeybayes.labeling import Project, import_labels
from honeybayes.labeling.answers import answer_rows
from honeybayes.labeling.turn import Answers
from honeybayes.tables import load_corpus

pytest.importorskip("starlette", reason="needs starlette (extra: label)")
pytest.importorskip("uvicorn", reason="needs uvicorn (extra: label)")

TABLE = """id,body,queue
1,my parcel is late,delivery
2,I was charged twice,billing
3,"where, then, is my parcel",
4,the invoice is wrong,Billing
5,my parcel is late,
"""


@pytest.fixture
def mail(tmp_path):
    path = tmp_path / "mail.csv"
    path.write_text(TABLE)
    return path


@pytest.fixture
def serve():
    """Do not start a server; say how it would have been started."""
    with mock.patch("honeybayes.page.serve.serve") as serve:
        yield serve


@pytest.fixture
def label(serve, works):
    """Run the command up to the point where the server starts; return what it prints."""

    def label(command):
        printed = works(f"label {command} --no-browser")
        assert serve.call_count == 1
        serve.reset_mock()
        return printed

    return label


def labels_in(path):
    with Project.open(path) as project:
        state = project.ledger.state
        return {row: state.classes[each.class_id].name for row, each in state.labels.items()}


def test_a_project_is_made_beside_the_table(label, mail, tmp_path):
    printed = label("mail.csv --text body --language german --who ada")
    path = tmp_path / "mail.hbproject"
    assert f"honeybayes label {path.name}" in printed
    with Project.open(path) as project:
        assert project.texts[2] == "where, then, is my parcel"
        cells = project.records()[1].values()
        assert list(cells) == ["2", "I was charged twice", "billing"]
        settings = project.settings
    assert settings["table"] == str(mail)
    assert settings["columns"] == ["id", "body", "queue"]
    assert (settings["text"], settings["format"], settings["language"]) == ("body", "csv", "german")
    assert labels_in(path) == {}


def test_ids_of_the_table_name_the_texts(label, fails, mail, tmp_path):
    label("mail.csv --text body --id id")
    with Project.open(tmp_path / "mail.hbproject") as project:
        assert project.column(project.settings["id"]) == ["1", "2", "3", "4", "5"]
    with mail.open("a") as file:
        file.write("6,another parcel,\n")
    label("mail.csv --id queue")  # it may change, because nothing is learned from it
    with Project.open(tmp_path / "mail.hbproject") as project:
        found = project.column(project.settings["id"])
        assert found == ["delivery", "billing", "", "Billing", "", ""]
    told = fails("label mail.csv --id number --no-browser")
    assert "There is no column 'number'. The columns are: id, body, queue." in told
    assert "There is no column 'x'" in fails("label mail.csv --text body --id x --project new.hbp")
    assert not (tmp_path / "new.hbp").exists()


def test_ids_of_json_lines_name_the_texts(label, tmp_path):
    (tmp_path / "mail.jsonl").write_text('{"text": "a parcel", "id": 7}\n{"text": "a charge"}\n')
    label("mail.jsonl --id id")
    with Project.open(tmp_path / "mail.hbproject") as project:
        assert project.column(project.settings["id"]) == [7, None]


def test_dates_and_missing_numbers_of_parquet_are_kept_and_compared(label, fails, tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")

    def write(texts):
        columns = {
            "text": texts,
            "date": [datetime(2026, 5, 1), *[None] * (len(texts) - 1)],
            "number": [float("nan"), *[0.5] * (len(texts) - 1)],
            "parts": [[1.0, float("nan")]] * len(texts),
        }
        parquet.write_table(pyarrow.table(columns), tmp_path / "mail.parquet")

    write(["a parcel", "a charge"])
    label("mail.parquet")
    write(["a parcel", "a charge", "a shirt"])
    assert "1 row was added." in label("mail.parquet")
    with Project.open(tmp_path / "mail.hbproject") as project:
        first, second, third = (list(each.values()) for each in project.records())
    assert first == ["a parcel", "2026-05-01 00:00:00", None, [1.0, None]]
    assert second == ["a charge", None, 0.5, [1.0, None]]
    assert third == ["a shirt", None, 0.5, [1.0, None]]
    write(["a parcel", "a card", "a shirt"])
    said = label("mail.parquet")
    assert "1 row was added." in said
    assert "1 row is no longer in the table." in said


def test_a_column_that_may_hold_labels_is_named(label, tmp_path):
    rows = [f"{n},text number {n},{n % 4},{'billing' if n % 2 else 'delivery'}" for n in range(24)]
    table = tmp_path / "mail.csv"
    table.write_text("\n".join(["ticket,body,stars,Queue", *rows]))
    hint = "The column 'Queue' has 2 different values. If they are labels, start with them: "
    hint += "honeybayes label mail.csv --label Queue\n"
    for _ in range(2):  # also when the person comes back, as long as there is no label
        assert label("mail.csv --text body").startswith(hint)
    assert "24 labels were taken over" in label("mail.csv --label Queue")
    assert "If they are labels" not in label("mail.csv")
    table.write_text("\n".join(["ticket,body,stars,day", *rows]))
    assert "The column 'stars' has 4" in label("mail.csv --text body --project other.hbproject")
    days = [f"{n},text {n},2026-05-0{n % 4 + 1},{n % 4 + 1:02}.05.2026" for n in range(24)]
    (tmp_path / "days.csv").write_text("\n".join(["ticket,body,day,Datum", *days]))
    assert "If they are labels" not in label("days.csv --text body")
    ids = "\n".join(["ticket,body", *(f"{n},text number {n}" for n in range(24))])
    (tmp_path / "ids.csv").write_text(ids)
    assert "If they are labels" not in label("ids.csv --text body")


def test_the_same_command_resumes(label, mail, tmp_path):
    label("mail.csv --text body --classes 'delivery: parcel; billing'")
    with Project.open(tmp_path / "mail.hbproject") as project:
        project.label(0, 1)
    for command in ("mail.csv --text body", "mail.csv", "mail.hbproject"):
        assert "1 label is in mail.hbproject" in label(command)
    with Project.open(tmp_path / "mail.hbproject") as project:
        assert [(each.name, each.words) for each in project.classes] == [
            ("delivery", "parcel"),
            ("billing", ""),
        ]


def test_classes_can_be_added_later(label, mail, tmp_path):
    label("mail.csv --text body --classes 'delivery: parcel; billing'")
    label("mail.csv --classes 'Delivery: van; returns: back; billing'")
    with Project.open(tmp_path / "mail.hbproject") as project:
        assert [(each.name, each.words) for each in project.classes] == [
            ("delivery", "van"),
            ("billing", ""),
            ("returns", "back"),
        ]


def test_labels_of_the_table_are_taken_over_once(label, mail, tmp_path):
    printed = label("mail.csv --text body --label queue")
    assert "3 labels were taken over from the column 'queue'." in printed
    expected = {0: "delivery", 1: "billing", 3: "billing"}  # Billing is the same class
    assert labels_in(tmp_path / "mail.hbproject") == expected
    with Project.open(tmp_path / "mail.hbproject") as project:
        assert {each.purpose for each in project.ledger.state.labels.values()} == {"imported"}
        project.clear(0)
    assert "taken over" not in label("mail.csv --text body --label queue")
    assert labels_in(tmp_path / "mail.hbproject") == {1: "billing", 3: "billing"}


@pytest.mark.usefixtures("mail")
def test_labels_of_a_model_are_not_taken_over(label, tmp_path):
    rows = "body,queue,source\nlate,delivery,person\nlost,delivery,model\ncard,billing,\n"
    (tmp_path / "filled.csv").write_text(rows, encoding="utf-8")
    assert "2 labels were taken over" in label("filled.csv --text body --label queue")
    assert labels_in(tmp_path / "filled.hbproject") == {0: "delivery", 2: "billing"}


def test_labels_can_be_taken_over_later(label, mail, tmp_path):
    label("mail.csv --text body --classes 'other'")
    with Project.open(tmp_path / "mail.hbproject") as project:
        project.label(0, 1)
    assert "2 labels were taken over" in label("mail.hbproject --label queue")
    assert labels_in(tmp_path / "mail.hbproject") == {0: "other", 1: "billing", 3: "billing"}


def test_new_rows_at_the_end_are_taken_over(label, mail, tmp_path):
    label("mail.csv --text body --label queue")
    mail.write_text(TABLE + "6,send it back,returns\n7,I was charged twice,delivery\n")
    printed = label("mail.csv")
    assert "2 rows were added." in printed
    assert "1 label was taken over" in printed
    with Project.open(tmp_path / "mail.hbproject") as project:
        assert len(project.texts) == 7
    names = labels_in(tmp_path / "mail.hbproject")
    assert names == {0: "delivery", 1: "billing", 3: "billing", 5: "returns"}
    assert "added" not in label("mail.csv")


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("_take_over_labels", "2 labels were taken over"),
        ("Project.change_settings", "0 labels were taken over"),  # they are there already
    ],
)
def test_labels_of_new_rows_outlive_a_run_that_was_killed(label, mail, run, tmp_path, step, said):
    """Finding: the rows were known the next time, and their labels were never taken over."""
    label("mail.csv --text body --label queue")
    path = tmp_path / "mail.hbproject"
    with Project.open(path) as project:
        project.clear(0)
    mail.write_text(TABLE + "6,send it back,returns\n7,too dear,billing\n")
    at = f"honeybayes.labeling.table_project.{step}"
    with mock.patch(at, side_effect=KeyboardInterrupt):
        assert run("label mail.csv --no-browser").returncode != 0
    with Project.open(path) as project:
        assert len(project.texts) == 7
    assert said in label("mail.csv")
    expected = {1: "billing", 3: "billing", 5: "returns", 6: "billing"}  # row 0 was cleared
    assert labels_in(path) == expected
    assert "taken over" not in label("mail.csv")


@pytest.mark.parametrize("is_killed", [False, True])
def test_labels_that_were_taken_over_stay_cleared(label, mail, run, tmp_path, is_killed):
    label("mail.csv --text body --label queue")
    path = tmp_path / "mail.hbproject"
    with Project.open(path) as project:
        project.clear(0)
    for command in ("mail.csv", "mail.hbproject", "mail.csv --label queue"):
        assert "taken over" not in label(command)
    assert labels_in(path) == {1: "billing", 3: "billing"}
    mail.write_text(TABLE + "6,send it back,returns\n")
    if is_killed:
        at = "honeybayes.labeling.table_project._take_over_labels"
        with mock.patch(at, side_effect=KeyboardInterrupt):
            assert run("label mail.csv --no-browser").returncode != 0
    assert "1 label was taken over" in label("mail.csv")
    assert labels_in(path) == {1: "billing", 3: "billing", 5: "returns"}


def test_texts_that_a_program_added_need_no_cells(label, mail, tmp_path):
    """Finding: the project could not be opened any more, because the labels were looked for."""
    label("mail.csv --text body --label queue")
    path = tmp_path / "mail.hbproject"
    with Project.open(path) as project:
        project.add_texts(["send it back"])
    for command in ("mail.hbproject", "mail.csv", "mail.csv --label queue"):
        assert "taken over" not in label(command)


def test_infinity_is_stored_as_ever(label, tmp_path):
    """Finding: with another spelling, rows of older projects seemed to have changed."""
    rows = '{"text": "late", "x": Infinity}\n{"text": "dear", "x": [-Infinity, NaN]}\n'
    (tmp_path / "mail.jsonl").write_text(rows, encoding="utf-8")
    label("mail.jsonl")
    with Project.open(tmp_path / "mail.hbproject") as project:
        assert [cells["x"] for cells in project.records()] == ["inf", ["-inf", None]]


def test_new_rows_with_a_wrong_label_are_not_added(label, fails, mail, tmp_path):
    """The table can still be mended: a row that was added may not change any more."""
    label("mail.csv --text body --label queue")
    for _ in range(2):
        mail.write_text(TABLE + f"6,send it back,{'x' * 201}\n")
        assert "1 to 200 characters" in fails("label mail.csv --no-browser")
    mail.write_text(TABLE + "6,send it back,returns\n")
    assert "1 label was taken over" in label("mail.csv")
    assert labels_in(tmp_path / "mail.hbproject")[5] == "returns"


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (TABLE.replace("late", "very late"), "another text than before"),
        (TABLE.replace("4,", "44,"), "1 row was added."),
        ("\n".join(TABLE.split("\n")[:-2]), "1 row is no longer in the table."),
        (TABLE.replace("queue", "team"), ""),
    ],
)
def test_the_project_follows_the_table(label, mail, tmp_path, changed, said):
    label("mail.csv --text body --id id")
    with Project.open(tmp_path / "mail.hbproject") as project:
        project.label(0, project.add_class("x").id)
    mail.write_text(changed)
    assert said in label("mail.csv")
    assert labels_in(tmp_path / "mail.hbproject") == {0: "x"}
    assert said not in label("mail.csv") or not said


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("mail.csv", "text"),
        ("mail.csv --text boddy", "Did you mean 'body'?"),
        ("mail.csv --text body --label quue", "Did you mean 'queue'?"),
        ("mail.csv --text body --strategy margins", "Did you mean 'margin'?"),
        ("mail.csv --text body --language klingon", "klingon"),
        ("mail.csv --text body --classes 'a; a'", "names 'a' twice"),
        ("mails.csv --text body", "mails.csv"),
        ("mails.hbproject", "There is no project file mails.hbproject."),
        ("- --text body", "Standard input"),
        ("mail.csv --text body --project missing/x.hbproject", "There is no folder"),
    ],
)
def test_wrong_usage(fails, mail, serve, tmp_path, command, said):
    assert said in fails(f"label {command} --no-browser")
    assert not serve.called


def test_a_wrong_label_column_leaves_no_project(fails, mail, tmp_path):
    fails("label mail.csv --text body --label nothing --no-browser")
    assert [each.name for each in tmp_path.iterdir()] == ["mail.csv"]


def test_options_of_an_existing_project_cannot_change(label, fails, mail):
    label("mail.csv --text body")
    assert "--text" in fails("label mail.csv --text id --no-browser")
    assert "--language" in fails("label mail.hbproject --language german --no-browser")
    label("mail.csv --text queue --project other.hbproject")
    assert "has no words" in fails("label mail.csv --text id --project ids.hbproject --no-browser")


def test_other_formats(label, tmp_path):
    (tmp_path / "lines.txt").write_text("one text\nanother text\n")
    label("lines.txt")
    rows = [{"body": "a", "n": 1}, {"body": "b", "queue": "x"}]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    label("rows.jsonl --text body --label queue")
    (tmp_path / "semi.tsv").write_text("body;n\na;1\n")
    label("semi.tsv --text body --read 'delimiter=; encoding=latin-1 quotes=no'")
    with Project.open(tmp_path / "lines.hbproject") as project:
        assert project.texts == ["one text", "another text"]
    with Project.open(tmp_path / "rows.hbproject") as project:
        assert project.records() == rows
    assert labels_in(tmp_path / "rows.hbproject") == {1: "x"}
    with Project.open(tmp_path / "semi.hbproject") as project:
        assert project.texts == ["a"]
    with (tmp_path / "semi.tsv").open("a") as file:
        file.write("ü;2\n".encode("latin-1").decode("latin-1"))
    (tmp_path / "semi.tsv").write_bytes("body;n\na;1\nü;2\n".encode("latin-1"))
    assert "1 row was added." in label("semi.tsv")


def test_delimiter_encoding_and_columns_as_they_come(run, serve, tmp_path):
    path = tmp_path / "semi.csv"
    path.write_bytes("subject;body;queue\nPäckchen;late;delivery\n;paid;\n".encode("cp1252"))
    command = "label semi.csv --text subject,body --label queue --no-browser"
    done = run(command)
    assert done.stderr.startswith(
        "Read semi.csv with delimiter ';' and encoding cp1252; if letters"
    )
    with path.open("ab") as file:
        file.write("Hi;zurück;\n".encode("cp1252"))
    assert "1 row was added." in run(command).stdout
    with Project.open(tmp_path / "semi.hbproject") as project:
        assert project.texts == ["Päckchen\n\nlate", "paid", "Hi\n\nzurück"]
    assert labels_in(tmp_path / "semi.hbproject") == {0: "delivery"}
    run("label semi.hbproject --export answers.csv")
    header = (tmp_path / "answers.csv").read_text(encoding="utf-8-sig").splitlines()[0]
    # the delimiter is that of the table
    assert header == "subject;body;queue;label;source;confidence;runner_up;who;when;note;status"
    openpyxl = pytest.importorskip("openpyxl", reason="needs openpyxl (extra: excel)")
    book = openpyxl.Workbook()
    sheet = book.create_sheet("Mail")
    for row in (["body"], ["late"], ["paid"]):
        sheet.append(row)
    book.save(tmp_path / "book.xlsx")
    run("label book.xlsx --read sheet=Mail --text body --no-browser")
    with Project.open(tmp_path / "book.hbproject") as project:
        assert project.texts == ["late", "paid"]


def test_a_host_that_others_can_reach_is_warned_about(run, serve, mail):
    done = run("label mail.csv --text body --no-browser --port 0.0.0.0:9000")
    assert done.returncode == 0
    assert "warning: Others can reach this page" in done.stderr
    assert serve.call_args.kwargs["host"] == "0.0.0.0"
    assert serve.call_args.kwargs["port"] == 9000


def test_a_missing_extra_is_named(fails, mail):
    with mock.patch.dict("sys.modules", {"uvicorn": None}):
        assert "pip install 'honeybayes[label]'" in fails("label mail.csv --text body")


# The real thing


@pytest.mark.process
@pytest.mark.parametrize(("stop", "code"), [(signal.SIGINT, 0), (signal.SIGTERM, 143)])
def test_a_server_starts_answers_and_ends(mail, start, tmp_path, stop, code):
    process = start(
        "label mail.csv --text body --classes 'delivery: parcel; billing: charged' --no-browser "
        "--port 0",
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # a shell that runs the tests in the background makes its children ignore it
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )
    said = ""
    while "Ctrl+C" not in said:
        line = process.stdout.readline()
        assert line, process.stderr.read()
        said += line
    [address] = re.findall(r"http://127\.0\.0\.1:\d+/#token=\S{20,}", said)
    root, _, token = address.partition("#token=")
    with urllib.request.urlopen(root) as page:
        assert page.status == 200
    headers = {"X-Honeybayes": token, "Content-Type": "application/json"}
    body = json.dumps({"row": 0, "class_id": 1, "purpose": "chosen"}).encode()
    asked = urllib.request.Request(f"{root}api/label", body, headers)
    with urllib.request.urlopen(asked) as answer:
        assert json.load(answer)["state"]["counts"]["labeled"] == 1
    process.send_signal(stop)
    more, complaints = process.communicate(timeout=60)
    assert process.returncode == code
    assert complaints == ""
    assert "1 label is in mail.hbproject. Continue with: honeybayes label mail.hbproject" in more
    assert labels_in(tmp_path / "mail.hbproject") == {0: "delivery"}


def test_the_next_free_port_is_taken_unless_one_is_given():
    from honeybayes.page import serve

    with serve.open_socket("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        with pytest.raises(ValueError, match=f"port {port} .* Choose another --port"):
            serve.open_socket("127.0.0.1", port)
        with (
            mock.patch.object(serve, "FIRST_PORT", port),
            serve.open_socket("127.0.0.1") as second,
        ):
            assert port < second.getsockname()[1] < port + serve.N_PORTS
    with pytest.raises(ValueError, match=r"There is no host 'no\.such\.host\.invalid'"):
        serve.open_socket("no.such.host.invalid")


def test_a_port_in_use_is_the_only_thing_that_is_said(run, mail):
    from honeybayes.page import serve

    with serve.open_socket("127.0.0.1", 0) as taken:
        done = run(f"label mail.csv --text body --no-browser --port {taken.getsockname()[1]}")
    assert done.returncode == 1
    assert "Choose another --port" in done.stderr
    assert done.stdout == ""


def test_without_labels_there_is_nothing_to_use(label, mail):
    printed = label("mail.csv --text body")
    assert "No labels are in mail.hbproject." in printed
    assert "honeybayes fit" not in printed
    assert "honeybayes fit mail.hbproject -o model.hb" in label("mail.csv --label queue")


# Other commands read project files


@pytest.fixture
def labeled(tmp_path):
    """A project with labels of persons, one of which is for the audit, and others without."""
    texts = [f"parcel courier {n}" for n in range(8)] + [f"invoice charge {n}" for n in range(8)]
    with Project.create(tmp_path / "mail.hbproject", texts) as project:
        delivery = project.add_class("delivery", "parcel").id
        billing = project.add_class("billing", "invoice").id
        project.add_class("returns", "back")
        for row in range(6):
            project.label(row, delivery, "audit" if row == 5 else "chosen")
            project.label(row + 8, billing)
    return tmp_path / "mail.hbproject"


def test_fit_reads_a_project(works, labeled, tmp_path):
    printed = json.loads(works("fit mail.hbproject -o model.hb --json"))
    assert (printed["documents"], printed["unlabeled"]) == (12, 4)
    assert printed["model"] == "FewLabels"
    # the class without a label comes from its words
    assert printed["classes"] == ["billing", "delivery", "returns"]
    assert printed["class_names"] is not None
    model = load_model(tmp_path / "model.hb")
    assert model.predict(["parcel", "invoice"]).tolist() == ["delivery", "billing"]


def test_fit_uses_other_class_names_or_none_if_asked(run, works, labeled):
    named = json.loads(
        works("fit mail.hbproject -o m.hb --json --classes 'delivery: parcel; billing'")
    )
    assert named["classes"] == ["billing", "delivery"]
    done = run("fit mail.hbproject -o m.hb --json --model CNB")
    assert json.loads(done.stdout)["classes"] == ["billing", "delivery"]
    assert json.loads(done.stdout)["class_names"] is None
    assert "4 rows without a label are left out" in done.stderr


def test_fit_uses_the_language_of_the_project(run, labeled, tmp_path):
    with Project.open(labeled) as project:
        project.change_settings(language="german")
    assert run("fit mail.hbproject -o model.hb").returncode == 0
    assert load_model(tmp_path / "model.hb").language == "german"


def test_answers_of_the_model_are_never_taken_for_labels(works, labeled):
    """Labels that were accepted are labels; answers that were only stored are not."""
    with Project.open(labeled) as project:
        project.add_round(12, np.ones(16))
    assert json.loads(works("fit mail.hbproject -o m.hb --json"))["documents"] == 12
    with Project.open(labeled) as project:
        project.label_many([6, 14], [1, 2], "accepted")
    assert json.loads(works("fit mail.hbproject -o m.hb --json"))["documents"] == 14


def test_evaluate_and_compare_read_a_project(run, works, labeled):
    works("fit mail.hbproject -o model.hb")
    done = run("evaluate model.hb mail.hbproject --json")
    assert json.loads(done.stdout)["documents"] == 12
    assert json.loads(done.stdout)["accuracy"] == 1
    assert "4 rows without a label are left out" in done.stderr
    printed = works("compare mail.hbproject --models NB,CNB --labels 2 --draws 2 --json")
    assert "CNB" in printed


def test_a_model_of_a_project_remembers_the_column_of_the_texts(label, run, works, mail):
    label("mail.csv --text body --label queue")
    works("fit mail.hbproject -o model.hb")
    done = run("predict model.hb mail.csv -o answers.csv")
    assert done.returncode == 0, done.stderr


def test_thresholds_of_a_project_come_from_its_random_texts_only(works, fails, tmp_path):
    """Finding: to be 95 % right was claimed by chosen texts, and 85 % of the answers were right."""
    corpus = load_corpus("messages")
    texts, labels = corpus.documents[::5], corpus.labels[::5].tolist()
    with Project.create(tmp_path / "mail.hbproject", texts) as project:
        import_labels(project, labels)
        ids = [project.find_class(each).id for each in labels]
    told = works("fit mail.hbproject --model CNB -o model.hb")
    assert "No threshold: it takes labels of 10 random texts, and 0 of the labels" in told
    assert "taken\nover from a table do not count; `fit` of the table itself" in told
    (tmp_path / "new.csv").write_text("text\nwhere is my parcel\n")
    assert "fewer than 10 held-out texts" in fails("predict model.hb new.csv --target-accuracy 0.9")
    with Project.open(tmp_path / "mail.hbproject") as project:
        for row in range(90, 120):
            project.label(row, ids[row], "audit")
    told = works("fit mail.hbproject --model CNB -o model.hb")
    assert "no threshold is high enough (from 30 held-out texts: rough)" in told
    found = load_model(tmp_path / "model.hb").held_out_
    expected = TextClassifier("CNB").fit(texts, labels, is_random=np.arange(120) >= 90).held_out_
    np.testing.assert_array_equal(found, expected)


def test_an_empty_text_gets_no_answer():
    """Finding: `predict` gives none, and the answers of a project gave the most frequent class."""
    project = Project.create(None, ["late parcel", " "])
    id = project.add_class("delivery").id
    one = np.ones(2)
    answers = Answers(np.full(2, id), np.full(2, id), one, one)
    assert [each.label for each in answer_rows(project, answers)] == ["delivery", None]


def test_a_project_without_labels_and_classes(run, fails, tmp_path):
    Project.create(tmp_path / "mail.hbproject", ["a", "b"]).close()
    assert "mail.hbproject: all labels are empty." in fails("fit mail.hbproject -o m.hb")
    save_model(TextClassifier("CNB").fit(["late", "card"] * 2, ["a", "b"] * 2), tmp_path / "m.hb")
    assert (
        "error: mail.hbproject: all labels are empty." in run("evaluate m.hb mail.hbproject").stderr
    )


def test_fit_opens_a_project_once(works, labeled):
    with mock.patch.object(Project, "open", wraps=Project.open) as opened:
        works("fit mail.hbproject -o model.hb")
    assert opened.call_count == 1


def test_a_damaged_project(fails, tmp_path):
    (tmp_path / "mail.hbproject").write_bytes(b"no")
    for command in ("fit mail.hbproject -o m.hb", "label mail.hbproject"):
        assert "mail.hbproject is not a project file of honeybayes." in fails(command)


def test_a_project_in_place_of_a_table_or_a_model(works, run, fails, labeled):
    """The message says which command does what was wanted."""
    works("fit mail.hbproject -o model.hb")
    assert "honeybayes label mail.hbproject --export answers.csv" in fails(
        "predict model.hb mail.hbproject"
    )
    for command in ("explain mail.hbproject 'my parcel'", "explain mail.hbproject"):
        assert "honeybayes fit mail.hbproject -o model.hb" in fails(command)
    done = run("evaluate model.hb mail.hbproject")
    assert done.returncode == 0
    assert "the results are too good" in done.stderr
