"""Processes that share the work of a command, and end with the process that started them."""

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from functools import cache
from multiprocessing import resource_tracker
from multiprocessing.context import SpawnContext, SpawnProcess
from types import ModuleType

from honeybayes.utils.writing import remove_own_drafts

SECONDS = 0.5  # between two looks at the parent
MAIN, SAFE_PATH = "__main__", "PYTHONSAFEPATH"


@contextmanager
def start_workers(n_workers: int) -> Iterator[Executor]:
    """Yield workers whose folder is the current one; after an error, kill them."""
    others, start = multiprocessing.active_children(), (os.getpid(), "")
    with suppress(FileNotFoundError):  # the folder was deleted
        start = os.getpid(), os.getcwd()
    workers = ProcessPoolExecutor(
        n_workers, mp_context=_WorkerContext(), initializer=_begin, initargs=start
    )
    try:
        yield workers
    except BaseException:
        for process in multiprocessing.active_children():
            if process not in others:
                process.kill()
        raise
    finally:
        workers.shutdown(cancel_futures=True)


class _WorkerProcess(SpawnProcess):
    """A process that imports neither the script of its parent nor files of the current folder."""

    def start(self) -> None:
        script, before = sys.modules[MAIN], os.environ.get(SAFE_PATH)
        sys.modules[MAIN], os.environ[SAFE_PATH] = ModuleType(MAIN), "1"
        try:
            with without_interrupts():
                super().start()
        finally:
            sys.modules[MAIN] = script
            os.environ.pop(SAFE_PATH)
            os.environ.update({} if before is None else {SAFE_PATH: before})


class _WorkerContext(SpawnContext):
    Process = _WorkerProcess


@contextmanager
def without_interrupts() -> Iterator[None]:
    """Let threads and processes that start here ignore Ctrl+C, which the caller handles."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    resource_tracker.ensure_running()  # its start would end the block
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(parent: int, folder: str) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # which a terminal sends to all processes
    if folder:
        os.chdir(folder)
    _watch(parent)


def end_with_parent(parent: int) -> None:
    """In a worker of joblib, start a thread that ends the process when its parent has ended.

    A killed parent cannot tell its workers to stop: they would finish their fits, and hold memory
    and pipes. Only POSIX systems show the end of the parent, by another parent.
    """
    if os.name == "posix" and os.getppid() == parent:  # not so in a cluster
        _watch(parent)


@cache
def _watch(parent: int) -> None:
    threading.Thread(target=_wait_for_end, args=(parent,), daemon=True).start()


def _wait_for_end(parent: int) -> None:
    if os.name == "posix":
        while os.getppid() == parent:
            time.sleep(SECONDS)
    elif (owner := multiprocessing.parent_process()) is not None:
        owner.join()
    remove_own_drafts()
    os._exit(1)
