"""How far people agree who labeled the same texts without knowing what the others said."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from honeybayes.calibration.coverage import wilson_interval


class Alpha(NamedTuple):
    """Krippendorff's alpha with its 95 % interval."""

    # 1 if people always agree, 0 if they agree as often as by chance; None if all labels are
    # of one class, because chance would then agree, too
    alpha: float | None
    low: float | None  # the limits
    high: float | None
    n_texts: int  # number of texts with labels of two or more persons


class Agreement(NamedTuple):
    """How far people agree, for all classes together and for each class against the others."""

    overall: Alpha  # for all classes
    by_class: dict[int, Alpha]  # for each class that somebody gave, by its number
    share: float  # share of the texts on which all persons agree
    n_people: int


def krippendorff_alpha(votes: Iterable[Iterable[int]]) -> Alpha:
    """Return Krippendorff's alpha of nominal labels.

    The interval is the Wilson interval of the observed agreement, with the agreement that chance
    leads to taken as known. So it is not empty if all people agree on a few texts.

    Parameters
    ----------
    votes : iterable of iterable of int
        For each text, the classes that people gave it. Texts with one vote do not count.

    References
    ----------
    .. [1] K. Krippendorff, "Content Analysis: An Introduction to Its Methodology", 2004, chapter
       11.

    Examples
    --------
    >>> from honeybayes.labeling import krippendorff_alpha
    >>> found = krippendorff_alpha([[1, 1], [2, 2], [1, 1], [2, 1], [2, 2], [1, 1]])
    >>> round(found.alpha, 3), round(found.low, 2), round(found.high, 2), found.n_texts
    (0.686, -0.06, 0.94, 6)
    """
    units = [given for each in votes if len(given := list(each)) > 1]
    if not units:
        return Alpha(None, None, None, 0)
    classes = {id for unit in units for id in unit}
    counts = np.array([[unit.count(id) for id in classes] for unit in units])
    size = counts.sum(axis=1)
    n, totals = size.sum(), counts.sum(axis=0)
    agreeing = float(((counts * (counts - 1)).sum(axis=1) / (size - 1)).sum() / n)
    by_chance = float((totals * (totals - 1)).sum() / (n * (n - 1)))
    if by_chance == 1:
        return Alpha(None, None, None, len(units))
    found = wilson_interval(agreeing * len(units), len(units))
    shares = agreeing, found.low, found.high
    alpha, low, high = ((each - by_chance) / (1 - by_chance) for each in shares)
    return Alpha(alpha, low, high, len(units))


def measure_agreement(votes: Mapping[int, Mapping[str, int]]) -> Agreement | None:
    """Return how far people agree; None if no text has labels of two persons.

    ``votes`` has the class that each person gave to each text: ``LedgerState.double``.
    """
    units = [list(each.values()) for each in votes.values() if len(each) > 1]
    if not units:
        return None
    ids = sorted({id for unit in units for id in unit})
    by_class = {id: krippendorff_alpha([[v == id for v in unit] for unit in units]) for id in ids}
    share = float(np.mean([len(set(unit)) == 1 for unit in units]))
    people = {who for each in votes.values() for who in each}
    return Agreement(krippendorff_alpha(units), by_class, share, len(people))
