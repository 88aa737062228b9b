"""The cache folder of honeybayes, and the folders of data files."""

import os
import sys
from pathlib import Path

CACHE_VARIABLE = "HONEYBAYES_CACHE"
DATA_VARIABLE = "HONEYBAYES_DATA"


def cache_folder() -> Path:
    """Return the folder that HONEYBAYES_CACHE names, or ``honeybayes`` in the platform's caches."""
    named = os.environ.get(CACHE_VARIABLE)
    if named:
        return Path(named).expanduser()
    if sys.platform == "win32":
        parent = os.environ.get("LOCALAPPDATA") or "~/AppData/Local"
    elif sys.platform == "darwin":
        parent = "~/Library/Caches"
    else:
        parent = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(parent).expanduser() / "honeybayes"


def data_folders() -> list[Path]:
    """Return the folder that HONEYBAYES_DATA names, if it is set, and the cache folder."""
    named = os.environ.get(DATA_VARIABLE)
    return [*([Path(named).expanduser()] if named else []), cache_folder()]
