"""Snowball stems by PyStemmer."""

from functools import cache
from typing import Any

import Stemmer

OTHER_STEMMERS = {"dutch_porter", "lovins", "porter"}  # not named after a language
LONGEST_STEMMED = 200  # letters; the longest words of prose, compounds in Sanskrit, have 195


@cache
def languages() -> list[str]:
    """Return the languages of Snowball, sorted."""
    return sorted(set(Stemmer.algorithms()) - OTHER_STEMMERS)


def new_stemmer(language: str) -> Any:
    """Return an object with the method ``stemWord``; only one thread at a time may call it."""
    return Stemmer.Stemmer(language, 0)  # without its cache: the caller has one
