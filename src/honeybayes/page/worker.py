"""The worker: a process that learns while the page is used, and the server's side of it."""

import os
import signal
import threading
import time
import warnings
from collections.abc import Generator
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from functools import partial
from multiprocessing import active_children, get_context, parent_process
from pathlib import Path
from typing import Any

import numpy as np

from honeybayes.evaluate import NewTextsCheck, check_new_texts
from honeybayes.labeling import LabelingSession, Project, fit_classifier, quality, strategies
from honeybayes.labeling.pool import Group
from honeybayes.labeling.table_project import classify
from honeybayes.labeling.turn import HeldOut, Turn
from honeybayes.text import MULTILINGUAL, find_encoder, how_to_get_vectors

BATCH = 5  # events after which the model learns again
FEW_LABELS = 10  # below this number of labels, it learns after each event
PAUSE = 2.0  # seconds without a new event, after which it learns again
NICENESS = 10
AT_ONCE, LONGEST = 50, 0.5  # texts that are encoded at once; seconds for one request to encode
STOPPED = (
    "The model stopped unexpectedly. All labels are stored. It starts again after the next change."
)


class WorkerError(Exception):
    """The worker could not do what it was asked for."""


@dataclass(frozen=True)
class Learned:
    """What the worker found out."""

    turn: Turn
    estimate: dict[str, Any] | None  # see `honeybayes.labeling.QualityEstimate`
    advice: dict[str, Any] | None  # whether to stop, and why
    # for each row with a label, what a model says that has not learned this label
    held_out: HeldOut
    n_changed: int | None = None  # texts whose answer differs from the turn before

    @classmethod
    def of(cls, project: Project, turn: Turn, held_out: HeldOut) -> "Learned":
        """Return a turn with what its answers are worth."""
        estimate = quality.measure_quality(project, turn, held_out)
        return cls(turn, estimate.to_dict(), asdict(quality.advise(project, estimate)), held_out)


NOTHING = Learned(Turn(0, 0, None, None), None, None, {})  # before the first turn


# In the worker


class Worker:
    """Answers the requests of the server: each is the name of a method, and its arguments."""

    def __init__(self, path: str, strategy: str = strategies.DEFAULT) -> None:
        self.path, self.strategy = path, strategy
        self.session: LabelingSession | None = None
        self.classifying: Generator[int] | None = None

    def answer(self, kind: str, *arguments: Any) -> Any:
        """Answer one request."""
        try:
            return getattr(self, f"_{kind}")(self._open(), *arguments)
        except Exception as error:
            raise WorkerError(f"{error or type(error).__name__}") from None

    def _open(self) -> LabelingSession:
        if self.session is not None:
            self.session.project.refresh()
            n_rows = len(self.session.pool.place)
            if len(self.session.project.texts) != n_rows:  # the table has grown
                self.session.project.close()
                self.session = None
        if self.session is None:
            self.session = LabelingSession.open(self.path, strategy=self.strategy)
            self.session.waits_for_vectors = False
        return self.session

    def _learn(self, session: LabelingSession) -> Learned:
        return Learned.of(session.project, session.refit(), session.held_out)

    def _encode(self, session: LabelingSession) -> int:
        end = time.monotonic() + LONGEST  # the next request is not to wait
        while (n_left := session.pool.encode(AT_ONCE)) and time.monotonic() < end:
            pass
        return n_left

    def _hold_out(self, session: LabelingSession) -> Learned:
        held_out = session.hold_out()
        return Learned.of(session.project, session.turn or session.refit(), held_out)

    def _groups(self, session: LabelingSession, n: int) -> list[Group]:
        return session.groups(n)

    def _classify(self, session: LabelingSession, table: str, output: str) -> int:
        """Begin to answer a new table, and return how many rows it has."""
        self.classifying = classify(session, table, Path(output))
        return next(self.classifying)

    def _classify_more(self, session: LabelingSession, is_stopped: bool) -> int | None:
        """Answer some more rows, and return how many have an answer; None at the end."""
        if self.classifying is None:
            raise ValueError("The answers are lost, because the worker has ended. Start again.")
        if is_stopped:
            self.classifying.close()  # removes what is written so far
        return next(self.classifying, None)

    def _check_month(self, session: LabelingSession, first: int) -> NewTextsCheck:
        """Compare the rows from one on with those before it, which the model knows."""
        texts = session.project.texts
        classifier = fit_classifier(session.project, n_rows=first)
        return check_new_texts(classifier, texts[first:], texts[:first])

    def _save_model(self, session: LabelingSession, path: str) -> None:
        from honeybayes.files import save_model

        save_model(session.fit_classifier(), path)

    def _write_report(self, session: LabelingSession, path: str) -> None:
        from honeybayes.report import write_labeling_report

        write_labeling_report(path, session)


_worker: Worker  # in a process of its own


def _start(path: str, strategy: str) -> None:
    """Prepare the process of the worker."""
    global _worker
    from threadpoolctl import threadpool_limits

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the server, which ends the worker
    threading.Thread(target=_end_with_server, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    warnings.simplefilter("ignore")  # they are about few labels, which the page is for
    threadpool_limits(1)
    _worker = Worker(path, strategy)


def _end_with_server() -> None:
    """End this process, whatever it is doing, if the server was killed."""
    server = parent_process()
    assert server is not None
    server.join()
    os._exit(1)


def _answer(kind: str, *arguments: Any) -> Any:
    return _worker.answer(kind, *arguments)


# In the server


class Learner:
    """The server's side of the worker: decides when to learn, and keeps what was learned."""

    def __init__(self, project: Project, strategy: str = strategies.DEFAULT) -> None:
        self.project, self.strategy = project, strategy
        kept = project.last_turn()  # the answers of the last time
        self.learned = NOTHING if kept is None else Learned.of(project, *kept)  # the last result
        self.message = ""  # what went wrong last
        self._doing, self._is_closed = "", False  # what the worker was asked for by `tick`
        # texts that wait for their vectors; None if the worker has not said it
        self.n_to_encode: int | None = None
        self.vectors_message = _why_no_vectors(project.texts)
        self._checked_event = self._learned_event = -1  # the last ones that the model knows
        self._learned_rows = len(project.texts)
        self._last_event, self._last_time = 0, time.monotonic()
        self._lock = threading.RLock()
        self._pool: ProcessPoolExecutor | None = None
        self._process: Any = None  # the only one of the pool

    @property
    def status(self) -> str:
        """What the page shows: "reading", "waiting", "learning", "ready" or "failed"."""
        if self.message:
            return "failed"
        if self.learned is NOTHING:
            return "reading"
        if self._doing == "learn":
            return "learning"
        return "waiting" if self.learned.turn.answers is None else "ready"

    @property
    def vectors(self) -> str:
        """What the page says about vectors: whether the model learns from them."""
        if self.vectors_message:
            return f"words only: {self.vectors_message}"
        if self.n_to_encode is None:
            return "vectors to come"
        n, texts = self.n_to_encode, "text" if self.n_to_encode == 1 else "texts"
        return f"vectors of {n:,} {texts} to come" if n else "words and vectors"

    @property
    def has_vectors(self) -> bool:
        """Whether the model has what it will learn from: the vectors too, if there are any."""
        return bool(self.vectors_message) or self.n_to_encode == 0

    def tick(self) -> None:
        """Start what it is time for, one at a time. Never waits."""
        with self._lock:
            last, n_rows = self.project.ledger.last_id, len(self.project.texts)
            if last != self._last_event:
                self._last_event, self._last_time = last, time.monotonic()
            if self._is_closed or self._doing:
                return
            n_new, pauses = last - self._learned_event, time.monotonic() - self._last_time >= PAUSE
            n_labels = len(self.project.ledger.state.labels)
            is_enough = pauses or n_new >= BATCH or n_labels < FEW_LABELS or self.learned is NOTHING
            has_grown = n_rows != self._learned_rows  # new texts need answers
            if has_grown or (n_new > 0 and is_enough):
                kind, self._learned_event, self.message = "learn", last, ""
                self._learned_rows = n_rows
                if has_grown:
                    self.n_to_encode = None
                    self.vectors_message = _why_no_vectors(self.project.texts)
            elif self._can_encode():
                kind = "encode"
            # the person pauses, and labels are new since the last check
            elif pauses and not n_new and self.status == "ready" and self._checked_event != last:
                kind, self._checked_event = "hold_out", last
            else:
                return
            future = self.ask(kind)  # raises if no process can be started
            self._doing = kind
            future.add_done_callback(partial(self._keep, kind))

    def ask(self, kind: str, *arguments: Any) -> "Future[Any]":
        """Send a request to the worker, and start it if there is none."""
        with self._lock:
            if self._is_closed:
                raise WorkerError("The server is about to end.")
            if self._pool is not None:
                try:
                    return self._pool.submit(_answer, kind, *arguments)
                except BrokenExecutor:  # it has ended since the last request
                    self._pool.shutdown(wait=False)
            others = set(active_children())
            start = (str(self.project.path), self.strategy)
            self._pool = ProcessPoolExecutor(1, get_context("spawn"), _start, start)
            self.n_to_encode = None  # what an earlier one has encoded is in the cache
            future = self._pool.submit(_answer, kind, *arguments)
            self._process = next(iter(set(active_children()) - others), None)
            return future

    def close(self) -> None:
        """End the worker, also if it is learning."""
        with self._lock:
            self._is_closed = True
            pool, self._pool = self._pool, None
        if pool is not None:
            if self._process is not None:
                self._process.terminate()
            pool.shutdown()

    def _can_encode(self) -> bool:
        """Return True if the page has its first turn, and texts wait for their vectors."""
        return not self.has_vectors and self.learned is not NOTHING

    def _keep(self, kind: str, future: "Future[Any]") -> None:
        """Take over what the worker answered; if a check fails, the next one may succeed."""
        with self._lock:
            self._doing = ""
            if (error := future.exception()) is not None:
                message = STOPPED if isinstance(error, BrokenExecutor) else str(error) or STOPPED
                if kind == "learn":
                    self.message = message
                elif kind == "encode":
                    self.n_to_encode, self.vectors_message = 0, message
            elif kind == "encode":
                self.n_to_encode = future.result()
                if not self.n_to_encode:
                    self._learned_event = -1  # learn again, with the vectors
            else:
                learned, n_changed = future.result(), self.learned.n_changed
                if kind == "learn":
                    n_changed = _count_changes(self.learned.turn, learned.turn)
                self._learned_event = learned.turn.last_event
                self.learned = replace(learned, n_changed=n_changed)


def _why_no_vectors(texts: list[str]) -> str:
    """Return why there is no encoder for some texts; "" if there is one."""
    if find_encoder(texts) is not None:
        return ""
    hint = how_to_get_vectors()
    if find_encoder() is not None or (hint and not how_to_get_vectors(texts)):
        return f"{find_encoder() or MULTILINGUAL} cannot read the letters"
    return f"vectors need {hint}" if hint else "vectors are switched off"


def _count_changes(before: Turn, after: Turn) -> int | None:
    """Return how many answers differ between two turns; None if there were no labels before."""
    one, two = before.answers, after.answers
    if not before.n_labels or one is None or two is None:
        return None
    n = min(len(one.first), len(two.first))
    return int(np.sum(one.first[:n] != two.first[:n]))
