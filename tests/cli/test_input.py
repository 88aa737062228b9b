"""Tables as they come: delimiters, encodings, several columns, workbooks, empty texts."""

import csv
import io
import json
import os

import pytest
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

from honeybayes import TextClassifier, save_model
from honeybayes.cli._settings import READ_TRAINING, join_settings, parse_settings
from honeybayes.tables import read_table

ROWS = [
    ["subject", "body", "queue"],
    ["Päckchen", "My parcel is late", "delivery"],
    ["Hello", "Where is my parcel, please?", "delivery"],
    ["", "The courier lost my parcel", "delivery"],
    ["Charge", "I was charged twice", "billing"],
    ["Hello", "Wrong charge on my card", "billing"],
    ["Charge", "A refund for the double charge", "billing"],
]
T = "--text body --label queue"


def write(path, delimiter=",", encoding="utf-8", rows=ROWS):
    with path.open("w", encoding=encoding, newline="") as file:
        csv.writer(file, delimiter=delimiter).writerows(rows)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    files = tmp_path_factory.mktemp("input")
    write(files / "mail.csv")
    write(files / "semicolons.csv", ";", "cp1252")
    texts, labels = zip(*(row[1:] for row in ROWS[1:]), strict=True)
    model = TextClassifier("CNB").fit(texts, labels)
    model._digests = model._digests[:0]  # so that evaluate can measure on the same texts
    save_model(model, files / "model.hb")
    return files


@pytest.mark.parametrize(
    "command",
    [
        f"fit semicolons.csv {T} -m CNB -o own.hb",
        f"evaluate model.hb semicolons.csv {T}",
        f"compare semicolons.csv {T} --models CNB --labels 1 --draws 1",
        "predict model.hb semicolons.csv --text body",
        f"fit semicolons.csv {T} -o own.hb --classes 'billing: charge; delivery: parcel'",
    ],
)
def test_what_was_detected_is_told_once(folder, run, command):
    done = run(command)
    assert (done.returncode, done.stderr) == (
        0,
        "Read semicolons.csv with delimiter ';' and encoding cp1252; if letters are wrong, name "
        "another with --read encoding=gb18030, cp1254 ...\n",
    )
    plain = run(command.replace("semicolons", "mail"))
    assert (plain.returncode, plain.stderr) == (0, "")
    expected = plain.stdout.replace(",", ";") if command.startswith("predict") else plain.stdout
    if "please" in expected:  # quoted where the delimiter is a comma
        expected = expected.replace('"Where is my parcel; please?"', "Where is my parcel, please?")
    assert done.stdout == expected


def test_predict_keeps_the_delimiter_that_was_detected(folder, run):
    run("predict model.hb semicolons.csv --text body -o out.csv")
    assert (folder / "out.csv").read_bytes()[:3] == b"\xef\xbb\xbf"  # Excel will read it
    with (folder / "out.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file, delimiter=";"))
    assert [row[:3] for row in rows] == ROWS


def test_several_columns_may_be_the_text(folder, works):
    joined = [["text", "label"], *(["\n\n".join(filter(None, r[:2])), r[2]] for r in ROWS[1:])]
    write(folder / "joined.csv", rows=joined)
    works("fit mail.csv --text subject,body --label queue -m CNB -o own.hb")
    works("fit joined.csv -m CNB -o joined.hb")
    answers = works("predict own.hb mail.csv --text subject,body --json").splitlines()
    expected = works("predict joined.hb joined.csv --json --label-column l").splitlines()
    assert [row.split('"confidence": ')[1].split(",")[0] for row in answers] == [
        row.split('"confidence": ')[1].split(",")[0] for row in expected
    ]


def test_excel_is_read_and_csv_or_excel_is_written(folder, run, works, fails):
    openpyxl = pytest.importorskip("openpyxl", reason="needs openpyxl (extra: excel)")
    book = openpyxl.Workbook()
    book.active.append(["nothing"])
    sheet = book.create_sheet("Mail")
    for row in ROWS:
        sheet.append(row)
    book.save(folder / "mail.xlsx")
    where = "mail.xlsx --read sheet=Mail"
    plain = works("predict model.hb mail.csv --text body")
    assert works(f"predict model.hb {where} --text body -o -") == plain
    assert run(f"predict model.hb {where} --text body -o out.csv").returncode == 0
    assert (folder / "out.csv").read_bytes().decode("utf-8-sig") == plain
    for name in ("out.xlsx", "no-ending"):
        assert run(f"predict model.hb {where} --text body -o {name}").returncode == 0
        written = read_table(folder / name, format="excel")
        assert written.equals(read_table(folder / "out.csv").rename_axis("row"))
    assert run(f"predict model.hb {where} --text body").returncode == 0
    assert read_table(folder / "mail-answers.xlsx").equals(written)
    again = run(f"predict model.hb {where} --text body")
    assert again.returncode == 1
    assert "mail-answers.xlsx exists already" in again.stderr
    for command in (
        f"fit {{}} {T} -m CNB -o own.hb",
        f"fit {{}} {T} -o own.hb --classes 'billing: charge; delivery: parcel'",
        f"evaluate model.hb {{}} {T}",
        f"compare {{}} {T} --models CNB --labels 1 --draws 1",
    ):
        assert works(command.format(where)) == works(command.format("mail.csv"))
    assert "there is no column 'body'" in fails(f"fit mail.xlsx {T} -o own.hb")
    assert "where `sheet` has no meaning" in fails(f"fit mail.csv {T} --read sheet=Mail -o own.hb")


EMPTY = [["", " ", "billing"], ["Hello", "", "delivery"], ["", "", ""]]


def test_rows_without_text_are_left_out_and_counted(folder, run, works):
    write(folder / "gaps.csv", rows=ROWS + EMPTY)
    for command in (
        f"fit {{}} {T} -m CNB -o own.hb",
        f"fit {{}} {T} --pool {{}} -m FewLabels -o own.hb",
        f"evaluate model.hb {{}} {T}",
        f"compare {{}} {T} --models CNB --labels 1 --draws 1",
    ):
        done = run(command.replace("{}", "gaps.csv"))
        n_empty = done.stderr.count("gaps.csv: 2 rows have no text and are left out.")
        assert n_empty == 1, done.stderr
        assert done.stdout == works(command.replace("{}", "mail.csv"))
    write(folder / "gaps.csv", rows=[ROWS[0], *EMPTY])
    assert "no row has a text. Name the column with the texts with --text" in (
        run(f"fit gaps.csv {T} -o own.hb").stderr
    )


@pytest.mark.parametrize("model", ["CNB", "FewLabels", "LogisticRegression-tfidf"])
def test_predict_counts_texts_that_say_nothing_to_the_model(folder, run, works, model):
    works(f"fit mail.csv {T} -m {model} -o own.hb")
    texts = ["my parcel", "qwertz asdf", "  ", "yxcv", "charge qwertz", "!?"]
    write(folder / "new.csv", rows=[["text"], *([text] for text in texts)])
    done = run("predict own.hb new.csv --text text")
    assert done.stderr.splitlines() == [
        "1 row has no text: no label was given",
        "3 rows have no word that the model knows: the label is a guess",
    ]
    rows = list(csv.reader(done.stdout.splitlines()))[1:]
    assert [row[1:3] == ["", ""] for row in rows] == [False, False, True, False, False, False]


def test_a_wrong_label_column_is_an_error_in_evaluate(folder, run, fails, works):
    told = run("evaluate model.hb mail.csv --text body --label subject").stderr
    assert "the model knows none of the labels in the column 'subject': " in told
    assert "It knows: 'billing', 'delivery'. Name the column" in told
    upper = [ROWS[0], *([*row[:2], row[2].upper()] for row in ROWS[1:])]
    write(folder / "upper.csv", rows=upper)
    assert "--read fold-case" in fails(f"evaluate model.hb upper.csv {T}")
    expected = works(f"evaluate model.hb mail.csv {T}")
    assert works(f"evaluate model.hb upper.csv {T} --read fold-case") == expected


def test_labels_that_the_model_does_not_know_are_told_first(folder, warns):
    names = ["delivry", "Delivery", "Delivery", "billing", "billing", "driving", "delivry"]
    more = ["T", "Late again, my parcel", ""]
    rows = [[*row[:2], name] for row, name in zip([*ROWS[1:], more], names, strict=True)]
    write(folder / "names.csv", rows=[ROWS[0], *rows])
    told = "5 of 7 rows have labels that the model does not know, so these answers count as wrong: "
    told += "'Delivery' (2), 'delivry' (2; did you mean 'delivery'?), 'driving' (1). Correct the "
    told += "labels, or fit a model that knows them; --read fold-case ignores upper and lower case."
    printed = warns(f"evaluate model.hb names.csv {T}", told)  # nothing is printed before it
    assert "does not know" not in printed
    printed = json.loads(warns(f"evaluate model.hb names.csv {T} --json", told))
    assert printed["unknown_labels"] == {"delivry": 2, "Delivery": 2, "driving": 1}
    assert printed["accuracy"] == pytest.approx(2 / 7)
    assert printed["mistakes"] is None
    one = [ROWS[0], [*ROWS[1][:2], "refund"], *ROWS[2:]]
    write(folder / "names.csv", rows=one)
    warns(f"evaluate model.hb names.csv {T}", "1 of 6 rows has a label that the model does not")


def test_labels_of_rows_that_the_model_has_learned_from_count_as_known(folder, run):
    """Finding: a few new rows of a new class were taken for a wrong column of labels."""
    write(folder / "more.csv", rows=[*ROWS, ["T", "Something else", "refund"]])
    assert run(f"fit mail.csv {T} -m CNB -o own.hb").returncode == 0
    done = run(f"evaluate own.hb more.csv {T}")
    assert done.returncode == 0, done.stderr
    assert "1 of 1 rows has a label that the model does not know" in done.stderr


def test_evaluate_names_its_surest_mistakes_by_id(folder, works):
    rows = [[f"T{number}", *row[1:]] for number, row in enumerate(ROWS)]
    rows[1][2], rows[4][2] = "billing", "delivery"  # wrong labels
    write(folder / "ids.csv", rows=[["ticket", "body", "queue"], *rows[1:]])
    told = works(f"evaluate model.hb ids.csv {T} --id ticket")
    answers = json.loads(works("predict model.hb ids.csv --text body --json -o -").splitlines()[0])
    shown = [line.split("\t") for line in told.partition("ticket\t")[2].splitlines()[1:]]
    assert sorted(line[:3] for line in shown) == [
        ["T1", "billing", "delivery"],
        ["T4", "delivery", "billing"],
    ]
    confidence = [float(line[3]) for line in shown]
    assert confidence == sorted(confidence, reverse=True)
    by_id = {line[0]: float(line[3]) for line in shown}
    assert by_id["T1"] == pytest.approx(answers["confidence"], abs=1e-3)
    assert "ticket" not in works(f"evaluate model.hb ids.csv {T}")
    mistakes = json.loads(works(f"evaluate model.hb ids.csv {T} --id ticket --json"))["mistakes"]
    assert [each["id"] for each in mistakes] == [line[0] for line in shown]


def test_labels_may_differ_in_case(folder, run, works):
    mixed = [ROWS[0], [*ROWS[1][:2], "Delivery"], *ROWS[2:]]
    write(folder / "mixed.csv", rows=mixed)
    for command in (
        f"fit {{}} {T} -m CNB -o own.hb",
        f"compare {{}} {T} --models CNB --labels 1 --draws 2",
    ):
        told = run(command.format("mixed.csv")).stderr
        assert "differ only in upper and lower case. --read fold-case makes them one class" in told
        assert works(f"{command.format('mixed.csv')} --read fold-case") == works(
            command.format("mail.csv")
        )
    classes = "--classes 'DELIVERY: parcel; billing: card'"
    told = works(f"fit mixed.csv {T} --read fold-case -o own.hb --json {classes}")
    assert json.loads(told)["classes"] == ["DELIVERY", "billing"]


@pytest.mark.skipif(os.name != "posix", reason="pipes of Unix")
def test_the_output_of_a_command_is_a_table(tmp_path, run):
    """As in `honeybayes fit <(zcat mail.csv.gz)`."""
    rows = "text,label\n" + "".join(
        f"late parcel {n},delivery\ncharged twice {n},billing\n" for n in range(4)
    )

    def pipe(content=rows):
        ours, theirs = os.pipe()
        os.write(theirs, content.encode())
        os.close(theirs)
        return f"/dev/fd/{ours}"

    done = run(f"fit {pipe()} --model CNB -o model.hb")
    assert done.returncode == 0, done.stderr
    classes = "delivery: parcel; billing: charged"
    assert run(f"fit {pipe()} --pool {pipe()} --classes '{classes}' -o few.hb").returncode == 0
    assert run(f"evaluate model.hb {pipe()}").returncode == 0
    assert run(f"compare {pipe()} --models NB --labels 1 --draws 1").returncode == 0
    answers = run(
        f"predict model.hb {pipe()} --read format=csv --label-column l"
    ).stdout.splitlines()
    assert [row.split(",")[2] for row in answers] == ["l", *["delivery", "billing"] * 4]
    answers = run(f"predict model.hb {pipe('late parcel')}").stdout.splitlines()
    assert answers[1].startswith("late parcel,delivery,")
    done = run(f"label {pipe()} --project new.hbproject")
    assert "a pipe cannot be read again later. Save it to a file" in done.stderr


def test_messages_name_files_as_they_are(fails, tmp_path):
    folder = tmp_path / "label=spam" / "text=.d"
    folder.mkdir(parents=True)
    (folder / "id= b.csv").write_text("body,queue\nA parcel.,delivery\n", encoding="utf-8")
    told = fails("fit 'label=spam/text=.d/id= b.csv' -o model.hb")
    assert "label=spam/text=.d/id= b.csv" in told
    assert "'text'" in told


WRONG_SETTINGS = {
    "--read unlabeled": "--read: unlabeled needs a value: unlabeled=...",
    "--read 'sheet delimiter=;'": "--read: sheet needs a value: sheet=...",
    "--words min-df": "--words: min-df needs a value: min-df=...",
    "--read 'fold-case fold_case=no'": "--read: fold-case is there twice",
    "--read delimiter=": "--read: delimiter= is wrong: it must be a character",
}


@pytest.mark.parametrize("settings", WRONG_SETTINGS)
def test_only_a_switch_needs_no_value_and_none_is_there_twice(tmp_path, fails, settings):
    (tmp_path / "own.csv").write_text("text,label\nparcel,yes\ncharge,no\n", encoding="utf-8")
    assert WRONG_SETTINGS[settings] in fails(f"fit own.csv {settings} -o own.hb", code=2)


@pytest.mark.parametrize("delimiter", ["\t", ";", " ", "#"])
@pytest.mark.parametrize(
    "text", ["", "yes", "a b", 'a "b" c', "it's", "a\tb\nc", "\t", "\\", "a=b"]
)
def test_settings_that_are_printed_are_read_again(text, delimiter):
    reading = {"delimiter": delimiter, "sheet": text, "unlabeled": text, "quotes": False}
    reading["n_bins"] = 2
    again = parse_settings("--read", join_settings(reading), READ_TRAINING)
    assert again == reading
    assert join_settings({"a": 1, "b": True, "c": 0, "d": False}) == "a=1 b=yes c=0 d=no"


def test_a_pipeline_of_scikit_learn_answers_too(folder, works, fails):
    texts, labels = [row[1] for row in ROWS[1:]], [row[2] for row in ROWS[1:]]
    own = make_pipeline(CountVectorizer(), MultinomialNB()).fit(texts, labels)
    save_model(own, folder / "own.hb")
    rows = csv.DictReader(io.StringIO(works("predict own.hb mail.csv --text body")))
    assert [row["label"] for row in rows] == own.predict(texts).tolist()
    assert "parcel" in works("explain own.hb")
    assert works(f"evaluate own.hb mail.csv {T}").startswith("measure\tvalue\naccuracy\t")
    told = fails("predict own.hb mail.csv --text body --add outliers")
    assert "own.hb cannot tell outliers. Fit it with --model 'FewLabels outliers'" in told
