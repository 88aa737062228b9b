"""Draw the picture of the README: what a path is, and what unlabeled texts bring.

    python -m benchmarks.plot_readme

Requires matplotlib (the extra ``report``) and benchmarks/results/few_labels.jsonl.
"""

import matplotlib.pyplot as plt

from benchmarks.few_labels import GROUPS, LSA, OURS, SIZES, Table, read_results
from benchmarks.pictures import make_svg_repeatable, save_picture
from honeybayes.charts.page_chart import COLORS, NEUTRAL

GROUP, N_DRAWS = "second", 5
LINES = {
    OURS: (COLORS[0], "labels and unlabeled texts\n(FewLabelsClassifier)"),
    LSA: (COLORS[1], "the same, by LSA and\nlogistic regression"),
    "LogisticRegression-tfidf": (NEUTRAL[0], "labels only\n(logistic regression)"),
}
TEXTS = {
    "“the radiator is cold”": ("radiator", "cold"),
    "“it is cold in my flat”": ("cold", "flat"),
    "“I give notice for the flat”": ("flat", "notice"),
}
WORDS = ("radiator", "cold", "flat", "notice")
PATH = ("radiator", "cold", "flat")


def draw_path(axes: plt.Axes) -> None:
    """Draw words above, texts below, and one path of order 2 in color."""
    place = {word: (number, 1.0) for number, word in enumerate(WORDS)}
    on_path = {("radiator", 0), ("cold", 0), ("cold", 1), ("flat", 1)}
    for number, words in enumerate(TEXTS.values()):
        for word in words:
            bold = (word, number) in on_path
            (x, y), (u, v) = place[word], (number + 0.5, 0.0)
            color, width = (COLORS[1], 3) if bold else (NEUTRAL[0], 1)
            axes.plot([x, u], [y, v], color=color, lw=width, zorder=1, solid_capstyle="round")
    for word, (x, y) in place.items():
        weight = "bold" if word in PATH else "normal"
        axes.plot(x, y, "o", ms=9, color=COLORS[0], zorder=2)
        axes.text(x, y + 0.1, word, ha="center", va="bottom", weight=weight)
    for number, text in enumerate(TEXTS):
        axes.plot(number + 0.5, 0, "s", ms=9, color=NEUTRAL[0], zorder=2)
        words = text.split()
        half = (len(words) + 1) // 2
        lines = " ".join(words[:half]) + "\n" + " ".join(words[half:])
        axes.text(number + 0.5, -0.12, lines, ha="center", va="top", fontsize=9)
    axes.set(xlim=(-0.5, 3.5), ylim=(-0.55, 1.4))
    axes.axis("off")
    axes.set_title("A path: “radiator” and “flat” never\noccur together. “cold” connects them.")


def draw_curves(axes: plt.Axes) -> None:
    """Draw accuracy by number of labels, with the names beside the lines."""
    table = Table(read_results(), N_DRAWS)
    for model, (color, label) in LINES.items():
        means = [100 * table.group(GROUP, size, model) for size in SIZES]
        axes.plot(SIZES, means, "o-", color=color, lw=2.5, ms=5)
        axes.annotate(
            label,
            (SIZES[-1], means[-1]),
            (8, {OURS: 8, LSA: -6}.get(model, -26)),
            textcoords="offset points",
            color=color,
            va="center",
            fontsize=9,
        )
    axes.set_xscale("log")
    axes.set_xticks(SIZES, [str(size) for size in SIZES])
    axes.minorticks_off()
    axes.set(xlabel="labels per class", ylabel="accuracy, %", yticks=[65, 70, 75, 80])
    axes.set_title(f"Accuracy, mean of {len(GROUPS[GROUP])} corpora")
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.25)


def main() -> None:
    make_svg_repeatable(**{"font.size": 11, "axes.titlesize": 11})
    figure, (left, right) = plt.subplots(
        1, 2, figsize=(10.5, 3.6), layout="constrained", width_ratios=[1, 0.8]
    )
    draw_path(left)
    draw_curves(right)
    save_picture(figure, "paths-and-pool")


if __name__ == "__main__":
    main()
