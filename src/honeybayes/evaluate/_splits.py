"""Training and test documents. They depend on the seed and are the same for every model."""

import math
import re
import warnings
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from sklearn.model_selection import StratifiedKFold

from honeybayes.utils import labels, validation
from honeybayes.utils.parameters import described_like

PER_CLASS = re.compile(r"^(\d+) per class$")


class Split(NamedTuple):
    """Rows for training and rows for testing of one repetition and fold.

    ``n_repeated`` rows are in neither part, because their text is in the training part.
    """

    repetition: int
    fold: int
    train: np.ndarray
    test: np.ndarray
    n_repeated: int = 0


def random_for(*purpose: str | float) -> np.random.Generator:
    """Return a generator whose seed is a hash of the purpose."""
    # numpy's numbers and strings have another repr than Python's
    plain = tuple(part.item() if isinstance(part, np.generic) else part for part in purpose)
    return np.random.default_rng(zlib.crc32(repr(plain).encode()))


def seed_text(label: str) -> str:
    """Return the name of a split for the seed. It must not change: random numbers depend on it."""
    return PER_CLASS.sub(r"\1 a class", label)


@dataclass(frozen=True)
class RandomSplits:
    """Draw training documents from each class at random; test on the rest.

    Parameters
    ----------
    percent : float, optional
        Train on floor(percent / 100 * n) of the n documents of each class, but at least one.
    per_class : int, optional
        Number of training documents per class, but at most half of the class and at least one. Pass
        either ``percent`` or ``per_class``.
    repetitions : int, default=10
        Number of splits.
    max_test : int, optional
        Maximum number of test documents, drawn at random from the other documents. Useful for slow
        models on large corpora.

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
            both = f"percent={self.percent!r}, per_class={self.per_class!r}"
            raise ValueError(f"Pass either percent or per_class; got {both}.")
        if self.percent is not None and not 0 < self.percent < 100:
            raise ValueError(f"percent must be above 0 and below 100; got {self.percent!r}.")
        validation.check_integer("repetitions", self.repetitions, 1)
        for name in ("per_class", "max_test"):
            if getattr(self, name) is not None:
                validation.check_integer(name, getattr(self, name), 1)

    @property
    def label(self) -> str:
        """Short name for tables."""
        return f"{self.percent:g} %" if self.percent is not None else f"{self.per_class} per class"

    def split(self, y: np.ndarray, name: str, seed: int) -> Iterator[Split]:
        """Yield the splits.

        Parameters
        ----------
        y : ndarray of shape (n_documents,)
            The class of each document.
        name : str
            Name of the corpus. With random splits, other names give other random numbers.
        seed : int
            The same seed gives the same splits.

        Yields
        ------
        Split
            One per repetition and fold, with rows in ascending order.
        """
        size: int | str = seed_text(self.label)  # 5 and 5.0 give the same splits
        if self.percent is not None and float(self.percent).is_integer():
            size = round(self.percent)
        for repetition in range(self.repetitions):
            random = random_for(seed, name, size, repetition)
            drawn = np.zeros(len(y), dtype=bool)
            for label in np.unique(y):
                rows = np.flatnonzero(y == label)
                if self.percent is None:
                    n = min(self.per_class or 0, len(rows) // 2)
                else:
                    n = math.floor(round(len(rows) * self.percent / 100, 9))
                drawn[random.choice(rows, max(1, n), replace=False)] = True
            train, test = np.flatnonzero(drawn), np.flatnonzero(~drawn)
            if self.max_test is not None and self.max_test < len(test):
                test = np.sort(random.choice(test, self.max_test, replace=False))
            yield Split(repetition, 0, train, test)


@dataclass(frozen=True)
class RepeatedFolds:
    """Stratified and shuffled cross-validation, repeated.

    Parameters
    ----------
    folds : int, default=10
        Number of folds. Each is the test part once.
    repetitions : int, default=1
        Number of times to shuffle and fold.

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
        validation.check_integer("folds", self.folds, 2)
        validation.check_integer("repetitions", self.repetitions, 1)

    @property
    def label(self) -> str:
        """Short name for tables."""
        return f"{self.folds} folds"

    @described_like(RandomSplits.split)
    def split(self, y: np.ndarray, name: str, seed: int) -> Iterator[Split]:
        """Yield the splits."""
        for repetition in range(self.repetitions):
            state = 1000 * int(seed) + repetition
            folds = StratifiedKFold(self.folds, shuffle=True, random_state=state)
            with warnings.catch_warnings():
                # a class with fewer documents than folds is missing in some folds
                warnings.filterwarnings("ignore", "The least populated class", UserWarning)
                for fold, (train, test) in enumerate(folds.split(y, y)):
                    yield Split(repetition, fold, train, test)


@dataclass(frozen=True, eq=False)
class FixedSplit:
    """One given split, such as the split of a published corpus.

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
            raise ValueError("train and test need at least one row each.")
        both = np.intersect1d(train, test)
        if len(both):
            raise ValueError(f"Row {both[0]} is in both train and test. Leave it out of one.")
        object.__setattr__(self, "train", train)
        object.__setattr__(self, "test", test)

    @described_like(RandomSplits.split)
    def split(self, y: np.ndarray, name: str, seed: int) -> Iterator[Split]:
        """Yield the splits."""
        last = max(self.train[-1], self.test[-1])
        if last >= len(y):
            raise ValueError(f"Row {last} does not exist: {name!r} has {len(y)} labeled documents.")
        yield Split(0, 0, self.train, self.test)


Splitter = RandomSplits | RepeatedFolds | FixedSplit


class LabeledFolds(StratifiedKFold):
    """Folds for scikit-learn's ``cv=`` if some texts have no label: these are always for training.

    The labeled texts are shuffled, and each fold has about the same share of every class.
    scikit-learn's own folds do not know missing labels: they fail, or ignore the classes.

    Parameters
    ----------
    n_splits : int, default=5
        Number of folds.
    random_state : int, default=0
        Seed of the order.

    Examples
    --------
    >>> from honeybayes.evaluate import LabeledFolds
    >>> y = ["a", "b", None, "a", "b", None]
    >>> [(train.tolist(), test.tolist()) for train, test in LabeledFolds(2).split(None, y)]
    [([0, 2, 4, 5], [1, 3]), ([1, 2, 3, 5], [0, 4])]
    """

    def __init__(self, n_splits: int = 5, random_state: int = 0) -> None:
        super().__init__(n_splits, shuffle=True, random_state=random_state)

    def split(self, X: Any, y: Any, groups: Any = None) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield the rows for training and for the test.

        Parameters
        ----------
        X : object
            Ignored.
        y : array-like of shape (n_samples,)
            Labels; None, NaN and "" mean that there is none, and so does -1 among two other
            integers.
        groups : object
            Ignored.

        Yields
        ------
        tuple of ndarray
        """
        position = labels.encode_labels(y, labels.AUTO)[1]
        labeled, others = np.flatnonzero(position >= 0), np.flatnonzero(position < 0)
        for train, test in super().split(labeled, position[labeled]):
            yield np.sort(np.concatenate([labeled[train], others])), labeled[test]
