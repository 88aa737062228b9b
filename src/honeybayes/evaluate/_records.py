"""Results in a file of JSON lines: saved immediately, so that a killed run can be resumed."""

import base64
import binascii
import json
import math
import os
import warnings
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from honeybayes.evaluate.metrics import FROM_LABELS, METRICS, TIMES
from honeybayes.utils.parameters import documented
from honeybayes.utils.writing import atomic_write

UNBOUNDED = {"log_loss", "brier"}  # all other metrics are at most 1
MOST_BYTES = 2**28  # of packed outcomes; a larger string is damaged or hostile


class DocumentAnswers(NamedTuple):
    """Rows of the corpus that were tested, with their true and predicted classes as numbers."""

    rows: np.ndarray
    truth: np.ndarray
    answers: np.ndarray

    def values(self, metric: str) -> np.ndarray:
        """Return a value per test document whose mean is the metric, one of `FROM_LABELS`.

        For accuracy it is 1 or 0. Macro-F1 is no mean over documents; the value tells how much the
        document changes it (a jackknife pseudo-value, moved so that the mean is right).
        """
        truth, answers = self.truth, self.answers
        hit = truth == answers
        if metric != "macro_f1":
            return hit.astype(np.float64)
        n_classes = 1 + max(truth.max(), answers.max())
        right = np.bincount(truth[hit], minlength=n_classes).astype(float)
        both = np.bincount(np.concatenate([truth, answers]), minlength=n_classes).astype(float)
        known, whole = both > 0, _f1(right, both)
        # leaving out one document changes the F1 of its true and its predicted class only
        of_truth = _f1(right[truth] - hit, both[truth] - 1 - hit) - whole[truth]
        of_answer = _f1(right[answers], both[answers] - 1) - whole[answers]
        change = (of_truth + np.where(hit, 0, of_answer)) / known.sum()
        values = -(len(truth) - 1) * change
        return values - values.mean() + whole[known].mean()

    def score_of_largest_class(self, metric: str) -> float:
        """Return the metric of the answer that is always the largest class."""
        sizes = np.bincount(self.truth)
        share = float(sizes.max() / sizes.sum())
        if metric == "macro_f1":
            return 2 * share / (1 + share) / int((sizes > 0).sum())
        return share if metric in FROM_LABELS else np.nan


def _f1(right: np.ndarray, both: np.ndarray) -> np.ndarray:
    """Return F1 from right answers, and from answers of a class plus documents of it."""
    return np.divide(2 * right, both, out=np.zeros_like(right, dtype=float), where=both > 0)


def pack(rows: np.ndarray, truth: np.ndarray, answers: np.ndarray) -> str:
    """Write outcomes as a string: one number per row of the corpus, 0 if it was not tested."""
    names, codes = np.unique(np.concatenate([truth, answers]), return_inverse=True)
    truth, answers = codes[: len(truth)], codes[len(truth) :]
    cells = np.zeros(rows.max() + 1, dtype=_type(len(names)))
    cells[rows] = 1 + truth * len(names) + answers
    packed = zlib.compress(cells.tobytes(), 9)
    return f"{len(names)}:{base64.b64encode(packed).decode()}"


def unpack(text: str) -> DocumentAnswers:
    """Read outcomes that `pack` wrote; raise ValueError if they are damaged."""
    number, _, packed = text.partition(":")
    n_classes = int(number)
    kind = _type(n_classes)
    reader = zlib.decompressobj()
    try:
        content = reader.decompress(base64.b64decode(packed, validate=True), MOST_BYTES)
    except (zlib.error, binascii.Error) as error:
        raise ValueError(f"outcomes cannot be read: {error}") from error
    if not reader.eof or len(content) % kind.itemsize:
        raise ValueError("outcomes are incomplete.")
    cells = np.frombuffer(content, dtype=kind).astype(np.int64)
    rows = np.flatnonzero(cells)
    if not len(rows) or cells.max() > n_classes**2:
        raise ValueError("outcomes name classes that do not exist.")
    return DocumentAnswers(rows, *np.divmod(cells[rows] - 1, n_classes))


def _type(n_classes: int) -> np.dtype:
    if not 1 <= n_classes < 2**15:
        raise ValueError(f"outcomes of {n_classes} classes cannot be written.")
    return np.dtype(f"<u{np.min_scalar_type(n_classes**2).itemsize}")


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

    @property
    def place(self) -> tuple[str, str]:
        """The corpus and the split."""
        return self.corpus, self.split


@documented
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
    n_pool : int, default=0
        Number of unlabeled documents that the model was given.
    n_repeated : int, default=0
        Number of documents that were not tested, because their text is in the training part.
    outcomes : str or None, default=None
        True and predicted class of each test document, packed; see ``answers``. None if they were
        not kept.
    """

    cell: Cell
    n_train: int
    n_test: int
    scores: Mapping[str, float]
    n_pool: int = 0
    n_repeated: int = 0
    outcomes: str | None = None

    def answers(self) -> DocumentAnswers | None:
        """Return the rows that were tested, with true and predicted classes as numbers."""
        return None if self.outcomes is None else unpack(self.outcomes)

    def to_line(self) -> str:
        """Write the result as a line of JSON, with its newline."""
        record = asdict(self)
        cell, scores = record.pop("cell"), record.pop("scores")
        given = {name: value for name, value in record.items() if value or name in SIZES}
        known = {name: None if math.isnan(score) else score for name, score in scores.items()}
        return json.dumps(cell | given | known, ensure_ascii=False) + "\n"

    @classmethod
    def from_line(cls, line: str) -> "Result":
        """Read a line written by ``to_line``.

        Parameters
        ----------
        line : str
            The line of JSON.
        """
        record = json.loads(line)
        if not isinstance(record, dict):
            raise ValueError("it is not an object of JSON")
        for name, value in record.items():
            _check_field(name, value)
        cell = Cell(**{field.name: record.pop(field.name) for field in fields(Cell)})
        own = {field.name: record.pop(field.name) for field in fields(cls) if field.name in record}
        scores = {name: math.nan if s is None else float(s) for name, s in record.items()}
        result = cls(cell, scores=scores, **own)
        answers = result.answers()
        if answers is not None and len(answers.rows) != result.n_test:
            raise ValueError(f"outcomes of {len(answers.rows)} documents, not {result.n_test}")
        return result


def join_scores(result: Result, earlier: Result | None) -> Result:
    """Add the metrics that only an earlier run of the same cell measured."""
    before = {} if earlier is None else earlier.scores
    return replace(result, scores={**before, **result.scores})


SIZES = ("n_train", "n_test")  # other numbers, and outcomes, are written only where there are any
TEXTS = ("corpus", "protocol", "split", "model", "setup", "outcomes")
INTEGERS = ("repetition", "fold", "seed", *SIZES, "n_pool", "n_repeated")


def _check_field(name: str, value: Any) -> None:
    """Raise ValueError if a field, or the score of a metric, is not as `Result.to_line` writes."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if name in TEXTS:
        is_right, allowed = isinstance(value, str), "a string"
    elif name in INTEGERS:
        is_right = is_number and isinstance(value, int) and (value >= 0 or name == "seed")
        allowed = "an integer, 0 or more"
    else:
        least = 0 if name in (*METRICS, *TIMES) else -math.inf
        most = 1 if name in METRICS and name not in UNBOUNDED else math.inf
        is_right = is_number and math.isfinite(value) and least <= value <= most
        is_right, allowed = is_right or value is None, f"a number from {least} to {most}, or null"
    if not is_right:
        raise ValueError(f"{name} must be {allowed}; got {value!r}")


def read_results(path: str | os.PathLike[str]) -> list[Result]:
    """Read a file of results.

    An incomplete last line is skipped; other damaged lines are skipped with a warning. Of two
    results of a cell the later one is used, with the metrics that only the earlier one has.

    Parameters
    ----------
    path : path-like
        File written by `compare`. If it does not exist, the list is empty.
    """
    path = Path(path)
    content = path.read_bytes() if path.exists() else b""
    results: dict[Cell, Result] = {}
    broken: list[tuple[int, Exception]] = []
    # not splitlines, which also splits at characters that JSON does not escape
    for number, line in enumerate(content.split(b"\n")[:-1], 1):
        if line.strip():
            try:
                result = Result.from_line(line.decode())
                results[result.cell] = join_scores(result, results.get(result.cell))
            # RecursionError: brackets that are nested too deeply
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
                broken.append((number, error))
    if broken:
        number, reason = broken[0]
        if not results:
            wrong = f"{path}, line {number} is not a result of compare ({reason!r})"
            raise ValueError(f"{wrong}, and no other line is. Choose another file.") from reason
        skipped = f"{path}: skipped {len(broken)} line(s) that are not results of compare"
        first = f"the first is line {number} ({reason!r})"
        warnings.warn(f"{skipped}, perhaps from a run that was interrupted; {first}.", stacklevel=2)
    return list(results.values())


def append_result(path: str | os.PathLike[str], result: Result) -> None:
    """Append a result to a file, as other processes may do; it is on the disk when this returns."""
    line = result.to_line().encode()
    with Path(path).open("a+b", buffering=0) as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - 1))
        if size and file.read(1) != b"\n":
            line = b"\n" + line  # the last line is incomplete: begin a new one
        file.write(line)  # a single write, so that lines never mix
        os.fsync(file.fileno())


def write_results(path: str | os.PathLike[str], results: Iterable[Result]) -> None:
    """Replace a file of results, to which no other process may append meanwhile.

    They are sorted, which gives small diffs in version control.

    Parameters
    ----------
    path : path-like
        The file.
    results : iterable of Result
        The results to write.
    """
    ordered = sorted(results, key=lambda result: result.cell)
    with atomic_write(path) as file:
        file.writelines(result.to_line().encode() for result in ordered)
