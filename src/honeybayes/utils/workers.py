"""Processes that share the work of a command end with the process that started them."""

import os
import threading
import time
from functools import cache

SECONDS = 0.5  # between two looks at the parent


def end_with(parent: int) -> None:
    """In a worker, start a thread that ends the process when its parent has ended.

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
