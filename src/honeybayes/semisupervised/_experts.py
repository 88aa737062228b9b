"""The experts, who guess the classes of unlabeled documents from words or from dense features."""

from collections.abc import Callable
from functools import cached_property, partial
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.special import logsumexp, softmax

from honeybayes.semisupervised import _evidence, _teacher
from honeybayes.semisupervised._evidence import AVOIDED, MARGIN
from honeybayes.semisupervised._labels import LabelVotes
from honeybayes.semisupervised._regression import Documents, Linear, balanced, regress_on_labels
from honeybayes.semisupervised._seed_evidence import WORTH_OF_STABILITY, Names, Seeds, add_names
from honeybayes.semisupervised._shares import shares_of_pool
from honeybayes.semisupervised._teacher import KAPPA, Links, Settings, Teacher, teach_directions

LATENT_ROUNDS = 2  # from the guesses of the teacher
# Experts that learn from the pool agree more often than the regression on the labels, whether they
# are right or not. So the agreement counts less if experts are compared.
SAY_OF_AGREEMENT = 0.2
# What seeds promise counts more than a few labels, which may be of one class; with so many labels,
# half of WORTH_OF_STABILITY.
FADE = 2.0


class Dense(NamedTuple):
    """Vectors of documents: of unit length, and partly whitened with unit length."""

    plain: np.ndarray
    whitened: np.ndarray


class View:
    """Documents prepared for the experts.

    ``axes`` (terms, axes) are those of the second expert, if they are known.
    """

    def __init__(
        self,
        x: sparse.csr_array,
        dense: Dense | None,
        settings: Settings,
        axes: np.ndarray | None = None,
    ) -> None:
        self.documents, self.dense, self.settings = Documents(x), dense, settings
        self.directions = None
        if settings.n_axes:
            axes = _teacher.latent_axes(self.documents, settings.n_axes) if axes is None else axes
            self.directions = _teacher.unit(x @ axes)
        self.seeds: Seeds | None = None
        self.names: Names | None = None
        self.start: Linear | None = None  # of the regression on dense features, to save time

    def experts(self, labels: LabelVotes) -> np.ndarray:
        """Return the scores of each expert for all documents (experts, documents, classes)."""
        how, first = self.settings, self.teach(labels)
        scores = [first.scores]
        if self.directions is not None:
            start = first.guesses, LATENT_ROUNDS, KAPPA
            scores.append(teach_directions(self.directions, labels, how, *start).scores)
        scores.append(self._regress(self.documents.x, labels))
        if self.dense is not None:
            whitened = self.dense.whitened
            guesses = None
            if self.seeds is not None and self.seeds.dense is not None:
                guesses = self.seeds.dense.share * self.seeds.dense.guesses
            worth = self.weigh_names(labels)
            named = None if self.names is None else worth * self.names.whitened
            links = Links(self._link_weights, _teacher.say_of_neighbors(whitened, labels))
            directed = teach_directions(whitened, labels, how, guesses, named=named, links=links)
            scores.append(directed.scores)
            fitted = self._regress(self.dense.plain, labels, worth)
            scores.append(_teacher.spread_guesses(links, labels, softmax(fitted, axis=1)))
        return np.stack(scores)

    def teach(self, labels: LabelVotes) -> Teacher:
        """Return the first expert, who also learns from the seeds."""
        if self.seeds is None:
            return _teacher.teach(self.documents, labels, self.settings)
        start = self.seeds.words.share, self.seeds.words.guesses
        return _teacher.teach(self.documents, labels, self.settings, self.seeds.weighed, start)

    def teach_outliers(self, labels: LabelVotes) -> Linear:
        """Run EM with one more class, which stays close to the average document."""
        x, n_classes = self.documents.x, labels.targets.shape[1]
        mass = max(labels.weight.sum() / n_classes, 1.0)
        average = mass * x.sum(axis=0) / x.shape[0]
        given = np.zeros((x.shape[1], n_classes)) if self.seeds is None else self.seeds.weighed
        wider = LabelVotes(np.pad(labels.targets, ((0, 0), (0, 1))), labels.weight)
        seeds = np.column_stack([given, average])
        return _teacher.teach(self.documents, wider, self.settings, seeds).linear

    @cached_property
    def for_students(self) -> list[Documents]:
        """Words and dense features; half the digits suffice, and take half the time."""
        words, dense = self.documents, self.dense
        if words.x.dtype != np.float32:
            words = Documents(words.x.astype(np.float32))
        if dense is None:
            return [words]
        return [words, Documents(dense.whitened.astype(np.float32, copy=False))]

    @cached_property
    def _link_weights(self) -> sparse.csr_array:
        h = np.zeros((0, 0)) if self.dense is None else self.dense.whitened
        return _teacher.link_neighbors(h)

    def weigh_names(self, labels: LabelVotes) -> float:
        """Return how many labels of its class each name is worth; 0 without names."""
        if self.dense is None or self.names is None:
            return 0.0
        return self.names.weight(self.dense.plain, labels)

    def _regress(
        self, x: sparse.csr_array | np.ndarray, labels: LabelVotes, worth: float = 0.0
    ) -> np.ndarray:
        """Return scores of all documents, learned from the labels, and from names of some worth."""
        known = np.flatnonzero(labels.known)
        if not len(known):
            return np.zeros(labels.targets.shape)
        rows, targets, weight = x[known], labels.targets[known], labels.weight[known]
        if self.names is not None and worth:
            named = add_names([rows], targets, weight, self.names.plain, worth)
            (rows,), targets, weight = named
        is_dense, even = not sparse.issparse(rows), balanced(weight, targets)
        fitted = regress_on_labels(rows, targets, even, self.settings.C, self.start)
        if is_dense and self.start is None:
            self.start = fitted
        scores, has_label = fitted.scores(x), targets.any(axis=0)
        if not has_label.all():  # of a class without a label, it knows nothing
            mean = logsumexp(scores[:, has_label], axis=1) - np.log(has_label.sum())
            scores[:, ~has_label] = mean[:, np.newaxis]
        return scores


class Opinion(NamedTuple):
    """Weights of the experts, the function that combines their scores, and what to expect of it.

    ``by_class`` are factors of the scores, by predicted class. ``held_out`` are the combined scores
    of held-out documents, and their labels. ``say`` is how far each student suits the documents,
    from 0 to 1: naive Bayes, the regression on words, and that on dense features. ``shares`` of the
    classes are logs relative to equal shares.
    """

    weights: np.ndarray
    combine: Callable[[np.ndarray], np.ndarray]
    accuracy: float
    by_class: np.ndarray
    held_out: tuple[np.ndarray, LabelVotes]
    say: np.ndarray
    shares: np.ndarray


def weigh_experts(view: View, labels: LabelVotes, numbers: np.ndarray | None = None) -> Opinion:
    """Fit the experts without some of the labels, and weigh them by what they get right."""
    n_classes, n_folds = labels.targets.shape[1], view.settings.n_folds
    scores, pool = view.experts(labels), ~labels.known
    confidence = float(softmax(scores[0][pool], axis=1).max(axis=1).mean())  # of the teacher
    if view.seeds is not None and not labels.known.any():
        confidence = min(confidence, view.seeds.accuracy)
    evidence = _evidence.gather_evidence(view.experts, labels, n_folds, numbers, len(scores))
    compared = evidence._replace(share=SAY_OF_AGREEMENT * evidence.share)
    # models also agree because all know the names and the seeds
    n_names = n_classes * view.weigh_names(labels)
    if view.seeds is not None:
        n_names += np.linalg.norm(view.seeds.weighed, axis=0).sum()
    of_labels = len(evidence.rows) / max(len(evidence.rows) + n_names, 1.0)
    evidence = evidence._replace(share=evidence.share * of_labels)
    alone = map(itemgetter, range(len(scores)))
    accuracy = np.array([_evidence.expected_accuracy(compared, each, confidence) for each in alone])
    n_labels, otherwise = compared.n_labels, float(accuracy[0])
    if view.dense is not None:  # stable clusters that are not the classes agree too often
        accuracy[-2:] = (accuracy[-2:] + accuracy[-2:].min()) / 2
    seeds = view.seeds
    if seeds is not None and seeds.dense is not None and not n_labels:
        otherwise = seeds.accuracy
    if seeds is not None and (n_labels or seeds.dense is not None):
        worth = WORTH_OF_STABILITY / (1 + labels.known.sum() / FADE)
        promised = seeds.promise(len(scores), view.directions is not None)
        accuracy = (n_labels * accuracy + worth * promised) / (n_labels + worth)
        n_labels += worth
    accuracy = np.clip(accuracy, 1 / n_classes + 1e-3, 1 - 1e-3)
    # experts that learn from each other count half
    say_before = [1.0, 1.0] if view.directions is None else [0.5, 0.5, 1.0]
    say_before += [] if view.dense is None else [0.5, 0.5]
    weights = np.array(say_before) * _evidence.weight_of_evidence(accuracy, n_labels)
    of_words = 1 if view.directions is None else 2  # the regression on the labels
    if not len(evidence.truth):  # the regressions have not earned a say
        weights[[of_words] if view.dense is None else [of_words, -1]] = 0.0
    measured = zip(scores[:, pool], accuracy, strict=True)
    sharpness = np.array([_evidence.matching_sharpness(*each) for each in measured])
    combine = partial(_evidence.pooled, weights=weights, sharpness=sharpness)
    held_out, shares = combine(evidence.held_out), np.zeros(n_classes)
    if len(held_out):
        answers = combine(scores[:, pool]).argmax(axis=1)
        shares = shares_of_pool(answers, held_out.argmax(axis=1), evidence.truth)
    expected = _evidence.expected_accuracy(evidence, combine, otherwise)
    by_class = _evidence.sharpness_by_class(evidence, combine, expected)
    expected += AVOIDED * (1 - MARGIN - expected) if len(evidence.truth) else 0.0
    of_bayes = _evidence.weight_of_evidence(accuracy[[0, of_words]], 2 * compared.n_labels)[0]
    say = [of_bayes / 2, 1.0]  # it repeats what the experts say more than the regression does
    if view.dense is not None:
        say.append(_evidence.weight_of_evidence(accuracy, n_labels)[-2:].max())
    known = held_out, labels.take(evidence.rows)
    return Opinion(weights, combine, expected, by_class, known, np.array(say), shares)
