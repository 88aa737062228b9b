"""The numbers of the report, computed from held-out predictions and from learning curves."""

from collections import Counter
from typing import NamedTuple

import numpy as np
from sklearn.metrics import precision_recall_fscore_support

from honeybayes.calibration.coverage import (
    FEWEST_HELD_OUT,
    TARGETS,
    TargetThreshold,
    find_threshold,
)
from honeybayes.data import Corpus
from honeybayes.labeling.estimate import fit_curve
from honeybayes.report._examination import Examination

UNEVEN = 3  # times the smallest class; then the accuracy hides how the small classes do
MORE_LABELS = 50
FEWEST_SIZES = 3  # the fitted curve has three parameters
N_STEPS = 12  # of the drawn curve


class ClassMeasure(NamedTuple):
    """How well one class is found.

    Parameters
    ----------
    label : str
        The class.
    n_labels : int
        Number of documents with this label.
    precision : float or None
        Share of the predictions of this class that are right; None without such a prediction.
    recall : float or None
        Share of the tested documents of this class that are found; None if none was tested.
    f1 : float
        Harmonic mean of the two.
    """

    label: str
    n_labels: int
    precision: float | None
    recall: float | None
    f1: float


class Mistake(NamedTuple):
    """A pair of classes that are confused.

    Parameters
    ----------
    label, answer : str
        The true class, and the class that was predicted.
    share : float
        How many of the tested documents of the true class, from 0 to 1.
    n : int
        Number of such predictions.
    """

    label: str
    answer: str
    share: float
    n: int


class Gain(NamedTuple):
    """What more labels would bring.

    Parameters
    ----------
    n_labels : int
        Number of labels now.
    n_more : int
        Number of labels more.
    value, more : float
        The metric now and then, from 0 to 1, on the fitted curve.
    ahead : tuple of (float, float)
        The fitted curve from now on: numbers of labels, and the metric.
    """

    n_labels: int
    n_more: int
    value: float
    more: float
    ahead: tuple[tuple[float, float], ...]

    @property
    def gain(self) -> float:
        """The difference, from 0 to 1."""
        return self.more - self.value


def is_uneven(corpus: Corpus) -> bool:
    """Return True if the largest class has at least three times the labels of the smallest."""
    sizes = np.unique(corpus.labels[corpus.labels != ""], return_counts=True)[1]
    return bool(sizes.max() >= UNEVEN * sizes.min())


def measure_classes(examination: Examination, corpus: Corpus) -> list[ClassMeasure]:
    """Measure each class; the one that is found worst comes first."""
    labels = corpus.classes
    numbers = precision_recall_fscore_support(
        examination.truth, examination.answers, labels=labels, zero_division=0
    )
    found = []
    for label, precision, recall, f1, _ in zip(labels.tolist(), *numbers, strict=True):
        is_predicted = (examination.answers == label).any()
        is_tested = (examination.truth == label).any()
        found.append(
            ClassMeasure(
                label,
                int((corpus.labels == label).sum()),
                float(precision) if is_predicted else None,
                float(recall) if is_tested else None,
                float(f1),
            )
        )
    return sorted(found, key=lambda each: (each.f1, each.label))


def count_mistakes(examination: Examination) -> list[Mistake]:
    """Return the pairs of confused classes, the most frequent first."""
    size = Counter(examination.truth.tolist())
    wrong = ~examination.is_right
    answers = examination.answers[wrong].tolist()
    pairs = Counter(zip(examination.truth[wrong].tolist(), answers, strict=True))
    found = [Mistake(*pair, n / size[pair[0]], n) for pair, n in pairs.items()]
    return sorted(found, key=lambda each: (-each.n, each.label, each.answer))


def largest_class(examination: Examination) -> tuple[str, float]:
    """Return the most frequent class of the tested documents, and its share."""
    labels, sizes = np.unique(examination.truth, return_counts=True)
    return str(labels[sizes.argmax()]), float(sizes.max() / sizes.sum())


def find_thresholds(examination: Examination) -> list[TargetThreshold]:
    """Find the thresholds for the usual targets; none if too few documents were tested."""
    if examination.n_documents < FEWEST_HELD_OUT or not examination.has_confidence:
        return []
    tested = examination.confidence, examination.is_right
    return [find_threshold(each, *tested, documents=examination.rows) for each in TARGETS]


def estimate_gain(n_labels: np.ndarray, values: np.ndarray) -> Gain | None:
    """Estimate what 50 more labels would bring, or twice as many labels if there are fewer.

    Parameters
    ----------
    n_labels, values : ndarray of shape (n_trials,)
        Number of labels and value of the metric in each trial.

    Returns
    -------
    Gain or None
        None if there are fewer than three different numbers of labels.
    """
    sizes = np.unique(n_labels)
    if len(sizes) < FEWEST_SIZES:
        return None
    means = np.array([values[n_labels == size].mean() for size in sizes])
    curve = fit_curve(sizes.astype(float), means)
    now = int(sizes[-1])
    n_more = min(MORE_LABELS, now)
    value, more = curve(np.array([now, now + n_more])).tolist()
    steps = np.linspace(now, now + n_more, N_STEPS)
    ahead = tuple(zip(steps.tolist(), curve(steps).tolist(), strict=True))
    return Gain(now, n_more, value, more, ahead)
