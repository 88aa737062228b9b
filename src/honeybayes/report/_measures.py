"""The numbers of the report, computed from held-out predictions and from learning curves."""

from typing import NamedTuple

import numpy as np

from honeybayes.labeling.estimate import fit_curve
from honeybayes.report._examination import Examination
from honeybayes.tables import Corpus

UNEVEN = 3  # times the smallest class; then the accuracy hides how the small classes do
MORE_LABELS = 50
FEWEST_SIZES = 3  # the fitted curve has three parameters
N_STEPS = 12  # of the drawn curve


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
