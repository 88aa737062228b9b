# ruff: noqa: RUF001 (the dotless i is the point)
"""Readers of files that other libraries wrote."""

import csv
import gzip
import json
import subprocess
import sys

import arff
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from pyarrow import parquet
from scipy import sparse
from sklearn.datasets import dump_svmlight_file, load_files

from honeybayes.tables import (
    Corpus,
    read_corpus,
    write_corpus,
)

TEXTS = ["Türk\u2028Telekom", "", 'say "hi",\n\tthen; go', "a\r\nb", "ığüşöç İ", "x" * 200_000]
LABELS = ["ekonomi", "spor", "ekonomi", "Arts, Crafts", "spor", "3"]
TABLE = pd.DataFrame({"id": range(6), "text": TEXTS, "label": LABELS})

rng = np.random.default_rng(0)
COUNTS = rng.poisson(0.4, size=(12, 7))
COUNTS[:, 6] = 1  # svmlight files do not record empty columns at the end
CLASSES = np.array(["b", "a", "c"] * 4)


def assert_table(corpus, name):
    assert corpus.name == name
    assert corpus.documents == TEXTS
    assert corpus.labels.tolist() == LABELS
    assert corpus.labels.dtype.kind == "U"
    assert corpus.vocabulary is None


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("ending", [".csv", ".tsv", ".tab", ".csv.gz", ".tsv.gz"])
def test_tables_written_by_pandas_come_back(tmp_path, ending, encoding):
    path = tmp_path / f"table{ending}"
    TABLE.to_csv(path, index=False, sep="," if "csv" in ending else "\t", encoding=encoding)
    assert_table(read_corpus(path, keep_blank=True), "table")
    assert_table(read_corpus(path, keep_blank=True), "table")


def test_a_table_may_have_other_columns_delimiters_and_encodings(tmp_path):
    path = tmp_path / "export.csv"
    table = pd.DataFrame({"Mesaj": ["ışık", "üç"], "Sınıf": [1, 2]})
    table.to_csv(path, index=False, sep=";", encoding="cp1254")
    corpus = read_corpus(path, text="Mesaj", label="Sınıf", delimiter=";", encoding="cp1254")
    assert corpus.documents == ["ışık", "üç"]
    assert corpus.labels.tolist() == ["1", "2"]


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("encoding", ["utf-8-sig", "UTF_8_SIG"])
def test_the_encoding_may_name_the_byte_order_mark(tmp_path, mark, encoding):
    path = tmp_path / "mail.csv"
    path.write_bytes(mark + "text,label\nışık,a\n".encode())
    assert read_corpus(path, encoding=encoding).documents == ["ışık"]


@pytest.mark.parametrize("header", ["[text],[label]", '[text] ,"[label]"', "{,[text],[label]"])
def test_column_names_may_stand_in_brackets(tmp_path, header):
    path = tmp_path / "mail.csv"
    path.write_text(f"{header}\n" + "x," * header.count(",") + "a\n")
    assert read_corpus(path, text="[text]", label="[label]").documents == ["x"]


def test_quotes_may_be_plain_characters(tmp_path):
    path = tmp_path / "sms.tsv"
    path.write_text('label\ttext\nham\t"Hello\nspam\tso "cheap"\n\nham\t"\n')
    assert read_corpus(path, quotes=False).documents == ['"Hello', 'so "cheap"', '"']


@given(
    st.lists(
        st.tuples(
            st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])),
            st.sampled_from(["a", "b", " c d "]),
        ),
        min_size=1,
    )
)
def test_everything_that_the_csv_module_writes_is_read(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("csv") / "any.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("text", "label"), *rows])
    corpus = read_corpus(path, keep_blank=True)
    assert corpus.documents == [text for text, _ in rows]
    assert corpus.labels.tolist() == [label.strip() for _, label in rows]


@given(
    st.lists(
        st.tuples(st.text('a" '), st.sampled_from(["a", '"a', 'a"', '"a"'])), min_size=1, max_size=6
    ),
    st.booleans(),
)
def test_quotes_never_make_one_row_of_two_lines_of_tsv(tmp_path_factory, rows, label_first):
    path = tmp_path_factory.mktemp("tsv") / "plain.tsv"
    lines = [row[::-1] if label_first else row for row in [("text", "label"), *rows]]
    path.write_text("".join("\t".join(line) + "\n" for line in lines))
    assert len(read_corpus(path, quotes=False, keep_blank=True)) == len(rows)
    try:
        outcome = f"{len(read_corpus(path, keep_blank=True))} rows"
    except ValueError as error:
        outcome = str(error)
    assert outcome == f"{len(rows)} rows" or "quote" in outcome


@pytest.mark.parametrize("ascii_only", [False, True])
@pytest.mark.parametrize("ending", [".jsonl", ".ndjson", ".jsonl.gz"])
def test_json_lines_come_back(tmp_path, ending, ascii_only):
    path = tmp_path / f"table{ending}"
    rows = TABLE.to_dict("records")
    lines = "".join(json.dumps(row, ensure_ascii=ascii_only) + "\n" for row in rows).encode()
    path.write_bytes(gzip.compress(lines) if ending.endswith(".gz") else lines)
    assert_table(read_corpus(path, keep_blank=True), "table")
    assert_table(read_corpus(path, keep_blank=True), "table")


def test_json_lines_written_by_pandas_come_back(tmp_path):
    path = tmp_path / "table.jsonl.gz"
    TABLE.to_json(path, orient="records", lines=True)
    assert_table(read_corpus(path, keep_blank=True), "table")


def test_json_lines_take_other_fields_whole_numbers_and_blank_lines(tmp_path):
    path = tmp_path / "mail.jsonl"
    path.write_bytes(
        b'\xef\xbb\xbf{"body": "one", "queue": 3}\r\n\r\n{"queue": "x", "body": "two"}'
    )
    corpus = read_corpus(str(path), text="body", label="queue")
    assert corpus.documents == ["one", "two"]
    assert_array_equal(corpus.labels, ["3", "x"])


@pytest.mark.parametrize("category", [False, True])
def test_parquet_written_by_pandas_and_pyarrow_comes_back(tmp_path, category):
    path = tmp_path / "table.parquet"
    table = TABLE.astype({"label": "category"}) if category else TABLE
    table.to_parquet(path)
    assert_table(read_corpus(path, keep_blank=True), "table")
    parquet.write_table(pa.table({"text": TEXTS, "label": LABELS}), path, row_group_size=2)
    assert_table(read_corpus(path, keep_blank=True), "table")


def test_parquet_takes_whole_numbers_for_labels(tmp_path):
    path = tmp_path / "table.parquet"
    parquet.write_table(pa.table({"t": ["x", "y"], "l": pa.array([1, 2], pa.int8())}), path)
    assert read_corpus(path, text="t", label="l").labels.tolist() == ["1", "2"]


def test_folders_come_back_as_scikit_learn_reads_them(tmp_path):
    folder = tmp_path / "news"
    for number, (text, label) in enumerate(zip(TEXTS, "baabbc", strict=True)):
        (folder / label).mkdir(parents=True, exist_ok=True)
        (folder / label / f"{number}.txt").write_bytes(text.encode())
    corpus = read_corpus(folder, keep_blank=True)
    bunch = load_files(folder, encoding="utf-8", shuffle=False)
    assert corpus.name == "news"
    classes = np.array(bunch.target_names)[bunch.target]
    assert sorted(zip(corpus.labels, corpus.documents, strict=True)) == (
        sorted(zip(classes, bunch.data, strict=True))
    )
    assert corpus.labels.tolist() == sorted("baabbc")


def test_folders_fall_back_to_latin_1_and_skip_what_is_hidden(tmp_path):
    (tmp_path / "a" / "deeper").mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("x")
    (tmp_path / "a" / ".DS_Store").write_bytes(b"\0")
    (tmp_path / "README").write_text("not a document")
    (tmp_path / "a" / "1").write_bytes("é".encode("latin-1"))
    (tmp_path / "a" / "2").write_bytes("\ufeffé".encode())
    (tmp_path / "a" / "deeper" / "3").write_bytes("ş".encode("cp1254"))
    assert read_corpus(tmp_path).documents == ["é", "é", "þ"]
    assert read_corpus(tmp_path, fallback_encoding="cp1254").documents == ["é", "é", "ş"]
    assert read_corpus(tmp_path).labels.tolist() == ["a", "a", "a"]


@pytest.mark.parametrize("zero_based", [True, False])
@pytest.mark.parametrize("ending", [".svmlight", ".libsvm", ".svmlight.gz"])
def test_svmlight_written_by_scikit_learn_comes_back(tmp_path, ending, zero_based):
    path = tmp_path / f"counts{ending}"
    targets = np.array([-1, 2, 0.5] * 4)
    counts = COUNTS.copy()
    counts[:, 0] = 1  # an empty first column would be lost
    with gzip.open(path, "wb") if ending.endswith(".gz") else path.open("wb") as file:
        dump_svmlight_file(counts, targets, file, zero_based=zero_based, comment="by hand")
    corpus = read_corpus(path)
    assert_array_equal(corpus.documents.toarray(), counts)
    assert corpus.labels.tolist() == ["-1", "2", "0.5"] * 4


WORDS = [f"word {column}" for column in range(7)]


def arff_of(rows):
    return {
        "relation": "counts",
        "attributes": [("class", ["b", "a", "c"]), *((word, "NUMERIC") for word in WORDS)],
        "data": rows,
    }


def test_dense_arff_comes_back(tmp_path):
    path = tmp_path / "fbis.wc.arff"
    rows = [[label, *row] for label, row in zip(CLASSES, COUNTS.tolist(), strict=True)]
    path.write_text(arff.dumps(arff_of(rows)))
    corpus = read_corpus(path)
    assert corpus.name == "fbis"
    assert_array_equal(corpus.documents.toarray(), COUNTS)
    assert_array_equal(corpus.labels, CLASSES)
    assert corpus.vocabulary.tolist() == WORDS


def test_an_omitted_class_of_sparse_arff_is_the_first(tmp_path):
    """As WEKA writes it: zeros and the first nominal value are omitted."""
    path = tmp_path / "sparse.arff"
    order = ["b", "a", "c"]
    lines = ["% a comment", "@RELATION 'my counts'", "", "@attribute class {b,a,'c'}"]
    lines += [f"@ATTRIBUTE '{word}' numeric" for word in WORDS]
    lines += ["@DATA", "% another", ""]
    for label, row in zip(CLASSES, COUNTS.tolist(), strict=True):
        cells = [] if label == order[0] else [f"0 {label}"]
        cells += [f"{column + 1} {count}" for column, count in enumerate(row) if count]
        lines.append("{" + ",".join(cells) + "}")
    assert lines[-3].startswith("{1 ") or lines[-3].startswith("{2 ")  # no class on a line of b
    path.write_text("\n".join(lines))
    corpus = read_corpus(path)
    assert_array_equal(corpus.labels, CLASSES)
    assert_array_equal(corpus.documents.toarray(), COUNTS)
    assert corpus.vocabulary.tolist() == WORDS


def test_the_first_row_tells_whether_arff_is_sparse(tmp_path):
    path = tmp_path / "mixed.arff"
    head = "@relation mail\n@attribute body string\n@attribute queue {a,b}\n@data\n"
    path.write_text(f"% mail\n{{ a note\n{head}'late',a\n{{0 'lost', 1 b}}\n")
    corpus = read_corpus(path)
    assert (corpus.documents, corpus.labels.tolist()) == (["late", "lost"], ["a", "b"])


def test_tabs_may_separate_the_words_of_arff(tmp_path):
    path = tmp_path / "counts.arff"
    path.write_bytes(
        b"@relation\tr\n\t@attribute\t'w 1'\tnumeric\r\n@ATTRIBUTE\tc\t{a, b}\n"
        b"@data\t\n{0\t2, 1\tb}\n"
    )
    corpus = read_corpus(path)
    assert corpus.vocabulary.tolist() == ["w 1"]
    assert corpus.documents.toarray().tolist() == [[2]]
    assert corpus.labels.tolist() == ["b"]


def test_an_empty_row_of_sparse_arff_is_a_document_of_the_first_class(tmp_path):
    path = tmp_path / "sparse.arff"
    path.write_text(
        "@relation r\n@attribute w numeric\n@attribute c {no, yes}\n@data\n{0 2, 1 yes}\n{}\n"
    )
    corpus = read_corpus(path)
    assert corpus.labels.tolist() == ["yes", "no"]
    assert corpus.documents.toarray().tolist() == [[2], [0]]


@pytest.mark.parametrize("kind", ["numeric", "integer"])
@pytest.mark.parametrize("rows", ["2,1\n0,0\n3,-1\n", "{0 2, 1 1}\n{}\n{0 3, 1 -1}\n"])
def test_a_class_of_arff_may_be_a_whole_number(tmp_path, kind, rows):
    path = tmp_path / "numbers.arff"
    path.write_text(f"@relation r\n@attribute w numeric\n@attribute class {kind}\n@data\n{rows}")
    corpus = read_corpus(path)
    assert corpus.labels.tolist() == ["1", "0", "-1"]
    assert corpus.documents.toarray().tolist() == [[2], [0], [3]]


def test_what_looks_like_a_repeated_attribute_may_stand_in_quotes(tmp_path):
    path = tmp_path / "quoted.arff"
    path.write_text(
        "@relation r\n@attribute c {a,b}\n@attribute s string\n@data\n"
        """{0 b, 1 'it\\'s, 1 ", 0 x'}\n{0 b, 1 "it's, 1 x"}\n"""
    )
    assert read_corpus(path).documents == ["""it's, 1 ", 0 x""", "it's, 1 x"]


def test_arff_may_hold_texts(tmp_path):
    path = tmp_path / "texts.arff"
    texts = ['It\'s "late", again', "plain", "y" * 200_000]
    content = {
        "relation": "mail",
        "attributes": [("body", "STRING"), ("length", "REAL"), ("queue", ["a b", "c"])],
        "data": [[texts[0], 3, "a b"], [texts[1], 1, "c"], [texts[2], 2, "c"]],
    }
    path.write_text(arff.dumps(content))
    for corpus in (read_corpus(path), read_corpus(path, text="body", label="queue")):
        assert corpus.documents == texts
        assert corpus.labels.tolist() == ["a b", "c", "c"]


def test_the_format_can_be_given(tmp_path):
    path = tmp_path / "export.txt"
    path.write_text("text,label\nx,y\n")
    assert read_corpus(path, format="csv").documents == ["x"]


def test_a_missing_extra_is_named(tmp_path, monkeypatch):
    path = tmp_path / "table.parquet"
    TABLE.to_parquet(path)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(ImportError, match=r"pip install 'honeybayes\[parquet\]'"):
        read_corpus(path)
    path = tmp_path / "table.arff"
    path.write_text("@relation r\n")
    monkeypatch.setitem(sys.modules, "arff", None)
    with pytest.raises(ImportError, match=r"pip install 'honeybayes\[arff\]'"):
        read_corpus(path)


def test_importing_the_readers_imports_no_heavy_library():
    program = "import sys, honeybayes.tables; print(*sys.modules)"
    modules = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    ).stdout.split()
    assert "honeybayes.tables" in modules
    assert not {"arff", "pandas", "pyarrow", "sklearn"} & set(modules)


def test_all_empty_labels_are_reported_at_once(tmp_path):
    path = tmp_path / "mail.csv"
    path.write_text("text,label\none,a\ntwo,\nthree,b\nfour,\nfive,\n", encoding="utf-8")
    message = r"line 3, column 'label': the label is empty \(and 2 more, the next in line 5\)"
    with pytest.raises(ValueError, match=message):
        read_corpus(path)


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_documents_without_label_are_kept_on_request(tmp_path, ending):
    texts, labels = ["late", "charged", "where is it"], ["delivery", None, "delivery"]
    frame, path = pd.DataFrame({"text": texts, "label": labels}), tmp_path / f"mail.{ending}"
    if ending == "csv":
        frame.to_csv(path, index=False)
    elif ending == "jsonl":
        frame.to_json(path, orient="records", lines=True)
    else:
        frame.to_parquet(path)
    corpus = read_corpus(path, keep_unlabeled=True)
    assert corpus.documents == texts
    assert corpus.labels.tolist() == ["delivery", "", "delivery"]
    assert corpus.classes.tolist() == ["delivery"]
    assert len(corpus.draw(2)) == 2
    with pytest.raises(
        ValueError, match=r"use keep_unlabeled=True, and split_unlabeled\(\) of the"
    ):
        read_corpus(path)


def test_counts_are_not_written(tmp_path):
    corpus = Corpus("tiny", sparse.csr_array(COUNTS), CLASSES)
    with pytest.raises(ValueError, match="'tiny' contains counts, but only texts can be written"):
        write_corpus(corpus, tmp_path / "tiny.csv")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet", "xlsx"])
def test_ids_are_kept_with_their_documents(tmp_path, ending):
    frame = pd.DataFrame(
        {"nr": [7, 8, 9], "text": ["late", "charged", "lost"], "label": ["a", "b", "a"]}
    )
    path = tmp_path / f"mail.{ending}"
    if ending == "csv":
        frame.to_csv(path, index=False)
    elif ending == "jsonl":
        frame.to_json(path, orient="records", lines=True)
    elif ending == "xlsx":
        frame.to_excel(path, index=False)
    else:
        frame.to_parquet(path)
    corpus = read_corpus(path, id="nr")
    assert corpus.ids.tolist() == ["7", "8", "9"]
    assert corpus.keep_classes(["a"]).ids.tolist() == ["7", "9"]
    assert read_corpus(path).ids is None
    with pytest.raises(ValueError, match=r"there is no column 'number'.*--id"):
        read_corpus(path, id="number")


@pytest.mark.parametrize("value", ["NaN", "null", '" "'])
def test_a_missing_label_of_json_is_no_label(tmp_path, value):
    path = tmp_path / "mail.jsonl"
    path.write_text(f'{{"text": "late", "label": "a"}}\n{{"text": "lost", "label": {value}}}\n')
    assert read_corpus(path, keep_unlabeled=True).labels.tolist() == ["a", ""]
