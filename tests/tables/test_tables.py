"""Tables that are read and written, whole and in frames."""

import gzip
import json
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeybayes.tables import (
    delimiter_of,
    frame_rows,
    make_frame,
    open_table,
    open_writer,
    read_table,
    read_texts,
    write_table,
)

TEXT = {"text": "body"}
CELLS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=8)
ROWS = st.lists(
    st.lists(CELLS, min_size=2, max_size=2).filter(lambda row: any(map(str.strip, row)))
)


def test_csv_rows_have_their_line_and_all_cells(tmp_path):
    path = tmp_path / "mail.csv"
    path.write_text('id,body,queue\n1,"late\nagain",a\n\n02,NA,b\n,,\n')
    frame = read_table(path, required={"label": "queue", "text": "body"})
    assert (frame.index.name, frame.index.tolist()) == ("line", [2, 5])
    assert frame.to_dict("list") == {
        "id": ["1", "02"],
        "body": ["late\nagain", "NA"],
        "queue": ["a", "b"],
    }
    assert read_table(path, required=TEXT, keep_blank=True).iloc[2].tolist() == ["", "", ""]


def test_rows_come_in_frames_with_their_lines(tmp_path):
    path = tmp_path / "mail.csv"
    path.write_text("id,body\n" + "".join(f"{n:05},text\n\n" for n in range(4500)))
    frames = list(open_table(path, TEXT).frames)
    assert len(frames) > 1
    assert [line for frame in frames for line in frame.index] == list(range(2, 9002, 2))
    assert pd.concat(frames).equals(read_table(path))


def test_json_lines_keep_their_own_fields(tmp_path):
    path = tmp_path / "mail.ndjson"
    objects = [{"body": "late", "id": 1}, {"body": 7, "x": None}, {"body": "NaN", "y": [1, {}]}]
    path.write_text("\n\n".join(map(json.dumps, objects)))
    table = open_table(path, TEXT)
    assert (table.format, table.columns) == ("json-lines", [])
    [frame] = table.frames
    assert frame_rows(frame) == objects
    assert frame.index.tolist() == [1, 3, 5]
    assert read_texts(frame, "body", path) == ["late", "7", "NaN"]
    write_table(frame, tmp_path / "again.jsonl")
    again = (tmp_path / "again.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in again] == objects


def test_a_list_of_json_objects(tmp_path):
    path = tmp_path / "mail.json.gz"
    path.write_bytes(gzip.compress(b'[{"body": "late"},\n {"body": "lost", "id": "007"}]'))
    frame = read_table(path, required=TEXT)
    assert frame_rows(frame) == [{"body": "late"}, {"body": "lost", "id": "007"}]


@pytest.mark.parametrize("value", ["1.5", "true", '["late"]'])
def test_a_text_must_be_a_string(tmp_path, value):
    path = tmp_path / "mail.jsonl"
    path.write_text(f'{{"body": {value}}}\n')
    with pytest.raises(ValueError, match=r"line 1, column 'body': a text must be .* with text="):
        read_texts(read_table(path), "body", path)


def test_lines_are_texts(tmp_path):
    path = tmp_path / "mail.txt.gz"
    path.write_bytes(gzip.compress(b"late again\r\n\ncharged, twice"))
    table = open_table(path, TEXT)
    assert (table.format, table.columns) == ("lines", ["text"])
    assert next(table.frames)["text"].tolist() == ["late again", "", "charged, twice"]


def test_the_format_comes_from_the_ending_or_from_the_caller(tmp_path):
    path = tmp_path / "mail.dat"
    path.write_text("body;n\nlate;1\n")
    frame = read_table(path, required=TEXT, format="csv", delimiter=";")
    assert frame.to_numpy().tolist() == [["late", "1"]]
    with pytest.raises(
        ValueError, match=r"mail.dat: the ending .* unknown. The endings are \.csv.* `format`"
    ):
        open_table(path, TEXT)
    with pytest.raises(ValueError, match=r"Unknown format 'tsv'. The formats are: csv, json-lines"):
        open_table(path, TEXT, format="tsv")
    (tmp_path / "MAIL.TSV").write_text("body\tn\nlate\t1\n")
    assert open_table(tmp_path / "MAIL.TSV", TEXT).columns == ["body", "n"]
    assert [delimiter_of(name) for name in ("a.tsv.gz", "a.TAB", "a.csv", "-")] == [*"\t\t,,"]


def test_a_byte_order_mark_is_found(tmp_path):
    for mark in (b"", b"\xef\xbb\xbf"):
        (tmp_path / "mail.csv").write_bytes(mark + b"body\nlate\n")
        table = open_table(tmp_path / "mail.csv", TEXT)
        assert (table.has_mark, table.columns) == (bool(mark), ["body"])


@pytest.mark.parametrize("name", ["a.csv", "a.tsv.gz", "a.jsonl", "a.parquet"])
@given(rows=ROWS)
def test_what_is_written_is_read_again(tmp_path_factory, name, rows):
    path = tmp_path_factory.mktemp("tables") / name
    frame = make_frame(rows, ["id", "say \"hi\", 'you'"])
    write_table(frame, path)
    if not rows and name == "a.jsonl":
        assert path.read_bytes() == b""
        return
    found = read_table(path)
    assert list(found.columns) == list(frame.columns)
    assert found.to_numpy().tolist() == rows


def test_excel_is_written_without_formulas(tmp_path):
    pytest.importorskip("openpyxl", reason="needs openpyxl")
    path = tmp_path / "mail.xlsx"
    write_table(make_frame([["007", "=1+1", 0.5], ["8", None, 2]], ["id", "text", "n"]), path)
    assert read_table(path).to_numpy().tolist() == [["007", "=1+1", "0.5"], ["8", "", "2"]]
    for cell in ("x" * 40_000, "a\x01b", "\uffff"):
        with pytest.raises(ValueError, match=r"Excel .* Write a \.csv file"):
            write_table(make_frame([[cell]], ["text"]), path)


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["1", "-20"], "n"),
        (["0.5", "-1.25"], "n"),
        (["2026-05-01", "1900-03-01"], "d"),
        (["2026-05-01 09:05:00", "2026-05-01 10:00:00"], "d"),
        (["1.5", "inf"], "s"),
        (["-0.0", "1.0"], "s"),
        (["1e+20", "1e-07"], "s"),
        (["1899-12-31", "1850-01-01"], "s"),
        (["1234567890123456", "1"], "s"),
        ([12345678901234567, float("inf")], "s"),
        ([pd.Timestamp("2026-05-01 10:00", tz="UTC"), "x"], "s"),
    ],
)
def test_excel_shows_every_cell_as_it_was(tmp_path, cells, kind):
    openpyxl = pytest.importorskip("openpyxl", reason="needs openpyxl")
    path = tmp_path / "mail.xlsx"
    write_table(pd.DataFrame({"a": pd.Series(cells, dtype=object)}), path)
    assert read_table(path)["a"].tolist() == [*map(str, cells)]
    written = [row[0] for row in openpyxl.load_workbook(path).active.iter_rows(min_row=2)]
    assert [cell.data_type for cell in written] == [kind] * 2
    if kind == "d":
        shown = {10: "yyyy-mm-dd", 19: "yyyy-mm-dd hh:mm:ss"}[len(cells[0])]
        assert {cell.number_format for cell in written} == {shown}


def test_excel_has_a_last_row_and_a_last_column(tmp_path, monkeypatch):
    pytest.importorskip("openpyxl", reason="needs openpyxl")
    monkeypatch.setattr("honeybayes.tables._write.MOST_ROWS", 4)
    path = tmp_path / "mail.xlsx"
    write_table(make_frame([["x"]] * 3, ["text"]), path)
    for rows, names in (([["x"]] * 4, ["text"]), ([], [f"c{n}" for n in range(2**14 + 1)])):
        with pytest.raises(ValueError, match="Excel holds at most 3 rows and 16,384 columns"):
            write_table(make_frame(rows, names), path)
    assert len(read_table(path)) == 3


def test_cells_that_are_formulas_can_be_made_plain(tmp_path):
    path = tmp_path / "mail.csv"
    rows = [["=1+1", "-1.5"], ["@x", "late"]]
    write_table(make_frame(rows, ["+a", "b"]), path, plain_cells=True)
    assert path.read_text() == "'+a,b\n'=1+1,-1.5\n'@x,late\n"


def test_missing_values_are_empty_cells_or_null(tmp_path):
    missing = [pd.NA, float("nan"), pd.NaT, None, np.float32("nan")]
    frame = make_frame([[1, cell, "a"] for cell in missing], ["n", "cell", "text"])
    frame["typed"] = pd.array([5, None, None, None, None], dtype="Int64")
    frame["date"] = pd.to_datetime(["2026-05-01", None, None, None, None])
    frame["number"] = [0.5, *[float("nan")] * 4]
    for ending, delimiter in ((".csv", ","), (".tsv", "\t")):
        write_table(frame, tmp_path / f"a{ending}")
        lines = (tmp_path / f"a{ending}").read_text(encoding="utf-8").splitlines()
        assert lines[1].split(delimiter) == ["1", "", "a", "5", "2026-05-01 00:00:00", "0.5"]
        assert {*lines[2:]} == {delimiter.join(["1", "", "a", "", "", ""])}
    write_table(frame, tmp_path / "a.jsonl")
    lines = (tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines()
    first, *others = map(json.loads, lines)
    of_date = {"date": "2026-05-01 00:00:00", "number": 0.5}
    assert first == {"n": 1, "text": "a", "typed": 5, **of_date}
    for row in others:
        assert row == {"n": 1, "cell": None, "text": "a", "date": None, "number": None}


def test_numbers_that_json_cannot_hold_are_null(tmp_path):
    cells = [[1.5, float("nan")], {"a": float("inf")}]
    write_table(make_frame([cells], ["list", "object"]), tmp_path / "a.jsonl")
    assert json.loads((tmp_path / "a.jsonl").read_text(), parse_constant=pytest.fail) == {
        "list": [1.5, None],
        "object": {"a": None},
    }


def test_dates_are_written_to_excel(tmp_path):
    pytest.importorskip("openpyxl", reason="needs openpyxl")
    frame = pd.DataFrame({"text": ["late"], "sent": pd.to_datetime(["2026-05-01 12:30"])})
    write_table(frame, tmp_path / "mail.xlsx")
    assert read_table(tmp_path / "mail.xlsx")["sent"].tolist() == ["2026-05-01 12:30:00"]


@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.parquet", "a.xlsx"])
def test_later_frames_are_written_by_the_names_of_their_columns(tmp_path, name):
    if name in ("a.parquet", "a.xlsx"):
        pytest.importorskip({"a.parquet": "pyarrow", "a.xlsx": "openpyxl"}[name])
    path = tmp_path / name
    with open_writer(path) as write:
        write(make_frame([["late", "x"]], ["text", "label"]))
        write(make_frame([["y", "lost"]], ["label", "text"]))
    assert read_table(path).to_numpy().tolist() == [["late", "x"], ["lost", "y"]]
    frames = [make_frame([["late", "x"]], ["text", name]) for name in ("label", "queue")]
    with open_writer(tmp_path / f"other-{name}") as write:
        write(frames[0])
        with pytest.raises(ValueError, match=r"missing are \['label'\], too many are \['queue'\]"):
            write(frames[1])


def test_the_types_of_the_old_table_are_kept_unless_numbers_are_named(tmp_path):
    """Finding: a column "confidence" with texts could not be written again."""
    pytest.importorskip("pyarrow")
    frame = pd.DataFrame({"text": ["late", "lost"], "confidence": ["high", "low"]})
    write_table(frame, tmp_path / "old.parquet")
    like = open_table(tmp_path / "old.parquet")
    write_table(frame, tmp_path / "new.parquet", like=like)
    assert read_table(tmp_path / "new.parquet")["confidence"].tolist() == ["high", "low"]
    frame["confidence"] = [0.5, 1.0]
    write_table(frame, tmp_path / "new.parquet", like=like, numbers=["confidence"])
    assert read_table(tmp_path / "new.parquet")["confidence"].tolist() == [0.5, 1.0]


def test_a_delimiter_that_is_given_wins_over_the_old_one(tmp_path):
    (tmp_path / "old.csv").write_text("text;label\nlate;a\n")
    like = open_table(tmp_path / "old.csv")
    frame = make_frame([["late", "a"]], ["text", "label"])
    for delimiter, expected in ((None, "text;label"), ("|", "text|label")):
        write_table(frame, tmp_path / "new.csv", like=like, delimiter=delimiter)
        assert (tmp_path / "new.csv").read_text("utf-8-sig").startswith(expected)


def test_a_file_that_fails_half_way_is_not_there(tmp_path):
    def fail():
        with open_writer(tmp_path / "mail.csv") as write:
            write(make_frame([["late"]], ["text"]))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert not list(tmp_path.iterdir())
    with pytest.raises(ValueError, match=r"mail\.doc: the ending .* \.csv"):
        write_table(make_frame([["late"]], ["text"]), tmp_path / "mail.doc")


def test_numbers_of_parquet_may_be_missing_in_later_frames(tmp_path):
    pytest.importorskip("pyarrow", reason="needs pyarrow (extra: parquet)")
    with open_writer(tmp_path / "n.parquet") as write:
        write(pd.DataFrame({"n": [1.5]}))
        write(pd.DataFrame({"n": [pd.NA, "", None, 2.0]}, dtype=object))
    assert read_table(tmp_path / "n.parquet")["n"].tolist() == [1.5, None, None, None, 2.0]


def test_every_missing_value_is_null_in_json(tmp_path):
    cells = [
        Decimal("NaN"),
        np.datetime64("NaT"),
        np.timedelta64("NaT", "s"),
        pd.NaT,
        np.float32("nan"),
    ]
    write_table(pd.DataFrame({"n": [*cells, Decimal("1.5")]}, dtype=object), tmp_path / "n.jsonl")
    lines = (tmp_path / "n.jsonl").read_text().splitlines()
    assert [json.loads(line)["n"] for line in lines] == [None] * 5 + ["1.5"]


def test_a_frame_without_columns_is_written(tmp_path):
    write_table(pd.DataFrame(index=[0, 1]), tmp_path / "none.csv")
    assert (tmp_path / "none.csv").read_text() == "\n\n\n"
