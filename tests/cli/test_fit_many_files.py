"""``honeybayes fit`` on a folder or a pattern of files, here and with Dask."""

import csv
import json
import os
import signal
import socket
import subprocess
import sys
import time
from functools import partial

import numpy as np
import pytest

from honeybayes import TextClassifier, load_model
from honeybayes.scale import _text_tasks
from honeybayes.tables import load_corpus, spell_numbers

CORPUS = load_corpus("messages").keep_classes(["billing", "delivery", "returns"])
CORPUS = CORPUS.take(np.random.default_rng(0).permutation(len(CORPUS))[:120])
TEXTS, LABELS = CORPUS.documents[:90], CORPUS.labels[:90]
POOL, NEW = CORPUS.documents[90:105], CORPUS.documents[105:]
N_PARTS = 4


def write_csv(path, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)


def rows_of(number):
    return list(zip(TEXTS, LABELS.tolist(), strict=True))[number::N_PARTS]


# the order in which the files are read
IN_ORDER = [row for number in range(N_PARTS) for row in rows_of(number)]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """The same rows as files of four formats."""
    files = tmp_path_factory.mktemp("fit_many_files")
    (files / "mails").mkdir()
    (files / "more").mkdir()
    write_csv(files / "mails" / "0.csv", [["body", "queue"], *rows_of(0)])
    with (files / "mails" / "1.jsonl").open("w", encoding="utf-8") as file:
        for text, label in rows_of(1):
            file.write(json.dumps({"body": text, "queue": label}) + "\n")
    arrow = pytest.importorskip("pyarrow")
    for number in (2, 3):
        columns = [list(each) for each in zip(*rows_of(number), strict=True)]
        table = arrow.table(dict(zip(["body", "queue"], columns, strict=True)))
        pytest.importorskip("pyarrow.parquet").write_table(
            table, files / "mails" / f"{number}.parquet"
        )
    (files / "mails" / "_SUCCESS").write_text("")
    for number in range(2):
        write_csv(
            files / "more" / f"{number}.csv", [["body"], *([text] for text in POOL[number::2])]
        )
    return files


COLUMNS = "--text body --label queue"


def assert_learned(path, model, **options):
    found = load_model(path)
    texts, labels = zip(*IN_ORDER, strict=True)
    expected = TextClassifier(model).fit(texts, labels, **options)
    assert found.terms_.tolist() == expected.terms_.tolist()
    np.testing.assert_allclose(found.predict_proba(NEW), expected.predict_proba(NEW), rtol=1e-6)
    assert found._table == {"text": "body"}


@pytest.mark.parametrize("table", ["mails", "'mails/[0-3].*'"])
@pytest.mark.parametrize("model", ["CNB", "HONB", "LogisticRegression-tfidf"])
def test_files_give_the_model_of_all_rows(folder, works, table, model):
    told = works(f"fit {table} {COLUMNS} --model {model} -o model.hb")
    assert told.startswith(f"{model} learned 3 classes from 90 documents, ")
    assert_learned(folder / "model.hb", model)


def test_a_pool_of_files_is_used(folder, works):
    told = works(f"fit mails {COLUMNS} --model HOS --pool 'more/*.csv' -o model.hb")
    assert "from 90 documents and 15 without a label" in told
    pool = [*POOL[0::2], *POOL[1::2]]
    texts, labels = zip(*IN_ORDER, strict=True)
    expected = TextClassifier("HOS").fit(texts, labels, pool=pool)
    assert load_model(folder / "model.hb").predict(NEW).tolist() == expected.predict(NEW).tolist()
    found = json.loads(works(f"fit mails {COLUMNS} --pool more --json -o auto.hb"))
    assert found["documents"] == 90
    one = works(f"fit mails/0.csv {COLUMNS} --model HOS --pool more -o one.hb")
    assert "from 23 documents and 15 without a label" in one


@pytest.mark.parametrize("size", [None, 10])
def test_a_sample_is_told_if_texts_are_left_out(folder, works, monkeypatch, size):
    if size is not None:
        monkeypatch.setattr("honeybayes.scale.POOL_SIZE", size)
        monkeypatch.setattr(_text_tasks, "POOL_SIZE", size)
    write_csv(folder / "more" / "2.csv", [["body"], *([text] for text in POOL)])  # all repeat
    told = works(f"fit mails {COLUMNS} --model FewLabels --pool more -o model.hb")
    assert f"and {size or len(POOL)} without a label" in told
    assert ("Those without a label are a random sample of 30." in told) == (size is not None)


def test_class_names_are_enough(folder, works):
    told = works("fit more --text body --classes 'billing: charge; delivery: parcel' -o names.hb")
    assert "learned 2 classes from 15 without a label" in told


def test_rows_without_a_label_are_counted(folder, run):
    write_csv(folder / "mails" / "4.csv", [["body", "queue"], ["late", ""], ["lost", "nan"]])
    done = run(f"fit mails {COLUMNS} --model CNB -o model.hb")
    assert done.returncode == 0
    [warning] = done.stderr.splitlines()
    assert "2 rows without a label are left out, because CNB learns from labeled" in warning
    assert_learned(folder / "model.hb", "CNB")


def test_tables_beside_sub_folders_are_refused(folder, fails):
    """Finding: the names of two sub-folders became the classes of two texts."""
    for name in ("old", "new"):
        (folder / "mails" / name).mkdir()
        (folder / "mails" / name / "0.csv").write_text("body,queue\nlate,delivery\n")
    told = fails(f"fit mails {COLUMNS} --model CNB -o model.hb")
    assert "mails has tables, such as 0.csv, and sub-folders, such as new." in told


def test_a_bad_file_stops_the_command_or_is_left_out(folder, run, fails):
    (folder / "mails" / "4.csv").write_text("id,text\n1,x\n")
    (folder / "mails" / "5.csv").write_bytes(b"")
    (folder / "mails" / "6.parquet").write_bytes(b"PAR1 not really")
    command = f"fit mails {COLUMNS} --model CNB -o model.hb"
    told = fails(command)
    assert "mails/4.csv, line 1: there is no column 'body'" in told
    assert "leave it out with --keep-going" in told
    assert not (folder / "model.hb").exists()
    done = run(f"{command} --keep-going")
    assert done.returncode == 1
    *left_out, error = done.stderr.splitlines()
    assert [line.split(",")[0].split(" is ")[0].split(" cannot")[0] for line in left_out] == [
        "Left out: mails/4.csv",
        "Left out: mails/5.csv",
        "Left out: mails/6.parquet",
    ]
    assert "3 of 7 files could not be read" in error
    assert_learned(folder / "model.hb", "CNB")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("fit 'none/*.csv' -o model.hb", "none/*.csv has no file to learn from"),
        ("fit 'mails/*' -o mails/0.csv", "mails/0.csv is a file to read"),
        ("fit - --pool more -o model.hb", "-: standard input, a project file, or"),
        ("fit mails --model CNB --pool more -o model.hb", "cannot learn from a pool"),
        (
            "fit classes --pool more -o model.hb",
            "classes: standard input, a project file, or a folder with one sub-folder per class",
        ),
        (
            "fit own.hbproject --pool more -o model.hb",
            "own.hbproject: standard input, a project file",
        ),
    ],
)
def test_what_cannot_be_done_is_said_first(folder, fails, command, message):
    (folder / "classes" / "billing").mkdir(parents=True)
    assert message in fails(command)
    assert not (folder / "model.hb").exists()


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("fit mails --attributes all -o model.hb", "--attributes needs all rows at once"),
        ("fit mails --read fold-case -o model.hb", "--read fold-case needs all rows at once"),
        ("fit mails/0.csv --keep-going -o model.hb", "--keep-going is for a folder or a pattern"),
        (
            "fit mails --engine spark -o model.hb",
            "--engine spark is unknown. It must be local, dask",
        ),
    ],
)
def test_options_that_do_not_fit_are_wrong_usage(folder, fails, command, message):
    assert message in fails(command, code=2)
    assert not (folder / "model.hb").exists()


def as_numbers(rows, spelling):
    """Return rows whose classes are numbers, as pandas writes them with or without empty cells."""
    names = sorted(set(LABELS.tolist()))
    return [(text, spelling.format(names.index(label))) for text, label in rows]


def test_files_in_which_pandas_made_floats_of_labels_have_the_same_classes(folder, works):
    parquet = pytest.importorskip("pyarrow.parquet")
    numbers = folder / "numbers"
    numbers.mkdir()
    head = ["body", "queue"]
    write_csv(numbers / "0.csv", [head, *as_numbers(rows_of(0), "{}")])
    write_csv(numbers / "1.csv", [head, *as_numbers(rows_of(1), "{}.0")])
    texts, labels = zip(*as_numbers(rows_of(2), "{}"), strict=True)
    table = {"body": [*texts, "late"], "queue": [*map(float, labels), None]}
    parquet.write_table(pytest.importorskip("pyarrow").table(table), numbers / "2.parquet")
    works(f"fit numbers {COLUMNS} --model FewLabels -o model.hb")
    assert load_model(folder / "model.hb").classes_.tolist() == ["0", "1", "2"]


def test_two_spellings_of_a_number_are_one_class(folder, warns):
    rows = as_numbers(rows_of(0), "{}") + as_numbers(rows_of(1), "{}.0")
    write_csv(folder / "one.csv", [["body", "queue"], *rows])
    command = f"{COLUMNS} --model 'CNB calibrate=no' --words stop-words=keep -o model.hb"
    warns(f"fit one.csv {command}", "read as one: 0.0 as 0, 1.0 as 1, 2.0 as 2.")
    assert load_model(folder / "model.hb").classes_.tolist() == ["0", "1", "2"]
    write_csv(folder / "new.csv", [["body", "queue"], *as_numbers(rows_of(2), "{}.0")])
    told = warns("evaluate model.hb new.csv --label queue --json", "0.0 as 0, 1.0 as 1, 2.0 as 2")
    assert {each["class"] for each in json.loads(told)["classes"]} == {"0", "1", "2"}


@pytest.mark.parametrize(
    ("labels", "known", "expected"),
    [
        (["1", "1.0", "", "2.0"], [], ["1", "1", "", "2"]),
        (["1.0", "", "2.0"], [], ["1.0", "", "2.0"]),  # one spelling
        (["1", "1.0", "1.05", "11.0"], [], ["1", "1", "1.05", "11"]),
        (["1", "1.0", "v1.0"], [], ["1", "1.0", "v1.0"]),  # versions, not numbers
        (["1.0", "nan"], ["1", "2"], ["1", "nan"]),
        (["1", "2"], ["1.0", "2.0"], ["1.0", "2.0"]),
    ],
)
@pytest.mark.filterwarnings("ignore:Some labels are the same number")
def test_numbers_are_spelled_in_one_way(labels, known, expected):
    assert spell_numbers(np.array(labels), known).tolist() == expected


@pytest.mark.parametrize(
    "command", ["evaluate model.hb {}", "compare {}", "simulate {}", "label {} --no-browser"]
)
@pytest.mark.parametrize("table", ["mails", "'mails/*'"])
def test_other_commands_say_that_they_read_one_table(folder, works, fails, command, table):
    if "model.hb" in command:
        works(f"fit mails {COLUMNS} --model 'CNB calibrate=no' -o model.hb")
    told = fails(command.format(table))
    assert "this command reads one table. Join the files into one." in told


@pytest.mark.process
@pytest.mark.skipif(os.name != "posix", reason="signals of Unix")
def test_an_interrupted_cluster_is_quiet(dask, folder, start):
    for number in range(20):
        write_csv(folder / "mails" / f"more{number}.csv", [["body", "queue"], *(IN_ORDER * 50)])
    process = start(
        f"fit mails {COLUMNS} --model HONB --engine dask -o model.hb",
        stderr=subprocess.PIPE,
        start_new_session=True,
        # a shell that runs the tests in the background makes its children ignore it
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )
    waited_until = time.monotonic() + 120
    while not is_a_worker_of(process.pid):
        assert process.poll() is None, process.stderr.read()
        assert time.monotonic() < waited_until
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    *others, last = told.splitlines()
    assert last == "honeybayes: interrupted; no incomplete file was left."
    assert len(others) <= 1, told  # the port of another cluster may be in use
    assert not (folder / "model.hb").exists()


def is_a_worker_of(process):
    """Return True if a process of the same session was started with spawn."""
    shown = subprocess.run(
        ["ps", "-A", "-ww", "-o", "pgid=", "-o", "args="], capture_output=True, encoding="utf-8"
    )
    return any(
        line.split()[0] == str(process) and "spawn_main" in line
        for line in shown.stdout.splitlines()
    )


def test_minus_one_must_mean_one_thing(folder, fails, works):
    (folder / "numbers").mkdir()
    rows = [[text, str(at % 3)] for at, text in enumerate(TEXTS[:30])]
    write_csv(folder / "numbers" / "0.csv", [["text", "label"], *rows, ["late", "-1"]])
    write_csv(
        folder / "numbers" / "1.csv", [["text", "label"], ["late", "-1"], ["x y", "-1"], *rows[:1]]
    )
    command = "fit numbers --model CNB -o model.hb"
    assert "--read unlabeled=-1 means no label" in fails(command)
    assert "learned 4 classes" in works(f"{command} --read \"unlabeled=''\"")


def test_files_with_few_rows_of_each_class_are_no_ids(folder, works, fails):
    """12 files of 24 rows with 20 classes are 288 rows; ids are ids in all of them."""
    (folder / "classes").mkdir()
    for number in range(12):
        rows = [
            [f"{TEXTS[at]} word{at % 20}x", f"c{at % 20}", f"i{24 * number + at}", LABELS[at]]
            for at in range(24)
        ]
        write_csv(folder / "classes" / f"{number}.csv", [["text", "label", "key", "queue"], *rows])
    assert "learned 20 classes from 288" in works("fit classes --model CNB -o model.hb")
    command = "fit classes --model CNB --label key -o ids.hb"
    told = fails(command)
    assert "All files together: 288 classes in 288 rows: 'key' looks like a column of ids" in told
    assert "'queue' may be the column with the labels" in told
    assert not (folder / "ids.hb").exists()


def test_one_file_may_be_the_table_and_the_pool(folder, run):
    """As a table it lacks labels, and is left out; as a pool it is read."""
    write_csv(folder / "mails" / "4.csv", [["body"], *([text] for text in POOL)])
    done = run(f"fit mails {COLUMNS} --model HOS --pool 'mails/4*' --keep-going -o model.hb")
    assert "from 90 documents and 15 without a label" in done.stdout, done.stderr
    assert "1 of 6 files could not be read" in done.stderr


def test_the_files_are_counted_on_a_terminal(folder, run, monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    done = run(f"fit mails {COLUMNS} --model CNB -o model.hb", terminals={"stderr"})
    assert done.returncode == 0
    assert "4/4" in done.stderr


@pytest.fixture
def dask():
    pytest.importorskip("cryptography", reason="needs cryptography (extra: scale)")
    return pytest.importorskip("distributed", reason="needs dask (extra: scale)")


@pytest.mark.process
def test_a_cluster_learns_the_same(folder, run, cluster):
    (folder / "mails" / "4.csv").write_bytes(b"")
    where = f"--engine {cluster.scheduler_address}"
    done = run(f"fit mails {COLUMNS} --model HONB {where} --keep-going -o model.hb")
    assert done.stdout.startswith("HONB learned 3 classes from 90 documents"), done.stderr
    left_out, error = done.stderr.splitlines()
    assert left_out == f"Left out: {folder}/mails/4.csv is empty."
    assert "1 of 5 files could not be read" in error
    assert_learned(folder / "model.hb", "HONB")
    done = run(f"fit mails {COLUMNS} --model CNB {where} -o other.hb")
    assert done.returncode == 1
    assert f"error: {folder}/mails/4.csv is empty. Correct this file" in done.stderr
    assert not (folder / "other.hb").exists()


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@pytest.mark.process
def test_a_scheduler_that_cannot_be_reached_is_an_error(dask, folder, fails, monkeypatch):
    from honeybayes.scale import _engines

    monkeypatch.setattr(_engines, "PATIENCE", 1)
    address = f"tcp://127.0.0.1:{free_port()}"
    told = fails(f"fit mails {COLUMNS} --model CNB --engine {address} -o model.hb")
    assert f"The scheduler of Dask at {address} cannot be reached" in told
    assert "Check the address" in told
    assert not (folder / "model.hb").exists()


@pytest.mark.process
def test_a_scheduler_without_workers_and_one_that_is_lost_are_errors(
    dask, folder, start, fails, monkeypatch
):
    from honeybayes.scale import _engines

    address = f"tcp://127.0.0.1:{free_port()}"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    run_module = [sys.executable, "-m"]
    scheduler = subprocess.Popen(
        [*run_module, "distributed.cli.dask_scheduler", "--no-dashboard", "--host", address],
        **quiet,
    )
    worker = None
    command = f"fit mails {COLUMNS} --model CNB --engine {address} -o model.hb"
    try:
        with monkeypatch.context() as patch:
            patch.setattr(_engines, "PATIENCE", 5)
            wait_for(address)
            told = fails(command)
            assert f"at {address} has no workers. Start some: dask worker {address}" in told
        worker = subprocess.Popen(
            [*run_module, "distributed.cli.dask_worker", address, "--no-dashboard", "--no-nanny"],
            **quiet,
        )
        with dask.Client(address, set_as_default=False) as client:
            client.wait_for_workers(1, timeout=100)
            worker.send_signal(signal.SIGSTOP)  # so that the command waits
            process = start(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            for _ in range(1000):
                if client.run_on_scheduler(count_tasks):
                    break
                time.sleep(0.1)
        scheduler.send_signal(signal.SIGKILL)
        _, told = process.communicate(timeout=60)
        assert process.returncode == 1
        assert f"The scheduler of Dask at {address} was lost. Start it again" in told
        assert told.count("\n") == 1
        assert not (folder / "model.hb").exists()
    finally:
        for each in (scheduler, worker):
            if each is not None:
                each.kill()
                each.wait()


def count_tasks(dask_scheduler):
    return len(dask_scheduler.tasks)


def wait_for(address):
    host, port = address.removeprefix("tcp://").split(":")
    for _ in range(600):
        with socket.socket() as probe:
            if probe.connect_ex((host, int(port))) == 0:
                return
        time.sleep(0.1)
    raise TimeoutError(address)
