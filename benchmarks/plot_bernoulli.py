"""Draw accuracy against training size on 20 Newsgroups from the finished trials.

    python -m benchmarks.plot_bernoulli

Wants matplotlib (the extra ``report``), and docs/reproduction/bernoulli.jsonl.
"""

import matplotlib.pyplot as plt
import numpy as np

from benchmarks.accuracy_bernoulli import FOLDER, read_cells, read_results

PICTURE = FOLDER.parent / "images" / "20news-bernoulli.svg"
COLORS = {"NB": "#7a7a7a", "JM": "#4477aa", "HONB": "#cc8400", "HOS": "#aa3355"}
DASHED = {"HOS without Laplace": "#aa3355"}
LABELS = {
    "NB": "naive Bayes",
    "JM": "naive Bayes, Jelinek-Mercer",
    "HONB": "Higher Order Naive Bayes",
    "HOS": "Higher Order Smoothing",
    "HOS without Laplace": "the same with alpha=0",
}


def main() -> None:
    plt.rcParams.update({"svg.hashsalt": "honeybayes", "svg.fonttype": "none", "font.size": 11})
    results = read_results()
    cells = [cell for cell in read_cells() if cell.corpus == "20news-18828"]
    figure, axes = plt.subplots(figsize=(7.2, 4.0), layout="constrained")
    for model, color in (COLORS | DASHED).items():
        own = sorted((cell for cell in cells if cell.model == model), key=lambda c: c.percent)
        sizes = [cell.percent for cell in own]
        trials = [[100 * results[t] for t in cell.trials(0, 8)] for cell in own]
        means, deviations = np.mean(trials, axis=1), np.std(trials, axis=1, ddof=1)
        style = "-" if model in COLORS else "--"
        axes.plot(sizes, means, color=color, lw=2, ls=style, label=LABELS[model])
        axes.fill_between(sizes, means - deviations, means + deviations, color=color, alpha=0.15)
        if model in COLORS:
            published = [cell.published for cell in own]
            axes.scatter(sizes, published, color=color, s=28, facecolor="white", zorder=3)
    axes.scatter([], [], color="black", facecolor="white", s=28, label="as published (hos-2012)")
    axes.set_xscale("log")
    axes.set_xticks([1, 5, 10, 30, 50, 90], ["1", "5", "10", "30", "50", "90"])
    axes.minorticks_off()
    axes.set_xlabel("documents used for training, % of 18,828")
    axes.set_ylabel("accuracy, %")
    axes.set_title("20 Newsgroups, 20 classes, 2,000 terms, the papers' protocol", fontsize=11)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", alpha=0.25)
    axes.legend(frameon=False, loc="lower right")
    PICTURE.parent.mkdir(exist_ok=True)
    figure.savefig(PICTURE, metadata={"Date": None})


if __name__ == "__main__":
    main()
