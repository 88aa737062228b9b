"""The worker: a process that learns while the page is used, and the server's side of it."""

import os
import signal
import threading
import time
import warnings
from concurrent.futures import Future
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

from honeybayes.labeling import LabelingSession, Project, Turn
from honeybayes.labeling.strategies import DEFAULT

BATCH = 5  # events after which the model learns again
FEW_LABELS = 10  # below this number of labels, it learns after each event
PAUSE = 2.0  # seconds without a new event, after which it learns again
NICENESS = 10


@dataclass(frozen=True)
class Learned:
    """What the worker found out.

    Parameters
    ----------
    turn : Turn
        The answers, and the next texts.
    estimate : dict
        How good the answers are; see `honeybayes.labeling.Estimate`.
    advice : dict
        Whether to stop, and why.
    n_changed : int
        Number of texts whose answer differs from the turn before.
    """

    turn: Turn
    estimate: dict[str, Any]
    advice: dict[str, Any]
    n_changed: int = 0


# In the worker


class Worker:
    """Answers the requests of the server, in a process of its own.

    Parameters
    ----------
    path : str
        The project file.
    strategy : str, default="typical-then-unsure"
        Which texts come next.
    """

    def __init__(self, path: str, strategy: str = DEFAULT) -> None:
        self.path, self.strategy = path, strategy
        self.session: LabelingSession | None = None
        self.n_rows = 0

    def answer(self, kind: str, *arguments: Any) -> Any:
        """Answer one request: the name of a method, and its arguments."""
        return getattr(self, f"_{kind}")(self._open(), *arguments)

    def _open(self) -> LabelingSession:
        if self.session is not None:
            self.session.project.refresh()
            if len(self.session.project.texts) != self.n_rows:  # the table has grown
                self.session.project.close()
                self.session = None
        if self.session is None:
            self.session = LabelingSession.open(self.path, strategy=self.strategy)
            self.n_rows = len(self.session.project.texts)
        return self.session

    def _learn(self, session: LabelingSession) -> Learned:
        turn, estimate = session.refit(), session.estimate()
        advice = session.advice(estimate)
        return Learned(
            turn, estimate.to_dict(), {"stop": advice.stop, "reasons": list(advice.reasons)}
        )

    def _hold_out(self, session: LabelingSession) -> dict[int, tuple[int, float]]:
        return session.hold_out()

    def _groups(self, session: LabelingSession, n: int) -> list[dict[str, Any]]:
        return [
            {
                "words": list(group.words),
                "n_texts": int(session.project.copies[list(group.rows)].sum()),
                "rows": list(group.examples),
            }
            for group in session.groups(n)
        ]

    def _save_model(self, session: LabelingSession, path: str) -> None:
        from honeybayes.files import save_model

        save_model(session.fit_classifier(), path)

    def _write_report(self, session: LabelingSession, path: str) -> None:
        from honeybayes.report import write_labeling_report

        write_labeling_report(path, session)


def run_worker(connection: Connection, path: str, strategy: str) -> None:
    """Answer requests until the server closes the connection or ends."""
    from threadpoolctl import threadpool_limits

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the server, which ends the worker
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    warnings.simplefilter("ignore")  # they are about few labels, which the page is for
    worker = Worker(path, strategy)
    with threadpool_limits(1):
        while True:
            try:
                number, kind, arguments = connection.recv()
            except EOFError:
                return
            try:
                answer: Any = worker.answer(kind, *arguments)
            except Exception as error:
                answer = WorkerError(f"{error or type(error).__name__}")
            try:
                connection.send((number, answer))
            except OSError:  # the server has ended
                return


# In the server


class WorkerError(Exception):
    """The worker could not do what it was asked for, or has ended."""


class Learner:
    """The server's side of the worker: decides when to learn, and keeps what was learned.

    Parameters
    ----------
    project : Project
        The project, whose events it watches.
    strategy : str, default="typical-then-unsure"
        Which texts come next.

    Attributes
    ----------
    learned : Learned or None
        The last result.
    held_out : dict
        For each row with a label, what a model says that has not learned this label.
    message : str
        What went wrong last; empty if nothing did.
    """

    def __init__(self, project: Project, strategy: str = DEFAULT) -> None:
        self.project, self.strategy = project, strategy
        self.learned: Learned | None = None
        self.held_out: dict[int, tuple[int, float]] = {}
        self.message = ""
        self._is_learning = self._is_checking = False
        self._checked_event = -1
        self._learned_event = -1  # the last event that the model knows
        self._last_event, self._last_time = 0, time.monotonic()
        self._lock = threading.RLock()
        self._process: Any = None
        self._connection: Connection | None = None
        self._asked: dict[int, Future[Any]] = {}
        self._n_asked = 0
        self._is_closed = False

    @property
    def status(self) -> str:
        """What the page shows: "reading", "waiting", "learning", "ready" or "failed"."""
        if self.message:
            return "failed"
        if self.learned is None:
            return "reading"
        if self._is_learning:
            return "learning"
        return "waiting" if self.learned.turn.answers is None else "ready"

    @property
    def process_id(self) -> int | None:
        """Number of the process; None if there is none."""
        return None if self._process is None else self._process.pid

    def tick(self) -> None:
        """Start to learn if it is time. Never waits."""
        with self._lock:
            last = self.project.ledger.last_id
            if last != self._last_event:
                self._last_event, self._last_time = last, time.monotonic()
            if not self._is_learning and not self._is_closed and self._is_due(last):
                self._is_learning, self.message = True, ""
                self._learned_event = last
                self.ask("learn").add_done_callback(self._keep)
            elif not self._is_checking and not self._is_closed and self._can_check(last):
                self._is_checking, self._checked_event = True, last
                self.ask("hold_out").add_done_callback(self._keep_held_out)

    def ask(self, kind: str, *arguments: Any) -> "Future[Any]":
        """Send a request to the worker, and start it if there is none."""
        with self._lock:
            future: Future[Any] = Future()
            future.set_running_or_notify_cancel()  # a request that ends early does not cancel it
            if self._is_closed:
                future.set_exception(WorkerError("The server is about to end."))
                return future
            if self._process is None:
                self._start()
            self._n_asked += 1
            self._asked[self._n_asked] = future
            try:
                assert self._connection is not None
                self._connection.send((self._n_asked, kind, arguments))
            except OSError:  # it has just ended: the listening thread says so
                pass
            return future

    def close(self) -> None:
        """End the worker."""
        with self._lock:
            self._is_closed = True
            process, self._process = self._process, None
        if process is not None:
            process.terminate()
            process.join()

    def _is_due(self, last: int) -> bool:
        n_new = last - self._learned_event
        if not n_new:
            return False
        is_early = len(self.project.ledger.state.labels) < FEW_LABELS or self.learned is None
        return is_early or n_new >= BATCH or time.monotonic() - self._last_time >= PAUSE

    def _can_check(self, last: int) -> bool:
        """Return True if the person pauses, and labels are new since the last check."""
        is_idle = time.monotonic() - self._last_time >= PAUSE and last == self._learned_event
        return is_idle and self.status == "ready" and self._checked_event != last

    def _keep_held_out(self, future: "Future[Any]") -> None:
        with self._lock:
            self._is_checking = False
            if future.exception() is None:  # otherwise the next check may succeed
                self.held_out = future.result()

    def _keep(self, future: "Future[Any]") -> None:
        with self._lock:
            self._is_learning = False
            error = future.exception()
            if error is not None:
                self.message = str(error)
                return
            learned: Learned = future.result()
            self._learned_event = learned.turn.last_event
            self.learned = Learned(
                learned.turn,
                learned.estimate,
                learned.advice,
                _count_changes(None if self.learned is None else self.learned.turn, learned.turn),
            )

    def _start(self) -> None:
        context = get_context("spawn")
        ours, theirs = context.Pipe()
        self._process = context.Process(
            target=run_worker,
            args=(theirs, str(self.project.path), self.strategy),
            name="honeybayes-worker",
            daemon=True,
        )
        self._process.start()
        theirs.close()
        self._connection = ours
        threading.Thread(target=self._listen, args=(ours, self._process), daemon=True).start()

    def _listen(self, connection: Connection, process: Any) -> None:
        """Hand over the answers of one worker until it ends."""
        while True:
            try:
                number, answer = connection.recv()
            except (EOFError, OSError):
                break
            with self._lock:
                future = self._asked.pop(number)
            if isinstance(answer, WorkerError):
                future.set_exception(answer)
            else:
                future.set_result(answer)
        connection.close()
        process.join()
        with self._lock:
            if self._process is process:
                self._process = None
            lost, self._asked = list(self._asked.values()), {}
            self.message = (
                f"The model stopped unexpectedly (exit code {process.exitcode}). All labels are "
                "stored. It starts again after the next change."
            )
        for future in lost:
            future.set_exception(WorkerError(self.message))


def _count_changes(before: Turn | None, after: Turn) -> int:
    """Return how many answers differ between two turns."""
    if before is None or before.answers is None or after.answers is None:
        return 0
    n = min(len(before.answers.first), len(after.answers.first))
    return int(np.sum(before.answers.first[:n] != after.answers.first[:n]))
