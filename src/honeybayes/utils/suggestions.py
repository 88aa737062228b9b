"""The hint "Did you mean ...?" for a misspelled name."""

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(name: object, known: Iterable[str], *, n: int = 1, cutoff: float = 0.6) -> str:
    """Return a question to append to an error message, or an empty string.

    Upper and lower case are ignored.

    Parameters
    ----------
    name : object
        What the user wrote.
    known : iterable of str
        The names that exist.
    n : int, default=1
        The largest number of names to suggest.
    cutoff : float, default=0.6
        The smallest similarity of a suggested name, between 0 and 1.

    Returns
    -------
    str
        Starts with a space, unless it is empty.

    Examples
    --------
    >>> from honeybayes.utils.suggestions import did_you_mean
    >>> "No column 'Txet'." + did_you_mean("Txet", ["text", "label"])
    "No column 'Txet'. Did you mean 'text'?"
    """
    by_lower_case = {each.lower(): each for each in known}
    close = get_close_matches(str(name).lower(), by_lower_case, n=n, cutoff=cutoff)
    names = " or ".join(repr(by_lower_case[each]) for each in close)
    return f" Did you mean {names}?" if close else ""
