"""The critical-difference diagram of Demsar (2006)."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from honeybayes.utils.optional import new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ROW = 0.32  # inches


def group_ranks(ranks: Mapping[str, float], difference: float) -> list[tuple[float, float]]:
    """Find the longest ranges of average ranks that are not longer than the difference."""
    ordered = sorted(ranks.values())
    groups: list[tuple[float, float]] = []
    for low in ordered:
        high = max(rank for rank in ordered if rank - low <= difference)
        if high > low and (not groups or high > groups[-1][1]):
            groups.append((low, high))
    return groups


def plot_critical_difference(ranks: Mapping[str, float], difference: float) -> "Figure":
    """Draw average ranks on a line; bars connect models that do not differ significantly.

    Parameters
    ----------
    ranks : mapping of str to float
        Average rank of each model, as from `Comparison.ranks`.
    difference : float
        From `critical_difference`.

    Returns
    -------
    matplotlib.figure.Figure
        Save it with its ``savefig``. Requires matplotlib, the extra ``report``.

    References
    ----------
    Demsar, J. (2006). Statistical comparisons of classifiers over multiple data sets. Journal of
    Machine Learning Research 7, 1-30.

    Examples
    --------
    >>> from honeybayes.evaluate import plot_critical_difference
    >>> ranks = {"A": 1.4, "B": 2.0, "C": 2.6}
    >>> figure = plot_critical_difference(ranks, 0.9)  # doctest: +SKIP
    """
    best_first = sorted(ranks.items(), key=lambda pair: pair[1])
    half = (len(best_first) + 1) // 2
    bars = group_ranks(ranks, difference)
    below = 0.6 + 0.3 * len(bars)
    figure = new_figure(7.2, ROW * (half + below + 3))
    axes = figure.add_subplot()
    last = max(2, len(best_first))
    axes.set(xlim=(0.2, last + 0.8), ylim=(-below - half - 0.4, 2.2))
    axes.axis("off")
    axes.plot([1, last], [0, 0], color="black", lw=1)
    for tick in range(1, last + 1):
        axes.plot([tick, tick], [0, 0.2], color="black", lw=1)
        if (tick - 1) % (1 + last // 12) == 0:  # more numbers would overlap
            axes.text(tick, 0.35, str(tick), ha="center", va="bottom")
    axes.plot([1, 1 + difference], [1.5, 1.5], color="black", lw=2, solid_capstyle="butt")
    axes.text(1 + difference / 2, 1.6, f"CD = {difference:.2f}", ha="center", va="bottom")
    for index, (name, rank) in enumerate(best_first):
        on_left = index < half
        drop = -(below + (index if on_left else len(best_first) - 1 - index))
        edge = 0.9 if on_left else last + 0.1
        text = f"{name} {rank:.2f} " if on_left else f" {rank:.2f} {name}"
        axes.plot([rank, rank, edge], [0, drop, drop], color="gray", lw=0.8)
        axes.text(edge, drop, text, ha="right" if on_left else "left", va="center")
    for level, (low, high) in enumerate(bars):
        depth = -0.3 - 0.3 * level
        axes.plot([low - 0.03, high + 0.03], [depth, depth], color="black", lw=3)
    return figure
