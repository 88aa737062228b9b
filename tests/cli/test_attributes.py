"""Tables of nominal columns, ids of rows, and labels that mean "no label"."""

import csv
import json

import numpy as np
import pytest
from sklearn.feature_extraction import DictVectorizer

from honeybayes import TextClassifier, load_model, make_model, save_model

COLUMNS = ["number", "odor", "cap color", "weight", "class"]
RANDOM = np.random.default_rng(0)
SMELLS = {"edible": ["none", "anise", "none"], "poisonous": ["foul", "foul", "none"]}
ROWS = [
    [
        f"m{at}",
        str(RANDOM.choice(SMELLS[kind])),
        str(RANDOM.choice(["red", "light brown"])),
        f"{RANDOM.normal(30 if kind == 'edible' else 50, 10):.1f}",
        kind,
    ]
    for at, kind in enumerate(["edible", "poisonous"] * 30)
]
A = "--attributes 'odor,cap color' --label class"


def write(path, rows, columns=COLUMNS):
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([columns, *rows])


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    files = tmp_path_factory.mktemp("attributes")
    write(files / "train.csv", ROWS[:40])
    write(files / "test.csv", ROWS[40:])
    return files


def test_the_answers_are_those_of_the_model_on_one_hot_columns(folder, works):
    works(f"fit train.csv {A} --model 'HONB calibrate=no' -o m.hb")
    rows = csv.DictReader(works("predict m.hb test.csv --label-column answer").splitlines())
    found = [row["answer"] for row in rows]
    records = [dict(zip(COLUMNS[1:3], row[1:3], strict=True)) for row in ROWS]
    matrix = DictVectorizer().fit_transform(records)
    model = make_model("HONB").fit(matrix[:40], [row[-1] for row in ROWS[:40]])
    assert found == model.predict(matrix[40:]).tolist()
    assert load_model(folder / "m.hb")._table == {"attributes": {"odor": "", "cap color": ""}}


@pytest.mark.filterwarnings("ignore::honeybayes.exceptions.NoPathWarning")
def test_every_command_takes_attributes(folder, works):
    told = works(f"fit train.csv {A} --model HOS -o m.hb")
    assert told.startswith("HOS learned 2 classes from 40 documents, 5 terms: m.hb")
    measured = json.loads(
        works(
            "compare train.csv --attributes 'odor,cap color' --label class "
            "--models NB,HONB --labels 5 --draws 2 --json"
        )
    )
    assert [each["model"] for each in measured] == ["NB", "HONB"]
    assert "odor=foul" in works("explain m.hb 'odor=foul; cap color=red'")
    assert works("explain m.hb --table test.csv --row 1") == works(
        "explain m.hb --table test.csv --row m40 --id number"
    )
    assert "odor=foul" in works("explain m.hb")
    assert works("explain m.hb --word odor=anise --class poisonous --table train.csv --label class")


def test_evaluate_reads_the_columns_of_the_model(folder, run):
    run(f"fit train.csv {A} --model NB -o m.hb")
    done = run("evaluate m.hb test.csv --label class --json")
    assert done.returncode == 0
    assert "rows" in done.stderr  # records of the same values are known to the model
    write(folder / "other.csv", [["red", "edible"]], ["cap color", "class"])
    assert "no column 'odor'" in run("evaluate m.hb other.csv --label class").stderr


def test_all_columns_but_the_id_and_the_label(folder, run, works, fails):
    assert "more than 20 different numbers: 'weight'" in fails(
        "fit train.csv --attributes all --label class --id number -o m.hb"
    )
    works("fit train.csv --attributes all --read n-bins=3 --label class --id number -m NB -o m.hb")
    model = load_model(folder / "m.hb")
    assert list(model._table["attributes"]) == COLUMNS[1:4]
    edges = [float(each) for each in model._table["attributes"]["weight"].split()]
    weights = [float(row[3]) for row in ROWS[:40]]
    assert np.searchsorted(sorted(weights), edges).tolist() == pytest.approx([13, 27], abs=1)
    assert sum(term.startswith("weight=") for term in model.terms_) == 3
    assert run("predict m.hb test.csv --id number").stdout.startswith("number,label,")


def test_unlabeled_rows_and_a_pool_are_read_the_same_way(folder, works):
    rows = [[*row[:-1], row[-1] if at < 20 else ""] for at, row in enumerate(ROWS)]
    write(folder / "some.csv", rows)
    told = works(f"fit some.csv {A} --model FewLabels --pool test.csv -o m.hb")
    assert "20 documents and 60 without a label" in told


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (
            "fit train.csv --read n-bins=3 --label class --text odor -o m.hb",
            "Use it with --attributes",
        ),
        (f"fit train.csv {A} --classes 'edible; poisonous' -o m.hb", "--classes is for texts"),
        (f"fit train.csv {A} --encoder e -o m.hb", "--encoder is for texts"),
    ],
)
def test_what_does_not_fit_is_refused(folder, fails, command, message):
    assert message in fails(command, code=2)


def test_an_attribute_that_is_not_there_is_told(folder, fails):
    told = fails("fit train.csv --attributes smell --label class -o m.hb")
    assert "Name the column with --attributes." in told


def test_texts_and_attributes_exclude_each_other(folder, fails):
    told = fails(f"fit train.csv {A} --text odor -o m.hb", code=2)
    assert "--text and --attributes exclude each other" in told
    assert "--attributes needs all rows" in fails("fit . --attributes all -o m.hb", code=2)


def test_a_record_without_values_has_no_answer(folder, run):
    run(f"fit train.csv {A} --model NB -o m.hb")
    write(folder / "new.csv", [["?", ""], ["foul", "blue"]], ["odor", "cap color"])
    model = load_model(folder / "m.hb")
    assert not model.has_seen(["odor=foul\ncap color=blue"]).any()
    done = run("predict m.hb new.csv")
    assert done.stdout.splitlines()[1] == "?,,,,"
    assert "foul,blue,poisonous" in done.stdout
    assert done.stderr == "1 row has no value: no label was given\n"
    done = run("predict m.hb -", "odor,cap color\nfoul,red\n")
    assert done.stdout.splitlines()[1].startswith("foul,red,poisonous")


# Ids


@pytest.fixture
def mail(folder):
    texts = ["My parcel is late", "Parcel never arrived", "Charged twice", "Wrong charge"]
    labels = ["delivery", "delivery", "billing", "billing"]
    rows = [[f"t{at}", *row] for at, row in enumerate(zip(texts, labels, strict=True))]
    write(folder / "mail.csv", rows, ["ticket", "body", "queue"])
    model = TextClassifier("CNB").fit(texts, labels)
    model._table = {"text": "body"}
    save_model(model, folder / "mail.hb")
    return folder


def test_predict_writes_the_id_and_the_answers_only(mail, works, fails):
    told = works("predict mail.hb mail.csv --id ticket --label-column queue")
    assert [line.split(",")[:2] for line in told.splitlines()] == [
        ["ticket", "queue"],
        ["t0", "delivery"],
        ["t1", "delivery"],
        ["t2", "billing"],
        ["t3", "billing"],
    ]
    rows = [json.dumps({"ticket": 7, "body": "a late parcel", "more": None})]
    (mail / "mail.jsonl").write_text("\n".join(rows))
    answer = json.loads(works("predict mail.hb mail.jsonl --id ticket"))
    assert list(answer) == ["ticket", "label", "confidence", "source"]
    assert answer["ticket"] == 7
    assert "no column 'nr'" in fails("predict mail.hb mail.csv --id nr")
    assert "exclude each other" in fails(
        "predict mail.hb mail.csv --id ticket --fill queue", code=2
    )
    (mail / "mail.txt").write_text("late parcel\n")
    assert "Omit --id." in fails("predict mail.hb mail.txt --id ticket")


def test_explain_finds_a_row_by_id_or_number(mail, works, fails):
    by_text = works("explain mail.hb 'Charged twice'")
    assert works("explain mail.hb --table mail.csv --row 3") == by_text
    assert works("explain mail.hb --table mail.csv --row t2 --id ticket") == by_text
    assert works("explain mail.hb --table mail.csv --row t2 --id ticket --text body") == by_text
    assert "has no row '9'" in fails("explain mail.hb --table mail.csv --row 9")
    assert "2 rows 'billing' in the column 'queue'" in fails(
        "explain mail.hb --table mail.csv --row billing --id queue"
    )
    assert "add --row" in fails("explain mail.hb mail.csv --id ticket", code=2)


def test_a_table_with_the_usual_column_is_read_and_that_is_said(mail, run, works):
    rows = [["late parcel", "delivery"], ["wrong charge", "billing"]]
    write(mail / "new.csv", rows, ["text", "label"])
    said = "new.csv has no column 'body', to which the model was fitted"
    for command in (
        "predict mail.hb new.csv --id label --label-column answer",
        "evaluate mail.hb new.csv",
    ):
        done = run(command)
        assert done.returncode == 0
        assert said in done.stderr
    (mail / "new.jsonl").write_text('{"text": "late parcel"}\n')
    done = run("predict mail.hb new.jsonl")
    assert (done.returncode, "delivery" in done.stdout) == (0, True)
    write(mail / "both.csv", [["x", "late parcel"]], ["text", "body"])
    assert "delivery" in works("predict mail.hb both.csv")
    write(mail / "none.csv", [["late parcel"]], ["words"])
    assert "no column 'body'" in run("predict mail.hb none.csv").stderr


# Labels that mean "no label"


def labels_of(folder, works_or_run, label, more=""):
    rows = [["parcel late", "1"], ["parcel lost", "1"], ["charge twice", "2"], ["a charge", "2"]]
    write(
        folder / "some.csv", [*rows, ["my parcel", label], ["the charge", label]], ["text", "label"]
    )
    return works_or_run(f"fit some.csv --model FewLabels -o m.hb --json {more}")


@pytest.mark.parametrize("label", ["-1", "nan", "NaN", "None", "null"])
def test_marks_of_other_programs_mean_no_label_and_that_is_said(folder, run, label):
    done = labels_of(folder, run, label)
    assert (
        f"2 rows have the label {label!r}, which is taken as no label. If it is a class, use "
        "--read \"unlabeled=''\"." in done.stderr
    )
    assert json.loads(done.stdout)["classes"] == ["1", "2"]
    assert json.loads(done.stdout)["unlabeled"] == 2


@pytest.mark.parametrize("label", ["-1", "none", "NA", "None"])
def test_it_can_be_switched_off(folder, run, label):
    done = labels_of(folder, run, label, "--read \"unlabeled=''\"")
    assert json.loads(done.stdout)["classes"] == sorted(["1", "2", label])
    assert "taken as no label" not in done.stderr


def test_any_label_can_mean_no_label(folder, works):
    told = json.loads(labels_of(folder, works, "todo", "--read \"unlabeled='todo, later'\""))
    assert (told["classes"], told["unlabeled"]) == (["1", "2"], 2)


def test_a_class_that_a_model_knows_stays_a_class(folder, run):
    texts = ["parcel late", "parcel lost", "charge twice", "a charge"]
    save_model(TextClassifier("CNB").fit(texts, ["None", "None", "2", "2"]), folder / "m.hb")
    write(folder / "new.csv", [["my parcel", "None"], ["the charge", "2"]], ["text", "label"])
    done = run("evaluate m.hb new.csv --json")
    assert json.loads(done.stdout)["documents"] == 2
    assert "no label" not in done.stderr
