"""Results in a file of JSON lines: saved immediately, so that a killed run can be resumed."""

import json
import math
import os
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from types import ModuleType
from typing import Any

from honeybayes.utils.writing import atomic_write

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

OLD_LABEL = re.compile(r"^(\d+) a class$")  # "5 per class" in older files


@dataclass(frozen=True, order=True)
class Cell:
    """One model, trained and tested once.

    Parameters
    ----------
    corpus, protocol, split : str
        Names of the corpus and the protocol; ``split`` is a label such as ``"5 %"``.
    repetition, fold : int
        Which split it was.
    model : str
        Name of the model.
    seed : int
        Seed of the split.
    setup : str
        Digest of the model's parameters, the documents and the terms. A result with another
        digest belongs to another cell.
    """

    corpus: str
    protocol: str
    split: str
    repetition: int
    fold: int
    model: str
    seed: int
    setup: str


@dataclass(frozen=True)
class Result:
    """The scores of one cell.

    Parameters
    ----------
    cell : Cell
        Which model on which split.
    n_train, n_test : int
        Number of labeled training documents, and of test documents.
    scores : mapping of str to float
        Value of each metric; NaN if the model does not return the scores or probabilities that the
        metric needs.
    """

    cell: Cell
    n_train: int
    n_test: int
    scores: Mapping[str, float]

    def to_line(self) -> str:
        """Write the result as a line of JSON.

        Returns
        -------
        str
            The line, with its newline.
        """
        scores = {name: None if math.isnan(s) else s for name, s in self.scores.items()}
        sizes = {"n_train": self.n_train, "n_test": self.n_test}
        return json.dumps({**asdict(self.cell), **sizes, **scores}, ensure_ascii=False) + "\n"

    def with_scores_of(self, earlier: "Result | None") -> "Result":
        """Add the metrics that only an earlier run of the same cell measured.

        Parameters
        ----------
        earlier : Result or None
            The earlier result.

        Returns
        -------
        Result
        """
        if earlier is None or earlier.scores.keys() <= self.scores.keys():
            return self
        return replace(self, scores={**earlier.scores, **self.scores})

    @classmethod
    def from_line(cls, line: str) -> "Result":
        """Read a line written by `to_line`.

        Parameters
        ----------
        line : str
            The line of JSON.

        Returns
        -------
        Result
        """
        record: dict[str, Any] = json.loads(line)
        record["split"] = OLD_LABEL.sub(r"\1 per class", record["split"])
        cell = Cell(**{field.name: record.pop(field.name) for field in fields(Cell)})
        n_train, n_test = record.pop("n_train"), record.pop("n_test")
        scores = {name: math.nan if s is None else s for name, s in record.items()}
        return cls(cell, n_train, n_test, scores)


def read_results(path: str | os.PathLike) -> list[Result]:
    """Read a file of results.

    An incomplete last line is skipped. Other damaged lines are skipped with a warning. If there are
    two results of the same cell, the later result is used; metrics that are only in the earlier
    result are kept.

    Parameters
    ----------
    path : path-like
        File written by `compare`. If it does not exist, the list is empty.

    Returns
    -------
    list of Result
        In the order of the file.
    """
    path = Path(path)
    return _parse(path.read_bytes(), path) if path.exists() else []


def _parse(content: bytes, path: Path) -> list[Result]:
    results: dict[Cell, Result] = {}
    broken: list[tuple[int, Exception]] = []
    # not splitlines, which also splits at characters that JSON does not escape
    for number, line in enumerate(content.split(b"\n")[:-1], 1):
        if not line.strip():
            continue
        try:
            result = Result.from_line(line.decode())
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            broken.append((number, error))
            continue
        results[result.cell] = result.with_scores_of(results.get(result.cell))
    if broken:
        number, reason = broken[0]
        if not results:
            raise ValueError(
                f"{path}, line {number} is not a result of compare ({reason!r}), and no other line "
                "is. Choose another file."
            ) from reason
        warnings.warn(
            f"{path}: skipped {len(broken)} line(s) that are not results of compare, perhaps from "
            f"a run that was interrupted; the first is line {number} ({reason!r}).",
            stacklevel=3,
        )
    return list(results.values())


class ResultsFile:
    """A file to which results are appended. A result is on the disk when `append` returns.

    Several processes may append to one file while `rewrite_results` replaces it.
    """

    def __init__(self, path: str | os.PathLike) -> None:
        self.path = Path(path)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with _locked(self.path):  # a file that cannot be written fails now, not after a cell
            pass

    def append(self, result: Result) -> None:
        line = result.to_line().encode()
        with _locked(self.path) as descriptor:
            size = os.fstat(descriptor).st_size
            os.lseek(descriptor, max(0, size - 1), os.SEEK_SET)
            if size and os.read(descriptor, 1) != b"\n":
                line = b"\n" + line  # the last line is incomplete: begin a new one
            os.write(descriptor, line)  # a single write, so that lines never mix
            os.fsync(descriptor)


def rewrite_results(
    path: str | os.PathLike, change: Callable[[list[Result]], Iterable[Result]]
) -> None:
    """Replace the results of a file by what a function returns for them.

    They are sorted, which gives small diffs in version control. Other processes that append to
    the file wait, so nothing is lost.

    Parameters
    ----------
    path : path-like
        The file.
    change : callable
        Takes the list of results in the file, and returns the results to write.
    """
    with _locked(Path(path)):
        ordered = sorted(change(read_results(path)), key=lambda result: result.cell)
        with atomic_write(path) as file:
            file.writelines(result.to_line().encode() for result in ordered)


@contextmanager
def _locked(path: Path) -> Iterator[int]:
    """Open a file for appending, and lock it if the system has ``fcntl``.

    The file is created if it does not exist.
    """
    while True:
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
        descriptor = os.open(path, flags, 0o666)
        try:
            if fcntl is not None:
                fcntl.flock(descriptor, fcntl.LOCK_EX)
            # try again if the file was replaced while this process waited for the lock
            if _is_at(descriptor, path):
                yield descriptor
                return
        finally:
            os.close(descriptor)


def _is_at(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path))
    except FileNotFoundError:
        return False
