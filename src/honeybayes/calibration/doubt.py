"""Doubt: the share of a probability that few labels cannot justify.

A model that learned from few labels can be sure of whole groups of documents and be wrong about all
of them, and a few held-out labels do not show this. So a share of each answer, the doubt, is
divided evenly among the classes. It shrinks as labels are added, and no confidence gets above
1 - doubt + doubt / n_classes.

Texts of a class without any label can never be answered rightly. How many there are is estimated by
Good and Turing: as many as there are labels that are the only one of their class. Held out, such a
label could not be answered either.
"""

import numpy as np

# Chosen on the groups "first" and "short" of benchmarks/few_labels.py: see docs/calibration.md.
ALWAYS = 0.01
PER_LABEL = 0.3  # divided by the labels per class
MOST = 0.3


def doubt_of(n_labels: float, n_classes: int) -> float:
    """Return the doubt that remains after so many labels."""
    return min(MOST, ALWAYS + PER_LABEL * n_classes / max(n_labels, 1.0))


def count_alone(position: np.ndarray, is_counted: np.ndarray | None = None) -> int:
    """Return the number of labels that are the only one of their class."""
    alone = np.bincount(position[position >= 0]) == 1
    if is_counted is None:
        return int(alone.sum())
    return int(alone[position[is_counted & (position >= 0)]].sum())


def add_doubt(proba: np.ndarray, doubt: float) -> np.ndarray:
    """Divide a share of the probability evenly among the classes; their order stays the same."""
    return (1 - doubt) * proba + doubt / proba.shape[1]


def confidence_before_doubt(accuracy: float, doubt: float, n_classes: int) -> float:
    """Return the mean confidence before `add_doubt` that becomes ``accuracy`` after it."""
    return min(1.0, (accuracy - doubt / n_classes) / (1 - doubt))
