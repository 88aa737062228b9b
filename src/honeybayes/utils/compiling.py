"""Compiling of loops, with a cache where there is a folder for one."""

from collections.abc import Callable
from typing import Any

from numba import njit


def compiled(function: Callable) -> Any:
    """Compile a function to serial machine code that releases the GIL.

    The code is cached next to the source or in the user's cache folder. If neither can be written,
    as in a read-only container without a home, each process compiles it again.
    """
    try:
        return njit(cache=True, nogil=True)(function)
    except RuntimeError:
        return njit(nogil=True)(function)
