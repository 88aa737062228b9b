"""The folders in which data files are searched for."""

from pathlib import Path

from honeybayes.utils.folders import DATA_VARIABLE, data_folders


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
            f"the file there, or set {DATA_VARIABLE} to the folder with the file, for example with "
            f"`export {DATA_VARIABLE}=~/corpora`."
        )
    return found
