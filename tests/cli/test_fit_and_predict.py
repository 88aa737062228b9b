import csv
import gzip
import io
import json
import re
from shutil import copytree

import numpy as np
import pytest

from honeybayes import HigherOrderNB, TextClassifier, load_model, make_model, save_model
from honeybayes.bayes import CountNB

MAIL = '''id,body,queue,note
1,"My parcel is late, again",delivery,a
2,Where is my parcel?,delivery,
3,I was charged twice,billing,b
4,Wrong charge on my card,billing,"x ""y"""
'''
TEXTS = ["My parcel is late, again", "Where is my parcel?", "I was charged twice"]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    files = tmp_path_factory.mktemp("fit_and_predict")
    (files / "mail.csv").write_text(MAIL, encoding="utf-8")
    texts = [*TEXTS, "Wrong charge on my card"]
    labels = ["delivery", "delivery", "billing", "billing"]
    save_model(TextClassifier("CNB").fit(texts, labels), files / "model.hb")
    return files


def test_fit_writes_what_the_library_learns(folder, works):
    told = works("fit mail.csv --text body --label queue --model CNB -o own.hb")
    assert "CNB learned 2 classes from 4 documents" in told
    own, ours = load_model(folder / "own.hb"), load_model(folder / "model.hb")
    np.testing.assert_array_equal(own.predict_proba(TEXTS), ours.predict_proba(TEXTS))


@pytest.mark.parametrize(
    ("typed", "model"),
    [
        ("CNB alpha=0.25", CountNB(rule="complement", alpha=0.25)),
        ("pure HONB pure=class prior=uniform", HigherOrderNB(pure="class", prior="uniform")),
        ("HOS beta=0.25 frequencies=counts", make_model("HOS", beta=0.25, frequencies="counts")),
    ],
)
@pytest.mark.filterwarnings("ignore::honeybayes.NoPathWarning")
def test_fit_sets_parameters_of_the_model(folder, works, typed, model):
    given = f"--model '{typed} calibrate=no' --words stop-words=keep"
    told = works(f"fit mail.csv --text body --label queue {given} -o own.hb")
    assert f"{typed} learned 2 classes" in told
    texts, labels = [*TEXTS, "Wrong charge on my card"], ["delivery"] * 2 + ["billing"] * 2
    ours = TextClassifier(model, calibrate=None, stop_words=False).fit(texts, labels)
    own = load_model(folder / "own.hb")
    np.testing.assert_array_equal(own.predict_proba(TEXTS), ours.predict_proba(TEXTS))


def test_settings_that_the_model_does_not_have_are_refused(folder, fails):
    start = "fit mail.csv --text body --label queue -o own.hb --model"
    assert "CNB has no setting 'order'" in fails(f"{start} 'CNB order=3'", code=2)
    assert "CNB has no setting 'outliers'" in fails(f"{start} 'CNB outliers'", code=2)
    assert "HONB order=0: order must be an integer, 1 or more" in fails(f"{start} 'HONB order=0'")
    assert "auto chooses the model" in fails(f"{start} 'auto order=3'", code=2)


def test_fit_tells_programs_in_json(folder, works):
    told = works("fit mail.csv --text body --label queue --model CNB -o own.hb --json")
    told = json.loads(told)
    assert (told["model"], told["documents"]) == ("CNB", 4)
    assert told["classes"] == ["billing", "delivery"]


def test_fit_takes_standard_input_as_csv(folder, works):
    works("fit - --text body --label queue --model CNB -o own.hb", stdin=MAIL)
    assert (folder / "own.hb").exists()


@pytest.mark.parametrize(
    ("model", "task"), [("CNB", "Fitting CNB"), ("auto", "Choosing a model and fitting it")]
)
def test_fit_tells_on_a_terminal_what_goes_on(folder, run, monkeypatch, model, task):
    monkeypatch.setenv("TERM", "xterm")
    command = f"fit mail.csv --text body --label queue --model {model} -o own.hb"
    done = run(command, terminals={"stderr"})
    assert "learned 2 classes" in done.stdout
    assert f"{task}: 4 labeled texts, 0 unlabeled" in done.stderr
    assert run(command).stderr == ""


def test_predict_keeps_all_columns_in_their_order_and_adds_three(folder, writes):
    writes("predict model.hb mail.csv --text body -o out.csv")
    with (folder / "out.csv").open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    assert header == ["id", "body", "queue", "note", "label", "confidence", "source"]
    assert [row[:4] for row in rows] == list(csv.reader(io.StringIO(MAIL)))[1:]
    probabilities = load_model(folder / "model.hb").predict_proba([row[1] for row in rows])
    assert [row[4] for row in rows] == ["delivery", "delivery", "billing", "billing"]
    assert [row[6] for row in rows] == ["model"] * 4
    confidence = [float(row[5]) for row in rows]
    np.testing.assert_allclose(confidence, probabilities.max(axis=1), atol=1e-4)


def test_predict_leaves_the_label_empty_below_the_confidence_asked_for(folder, works):
    told = works("predict model.hb - --min-confidence 1 --json", stdin="parcel charge\n")
    assert json.loads(told)["label"] == ""
    told = works("predict model.hb - --json", stdin="parcel charge\n")
    assert json.loads(told)["label"] in ("billing", "delivery")


def test_predict_tells_how_many_rows_it_wrote_where(folder, run, writes):
    assert writes("predict model.hb mail.csv --text body -o out.csv") == (
        "4 rows classified, 4 of them texts that the model has learned from: out.csv\n"
    )
    assert writes("predict model.hb - -o out.csv", stdin="parcel\n") == (
        "1 row classified: out.csv\n"
    )
    told = run("predict model.hb - --min-confidence 1 --json -o out.jsonl", stdin="parcel\n\n")
    assert told.stderr == (
        "0 of 2 rows got a label, 2 are left for a person: out.jsonl\n"
        "1 row has no text: no label was given\n"
    )
    assert (folder / "out.jsonl").read_text(encoding="utf-8").count('"label": ""') == 2


def test_predict_keeps_the_fields_of_json_lines(folder, works):
    lines = '{"text": "late parcel", "n": 1}\n\n{"text": "charged", "tags": ["a"]}\n'
    (folder / "mail.jsonl").write_text(lines, encoding="utf-8")
    first, second = map(json.loads, works("predict model.hb mail.jsonl").splitlines())
    assert list(first) == ["text", "n", "label", "confidence", "source"]
    assert second["tags"] == ["a"]
    assert (first["label"], second["label"]) == ("delivery", "billing")


def test_a_dash_is_standard_input_and_standard_output(folder, works):
    told = works("predict model.hb - -o -", stdin="late parcel\n")
    assert told.splitlines()[1].startswith("late parcel,delivery,")


def test_predict_keeps_rows_without_text(folder, run):
    (folder / "gaps.csv").write_text("id,text\n1,late parcel\n2,\n,\n4,charged\n", encoding="utf-8")
    done = run("predict model.hb gaps.csv")
    rows = list(csv.reader(io.StringIO(done.stdout)))
    assert [row[0] for row in rows] == ["id", "1", "2", "", "4"]
    assert [row[2] for row in rows] == ["label", "delivery", "", "", "billing"]
    assert [row[3] == "" for row in rows] == [False, False, True, True, False]
    assert done.stderr == "2 rows have no text: no label was given\n"


def test_predict_writes_what_the_name_of_the_output_says(folder, writes):
    writes("predict model.hb mail.csv --text body -o out.csv.gz")
    with gzip.open(folder / "out.csv.gz", "rt", encoding="utf-8", newline="") as file:
        assert len(list(csv.reader(file))) == 5
    writes("predict model.hb mail.csv --text body -o out.TSV")
    with (folder / "out.TSV").open(encoding="utf-8", newline="") as file:
        assert [len(row) for row in csv.reader(file, delimiter="\t")] == [7] * 5


def test_predict_survives_half_a_character(folder, writes):
    (folder / "half.jsonl").write_text('{"text": "late parcel \\ud800"}\n', encoding="utf-8")
    writes("predict model.hb half.jsonl -o out.jsonl")
    assert "delivery" in (folder / "out.jsonl").read_text(encoding="utf-8")


def test_the_text_of_explain_may_look_like_an_option(folder, works):
    assert "delivery" in works("explain model.hb -- '--debug parcel'")


def test_predict_keeps_the_tabs_of_a_tsv_file(folder, works):
    (folder / "mail.tsv").write_text("text\tn\nlate parcel\t1\n", encoding="utf-8")
    lines = works("predict model.hb mail.tsv").splitlines()
    assert lines[0] == "text\tn\tlabel\tconfidence\tsource"
    assert lines[1].startswith("late parcel\t1\tdelivery\t")


BAD = {
    "missing table": ("predict model.hb new.csv", "There is no file new.csv"),
    "near table": ("predict model.hb mial.csv", "Did you mean 'mail.csv'?"),
    "missing column": ("predict model.hb mail.csv", "no column 'text'.*'body'.*--text"),
    "taken column": (
        "predict model.hb mail.csv --text body --label-column queue",
        "has a column 'queue' already.*--label-column",
    ),
    "near column": (
        "predict model.hb mail.csv --text bdy",
        r"Did you mean 'body'\? Name the column with --text",
    ),
    "near field": ("predict model.hb taken.jsonl --text txet", "Did you mean 'text'?"),
    "missing model": ("predict none.hb mail.csv --text body", r"There is no file none\.hb"),
    "near model": ("predict modle.hb mail.csv --text body", r"Did you mean 'model\.hb'?"),
    "no model file": ("predict mail.csv mail.csv --text body", r"mail\.csv.*model"),
    "model of counts": ("predict counts.hb mail.csv --text body", "takes counts, not texts"),
    "taken field": ("predict model.hb taken.jsonl", "has a column 'label' already"),
    "no probabilities": ("predict svm.hb mail.csv --text body", "svm.hb has no probabilities"),
    "output is a folder": ("predict model.hb mail.csv --text body -o .", "is a folder"),
    "fit: twice from standard input": ("fit - --pool - -o own.hb", "cannot be both"),
    "empty table": ("predict model.hb empty.csv", r"empty\.csv is empty"),
    "unknown form": ("predict model.hb mail.xyz", "the ending '.xyz' is unknown"),
    "no output folder": ("predict model.hb mail.csv --text body -o no/out.csv", "no folder .*no"),
    "fit: missing table": ("fit none.csv -o own.hb", "There is no file none.csv"),
    "fit: missing column": ("fit mail.csv -o own.hb --text body", "no column 'label'.*--label"),
    "fit: unknown model": (
        "fit mail.csv -o own.hb --text body --label queue -m hcmb",
        "No model is called 'hcmb'. Did you mean .*'HCNB'.*`honeybayes models`",
    ),
    "fit: one class": ("fit one.csv -o own.hb", "Every text has the label 'a'"),
    "fit: no words": ("fit stop.csv -o own.hb", "No terms left in 4 .* stop_words=False"),
    "fit: rare words": (
        "fit mail.csv -o own.hb --text body --label queue --words min-df=3",
        "No terms left: min_df=3 requires .* 'charge', occurs in only 2 of 4. Lower this number",
    ),
    "fit: empty table": ("fit empty.csv -o own.hb", r"empty\.csv is empty"),
    "fit: no output folder": ("fit mail.csv -o no/own.hb --text body", "no folder .*no"),
    "fit: the name of a table": (
        "fit mail.csv -o own.csv --text body --label queue",
        r"own\.csv is the name of a table.*ends in \.hb",
    ),
    "fit: counts": ("fit counts.svmlight -o own.hb", "read as 'svmlight'"),
}


@pytest.fixture(scope="module")
def other_models(tmp_path_factory):
    files = tmp_path_factory.mktemp("other_models")
    svm = TextClassifier("LinearSVC-tfidf", calibrate=None)
    save_model(svm.fit(TEXTS[:2] * 2, ["a", "b"] * 2), files / "svm.hb")
    save_model(CountNB().fit([[1, 0], [0, 1]], ["a", "b"]), files / "counts.hb")
    return files


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_told_in_one_line_and_leaves_nothing(folder, other_models, fails, case):
    copytree(other_models, folder, dirs_exist_ok=True)
    (folder / "empty.csv").touch()
    (folder / "taken.jsonl").write_text('{"text": "t", "label": "mine"}\n', encoding="utf-8")
    (folder / "mail.xyz").write_text(MAIL, encoding="utf-8")
    (folder / "one.csv").write_text("text,label\nt,a\nu,a\n", encoding="utf-8")
    (folder / "stop.csv").write_text("text,label\nof,a\nthe,a\nwe,b\nme,b\n", encoding="utf-8")
    (folder / "counts.svmlight").write_text("1 1:2\n")
    before = sorted(path.name for path in folder.iterdir())
    command, message = BAD[case]
    line = fails(command)
    assert re.search(message, line), line
    assert sorted(path.name for path in folder.iterdir()) == before


def test_a_wrong_call_leaves_with_2_and_names_the_option(run):
    done = run("fit mail.csv")
    assert done.returncode == 2
    assert "--output" in done.stderr


def test_debug_shows_where_an_error_comes_from(folder, run):
    done = run("predict model.hb none.csv --debug")
    assert done.returncode == 1
    assert "Traceback" in done.stderr
