"""What is done with each part, on a worker or here, and the results, which merge."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from honeybayes.scale._sample import TextSample
from honeybayes.scale._statistics import Statistics
from honeybayes.text import TextVectorizer, Vocabulary
from honeybayes.utils.digests import MAX_DIGESTS, digest_texts
from honeybayes.utils.labels import has_no_label, is_auto, is_unlabeled
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
            [has_no_label(each) or bool(self.minus_one and each == -1) for each in labels]
        )


class Documents(NamedTuple):
    """The labeled texts of a part, their labels, and the texts without a label."""

    texts: list[str]
    labels: np.ndarray
    pool: list[str]
    has_labels: bool  # whether the part has labels at all


def split_part(part: tuple[Any, ...], marks: LabelMarks) -> Documents:
    """Check what a part has loaded, and take the texts without a label apart."""
    given, labels, *more = part
    texts = check_texts(given, allow_empty=True)
    pool = check_texts(more[0] if more else [], "pool", allow_empty=True)
    if labels is None:
        return Documents([], np.zeros(0, dtype=str), texts + pool, False)
    labels = list(labels)
    if len(labels) != len(texts):
        raise ValueError(f"X has {len(texts) or 'no'} texts, y has {len(labels)} labels.")
    if not labels:
        return Documents([], np.zeros(0, dtype=str), pool, True)
    missing = marks.find(labels)
    known = np.flatnonzero(~missing).tolist()
    pool = [texts[row] for row in np.flatnonzero(missing).tolist()] + pool
    if not known:
        return Documents([], np.zeros(0, dtype=str), pool, True)
    checked = check_labels_of_texts([labels[row] for row in known])
    return Documents([texts[row] for row in known], checked, pool, True)


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


class Sizes:
    """How many texts there are of each class, and without one."""

    def __init__(self) -> None:
        self.sizes: Counter[Any] = Counter()
        self.n_unlabeled = self.n_blank = 0  # of all parts, and of those that have labels

    def count(self, documents: Documents) -> None:
        self.sizes.update(documents.labels.tolist())
        self.n_unlabeled += len(documents.pool)
        self.n_blank += len(documents.pool) if documents.has_labels else 0

    def merge(self, other: Any) -> Self:
        if {isinstance(label, str) for label in [*self.sizes, *other.sizes]} == {True, False}:
            raise ValueError(
                "The labels are strings in some parts and numbers in others. Convert all of them "
                "to strings."
            )
        self.sizes.update(other.sizes)
        self.n_unlabeled += other.n_unlabeled
        self.n_blank += other.n_blank
        return self


class Survey(Sizes):
    """What the first pass finds: terms, classes, and some texts."""

    def __init__(self, vocabulary: Vocabulary, with_unlabeled: bool) -> None:
        super().__init__()
        self.vocabulary, self.with_unlabeled = vocabulary, with_unlabeled
        self.sample, self.unlabeled = RandomRows(MANY_LABELS), RandomRows(MANY_LABELS)

    def empty_copy(self) -> "Survey":
        return Survey(self.vocabulary.empty_copy(), self.with_unlabeled)

    def merge(self, other: "Survey") -> Self:
        super().merge(other)
        self.sample.merge(other.sample)
        self.unlabeled.merge(other.unlabeled)
        self.vocabulary.merge(other.vocabulary)
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


def survey(empty: Survey, marks: LabelMarks, part: tuple[Any, ...], number: int) -> Survey:
    """Find the terms and classes of a part."""
    found, documents = empty.empty_copy(), split_part(part, marks)
    found.count(documents)
    found.sample.add(number, documents.texts, documents.labels.tolist())
    found.vocabulary.add(documents.texts)
    if found.with_unlabeled:
        found.unlabeled.add(number, documents.pool, [None] * len(documents.pool))
        found.vocabulary.add(documents.pool)
    return found


class TermCounts:
    """Statistics by name, "all" of all texts and "rest" without the held-out ones, and digests."""

    def __init__(self, statistics: dict[str, Statistics], digests: Any = None) -> None:
        self.statistics = statistics
        self.digests = np.zeros(0, dtype=np.uint64) if digests is None else digests

    def empty_copy(self) -> "TermCounts":
        return TermCounts({name: each.empty_copy() for name, each in self.statistics.items()})

    def merge(self, other: "TermCounts") -> Self:
        for name, each in other.statistics.items():
            self.statistics[name].merge(each)
        self.add_digests(other.digests)
        return self

    def add_digests(self, digests: np.ndarray) -> None:
        self.digests = np.union1d(self.digests, digests)[:MAX_DIGESTS]


class AddCounts:
    """The task that adds a part of counts and labels."""

    def __init__(self, empty: TermCounts) -> None:
        self.empty = empty

    def __call__(self, part: tuple[Any, Any], number: int) -> TermCounts:
        found = self.empty.empty_copy()
        found.statistics["all"].add(*part)
        return found


class CountTerms:
    """The task that counts the terms of a part of texts."""

    def __init__(
        self,
        empty: TermCounts,
        *,
        vectorizer: TextVectorizer,
        held_out: np.ndarray,
        marks: LabelMarks,
        mark: Any,
        salt: int,
    ) -> None:
        self.empty, self.vectorizer, self.held_out = empty, vectorizer, held_out
        self.marks, self.mark, self.salt = marks, mark, salt
        model = next(iter(empty.statistics.values())).model
        self.uses_pool = unlabeled_parameter(model) is not None

    def __call__(self, part: tuple[Any, ...], number: int) -> TermCounts:
        texts, labels, pool, _ = split_part(part, self.marks)
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


class GatheredTexts(Sizes):
    """Labeled texts, up to the limit, and a sample of the others."""

    def __init__(self) -> None:
        super().__init__()
        self.labeled: dict[int, tuple[list[str], list[Any]]] = {}  # by the numbers of the parts
        self.pool = TextSample(POOL_SIZE, SEED)

    def empty_copy(self) -> "GatheredTexts":
        return GatheredTexts()

    def merge(self, other: "GatheredTexts") -> Self:
        super().merge(other)
        self.labeled |= other.labeled
        if self.sizes.total() > MOST_GATHERED:
            self.labeled = {}  # beyond the limit, texts are only counted
        self.pool.merge(other.pool)
        return self

    def in_order(self) -> tuple[list[str], list[Any]]:
        """Return texts and labels, in the order of the parts."""
        parts = [self.labeled[number] for number in sorted(self.labeled)]
        texts = [text for each, _ in parts for text in each]
        return texts, [label for _, labels in parts for label in labels]


def gather(
    marks: LabelMarks, with_unlabeled: bool, part: tuple[Any, ...], number: int
) -> GatheredTexts:
    """Bring the texts of a part to one machine."""
    found, documents = GatheredTexts(), split_part(part, marks)
    found.count(documents)
    found.labeled[number] = documents.texts, documents.labels.tolist()
    if with_unlabeled:
        found.pool.add(documents.pool)
    return found
