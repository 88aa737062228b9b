"""The folders in which data files are searched for."""

import os
from pathlib import Path

from honeybayes.utils.folders import cache_folder

VARIABLE = "HONEYBAYES_DATA"


def data_folders() -> list[Path]:
    """Return the folder that HONEYBAYES_DATA names, if it is set, and the cache folder."""
    named = os.environ.get(VARIABLE)
    return [*([Path(named).expanduser()] if named else []), cache_folder()]


def find_data_file(*names: str) -> Path:
    """Find a file or folder in the folder of HONEYBAYES_DATA or in the cache folder.

    The cache folder is the one that HONEYBAYES_CACHE names, or else ``honeybayes`` in the
    platform's folder for caches, for example ``~/.cache/honeybayes``.

    Parameters
    ----------
    *names : str
        Accepted names, such as ``"20news-18828.jsonl.gz"``, in the order of preference.

    Returns
    -------
    Path
        The first file or folder that exists.

    Raises
    ------
    FileNotFoundError
        If none of them exists.
    """
    paths = (folder / name for folder in data_folders() for name in names)
    found = next((path for path in paths if path.exists()), None)
    if found is None:
        raise FileNotFoundError(
            f"{' or '.join(names)} was not found in {' or '.join(map(str, data_folders()))}. Put "
            f"the file there, or set {VARIABLE} to the folder with the file, for example with "
            f"`export {VARIABLE}=~/corpora`."
        )
    return found
