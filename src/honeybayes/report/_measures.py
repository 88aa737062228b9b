"""The numbers of the report, computed from held-out predictions and from learning curves."""

from collections import Counter
from typing import NamedTuple

import numpy as np
from sklearn.metrics import precision_recall_fscore_support

from honeybayes.labeling.estimate import fit_curve
from honeybayes.report._examination import Examination
from honeybayes.tables import Corpus

UNEVEN = 3  # times the smallest class; then the accuracy hides how the small classes do
MORE_LABELS = 50
FEWEST_SIZES = 3  # the fitted curve has three parameters
N_STEPS = 12  # of the drawn curve


class ClassMeasure(NamedTuple):
    """How well a class is found; precision or recall is NaN if nothing was predicted or tested."""

    label: str
    n_labels: int
    precision: float
    recall: float
    f1: float


class Mistake(NamedTuple):
    """Two classes that are confused: ``n`` times, which is a ``share`` of the true class."""

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
    precision, recall, f1, _ = precision_recall_fscore_support(
        examination.truth, examination.answers, labels=labels, zero_division=np.nan
    )
    sizes = np.array([(corpus.labels == label).sum() for label in labels])
    columns = (each.tolist() for each in (labels, sizes, precision, recall, np.nan_to_num(f1)))
    found = [ClassMeasure(*row) for row in zip(*columns, strict=True)]
    return sorted(found, key=lambda each: (each.f1, each.label))


def count_mistakes(examination: Examination) -> list[Mistake]:
    """Return the pairs of confused classes, the most frequent first."""
    size = Counter(examination.truth.tolist())
    pairs = Counter(zip(examination.truth.tolist(), examination.answers.tolist(), strict=True))
    found = [Mistake(*pair, n / size[pair[0]], n) for pair, n in pairs.items() if len({*pair}) > 1]
    return sorted(found, key=lambda each: (-each.n, each.label, each.answer))


def largest_class(examination: Examination) -> tuple[str, float]:
    """Return the most frequent class of the tested documents, and its share."""
    labels, sizes = np.unique(examination.truth, return_counts=True)
    return str(labels[sizes.argmax()]), float(sizes.max() / sizes.sum())


def answered_from(examination: Examination, threshold: float) -> tuple[float, float]:
    """Return the share of documents with at least this confidence, and how many are right."""
    is_answered = examination.confidence >= threshold
    return float(is_answered.mean()), float(examination.is_right[is_answered].mean())


def mean_curve(n_labels: np.ndarray, values: np.ndarray) -> list[tuple[float, float]]:
    """Return the mean of the values for each number of labels."""
    return [(float(n), float(values[n_labels == n].mean())) for n in np.unique(n_labels)]


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
    sizes, means = np.array(mean_curve(n_labels, values)).reshape(-1, 2).T
    if len(sizes) < FEWEST_SIZES:
        return None
    curve = fit_curve(sizes, means)
    now = int(sizes[-1])
    n_more = min(MORE_LABELS, now)
    value, more = curve(np.array([now, now + n_more])).tolist()
    steps = np.linspace(now, now + n_more, N_STEPS)
    ahead = tuple(zip(steps.tolist(), curve(steps).tolist(), strict=True))
    return Gain(now, n_more, value, more, ahead)
