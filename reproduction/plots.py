"""Plots of accuracy against training size, like the figures of the papers."""

from typing import TYPE_CHECKING

import numpy as np

from reproduction.rerun import Reproduction
from reproduction.rules import describe_paper

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLORS = ("#7a7a7a", "#4477aa", "#cc8400", "#aa3355", "#228833", "#66bbdd", "#882255", "#000000")


def plot_sizes(reproduction: Reproduction, dataset: str) -> "Figure | None":
    """Draw the accuracy of each model against the share of documents for training.

    Lines, with one deviation around them, are ours; circles are from the paper's tables. Models
    that were run at fewer than two sizes are left out; None if there are no others.
    """
    from matplotlib.figure import Figure

    rule = describe_paper(reproduction.paper)
    curves = _curves(reproduction, rule.corpora[dataset])
    if not curves:
        return None
    figure = Figure(figsize=(7.2, 4.0), layout="constrained")
    axes = figure.add_subplot()
    for color, (model, curve) in zip(COLORS, curves.items(), strict=False):
        sizes = sorted(curve)
        means = np.array([np.mean(curve[size]) for size in sizes])
        deviations = np.array([np.std(curve[size]) for size in sizes])
        axes.plot(sizes, means, color=color, lw=2, label=model)
        axes.fill_between(sizes, means - deviations, means + deviations, color=color, alpha=0.15)
        published = {
            cell.published.percent: cell.published.value
            for cell in reproduction.cells
            if (cell.published.dataset, cell.published.model) == (dataset, model)
            and cell.published.metric == "accuracy"
            and cell.published.percent is not None
        }
        axes.scatter(
            list(published),
            list(published.values()),
            s=28,
            facecolor="white",
            edgecolor=color,
            zorder=3,
        )
    axes.scatter([], [], s=28, facecolor="white", edgecolor="black", label="as published")
    ticks = sorted(set().union(*curves.values()))
    axes.set_xscale("log")
    axes.set_xticks(ticks, _tick_labels(ticks))
    axes.minorticks_off()
    axes.set_xlabel("documents used for training, %")
    axes.set_ylabel("accuracy, %")
    axes.set_title(f"{dataset}, {reproduction.paper}, the paper's protocol", fontsize=11)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", alpha=0.25)
    axes.legend(frameon=False, loc="lower right", fontsize=9)
    return figure


def _curves(reproduction: Reproduction, corpus: str) -> dict[str, dict[int, list[float]]]:
    """Return accuracies in percent by model and size, of models with at least two sizes."""
    curves: dict[str, dict[int, list[float]]] = {}
    models = describe_paper(reproduction.paper).models
    for result in reproduction.results:
        cell = result.cell
        if cell.corpus == corpus and cell.split.endswith("%") and cell.model in models:
            curve = curves.setdefault(cell.model, {})
            curve.setdefault(int(cell.split.split()[0]), []).append(100 * result.scores["accuracy"])
    return {model: curves[model] for model in models if len(curves.get(model, ())) > 1}


def _tick_labels(ticks: list[int]) -> list[str]:
    """Return the labels of a logarithmic axis, empty if one would overlap the one before."""
    least = (ticks[-1] / ticks[0]) ** 0.035
    labels, written = [], 0.0
    for tick in ticks:
        labels.append(str(tick) if tick >= least * written else "")
        written = tick if labels[-1] else written
    return labels
