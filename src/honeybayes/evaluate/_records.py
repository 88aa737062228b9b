"""Results as lines of a file that survives a kill: appended at once, a torn last line ignored."""

import json
import math
import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from types import ModuleType
from typing import Any

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # Windows
    fcntl = None


@dataclass(frozen=True, order=True)
class Cell:
    """One model, trained and tested once.

    Parameters
    ----------
    corpus, protocol, split : str
        Where it was: ``split`` is a label such as ``"5 %"``.
    repetition, fold : int
        Which of the splits.
    model : str
        Name of the model.
    seed : int
        What the split was drawn from.
    setup : str
        Digest of the model's parameters, the documents and the terms: results of another setup
        are not taken for these.
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
    """What was measured in a cell.

    Parameters
    ----------
    cell : Cell
        What was trained and tested.
    n_train, n_test : int
        Documents that trained and that were scored.
    scores : mapping of str to float
        By the name of the metric; NaN where the model gives no scores or probabilities.
    """

    cell: Cell
    n_train: int
    n_test: int
    scores: Mapping[str, float]

    def to_line(self) -> str:
        """Write as a line of JSON.

        Returns
        -------
        str
            With its newline.
        """
        scores = {name: None if math.isnan(s) else s for name, s in self.scores.items()}
        sizes = {"n_train": self.n_train, "n_test": self.n_test}
        return json.dumps({**asdict(self.cell), **sizes, **scores}, ensure_ascii=False) + "\n"

    def with_scores_of(self, earlier: "Result | None") -> "Result":
        """Add what an earlier run of the cell measured and this one did not.

        Parameters
        ----------
        earlier : Result or None
            Of the same cell.

        Returns
        -------
        Result
        """
        if earlier is None or earlier.scores.keys() <= self.scores.keys():
            return self
        return replace(self, scores={**earlier.scores, **self.scores})

    @classmethod
    def from_line(cls, line: str) -> "Result":
        """Read what `to_line` wrote.

        Parameters
        ----------
        line : str
            A line of JSON.

        Returns
        -------
        Result
        """
        record: dict[str, Any] = json.loads(line)
        cell = Cell(**{field.name: record.pop(field.name) for field in fields(Cell)})
        n_train, n_test = record.pop("n_train"), record.pop("n_test")
        scores = {name: math.nan if s is None else s for name, s in record.items()}
        return cls(cell, n_train, n_test, scores)


def read_results(path: str | os.PathLike) -> list[Result]:
    """Read a file of results.

    A last line that was cut off is left out, broken lines before it with a warning. Of two results
    of the same cell the later one holds; what only the earlier one measured is kept.

    Parameters
    ----------
    path : path-like
        Written by `compare`. A file that is not there has no results.

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
    # not splitlines, which also splits at characters that JSON leaves as they are
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
                f"{path}, line {number} is not a result of compare ({reason!r}), nor is any other. "
                "Name another file."
            ) from reason
        warnings.warn(
            f"{path}: {len(broken)} line(s) that are no results of compare are left out, as those "
            f"of a run that was cut off; the first is line {number} ({reason!r}).",
            stacklevel=3,
        )
    return list(results.values())


class ResultsFile:
    """A file to append results to, each safe on the disk before the next is begun.

    Several processes may append to one file, and `write_results` may replace it meanwhile.
    """

    def __init__(self, path: str | os.PathLike) -> None:
        self.path = Path(path)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with _locked(self.path):  # fails now, not after the first cell, if it cannot be written
            pass

    def append(self, result: Result) -> None:
        line = result.to_line().encode()
        with _locked(self.path) as descriptor:
            size = os.fstat(descriptor).st_size
            os.lseek(descriptor, max(0, size - 1), os.SEEK_SET)
            if size and os.read(descriptor, 1) != b"\n":
                line = b"\n" + line  # the last line is torn: do not lengthen it
            os.write(descriptor, line)  # one write to the end, so that lines never mix
            os.fsync(descriptor)


def write_results(path: str | os.PathLike, results: Iterable[Result]) -> None:
    """Replace a file of results by a sorted one, for a small difference in version control.

    Parameters
    ----------
    path : path-like
        The file.
    results : iterable of Result
        What to write.
    """
    with _locked(Path(path)):
        _write_sorted(Path(path), results)


def rewrite_results(path: Path, change: Callable[[list[Result]], Iterable[Result]]) -> None:
    """Replace the results of a file by what ``change`` makes of them, sorted.

    Nothing that another process appends in the meantime is lost: it waits.
    """
    with _locked(path):
        _write_sorted(path, change(read_results(path)))


def _write_sorted(path: Path, results: Iterable[Result]) -> None:
    ordered = sorted(results, key=lambda result: result.cell)
    write_whole(path, "".join(result.to_line() for result in ordered))


def write_whole(path: Path, text: str) -> None:
    """Replace a file at once, so that an interruption leaves the old one whole."""
    temporary = path.with_name(path.name + ".part")
    temporary.write_text(text, encoding="utf-8", newline="\n")
    temporary.replace(path)


@contextmanager
def _locked(path: Path) -> Iterator[int]:
    """Open a file for appending, made if need be, and keep other processes waiting meanwhile.

    Where there is no ``fcntl``, nobody waits.
    """
    while True:
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
        descriptor = os.open(path, flags, 0o666)
        try:
            if fcntl is not None:
                fcntl.flock(descriptor, fcntl.LOCK_EX)
            # the file may have been replaced while this process waited for the old one
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
