"""Options that hold several rare settings: ``--read "delimiter=; encoding=cp1252"``."""

import shlex
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from honeybayes.cli._errors import UsageError
from honeybayes.utils.suggestions import did_you_mean

Parsers = Mapping[str, Callable[[str], Any]]
YES, NO = ("yes", "true"), ("no", "false")
TAB = "tab"  # which cannot be typed in most shells


def parse_settings(option: str, typed: str, parsers: Parsers) -> dict[str, Any]:
    """Return settings by the name of their parameter; a word without a value means yes.

    Raises UsageError that names the wrong word and those that are allowed.
    """
    found: dict[str, Any] = {}
    for name, value in split_settings(option, typed):
        if name not in parsers:
            raise UsageError(
                f"{option} has no setting {name!r}. The settings are: {', '.join(parsers)}."
                f"{did_you_mean(name, list(parsers))}"
            )
        try:
            found[name.replace("-", "_")] = parsers[name](value)
        except ValueError as error:
            raise UsageError(f"{option}: {name}={value} is wrong: {error}") from error
    return found


def split_settings(option: str, typed: str) -> Iterator[tuple[str, str]]:
    """Yield names and values; a value with spaces is in quotes."""
    words = shlex.shlex(typed, posix=True)
    words.whitespace_split, words.commenters, words.escape = True, "", ""
    try:
        for word in words:
            name, has_value, value = word.partition("=")
            yield name.replace("_", "-"), value if has_value else YES[0]
    except ValueError as error:
        raise UsageError(f"{option}: a quote is not closed in {typed!r}.") from error


def join_settings(settings: Mapping[str, Any]) -> str:
    """Return settings as they are typed; yes and no instead of True and False."""
    words = []
    for name, value in settings.items():
        text = {True: YES[0], False: NO[0], "\t": TAB}.get(value, str(value))
        is_plain = text and not set(text) & {" ", "'", '"'}
        words.append(f"{name}={text}" if is_plain else f'{name}="{text}"')
    return " ".join(words)


def switch(value: str) -> bool:
    """Return True for yes, False for no."""
    if value.lower() not in (*YES, *NO):
        raise ValueError("it must be yes or no.")
    return value.lower() in YES


def whole_number(least: int) -> Callable[[str], int]:
    """Return a parser of whole numbers from ``least`` on."""

    def parse(value: str) -> int:
        if not value.isdecimal() or int(value) < least:
            raise ValueError(f"it must be a whole number, at least {least}.")
        return int(value)

    return parse


def share(value: str) -> float:
    """Return a number between 0 and 1."""
    try:
        number = float(value)
    except ValueError:
        number = 0.0
    if not 0 < number < 1:
        raise ValueError("it must be between 0 and 1. For 90 %, type 0.9.")
    return number


def one_of(*names: str) -> Callable[[str], str]:
    """Return a parser that takes these names only."""

    def parse(value: str) -> str:
        if value not in names:
            raise ValueError(f"it must be one of {', '.join(names)}.")
        return value

    return parse
