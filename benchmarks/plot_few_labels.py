"""Draw accuracy by number of labels, and confidence before and after its calibration.

    python -m benchmarks.plot_few_labels

Requires matplotlib (the extra ``report``), benchmarks/results/few_labels.jsonl and the corpora. The
confidence before calibration is not in the results, so the first draw with 5 labels is fitted
again.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.special import softmax

from benchmarks.few_labels import (
    EM,
    FORMER,
    GROUPS,
    LSA,
    OURS,
    SIZES,
    Drawn,
    Table,
    fit_ours,
    label_some,
    read_results,
    reliability,
)
from benchmarks.pictures import make_svg_repeatable, save_picture
from benchmarks.records import N_BINS

GROUP = "second"
N_DRAWS = 5  # of FewLabelsClassifier; others have more
LINES = {
    OURS: ("#aa3355", "-", "FewLabelsClassifier"),
    FORMER: ("#aa3355", ":", "FewLabelsClassifier before"),
    LSA: ("#cc8400", "-", "LSA + logistic regression"),
    EM: ("#4477aa", "-", "EM-NB on tf-idf"),
    "LogisticRegression-tfidf": ("#7a7a7a", "-", "logistic regression, labels only"),
    "HONB+guesses": ("#559955", "--", "HONB on the guesses"),
    "HOS-alpha0+pool": ("#9966aa", "--", "HOS (alpha=0) with unlabeled documents"),
}


def learning_curves() -> None:
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
    finish(figure, axes, "few-labels-curve")


def before_and_after() -> dict[str, np.ndarray]:
    """Sum the bins of all corpora, with equal weights, with and without step 6."""
    bins = {"before": np.zeros((3, N_BINS)), "after": np.zeros((3, N_BINS))}
    for name in GROUPS[GROUP]:
        problem = Drawn(name).draw(0)
        model, counts = fit_ours(problem, label_some(problem.classes, 5))
        scores = model.predict_joint_log_proba(counts.test)
        for which, proba in (
            ("before", softmax(scores / model.sharpness_, axis=1)),
            ("after", model.predict_proba(counts.test)),
        ):
            bins[which] += np.array(reliability(proba, problem.tests)) / len(problem.tests)
    return bins


def diagrams() -> None:
    figure, both = plt.subplots(1, 2, figsize=(7.2, 3.6), layout="constrained", sharey=True)
    for axes, (which, (documents, confidence, right)) in zip(
        both, before_and_after().items(), strict=True
    ):
        filled = documents > 0.02  # documents are counted in shares of a corpus
        x, y = confidence[filled] / documents[filled], right[filled] / documents[filled]
        axes.plot([0, 1], [0, 1], color="#7a7a7a", lw=1)
        axes.plot(x, y, color="#aa3355", lw=1)
        axes.scatter(x, y, s=300 * documents[filled] / documents.sum(), color="#aa3355")
        axes.set_title(f"confidence {which} it is set by the evidence", fontsize=10)
        axes.set_xlabel("confidence")
        axes.set_aspect("equal")
    both[0].set_ylabel("share of right predictions")
    finish(figure, both[0], "few-labels-reliability", both[1])


def finish(figure: plt.Figure, axes: plt.Axes, name: str, *others: plt.Axes) -> None:
    for each in (axes, *others):
        each.spines[["top", "right"]].set_visible(False)
        each.grid(alpha=0.25)
    save_picture(figure, name)


def main() -> None:
    make_svg_repeatable(**{"font.size": 11})
    learning_curves()
    diagrams()


if __name__ == "__main__":
    main()
