"""Results as lines of a file that survives a kill: appended at once, a torn last line ignored."""

import json
import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any


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

    A last line that was cut off is left out; of two results of the same cell the later one holds.

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
    if not path.exists():
        return []
    results = {}
    for number, line in enumerate(_whole_lines(path.read_bytes()).decode().splitlines(), 1):
        try:
            result = Result.from_line(line)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ValueError(
                f"{path}, line {number} is not a result of compare ({error!r}). Remove the line, "
                "or name another file."
            ) from error
        results[result.cell] = result
    return list(results.values())


class ResultsFile:
    """A file to append results to, each safe on the disk before the next is begun."""

    def __init__(self, path: str | os.PathLike) -> None:
        self.path = Path(path)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._cut_torn_line()
        self._file = self.path.open("ab", buffering=0)

    def append(self, result: Result) -> None:
        self._file.write(result.to_line().encode())  # one write, so that lines never mix
        os.fsync(self._file.fileno())

    def close(self) -> None:
        self._file.close()

    def _cut_torn_line(self) -> None:
        if not self.path.exists():
            return
        content = self.path.read_bytes()
        whole = _whole_lines(content)
        if len(whole) < len(content):
            os.truncate(self.path, len(whole))


def write_results(path: str | os.PathLike, results: Iterable[Result]) -> None:
    """Replace a file of results by a sorted one, for a small difference in version control.

    Parameters
    ----------
    path : path-like
        The file.
    results : iterable of Result
        What to write.
    """
    ordered = sorted(results, key=lambda result: result.cell)
    write_whole(Path(path), "".join(result.to_line() for result in ordered))


def write_whole(path: Path, text: str) -> None:
    """Replace a file at once, so that an interruption leaves the old one whole."""
    temporary = path.with_name(path.name + ".part")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)


def _whole_lines(content: bytes) -> bytes:
    return content[: content.rfind(b"\n") + 1]
