"""What every script that measures accuracy needs: whole files, and repeatable random numbers."""

import zlib
from pathlib import Path

import numpy as np


def write_whole(path: Path, text: str) -> None:
    """Replace a file at once, so that an interruption leaves the old one whole."""
    temporary = path.with_name(path.name + ".part")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)


def random_for(*purpose: str | int) -> np.random.Generator:
    """Random numbers that depend on what they are for, not on what was run before."""
    return np.random.default_rng(zlib.crc32(repr(purpose).encode()))
