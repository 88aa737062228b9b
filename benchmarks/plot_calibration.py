"""Draw reliability diagrams from the finished runs of benchmarks.calibration.

    python -m benchmarks.plot_calibration

Requires matplotlib (the extra ``report``) and benchmarks/results/calibration.jsonl.
"""

import matplotlib.pyplot as plt
import numpy as np

from benchmarks.calibration import REPORTED_ON, read_results
from benchmarks.pictures import make_svg_repeatable, save_picture
from benchmarks.records import N_BINS, bin_of

MODELS = ["LogisticRegression-tfidf", "LinearSVC-tfidf", "CNB", "FewLabels with pool"]
LABELS = ["5", "25"]
COLORS = {"raw": "#7a7a7a", "calibrated": "#aa3355"}


def summed_bins(records: list[dict], side: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return share of documents, mean confidence and accuracy per bin; corpora weigh the same."""
    totals = np.zeros((N_BINS, 3))
    for record in records:
        rows = np.array(record[side]["bins"])
        number = bin_of(rows[:, 1])
        share = rows[:, 0] / rows[:, 0].sum()
        np.add.at(totals, number, np.column_stack([share, share * rows[:, 1], share * rows[:, 2]]))
    totals = totals[totals[:, 0] > 0.002 * totals[:, 0].sum()]
    share = totals[:, 0] / totals[:, 0].sum()
    return share, totals[:, 1] / totals[:, 0], totals[:, 2] / totals[:, 0]


def main() -> None:
    make_svg_repeatable(**{"font.size": 10})
    results = read_results().values()
    size = (2.6 * len(MODELS), 2.75 * len(LABELS))
    figure, grid = plt.subplots(
        len(LABELS), len(MODELS), figsize=size, sharex=True, sharey=True, layout="constrained"
    )
    for labels, row in zip(LABELS, grid, strict=True):
        for model, axes in zip(MODELS, row, strict=True):
            own = [
                r
                for r in results
                if r["model"] == model and r["labels"] == labels and r["corpus"] in REPORTED_ON
            ]
            axes.plot([0, 1], [0, 1], color="black", lw=0.8, ls=":")
            for side, color in COLORS.items():
                share, confidence, accuracy = summed_bins(own, side)
                axes.plot(confidence, accuracy, color=color, lw=1.5)
                axes.scatter(confidence, accuracy, s=6 + 250 * share, color=color, alpha=0.6, lw=0)
                error = np.mean([r[side]["ece"] for r in own])
                height = 0.12 if side == "raw" else 0.03
                label = f"{side}: ECE {error:.3f}"
                axes.text(1.0, height, label, color=color, fontsize=9, ha="right")
            axes.set_title(f"{model}, {labels} labels", fontsize=9)
            axes.set(xlim=(0, 1.02), ylim=(0, 1.02))
            axes.spines[["top", "right"]].set_visible(False)
        row[0].set_ylabel("share of right predictions")
    for axes in grid[-1]:
        axes.set_xlabel("confidence")
    save_picture(figure, "reliability")


if __name__ == "__main__":
    main()
