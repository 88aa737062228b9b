"""Processes that share the work of a command, and end with the process that started them."""

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from functools import cache

SECONDS = 0.5  # between two looks at the parent


def prepare_workers(modules: Sequence[str] = ()) -> None:
    """Let `start_workers` start quickly: another process imports modules while this one goes on.

    The workers are copies of that process. Otherwise each would need seconds to import
    scikit-learn. This works on Linux only; copies are not safe on other systems.
    """
    if sys.platform != "linux":
        return
    from multiprocessing import forkserver

    forkserver.set_forkserver_preload([*modules])
    # only this process reacts to Ctrl+C, which a terminal sends to all, also while others import
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        forkserver.ensure_running()
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def start_workers(n_workers: int) -> Iterator[Executor]:
    """Yield workers whose folder is the current one; after an error, kill them."""
    prepare_workers()
    context = multiprocessing.get_context("forkserver" if sys.platform == "linux" else "spawn")
    others = multiprocessing.active_children()
    workers = ProcessPoolExecutor(
        n_workers, mp_context=context, initializer=_start_worker, initargs=(os.getcwd(),)
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


def _start_worker(folder: str) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.chdir(folder)
    threading.Thread(target=_wait_for_owner, daemon=True).start()


def end_with(parent: int) -> None:
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
    while os.getppid() == parent:
        time.sleep(SECONDS)
    os._exit(1)


def _wait_for_owner() -> None:
    """Wait for the process that asked for this worker, which may be a child of another one."""
    owner = multiprocessing.parent_process()
    assert owner is not None
    owner.join()
    os._exit(1)
