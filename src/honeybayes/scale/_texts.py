"""Learn a `TextClassifier` from texts in parts.

Models that add up counts need a pass that finds the terms, and one or two that count them. Other
models need all labeled texts at once: these are gathered here, with a sample of the others.
"""

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from honeybayes.calibration import (
    Calibration,
    calibrate_on,
    class_scores,
    find_temperature,
    scale_fitted,
)
from honeybayes.calibration.doubt import doubt_of
from honeybayes.classifier.pipeline_settings import make_pipeline
from honeybayes.exceptions import NoPathWarning
from honeybayes.scale import _text_tasks as tasks
from honeybayes.scale._collections import has_parts_of_dask, make_sources
from honeybayes.scale._engines import (
    DaskEngine,
    LocalEngine,
    PartError,
    Shares,
    TextSource,
)
from honeybayes.scale._statistics import Statistics, start_statistics
from honeybayes.text import Vocabulary
from honeybayes.utils.digests import make_digests
from honeybayes.utils.labels import (
    AUTO,
    is_auto,
    unused_label,
    with_one_mark,
)
from honeybayes.utils.tags import mark_of_unlabeled, unlabeled_parameter
from honeybayes.utils.validation import check_option
from honeybayes.zoo import models_with

MAX_TERMS = 500_000
MOST = 0.9  # of the terms, whose error is told


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
    path_error : float
        With ``q="sketch"``: for nine of ten terms, the standard error of the estimated paths is at
        most this share of them. 0 if paths were counted.
    """

    n_labeled: int
    n_unlabeled: int
    n_pool: int
    sizes: Mapping[Any, int]
    left_out: Mapping[str, str] = field(default_factory=dict)
    max_error: int = 0
    path_error: float = 0.0


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
        For `HigherOrderNB` only; see `start_statistics`.
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
        self.marks = tasks.LabelMarks(AUTO if classifier._is_auto() else mark_of_unlabeled(model))

    def gathered(self, sources: dict[int, TextSource], seeds: Any) -> TextFit:
        """Learn from all labeled texts at once, and from a sample of the others."""
        uses_pool = self.classifier._is_auto() or unlabeled_parameter(self.model) is not None
        found, left_out = self._first_pass(
            "Texts", lambda marks: tasks.GatherTexts(marks, uses_pool), sources
        )
        if found.n_labeled > tasks.MOST_GATHERED:
            raise ValueError(
                f"There are {found.n_labeled:,} labeled texts. The model "
                f"{self.classifier.model!r} needs all of them in the memory of one machine, and "
                f"the limit is {tasks.MOST_GATHERED:,}. Use a model that adds up counts, such as "
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
            "Terms",
            lambda marks: tasks.AddTo(tasks.Survey(vocabulary, marks, bool(parameter))),
            sources,
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
        held_out = found.choose_held_out(salt) if is_scaled else tasks.RandomRows(0)
        empty = start_statistics(model, q=q)
        task = partial(
            tasks.CountTerms,
            vectorizer,
            held_out=held_out.digests(salt),
            marks=self.marks,
            mark=mark,
            salt=salt,
        )
        counted, digests = self._count(task, empty, bool(held_out.rows), left)
        last = counted["all"].finish()
        uses_estimates = getattr(last, "order_", None) == 2
        if is_scaled:
            if "rest" in counted:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", NoPathWarning)  # the model of all texts warns
                    rest = counted["rest"].finish()
                calibration = _calibrate_on(rest, vectorizer, held_out, found)
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
        error = counted["all"].relative_error(MOST) if uses_estimates else 0.0
        n_labeled, n_pool = int(sizes.sum()), found.n_unlabeled if parameter else 0
        return TextFit(
            *(n_labeled, found.n_unlabeled, n_pool, found.sizes, _by_name(left_out, sources)),
            max_error=found.vocabulary.max_error,
            path_error=error,
        )

    def _first_pass(
        self,
        what: str,
        make_task: Callable[[tasks.LabelMarks], Any],
        sources: dict[int, TextSource],
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
        make_task: Callable[[tasks.TermCounts], tasks.CountTerms],
        statistics: Statistics,
        has_rest: bool,
        sources: dict[int, TextSource],
    ) -> tuple[dict[str, Statistics], Any]:
        """Return the statistics of all passes, and digests of the labeled texts."""
        left: dict[str, Statistics] = {"all": statistics}
        done: dict[str, Statistics] = {}
        if has_rest:
            left["rest"] = statistics.empty_copy()
        digests = None
        while left:
            try:
                counts = self.engine.collect(
                    "Counts", make_task(tasks.TermCounts(left)), sources
                ).value
            except PartError as error:
                raise ValueError(
                    f"{error} The first pass could read this part, so it may have changed since. "
                    "Learn again, and leave the parts as they are meanwhile."
                ) from error
            digests = counts.digests if digests is None else digests
            left = {n: each for n, each in counts.statistics.items() if each.n_passes_left}
            done |= {n: each for n, each in counts.statistics.items() if n not in left}
            left = {n: each.next_pass() for n, each in left.items()}
        return done, digests


def _calibrate_on(
    rest: Any, vectorizer: Any, held_out: tasks.RandomRows, found: tasks.Survey
) -> Calibration:
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
