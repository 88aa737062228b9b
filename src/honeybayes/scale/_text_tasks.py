"""What is done with each part of the texts, on a worker or here, and the results, which merge."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from honeybayes.scale._engines import TextPart
from honeybayes.scale._sample import TextSample
from honeybayes.scale._statistics import Statistics
from honeybayes.text import TextVectorizer, Vocabulary
from honeybayes.utils.digests import MAX_DIGESTS, digest_texts
from honeybayes.utils.labels import is_auto, is_blank, is_missing, is_unlabeled
from honeybayes.utils.tags import unlabeled_parameter
from honeybayes.utils.texts import check_labels_of_texts, check_texts

MOST_GATHERED = 200_000  # labeled texts that are brought to one machine
POOL_SIZE = 20_000  # unlabeled texts that are brought to one machine
MANY_LABELS = 5_000  # from here on, a part of the labels is enough to measure the confidence
N_HELD_OUT = 1_000
BATCH_SIZE = 50_000  # texts whose counts are in memory at one time
SEED = 2012  # of the held-out texts


class LabelMarks(NamedTuple):
    """What means "no label": the parameter of the model, and, with "auto", whether -1 does, too."""

    given: Any
    minus_one: bool = False

    def find(self, labels: list[Any]) -> np.ndarray:
        """Return which labels mean it."""
        if self.given is None:
            return np.zeros(len(labels), dtype=bool)
        if not is_auto(self.given):
            return is_unlabeled(check_labels_of_texts(labels, self.given), self.given)
        return np.array(
            [
                is_missing(each) or is_blank(each) or bool(self.minus_one and each == -1)
                for each in labels
            ]
        )


def split_part(part: TextPart, marks: LabelMarks) -> tuple[list[str], np.ndarray, list[str]]:
    """Return the labeled texts of a part, their labels, and the texts without a label."""
    texts = check_texts(part.texts, allow_empty=True)
    pool = check_texts(part.pool, "pool", allow_empty=True)
    if part.labels is None or not texts:
        if part.labels is not None and len(part.labels):
            raise ValueError(f"X has no texts, y has {len(part.labels)} labels.")
        return [], np.zeros(0, dtype=str), texts + pool
    labels = list(part.labels)
    if len(labels) != len(texts):
        raise ValueError(f"X has {len(texts)} texts, y has {len(labels)} labels.")
    missing = marks.find(labels)
    known = np.flatnonzero(~missing).tolist()
    pool = [texts[row] for row in np.flatnonzero(missing).tolist()] + pool
    if not known:
        return [], np.zeros(0, dtype=str), pool
    return [texts[row] for row in known], check_labels_of_texts([labels[n] for n in known]), pool


class AddTo:
    """A task that adds a part to a copy of an empty object."""

    def __init__(self, empty: Any) -> None:
        self.empty = empty

    def __call__(self, part: TextPart, number: int) -> Any:
        return self.empty.empty_copy().add(part, number)


class RandomRows:
    """Random rows of all parts. Which ones depends on the parts, not on their order of merging."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.rows: list[tuple[float, int, int, str, Any]] = []  # sorted by a random number

    def add(self, number: int, texts: Sequence[str], labels: Sequence[Any]) -> None:
        keys = np.random.default_rng([SEED, number]).random(len(texts))
        chosen = np.argsort(keys)[: self.size].tolist()
        self._take([(float(keys[row]), number, row, texts[row], labels[row]) for row in chosen])

    def merge(self, other: "RandomRows") -> None:
        self._take(other.rows)

    def _take(self, rows: list[Any]) -> None:
        self.rows = sorted([*self.rows, *rows], key=lambda row: row[:3])[: self.size]

    def in_order(self) -> tuple[list[str], list[Any]]:
        """Return texts and labels, in the order of the parts."""
        rows = sorted(self.rows, key=lambda row: row[1:3])
        return [row[3] for row in rows], [row[4] for row in rows]

    def digests(self, salt: int) -> np.ndarray:
        """Return the digests of the texts, in the order of ``rows``."""
        return digest_texts([row[3] for row in self.rows], salt)


class Survey:
    """What the first pass finds: terms, classes, and some texts."""

    def __init__(self, vocabulary: Vocabulary, marks: LabelMarks, with_unlabeled: bool) -> None:
        self.vocabulary, self.marks, self.with_unlabeled = vocabulary, marks, with_unlabeled
        self.sizes: Counter[Any] = Counter()
        self.sample, self.unlabeled = RandomRows(MANY_LABELS), RandomRows(MANY_LABELS)
        self.n_unlabeled = self.n_blank = 0  # of all parts, and of those that have labels

    def empty_copy(self) -> "Survey":
        return Survey(self.vocabulary.empty_copy(), self.marks, self.with_unlabeled)

    def add(self, part: TextPart, number: int) -> Self:
        texts, labels, pool = split_part(part, self.marks)
        self.sizes.update(labels.tolist())
        self.sample.add(number, texts, labels.tolist())
        self.vocabulary.add(texts)
        self.n_unlabeled += len(pool)
        self.n_blank += 0 if part.labels is None else len(pool)
        if self.with_unlabeled:
            self.unlabeled.add(number, pool, [None] * len(pool))
            self.vocabulary.add(pool)
        return self

    def merge(self, other: "Survey") -> Self:
        if {isinstance(label, str) for label in [*self.sizes, *other.sizes]} == {True, False}:
            raise ValueError(
                "The labels are strings in some parts and numbers in others. Convert all of them "
                "to strings."
            )
        self.sizes.update(other.sizes)
        self.sample.merge(other.sample)
        self.unlabeled.merge(other.unlabeled)
        self.vocabulary.merge(other.vocabulary)
        self.n_unlabeled += other.n_unlabeled
        self.n_blank += other.n_blank
        return self

    def choose_held_out(self, salt: int) -> RandomRows:
        """Return different texts to measure the confidence with; none if there are few labels.

        A class of which no other text would be left loses none.
        """
        chosen = RandomRows(N_HELD_OUT)
        if self.sizes.total() > MANY_LABELS:
            first = self.sample.rows[:N_HELD_OUT]
            taken = Counter(row[-1] for row in first)
            chosen.rows = [row for row in first if taken[row[-1]] < self.sizes[row[-1]]]
            different = np.unique(chosen.digests(salt), return_index=True)[1]
            chosen.rows = [chosen.rows[at] for at in np.sort(different)]
        return chosen


class TermCounts:
    """Statistics by name, "all" of all texts and "rest" without the held-out ones, and digests."""

    def __init__(self, statistics: dict[str, Statistics]) -> None:
        self.statistics, self.digests = statistics, np.zeros(0, dtype=np.uint64)

    def empty_copy(self) -> "TermCounts":
        return TermCounts({name: each.empty_copy() for name, each in self.statistics.items()})

    def merge(self, other: "TermCounts") -> Self:
        for name, each in other.statistics.items():
            self.statistics[name].merge(each)
        self.add_digests(other.digests)
        return self

    def add_digests(self, digests: np.ndarray) -> None:
        self.digests = np.union1d(self.digests, digests)[:MAX_DIGESTS]


class CountTerms:
    """The task that counts the terms of a part."""

    def __init__(
        self,
        vectorizer: TextVectorizer,
        empty: TermCounts,
        *,
        held_out: np.ndarray,
        marks: LabelMarks,
        mark: Any,
        salt: int,
    ) -> None:
        self.vectorizer, self.empty, self.held_out = vectorizer, empty, held_out
        self.marks, self.mark, self.salt = marks, mark, salt
        model = next(iter(empty.statistics.values())).model
        self.uses_pool = unlabeled_parameter(model) is not None

    def __call__(self, part: TextPart, number: int) -> TermCounts:
        texts, labels, pool = split_part(part, self.marks)
        found = self.empty.empty_copy()
        digests = digest_texts(texts, self.salt)
        found.add_digests(digests)
        is_kept = ~np.isin(digests, self.held_out)  # copies of held-out texts are held out, too
        if pool and self.uses_pool:
            is_kept = np.append(is_kept, np.ones(len(pool), dtype=bool))
            marks = np.full(len(pool), self.mark)  # which keep their type if there is no label
            labels = np.concatenate([labels, marks]) if texts else marks
            texts = texts + pool
        for first in range(0, len(texts), BATCH_SIZE):
            rows = slice(first, first + BATCH_SIZE)
            columns = self.vectorizer.transform(texts[rows])
            for name, statistics in found.statistics.items():
                kept = slice(None) if name == "all" else np.flatnonzero(is_kept[rows])
                statistics.add(columns[kept], labels[rows][kept])
        return found


class GatheredTexts:
    """Labeled texts, up to the limit, and a sample of the others."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.labels: list[Any] = []
        self.sizes: Counter[Any] = Counter()
        self.n_labeled = self.n_unlabeled = self.n_blank = 0
        self.pool = TextSample(POOL_SIZE, SEED)

    def empty_copy(self) -> "GatheredTexts":
        return GatheredTexts()

    def merge(self, other: "GatheredTexts") -> Self:
        self.take(other.texts, other.labels, other.n_labeled)
        self.sizes.update(other.sizes)
        self.n_unlabeled += other.n_unlabeled
        self.n_blank += other.n_blank
        self.pool.merge(other.pool)
        return self

    def take(self, texts: list[str], labels: list[Any], n_labeled: int) -> None:
        """Add labeled texts; beyond the limit, only count them."""
        self.n_labeled += n_labeled
        if self.n_labeled <= MOST_GATHERED:
            self.texts, self.labels = self.texts + texts, self.labels + labels
        else:
            self.texts, self.labels = [], []


class GatherTexts:
    """The task that brings texts to one machine."""

    def __init__(self, marks: LabelMarks, with_unlabeled: bool) -> None:
        self.marks, self.with_unlabeled = marks, with_unlabeled

    def __call__(self, part: TextPart, number: int) -> GatheredTexts:
        texts, labels, pool = split_part(part, self.marks)
        found = GatheredTexts()
        found.take(texts, labels.tolist(), len(texts))
        found.sizes.update(labels.tolist())
        found.n_unlabeled = len(pool)
        found.n_blank = 0 if part.labels is None else len(pool)
        if self.with_unlabeled:
            found.pool.add(pool)
        return found
