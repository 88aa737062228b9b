"""Small files with large effects: each is refused, or read with little memory.

Each file is read in a process of its own, with the limits of `benchmarks.fuzz_tables`.
"""

import gzip
import io
from os import SEEK_END
from zipfile import ZIP_DEFLATED, ZipFile

import openpyxl
import pyarrow as pa
import pytest
from pyarrow import parquet

from honeybayes.tables import _parquet, read_corpus, read_table

pytest.importorskip("resource", reason="memory limits need POSIX")

from benchmarks.fuzz_files import in_a_process
from benchmarks.fuzz_tables import read

HEAD = b"text,label\n"
GROWN = "has more than 100 times its own size when it is unpacked"
MILLION = 2**20


def packed(*pieces):
    buffer = io.BytesIO()
    with gzip.GzipFile(fileobj=buffer, mode="wb") as file:
        for piece, n in pieces:
            for _ in range(n):
                file.write(piece)
    return buffer.getvalue()


def in_parquet(**columns):
    buffer = io.BytesIO()
    parquet.write_table(pa.table(columns), buffer, compression="zstd")
    return buffer.getvalue()


def understated(**columns):
    """Return Parquet whose description says that the first column has one byte, unlike its page."""
    content = in_parquet(**columns)
    chunk = parquet.read_metadata(io.BytesIO(content)).row_group(0).column(0)
    size, pieces = 2 * chunk.total_uncompressed_size, []
    while size:  # an integer has seven bits per byte, and may have zeros at its end
        pieces, size = [*pieces, size & 127 | 128], size >> 7
    pieces[-1] &= 127
    before, _, after = content.rpartition(bytes(pieces))
    content = before + bytes([2 | 128, *[128] * (len(pieces) - 2), 0]) + after
    chunk = parquet.read_metadata(io.BytesIO(content)).row_group(0).column(0)
    assert chunk.total_uncompressed_size == 1
    return content


def in_excel(*rows, before=""):
    """Return a workbook whose sheet is written by hand: rows of cells by their names."""
    written = io.BytesIO()
    openpyxl.Workbook().save(written)
    sheet = "".join(
        f'<row r="{next(iter(row)).lstrip("ABFDX")}">'
        + "".join(
            f'<c r="{name}" t="inlineStr"><is><t>{text}</t></is></c>' for name, text in row.items()
        )
        + "</row>"
        for row in rows
    )
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    whole = f'<worksheet xmlns="{space}">{before}<sheetData>{sheet}</sheetData></worksheet>'
    buffer = io.BytesIO()
    with ZipFile(written) as old, ZipFile(buffer, "w", ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, whole if "sheet1" in name else old.read(name))
    return buffer.getvalue()


def in_ods(rows):
    spaces = "".join(
        f' xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "table", "text")
    )
    whole = f'<a{spaces}><table:table table:name="A">{rows}</table:table></a>'
    buffer = io.BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
        archive.writestr("content.xml", whole)
    return buffer.getvalue()


def ods_row(*cells, repeated=1):
    row = "".join(cells)
    return f'<table:table-row table:number-rows-repeated="{repeated}">{row}</table:table-row>'


def ods_cell(text, repeated=1):
    return (
        f'<table:table-cell table:number-columns-repeated="{repeated}"><text:p>{text}</text:p>'
        "</table:table-cell>"
    )


ARFF = b"@relation r\n@attribute w numeric\n@attribute c {a,b}\n@data\n"
NAMES = {"A1": "text", "B1": "label"}
LAST = {"A1048576": "late", "B1048576": "delivery", "XFD1048576": "x"}
ODS_HEAD = ods_row(ods_cell("text"), ods_cell("label"))
BOMBS = {
    "a quote without an end": (
        "a.csv.gz",
        lambda: packed((HEAD + b'"', 1), (b"x" * 999 + b"\n", 10**5)),
        GROWN,
    ),
    "a long cell": ("a.csv.gz", lambda: packed((HEAD, 1), (b"x" * MILLION, 40)), GROWN),
    "many long cells": (
        "a.csv.gz",
        lambda: packed((HEAD, 1), (b"x" * MILLION + b",a\n", 40)),
        GROWN,
    ),
    "many cells": ("a.csv.gz", lambda: packed((HEAD, 1), (b"," * MILLION, 60)), GROWN),
    "many columns": (
        "a.csv",
        lambda: b"text,label" + b"," * 10**6 + b"\n",
        "more than 16384 columns",
    ),
    "line feeds in UTF-16": (
        "a.csv.gz",
        lambda: packed(
            ("\ufeff".encode("utf-16-le"), 1), ("\u0a0a".encode("utf-16-le") * MILLION, 50)
        ),
        GROWN,
    ),
    "a line of line feeds in UTF-16": (
        "a.csv",
        lambda: ("\ufeff" + "\u0a0a" * 4 * MILLION).encode("utf-16-le"),
        "there is no column 'text'",
    ),
    "lists": ("a.json", lambda: b"[" + b"[]," * 4 * MILLION + b"0]", "too many for a table"),
    "packed lists": ("a.json.gz", lambda: packed((b"[", 1), (b"[]," * MILLION, 60)), GROWN),
    "a line of lists": (
        "a.jsonl",
        lambda: b'{"a":[' + b"[]," * 4 * MILLION + b"0]}",
        "too many for a table",
    ),
    "fields": (
        "a.jsonl",
        lambda: b"".join(b'{"text":"x","label":"a","%d":1}\n' % at for at in range(5000)),
        "more than 4096 different fields",
    ),
    "empty values of Parquet": (
        "a.parquet",
        lambda: in_parquet(text=pa.nulls(10**7, pa.string()), label=pa.nulls(10**7, pa.string())),
        GROWN,
    ),
    "one long text of Parquet": (
        "a.parquet",
        lambda: in_parquet(text=["x" * 100 * MILLION], label=["a"]),
        GROWN,
    ),
    "a long text of Parquet whose size is hidden": (
        "a.parquet",
        lambda: understated(text=["x" * 100 * MILLION], label=["a"]),
        GROWN,
    ),
    "a list of Parquet": (
        "a.parquet",
        lambda: in_parquet(
            text=["x"], label=["a"], more=pa.array([[None] * 10**7], pa.list_(pa.int8()))
        ),
        GROWN,
    ),
    "a repeated text in lists of Parquet": (
        "a.parquet",
        lambda: in_parquet(text=["x"] * 300, label=["a"] * 300, more=[["x" * MILLION]] * 300),
        GROWN,
    ),
    "a repeated text in maps of Parquet": (
        "a.parquet",
        lambda: in_parquet(
            text=["x"] * 300,
            label=["a"] * 300,
            more=pa.array([[("x" * MILLION, "x")]] * 300, pa.map_(pa.string(), pa.string())),
        ),
        GROWN,
    ),
    "a repeated value of fixed length of Parquet": (
        "a.parquet",
        lambda: in_parquet(
            text=["x"] * 5000,
            label=["a"] * 5000,
            more=pa.array([b"x" * 10**5] * 5000, pa.binary(10**5)),
        ),
        GROWN,
    ),
    "objects of Parquet": (
        "a.parquet",
        lambda: in_parquet(text=["x"] * 10**6, label=["a"] * 10**6, more=[{"a": 1}] * 10**6),
        GROWN,
    ),
    "repeated long bytes of Parquet": (
        "a.parquet",
        lambda: in_parquet(text=["x"] * 1000, label=["a"] * 1000, more=[b"x" * MILLION] * 1000),
        "",
    ),
    "repetitive rows of Parquet": (
        "a.parquet",
        lambda: in_parquet(
            **{name: ["a", "b", "c"] * 5 * 10**5 for name in ("text", "label", *"abc")}
        ),
        "",
    ),
    "a row of cells": (
        "a.csv",
        lambda: b"text,label\n" + b"ab," * 5 * MILLION,
        "found 5242881 cell",
    ),
    "a header of cells": ("a.csv", lambda: b"ab," * 5 * MILLION, "more than 16384 columns"),
    "blank lines before the header": ("a.csv", lambda: b"\n" * 2**24 + HEAD, "lines are blank"),
    "blank lines of TSV": ("a.tsv", lambda: b"text\tlabel\n" + b"\n" * 2**22 + b"a\tb\n", ""),
    "blank lines of JSON": (
        "a.jsonl",
        lambda: b'{"text": "a", "label": "b"}\n' + b"\n" * 2**22,
        "",
    ),
    "a repeated text of Parquet": (
        "a.parquet",
        lambda: in_parquet(text=["x" * MILLION] * 1000, label=["a"] * 1000),
        "",
    ),
    "a row number": ("a.xlsx", lambda: in_excel(NAMES, {"A9999999999": "late"}), "no documents"),
    "the last cell of a sheet": ("a.xlsx", lambda: in_excel(NAMES, LAST), ""),
    "a sheet that says that it is full": (
        "a.xlsx",
        lambda: in_excel(NAMES, LAST, before='<dimension ref="A1:XFD1048576"/>'),
        "",
    ),
    "wide rows": (
        "a.xlsx",
        lambda: in_excel(NAMES, *({f"A{at}": "x", f"XFD{at}": "x"} for at in range(2, 5000))),
        GROWN,
    ),
    "a repeated cell": (
        "a.ods",
        lambda: in_ods(ODS_HEAD + ods_row(ods_cell("x", 10**9))),
        "16384 cells",
    ),
    "a repeated row": (
        "a.ods",
        lambda: in_ods(ODS_HEAD + ods_row(ods_cell("x"), repeated=10**9)),
        "rows",
    ),
    "a field of repeated cells": (
        "a.ods",
        lambda: in_ods(ODS_HEAD + ods_row(ods_cell("x", 10**4), repeated=10**6)),
        GROWN,
    ),
    "a cell that is repeated less than once": (
        "a.ods",
        lambda: in_ods(ODS_HEAD + ods_row(ods_cell("x", -5), ods_cell("y"))),
        "number-columns-repeated is -5",
    ),
    "a row that is repeated less than once": (
        "a.ods",
        lambda: in_ods(ODS_HEAD + ods_row(ods_cell("x"), repeated=0)),
        "number-rows-repeated is 0",
    ),
    "two sheets with one name": (
        "a.ods",
        lambda: in_ods(ODS_HEAD + '</table:table><table:table table:name="A">' + ODS_HEAD),
        "several sheets have the same name",
    ),
    "rows of ARFF": (
        "a.arff",
        lambda: ARFF + b"{0 1}\n" * 1_100_000,
        "has more than 1048576 lines",
    ),
    "comments of ARFF": ("a.arff", lambda: b"%\n" * 2**19 + ARFF + b"{0 1}\n", ""),
    "blank lines of ARFF": ("a.arff", lambda: ARFF + b"\n" * 2**24, "more than 1048576 lines"),
    "a long sparse row of ARFF with a repeated attribute": (
        "a.arff",
        lambda: ARFF + b"{" + b"".join(b"%d 1," % at for at in range(10**5)) + b"99999 1}\n",
        "attribute 99999 occurs twice",
    ),
    "a quote of ARFF without an end": (
        "a.arff",
        lambda: ARFF + b"{0 '" + b"\\x" * 2**20 + b"\n",
        "or characters in a line. Save it as CSV.",
    ),
    "backslashes after a quote of ARFF": (
        "a.arff",
        lambda: ARFF + b"{0 '" + b"\\x" * 40 + b"\n",
        "line 5: not valid ARFF",
    ),
    "sparse rows among dense ones of ARFF": (
        "a.arff",
        lambda: (
            b"@relation r\n"
            + b"".join(b"@attribute a%d numeric\n" % at for at in range(10**5))
            + b"@data\n"
            + b"1," * 99_999
            + b"1\n"
            + b"{0 1}\n" * 10**4
        ),
        GROWN,
    ),
    "rows of svmlight": ("a.svmlight", lambda: b"1\n" * 2**23, ""),
    "a wrong row among many of svmlight": (
        "a.svmlight",
        lambda: b"1\n" * 2**23 + b"x\n" + b"1\n" * 10,
        "line 8388609: could not convert string to float",
    ),
    "a term number": ("a.svmlight", lambda: b"1 1:2\n2 2147483646:1\n", "numbered up to 67108864"),
}


@pytest.mark.process
@pytest.mark.parametrize("bomb", BOMBS)
def test_a_small_file_has_no_large_effect(bomb, tmp_path):
    name, content, told = BOMBS[bomb]
    _, outcome, detail = in_a_process(tmp_path / name, lambda: (bomb, content()), read)
    assert outcome == ("refused" if told else "working"), detail
    assert told in detail


def test_repeated_texts_of_parquet_are_one_object(tmp_path):
    path = tmp_path / "mail.parquet"
    path.write_bytes(in_parquet(text=["late", None, "late"], label=["a", "b", "a"], n=[1, 2, 3]))
    frame = read_table(path)
    assert frame["text"].tolist() == ["late", None, "late"]
    assert frame["text"].iloc[0] is frame["text"].iloc[2]
    assert frame["n"].tolist() == [1, 2, 3]


@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("compression", ["none", "zstd"])
def test_pages_of_parquet_are_all_counted(version, compression, tmp_path):
    path = tmp_path / "mail.parquet"
    columns = {
        "text": [f"text {at}" for at in range(5000)],
        "a.b": ["same"] * 5000,
        "list": [[1, None], [], None, [2, 3, 4]] * 1250,
        "dict": [{"a": 1, "b": [{"c": "x"}]}, None] * 2500,
    }
    parquet.write_table(
        *(pa.table(columns), path, 2000),
        compression=compression,
        data_page_version=version,
        data_page_size=1000,
    )
    metadata = parquet.read_metadata(path)
    claims = [chunk for group in metadata.to_dict()["row_groups"] for chunk in group["columns"]]
    with path.open("rb") as file:
        file.seek(-8 - metadata.serialized_size, SEEK_END)
        groups = _parquet._read_struct(file)[_parquet.GROUPS]
        chunks = [chunk[_parquet.CHUNK] for group in groups for chunk in group[_parquet.CHUNKS]]
        pages = [[*_parquet._read_pages(file, chunk)] for chunk in chunks]
    assert len(pages) == len(claims) == 15
    assert max(map(len, pages)) == 3
    for found, claim in zip(pages, claims, strict=True):
        assert sum(n_values for _, n_values in found) == claim["num_values"]
        # the head of a page, with statistics, counts in the claim
        rest = claim["total_uncompressed_size"] - sum(n_bytes for n_bytes, _ in found)
        assert 10 * len(found) < rest < 100 * len(found)


def test_columns_of_parquet_that_are_not_read_do_not_count(tmp_path):
    path = tmp_path / "mail.parquet"
    path.write_bytes(in_parquet(text=["x"], label=["a"], more=["x" * 20 * MILLION]))
    assert read_corpus(path).documents == ["x"]
    with pytest.raises(ValueError, match=GROWN):
        read_table(path)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("c {", "x y}"),
        ("c {", "a"),
        ("c {", "a}x y"),
        ("c {'y',\"x',", 'a b c"}'),
        ("c {'x',',", "a b'}"),
        ("'c\\' {", "x y}'"),
        ("c {'y\\',", "x y'}"),
    ],
)
@pytest.mark.parametrize("word", ["@attribute", "@ATTR\u0131BUTE"])
def test_values_of_arff_that_are_no_list(word, before, after, tmp_path):
    """liac-arff would try all ways to divide the values."""
    path = tmp_path / "mail.arff"
    path.write_text(f"@relation r\n{word} {before}{'a,' * 40}{after}\n@data\na\n", "utf-8")
    with pytest.raises(ValueError, match=r"line 2: not valid ARFF\. The values of a nominal"):
        read_corpus(path)


@pytest.mark.parametrize(
    "values", ["{a,b}", "{ a , 'b' }", "{a, \"don't\", 'x, y'}", "{'it\\'s', a}", "{a,b }"]
)
def test_values_of_arff_that_are_a_list(values, tmp_path):
    path = tmp_path / "mail.arff"
    path.write_text(f"@relation r\n@attribute 't {{' string\n@attribute c {values}\n@data\nx,a\n")
    assert read_corpus(path, label="c").labels.tolist() == ["a"]


def test_sparse_rows_of_arff_are_not_filled_up_without_end(tmp_path):
    path = tmp_path / "counts.arff"
    names = "".join(f"@attribute a{at} numeric\n" for at in range(5000))
    path.write_text(f"@relation r\n{names}@data\n" + "{0 1}\n" * 2000)
    with pytest.raises(ValueError, match=GROWN):
        read_table(path)
    assert read_corpus(path, label="a0").documents.shape == (2000, 4999)


def test_empty_rows_and_cells_of_a_sheet_may_be_repeated(tmp_path):
    path = tmp_path / "mail.ods"
    nothing, cells = "<table:table-cell/>", ods_cell("late", 2)
    rest = '<table:table-cell table:number-columns-repeated="16380"/>'
    path.write_bytes(
        in_ods(
            ODS_HEAD
            + ods_row(nothing, repeated=3)
            + ods_row(cells, rest, repeated=2)
            + ods_row(rest, repeated=MILLION)
        )
    )
    corpus = read_corpus(path)
    assert corpus.documents == corpus.labels.tolist() == ["late", "late"]
    assert read_table(path).index.tolist() == [5, 6]


def test_values_of_opendocument(tmp_path):
    path = tmp_path / "mail.ods"
    values = [
        'office:value-type="float" office:value="7.0"',
        'office:value-type="boolean" office:boolean-value="true"',
        'office:value-type="date" office:date-value="2024-01-05"',
        'office:value-type="date" office:date-value="2024-01-05T10:30:00"',
        'office:value-type="string" office:string-value="stored"',
    ]
    shown = "<text:p>shown</text:p>"
    cells = [f"<table:table-cell {each}>{shown}</table:table-cell>" for each in values]
    text = 'two<text:s text:c="2"/>parts<office:annotation>no</office:annotation></text:p><text:p>b'
    names = "".join(map(ods_cell, "abcdef"))
    path.write_bytes(in_ods(ods_row(names) + ods_row(*cells, ods_cell(text))))
    expected = ["7", "TRUE", "2024-01-05", "2024-01-05 10:30:00", "stored", "two  parts\nb"]
    assert read_table(path).iloc[0].tolist() == expected
