"""The folder where corpora are looked for."""

import os
from pathlib import Path

VARIABLE = "HONEYBAYES_DATA"


def find_data_file(name: str) -> Path:
    """Find a file of the folder that the environment variable HONEYBAYES_DATA names.

    Parameters
    ----------
    name : str
        Name of the file, such as ``"20news-18828.jsonl.gz"``.

    Returns
    -------
    Path
        Where the file is.

    Raises
    ------
    FileNotFoundError
        Says which file is wanted, where it was looked for, and how to set the variable.
    """
    folder = os.environ.get(VARIABLE)
    if not folder:
        raise FileNotFoundError(
            f"The file {name!r} is wanted, but {VARIABLE} is not set, so no folder was looked in. "
            f"Put the file in a folder and set {VARIABLE} to it, for example with "
            f"`export {VARIABLE}=~/corpora`."
        )
    path = Path(folder).expanduser() / name
    if not path.is_file():
        raise FileNotFoundError(
            f"The file {name!r} is not in {path.parent}, the folder that {VARIABLE} names. "
            f"Put the file there, or set {VARIABLE} to the folder that holds it."
        )
    return path
