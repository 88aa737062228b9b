"""explain, words, paths, evaluate and compare."""

import json
import signal

import pytest

from honeybayes import (
    TextClassifier,
    explain_decision,
    explain_word,
    load_model,
    save_model,
    telling_words,
)
from honeybayes.data import load_corpus, write_corpus


@pytest.fixture(scope="module")
def corpus():
    return load_corpus("messages").keep_classes(["billing", "delivery", "returns"]).draw(20)


@pytest.fixture
def folder(tmp_path, corpus):
    write_corpus(corpus, tmp_path / "mail.csv")
    for model in ("HOS", "CNB"):
        save_model(
            TextClassifier(model).fit(corpus.documents, corpus.labels), tmp_path / f"{model}.hb"
        )
    return tmp_path


TEXT = "the parcel was charged twice"


def test_explain_tells_what_the_library_tells(folder, works):
    expected = explain_decision(load_model(folder / "CNB.hb"), TEXT, "returns", against="billing")
    told = works(f"explain CNB.hb '{TEXT}' --label returns --against billing")
    assert told == f"{expected}\n"
    told = works("explain CNB.hb - --label returns --against billing --json", stdin=TEXT)
    assert json.loads(told) == json.loads(json.dumps(expected.to_dict()))


def test_explain_draws_a_picture(folder, works):
    pytest.importorskip("matplotlib", reason="wants matplotlib (extra: report)")
    works(f"explain CNB.hb '{TEXT}' --plot why.svg")
    assert (folder / "why.svg").read_text(encoding="utf-8").startswith("<?xml")


def test_words_lists_the_telling_words_of_each_class(folder, works):
    found = telling_words(load_model(folder / "CNB.hb"), 3)
    told = json.loads(works("words CNB.hb --top 3 --json"))
    assert {label: list(own) for label, own in told.items()} == {
        label: [word for word, _ in own] for label, own in found.items()
    }
    assert works("words CNB.hb --top 3").splitlines()[0] == "class\twords"


def test_paths_tells_the_bridges_of_a_word(folder, works, corpus):
    model = load_model(folder / "HOS.hb")
    expected = explain_word(model, "parcel", "billing", corpus.documents, corpus.labels)
    assert works("paths HOS.hb parcel billing mail.csv") == f"{expected}\n"


def test_evaluate_measures_on_labeled_texts(folder, works, corpus):
    model = load_model(folder / "CNB.hb")
    told = json.loads(works("evaluate CNB.hb mail.csv --json"))
    assert told["accuracy"] == pytest.approx(model.score(corpus.documents, corpus.labels))
    assert [row["class"] for row in told["classes"]] == ["billing", "delivery", "returns"]
    assert "calibration_error" in works("evaluate CNB.hb mail.csv")


COMPARE = "compare mail.csv --models NB,CNB --labels 3,5 --draws 2"


def test_compare_prints_a_table_and_writes_a_report(folder, works):
    pytest.importorskip("matplotlib", reason="wants matplotlib (extra: report)")
    told = works(f"{COMPARE} --report report.html")
    lines = told.splitlines()
    assert lines[0] == "accuracy in %\t3 a class\t5 a class"
    assert [line.split("\t")[0] for line in lines[1:3]] == ["NB", "CNB"]
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "honeybayes compare mail.csv --models NB,CNB" in page


def test_an_interrupted_comparison_goes_on_where_it_stopped(folder, works, start):
    whole = json.loads(works(f"{COMPARE} --json"))
    process = start(f"{COMPARE} --results runs.jsonl --json")
    while not (folder / "runs.jsonl").exists() and process.poll() is None:
        pass
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert json.loads(works(f"{COMPARE} --results runs.jsonl --json")) == whole


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("explain none.hb text", "none.hb"),
        ("explain CNB.hb text --label spam", "no class 'spam'. Its classes are: billing, delivery"),
        ("explain CNB.hb parcel --plot why.xyz", "a picture ends in .png"),
        ("paths CNB.hb parcel billing mail.csv", "counts no paths"),
        ("paths HOS.hb zebra billing mail.csv", "never met the word 'zebra'"),
        ("evaluate CNB.hb none.csv", "no file none.csv"),
        ("compare mail.csv --models NB,HONNB", "Did you mean 'HONB'"),
        ("compare mail.csv --labels 5,x", "--labels wants whole numbers"),
        ("compare mail.csv --report no/report.html", "no folder no"),
    ],
)
def test_bad_input_is_told_in_one_line(folder, fails, command, message):
    assert message in fails(command)
