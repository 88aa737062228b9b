"""Learn a model from parts: of counts of terms, or of texts.

A classifier of texts that adds up counts needs a pass that finds the terms, and one or more that
count them. Other classifiers need all labeled texts at once: these are gathered here, with a sample
of the others.
"""

import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from honeybayes.calibration import temperature, temperature_scaled
from honeybayes.exceptions import NoPathWarning
from honeybayes.scale import _text_tasks as tasks
from honeybayes.scale._engines import DaskEngine, LocalEngine, Part, PartError
from honeybayes.scale._statistics import Statistics, start_statistics
from honeybayes.text import TextVectorizer, Vocabulary, look_at
from honeybayes.utils.labels import AUTO, is_auto, unused_label, with_one_mark
from honeybayes.utils.tags import unlabeled_parameter
from honeybayes.utils.texts import make_digests
from honeybayes.zoo import models_with

MAX_TERMS = 500_000  # which bounds the memory of every pass


@dataclass
class PartsFit:
    """What a model has learned, and from what.

    Parameters
    ----------
    model : estimator
        The fitted model: the classifier of texts itself, or a copy of the model of counts.
    n_labeled : int
        Labeled documents.
    n_unlabeled : int, default=0
        Texts without a label, in all parts.
    n_pool : int, default=0
        Those of them that the model has learned from.
    sizes : mapping, default={}
        Number of texts of each class.
    left_out : mapping of str to str, default={}
        Parts that could not be read, by their names, and why.
    """

    model: Any
    n_labeled: int
    n_unlabeled: int = 0
    n_pool: int = 0
    sizes: Mapping[Any, int] = field(default_factory=dict)
    left_out: Mapping[str, str] = field(default_factory=dict)


class TextPlan(NamedTuple):
    """How a classifier of texts learns from parts: what its ``plan_parts`` returns."""

    model: Any  # unfitted
    vectorizer: TextVectorizer | None  # unfitted; None if all texts are needed at once
    mark: Any  # the label that means "no label", "auto" or None
    uses_pool: bool  # whether it learns from texts without a label
    is_scaled: bool  # whether the scores of the model are divided by a temperature


def fit_in_parts(
    model: Any,
    parts: Iterable[Part],
    pool: Iterable[Part] = (),
    *,
    seeds: Any = None,
    engine: LocalEngine | None = None,
    keep_going: bool = False,
    check_sizes: Callable[[Mapping[Any, int], int], None] | None = None,
) -> PartsFit:
    """Learn from documents that are read part by part.

    Parameters
    ----------
    model : TextClassifier or estimator
        A classifier of texts, which is fitted; or a model of counts as in `start_statistics`, which
        is not changed.
    parts : iterable of Part
        The labeled texts, or counts of terms. They are read once per pass.
    pool : iterable of Part, optional
        Texts without a label, for classifiers of texts that can use them.
    seeds : dict or list of classes, optional
        For classifiers of texts, as in ``TextClassifier.fit``.
    engine : LocalEngine, ProcessEngine, DaskEngine or None, default=None
        Who reads the parts. None uses Dask for parts with delayed arguments, and this process
        otherwise.
    keep_going : bool, default=False
        Whether to leave out parts that cannot be read. By default, they raise an error that names
        the part.
    check_sizes : callable or None, default=None
        For texts: called after the first pass with the number of texts of each class, and the
        number of texts without a label in parts that have labels. It may raise an error, before
        more is read.

    Notes
    -----
    **Models of counts** need one pass, or two and more for paths (``n_passes_left`` of
    `Statistics`).

    **Classifiers of texts that add up counts** (NB, MVNB, MNB, CNB, OVA, HONB, HOS and others) need
    one pass more, which finds the terms, and again one more if -1 means "no label" with
    ``unlabeled="auto"``. They have the same terms and counts as after ``fit`` with all texts, and
    give the same answers. If there are more than 500,000 terms, those of the most documents are
    kept, with a warning. Their confidence is also the same with up to 5,000 labels, except that of
    HOS with more than 5,000 texts without a label: it is measured with a random 5,000 of these.
    With more labels, 1,000 random texts are held out, and a model of all others answers them.
    ``language="auto"`` and ``clean_html="auto"`` are decided by the first part that has texts.

    **Other classifiers of texts**, and ``n_terms`` or an encoder, need all labeled texts at once.
    At most 200,000 are gathered in this process; more raise an error. Of the texts without a label,
    a random sample of 20,000 different ones is used (`TextSample`).

    Examples
    --------
    >>> from honeybayes import CountNB, TextClassifier
    >>> from honeybayes.scale import Part, fit_in_parts
    >>> mails = {
    ...     "monday": (["My parcel is late", "Charged twice"], ["delivery", "billing"]),
    ...     "tuesday": (["Where is my parcel?", "Wrong charge"], ["delivery", "billing"]),
    ... }
    >>> classifier = TextClassifier("CNB")
    >>> fit_in_parts(classifier, [Part(day, mails.get, (day,)) for day in mails]).n_labeled
    4
    >>> classifier.predict(["parcels"])
    array(['delivery'], dtype='<U8')
    >>> counts = {"a": ([[2, 1, 0]], ["sea"]), "b": ([[1, 0, 0], [0, 1, 3]], ["sea", "land"])}
    >>> learned = fit_in_parts(CountNB(), [Part(name, counts.get, (name,)) for name in counts])
    >>> learned.model.feature_count_
    array([[0., 1., 3.],
           [3., 1., 0.]])
    """
    labeled, unlabeled = list(parts), list(pool)
    numbered = dict(enumerate([*labeled, *unlabeled]))
    if not numbered:
        raise ValueError("There are no parts. Pass at least one.")
    if engine is None:
        arguments = [each for part in numbered.values() for each in part.arguments]
        needs_dask = any(hasattr(each, "__dask_graph__") for each in arguments)
        engine = DaskEngine() if needs_dask else LocalEngine()
    reader = _Reader(numbered, engine, keep_going)
    if hasattr(model, "plan_parts"):
        plan = model.plan_parts(with_pool=bool(unlabeled), with_seeds=seeds is not None)
        return _fit_texts(model, plan, reader, check_sizes, seeds)
    if unlabeled or seeds is not None or check_sizes is not None:
        told = "pool, seeds and check_sizes are for classifiers of texts, and"
        raise ValueError(f"{told} {type(model).__name__} is a model of counts. Leave them out.")
    statistics, _ = reader.count(tasks.add_counts, {"all": start_statistics(model)})
    found = statistics["all"]
    return PartsFit(found.finish(), found.n_documents, left_out=reader.left_out())


class _Reader:
    """Reads the parts in passes. Parts that the first pass leaves out are not read again."""

    def __init__(self, parts: dict[int, Part], engine: LocalEngine, keep_going: bool) -> None:
        self.parts, self.engine, self.keep_going = parts, engine, keep_going
        self.problems: dict[int, str] | None = None  # of the first pass

    def read(self, what: str, task: Any) -> Any:
        """Return what the task found in all parts that can be read."""
        if self.problems is None:
            shares = self.engine.collect(what, task, self.parts, self.keep_going)
            if shares.value is None:
                first, n = next(iter(shares.problems.values())), len(self.parts)
                raise ValueError(f"None of the {n} parts could be read. The first: {first}")
            self.problems = shares.problems
            return shares.value
        left = {number: part for number, part in self.parts.items() if number not in self.problems}
        try:
            return self.engine.collect(what, task, left).value
        except PartError as error:
            raise ValueError(
                f"{error} The first pass could read this part, so it may have changed since. "
                "Learn again, and leave the parts as they are meanwhile."
            ) from error

    def count(
        self, task: Callable[..., tasks.TermCounts], statistics: dict[str, Statistics]
    ) -> tuple[dict[str, Statistics], np.ndarray]:
        """Return the statistics after all passes, and digests of the labeled texts."""
        done: dict[str, Statistics] = {}
        while statistics:
            counts = self.read("Counts", partial(task, tasks.TermCounts(statistics)))
            found = counts.statistics
            done |= {name: each for name, each in found.items() if not each.n_passes_left}
            statistics = {name: found[name].next_pass() for name in found.keys() - done.keys()}
        return done, counts.digests

    def first_texts(self) -> list[str]:
        """Return the texts of the first part that has any and can be read."""
        for number, part in self.parts.items():
            only = {number: part}
            found = self.engine.collect("Language", tasks.some_texts, only, self.keep_going).value
            if found is not None and found.rows:
                return found.in_order()[0]
        return []

    def left_out(self) -> dict[str, str]:
        """Return the problems by the names of the parts, which may be the same."""
        found: dict[str, str] = {}
        for number, problem in sorted((self.problems or {}).items()):
            name = self.parts[number].name
            found[name if name not in found else f"{name} (part {number})"] = problem
        return found


def _fit_texts(
    classifier: Any, plan: TextPlan, reader: _Reader, check_sizes: Any, seeds: Any
) -> PartsFit:
    """Learn from sums over the texts, or from all labeled texts and a sample of the others."""
    what, vocabulary, marks = "Texts", None, tasks.LabelMarks(plan.mark)
    if plan.vectorizer is not None:
        if AUTO in (plan.vectorizer.language, plan.vectorizer.clean_html):
            plan.vectorizer.settle(look_at(reader.first_texts()))
        what, vocabulary = "Terms", Vocabulary(plan.vectorizer, max_terms=MAX_TERMS)
    empty = tasks.Survey(vocabulary, plan.uses_pool)
    found = reader.read(what, partial(tasks.survey, empty, marks))
    if is_auto(plan.mark) and with_one_mark(list(found.sizes), AUTO)[1] is not None:
        # only the classes of all parts tell that -1 means "no label"
        marks = marks._replace(minus_one=True)
        found = reader.read(what, partial(tasks.survey, empty, marks))
    if check_sizes is not None:
        check_sizes(found.sizes, found.n_blank)
    if vocabulary is None:
        n_pool = _fit_gathered(classifier, found, seeds)
    else:
        classes = np.asarray(sorted(found.sizes))
        sizes = np.array([found.sizes[label] for label in classes.tolist()])
        classifier.check_class_sizes(classes, sizes, plan.mark, not found.n_unlabeled)
        n_pool = _fit_counted(classifier, plan, reader, found, marks)
    n_labeled, left_out = found.sizes.total(), reader.left_out()
    return PartsFit(classifier, n_labeled, found.n_unlabeled, n_pool, found.sizes, left_out)


def _fit_gathered(classifier: Any, found: tasks.Survey, seeds: Any) -> int:
    """Fit the classifier, and return how many texts without a label it has learned from."""
    n_labeled = found.sizes.total()
    if n_labeled > tasks.MOST_GATHERED:
        counting = f"{', '.join(models_with('learns_in_batches'))}, HONB or HOS"
        raise ValueError(
            f"There are {n_labeled:,} labeled texts. The model {classifier.model!r} needs all of "
            f"them in the memory of one machine, and the limit is {tasks.MOST_GATHERED:,}. Use a "
            f"model that adds up counts, such as {counting}, without n_terms and encoder; or fit "
            "this one to a sample."
        )
    if not n_labeled and seeds is None:
        raise ValueError(
            "No text has a label. Label texts of at least two classes, or name the classes."
        )
    sample = found.pool.finish()
    classifier.fit(*found.labeled.in_order(), pool=lambda: sample, seeds=seeds)
    return len(sample)


def _fit_counted(
    classifier: Any, plan: TextPlan, reader: _Reader, found: Any, marks: tasks.LabelMarks
) -> int:
    """Fit the classifier by sums, and return how many texts without a label are in them."""
    model, mark, vectorizer = plan.model, plan.mark, found.vocabulary.finish()
    if (error := found.vocabulary.max_error) or found.vocabulary.n_frequent > MAX_TERMS:
        told = f" Their numbers of documents may be up to {error:,} too low." if error else ""
        kept = f"There are more than {MAX_TERMS:,} terms. Those of the most documents are kept."
        warnings.warn(f"{kept}{told} Set `min_df` to leave out rare terms.", stacklevel=4)
    if is_auto(mark):
        mark = with_one_mark([*found.sizes, None], AUTO)[1] if found.n_blank else None
    if mark is None and found.n_unlabeled:
        mark = unused_label(np.asarray(list(found.sizes)))
    if (parameter := unlabeled_parameter(model)) is not None:
        model.set_params(**{parameter: mark})
    texts, labels = found.labeled.in_order()
    salt = make_digests(texts)[0]
    held_out = found.choose_held_out(salt) if plan.is_scaled else tasks.RandomRows(0)
    names = ("all", "rest") if held_out.rows else ("all",)
    options: dict[str, Any] = {"vectorizer": vectorizer, "held_out": held_out.digests(salt)}
    options |= {"marks": marks, "mark": mark, "uses_pool": parameter is not None, "salt": salt}
    task = partial(tasks.count_terms, **options)
    counted, digests = reader.count(task, {name: start_statistics(model) for name in names})
    last = counted["all"].finish()
    if plan.is_scaled:
        if held_out.rows:
            # the model of all texts warns
            with warnings.catch_warnings(action="ignore", category=NoPathWarning):
                rest = counted["rest"].finish()
            measured = _calibrate_on(rest, vectorizer, held_out, found)
        else:
            others = found.unlabeled.in_order()[0]
            labels = np.asarray([*labels, *[mark] * len(others)])
            columns = vectorizer.transform([*texts, *others])
            min_df = vectorizer.min_df
            measured = temperature.find_temperature(model, columns, labels, min_df=min_df)
        last = temperature_scaled.scale_fitted(last, measured, min_df=vectorizer.min_df)
    classifier.take_parts(vectorizer, last, salt=salt, digests=digests)
    return found.n_unlabeled if parameter else 0


def _calibrate_on(
    rest: Any, vectorizer: Any, held_out: tasks.RandomRows, found: tasks.Survey
) -> temperature.Calibration:
    """Measure the temperature with a model that has not seen the held-out texts."""
    texts, labels = held_out.in_order()
    known = np.flatnonzero(np.isin(labels, rest.classes_))  # a class may have copies of these only
    scores = temperature.class_scores(rest, vectorizer.transform([texts[at] for at in known]))
    position = np.searchsorted(rest.classes_, np.asarray(labels)[known])
    n_alone = sum(size == 1 for size in found.sizes.values())
    alone = Fraction(n_alone, found.sizes.total() - n_alone)
    doubt = temperature.doubt_of(float(found.sizes.total()), len(found.sizes))
    return temperature.calibrate_on(scores, position, doubt, alone)
