"""Which documents train and which test: drawn from the seed, the same for every model."""

import math
import warnings
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from sklearn.model_selection import StratifiedKFold


class Split(NamedTuple):
    """Rows for training and rows for testing, and which repetition and fold they are."""

    repetition: int
    fold: int
    train: np.ndarray
    test: np.ndarray


class Splitter(Protocol):
    """What `honeybayes.evaluate.compare` asks of a way to split."""

    @property
    def label(self) -> str:
        """Short name for tables, such as ``"5 %"``."""

    def split(self, y: np.ndarray, name: str, seed: int) -> Iterator[Split]:
        """Yield the splits of documents with the labels ``y``."""


def random_for(*purpose: str | float) -> np.random.Generator:
    """Random numbers that depend on what they are for, not on what was run before."""
    # numpy's numbers and strings are equal to Python's, but written otherwise
    plain = tuple(part.item() if isinstance(part, np.generic) else part for part in purpose)
    return np.random.default_rng(zlib.crc32(repr(plain).encode()))


@dataclass(frozen=True)
class RandomSplits:
    """Draw training documents from each class at random; the rest is the test.

    Parameters
    ----------
    percent : float, optional
        floor(percent / 100 * n) of the n documents of each class train, at least one.
    per_class : int, optional
        This many documents of each class train, at most half of the class (and at least one).
        Give either ``percent`` or ``per_class``.
    repetitions : int, default=10
        How often to draw.
    max_test : int, optional
        Test at most this many of the other documents, drawn at random from all of them: for slow
        models on large corpora.

    See Also
    --------
    RepeatedFolds : Every document is tested once in each repetition.
    FixedSplit : One split that is given.

    Examples
    --------
    >>> import numpy as np
    >>> from honeybayes.evaluate import RandomSplits
    >>> y = np.array(["a"] * 10 + ["b"] * 4)
    >>> for split in RandomSplits(percent=50, repetitions=2).split(y, "toy", seed=0):
    ...     print(split.repetition, len(split.train), len(split.test))
    0 7 7
    1 7 7
    """

    percent: float | None = None
    per_class: int | None = None
    repetitions: int = 10
    max_test: int | None = None

    def __post_init__(self) -> None:
        if (self.percent is None) == (self.per_class is None):
            raise ValueError(
                "Give either percent or per_class; got "
                f"percent={self.percent!r}, per_class={self.per_class!r}."
            )
        if self.percent is not None and not 0 < self.percent < 100:
            raise ValueError(f"percent must be above 0 and below 100; got {self.percent!r}.")
        if self.per_class is not None:
            _check_count("per_class", self.per_class, 1)
        _check_count("repetitions", self.repetitions, 1)
        if self.max_test is not None:
            _check_count("max_test", self.max_test, 1)

    @property
    def label(self) -> str:
        """Short name for tables."""
        return f"{self.percent:g} %" if self.percent is not None else f"{self.per_class} a class"

    def split(self, y: np.ndarray, name: str, seed: int) -> Iterator[Split]:
        """Yield one split a repetition.

        Parameters
        ----------
        y : ndarray of shape (n_documents,)
            The class of each document.
        name : str
            Name of the corpus: another corpus gets other random numbers.
        seed : int
            The same seed gives the same splits.

        Yields
        ------
        Split
            Rows in ascending order.
        """
        # 5 and 5.0 are the same size, and must give the same splits
        whole = self.percent is not None and float(self.percent).is_integer()
        size = round(self.percent or 0) if whole else self.label
        for repetition in range(self.repetitions):
            random = random_for(seed, name, size, repetition)
            train, test = draw_from_each_class(y, self._train_size, random)
            if self.max_test is not None and self.max_test < len(test):
                test = np.sort(random.choice(test, self.max_test, replace=False))
            yield Split(repetition, 0, train, test)

    def _train_size(self, n: int) -> int:
        if self.per_class is not None:
            return min(self.per_class, max(1, n // 2))
        assert self.percent is not None
        return max(1, math.floor(round(n * self.percent / 100, 9)))


@dataclass(frozen=True)
class RepeatedFolds:
    """Cross-validation, stratified and shuffled, some times over.

    Parameters
    ----------
    folds : int, default=10
        Each is the test once, the others train.
    repetitions : int, default=1
        How often to shuffle and fold.

    See Also
    --------
    RandomSplits : Few documents train, all others test.

    Examples
    --------
    >>> import numpy as np
    >>> from honeybayes.evaluate import RepeatedFolds
    >>> folds = RepeatedFolds(folds=3)
    >>> folds.label
    '3 folds'
    >>> [len(split.test) for split in folds.split(np.array(["a", "b"] * 6), "toy", seed=0)]
    [4, 4, 4]
    """

    folds: int = 10
    repetitions: int = 1

    def __post_init__(self) -> None:
        _check_count("folds", self.folds, 2)
        _check_count("repetitions", self.repetitions, 1)

    @property
    def label(self) -> str:
        """Short name for tables."""
        return f"{self.folds} folds"

    def split(self, y: np.ndarray, name: str, seed: int) -> Iterator[Split]:
        """Yield one split a fold of each repetition.

        Parameters
        ----------
        y : ndarray of shape (n_documents,)
            The class of each document.
        name : str
            Not used: the seed alone decides.
        seed : int
            The same seed gives the same splits.

        Yields
        ------
        Split
            Rows in ascending order.
        """
        for repetition in range(self.repetitions):
            folds = StratifiedKFold(
                self.folds, shuffle=True, random_state=1000 * int(seed) + repetition
            )
            with warnings.catch_warnings():
                # then some folds do without that class, which is what stratifying can do
                warnings.filterwarnings("ignore", "The least populated class", UserWarning)
                for fold, (train, test) in enumerate(folds.split(y, y)):
                    yield Split(repetition, fold, train, test)


@dataclass(frozen=True, eq=False)
class FixedSplit:
    """One split that is given, such as that of a published corpus.

    Parameters
    ----------
    train, test : array-like of int
        Rows of the corpus; no row may be in both.
    label : str, default="fixed"
        Short name for tables.

    Examples
    --------
    >>> from honeybayes.evaluate import FixedSplit
    >>> FixedSplit(train=[0, 1, 2], test=[3, 4]).label
    'fixed'
    """

    train: Any
    test: Any
    label: str = "fixed"

    def __post_init__(self) -> None:
        train, test = np.unique(self.train), np.unique(self.test)
        if not len(train) or not len(test):
            raise ValueError("Both train and test need a row at least.")
        both = np.intersect1d(train, test)
        if len(both):
            raise ValueError(
                f"Row {both[0]} is in train and in test: testing on it proves nothing."
            )
        object.__setattr__(self, "train", train)
        object.__setattr__(self, "test", test)

    def split(self, y: np.ndarray, name: str, seed: int) -> Iterator[Split]:
        """Yield the split.

        Parameters
        ----------
        y : ndarray of shape (n_documents,)
            The class of each document.
        name : str
            Name of the corpus, for the error message.
        seed : int
            Not used.

        Yields
        ------
        Split
            The one that was given.
        """
        last = max(self.train[-1], self.test[-1])
        if last >= len(y):
            raise ValueError(f"Row {last} is beyond {name!r}, which has {len(y)} documents.")
        yield Split(0, 0, self.train, self.test)


def draw_from_each_class(
    y: np.ndarray, size: Any, random: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Rows drawn from each class without replacement, and the rows that were left.

    ``size`` takes the number of documents of a class and returns how many to draw.
    """
    drawn = np.zeros(len(y), dtype=bool)
    for c in np.unique(y):
        rows = np.flatnonzero(y == c)
        drawn[random.choice(rows, size(len(rows)), replace=False)] = True
    return np.flatnonzero(drawn), np.flatnonzero(~drawn)


def _check_count(name: str, value: Any, least: int) -> None:
    if not isinstance(value, int | np.integer) or value < least:
        raise ValueError(f"{name} must be an integer of {least} or more; got {value!r}.")
