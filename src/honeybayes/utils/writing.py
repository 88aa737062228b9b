"""Atomic writes: a file is complete, or it is not there."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


def check_output_path(path: str | os.PathLike[str]) -> Path:
    """Refuse a path at which no file can be written; return where it will be.

    Parameters
    ----------
    path : str or path
        The place.

    Returns
    -------
    Path
        Of a link, the file it leads to: that is the one to replace.
    """
    place = Path(path).resolve()
    if place.is_dir():
        raise IsADirectoryError(f"{path} is a folder, but a file is to be written.")
    if not place.parent.is_dir():
        raise FileNotFoundError(f"There is no folder {place.parent} to save {place.name} in.")
    return place


@contextmanager
def atomic_write(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a file that takes its place when, and only when, it has been written to the end.

    Parameters
    ----------
    path : str or path
        The place. An older file there stays as it was if anything goes wrong.

    Yields
    ------
    binary file
        For writing and reading, beside its place.
    """
    place = check_output_path(path)
    draft = place.with_name(f".{place.name}.{secrets.token_hex(4)}.part")
    try:
        with draft.open("x+b") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        draft.replace(place)
        _sync_folder(place.parent)
    finally:
        draft.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    """Make the new name last; Windows has no such thing to ask for."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
