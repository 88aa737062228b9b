"""Delimiters, encodings and line ends that nobody named."""

import csv
import io
import logging

import pytest

from honeybayes.tables import open_table, read_corpus, read_table, read_texts

ROWS = [
    ["id", "body", "queue"],
    ["1", "Wo ist mein Päckchen, bitte?", "delivery"],
    ["2", "Zu viel; 5 € zurück | “sofort”", "billing"],
    ["3", "two\nlines\tand a tab", "billing"],
]
COLUMNS = {"text": "body", "label": "queue"}
CP1252 = (
    "encoding cp1252; if letters are wrong, name another with encoding= (--read encoding=gb18030, "
    "cp1254 ... on the command line)"
)


def table(delimiter=",", line_end="\n", rows=ROWS):
    file = io.StringIO()
    csv.writer(file, delimiter=delimiter).writerows(rows)
    return file.getvalue().replace("\r\n", line_end)


@pytest.fixture
def told(caplog):
    caplog.set_level(logging.INFO, "honeybayes.tables")
    return lambda: [record.getMessage() for record in caplog.records]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("delimiter", [*",;\t|"])
@pytest.mark.parametrize("name", ["mail.csv", "mail.tsv"])
def test_what_python_writes_comes_back(tmp_path, told, name, delimiter, encoding, line_end):
    path = tmp_path / name
    path.write_bytes(table(delimiter, line_end).encode(encoding))
    corpus = read_corpus(path, **COLUMNS)
    assert corpus.documents == [row[1] for row in ROWS[1:]]
    assert corpus.labels.tolist() == [row[2] for row in ROWS[1:]]
    usual = delimiter == ("\t" if name == "mail.tsv" else ",")
    expected = [] if usual else [f"delimiter {delimiter!r}"]
    expected += ["encoding utf-16"] if encoding == "utf-16" else []
    expected += [CP1252] if encoding == "cp1252" else []
    assert told() == ([f"Read {path} with {' and '.join(expected)}"] if expected else [])


def test_what_is_given_is_used_and_not_told(tmp_path, told):
    path = tmp_path / "mail.csv"
    path.write_bytes(table(";").encode("cp1252"))
    corpus = read_corpus(path, **COLUMNS, delimiter=";", encoding="cp1252")
    assert corpus.documents[0] == ROWS[1][1]
    assert told() == []
    path.write_bytes(table("|").encode("utf-16"))
    assert read_corpus(path, **COLUMNS, encoding="utf-16").documents == [row[1] for row in ROWS[1:]]


def test_the_usual_delimiter_wins_if_it_separates_the_columns(tmp_path, told):
    path = tmp_path / "mail.csv"
    path.write_text("text,a;b;c\nx;y;z,1;2\n")
    assert open_table(path, {"text": "text"}).columns == ["text", "a;b;c"]
    path.write_text("text\none;two\nthree|four\n")
    assert open_table(path, {"text": "text"}).columns == ["text"]
    assert told() == []


def test_of_two_delimiters_the_one_with_regular_rows_is_used(tmp_path):
    path = tmp_path / "mail.csv"
    path.write_text("x;text;y|text|z\na;b;c|d|e\nf|d;e;|e\n;;||\n")
    assert open_table(path, {"text": "text"}).delimiter in ";|"
    path.write_text("x;text;y|text|z\na|d;|e\nf|d|e\n")
    assert open_table(path, {"text": "text"}).delimiter == "|"


def test_a_header_may_have_line_breaks_and_other_names(tmp_path):
    path = tmp_path / "mail.csv"
    path.write_text('"the\nid";body\n1;late\n')
    opened = open_table(path, {"text": "body"})
    assert (opened.delimiter, opened.columns) == (";", ["the\nid", "body"])
    path.write_text('\n"the\nid",body\n1,late\n')
    assert read_table(path, required={"text": "body"})["body"].tolist() == ["late"]


def test_carriage_returns_in_a_quoted_header_end_no_line(tmp_path):
    path = tmp_path / "mail.csv"
    path.write_bytes(b'"the\rid",text\n1,"late\ragain"\n')
    assert read_table(path, required={"text": "text"})["text"].tolist() == ["late\ragain"]


def test_lines_of_text_are_detected_as_well(tmp_path, told):
    path = tmp_path / "mail.txt"
    for content in ("née\rété".encode("cp1252"), "née\nété".encode("utf-16")):
        path.write_bytes(content)
        assert read_table(path, required={"text": "text"})["text"].tolist() == ["née", "été"]
    assert told() == [f"Read {path} with {name}" for name in (CP1252, "encoding utf-16")]


def test_a_wrong_letter_after_the_head_of_the_file_is_an_error_with_its_line(tmp_path):
    """The encoding is detected from the first bytes only."""
    path = tmp_path / "mail.csv"
    path.write_bytes(b"text,label\n" + b"plain,a\n" * 150_000 + b"caf\xe9,b\n")
    with pytest.raises(ValueError, match=r"line 150002, byte 4: 0xe9 is not valid UTF-8.*cp1252"):
        read_corpus(path)
    assert read_corpus(path, encoding="cp1252").documents[-1] == "café"


@pytest.mark.parametrize("text", [["subject", "body"], "subject,body", "subject, body"])
@pytest.mark.parametrize("name", ["mail.csv", "mail.jsonl", "mail.parquet"])
def test_several_columns_are_joined_with_a_blank_line(tmp_path, name, text):
    pandas = pytest.importorskip("pandas")
    path = tmp_path / name
    frame = pandas.DataFrame(
        {"subject": ["Late", "", "Hi"], "body": ["Again", "Twice", ""], "label": ["a", "b", "b"]}
    )
    if name == "mail.csv":
        frame.to_csv(path, sep=";", index=False)
    elif name == "mail.jsonl":
        frame.to_json(path, orient="records", lines=True)
    else:
        frame.to_parquet(path)
    assert read_corpus(path, text=text).documents == ["Late\n\nAgain", "Twice", "Hi"]


def test_a_column_may_have_a_comma_in_its_name(tmp_path):
    path = tmp_path / "mail.csv"
    path.write_text('"a,b",a,b\n1,2,3\n')
    frame = read_table(path)
    assert read_texts(frame, "a,b", path) == ["1"]
    assert read_texts(frame, ["a", "b"], path) == ["2\n\n3"]


@pytest.mark.parametrize("text", [["subject", "bdy"], "subject,bdy"])
def test_a_missing_column_of_several_is_an_error(tmp_path, text):
    path = tmp_path / "mail.csv"
    path.write_text("subject,body,label\n1,2,3\n")
    with pytest.raises(ValueError, match=r"there is no column '.*bdy'. The columns are: 'subject'"):
        read_corpus(path, text=text)


TITLES = [
    ("Export of June\n\nid;body\n1;late\n2;twice\n", ["id", "body"], 4),
    ("Export; June 2026\nid;body;queue\n1;late;a\n2;twice;b\n", ["id", "body", "queue"], 3),
    ("body;id\nid;1\n", ["body", "id"], 2),  # a cell that looks like a name is no header
]


@pytest.mark.parametrize(("content", "columns", "line"), TITLES)
def test_titles_may_stand_above_the_header(tmp_path, content, columns, line):
    (path := tmp_path / "mail.csv").write_text(content)
    table = open_table(path, {"text": "body"})
    assert table.columns == columns
    assert next(table.frames).index[0] == line
    assert open_table(path).columns == (
        columns if "Export;" not in content else ["Export", "June 2026"]
    )


def test_commas_in_texts_make_no_title(tmp_path):
    rows = [["id", "body"], *([str(n), f"text {n}, please"] for n in range(5))]
    (path := tmp_path / "mail.csv").write_text(table(";", rows=rows))
    assert open_table(path).columns == ["id", "body"]
    assert open_table(path, {"text": "body"}).columns == ["id", "body"]


NOT_TITLES = [
    (",text\n0,hello\n1,world\n", ["", "text"]),  # as pandas writes its index
    (",,text\na,0,hello\nb,1,world\nc,2,new\n", ["", "", "text"]),
    ("text,\nhello,x\n", ["text", ""]),
    ("text,\nhello,x\nworld,y\nnew,z\n", ["text", ""]),
    ("text\nhello, world\nfoo, bar\nnew, old\n", ["text"]),
    (",text,label\n0,label,text\n1,late,a\n", ["", "text", "label"]),
]


@pytest.mark.parametrize(("content", "columns"), NOT_TITLES)
def test_a_header_with_an_empty_cell_is_no_title(tmp_path, content, columns):
    (path := tmp_path / "mail.csv").write_text(content)
    assert open_table(path).columns == columns
    assert open_table(path, {"text": "text"}).columns == columns
    assert open_table(path, delimiter=",").columns == columns


def test_a_cell_is_no_header_below_a_column_without_a_name(tmp_path):
    (path := tmp_path / "mail.csv").write_text(",text\n0,queue\n1,world\n")
    with pytest.raises(ValueError, match=r"line 1: there is no column 'queue'.*'text'"):
        open_table(path, {"label": "queue"})


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_tables_with_the_index_of_pandas_keep_their_header(tmp_path, ending):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"text": ["hello", "world", "new", "old"]})
    path = tmp_path / f"mail.{ending}"
    if ending == "xlsx":
        pytest.importorskip("openpyxl", reason="needs openpyxl (extra: excel)")
        frame.to_excel(path)
    else:
        frame.to_csv(path)
    found = read_table(path)
    assert list(found.columns) == ["", "text"]
    assert found["text"].tolist() == ["hello", "world", "new", "old"]


@pytest.mark.parametrize(
    "content", ["Export\n\nid;body\n1;a\n", "Export;;\nid;body;queue\n1;a;b\n2;c;d\n"]
)
def test_titles_are_skipped_with_a_delimiter(tmp_path, content):
    (path := tmp_path / "mail.csv").write_text(content)
    for delimiter in (None, ";"):
        assert open_table(path, delimiter=delimiter).columns[:2] == ["id", "body"]


def test_titles_may_stand_above_the_header_of_a_sheet(tmp_path):
    openpyxl = pytest.importorskip("openpyxl", reason="needs openpyxl (extra: excel)")
    book = openpyxl.Workbook()
    for row in (["Export of June"], [], ["id", "body"], [1, "late"], [2, "twice"]):
        book.active.append(row)
    book.save(path := tmp_path / "mail.xlsx")
    for required in ({"text": "body"}, {}):
        table = open_table(path, required)
        assert table.columns == ["id", "body"]
        assert next(table.frames).index[0] == 4


def test_a_column_that_a_wrong_encoding_hides_is_explained(tmp_path):
    (tmp_path / "mail.csv").write_bytes("正文,类别\n包裹晚了,送货\n".encode("gb18030"))
    with pytest.raises(ValueError, match=r"no column '正文'.*wrong, name the encoding.*gb18030"):
        read_table(tmp_path / "mail.csv", required={"text": "正文"})
    found = read_table(tmp_path / "mail.csv", required={"text": "正文"}, encoding="gb18030")
    assert found["类别"].tolist() == ["送货"]
