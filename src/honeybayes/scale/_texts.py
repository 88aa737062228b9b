"""Learn a `TextClassifier` from texts in parts.

Models that add up counts need a pass that finds the terms, and one or two that count them. Other
models need all labeled texts at once: these are gathered here, with a sample of the others.
"""

import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple, Self

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
from honeybayes.scale._engines import (
    DaskEngine,
    LocalEngine,
    PartError,
    Shares,
    TextPart,
    TextSource,
)
from honeybayes.scale._sample import TextSample
from honeybayes.scale._statistics import Statistics, start_statistics
from honeybayes.text import TextVectorizer, Vocabulary
from honeybayes.utils.digests import MAX_DIGESTS, digest_texts, make_digests
from honeybayes.utils.doubt import doubt_of
from honeybayes.utils.labels import (
    AUTO,
    is_auto,
    is_blank,
    is_missing,
    is_unlabeled,
    unused_label,
    with_one_mark,
)
from honeybayes.utils.tags import mark_of_unlabeled, unlabeled_parameter
from honeybayes.utils.texts import check_labels_of_texts, check_texts
from honeybayes.utils.validation import check_option
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
        With ``keep_going``: the parts that could not be read, and why. If several have the same
        name, the number of the part follows it.
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
    max_terms: int | str | None = AUTO,
    q: str = "exact",
    engine: LocalEngine | None = None,
    keep_going: bool = False,
    check_sizes: Callable[[Mapping[Any, int], int], None] | None = None,
) -> TextFit:
    """Fit a `TextClassifier` to texts of Dask, or to parts that are read one after the other.

    Parameters
    ----------
    classifier : TextClassifier
        It is fitted.
    X : Series or Bag of Dask, sequence of TextSource, or iterable of str
        The texts. Parts are read once per pass: twice for models that add up counts, three times
        or more for paths, and once for other models. One more pass is needed if -1 means "no
        label" with ``unlabeled="auto"``. Texts in memory are one part.
    y : Series, Bag or Array of Dask, or array-like, optional
        The labels, in the same partitions. Sources have their own labels.
    pool : as X, optional
        Unlabeled texts, for models that can use them.
    seeds : dict or list of classes, optional
        As in ``TextClassifier.fit``.
    max_terms : int, "auto" or None, default="auto"
        The most terms of a model that adds up counts; see `honeybayes.text.Vocabulary`. A warning
        says if there were more. "auto" is 500,000, and None keeps all. Other models have no such
        bound, so a number is an error.
    q : {"exact", "sketch"}, default="exact"
        As in `start_statistics`. It has no effect on models other than `HigherOrderNB`.
    engine : LocalEngine, DaskEngine or None, default=None
        Who reads the parts. None uses Dask for its own collections, and this process otherwise.
    keep_going : bool, default=False
        Whether to leave out parts that cannot be read. By default, they raise an error that names
        the part.
    check_sizes : callable or None, default=None
        Called after the first pass with the number of texts of each class, and the number of texts
        without a label in parts that have labels. It may raise an error, before more is read.

    Returns
    -------
    TextFit
        What it has learned from.

    Notes
    -----
    **Models that add up counts** (NB, MVNB, MNB, CNB, OVA, HONB, HOS and others, see
    `start_statistics`) have the same terms and counts as after ``fit`` with all texts, and give
    the same answers. Their confidence is also the same with up to 5,000 labels, except that of HOS
    with more than 5,000 texts without a label: it is measured with a random 5,000 of these. With
    more labels, 1,000 random texts are held out, and a model of all others answers them.

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
    check_option("q", q, ("exact", "sketch"))
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
    learn = _Learner(classifier, model, engine, keep_going, check_sizes)
    if seeds is None and _adds_up(classifier, model):
        return learn.counted(sources, MAX_TERMS if is_auto(max_terms) else max_terms, q)
    if max_terms is not None and not is_auto(max_terms):
        raise ValueError(
            f"max_terms={max_terms} has no effect, because the model {classifier.model!r} with "
            "these settings needs all texts at once. Leave it out, or use one that adds up counts: "
            f"{', '.join(models_with('learns_in_batches'))}, HONB or HOS, without n_terms, encoder "
            "and class names."
        )
    return learn.gathered(sources, seeds)


def _adds_up(classifier: Any, model: Any) -> bool:
    """Return whether sums over the texts are enough; otherwise all are needed at once."""
    if classifier._is_auto() or classifier.encoder is not None or classifier.n_terms is not None:
        return False
    try:
        start_statistics(model)
    except ValueError:
        return False
    return True


class _Learner:
    """One fit."""

    def __init__(
        self, classifier: Any, model: Any, engine: LocalEngine, keep_going: bool, check_sizes: Any
    ) -> None:
        self.classifier, self.model, self.engine = classifier, model, engine
        self.keep_going, self.check_sizes = keep_going, check_sizes
        self.marks = _Marks(AUTO if classifier._is_auto() else mark_of_unlabeled(model))

    def gathered(self, sources: dict[int, TextSource], seeds: Any) -> TextFit:
        """Learn from all labeled texts at once, and from a sample of the others."""
        uses_pool = self.classifier._is_auto() or unlabeled_parameter(self.model) is not None
        found, left_out = self._first_pass(
            "Texts", lambda marks: _Gather(marks, uses_pool), sources
        )
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
            found.n_labeled,
            found.n_unlabeled,
            len(sample),
            found.sizes,
            _by_name(left_out, sources),
        )

    def counted(self, sources: dict[int, TextSource], max_terms: Any, q: str) -> TextFit:
        """Learn from sums over the texts."""
        classifier, model = self.classifier, self.model
        parameter = unlabeled_parameter(model)
        opening = classifier.opening if isinstance(classifier.opening, int) else 0
        stop_words = classifier._stop_words_without_evidence()
        vectorizer = classifier._unfitted_vectorizer(stop_words, opening)
        vocabulary = Vocabulary(vectorizer, max_terms=max_terms)
        found, left_out = self._first_pass(
            "Terms", lambda marks: _AddTo(_Survey(vocabulary, marks, bool(parameter))), sources
        )
        left = {n: source for n, source in sources.items() if n not in left_out}
        classes = np.asarray(sorted(found.sizes))
        sizes = np.array([found.sizes[label] for label in classes.tolist()])
        classifier._check_class_sizes(classes, sizes, self.marks.given, not found.n_unlabeled)
        vectorizer = found.vocabulary.finish()
        _warn_about_terms(found.vocabulary)
        mark = None if is_auto(self.marks.given) else self.marks.given
        if is_auto(self.marks.given) and found.n_blank:
            mark = with_one_mark([*classes.tolist(), None], AUTO)[1]
        elif mark is None and found.n_unlabeled:
            mark = unused_label(classes)
        if parameter is not None:
            model.set_params(**{parameter: mark})
        is_scaled = classifier._add_calibration(model, None) is not model
        texts, labels = found.sample.in_order()
        salt = make_digests(texts)[0]
        held_out = found.choose_held_out(salt) if is_scaled else _Rows(0)
        empty = start_statistics(model, q=q)
        task = partial(
            _Count,
            vectorizer,
            held_out=held_out.digests(salt),
            marks=self.marks,
            mark=mark,
            salt=salt,
        )
        fitted, digests = self._count(task, empty, bool(held_out.rows), left)
        last = fitted["all"]
        if is_scaled:
            if "rest" in fitted:
                calibration = _calibrate_on(fitted["rest"], vectorizer, held_out, found)
            else:
                others = found.unlabeled.in_order()[0]
                labels = [*labels, *[mark] * len(others)]
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
            *(n_labeled, found.n_unlabeled, n_pool, found.sizes, _by_name(left_out, sources)),
            max_error=found.vocabulary.max_error,
        )

    def _first_pass(
        self, what: str, make_task: Callable[["_Marks"], Any], sources: dict[int, TextSource]
    ) -> tuple[Any, dict[int, str]]:
        """Return what was found, and the parts that could not be read."""
        shares = self._read(what, make_task(self.marks), sources)
        if (
            is_auto(self.marks.given)
            and with_one_mark(list(shares.value.sizes), AUTO)[1] is not None
        ):
            # only the classes of all parts tell that -1 means "no label"
            self.marks = self.marks._replace(minus_one=True)
            shares = self._read(what, make_task(self.marks), sources)
        if self.check_sizes is not None:
            self.check_sizes(shares.value.sizes, shares.value.n_blank)
        return shares.value, shares.problems

    def _read(self, what: str, task: Any, sources: dict[int, TextSource]) -> Shares:
        shares = self.engine.collect(what, task, sources, self.keep_going)
        if shares.value is None:
            first = next(iter(shares.problems.values()))
            raise ValueError(f"None of the {len(sources)} parts could be read. The first: {first}")
        return shares

    def _count(
        self,
        make_task: Callable[["_Counts"], "_Count"],
        statistics: Statistics,
        has_rest: bool,
        sources: dict[int, TextSource],
    ) -> tuple[dict[str, Any], Any]:
        """Return the fitted models, and digests of the labeled texts."""
        left: dict[str, Statistics] = {"all": statistics}
        done: dict[str, Statistics] = {}
        if has_rest:
            left["rest"] = statistics.empty_copy()
        digests = None
        while left:
            try:
                counts = self.engine.collect("Counts", make_task(_Counts(left)), sources).value
            except PartError as error:
                raise ValueError(
                    f"{error} The first pass could read this part, so it may have changed since. "
                    "Learn again, and leave the parts as they are meanwhile."
                ) from error
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
    known = np.flatnonzero(np.isin(labels, rest.classes_))  # a class may have copies of these only
    scores = class_scores(rest, vectorizer.transform([texts[at] for at in known]))
    position = np.searchsorted(rest.classes_, np.asarray(labels)[known])
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


def _by_name(problems: Mapping[int, str], sources: Mapping[int, TextSource]) -> dict[str, str]:
    """Return the problems by the names of the parts, which may be the same."""
    found: dict[str, str] = {}
    for number in sorted(problems):
        name = sources[number].name
        found[name if name not in found else f"{name} (part {number})"] = problems[number]
    return found


class _Marks(NamedTuple):
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


def split_part(part: TextPart, marks: _Marks) -> tuple[list[str], np.ndarray, list[str]]:
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

    def digests(self, salt: int) -> np.ndarray:
        """Return the digests of the texts, in the order of ``rows``."""
        return digest_texts([row[3] for row in self.rows], salt)


class _Survey:
    """What the first pass finds: terms, classes, and some texts."""

    def __init__(self, vocabulary: Vocabulary, marks: _Marks, with_unlabeled: bool) -> None:
        self.vocabulary, self.marks, self.with_unlabeled = vocabulary, marks, with_unlabeled
        self.sizes: Counter[Any] = Counter()
        self.sample, self.unlabeled = _Rows(MANY_LABELS), _Rows(MANY_LABELS)
        self.n_unlabeled = self.n_blank = 0  # of all parts, and of those that have labels

    def empty_copy(self) -> "_Survey":
        return _Survey(self.vocabulary.empty_copy(), self.marks, self.with_unlabeled)

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
        self.n_blank += other.n_blank
        return self

    def choose_held_out(self, salt: int) -> _Rows:
        """Return different texts to measure the confidence with; none if there are few labels.

        A class of which no other text would be left loses none.
        """
        chosen = _Rows(N_HELD_OUT)
        if self.sizes.total() > MANY_LABELS:
            first = self.sample.rows[:N_HELD_OUT]
            taken = Counter(row[-1] for row in first)
            chosen.rows = [row for row in first if taken[row[-1]] < self.sizes[row[-1]]]
            different = np.unique(chosen.digests(salt), return_index=True)[1]
            chosen.rows = [chosen.rows[at] for at in np.sort(different)]
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
        *,
        held_out: np.ndarray,
        marks: _Marks,
        mark: Any,
        salt: int,
    ) -> None:
        self.vectorizer, self.empty, self.held_out = vectorizer, empty, held_out
        self.marks, self.mark, self.salt = marks, mark, salt
        model = next(iter(empty.statistics.values())).model
        self.uses_pool = unlabeled_parameter(model) is not None

    def __call__(self, part: TextPart, number: int) -> _Counts:
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


class _Gathered:
    """Labeled texts, up to the limit, and a sample of the others."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.labels: list[Any] = []
        self.sizes: Counter[Any] = Counter()
        self.n_labeled = self.n_unlabeled = self.n_blank = 0
        self.pool = TextSample(POOL_SIZE, SEED)

    def empty_copy(self) -> "_Gathered":
        return _Gathered()

    def merge(self, other: "_Gathered") -> Self:
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


class _Gather:
    """The task that brings texts to one machine."""

    def __init__(self, marks: _Marks, with_unlabeled: bool) -> None:
        self.marks, self.with_unlabeled = marks, with_unlabeled

    def __call__(self, part: TextPart, number: int) -> _Gathered:
        texts, labels, pool = split_part(part, self.marks)
        found = _Gathered()
        found.take(texts, labels.tolist(), len(texts))
        found.sizes.update(labels.tolist())
        found.n_unlabeled = len(pool)
        found.n_blank = 0 if part.labels is None else len(pool)
        if self.with_unlabeled:
            found.pool.add(pool)
        return found
