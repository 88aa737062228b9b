"""`honeybayes sources`: the bill of columns, rules and language models."""

import csv
import json
from unittest import mock

import pytest

from honeybayes.sources import Asked
from honeybayes.tables import load_corpus, read_table

WORDS = ("alpha", "beta", "gamma", "delta", "kappa", "sigma")

QUEUES = ["billing", "delivery", "returns"]


@pytest.fixture
def corpus():
    return load_corpus("messages").keep_classes(QUEUES).draw(40, seed=0)


@pytest.fixture
def table(tmp_path, corpus):
    """A table with a column that is wrong in every fifth row, and no labels."""
    others = dict(zip(QUEUES, [*QUEUES[1:], QUEUES[0]], strict=True))
    rows = [
        [" ".join(text.split()), others[label] if at % 5 == 0 else label]
        for at, (text, label) in enumerate(
            zip(corpus.documents, corpus.labels.tolist(), strict=True)
        )
    ]
    write(tmp_path / "mail.csv", [["text", "gpt4"], *rows])
    return tmp_path / "mail.csv"


def write(path, rows):
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)


def fill(tmp_path, corpus):
    """Fill in the random checks that the command has written."""
    truth = {
        " ".join(text.split()): label
        for text, label in zip(corpus.documents, corpus.labels.tolist(), strict=True)
    }
    frame = read_table(tmp_path / "checks.csv")
    assert list(frame.columns) == ["text", "label"]
    write(
        tmp_path / "checks.csv",
        [["text", "label"], *([text, truth[text]] for text in frame["text"])],
    )
    return len(frame)


def test_from_random_checks_to_better_answers(run, tmp_path, table, corpus):
    command = "sources mail.csv --sources gpt4 --checks checks.csv --n 30"
    first = run(command)
    assert first.returncode == 0, first.stderr
    assert "30 random rows" in first.stdout
    assert "nobody knows how often it is right" in run("sources mail.csv --sources gpt4").stdout
    assert fill(tmp_path, corpus) == 30
    done = run(f"{command} -o better.csv --json")
    assert done.returncode == 0, done.stderr
    bill = json.loads(done.stdout)["sources"]["gpt4"]
    assert bill["from_random"]
    assert bill["accuracy"]["n"] == 30
    assert bill["accuracy"]["low"] < 0.8 < bill["accuracy"]["high"]
    better = read_table(tmp_path / "better.csv")
    right = better["honeybayes_label"] == corpus.labels
    assert (better["honeybayes_source"] == "person").sum() == 30
    assert right[better["honeybayes_source"] == "person"].all()
    assert right.mean() > (corpus.labels == better["gpt4"]).mean()


@pytest.mark.process
def test_rules_conflicts_and_suggestions(run, tmp_path, table):
    (tmp_path / "rules.txt").write_text("returns: return, refund\ndelivery: /(a+)+$/, parcel\n")
    done = run("sources mail.csv --sources gpt4 --rules rules.txt --suggest")
    assert done.returncode == 0, done.stderr
    assert "the model agrees" in done.stdout
    assert '"parcel"' in done.stdout


def test_names_of_a_source(run, tmp_path, table):
    text = table.read_text(encoding="utf-8").replace(",delivery", ",Deliveries")
    table.write_text(text, encoding="utf-8")
    done = run("sources mail.csv --sources gpt4 --classes 'billing;delivery;returns'")
    assert done.returncode != 0
    assert "Did you mean 'delivery'?" in done.stderr
    done = run(
        "sources mail.csv --sources gpt4 --classes 'billing;delivery;returns' "
        "--names 'Deliveries=delivery'"
    )
    assert done.returncode == 0, done.stderr


def test_asking_a_language_model(run, tmp_path, table, corpus):
    write(
        tmp_path / "labeled.csv",
        [
            ["text", "label"],
            *(
                [" ".join(text.split()), label if at % 3 == 0 else ""]
                for at, (text, label) in enumerate(
                    zip(corpus.documents, corpus.labels.tolist(), strict=True)
                )
            ),
        ],
    )
    sent = {}

    def ask_model(server, texts, classes, *, examples, rows):
        sent.update(address=server.address, rows=rows, examples=examples, classes=list(classes))
        truth = corpus.labels.tolist()
        return Asked([truth[row] if row in set(rows) else "" for row in range(len(texts))], 60)

    with mock.patch("honeybayes.sources.ask_model", ask_model):
        done = run(
            "sources labeled.csv --ask 'address=http://localhost:9/v1 model=tiny budget=60' --json"
        )
    assert done.returncode == 0, done.stderr
    assert "60 texts were sent" in done.stderr
    assert (len(sent["rows"]), len(sent["examples"])) == (60, 5)
    assert sent["classes"] == QUEUES
    assert json.loads(done.stdout)["sources"]["tiny"]["accuracy"]["accuracy"] == 1.0


def test_fit_learns_from_columns_with_and_without_labels(run, tmp_path, table, corpus):
    done = run("fit mail.csv --sources gpt4 --encoder none -o model.hb")
    assert done.returncode == 0, done.stderr
    assert "label 25 texts that it answers" in done.stdout
    write(tmp_path / "new.csv", [["text"], *([text] for text in corpus.documents)])
    assert run("predict model.hb new.csv -o answers.csv").returncode == 0
    right = read_table(tmp_path / "answers.csv")["label"] == corpus.labels
    assert right.mean() > 0.7  # from the texts alone
    rows = read_table(table)
    cells = zip(rows["text"], rows["gpt4"], corpus.labels.tolist(), strict=True)
    labeled = [[text, said, y if at < 12 else ""] for at, (text, said, y) in enumerate(cells)]
    labeled.insert(5, ["", "billing", "billing"])  # blank, so it is left out with its answer
    write(tmp_path / "some.csv", [["text", "gpt4", "label"], *labeled])
    done = run("fit some.csv --sources gpt4 --encoder none -o model.hb")
    assert "from 12 labels" in done.stdout
    assert "12 documents and 108 without a label" in done.stdout


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--sources other", "no column 'other'"),
        (
            "--sources gpt4 --model NB",
            "'NB', which cannot learn from names of classes, seeds or sources",
        ),
        ("--sources gpt4 --label gpt4", "cannot be both --label and a source"),
        ("--sources gpt4 --attributes gpt4", "--sources is for texts"),
    ],
)
def test_fit_says_what_is_wrong_with_sources(run, table, options, message):
    done = run(f"fit mail.csv {options} -o model.hb")
    assert done.returncode != 0
    assert message in done.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("", "Name a source"),
        ("--sources other", "no column 'other'"),
        ("--sources gpt4 --label txt", "no column 'txt'"),
        ("--sources gpt4 --label gpt4", "cannot be both --label and a source"),
        ("--sources gpt4 --names Sports", "has no ="),
        ("--ask model=x", "--ask needs address="),
    ],
)
def test_bad_options(run, table, options, message):
    done = run(f"sources mail.csv {options}")
    assert done.returncode != 0
    assert message in done.stderr


def test_copies_of_a_checked_text_are_not_further_checks(run, tmp_path):
    texts = ["late parcel"] * 30 + [f"invoice {word} wrong" for word in WORDS]
    answers = ["delivery"] * 30 + ["billing"] * len(WORDS)
    path, checks = tmp_path / "copies.csv", tmp_path / "checks.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([("text", "gpt4"), *zip(texts, answers, strict=True)])
    checks.write_text("text,label\nlate parcel,delivery\ninvoice alpha wrong,billing\n")
    output = run(f"sources {path} --sources gpt4 --checks {checks} --json").stdout
    [found] = json.loads(output)["sources"].values()
    assert found["accuracy"]["n"] == 2


def test_a_table_in_which_every_text_has_a_label(run, tmp_path):
    path = tmp_path / "labeled.csv"
    rows = [(f"late parcel {word}", "delivery", "delivery") for word in WORDS]
    rows += [(f"invoice {word} wrong", "billing", "delivery") for word in WORDS]
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([("text", "label", "gpt4"), *rows])
    output = run(f"sources {path} --sources gpt4 -o {tmp_path / 'better.csv'}").stdout
    assert "50 % right" in output
    assert "better.csv: 12 labels of yours, 0 answers." in output
    assert "at random" not in output
