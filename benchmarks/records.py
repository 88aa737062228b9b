"""Shared by the scripts that measure accuracy: random numbers, result files, tables and pages."""

import json
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TextIO

import numpy as np

DOCS = Path(__file__).parents[1] / "docs"
RESULTS_FOLDER = Path(__file__).parent / "results"
N_BINS = 15  # of confidence


def random_for(*purpose: str | int) -> np.random.Generator:
    """Return random numbers that depend on their purpose, not on what ran before."""
    return np.random.default_rng(zlib.crc32(repr(purpose).encode()))


def read_records(path: Path) -> list[dict[str, Any]]:
    """Read JSON lines. A missing file has none; an incomplete last line is skipped."""
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n")[:-1]]


def append_record(file: TextIO, record: dict[str, Any]) -> None:
    """Write one JSON line at once, so that a killed run can continue."""
    file.write(json.dumps(record) + "\n")
    file.flush()


def bin_of(confidence: np.ndarray) -> np.ndarray:
    """Return the position of the bin of each confidence; all bins have the same width."""
    return np.minimum((confidence * N_BINS).astype(int), N_BINS - 1)


def table_row(cells: Iterable[str]) -> str:
    """Return a row of a Markdown table."""
    return "| " + " | ".join(cells) + " |"


def table_head(first: str, columns: Sequence[str]) -> list[str]:
    """Return the head of a Markdown table; all columns except the first are right-aligned."""
    return [table_row([first, *columns]), "| --- |" + " --: |" * len(columns)]


def bold_best(values: Sequence[float]) -> list[str]:
    """Format values with one decimal place, the largest in bold."""
    best = max(values)
    return [f"**{value:.1f}**" if value == best else f"{value:.1f}" for value in values]


def write_page(path: Path, text: str) -> None:
    """Write a page of the documentation, and print its path."""
    path.write_text(text, encoding="utf-8", newline="\n")
    print(f"Wrote {path}")
