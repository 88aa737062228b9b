"""Models that keep or compare their training documents refuse more than fit in memory."""

import os
from functools import cache
from math import inf
from pathlib import Path
from typing import Any

from honeybayes.utils.matrices import check_size

ENTRY_BYTES = 64  # of a kept count: the copy of `fit`, and by rows and by columns in a prediction
PAIR_BYTES = 48  # of a pair of documents: six tables of float64 at one time, as measured
CONTAINER = Path("/sys/fs/cgroup/memory.max")  # of control groups, on Linux
SAMPLE = (
    "Fit it to a sample of the documents, or use a model that keeps only sums, such as CountNB."
)


@cache
def available_bytes() -> float:
    """Return the memory of the machine or of its container; infinity if the system does not say."""
    try:
        machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):  # Windows
        return inf
    try:
        return min(machine, int(CONTAINER.read_text()))
    except (OSError, ValueError):  # no container, or "max"
        return machine


def check_kept_documents(model: Any, n_entries: int) -> None:
    """Raise ValueError if a model keeps training documents that do not fit in memory."""
    what = f"{type(model).__name__} keeps its training documents: {n_entries:,} counts"
    check_size(ENTRY_BYTES * n_entries, what, SAMPLE, available_bytes())


def check_pairs_of_documents(model: Any, n_documents: int) -> None:
    """Raise ValueError if a table of documents by documents does not fit in memory."""
    name = type(model).__name__
    what = f"{name} compares all pairs of training documents: {n_documents:,} documents"
    check_size(PAIR_BYTES * n_documents**2, what, SAMPLE, available_bytes())
