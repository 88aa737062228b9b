"""What people meet who try the command line on a table of their own."""

import codecs
import csv
import html
import json
import re

import pytest

from honeybayes import TextClassifier, save_model

MAIL = """body,queue
My parcel is late,delivery
Where is my parcel?,delivery
The courier lost my parcel,delivery
No parcel came,delivery
I was charged twice,billing
Wrong charge on my card,billing
A refund for the double charge,billing
The card was charged again,billing
"""
T = "--text body --label queue"


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    files = tmp_path_factory.mktemp("first_steps")
    (files / "mail.csv").write_text(MAIL, encoding="utf-8")
    texts, labels = zip(*(line.split(",") for line in MAIL.splitlines()[1:]), strict=True)
    save_model(TextClassifier("CNB").fit(texts, labels), files / "model.hb")
    return files


@pytest.mark.parametrize("name", [r"'\t'", "tab"])
def test_a_tab_can_be_typed(folder, works, fails, name):
    (folder / "tabs.csv").write_text(MAIL.replace(",", "\t"), encoding="utf-8")
    assert r"Use delimiter='\t'" in fails(f"fit tabs.csv {T} --read delimiter=, -o own.hb")
    works(f"fit tabs.csv {T} --read delimiter={name} -m CNB -o own.hb")
    assert works(f"predict own.hb tabs.csv --text body --read delimiter={name}").count("\t") == 36


@pytest.mark.parametrize("command", ["fit -m CNB -o own.hb", "compare --models CNB --labels 2"])
def test_the_language_is_found_unless_it_is_given(folder, run, command):
    command, options = command.split(maxsplit=1)
    done = run(f"{command} mail.csv {T} {options} --language german")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Language" not in done.stdout
    done = run(f"{command} mail.csv {T} {options}")
    assert "Language of the texts as a whole: english\n" in done.stdout
    chinese = [row.split(",") for row in MAIL.strip().splitlines()[1:]]
    lines = ["body,queue", *(f"我的包裹在哪里{row[0][0]},{row[-1]}" for row in chinese)]
    (folder / "mail.csv").write_text("\n".join(lines), encoding="utf-8")
    done = run(f"{command} mail.csv {T} {options}")
    assert (
        "Language of the texts as a whole: unknown, so without stems and stop words\n"
        in done.stdout
    )
    assert "Stop words:" not in done.stdout


def test_a_language_may_be_meant_by_its_code(folder, fails):
    assert "Did you mean 'german'?" in fails(f"compare mail.csv {T} --language de-AT")
    assert "Did you mean 'german'?" in fails(f"fit mail.csv {T} -o own.hb --language Germn")


def test_compare_takes_the_settings_of_fit_and_the_report_shows_them(folder, works):
    pytest.importorskip("matplotlib", reason="needs matplotlib (extra: report)")
    settings = "--words 'stop-words=keep stem=no min-df=2 ngram-range=1,2 n-terms=3'"
    compare = f"compare mail.csv {T} --models CNB --labels 2 --draws 2 --json"
    assert works(f"{compare} {settings} --report report.html") != works(compare)
    page = html.unescape((folder / "report.html").read_text(encoding="utf-8"))
    assert f"{settings} -o model.hb" in page
    assert "stop_words=False, stem=False, min_df=2, ngram_range=(1, 2), n_terms=3)" in page


def test_compare_tells_once_what_is_amiss(folder, run, fails):
    (folder / "mail.csv").write_text(MAIL + "Never again,complaint\n" * 3, encoding="utf-8")
    assert "Did you mean" in fails(f"compare mail.csv {T} --models CBN")  # and nothing else
    told = run(f"compare mail.csv {T} --models HONB --draws 4").stderr.splitlines()
    rows = "Small classes have fewer training texts, at most half of them: 'complaint' (3 rows)."
    assert told[0] == f"honeybayes: warning: {rows}"
    assert any("No path of order 2" in line for line in told)
    assert len(set(told)) == len(told)


def test_predict_writes_json_lines_to_a_file_of_that_name(folder, writes):
    writes("predict model.hb mail.csv --text body -o out.jsonl")
    first = json.loads((folder / "out.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert list(first) == ["body", "queue", "label", "confidence", "source"]


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("predict model.hb mail.csv --text body -o out.ods", "cannot be written as .ods"),
        ("predict model.hb mail.jsonl -o out.csv", "out.csv: JSON .* ends in .jsonl"),
        ("predict mail.csv model.hb", "mail.csv and model.hb seem to be swapped"),
        ("evaluate mail.csv model.hb", "mail.csv and model.hb seem to be swapped"),
        ("predict model.hb model.hb", "model.hb is a model file, not a table.$"),
        ("fit model.hb -o own.hb", "model.hb is a model file, not a table.$"),
        ("compare model.hb", "model.hb is a model file, not a table.$"),
        (f"fit mail.csv {T} --pool model.hb -o own.hb", "model.hb is a model file, not a table.$"),
        ("predict mail.csv mail.csv --text body", "[Ff]iles .*`honeybayes fit`"),
        ("predict model.hb .", "is many files, whose answers need a folder"),
        ("predict model.hb real.xlsx", "read as a workbook: .* save the sheet as CSV UTF-8"),
        ("fit real.xlsx -o own.hb", "read as a workbook: .* save the sheet as CSV UTF-8"),
        (
            "predict model.hb mail.csv --read format=tsv",
            "Unknown format 'tsv'. The formats are: csv",
        ),
        (f"explain model.hb --word parcel --table mail.csv {T}", "does not count paths.*HOS"),
    ],
)
def test_a_wrong_file_is_told_with_what_to_do(folder, fails, command, message):
    (folder / "real.xlsx").write_bytes(b"PK\x03\x04...")
    (folder / "mail.jsonl").write_text('{"text": "late parcel"}\n', encoding="utf-8")
    line = fails(command)
    assert re.search(message, line), line


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("--words ngram-range=2", "ngram-range=2 .* two integers such as 1,2"),
        ("--words ngram-range=2,1", "1 <= min_n <= max_n; got"),
        ("--words min-df=x", "min-df=x is wrong: it must be a whole number, at least 1."),
        ("--words n-terms=1" + 25 * "0", "a whole number, at least 1 and at most 2147483647"),
        ("--words ngram-range=1,1" + 25 * "0", "two integers such as 1,2, at most 2147483647"),
        ("--words steem=no", "no setting 'steem'.* stem, .* Did you mean 'stem'"),
        ("--read delimter=;", "no setting 'delimter'.* format, delimiter, .* Did you mean 'delim"),
        ("--read quotes=maybe", "quotes=maybe is wrong: it must be yes or no."),
        ("--read n-bins=1", "n-bins=1 is wrong: it must be a whole number, at least 2."),
        ("--words stop-words=x", "stop-words=x is wrong: 'x' is not one of 'auto', 'remove'"),
        ('--read "sheet=\'a"', "a quote is not closed"),
        ("--model 'CNB calibrated'", "no setting 'calibrated'.* calibrate, rule"),
    ],
)
def test_a_wrong_setting_is_told_with_those_that_are_allowed(folder, fails, settings, message):
    told = fails(f"fit mail.csv {T} {settings.replace(';', chr(92) + ';')} -o own.hb", code=2)
    assert re.search(message, told), told
    assert settings.split()[0] in told


def test_json_lines_may_be_called_jsonl(folder, works, fails):
    line = '{"body": "late parcel", "queue": "delivery"}\n'
    assert "use format='json-lines'" in fails(f"fit - {T} -o own.hb", stdin=line)
    told = works("predict model.hb - --read format=jsonl --text body", stdin=line)
    assert json.loads(told)["label"] == "delivery"


@pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF8])
def test_predict_keeps_the_byte_order_mark(folder, writes, mark):
    (folder / "excel.csv").write_bytes(mark + MAIL.encode())
    writes("predict model.hb excel.csv --text body -o out.csv")
    assert (folder / "out.csv").read_bytes().startswith(mark + b"body,queue,label")
    writes("predict model.hb excel.csv --text body -o out.jsonl")
    assert (folder / "out.jsonl").read_bytes().startswith(b"{")


@pytest.mark.parametrize("output", ["-", "out.csv"])
def test_no_progress_is_shown_among_rows_on_a_terminal(folder, run, monkeypatch, output):
    monkeypatch.setenv("TERM", "xterm")
    command = f"predict model.hb mail.csv --text body -o {output}"
    done = run(command, terminals={"stdout", "stderr"})
    assert ("Classified" in done.stderr) == (output == "out.csv")


ODD_LABELS = [
    ("mislaid,N/A\nlost,N/A\n", "'N/A' is used as a class, with 2 rows. If .*, empty these cells"),
    ("Two late,Delivery\n", "classes 'Delivery', 'delivery' differ only in upper and lower case"),
    (
        "".join(f"text {n},{n}\n" for n in range(30)),
        "32 classes in 38 rows: (is 'queue' the label column|'queue' looks like a column of ids)",
    ),
]


@pytest.mark.parametrize(("rows", "message"), ODD_LABELS)
@pytest.mark.parametrize(
    "command", ["fit mail.csv -m CNB -o own.hb", "evaluate model.hb mail.csv", "compare mail.csv"]
)
def test_odd_labels_are_told_once(folder, run, command, rows, message):
    (folder / "mail.csv").write_text(MAIL + rows, encoding="utf-8")
    if command.startswith("compare"):
        command += " --models CNB --draws 1 --labels 1"
    told = run(f"{command} {T}").stderr
    assert re.search(message, told), told
    assert "unique classes" not in told
    assert len(told) < 1000  # no list of thirty classes


IDS = ["ticket,stars,body,queue"] + [
    f"{1000 + n},{n % 5},text {word} of {n},{queue}"
    for n, (word, queue) in enumerate([("parcel", "delivery"), ("charge", "billing")] * 15)
]


def test_a_column_of_ids_is_not_a_column_of_labels(folder, fails, run):
    (folder / "ids.csv").write_text("\n".join(IDS), encoding="utf-8")
    for command in ("fit ids.csv -m CNB -o own.hb", "compare ids.csv --models CNB"):
        told = fails(f"{command} --text body --label ticket")
        assert "ids.csv: 30 classes in 30 rows: 'ticket' looks like a column of ids" in told
        assert "'queue' may be the column with the labels. Name it with --label. If these" in told
        assert "use --read many-classes." in told
    assert not (folder / "own.hb").exists()
    done = run("fit ids.csv -m CNB -o own.hb --text body --label ticket --read many-classes")
    assert done.returncode == 0
    assert "30 classes in 30 rows: is 'ticket' the label column?" in done.stderr


def test_one_label_per_class_beside_unlabeled_texts_is_no_column_of_ids(folder, run):
    rows = [f"{n},0,text about word{n},{f'class {n}' if n < 25 else ''}" for n in range(60)]
    (folder / "ids.csv").write_text("\n".join([IDS[0], *rows]), encoding="utf-8")
    done = run("fit ids.csv -m CNB -o own.hb --text body --label queue")
    assert done.returncode == 0
    assert "25 classes in 25 rows: is 'queue' the label column?" in done.stderr


@pytest.mark.parametrize("n_rows", [19, 20])
def test_few_rows_may_have_a_class_each(folder, run, n_rows):
    rows = "\n".join([IDS[0], *IDS[1 : 1 + n_rows]])
    (folder / "ids.csv").write_text(rows, encoding="utf-8")
    done = run("fit ids.csv -m CNB -o own.hb --text body --label ticket")
    assert (done.returncode == 0) is (n_rows < 20)


def test_a_column_of_numbers_is_not_a_column_of_texts(folder, fails, run):
    (folder / "ids.csv").write_text("\n".join(IDS), encoding="utf-8")
    for command in ("fit ids.csv -o own.hb", "compare ids.csv", "evaluate model.hb ids.csv"):
        told = fails(f"{command} --text ticket --label queue")
        assert "ids.csv: the column 'ticket' has no words, only values such as '1000'." in told
        assert "The longest texts are in the column 'body'. Name the column with the" in told
        assert told.endswith(" with --text.\n")
    named = "\n".join([IDS[0], *(f"AB-{row}" for row in IDS[1:])])
    (folder / "ids.csv").write_text(named, encoding="utf-8")
    done = run("fit ids.csv -m CNB -o own.hb --text ticket --label queue")
    assert done.returncode == 0
    assert "texts in the column 'ticket' look like ids, such as 'AB-1000'. The longest" in (
        done.stderr
    )
    lone = "\n".join(["ticket,queue", *(f"{n},{'ab'[n % 2]}" for n in range(9))])
    (folder / "lone.csv").write_text(lone, encoding="utf-8")
    told = fails("fit lone.csv -o own.hb --text ticket --label queue")
    assert "only values such as '0'. Name the column with the texts with --text." in told


def test_paths_shows_words_and_no_stems(folder, works):
    (folder / "mail.csv").write_text(MAIL.replace("parcel", "delivery"), encoding="utf-8")
    works(f"fit mail.csv {T} -m HOS -o paths.hb")
    command = f"explain paths.hb --table mail.csv {T} --word"
    assert works(f"{command} deliveries --class billing").startswith("'delivery' and")
    told = works(f"{command} lost --class delivery")
    assert re.search(r"\n  delivery +3\n", told)
    assert "Documents are counted from 0" in told
    told = json.loads(works(f"{command} lost --class delivery --json"))
    assert {"word": "deliveri", "paths": 3, "spelling": "delivery"} in told["bridges"]


def test_quotes_may_be_mere_letters(folder, works, warns, fails):
    (folder / "mail.csv").write_text(MAIL.replace("My", '"My'), encoding="utf-8")
    assert "If quotes have no special meaning in this file, use quotes=False." in fails(
        f"fit mail.csv {T} -o own.hb"
    )
    works(f"fit mail.csv {T} -m HOS -o own.hb --pool mail.csv --read quotes=no")
    rows = csv.reader(works("predict own.hb mail.csv --text body --read quotes=no").splitlines())
    assert list(rows)[1][0] == '"My parcel is late'
    warns(f"evaluate own.hb mail.csv {T} --read quotes=no", "has learned from the texts of all")
    works(f"compare mail.csv {T} --read quotes=no --models CNB --labels 2 --draws 1")
    table = f"--table mail.csv {T} --pool mail.csv --read quotes=no"
    told = works(f"explain own.hb --word lost --class delivery {table}")
    assert '"My parcel is late' in told


def test_a_confidence_in_percent_is_refused_with_the_share(folder, run):
    done = run("predict model.hb mail.csv --text body --min-confidence 80")
    assert done.returncode == 2
    assert "type 0.9 or 90%" in done.stderr
    told = run("predict model.hb mail.csv --text body --target-accuracy 90% -o own.csv").stderr
    assert "To be 90 % right" in told or "fewer than 10 held-out texts" in told
