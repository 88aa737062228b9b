"""Atomic writes: a file is written completely, or not at all."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


def check_output_path(path: str | os.PathLike[str]) -> Path:
    """Return where to write, the target of a link; raise OSError if no file can be written."""
    target = Path(path).resolve()
    if target.is_dir():
        raise IsADirectoryError(f"{path} is a folder. Give the path of a file to write.")
    if not target.parent.is_dir():
        raise FileNotFoundError(f"There is no folder {target.parent} to save {target.name} in.")
    return target


@contextmanager
def atomic_write(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a temporary file. If it is written without an error, it replaces ``path``.

    If anything goes wrong, an older file stays as it was.
    """
    target = check_output_path(path)
    draft = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        with draft.open("x+b") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        draft.replace(target)
        _sync_folder(target.parent)
    finally:
        draft.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    """Write the new name to disk. Windows offers no way to do this."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
