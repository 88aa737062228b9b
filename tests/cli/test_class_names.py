"""``fit --classes``, with and without labels; repeats; stop words; outliers."""

import csv
import json

import pytest

from honeybayes import load_model

WORDS = {
    "billing": ["invoice", "charge", "refund", "payment", "card"],
    "delivery": ["parcel", "courier", "late", "package", "driver"],
}
TEXTS = [
    f"{words[i]} {words[j]} please" for words in WORDS.values() for i in range(5) for j in range(i)
]
QUEUES = ["billing"] * 10 + ["delivery"] * 10
CLASSES = "billing: invoice refund charge; delivery: parcel courier late zeppelin"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "texts.txt").write_text("\n".join(TEXTS), encoding="utf-8")
    (tmp_path / "texts.csv").write_text("\n".join(["text", *TEXTS]), encoding="utf-8")
    lines = [json.dumps({"text": text}) for text in TEXTS]
    (tmp_path / "texts.jsonl").write_text("\n".join(lines), encoding="utf-8")
    rows = [f"{text},{queue}" for text, queue in zip(TEXTS, QUEUES, strict=True)]
    (tmp_path / "labeled.csv").write_text("\n".join(["text,label", *rows]), encoding="utf-8")
    empty = [f"{text}," for text in TEXTS]
    (tmp_path / "empty.csv").write_text("\n".join(["text,label", *empty]), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("table", ["texts.txt", "texts.csv", "texts.jsonl", "empty.csv"])
def test_names_are_enough(folder, works, table):
    printed = works(f"fit {table} --classes '{CLASSES}' -o own.hb").splitlines()
    assert printed[0].startswith("Class names: good (")
    assert printed[1:3] == [
        "Words of billing that occur in no text: billing",
        "Words of delivery that occur in no text: delivery zeppelin",
    ]
    assert printed[3].startswith("FewLabels learned 2 classes from 20 without a label, ")
    assert printed[4:6] == [
        "Language of the texts as a whole: english",
        "Stop words: kept",
    ]
    assert printed[6].startswith("Why FewLabels: ")
    assert load_model(folder / "own.hb").predict(TEXTS).tolist() == QUEUES


def test_classes_in_a_file_and_labels(folder, works):
    lines = CLASSES.replace("; ", "\n\n")
    (folder / "classes.txt").write_text(lines, encoding="utf-8")
    answer = json.loads(works("fit labeled.csv --classes classes.txt -o own.hb --json"))
    assert answer["class_names"]["verdict"] == "good"
    assert answer["class_names"]["missing"] == {
        "billing": "billing",
        "delivery": "delivery zeppelin",
    }
    assert answer["documents"] == 20
    assert answer["repeats"] == 0
    assert answer["stop_words_removed"] in (True, False)


def test_a_name_that_is_almost_a_label_is_told(folder, run):
    """Finding: a misspelled name became one more class without a word."""
    done = run("fit labeled.csv --classes 'biling: invoice; delivery: parcel; other' -o own.hb")
    assert done.returncode == 0
    assert done.stderr == (
        "honeybayes: warning: No text has the label 'biling' of --classes; it is one more class. "
        "Did you mean 'billing'?\n"
    )


def test_names_that_do_not_occur_are_poor(folder, works):
    printed = works("fit texts.txt --classes 'zebra; giraffe' -o own.hb").splitlines()
    assert printed[0].startswith("Class names: poor (0.00): do not rely on the answers")
    assert printed[1] == "Words of zebra that occur in no text: zebra"


def test_repeats_are_told(folder, works):
    (folder / "texts.txt").write_text("\n".join([*TEXTS, *TEXTS[:3]]), encoding="utf-8")
    printed = works(f"fit texts.txt --classes '{CLASSES}' -o own.hb")
    assert "\n3 texts have the same words as another text; each counts once\n" in printed


@pytest.mark.parametrize(
    ("option", "removed"),
    [("--words stop-words=keep", False), ("--words stop-words=remove", True)],
)
def test_stop_words_as_told(folder, works, option, removed):
    assert "Stop words" not in works(f"fit labeled.csv -m CNB {option} -o own.hb")
    assert load_model(folder / "own.hb").stop_words_ is removed


def test_stop_words_are_chosen(folder, works):
    printed = works("fit labeled.csv -m CNB -o own.hb")
    kept = "removed" if load_model(folder / "own.hb").stop_words_ else "kept"
    assert f"\nStop words: {kept}\n" in printed


def test_outliers_get_a_column(folder, works):
    works(f"fit texts.txt --classes '{CLASSES}' --model 'auto outliers' -o own.hb")
    rows = list(csv.DictReader(works("predict own.hb texts.csv --add outliers").splitlines()))
    assert list(rows[0]) == ["text", "label", "confidence", "source", "outlier"]
    expected = load_model(folder / "own.hb").outlier_score(TEXTS)
    assert [float(row["outlier"]) for row in rows] == pytest.approx(expected, abs=1e-4)


BAD = {
    "other model": (
        "fit texts.txt -m CNB --classes 'a; b' -o own.hb",
        "'CNB', which cannot learn from names of classes",
    ),
    "twice": ("fit texts.txt --classes 'a: x; a: y' -o own.hb", "names 'a' twice"),
    "no name": ("fit texts.txt --classes ': x; a: y' -o own.hb", "has no name before ': x'"),
    "nothing": ("fit texts.txt --classes ' ; ' -o own.hb", "--classes names no class"),
    "one": ("fit texts.txt --classes a -o own.hb", "name too few classes: ['a']"),
    "no file": ("fit texts.txt --classes none.txt -o own.hb", "There is no file none.txt"),
    "no labels": ("fit empty.csv -o own.hb", "or name the classes with --classes"),
    "column": (
        "fit texts.csv --label queue --classes 'a; b' -o own.hb",
        "no column 'queue'",
    ),
    "auto": ("compare labeled.csv --words stop-words=auto", "stop-words must be keep or remove"),
    "no scores": ("predict cnb.hb texts.csv --add outliers", "cnb.hb cannot tell outliers"),
    "taken": ("predict few.hb taken.csv --add outliers", "a column 'outlier' already. Rename it"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input(folder, works, fails, case):
    command, message = BAD[case]
    (folder / "taken.csv").write_text("text,outlier\nparcel,1\n", encoding="utf-8")
    if "cnb.hb" in command:
        works("fit labeled.csv -m CNB -o cnb.hb")
    if "few.hb" in command:
        works("fit labeled.csv -m 'auto outliers' -o few.hb")
    assert message in fails(command)
    assert not (folder / "own.hb").exists()


def test_an_unknown_choice_of_stop_words_is_wrong_usage(folder, run):
    done = run("fit labeled.csv --words stop-words=maybe -o own.hb")
    assert done.returncode == 2
    assert "stop-words=maybe is wrong" in done.stderr
