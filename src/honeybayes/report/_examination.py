"""Predictions of one model for held-out documents, and what they say about it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.metrics import f1_score

from honeybayes.calibration import coverage
from honeybayes.calibration.coverage import Interval, TargetThreshold
from honeybayes.evaluate import Difference, RandomSplits, RepeatedFolds
from honeybayes.evaluate.trial import Experiment, TermChoice
from honeybayes.labeling import Advice, quality
from honeybayes.labeling.quality import Point
from honeybayes.tables import Corpus
from honeybayes.text import ATTRIBUTES

if TYPE_CHECKING:
    from pandas import DataFrame

PREDICTIONS = ("rows", "truth", "answers", "probabilities")
FEWEST_ANSWERED = 0.05  # share of the documents, for a threshold to be worth the trouble
ALL_ANSWERED = 0.995
FEWEST_SIZES = 3  # the fitted curve has three parameters
METRICS = {"accuracy": "accuracy", "macro_f1": "macro-F1"}


@dataclass(frozen=True)
class Examination:
    """Predictions of a model for held-out documents."""

    rows: np.ndarray  # of each document in the corpus; several splits may test the same document
    truth: np.ndarray  # their labels
    answers: np.ndarray  # the predicted classes
    probabilities: np.ndarray  # of each class, shape (n_predictions, n_classes)
    classes: np.ndarray  # of the columns
    classifier: Any  # fitted on the first split
    with_pool: bool = False  # whether it also learned from unlabeled texts
    has_confidence: bool = True  # whether the probabilities are its own

    @property
    def confidence(self) -> np.ndarray:
        """Probability of each predicted class."""
        return self.probabilities.max(axis=1)

    @property
    def is_right(self) -> np.ndarray:
        """Whether each prediction is the true class."""
        return self.answers == self.truth

    @property
    def n_documents(self) -> int:
        """Number of distinct documents that were tested."""
        return len(np.unique(self.rows))

    def largest_class(self) -> tuple[str, float]:
        """Return the most frequent class of the tested documents, and its share."""
        labels, sizes = np.unique(self.truth, return_counts=True)
        return str(labels[sizes.argmax()]), float(sizes.max() / sizes.sum())

    def answered_from(self, threshold: float) -> tuple[float, float]:
        """Return the share of documents with at least this confidence, and how many are right."""
        is_answered = self.confidence >= threshold
        return float(is_answered.mean()), float(self.is_right[is_answered].mean())

    def scores(self) -> dict[str, float]:
        """Return the accuracy and, if every class was tested, the macro-F1 of all predictions."""
        found = {"accuracy": float(self.is_right.mean())}
        if set(self.classes) == set(self.truth):
            macro_f1 = f1_score(self.truth, self.answers, average="macro", zero_division=0)
            found["macro_f1"] = float(macro_f1)
        return found

    def only(self, rows: Any) -> "Examination":
        """Keep the predictions for some rows of the corpus, unless these are fewer than ten."""
        kept = np.isin(self.rows, np.asarray(rows, dtype=int))
        if len(np.unique(self.rows[kept])) < coverage.FEWEST_HELD_OUT:
            return self
        return replace(self, **{name: getattr(self, name)[kept] for name in PREDICTIONS})

    def documents(self, corpus: Corpus) -> "DataFrame":
        """Return the tested documents with mean probabilities of label and answer, surest first.

        Each also has its id, and the number of its row in the table; the first has number 1. The
        label may be wrong if the mean probability of another class is at least 0.8.
        """
        import pandas

        by_row = pandas.DataFrame(self.probabilities, self.rows).groupby(level=0).mean()
        rows, means = by_row.index.to_numpy(), by_row.to_numpy()
        labels, answers = corpus.labels[rows], self.classes[means.argmax(axis=1)]
        own, sure = np.searchsorted(self.classes, labels), means.max(axis=1)
        differs = (answers != labels) & (sure >= quality.SUSPICIOUS)
        found = pandas.DataFrame(
            {
                "text": [str(corpus.documents[row]) for row in rows],
                "label": labels,
                "answer": answers,
                "probability": means[np.arange(len(rows)), own],
                "confidence": sure,
                "is_suspicious": differs & self.has_confidence,
                "row": 1 + (rows if corpus.rows is None else corpus.rows[rows]),
                "id": "" if corpus.ids is None else [str(corpus.ids[row]) for row in rows],
            }
        )
        return found.sort_values("confidence", ascending=False, kind="stable")


def examine(
    classifier: Any,
    corpus: Corpus,
    splits: RandomSplits | RepeatedFolds,
    seed: int = 0,
    *,
    seeds: Mapping[str, str] | None = None,
    hide_labels: bool = False,
) -> Examination:
    """Train a classifier of texts on each split, and keep its predictions for the test part.

    If it returns no probabilities, the predicted class gets 1. Texts with an empty label are never
    tested; they are the pool of a `TextClassifier` whose model learns from unlabeled texts. With
    ``hide_labels``, the labeled documents outside a draw are in the pool, too, as in
    `honeybayes.evaluate.compare`, which has the same splits with the same seed. ``seeds`` are seed
    words of the classes. Test documents whose text is in the training part are left out.
    """
    experiment = Experiment(corpus, "clean", None, TermChoice(), (), None, hide_labels)
    if getattr(classifier, "language", None) == ATTRIBUTES:
        experiment.digests = None  # records of few attributes are often equal, and yet not the same
    classes = np.union1d(corpus.classes, [] if seeds is None else list(seeds))
    options = {} if seeds is None else {"seeds": seeds}
    first, tested, parts, n_pool = None, [], [], 0
    for split in experiment.splits(splits, seed):
        fitted = clone(classifier)
        texts, labels, more, test, n_pool = experiment.prepare(fitted, split)
        fitted.fit(texts, labels, **more, **options)
        # a small class may be missing in a training part
        given = np.zeros((len(test), len(classes)))
        if hasattr(fitted, "predict_proba"):
            columns = np.searchsorted(classes, np.asarray(fitted.classes_, dtype=str))
            given[:, columns] = fitted.predict_proba(test)
        else:
            given[np.arange(len(test)), np.searchsorted(classes, fitted.predict(test))] = 1
        tested.append(split.test)
        parts.append(given)
        first = first or fitted  # the telling words are those of the first split
    rows, probabilities = np.concatenate(tested), np.concatenate(parts)
    return Examination(
        rows,
        truth=corpus.labels[rows],
        answers=classes[probabilities.argmax(axis=1)],
        probabilities=probabilities,
        classes=classes,
        classifier=first,
        with_pool=n_pool > 0,
        has_confidence=hasattr(first, "predict_proba"),
    )


class Gain(NamedTuple):
    """What more labels would bring."""

    ahead: tuple[Point, ...]  # the fitted curve from now on

    @property
    def n_more(self) -> int:
        """Number of labels more."""
        return self.ahead[-1].n_labels - self.ahead[0].n_labels

    @property
    def gain(self) -> float:
        """What they add to the metric, from 0 to 1."""
        return self.ahead[-1].value - self.ahead[0].value


@dataclass(frozen=True)
class BestModel:
    """What was found out about the best model, or about the only one."""

    name: str
    metric: str  # the one that counts: "macro_f1" if the classes are uneven
    scores: dict[str, float]  # of both metrics, as far as they are known
    examination: Examination
    gain: Gain | None
    baseline: tuple[str, float]  # the largest class, and how often it is right to answer it always
    advice: Advice | None = None  # whether to stop labeling
    is_chosen: bool = False  # the labels are no random sample: other documents may differ
    second: str = ""  # the second best model, if there is one
    difference: Difference | None = None  # to the second; None after few draws
    best_by_accuracy: str = ""
    automatic: tuple[TargetThreshold, ...] = ()  # as the page of a project has them
    audit: Interval | None = None  # the accuracy of a project, as its page has it

    @property
    def right(self) -> Interval:
        """How many answers are right."""
        is_right = self.examination.is_right
        return self.audit or coverage.wilson_interval(int(is_right.sum()), len(is_right))

    @property
    def accuracy(self) -> str:
        """The accuracy; after few checks, only the interval that it is in."""
        _, low, high, n = self.right
        is_few = n < quality.FEW_CHECKS
        return f"{percent(low)} to {percent(high)}" if is_few else percent(self.scores["accuracy"])

    @property
    def is_clear(self) -> bool:
        """Whether the best model is better than the second by more than chance."""
        return not self.second or (self.difference is not None and self.difference.verdict == "win")

    @cached_property
    def thresholds(self) -> list[TargetThreshold]:
        """The thresholds for the usual targets; none if too few documents were tested."""
        found = self.examination
        if self.automatic or not found.has_confidence:
            return [*self.automatic]
        return coverage.measured_thresholds(found.confidence, found.is_right, documents=found.rows)

    @cached_property
    def alone(self) -> TargetThreshold | None:
        """The threshold for the usual target; None if there is none worth the trouble."""
        found = [each for each in self.thresholds if each.target == coverage.USUAL_TARGET]
        return found[0] if found and found[0].answered >= FEWEST_ANSWERED else None

    @property
    def answers_all(self) -> bool:
        """Whether it may answer (almost) every document alone."""
        return self.alone is not None and self.alone.answered >= ALL_ANSWERED

    @property
    def answered(self) -> tuple[float, float]:
        """The share of documents that it may answer alone, and how many of them were right."""
        assert self.alone is not None
        return self.alone.answered, self.examination.answered_from(self.alone.threshold or 0.0)[1]


def mean_curve(n_labels: np.ndarray, values: np.ndarray) -> list[Point]:
    """Return the mean of the values for each number of labels."""
    return [Point(n, float(values[n_labels == n].mean())) for n in np.unique(n_labels).tolist()]


def estimate_gain(n_labels: np.ndarray, values: np.ndarray) -> Gain | None:
    """Estimate what 50 more labels would bring, or twice as many labels if there are fewer.

    Both arrays have one value per trial. None if there are fewer than three numbers of labels.
    """
    ahead = quality.project_curve(mean_curve(n_labels, values), FEWEST_SIZES)
    return Gain(ahead) if ahead else None


def percent(value: float) -> str:
    """Return a share as a percentage with one decimal."""
    return f"{100 * value:.1f} %"


def points(gain: float) -> str:
    """Return a gain in whole points, because a projection is no more exact than that."""
    n = round(100 * gain)
    return "less than 1 point" if n < 1 else f"about {n} point{'s' if n > 1 else ''}"
