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
from multiprocessing import resource_tracker
from types import ModuleType

SECONDS = 0.5  # between two looks at the parent
COPY, START = "forkserver", "spawn"  # how a process begins
MAIN, SAFE_PATH = "__main__", "PYTHONSAFEPATH"


def prepare_workers(modules: Sequence[str] = ()) -> str:
    """Let `start_workers` start quickly: another process imports modules while this one goes on.

    The workers are copies of that process. Otherwise each would need seconds to import
    scikit-learn. This works on Linux only; copies are not safe on other systems. Returns how
    workers are started.
    """
    if sys.platform != "linux":
        return START
    from multiprocessing import forkserver

    forkserver.set_forkserver_preload([*modules])
    try:
        with _apart(), without_interrupts():
            forkserver.ensure_running()
    except OSError:  # the name of the temporary folder is too long for a socket
        return START
    return COPY


@contextmanager
def start_workers(n_workers: int) -> Iterator[Executor]:
    """Yield workers whose folder is the current one; after an error, kill them."""
    context = multiprocessing.get_context(prepare_workers())
    others = multiprocessing.active_children()
    workers = ProcessPoolExecutor(
        n_workers, mp_context=context, initializer=_start_worker, initargs=(_current_folder(),)
    )
    with _apart():  # the first tasks start the processes
        try:
            yield workers
        except BaseException:
            for process in multiprocessing.active_children():
                if process not in others:
                    process.kill()
            raise
        finally:
            workers.shutdown(cancel_futures=True)


@contextmanager
def _apart() -> Iterator[None]:
    """Keep processes that start here from importing files of the current folder or the script."""
    script, before = sys.modules[MAIN], os.environ.get(SAFE_PATH)
    sys.modules[MAIN], os.environ[SAFE_PATH] = ModuleType(MAIN), "1"
    try:
        yield
    finally:
        sys.modules[MAIN] = script
        os.environ.pop(SAFE_PATH)
        os.environ.update({} if before is None else {SAFE_PATH: before})


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


def _current_folder() -> str | None:
    try:
        return os.getcwd()
    except FileNotFoundError:  # it was deleted
        return None


def _start_worker(folder: str | None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # which a terminal sends to all processes
    if folder is not None:
        os.chdir(folder)
    threading.Thread(target=_wait_for_owner, daemon=True).start()


def _wait_for_owner() -> None:
    """Wait for the process that asked for this worker, which may be a child of another one."""
    owner = multiprocessing.parent_process()
    assert owner is not None
    owner.join()
    os._exit(1)


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
