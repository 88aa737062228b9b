"""SVG files for the documentation that are the same in every run. Requires matplotlib."""

from collections.abc import Mapping

from matplotlib import rcParams
from matplotlib.figure import Figure

from benchmarks.records import DOCS
from honeybayes.utils.optional import new_figure

ROW = 0.32  # inches, of a model in a critical-difference diagram


def make_svg_repeatable(**settings: float) -> None:
    """Fix the identifiers in SVG files, keep text as text, and apply further settings."""
    rcParams.update({"svg.hashsalt": "honeybayes", "svg.fonttype": "none", **settings})


def save_picture(figure: Figure, name: str) -> None:
    """Save a figure in the images of the documentation, and print its path."""
    path = DOCS / "images" / f"{name}.svg"
    path.parent.mkdir(exist_ok=True)
    figure.savefig(path, metadata={"Date": None})
    print(f"Wrote {path}")


def group_ranks(ranks: Mapping[str, float], difference: float) -> list[tuple[float, float]]:
    """Find the longest ranges of average ranks that are not longer than the difference."""
    ordered = sorted(ranks.values())
    groups: list[tuple[float, float]] = []
    for low in ordered:
        high = max(rank for rank in ordered if rank - low <= difference)
        if high > low and (not groups or high > groups[-1][1]):
            groups.append((low, high))
    return groups


def plot_critical_difference(ranks: Mapping[str, float], difference: float) -> Figure:
    """Draw average ranks on a line; bars connect models that do not differ significantly.

    ``ranks`` come from `Comparison.ranks`, ``difference`` from `critical_difference`.
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
