"""How near plain models come to the printed numbers of the others: what a fit is worth."""

from dataclasses import dataclass

import numpy as np

from reproduction.rerun import Reproduction

PLAIN = ("MNB", "CNB", "OVA")


@dataclass(frozen=True)
class Distances:
    """Distances of models from the table, in points."""

    lowest: float  # mean distance of the nearest model
    mean: float  # over all cells
    highest: float
    cells: int
    fit: int  # cells within 2 points


def compare_with_plain(reproduction: Reproduction) -> tuple[Distances, Distances] | None:
    """Put MNB, CNB or OVA in place of each other model of hmnb.

    Returns the distances of the models and of the plain ones; None if there are none.
    """
    cells = {(c.published.dataset, c.published.model): c for c in reproduction.cells}
    own: dict[str, list[tuple[float, float]]] = {}
    for (dataset, model), cell in cells.items():
        plain = cells.get((dataset, next((name for name in PLAIN if name in model), "")))
        if model in PLAIN or plain is None or cell.measured is None or plain.measured is None:
            continue
        published = cell.published.value
        pair = abs(cell.measured - published), abs(plain.measured - published)
        own.setdefault(model, []).append(pair)
    if not own:
        return None
    means = np.array([np.mean(pairs, axis=0) for pairs in own.values()])
    flat = np.concatenate([np.array(pairs) for pairs in own.values()]).round(6)
    both = (
        Distances(
            means[:, i].min(),
            flat[:, i].mean(),
            means[:, i].max(),
            len(flat),
            int((flat[:, i] <= 2).sum()),
        )
        for i in (0, 1)
    )
    return next(both), next(both)
