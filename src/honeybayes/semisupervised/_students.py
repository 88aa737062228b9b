"""The students: logistic regressions and naive Bayes, which learn from labels and guesses.

A regression finds what tells the classes apart. Naive Bayes also uses the many words that are too
rare for that, which is better for new documents if the pool is small. Both are linear, so their sum
is one model.
"""

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from scipy.special import softmax
from sklearn.preprocessing import normalize

from honeybayes.calibration.coverage import held_out_answers
from honeybayes.calibration.temperature import count_alone, doubt_of, soften
from honeybayes.semisupervised import _evidence
from honeybayes.semisupervised._evidence import MARGIN, Evidence, least_accuracy, weight_of_evidence
from honeybayes.semisupervised._labels import LabelVotes
from honeybayes.semisupervised._regression import Beside, Documents, Linear, balanced, regress
from honeybayes.semisupervised._seed_evidence import Names, Seeds, add_names
from honeybayes.semisupervised._shares import offset_of_shares
from honeybayes.semisupervised._teacher import Settings, learn_from_votes

HELD_OUT = 5  # one in five documents is held out to set the confidence
TOLERANCE = 7e-3  # of the gradient; less changes about one prediction in a thousand
FEWEST_HELD_OUT = 10  # to set the confidence by
SEEDS_WORTH = 5  # labels per class, if the seeds can be trusted
LEAST_SAY = 1e-9  # of a student; never 0, as others may be
MOST_MATCHED = 5000  # documents of the pool whose mean confidence is set
# A few new documents without a known word tell nothing about confidence. So the scores of new
# documents are not multiplied by more than this times the factor of documents of the pool.
MOST_TIMES = 20.0
MOST_SURE = 0.99  # on average, before doubt: with 1, all documents would look equally sure
# Of words and of dense features, with labels alone. The first cost none of ten corpora more than a
# point against words alone, not even in languages that an encoder does not know.
FACTORS = ((1.0, 0.5), (1.0, 1.0), (0.5, 1.0))
TOLERANCE_OF_FACTORS = 1e-3  # of the gradient, while factors are compared
ENOUGH = 0.5  # times the square root of the number of labels on which two differ
Students = list[Linear]  # naive Bayes of the words, then one regression per view


class Certainty(NamedTuple):
    """How sure the students may be.

    ``accuracy`` is the mean confidence to reach on the unlabeled documents. ``by_class`` are
    factors of the scores, by predicted class. ``doubt`` will be divided among the classes.
    """

    accuracy: float = 0.0
    by_class: np.ndarray | None = None
    doubt: float = 0.0

    def factor(self, scores: np.ndarray) -> float:
        """Return the factor that gives these scores the accuracy as mean confidence."""
        # the doubt lowers this confidence to the accuracy
        confidence = (self.accuracy - self.doubt / scores.shape[1]) / (1 - self.doubt)
        return _evidence.matching_sharpness(self._sharpened(scores), min(confidence, MOST_SURE))

    def to_proba(self, scores: np.ndarray) -> np.ndarray:
        return soften(self._sharpened(scores), 1.0, self.doubt)

    def answers_of(
        self, scores: np.ndarray, held_out: LabelVotes, labels: LabelVotes, seeds: Seeds | None
    ) -> np.ndarray:
        """Return the confidence of held-out documents, and the probability of their labels."""
        proba, position = self.to_proba(scores), held_out.position
        if held_out.is_random is not None:
            proba, position = proba[held_out.is_random], position[held_out.is_random]
        # whoever names the classes knows them: such labels say nothing about unknown classes
        n_alone = 0 if seeds is not None else count_alone(labels.position, labels.is_random)
        return held_out_answers(proba, position, n_alone)

    def _sharpened(self, scores: np.ndarray) -> np.ndarray:
        """Multiply the scores of each document by the factor of its best class."""
        if self.by_class is None:
            return scores
        return scores * self.by_class[scores.argmax(axis=1)][:, np.newaxis].astype(scores.dtype)


def make_certain(
    accuracy: float, by_class: np.ndarray | None, labels: LabelVotes, seeds: Seeds | None
) -> Certainty:
    """Return how sure to be of all documents, given the accuracy on those of known classes."""
    n_labels, n_classes = int(labels.known.sum()), labels.targets.shape[1]
    n_alone = 0 if seeds is not None else count_alone(labels.position)
    share = n_alone / max(n_labels, 1)
    of_all = max(accuracy * (1 - share), min(accuracy, least_accuracy(n_classes)))
    trust = 0.0 if seeds is None else seeds.trust
    doubt = doubt_of(float(n_labels + SEEDS_WORTH * trust * n_classes), n_classes)
    return Certainty(of_all, by_class, doubt)


class Lessons(NamedTuple):
    """The last students, the factors with which they add up, and what is added to their scores.

    ``stages`` are the students who were tested, and the last ones. The scores of documents of
    the pool are to be multiplied by ``of_pool``.
    """

    students: Students
    factors: np.ndarray
    offset: np.ndarray | float = 0.0
    stages: tuple[Students, Students] | None = None
    of_pool: float = 1.0
    certainty: Certainty = Certainty()
    held_out: np.ndarray | None = None


def probabilities_of(lessons: Lessons, views: list[Documents], rows: np.ndarray) -> np.ndarray:
    """Return the probabilities of documents of the pool that the students have learned from."""
    students = zip(lessons.students, [views[0], *views], strict=True)
    scores = [each.scores(view.x[rows]) for each, view in students]
    added = _added(lessons.factors, scores) + lessons.offset
    return lessons.certainty.to_proba(lessons.of_pool * added)


def lesson_of(
    views: list[Documents], labels: LabelVotes, rows: np.ndarray, guesses: np.ndarray, how: Settings
) -> Callable[..., Students]:
    """Return a function that teaches students the labels, and guesses for some documents.

    It gets documents to leave out, and students from which the regressions start.
    """
    targets, weight, votes = labels.targets.copy(), labels.weight.copy(), labels.votes.copy()
    targets[rows, guesses.argmax(axis=1)] = 1.0
    weight[rows] = how.guess_weight * guesses.max(axis=1)
    votes[rows] = how.pool_weight * guesses
    even = balanced(weight, targets)

    def learn(hidden: np.ndarray, starts: Students | None = None) -> Students:
        shown = np.ones(len(even))
        shown[hidden] = 0.0
        students = [learn_from_votes(views[0], votes * shown[:, np.newaxis], how)]
        for number, view in enumerate(views, 1):
            start = starts[number] if starts else None
            students.append(regress(view, targets, even * shown, how.C, start, TOLERANCE))
        return students

    return learn


def teach_students(
    views: list[Documents],
    labels: LabelVotes,
    guesses: np.ndarray,
    say: np.ndarray,
    shares: np.ndarray,
    how: Settings,
    certainty: Certainty,
    last: tuple[Students, Students] | None = None,
    trusted: bool = False,
) -> Lessons:
    """Teach the students; weigh them by how often they find the guesses by themselves.

    ``guesses`` (unlabeled documents, classes) are the lesson. ``say`` is how far each student suits
    the documents, from 0 to 1. ``shares`` are those of `shares_of_pool`. ``last`` are the stages of
    earlier lessons, from which the regressions start. If guesses are ``trusted``, as those of
    sources, students are as sure as they often find them.
    """
    pool, learned_from = np.flatnonzero(~labels.known), [views[0], *views]
    learn = lesson_of(views, labels, pool, guesses, how)

    def scores_of(students: Students, rows: np.ndarray) -> list[np.ndarray]:
        return [s.scores(view.x)[rows] for s, view in zip(students, learned_from, strict=True)]

    # Students know the guesses that they have learned from. Ask them about a few others.
    is_new = pool % HELD_OUT == 0  # a label changes at most one of them
    is_new = is_new if is_new.any() else np.arange(len(pool)) == 0
    new, old = pool[is_new], pool[~is_new]
    tested, n_classes = learn(new, last and last[0]), guesses.shape[1]
    unseen = [_without_new_terms(view.x, new) for view in views]
    asked = [s.scores(x) for s, x in zip(tested, [unseen[0], *unseen], strict=True)]
    answers = guesses[is_new].argmax(axis=1)
    given = [each.argmax(axis=1) for each in asked]
    agreed = np.array([_evidence.agreement(each, answers, n_classes) for each in given])
    found = np.clip(agreed + (1 - agreed) / n_classes, least_accuracy(n_classes), 1 - MARGIN)
    weights = weight_of_evidence(found, len(new) / 4)  # a guess tells less than a label
    weights *= np.maximum(say, LEAST_SAY)
    if trusted:
        right = max(guesses[is_new][np.arange(len(new)), each].mean() for each in given)
        certainty = certainty._replace(accuracy=float(np.clip(right, least_accuracy(n_classes), 1)))
    sure = certainty.accuracy
    factors = weights / weights.sum() * [_evidence.matching_sharpness(each, sure) for each in asked]
    students = learn(pool[:0], _moved(tested, *last) if last else tested)
    some = pool[:: -(-len(pool) // MOST_MATCHED)]
    of_known = certainty.factor(_added(factors, scores_of(students, some)))
    factors = factors * min(certainty.factor(_added(factors, asked)), MOST_TIMES * of_known)
    guessed = softmax(_added(factors, asked), axis=1).mean(axis=0)
    if len(old):  # they are surer the more they have learned, so those tested were less sure
        before, now = (_added(factors, scores_of(each, old)) for each in (tested, students))
        confidence = float(softmax(before, axis=1).max(axis=1).mean())
        factors = factors * _evidence.matching_sharpness(now, min(confidence, MOST_SURE))
        if confidence > MOST_SURE:  # any factor is large enough, so compare where it matters
            factors = factors / _evidence.matching_sharpness(before, MOST_SURE)
    offset = offset_of_shares(guessed, labels, shares)
    of_pool = certainty.factor(_added(factors, scores_of(students, some)) + offset)
    of_pool, stages = min(1.0, of_pool), (tested, students)
    return Lessons(students, factors, offset, stages, of_pool, certainty)


def learn_from_labels(
    views: list[Documents],
    labels: LabelVotes,
    seeds: Seeds | None,
    names: Names | None,
    how: Settings,
) -> Lessons:
    """Fit a logistic regression to labels only; set its confidence by cross-validation.

    With dense features, held-out labels decide how far these count beside the words.
    """
    factors: Sequence[tuple[float, ...]] = FACTORS if len(views) > 1 else ((1.0,),)
    blocks = [each.x for each in views]
    widths = [x.shape[1] for x in blocks]
    tolerance = TOLERANCE_OF_FACTORS if len(factors) > 1 else 1e-4
    if names is not None:  # the last view has axes, if a pool only repeats labeled documents
        names = names._replace(plain=names.whitened)

    def fit(
        number: int, some: LabelVotes, start: Linear | None = None, tolerance: float = 1e-4
    ) -> Linear:
        """Return coefficients of the features as they are, before they get their factors."""
        known = some.known
        parts, targets, weight = [x[known] for x in blocks], some.targets[known], some.weight[known]
        if names is not None and (worth := names.weight(blocks[-1], some)):
            parts, targets, weight = add_names(parts, targets, weight, names.plain, worth)
        parts = [f * x for f, x in zip(factors[number], parts, strict=True)]
        scale = np.repeat(factors[number], widths).astype(parts[0].dtype)[:, np.newaxis]
        if start is not None:
            start = start._replace(coef=start.coef / scale)
        found = regress(Documents(_beside(parts)), targets, weight, how.C, start, tolerance)
        return found._replace(coef=scale * found.coef)

    starts: dict[int, Linear] = {}

    def fit_all(some: LabelVotes) -> np.ndarray:
        """Return scores of the documents that are held out, as if they were new."""
        hidden = np.flatnonzero(~some.known)
        new = _beside([_without_new_terms(blocks[0], hidden), *(x[hidden] for x in blocks[1:])])
        scores = np.zeros((len(factors), *labels.targets.shape), dtype=blocks[0].dtype)
        fitted = None
        for number in range(len(factors)):
            fitted = starts[number] = fit(number, some, fitted, tolerance)
            scores[number, hidden] = fitted.scores(new)
        return scores

    evidence = _evidence.gather_evidence(fit_all, labels, how.n_folds, n_experts=len(factors))
    chosen = _choose_factors(evidence)
    fitted = fit(chosen, labels, starts.get(chosen) if len(factors) > 1 else None)
    students = [
        Linear(coef, fitted.intercept if number == 0 else np.zeros_like(fitted.intercept))
        for number, coef in enumerate(np.split(fitted.coef, np.cumsum(widths)[:-1]))
    ]
    ones = np.ones(len(students))
    if not how.n_folds:
        return Lessons(students, ones)
    accuracy = _evidence.expected_accuracy(evidence, itemgetter(chosen), 0.0)
    certainty, scores = make_certain(accuracy, None, labels, seeds), evidence.held_out[chosen]
    factor = certainty.factor(scores) if len(scores) >= FEWEST_HELD_OUT else 1.0
    held_out = certainty.answers_of(factor * scores, labels.take(evidence.rows), labels, seeds)
    return Lessons(students, factor * ones, certainty=certainty, held_out=held_out)


def _beside(parts: list[Any]) -> Any:
    return parts[0] if len(parts) == 1 else Beside(*parts)


def _choose_factors(evidence: Evidence) -> int:
    """Return which factors get enough more held-out labels right than those before them."""
    answers, best = evidence.held_out.argmax(axis=2), 0
    right = evidence.truth[np.arange(answers.shape[1]), answers]
    for other in range(1, len(right)):
        gain = right[other] - right[best]
        if gain.sum() > ENOUGH * np.sqrt(np.abs(gain).sum()):
            best = other
    return best


def _without_new_terms(x: Any, new: np.ndarray) -> Any:
    """Return new documents as if no term was known that only they contain."""
    if not sparse.issparse(x):
        return x[new]
    is_old = np.ones(x.shape[0], dtype=bool)
    is_old[new] = False
    known = np.bincount(x[is_old].indices, minlength=x.shape[1]) > 0
    rows = x[new]
    rows.data = rows.data * known[rows.indices]
    return normalize(rows)


def _moved(students: Students, before: Students, after: Students) -> Students:
    """Return where the next students start: moved as much as in the last lessons."""
    return [
        Linear(now.coef + (to.coef - since.coef), now.intercept + (to.intercept - since.intercept))
        for now, since, to in zip(students, before, after, strict=True)
    ]


def _added(factors: np.ndarray, scores: list[np.ndarray]) -> np.ndarray:
    return np.sum([float(f) * each for f, each in zip(factors, scores, strict=True)], axis=0)
