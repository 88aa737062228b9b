"""Draw accuracy by number of labels.

    python -m benchmarks.plot_few_labels

Requires matplotlib (the extra ``report``) and benchmarks/results/few_labels.jsonl.
"""

import matplotlib.pyplot as plt

from benchmarks.few_labels import EM, GROUPS, LSA, OURS, SIZES, Table, read_results
from benchmarks.pictures import make_svg_repeatable, save_picture

GROUP = "second"
N_DRAWS = 5  # of FewLabelsClassifier; others have more
LINES = {
    OURS: ("#aa3355", "-", "FewLabelsClassifier"),
    LSA: ("#cc8400", "-", "LSA + logistic regression"),
    EM: ("#4477aa", "-", "EM-NB on tf-idf"),
    "LogisticRegression-tfidf": ("#7a7a7a", "-", "logistic regression, labels only"),
    "HONB+guesses": ("#559955", "--", "HONB on the guesses"),
    "HOS-alpha0+pool": ("#9966aa", "--", "HOS (alpha=0) with unlabeled documents"),
}


def main() -> None:
    make_svg_repeatable(**{"font.size": 11})
    table = Table(read_results(), N_DRAWS)
    figure, axes = plt.subplots(figsize=(7.2, 4.2), layout="constrained")
    for model, (color, style, label) in LINES.items():
        means = [100 * table.group(GROUP, size, model) for size in SIZES]
        axes.plot(SIZES, means, style, color=color, lw=2, marker="o", ms=4, label=label)
    axes.set_xscale("log")
    axes.set_xticks(SIZES, [str(size) for size in SIZES])
    axes.minorticks_off()
    axes.set_xlabel("labels per class")
    axes.set_ylabel("accuracy, %")
    axes.set_title(f"Mean of {len(GROUPS[GROUP])} corpora, clean protocol", fontsize=11)
    axes.legend(frameon=False, loc="lower right", fontsize=9)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.25)
    save_picture(figure, "few-labels-curve")


if __name__ == "__main__":
    main()
