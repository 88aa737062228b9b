"""The cache folder of honeybayes."""

import os
import sys
from pathlib import Path

CACHE_VARIABLE = "HONEYBAYES_CACHE"


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
