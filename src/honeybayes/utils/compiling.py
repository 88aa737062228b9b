"""Compiling of loops, with a cache where there is a folder for one."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

try:
    from numba import njit
except ImportError:  # the extra "paths" is not installed
    njit = None


def compiled(function: Callable) -> Any:
    """Compile a function to serial machine code that releases the GIL.

    Without numba, the function runs as it is, with the same result: fast enough for small data.

    The code is cached next to the source or in the user's cache folder. If neither can be written,
    as in a read-only container without a home or on a full disk, each process compiles it again.
    """
    if njit is None:
        return function
    try:
        dispatcher = njit(cache=True, nogil=True)(function)
    except (RuntimeError, OSError):
        return njit(nogil=True)(function)
    dispatcher._cache = _TolerantCache(dispatcher._cache)
    return dispatcher


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
