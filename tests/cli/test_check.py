"""The second month: `check`, workbooks for people, letters, and the project beside a table."""

import codecs
import json
import shutil
import subprocess

import numpy as np
import openpyxl
import pytest

from honeybayes.labeling import Project, import_labels
from honeybayes.tables import load_corpus, make_frame, read_table, write_table


@pytest.fixture
def months(tmp_path):
    """Write may.csv and june.csv with ids, dates and umlauts, as Excel writes them in Germany."""
    corpus = load_corpus("messages")
    order = np.random.default_rng(0).permutation(len(corpus))
    rows = [
        [f"00{n:03}", f"{n % 28 + 1:02}.05.2026", f"2026-05-{n % 28 + 1:02}", str(n), text, label]
        for n, (text, label) in enumerate(
            (f"{corpus.documents[row]} Grüße", corpus.labels[row]) for row in order
        )
    ]
    names = ["nr", "datum", "tag", "menge", "text", "label"]
    for name, part, n in (("may", rows[:400], 6), ("june", rows[400:], 5)):
        frame = make_frame([row[:n] for row in part], names[:n])
        write_table(frame, tmp_path / f"{name}.csv", delimiter=";")
        text = (tmp_path / f"{name}.csv").read_text(encoding="utf-8")
        (tmp_path / f"{name}.csv").write_bytes(text.encode("cp1252", "replace"))
    return tmp_path


@pytest.fixture
def works(run):
    """Run a command that says on standard error what it detected; return standard output."""

    def works(command):
        done = run(command)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return works


@pytest.fixture
def fails(run):
    """Run a command that fails; return its last line."""

    def fails(command):
        done = run(command)
        assert done.returncode
        return done.stderr.splitlines()[-1]

    return fails


def test_a_month_is_checked_and_rows_are_written_for_a_person(months, works):
    works("fit may.csv -m CNB -o model.hb")
    told = works("check model.hb june.csv --checks checks.xlsx --doubtful doubtful.csv --n 12")
    assert "200 new texts, compared with 400 old ones" in told
    assert "Verdict: same" in told
    assert "Not new" not in told
    told = works("check model.hb may.csv")
    assert told.startswith("Not new: 400 rows have a text that the model has learned from.\n")
    checks, doubtful = read_table(months / "checks.xlsx"), read_table(months / "doubtful.csv")
    assert len(checks) == len(doubtful) == 12
    assert not set(checks["nr"]) & set(doubtful["nr"])
    written = (months / "doubtful.csv").read_bytes()  # as Excel reads it
    assert written.decode("utf-8-sig").startswith("nr;datum;tag;menge;text;label")
    assert written.startswith(codecs.BOM_UTF8)
    assert set(checks["label"]) == {""}
    assert checks["nr"].str.startswith("00").all()
    facts = json.loads(works("check model.hb june.csv --json --n 12"))
    june = read_table(months / "june.csv")
    assert june["nr"].iloc[[row - 1 for row in facts["random"]]].tolist() == checks["nr"].tolist()
    assert (facts["verdict"], facts["findings"]) == ("same", [])
    told = works("check model.hb june.csv --old june.csv")
    assert "compared with 200 old ones" in told


def test_labels_of_a_person_are_not_overwritten(months, works, fails):
    works("fit may.csv -o may.hb")
    command = "check may.hb june.csv --checks checks.csv"
    works(command)
    works(command)  # nobody has written a label yet
    frame = read_table(months / "checks.csv")
    frame.loc[3, "label"] = "billing"
    write_table(frame, months / "checks.csv")
    before = (months / "checks.csv").read_bytes()
    assert "has labels in the column 'label', which would be lost" in fails(command)
    assert (months / "checks.csv").read_bytes() == before
    works(command.replace("checks.csv", "others.csv"))


def test_drift_is_shown_with_its_words(months, works, fails):
    works("fit may.csv -m CNB -o model.hb")
    june = read_table(months / "june.csv")
    june.loc[june.index[:50], "text"] += " Ransomware encrypted"
    write_table(june, months / "july.xlsx")
    told = works("check model.hb july.xlsx")
    assert "Verdict: drift" in told
    assert "ransomware" in told
    assert "\t0.000" not in told
    works("fit may.csv -m CNB -o half.hb")
    assert "There is no file none.csv" in fails("check model.hb none.csv")


@pytest.mark.process
@pytest.mark.skipif(shutil.which("soffice") is None, reason="needs LibreOffice")
def test_libreoffice_reads_ids_dates_and_umlauts_as_they_were(months, works, tmp_path):
    works("fit may.csv -m CNB -o model.hb")
    works("predict model.hb june.csv -o answers.xlsx")
    filter_name = "csv:Text - txt - csv (StarCalc):44,34,76"
    command = ["soffice", f"-env:UserInstallation=file://{tmp_path}/office", "--headless"]
    command += ["--convert-to", filter_name, "--outdir", str(tmp_path / "lo")]
    subprocess.run(
        [*command, str(months / "answers.xlsx")], check=True, capture_output=True, timeout=300
    )
    before, after = read_table(months / "june.csv"), read_table(tmp_path / "lo" / "answers.csv")
    columns = list(before.columns)
    assert after[columns].to_numpy().tolist() == before.to_numpy().tolist()
    assert set(after["source"]) == {"model"}


def test_a_workbook_has_numbers_dates_and_colors_where_they_are_exact(months, works):
    works("fit may.csv -m CNB -o model.hb")
    works("predict model.hb june.csv -o answers.xlsx")
    sheet = openpyxl.load_workbook(months / "answers.xlsx").active
    kinds = {cell.value: sheet.cell(2, cell.column) for cell in sheet[1]}
    assert (kinds["nr"].data_type, kinds["datum"].data_type) == ("s", "s")
    assert (kinds["menge"].data_type, kinds["confidence"].data_type) == ("n", "n")
    assert kinds["tag"].is_date
    assert kinds["tag"].number_format == "yyyy-mm-dd"
    letter = kinds["confidence"].column_letter
    assert [str(each.sqref) for each in sheet.conditional_formatting] == [f"{letter}2:{letter}201"]
    assert sheet.freeze_panes == "A2"
    assert sheet["A1"].font.bold
    answers = (months / "answers.xlsx").read_bytes()
    assert answers[:2] == b"PK"


def test_a_folder_of_letters_is_one_table(months, works, fails):
    works("fit may.csv -m CNB -o model.hb")
    (months / "letters").mkdir()
    for n in range(3):
        (months / "letters" / f"{n}.txt").write_text(f"My parcel\nis late {n}.\n")
    works("predict model.hb letters -o answers.csv")
    found = read_table(months / "answers.csv")
    assert found["file"].tolist() == ["0.txt", "1.txt", "2.txt"]
    assert found["text"].iloc[0] == "My parcel\nis late 0.\n"
    assert set(found["label"]) == {"delivery"}
    (months / "letters" / "more.csv").write_text("text\nlate\n")
    assert "need a folder" in fails("predict model.hb letters -o answers.csv")


def test_the_project_beside_a_table_is_named(months, works, run, fails):
    texts = read_table(months / "june.csv")["text"].tolist()
    with Project.create(months / "june.hbproject", texts) as project:
        import_labels(project, ["a", "b"] * 5 + [None] * 190)
    for command in ("fit june.csv -o m.hb", "compare june.csv", "simulate june.csv"):
        told = fails(command)
        assert "june.hbproject has labels. Use it instead of the table" in told
    assert "june.hbproject is. Name it instead." in run("evaluate june.csv").stderr
    (months / "june.hbproject").rename(months / "may.hbproject")
    others = "The labels of the column 'label' are used, not those of may.hbproject."
    assert others in run("fit may.csv -m CNB -o m.hb").stderr  # imported from another tool
    with Project.open(months / "may.hbproject") as project:
        project.change_settings(label="label")  # all are labels of this column
        assert "hbproject" not in run("fit may.csv -m CNB -o m.hb").stderr
        project.label(20, 1)
    assert others in run("fit may.csv -m CNB -o m.hb").stderr
    assert works("fit may.hbproject -m CNB -o m.hb").startswith("CNB learned 2 classes")


def test_a_missing_column_of_labels_is_sought_in_the_table(tmp_path, works, fails):
    rows = [[f"My parcel is late {n}", "delivery"] for n in range(8)]
    rows += [[f"Charged twice {n}", "billing"] for n in range(8)]
    write_table(make_frame(rows, ["text", "queue"]), tmp_path / "mail.csv")
    works("fit mail.csv --label queue -m CNB -o model.hb")
    told = fails("evaluate model.hb mail.csv")
    assert told.endswith("with --label. 'queue' may be the column with the labels.")
    told = fails("fit mail.csv -o model.hb")
    assert "'queue' may be the column with the labels. To learn without labels, name" in told


def test_fill_and_evaluate_know_what_fit_took_as_no_label(tmp_path, works):
    rows = [[f"My parcel is late {n}", "delivery"] for n in range(8)]
    rows += [[f"Charged twice {n}", "Billing" if n else "billing"] for n in range(8)]
    rows += [["Parcel never arrived", "todo"], ["Wrong charge", ""]]
    write_table(make_frame(rows, ["text", "queue"]), tmp_path / "mail.csv")
    options = "--label queue --read 'unlabeled=todo fold-case'"
    works(f"fit mail.csv {options} -m CNB -o model.hb")
    works("predict model.hb mail.csv --fill queue -o out.csv")
    filled = read_table(tmp_path / "out.csv")
    assert filled["queue"].tolist()[-2:] == ["delivery", "Billing"]
    assert filled["source"].tolist() == ["person"] * 16 + ["model"] * 2
    assert filled["queue"].tolist()[:16] == [label for _, label in rows[:16]]
    told = json.loads(works("evaluate model.hb mail.csv --label queue --json"))
    assert {each["class"] for each in told["classes"]} == {"Billing", "delivery"}
    works("predict model.hb mail.csv --fill queue --read unlabeled=delivery -o own.csv")
    assert read_table(tmp_path / "own.csv")["source"].tolist()[:8] == ["model"] * 8


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("fit june.csv -o m.hb", "name the classes with --classes, or label some texts"),
        ("fit june.csv --classes 'a, b' -o m.hb", "Separate classes with ;"),
        ("fit june.csv --text texxt --classes 'a; b' -o m.hb", "Did you mean 'text'"),
    ],
)
def test_hints_lead_somewhere(months, fails, command, message):
    told = fails(command)
    assert message in told
    assert "=" not in told.split("error: ")[1]


def test_fill_knows_missing_labels_in_every_row_of_a_long_table(tmp_path, works):
    rows = [[f"My parcel is late {n}", ["billing", "delivery"][n % 2]] for n in range(5_010)]
    write_table(make_frame(rows[:20], ["text", "label"]), tmp_path / "labeled.csv")
    rows[-1][1] = "NaN"
    write_table(make_frame(rows, ["text", "label"]), tmp_path / "long.csv")
    works("fit labeled.csv -m CNB -o model.hb")
    works("predict model.hb long.csv --fill label -o out.csv")
    filled = read_table(tmp_path / "out.csv")
    assert filled["source"].tolist() == [*["person"] * 5_009, "model"]
    assert set(filled["label"]) == {"billing", "delivery"}
