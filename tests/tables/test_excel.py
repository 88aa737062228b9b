"""Excel workbooks, written by openpyxl."""

import datetime
import gzip
import io
import sys
from zipfile import ZIP_DEFLATED, ZipFile

import pandas
import pytest

from honeybayes.tables import open_table, read_corpus, read_table

openpyxl = pytest.importorskip("openpyxl", reason="needs openpyxl (extra: excel)")


@pytest.fixture
def path(tmp_path):
    book = openpyxl.Workbook()
    first, second = book.active, book.create_sheet("Old mail")
    first.append([])
    first.append(["id", "body", " queue ", None, "sent", None])
    first.append([1, "Late, again", "delivery", None, datetime.datetime(2024, 5, 1)])
    first.append([None] * 5)
    first.append([2.0, "two\nlines", "billing", "x", datetime.datetime(2024, 5, 1, 12, 30)])
    first.append([2.5, None, "billing", True, None, "a note beside the table"])
    second.append(["body", "queue"])
    second.append([7, "delivery"])
    book.save(tmp_path / "mail.xlsx")
    return tmp_path / "mail.xlsx"


def test_cells_come_back_as_texts(path):
    table = open_table(path, {"text": "body"})
    assert (table.format, table.columns) == ("excel", ["id", "body", "queue", "", "sent"])
    [frame] = table.frames
    assert (frame.index.name, frame.index.tolist()) == ("row", [3, 5, 6])
    assert frame.to_numpy().tolist() == [
        ["1", "Late, again", "delivery", "", "2024-05-01"],
        ["2", "two\nlines", "billing", "x", "2024-05-01 12:30:00"],
        ["2.5", "", "billing", "TRUE", ""],
    ]


def test_a_workbook_is_a_corpus(path):
    corpus = read_corpus(path, text="body", label="queue", keep_blank=True)
    assert (corpus.name, corpus.documents) == ("mail", ["Late, again", "two\nlines", ""])
    assert corpus.labels.tolist() == ["delivery", "billing", "billing"]
    assert read_corpus(path, "body", "queue", sheet="Old mail").documents == ["7"]
    assert read_corpus(path, ["id", "body"], "queue").documents[0] == "1\n\nLate, again"


def test_ids_keep_the_zeros_that_their_number_format_shows(tmp_path):
    book = openpyxl.Workbook()
    book.active.append(["id", "n"])
    for value in (54, 54.0, 1234567, 0.5, -7, "x"):
        book.active.append([value, value])
    for [cell] in book.active["A2:A7"]:
        cell.number_format = "00000"
    book.save(tmp_path / "mail.xlsx")
    frame = read_table(tmp_path / "mail.xlsx")
    assert frame["id"].tolist() == ["00054", "00054", "1234567", "0.5", "-7", "x"]
    assert frame["n"].tolist() == ["54", "54", "1234567", "0.5", "-7", "x"]


def test_it_agrees_with_pandas(path):
    frame = pandas.read_excel(path, sheet_name="Old mail", dtype=str)
    corpus = read_corpus(path, "body", "queue", sheet="Old mail")
    assert corpus.documents == frame["body"].tolist()
    assert corpus.labels.tolist() == frame["queue"].tolist()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sheet": "Old mial"}, r"no sheet 'Old mial'. The sheets are: 'Sheet', 'Old mail'. Did"),
        ({"text": "boby"}, r"mail.xlsx, row 2: there is no column 'boby'.* Did you mean 'body'"),
        ({"label": "sent"}, r"row 6, column 'sent': the label is empty. Fill it in, or remove the"),
        ({"delimiter": ";"}, r"is read as 'excel', where `delimiter` has no meaning"),
    ],
)
def test_errors_name_the_row_and_the_column(path, options, message):
    with pytest.raises(ValueError, match=message):
        read_corpus(path, **{"text": "body", "label": "queue", **options})


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"PK\x03\x04 more", "cannot be read as a workbook: .* save the sheet as CSV"),
        (b"\xd0\xcf\x11\xe0 more", "is not .xlsx. It looks like an old Excel workbook: save the"),
        (b"text,label\nx,y\n", "cannot be read as a workbook"),
        (gzip.compress(b"x", mtime=0), "is not .xlsx. It looks like a gzip file"),
        (b"", "is empty"),
    ],
)
def test_a_broken_workbook_is_refused(tmp_path, content, message):
    (tmp_path / "mail.xlsx").write_bytes(content)
    with pytest.raises(ValueError, match=message):
        read_corpus(tmp_path / "mail.xlsx")


def test_an_empty_sheet_has_no_columns(tmp_path):
    openpyxl.Workbook().save(tmp_path / "mail.xlsx")
    with pytest.raises(ValueError, match=r"there is no column 'text'. The columns are: none"):
        read_corpus(tmp_path / "mail.xlsx")


def test_other_files_have_no_sheets(tmp_path):
    (tmp_path / "mail.csv").write_text("text,label\nx,y\n")
    with pytest.raises(ValueError, match="is read as 'csv', where `sheet` has no meaning"):
        open_table(tmp_path / "mail.csv", {"text": "text"}, sheet="Mail")


def test_a_workbook_from_standard_input(path, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
    frame = read_table("-", format="excel")
    assert frame["body"].tolist() == ["Late, again", "two\nlines", ""]


def test_only_the_parts_that_a_table_needs_are_unpacked(tmp_path, monkeypatch):
    book = openpyxl.Workbook()
    for row in (["text", "label"], ["Late again", "delivery"], ["Charged twice", "billing"]):
        book.active.append(row)
    book.save(tmp_path / "mail.xlsx")
    bad = ("docProps/core.xml", "docProps/custom.xml", "xl/theme/theme1.xml", "xl/media/1.png")
    with (
        ZipFile(tmp_path / "mail.xlsx") as whole,
        ZipFile(tmp_path / "bad.xlsx", "w", ZIP_DEFLATED) as other,
    ):
        for name in {*whole.namelist(), *bad}:
            content = b"\0" * 5_000_000 if name in bad else whole.read(name)
            other.writestr(name, content)
    monkeypatch.setattr("honeybayes.tables._files.FREE", 1_000_000)
    assert read_corpus(tmp_path / "bad.xlsx").documents == ["Late again", "Charged twice"]
    monkeypatch.setattr("honeybayes.tables._files.FREE", 100)
    monkeypatch.setattr("honeybayes.tables._files.GROWTH", 0.01)
    with pytest.raises(ValueError, match=r"^\S+bad.xlsx has more than 0.01 times its own size"):
        read_corpus(tmp_path / "bad.xlsx")


def changed(path, part, old, new):
    """Replace bytes in a part of a workbook."""
    with ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    assert old in parts[part]
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content.replace(old, new) if name == part else content)


@pytest.mark.parametrize(
    ("part", "old", "new"),
    [
        ("xl/worksheets/sheet1.xml", b' s="1"', b' s="999"'),
        ("xl/styles.xml", b'formatCode="00000"', b'formatCode="' + b"0" * 99_999 + b'"'),
    ],
    ids=["no such style", "very many zeros"],
)
def test_a_number_format_that_makes_no_sense_changes_no_number(tmp_path, part, old, new):
    book = openpyxl.Workbook()
    book.active.append(["id"])
    book.active.append([54])
    book.active["A2"].number_format = "00000"
    book.save(path := tmp_path / "mail.xlsx")
    changed(path, part, old, new)
    assert read_table(path)["id"].tolist() == ["54"]


def test_an_empty_name_of_a_sheet_is_told(path):
    with pytest.raises(ValueError, match=r"there is no sheet ''\. The sheets are: 'Sheet', 'Old"):
        read_table(path, sheet="")
