"""Which class a model chose for each test document, in one short string of a results file."""

import base64
import binascii
import zlib
from typing import NamedTuple

import numpy as np

OF_DOCUMENTS = ("accuracy", "micro_f1", "macro_f1")
MOST_BYTES = 2**28  # when unpacked; a larger string is damaged or hostile


class DocumentAnswers(NamedTuple):
    """Rows of the corpus that were tested, with their true and predicted classes as numbers."""

    rows: np.ndarray
    truth: np.ndarray
    answers: np.ndarray

    def values(self, metric: str) -> np.ndarray:
        """Return a value per test document whose mean is the metric, one of `OF_DOCUMENTS`.

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
        return share if metric in OF_DOCUMENTS else np.nan


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
