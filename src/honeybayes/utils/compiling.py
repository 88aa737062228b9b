"""Compiling of loops, with a cache where there is a folder for one; without numba, plain Python."""

import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from time import perf_counter
from typing import Any

try:
    from numba import njit
except ImportError:  # the extra "paths" is not installed
    njit = None

SLOW = 2.0  # seconds in one uncompiled loop, after which there is advice
ADVICE = (
    "{} runs without a compiler, which takes up to a hundred times as long. Install one with: "
    "pip install 'honeybayes[paths]'"
)


def compiled(function: Callable) -> Any:
    """Compile a function to serial machine code that releases the GIL.

    The code is cached next to the source or in the user's cache folder. If neither can be written,
    as in a read-only container without a home or on a full disk, each process compiles it again.
    Without numba, the function runs as it is, with the same result.
    """
    if njit is None:
        return _uncompiled(function)
    try:
        dispatcher = njit(cache=True, nogil=True)(function)
    except (RuntimeError, OSError):
        return njit(nogil=True)(function)
    dispatcher._cache = _TolerantCache(dispatcher._cache)
    return dispatcher


def _uncompiled(function: Callable) -> Callable:
    """Return a function that says once what to do if it is slow."""
    spent = 0.0

    @wraps(function)
    def run(*arguments: Any) -> Any:
        nonlocal spent
        start = perf_counter()
        result = function(*arguments)
        before, spent = spent, spent + perf_counter() - start
        if before < SLOW <= spent:
            warnings.warn(ADVICE.format(function.__name__), UserWarning, stacklevel=2)
        return result

    return run


class _TolerantCache:
    """A cache of numba whose errors, as of a full disk or a damaged file, mean "not cached"."""

    def __init__(self, cache: Any) -> None:
        self._cache = cache

    def load_overload(self, *arguments: Any) -> Any:
        """Return compiled code, or None."""
        with suppress(Exception):  # a damaged file raises errors of many kinds
            return self._cache.load_overload(*arguments)
        return None

    def save_overload(self, *arguments: Any) -> None:
        """Keep compiled code if possible."""
        with suppress(Exception):
            self._cache.save_overload(*arguments)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cache, name)
