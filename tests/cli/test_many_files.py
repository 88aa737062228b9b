"""``honeybayes predict`` on a folder or a pattern of files."""

import csv
import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from honeybayes import TextClassifier, save_model
from honeybayes.cli import _prediction
from tests.cli.conftest import SOURCE

TEXTS = ["My parcel is late, again", "Where is my parcel?", "I was charged twice", "Wrong charge"]
LABELS = ["delivery", "delivery", "billing", "billing"]
N_PARTS = 4


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    files = tmp_path_factory.mktemp("many_files")
    save_model(TextClassifier("CNB").fit(TEXTS, LABELS), files / "model.hb")
    (files / "mails").mkdir()
    for number in range(N_PARTS):
        rows = [["id", "text"], *([f"{number}-{at}", text] for at, text in enumerate(TEXTS))]
        with (files / "mails" / f"part-{number}.csv").open("w", newline="") as file:
            csv.writer(file).writerows(rows)
    return files


def add_long_files(folder):
    rows = ["id,text", *(f"{n},{TEXTS[1 + n % 3]} {n}" for n in range(8_000))]
    names = [f"more-{number:02}.csv" for number in range(8)]
    for name in names:
        (folder / "mails" / name).write_text("\n".join(rows) + "\n")
    return names


def read_all(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name[0] != "."}


@pytest.mark.parametrize("table", ["mails", "'mails/*.csv'", "'m*/part-?.csv'", "'./**/part*'"])
def test_each_file_gets_the_answers_that_it_gets_alone(folder, writes, table):
    told = writes(f"predict model.hb {table} -o answers")
    assert told.startswith("16 rows classified, 16 of them texts that the model has learned from")
    assert told.endswith(": 4 files in answers\n")
    found = sorted(path for path in (folder / "answers").rglob("*.csv"))
    assert [path.name for path in found] == [f"part-{n}.csv" for n in range(N_PARTS)]
    for path in found:
        writes(f"predict model.hb mails/{path.name} -o alone.csv")
        assert path.read_bytes() == (folder / "alone.csv").read_bytes()


@pytest.mark.process
def test_two_processes_write_the_same_as_one(folder, writes):
    writes("predict model.hb mails -o one")
    writes("predict model.hb mails -o two --jobs 2")
    assert read_all(folder / "one") == read_all(folder / "two")


@pytest.mark.process
def test_a_cluster_writes_the_same_and_does_only_what_is_missing(folder, run, cluster):
    assert run(f"{MANY} -o one").returncode == 0
    where = f"--engine {cluster.scheduler_address}"
    (folder / "mails" / "part-9.csv").write_bytes(b"")
    done = run(f"{MANY} -o answers --keep-going {where}")
    assert done.returncode == 1
    assert f"Left out: {folder}/mails/part-9.csv is empty." in done.stderr
    assert read_all(folder / "answers") == read_all(folder / "one")
    (folder / "mails" / "part-9.csv").unlink()
    (folder / "answers" / "part-2.csv").unlink()
    told = run(f"{MANY} -o answers {where}").stderr
    assert "1 file (3 more were finished before)" in told
    assert read_all(folder / "answers") == read_all(folder / "one")
    # the same folder can be finished without Dask
    assert "Nothing to do: all files in answers were" in run(f"{MANY} -o answers").stderr
    # the workers live on, and do not keep the model that the file had
    save_model(TextClassifier("CNB").fit(TEXTS, LABELS[::-1]), folder / "model.hb")
    for options in ("two", f"three {where}"):
        assert run(f"{MANY} -o {options}").returncode == 0
    assert read_all(folder / "two") == read_all(folder / "three") != read_all(folder / "one")


@pytest.mark.process
@pytest.mark.skipif(os.name != "posix", reason="signals of Unix")
def test_workers_import_neither_the_script_nor_files_of_the_folder(folder):
    """Finding: a file random.py among the tables ran."""
    (folder / "random.py").write_text("raise SystemExit('random.py ran')")
    (folder / "command").mkdir()
    script = folder / "command" / "script.py"
    script.write_text("from honeybayes.cli import main\nmain()\n")  # without a guard
    command = [
        sys.executable,
        script,
        *["predict", "model.hb", "mails", "-o", "answers", "--jobs", "2"],
    ]
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr.count("\n")) == (0, 1), done.stderr
    assert len(read_all(folder / "answers")) == N_PARTS


def test_finished_files_are_not_written_again_and_changed_ones_are(folder, writes):
    writes("predict model.hb mails -o answers")
    before = {path: path.stat().st_ctime_ns for path in (folder / "answers").glob("*.csv")}
    (folder / "answers" / "part-2.csv").unlink()
    later = time.time() + 5
    os.utime(folder / "mails" / "part-3.csv", (later, later))
    told = writes("predict model.hb mails -o answers")
    assert "2 files (2 more were finished before) in answers" in told
    changed = [path.name for path, then in before.items() if path.stat().st_ctime_ns != then]
    assert sorted(changed) == ["part-2.csv", "part-3.csv"]


@pytest.mark.process
def test_a_killed_run_leaves_whole_files_and_the_next_run_completes_them(folder, start, writes):
    writes("predict model.hb mails -o whole")
    expected = read_all(folder / "whole")
    long = add_long_files(folder)
    writes(f"predict model.hb mails/{long[0]} -o alone.csv")
    expected |= dict.fromkeys(long, (folder / "alone.csv").read_bytes())
    process = start("predict model.hb mails -o answers --jobs 2")
    answers = folder / "answers"
    while len(list(answers.glob("*.csv"))) < 3 and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    finished = {path: path.stat().st_ctime_ns for path in answers.glob("*.csv")}
    assert len(finished) >= 3  # all of them, where this test looks late
    writes("predict model.hb mails -o answers")
    assert all(path.stat().st_ctime_ns == then for path, then in finished.items())
    assert read_all(answers) == expected
    assert not list(answers.glob(".*draft"))


class Killed(Exception):
    """Stands for SIGKILL at the moment when a file gets its name."""


def test_a_file_that_has_its_name_is_finished(folder, run, monkeypatch):
    """Finding: a run that was killed after the rename, before it set the date, wrote it again."""
    answers, replace = folder / "answers", Path.replace

    def replace_and_die(draft, target):
        replace(draft, target)
        if target.name == "part-1.csv":
            raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", replace_and_die)
        run(f"{MANY} -o answers")
    finished = {path.name: path.stat().st_ctime_ns for path in answers.glob("*.csv")}
    assert sorted(finished) == ["part-0.csv", "part-1.csv"]
    assert "2 files (2 more were finished before)" in run(f"{MANY} -o answers").stderr
    for name, then in finished.items():
        assert (answers / name).stat().st_ctime_ns == then


def test_finished_files_are_known_where_disks_keep_whole_seconds(folder, run, monkeypatch):
    set_date = os.utime

    def set_whole_seconds(path, *, ns):
        seconds = ns[0] // 10**9 * 10**9
        set_date(path, ns=(seconds, seconds))

    monkeypatch.setattr(os, "utime", set_whole_seconds)
    for path in (folder / "mails").iterdir():
        set_date(path, ns=(5 * 10**8, 5 * 10**8))
    assert run(f"{MANY} -o answers").returncode == 0
    assert "Nothing to do: all files in answers were" in run(f"{MANY} -o answers").stderr
    set_date(folder / "mails" / "part-0.csv", ns=(2 * 10**9, 2 * 10**9))
    assert "1 file (3 more were finished before)" in run(f"{MANY} -o answers").stderr


def processes_of(group):
    """Return the processes of a group that are running, with the files that they have opened."""
    found = {}
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(FileNotFoundError, PermissionError, ProcessLookupError):
            state, _, its_group = (path / "stat").read_text().rpartition(")")[2].split()[:3]
            if int(its_group) == group and state != "Z":
                found[int(path.name)] = [os.readlink(file) for file in (path / "fd").iterdir()]
    return found


@pytest.mark.process
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks at processes in /proc")
@pytest.mark.parametrize(
    ("number", "to_whom", "code", "told"),
    [
        (signal.SIGINT, "all", 130, "honeybayes: interrupted; no incomplete file was left.\n"),
        (signal.SIGTERM, "command", 143, ""),
        (signal.SIGKILL, "command", -9, ""),
        (
            signal.SIGKILL,
            "worker",
            1,
            "honeybayes: error: A process that works on parts has ended",
        ),
    ],
)
def test_workers_end_with_the_command(folder, start, number, to_whom, code, told):
    """Nobody is left at work, and neither drafts nor temporary folders, whoever is killed."""
    add_long_files(folder)
    (temporary := folder / "temporary").mkdir()
    process = start(
        "predict model.hb mails -o answers --jobs 2",
        stderr=subprocess.PIPE,
        env={"TMPDIR": str(temporary)},
        start_new_session=True,
        # a shell that runs the tests in the background makes its children ignore it
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )
    workers = []
    while not workers:
        assert process.poll() is None
        opened = processes_of(process.pid).items()
        workers = [each for each, files in opened if any("more-" in file for file in files)]
        time.sleep(0.02)
    if to_whom == "all":  # as Ctrl+C on a terminal does
        os.killpg(process.pid, number)
    else:
        os.kill(process.pid if to_whom == "command" else workers[0], number)
    assert process.wait(timeout=60) == code
    _, complaints = process.communicate()
    assert complaints.startswith(told)
    if code != -9:
        assert complaints.count("\n") == (1 if told else 0)
    last = time.monotonic() + 60
    while processes_of(process.pid):
        assert time.monotonic() < last, "a worker outlived the command"
        time.sleep(0.1)
    assert not list((folder / "answers").glob(".*draft"))
    assert not list(temporary.iterdir())


@pytest.mark.skipif(os.name != "posix", reason="locks of Unix")
def test_the_same_command_twice_and_the_second_interrupted(folder, run, monkeypatch):
    """Finding: the record of the first was deleted, so that its answers were nobody's."""
    predict_table, n_runs = _prediction.predict_table, []

    def interrupt(*arguments, **options):
        if not n_runs:
            n_runs.append(1)
            run(f"{MANY} -o answers")  # the second command, while the first is at work
            return predict_table(*arguments, **options)
        if n_runs == [1]:
            n_runs.append(2)
            raise KeyboardInterrupt
        return predict_table(*arguments, **options)

    monkeypatch.setattr(_prediction, "predict_table", interrupt)
    assert run(f"{MANY} -o answers").returncode == 0
    assert n_runs == [1, 2]
    assert "Nothing to do: all files in answers were" in run(f"{MANY} -o answers").stderr


def test_a_name_whose_lower_case_is_longer(folder, run):
    (folder / "mails" / "İİstanbul.TXT").write_text("Where is my parcel?\n", encoding="utf-8")
    assert run(f"{MANY} -o answers").returncode == 0
    assert (folder / "answers" / "İİstanbul.csv").is_file()


@pytest.mark.skipif(os.name != "posix", reason="symbolic links of Unix")
def test_links_that_lead_in_circles(folder, run):
    """Finding: one classified a file 41 times, two never ended, and one to itself was no error."""
    for name in ("one", "two"):
        (folder / "mails" / name).symlink_to(folder / "mails")
    done = run("predict model.hb 'mails/**/*.csv' -o answers")
    assert done.stderr.endswith(f": {N_PARTS} files in answers\n")
    (folder / "mails" / "self.csv").symlink_to("self.csv")
    done = run(f"{MANY} -o more")
    assert done.returncode == 1
    assert done.stderr.startswith("honeybayes: error: mails/self.csv")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.process)])
def test_a_bad_file_stops_the_command_or_is_left_out(folder, run, jobs):
    (folder / "mails" / "part-1.csv").write_text("id,body\n1,x\n")
    (folder / "mails" / "part-2.csv").write_bytes(b"")
    command = f"predict model.hb mails -o answers --jobs {jobs}"
    done = run(command)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "part-" in done.stderr
    assert "The files that are finished stay in answers." in done.stderr
    done = run(f"{command} --keep-going")
    assert done.returncode == 1
    *left_out, written, error = done.stderr.splitlines()
    first, second = sorted(left_out)
    assert first.startswith("Left out: mails/part-1.csv, line 1: there is no column 'text'.")
    assert second == "Left out: mails/part-2.csv is empty."
    assert "rows classified" in written
    assert error.startswith("honeybayes: error: 2 files of 4 could not be classified")
    assert sorted(read_all(folder / "answers")) == ["part-0.csv", "part-3.csv"]


def test_json_lines_text_and_excel_are_written_in_a_format_that_can_be_written(folder, run):
    mails = folder / "mails"
    (mails / "a.jsonl").write_text('{"text": "My parcel", "n": 1}\n')
    (mails / "b.txt").write_text("My parcel\n")
    (mails / "d.json").write_text('[{"text": "My parcel"}]')
    (mails / "_SUCCESS").write_text("")
    (mails / "notes.md").write_text("not a table")
    book = pytest.importorskip("openpyxl").Workbook()
    book.active.append(["text"])
    book.active.append(["I was charged"])
    book.save(mails / "c.xlsx")
    assert run("predict model.hb mails -o answers").returncode == 0
    names = ["a.jsonl", "b.csv", "c.xlsx", "d.jsonl", *(f"part-{n}.csv" for n in range(N_PARTS))]
    assert sorted(read_all(folder / "answers")) == names
    assert json.loads((folder / "answers" / "a.jsonl").read_text())["label"] == "delivery"
    assert run("predict model.hb mails -o objects --json").returncode == 0
    assert {name.split(".")[1] for name in read_all(folder / "objects")} == {"jsonl"}


def test_parquet_comes_back_as_parquet_with_its_types(folder, run):
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    (folder / "in").mkdir()
    when = arrow.array([1, 2, None], arrow.timestamp("ns"))
    table = arrow.table(
        {"text": ["My parcel", None, "I was charged"], "when": when, "queue": ["x", None, ""]}
    )
    parquet.write_table(table, folder / "in" / "a.parquet")
    told = run("predict model.hb in -o out --add top=2").stderr
    assert told.splitlines()[1] == "1 row has no text: no label was given"
    found = parquet.read_table(folder / "out" / "a.parquet")
    assert found.select(table.column_names).equals(table)
    assert found.column("label").to_pylist() == ["delivery", "", "billing"]
    assert found.column("confidence").type == arrow.float64()
    assert found.column("confidence")[1].as_py() is None
    assert run("predict model.hb in -o filled --fill queue").returncode == 0
    filled = parquet.read_table(folder / "filled" / "a.parquet")
    assert filled.column("queue").to_pylist() == ["x", "", "billing"]
    assert filled.column("source").to_pylist() == ["person", "", "model"]
    assert run("predict model.hb in/a.parquet -o rows.csv").returncode == 0
    assert (folder / "rows.csv").read_text().splitlines()[0].startswith("text,when,queue,label")


MANY = "predict model.hb mails"


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (MANY, "mails is many files, whose answers need a folder. Name one with -o"),
        (f"{MANY} -o mails", "mails is the folder of the files to read"),
        (f"{MANY} -o model.hb", "model.hb is a file. Name a folder"),
        ("predict model.hb 'none/*.csv' -o answers", "none/*.csv has no file to classify"),
    ],
)
def test_what_cannot_be_done_is_said_before_anything_is_written(folder, fails, command, message):
    before = sorted(folder.iterdir())
    assert message in fails(command)
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize("option", ["--jobs 2", "--keep-going", "--engine dask"])
def test_options_of_many_files_are_wrong_usage_with_one(folder, fails, option):
    told = fails(f"predict model.hb mails/part-0.csv -o x.csv {option}", code=2)
    assert f"{option.split()[0]} " in told
    assert " is for a folder" in told
    assert not (folder / "x.csv").exists()


@pytest.mark.parametrize("options", ["", "--keep-going"])
def test_a_column_that_is_there_already_can_get_another_name(folder, fails, run, options):
    for path in (folder / "mails").iterdir():
        path.write_text("text,label\nWrong charge,x\n")
    told = fails(f"{MANY} {options} -o answers")
    assert re.fullmatch(
        r"honeybayes: error: mails/part-\d.csv: The table has a column 'label' already. Choose "
        r"another name with --label-column.\n",
        told,
    )
    assert run(f"{MANY} {options} -o answers --label-column answer").returncode == 0
    assert len(read_all(folder / "answers")) == N_PARTS
    told = fails(f"{MANY} {options} -o answers --label-column other")
    assert "has answers of another model, to files of another folder, or with other options" in told


def test_answers_of_another_model_or_of_a_user_are_not_mixed_in(folder, fails, writes):
    writes(f"{MANY} -o answers")
    advice = "has answers of another model, to files of another folder, or with other options"
    assert advice in fails(f"{MANY} -o answers --add proba")
    save_model(TextClassifier("MNB").fit(TEXTS, LABELS), folder / "model.hb")
    assert advice in fails(f"{MANY} -o answers")
    (folder / "own").mkdir()
    (folder / "own" / "part-1.csv").write_text("mine")
    assert "own/part-1.csv exists already" in fails(f"{MANY} -o own")
    assert read_all(folder / "own") == {"part-1.csv": b"mine"}


def test_files_of_another_folder_or_of_another_date_are_not_taken_for_finished(folder, fails, run):
    """Finding: the answers of Monday were kept for the mails of Tuesday, and for older files."""
    (folder / "tuesday").mkdir()
    (folder / "tuesday" / "part-0.csv").write_text("text\nmy parcel\n")
    assert run(f"{MANY} -o answers").returncode == 0
    told = fails("predict model.hb tuesday -o answers")
    assert "has answers of another model, to files of another folder" in told
    (folder / "mails" / "part-0.csv").write_text("text\nmy parcel\n")
    os.utime(folder / "mails" / "part-0.csv", (10**9, 10**9))  # long before its answers
    assert "1 file (3 more were finished before)" in run(f"{MANY} -o answers").stderr
    assert (folder / "answers" / "part-0.csv").read_text().count("\n") == 2
    assert "Nothing to do: all files in answers were" in run(f"{MANY} -o answers").stderr


def test_a_folder_that_another_command_has_begun_is_refused(folder, fails, run):
    """Finding: two models at the same time wrote into one folder."""
    assert run(f"{MANY} -o answers").returncode == 0
    for path in (folder / "answers").glob("*.csv"):
        path.unlink()  # as if no file were begun yet
    assert "has answers of another model" in fails(f"{MANY} -o answers --add proba")
    for path in (folder / "mails").iterdir():
        path.write_bytes(b"")
    assert "is empty" in fails(f"{MANY} -o others")
    assert "is empty" in fails(f"{MANY} -o others --add proba")  # other options may be tried
    assert "has answers of another model" in fails(f"{MANY} -o answers --add proba")


def test_links_to_nothing_and_brackets_in_names(folder, fails, run):
    (folder / "mails").rename(folder / "mails [2024]")
    assert run("predict model.hb 'mails [2024]' -o answers").returncode == 0
    (folder / "mails [2024]" / "part-9.csv").symlink_to("nowhere.csv")
    assert "part-9.csv" in fails("predict model.hb 'mails [2024]' -o answers")


def test_two_files_with_the_same_answers_are_refused(folder, fails):
    (folder / "mails" / "part-0.txt").write_text("My parcel\n")
    assert "would both be answers/part-0.csv" in fails(f"{MANY} -o answers")


def test_the_files_are_counted_on_a_terminal(folder, run, monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    done = run(f"{MANY} -o answers", terminals={"stderr"})
    assert done.returncode == 0
    assert "4/4" in done.stderr
