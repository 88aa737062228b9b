"""Coverage on the command line: thresholds, target accuracy, prediction sets, repeated texts."""

import csv
import json
import re
from shutil import copy

import numpy as np
import pytest

from honeybayes import TextClassifier, save_model
from honeybayes.tables import load_corpus, read_table, write_table

CORPUS = load_corpus("messages")
ORDER = np.random.default_rng(3).permutation(len(CORPUS))


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Half of the messages to learn from, half to answer; and mails, which are easier."""
    folder = tmp_path_factory.mktemp("coverage")
    mails = load_corpus("mailbox")
    labeled = np.random.default_rng(0).permutation(np.flatnonzero(mails.labels != ""))
    for name, corpus, rows in (
        ("train.csv", CORPUS, ORDER[:300]),
        ("test.csv", CORPUS, ORDER[300:]),
        ("mails.csv", mails, labeled[:300]),
        ("few-mails.csv", mails, labeled[:150]),
        ("other-mails.csv", mails, labeled[300:]),
    ):
        with (folder / name).open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["text", "label"])
            writer.writerows((corpus.documents[row], corpus.labels[row]) for row in rows)
    texts = [CORPUS.documents[row] for row in ORDER[:300]]
    save_model(TextClassifier().fit(texts, CORPUS.labels[ORDER[:300]]), folder / "model.hb")
    return folder


def read(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_fit_says_from_which_confidence_on_answers_are_right(folder, works):
    told = works("fit mails.csv -m LogisticRegression-tfidf -o again.hb")
    line = told.strip().splitlines()[-1]
    assert line.startswith("To be 90 % right (80 % sure): threshold 0.")
    # twelve of the 300 mails have the same words as another
    assert line.endswith("% of the texts (from 288 held-out texts)")
    told = json.loads(works("fit mails.csv -m LogisticRegression-tfidf -o again.hb --json"))
    assert [each["target"] for each in told["coverage"]] == [0.8, 0.9, 0.95]
    assert told["coverage"][0]["answered"] > told["coverage"][2]["answered"] > 0


def test_fit_does_not_promise_what_its_held_out_texts_did_not_reach(folder, works):
    """Finding: 90 % was claimed for messages, where 81 % were right."""
    told = works("fit train.csv -m LogisticRegression-tfidf -o again.hb")
    line = told.strip().splitlines()[-1]
    assert line.startswith("To be 90 % right (80 % sure): no threshold is high enough")
    assert line.endswith("(from 300 held-out texts)")


def test_few_held_out_texts_are_rough(folder, works):
    rows = (folder / "train.csv").read_text(encoding="utf-8").splitlines()
    (folder / "few.csv").write_text("\n".join(rows[:61]) + "\n", encoding="utf-8")
    told = works("fit few.csv -m CNB -o few.hb")
    assert re.search(r"held-out texts: rough(, \d+ % to \d+ % may be right)?\)", told)


def test_labels_that_are_too_few_for_a_threshold_are_told_once(folder, run):
    write_table(read_table(folder / "mails.csv").head(24), folder / "few.csv")
    told = run("fit few.csv -m CNB -o few.hb").stdout
    assert re.search(r"too few labels to tell \(\d+ held-out texts; it takes about \d+\)", told)
    ask = "predict few.hb other-mails.csv --label-column a -o out.csv"
    assert "To be 90 % right" not in run(ask).stderr
    assert "too few labels to tell" in run(f"{ask} --target-accuracy 0.9").stderr


def test_evaluate_measures_the_coverage(folder, works):
    """Finding: "held-out texts" was said of the rows of this table; `fit` means others by it."""
    told = works("evaluate model.hb test.csv")
    assert "(from 300 rows of test.csv)" in told
    assert "held-out" not in told
    told = json.loads(works("evaluate model.hb test.csv --json"))
    assert told["coverage"][0]["held_out"] == 300


def test_a_target_accuracy_chooses_the_threshold(folder, run):
    """Finding: of the labels above 0.8 or 0.9, fewer were right than claimed."""
    done = run("predict model.hb test.csv -o out.csv --label-column answer --target-accuracy 0.7")
    assert "are left for a person" in done.stderr
    assert "To be 70 % right (80 % sure): threshold 0." in done.stderr
    rows = read(folder / "out.csv")
    answered = [row for row in rows if row["answer"]]
    assert 10 < len(answered) < 200
    right = np.mean([row["answer"] == row["label"] for row in answered])
    assert 0.7 < right < 0.9
    claimed = np.mean([float(row["confidence"]) for row in answered])
    assert abs(claimed - right) < 0.1
    threshold = min(float(row["confidence"]) for row in answered)
    assert all(float(row["confidence"]) <= threshold for row in rows if not row["answer"])


def test_predict_says_which_share_of_these_rows_is_answered(folder, run):
    """Finding: the line said 65 % (of the held-out texts) where 79 % of the rows were answered."""
    run("fit few-mails.csv -m LogisticRegression-tfidf -o mails.hb")
    ask = "predict mails.hb other-mails.csv --label-column a"
    line = run(f"{ask} -o out.csv --target-accuracy 0.9").stderr.strip().splitlines()[-1]
    answered = np.mean([row["a"] != "" for row in read(folder / "out.csv")])
    assert 0.5 < answered < 1
    assert f"which answers {100 * answered:.0f} % of the rows (from 147 held-out texts)" in line
    # without a target, the same threshold is told
    assert run(f"{ask} -o all.csv").stderr.endswith(f"{line}\n")


def test_nothing_is_answered_if_no_threshold_is_high_enough(folder, run):
    done = run("predict model.hb test.csv -o no.csv --label-column answer --target-accuracy 0.9999")
    assert "no threshold is high enough" in done.stderr
    assert not any(row["answer"] for row in read(folder / "no.csv"))


def test_sets_hold_the_label_as_often_as_required(folder, run):
    done = run("predict model.hb test.csv -o sets.csv --label-column answer --add sets=0.9")
    rows = read(folder / "sets.csv")
    members = [row["labels"].split("; ") for row in rows]
    covered = [row["label"] in own for row, own in zip(rows, members, strict=True)]
    assert 0.85 < np.mean(covered) < 0.96
    assert all(own[0] == row["answer"] for row, own in zip(rows, members, strict=True))
    sizes = [len(own) for own in members]
    one, two = sizes.count(1), sizes.count(2)
    assert done.stderr.splitlines()[-1] == (
        f"Sets: {one} rows with one class, {two} with two, {len(sizes) - one - two} with three or "
        "more (from 300 held-out texts)"
    )
    assert "To be 90 % right" not in done.stderr
    (folder / "parts").mkdir()
    copy(folder / "test.csv", folder / "parts" / "a.csv")
    copy(folder / "test.csv", folder / "parts" / "b.csv")
    twice = run("predict model.hb parts -o answers --label-column answer --add sets=0.9").stderr
    assert f"Sets: {2 * one} rows with one class, {2 * two} with two" in twice
    run("predict model.hb test.csv -o sets.jsonl --label-column answer --add sets=0.9")
    first = json.loads((folder / "sets.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert first["labels"] == members[0]


def test_a_class_with_the_separator_of_sets_needs_json(folder, run, fails):
    labels = np.where(CORPUS.labels == "billing", "billing; refund", CORPUS.labels)[ORDER[:300]]
    texts = [CORPUS.documents[row] for row in ORDER[:300]]
    save_model(TextClassifier("CNB").fit(texts, labels), folder / "joined.hb")
    command = "predict joined.hb test.csv --label-column answer --add sets=0.9"
    told = fails(f"{command} -o x.csv")
    assert "The class 'billing; refund' contains '; ', which is between the classes" in told
    assert not (folder / "x.csv").exists()
    assert run(f"{command} -o x.jsonl").returncode == 0
    rows = map(json.loads, (folder / "x.jsonl").read_text(encoding="utf-8").splitlines())
    assert {name for row in rows for name in row["labels"]} == set(labels.tolist())


def test_predict_counts_repeated_texts_and_texts_without_a_known_word(folder, run):
    (folder / "odd.csv").write_text(
        'text\nmy parcel is late\nmy parcel is late \nxyzzy plugh\n" "\n" "\n', encoding="utf-8"
    )
    done = run("predict model.hb odd.csv -o odd-out.csv")
    assert "1 row repeats the text of another row" in done.stderr
    assert "1 row has no word that the model knows" in done.stderr
    assert "2 rows have no text" in done.stderr


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("--target-accuracy 90", "90 is wrong: it must be between 0 and 1"),
        ("--target-accuracy 90%%", "90%% is wrong"),
        ("--add sets=1", "For 90 %, type 0.9"),
        ("--target-accuracy 0.9 --min-confidence 0.5", "exclude each other"),
        ("--target-accuracy 0.9", "fewer than 10 held-out texts"),
        ("--add sets=0.9", "no held-out texts"),
    ],
)
def test_what_cannot_be_done_is_said(folder, run, options, expected):
    (folder / "tiny.csv").write_text(
        "text,label\nlate parcel,a\nparcel lost,a\nwrong charge,b\ncharge twice,b\n",
        encoding="utf-8",
    )
    run("fit tiny.csv -m CNB -o tiny.hb")
    done = run(f"predict tiny.hb test.csv -o x.csv --label-column answer {options}")
    assert expected in " ".join(done.stderr.replace("│", " ").split())
    assert not (folder / "x.csv").exists()
