"""Snowball stems: by PyStemmer where it gives the same stems as snowballstemmer."""

from functools import cache
from importlib import import_module
from importlib.metadata import version
from pkgutil import iter_modules
from typing import Any

import snowballstemmer

try:
    import Stemmer
except ImportError:
    Stemmer = None

OTHER_STEMMERS = {"dutch_porter", "lovins", "porter"}  # not named after a language
MODULE_SUFFIX = "_stemmer"
LONGEST_STEMMED = 200  # letters; the longest words of prose, compounds in Sanskrit, have 195


@cache
def languages() -> list[str]:
    """Return the languages of snowballstemmer, sorted."""
    modules = [module.name for module in iter_modules(snowballstemmer.__path__)]
    found = {name.removesuffix(MODULE_SUFFIX) for name in modules if name.endswith(MODULE_SUFFIX)}
    return sorted(found - OTHER_STEMMERS)


def new_stemmer(language: str) -> Any:
    """Return an object with the method ``stemWord``; only one thread at a time may call it.

    PyStemmer is about a hundred times faster. Its stems are the same in the same version of
    Snowball, so another version is not used: a saved model must find its terms again.
    """
    if Stemmer is not None and _minor(Stemmer.version()) == _minor(version("snowballstemmer")):
        return Stemmer.Stemmer(language, 0)  # without its cache: the caller has one
    return python_stemmer(language)


def python_stemmer(language: str) -> Any:
    """Return the stemmer in Python, which snowballstemmer hides if PyStemmer is installed."""
    module = import_module(f"snowballstemmer.{language}{MODULE_SUFFIX}")
    return getattr(module, f"{language.title()}Stemmer")()


def _minor(number: str) -> list[str]:
    return number.split(".")[:2]
