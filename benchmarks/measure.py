"""Time and memory of calls, as ratios: on a shared machine, absolute times mean little.

A module ``speed_<topic>.py`` with a function ``main()`` is part of ``make bench``. It registers
what it measures with `report`, which prints each row and keeps it for the history::

    report("A title", [("what", times_as_long(ours, theirs), "at most 4", 2)])

A row is (name, ratio), (name, ratio, bar) or (name, ratio, bar, goal). The bar is a text that
begins with "at most", "below" or "at least" and a number; the optional goal is a number. A bar of
another form, such as "linear: 4", is printed, but not checked. Set ``IN_BENCH = False`` in a module
that is too slow for ``make bench``. ``python -m benchmarks.speed_<topic>`` runs one module without
history, ``python -m benchmarks <topic>`` with history.
"""

import ctypes
import gc
import math
import re
import statistics
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

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


def times_as_long(
    call: Callable[[], Any],
    baseline: Callable[[], Any],
    repeats: int = 5,
    clock: Callable[[], float] = time.perf_counter,
    summary: Callable[[list[float]], float] = statistics.median,
) -> float:
    """Return the ratio of median times. Calls alternate, so a slow moment affects both.

    For calls that use one thread, ``clock=time.process_time`` leaves out the time in which other
    programs had the core. For calls that use several, ``summary=min`` takes the best moment.
    """
    calls = (call, baseline)
    taken: tuple[list[float], list[float]] = ([], [])
    for repeat in range(repeats + 1):
        for timed, times in zip(calls, taken, strict=True):
            start = clock()
            timed()
            if repeat:  # the first call warms up
                times.append(clock() - start)
    return summary(taken[0]) / summary(taken[1])


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


class Measurement(NamedTuple):
    """A ratio, the bar that it must meet, and the goal beyond it."""

    name: str
    ratio: float
    bar: str = ""
    goal: float | None = None

    @property
    def share_of_bar(self) -> float | None:
        """The ratio as a multiple of the bar; at most 1 if the bar is met, None without a bar."""
        found = re.match(r"(at most|below|at least) ([\d.]+)", self.bar)
        if not found:
            return None
        limit = float(found[2])
        if found[1] == "at least":
            return limit / self.ratio if self.ratio else math.inf
        return self.ratio / limit

    @property
    def verdict(self) -> str:
        """The word "met" or "MISSED"; empty without a bar."""
        share = self.share_of_bar
        return "" if share is None else "met" if share <= 1 else "MISSED"


MEASURED: list[Measurement] = []  # in this process, for the history


def report(title: str, rows: Iterable[tuple]) -> None:
    """Print rows of what was measured, its ratio and its bar, and keep them for the history."""
    print(f"\n{title}", flush=True)
    for row in rows:
        measured = Measurement(*row)
        MEASURED.append(measured._replace(name=f"{title}: {measured.name}"))
        bar = measured.bar + (f", goal {measured.goal:g}" if measured.goal is not None else "")
        line = f"  {measured.name:<64} {measured.ratio:>10.2f}   {bar:<24} {measured.verdict}"
        print(line.rstrip(), flush=True)
