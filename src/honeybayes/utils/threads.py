"""One thread for the products of matrices while a model learns."""

from contextlib import ContextDecorator
from threading import Lock
from typing import Any, Self

from threadpoolctl import threadpool_limits


class OneThread(ContextDecorator):
    """Limit BLAS to one thread, as a context or a decorator.

    Matrices of documents gain little from more threads. These wait for each other, and are many
    times slower if another program uses a core. The limit holds for the whole process, so it ends
    when the last of several fits at the same time has ended.
    """

    _lock, _n_inside = Lock(), 0
    _limits: Any = None

    def __enter__(self) -> Self:
        with OneThread._lock:
            OneThread._n_inside += 1
            if OneThread._n_inside == 1:
                OneThread._limits = threadpool_limits(1, user_api="blas")
        return self

    def __exit__(self, *_: object) -> None:
        with OneThread._lock:
            OneThread._n_inside -= 1
            if OneThread._n_inside == 0:
                OneThread._limits.restore_original_limits()
