"""Compiling of loops, with a cache where there is a folder for one."""

from collections.abc import Callable
from typing import Any

from numba import njit


def compiled(function: Callable) -> Any:
    """Compile a function to serial machine code that releases the GIL.

    The code is cached beside the source or in the user's cache folder. Where neither can be
    written, as in a read-only container without a home, it is compiled anew in each process.
    """
    try:
        return njit(cache=True, nogil=True)(function)
    except RuntimeError:
        return njit(nogil=True)(function)
