"""How far confidence and accuracy are apart."""

import numpy as np
from numpy.typing import ArrayLike

from honeybayes.utils.parameters import described_like

N_BINS = 15  # of the expected calibration error


def reliability_bins(
    proba: ArrayLike, correct: ArrayLike, n_bins: int = N_BINS
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Compare confidence and accuracy in equal intervals of confidence from 0 to 1.

    Parameters
    ----------
    proba : array-like of shape (n_samples,)
        Probability of the predicted class of each document.
    correct : array-like of bool, shape (n_samples,)
        Whether the prediction was correct.
    n_bins : int, default=15
        Number of intervals. Each includes its upper end, and the first includes 0.

    Returns
    -------
    size, confidence, accuracy : ndarray
        Number of documents, mean confidence and accuracy of each interval. Empty intervals are left
        out.
    """
    confidence, right = np.asarray(proba, dtype=np.float64), np.asarray(correct, dtype=np.float64)
    interval = np.clip(np.ceil(confidence * n_bins).astype(np.intp) - 1, 0, n_bins - 1)
    size = np.bincount(interval, minlength=n_bins)
    filled = size > 0
    sums = (np.bincount(interval, each, minlength=n_bins)[filled] for each in (confidence, right))
    means = [total / size[filled] for total in sums]
    return size[filled], means[0], means[1]


@described_like(reliability_bins)
def expected_calibration_error(proba: ArrayLike, correct: ArrayLike, n_bins: int = N_BINS) -> float:
    """Return the mean distance between confidence and accuracy.

    Returns
    -------
    float
        0 is best.

    Examples
    --------
    >>> from honeybayes.calibration import expected_calibration_error
    >>> round(expected_calibration_error([0.9, 0.9, 0.6, 0.6], [True, True, True, False]), 3)
    0.1
    """
    size, confidence, accuracy = reliability_bins(proba, correct, n_bins)
    return float(np.average(np.abs(confidence - accuracy), weights=size))
