"""Outputs of all commands: no input is lost, and neither is a pipe or a device."""

import csv
import os
import stat
import subprocess
import sys
import threading
from unittest import mock

import pytest

from honeybayes import TextClassifier, save_model
from honeybayes.labeling import Project, import_labels
from honeybayes.tables import load_corpus, write_corpus

posix = pytest.mark.skipif(os.name != "posix", reason="pipes, devices and rights of Unix")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    files = tmp_path_factory.mktemp("outputs")
    corpus = load_corpus("messages").keep_classes(["billing", "delivery"]).draw(20)
    write_corpus(corpus, files / "t.csv")
    write_corpus(corpus, files / "p.csv")
    classifier = TextClassifier("HOS").fit(corpus.documents, corpus.labels)
    save_model(classifier, files / "model.hb")
    (files / "model.hb").rename(files / "model.csv")  # which answers could be written to
    with Project.create(files / "mail.hbproject", corpus.documents) as project:
        import_labels(project, corpus.labels)
        project.change_settings(table=str(files / "t.csv"))
    return files


FIT, COMPARE = "fit t.csv --model CNB", "compare t.csv --models NB --labels 3 --draws 1"
SAME = [
    (f"{FIT} -o t.csv", "t.csv"),
    (f"{FIT} -o link.csv", "t.csv"),
    (f"{FIT} -o hard.csv", "t.csv"),
    ("fit t.csv --model FewLabels --pool p.csv -o p.csv", "p.csv"),
    ("fit t.csv --classes words.txt -o words.txt", "words.txt"),
    (f"{COMPARE} --report t.csv", "t.csv"),
    (f"{COMPARE} --results link.csv", "t.csv"),
    (f"{COMPARE} --pool p.csv --report p.csv", "p.csv"),
    ("predict model.csv t.csv --label-column l -o t.csv", "t.csv"),
    ("predict model.csv t.csv --label-column l -o model.csv", "model.csv"),
    ("explain model.csv late --plot model.csv", "model.csv"),
    ("explain model.csv --word parcel --class delivery --table t.csv --plot t.csv", "t.csv"),
    ("simulate t.csv --plot t.csv", "t.csv"),
    ("label mail.hbproject --export mail.hbproject", "mail.hbproject"),
    ("label mail.hbproject --as doccano --export mail.hbproject-journal", "mail.hbproject-journal"),
    ("label t.csv --import t.csv --as doccano", "t.csv"),
    (f"{FIT} -o mail.hbproject", "mail.hbproject"),  # labels are worth more than a model
    ("data get messages -o mail.hbproject", "mail.hbproject"),
]


@pytest.mark.parametrize(("command", "name"), SAME)
def test_no_command_writes_over_what_it_reads(folder, fails, command, name):
    (folder / "link.csv").symlink_to("t.csv")
    (folder / "hard.csv").hardlink_to(folder / "t.csv")
    (folder / "words.txt").write_text("billing: invoice\ndelivery: parcel\n", encoding="utf-8")
    (folder / "mail.hbproject-journal").touch()
    before = (folder / name).read_bytes()
    fails(command)
    assert (folder / name).read_bytes() == before


def test_export_does_not_write_over_the_table_of_the_project(folder, fails):
    with Project.open(folder / "mail.hbproject") as project:
        project.change_settings(table=str(folder / "t.csv"))
    assert "is a file to read" in fails("label mail.hbproject --no-model --export t.csv")


@pytest.mark.parametrize("other", ["same", "./same"])
def test_two_outputs_are_two_files(folder, fails, other):
    assert "are the same file" in fails(f"{COMPARE} --results same --report {other}")


WRITE = [
    (f"{FIT} -o", b"PK"),
    ("predict model.csv t.csv --label-column l -o", b"text,label,l,"),
    ("label mail.hbproject --no-model --as doccano --export", b'{"text"'),
]


@posix
@pytest.mark.parametrize(("command", "start"), WRITE)
def test_pipes_and_devices_are_written_into(folder, run, command, start):
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
    reader.start()
    done = run(f"{command} pipe")
    assert done.returncode == 0, done.stderr
    reader.join(60)
    assert read[0].startswith(start)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert run(f"{command} /dev/null").returncode == 0
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


@posix
@pytest.mark.parametrize(("command", "start"), WRITE)
def test_a_private_output_stays_private(folder, run, command, start):
    (folder / "out").write_bytes(b"")
    (folder / "out").chmod(0o600)
    assert run(f"{command} out").returncode == 0
    assert (folder / "out").read_bytes().startswith(start)
    assert stat.S_IMODE((folder / "out").stat().st_mode) == 0o600


@posix
@pytest.mark.parametrize(("command", "start"), WRITE)
def test_a_full_disk_names_the_file(folder, start, command, fails):
    assert "/dev/full: No space left on device." in fails(f"{command} /dev/full")


@pytest.mark.process
@posix
@pytest.mark.parametrize("command", ["models", "predict model.csv t.csv --label-column l"])
def test_standard_output_on_a_full_disk_is_one_line(folder, start, command):
    with open("/dev/full", "w") as full:
        process = start(command, stdout=full, stderr=subprocess.PIPE)
        _, complaints = process.communicate(timeout=120)
    assert process.returncode == 1
    assert complaints == "honeybayes: error: standard output: No space left on device.\n"


CLOSED = [
    ("models >&-", 0),
    ("predict model.csv t.csv --label-column l -o out.csv >&- 2>&-", 0),
    ("predict model.csv t.csv --label-column l <&- >&- 2>&-", 0),
    ("explain model.csv - <&-", 1),
    ("fit missing.csv -o out.hb 2>&-", 1),
    ("fit --nothing >&- 2>&-", 2),
]


@pytest.mark.process
@posix
@pytest.mark.parametrize(("command", "code"), CLOSED)
def test_closed_streams_are_no_error(folder, command, code):
    done = subprocess.run(
        f"exec '{sys.executable}' -m honeybayes {command}",
        shell=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    assert (folder / "out.csv").exists() == ("-o out.csv" in command)


FORMULAS = [
    '=HYPERLINK("http://x","y")',
    "+49 170",
    "-cmd|' /C calc'!A0",
    "@SUM(1)",
    "\t=1",
    "\uff1d1",
]
HARMLESS = ["late", "-1.5", "+3", "1e-5", "'=1", " =1", "a=b", ""]


def test_cells_are_exact_unless_plain_ones_are_wanted(folder, run):
    """Labels come from a table of others, and so do texts and column names."""
    labels = [each for each in FORMULAS if each.strip() == each] * 4
    texts = [f"{'abcdefgh'[number % 5] * 5} parcel" for number in range(len(labels))]
    save_model(TextClassifier("CNB").fit(texts, labels), folder / "f.hb")
    table = [["text", "=1+1"], *([texts[0], cell] for cell in [*FORMULAS, *HARMLESS])]
    with (folder / "f.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(table)

    def rows(options):
        assert run(f"predict f.hb f.csv -o out.csv {options}").returncode == 0
        with (folder / "out.csv").open(newline="", encoding="utf-8") as file:
            return list(csv.reader(file))

    exact, plain = rows("--add top=2"), rows("--add top=2 --plain-cells")
    assert [row[:2] for row in exact] == table
    assert {row[2] for row in exact[1:]} <= set(labels)
    for one, other in zip(exact, plain, strict=True):
        for cell, safe in zip(one, other, strict=True):
            assert safe == (f"'{cell}" if cell in [*FORMULAS, "=1+1"] else cell)
    assert rows("--json") == rows("--json --plain-cells")


@pytest.mark.parametrize("format", ["answers", "labels"])
def test_exported_cells_are_plain_if_wanted(folder, run, format):
    with Project.create(folder / "f.hbproject", ["=1+1", "late"]) as project:
        import_labels(project, ["@a", "b"])
    command = f"label f.hbproject --no-model --as {format} --export out.csv"
    assert run(command).returncode == 0
    assert "\n=1+1,@a" in (folder / "out.csv").read_text(encoding="utf-8")
    assert run(f"{command} --plain-cells").returncode == 0
    assert "\n'=1+1,'@a" in (folder / "out.csv").read_text(encoding="utf-8")


def test_a_clock_before_1980_loses_no_model(folder, run):
    """A zip file cannot hold such a date."""
    with mock.patch("time.time", return_value=0.0):
        done = run(f"{FIT} -o early.hb")
    assert done.returncode == 0, done.stderr
    assert run("explain early.hb").returncode == 0
