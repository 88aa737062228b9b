"""The folders where corpora are looked for."""

import os
import sys
from pathlib import Path

VARIABLE = "HONEYBAYES_DATA"


def data_folders() -> list[Path]:
    """Return the folders to look in: that of HONEYBAYES_DATA, if set, then the cache folder."""
    named = os.environ.get(VARIABLE)
    return [*([Path(named).expanduser()] if named else []), cache_folder()]


def cache_folder() -> Path:
    """Return where this platform wants files that can be had again."""
    if sys.platform == "win32":
        parent = os.environ.get("LOCALAPPDATA") or "~/AppData/Local"
    elif sys.platform == "darwin":
        parent = "~/Library/Caches"
    else:
        parent = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(parent).expanduser() / "honeybayes"


def locate(*names: str) -> Path | None:
    """Return the first of some files or folders that is there."""
    places = (folder / name for folder in data_folders() for name in names)
    return next((place for place in places if place.exists()), None)


def find_data_file(*names: str) -> Path:
    """Find a file or folder where corpora are kept.

    Looked for in the folder that the environment variable HONEYBAYES_DATA names, then in the
    folder ``honeybayes`` of the platform's cache, such as ``~/.cache/honeybayes``.

    Parameters
    ----------
    *names : str
        Names such as ``"20news-18828.jsonl.gz"``; the first that is there will do.

    Returns
    -------
    Path
        Where it is.

    Raises
    ------
    FileNotFoundError
        Says what is wanted, where it was looked for, and how to set the variable.
    """
    place = locate(*names)
    if place is not None:
        return place
    wanted = " or ".join(map(repr, names))
    looked = " nor in ".join(map(str, data_folders()))
    raise FileNotFoundError(
        f"{wanted} is wanted, but is not in {looked}. Put it there, or set {VARIABLE} to the "
        f"folder that holds it, for example with `export {VARIABLE}=~/corpora`."
    )
