"""What is done with each part, on a worker or here, and the results, which merge."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from honeybayes.scale._statistics import Statistics
from honeybayes.text import MOST_TEXTS, TextVectorizer, Vocabulary
from honeybayes.utils.labels import has_no_label, is_auto, is_unlabeled
from honeybayes.utils.parameters import documented
from honeybayes.utils.texts import MAX_DIGESTS, check_labels_of_texts, check_texts, digest_texts
from honeybayes.utils.validation import check_integer


@documented
class TextSample:
    """A random sample of texts that come in parts.

    Each text has a random number: a digest of the text and the seed. The sample is the texts with
    the smallest numbers. So it is the same for any split into parts, any order of the texts, and in
    any process, and every text has the same chance to be in it.

    Texts that differ only in upper and lower case or in white space count as one text, however
    often they occur. The one that comes first in the order of strings stays.

    Parameters
    ----------
    size : int
        Largest number of texts in the sample, 1 or more. Not more than twice as many are kept in
        memory, besides the part that is added.
    seed : int, default=0
        Another seed gives another sample.

    Examples
    --------
    >>> from honeybayes.scale import TextSample
    >>> one = TextSample(2).add(["cheap pills", "see you at noon"])
    >>> other = TextSample(2).add(["see you at noon", "minutes of the meeting"])
    >>> one.merge(other).finish()
    ['see you at noon', 'cheap pills']
    """

    def __init__(self, size: int, seed: int = 0) -> None:
        check_integer("size", size, least=1)
        check_integer("seed", seed)
        self.size, self.seed = size, seed
        self._kept: dict[int, str] = {}  # texts by their digests
        self._below = 2**64  # no digest of the sample is as large

    def add(self, texts: Any) -> Self:
        """Add texts.

        Parameters
        ----------
        texts : array-like of str
            A part of the texts. It may be empty.
        """
        checked = check_texts(texts, "texts", allow_empty=True)
        return self._keep(zip(digest_texts(checked, self.seed).tolist(), checked, strict=True))

    def merge(self, other: "TextSample") -> Self:
        """Add the texts of another sample of the same size and seed.

        Parameters
        ----------
        other : TextSample
            It is not changed.
        """
        if (other.size, other.seed) != (self.size, self.seed):
            raise ValueError(
                f"A sample of size {other.size} and seed {other.seed} cannot be merged with one of "
                f"size {self.size} and seed {self.seed}. Use the same size and seed for all parts."
            )
        return self._keep([*other._kept.items()])

    def finish(self) -> list[str]:
        """Return at most ``size`` different texts, in the order of their random numbers."""
        return [text for _, text in sorted(self._kept.items())[: self.size]]

    def _keep(self, digested: Iterable[tuple[int, str]]) -> Self:
        for digest, text in digested:
            if digest < self._below:
                self._kept[digest] = min(text, self._kept.get(digest, text))
                if len(self._kept) > 2 * self.size:
                    self._kept = dict(sorted(self._kept.items())[: self.size])
                    self._below = max(self._kept) + 1
        return self


MOST_GATHERED = 200_000  # labeled texts that are brought to one machine
POOL_SIZE = 20_000  # unlabeled texts that are brought to one machine
ENOUGH_LABELS = 5_000  # from here on, a part of the labels is enough to measure the confidence
N_HELD_OUT = 1_000
BATCH_SIZE = 50_000  # texts whose counts are in memory at one time
SEED = 2012  # of the held-out texts


class LabelMarks(NamedTuple):
    """What means "no label": the parameter of the model, and, with "auto", whether -1 does, too."""

    given: Any
    minus_one: bool = False

    def find(self, labels: list[Any]) -> np.ndarray:
        """Return which labels mean it."""
        if self.given is None or not labels:
            return np.zeros(len(labels), dtype=bool)
        if not is_auto(self.given):
            return is_unlabeled(check_labels_of_texts(labels, self.given), self.given)
        is_mark = [has_no_label(each) or (self.minus_one and each == -1) for each in labels]
        return np.array(is_mark, dtype=bool)


def split_part(part: tuple[Any, ...], marks: LabelMarks) -> tuple[list[str], np.ndarray, list[str]]:
    """Return the labeled texts of a part, their labels, and the texts without a label."""
    given, labels, *more = part
    texts = check_texts(given, allow_empty=True)
    pool = check_texts(more[0] if more else [], "pool", allow_empty=True)
    no_labels = np.zeros(0, dtype=str)
    if labels is None:
        return [], no_labels, texts + pool
    labels = list(labels)
    if len(labels) != len(texts):
        raise ValueError(f"X has {len(texts) or 'no'} texts, y has {len(labels)} labels.")
    missing = marks.find(labels)
    known = np.flatnonzero(~missing).tolist()
    pool = [texts[row] for row in np.flatnonzero(missing).tolist()] + pool
    checked = check_labels_of_texts([labels[row] for row in known]) if known else no_labels
    return [texts[row] for row in known], checked, pool


class RandomRows:
    """Random rows of all parts. Which ones depends on the parts, not on their order of merging."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.rows: list[tuple[float, int, int, str, Any]] = []  # each begins with a random number

    def add(self, number: int, texts: Sequence[str], labels: Sequence[Any]) -> None:
        keys = np.random.default_rng([SEED, number]).random(len(texts))
        chosen = np.argsort(keys)[: self.size].tolist()
        self._take([(float(keys[row]), number, row, texts[row], labels[row]) for row in chosen])

    def empty_copy(self) -> "RandomRows":
        return RandomRows(self.size)

    def merge(self, other: "RandomRows") -> None:
        self._take(other.rows)

    def _take(self, rows: list[Any]) -> None:
        self.rows += rows
        if len(self.rows) > self.size:
            self.rows = sorted(self.rows, key=lambda row: row[:3])[: self.size]

    def in_order(self) -> tuple[list[str], list[Any]]:
        """Return texts and labels, in the order of the parts."""
        rows = sorted(self.rows, key=lambda row: row[1:3])
        return [row[3] for row in rows], [row[4] for row in rows]

    def digests(self, salt: int) -> np.ndarray:
        """Return the digests of the texts, in the order of ``rows``."""
        return digest_texts([row[3] for row in self.rows], salt)


class Survey:
    """What the first pass finds: the sizes of the classes, some texts, and terms.

    Without a vocabulary, it is all labeled texts up to the limit, and a sample of the others.
    """

    def __init__(self, vocabulary: Vocabulary | None, with_unlabeled: bool) -> None:
        self.vocabulary, self.with_unlabeled = vocabulary, with_unlabeled
        self.sizes: Counter[Any] = Counter()
        self.n_unlabeled = self.n_blank = 0  # of all parts, and of those that have labels
        self.labeled = RandomRows(MOST_GATHERED if vocabulary is None else ENOUGH_LABELS)
        self.unlabeled, self.pool = RandomRows(ENOUGH_LABELS), TextSample(POOL_SIZE, SEED)

    def empty_copy(self) -> "Survey":
        empty = None if self.vocabulary is None else self.vocabulary.empty_copy()
        return Survey(empty, self.with_unlabeled)

    def merge(self, other: "Survey") -> None:
        if {isinstance(label, str) for label in [*self.sizes, *other.sizes]} == {True, False}:
            raise ValueError("Labels are strings in some parts and numbers in others. Use strings.")
        self.sizes.update(other.sizes)
        self.n_unlabeled += other.n_unlabeled
        self.n_blank += other.n_blank
        self.labeled.merge(other.labeled)
        if self.vocabulary is None and self.sizes.total() > MOST_GATHERED:
            self.labeled = RandomRows(0)  # beyond the limit, texts are only counted
        self.unlabeled.merge(other.unlabeled)
        self.pool.merge(other.pool)
        if self.vocabulary is not None and other.vocabulary is not None:
            self.vocabulary.merge(other.vocabulary)

    def choose_held_out(self, salt: int) -> RandomRows:
        """Return different texts to measure the confidence with; none if there are few labels.

        A class of which no other text would be left loses none.
        """
        chosen = RandomRows(N_HELD_OUT)
        if self.sizes.total() > ENOUGH_LABELS:
            first = self.labeled.rows[:N_HELD_OUT]
            taken = Counter(row[-1] for row in first)
            chosen.rows = [row for row in first if taken[row[-1]] < self.sizes[row[-1]]]
            different = np.unique(chosen.digests(salt), return_index=True)[1]
            chosen.rows = [chosen.rows[at] for at in np.sort(different)]
        return chosen


def survey(empty: Survey, marks: LabelMarks, part: tuple[Any, ...], number: int) -> Survey:
    """Find the classes, texts and terms of a part."""
    found, (texts, labels, pool) = empty.empty_copy(), split_part(part, marks)
    found.sizes.update(labels.tolist())
    found.n_unlabeled = len(pool)
    found.n_blank = 0 if part[1] is None else len(pool)
    found.labeled.add(number, texts, labels.tolist())
    others = pool if found.with_unlabeled else []
    if found.vocabulary is None:
        found.pool.add(others)
    else:
        found.unlabeled.add(number, others, [None] * len(others))
        found.vocabulary.add(texts).add(others)
    return found


def some_texts(part: tuple[Any, ...], number: int) -> RandomRows:
    """Return some texts of a part, to look at them."""
    found, texts = RandomRows(MOST_TEXTS), check_texts(part[0], allow_empty=True)
    texts += check_texts(part[2] if len(part) > 2 else [], allow_empty=True)
    found.add(number, texts, [None] * len(texts))
    return found


class TermCounts:
    """Statistics by name, "all" of all texts and "rest" without the held-out ones, and digests."""

    def __init__(self, statistics: dict[str, Statistics]) -> None:
        self.statistics, self.digests = statistics, np.zeros(0, dtype=np.uint64)

    def empty_copy(self) -> "TermCounts":
        return TermCounts({name: each.empty_copy() for name, each in self.statistics.items()})

    def merge(self, other: "TermCounts") -> None:
        for name, each in other.statistics.items():
            self.statistics[name].merge(each)
        self.digests = np.union1d(self.digests, other.digests)[:MAX_DIGESTS]


def add_counts(empty: TermCounts, part: tuple[Any, Any], number: int) -> TermCounts:
    """Add a part of counts and labels."""
    found = empty.empty_copy()
    found.statistics["all"].add(*part)
    return found


def count_terms(
    empty: TermCounts,
    part: tuple[Any, ...],
    number: int,
    *,
    vectorizer: TextVectorizer,
    held_out: np.ndarray,
    marks: LabelMarks,
    mark: Any,
    uses_pool: bool,
    salt: int,
) -> TermCounts:
    """Count the terms of a part of texts."""
    texts, labels, pool = split_part(part, marks)
    found = empty.empty_copy()
    digests = digest_texts(texts, salt)
    found.digests = np.unique(digests)[:MAX_DIGESTS]
    is_kept = ~np.isin(digests, held_out)  # copies of held-out texts are held out, too
    if pool and uses_pool:
        is_kept = np.append(is_kept, np.ones(len(pool), dtype=bool))
        unlabeled = np.full(len(pool), mark)  # which keep their type if there is no label
        labels = np.concatenate([labels, unlabeled]) if texts else unlabeled
        texts = texts + pool
    for first in range(0, len(texts), BATCH_SIZE):
        rows = slice(first, first + BATCH_SIZE)
        columns = vectorizer.transform(texts[rows])
        for name, statistics in found.statistics.items():
            kept = slice(None) if name == "all" else np.flatnonzero(is_kept[rows])
            statistics.add(columns[kept], labels[rows][kept])
    return found
