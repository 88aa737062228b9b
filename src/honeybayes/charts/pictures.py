"""Pictures for notebooks and papers; matplotlib is imported when the first one is drawn."""

from collections.abc import Mapping
from textwrap import shorten
from typing import TYPE_CHECKING, Any

import numpy as np

from honeybayes.charts.page_chart import COLORS, MARKERS, NEUTRAL
from honeybayes.utils.optional import new_axes, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from honeybayes.evaluate import Comparison
    from honeybayes.explain import DecisionExplanation, WordExplanation

PERCENT = 100
ROW = 0.32  # inches, of a model in a critical-difference diagram
AGAINST, FOR, *_ = COLORS
GRAY = NEUTRAL[0]
SHOWN_LETTERS = 26
NODE = {"ha": "center", "va": "center", "fontsize": 9, "zorder": 2}
BOX = {"boxstyle": "round,pad=0.35", "edgecolor": "#b8860b", "lw": 0.8}
YELLOW, WHITE = "#fff3d6", "white"
BOXES = {"word": YELLOW, "first": WHITE, "bridge": "#ffe0a3", "second": WHITE, "end": YELLOW}
# for letters that the usual font does not have, on Linux, macOS and Windows
FONTS = (
    *("Noto Sans CJK SC", "Noto Sans CJK JP", "Noto Sans Thai", "Loma", "Noto Sans Khmer"),
    *("Noto Sans Myanmar", "Noto Sans Devanagari", "Noto Sans Ethiopic", "PingFang SC"),
    *("Hiragino Sans", "Apple SD Gothic Neo", "Arial Unicode MS", "Microsoft YaHei", "Yu Gothic"),
    *("Malgun Gothic", "Leelawadee UI", "Nirmala UI", "Myanmar Text", "Ebrima"),
)


def plain_style() -> dict[str, Any]:
    """Return the style of words and classes: any letters, and a "$" begins no formula."""
    from matplotlib import font_manager, rcParams

    installed = set(font_manager.get_font_names())  # matplotlib warns of others
    fonts = [font for font in FONTS if font in installed]
    return {"parse_math": False, "fontfamily": [*rcParams["font.family"], *fonts]}


def plot_learning_curves(
    comparison: "Comparison", corpus: str | None = None, metric: str = "accuracy", ax: Any = None
) -> Any:
    """Draw the mean of each model by number of labels, with its confidence interval.

    Parameters
    ----------
    comparison : Comparison
        Returned by `honeybayes.evaluate.compare`.
    corpus : str, optional
        Name of the corpus. The default is the first corpus.
    metric : str, default="accuracy"
        The metric.
    ax : matplotlib axes, optional
        Axes to draw on. The default is a new figure.

    Returns
    -------
    matplotlib axes
    """
    corpus = comparison.places[0][0] if corpus is None else corpus
    summaries = [s for s in comparison.summaries(metric) if s.corpus == corpus]
    splits = list(dict.fromkeys(s.split for s in summaries))
    factor = 1 if metric in ("log_loss", "brier") else PERCENT
    ax = new_axes(ax, width=5.2, height=3.2 + 0.22 * ((len(comparison.models) + 1) // 2))
    for number, model in enumerate(comparison.models):
        own = {s.split: s for s in summaries if s.model == model}
        at = [tick for tick, split in enumerate(splits) if split in own]
        shown = [(s.mean, s.low, s.high) for s in (own[splits[tick]] for tick in at)]
        mean, low, high = factor * np.array(shown).reshape(-1, 3).T
        again, index = divmod(number, len(COLORS))  # a second round of colors has other markers
        color, marker = COLORS[index], MARKERS[(index + again) % len(MARKERS)]
        style = "--" if again else "-"
        ax.plot(at, mean, color=color, marker=marker, linestyle=style, label=model)
        if not np.isnan(low).any():
            ax.fill_between(at, low, high, color=color, alpha=0.15, linewidth=0)
    largest = factor * np.array([comparison.baseline((corpus, split), metric) for split in splits])
    if not np.isnan(largest).all():
        ax.plot(range(len(splits)), largest, color="gray", linestyle=":", label="largest class")
    ax.set_xticks(range(len(splits)), splits)
    unit = " (%)" if factor == PERCENT else ""
    ax.set(xlabel="Labeled documents", ylabel=f"{metric.replace('_', ' ').capitalize()}{unit}")
    ax.grid(axis="y", alpha=0.3)
    place = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.2)}
    ax.legend(frameon=False, fontsize="small", ncols=2, **place)
    return ax


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

    Save the figure with its ``savefig``. Requires matplotlib, the extra ``report``.

    Parameters
    ----------
    ranks : mapping of str to float
        Average rank of each model, as from `Comparison.ranks`.
    difference : float
        From `critical_difference`.

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


def plot_decision(explanation: "DecisionExplanation", ax: Any, n_words: int) -> Any:
    """Draw bars; see `DecisionExplanation.plot`."""
    shown, rest = explanation.largest(n_words)
    bars = [(word.spelling, word.lead) for word in shown]
    if rest:
        bars.append((f"({len(rest)} more)", sum(word.lead for word in rest)))
    bars.append(("(no words)", explanation.baseline_lead))
    ax = new_axes(ax, width=6.4, height=0.8 + 0.3 * len(bars))
    names, leads = zip(*bars, strict=True)
    colors = [FOR if lead > 0 else AGAINST for lead in leads]
    colors[len(shown) :] = [GRAY] * (len(bars) - len(shown))
    ax.barh(range(len(bars)), leads, color=colors)
    ax.set_yticks(range(len(bars)), names, **plain_style())
    ax.invert_yaxis()
    ax.axvline(0, color="black", lw=0.8)
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.tick_params(left=False)
    over = "" if explanation.against is None else f" over {explanation.against}"
    ax.set_title(f"{explanation.label}{over}: {explanation.lead:+.2f}", loc="left", **plain_style())
    ax.set_xlabel(f"against {explanation.label} (left) or for it (right)", **plain_style())
    return ax


def plot_word(explanation: "WordExplanation", ax: Any, n_nodes: int) -> Any:
    """Draw the graph from left to right; see `WordExplanation.plot`."""
    bridges = explanation.bridges[:n_nodes]
    first, second = explanation.first_documents[:n_nodes], explanation.second_documents[:n_nodes]
    tallest = max(len(bridges), len(first), len(second), 1)
    ax = new_axes(ax, width=10.5, height=1.2 + 0.8 * tallest)
    inside = "" if explanation.to_label else "other words\nof "
    places: dict[tuple[str, Any], tuple[float, float]] = {}
    for x, column, nodes in (
        (0, "word", [(None, explanation.spelling)]),
        (1, "first", [(each.number, _describe(each)) for each in first]),
        (2, "bridge", [(each.word, f"{each.spelling}\n{each.paths:,}") for each in bridges]),
        (3, "second", [(each.number, _describe(each)) for each in second]),
        (4, "end", [(None, f"{inside}{explanation.label}")]),
    ):
        for row, (key, text) in enumerate(nodes):  # the first on top, around zero
            places[column, key] = at = (x, (len(nodes) - 1) / 2 - row)
            weight = "bold" if key is None else "normal"
            box = {"facecolor": BOXES[column], **BOX}
            ax.text(*at, text, bbox=box, fontweight=weight, **NODE, **plain_style())
    edges: list[Any] = [(("word", None), ("first", each.number), each.paths) for each in first]
    edges += [(("end", None), ("second", each.number), each.paths) for each in second]
    edges += [
        ((step.side, step.document), ("bridge", step.bridge), step.paths)
        for step in explanation.steps
        if (step.side, step.document) in places and ("bridge", step.bridge) in places
    ]
    widest = max((paths for *_, paths in edges), default=1)
    for start, stop, paths in edges:
        xs, ys = zip(places[start], places[stop], strict=True)
        width = 0.6 + 7 * paths / widest
        ax.plot(xs, ys, color=FOR, alpha=0.45, lw=width, zorder=1, solid_capstyle="round")
    for x, title in enumerate(("word", "first document", "bridge", "second document", "end")):
        style = {"ha": "center", "va": "bottom", "color": GRAY, "fontsize": 9}
        ax.annotate(title, (x, 1), xycoords=("data", "axes fraction"), **style)
    ax.set(xlim=(-0.5, 4.5), ylim=(-tallest / 2 - 0.1, tallest / 2 + 0.1))
    ax.set_axis_off()
    ax.set_title(
        f"{explanation.paths:,} paths from {explanation.spelling!r} to {explanation.label}, which "
        f"has the word in {explanation.occurrences} of its documents",
        pad=22,
        fontsize=11,
        **plain_style(),
    )
    return ax


def _describe(document: Any) -> str:
    text = document.text and shorten(document.text, SHOWN_LETTERS, placeholder=" …")
    lines = [f"{document.number} · {document.label}", text, f"{document.paths:,}"]
    return "\n".join(line for line in lines if line is not None)
