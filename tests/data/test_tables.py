"""Tables that are read row by row."""

import gzip

import pytest

from honeybayes.data.tables import delimiter_of, has_byte_order_mark, open_table

TEXT = {"text": "body"}


def test_csv_rows_have_their_line_the_required_values_and_all_cells(tmp_path):
    path = tmp_path / "mail.csv"
    path.write_text('id,body,queue\n1,"late\nagain",a\n\n2,charged,b\n,,\n')
    table = open_table(path, {"label": "queue", "text": "body"})
    assert (table.format, table.columns) == ("csv", ["id", "body", "queue"])
    assert [tuple(row) for row in table.rows] == [
        (2, ["a", "late\nagain"], ["1", "late\nagain", "a"]),
        (5, ["b", "charged"], ["2", "charged", "b"]),
    ]
    rows = list(open_table(path, TEXT, keep_blank=True).texts())
    assert rows[2] == ("", ["", "", ""])


def test_json_lines_keep_their_own_fields(tmp_path):
    path = tmp_path / "mail.ndjson"
    path.write_text('{"body": "late", "id": 1}\n\n{"body": 7}\n')
    table = open_table(path, TEXT)
    assert (table.format, table.columns) == ("json-lines", [])
    assert list(table.texts()) == [("late", {"body": "late", "id": 1}), ("7", {"body": 7})]


@pytest.mark.parametrize("value", ["null", "1.5", "true", '["late"]'])
def test_a_text_must_be_a_string(tmp_path, value):
    path = tmp_path / "mail.jsonl"
    path.write_text(f'{{"body": {value}}}\n')
    with pytest.raises(ValueError, match=r"line 1, column 'body': a text must be .* with text="):
        list(open_table(path, TEXT).texts())


def test_lines_are_texts(tmp_path):
    path = tmp_path / "mail.txt.gz"
    path.write_bytes(gzip.compress(b"late again\r\n\ncharged, twice"))
    table = open_table(path, TEXT)
    assert (table.format, table.columns) == ("lines", ["text"])
    assert [text for text, _ in table.texts()] == ["late again", "", "charged, twice"]


def test_the_format_comes_from_the_ending_or_from_the_caller(tmp_path):
    path = tmp_path / "mail.dat"
    path.write_text("body;n\nlate;1\n")
    assert [*open_table(path, TEXT, format="csv", delimiter=";").texts()] == [
        ("late", ["late", "1"])
    ]
    with pytest.raises(ValueError, match=r"mail.dat: the ending must be one of \.csv.* format="):
        open_table(path, TEXT)
    with pytest.raises(ValueError, match=r"Unknown format 'tsv'. The formats are: csv, json-lines"):
        open_table(path, TEXT, format="tsv")
    (tmp_path / "MAIL.TSV").write_text("body\tn\nlate\t1\n")
    assert open_table(tmp_path / "MAIL.TSV", TEXT).columns == ["body", "n"]
    assert open_table("-", {}).format == "lines"
    assert [delimiter_of(name) for name in ("a.tsv.gz", "a.TAB", "a.csv", "-")] == [*"\t\t,,"]


def test_a_byte_order_mark_is_found(tmp_path):
    for mark in (b"", b"\xef\xbb\xbf"):
        (tmp_path / "mail.csv").write_bytes(mark + b"body\nlate\n")
        assert has_byte_order_mark(tmp_path / "mail.csv") == bool(mark)
        assert open_table(tmp_path / "mail.csv", TEXT).columns == ["body"]
    assert not has_byte_order_mark("-")
