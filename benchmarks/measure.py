"""Time and memory of a call, and a table of ratios: times alone mean little on a shared machine."""

import ctypes
import gc
import statistics
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

STATUS = Path("/proc/self/status")
RESET_PEAK = Path("/proc/self/clear_refs")


def seconds(call: Callable[[], Any], repeats: int = 5) -> float:
    """Median time of a call, after one that warms it up."""
    call()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def times_as_long(call: Callable[[], Any], baseline: Callable[[], Any], repeats: int = 5) -> float:
    """Ratio of medians; the two take turns, so that a slow moment of the machine slows both."""
    calls = (call, baseline)
    taken: tuple[list[float], list[float]] = ([], [])
    for repeat in range(repeats + 1):
        for timed, times in zip(calls, taken, strict=True):
            start = time.perf_counter()
            timed()
            if repeat:  # the first one warms up
                times.append(time.perf_counter() - start)
    return statistics.median(taken[0]) / statistics.median(taken[1])


def peak_bytes(call: Callable[[], Any]) -> int:
    """Most memory that a call takes beyond what the process held before.

    Resident memory where Linux tells it, so that compiled code counts; elsewhere what Python saw.
    """
    gc.collect()
    if not RESET_PEAK.exists():
        tracemalloc.start()
        call()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return peak
    ctypes.CDLL(None).malloc_trim(0)  # give back what earlier calls left unused
    RESET_PEAK.write_text("5")
    before = _status_bytes("VmRSS")
    call()
    return max(0, _status_bytes("VmHWM") - before)


def _status_bytes(field: str) -> int:
    for line in STATUS.read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) * 1024
    raise LookupError(f"{STATUS} has no {field}.")


def report(title: str, rows: list[tuple[str, float, str]]) -> None:
    """Print what was measured beside what it should be."""
    print(f"\n{title}", flush=True)
    for what, measured, bar in rows:
        print(f"  {what:<64} {measured:>10.2f}   {bar}", flush=True)
