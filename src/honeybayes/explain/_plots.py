"""Plots of the explanations; matplotlib is imported when the first one is drawn."""

from textwrap import shorten
from typing import TYPE_CHECKING, Any

from honeybayes.utils import style
from honeybayes.utils.optional import new_axes
from honeybayes.utils.style import COLORS

if TYPE_CHECKING:
    from honeybayes.explain._decision import DecisionExplanation
    from honeybayes.explain._word_paths import WordExplanation

AGAINST, FOR, *_ = COLORS
NEUTRAL = style.NEUTRAL[0]
SHOWN_LETTERS = 26


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
    colors[len(shown) :] = [NEUTRAL] * (len(bars) - len(shown))
    ax.barh(range(len(bars)), leads, color=colors)
    ax.set_yticks(range(len(bars)), names, parse_math=False)  # words such as $5
    ax.invert_yaxis()
    ax.axvline(0, color="black", lw=0.8)
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.tick_params(left=False)
    over = "" if explanation.against is None else f" over {explanation.against}"
    ax.set_title(
        f"{explanation.label}{over}: {explanation.lead:+.2f}", loc="left", parse_math=False
    )
    ax.set_xlabel(f"against {explanation.label} (left) or for it (right)", parse_math=False)
    return ax


def plot_word(explanation: "WordExplanation", ax: Any, n_nodes: int) -> Any:
    """Draw the graph from left to right; see `WordExplanation.plot`."""
    bridges = explanation.bridges[:n_nodes]
    sides = {
        "first": explanation.first_documents[:n_nodes],
        "second": explanation.second_documents[:n_nodes],
    }
    tallest = max([len(bridges), *map(len, sides.values()), 1])
    ax = new_axes(ax, width=10.5, height=1.2 + 0.8 * tallest)
    inside = "" if explanation.to_label else "other words\nof "
    word, end = (0.0, 0.0), (4.0, 0.0)
    of_bridge = {
        bridge.word: (2.0, y) for bridge, y in zip(bridges, _heights(bridges), strict=True)
    }
    of_document = {
        side: {d.number: (x, y) for d, y in zip(documents, _heights(documents), strict=True)}
        for x, (side, documents) in zip((1.0, 3.0), sides.items(), strict=True)
    }
    edges = [
        (word if side == "first" else end, of_document[side][document.number], document.paths)
        for side, documents in sides.items()
        for document in documents
    ]
    edges += [
        (of_document[step.side][step.document], of_bridge[step.bridge], step.paths)
        for step in explanation.steps
        if step.document in of_document[step.side] and step.bridge in of_bridge
    ]
    widest = max((paths for *_, paths in edges), default=1)
    for start, stop, paths in edges:
        width = 0.6 + 7 * paths / widest
        xs, ys = zip(start, stop, strict=True)
        ax.plot(xs, ys, color=FOR, alpha=0.45, lw=width, zorder=1, solid_capstyle="round")

    _write(ax, word, explanation.spelling, "#fff3d6", bold=True)
    _write(ax, end, f"{inside}{explanation.label}", "#fff3d6", bold=True)
    for bridge in bridges:
        _write(ax, of_bridge[bridge.word], f"{bridge.spelling}\n{bridge.paths:,}", "#ffe0a3")
    for side, documents in sides.items():
        for document in documents:
            lines = [f"{document.number} · {document.label}", f"{document.paths:,}"]
            if document.text is not None:
                lines.insert(1, shorten(document.text, SHOWN_LETTERS, placeholder=" …"))
            _write(ax, of_document[side][document.number], "\n".join(lines), "white")
    for x, title in enumerate(("word", "first document", "bridge", "second document", "end")):
        style = {"ha": "center", "va": "bottom", "color": NEUTRAL, "fontsize": 9}
        ax.annotate(title, (x, 1), xycoords=("data", "axes fraction"), **style)
    ax.set(xlim=(-0.5, 4.5), ylim=(-tallest / 2 - 0.1, tallest / 2 + 0.1))
    ax.set_axis_off()
    ax.set_title(
        f"{explanation.paths:,} paths from {explanation.spelling!r} to {explanation.label}, which "
        f"has the word in {explanation.occurrences} of its documents",
        pad=22,
        fontsize=11,
        parse_math=False,
    )
    return ax


def _heights(nodes: Any) -> list[float]:
    """Return the heights of the nodes of a column, the first on top, around zero."""
    return [(len(nodes) - 1) / 2 - position for position in range(len(nodes))]


def _write(ax: Any, at: tuple[float, float], text: str, color: str, bold: bool = False) -> None:
    ax.text(
        *at,
        text,
        ha="center",
        va="center",
        fontsize=9,
        fontweight="bold" if bold else "normal",
        zorder=2,
        parse_math=False,
        bbox={"boxstyle": "round,pad=0.35", "facecolor": color, "edgecolor": "#b8860b", "lw": 0.8},
    )
