"""Time and memory of calls, as ratios: on a shared machine, absolute times mean little."""

import ctypes
import gc
import statistics
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

STATUS = Path("/proc/self/status")
RESET_PEAK = Path("/proc/self/clear_refs")


def seconds(call: Callable[[], Any], repeats: int = 5) -> float:
    """Return the median time of a call, after one call to warm up."""
    call()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def times_as_long(call: Callable[[], Any], baseline: Callable[[], Any], repeats: int = 5) -> float:
    """Return the ratio of median times. Calls alternate, so a slow moment affects both."""
    calls = (call, baseline)
    taken: tuple[list[float], list[float]] = ([], [])
    for repeat in range(repeats + 1):
        for timed, times in zip(calls, taken, strict=True):
            start = time.perf_counter()
            timed()
            if repeat:  # the first call warms up
                times.append(time.perf_counter() - start)
    return statistics.median(taken[0]) / statistics.median(taken[1])


def peak_bytes(call: Callable[[], Any]) -> int:
    """Return the peak memory of a call, minus the memory that the process used before.

    On Linux this is resident memory, which includes compiled code; elsewhere it is what
    tracemalloc sees.
    """
    gc.collect()
    if not RESET_PEAK.exists():
        tracemalloc.start()
        call()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return peak
    ctypes.CDLL(None).malloc_trim(0)  # return unused memory of earlier calls to the system
    RESET_PEAK.write_text("5")
    before = _status_bytes("VmRSS")
    call()
    return max(0, _status_bytes("VmHWM") - before)


def sparse_bytes(X: Any) -> int:
    """Return the memory of a sparse matrix in CSR format."""
    return X.data.nbytes + X.indices.nbytes + X.indptr.nbytes


def run_python(*arguments: str, stdin: str = "") -> None:
    """Run a new Python process and discard its output."""
    command = [sys.executable, *arguments]
    subprocess.run(command, input=stdin.encode(), stdout=subprocess.DEVNULL, check=True)


def _status_bytes(field: str) -> int:
    for line in STATUS.read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) * 1024
    raise LookupError(f"{STATUS} has no {field}.")


def report(title: str, rows: list[tuple[str, float, str]]) -> None:
    """Print rows of what was measured, its value and the target."""
    print(f"\n{title}", flush=True)
    for what, measured, bar in rows:
        print(f"  {what:<64} {measured:>10.2f}   {bar}", flush=True)
