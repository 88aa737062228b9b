"""The hint "Did you mean ...?" for a misspelled name or path."""

from collections.abc import Iterable
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path


def did_you_mean(name: object, known: Iterable[str], *, n: int = 1, cutoff: float = 0.6) -> str:
    """Return a question to append to an error message, or "" if no known name is similar.

    Suggests at most `n` names with a similarity of at least `cutoff`, ignoring case.

    >>> from honeybayes.utils.suggestions import did_you_mean
    >>> "No column 'Txet'." + did_you_mean("Txet", ["text", "label"])
    "No column 'Txet'. Did you mean 'text'?"
    """
    by_lower_case = {each.lower(): each for each in known}
    close = get_close_matches(str(name).lower(), by_lower_case, n=n, cutoff=cutoff)
    names = " or ".join(repr(by_lower_case[each]) for each in close)
    return f" Did you mean {names}?" if close else ""


def check_file_exists(path: Path) -> None:
    """Raise FileNotFoundError if the path does not exist; suggest a file with a similar name."""
    if not path.parent.is_dir():
        raise FileNotFoundError(f"There is no file {path}, and no folder {path.parent} either.")
    if not path.exists():
        names: list[str] = []
        with suppress(PermissionError):  # files in the folder may be opened, but not listed
            names = [each.name for each in path.parent.iterdir() if each.is_file()]
        raise FileNotFoundError(f"There is no file {path}.{did_you_mean(path.name, names)}")
