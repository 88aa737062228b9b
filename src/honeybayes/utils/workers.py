"""Processes that share the work of a command, and end with the process that started them."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from multiprocessing import resource_tracker
from typing import Any

from honeybayes.utils.writing import remove_own_drafts

SECONDS = 0.5  # between two looks at the parent


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


def end_with_parent(parent: int) -> None:
    """In a worker of joblib, start a thread that ends the process when its parent has ended.

    A killed parent cannot tell its workers to stop: they would finish their fits, and hold memory
    and pipes. Only POSIX systems show the end of the parent, by another parent.
    """
    if os.name == "posix" and os.getppid() == parent:  # not so in a cluster
        _watch(parent)


def watched_pool() -> Any:
    """Let workers of joblib that start here watch their parent before their first task, too.

    This is for commands. joblib shares one pool in a process, and makes another one if its settings
    change, so a library must leave them to the program.
    """
    from joblib import parallel_config

    return parallel_config("loky", initializer=_watch, initargs=(os.getpid(),))


@cache
def _watch(parent: int) -> None:
    def wait() -> None:
        while os.getppid() == parent:
            time.sleep(SECONDS)
        remove_own_drafts()
        os._exit(1)

    if os.name == "posix":
        threading.Thread(target=wait, daemon=True).start()
