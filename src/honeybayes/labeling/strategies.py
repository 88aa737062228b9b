"""Strategies: which texts to label next.

A strategy is a function ``strategy(situation, n, rng)``: from a `Situation`, the number of texts to
choose and a `numpy.random.Generator` to up to ``n`` positions of texts in the pool, the most useful
first. Write your own in the same way, and pass it to `honeybayes.labeling.LabelingSession` or
`honeybayes.labeling.simulate`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from honeybayes.utils.messages import did_you_mean

MOST_COMPARED = 3000  # texts; those that represent a sample represent all
BLOCK = 1000  # labeled texts at a time, so that many of them take little memory
DIGITS = 3  # of gains and leads: smaller differences are rounding errors, and count as ties


@dataclass(frozen=True)
class Situation:
    """What a strategy can use.

    Parameters
    ----------
    candidates : ndarray of int
        Positions of the texts to choose from, in ascending order.
    labeled : ndarray of int
        Positions of the texts that have a label, without those of the audit.
    axes : ndarray of shape (n_texts, n_axes)
        The texts in a latent semantic space, as unit vectors; zeros for texts without words.
    probabilities : ndarray of shape (n_texts, n_classes) or None
        Probabilities of the classes, from a model that has not seen the labels of the audit. None
        if there is no model yet.
    """

    candidates: np.ndarray
    labeled: np.ndarray
    axes: np.ndarray
    probabilities: np.ndarray | None = None


Strategy = Callable[[Situation, int, np.random.Generator], np.ndarray]


def random(situation: Situation, n: int, rng: np.random.Generator) -> np.ndarray:
    """Choose texts at random."""
    return rng.permutation(situation.candidates)[:n]


def representative(situation: Situation, n: int, rng: np.random.Generator) -> np.ndarray:
    """Choose texts that represent many texts of which the model is unsure.

    A text is represented by the labeled text that is most like it, as far as the two are alike: by
    the square of their cosine, or 0 if this is negative. Each text that is chosen adds most to how
    far the candidates are represented, or at most 3,000 of them, drawn at random. There, a text
    counts the less, the more the model prefers one class to all others; without a model, all texts
    count the same (uncertainty herding [1]_). If several texts add as much, the model is least sure
    of the first.

    References
    ----------
    .. [1] W. Bae, G. L. Oliveira and D. J. Sutherland, "Uncertainty Herding: One Active Learning
       Method for All Label Budgets", ICLR 2025.
    """
    candidates = situation.candidates[situation.axes[situation.candidates].any(axis=1)]
    if len(candidates) > MOST_COMPARED:
        candidates = np.sort(rng.choice(candidates, MOST_COMPARED, replace=False))
    if not len(candidates):
        return random(situation, n, rng)
    leads = _leads(situation, candidates).round(DIGITS)
    order = np.argsort(leads, kind="stable")  # argmax takes the first of several
    candidates, weight = candidates[order], 1 - leads[order]
    points = situation.axes[candidates]
    represents = _likeness(points, points)
    represented = np.zeros(len(points), dtype=points.dtype)
    for start in range(0, len(situation.labeled), BLOCK):
        some = situation.axes[situation.labeled[start : start + BLOCK]]
        represented = np.maximum(represented, _likeness(points, some).max(axis=1))
    # A gain only falls while others are chosen, so what was computed before is its upper bound.
    gains = np.full(len(points), np.inf)
    chosen: list[int] = []
    while len(chosen) < min(n, len(points)):
        best = int(gains.argmax())
        gain = (weight @ np.maximum(represents[best] - represented, 0)).round(DIGITS)
        if not gain < gains[best]:  # nor if it is NaN
            chosen.append(best)
            represented = np.maximum(represented, represents[best])
            gain = -1.0
        gains[best] = gain
    return candidates[chosen]


def margin(situation: Situation, n: int, rng: np.random.Generator) -> np.ndarray:
    """Choose texts whose two most likely classes are almost equally likely.

    Without a model, texts are chosen that represent many others.
    """
    if situation.probabilities is None:
        return representative(situation, n, rng)
    leads = _leads(situation, situation.candidates)
    return situation.candidates[np.argsort(leads, kind="stable")[:n]]


def _likeness(points: np.ndarray, others: np.ndarray) -> np.ndarray:
    return np.maximum(points @ others.T, 0) ** 2


def _leads(situation: Situation, positions: np.ndarray) -> np.ndarray:
    """Return the lead of the most likely class over the second; 0 without a model."""
    if situation.probabilities is None:
        return np.zeros(len(positions))
    best = np.sort(situation.probabilities[positions], axis=1)
    return best[:, -1] - best[:, -2]


STRATEGIES: dict[str, Strategy] = {
    "representative": representative,
    "margin": margin,
    "random": random,
}
DEFAULT = "representative"


def find_strategy(strategy: Any) -> Strategy:
    """Return the strategy with a name, or the function itself."""
    if callable(strategy):
        return strategy
    if strategy not in STRATEGIES:
        known, hint = ", ".join(STRATEGIES), did_you_mean(str(strategy), STRATEGIES)
        raise ValueError(f"There is no strategy {strategy!r}. The strategies are: {known}.{hint}")
    return STRATEGIES[strategy]
