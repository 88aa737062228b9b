"""Tables that can be read only once, and tables with more than a table should hold."""

import gzip
import os
import pickle
import threading
import time

import numpy as np
import pytest

from honeybayes.files import is_model_file
from honeybayes.tables import read_corpus, read_table

posix = pytest.mark.skipif(os.name != "posix", reason="pipes of Unix")
CSV = 'text,label\nLate again,delivery\n"Charged, twice",billing\ncafé,delivery\n'.encode()
JSON = b'{"text": "Late again", "label": "delivery"}\n{"text": "Twice", "label": "x"}\n'
ARFF = b"@relation r\n@attribute text string\n@attribute c {a,b}\n@data\n'late',a\n'twice',b\n"


def excel(path):
    import openpyxl

    book = openpyxl.Workbook()
    for row in (["text", "label"], ["Late again", "delivery"], ["Charged twice", "billing"]):
        book.active.append(row)
    book.save(path)
    return path.read_bytes()


def parquet(path):
    import pyarrow
    import pyarrow.parquet

    pyarrow.parquet.write_table(pyarrow.table({"text": ["a", "b"], "label": ["x", "y"]}), path)
    return path.read_bytes()


TABLES = {
    "mail.csv": CSV,
    "mail.csv.gz": gzip.compress(CSV),
    "mail.jsonl": JSON,
    "mail.svmlight": b"1 1:2 3:1\n-1 2:4\n",
    "mail.arff": ARFF,
    "mail.xlsx": excel,
    "mail.parquet": parquet,
}


def as_pipe(path, content):
    """Make a named pipe, into which the content is written once."""
    os.mkfifo(path)
    threading.Thread(target=path.write_bytes, args=[content], daemon=True).start()
    return path


@posix
@pytest.mark.parametrize("name", TABLES)
def test_a_named_pipe_is_read_like_a_file(tmp_path, name):
    file = tmp_path / name
    content = TABLES[name]
    file.write_bytes(content(file) if callable(content) else content)
    pipe = tmp_path / "pipes" / name
    pipe.parent.mkdir()
    expected, found = read_corpus(file), read_corpus(as_pipe(pipe, file.read_bytes()))
    assert found.labels.tolist() == expected.labels.tolist()
    if isinstance(expected.documents, list):
        assert found.documents == expected.documents
    else:
        assert np.array_equal(found.documents.toarray(), expected.documents.toarray())


@posix
def test_the_pipe_of_a_shell_is_csv_or_lines_like_standard_input():
    def path(content):
        ours, theirs = os.pipe()
        os.write(theirs, content)
        os.close(theirs)
        return f"/dev/fd/{ours}"

    assert read_corpus(path(CSV)).documents == ["Late again", "Charged, twice", "café"]
    assert read_corpus(path(JSON), format="json-lines").labels.tolist() == ["delivery", "x"]
    assert read_table(path(b"one\ntwo\n"))["text"].tolist() == ["one", "two"]
    with pytest.raises(ValueError, match=r"^/dev/fd/\d+ is empty\.$"):
        read_corpus(path(b""))


def as_slow_pipe(path, chunks):
    """Make a named pipe, into which chunks are written one after the other."""
    os.mkfifo(path)

    def write():
        with path.open("wb", buffering=0) as pipe:
            for chunk in chunks:
                pipe.write(chunk)
                time.sleep(0.05)  # else the reader gets several at once

    threading.Thread(target=write, daemon=True).start()
    return path


@posix
@pytest.mark.parametrize(
    "chunks",
    [
        [b"te", b"xt,label\r", b"\nlate,a\r\n", b"caf\xc3", b"\xa9,b\r\n"],
        [b"\xef\xbb", b"\xbftext,label\n", b"late,a\ncaf\xc3\xa9,b"],
        [b'"te', b'xt",lab', b"el\rlate,a\rcaf", b"\xc3\xa9,b\r"],
        [b"text;", b"label\nlate;", b"a\ncaf\xc3\xa9;b\n"],
        [b"\xef\xbb\xbf", b"text,label\rlate,a\rcaf\xc3\xa9,b\r"],
    ],
    ids=["CRLF", "mark", "CR", "delimiter", "mark alone"],
)
def test_the_first_chunk_of_a_pipe_decides_nothing_that_it_does_not_show(tmp_path, chunks):
    corpus = read_corpus(as_slow_pipe(tmp_path / "mail.csv", chunks))
    assert (corpus.documents, corpus.labels.tolist()) == (["late", "café"], ["a", "b"])


@posix
def test_a_carriage_return_in_a_quoted_cell_of_a_pipe_ends_no_line(tmp_path):
    pipe = as_slow_pipe(tmp_path / "mail.csv", [b'text,"the\r', b'label"\nlate,a\n'])
    assert read_table(pipe).columns.tolist() == ["text", "the\rlabel"]


@posix
def test_a_mark_alone_does_not_decide_where_lines_end(tmp_path):
    pipe = as_slow_pipe(tmp_path / "mail.txt", [b"\xef\xbb\xbf", b"late\rhere\nlost\n"])
    assert read_table(pipe)["text"].tolist() == ["late\rhere", "lost"]


def test_a_table_that_ends_like_a_zip_file_is_a_table(tmp_path):
    path = tmp_path / "mail.csv"
    trailer = b"PK\x05\x06" + b"\x00" * 18
    path.write_bytes(CSV + trailer)
    assert not is_model_file(path)
    (tmp_path / "zip.csv").write_bytes(b"PK\x03\x04 and so on" + trailer)
    assert not is_model_file(tmp_path / "zip.csv")
    (tmp_path / "bad.csv").write_bytes(b"PK\x03\x04" + b"\xff" * 40 + b"PK\x05\x06" + b"\xff" * 18)
    assert not is_model_file(tmp_path / "bad.csv")


@pytest.fixture
def small_limits(monkeypatch):
    monkeypatch.setattr("honeybayes.tables._files.LONGEST_ROW", 1000)
    monkeypatch.setattr("honeybayes.tables._files.N_HEAD", 500)
    monkeypatch.setattr("honeybayes.tables._files.N_BLOCK", 500)
    monkeypatch.setattr("honeybayes.tables._files.LONGEST_CELL", 100)


LONG = [
    ("a.csv", "id,text,label\n1,{x},a\n2,ok,b\n", 101, "line 2, column 'text': the text has 101 "),
    ("a.csv", "id,text,label\n1,ok,a\n2,{x},b\n", 9999, "line 3: the line has more than 1000"),
    ("a.csv", 'id,text,label\n1,"ok,a\n2,{n},b\n', 9999, "line 2: the row has more than 1000"),
    ("a.csv", 'text,label\n"ok,a\n\n{n},b\n', 9999, "line 2: the row has more than 1000"),
    ("a.csv", "text,label\nok,a\n{c}b\n", 999, "line 3: the row has more than 1000"),
    ("a.csv", "{c}text,label\nok,a\n", 999, "line 1: the row has more than 1000"),
    ("a.csv", "{x},text,label\n1,ok,a\n", 9999, "line 1: the line has more than 1000"),
    ("a.jsonl", '{{"text": "{x}", "label": "a"}}\n', 101, "line 1, column 'text': the text has"),
    ("a.jsonl", '{{"text": "{x}", "label": "a"}}\n', 9999, "line 1: the line has more than 1000"),
    ("a.csv", "text,label\r{x},a\rok,b\r", 9999, "the line has more than 1000"),
]


@pytest.mark.usefixtures("small_limits")
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize(("name", "content", "length", "message"), LONG)
def test_a_cell_has_a_limit(tmp_path, name, content, length, message, encoding):
    if encoding == "utf-16" and name == "a.jsonl":
        pytest.skip("JSON is UTF-8")
    cells = '"x\n",' * length  # each is short
    whole = content.format(x="x" * length, n="x\n" * length, c=cells)
    (tmp_path / name).write_bytes(whole.encode(encoding))
    with pytest.raises(ValueError, match=message) as caught:
        read_corpus(tmp_path / name)
    # as a worker of `predict --jobs` sends it
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


@pytest.mark.usefixtures("small_limits")
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_many_short_rows_have_no_limit(tmp_path, end):
    rows = [f"text {number},{'ab'[number % 2]}" for number in range(1000)]
    (tmp_path / "mail.csv").write_bytes(end.join(["text,label", *rows]).encode())
    assert read_corpus(tmp_path / "mail.csv").documents == [row[:-2] for row in rows]


@pytest.mark.usefixtures("small_limits")
@pytest.mark.parametrize("delimiter", [";", "\t", ","])
def test_the_lines_that_show_the_delimiter_are_not_one_long_row(tmp_path, delimiter):
    header = [*(f"more{number}" for number in range(9)), "text", "label"]
    rows = [["x" * 80] * 9 + [f"text {number}", "ab"[number % 2]] for number in range(30)]
    lines = [delimiter.join(row) for row in (header, *rows)]
    (tmp_path / "mail.csv").write_text("\n".join(lines), encoding="utf-8")
    assert read_corpus(tmp_path / "mail.csv").documents == [row[-2] for row in rows]
    assert read_table(tmp_path / "mail.csv").to_numpy().tolist() == rows


@pytest.mark.usefixtures("small_limits")
@pytest.mark.parametrize("delimiter", [";", ","])
def test_a_quote_that_is_not_closed_in_the_sample_is_told(tmp_path, delimiter):
    broken = f'a{delimiter}text{delimiter}label\n1{delimiter}"ok{delimiter}a\n' + "x\n" * 9999
    (tmp_path / "mail.csv").write_text(broken, encoding="utf-8")
    with pytest.raises(ValueError, match="line 2: the row has more than 1000 characters"):
        read_corpus(tmp_path / "mail.csv")


def test_a_list_of_objects_has_a_limit_after_unpacking(tmp_path, monkeypatch):
    monkeypatch.setattr("honeybayes.tables._files.LARGEST_JSON", 1000)
    path = tmp_path / "mail.json.gz"
    path.write_bytes(gzip.compress(b"[" + b" " * 2000 + b"]"))
    with pytest.raises(ValueError, match=r"mail\.json\.gz has more than 1000 bytes\. Save it as"):
        read_table(path)


@pytest.mark.usefixtures("small_limits")
def test_lines_have_a_limit_after_unpacking(tmp_path):
    path = tmp_path / "mail.csv.gz"
    path.write_bytes(gzip.compress(b"text,label\n" + b"x" * 9999))
    with pytest.raises(ValueError, match="line 2: the line has more than 1000 characters"):
        read_corpus(path)


@pytest.mark.usefixtures("small_limits")
def test_a_first_line_that_is_long_does_not_hide_where_lines_end(tmp_path):
    path = tmp_path / "mail.txt"
    path.write_bytes(b"x" * 900 + b"\nlate\rhere\nlost\n")
    assert read_table(path)["text"].tolist() == ["x" * 900, "late\rhere", "lost"]


@pytest.mark.usefixtures("small_limits")
def test_blocks_that_fill_a_frame_each_are_no_long_row(tmp_path, monkeypatch):
    monkeypatch.setattr("honeybayes.tables._delimited.N_ROWS", 50)
    rows = [f"{number:03},label\n".encode() for number in range(999)]
    (tmp_path / "mail.csv").write_bytes(b"text,label\n" + b"".join(rows))
    blocks = [b"text,label\n", *(b"".join(rows[at : at + 50]) for at in range(0, 999, 50))]
    monkeypatch.setattr("honeybayes.tables._files._blocks", lambda _: iter(blocks))
    assert len(read_table(tmp_path / "mail.csv")) == 999
