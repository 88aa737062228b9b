"""explain in its forms, evaluate and compare."""

import csv
import html
import json
import re
import signal
import warnings

import numpy as np
import pytest

from honeybayes import (
    TextClassifier,
    TextVectorizer,
    explain_decision,
    explain_word,
    load_model,
    save_model,
    telling_words,
)
from honeybayes.cli import main
from honeybayes.tables import Corpus, load_corpus, write_corpus
from honeybayes.text import TextAnalyzer


@pytest.fixture(scope="module")
def corpus():
    return load_corpus("messages").keep_classes(["billing", "delivery", "returns"]).draw(20)


@pytest.fixture(scope="module")
def files(tmp_path_factory, corpus):
    files = tmp_path_factory.mktemp("understanding")
    write_corpus(corpus, files / "mail.csv")
    for model in ("HOS", "CNB"):
        classifier = TextClassifier(model).fit(corpus.documents, corpus.labels)
        save_model(classifier, files / f"{model}.hb")
    return files


TEXT = "the parcel was charged twice"


def test_explain_tells_what_the_library_tells(folder, works):
    expected = explain_decision(load_model(folder / "CNB.hb"), TEXT, "returns", against="billing")
    told = works(f"explain CNB.hb '{TEXT}' --class returns --against billing")
    assert told == f"{expected}\n"
    told = works("explain CNB.hb - --class returns --against billing --json", stdin=TEXT)
    assert json.loads(told) == json.loads(json.dumps(expected.to_dict()))


def test_explain_draws_a_picture(folder, works):
    pytest.importorskip("matplotlib", reason="needs matplotlib (extra: report)")
    works(f"explain CNB.hb '{TEXT}' --plot why.svg")
    assert (folder / "why.svg").read_text(encoding="utf-8").startswith("<?xml")


def test_a_command_leaves_the_process_as_it_was(folder, monkeypatch, capsys):
    pyplot = pytest.importorskip("matplotlib.pyplot", reason="needs matplotlib (extra: report)")

    def state():
        handlers = signal.getsignal(signal.SIGTERM), warnings.showwarning
        return handlers, warnings.filters[:], pyplot.get_fignums()

    monkeypatch.chdir(folder)
    monkeypatch.setattr("sys.argv", ["honeybayes", "explain", "CNB.hb", TEXT, "--plot", "why.svg"])
    before = state()
    with pytest.raises(SystemExit, match="0"):
        main()
    assert state() == before
    assert "billing" in capsys.readouterr().out


def test_words_lists_the_telling_words_of_each_class(folder, works):
    found = telling_words(load_model(folder / "CNB.hb"), 3)
    told = json.loads(works("explain CNB.hb --top 3 --json"))
    assert {label: list(own) for label, own in told.items()} == {
        label: [word for word, _ in own] for label, own in found.items()
    }
    header, *rows = works("explain CNB.hb --top 3").splitlines()
    assert header == "class\twords"
    for label, words in (row.split("\t") for row in rows):
        assert TextAnalyzer()(words) == list(told[label])
    assert {"come", "address", "home"} <= set(re.findall(r"\w+", " ".join(rows)))  # no stems


def test_paths_tells_the_bridges_of_a_word(folder, works, corpus):
    model = load_model(folder / "HOS.hb")
    expected = explain_word(model, "parcel", "billing", corpus.documents, corpus.labels)
    *told, note = works(
        "explain HOS.hb --word parcel --class billing --table mail.csv"
    ).splitlines()
    assert told == str(expected).splitlines()
    assert note.startswith("Documents are counted from 0")


def test_paths_lead_to_every_class_unless_one_is_named(folder, works, corpus):
    model = load_model(folder / "HOS.hb")
    command = "explain HOS.hb --word parcel --table mail.csv --json"
    found = json.loads(works(command))
    assert [each["label"] for each in found] == model.classes_.tolist()
    assert found[0] == json.loads(works(f"{command} --class {found[0]['label']}"))


def test_telling_words_of_one_class(folder, works):
    every = works("explain CNB.hb").splitlines()
    one = works("explain CNB.hb --class returns").splitlines()
    assert one == [every[0], *(row for row in every if row.startswith("returns\t"))]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("text --word parcel --table mail.csv", "exclude each other"),
        ("--row 1 --word parcel --table mail.csv", "exclude each other"),
        ("--row 1", "needs a table"),
        ("--word parcel", "needs a table"),
        ("--table mail.csv", "--row ROW or --word WORD"),
        ("text --id nr", "--row"),
        ("--against billing", "a decision"),
        ("--plot why.svg", "Add a text"),
        ("text --pool mail.csv", "--word"),
        ("--word parcel --table mail.csv --plot why.svg", "--class"),
    ],
)
def test_what_is_to_be_explained_must_be_clear(folder, fails, options, message):
    assert message in fails(f"explain HOS.hb {options}", code=2)


def test_evaluate_turns_texts_into_words_once(folder, run, monkeypatch, corpus):
    asked = []
    transform = TextVectorizer.transform

    def count(self, X):
        asked.append(len(X))  # loading a model tries it with a few texts, too
        return transform(self, X)

    monkeypatch.setattr(TextVectorizer, "transform", count)
    for model in ("CNB", "HOS"):
        assert run(f"evaluate {model}.hb mail.csv --json").returncode == 0
    assert asked.count(len(corpus)) == 2


SEEN = "has learned from the texts of all"


def test_evaluate_knows_labels_that_are_numbers(folder, warns, corpus):
    """A table holds names; the model may have been fitted to numbers in Python."""
    numbers = {"billing": 0, "delivery": 1, "returns": 2}
    for name, labels in (
        ("names", corpus.labels),
        ("numbers", [numbers[label] for label in corpus.labels]),
    ):
        model = TextClassifier("CNB", calibrate=None).fit(corpus.documents, labels)
        save_model(model, folder / f"{name}.hb")
    as_numbers = Corpus("n", corpus.documents, np.array([str(numbers[c]) for c in corpus.labels]))
    write_corpus(as_numbers, folder / "numbers.csv")
    one = json.loads(warns("evaluate names.hb mail.csv --json", SEEN))
    other = json.loads(warns("evaluate numbers.hb numbers.csv --json", SEEN))
    for metric in ("accuracy", "auc", "log_loss", "brier", "calibration_error"):
        assert one[metric] == pytest.approx(other[metric])


def test_evaluate_measures_on_labeled_texts(folder, warns, corpus):
    model = load_model(folder / "CNB.hb")
    told = json.loads(warns("evaluate CNB.hb mail.csv --json", SEEN))
    assert told["accuracy"] == pytest.approx(model.score(corpus.documents, corpus.labels))
    assert [row["class"] for row in told["classes"]] == ["billing", "delivery", "returns"]
    assert "calibration_error" in warns("evaluate CNB.hb mail.csv", SEEN)


COMPARE = "compare mail.csv --models NB,CNB --labels 3,5 --draws 2"


def test_compare_prints_a_table_and_writes_a_report(folder, works):
    pytest.importorskip("matplotlib", reason="needs matplotlib (extra: report)")
    told = works(f"{COMPARE} --report report.html")
    lines = told.splitlines()
    table = lines[lines.index("accuracy in %\t3 per class\t5 per class") :]
    assert [line.split("\t")[0] for line in table[1:4]] == ["NB", "CNB", "largest class"]
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "honeybayes compare mail.csv --models NB,CNB" in page


def test_compare_leaves_out_default_sizes_that_no_class_can_give(folder, works):
    told = works("compare mail.csv --models CNB --draws 2")  # twenty of each class
    assert told.splitlines()[0] == "accuracy in %\t5 per class\t10 per class"


@pytest.mark.parametrize(
    ("command", "default"),
    [
        ("compare", "those of 5,10,25 that the classes allow"),
        ("compare", "some of each kind"),
        ("explain", "the best of the others"),
        ("predict", "1; with --engine dask, one per core"),
    ],
)
def test_help_shows_defaults_that_are_no_values(works, monkeypatch, command, default):
    monkeypatch.setenv("COLUMNS", "160")
    assert f"[default: ({default})]" in works(f"{command} --help")


def test_the_report_shows_commands_that_can_be_pasted(folder, works):
    pytest.importorskip("matplotlib", reason="needs matplotlib (extra: report)")
    table = (folder / "mail.csv").read_text(encoding="utf-8").replace(",", "\t")
    (folder / "my mail.csv").write_text(table, encoding="utf-8")
    command = "compare 'my mail.csv' --read \"delimiter='\\t'\" --models CNB --labels 3 --draws 2"
    works(f"{command} --report report.html")
    page = html.unescape((folder / "report.html").read_text(encoding="utf-8"))
    read = "--text text --label label --read delimiter=tab"
    assert f"honeybayes fit 'my mail.csv' {read} --model 'CNB'" in page
    assert "honeybayes predict model.hb new.csv --text text --read delimiter=tab -o out.csv" in page


@pytest.mark.parametrize(("model", "pool"), [("CNB", ""), ("FewLabels", " --pool more.txt")])
def test_the_report_shows_how_to_read_the_table_and_a_pool_that_is_of_use(
    folder, works, model, pool
):
    pytest.importorskip("matplotlib", reason="needs matplotlib (extra: report)")
    with (folder / "mail.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    with (folder / "mail.csv").open("w", encoding="cp1252", newline="") as file:
        csv.writer(file, delimiter=";").writerows(rows)
    (folder / "more.txt").write_text("parcel\ncharge\n", encoding="utf-8")
    reading = "--read 'delimiter=; encoding=cp1252'"
    command = f"compare mail.csv {reading} --models {model} --labels 3 --draws 2 --pool more.txt"
    works(f"{command} --report report.html")
    page = html.unescape((folder / "report.html").read_text(encoding="utf-8"))
    shown = rf"honeybayes (fit mail.csv --text text --label label {reading}{pool} --model .*)"
    [fit] = re.findall(shown, page)
    works(fit)
    assert f"honeybayes predict model.hb new.csv --text text {reading} -o out.csv" in page


def test_json_has_no_nan(folder, works):
    told = works("compare mail.csv --models CNB --labels 3 --draws 1 --json")
    assert "NaN" not in told
    assert json.loads(told)[0]["deviation"] is None


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("explain none.hb text", "none.hb"),
        ("explain CNB.hb text --class spam", "no class 'spam'. Its classes are: billing, delivery"),
        ("explain CNB.hb text --class billling", "Did you mean 'billing'?"),
        ("explain CNB.hb parcel --plot why.xyz", "a plot is written to a .png"),
        ("explain CNB.hb --word parcel --class billing --table mail.csv", "does not count paths"),
        (
            "explain HOS.hb --word zebra --class billing --table mail.csv",
            "does not know the word 'zebra'",
        ),
        ("evaluate CNB.hb none.csv", "no file none.csv"),
        ("compare mail.csv --labels 5 --models NB,HONNB", "Did you mean 'HONB'"),
        ("compare mail.csv --labels 5,60", "no class has 120 labeled documents"),
        ("compare mail.csv --report no/report.html", "There is no folder"),
        ("compare mail.csv --report .", "is a folder"),
    ],
)
def test_bad_input_is_told_in_one_line(folder, fails, command, message):
    assert message in fails(command)
