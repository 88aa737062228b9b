"""Checks before a file is read."""

from pathlib import Path

from honeybayes.utils.suggestions import did_you_mean


def check_file_exists(path: Path) -> None:
    """Raise FileNotFoundError if the path does not exist; suggest a file with a similar name."""
    if not path.parent.is_dir():
        raise FileNotFoundError(f"There is no file {path}, and no folder {path.parent} either.")
    if not path.exists():
        raise FileNotFoundError(
            f"There is no file {path}.{did_you_mean(path.name, _files_in(path.parent))}"
        )


def _files_in(folder: Path) -> list[str]:
    try:
        return [path.name for path in folder.iterdir() if path.is_file()]
    except PermissionError:  # files in the folder may be opened, but not listed
        return []
