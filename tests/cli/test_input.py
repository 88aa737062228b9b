"""Tables as they come: delimiters, encodings, several columns, workbooks, empty texts."""

import csv

import pytest

from honeybayes import TextClassifier, save_model

ROWS = [
    ["subject", "body", "queue"],
    ["Päckchen", "My parcel is late", "delivery"],
    ["Hello", "Where is my parcel, please?", "delivery"],
    ["", "The courier lost my parcel", "delivery"],
    ["Charge", "I was charged twice", "billing"],
    ["Hello", "Wrong charge on my card", "billing"],
    ["Charge", "A refund for the double charge", "billing"],
]
T = "--text body --label queue"


def write(path, delimiter=",", encoding="utf-8", rows=ROWS):
    with path.open("w", encoding=encoding, newline="") as file:
        csv.writer(file, delimiter=delimiter).writerows(rows)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    files = tmp_path_factory.mktemp("input")
    write(files / "mail.csv")
    write(files / "semicolons.csv", ";", "cp1252")
    texts, labels = zip(*(row[1:] for row in ROWS[1:]), strict=True)
    save_model(TextClassifier("CNB").fit(texts, labels), files / "model.hb")
    return files


@pytest.mark.parametrize(
    "command",
    [
        f"fit semicolons.csv {T} -m CNB -o own.hb",
        f"evaluate model.hb semicolons.csv {T}",
        f"compare semicolons.csv {T} --models CNB --labels 1 --draws 1",
        "predict model.hb semicolons.csv --text body",
        f"fit semicolons.csv {T} -o own.hb --classes 'billing: charge; delivery: parcel'",
    ],
)
def test_what_was_detected_is_told_once(folder, run, command):
    done = run(command)
    assert (done.returncode, done.stderr) == (
        0,
        "Read semicolons.csv with delimiter ';' and encoding cp1252\n",
    )
    plain = run(command.replace("semicolons", "mail"))
    assert (plain.returncode, plain.stderr) == (0, "")
    expected = plain.stdout.replace(",", ";") if command.startswith("predict") else plain.stdout
    if "please" in expected:  # quoted where the delimiter is a comma
        expected = expected.replace('"Where is my parcel; please?"', "Where is my parcel, please?")
    assert done.stdout == expected


def test_predict_keeps_the_delimiter_that_was_detected(folder, run):
    run("predict model.hb semicolons.csv --text body -o out.csv")
    with (folder / "out.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter=";"))
    assert [row[:3] for row in rows] == ROWS


def test_several_columns_may_be_the_text(folder, works):
    joined = [["text", "label"], *(["\n\n".join(filter(None, r[:2])), r[2]] for r in ROWS[1:])]
    write(folder / "joined.csv", rows=joined)
    works("fit mail.csv --text subject,body --label queue -m CNB -o own.hb")
    works("fit joined.csv -m CNB -o joined.hb")
    answers = works("predict own.hb mail.csv --text subject,body --json").splitlines()
    expected = works("predict joined.hb joined.csv --json --label-column l").splitlines()
    assert [row.split('"confidence": ')[1] for row in answers] == [
        row.split('"confidence": ')[1] for row in expected
    ]


def test_excel_is_read_and_csv_is_written(folder, run, works, fails):
    openpyxl = pytest.importorskip("openpyxl", reason="needs openpyxl (extra: excel)")
    book = openpyxl.Workbook()
    book.active.append(["nothing"])
    sheet = book.create_sheet("Mail")
    for row in ROWS:
        sheet.append(row)
    book.save(folder / "mail.xlsx")
    where = "mail.xlsx --sheet Mail"
    plain = works("predict model.hb mail.csv --text body")
    assert works(f"predict model.hb {where} --text body") == plain
    assert run(f"predict model.hb {where} --text body -o out.csv").returncode == 0
    assert (folder / "out.csv").read_bytes().decode() == plain
    told = fails(f"predict model.hb {where} --text body -o out.xlsx")
    assert ".xlsx files cannot be written" in told
    assert ".csv" in told
    for command in (
        f"fit {{}} {T} -m CNB -o own.hb",
        f"fit {{}} {T} -o own.hb --classes 'billing: charge; delivery: parcel'",
        f"evaluate model.hb {{}} {T}",
        f"compare {{}} {T} --models CNB --labels 1 --draws 1",
    ):
        assert works(command.format(where)) == works(command.format("mail.csv"))
    assert "there is no column 'body'" in fails(f"fit mail.xlsx {T} -o own.hb")
    assert "where --sheet has no meaning" in fails(f"fit mail.csv {T} --sheet Mail -o own.hb")
