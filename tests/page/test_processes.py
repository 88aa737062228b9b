"""Real processes: killed servers, copies of files, two servers, and a worker that ends."""

import http.client
import json
import os
import random
import shutil
import signal
import sys
import threading
import time
from concurrent.futures import BrokenExecutor, Future
from pathlib import Path
from types import SimpleNamespace

import pytest

from honeybayes.labeling import Project
from honeybayes.labeling.turn import Turn
from honeybayes.page import worker
from honeybayes.page.worker import Learned, Learner, WorkerError
from tests.page.desks import (
    HEADERS,
    TEXTS,
    TOKEN,
    InlineLearner,
    confirmed_in,
    imported_context,
    run_learner,
    run_server,
    run_writer,
)

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of Unix")
N_KILLS = int(os.environ.get("HONEYBAYES_KILLS", "20"))
N_COPIES = 8
N_TEXTS = 3_000 + 100 * N_KILLS


@pytest.fixture
def start():
    """Start a server without a model in a process of its own."""
    context, started = imported_context(), []

    def start(path, target=run_server):
        ours, theirs = context.Pipe()
        process = context.Process(target=target, args=(path, theirs))
        process.start()
        theirs.close()
        client = Client(ours.recv())
        ours.close()
        started.append((process, client))
        return process, client

    yield start
    for process, client in started:
        client.connection.close()
        process.kill()
        process.join()


def wait_for(what):
    end = time.monotonic() + 120
    while not what():
        assert time.monotonic() < end
        time.sleep(0.02)


class RefusedError(Exception):
    """The server has said no."""


class Client:
    """Posts labels, and remembers those that were confirmed."""

    def __init__(self, port):
        self.port = port
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.headers = {**HEADERS, "X-Honeybayes": TOKEN}
        self.confirmed = {}
        self.in_doubt = None

    def post(self, path, **fields):
        self.connection.request("POST", f"/api/{path}", json.dumps(fields), self.headers)
        answer = self.connection.getresponse()
        content = answer.read()
        if answer.status != 200:
            raise RefusedError(content)
        return json.loads(content)

    def label_all(self, rows, class_ids):
        """Label rows until the server is gone."""
        for row in rows:
            id = class_ids[row % len(class_ids)]
            self.in_doubt = row
            try:
                self.post("label", row=row, class_id=id, purpose="chosen", window="a")
            except (OSError, http.client.HTTPException, RefusedError):
                return
            self.confirmed[row] = id


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "mail.hbproject"
    with Project.create(path, [f"text {row}" for row in range(N_TEXTS)]) as project:
        project.add_class("x")
        project.add_class("y")
    return path


@pytest.mark.process
def test_whatever_is_killed_copied_or_renamed_no_confirmed_label_is_lost(path, start, tmp_path):
    """While labels are given, and another process stores what a model has learned."""
    rng = random.Random(0)
    confirmed, next_row = {}, 0
    (writer, _), hidden = start(path, run_writer), path.with_name("hidden.hbproject")
    for n in range(N_KILLS):
        process, client = start(path)
        rows = range(next_row, N_TEXTS)
        posting = threading.Thread(target=client.label_all, args=(rows, [1, 2]))
        posting.start()
        wait_for(lambda client=client: client.confirmed)
        time.sleep(rng.uniform(0, 0.15))
        copied = confirmed | client.confirmed
        shutil.copy(path, tmp_path / "copy.hbproject")
        assert copied.items() <= confirmed_in(tmp_path / "copy.hbproject").items()
        if n % 3 == 0:
            writer.kill()
            writer.join()
            writer, _ = start(path, run_writer)
            time.sleep(rng.uniform(0, 0.1))
        if n % 3 == 1:  # labels are refused until the file is back, and the client stops
            path.rename(hidden)
            time.sleep(rng.uniform(0, 0.05))
            hidden.rename(path)
        os.kill(process.pid, signal.SIGKILL)
        posting.join()
        confirmed |= client.confirmed
        stored = confirmed_in(path)
        # the last label may be stored although the server could not say so any more
        assert confirmed.items() <= stored.items()
        assert stored.keys() <= confirmed.keys() | {client.in_doubt}
        confirmed, next_row = stored, client.in_doubt + 1
    assert len(confirmed) >= N_KILLS


@pytest.mark.process
@pytest.mark.skipif(sys.platform != "linux", reason="/proc of Linux")
def test_a_copy_of_file_and_journal_in_the_middle_of_a_write_is_whole(path, start, tmp_path):
    """As after a power cut: all files as they are at one moment, while the server writes."""
    rng = random.Random(1)
    process, client = start(path)
    posting = threading.Thread(target=client.label_all, args=(range(N_TEXTS), [1, 2]))
    posting.start()
    for n in range(N_COPIES):
        time.sleep(rng.uniform(0.01, 0.1))
        os.kill(process.pid, signal.SIGSTOP)
        wait_for(lambda: is_stopped(process.pid))
        confirmed = dict(client.confirmed)
        copy = tmp_path / f"copy-{n}.hbproject"
        for ending in ("", "-journal"):
            if Path(f"{path}{ending}").exists():
                shutil.copy(f"{path}{ending}", f"{copy}{ending}")
        os.kill(process.pid, signal.SIGCONT)
        stored = confirmed_in(copy)
        assert confirmed.items() <= stored.items()
        assert len(stored) <= len(confirmed) + 2
    os.kill(process.pid, signal.SIGKILL)
    posting.join()
    assert client.confirmed.items() <= confirmed_in(path).items()


def is_stopped(pid):
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"


@pytest.mark.process
def test_two_servers_on_one_project(path, start):
    (_, one), (_, two) = start(path), start(path)
    threads = [
        threading.Thread(target=client.label_all, args=(range(first, 60, 2), [1, 2]))
        for first, client in enumerate((one, two))
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert confirmed_in(path) == one.confirmed | two.confirmed
    assert sorted(one.confirmed | two.confirmed) == list(range(60))
    one.post("classes", name="z")
    state = two.post("undo")["state"]
    assert [each["name"] for each in state["classes"]] == ["x", "y"]
    assert state["counts"]["labeled"] == 60


@pytest.mark.process
def test_the_worker_learns_dies_and_starts_again(tmp_path):
    with Project.create(tmp_path / "mail.hbproject", TEXTS) as project:
        learner = Learner(project)
        try:
            assert learner.status == "reading"
            project.add_class("delivery", "parcel")
            project.add_class("billing", "charge invoice")
            learner.tick()
            wait_for(lambda: learner.status == "ready")
            assert learner.learned.turn.last_event == 2
            first = learner._process.pid
            project.label(0, 1)
            learner.tick()
            assert learner.status == "learning"
            wait_for(lambda: learner.status == "ready")
            assert learner.learned.turn.n_labels == 1
            assert learner._process.pid == first
            os.kill(first, signal.SIGSTOP)  # so that it dies while it learns
            project.label(6, 2)
            learner.tick()
            lost = learner.ask("groups", 2)
            os.kill(first, signal.SIGKILL)
            wait_for(lambda: learner.status == "failed")
            assert isinstance(lost.exception(), BrokenExecutor)
            assert "All labels are stored. It starts again" in learner.message
            learner.tick()
            assert learner.status == "failed"  # until something changes
            project.label(7, 2)
            learner.tick()
            assert learner.status == "learning"
            wait_for(lambda: learner.status == "ready")
            assert learner.learned.turn.n_labels == 3
            second = learner._process.pid
            assert second != first
            os.kill(second, signal.SIGKILL)  # while it does nothing
            wait_for(lambda: not learner._process.is_alive())
            wait_for(lambda: is_answered(learner))
            assert learner.status == "ready"
            assert learner._process.pid != second
        finally:
            learner.close()
        assert not learner._process.is_alive()
        with pytest.raises(WorkerError, match="about to end"):
            learner.ask("learn")


def is_answered(learner):
    """Ask again until the pool has noticed that its process is gone."""
    try:
        return len(learner.ask("groups", 2).result()) == 2
    except BrokenExecutor:
        return False


@pytest.mark.process
def test_a_worker_that_is_busy_or_still_starts_ends_at_once(tmp_path):
    with Project.create(tmp_path / "mail.hbproject", TEXTS) as project:
        learner = Learner(project)
        lost = learner.ask("groups", 2)
        learner.close()
        assert isinstance(lost.exception(), BrokenExecutor)
        assert not learner._process.is_alive()


def test_a_request_fails_if_the_worker_cannot_do_it(tmp_path):
    with Project.create(tmp_path / "mail.hbproject", TEXTS) as project:
        learner = InlineLearner(project)
        assert "class" in str(learner.ask("save_model", str(tmp_path / "m.hb")).exception())
        assert not (tmp_path / "m.hb").exists()
        learner.close()


def test_when_it_is_time_to_learn(tmp_path, monkeypatch):
    """After each event at first, then after five, or after two seconds without one."""
    now, asked = [100.0], []
    monkeypatch.setattr(worker.time, "monotonic", lambda: now[0])
    with Project.create(tmp_path / "mail.hbproject", [f"text {n}" for n in range(40)]) as project:
        learner = Learner(project)
        monkeypatch.setattr(learner, "ask", lambda kind: asked.append(kind) or Waiting())

        def is_asked():
            learner.tick()
            learner.tick()  # never twice at once
            n, asked[:] = len(asked), []
            learner._doing = ""
            return n

        assert is_asked() == 1
        assert is_asked() == 0
        project.add_class("x")
        assert is_asked() == 1
        learner.learned = SimpleNamespace(turn=SimpleNamespace(answers=None))
        for row in range(10):
            project.label(row, 1)
            assert is_asked() == (row < 9)
        learner._learned_event = project.ledger.last_id
        for row in range(10, 20):
            project.label(row, 1)
            assert is_asked() == (row in (14, 19))
        project.label(20, 1)
        assert is_asked() == 0
        now[0] += 2
        assert is_asked() == 1
        assert is_asked() == 0


def test_labels_are_checked_in_a_pause_and_once(tmp_path, monkeypatch):
    now, asked = [100.0], []
    monkeypatch.setattr(worker.time, "monotonic", lambda: now[0])
    with Project.create(tmp_path / "mail.hbproject", TEXTS) as project:
        project.add_class("x")
        learner = Learner(project)
        monkeypatch.setattr(learner, "ask", lambda kind: asked.append(kind) or Waiting())
        learner.tick()
        now[0] += 60
        learner.tick()
        assert asked == ["learn"]  # which is not finished yet
        turn = Turn(0, 1, object(), None)
        learner.learned = Learned(turn, {}, {}, {}, n_changed=3)
        learner._doing = ""
        learner.tick()
        learner.tick()
        assert asked == ["learn", "hold_out"]
        failed, answered = Future(), Future()
        failed.set_exception(WorkerError("no"))
        learner._keep("hold_out", failed)
        # the page goes on without it
        assert (learner.learned.held_out, learner.status) == ({}, "ready")
        answered.set_result(Learned(turn, {}, {}, {0: (1, 0.9)}))
        learner._keep("hold_out", answered)
        assert learner.learned == Learned(turn, {}, {}, {0: (1, 0.9)}, n_changed=3)
        learner.tick()
        assert asked == ["learn", "hold_out"]  # nothing has changed
        project.label(0, 1)
        learner.tick()
        learner._doing = ""
        now[0] += 1
        learner.tick()
        assert asked == ["learn", "hold_out", "learn"]  # the person goes on
        now[0] += 1
        learner.tick()
        assert asked[3:] == ["hold_out"]


class Waiting:
    def add_done_callback(self, callback):
        """Never done."""


@pytest.mark.process
@pytest.mark.skipif(sys.platform != "linux", reason="/proc of Linux")
def test_the_worker_ends_with_a_killed_server(tmp_path, start):
    path = tmp_path / "mail.hbproject"
    Project.create(path, TEXTS).close()
    server, client = start(path, run_learner)
    worker = client.port  # the number that it has sent
    assert Path(f"/proc/{worker}").exists()
    server.kill()
    wait_for(lambda: not Path(f"/proc/{worker}").exists())
