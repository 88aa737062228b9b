"""Broken files raise an error that says what is wrong, in which line, and what to do."""

import gzip
import re
import subprocess
import sys

import pyarrow as pa
import pytest
from pyarrow import parquet

from honeybayes.tables import read_corpus, read_table

CSV = b"text,label\nhello,a\nworld,b\n"
JSON = b'{"text": "t", "label": "l"}\n'
ARFF = b"@relation r\n@attribute w numeric\n@attribute c {a,b}\n@data\n"
ONE_LABEL = "exactly one label, because multi-label .* not supported. Keep one"

# name of the file, content, options, what the message must say after the path
TEXT_FILES = [
    ("mail.csv", b"", {}, r" is empty\.$"),
    ("mail.csv", b"\n \n", {}, r", line 1: there is no column 'text'\. The columns are: none"),
    ("mail.csv", b"text,label\n", {}, r" contains no documents\.$"),
    (
        "mail.csv",
        CSV,
        {"text": "Body"},
        r", line 1: there is no column 'Body'\. The columns are: 'text', 'label'\. "
        r"Name the column with text=",
    ),
    (
        "mail.csv",
        CSV,
        {"label": "LABELS"},
        r", line 1: there is no column 'LABELS'.*Did you mean 'label'\? .*--label",
    ),
    ("mail.csv", b"txt;label\nx,y;z\n", {}, r", line 1: .*columns are: 'txt', 'label'.*mean 'txt'"),
    ("mail.csv", b"text,label,text\nx,y,z\n", {}, r", line 1: two columns are called 'text'"),
    (
        "mail.csv",
        b"text;label\nx;y\n",
        {"delimiter": ","},
        r", line 1: .* separated by ';', .* Use delimiter=';'",
    ),
    (
        "mail.csv",
        b"text\tlabel\nx\ty\n",
        {"delimiter": ","},
        r", line 1: .* separated by '\\t', not by ','",
    ),
    (
        "mail.tsv",
        CSV,
        {"delimiter": "\t"},
        r", line 1: .* separated by ',', not by '\\t'\. Use delimiter=','",
    ),
    (
        "mail.csv",
        CSV + b"three, cells,c\n",
        {},
        r", line 4: found 3 cell\(s\), .* names 2 columns.*quotes",
    ),
    ("mail.csv", b'text,label\n"a\nb",c\nlonely\n', {}, r", line 4: found 1 cell\(s\)"),
    ("mail.csv", CSV + b'"open,c\n', {}, r", line 4: unexpected end of data.*quotes=False"),
    ("mail.csv", CSV + b'"a"b,c\n', {}, r", line 4: ',' expected after '\"'.*double the quotes"),
    (
        "mail.csv",
        b"text,label\nx,y\rz,y\n",
        {},
        r", line 2: .* Save the file with Unix line endings",
    ),
    (
        "mail.csv",
        CSV + b"x, \n",
        {},
        r", line 4, column 'label': the label is empty.*remove the line",
    ),
    ("mail.csv", CSV + b"x,\"['a', 'b']\"\n", {}, rf", line 4, column 'label': .*{ONE_LABEL}"),
    ("mail.csv", CSV + b"x,b|a\n", {}, rf", line 4, column 'label': 'b\|a' is not .*{ONE_LABEL}"),
    (
        "mail.csv",
        b"text,label\nx," + b"long " * 200 + b"\n",
        {},
        r", line 2, column 'label': the label has 999 characters.* the column with the text\?",
    ),
    (
        "mail.csv",
        CSV + b"caf\xe9,a\n",
        {"encoding": "utf-8"},
        r", line 4, byte 4: 0xe9 is not valid UTF-8\. Save .* encoding='cp1254'",
    ),
    (
        "mail.csv",
        CSV + "élan à,a\n".encode() + b"caf\xe9,a\n",  # UTF-8, but for one byte
        {},
        r", line 5, byte 4: 0xe9 is not valid UTF-8",
    ),
    ("mail.csv", CSV + b"caf\xe9 \x81,a\n", {}, r", line 4, byte 4: 0xe9 is not valid UTF-8"),
    (
        "mail.csv",
        CSV.decode().encode("utf-16"),
        {"encoding": "utf-8"},
        r" is not CSV. It looks like text in UTF-16",
    ),
    ("mail.csv", CSV.decode().encode("utf-16")[:-1], {}, r": .*truncated data.* not valid UTF-16"),
    (
        "mail.csv",
        CSV.decode().encode("utf-16-le"),
        {},
        r", line 1: found a NUL byte.*UTF-16",
    ),
    (
        "mail.csv",
        CSV,
        {"encoding": "utf-16"},
        r": .* does not start .* not valid UTF-16.*`encoding`",
    ),
    (
        "mail.csv",
        CSV,
        {"encoding": "foo"},
        r": unknown encoding: foo\. Use an encoding that Python",
    ),
    ("mail.csv", CSV, {"encoding": "undefined"}, r": .*undefined encoding.* Use an encoding that"),
    ("mail.csv", CSV, {"encoding": "a\0b"}, r": embedded null character\. Use an encoding that"),
    ("mail.csv", CSV, {"encoding": "hex"}, r": 'hex' is not a text encoding"),
    ("mail.csv", CSV, {"delimiter": ",,"}, r": the delimiter must be one character, .* got ',,'"),
    ("mail.csv", CSV, {"delimiter": '"'}, r": the delimiter must be one character, not a quote"),
    ("mail.csv", CSV, {"label": "text"}, r": the column 'text' cannot be both .*Name two columns"),
    (
        "mail.tsv",
        b'label\ttext\nspam\tx\nham\t"Hello\n\nspam\tworld"\n',
        {},
        r", line 3: a quoted cell .* 3 lines are one row\. .* no special .* use quotes=False",
    ),
    (
        "mail.tsv",
        b'text\tlabel\n"Hi\tham\nyou"\tspam\n',
        {},
        r", line 2: a quoted cell contains tabs",
    ),
    ("mail.csv", CSV + b"x\0y,a\n", {}, r", line 4: found a NUL byte, so this is not CSV"),
    ("mail.csv", gzip.compress(CSV), {}, r" is not CSV. It looks like a gzip file: add \.gz"),
    ("mail.csv", b"PK\x03\x04 more", {}, r" is not CSV. It looks like .* Excel .*save the sheet"),
    ("mail.csv", JSON, {}, r" is not CSV. It looks like JSON: .* change its ending to \.jsonl"),
    ("mail.csv", b"<!DOCTYPE HTML>\n<html>", {}, r" is not CSV. It looks like a web page"),
    ("mail.csv", ARFF, {}, r" is not CSV. It looks like ARFF: change its ending to \.arff"),
    (
        "mail.csv",
        CSV,
        {"delimeter": ";"},
        r" .* `delimeter` has no meaning. Did you mean 'delimiter'",
    ),
    ("mail.csv.gz", CSV, {}, r" is not a gzip file\. Remove \.gz from its name"),
    (
        "mail.csv.gz",
        gzip.compress(CSV * 999)[:-9],
        {},
        r" is an incomplete or damaged gzip file .*download it",
    ),
    (
        "mail.jsonl.gz",
        gzip.compress(JSON * 999)[:40] + bytes(40),
        {},
        r" is an incomplete or damaged gzip file",
    ),
    ("mail.jsonl", b"\n \n", {}, r" contains no documents"),
    (
        "mail.jsonl",
        JSON + b'{"text": "t"',
        {},
        r", line 2, character 13: not valid JSON .*one complete",
    ),
    ("mail.jsonl", CSV, {}, r", line 1, character 1: not valid JSON"),
    ("mail.jsonl", b"[\n" + JSON + b"]", {}, r", line 1, character \d: not valid JSON"),
    (
        "mail.jsonl",
        JSON + b"\n[1, 2]",
        {},
        r", line 3: every line must contain one object.*got list",
    ),
    ("mail.jsonl", b"[" * 100_000, {}, r", line 1: the brackets are nested too deeply"),
    ("mail.jsonl", b'{"text": "\xfc"}', {}, r", line 1, byte 11: 0xfc is not valid UTF-8"),
    ("mail.jsonl", b'{"text": "t"}', {}, r", line 1: there is no column 'label'.*are: 'text'"),
    ("mail.jsonl", b"{}", {}, r", line 1: there is no column 'text'. The columns are: none"),
    (
        "mail.jsonl",
        b'{"text": 1.5, "label": "l"}',
        {},
        r", line 1, column 'text': .*string, got 1.5",
    ),
    ("mail.jsonl", b'{"text": "t", "label": null}', {}, r", line 1, column 'label': .* is empty"),
    ("mail.jsonl", b'{"text": "t", "label": " "}', {}, r", line 1, column 'label': .* is empty"),
    ("mail.jsonl", b'{"text": "t", "label": true}', {}, r", line 1, column 'label': .*, got True"),
    ("mail.jsonl", b'{"text": "t", "label": 0.5}', {}, r", line 1, column 'label': .*, got 0.5"),
    ("mail.jsonl", JSON + b'{"text": "", "label": ["a", "b"]}', {}, rf", line 2, .*{ONE_LABEL}"),
    ("mail.jsonl", JSON + b'{"text": "", "label": "a\\u0000"}', {}, r", line 2, .*NUL character"),
    ("mail.jsonl", JSON, {"label": "text"}, r": the column 'text' cannot be both"),
    (
        "mail.jsonl",
        JSON + b'{"text": "t", "label": "a", "label": "b"}',
        {},
        r", line 2: the key 'label' occurs twice\.$",
    ),
    (
        "mail.jsonl",
        JSON + b'{"text": "t", "label": ' + b"1" * 5000 + b"}",
        {},
        r", line 2: Exceeds the limit .* 5000 digits",
    ),
    (
        "mail.arff",
        b"@relation r\n@attribute text string\n@attribute label {}\n@data\n'a',b\n",
        {},
        r" has a nominal attribute without values\. Write its values in braces: {a, b}\.$",
    ),
    ("mail.parquet", CSV, {}, r" is not Parquet\.$"),
    ("mail.parquet", b"PAR1" + bytes(60), {}, r" cannot be read as Parquet: "),
    ("mail.arff", CSV, {}, r", line 3: not valid ARFF .*@relation"),
    ("mail.arff", ARFF, {}, r" contains no documents"),
    ("mail.arff", ARFF + b"1,a\n2,x\n", {}, r", line 6: not valid ARFF .*value x not found"),
    ("mail.arff", ARFF + b"{0 1}\n{7 1}\n", {}, r", line 6: not valid ARFF"),
    (
        "mail.arff",
        ARFF + b"{0 1}\n% {0 1, 0 1}\n{0 1, 00 5}\n",
        {},
        r", row 2: attribute 0 occurs twice",
    ),
    (
        "mail.arff",
        ARFF.replace(b"{a,b}", b"numeric") + b"1,0\n1,0.5\n",
        {},
        r", row 2, column 'c': .* integer, got 0.5",
    ),
    (
        "mail.arff",
        ARFF.replace(b"{a,b}", b"integer") + b"1,123456789012345678\n",
        {},
        r", row 1, column 'c': .* integer below 2\*\*53, got 1.2",
    ),
    (
        "mail.arff",
        ARFF.replace(b"{a,b}", b"numeric") + b"1,?\n",
        {},
        r", row 1, column 'c': the label is empty",
    ),
    (
        "mail.arff",
        ARFF.replace(b"w numeric", b"s string") + b"x,a\n",
        {"text": "c", "label": "c"},
        r": the column 'c' cannot be both",
    ),
    ("mail.arff", ARFF + b"1,a\n1\n", {}, r", line 6: not valid ARFF"),
    ("mail.arff", ARFF + b"1,a\ntwo,b\n", {}, r", line 6: not valid ARFF .*numerical"),
    ("mail.arff", ARFF + b"1,a\n2,?\n", {}, r", row 2, column 'c': the label is empty"),
    ("mail.arff", ARFF + b"1,a\n?,b\n", {}, r", row 2, column 'w': the count is missing"),
    ("mail.arff", ARFF + b"1,a\n-1,b\n", {}, r" must contain counts, but some are negative"),
    ("mail.arff", ARFF.replace(b" w numeric", b"\t"), {}, r", line 2: .* @attribute needs a name"),
    ("mail.arff", ARFF, {"label": "d"}, r": there is no column 'd'. The columns are: 'w', 'c'"),
    ("mail.arff", ARFF + b"1,a\n", {"label": "w"}, r": the attribute 'c' is not num.*label='c'"),
    (
        "mail.arff",
        ARFF.replace(b"w numeric", b"s string\n@attribute t string"),
        {},
        r": several attributes are strings: 's', 't'. Set `text` to the name of the attribute",
    ),
    ("mail.svmlight", b"1 1:2\n2 x\n", {}, r", line 2: .*A line must look like 2 1:3 7:1"),
    ("mail.svmlight", b"1 1:2\n1,2 1:3\n", {}, r", line 2: .*'1,2'. A line must .* one class"),
    (
        "mail.svmlight",
        b"1 1:2\r2:1\n" * 10**5 + b"x\n" + b"y\n" * 10**5,
        {},
        r", line 100001: .*'x'",
    ),
    ("mail.svmlight", b"1 2:2 1:1\n", {}, r", line 1: .*sorted"),
    ("mail.svmlight", b"1 1:2\nnan 1:2\n", {}, r", document 2, column 'label': .*, got nan"),
    ("mail.svmlight", b"-inf 1:2\n", {}, r", document 1, column 'label': .*, got -inf"),
    ("mail.svmlight", b"9007199254740993 1:2\n", {}, r", document 1, .* integer below 2\*\*53"),
    ("mail.svmlight", b"1 1:2\n1 9999999999:1\n", {}, r", line 2: .* too large .*must look like"),
    ("mail.svmlight", b"1 1:-2\n", {}, r" must contain counts, but some are negative"),
    ("mail.txt", CSV, {}, r": the ending '\.txt' is unknown\. .* `format`"),
    (
        "mail.xlsx",
        b"PK\x03\x04",
        {},
        r" cannot be read as a workbook: .* save the sheet as CSV",
    ),
    ("mail.json", JSON, {"format": "yaml"}, r"Unknown format 'yaml'. The formats are: csv, json-"),
    ("mail.json", JSON, {}, r" must contain a list of objects.*\.jsonl"),
    ("mail.json", b'[{"text": "t", "label": "l"}, 3]', {}, r", row 2: every row .*one object.*int"),
    ("mail.json", b"[\n" + JSON, {}, r", line 3, character 1: not valid JSON"),
    ("mail.json", b'[{"text": "t"}]', {}, r", row 1: there is no column 'label'"),
]


@pytest.mark.parametrize(
    ("name", "content", "options", "message"),
    TEXT_FILES,
    ids=[f"{number}-{row[0]}" for number, row in enumerate(TEXT_FILES)],
)
def test_a_broken_file_is_refused(tmp_path, name, content, options, message):
    path = tmp_path / name
    path.write_bytes(content)
    before = "" if message.startswith("Unknown") else re.escape(str(path))
    with pytest.raises(ValueError, match=before + message):
        read_corpus(path, **options)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"text": ["x"], "labels": ["a"]}, "no column 'label'.*Did you mean 'labels'"),
        ({"text": ["x", "y"], "label": ["a", None]}, "row 2, column 'label': the label is empty"),
        ({"text": [0.5, 1.5], "label": ["a", "b"]}, "row 1, column 'text': .*string, got 0.5"),
        ({"text": ["x"], "label": [["a", "b"]]}, f"row 1, column 'label': .*{ONE_LABEL}"),
        ({"text": ["x"], "label": [1.0]}, "row 1, column 'label': .*integer, got 1.0"),
        ({"text": ["x"], "label": ["a\0"]}, "row 1, column 'label': .*NUL character"),
        ({"text": [], "label": []}, "contains no documents"),
    ],
)
def test_broken_parquet_is_refused_with_the_row(tmp_path, columns, message):
    path = tmp_path / "broken.parquet"
    parquet.write_table(pa.table(columns), path)
    with pytest.raises(ValueError, match=f"broken.parquet.*{message}"):
        read_corpus(path)


def test_one_column_of_parquet_is_not_both_text_and_label(tmp_path):
    path = tmp_path / "broken.parquet"
    parquet.write_table(pa.table({"text": ["x"], "label": ["a"]}), path)
    with pytest.raises(ValueError, match=r"broken.parquet: the column 'text' cannot be both"):
        read_corpus(path, label="text")


def test_a_cut_parquet_file_is_refused(tmp_path):
    path = tmp_path / "broken.parquet"
    parquet.write_table(pa.table({"text": ["x"] * 99, "label": ["a"] * 99}), path)
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(ValueError, match=r"broken.parquet cannot be read as Parquet"):
        read_corpus(path)


def test_texts_that_a_parquet_file_does_not_have(tmp_path):
    """Wherever a byte of the content is wrong, the file is read or refused with a word."""
    path = tmp_path / "broken.parquet"
    table = pa.table({"text": ["x", "y", "z"] * 20, "label": ["a", "b", "b"] * 20})
    parquet.write_table(table, path, compression="none")
    whole, messages = path.read_bytes(), set()
    footer = len(whole) - 8 - int.from_bytes(whole[-8:-4], "little")
    for at in range(4, footer):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        try:
            read_table(path)
        except ValueError as error:
            messages.add(str(error))
    assert any("indices invalid" in each for each in messages)


def test_files_and_folders_that_are_not_there(tmp_path):
    (tmp_path / "mail.csv").write_bytes(CSV)
    with pytest.raises(FileNotFoundError, match=r"no file .*mial.csv. Did you mean 'mail.csv'\?"):
        read_corpus(tmp_path / "mial.csv")
    with pytest.raises(FileNotFoundError, match=r"no file .*mail.csv, and no folder .*none either"):
        read_corpus(tmp_path / "none" / "mail.csv")
    with pytest.raises(FileNotFoundError, match=r"There is no folder .*none"):
        read_corpus(tmp_path / "none", format="folders")
    with pytest.raises(IsADirectoryError, match=r"is a folder\. Give the path of a file"):
        read_corpus(tmp_path, format="csv")
    with pytest.raises(NotADirectoryError, match=r"is a file\. Give the path of a folder"):
        read_corpus(tmp_path / "mail.csv", format="folders")


def test_a_folder_without_classes_or_texts_is_refused(tmp_path):
    (tmp_path / "stray.txt").write_text("x")
    with pytest.raises(ValueError, match=r"has no sub-folders. Put the text files of each class"):
        read_corpus(tmp_path)
    (tmp_path / "a").mkdir()
    with pytest.raises(ValueError, match=r"a contains no files. Remove it, or add files"):
        read_corpus(tmp_path)
    (tmp_path / "a" / "1.txt").write_bytes(b"ab\0")
    with pytest.raises(
        ValueError, match=r"1.txt, byte 3: found a NUL byte, so this is not a text file"
    ):
        read_corpus(tmp_path)
    (tmp_path / "a" / "1.txt").write_bytes(b"\xff\x81")
    with pytest.raises(ValueError, match=r"1.txt, byte 2: neither UTF-8 nor cp1252"):
        read_corpus(tmp_path, fallback_encoding="cp1252")


def test_folders_whose_names_differ_in_white_space_are_one_class(tmp_path):
    for name in (" a", "a"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "1.txt").write_text("x")
    assert read_corpus(tmp_path).labels.tolist() == ["a", "a"]


def test_an_unknown_encoding_of_folders_is_refused(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "1.txt").write_bytes(b"\xff")
    with pytest.raises(ValueError, match=f"{re.escape(str(tmp_path))}: unknown encoding: foo"):
        read_corpus(tmp_path, fallback_encoding="foo")


READ_BROKEN = """
import io, sys
from pathlib import Path
from pyarrow import Table, parquet
from honeybayes.tables import read_table
file, path = io.BytesIO(), Path(sys.argv[1])
parquet.write_table(Table.from_pydict({"text": ["x"], "n": [1]}), file, compression="none")
whole, n_refused = file.getvalue(), 0
footer = len(whole) - 8 - int.from_bytes(whole[-8:-4], "little")
for at in range(footer, footer + 200):
    for bit in (1, 2, 8):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ bit]) + whole[at + 1 :])
        try:
            read_table(path)
        except ValueError:
            n_refused += 1
print(n_refused)
"""


@pytest.mark.process
def test_no_wrong_byte_in_the_footer_of_parquet_ends_the_process(tmp_path):
    """pyarrow aborts if it is asked about a column whose type does not fit its statistics."""
    command = [sys.executable, "-c", READ_BROKEN, str(tmp_path / "broken.parquet")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 100
