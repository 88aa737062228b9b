"""``honeybayes compare``: numbers that a person can act on."""

import json
import re
import sqlite3
from pathlib import Path

import numpy as np
import pytest

from honeybayes import HigherOrderSmoothingNB
from honeybayes.evaluate import RandomSplits, compare
from honeybayes.labeling import Project, project_file
from honeybayes.tables import Corpus, load_corpus, read_corpus, write_corpus


@pytest.fixture
def mail(tmp_path):
    corpus = load_corpus("messages").keep_classes(["billing", "delivery", "returns"])
    write_corpus(corpus, tmp_path / "mail.csv")
    return corpus


def table_of(told):
    """Return the rows of the table of accuracies by name."""
    lines = told.splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith("accuracy in %"))
    rows = [line.split("\t") for line in lines[start + 1 :] if "\t" in line]
    return {name: cells for name, *cells in rows}


def test_the_interval_of_the_difference_is_the_first_thing_shown(mail, works):
    command = "compare mail.csv --models NB,LogisticRegression-tfidf --labels 3,10 --draws 5"
    told = works(command)
    lines = told.splitlines()
    assert lines[0] == (
        "model, with 10 labels per class\t"
        "difference to LogisticRegression-tfidf, points of accuracy\t95 % interval\tp\tso it is"
    )
    number = r"[+-]\d+\.\d"
    assert re.fullmatch(rf"NB\t{number}\t{number} to {number}\t(< )?0\.\d+\t[a-z ]+", lines[1])
    assert lines[2] == (
        "The interval covers new draws of labels, and new texts like those of this table. "
        "Test: two-level."
    )
    rows = json.loads(works(f"{command} --json"))
    [row] = [r for r in rows if (r["split"], r["model"]) == ("10 per class", "NB")]
    found = row["difference"]
    assert found["low"] < found["mean"] < found["high"]
    assert lines[1].split("\t")[1] == f"{100 * found['mean']:+.1f}"
    assert found["claim"] == lines[2].removesuffix(" Test: two-level.")


@pytest.mark.parametrize(
    ("draws", "said", "not_said"),
    [
        (1, ["There is no table of differences: one draw"], ["±", "too few", "interval"]),
        (
            4,
            ["±: standard deviation over draws.", "4 draws are too few to say", "\ttoo few draws"],
            ["no table"],
        ),
        (5, ["±: standard deviation over draws."], ["too few", "no table"]),
    ],
)
def test_few_draws_are_said_to_be_few(mail, works, draws, said, not_said):
    told = works(f"compare mail.csv --models NB,CNB --labels 1 --draws {draws}")
    assert told.startswith("model, with 1 label per class\t") == (draws > 1)
    assert all(part in told for part in said)
    assert not any(part in told for part in not_said)


def test_numbers_of_labels_that_are_none_are_wrong_usage(mail, fails):
    assert "--labels 3,x is wrong" in fails("compare mail.csv --labels 3,x", code=2)


def test_one_model_is_not_told_apart_from_others(mail, works):
    told = works("compare mail.csv --models CNB --labels 3 --draws 1")
    assert "draw" not in told


def test_a_claim_names_what_the_test_has(mail, works):
    """Finding: "It covers new draws" did not say what covers them."""
    command = "compare mail.csv --models NB,CNB --labels 3 --draws"
    assert "The interval covers" in works(f"{command} '3 test=paired-t'")
    told = works(f"{command} '3 test=wilcoxon'")
    assert "The p-value covers" in told
    assert "The interval covers" not in told


def test_the_corrected_test_is_there_by_name(mail, works, fails):
    command = "compare mail.csv --models NB,CNB --labels 3 --draws"
    assert "Test: corrected-t." in works(f"{command} '3 test=corrected-t'")
    assert "test=t is wrong: 't' is not one of" in fails(f"{command} '3 test=t'", code=2)


def test_the_flagship_gets_a_pool_unless_told_otherwise(mail, works):
    """It was listed with the accuracy of logistic regression, and nothing said so."""
    command = "compare mail.csv --models LogisticRegression-tfidf,FewLabels --labels 3 --draws 3"
    told = works(command)
    assert "without their labels, are the pool of FewLabels (up to" in told
    assert "answered as" not in told
    with_pool = table_of(told)
    told = works(f"{command} --pool none")
    assert "the pool of" not in told
    assert "FewLabels answered as LogisticRegression-tfidf in" in told
    assert "Without a pool they are practically one model." in told
    without = table_of(told)
    alone, other, pooled = (
        float(row[0].split()[0])
        for row in (
            without["FewLabels"],
            without["LogisticRegression-tfidf"],
            with_pool["FewLabels"],
        )
    )
    assert abs(alone - other) < 0.5 < pooled - other
    assert with_pool["LogisticRegression-tfidf"] == without["LogisticRegression-tfidf"]


def test_auto_is_a_model_and_both_are_in_the_default_list(mail, run):
    rows = json.loads(run("compare mail.csv --labels 3 --draws 1 --json").stdout)
    assert {"auto", "FewLabels", "LogisticRegression-tfidf"} <= {row["model"] for row in rows}


def test_the_largest_class_is_in_the_table(tmp_path, works):
    corpus = load_corpus("messages").keep_classes(["billing", "delivery"])
    kept = np.sort(np.concatenate([np.flatnonzero(corpus.labels == c)[:n] for c, n in SIZES]))
    texts = [corpus.documents[row] for row in kept]
    write_corpus(Corpus("uneven", texts, corpus.labels[kept]), tmp_path / "mail.csv")
    told = works("compare mail.csv --models CNB --labels 5 --draws 2")
    # the classes are uneven: macro-F1 comes first, then the accuracy
    by_f1, by_accuracy = told[told.index("macro-F1 in %") :].split("accuracy in %")
    always = 2 * 0.9 / 1.9 / 2  # F1 of the largest class, divided by two classes
    assert f"largest class\t{100 * always:.1f}\n" in by_f1
    assert f"largest class\t{100 * 45 / 50:.1f}\n" in by_accuracy
    assert "Ranked by macro-F1, because the classes are uneven" in told
    row = json.loads(works("compare mail.csv --models CNB --labels 5 --draws 2 --json"))[0]
    assert (row["metric"], row["largest_class"]) == ("macro_f1", pytest.approx(always))


SIZES = (("billing", 50), ("delivery", 10))


def test_repeated_texts_are_counted_and_not_tested(tmp_path, works):
    corpus = load_corpus("messages").keep_classes(["billing", "delivery"])
    twice = Corpus("t", corpus.documents * 2, np.concatenate([corpus.labels] * 2))
    write_corpus(twice, tmp_path / "mail.csv")
    told = works("compare mail.csv --models CNB --labels 5 --draws 2")
    assert "Up to 10 texts per draw were not tested, because the same text is in" in told


def test_results_of_wrong_types_are_refused(mail, works, fails, tmp_path, run):
    """They printed 357 %."""
    command = "compare mail.csv --models NB --labels 3 --draws 2 --results runs.jsonl"
    works(command)
    path = tmp_path / "runs.jsonl"
    good = path.read_text(encoding="utf-8")
    path.write_text(re.sub(r'"accuracy": [\d.]+', '"accuracy": 3.57', good), encoding="utf-8")
    assert "accuracy must be a number from 0 to 1, or null; got 3.57" in fails(command)
    first, second = good.splitlines(keepends=True)
    path.write_text(first.replace('"NB"', '["NB"]') + second, encoding="utf-8")
    done = run(command)
    assert done.returncode == 0
    assert "model must be a string; got ['NB']" in done.stderr
    assert "skipped 1 line(s)" in done.stderr


def test_a_warning_about_paths_names_its_model(tmp_path, run):
    rows = "".join(f"word{n} only{n},{'ab'[n % 2]}\n" for n in range(24))
    (tmp_path / "mail.csv").write_text(f"text,label\n{rows}", encoding="utf-8")
    done = run("compare mail.csv --models HONB,NB --labels 3 --draws 2")
    [told] = [line for line in done.stderr.splitlines() if "No path" in line]
    assert told.endswith("(model 'HONB', 3 per class)")


def test_settings_may_follow_the_names_of_models(mail, works, tmp_path):
    models = "'HOS,HOS beta=0.1,Rw,cMNB,SVM per_pair=no Cs=0.1,1'"
    told = works(f"compare mail.csv --models {models} --labels 5 --draws 2 --json")
    records = {record["model"]: record["mean"] for record in json.loads(told)}
    assert list(records) == ["HOS", "HOS beta=0.1", "Rw,cMNB", "SVM per_pair=no Cs=0.1,1"]
    assert records["HOS"] != records["HOS beta=0.1"]
    splits = RandomSplits(per_class=5, repetitions=2)
    corpus = read_corpus(tmp_path / "mail.csv")  # its name decides about the draws
    expected = compare({"own": HigherOrderSmoothingNB(beta=0.1)}, corpus, splits)
    assert records["HOS beta=0.1"] == pytest.approx(expected.summaries()[0].mean)


def test_wrong_settings_are_refused_before_the_work(mail, fails):
    assert "HOS beta=7: beta must be a number from 0 to 1" in fails(
        "compare mail.csv --models 'NB,HOS beta=7'"
    )


def test_commands_read_a_project_that_may_not_be_written(works, mail, tmp_path, monkeypatch):
    """Finding: with the project of another user, they failed."""
    path = tmp_path / "theirs.hbproject"
    with Project.create(path, list(mail.documents)) as project:
        ids = {name: project.add_class(name).id for name in sorted({*mail.labels})}
        project.label_many(
            range(len(mail.documents)), [ids[name] for name in mail.labels], "imported"
        )
    before = path.read_bytes()

    def connect(path):
        address = f"{Path(path).absolute().as_uri()}?mode=ro"
        return sqlite3.connect(address, uri=True, check_same_thread=False)

    monkeypatch.setattr(project_file, "connect", connect)
    told = works("compare theirs.hbproject --models CNB,MNB --labels 5 --draws 2")
    assert {"CNB", "MNB"} <= {*table_of(told)}
    assert works("fit theirs.hbproject -m CNB -o m.hb").startswith("CNB learned 3 classes")
    assert "written to out.csv" in works("label theirs.hbproject --export out.csv")
    assert path.read_bytes() == before
