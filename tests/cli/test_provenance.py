"""Who gave a label: runner-ups, sources, filled cells, and labels of a model set aside."""

import csv
import json
import re
from shutil import copyfile

import numpy as np
import pandas
import pytest

from honeybayes import TextClassifier, load_model, save_model
from honeybayes.tables import load_corpus, read_corpus, read_table, write_corpus, write_table
from honeybayes.utils.labels import has_no_label

MAIL = """id,text,queue
1,My parcel is late,delivery
2,Where is my parcel?,
3,I was charged twice,
4,Wrong charge on my card,delivery
5,The shirt does not fit,\t
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    files = tmp_path_factory.mktemp("provenance")
    (files / "mail.csv").write_text(MAIL, encoding="utf-8")
    texts = ["late parcel", "parcel lost", "charged twice", "card charge", "shirt size", "no fit"]
    labels = ["delivery", "delivery", "billing", "billing", "returns", "returns"]
    save_model(TextClassifier("CNB").fit(texts, labels), files / "model.hb")
    return files


def read_rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_runner_ups_are_the_next_classes_by_probability(folder, writes):
    writes("predict model.hb mail.csv --add top=3 -o out.csv")
    rows = read_rows(folder / "out.csv")
    new = ["label", "confidence", "source", "label_2", "confidence_2", "label_3", "confidence_3"]
    assert list(rows[0])[3:] == new
    model = load_model(folder / "model.hb")
    for row, own in zip(rows, model.predict_proba([row["text"] for row in rows]), strict=True):
        expected = sorted(zip(-own, model.classes_, strict=True))
        found = [row["label"], row["label_2"], row["label_3"]]
        assert found == [name for _, name in expected]
        numbers = [float(row[name]) for name in ("confidence", "confidence_2", "confidence_3")]
        np.testing.assert_allclose(numbers, [-each for each, _ in expected], atol=1e-4)


def test_there_are_not_more_runner_ups_than_classes(folder, works):
    told = json.loads(works("predict model.hb - --add top=9 --json", stdin="late parcel\n"))
    assert list(told)[-1] == "confidence_3"


def test_proba_writes_one_column_per_class(folder, works):
    told = works("predict model.hb mail.csv --add proba --json").splitlines()
    model = load_model(folder / "model.hb")
    for line in map(json.loads, told):
        found = [line[f"proba_{name}"] for name in ("billing", "delivery", "returns")]
        np.testing.assert_allclose(found, model.predict_proba([line["text"]])[0], atol=1e-4)


def test_a_label_that_is_left_to_a_person_has_no_source(folder, works):
    told = json.loads(works("predict model.hb - --min-confidence 1 --json", stdin="parcel\n"))
    assert (told["label"], told["source"]) == ("", "")


def test_fill_keeps_the_labels_that_are_there(folder, writes):
    told = writes("predict model.hb mail.csv --fill queue --add top=2 -o out.csv")
    assert told.startswith("3 of 5 rows filled, 2 had a label: out.csv")
    before, after = read_rows(folder / "mail.csv"), read_rows(folder / "out.csv")
    assert list(after[0]) == [*before[0], "confidence", "source", "queue_2", "confidence_2"]
    assert [row["queue"] for row in after] == [
        *("delivery", "delivery", "billing", "delivery", "returns")
    ]
    assert [row["source"] for row in after] == ["person", "model", "model", "person", "model"]
    assert [bool(row["confidence"]) for row in after] == [False, True, True, False, True]
    assert [bool(row["queue_2"]) for row in after] == [False, True, True, False, True]


def test_fill_leaves_a_column_without_a_name_alone(folder, writes):
    """A data frame of pandas writes its index to such a column."""
    (folder / "numbered.csv").write_text(
        ",text,queue\n0,late parcel,delivery\n1,the parcel is late,\n"
    )
    writes("predict model.hb numbered.csv --fill queue -o out.csv")
    assert [row[""] for row in read_rows(folder / "out.csv")] == ["0", "1"]
    assert [row["source"] for row in read_rows(folder / "out.csv")] == ["person", "model"]


def test_fill_leaves_cells_below_the_confidence_empty(folder, writes):
    told = writes("predict model.hb mail.csv --fill queue --min-confidence 1 -o out.csv")
    assert told.startswith("0 of 5 rows filled, 2 had a label, 3 are left for a person: out.csv")
    assert [row["source"] for row in read_rows(folder / "out.csv")] == [
        "person",
        "",
        "",
        "person",
        "",
    ]


def test_fill_takes_null_in_json_lines_as_empty(folder, works):
    lines = '{"text": "late parcel", "queue": null}\n{"text": "late", "queue": "billing"}\n'
    (folder / "mail.jsonl").write_text(lines, encoding="utf-8")
    first, second = map(json.loads, works("predict model.hb mail.jsonl --fill queue").splitlines())
    assert (first["queue"], first["source"]) == ("delivery", "model")
    assert (second["queue"], second["source"]) == ("billing", "person")


def test_fill_takes_a_row_of_json_lines_without_a_source_as_labeled_by_a_person(folder, writes):
    rows = [
        {"text": "parcel", "label": "", "source": "model"},
        {"text": "charge", "label": "billing"},
    ]
    (folder / "t.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    writes("predict model.hb t.jsonl --fill label -o o.jsonl")
    first, second = map(json.loads, (folder / "o.jsonl").read_text(encoding="utf-8").splitlines())
    assert (first["label"], first["source"]) == ("delivery", "model")
    assert (second["label"], second["source"]) == ("billing", "person")


def test_filling_again_does_not_turn_the_labels_of_a_model_into_those_of_a_person(folder, writes):
    table = "text,label,source\nlate parcel,delivery,model\ncharged twice,billing,\nshirt,,\n"
    (folder / "half.csv").write_text(table, encoding="utf-8")
    writes("predict model.hb half.csv --fill label -o out.csv")
    found = [row["source"] for row in read_rows(folder / "out.csv")]
    assert found == ["model", "person", "model"]


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet", "xlsx"])
def test_filling_again_keeps_what_is_there(folder, writes, ending):
    rows = [{"text": "parcel late", "label": ""}, {"text": "charged twice", "label": "billing"}]
    write_table(pandas.DataFrame(rows), folder / f"own.{ending}")
    writes(f"predict model.hb own.{ending} --fill label -o once.{ending}")
    writes(f"predict model.hb once.{ending} --fill label -o twice.{ending}")
    once, twice = (read_table(folder / f"{name}.{ending}") for name in ("once", "twice"))
    pandas.testing.assert_frame_equal(twice, once)
    has_confidence = [not has_no_label(cell) for cell in once["confidence"]]
    assert has_confidence == [True, False]


def test_filling_again_keeps_columns_without_a_name(folder, writes, works):
    table = ",text,,label\na,parcel late,b,\nc,charged twice,d,billing\n"
    (folder / "own.csv").write_text(table, encoding="utf-8")
    writes("predict model.hb own.csv --fill label -o once.csv")
    once = (folder / "once.csv").read_text(encoding="utf-8")
    assert works("predict model.hb once.csv --fill label") == once
    (folder / "none.csv").write_text(once.split("\n")[0] + "\n", encoding="utf-8")
    assert works("predict model.hb none.csv --fill label") == ",text,,label,confidence,source\n"


@pytest.mark.parametrize(
    ("table", "options"),
    [
        ("text,label,confidence,source\nparcel late,,high,web\n", ""),
        ("text,label,confidence,source\nparcel late,,high,\n", ""),
        ("text,label,confidence,source\nparcel late,,0.5,web\n", ""),
        ("text,label,confidence,source\nparcel late,,inf,model\n", ""),
        ("text,label,confidence,source\nparcel late,,0.5,model\n", " --confidence-column text"),
    ],
)
def test_filling_does_not_write_over_columns_of_others(folder, fails, table, options):
    (folder / "own.csv").write_text(table, encoding="utf-8")
    said = fails(f"predict model.hb own.csv --fill label -o out.csv{options}")
    assert "already" in said
    assert "--confidence-column" in said
    assert not (folder / "out.csv").exists()


def test_cells_of_others_far_below_end_the_command_too(folder, fails):
    rows = ["parcel late,,0.5,model\n"] * 30_000 + ["parcel late,,high,web\n"]
    table = "text,label,confidence,source\n" + "".join(rows)
    (folder / "own.csv").write_text(table, encoding="utf-8")
    said = fails("predict model.hb own.csv --fill label -o out.csv")
    assert "'confidence' and 'source' already" in said
    assert not (folder / "out.csv").exists()


def test_the_source_of_another_column_than_label_has_its_name(folder, writes, run):
    rows = [f"My parcel {n} is late,delivery\nI was charged {n} twice,billing\n" for n in range(5)]
    (folder / "both.csv").write_text("text,label\n" + "".join(rows), encoding="utf-8")
    writes("predict model.hb both.csv --label-column queue -o out.csv")
    assert list(read_rows(folder / "out.csv")[0])[2:] == ["queue", "confidence", "queue_source"]
    done = run("fit out.csv -m CNB -o own.hb")
    assert (done.returncode, done.stderr) == (0, "")
    done = run("fit out.csv --label queue -m CNB -o own.hb")
    assert done.returncode == 1
    assert "10 labels are set aside" in done.stderr


BAD = {
    "runner-up": ("taken.csv --add top=2", "a column 'label_2' already. Rename it, or omit `top`"),
    "class": ("taken.csv --add proba", "a column 'proba_billing' already. .* omit `proba`"),
    "source": ("plain.csv", "a column 'source' already. Rename it"),
    "the same name": (
        "mail.csv --confidence-column label",
        "Two new columns have the name 'label'",
    ),
    "fill the text": ("mail.csv --fill text", "is the column with the texts"),
    "fill nothing": ("mail.csv --fill queu", "Did you mean 'queue'.*--fill"),
    "fill lines": ("lines.txt --fill label", "one text per line"),
    "foreign source": ("source.csv --fill label", "the cell 'e-mail', .* person or model. Rename"),
}


@pytest.mark.parametrize("case", BAD)
def test_columns_that_cannot_be_written_are_told(folder, fails, case):
    (folder / "taken.csv").write_text("text,label_2,proba_billing\na,b,c\n", encoding="utf-8")
    (folder / "source.csv").write_text("text,label,source\na,b,e-mail\n", encoding="utf-8")
    (folder / "plain.csv").write_text("text,source\na,e-mail\n", encoding="utf-8")
    (folder / "lines.txt").write_text("late parcel\n", encoding="utf-8")
    command, message = BAD[case]
    line = fails(f"predict model.hb {command} -o out.csv")
    assert re.search(message, line), line
    assert not (folder / "out.csv").exists()


def test_fill_and_label_column_exclude_each_other(folder, fails):
    command = "predict model.hb mail.csv --fill queue --label-column x -o out.csv"
    assert "exclude each other" in fails(command, code=2)
    assert not (folder / "out.csv").exists()


@pytest.fixture(scope="module")
def predicted(tmp_path_factory):
    """Messages: 24 labels of persons, and a table with the answers of their model for the rest."""
    files = tmp_path_factory.mktemp("predicted")
    corpus = load_corpus("messages")
    few = corpus.draw(3, seed=1)
    model = TextClassifier("CNB").fit(few.documents, few.labels)
    save_model(model, files / "model.hb")
    known = set(few.documents)
    truth = dict(zip(corpus.documents, corpus.labels.tolist(), strict=True))
    rows = [(text, truth[text] if text in known else "") for text in truth]
    with (files / "mail.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("text", "label"), *rows])
    others = [text for text in truth if text not in known]
    write_corpus(corpus.keep_classes(corpus.classes), files / "all.csv")
    return files, others, [truth[text] for text in others]


def test_a_model_does_not_learn_from_its_own_answers_unless_told(predicted, tmp_path, run):
    """A fit on a file that predict wrote reported 94 % where the truth was 44 %."""
    files, others, truth = predicted
    for name in ("model.hb", "mail.csv"):
        copyfile(files / name, tmp_path / name)
    assert run("predict model.hb mail.csv --fill label -o filled.csv").returncode == 0
    done = run("fit filled.csv --json -o own.hb")
    told = json.loads(done.stdout)
    assert (told["documents"], told["unlabeled"]) == (24, len(others))
    assert f"{len(others)} labels are set aside" in done.stderr
    assert "--read keep-model-labels" in done.stderr
    # what is claimed of the answers of the model themselves, against the truth
    kept = run("fit filled.csv -m CNB --read keep-model-labels --json -o kept.hb")
    assert kept.stderr == ""
    assert json.loads(kept.stdout)["documents"] == 24 + len(others)
    claimed = json.loads(
        run("evaluate model.hb filled.csv --read keep-model-labels --json").stdout
    )["accuracy"]
    true = np.mean(load_model(tmp_path / "model.hb").predict(others) == truth)
    assert claimed > 0.9 > true + 0.2
    measured = run("evaluate model.hb filled.csv --json")
    assert json.loads(measured.stdout)["documents"] <= 24


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_every_kind_of_table_says_who_gave_a_label(tmp_path, ending):
    rows = [("late", "a", "person"), ("lost", "b", "model"), ("bill", "c", ""), ("card", "a", None)]
    names = ("text", "label", "source")
    path = tmp_path / f"mail.{ending}"
    if ending == "csv":
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([names, *rows])
    elif ending == "jsonl":
        lines = [json.dumps(dict(zip(names, row, strict=True))) for row in rows]
        path.write_text("\n".join(lines), encoding="utf-8")
    else:
        pyarrow = pytest.importorskip("pyarrow")
        table = pyarrow.table(dict(zip(names, zip(*rows, strict=True), strict=True)))
        pytest.importorskip("pyarrow.parquet").write_table(table, path)
    with pytest.warns(UserWarning, match="^1 label is set aside"):
        corpus = read_corpus(path, keep_unlabeled=True, keep_model_labels=False)
    assert corpus.labels.tolist() == ["a", "", "c", "a"]
    assert read_corpus(path).labels.tolist() == ["a", "b", "c", "a"]


def test_the_answers_that_a_project_exports_are_set_aside(tmp_path, run):
    (tmp_path / "out.csv").write_text(
        "text,label,honeybayes_label,honeybayes_source\nlate,x,a,person\nlost,y,b,model\n"
    )
    done = run("fit out.csv --label honeybayes_label -m CNB -o own.hb")
    assert "1 label is set aside" in done.stderr


def test_compare_uses_the_texts_of_a_model_as_pool(tmp_path, run):
    corpus = load_corpus("messages").keep_classes(["billing", "delivery"])
    source = np.where(np.arange(len(corpus)) % 2, "model", "person").tolist()
    rows = zip(corpus.documents, corpus.labels.tolist(), source, strict=True)
    with (tmp_path / "mail.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("text", "label", "source"), *rows])
    done = run("compare mail.csv --models CNB --labels 3 --draws 2 --json")
    assert done.returncode == 0
    assert f"{source.count('model')} labels are set aside" in done.stderr
    assert (
        run("compare mail.csv --models CNB --labels 3 --draws 2 --read keep-model-labels").stderr
        == ""
    )


TRAINING = """body,label
My parcel is late,delivery
Where is my parcel?,delivery
I was charged twice,billing
Wrong charge on my card,billing
"""
TEST = """body,label
  my PARCEL   is late,delivery
The courier lost my parcel,delivery
A refund for the double charge,delivery
"""


@pytest.fixture
def trained(tmp_path, works):
    (tmp_path / "mail.csv").write_text(TRAINING, encoding="utf-8")
    (tmp_path / "test.csv").write_text(TEST, encoding="utf-8")
    works("fit mail.csv --text body -m CNB -o model.hb")
    return tmp_path


@pytest.mark.usefixtures("trained")
def test_evaluate_measures_on_the_texts_that_the_model_has_not_learned_from(warns):
    told = json.loads(
        warns(
            "evaluate model.hb test.csv --json",
            "1 of 3 rows is a text that the model has learned from. The numbers below are without",
        )
    )
    assert (told["documents"], told["seen"], told["only_seen"]) == (2, 1, False)
    assert told["accuracy"] == 0.5  # 2/3 with the text that it knows


@pytest.mark.usefixtures("trained")
def test_evaluate_marks_numbers_of_training_texts(warns):
    told = warns("evaluate model.hb mail.csv", "learned from the texts of all 4 rows")
    assert told.startswith("measure\tvalue of seen texts\naccuracy\t1.0000")
    told = json.loads(warns("evaluate model.hb mail.csv --json", "do not show"))
    assert (told["documents"], told["seen"], told["only_seen"]) == (4, 4, True)


@pytest.mark.usefixtures("trained")
def test_predict_says_how_many_texts_the_model_has_learned_from(writes):
    told = writes("predict model.hb test.csv --label-column l -o out.csv")
    assert told == ("3 rows classified, 1 of them texts that the model has learned from: out.csv\n")


def test_a_model_remembers_the_column_of_its_texts(trained, works, run, fails):
    assert load_model(trained / "model.hb")._table == {"text": "body"}
    assert works("predict model.hb test.csv --label-column l").startswith("body,label,l,")
    assert run("evaluate model.hb test.csv").returncode == 0
    (trained / "other.csv").write_text("text\nlate parcel\n", encoding="utf-8")
    assert works("predict model.hb other.csv --text text").startswith("text,label,")
    (trained / "another.csv").write_text("words\nlate parcel\n", encoding="utf-8")
    assert "no column 'body'" in fails("predict model.hb another.csv")
    works("fit mail.csv --text body -m HOS -o paths.hb")
    assert "parcel" in works("explain paths.hb --word parcel --class delivery --table mail.csv")


def test_a_model_file_holds_no_training_text(trained):
    content = (trained / "model.hb").read_bytes()
    assert b"body" in content
    for text in ("My parcel is late", "my parcel is late", "charged twice"):
        assert text.encode() not in content


def test_the_cap_of_the_digests_is_told(trained, monkeypatch, run):
    monkeypatch.setattr("honeybayes.utils.texts.MAX_DIGESTS", 4)
    assert "knows only 4 training texts" in run("evaluate model.hb mail.csv").stderr
