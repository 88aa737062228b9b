"""Learn a `TextClassifier` from texts in parts.

Models that add up counts need a pass that finds the terms, and one or two that count them. Other
models need all labeled texts at once: these are gathered here, with a sample of the others.
"""

import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Self

import numpy as np

from honeybayes.calibration import (
    Calibration,
    calibrate_on,
    class_scores,
    find_temperature,
    scale_fitted,
)
from honeybayes.exceptions import NoPathWarning
from honeybayes.pipeline_settings import make_pipeline
from honeybayes.scale._collections import has_parts_of_dask, make_sources
from honeybayes.scale._engines import DaskEngine, LocalEngine, Shares, TextPart, TextSource
from honeybayes.scale._sample import TextSample
from honeybayes.scale._statistics import Statistics, start_statistics
from honeybayes.text import TextVectorizer, Vocabulary
from honeybayes.utils.digests import MAX_DIGESTS, digest_texts, make_digests
from honeybayes.utils.doubt import doubt_of
from honeybayes.utils.labels import is_auto, is_missing, is_unlabeled, unused_label
from honeybayes.utils.tags import mark_of_unlabeled, unlabeled_parameter
from honeybayes.utils.texts import check_labels_of_texts, check_texts
from honeybayes.zoo import models_with

MAX_TERMS = 500_000
MOST_GATHERED = 200_000  # labeled texts that are brought to one machine
POOL_SIZE = 20_000  # unlabeled texts that are brought to one machine
MANY_LABELS = 5_000  # from here on, a part of the labels is enough to measure the confidence
N_HELD_OUT = 1_000
BATCH_SIZE = 50_000  # texts whose counts are in memory at one time
SEED = 2012  # of the held-out texts


@dataclass
class TextFit:
    """What a model has learned from.

    Parameters
    ----------
    n_labeled : int
        Labeled texts.
    n_unlabeled : int
        Texts without a label, in all parts.
    n_pool : int
        Those of them that the model has learned from.
    sizes : mapping
        Number of texts of each class.
    left_out : mapping of str to str
        With ``keep_going``: the parts that could not be read, and why.
    max_error : int
        0 if every term was counted; otherwise see `honeybayes.text.Vocabulary`.
    """

    n_labeled: int
    n_unlabeled: int
    n_pool: int
    sizes: Mapping[Any, int]
    left_out: Mapping[str, str] = field(default_factory=dict)
    max_error: int = 0


def fit_texts(
    classifier: Any,
    X: Any,
    y: Any = None,
    pool: Any = None,
    *,
    seeds: Any = None,
    max_terms: int | None = MAX_TERMS,
    q: str = "exact",
    engine: LocalEngine | None = None,
    keep_going: bool = False,
) -> TextFit:
    """Fit a `TextClassifier` to texts of Dask, or to parts that are read one after the other.

    Parameters
    ----------
    classifier : TextClassifier
        It is fitted.
    X : Series or Bag of Dask, sequence of TextSource, or iterable of str
        The texts. Parts are read once per pass: twice for models that add up counts, three times
        or more for paths, and once for other models. Texts in memory are one part.
    y : Series, Bag or Array of Dask, or array-like, optional
        The labels, in the same partitions. Sources have their own labels.
    pool : as X, optional
        Unlabeled texts, for models that can use them.
    seeds : dict or list of classes, optional
        As in ``TextClassifier.fit``.
    max_terms : int or None, default=500_000
        The most terms of a model that adds up counts; see `honeybayes.text.Vocabulary`. A warning
        says if there were more. None keeps all.
    q : {"exact", "sketch"}, default="exact"
        As in `start_statistics`.
    engine : LocalEngine, DaskEngine or None, default=None
        Who reads the parts. None uses Dask for its own collections, and this process otherwise.
    keep_going : bool, default=False
        Whether to leave out parts that cannot be read. By default, they raise an error that names
        the part.

    Returns
    -------
    TextFit
        What it has learned from.

    Notes
    -----
    **Models that add up counts** (NB, MVNB, MNB, CNB, OVA, HONB, HOS and others, see
    `start_statistics`) have the same terms and counts as after ``fit`` with all texts, and give
    the same answers. Their confidence is also the same with up to 5,000 labels. With more, 1,000
    random texts are held out, and a model of all others answers them.

    **Other models**, and ``n_terms`` or an encoder, need all labeled texts at once. At most 200,000
    are gathered in this process; more raise an error. Of the texts without a label, a random
    sample of 20,000 different ones is used (`TextSample`).

    Examples
    --------
    >>> from honeybayes import TextClassifier
    >>> from honeybayes.scale import TextPart, TextSource, fit_texts
    >>> parts = {
    ...     "monday": TextPart(["My parcel is late", "Charged twice"], ["delivery", "billing"]),
    ...     "tuesday": TextPart(["Where is my parcel?", "Wrong charge"], ["delivery", "billing"]),
    ... }
    >>> classifier = TextClassifier("CNB")
    >>> fit_texts(classifier, [TextSource(day, parts.get, (day,)) for day in parts]).n_labeled
    4
    >>> classifier.predict(["parcels"])
    array(['delivery'], dtype='<U8')
    """
    if engine is None:
        engine = DaskEngine() if has_parts_of_dask(X) or has_parts_of_dask(pool) else LocalEngine()
    labeled, unlabeled = make_sources(X, y, seeds is not None), make_sources(pool, name="pool")
    sources = dict(enumerate([*labeled, *unlabeled]))
    if not sources:
        raise ValueError("There are no texts: X has no parts. Pass at least one.")
    classifier._check_parameters()
    model = classifier._unfitted_model() if seeds is None else classifier._unfitted_model_of_seeds()
    if unlabeled:
        classifier._check_takes_pool(model)
    learn = _Learner(classifier, model, engine, keep_going)
    statistics = None if seeds is not None else _statistics_of(classifier, model, q)
    if statistics is None:
        return learn.gathered(sources, seeds)
    return learn.counted(sources, max_terms, q)


def _statistics_of(classifier: Any, model: Any, q: str) -> Statistics | None:
    """Return empty statistics of a model, or None if it needs all texts at once."""
    if classifier._is_auto() or classifier.encoder is not None or classifier.n_terms is not None:
        return None
    try:
        return start_statistics(model, q=q)
    except ValueError:
        if q not in ("exact", "sketch"):
            raise
        return None


class _Learner:
    """One fit."""

    def __init__(self, classifier: Any, model: Any, engine: LocalEngine, keep_going: bool) -> None:
        self.classifier, self.model, self.engine = classifier, model, engine
        self.keep_going = keep_going
        self.mark = mark_of_unlabeled(model)
        if classifier._is_auto():
            self.mark = "auto"

    def gathered(self, sources: dict[int, TextSource], seeds: Any) -> TextFit:
        """Learn from all labeled texts at once, and from a sample of the others."""
        uses_pool = self.classifier._is_auto() or unlabeled_parameter(self.model) is not None
        task = _Gather(self.mark, uses_pool)
        shares = self._first_pass("Texts", task, sources)
        found: _Gathered = shares.value
        if found.n_labeled > MOST_GATHERED:
            raise ValueError(
                f"There are {found.n_labeled:,} labeled texts. The model "
                f"{self.classifier.model!r} needs all of them in the memory of one machine, and "
                f"the limit is {MOST_GATHERED:,}. Use a model that adds up counts, such as "
                f"{', '.join(models_with('learns_in_batches'))}, HONB or HOS, without n_terms and "
                "encoder; or fit this one to a sample."
            )
        if not found.n_labeled and seeds is None:
            raise ValueError(
                "No text has a label. Label texts of at least two classes, or name the classes."
            )
        sample = found.pool.finish()
        self.classifier.fit(found.texts, found.labels, pool=sample, seeds=seeds)
        return TextFit(
            found.n_labeled, found.n_unlabeled, len(sample), Counter(found.labels), shares.problems
        )

    def counted(self, sources: dict[int, TextSource], max_terms: int | None, q: str) -> TextFit:
        """Learn from sums over the texts."""
        classifier, model = self.classifier, self.model
        parameter = unlabeled_parameter(model)
        opening = classifier.opening if isinstance(classifier.opening, int) else 0
        stop_words = classifier._stop_words_without_evidence()
        vectorizer = classifier._unfitted_vectorizer(stop_words, opening)
        survey = _Survey(Vocabulary(vectorizer, max_terms=max_terms), self.mark, bool(parameter))
        shares = self._first_pass("Terms", _AddTo(survey), sources)
        found: _Survey = shares.value
        left = {n: source for n, source in sources.items() if source.name not in shares.problems}
        classes = np.asarray(sorted(found.sizes))
        sizes = np.array([found.sizes[label] for label in classes.tolist()])
        classifier._check_class_sizes(classes, sizes, self.mark, not found.n_unlabeled)
        vectorizer = found.vocabulary.finish()
        _warn_about_terms(found.vocabulary)
        if found.n_unlabeled and (self.mark is None or is_auto(self.mark)):
            self.mark = unused_label(classes)
        if parameter is not None:
            model.set_params(**{parameter: None if is_auto(self.mark) else self.mark})
        is_scaled = classifier._add_calibration(model, None) is not model
        held_out = found.choose_held_out() if is_scaled else _Rows(0)
        texts, labels = found.sample.in_order()
        salt = make_digests(texts)[0]
        empty = start_statistics(model, q=q)
        fitted, digests = self._count(vectorizer, empty, held_out, salt, left)
        last = fitted["all"]
        if is_scaled:
            if "rest" in fitted:
                calibration = _calibrate_on(fitted["rest"], vectorizer, held_out, found)
            else:
                others = found.unlabeled.in_order()[0]
                labels = [*labels, *[self.mark] * len(others)]
                columns = vectorizer.transform([*texts, *others])
                calibration = find_temperature(
                    model, columns, np.asarray(labels), min_df=classifier.min_df
                )
            last = scale_fitted(last, calibration, min_df=classifier.min_df)
        classifier.pipeline_ = make_pipeline(vectorizer, last, is_scaled)
        classifier.choice_ = classifier.seeds_check_ = classifier.table_ = None
        classifier.salt_, classifier.digests_ = salt, digests
        n_labeled, n_pool = int(sizes.sum()), found.n_unlabeled if parameter else 0
        return TextFit(
            *(n_labeled, found.n_unlabeled, n_pool, found.sizes, shares.problems),
            max_error=found.vocabulary.max_error,
        )

    def _first_pass(self, what: str, task: Any, sources: dict[int, TextSource]) -> Shares:
        shares = self.engine.collect(what, task, sources, self.keep_going)
        if shares.value is None:
            first = next(iter(shares.problems.values()))
            raise ValueError(f"None of the {len(sources)} parts could be read. The first: {first}")
        return shares

    def _count(
        self,
        vectorizer: TextVectorizer,
        statistics: Statistics,
        held_out: "_Rows",
        salt: int,
        sources: dict[int, TextSource],
    ) -> tuple[dict[str, Any], Any]:
        """Return the fitted models, and digests of the labeled texts."""
        left: dict[str, Statistics] = {"all": statistics}
        done: dict[str, Statistics] = {}
        if held_out.rows:
            left["rest"] = statistics.empty_copy()
        digests = None
        while left:
            task = _Count(vectorizer, _Counts(left), held_out.by_part(), self.mark, salt)
            counts: _Counts = self.engine.collect("Counts", task, sources).value
            digests = counts.digests if digests is None else digests
            left = {n: each for n, each in counts.statistics.items() if each.n_passes_left}
            done |= {n: each for n, each in counts.statistics.items() if n not in left}
            left = {n: each.next_pass() for n, each in left.items()}
        fitted = {"all": done["all"].finish()}
        if "rest" in done:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", NoPathWarning)  # the model of all texts warns
                fitted["rest"] = done["rest"].finish()
        return fitted, digests


def _calibrate_on(rest: Any, vectorizer: Any, held_out: "_Rows", found: "_Survey") -> Calibration:
    """Measure the temperature with a model that has not seen the held-out texts."""
    texts, labels = held_out.in_order()
    scores = class_scores(rest, vectorizer.transform(texts))
    position = np.searchsorted(rest.classes_, np.asarray(labels))
    n_alone = sum(size == 1 for size in found.sizes.values())
    alone = Fraction(n_alone, found.sizes.total() - n_alone)
    doubt = doubt_of(float(found.sizes.total()), len(found.sizes))
    return calibrate_on(scores, position, doubt, alone)


def _warn_about_terms(vocabulary: Vocabulary) -> None:
    most, error, told = vocabulary.max_terms, vocabulary.max_error, ""
    if most is None or not (error or vocabulary.n_frequent > most):
        return
    if error:
        most = vocabulary.n_terms  # the most that are counted, and there were more
        told = f" Their numbers of documents may be up to {error:,} too low."
    warnings.warn(
        f"There are more than {most:,} terms. Those of the most documents are kept.{told} "
        "Set max_terms= to keep more, or min_df= to leave out rare terms.",
        UserWarning,
        stacklevel=4,
    )


def split_part(part: TextPart, mark: Any) -> tuple[list[str], np.ndarray, list[str]]:
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
    if is_auto(mark):
        missing = np.array([is_missing(each) or _is_blank(each) for each in labels])
    elif mark is None:
        missing = np.zeros(len(labels), dtype=bool)
    else:
        missing = is_unlabeled(check_labels_of_texts(labels, mark), mark)
    known = np.flatnonzero(~missing).tolist()
    pool = [texts[row] for row in np.flatnonzero(missing).tolist()] + pool
    if not known:
        return [], np.zeros(0, dtype=str), pool
    return [texts[row] for row in known], check_labels_of_texts([labels[n] for n in known]), pool


def _is_blank(label: Any) -> bool:
    return isinstance(label, str) and not label.strip()


class _AddTo:
    """A task that adds a part to a copy of an empty object."""

    def __init__(self, empty: Any) -> None:
        self.empty = empty

    def __call__(self, part: TextPart, number: int) -> Any:
        return self.empty.empty_copy().add(part, number)


class _Rows:
    """Random rows of all parts. Which ones depends on the parts, not on their order of merging."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.rows: list[tuple[float, int, int, str, Any]] = []  # sorted by a random number

    def add(self, number: int, texts: Sequence[str], labels: Sequence[Any]) -> None:
        keys = np.random.default_rng([SEED, number]).random(len(texts))
        chosen = np.argsort(keys)[: self.size].tolist()
        self._take([(float(keys[row]), number, row, texts[row], labels[row]) for row in chosen])

    def merge(self, other: "_Rows") -> None:
        self._take(other.rows)

    def _take(self, rows: list[Any]) -> None:
        self.rows = sorted([*self.rows, *rows], key=lambda row: row[:3])[: self.size]

    def in_order(self) -> tuple[list[str], list[Any]]:
        """Return texts and labels, in the order of the parts."""
        rows = sorted(self.rows, key=lambda row: row[1:3])
        return [row[3] for row in rows], [row[4] for row in rows]

    def by_part(self) -> dict[int, np.ndarray]:
        """Return the rows of each part."""
        found: dict[int, list[int]] = {}
        for _, number, row, _, _ in self.rows:
            found.setdefault(number, []).append(row)
        return {number: np.array(rows) for number, rows in found.items()}


class _Survey:
    """What the first pass finds: terms, classes, and some texts."""

    def __init__(self, vocabulary: Vocabulary, mark: Any, with_unlabeled: bool) -> None:
        self.vocabulary, self.mark, self.with_unlabeled = vocabulary, mark, with_unlabeled
        self.sizes: Counter[Any] = Counter()
        self.sample, self.unlabeled = _Rows(MANY_LABELS), _Rows(MANY_LABELS)
        self.n_unlabeled = 0

    def empty_copy(self) -> "_Survey":
        return _Survey(self.vocabulary.empty_copy(), self.mark, self.with_unlabeled)

    def add(self, part: TextPart, number: int) -> Self:
        texts, labels, pool = split_part(part, self.mark)
        self.sizes.update(labels.tolist())
        self.sample.add(number, texts, labels.tolist())
        self.vocabulary.add(texts)
        self.n_unlabeled += len(pool)
        if self.with_unlabeled:
            self.unlabeled.add(number, pool, [None] * len(pool))
            self.vocabulary.add(pool)
        return self

    def merge(self, other: "_Survey") -> Self:
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
        return self

    def choose_held_out(self) -> _Rows:
        """Return the texts to measure the confidence with; none if there are few labels.

        A class of which no other text would be left loses none.
        """
        chosen = _Rows(N_HELD_OUT)
        if self.sizes.total() > MANY_LABELS:
            first = self.sample.rows[:N_HELD_OUT]
            taken = Counter(row[-1] for row in first)
            chosen.rows = [row for row in first if taken[row[-1]] < self.sizes[row[-1]]]
        return chosen


class _Counts:
    """Statistics by name, "all" of all texts and "rest" without the held-out ones, and digests."""

    def __init__(self, statistics: dict[str, Statistics]) -> None:
        self.statistics, self.digests = statistics, np.zeros(0, dtype=np.uint64)

    def empty_copy(self) -> "_Counts":
        return _Counts({name: each.empty_copy() for name, each in self.statistics.items()})

    def merge(self, other: "_Counts") -> Self:
        for name, each in other.statistics.items():
            self.statistics[name].merge(each)
        self.add_digests(other.digests)
        return self

    def add_digests(self, digests: np.ndarray) -> None:
        self.digests = np.union1d(self.digests, digests)[:MAX_DIGESTS]


class _Count:
    """The task that counts the terms of a part."""

    def __init__(
        self,
        vectorizer: TextVectorizer,
        empty: _Counts,
        held_out: dict[int, np.ndarray],
        mark: Any,
        salt: int,
    ) -> None:
        self.vectorizer, self.empty, self.held_out = vectorizer, empty, held_out
        self.mark, self.salt = mark, salt
        model = next(iter(empty.statistics.values())).model
        self.uses_pool = unlabeled_parameter(model) is not None

    def __call__(self, part: TextPart, number: int) -> _Counts:
        texts, labels, pool = split_part(part, self.mark)
        found = self.empty.empty_copy()
        if texts:
            found.add_digests(digest_texts(texts, self.salt))
        if pool and self.uses_pool:
            marks = np.full(len(pool), self.mark)  # which keep their type if there is no label
            labels = np.concatenate([labels, marks]) if texts else marks
            texts = texts + pool
        is_kept = np.ones(len(texts), dtype=bool)
        is_kept[self.held_out.get(number, np.zeros(0, dtype=int))] = False
        for first in range(0, len(texts), BATCH_SIZE):
            rows = slice(first, first + BATCH_SIZE)
            columns = self.vectorizer.transform(texts[rows])
            for name, statistics in found.statistics.items():
                kept = slice(None) if name == "all" else np.flatnonzero(is_kept[rows])
                statistics.add(columns[kept], labels[rows][kept])
        return found


class _Gathered:
    """Labeled texts, up to the limit, and a sample of the others."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.labels: list[Any] = []
        self.n_labeled, self.n_unlabeled, self.pool = 0, 0, TextSample(POOL_SIZE, SEED)

    def empty_copy(self) -> "_Gathered":
        return _Gathered()

    def merge(self, other: "_Gathered") -> Self:
        self.take(other.texts, other.labels, other.n_labeled)
        self.n_unlabeled += other.n_unlabeled
        self.pool.merge(other.pool)
        return self

    def take(self, texts: list[str], labels: list[Any], n_labeled: int) -> None:
        """Add labeled texts; beyond the limit, only count them."""
        self.n_labeled += n_labeled
        if self.n_labeled <= MOST_GATHERED:
            self.texts, self.labels = self.texts + texts, self.labels + labels
        else:
            self.texts, self.labels = [], []


class _Gather:
    """The task that brings texts to one machine."""

    def __init__(self, mark: Any, with_unlabeled: bool) -> None:
        self.mark, self.with_unlabeled = mark, with_unlabeled

    def __call__(self, part: TextPart, number: int) -> _Gathered:
        texts, labels, pool = split_part(part, self.mark)
        found = _Gathered()
        found.take(texts, labels.tolist(), len(texts))
        found.n_unlabeled = len(pool)
        if self.with_unlabeled:
            found.pool.add(pool)
        return found
